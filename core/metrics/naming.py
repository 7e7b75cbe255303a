"""Metrics by name, as `ir_measures` writes them: ``RBP(p=0.8)``, ``nDCG@10``, ``AP'@100``."""

import difflib
import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import Final

import numpy as np

from core.bounds import Range, range_of, searched_range
from core.errors import ParameterError, UnknownMetricError
from core.judged import Floats, Judged
from core.metrics import METRICS
from core.metrics.spec import MetricSpec, ParamValue, Score

MAX_CUTOFF: Final = 1_000_000

_FORM: Final = re.compile(
    r"\s*(?P<name>[A-Za-z][A-Za-z0-9_]*)(?P<prime>'?)"
    r"(?:\((?P<params>[^()]*)\))?(?P<late_prime>'?)(?:@(?P<cutoff>-?\d+))?\s*"
)
_PARAM: Final = re.compile(
    r"\s*([A-Za-z]\w*)\s*=\s*(?:'([^']*)'|\"([^\"]*)\"|([^'\",\s]+))\s*"
)


@dataclass(frozen=True)
class MetricCall:
    """A metric with its parameters set: what a name such as ``nDCG(gain='exp')@10`` means.

    Attributes
    ----------
    spec : MetricSpec
        The metric.
    params : mapping
        Its parameters by name; those without a default only where given.
    cutoff : int or None
        Ranks looked at; None for the whole list.
    condensed : bool
        Whether unjudged documents are removed first.
    name : str
        The name in its usual form.
    """

    spec: MetricSpec
    params: Mapping[str, ParamValue]
    cutoff: int | None
    condensed: bool
    name: str

    def values(self, judged: Judged) -> Floats:
        """Score each ranking of a batch by the metric's own convention."""
        if self.condensed:
            judged = judged.condensed()
        return self.spec.values(judged, **self._arguments())

    def score(self, judged: Judged) -> Score:
        """Score rankings, with the range over every way of judging the unjudged."""
        values = self.values(judged)
        if self.spec.range is not None:
            lower, upper = self.spec.range(judged, **self._arguments())
            note = ""
        else:
            lower, upper, note = self._ranges(judged, values)
        if judged.grades.ndim > 1:
            return Score(values, lower, upper, note)
        value = float(values)
        if np.isnan(value):
            note = "; ".join(filter(None, (f"undefined: {self.spec.undefined}", note)))
        return Score(value, float(lower), float(upper), note)

    def contributions(self, judged: Judged) -> Floats:
        """Say how much of the score each rank is responsible for."""
        if self.spec.shares is None:
            msg = f"{self.name} has no decomposition by rank."
            raise ParameterError(msg)
        if not self.condensed:
            shares = self.spec.shares(judged, **self._arguments())
        else:
            shares = np.zeros(judged.grades.shape)
            short = judged.condensed()
            shares[~judged.unjudged] = self.spec.shares(short, **self._arguments())
        undefined = np.isnan(self.values(judged))
        return np.where(undefined[..., np.newaxis], np.nan, shares)

    def _arguments(self) -> dict[str, ParamValue]:
        if self.cutoff is None:
            return dict(self.params)
        return {**self.params, "cutoff": self.cutoff}

    def _ranges(self, judged: Judged, values: Floats) -> tuple[Floats, Floats, str]:
        lower = np.array(values, dtype=np.float64)
        upper = lower.copy()
        note = ""
        for index in np.ndindex(values.shape):
            ranking = judged[index] if index else judged
            if not ranking.unjudged.any():
                continue
            found = self._range(ranking)
            lower[index], upper[index] = found.lower, found.upper
            if found.reason:
                note = f"range not known: {found.reason}"
            elif found.left_out:
                note = (
                    "ways of judging the rest that leave the score undefined are left out"
                )
        return lower, upper, note

    def _range(self, ranking: Judged) -> Range:
        """Find the range of one ranking; judged in full, a condensed list is the list."""
        can_be_relevant = ranking.min_code < len(ranking.values)
        if self.spec.candidates is not None and can_be_relevant:
            worst, best = self.spec.candidates(ranking, **self._arguments())
            return range_of(np.concatenate([worst, best]))
        return searched_range(
            ranking,
            lambda block: self.spec.values(block, **self._arguments()),
            rises=self.spec.rises(ranking),
        )


@lru_cache(maxsize=512)
def parse_metric(text: str, *, bare: bool = False) -> MetricCall:
    """Read a metric's name with its parameters and cutoff.

    Parameters
    ----------
    text : str
        For example ``"RBP(p=0.8)"``, ``"AP@100"``, ``"nDCG(gain='exp')@10"``, ``"AP'"``.
    bare : bool, default False
        Accept a name without the cutoff that its metric needs.

    Returns
    -------
    MetricCall
        The metric with its parameters set.
    """
    by_key = next((spec for spec in METRICS if spec.key == text), None)
    match = (
        _FORM.fullmatch(by_key.name if by_key else text) if isinstance(text, str) else None
    )
    if match is None:
        msg = f"{text!r} is not a metric's name; write for example RBP(p=0.8), AP@100 or nDCG@10."
        raise UnknownMetricError(msg)
    given = _read_params(match["params"], name=match["name"])
    spec = by_key or _find(match["name"], given)
    cutoff = _check_cutoff(spec, match["cutoff"], bare=bare)
    params: dict[str, ParamValue] = {}
    for param in spec.params:
        if param.name in given:
            params[param.name] = param.check(_typed(given[param.name]), caller=spec.name)
        elif param.default is not None:
            params[param.name] = param.default
    prime = "'" if match["prime"] or match["late_prime"] else ""
    # without parameters, the second metric of a name goes by its key
    shown = [f"{name}={params[name]!r}" for name in params if name in given]
    base = f"{spec.name}{prime}({', '.join(shown)})" if shown else f"{spec.key}{prime}"
    at = "" if cutoff is None else f"@{cutoff}"
    return MetricCall(spec, params, cutoff, bool(prime), f"{base}{at}")


def metric(name: str) -> MetricSpec:
    """Find a metric's declaration by its name, with or without parameters and cutoff.

    Examples
    --------
    >>> metric("nDCG@10").title
    'normalised discounted cumulative gain'
    """
    return parse_metric(name, bare=True).spec


def _read_params(text: str | None, *, name: str) -> dict[str, tuple[str, bool]]:
    """Split ``p=0.8, gain='exp'``; each value with whether it stood in quotes."""
    found: dict[str, tuple[str, bool]] = {}
    if text is None or not text.strip():
        return found
    for part in text.split(","):
        match = _PARAM.fullmatch(part)
        if match is None:
            msg = f"{name}: {part.strip()!r} is no parameter; write name=value, such as p=0.8."
            raise ParameterError(msg)
        key, single, double, plain = match.groups()
        if key in found:
            msg = f"{name}: {key} is given twice; give it once."
            raise ParameterError(msg)
        quoted = plain is None
        found[key] = (
            plain if not quoted else single if single is not None else double,
            quoted,
        )
    return found


def _typed(value: tuple[str, bool]) -> ParamValue:
    """Take what stood without quotes for a number, if it is one."""
    text, quoted = value
    if quoted:
        return text
    for kind in (int, float):
        try:
            return kind(text)
        except ValueError:
            continue
    return text


def _find(name: str, given: Mapping[str, object]) -> MetricSpec:
    same_name = [spec for spec in METRICS if spec.name == name]
    if not same_name:
        raise UnknownMetricError(_suggestion(name))
    for spec in same_name:
        if set(given) <= {param.name for param in spec.params}:
            return spec
    allowed = " or ".join(
        ", ".join(param.name for param in spec.params) or "none" for spec in same_name
    )
    wrong = ", ".join(given)
    msg = f"{name}: it does not take the parameters {wrong} together; it takes {allowed}."
    raise ParameterError(msg)


def _suggestion(name: str) -> str:
    names = {
        alias.lower(): spec.name for spec in METRICS for alias in (*spec.aliases, spec.name)
    }
    close = difflib.get_close_matches(name.lower(), names, n=3, cutoff=0.5)
    meant = list(dict.fromkeys(names[match] for match in close))
    if meant:
        return f"no metric is called {name!r}; did you mean {' or '.join(meant)}?"
    everything = ", ".join(dict.fromkeys(spec.name for spec in METRICS))
    return f"no metric is called {name!r}; there are {everything}."


def _check_cutoff(spec: MetricSpec, text: str | None, *, bare: bool) -> int | None:
    if text is None:
        if spec.cutoff == "required" and not bare:
            msg = f"{spec.name} needs a cutoff; write for example {spec.name}@10."
            raise ParameterError(msg)
        return None
    if spec.cutoff == "none":
        msg = f"{spec.name} has no cutoff; write {spec.name} without @{text}."
        raise ParameterError(msg)
    cutoff = int(text) if len(text) < 12 else MAX_CUTOFF + 1
    if not 1 <= cutoff <= MAX_CUTOFF:
        msg = f"{spec.name}: the cutoff must be from 1 to {MAX_CUTOFF:,}; got @{text[:20]}."
        raise ParameterError(msg)
    return cutoff
