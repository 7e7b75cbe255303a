"""Rankings with relevant, unjudged and nonrelevant documents that fit a score and a residual.

Three classes share the ranks: ``1``, ``?`` and ``0``. Each has a band for the weight it must
still get; together they must take all the weight that is left.
"""

from typing import Final, TypeAlias

from core.errors import ParameterError
from core.inversion.scores import GUARD, MAX_RANKS, Band, band_of, check_tolerance, depth_of
from core.validation import check_half_open_unit, check_whole

CLASSES: Final = "1?0"
_NODE_LIMIT: Final = 100_000

Needs: TypeAlias = tuple[float, float, float, float, float, float]  # low, high of 1, ?, 0


def needs_of(relevant: Band, unjudged: Band, mass: float, allowed: str = CLASSES) -> Needs:
    """Return the band of each class; a class that is not allowed gets nothing."""
    most = [
        min(high, mass) if mark in allowed else min(high, 0.0)
        for mark, high in zip(CLASSES, (relevant[1], unjudged[1], mass), strict=True)
    ]
    return relevant[0], most[0], unjudged[0], most[1], 0.0, most[2]


def fits(needs: Needs, mass: float) -> bool:
    """Tell whether fractional ranks could meet the needs with exactly this weight."""
    low_1, high_1, low_u, high_u, low_0, high_0 = needs
    return (
        high_1 >= max(low_1, 0.0) - GUARD
        and high_u >= max(low_u, 0.0) - GUARD
        and high_0 >= max(low_0, 0.0) - GUARD
        and max(low_1, 0.0) + max(low_u, 0.0) + max(low_0, 0.0) <= mass + GUARD
        and high_1 + high_u + high_0 >= mass - GUARD
    )


def _give(needs: Needs, mark: str, weight: float) -> Needs:
    """Return the needs after one class got a rank of this weight."""
    low_1, high_1, low_u, high_u, low_0, high_0 = needs
    if mark == "1":
        return low_1 - weight, high_1 - weight, low_u, high_u, low_0, high_0
    if mark == "?":
        return low_1, high_1, low_u - weight, high_u - weight, low_0, high_0
    return low_1, high_1, low_u, high_u, low_0 - weight, high_0 - weight


def complete(
    p: float, needs: Needs, mass: float, order: str, ranks: int, *, settle: bool = False
) -> str | None:
    """Write `ranks` marks that meet the needs, earlier classes of `order` as early as possible.

    For ``p >= 2/3`` no choice that leaves `fits` true is ever wrong (three needs that add up to
    the rest: one of them is at least a third of it), so this is a greedy walk; below, it may
    have to go back. With `settle`, one class takes all remaining ranks as soon as it can.
    Returns None where no marks fit.
    """
    path: list[str] = []
    nodes = 0
    stack = [(needs, mass, 0, "")] if fits(needs, mass) else []
    while stack and nodes < _NODE_LIMIT:
        nodes += 1
        needs, mass, depth, mark = stack.pop()
        path[depth:] = mark
        if len(path) >= ranks:
            return "".join(path)
        if settle:
            rest_mark = next((m for m in order if _takes_all(needs, m, mass)), None)
            if rest_mark is not None:
                return "".join(path).ljust(ranks, rest_mark)
        weight, rest = mass * (1.0 - p), mass * p
        for next_mark in reversed(order):
            left = _give(needs, next_mark, weight)
            if fits(left, rest):
                stack.append((left, rest, len(path), next_mark))
    return None


def _takes_all(needs: Needs, mark: str, mass: float) -> bool:
    left = _give(needs, mark, mass)
    return min(left[1::2]) >= -GUARD and max(left[::2]) <= GUARD


def triple_ranking(
    score: float,
    residual: float,
    p: float,
    *,
    order: str = CLASSES,
    tolerance: float = 0.0,
    depth: int | None = None,
) -> str | None:
    r"""Write a ranking with this RBP score and residual: an example, not an extreme.

    Rank by rank the first class of `order` whose need allows it gets the rank. ``"1?0"`` gives
    the ranking with relevant, then unjudged documents as early as possible, ``"0?1"`` the one
    with them as late as possible (ZPM 2008, section 5, repaired in design/inversion.md, 4.2).

    Parameters
    ----------
    score, residual : float
        What relevant and unjudged documents weigh: :math:`(1-p)\sum p^{i-1}` over their ranks.
    p : float
        Persistence, ``0 <= p < 1``. From 2/3 on every pair has a ranking, below some have none.
    order : str, default "1?0"
        The three classes, each once.
    tolerance : float, default 0
        How far score and residual may be off.
    depth : int, optional
        Number of ranks to write; by default `inversion_depth` for four decimals.

    Returns
    -------
    str or None
        The marks ``1``, ``?``, ``0``; None where no ranking fits.

    Examples
    --------
    >>> triple_ranking(0.4, 0.1, 0.8, depth=24)
    '1100?000100?000010000000'
    >>> triple_ranking(0.33, 0.33, 0.5, depth=15) is None
    True
    """
    caller = "triple_ranking"
    p = check_half_open_unit("p", p, caller=caller)
    score = check_tolerance("score", score, caller=caller)
    residual = check_tolerance("residual", residual, caller=caller)
    tolerance = check_tolerance("tolerance", tolerance, caller=caller)
    if not isinstance(order, str) or sorted(order) != sorted(CLASSES):
        msg = f"{caller}: order must hold each of 1, ? and 0 once; got {order!r}."
        raise ParameterError(msg)
    if depth is None:
        depth = min(depth_of(p, 1e-4), MAX_RANKS)
    depth = check_whole("depth", depth, caller=caller, most=MAX_RANKS)
    needs = needs_of(band_of(score, tolerance), band_of(residual, tolerance), 1.0)
    return complete(p, needs, 1.0, order, depth)
