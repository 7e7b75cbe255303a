"""What the functions of this package return."""

from dataclasses import dataclass
from typing import Literal, TypeAlias

import numpy as np
import numpy.typing as npt

Floats: TypeAlias = npt.NDArray[np.float64]
Status: TypeAlias = Literal[
    "ok", "ok_within_tolerance", "infeasible_gap", "out_of_range", "bad_p"
]
Limit: TypeAlias = Literal["both_1", "both_0", "diverge"]
Mixture: TypeAlias = tuple[tuple[float, str], ...]


@dataclass(frozen=True)
class Inversion:
    """The two extreme rankings of one score; a field is None where it has no meaning.

    Attributes
    ----------
    status : str
        ``ok``; ``ok_within_tolerance`` (the score lies in a gap, a score within the tolerance
        does not); ``infeasible_gap``; ``out_of_range``; ``bad_p``.
    depth : int or None
        Number of ranks the score says anything about, the length of the vectors.
    greatest, least : str or None
        Lexicographically greatest and least relevance vector (R_G, R_L), rank 1 first. They are
        rankings that fit the score; they need not have the extreme scores at another p.
    score_greatest, score_least : float or None
        RBP of the two at the reported p, nothing relevant after the last rank.
    first_choicepoint : int or None
        First rank that the score leaves open; the ranks before it are forced.
    choicepoints_greatest, choicepoints_least : int or None
        Number of open ranks on the way to either vector.
    limit : str or None
        Score of every fitting ranking as p tends to 0: ``both_1``, ``both_0`` or ``diverge``.
    gap : tuple (rank, low, high) or None
        Open interval around the score that no ranking reaches (p < 1/2 only).
    nearest : tuple (below, above) or None
        Nearest scores that some ranking has; either is None where there is none.
    """

    status: Status
    depth: int | None = None
    greatest: str | None = None
    least: str | None = None
    score_greatest: float | None = None
    score_least: float | None = None
    first_choicepoint: int | None = None
    choicepoints_greatest: int | None = None
    choicepoints_least: int | None = None
    limit: Limit | None = None
    gap: tuple[int, float, float] | None = None
    nearest: tuple[float | None, float | None] | None = None


@dataclass(frozen=True, eq=False)
class Envelope:
    """Range of the score at other persistences; arrays of the shape of `at`, read-only.

    Attributes
    ----------
    lower_min, lower_max : float array
        Range of the lower score (unjudged documents count as nonrelevant).
    upper_min, upper_max : float array
        Range of the upper score (unjudged count as relevant); without residual the same.
    status : str
        ``ok``, or ``infeasible`` where no ranking fits; the arrays are then nan.
    certified : bool array, shape (..., 4)
        For each target and each of the four bounds in the order above: True where the bound is
        proved and as tight as its kind allows. False where the search hit its node limit (the
        bound is then still safe, but an outer one) and for kind ``paper``, whose curves are
        examples and not bounds.
    """

    lower_min: Floats
    lower_max: Floats
    upper_min: Floats
    upper_max: Floats
    status: Literal["ok", "infeasible"]
    certified: npt.NDArray[np.bool_]

    def __post_init__(self) -> None:
        for array in (
            self.lower_min,
            self.lower_max,
            self.upper_min,
            self.upper_max,
            self.certified,
        ):
            array.setflags(write=False)


@dataclass(frozen=True)
class ReportedRBP:
    """A published RBP score; `compare_rbp` checks that the numbers make sense.

    Attributes
    ----------
    p : float
        Persistence, ``0 <= p < 1``.
    score : float
        The score as printed (the lower end where a residual is given).
    residual : float, default 0
        The residual as printed.
    tolerance : float, default 5e-5
        Half a unit in the last printed place of the score.
    residual_tolerance : float, optional
        The same of the residual; by default `tolerance`, and 0 without residual.
    mean : bool, default False
        True for a mean over topics and for graded relevance.
    """

    p: float
    score: float
    residual: float = 0.0
    tolerance: float = 5e-5
    residual_tolerance: float | None = None
    mean: bool = False


@dataclass(frozen=True)
class Example:
    """Rankings that fit the two reports and decide the comparison one way.

    Attributes
    ----------
    a, b : tuple of (share, ranking)
        Rankings of system A and of system B as text: ``1``, ``0``, ``?``; nothing is relevant
        after the last rank. One ranking with share 1 for a single topic; for a mean, the share
        of the topics that have each ranking.
    score_a, score_b : float
        What they score at the verdict's p. The winner's unjudged documents count as relevant,
        the loser's as nonrelevant.
    """

    a: Mixture
    b: Mixture
    score_a: float
    score_b: float


@dataclass(frozen=True)
class Verdict:
    """Which of two reported systems is better, and for which p.

    Attributes
    ----------
    winner : "A", "B" or None
        None: the reports do not decide it.
    at : float
        The persistence at which `intervals` and `examples` stand.
    holds_between : tuple (low, high) or None
        The verdict holds for every p from low to high, and not only at `at`.
    intervals : tuple of two tuples (low, high)
        Range of the score of A and of B at `at`; nan where no ranking fits the report.
    examples : tuple (Example or None, Example or None)
        Where undetermined: rankings with which A wins, rankings with which B wins; None where
        none was found, and for a decided comparison.
    """

    winner: Literal["A", "B"] | None
    at: float
    holds_between: tuple[float, float] | None
    intervals: tuple[tuple[float, float], tuple[float, float]]
    examples: tuple[Example | None, Example | None]


@dataclass(frozen=True)
class Crossings:
    """Where the RBP curves of two rankings meet.

    Attributes
    ----------
    roots : tuple of (p, "cross" or "touch")
        Meeting points in (0, 1), ascending.
    dominates : "first", "second", "equal" or None
        The ranking that scores at least as much at every p.
    descartes, descartes_cum : int
        Two upper limits on the number of crossings: sign changes of the differences by rank,
        and of their running sums.
    """

    roots: tuple[tuple[float, Literal["cross", "touch"]], ...]
    dominates: Literal["first", "second", "equal"] | None
    descartes: int
    descartes_cum: int
