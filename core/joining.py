"""Joins runs with judgments: which judged document stands at each rank of each run."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Final, TypeAlias

import numpy as np
import numpy.typing as npt

from core.columns import Floats, Ids, Ints
from core.errors import InputError, LimitError
from core.judged import PAST_END, UNJUDGED, Cells
from core.limits import Limits
from core.ordering import JudgedDocuments, RankedRun, order_run
from core.progress import Progress
from core.report import Report, RunReport
from core.sources import Source
from core.trec import Qrels, Run, read_run
from core.validation import check_positive

RunSource: TypeAlias = Source | Run
RunSources: TypeAlias = Sequence[RunSource] | Mapping[str, RunSource]

KnownCells: TypeAlias = tuple[Cells, npt.NDArray[np.int32]]

_TOP: Final = 10


def read_runs(runs: RunSources, *, limits: Limits, progress: Progress | None) -> list[Run]:
    """Read runs, each with a name of its own.

    Parameters
    ----------
    runs : sequence of sources, or mapping of name to source
        Paths, bytes, open binary files, or runs read before.
    limits : Limits
        Sizes above which input is refused.
    progress : callable or None
        Called with the share done and a text; may raise to cancel.
    """
    if isinstance(runs, str | bytes) or not isinstance(runs, Sequence | Mapping):
        msg = f"runs: a list of files or {{name: file}} is expected; got {type(runs).__name__}."
        raise InputError(msg)
    if not runs or len(runs) > limits.runs:
        msg = f"runs: from 1 to {limits.runs:,} runs are expected; got {len(runs):,}."
        raise (LimitError if runs else InputError)(msg)
    if isinstance(runs, Mapping):
        named: list[tuple[str | None, RunSource]] = list(runs.items())
    else:
        named = [(None, source) for source in runs]
    loaded: list[Run] = []
    for name, source in named:
        if isinstance(source, Run):
            run = source if name is None else replace(source, name=name)
        else:
            run = read_run(source, name, limits=limits)
        loaded.append(run)
        if progress is not None:
            progress(len(loaded) / len(named), f"{run.name} read")
    return _with_own_names(loaded)


def _with_own_names(runs: Sequence[Run]) -> list[Run]:
    """Add the tag to names that files share; refuse what still collides."""
    names = [run.name for run in runs]
    renamed = [
        replace(run, name=f"{run.name} ({run.tag})") if names.count(run.name) > 1 else run
        for run in runs
    ]
    own = [run.name for run in renamed]
    for name in own:
        if own.count(name) > 1:
            msg = f"two runs are called {name!r}. Rename a file, or leave one out."
            raise InputError(msg)
    return renamed


def grade_values(qrels: Qrels, top_grade: float | None, limits: Limits) -> Floats:
    """Make the table of grades, from 0 to the top grade."""
    present = np.unique(qrels.grades)
    largest = float(present.max(initial=0.0))
    top = max(largest, 1.0)
    if top_grade is not None:
        top = check_positive("top_grade", top_grade, caller="collection")
        if top < largest:
            msg = f"top_grade must be at least {largest:g}, the largest grade; got {top_grade}."
            raise InputError(msg)
    if not qrels.is_fractional and top <= limits.grades and top == int(top):
        return np.arange(int(top) + 1, dtype=np.float64)
    values = np.unique(np.concatenate(([0.0, top], present)))
    if len(values) > limits.grades + 1:
        msg = (
            f"{len(values):,} different grades are above the limit of {limits.grades}; "
            "merge some of them."
        )
        raise LimitError(msg)
    return values


def smallest_relevant(qrels: Qrels, values: Floats, min_rel: float) -> int:
    """Find the smallest code that counts as relevant."""
    check_positive("min_rel", min_rel, caller="collection")
    if qrels.is_fractional and min_rel == 1:
        return 1  # grades are gains, and relevant is a gain above 0
    return int(np.searchsorted(values, min_rel))


class Join:
    """Judged documents, and where the runs have them."""

    def __init__(
        self,
        qrels: Qrels,
        values: Floats,
        score_type: np.dtype[np.floating],
        *,
        shared: bool,
    ) -> None:
        order = np.argsort(qrels.topic_codes, kind="stable")
        codes = qrels.topic_codes[order]
        self.documents = JudgedDocuments(qrels.documents[order], codes)
        self.labels = np.searchsorted(values, qrels.grades[order]).astype(np.int8)
        self.topic_starts = np.searchsorted(codes, np.arange(len(qrels.topics) + 1))
        self.docs: npt.NDArray[np.int32] = np.empty(
            (0, len(qrels.topics), 1), dtype=np.int32
        )
        self.tie_groups: Ints | None = None
        self.listed_ids: list[Ids] = []
        self._qrels = qrels
        self._score_type = score_type
        self._shared = shared
        self._reports: list[RunReport] = []
        self._known: list[tuple[Ints, Ints, npt.NDArray[np.int32]]] = []

    def add(self, runs: Sequence[Run], limits: Limits) -> None:
        """Fill the tensor with the runs."""
        depth = _check_size(runs, self._qrels, limits)
        shape = (len(runs), len(self._qrels.topics), depth)
        self.docs = np.full(shape, PAST_END, dtype=np.int32)
        if self._shared:
            self.tie_groups = np.broadcast_to(np.arange(depth), shape).copy()
        for place, run in enumerate(runs):
            ranked = order_run(run, self._qrels.topics, self._score_type)
            cells = ranked.topics, ranked.ranks
            found = self.documents.find(ranked.documents, ranked.topics)
            self.docs[place][cells] = found
            self._known.append(_known_places(found, ranked, place * shape[1]))
            if self.tie_groups is not None:
                self.tie_groups[place][cells] = ranked.tied_with
            self.listed_ids.append(ranked.documents)
            self._reports.append(self._run_report(run, ranked, self.docs[place]))

    def _run_report(
        self, run: Run, ranked: RankedRun, docs: npt.NDArray[np.int32]
    ) -> RunReport:
        missing = np.flatnonzero(docs[:, 0] == PAST_END)
        top = docs[:, :_TOP]
        shown = int(np.count_nonzero(top != PAST_END))
        return RunReport(
            run=run.name,
            topics=len(docs) - len(missing),
            missing_topics=tuple(self._qrels.topics[place] for place in missing),
            ignored_topics=ranked.ignored_topics,
            documents=len(ranked.documents),
            depth=int(ranked.ranks.max(initial=-1)) + 1,
            tied=ranked.num_tied,
            trailing_text=run.trailing_text,
            unjudged_top10=int(np.count_nonzero(top == UNJUDGED)) / max(shown, 1),
        )

    def known_cells(self) -> KnownCells:
        """Places with a document of the qrels, and its place in `labels`."""
        rows, ranks, documents = (
            np.concatenate(parts) for parts in zip(*self._known, strict=True)
        )
        cells = Cells(self.docs.shape, rows, ranks, self.labels[documents])
        _ = cells.ordinals  # worked out here, once for every experiment
        return cells, documents

    def report(self, min_code: int) -> Report:
        """Say what was found and left out."""
        relevant = np.concatenate(([0], np.cumsum(self.labels >= min_code)))
        num_rel = relevant[self.topic_starts[1:]] - relevant[self.topic_starts[:-1]]
        topics = self._qrels.topics
        return Report(
            runs=tuple(self._reports),
            judgments=len(self.labels),
            topics=len(topics),
            topics_without_relevant=tuple(
                topic for topic, count in zip(topics, num_rel, strict=True) if not count
            ),
            negative_grades=self._qrels.num_negative,
            repeated_judgments=self._qrels.num_repeated,
        )


def _known_places(
    found: npt.NDArray[np.int32], ranked: RankedRun, first_row: int
) -> tuple[Ints, Ints, npt.NDArray[np.int32]]:
    """Ranking, rank from 1 and document of each place of a run that the qrels know."""
    known = np.flatnonzero(found >= 0)
    return ranked.topics[known] + first_row, ranked.ranks[known] + 1, found[known]


def _check_size(runs: Sequence[Run], qrels: Qrels, limits: Limits) -> int:
    """Return the length of the longest ranking, or raise if the tensor would be too large."""
    depth = 1
    judged_topics = set(qrels.topics)
    for run in runs:
        judged = np.array([topic in judged_topics for topic in run.topics])
        lengths = np.bincount(run.topic_codes, minlength=len(run.topics))[judged]
        longest = int(lengths.max(initial=0))
        if longest > limits.depth:
            msg = (
                f"{run.name}: a ranking of {longest:,} documents is above the limit of "
                f"{limits.depth:,}. Cut the run at that depth."
            )
            raise LimitError(msg)
        depth = max(depth, longest)
    cells = len(runs) * len(qrels.topics) * depth
    if cells > limits.cells:
        msg = (
            f"{len(runs)} runs x {len(qrels.topics)} topics x {depth} documents are above the "
            f"limit of {limits.cells:,}. Load fewer runs or cut them at a smaller depth."
        )
        raise LimitError(msg)
    return depth
