"""Exact range at another p for one binary topic: branch and bound over relevance vectors."""

import math
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Final

from core.inversion.scores import GUARD, Band, reachable

GAP: Final = 1e-9  # the search stops when its best ranking is this close to the bound


@dataclass(frozen=True)
class Extreme:
    """Most extreme score a search found, and the bound it proved.

    `best` lies outside [0, 1] where no ranking fits. `complete` is False where the node limit
    struck, so that `bound` is only the first value not yet excluded. `path` holds the first
    marks of the best ranking, `tail` the marks allowed after them.
    """

    best: float
    bound: float
    path: str
    tail: str
    complete: bool = True


def bound_function(p: float, at: float) -> Callable[[float], float]:
    """Return the LP maximum at `at` of the vectors with a given score at `p`, as a function.

    The same closed form as `linear.py` for one target, written for speed: being one rank off at
    a tie changes nothing, since the neighbouring pieces meet there.
    """
    log, scale = math.log, 1.0 / math.log(p)
    step, gain = 1.0 - p, 1.0 - at

    def all_at_top(score: float) -> float:
        if score <= 0.0:
            return 0.0
        if score >= 1.0:
            return 1.0
        ones = int(log(1.0 - score) * scale)
        after = p**ones
        return 1.0 - at**ones * (1.0 - (score - 1.0 + after) / (step * after) * gain)

    def all_at_bottom(score: float) -> float:
        if score <= 0.0:
            return 0.0
        if score >= 1.0:
            return 1.0
        zeros = int(log(score) * scale)
        after = p**zeros
        return at**zeros * (at + (score - p * after) / (step * after) * gain)

    if at == p:
        return lambda score: min(max(score, 0.0), 1.0)
    return all_at_top if at < p else all_at_bottom


def greatest_score(p: float, band: Band, at: float, node_limit: int) -> Extreme:  # noqa: C901
    """Find the greatest score at `at` of the binary vectors that score in `band` at `p`.

    The band is rescaled to the ranks that remain. Taking 1 next (``at <= p``) or 0 next
    (``at > p``) leaves the LP bound as it is, so the search follows that mark down and stacks
    the other one. One loop without calls but the bound: this is what a page waits for, hence
    its length. ``p > 0``.
    """
    bound_of = bound_function(p, at)
    down = at <= p
    step, gain = 1.0 - p, 1.0 - at
    gapped = p < 0.5
    best, dropped, nodes = -1.0, -1.0, 0
    path: list[str] = []
    best_path, tail = "", "10"
    stack = [(bound_of(band[1]), band[0], band[1], 0.0, 1.0, 1.0, 0, "")]
    while stack and nodes < node_limit:
        bound, low, high, value, share, mass, depth, mark = stack.pop()
        path[depth:] = mark
        while bound > best + GAP:
            nodes += 1
            guard = GUARD / mass
            if high >= 1.0 - guard:  # ones to the end fit, and nothing scores more
                if value + share > best:
                    best, best_path, tail = value + share, "".join(path), "1"
                break
            if share < GAP / 2.0:  # what follows no longer matters at the target
                dropped = max(dropped, bound)
                if value > best:
                    best, best_path, tail = value, "".join(path), "10"
                break
            one, zero = high >= step - guard, low <= p + guard
            if gapped:
                one = one and reachable(p, low - step, high - step, p, guard)
                zero = zero and reachable(p, low, high, p, guard)
            if not one and not zero:
                break
            value_one, share = value + share * gain, share * at
            take_one = one and (down or not zero)
            if one and zero:
                if down:
                    other = (low / p, high / p, value, share, mass * p, len(path), "0")
                else:
                    other = (
                        (low - step) / p, (high - step) / p,
                        value_one, share, mass * p, len(path), "1",
                    )  # fmt: skip
                limit = other[2] + share * bound_of(other[1])
                if limit > best + GAP:
                    stack.append((limit, *other))
                else:
                    dropped = max(dropped, limit)
            if take_one:
                low, high, value = low - step, high - step, value_one
            low, high, mass = low / p, high / p, mass * p
            path.append("1" if take_one else "0")
            if take_one is not down:
                bound = value + share * bound_of(high)
        else:
            dropped = max(dropped, bound)
    open_bound = max((node[0] for node in stack), default=-1.0)
    complete = open_bound <= best + GAP
    return Extreme(best, max(best, dropped, open_bound), best_path, tail, complete)


def complemented(extreme: Extreme) -> Extreme:
    """Turn the greatest score of the complement into the least score of the vector."""
    return replace(extreme, best=1.0 - extreme.best, bound=1.0 - extreme.bound)


def least_score(p: float, band: Band, at: float, node_limit: int) -> Extreme:
    """Find the least score at `at`: that of the complement is the greatest."""
    found = complemented(greatest_score(p, (1.0 - band[1], 1.0 - band[0]), at, node_limit))
    swap = str.maketrans("01", "10")
    return replace(found, path=found.path.translate(swap), tail=found.tail.translate(swap))
