"""Precision, recall, reciprocal rank and average precision, with their kin.

Every function takes rankings of any batch shape and gives one score a ranking; ``_shares``
functions give what each rank contributes, which adds up to the score.
"""

import numpy as np

from core.judged import Cells, Floats, Ints, Judged


def over(numerator: Floats | Ints, denominator: Floats | Ints) -> Floats:
    """Divide; nan where the denominator is 0."""
    result = np.full(
        np.broadcast_shapes(np.shape(numerator), np.shape(denominator)), np.nan
    )
    np.divide(numerator, denominator, out=result, where=np.asarray(denominator) != 0)
    return result


def precision(judged: Judged, *, cutoff: int) -> Floats:
    r"""Share of relevant documents among the first k: :math:`\frac1k\sum_{i\le k} r_i`."""
    return judged.relevant_cells.upto(cutoff).count() / cutoff


def precision_shares(judged: Judged, *, cutoff: int) -> Floats:
    """Give each relevant document in the top k its 1/k."""
    cells = judged.relevant_cells.upto(cutoff)
    return cells.spread(np.full(len(cells.rows), 1.0 / cutoff))


def recall(judged: Judged, *, cutoff: int) -> Floats:
    r"""Share of R found in the top k: :math:`\frac1R\sum_{i\le k} r_i`."""
    return over(judged.relevant_cells.upto(cutoff).count(), judged.num_rel)


def recall_shares(judged: Judged, *, cutoff: int) -> Floats:
    """Give each relevant document in the top k its 1/R."""
    cells = judged.relevant_cells.upto(cutoff)
    return cells.spread(1.0 / cells.of_row(judged.num_rel))


def r_precision(judged: Judged, *, cutoff: int | None = None) -> Floats:
    """Precision at min(k, R): Moffat 2013, section 3."""
    return over(_r_cells(judged, cutoff).count(), _r_cutoff(judged, cutoff))


def r_precision_shares(judged: Judged, *, cutoff: int | None = None) -> Floats:
    """Give each relevant document above rank min(k, R) its equal part."""
    cells = _r_cells(judged, cutoff)
    return cells.spread(1.0 / cells.of_row(_r_cutoff(judged, cutoff)))


def _r_cutoff(judged: Judged, cutoff: int | None) -> Floats:
    reach = judged.num_rel if cutoff is None else np.minimum(judged.num_rel, cutoff)
    return np.asarray(reach, dtype=np.float64)


def _r_cells(judged: Judged, cutoff: int | None) -> Cells:
    cells = judged.relevant_cells
    return cells.keep(cells.ranks <= cells.of_row(_r_cutoff(judged, cutoff)))


def hit(judged: Judged, *, cutoff: int) -> Floats:
    r"""Best gain in the top k: :math:`\max_{i\le k} r_i` (Moffat 2013, section 2)."""
    cells = best_cells(judged.gain_cells.upto(cutoff))
    return cells.total(judged.values[cells.codes] / judged.top_grade)


def hit_shares(judged: Judged, *, cutoff: int) -> Floats:
    """Give the score to the first document with the best gain."""
    cells = best_cells(judged.gain_cells.upto(cutoff))
    return cells.spread(judged.values[cells.codes] / judged.top_grade)


def best_cells(cells: Cells) -> Cells:
    """Take the first place with the highest grade of each ranking."""
    if not len(cells.rows):
        return cells
    best = np.zeros(cells.num_rows, dtype=cells.codes.dtype)
    begins = np.flatnonzero(cells.first)
    best[cells.rows[begins]] = np.maximum.reduceat(cells.codes, begins)
    highest = cells.keep(cells.codes == best[cells.rows])
    return highest.keep(highest.first)


def reciprocal_rank(
    judged: Judged, *, nth: int = 1, damp: int = 0, cutoff: int | None = None
) -> Floats:
    """One over the rank of the nth relevant document plus `damp`; 0 where it is not found.

    ``nth=2`` is the sceptical user of Moffat & Zobel 2008, section 4.3, who wants a second
    opinion; ``damp`` the cautious one, who looks a few documents further.
    """
    cells = _nth_cells(judged, nth, cutoff)
    return cells.total(1.0 / (damp + cells.ranks))


def reciprocal_rank_shares(
    judged: Judged, *, nth: int = 1, damp: int = 0, cutoff: int | None = None
) -> Floats:
    """Give the score to the document that decides."""
    cells = _nth_cells(judged, nth, cutoff)
    return cells.spread(1.0 / (damp + cells.ranks))


def _nth_cells(judged: Judged, nth: int, cutoff: int | None) -> Cells:
    cells = judged.relevant_cells.upto(cutoff)
    return cells.keep(cells.ordinals == nth)


def sum_of_precisions(judged: Judged, *, cutoff: int | None = None) -> Floats:
    r"""Sum of the precisions at relevant ranks: :math:`\sum_i r_i\,\mathrm{P}@i`."""
    cells = judged.relevant_cells.upto(cutoff)
    return cells.total(cells.ordinals / cells.ranks)


def sum_of_precisions_shares(judged: Judged, *, cutoff: int | None = None) -> Floats:
    r"""Give a relevant document at rank i :math:`\sum_{j\ge i} r_j/j` (MZ 2008, Table I).

    It adds 1/i at its own rank, and raises the precision at every relevant rank below.
    """
    cells = judged.relevant_cells.upto(cutoff)
    own = 1.0 / cells.ranks
    from_here = cells.of_row(cells.total(own)) - cells.running(own) + own
    return cells.spread(from_here)


def average_precision(judged: Judged, *, cutoff: int | None = None) -> Floats:
    r"""Average precision, :math:`\frac1R\sum_i r_i\,\mathrm{P}@i` (MZ 2008, 3.1)."""
    return over(sum_of_precisions(judged, cutoff=cutoff), judged.num_rel)


def average_precision_shares(judged: Judged, *, cutoff: int | None = None) -> Floats:
    """Divide the shares of the sum of precisions by R."""
    return _divided(sum_of_precisions_shares(judged, cutoff=cutoff), judged.num_rel)


def average_precision_candidates(
    judged: Judged, *, cutoff: int | None = None
) -> tuple[Floats, Floats]:
    """Score all candidates of one ranking, without building them.

    With the m highest unjudged documents relevant, the next one at rank x adds its own
    precision and 1/j at every relevant rank j below; those are the known ones only. With
    the m lowest relevant it also lifts the m below it. Either way a running sum over the
    unjudged ranks gives the numerators for every m.
    """
    ranks = np.arange(1, judged.depth + 1)
    own = np.where(ranks <= (cutoff or judged.depth), 1.0 / ranks, 0.0)
    relevant_above = np.cumsum(judged.relevant)
    relevant_below = _after(np.where(judged.relevant, own, 0.0))
    places = np.flatnonzero(judged.unjudged)
    m = np.arange(len(places) + 1)
    known = float((own * relevant_above)[judged.relevant].sum())
    base = own[places] * (relevant_above[places] + 1) + relevant_below[places]
    best = np.concatenate(([0.0], np.cumsum(base + own[places] * m[:-1])))
    lifted = _after(np.where(judged.unjudged, own, 0.0))[places]
    worst = np.concatenate(([0.0], np.cumsum((base + lifted)[::-1])))
    divisor = np.asarray(judged.num_rel + m, dtype=np.float64)
    return over(known + worst, divisor), over(known + best, divisor)


def _after(terms: Floats) -> Floats:
    """Sum `terms` over the ranks strictly below each rank."""
    return np.asarray(terms[::-1].cumsum()[::-1] - terms)


def retrieved_average_precision(judged: Judged) -> Floats:
    """Average precision over the relevant documents that are retrieved (MZ 2008, AP*)."""
    return over(sum_of_precisions(judged), judged.relevant_cells.count())


def retrieved_average_precision_shares(judged: Judged) -> Floats:
    """Divide the shares of the sum of precisions by the relevant documents retrieved."""
    return _divided(sum_of_precisions_shares(judged), judged.relevant_cells.count())


def self_normalised_ap(judged: Judged, *, cutoff: int | None = None) -> Floats:
    """Average precision over the relevant documents in the top k (Moffat 2013, SN-AP)."""
    found = judged.relevant_cells.upto(cutoff).count()
    return over(sum_of_precisions(judged, cutoff=cutoff), found)


def self_normalised_ap_shares(judged: Judged, *, cutoff: int | None = None) -> Floats:
    """Divide the shares of the sum of precisions by the relevant documents in the top k."""
    found = judged.relevant_cells.upto(cutoff).count()
    return _divided(sum_of_precisions_shares(judged, cutoff=cutoff), found)


def _divided(shares: Floats, divisor: Ints) -> Floats:
    return over(shares, np.asarray(divisor)[..., np.newaxis])
