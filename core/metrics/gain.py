"""Discounted cumulative gain: plain, scaled, normalised and self-normalised."""

from functools import lru_cache

import numpy as np
import numpy.typing as npt

from core.judged import Cells, Floats, Judged
from core.metrics.precision import over


def dcg(
    judged: Judged,
    *,
    b: float | None = None,
    gain: str = "linear",
    cutoff: int | None = None,
) -> Floats:
    r"""Discounted cumulative gain.

    Without b a gain at rank i is divided by :math:`\log_2(i+1)` (Moffat 2013, section
    2); with b > 1 it stays whole up to rank b and is divided by :math:`\log_b i` after
    (Järvelin & Kekäläinen 2002). Gains are grade / top grade, or with ``gain="exp"``
    :math:`(2^g-1)/(2^{top}-1)` (Burges et al. 2005).
    """
    cells, terms = _dcg_terms(judged, b, gain, cutoff)
    return cells.total(terms)


def dcg_shares(
    judged: Judged,
    *,
    b: float | None = None,
    gain: str = "linear",
    cutoff: int | None = None,
) -> Floats:
    """Give each document its discounted gain."""
    cells, terms = _dcg_terms(judged, b, gain, cutoff)
    return cells.spread(terms)


def sdcg(
    judged: Judged, *, cutoff: int, b: float | None = None, gain: str = "linear"
) -> Floats:
    """DCG over that of a ranking with the top grade at all k ranks (Moffat 2013)."""
    whole = float(discount_sums(b, cutoff)[cutoff])
    return np.asarray(dcg(judged, b=b, gain=gain, cutoff=cutoff) / whole)


def sdcg_shares(
    judged: Judged, *, cutoff: int, b: float | None = None, gain: str = "linear"
) -> Floats:
    """Scale the shares of DCG."""
    whole = float(discount_sums(b, cutoff)[cutoff])
    return np.asarray(dcg_shares(judged, b=b, gain=gain, cutoff=cutoff) / whole)


def ndcg(
    judged: Judged,
    *,
    b: float | None = None,
    gain: str = "linear",
    cutoff: int | None = None,
) -> Floats:
    """DCG over that of the best ranking of the whole topic, cut at k (Moffat 2013)."""
    ideal = ideal_dcg(judged.grade_counts, _gain_table(judged, gain), b, cutoff)
    return over(dcg(judged, b=b, gain=gain, cutoff=cutoff), ideal)


def ndcg_shares(
    judged: Judged,
    *,
    b: float | None = None,
    gain: str = "linear",
    cutoff: int | None = None,
) -> Floats:
    """Divide the shares of DCG by the ideal."""
    ideal = ideal_dcg(judged.grade_counts, _gain_table(judged, gain), b, cutoff)
    shares = dcg_shares(judged, b=b, gain=gain, cutoff=cutoff)
    return over(shares, ideal[..., np.newaxis])


def sndcg(
    judged: Judged,
    *,
    b: float | None = None,
    gain: str = "linear",
    cutoff: int | None = None,
) -> Floats:
    """DCG over that of the best order of the same top k (Moffat 2013, SN-DCG)."""
    ideal = ideal_dcg(_counts_in(judged, cutoff), _gain_table(judged, gain), b, cutoff)
    return over(dcg(judged, b=b, gain=gain, cutoff=cutoff), ideal)


def sndcg_shares(
    judged: Judged,
    *,
    b: float | None = None,
    gain: str = "linear",
    cutoff: int | None = None,
) -> Floats:
    """Divide the shares of DCG by those of the best order of the same documents."""
    ideal = ideal_dcg(_counts_in(judged, cutoff), _gain_table(judged, gain), b, cutoff)
    shares = dcg_shares(judged, b=b, gain=gain, cutoff=cutoff)
    return over(shares, ideal[..., np.newaxis])


def dcg_candidates(
    judged: Judged,
    *,
    b: float | None = None,
    gain: str = "linear",
    cutoff: int | None = None,
) -> tuple[Floats, Floats]:
    """Score one ranking with each number of unjudged documents relevant, worst and best."""
    known = dcg(judged, b=b, gain=gain, cutoff=cutoff)
    discounts = _discounts(b, judged.depth)
    if cutoff is not None:
        discounts = np.where(np.arange(judged.depth) < cutoff, discounts, 0.0)
    added = discounts[np.flatnonzero(judged.unjudged)]
    best = np.concatenate(([0.0], np.cumsum(added)))
    worst = np.concatenate(([0.0], np.cumsum(added[::-1])))
    return known + worst, known + best


def ndcg_candidates(
    judged: Judged,
    *,
    b: float | None = None,
    gain: str = "linear",
    cutoff: int | None = None,
) -> tuple[Floats, Floats]:
    """Divide the candidates of DCG by the ideal that each number of them makes."""
    worst, best = dcg_candidates(judged, b=b, gain=gain, cutoff=cutoff)
    m = np.arange(len(worst))
    counts = np.repeat(judged.grade_counts[np.newaxis], len(m), axis=0)
    counts[:, -1] += m
    ideal = ideal_dcg(counts, _gain_table(judged, gain), b, cutoff)
    return over(worst, ideal), over(best, ideal)


def ideal_dcg(
    grade_counts: npt.NDArray[np.int64], gains: Floats, b: float | None, cutoff: int | None
) -> Floats:
    """DCG of the documents counted by code, best first, cut at k."""
    best_first = np.cumsum(grade_counts[..., :0:-1], axis=-1)
    if not best_first.size:
        return np.zeros(grade_counts.shape[:-1])
    if cutoff is not None:
        best_first = np.minimum(best_first, cutoff)
    ends = discount_sums(b, int(best_first.max()))[best_first]
    parts = np.diff(ends, axis=-1, prepend=0.0)
    return np.asarray(parts @ gains[:0:-1])


def discount_sums(b: float | None, length: int) -> Floats:
    """Sum of the first 0, 1, 2, ... discounts, at least up to `length` of them."""
    return _discount_table(b, max(length, 1023).bit_length())[1]


def _discounts(b: float | None, length: int) -> Floats:
    return _discount_table(b, max(length, 1023).bit_length())[0][:length]


@lru_cache(maxsize=32)
def _discount_table(b: float | None, bits: int) -> tuple[Floats, Floats]:
    """Discounts of the first 2^bits ranks and their running sums; both grow by doubling."""
    ranks = np.arange(1.0, 2.0**bits + 1.0)
    divisors = np.log2(ranks + 1.0)
    if b is not None:
        divisors = np.maximum(np.log(ranks) / np.log(b), 1.0)
    discounts = 1.0 / divisors
    sums = np.concatenate(([0.0], np.cumsum(discounts)))
    discounts.setflags(write=False)
    sums.setflags(write=False)
    return discounts, sums


def _gain_table(judged: Judged, gain: str) -> Floats:
    if gain == "exp":
        return np.asarray((2.0**judged.values - 1.0) / (2.0**judged.top_grade - 1.0))
    return np.asarray(judged.values / judged.top_grade)


def _dcg_terms(
    judged: Judged, b: float | None, gain: str, cutoff: int | None
) -> tuple[Cells, Floats]:
    cells = judged.gain_cells.upto(cutoff)
    discounts = _discounts(b, judged.depth)
    return cells, _gain_table(judged, gain)[cells.codes] * discounts[cells.ranks - 1]


def _counts_in(judged: Judged, cutoff: int | None) -> npt.NDArray[np.int64]:
    """Count the documents of each grade above 0 in the top k; code 0 is left at 0."""
    cells = judged.gain_cells.upto(cutoff)
    num_codes = len(judged.values)
    counts = np.bincount(
        cells.rows * num_codes + cells.codes, minlength=cells.num_rows * num_codes
    )
    return np.asarray(counts.reshape(*cells.shape[:-1], num_codes))
