"""Runs and judgments as one tensor, from which every experiment follows.

A collection keeps, for every run, topic and rank, which judged document stands there. An experiment
that changes the judgments (a shallower pool, fewer judgments) only replaces the grades of those
documents; the runs are never read or joined again. The topics, the order of a ranking and what a
missing topic counts are decided here.
"""

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Final, Literal, TypeAlias

import numpy as np
import numpy.typing as npt
import pandas as pd

from core.columns import Floats, Ids, Ints
from core.errors import ParameterError
from core.joining import (
    Join,
    KnownCells,
    RunSources,
    grade_values,
    read_runs,
    smallest_relevant,
)
from core.judged import PAST_END, UNJUDGED, Cells, Codes, Judged
from core.limits import DEFAULT_LIMITS, Limits
from core.metrics.naming import MetricCall, parse_metric
from core.metrics.spec import Score
from core.progress import Progress, part_of
from core.report import Report
from core.sources import Source
from core.trec import Qrels, decode, read_qrels

Topics: TypeAlias = Literal["all", "present"]
Flags: TypeAlias = npt.NDArray[np.bool_]

_TIES: Final = ("docid", "shared")
_SCORE_TYPES: Final = ("float32", "float64")


@dataclass(frozen=True, eq=False)
class Collection:
    """Runs on common topics, and the judgments of those topics.

    Make one with `from_files`; arrays are read-only.

    Attributes
    ----------
    run_ids, topic_ids : tuple of str
        Names; the topics are those of the judgments, in their order.
    docs : int32 array, shape (runs, topics, depth)
        Which judged document stands at each rank: its place in `labels`; -1 where the document
        was never judged, -2 after the end of a ranking.
    labels : int8 array
        Code of the grade of each judged document, topic after topic; -1 where an experiment
        took the judgment away.
    topic_starts : int array
        Where each topic begins in `labels`, and one entry for the end.
    values : float array
        The grade each code stands for, from 0 to the top grade.
    min_code : int
        The smallest code that counts as relevant for binary metrics.
    tie_groups : int array or None
        Where ties are shared, ranks with equal numbers are tied.
    judged_ids : bytes array
        Ids of the judged documents.
    listed_ids : tuple of bytes arrays
        Ids of the documents of each run, topic after topic, from the top down.
    report : Report
        What was left out, and why.
    """

    run_ids: tuple[str, ...]
    topic_ids: tuple[str, ...]
    docs: npt.NDArray[np.int32]
    labels: Codes
    topic_starts: Ints
    values: Floats
    min_code: int
    tie_groups: Ints | None
    judged_ids: Ids
    listed_ids: tuple[Ids, ...]
    report: Report

    def __post_init__(self) -> None:
        arrays = (self.docs, self.labels, self.topic_starts, self.values, self.tie_groups)
        for array in (*arrays, self.judged_ids, *self.listed_ids):
            if array is not None:
                array.setflags(write=False)

    @classmethod
    def from_files(  # noqa: PLR0913 - the public signature
        cls,
        runs: RunSources,
        qrels: Source | Qrels,
        *,
        min_rel: float = 1,
        top_grade: float | None = None,
        ties: str = "docid",
        score_type: str = "float32",
        progress: Progress | None = None,
        limits: Limits = DEFAULT_LIMITS,
    ) -> "Collection":
        r"""Read runs and judgments and join them.

        Parameters
        ----------
        runs : sequence of sources, or mapping of name to source
            Paths, bytes, open binary files, or runs read before.
        qrels : source
            The judgments, likewise.
        min_rel : float, default 1
            Smallest grade that binary metrics count as relevant. Where grades are gains between
            0 and 1, the default counts every gain above 0.
        top_grade : float, optional
            Grade with gain 1; by default the largest in the judgments.
        ties : {"docid", "shared"}
            Order documents of equal score by id, descending, as trec_eval; or let RBP share
            their weight (Moffat & Zobel 2008, section 4.7).
        score_type : {"float32", "float64"}
            How scores are compared; published figures use float32.
        progress : callable, optional
            Called with the share done and a text; may raise to cancel.
        limits : Limits, optional
            Sizes above which input is refused.

        Returns
        -------
        Collection
            All topics of the judgments; a run without a topic scores 0 there.

        Raises
        ------
        InputError
            A file cannot be read, runs share a name, or no topic is common to both sides.
        LimitError
            A file or the collection is too large.

        Examples
        --------
        >>> collection = Collection.from_files(
        ...     {"bm25": b"1 Q0 a 1 9.5 x\n1 Q0 b 2 8.1 x\n1 Q0 c 3 7.7 x\n"},
        ...     b"1 0 a 1\n1 0 b 0\n1 0 c 1\n",
        ... )
        >>> round(float(collection.mean("AP").value[0]), 4)
        0.8333
        """
        _check_choice("ties", ties, _TIES)
        _check_choice("score_type", score_type, _SCORE_TYPES)
        judgments = qrels if isinstance(qrels, Qrels) else read_qrels(qrels, limits=limits)
        loaded = read_runs(runs, limits=limits, progress=progress)
        values = grade_values(judgments, top_grade, limits)
        min_code = smallest_relevant(judgments, values, min_rel)
        joined = Join(judgments, values, np.dtype(score_type), shared=ties == "shared")
        joined.add(loaded, limits)
        collection = cls(
            run_ids=tuple(run.name for run in loaded),
            topic_ids=judgments.topics,
            docs=joined.docs,
            labels=joined.labels,
            topic_starts=joined.topic_starts,
            values=values,
            min_code=min_code,
            tie_groups=joined.tie_groups,
            judged_ids=joined.documents.ids,
            listed_ids=tuple(joined.listed_ids),
            report=joined.report(min_code),
        )
        # reading has found them already; looking for them again would take long
        vars(collection)["known_cells"] = joined.known_cells()
        return collection

    @property
    def depth(self) -> int:
        """Length of the longest ranking."""
        return int(self.docs.shape[-1])

    @property
    def gains(self) -> Floats:
        """Gain of each code: its grade over the top grade."""
        return np.asarray(self.values / self.values[-1])

    @property
    def num_judged(self) -> int:
        """Judgments in use, over all topics."""
        return int((self.labels >= 0).sum())

    @cached_property
    def missing(self) -> Flags:
        """Whether each run has no ranking for each topic; shape (runs, topics)."""
        return np.asarray((self.docs[..., :1] == PAST_END).all(axis=-1))

    @cached_property
    def grade_counts(self) -> Ints:
        """Judged documents by topic and code."""
        topics, codes = len(self.topic_ids), len(self.values)
        of_topic = np.repeat(np.arange(topics), np.diff(self.topic_starts))
        kept = self.labels >= 0
        places = of_topic[kept] * codes + self.labels[kept]
        return np.asarray(
            np.bincount(places, minlength=topics * codes).reshape(topics, codes)
        )

    @cached_property
    def judged(self) -> Judged:
        """All rankings as one batch of shape (runs, topics, depth)."""
        padded = np.append(self.labels, np.array([PAST_END, UNJUDGED], dtype=np.int8))
        return self._batch(padded[self.docs], self.judged_cells, self.tie_groups)

    @cached_property
    def condensed(self) -> Judged:
        """All rankings without their unjudged documents (Sakai 2007)."""
        if self.tie_groups is not None:
            return self.judged.condensed()
        cells = self.judged_cells
        shape = (*self.docs.shape[:-1], int(cells.ordinals.max(initial=1)))
        grades = np.full((cells.num_rows, shape[-1]), PAST_END, dtype=np.int8)
        grades[cells.rows, cells.ordinals - 1] = cells.codes
        moved_up = Cells(shape, cells.rows, cells.ordinals, cells.codes)
        return self._batch(grades.reshape(shape), moved_up, None)

    def _batch(self, grades: Codes, cells: Cells, ties: Ints | None) -> Judged:
        """Make a batch that knows its judged places: looking for them again would take long."""
        judged = Judged(grades, self.grade_counts, self.values, self.min_code, ties)
        vars(judged)["judged_cells"] = cells
        vars(judged)["gain_cells"] = pick(cells, cells.codes > 0)
        return judged

    @cached_property
    def known_cells(self) -> KnownCells:
        """Places with a document of the qrels, and its place in `labels`; codes are as read."""
        found = self.docs.reshape(-1, self.depth) >= 0
        places = np.flatnonzero(found)
        rows = np.repeat(np.arange(len(found)), np.count_nonzero(found, axis=1))
        documents = self.docs.ravel()[places]
        ranks = places - rows * self.depth + 1
        return Cells(self.docs.shape, rows, ranks, self.labels[documents]), documents

    @cached_property
    def judged_cells(self) -> Cells:
        """Places with a document that is judged."""
        cells, documents = self.known_cells
        labels = self.labels[documents]
        current = Cells(cells.shape, cells.rows, cells.ranks, labels)
        if not self._all_judged:
            return pick(current, labels >= 0)
        vars(current)["ordinals"] = cells.ordinals  # the places are the same
        return current

    @cached_property
    def judged_documents(self) -> npt.NDArray[np.int32]:
        """For each of the `judged_cells` its document's place in `labels`."""
        documents = self.known_cells[1]
        return documents if self._all_judged else documents[self.labels[documents] >= 0]

    @property
    def _all_judged(self) -> bool:
        return bool((self.labels >= 0).all())

    @cached_property
    def num_unjudged(self) -> Ints:
        """Unjudged documents of each ranking; shape (runs, topics)."""
        return np.asarray(np.count_nonzero(self.judged.grades == UNJUDGED, axis=-1))

    @cached_property
    def digest(self) -> str:
        """SHA-256 of everything that can change a score: a key for caches."""
        digest = hashlib.sha256(
            repr((self.run_ids, self.topic_ids, self.min_code)).encode()
        )
        for array in (
            self.docs,
            self.labels,
            self.topic_starts,
            self.values,
            self.tie_groups,
        ):
            if array is not None:
                digest.update(repr(array.shape).encode())
                digest.update(np.ascontiguousarray(array).data)
        return digest.hexdigest()

    def scores(
        self,
        metric: str,
        *,
        ranges: bool = False,
        progress: Progress | None = None,
    ) -> Score:
        """Score every run on every topic.

        Parameters
        ----------
        metric : str
            Such as ``"AP"`` or ``"RBP(p=0.8)"``.
        ranges : bool, default False
            Find the range of metrics without a tail too, which takes longer.
        progress : callable, optional
            Called with the share done and a text; may raise to cancel.

        Returns
        -------
        Score
            Arrays of shape (runs, topics). A run without the topic has value 0, with range
            [0, 1] for RBP and its kin and [0, 0] otherwise; nan where the topic leaves the
            metric undefined.
        """
        call = parse_metric(metric)
        if call.condensed and not ranges:
            judged, call = self.condensed, replace(call, condensed=False)
        else:
            judged = self.judged
        if call.spec.has_tail:
            found = call.score(judged)
            value, lower, upper = (
                np.array(part) for part in (found.value, found.lower, found.upper)
            )
        elif ranges:
            value, lower, upper = self._ranges(call, progress)
        else:
            value = np.array(call.values(judged))
            lower, upper = np.full_like(value, np.nan), np.full_like(value, np.nan)
        if self.missing.any():
            zero = np.where(self._defined(call), 0.0, np.nan)
            zeros = np.broadcast_to(zero, value.shape)[self.missing]
            value[self.missing] = zeros
            if call.spec.has_tail or ranges:
                lower[self.missing] = zeros
                upper[self.missing] = zeros + call.spec.has_tail
        return Score(value, lower, upper)

    def evaluate(
        self,
        metrics: str | Sequence[str],
        *,
        topics: Topics = "all",
        ranges: bool = False,
        progress: Progress | None = None,
    ) -> pd.DataFrame:
        """Score every run on every topic by several metrics.

        Parameters
        ----------
        metrics : str or sequence of str
            Names of metrics.
        topics : {"all", "present"}
            All topics of the judgments, or for each run the topics that it has.
        ranges : bool, default False
            Fill `lower` and `upper` for all metrics, not only for RBP and its kin.
        progress : callable, optional
            Called with the share done and a text; may raise to cancel.

        Returns
        -------
        DataFrame
            Columns run, topic, metric, value, lower, upper, num_unjudged; nan where undefined
            or not known.
        """
        _check_choice("topics", topics, ("all", "present"))
        names = metric_names(metrics)
        scores = self._all_scores(names, ranges=ranges, progress=progress)
        shape = (len(self.run_ids), len(self.topic_ids), len(names))
        run, topic, metric = (places.ravel() for places in np.indices(shape))
        columns: dict[str, object] = {
            "run": _text(self.run_ids).take(run),
            "topic": _text(self.topic_ids).take(topic),
            "metric": _text(names).take(metric),
        }
        for part in ("value", "lower", "upper"):
            columns[part] = np.stack(
                [getattr(score, part) for score in scores], axis=-1
            ).ravel()
        columns["num_unjudged"] = np.repeat(self.num_unjudged.ravel(), len(names))
        frame = pd.DataFrame(columns)
        if topics == "present" and self.missing.any():
            frame = frame.loc[~self.missing[run, topic]].reset_index(drop=True)
        return frame

    def mean(
        self,
        metrics: str | Sequence[str],
        *,
        topics: Topics = "all",
        ranges: bool = False,
        progress: Progress | None = None,
    ) -> pd.DataFrame:
        """Average the scores of each run over the topics.

        Parameters
        ----------
        metrics, topics, ranges, progress
            As for `evaluate`.

        Returns
        -------
        DataFrame
            Columns run, metric, value, lower, upper, topics. `topics` says over how many the
            mean is: a topic that leaves the metric undefined is left out. `lower` and `upper`
            are the means of the bounds.
        """
        _check_choice("topics", topics, ("all", "present"))
        names = metric_names(metrics)
        scores = self._all_scores(names, ranges=ranges, progress=progress)
        means = [
            mean_score(score, self.missing if topics == "present" else None)
            for score in scores
        ]
        run, metric = (
            places.ravel() for places in np.indices((len(self.run_ids), len(names)))
        )
        columns: dict[str, object] = {
            "run": _text(self.run_ids).take(run),
            "metric": _text(names).take(metric),
        }
        for place, part in enumerate(("value", "lower", "upper", "topics")):
            columns[part] = np.stack([mean[place] for mean in means], axis=-1).ravel()
        return pd.DataFrame(columns)

    def ranking(self, run: str, topic: str) -> Judged:
        """Take out one ranking, to look at it on its own.

        Parameters
        ----------
        run, topic : str
            Names.

        Returns
        -------
        Judged
            The ranking to its end, with what is known of the topic.
        """
        place = self._place(run, topic)
        judged = self.judged[place]
        return judged.cut(int(np.count_nonzero(judged.grades != PAST_END)))

    def documents(self, run: str, topic: str) -> list[str]:
        """List the document ids of one ranking, from the top down."""
        place, column = self._place(run, topic)
        lengths = np.count_nonzero(self.docs[place] != PAST_END, axis=-1)
        begin = int(lengths[:column].sum())
        ids = self.listed_ids[place][begin : begin + int(lengths[column])]
        return [decode(document) for document in ids.tolist()]

    def with_labels(self, labels: Codes) -> "Collection":
        """Replace the judgments, for the same runs and topics."""
        changed = replace(self, labels=labels)
        for name in ("known_cells", "missing"):  # both depend on the runs alone
            vars(changed)[name] = getattr(self, name)
        return changed

    def only(self, runs: Ints) -> "Collection":
        """Keep the runs at these places, with all judgments."""
        ties = None if self.tie_groups is None else self.tie_groups[runs]
        return replace(
            self,
            run_ids=tuple(self.run_ids[place] for place in runs),
            docs=self.docs[runs],
            tie_groups=ties,
            listed_ids=tuple(self.listed_ids[place] for place in runs),
        )

    def at_pool_depth(
        self, depth: int, contributors: Sequence[str] | None = None
    ) -> "Collection":
        """Keep the judgments that a pool of that depth would have.

        Parameters
        ----------
        depth : int
            How many documents each contributing run gives to the pool. From the length of the
            longest ranking on, judged documents that no run retrieves stay judged too.
        contributors : sequence of str, optional
            Names of the runs that give documents to the pool; by default all.

        Returns
        -------
        Collection
            The same runs with fewer judgments.
        """
        from core.pooling import labels_at_depth  # here: pooling builds on this module

        return self.with_labels(labels_at_depth(self, depth, contributors))

    def leave_out(
        self, runs: str | Sequence[str], *, pool_depth: int | None = None
    ) -> "Collection":
        """Take away the judgments that only these runs contributed.

        The runs stay, and are then scored as newcomers would be.

        Parameters
        ----------
        runs : str or sequence of str
            Names of runs, for example all of one group.
        pool_depth : int, optional
            How many documents of each run the pool took; by default whole rankings count.

        Returns
        -------
        Collection
            The same runs with fewer judgments.
        """
        from core.pooling import labels_without  # here: pooling builds on this module

        return self.with_labels(labels_without(self, runs, pool_depth))

    def run_places(self, runs: str | Sequence[str]) -> Ints:
        """Find runs by name."""
        names = [runs] if isinstance(runs, str) else list(runs)
        unknown = [name for name in names if name not in self.run_ids]
        if unknown or not names:
            got = repr(unknown[0]) if unknown else "none"
            msg = f"runs: names among {', '.join(self.run_ids[:3])}, ... are expected; got {got}."
            raise ParameterError(msg)
        return np.array([self.run_ids.index(name) for name in names], dtype=np.int64)

    def _place(self, run: str, topic: str) -> tuple[int, int]:
        place = int(self.run_places(run)[0])
        if topic not in self.topic_ids:
            msg = f"topic: one of {', '.join(self.topic_ids[:3])}, ... is expected; got {topic!r}."
            raise ParameterError(msg)
        column = self.topic_ids.index(topic)
        if self.missing[place, column]:
            msg = f"run {run} has no ranking for topic {topic}; choose another topic."
            raise ParameterError(msg)
        return place, column

    def _all_scores(
        self, names: Sequence[str], *, ranges: bool, progress: Progress | None
    ) -> list[Score]:
        scores = []
        for place, name in enumerate(names):
            scores.append(
                self.scores(
                    name, ranges=ranges, progress=part_of(progress, place, len(names))
                )
            )
            if progress is not None:
                progress((place + 1) / len(names), f"{name} done")
        return scores

    def _ranges(
        self, call: MetricCall, progress: Progress | None
    ) -> tuple[Floats, Floats, Floats]:
        """Find the ranges run by run, in bounded memory."""
        shape = (len(self.run_ids), len(self.topic_ids))
        parts = np.empty((3, *shape))
        for place, name in enumerate(self.run_ids):
            found = call.score(self.judged[place])
            for part, numbers in zip(
                parts, (found.value, found.lower, found.upper), strict=True
            ):
                part[place] = numbers
            if progress is not None:
                progress((place + 1) / len(self.run_ids), f"{call.name}: range of {name}")
        return parts[0], parts[1], parts[2]

    def _defined(self, call: MetricCall) -> Flags:
        """Whether the metric is defined on each topic, for a run that finds everything."""
        counts = self.grade_counts
        codes = np.arange(len(self.values), dtype=np.int8)
        best_first = np.where(counts > 0, codes, np.int8(PAST_END))[:, ::-1]
        order = np.argsort(best_first == PAST_END, axis=-1, kind="stable")
        ranking = np.take_along_axis(best_first, order, axis=-1)
        ideal = Judged(ranking, counts, self.values, self.min_code)
        return ~np.isnan(call.values(ideal))


def metric_names(metrics: str | Sequence[str]) -> list[str]:
    """Check names of metrics; one name alone is a list of one."""
    names = [metrics] if isinstance(metrics, str) else list(metrics)
    for name in names:
        parse_metric(name)
    if not names:
        msg = "metrics: at least one name is expected, for example AP or RBP(p=0.8)."
        raise ParameterError(msg)
    return names


def pick(cells: Cells, chosen: Flags) -> Cells:
    """Take the chosen ones of some places; by index, which is faster where they are few."""
    places = np.flatnonzero(chosen)
    return Cells(cells.shape, cells.rows[places], cells.ranks[places], cells.codes[places])


def mean_score(
    score: Score, left_out: Flags | None = None
) -> tuple[Floats, Floats, Floats, Ints]:
    """Average value, lower and upper over the topics on which the value is defined.

    Returns
    -------
    tuple of arrays
        Value, lower, upper and the number of topics, one entry a run; nan where no topic is
        left, or where a bound is not known for one of them.
    """
    used = ~np.isnan(score.value)
    if left_out is not None:
        used = used & ~left_out
    topics = np.count_nonzero(used, axis=-1)
    divisor = np.where(topics > 0, topics, np.nan)
    value, lower, upper = (
        np.asarray(np.where(used, part, 0.0).sum(axis=-1) / divisor)
        for part in (score.value, score.lower, score.upper)
    )
    return value, lower, upper, topics


def _text(words: Sequence[str]) -> pd.api.extensions.ExtensionArray:
    return pd.array(list(words), dtype="str")


def _check_choice(name: str, value: str, allowed: Sequence[str]) -> None:
    if value not in allowed:
        choices = " or ".join(repr(choice) for choice in allowed)
        msg = f"{name} must be {choices}; got {value!r}."
        raise ParameterError(msg)
