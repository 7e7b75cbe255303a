"""Judged rankings: the one type that every metric scores.

A `Judged` holds one ranking or a batch of them; the last axis is the rank. Grades are
stored as small codes, and one table says which grade a code stands for, so fractional gains
and unusual grade scales need no special treatment.

Most documents of a run are nonrelevant or unjudged, so metrics work on `Cells`: the few
places of a batch that hold a document with a gain.
"""

import math
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any, Final, Self, TypeAlias

import numpy as np
import numpy.typing as npt

UNJUDGED: Final = -1
PAST_END: Final = -2

Floats: TypeAlias = npt.NDArray[np.float64]
Ints: TypeAlias = npt.NDArray[np.int64]
Codes: TypeAlias = npt.NDArray[np.int8]
Index: TypeAlias = (
    int | slice | npt.NDArray[np.intp] | tuple[int | slice | npt.NDArray[np.intp], ...]
)


@dataclass(frozen=True, eq=False)
class Judged:
    """Rankings with the judgments of their documents and of their topics.

    Attributes
    ----------
    grades : int8 array, shape (..., depth)
        Code of each document: ``0 ... len(values) - 1``, `UNJUDGED`, or `PAST_END` for a
        rank after the end of a short ranking.
    grade_counts : int array, shape (..., len(values))
        Judged documents of the whole topic by code, retrieved or not.
    values : float array
        The grade each code stands for, ascending; the first is 0, the last the top grade.
    min_code : int
        The smallest code that binary metrics count as relevant.
    tie_groups : int array or None
        A number per rank; ranks with equal numbers are tied. None where nothing is tied.
    """

    grades: Codes
    grade_counts: npt.NDArray[np.int64]
    values: Floats
    min_code: int = 1
    tie_groups: npt.NDArray[np.int64] | None = None

    def __post_init__(self) -> None:
        for array in (self.grades, self.grade_counts, self.values, self.tie_groups):
            if array is not None:
                array.setflags(write=False)

    @property
    def depth(self) -> int:
        """Number of ranks."""
        return int(self.grades.shape[-1])

    @property
    def top_grade(self) -> float:
        """Largest grade; its gain is 1."""
        return float(self.values[-1])

    @cached_property
    def relevant(self) -> npt.NDArray[np.bool_]:
        """Whether the document at each rank counts as relevant for binary metrics."""
        return np.asarray(self.grades >= self.min_code)

    @cached_property
    def nonrelevant(self) -> npt.NDArray[np.bool_]:
        """Whether the document at each rank is judged and not relevant."""
        judged: npt.NDArray[np.bool_] = np.asarray(self.grades >= 0)
        return np.asarray(judged & ~self.relevant)

    @cached_property
    def unjudged(self) -> npt.NDArray[np.bool_]:
        """Whether the document at each rank has no judgment."""
        return np.asarray(self.grades == UNJUDGED)

    @cached_property
    def num_rel(self) -> npt.NDArray[np.int64]:
        """Judged relevant documents of the topic (R)."""
        return np.asarray(self.grade_counts[..., self.min_code :].sum(axis=-1))

    @cached_property
    def num_nonrel(self) -> npt.NDArray[np.int64]:
        """Judged nonrelevant documents of the topic (N)."""
        return np.asarray(self.grade_counts[..., : self.min_code].sum(axis=-1))

    @cached_property
    def gains(self) -> Floats:
        """Grade over top grade at each rank; 0 where unjudged or past the end."""
        padded = np.append(self.values / self.top_grade, [0.0, 0.0])
        return padded[self.grades]  # codes -1 and -2 index the two zeros

    @cached_property
    def judged_cells(self) -> "Cells":
        """The places with a judged document."""
        return Cells.where(self.grades, self.grades >= 0)

    @cached_property
    def gain_cells(self) -> "Cells":
        """The places with a document of a grade above 0."""
        return Cells.where(self.grades, self.grades > 0)

    @cached_property
    def relevant_cells(self) -> "Cells":
        """The places with a document that is relevant for binary metrics."""
        if self.min_code == 1:
            return self.gain_cells
        return Cells.where(self.grades, self.relevant)

    def __getitem__(self, index: Index) -> Self:
        """Pick rankings out of a batch."""
        ties = None if self.tie_groups is None else np.asarray(self.tie_groups[index])
        grades = np.asarray(self.grades[index])
        counts = np.broadcast_to(
            self.grade_counts, (*self.grades.shape[:-1], self.grade_counts.shape[-1])
        )
        return replace(
            self, grades=grades, grade_counts=np.asarray(counts[index]), tie_groups=ties
        )

    def cut(self, cutoff: int | None) -> Self:
        """Keep the first `cutoff` ranks; what is known of the topic stays."""
        if cutoff is None or cutoff >= self.depth:
            return self
        ties = None if self.tie_groups is None else self.tie_groups[..., :cutoff]
        return replace(self, grades=self.grades[..., :cutoff], tie_groups=ties)

    def condensed(self) -> Self:
        """Remove the unjudged documents; the rest move up (Sakai 2007)."""
        order = np.argsort(self.unjudged, axis=-1, kind="stable")
        grades = np.take_along_axis(self.grades, order, axis=-1)
        grades[grades == UNJUDGED] = PAST_END
        used = int((grades != PAST_END).sum(axis=-1).max(initial=0))
        ties = self.tie_groups
        if ties is not None:
            ties = np.take_along_axis(ties, order, axis=-1)[..., :used]
        return replace(self, grades=grades[..., :used], tie_groups=ties)


@dataclass(frozen=True, eq=False)
class Cells:
    """Some places of a batch of rankings, ranking by ranking, each from the top down.

    Attributes
    ----------
    shape : tuple of int
        Shape of the batch, the depth last.
    rows : int array
        Which ranking of the (flattened) batch each place is in.
    ranks : int array
        Rank of each place, counted from 1.
    codes : int8 array
        Code of the document there.
    """

    shape: tuple[int, ...]
    rows: npt.NDArray[np.int64]
    ranks: npt.NDArray[np.int64]
    codes: Codes

    @classmethod
    def where(cls, grades: Codes, chosen: npt.NDArray[np.bool_]) -> "Cells":
        """Take the places of `grades` that are `chosen`."""
        places = np.flatnonzero(chosen)
        rows, columns = np.divmod(places, max(grades.shape[-1], 1))
        return cls(grades.shape, rows, columns + 1, grades.ravel()[places])

    def keep(self, chosen: npt.NDArray[np.bool_]) -> "Cells":
        """Take the chosen ones of these places."""
        return Cells(self.shape, self.rows[chosen], self.ranks[chosen], self.codes[chosen])

    def upto(self, cutoff: int | None) -> "Cells":
        """Take the places with a rank of at most `cutoff`."""
        if cutoff is None or cutoff >= self.shape[-1]:
            return self
        return self.keep(self.ranks <= cutoff)

    @cached_property
    def starts(self) -> npt.NDArray[np.int64]:
        """Index at which the places of each ranking begin."""
        return np.searchsorted(self.rows, np.arange(self.num_rows))

    @property
    def num_rows(self) -> int:
        """Number of rankings in the batch."""
        return math.prod(self.shape[:-1])

    @cached_property
    def ordinals(self) -> npt.NDArray[np.int64]:
        """1 for the first of these places in its ranking, 2 for the second, and so on."""
        return np.arange(1, len(self.rows) + 1) - self.starts[self.rows]

    @cached_property
    def first(self) -> npt.NDArray[np.bool_]:
        """Whether each place is the first of its ranking."""
        return np.diff(self.rows, prepend=-1) > 0

    def running(self, terms: Floats) -> Floats:
        """Sum `terms` from the first place of the ranking to each place."""
        sums = np.concatenate(([0.0], np.cumsum(terms)))
        return np.asarray(sums[1:] - sums[self.starts[self.rows]])

    def count(self) -> npt.NDArray[np.int64]:
        """Count the places of each ranking."""
        counts = np.bincount(self.rows, minlength=self.num_rows)
        return np.asarray(counts.reshape(self.shape[:-1]))

    def total(self, terms: Floats) -> Floats:
        """Add up `terms`, one a place, for each ranking."""
        sums = np.bincount(self.rows, weights=terms, minlength=self.num_rows)
        # without any place bincount gives whole numbers
        return np.asarray(sums.reshape(self.shape[:-1]), dtype=np.float64)

    def spread(self, terms: Floats) -> Floats:
        """Put `terms` at their ranks; 0 elsewhere."""
        spread = np.zeros((self.num_rows, self.shape[-1]))
        spread[self.rows, self.ranks - 1] = terms
        return np.asarray(spread.reshape(self.shape))

    def of_row(self, per_ranking: npt.NDArray[np.generic]) -> npt.NDArray[Any]:
        """Look up, for each place, the entry of its ranking in `per_ranking`."""
        broadcast = np.broadcast_to(per_ranking, self.shape[:-1])
        return np.asarray(broadcast.ravel()[self.rows])
