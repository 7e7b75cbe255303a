"""Exact range at another p for one topic with unjudged documents.

The score sought depends on one vector alone: the relevant ranks for the lower score, relevant
and unjudged ones for the upper. So the search of `search.py` runs over that vector, and each
prefix carries the ways in which the unjudged documents can share its ranks. A prefix that
has none left is dropped.
"""

from dataclasses import dataclass
from typing import Final, NamedTuple, TypeAlias

from core.inversion.scores import GUARD, Band
from core.inversion.search import GAP, Extreme, bound_function, complemented
from core.inversion.triples import CLASSES, complete, fits, needs_of

_MOST_STATES: Final = 128  # enough up to p = 0.9; above, a search may end uncertified

State: TypeAlias = tuple[float, int]  # weight of the unjudged ranks, and the ranks as bits


@dataclass(frozen=True)
class JointProblem:
    """Which of the four extremes is sought, for which bands of score and residual."""

    p: float
    relevant: Band
    unjudged: Band
    upper: bool
    least: bool

    @property
    def band(self) -> Band:
        """Band of the vector searched: its ones are the ranks that count, or the others."""
        if self.upper:
            low = self.relevant[0] + self.unjudged[0]
            high = min(self.relevant[1] + self.unjudged[1], 1.0)
        else:
            low, high = self.relevant[0], min(self.relevant[1], 1.0 - self.unjudged[0])
        return (1.0 - high, 1.0 - low) if self.least else (low, high)

    @property
    def tail(self) -> str:
        """Classes that stand behind a one of the vector searched."""
        if self.upper:
            return "0" if self.least else "1?"
        return "?0" if self.least else "1"

    def window(self, reached: float, mass: float) -> Band:
        """Return how much the unjudged ranks of a prefix may weigh.

        `reached` is the weight of its relevant (lower) or relevant and unjudged ranks (upper),
        `mass` that of the ranks still to come.
        """
        least_rel, most_rel = self.relevant
        least_unj, most_unj = self.unjudged
        if self.upper:
            low = max(reached - most_rel, least_unj - mass)
            high = min(most_unj, mass - least_rel + reached)
        else:
            low = least_unj - mass + max(least_rel - reached, 0.0)
            high = most_unj
        return low - GUARD, high + GUARD

    def reserved(self, states: list[State], reached: float) -> float:
        """Return the weight that the ranks to come must give to zeros of the vector searched."""
        if self.upper is not self.least:
            return 0.0  # the band of the vector says it all
        least_unj = self.unjudged[0]
        if not self.upper:
            return max(least_unj - max(states)[0], 0.0)
        missing = self.relevant[0] - reached
        return min(
            max(missing + total, 0.0) + max(least_unj - total, 0.0) for total, _ in states
        )

    def ending(self, node: "_Node", allowed: str) -> State | None:
        """Return a way to share the prefix that the allowed classes can complete."""
        sure = self.p >= 1.0 - 1.0 / len(allowed)  # then no fractional solution is a hole
        for state in node.states:
            relevant = node.reached - state[0] if self.upper else node.reached
            needs = needs_of(
                (self.relevant[0] - relevant, self.relevant[1] - relevant),
                (self.unjudged[0] - state[0], self.unjudged[1] - state[0]),
                node.mass,
                allowed,
            )
            if fits(needs, node.mass) and (
                sure or complete(self.p, needs, node.mass, allowed, 2000, settle=True)
            ):
                return state
        return None


class _Node(NamedTuple):
    """A prefix of the vector searched, the last field telling its ones as bits."""

    low: float  # weight the vector still has to get, at least
    high: float  # and at most
    value: float  # what the prefix scores at the target
    share: float  # what the ranks to come weigh at the target
    mass: float  # and at p
    reached: float  # weight of the ranks that count (relevant, or relevant and unjudged)
    states: list[State]  # ways of sharing the ranks with the unjudged documents
    thinned: bool = False  # some ways were left out
    depth: int = 0
    ones: int = 0


def _advance(problem: JointProblem, node: _Node, at: float, *, one: bool) -> _Node | None:
    """Make the next rank of the vector searched a one or a zero; None where that cannot be."""
    weight, rest = node.mass * (1.0 - problem.p), node.mass * problem.p
    low, high, value, ones = node.low, node.high, node.value, node.ones
    if one:
        low, high = low - weight, high - weight
        value += node.share * (1.0 - at)
        ones |= 1 << node.depth
    if high < -GUARD or low > rest + GUARD:
        return None
    counts = one is not problem.least
    reached = node.reached + weight if counts else node.reached
    least, most = problem.window(reached, rest)
    states = [state for state in node.states if least <= state[0] <= most]
    if counts is problem.upper:  # an unjudged document may stand here
        bit = 1 << node.depth
        least, most = least - weight, most - weight
        states += [
            (total + weight, ranks | bit)
            for total, ranks in node.states
            if least <= total <= most
        ]
    thinned = node.thinned
    if len(states) > _MOST_STATES:
        states.sort()
        states = [states[i * len(states) // _MOST_STATES] for i in range(_MOST_STATES)]
        thinned = True
    if states and not thinned:
        high = min(high, rest - problem.reserved(states, reached))
    return _Node(
        low,
        high,
        value,
        node.share * at,
        rest,
        reached,
        states,
        thinned,
        node.depth + 1,
        ones,
    )


def joint_extreme(problem: JointProblem, at: float, node_limit: int) -> Extreme:
    """Find the extreme score at `at` that the problem asks for. ``p > 0``."""
    bound_of = bound_function(problem.p, at)
    best, dropped, lost, nodes = Extreme(-1.0, -1.0, "", ""), -1.0, -1.0, 0
    low, high = problem.band
    root = _Node(low, high, 0.0, 1.0, 1.0, 0.0, [(0.0, 0)])
    stack = [(bound_of(high), root)]
    while stack and nodes < node_limit:
        bound, node = stack.pop()
        if bound <= best.best + GAP:
            dropped = max(dropped, bound)
            continue
        nodes += 1
        found = _leaf(problem, node, bound)
        if found is not None:
            best, dropped = max(best, found, key=_best), max(dropped, found.bound)
            continue
        if not node.states or node.share < GAP / 2.0 or node.mass < GUARD:
            lost = max(lost, bound if node.thinned else -1.0)
            continue
        # The mark that keeps the bound goes on top of the stack.
        for one in (False, True) if at <= problem.p else (True, False):
            child = _advance(problem, node, at, one=one)
            if child is not None:
                limit = child.value + child.share * bound_of(child.high / child.mass)
                stack.append((limit, child))
    left = max(lost, max((bound for bound, _ in stack), default=-1.0))
    bound = max(best.best, dropped, left)
    found = Extreme(best.best, bound, best.path, best.tail, left <= best.best + GAP)
    return complemented(found) if problem.least else found


def _best(extreme: Extreme) -> float:
    return extreme.best


def _leaf(problem: JointProblem, node: _Node, bound: float) -> Extreme | None:
    """Return the best ranking below a node where it can be named at once."""
    if node.high >= node.mass - GUARD:  # ones to the end, and nothing scores more
        state = problem.ending(node, problem.tail)
        if state is not None:
            value = node.value + node.share
            return Extreme(value, value, _marks(problem, node, state), problem.tail)
    if node.share < GAP / 2.0 or node.mass < GUARD:  # what follows no longer matters
        state = problem.ending(node, CLASSES)
        if state is not None:
            return Extreme(node.value, bound, _marks(problem, node, state), CLASSES)
    return None


def _marks(problem: JointProblem, node: _Node, state: State) -> str:
    """Write the prefix as relevance marks."""
    marks = []
    for depth in range(node.depth):
        if state[1] >> depth & 1:
            marks.append("?")
        else:
            counts = bool(node.ones >> depth & 1) is not problem.least
            marks.append("1" if counts else "0")
    return "".join(marks)
