"""Pools of any depth and runs left out: the same runs, other judgments.

For each judged document the shallowest rank at which a contributing run has it is the pool depth
at which it becomes judged; every depth then is a comparison.
"""

from collections.abc import Callable, Mapping, Sequence
from typing import Final, TypeAlias

import numpy as np
import numpy.typing as npt
import pandas as pd

from core.collection import Collection, mean_score, metric_names, pick
from core.columns import Floats, Ints
from core.errors import ParameterError
from core.judged import UNJUDGED, Codes
from core.metrics.naming import MetricCall, parse_metric
from core.metrics.precision import over
from core.metrics.rbp import insq_weights, rbp_weights
from core.progress import Progress, part_of
from core.validation import check_whole

_Means: TypeAlias = tuple[Floats, Floats, Floats, Ints]
_Ranks: TypeAlias = npt.NDArray[np.int32]

_NEVER: Final = np.iinfo(np.int32).max


def pool_depths(
    collection: Collection, contributors: Sequence[str] | None = None
) -> _Ranks:
    """Find the pool depth at which each judged document becomes judged.

    Parameters
    ----------
    collection : Collection
        Runs and judgments.
    contributors : sequence of str, optional
        Names of the runs that give documents to the pool; by default all.

    Returns
    -------
    int array
        One entry a judged document. A document that no run retrieves becomes judged at the full
        depth, the length of the longest ranking; one that only other runs retrieve, never.
    """
    everyone = _shallowest(collection, None)
    if contributors is None:
        depths = everyone.copy()
    else:
        depths = _shallowest(collection, collection.run_places(contributors))
    depths[everyone == _NEVER] = collection.depth
    return depths


def labels_at_depth(
    collection: Collection, depth: int, contributors: Sequence[str] | None = None
) -> Codes:
    """Return the labels that a pool of that depth leaves; see `Collection.at_pool_depth`."""
    check_whole("depth", depth, caller="pool")
    return _labels_where(collection, pool_depths(collection, contributors) <= depth)


def labels_without(
    collection: Collection, runs: str | Sequence[str], pool_depth: int | None = None
) -> Codes:
    """Return the labels that remain without some runs; see `Collection.leave_out`."""
    depth = collection.depth
    if pool_depth is not None:
        depth = check_whole("pool_depth", pool_depth, caller="leave_out")
    left = collection.run_places(runs)
    others = np.setdiff1d(np.arange(len(collection.run_ids)), left)
    only_theirs = (_shallowest(collection, left) <= depth) & (
        _shallowest(collection, others) > depth
    )
    return _labels_where(collection, ~only_theirs)


def leave_one_out(
    collection: Collection,
    metrics: str | Sequence[str],
    *,
    groups: Mapping[str, Sequence[str]] | None = None,
    pool_depth: int | None = None,
    outside: Sequence[str] = (),
    progress: Progress | None = None,
) -> pd.DataFrame:
    """Score each run as a newcomer: without the judgments that it alone contributed.

    Parameters
    ----------
    collection : Collection
        Runs and judgments.
    metrics : str or sequence of str
        Names of metrics.
    groups : mapping of str to sequence of str, optional
        Runs that are left out together, for example those of one team; by default each run is a
        group of its own.
    pool_depth : int, optional
        How many documents of each run the pool took; by default whole rankings count.
    outside : sequence of str, optional
        Runs that give no documents to the pool, whoever is left out.
    progress : callable, optional
        Called with the share done and a text; may raise to cancel.

    Returns
    -------
    DataFrame
        Columns group, run, metric, value, lower, upper, topics, full (the mean with all
        judgments) and judged (the judgments that remain).
    """
    names = metric_names(metrics)
    teams = groups if groups is not None else {run: [run] for run in collection.run_ids}
    full = {name: mean_score(collection.scores(name))[0] for name in names}
    rows: list[tuple[object, ...]] = []
    for done, (group, runs) in enumerate(teams.items(), start=1):
        places = collection.run_places(runs)
        without = [*runs, *outside]
        newcomer = collection.leave_out(without, pool_depth=pool_depth).only(places)
        for name in names:
            means = mean_score(newcomer.scores(name))
            for place, run, *numbers in zip(places, runs, *means, strict=True):
                rows.append(
                    (group, run, name, *numbers, full[name][place], newcomer.num_judged)
                )
        if progress is not None:
            progress(done / len(teams), f"{group} left out")
    columns = [
        "group",
        "run",
        "metric",
        "value",
        "lower",
        "upper",
        "topics",
        "full",
        "judged",
    ]
    return pd.DataFrame(rows, columns=columns)


def pool_sweep(
    collection: Collection,
    metrics: str | Sequence[str],
    depths: Sequence[int],
    contributors: Sequence[str] | None = None,
    *,
    ranges: bool = False,
    progress: Progress | None = None,
) -> pd.DataFrame:
    """Average scores of every run, as the pool gets deeper (Moffat & Zobel 2008, Figures 2 and 4).

    Parameters
    ----------
    collection : Collection
        Runs and judgments.
    metrics : str or sequence of str
        Names of metrics.
    depths : sequence of int
        Pool depths.
    contributors : sequence of str, optional
        Names of the runs that give documents to the pool; by default all.
    ranges : bool, default False
        Fill `lower` and `upper` for all metrics, not only for RBP and its kin.
    progress : callable, optional
        Called with the share done and a text; may raise to cancel.

    Returns
    -------
    DataFrame
        Columns depth, run, metric, value, lower, upper, topics, judged: means over the topics on
        which the metric is defined at that depth, how many those are, and how many judgments the
        pool has.
    """
    names = metric_names(metrics)
    wanted = [check_whole("depth", depth, caller="pool_sweep") for depth in depths]
    if not wanted:
        msg = "pool_sweep: at least one depth is expected; got none."
        raise ParameterError(msg)
    judged_from = pool_depths(collection, contributors)
    results = []
    for place, name in enumerate(names):
        share = part_of(progress, place, len(names))
        sweep = _Sweep(collection, np.array(wanted), judged_from, share)
        results.append(sweep.means(parse_metric(name), name, ranges=ranges))
    shape = (len(wanted), len(collection.run_ids), len(names))
    depth, run, metric = (places.ravel() for places in np.indices(shape))
    columns: dict[str, object] = {
        "depth": np.array(wanted)[depth],
        "run": np.array(collection.run_ids, dtype=object)[run],
        "metric": np.array(names, dtype=object)[metric],
    }
    for place, part in enumerate(("value", "lower", "upper", "topics")):
        columns[part] = np.stack([result[place] for result in results], axis=-1).ravel()
    known = np.sort(judged_from[collection.labels >= 0])
    columns["judged"] = np.searchsorted(known, wanted, side="right")[depth]
    return pd.DataFrame(columns)


def _shallowest(collection: Collection, runs: Ints | None) -> _Ranks:
    """Shallowest rank of each judged document in some of the runs."""
    cells, documents = collection.known_cells
    if runs is None:
        ranks = cells.ranks
    else:
        of_run = cells.rows // len(collection.topic_ids)
        chosen = np.isin(of_run, runs)
        ranks, documents = cells.ranks[chosen], documents[chosen]
    shallowest = np.full(len(collection.labels), _NEVER, dtype=np.int32)
    np.minimum.at(shallowest, documents, ranks.astype(np.int32))
    return shallowest


def _labels_where(collection: Collection, judged: npt.NDArray[np.bool_]) -> Codes:
    return np.where(judged, collection.labels, np.int8(UNJUDGED))


class _Sweep:
    """Means of all runs at several pool depths; each result has shape (depths, runs)."""

    def __init__(
        self,
        collection: Collection,
        depths: Ints,
        judged_from: _Ranks,
        progress: Progress | None,
    ) -> None:
        self.collection = collection
        self.depths = depths
        self.judged_from = judged_from
        self.progress = progress

    def means(self, call: MetricCall, name: str, *, ranges: bool) -> _Means:
        """Choose the fastest way that gives what is asked for."""
        plain = not call.condensed and self.collection.tie_groups is None
        if plain and call.spec.key in _WEIGHTS:
            return self._weighted(
                _WEIGHTS[call.spec.key](self.collection.depth, call), call
            )
        if not call.condensed and call.spec.key == "AP" and not ranges:
            return self._average_precision(call.cutoff)
        return self._one_by_one(name, ranges=ranges)

    def _average_precision(self, cutoff: int | None) -> _Means:
        """Take, depth by depth, the relevant places whose documents are judged by then."""
        collection = self.collection
        judged = collection.judged_cells
        within = judged.ranks <= (cutoff or collection.depth)
        relevant = within & (judged.codes >= collection.min_code)
        cells = pick(judged, relevant)
        judged_from = self.judged_from[collection.judged_documents[relevant]]
        num_rel = self._num_rel()
        shape = (len(self.depths), len(collection.run_ids))
        value, topics = np.empty(shape), np.empty(shape, dtype=np.int64)
        for place, depth in enumerate(self.depths):
            found = pick(cells, judged_from <= depth)
            scores = over(found.total(found.ordinals / found.ranks), num_rel[place])
            defined = num_rel[place] > 0
            topics[place] = defined.sum()
            value[place] = scores[:, defined].mean(axis=1) if defined.any() else np.nan
            self._report(place + 1, "AP")
        unknown = np.full(shape, np.nan)
        return value, unknown, unknown, topics

    def _num_rel(self) -> Ints:
        """Relevant documents by depth and topic."""
        collection = self.collection
        topics = len(collection.topic_ids)
        relevant = np.flatnonzero(collection.labels >= collection.min_code)
        of_topic = np.repeat(np.arange(topics), np.diff(collection.topic_starts))[relevant]
        judged_from = self.judged_from[relevant]
        return np.stack(
            [
                np.bincount(of_topic[judged_from <= depth], minlength=topics)
                for depth in self.depths
            ]
        )

    def _weighted(self, weights: Floats, call: MetricCall) -> _Means:
        """Add up weights in the order in which documents become judged."""
        collection = self.collection
        cells = collection.judged_cells
        order = np.argsort(self.depths, kind="stable")
        step = np.searchsorted(self.depths[order], self.judged_from)
        size = len(self.depths) + 1  # the last: judged at none of these depths
        of_run = cells.rows // len(collection.topic_ids)
        places = of_run * size + step[collection.judged_documents]
        weight = weights[cells.ranks - 1]
        gain = collection.gains[cells.codes]
        shape = (len(collection.run_ids), size)
        lower, judged = (
            np.bincount(places, weights=terms, minlength=shape[0] * size)
            .reshape(shape)
            .cumsum(axis=1)[:, :-1]
            / len(collection.topic_ids)
            for terms in (weight * gain, weight)
        )
        back = np.argsort(order, kind="stable")
        value = np.ascontiguousarray(lower[:, back].T)
        upper = value + np.maximum(1.0 - judged[:, back].T, 0.0)
        topics = np.full(value.shape, len(collection.topic_ids))
        self._report(len(self.depths), call.name)
        return value, value, upper, topics

    def _one_by_one(self, name: str, *, ranges: bool) -> _Means:
        """Judge and score anew at each depth: works for every metric."""
        collection = self.collection
        parts: list[_Means] = []
        for place, depth in enumerate(self.depths):
            pooled = collection.with_labels(
                _labels_where(collection, self.judged_from <= depth)
            )
            parts.append(mean_score(pooled.scores(name, ranges=ranges)))
            self._report(place + 1, name)
        value, lower, upper, topics = (
            np.stack(column) for column in zip(*parts, strict=True)
        )
        return value, lower, upper, topics

    def _report(self, done: int, name: str) -> None:
        if self.progress is not None:
            self.progress(
                done / len(self.depths), f"{name} at pool depth {self.depths[done - 1]}"
            )


def _rbp(depth: int, call: MetricCall) -> Floats:
    return _upto(rbp_weights(depth, float(call.params["p"])), call.cutoff)


def _insq(depth: int, call: MetricCall) -> Floats:
    return _upto(insq_weights(depth), call.cutoff)


def _upto(weights: Floats, cutoff: int | None) -> Floats:
    ranks = np.arange(1, len(weights) + 1)
    return np.where(ranks <= (cutoff or len(weights)), weights, 0.0)


# Metrics that add up weight times gain, with weights that sum to 1 over the unending list
_WEIGHTS: Final[Mapping[str, Callable[[int, MetricCall], Floats]]] = {
    "RBP": _rbp,
    "INSQ": _insq,
}
