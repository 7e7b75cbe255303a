"""Scores, bands and gaps: what the rest of the package stands on.

A score is treated as a band and floats are never compared for equality: `GUARD` widens every
comparison, so that a tie such as ``1 - 0.8 == 0.2`` comes out as in exact arithmetic.
"""

import math
from typing import Final, TypeAlias

import numpy as np

from core.errors import ParameterError
from core.inversion.results import Floats
from core.validation import check_half_open_unit, check_number, check_positive

GUARD: Final = 1e-12
MAX_RANKS: Final = 100_000  # longest vector that is written out; reached above p = 0.9999

Band: TypeAlias = tuple[float, float]
Gap: TypeAlias = tuple[int, float, float]


def inversion_depth(p: float, precision: float) -> int:
    r"""Return how many ranks a score printed with this precision can tell about.

    The least ``n >= 1`` with :math:`p^n < \mathit{precision} / 2`, strictly: what comes after
    rank `n` cannot change the printed score by half a unit (ZPM 2008, section 4, Table 1; not
    the rule of `depth_for`, which is ``p^d < precision``).

    Parameters
    ----------
    p : float
        Persistence, ``0 <= p < 1``.
    precision : float
        Unit of the last printed place, for example 1e-4; above 0.

    Examples
    --------
    >>> [inversion_depth(p, 1e-4) for p in (0.5, 0.8, 0.95)]
    [15, 45, 194]
    """
    p = check_half_open_unit("p", p, caller="inversion_depth")
    precision = check_positive("precision", precision, caller="inversion_depth")
    return depth_of(p, precision)


def depth_of(p: float, precision: float) -> int:
    """Do the work of `inversion_depth` for values already checked."""
    # The factor makes decimal ties (0.7 ** 2 against 0.98 / 2) come out as ties.
    half = max(precision / 2.0 * (1.0 - 1e-12), math.ulp(0.0))
    if p < half:
        return 1
    depth = max(int(math.log(half) / math.log(p)), 1)
    while p**depth >= half:
        depth += 1
    while depth > 1 and p ** (depth - 1) < half:
        depth -= 1
    return depth


def check_tolerance(name: str, value: object, *, caller: str) -> float:
    """Return `value` as a float, or raise `ParameterError` unless it is at least 0."""
    number = check_number(name, value, caller=caller)
    if number < 0.0:
        msg = f"{caller}: {name} must be at least 0; got {value!r}."
        raise ParameterError(msg)
    return number


def band_of(score: float, tolerance: float) -> Band:
    """Return the part of ``score +- tolerance`` that lies in [0, 1]."""
    return max(score - tolerance, 0.0), min(score + tolerance, 1.0)


def find_gap(
    p: float, score: float, *, mass: float = 1.0, guard: float = GUARD
) -> Gap | None:
    """Find the gap of attainable scores that holds `score`, as (rank, low, high).

    For ``p < 1/2`` a rank weighs more than all ranks after it together, so the scores between
    ``0111...`` and ``1000...`` are missing after every prefix (design/inversion.md, 2.3); both
    ends belong to the attainable scores. `mass` is the weight of the whole list.
    """
    rank, reached = 1, 0.0
    while score - reached > guard and mass > guard:
        rest, weight = mass * p, mass * (1.0 - p)
        if score - reached > rest + guard:
            if score - reached < weight - guard:
                return rank, reached + rest, reached + weight
            reached += weight
        mass = rest
        rank += 1
    return None


def reachable(p: float, low: float, high: float, mass: float, guard: float = GUARD) -> bool:
    """Tell whether some list of weight `mass` scores between `low` and `high`."""
    if high < -guard or low > mass + guard:
        return False
    if p >= 0.5:
        return True
    gap = find_gap(p, low, mass=mass, guard=guard)
    return gap is None or gap[2] <= high + guard


def score_vector(vector: str, p: float, *, relevant: str = "1") -> float:
    """Return RBP of a vector at one p, nothing relevant after its end (Horner's rule)."""
    total = 0.0
    for mark in reversed(vector):
        total = total * p + (1.0 - p if mark in relevant else 0.0)
    return total


def score_vectors(
    vector: str, at: Floats, *, relevant: str = "1", tail: float = 0.0
) -> Floats:
    """Return RBP of one vector at many p; `tail` is the relevance of all later ranks."""
    total = np.full(at.shape, tail)
    gain = 1.0 - at
    for mark in reversed(vector):
        total = total * at
        if mark in relevant:
            total = total + gain
    return total
