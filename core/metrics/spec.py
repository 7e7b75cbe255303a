"""What a metric is: one declaration that pages, tests and the registry all read."""

import math
import re
from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal, TypeAlias

from core.errors import ParameterError
from core.judged import Floats, Judged
from core.validation import check_number, check_whole

ParamValue: TypeAlias = float | int | str
Values: TypeAlias = Callable[..., Floats]
Bounds: TypeAlias = Callable[..., tuple[Floats, Floats]]

_INTERVAL = re.compile(r"([\[(])\s*(\S+)\s*,\s*(\S+)\s*([\])])")


@dataclass(frozen=True)
class Score:
    """A score and its range over every way of judging the unjudged documents.

    Attributes
    ----------
    value : float or array
        The score by the metric's own convention for unjudged documents; nan if undefined.
    lower, upper : float or array
        The range; nan where no range is known.
    note : str
        Why a number is missing, or which completions were left out; empty otherwise.
    """

    value: float | Floats
    lower: float | Floats
    upper: float | Floats
    note: str = ""

    @property
    def residual(self) -> float | Floats:
        """Width of the range."""
        return self.upper - self.lower


@dataclass(frozen=True)
class ParamSpec:
    """One parameter of a metric: what it may be, and what it means.

    Attributes
    ----------
    name : str
        Name in the metric's text form, such as ``p`` in ``RBP(p=0.8)``.
    default : float, int, str or None
        Value where none is given; None for a rule of its own that `help` states.
    kind : str
        ``"real"``, ``"whole"``, ``"choice"`` or ``"numbers"`` (as text, ``"3:2:1"``).
    valid : str
        For numbers the interval, such as ``"[0, 1)"``, that each must lie in.
    choices : tuple of str
        For a choice what it can be.
    falling : bool
        For numbers: whether they fall (or rise) from the highest grade to the lowest.
    slider : tuple of float, optional
        Least, greatest and step to offer on screen.
    help : str
        Meaning, in a few words.
    """

    name: str
    default: ParamValue | None
    kind: Literal["real", "whole", "choice", "numbers"]
    valid: str = ""
    choices: tuple[str, ...] = ()
    falling: bool = True
    slider: tuple[float, float, float] | None = None
    help: str = ""

    def limits(self) -> tuple[float, float, bool, bool]:
        """Return least and greatest value, and whether each is allowed itself."""
        match = _INTERVAL.fullmatch(self.valid)
        if match is None:
            msg = f"parameter {self.name}: {self.valid!r} is no interval such as '[0, 1)'."
            raise ParameterError(msg)
        opening, low, high, closing = match.groups()
        return float(low), float(high), opening == "[", closing == "]"

    def check(self, value: ParamValue, *, caller: str) -> ParamValue:
        """Return `value` in its own type, or raise `ParameterError` with the rule."""
        if self.kind == "choice":
            if value not in self.choices:
                allowed = " or ".join(repr(choice) for choice in self.choices)
                msg = f"{caller}: {self.name} must be {allowed}; got {value!r}."
                raise ParameterError(msg)
            return value
        if self.kind == "numbers":
            given = numbers(value, name=self.name, caller=caller)
            for number in given:
                self._check_interval(number, value, caller=caller)
            if list(given) != sorted(given, reverse=self.falling):
                rule = "rise" if self.falling else "fall"
                msg = (
                    f"{caller}: {self.name} must not {rule} from the highest grade to the "
                    f"lowest; got {value!r}."
                )
                raise ParameterError(msg)
            return value
        if self.kind == "whole":
            number = check_whole(self.name, value, caller=caller, least=-(10**9))
            self._check_interval(number, value, caller=caller)
            return int(number)
        self._check_interval(
            check_number(self.name, value, caller=caller), value, caller=caller
        )
        return float(value)

    def _check_interval(self, number: float, given: ParamValue, *, caller: str) -> None:
        low, high, low_allowed, high_allowed = self.limits()
        above = number >= low if low_allowed else number > low
        below = number <= high if high_allowed else number < high
        if not (above and below):
            rule = f"{'at least' if low_allowed else 'above'} {low:g}"
            if math.isfinite(high):
                rule += f" and {'at most' if high_allowed else 'below'} {high:g}"
            msg = f"{caller}: {self.name} must be {rule}; got {given!r}."
            raise ParameterError(msg)


def numbers(text: object, *, name: str, caller: str) -> tuple[float, ...]:
    """Read numbers such as ``"3:2:1"``, given for the highest grade first."""
    if isinstance(text, str) and text:
        try:
            return tuple(
                check_number(name, float(part), caller=caller) for part in text.split(":")
            )
        except ValueError:
            pass  # the message below says what was expected, whatever part failed
    msg = (
        f"{caller}: {name} must be numbers such as '3:2:1', the highest grade first; "
        f"got {text!r}."
    )
    raise ParameterError(msg)


def always(_: Judged) -> bool:
    """Say yes to every ranking."""
    return True


@dataclass(frozen=True)
class MetricSpec:
    """One metric: how it is computed, named, explained and cited.

    Attributes
    ----------
    key : str
        Unique name in the registry.
    name : str
        What stands before the brackets in text form; two metrics may share it.
    label, title : str
        Short name on screen; what it stands for.
    values : callable
        ``values(judged, *, cutoff, **params)`` gives the score of each ranking, nan where
        it is undefined.
    shares : callable or None
        Same arguments; gives what each rank contributes. None: no decomposition.
    range : callable or None
        For a metric with a tail: same arguments; gives the lower and upper bounds.
    candidates : callable or None
        Same arguments, one ranking; gives, without building them, the scores of the worst
        and best completions with 0, 1, 2, ... of the unjudged documents relevant.
    params : tuple of ParamSpec
        Parameters besides the cutoff.
    cutoff : str
        Whether ``@k`` is ``"required"``, ``"optional"`` or there is ``"none"``.
    graded, uses_num_rel : bool
        Grades matter; R of the topic matters.
    unjudged : str
        ``"nonrelevant"`` or ``"skipped"``: what `values` takes an unjudged document for.
    rises : callable
        Whether a relevant document moved up past a nonrelevant one never lowers the score
        of these rankings, so that the u + 1 candidates give the range.
    undefined : str
        When the score is undefined; empty if never.
    user_model, formula, source, reference : str
        For the reader: who the user is, the formula in LaTeX, the place in the paper, the
        key in `REFERENCES`.
    aliases : tuple of str
        Names that people use for it elsewhere, to find it by.
    """

    key: str
    name: str
    label: str
    title: str
    values: Values
    shares: Values | None
    formula: str
    source: str
    reference: str
    range: Bounds | None = None
    candidates: Bounds | None = None
    params: tuple[ParamSpec, ...] = ()
    cutoff: Literal["required", "optional", "none"] = "optional"
    graded: bool = False
    uses_num_rel: bool = False
    unjudged: Literal["nonrelevant", "skipped"] = "nonrelevant"
    rises: Callable[[Judged], bool] = always
    undefined: str = ""
    user_model: str = ""
    aliases: tuple[str, ...] = ()

    @property
    def has_tail(self) -> bool:
        """Whether documents below the end of the list have weight."""
        return self.range is not None
