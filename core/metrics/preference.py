"""Metrics that compare judged documents in pairs and skip the unjudged ones."""

import numpy as np

from core.judged import Cells, Floats, Judged
from core.metrics.precision import over


def bpref(judged: Judged, *, k: int = 0) -> Floats:
    r"""Binary preference with the bound :math:`\min(R + k, N)` (MZ 2008, section 3.3).

    .. math:: \frac1R \sum_{d\ \mathrm{relevant}}
        \left(1 - \frac{\min(R+k,\,n(d))}{\min(R+k,\,N)}\right)

    where n(d) judged nonrelevant documents stand above d. k = 0 is trec_eval's bpref. Where
    N = 0 every retrieved relevant document contributes 1.
    """
    cells, terms = _bpref_terms(judged, k)
    return over(cells.total(terms), judged.num_rel)


def bpref_shares(judged: Judged, *, k: int = 0) -> Floats:
    """Give each relevant document its own term."""
    cells, terms = _bpref_terms(judged, k)
    return cells.spread(terms / cells.of_row(judged.num_rel))


def bpref10(judged: Judged) -> Floats:
    r"""Binary preference with the denominator :math:`10 + R` (Ahlgren & Grönqvist 2008, eq. 4)."""
    cells, terms = _bpref10_terms(judged)
    return over(cells.total(terms), judged.num_rel)


def bpref10_shares(judged: Judged) -> Floats:
    """Give each relevant document its own term."""
    cells, terms = _bpref10_terms(judged)
    return cells.spread(terms / cells.of_row(judged.num_rel))


def rank_eff(judged: Judged) -> Floats:
    r"""Rank effectiveness: judged pairs in the right order (Ahlgren & Grönqvist 2008, eq. 5).

    .. math:: \frac{1}{R\,N}\sum_{d\ \mathrm{relevant,\ retrieved}} (N - n(d))

    A judged nonrelevant document that is not retrieved stands below every retrieved one.
    """
    cells, below = _rank_eff_terms(judged)
    return over(cells.total(below), judged.num_rel * judged.num_nonrel)


def rank_eff_shares(judged: Judged) -> Floats:
    """Give each relevant document the pairs it is in."""
    cells, below = _rank_eff_terms(judged)
    return cells.spread(over(below, cells.of_row(judged.num_rel * judged.num_nonrel)))


def _nonrelevant_above(judged: Judged) -> tuple[Cells, Floats]:
    """Count the judged nonrelevant documents above each relevant one."""
    cells = judged.judged_cells
    relevant = cells.codes >= judged.min_code
    found = cells.keep(relevant)
    return found, (cells.ordinals[relevant] - found.ordinals).astype(np.float64)


def _bpref_terms(judged: Judged, k: int) -> tuple[Cells, Floats]:
    cells, above = _nonrelevant_above(judged)
    bound = cells.of_row(judged.num_rel) + k
    divisor = np.minimum(bound, cells.of_row(judged.num_nonrel))
    return cells, 1.0 - np.minimum(bound, above) / np.maximum(divisor, 1)


def _bpref10_terms(judged: Judged) -> tuple[Cells, Floats]:
    cells, above = _nonrelevant_above(judged)
    bound = cells.of_row(judged.num_rel) + 10
    return cells, 1.0 - np.minimum(bound, above) / bound


def _rank_eff_terms(judged: Judged) -> tuple[Cells, Floats]:
    cells, above = _nonrelevant_above(judged)
    return cells, cells.of_row(judged.num_nonrel) - above
