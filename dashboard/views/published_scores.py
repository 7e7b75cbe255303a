"""What core says about one or two published scores, kept while only another one is edited.

A page is redrawn many times while a slider is dragged. So what is not cheap is bounded here:
`live` searches stop early (their bounds are then outer ones, and still safe) and large numbers
are estimated; with `exact` everything is worked out in full.
"""

import math
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Final

import numpy as np

from core.inversion import (
    Envelope,
    Inversion,
    ReportedRBP,
    Verdict,
    compare_rbp,
    count_vectors,
    inversion_depth,
    invert_rbp,
    log10_vectors,
    rbp_envelope,
    triple_ranking,
)
from core.inversion.linear import bottom_fill, top_fill
from core.judged import Floats

GRID: Final = np.append(np.linspace(0.0, 0.98, 50), 0.99)
COARSE: Final = np.append(np.linspace(0.0, 0.96, 25), 0.99)  # for searches with a residual
_LIVE_NODES: Final = 2_000
_HIGH_P_NODES: Final = 800
_FULL_NODES: Final = 50_000
_RESIDUAL_NODES: Final = 4_000
_LIVE_RANKS: Final = 34  # up to here counting takes no time
_EXACT_RANKS: Final = 46  # up to here core counts; beyond it estimates
_ESTIMATED_RANKS: Final = 330  # beyond, even the estimate is too slow for a drag
_LIVE_P: Final = 0.965  # above, searches for a verdict may take a while


@dataclass(frozen=True)
class Published:
    """One score as it was published."""

    name: str
    p: float
    score: float
    residual: float = 0.0
    digits: int = 4
    mean: bool = False

    @property
    def precision(self) -> float:
        """Unit of the last printed place."""
        return float(f"1e-{self.digits}")

    @property
    def depth(self) -> int:
        """Number of ranks that the score can tell about."""
        return inversion_depth(self.p, self.precision)

    @property
    def elsewhere(self) -> float:
        """Another p, for a score that is compared with nothing."""
        return 0.5 if self.p > 0.6 else 0.9

    def reported(self) -> ReportedRBP:
        """Return it as core wants it."""
        return ReportedRBP(
            self.p, self.score, self.residual, self.precision / 2.0, mean=self.mean
        )


@dataclass(frozen=True, eq=False)
class Reading:
    """What follows from one published score; None where there is no such thing."""

    published: Published
    found: Inversion
    average: Envelope  # proved for means and graded relevance too
    at: Floats
    exact: Envelope | None  # proved for one topic with binary relevance
    exact_at: Floats
    greatest: str | None  # example rankings, with "?" where there is a residual
    least: str | None
    greatest_scores: tuple[Floats, Floats] | None  # lower and upper score of each at `at`
    least_scores: tuple[Floats, Floats] | None

    @property
    def possible(self) -> bool:
        """Tell whether some ranking (for a mean: some topics) can have the score."""
        if self.published.mean:
            return True
        if self.found.status not in ("ok", "ok_within_tolerance"):
            return False
        return self.exact is None or self.exact.status == "ok"


@dataclass(frozen=True)
class Number:
    """How many rankings share a score: in words, and how that is known."""

    words: str
    origin: str


@lru_cache(maxsize=256)
def read(published: Published, *, exact: bool) -> Reading:
    """Work out one score; without `exact`, a residual gets only the band for averages."""
    at = _grid(GRID, published.p)
    found = invert_rbp(published.score, published.p, precision=published.precision)
    average = _envelope(published, at, "lp")
    searched, exact_at = None, at
    if not published.mean and (exact or not published.residual):
        exact_at = _grid(COARSE, published.p) if published.residual else at
        searched = _envelope(published, exact_at, "exact", exact=exact)
    greatest, least = _examples(published, found)
    both = greatest is not None and least is not None and not published.mean
    lines = _envelope(published, at, "paper") if both else None
    if lines is None or lines.status != "ok":
        return Reading(
            published, found, average, at, searched, exact_at, greatest, least, None, None
        )
    above = at > published.p
    early = (
        np.where(above, lines.lower_min, lines.lower_max),
        np.where(above, lines.upper_min, lines.upper_max),
    )
    late = (
        np.where(above, lines.lower_max, lines.lower_min),
        np.where(above, lines.upper_max, lines.upper_min),
    )
    return Reading(
        published, found, average, at, searched, exact_at, greatest, least, early, late
    )


@lru_cache(maxsize=1024)
def range_at(published: Published, at: float, *, exact: bool) -> tuple[float, float]:
    """Return the least and the greatest score at another p; nan where there is none."""
    searched = not published.mean and (exact or not published.residual)
    kind = "exact" if searched else "lp"
    found = _envelope(published, np.array(at), kind, exact=exact)
    return float(found.lower_min), float(found.upper_max)


@lru_cache(maxsize=256)
def number_sharing(published: Published, *, exact: bool) -> Number:
    """Say how many rankings share the score, as well as it can be known in no time."""
    n, p, unit = published.depth, published.p, published.precision
    if n <= (_EXACT_RANKS if exact else _LIVE_RANKS):
        count = count_vectors(published.score, p, precision=unit)
        return Number(written(math.log10(count)) if count else "0", "counted")
    if n <= _EXACT_RANKS:  # one rank too long for counting, then half of it for each rank
        longer = _EXACT_RANKS + 1
        logarithm = log10_vectors(published.score, p, precision=unit, depth=longer)
        return Number(written(logarithm - (longer - n) * math.log10(2.0)), "estimated")
    if exact or n <= _ESTIMATED_RANKS:
        return Number(
            written(log10_vectors(published.score, p, precision=unit)), "estimated"
        )
    return Number(written(n * math.log10(2.0) + math.log10(unit)), "average of all scores")


def quick(*scores: Published) -> bool:
    """Tell whether searching for a verdict or an example takes no time."""
    return all(one.mean or (not one.residual and one.p <= _LIVE_P) for one in scores)


@lru_cache(maxsize=256)
def compare(a: Published, b: Published, *, exact: bool, at: float | None = None) -> Verdict:
    """Compare two scores; what would take long needs `exact`, or gets the band for averages."""
    first, second = a.reported(), b.reported()
    if searched(a, b, exact=exact) or a.mean:
        return compare_rbp(first, second, at=at)
    verdict = compare_rbp(replace(first, mean=True), replace(second, mean=True), at=at)
    return replace(verdict, examples=(None, None))  # they would be means


def searched(a: Published, b: Published, *, exact: bool) -> bool:
    """Tell whether the verdict is by the band for one topic, not only that for averages."""
    return not (a.mean or b.mean) and (exact or quick(a, b))


def mean_vectors(published: Published) -> tuple[list[float], list[float]]:
    """Return the two extreme means: relevance as early, and as late, as the mean allows."""
    ranks = min(published.depth, 60)
    ones, part = top_fill(published.score, published.p)
    zeros, rest = bottom_fill(published.score, published.p)
    early = [_filled(rank, ones, (1.0, part, 0.0)) for rank in range(ranks)]
    late = [_filled(rank, zeros, (0.0, rest, 1.0)) for rank in range(ranks)]
    return early, late


def written(logarithm: float) -> str:
    """Write a count from its decimal logarithm: in full up to a million."""
    if logarithm < 6.0:
        return f"{round(10.0**logarithm):,}"
    power = math.floor(logarithm)
    digits = str(power).translate(str.maketrans("0123456789", "⁰¹²³⁴⁵⁶⁷⁸⁹"))
    return f"{10.0 ** (logarithm - power):.1f}×10{digits}"


def _filled(rank: int, whole: float, values: tuple[float, float, float]) -> float:
    return values[0] if rank < whole else values[1] if rank == whole else values[2]


def _grid(grid: Floats, p: float) -> Floats:
    """Return the grid with the published p in it, where the bands are narrowest."""
    return np.unique(np.append(grid, p))


def _envelope(
    published: Published, at: Floats, kind: str, *, exact: bool = False
) -> Envelope:
    live = _LIVE_NODES if published.p <= _LIVE_P else _HIGH_P_NODES
    nodes = _FULL_NODES if exact else live
    return rbp_envelope(
        published.score,
        published.p,
        at,
        kind=kind,  # type: ignore[arg-type]
        residual=published.residual,
        precision=published.precision,
        mean=published.mean,
        node_limit=_RESIDUAL_NODES if published.residual else nodes,
    )


def _examples(published: Published, found: Inversion) -> tuple[str | None, str | None]:
    if published.mean or not published.residual:
        return found.greatest, found.least
    if found.greatest is None:
        return None, None
    greatest, least = (
        triple_ranking(
            published.score,
            published.residual,
            published.p,
            order=order,
            tolerance=published.precision / 2.0,
            depth=published.depth,
        )
        for order in ("1?0", "0?1")
    )
    return greatest, least
