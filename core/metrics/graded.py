r"""Sakai's graded metrics: Q-, O-, P- and P+-measure, and weighted reciprocal rank.

All but the last read the blended ratio (Sakai 2007, eq. 2)

.. math:: BR(r) = \frac{cg(r) + count(r)}{cg_I(r) + r}

where cg is the cumulative gain of the ranking, count the relevant documents so far, and
cg_I the cumulative gain of the best ranking of the topic.
"""

from dataclasses import dataclass

import numpy as np

from core.errors import ParameterError
from core.judged import Cells, Floats, Ints, Judged
from core.metrics.precision import best_cells, over
from core.metrics.spec import numbers


def q_measure(
    judged: Judged, *, gains: str | None = None, cutoff: int | None = None
) -> Floats:
    r"""Average the blended ratio: :math:`\frac1R\sum_r isrel(r)\,BR(r)` (Sakai, eq. 2)."""
    blended = _blend(judged, gains, cutoff)
    return over(blended.cells.total(blended.ratio), judged.num_rel)


def q_measure_shares(
    judged: Judged, *, gains: str | None = None, cutoff: int | None = None
) -> Floats:
    """Give each relevant document its own term."""
    blended = _blend(judged, gains, cutoff)
    return blended.cells.spread(blended.ratio / blended.cells.of_row(judged.num_rel))


def o_measure(
    judged: Judged, *, gains: str | None = None, cutoff: int | None = None
) -> Floats:
    """Read the blended ratio at the first relevant document (Sakai, eq. 3)."""
    cells, terms = _o_terms(judged, gains, cutoff)
    return _zero_if_none(cells.total(terms), judged)


def o_measure_shares(
    judged: Judged, *, gains: str | None = None, cutoff: int | None = None
) -> Floats:
    """Give the score to the document that decides."""
    cells, terms = _o_terms(judged, gains, cutoff)
    return cells.spread(terms)


def p_measure(
    judged: Judged, *, gains: str | None = None, cutoff: int | None = None
) -> Floats:
    """Read the blended ratio at the preferred rank (Sakai, eq. 6).

    The preferred rank is that of the first document with the highest grade retrieved.
    """
    cells, terms = _p_terms(judged, gains, cutoff)
    return _zero_if_none(cells.total(terms), judged)


def p_measure_shares(
    judged: Judged, *, gains: str | None = None, cutoff: int | None = None
) -> Floats:
    """Give the score to the document that decides."""
    cells, terms = _p_terms(judged, gains, cutoff)
    return cells.spread(terms)


def p_plus(
    judged: Judged, *, gains: str | None = None, cutoff: int | None = None
) -> Floats:
    """Average the blended ratio over the relevant documents down to the preferred rank.

    Sakai, eq. 7; unlike P-measure it is 1 for no ranking but the best.
    """
    cells, terms = _p_plus_terms(judged, gains, cutoff)
    return _zero_if_none(cells.total(terms), judged)


def p_plus_shares(
    judged: Judged, *, gains: str | None = None, cutoff: int | None = None
) -> Floats:
    """Give each relevant document down to the preferred rank its own term."""
    cells, terms = _p_plus_terms(judged, gains, cutoff)
    return cells.spread(terms)


def wrr(
    judged: Judged, *, penalties: str | None = None, cutoff: int | None = None
) -> Floats:
    r"""Weighted reciprocal rank, :math:`1/(r_1 - 1/\beta(L_1))` (Sakai, eq. 4)."""
    cells, terms = _wrr_terms(judged, penalties, cutoff)
    return cells.total(terms)


def wrr_shares(
    judged: Judged, *, penalties: str | None = None, cutoff: int | None = None
) -> Floats:
    """Give the score to the first relevant document."""
    cells, terms = _wrr_terms(judged, penalties, cutoff)
    return cells.spread(terms)


def nwrr(
    judged: Judged, *, penalties: str | None = None, cutoff: int | None = None
) -> Floats:
    r"""WRR times :math:`1 - 1/\beta(M)` for the topic's highest grade M (Sakai, eq. 5)."""
    cells, terms = _wrr_terms(judged, penalties, cutoff)
    return _zero_if_none(cells.total(terms) * _best_possible(judged, penalties), judged)


def nwrr_shares(
    judged: Judged, *, penalties: str | None = None, cutoff: int | None = None
) -> Floats:
    """Give the score to the first relevant document."""
    cells, terms = _wrr_terms(judged, penalties, cutoff)
    return cells.spread(terms * cells.of_row(_best_possible(judged, penalties)))


@dataclass(frozen=True)
class BlendedRatio:
    """The blended ratio after each rank, and what it is made of.

    Attributes
    ----------
    ratio : float array, shape (..., depth)
        BR(r), above 0 and at most 1 from the first relevant document on.
    cum_gain, ideal_cum_gain : float array
        cg(r) of the ranking, and cg_I(r) of the best ranking of the topic.
    count : int array
        Relevant documents down to rank r.
    """

    ratio: Floats
    cum_gain: Floats
    ideal_cum_gain: Floats
    count: Ints


def blended_ratio(judged: Judged, *, gains: str | None = None) -> BlendedRatio:
    """Follow the blended ratio down the ranks (Sakai 2007, eq. 2).

    Parameters
    ----------
    judged : Judged
        Rankings with what is known of their topics; an unjudged document and a rank past the
        end of a short ranking add nothing.
    gains : str, optional
        Gain of each grade, the highest first, such as ``"3:2:1"``; by default the grade.

    Returns
    -------
    BlendedRatio
        One number a rank, relevant or not.

    Examples
    --------
    The perfect inverse of the ideal ranking (Sakai 2007, section 3.3):

    >>> from core import parse_relevance
    >>> blended_ratio(parse_relevance("BAS")).ratio.round(4).tolist()
    [0.5, 0.7143, 1.0]
    """
    table = np.append(_gain_table(judged, gains), [0.0, 0.0])  # for the codes -2 and -1
    cum_gain = np.cumsum(table[judged.grades], axis=-1)
    count = np.cumsum(judged.relevant, axis=-1, dtype=np.int64)
    ranks = np.arange(1, judged.depth + 1)
    ideal = np.zeros(judged.grades.shape)
    better = np.zeros((*judged.grade_counts.shape[:-1], 1))
    for code in range(len(judged.values) - 1, 0, -1):
        of_grade = judged.grade_counts[..., code, np.newaxis]
        ideal = ideal + table[code] * np.clip(ranks - better, 0, of_grade)
        better = better + of_grade
    return BlendedRatio((cum_gain + count) / (ideal + ranks), cum_gain, ideal, count)


def only_relevant_gain(judged: Judged) -> bool:
    """Tell whether no retrieved document has a gain without counting as relevant."""
    return judged.gain_cells is judged.relevant_cells or not bool(
        ((judged.grades > 0) & ~judged.relevant).any()
    )


def only_top_grade(judged: Judged) -> bool:
    """Tell whether every retrieved document with a gain has the top grade."""
    return not bool(((judged.grades > 0) & (judged.grades < len(judged.values) - 1)).any())


@dataclass(frozen=True)
class _Blended:
    cells: Cells  # the relevant documents
    ratio: Floats  # BR at each of them


def _blend(judged: Judged, gains: str | None, cutoff: int | None) -> _Blended:
    """Compute the blended ratio at every relevant document."""
    table = _gain_table(judged, gains)
    with_gain = judged.gain_cells.upto(cutoff)
    relevant = with_gain.codes >= judged.min_code
    cells = with_gain if relevant.all() else with_gain.keep(relevant)
    cum_gain = with_gain.running(table[with_gain.codes])[relevant]
    ideal = np.zeros(len(cells.rows))
    better = np.zeros(len(cells.rows))
    counts = np.broadcast_to(
        judged.grade_counts, (*judged.grades.shape[:-1], len(judged.values))
    ).reshape(-1, len(judged.values))
    for code in range(len(judged.values) - 1, 0, -1):
        of_grade = counts[cells.rows, code]
        ideal += table[code] * np.clip(cells.ranks - better, 0, of_grade)
        better += of_grade
    return _Blended(cells, (cum_gain + cells.ordinals) / (ideal + cells.ranks))


def _o_terms(judged: Judged, gains: str | None, cutoff: int | None) -> tuple[Cells, Floats]:
    blended = _blend(judged, gains, cutoff)
    first = blended.cells.first
    return blended.cells.keep(first), blended.ratio[first]


def _preferred_ranks(cells: Cells) -> Floats:
    """Rank, for each ranking, of its first document with the highest grade; else 0."""
    best = best_cells(cells)
    return best.total(best.ranks.astype(np.float64))


def _p_terms(judged: Judged, gains: str | None, cutoff: int | None) -> tuple[Cells, Floats]:
    blended = _blend(judged, gains, cutoff)
    at = blended.cells.ranks == blended.cells.of_row(_preferred_ranks(blended.cells))
    return blended.cells.keep(at), blended.ratio[at]


def _p_plus_terms(
    judged: Judged, gains: str | None, cutoff: int | None
) -> tuple[Cells, Floats]:
    blended = _blend(judged, gains, cutoff)
    seen = blended.cells.ranks <= blended.cells.of_row(_preferred_ranks(blended.cells))
    cells = blended.cells.keep(seen)
    return cells, blended.ratio[seen] / cells.of_row(cells.count())


def _wrr_terms(
    judged: Judged, penalties: str | None, cutoff: int | None
) -> tuple[Cells, Floats]:
    cells = judged.relevant_cells.upto(cutoff)
    cells = cells.keep(cells.first)
    return cells, 1.0 / (cells.ranks - 1.0 / _penalty_table(judged, penalties)[cells.codes])


def _best_possible(judged: Judged, penalties: str | None) -> Floats:
    """One less 1 over the penalty of the topic's highest grade."""
    table = _penalty_table(judged, penalties)
    codes = np.arange(len(judged.values))
    highest = np.where(judged.grade_counts > 0, codes, 0).max(axis=-1)
    return np.asarray(1.0 - 1.0 / table[highest])


def _zero_if_none(score: Floats, judged: Judged) -> Floats:
    """Leave 0 where nothing relevant is retrieved, but nan where the topic has none."""
    return np.where(judged.num_rel > 0, score, np.nan)


def _gain_table(judged: Judged, gains: str | None) -> Floats:
    if gains is None:
        return judged.values
    return _by_code(judged, gains, "gains", before=0.0)


def _penalty_table(judged: Judged, penalties: str | None) -> Floats:
    if penalties is None:
        levels = max(len(judged.values) - 1, 3)
        return np.asarray(levels + 2.0 - np.arange(len(judged.values)))
    return _by_code(judged, penalties, "penalties", before=np.inf)


def _by_code(judged: Judged, text: str, name: str, *, before: float) -> Floats:
    """Spread numbers, given for the highest grade first, over the codes."""
    table = np.array([before, *reversed(numbers(text, name=name, caller="metric"))])
    present = np.flatnonzero(
        judged.grade_counts.reshape(-1, len(judged.values)).any(axis=0)
    )
    highest = int(present.max(initial=0))
    if judged.unjudged.any():
        highest = len(judged.values) - 1  # what an unjudged document may turn out to be
    if highest >= len(table):
        msg = (
            f"{name}={text!r} has {len(table) - 1} numbers, but there are {highest} grades "
            f"above 0; give a number for each, the highest grade first."
        )
        raise ParameterError(msg)
    return np.append(table, np.full(max(len(judged.values) - len(table), 0), table[-1]))
