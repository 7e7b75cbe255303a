"""Seven numeric properties of metrics, decided by trying every small world (Moffat 2013).

A world is the relevance of all D documents of a collection in the order of the ranking; a
metric with cutoff k sees the first k of them and, where it needs it, how many relevant ones
there are in all. A "no" comes with the smallest rankings that show it.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import lru_cache
from itertools import product
from types import MappingProxyType
from typing import Final, TypeAlias

import numpy as np

from core.judged import Floats, Judged
from core.metrics.naming import MetricCall, parse_metric
from core.validation import check_whole

MAX_DOCUMENTS: Final = 8
_TINY: Final = 1e-12  # two scores closer than this are the same

World: TypeAlias = tuple[int, ...]
Scores: TypeAlias = dict[tuple[World, int], float]


@dataclass(frozen=True)
class Witness:
    """Rankings that show that a metric lacks a property.

    Attributes
    ----------
    rankings : tuple of str
        Whole worlds in ranked order, 1 for relevant, 0 for nonrelevant.
    cutoffs : tuple of int
        How many ranks of each the metric sees.
    scores : tuple of float
        What it gives each; nan where undefined.
    explanation : str
        What to look at.
    """

    rankings: tuple[str, ...]
    cutoffs: tuple[int, ...]
    scores: tuple[float, ...]
    explanation: str


@dataclass(frozen=True)
class Finding:
    """Whether a property holds in all `worlds`, or the smallest `witness` against it."""

    holds: bool
    worlds: int
    witness: Witness | None = None


def metric_properties(name: str, documents: int = 5) -> MappingProxyType[str, Finding]:
    """Find which of the seven properties a metric has.

    Parameters
    ----------
    name : str
        A metric without cutoff, since the search varies it: ``"RBP(p=0.8)"``, ``"P"``.
    documents : int, default 5
        Documents in the largest worlds that are tried, 1 to 8.

    Returns
    -------
    mapping
        From ``bounded``, ``monotonic``, ``convergent``, ``top_weighted``, ``localized``,
        ``complete``, ``realizable`` (Moffat 2013, section 4, in that order) to a `Finding`.

    Examples
    --------
    >>> found = metric_properties("RR")
    >>> [name for name, finding in found.items() if not finding.holds]
    ['convergent', 'top_weighted']
    >>> found["convergent"].witness.rankings
    ('101', '110')
    """
    check_whole("documents", documents, caller="metric_properties", most=MAX_DOCUMENTS)
    return _search(name, documents)


@lru_cache(maxsize=128)
def _search(name: str, documents: int) -> MappingProxyType[str, Finding]:
    call = parse_metric(name, bare=True)
    scores = {size: _score_all(call, size) for size in range(1, documents + 1)}
    findings = {}
    for title, look in _PROPERTIES.items():
        found = (look(scores[size], size) for size in scores)
        witness = next((witness for witness in found if witness is not None), None)
        findings[title] = Finding(witness is None, 2**documents, witness)
    return MappingProxyType(findings)


def worlds_of(documents: int) -> list[World]:
    """List all worlds of so many documents, those with few relevant ones first."""
    return sorted(
        product((0, 1), repeat=documents), key=lambda world: (sum(world), world[::-1])
    )


def _score_all(call: MetricCall, documents: int) -> Scores:
    """Score every world of one size at every cutoff."""
    worlds = worlds_of(documents)
    grades = np.array(worlds, dtype=np.int8)
    num_rel = grades.sum(axis=1, dtype=np.int64)
    counts = np.stack([documents - num_rel, num_rel], axis=1)
    scores: Scores = {}
    for cutoff in range(1, documents + 1):
        judged = Judged(grades[:, :cutoff].copy(), counts, np.array([0.0, 1.0]))
        arguments = dict(call.params)
        if call.spec.cutoff != "none":
            arguments["cutoff"] = cutoff
        found: Floats = call.spec.values(judged, **arguments)
        scores.update(
            ((world, cutoff), float(value))
            for world, value in zip(worlds, found, strict=True)
        )
    return scores


def _witness(scores: Scores, cases: list[tuple[World, int]], explanation: str) -> Witness:
    return Witness(
        rankings=tuple("".join(map(str, world)) for world, _ in cases),
        cutoffs=tuple(cutoff for _, cutoff in cases),
        scores=tuple(scores[case] for case in cases),
        explanation=explanation,
    )


def _unbounded(scores: Scores, _: int) -> Witness | None:
    for case, score in scores.items():
        if score > 1.0 + _TINY:
            return _witness(scores, [case], f"the score {score:.4f} is above 1")
    return None


def _not_monotonic(scores: Scores, documents: int) -> Witness | None:
    for world, cutoff in _cases(documents):
        if cutoff < documents and scores[world, cutoff + 1] < scores[world, cutoff] - _TINY:
            text = f"one rank more, and the score falls (from k = {cutoff} to {cutoff + 1})"
            return _witness(scores, [(world, cutoff), (world, cutoff + 1)], text)
    return None


def _not_convergent(scores: Scores, documents: int) -> Witness | None:
    """Swap a relevant document from below k with a nonrelevant one within the top k."""
    for world, cutoff in _cases(documents):
        for upper in range(cutoff):
            for lower in range(cutoff, documents):
                found = _no_rise(scores, world, cutoff, (upper, lower))
                if found is not None:
                    return found
    return None


def _not_top_weighted(scores: Scores, documents: int) -> Witness | None:
    """Swap a relevant document within the top k with a nonrelevant one above it."""
    for world, cutoff in _cases(documents):
        for upper in range(cutoff):
            for lower in range(upper + 1, cutoff):
                found = _no_rise(scores, world, cutoff, (upper, lower))
                if found is not None:
                    return found
    return None


def _no_rise(
    scores: Scores, world: World, cutoff: int, ranks: tuple[int, int]
) -> Witness | None:
    upper, lower = ranks
    if (world[upper], world[lower]) != (0, 1):
        return None
    swapped = list(world)
    swapped[upper], swapped[lower] = 1, 0
    after = (tuple(swapped), cutoff)
    if scores[after] <= scores[world, cutoff] + _TINY:
        text = (
            f"the relevant document at rank {lower + 1} changes places with the nonrelevant "
            f"one at rank {upper + 1}, and the score does not rise"
        )
        return _witness(scores, [(world, cutoff), after], text)
    return None


def _not_localized(scores: Scores, documents: int) -> Witness | None:
    """Compare worlds that begin alike; two scores are better to show than one undefined."""
    cases = list(_cases(documents))
    defined = [case for case in cases if not np.isnan(scores[case])]
    for chosen in (defined, cases):
        seen: dict[World, tuple[World, int]] = {}
        for world, cutoff in chosen:
            first = seen.setdefault(world[:cutoff], (world, cutoff))
            if not _same(scores[first], scores[world, cutoff]):
                text = f"the same first {cutoff}, but what lies below changes the score"
                return _witness(scores, [first, (world, cutoff)], text)
    return None


def _same(first: float, second: float) -> bool:
    if np.isnan(first) or np.isnan(second):
        return bool(np.isnan(first) and np.isnan(second))
    return abs(first - second) <= _TINY


def _incomplete(scores: Scores, documents: int) -> Witness | None:
    nothing = (0,) * documents
    for cutoff in range(1, documents + 1):
        if np.isnan(scores[nothing, cutoff]):
            return _witness(scores, [(nothing, cutoff)], "nothing is relevant: no score")
    return None


def _not_realizable(scores: Scores, documents: int) -> Witness | None:
    """Look for a number of relevant documents with which the maximum is out of reach."""
    for cutoff in range(1, documents + 1):
        found = {w: s for (w, k), s in scores.items() if k == cutoff and not np.isnan(s)}
        maximum = max(1.0, *found.values(), 0.0)
        best: dict[int, World] = {}
        for world in found:
            rival = best.setdefault(sum(world), world)
            if found[world] > found[rival]:
                best[sum(world)] = world
        for num_rel in range(1, documents + 1):
            if num_rel in best and found[best[num_rel]] < maximum - _TINY:
                text = (
                    f"with {num_rel} relevant of {documents} documents no ranking scores more "
                    f"than this at k = {cutoff}; the maximum is {maximum:.4g}"
                )
                return _witness(scores, [(best[num_rel], cutoff)], text)
    return None


def _cases(documents: int) -> Iterator[tuple[World, int]]:
    """Go through the worlds of one size at every cutoff, small cutoffs first."""
    worlds = worlds_of(documents)
    return ((world, cutoff) for cutoff in range(1, documents + 1) for world in worlds)


_PROPERTIES: Final[dict[str, Callable[[Scores, int], Witness | None]]] = {
    "bounded": _unbounded,
    "monotonic": _not_monotonic,
    "convergent": _not_convergent,
    "top_weighted": _not_top_weighted,
    "localized": _not_localized,
    "complete": _incomplete,
    "realizable": _not_realizable,
}
