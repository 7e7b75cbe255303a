"""How many rankings share one RBP score."""

import math
from typing import Final, TypeAlias

import numpy as np

from core.inversion.results import Floats
from core.inversion.scores import GUARD, MAX_RANKS, Band, band_of, depth_of
from core.validation import check_half_open_unit, check_number, check_positive, check_whole

EXACT_RANKS: Final = 46
_GRID: Final = 200_000
_NARROWEST: Final = 20  # cells: below this the grid tells the density, not the count
_CHUNK: Final = 1 << 18

Request: TypeAlias = tuple[float, Band, int]


def count_vectors(
    score: float, p: float, *, precision: float = 1e-4, depth: int | None = None
) -> int | float:
    r"""Count the relevance vectors whose RBP rounds to this score.

    On average over all scores there are :math:`2^n \cdot \mathit{precision}` of them; the
    prefixes of an exact score follow the law :math:`(2p)^n` (`count_prefixes`;
    design/inversion.md, section 7).

    Parameters
    ----------
    score, p : float
        The score and its persistence, ``0 <= p < 1``.
    precision : float, default 1e-4
        Unit of the last printed place: scores within half of it count.
    depth : int, optional
        Number of ranks `n`, nothing relevant after them; by default `inversion_depth`.

    Returns
    -------
    int or float
        An int is the exact count (up to 46 ranks), both ends of the band included and, as
        everywhere here, 1e-12 beyond them; a float is an estimate to about three digits,
        ``inf`` where it exceeds the range of floats (`log10_vectors` has no limit).

    Examples
    --------
    >>> count_vectors(0.4, 0.5)
    3
    >>> count_vectors(0.4, 0.8, precision=0.01)
    329427
    """
    p, band, ranks = _read(score, p, precision, depth, caller="count_vectors")
    if ranks <= EXACT_RANKS:
        return _count_exactly(p, band, ranks)
    logarithm = _estimate_log10(p, band, ranks)
    return math.inf if logarithm > 308.25 else 10.0**logarithm


def log10_vectors(
    score: float, p: float, *, precision: float = 1e-4, depth: int | None = None
) -> float:
    """Return the decimal logarithm of `count_vectors`, -inf where there is no vector.

    Examples
    --------
    >>> round(log10_vectors(0.4, 0.95), 1)
    54.8
    """
    p, band, ranks = _read(score, p, precision, depth, caller="log10_vectors")
    if ranks > EXACT_RANKS:
        return _estimate_log10(p, band, ranks)
    count = _count_exactly(p, band, ranks)
    return math.log10(count) if count else -math.inf


def count_prefixes(score: float, p: float, depth: int) -> int:
    r"""Count the first `depth` ranks that some infinite ranking with exactly this score has.

    A prefix with accumulated score `acc` counts where ``acc <= score <= acc + p^n``. The mean
    over all scores is exactly :math:`(2p)^n`: the vectors explode for ``p > 1/2``.

    Parameters
    ----------
    score, p : float
        The score and its persistence, ``0 <= p < 1``.
    depth : int
        Number of ranks `n`, at most 46.

    Examples
    --------
    >>> count_prefixes(0.5, 0.5, 15), count_prefixes(0.4, 0.6, 20)
    (2, 38)
    """
    caller = "count_prefixes"
    score = check_number("score", score, caller=caller)
    p = check_half_open_unit("p", p, caller=caller)
    depth = check_whole("depth", depth, caller=caller, most=EXACT_RANKS)
    return _count_exactly(p, (score - p**depth, score), depth)


def _read(
    score: object, p: object, precision: object, depth: object, *, caller: str
) -> Request:
    number = check_number("score", score, caller=caller)
    persistence = check_half_open_unit("p", p, caller=caller)
    unit = check_positive("precision", precision, caller=caller)
    if depth is None:
        depth = min(depth_of(persistence, unit), MAX_RANKS)
    ranks = check_whole("depth", depth, caller=caller, most=MAX_RANKS)
    return persistence, band_of(number, unit / 2.0), ranks


def _count_exactly(p: float, band: Band, ranks: int) -> int:
    """Count by halves: live prefixes against the sorted scores of all endings.

    A prefix whose endings all fit is counted at once, one that none fits is dropped; the few
    that straddle an edge of the band meet the endings by binary search.
    """
    low, high = band[0] - GUARD, band[1] + GUARD
    if high < low:
        return 0
    weights = (1.0 - p) * p ** np.arange(ranks, dtype=np.float64)
    totals = np.zeros(1)
    count = depth = 0
    while depth < ranks and len(totals) < 2 ** (ranks - depth):
        totals = np.concatenate([totals, totals + weights[depth]])
        depth += 1
        most = totals + weights[depth:].sum()
        totals, most = _only((totals <= high) & (most >= low), totals, most)
        whole = (totals >= low) & (most <= high)
        count += int(whole.sum()) * 2 ** (ranks - depth)
        totals = totals[~whole]
    endings = np.zeros(1)
    for weight in weights[depth:]:
        endings = np.concatenate([endings, endings + weight])
    endings.sort()
    for start in range(0, len(totals), _CHUNK):
        part = totals[start : start + _CHUNK]
        last = np.searchsorted(endings, high - part, side="right")
        first = np.searchsorted(endings, low - part, side="left")
        count += int((last - first).sum())
    return count


def _only(
    kept: np.ndarray[tuple[int], np.dtype[np.bool_]], *arrays: Floats
) -> list[Floats]:
    return [array[kept] for array in arrays]


def _estimate_log10(p: float, band: Band, ranks: int) -> float:
    """Estimate the logarithm of the count on a grid of scores.

    The distribution of the score of a random vector is built rank by rank; scores above the
    band are cut off and the rest is rescaled, so that nothing under- or overflows.
    """
    low, high = band
    if low > high:
        return -math.inf
    if low + high > 1.0:  # as many vectors score 1 - p^n - s: fewer cells to the band
        whole = 1.0 - p**ranks
        low, high = max(whole - high, 0.0), max(whole - low, 0.0)
    width = max(high - low, 1e-300) * _GRID
    middle = (low + high) / 2.0 * _GRID
    reach = max(width, _NARROWEST) / 2.0
    first, last = max(round(middle - reach), 0), round(middle + reach)
    share = min(width / (last - first + 1), 1.0)
    mass = np.zeros(last + 1)
    mass[0] = 1.0
    logarithm = 0.0
    for rank in range(ranks):
        shift = round((1.0 - p) * p**rank * _GRID)
        if shift <= last:
            mass[shift:] += mass[: len(mass) - shift].copy()
        largest = float(mass.max())
        mass /= largest
        logarithm += math.log10(largest)
    found = float(mass[first:].sum()) * share
    return logarithm + math.log10(found) if found > 0.0 else -math.inf
