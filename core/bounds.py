"""The range of a score over every way the unjudged documents could be judged.

With m of the u unjudged documents relevant, everything a metric divides by is fixed. If the
score never falls when a relevant document moves up past a nonrelevant one, then the best place
for the m is the highest unjudged ranks and the worst the lowest, so 2(u + 1) candidates give
the range. Otherwise all 2^u completions are scored, where they are few enough.
"""

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, replace
from typing import Final
from weakref import WeakKeyDictionary

import numpy as np
import numpy.typing as npt

from core.judged import Floats, Judged

MAX_UNJUDGED: Final = 2_000
MAX_ENUMERATED: Final = 12
_BLOCK_BYTES: Final = 64_000_000
_BYTES_A_CELL: Final = 40  # what scoring one cell of a candidate takes at the most

# Twenty metrics of one ranking look at the same candidates; they go when the ranking goes.
_extremes: Final[WeakKeyDictionary[Judged, Judged]] = WeakKeyDictionary()


@dataclass(frozen=True)
class Range:
    """Least and greatest score; nan, and the reason, where they are not known."""

    lower: float
    upper: float
    left_out: bool = False
    reason: str = ""


def searched_range(
    judged: Judged, values: Callable[[Judged], Floats], *, rises: bool
) -> Range:
    """Score the completions of one ranking that can be extreme."""
    unjudged = int(judged.unjudged.sum())
    if unjudged > MAX_UNJUDGED:
        return _unknown(f"more than {MAX_UNJUDGED:,} unjudged documents")
    if not rises and unjudged > MAX_ENUMERATED:
        return _unknown(
            f"a relevant document moved up can lower this score, and {unjudged} unjudged "
            f"documents are too many to try them all (at most {MAX_ENUMERATED})"
        )
    blocks = _extreme(judged) if rises else _completions(judged, _enumeration(unjudged))
    return range_of(np.concatenate([values(block) for block in blocks]))


def range_of(scores: Floats) -> Range:
    """Take the least and greatest of the scores that are defined."""
    defined = scores[~np.isnan(scores)]
    if not len(defined):
        return _unknown("no way of judging the rest makes this score defined")
    left_out = len(defined) < len(scores)
    return Range(float(defined.min()), float(defined.max()), left_out)


def _unknown(reason: str) -> Range:
    return Range(float("nan"), float("nan"), reason=reason)


def _extreme(judged: Judged) -> Iterable[Judged]:
    """Give the completions that can be extreme; kept where they are one block."""
    kept = _extremes.get(judged)
    if kept is not None:
        return (kept,)
    chosen = _candidates(int(judged.unjudged.sum()))
    blocks = _completions(judged, chosen)
    if len(chosen) <= _rows_of_a_block(judged):
        return (_extremes.setdefault(judged, next(blocks)),)
    return blocks


def _candidates(unjudged: int) -> npt.NDArray[np.bool_]:
    """Which unjudged documents are relevant: the m highest, then the m lowest."""
    m = np.arange(unjudged + 1)[:, np.newaxis]
    place = np.arange(unjudged)
    return np.concatenate([place < m, place >= unjudged - m[1:-1]])


def _enumeration(unjudged: int) -> npt.NDArray[np.bool_]:
    numbers = np.arange(2**unjudged)[:, np.newaxis]
    return np.asarray((numbers >> np.arange(unjudged)) % 2 == 1)


def _completions(judged: Judged, chosen: npt.NDArray[np.bool_]) -> Iterator[Judged]:
    """Judge the unjudged documents in each of the chosen ways, in blocks of bounded size."""
    rows = _rows_of_a_block(judged)
    places = np.flatnonzero(judged.unjudged)
    top = len(judged.values) - 1
    for start in range(0, len(chosen), rows):
        block = chosen[start : start + rows]
        grades = np.repeat(judged.grades[np.newaxis], len(block), axis=0)
        grades[:, places] = np.where(block, np.int8(top), np.int8(0))
        counts = np.repeat(judged.grade_counts[np.newaxis], len(block), axis=0)
        counts[:, top] += block.sum(axis=1)
        counts[:, 0] += (~block).sum(axis=1)
        yield replace(judged, grades=grades, grade_counts=counts, tie_groups=None)


def _rows_of_a_block(judged: Judged) -> int:
    return max(1, _BLOCK_BYTES // (_BYTES_A_CELL * judged.depth))
