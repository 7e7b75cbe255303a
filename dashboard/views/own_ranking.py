"""One ranking tried against the seven properties of a metric (Moffat 2013, section 4).

The ranking is taken for a whole collection in ranked order, as the worlds of `core.properties`
are: a metric with cutoff k sees the first k documents, and knows how many are relevant in all.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Final, TypeAlias

import numpy as np

import core
from core.judged import Codes, Floats, Judged
from core.metrics.naming import parse_metric

MAX_DOCUMENTS: Final = 20
_TINY: Final = 1e-12  # two scores closer than this are the same

World: TypeAlias = tuple[int, ...]


@dataclass(frozen=True)
class Trial:
    """What the ranking says about one property at every cutoff.

    Attributes
    ----------
    tested : tuple of int
        Cutoffs at which the ranking could break the property.
    broken : tuple of int
        Cutoffs at which it does.
    example : str
        The plainest of these cases, in words; empty where there is none.
    """

    tested: tuple[int, ...] = ()
    broken: tuple[int, ...] = ()
    example: str = ""


def read_world(text: str) -> World:
    """Read a ranking as a world: grades count as relevant, unjudged as nonrelevant."""
    judged = core.parse_relevance(text)
    if judged.depth > MAX_DOCUMENTS:
        msg = (
            f"relevance string: {judged.depth:,} documents, but only {MAX_DOCUMENTS} can be "
            f"tried here; cut it at rank {MAX_DOCUMENTS}."
        )
        raise core.InputError(msg)
    return tuple(int(mark) for mark in judged.relevant)


def metric_at(key: str, cutoff: int) -> str:
    """Name a metric that looks at the first `cutoff` ranks of a list just as long."""
    spec = core.metric(key)
    if spec.cutoff == "none":
        return spec.key
    given = ", ".join(f"{param.name}={param.default}" for param in spec.params)
    name = spec.name if spec.key == spec.name else f"{spec.name}({given})"
    return f"{name}@{cutoff}"


def score_worlds(key: str, worlds: Iterable[World], cutoff: int) -> Floats:
    """Score worlds of one size at a cutoff; each knows how many documents are relevant."""
    grades: Codes = np.array(list(worlds), dtype=np.int8)
    num_rel = grades.sum(axis=1, dtype=np.int64)
    counts = np.stack([grades.shape[1] - num_rel, num_rel], axis=1)
    judged = Judged(grades[:, :cutoff].copy(), counts, np.array([0.0, 1.0]))
    return parse_metric(metric_at(key, cutoff)).values(judged)


def scores_by_cutoff(key: str, world: World) -> Floats:
    """Score one world at every cutoff."""
    return np.array(
        [float(score_worlds(key, [world], k)[0]) for k in range(1, len(world) + 1)]
    )


def try_ranking(key: str, world: World) -> dict[str, Trial]:
    """Try one world against the seven properties of a metric, in the paper's order."""
    own = scores_by_cutoff(key, world)
    return {
        "bounded": _bounded(own),
        "monotonic": _monotonic(own),
        "convergent": _swapped(key, world, own, across=True),
        "top_weighted": _swapped(key, world, own, across=False),
        "localized": _localized(key, world, own),
        "complete": _complete(world, own),
        "realizable": _realizable(key, world),
    }


def words(score: float) -> str:
    """Write a score, or that there is none."""
    return "undefined" if np.isnan(score) else f"{score:.4f}"


def _bounded(own: Floats) -> Trial:
    above = [k for k, score in enumerate(own, start=1) if score > 1.0 + _TINY]
    example = f"the score at k = {above[0]} is {own[above[0] - 1]:.4f}" if above else ""
    return Trial(_cutoffs(len(own)), tuple(above), example)


def _monotonic(own: Floats) -> Trial:
    falls = {
        k + 1: own[k] - own[k - 1]
        for k in range(1, len(own))
        if own[k] < own[k - 1] - _TINY
    }
    example = ""
    if falls:
        k = min(falls, key=lambda cutoff: float(falls[cutoff]))
        example = (
            f"from k = {k - 1} to {k} the score falls from {own[k - 2]:.4f} to "
            f"{own[k - 1]:.4f}"
        )
    return Trial(_cutoffs(len(own))[1:], tuple(falls), example)


def _swapped(key: str, world: World, own: Floats, *, across: bool) -> Trial:
    """Swap a relevant document with a nonrelevant one above it; the score has to rise."""
    tested, broken = [], []
    worst, example = np.inf, ""
    for cutoff in range(1, len(world) + 1):
        pairs = _pairs(world, cutoff, across=across)
        if not pairs:
            continue
        tested.append(cutoff)
        after = score_worlds(key, [_swap(world, *pair) for pair in pairs], cutoff)
        rise = after - own[cutoff - 1]
        if not (rise <= _TINY).any():  # what is undefined proves nothing
            continue
        broken.append(cutoff)
        at = int(np.nanargmin(rise))
        if rise[at] < worst - _TINY:
            worst = float(rise[at])
            upper, lower = pairs[at]
            example = (
                f"at k = {cutoff}, moving the relevant document of rank {lower + 1} up to "
                f"rank {upper + 1} takes the score from {words(own[cutoff - 1])} to "
                f"{words(float(after[at]))}"
            )
    return Trial(tuple(tested), tuple(broken), example)


def _pairs(world: World, cutoff: int, *, across: bool) -> list[tuple[int, int]]:
    """Find a nonrelevant place in the top k and a relevant one below it, or below k."""
    return [
        (upper, lower)
        for upper in range(cutoff)
        for lower in (range(cutoff, len(world)) if across else range(upper + 1, cutoff))
        if (world[upper], world[lower]) == (0, 1)
    ]


def _swap(world: World, upper: int, lower: int) -> World:
    swapped = list(world)
    swapped[upper], swapped[lower] = swapped[lower], swapped[upper]
    return tuple(swapped)


def _localized(key: str, world: World, own: Floats) -> Trial:
    """Keep the first k documents and change how many below them are relevant."""
    broken, example = [], ""
    for cutoff in range(1, len(world)):
        below = len(world) - cutoff
        others = [
            (*world[:cutoff], *(1,) * count, *(0,) * (below - count))
            for count in range(below + 1)
        ]
        found = score_worlds(key, others, cutoff)
        differs = np.isnan(found) != np.isnan(own[cutoff - 1])
        differs |= np.abs(found - own[cutoff - 1]) > _TINY
        if differs.any():
            broken.append(cutoff)
            at = int(np.flatnonzero(differs)[-1])
            example = example or (
                f"at k = {cutoff} the score is {words(own[cutoff - 1])}, but would be "
                f"{words(float(found[at]))} with {at} relevant below instead of "
                f"{sum(world[cutoff:])}"
            )
    return Trial(_cutoffs(len(world))[:-1], tuple(broken), example)


def _complete(world: World, own: Floats) -> Trial:
    """Ask for a score although nothing is relevant; other rankings cannot test this."""
    if any(world):
        return Trial()
    broken = tuple(int(at) + 1 for at in np.flatnonzero(np.isnan(own)))
    example = "nothing is relevant, and there is no score" if broken else ""
    return Trial(_cutoffs(len(world)), broken, example)


def _realizable(key: str, world: World) -> Trial:
    """Compare the best order of these documents with the most that any collection scores."""
    if not any(world):
        return Trial()
    size, broken, example = len(world), [], ""
    best_orders = [(1,) * count + (0,) * (size - count) for count in range(size + 1)]
    for cutoff in range(1, size + 1):
        best = score_worlds(key, best_orders, cutoff)
        most = max([1.0, *best[~np.isnan(best)].tolist()])
        reached = float(best[sum(world)])
        if reached < most - _TINY:
            broken.append(cutoff)
            example = example or (
                f"at k = {cutoff} even the best order of these documents scores "
                f"{reached:.4f}, not {most:.4g}"
            )
    return Trial(_cutoffs(size), tuple(broken), example)


def _cutoffs(size: int) -> tuple[int, ...]:
    return tuple(range(1, size + 1))
