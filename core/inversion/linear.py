"""The LP envelope: what rankings with fractional relevance allow, in closed form.

Relevance of each rank may be any number in [0, 1]. The best such vector at another p has all its
mass at the top or all of it at the bottom (exchange argument, design/inversion.md, 3.2), so the
bounds hold for one topic, for means over topics and for graded relevance.
"""

import math

import numpy as np

from core.inversion.results import Floats
from core.inversion.scores import Band


def top_fill(score: float, p: float) -> tuple[float, float]:
    """Return (k, f) such that ``1 ... 1 f 0 0 ...`` with `k` ones has this score at `p`."""
    if p == 0.0:
        return 0.0, score  # only rank 1 counts: the ones need not go on
    if score >= 1.0:
        return math.inf, 0.0
    if score <= 0.0:
        return 0.0, 0.0
    missing = 1.0 - score
    ones = math.floor(math.log1p(-score) / math.log(p))
    if p ** (ones + 1) >= missing:  # the logarithm may be one off at a tie
        ones += 1
    after = p**ones
    part = (after - missing) / ((1.0 - p) * after)
    return float(ones), min(max(part, 0.0), 1.0)


def bottom_fill(score: float, p: float) -> tuple[float, float]:
    """Return (j, f) such that ``0 ... 0 f 1 1 ...`` with `j` zeros has this score at `p`."""
    if p == 0.0:
        return 0.0, score
    if score <= 0.0:
        return math.inf, 0.0
    if score >= 1.0:
        return 0.0, 1.0
    zeros = math.floor(math.log(score) / math.log(p))
    if p ** (zeros + 1) > score:
        zeros += 1
    after = p**zeros
    weight = (1.0 - p) * after
    if weight == 0.0:  # below the smallest number there is, where any part fits
        return float(zeros), 0.0
    part = (score - after * p) / weight
    return float(zeros), min(max(part, 0.0), 1.0)


def top_value(score: float, p: float, at: Floats) -> Floats:
    """Return what the vector with all its mass at the top scores at other p."""
    ones, part = top_fill(score, p)
    after = at**ones
    value: Floats = 1.0 - after + part * (1.0 - at) * after
    return value


def bottom_value(score: float, p: float, at: Floats) -> Floats:
    """Return what the vector with all its mass at the bottom scores at other p."""
    zeros, part = bottom_fill(score, p)
    value: Floats = at ** (zeros + 1.0) + part * (1.0 - at) * at**zeros
    return value


def lp_bounds(
    p: float, band: Band, at: Floats, depth: int | None = None
) -> tuple[Floats, Floats]:
    """Return the least and greatest score at other p of vectors with a score in `band`.

    With `depth`, nothing is relevant after that rank: the vector that has its mass at the bottom
    is the one of ``score + p^depth`` less its tail, and `band` must end at ``1 - p^depth``.
    """
    low, high = band
    mass = 0.0 if depth is None else p**depth
    tail = np.zeros(at.shape) if depth is None else at**depth
    upward = at > p
    least = np.where(upward, top_value(low, p, at), bottom_value(low + mass, p, at) - tail)
    greatest = np.where(
        upward, bottom_value(high + mass, p, at) - tail, top_value(high, p, at)
    )
    same = at == p
    return np.where(same, low, least), np.where(same, high, greatest)
