"""Rank-biased precision and its kin: weights over an unending list, so a tail stays open.

``_range`` functions give the bounds; they include what everything below the list could add.
"""

import numpy as np

from core.judged import Cells, Floats, Judged

_NEGLIGIBLE = 1e-20  # weights that sum to less cannot change a double near 1
_LEAST = np.finfo(np.float64).tiny


def rbp(judged: Judged, *, p: float = 0.8, cutoff: int | None = None) -> Floats:
    r"""Score rankings by rank-biased precision (RBP).

    The user reads rank 1, and after each rank reads on with persistence `p`:

    .. math:: (1-p) \sum_{i=1}^{d} r_i \, p^{i-1}

    Tied documents share the weight of their ranks (Moffat & Zobel 2008, section 4.7).

    References
    ----------
    .. [1] A. Moffat and J. Zobel, "Rank-biased precision for measurement of retrieval
       effectiveness", ACM TOIS 27(1):2, 2008, section 4.2.
    """
    cells, terms = _weighted(judged, _rbp_weights(judged, p, cutoff))
    return cells.total(terms)


def rbp_shares(judged: Judged, *, p: float = 0.8, cutoff: int | None = None) -> Floats:
    """Give each document its weight times its gain."""
    cells, terms = _weighted(judged, _rbp_weights(judged, p, cutoff))
    return cells.spread(terms)


def rbp_range(
    judged: Judged, *, p: float = 0.8, cutoff: int | None = None
) -> tuple[Floats, Floats]:
    r"""Bound RBP: :math:`p^d` for the tail and the unjudged weights are open (MZ 4.4)."""
    if judged.tie_groups is None and p > 0.0:
        judged = judged.cut(int(np.log(_NEGLIGIBLE) / np.log(p)) + 1)
    depth = judged.depth if cutoff is None else min(cutoff, judged.depth)
    weights = _rbp_weights(judged, p, cutoff)
    cells, terms = _weighted(judged, weights)
    lower = cells.total(terms)
    return lower, lower + _open_weight(judged, weights) + p**depth


def rbp_at(judged: Judged, p: Floats) -> tuple[Floats, Floats]:
    """Bound RBP of one ranking at many values of p at once.

    Tied documents share their weight, so each rank of a tie carries the mean gain of the tie.
    """
    gains = shared_gains(judged)
    is_open = _shared(judged, (judged.grades < 0).astype(np.float64))
    matters = np.flatnonzero((gains > 0) | (is_open > 0))
    # as exponentials, four times as fast as powers; the least double stands for p = 0
    powers = np.exp(np.outer(np.log(np.maximum(p, _LEAST)), matters))
    lower, unjudged = (1.0 - p) * (powers @ np.stack([gains, is_open])[:, matters].T).T
    return lower, lower + unjudged + p**judged.depth


def shared_gains(judged: Judged) -> Floats:
    """Return the gain at each rank of one ranking; tied documents have the mean of theirs."""
    return _shared(judged, judged.gains)


def _shared(judged: Judged, parts: Floats) -> Floats:
    if judged.tie_groups is None:
        return parts
    sizes = np.maximum(np.bincount(judged.tie_groups), 1)
    means = np.bincount(judged.tie_groups, weights=parts) / sizes
    return np.asarray(means[judged.tie_groups])


def rbp_weights(depth: int, p: float) -> Floats:
    r"""Return :math:`(1-p)\,p^{i-1}` for each rank; p = 0 leaves rank 1 alone."""
    return np.asarray((1.0 - p) * np.power(p, np.arange(depth, dtype=np.float64)))


def insq(judged: Judged, *, cutoff: int | None = None) -> Floats:
    r"""Score by inverse squares, :math:`\sum_i r_i / (i(i+1))` (Moffat 2013, section 2)."""
    cells, terms = _weighted(judged, _upto(insq_weights(judged.depth), cutoff))
    return cells.total(terms)


def insq_shares(judged: Judged, *, cutoff: int | None = None) -> Floats:
    """Give each document its weight times its gain."""
    cells, terms = _weighted(judged, _upto(insq_weights(judged.depth), cutoff))
    return cells.spread(terms)


def insq_range(judged: Judged, *, cutoff: int | None = None) -> tuple[Floats, Floats]:
    r"""Bound inverse squares: :math:`1/(d+1)` for the tail and the unjudged are open."""
    judged = judged.cut(cutoff)
    weights = insq_weights(judged.depth)
    cells, terms = _weighted(judged, weights)
    lower = cells.total(terms)
    return lower, lower + _open_weight(judged, weights) + 1.0 / (judged.depth + 1.0)


def insq_weights(depth: int) -> Floats:
    r"""Return :math:`1/(i(i+1))` for each rank."""
    ranks = np.arange(1.0, depth + 1.0)
    return np.asarray(1.0 / (ranks * (ranks + 1.0)))


def rbp_p1p2(
    judged: Judged, *, p1: float = 0.8, p2: float = 0.6, cutoff: int | None = None
) -> Floats:
    r"""Score by a user who reads on with p1 after a relevant document, p2 after another.

    With :math:`L_1 = 1` and :math:`L_{i+1} = L_i (r_i p_1 + (1-r_i) p_2)`, the chance of
    reading rank i, the score is the gain seen per document read,
    :math:`\sum_i r_i L_i / \sum_i L_i` over the unending list; what is unjudged or unseen
    counts as nonrelevant. It equals RBP where p1 = p2 (Moffat & Zobel 2008, section 4.3).
    """
    return np.asarray(rbp_p1p2_shares(judged, p1=p1, p2=p2, cutoff=cutoff).sum(axis=-1))


def rbp_p1p2_shares(
    judged: Judged, *, p1: float = 0.8, p2: float = 0.6, cutoff: int | None = None
) -> Floats:
    """Give each document its gain times its chance of being read, per document read."""
    gains = judged.gains if cutoff is None else judged.gains[..., :cutoff]
    reach, beyond = reading_chances(gains, p1, p2)
    read = reach.sum(axis=-1) + beyond / (1.0 - p2)
    shares = np.zeros(judged.grades.shape)
    shares[..., : gains.shape[-1]] = gains * reach / read[..., np.newaxis]
    return shares


def rbp_p1p2_range(
    judged: Judged, *, p1: float = 0.8, p2: float = 0.6, cutoff: int | None = None
) -> tuple[Floats, Floats]:
    """Bound the score: at best all that is unjudged or unseen is relevant."""
    judged = judged.cut(cutoff)
    gains = np.where(judged.grades < 0, 1.0, judged.gains)
    reach, beyond = reading_chances(gains, p1, p2)
    tail = beyond / (1.0 - p1)
    upper = ((gains * reach).sum(axis=-1) + tail) / (reach.sum(axis=-1) + tail)
    return rbp_p1p2(judged, p1=p1, p2=p2), np.asarray(upper)


def reading_chances(gains: Floats, p1: float, p2: float) -> tuple[Floats, Floats]:
    """Return the chance of reading each rank, and of reading on after the last."""
    onward = np.cumprod(p2 + gains * (p1 - p2), axis=-1)
    first = np.ones((*gains.shape[:-1], 1))
    reach = np.concatenate([first, onward], axis=-1)
    return reach[..., :-1], reach[..., -1]


def _rbp_weights(judged: Judged, p: float, cutoff: int | None) -> Floats:
    """Weigh the ranks; tied ones equally, and by the share of the tie above the cutoff.

    That is what rbp_eval computes for a tie that the cutoff splits.
    """
    weights = rbp_weights(judged.depth, p)
    if judged.tie_groups is None:
        return _upto(weights, cutoff)
    groups = judged.tie_groups.reshape(-1, judged.depth)
    keys = (groups + np.arange(len(groups))[:, np.newaxis] * (groups.max() + 1)).ravel()
    sizes = np.bincount(keys)[keys]
    sums = np.bincount(keys, weights=np.tile(weights, len(groups)))[keys]
    above = _upto(np.ones(judged.depth), cutoff)
    inside = np.bincount(keys, weights=np.tile(above, len(groups)))[keys]
    return np.asarray((sums / sizes * inside / sizes).reshape(judged.grades.shape))


def _upto(weights: Floats, cutoff: int | None) -> Floats:
    if cutoff is None:
        return weights
    return np.where(np.arange(len(weights)) < cutoff, weights, 0.0)


def _weighted(judged: Judged, weights: Floats) -> tuple[Cells, Floats]:
    """Multiply each gain by its weight; the weights may differ between rankings."""
    cells = judged.gain_cells
    gains = (judged.values / judged.top_grade)[cells.codes]
    if weights.ndim == 1:
        return cells, gains * weights[cells.ranks - 1]
    return cells, gains * weights.reshape(-1, judged.depth)[cells.rows, cells.ranks - 1]


def _open_weight(judged: Judged, weights: Floats) -> Floats:
    is_open = judged.grades < 0
    if weights.ndim == 1:
        return np.asarray(is_open @ weights)
    return np.asarray((is_open * weights).sum(axis=-1))
