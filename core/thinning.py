"""Fewer judgments, drawn at random: the experiment of Ahlgren & Grönqvist 2008, section 6.3."""

from collections.abc import Sequence
from typing import Final

import numpy as np
import numpy.typing as npt
import pandas as pd

from core.collection import Collection, mean_score, metric_names
from core.columns import Ints
from core.correlation import kendall_tau
from core.errors import ParameterError
from core.judged import UNJUDGED, Codes
from core.progress import Progress
from core.validation import check_positive, check_whole

AG_SHARES: Final = tuple(percent / 100 for percent in (*range(1, 11), *range(15, 101, 5)))
"""Shares of the judgments in Ahlgren & Grönqvist 2008, section 6.3."""

_FEWEST_RELEVANT: Final = 1
_FEWEST_NONRELEVANT: Final = 10


def thin_judgments(
    collection: Collection, share: float, rng: np.random.Generator
) -> Collection:
    """Keep a random share of the judgments of each topic (Ahlgren & Grönqvist 2008, 6.3).

    Parameters
    ----------
    collection : Collection
        Runs and judgments.
    share : float
        Share of the relevant and of the nonrelevant documents that stay judged, above 0 and at
        most 1; rounded to the nearest number, but at least 1 and 10, or all there are.
    rng : Generator
        Source of randomness.

    Returns
    -------
    Collection
        The same runs with fewer judgments.
    """
    _check_share(share)
    return collection.with_labels(_Thinning(collection, rng).labels(share))


def thinning_sweep(
    collection: Collection,
    metrics: str | Sequence[str],
    shares: Sequence[float],
    repetitions: int,
    seed: int,
    progress: Progress | None = None,
) -> pd.DataFrame:
    """Thin the judgments step by step (Ahlgren & Grönqvist 2008, Figures 5 to 8).

    Parameters
    ----------
    collection : Collection
        Runs and judgments.
    metrics : str or sequence of str
        Names of metrics.
    shares : sequence of float
        Shares of the judgments to keep; `AG_SHARES` has those of the paper. Within a repetition
        a smaller share keeps a subset of a larger one.
    repetitions : int
        How often to draw anew.
    seed : int
        The same seed gives the same result.
    progress : callable, optional
        Called with the share done and a text; may raise to cancel.

    Returns
    -------
    DataFrame
        Columns share, repetition, metric, value, lower, upper (means over runs and topics), tau
        (Kendall's tau of the order of the runs against that with all judgments) and judged.
    """
    names = metric_names(metrics)
    check_whole("repetitions", repetitions, caller="thinning_sweep")
    for share in shares:
        _check_share(share)
    rng = np.random.default_rng(check_whole("seed", seed, caller="thinning_sweep", least=0))
    full = {name: mean_score(collection.scores(name))[0] for name in names}
    rows: list[tuple[object, ...]] = []
    steps = repetitions * len(shares)
    for repetition in range(1, repetitions + 1):
        thinning = _Thinning(collection, rng)
        for share in shares:
            thinned = collection.with_labels(thinning.labels(share))
            for name in names:
                value, lower, upper, _ = mean_score(thinned.scores(name))
                averages = [float(part.mean()) for part in (value, lower, upper)]
                tau = kendall_tau(value, full[name])
                rows.append((share, repetition, name, *averages, tau, thinned.num_judged))
            if progress is not None:
                done = len(rows) // len(names)
                progress(
                    done / steps, f"repetition {repetition}: {share:.0%} of the judgments"
                )
    columns = ["share", "repetition", "metric", "value", "lower", "upper", "tau", "judged"]
    return pd.DataFrame(rows, columns=columns)


class _Thinning:
    """One random order of each topic's judged documents; shares keep the first of them."""

    def __init__(self, collection: Collection, rng: np.random.Generator) -> None:
        labels = collection.labels
        topics = np.repeat(
            np.arange(len(collection.topic_ids)), np.diff(collection.topic_starts)
        )
        relevant = labels >= collection.min_code
        judged = np.flatnonzero(labels >= 0)
        self._labels = labels
        self._judged = judged
        self._groups = (
            2 * topics[judged] + relevant[judged]
        )  # nonrelevant, relevant of a topic
        order = np.lexsort((rng.random(len(judged)), self._groups))
        self._sizes = np.bincount(self._groups, minlength=2 * len(collection.topic_ids))
        starts = np.cumsum(self._sizes) - self._sizes
        self._places = np.empty(len(judged), dtype=np.int64)
        self._places[order] = np.arange(len(judged)) - starts[self._groups[order]]

    def labels(self, share: float) -> Codes:
        """Keep the first of each group, as many as the share says."""
        fewest = np.tile([_FEWEST_NONRELEVANT, _FEWEST_RELEVANT], len(self._sizes) // 2)
        kept = np.minimum(np.maximum(thinned_size(share, self._sizes), fewest), self._sizes)
        labels = np.full(len(self._labels), UNJUDGED, dtype=np.int8)
        chosen = self._judged[self._places < kept[self._groups]]
        labels[chosen] = self._labels[chosen]
        return labels


def thinned_size(share: float, size: npt.ArrayLike) -> Ints:
    """Round a share of a number of documents to the nearest number, halves up.

    Examples
    --------
    >>> int(thinned_size(0.95, 40)), int(thinned_size(0.29, 50))
    (38, 15)
    """
    exact = np.round(
        share * np.asarray(size), 9
    )  # 0.29 * 50 must not become 14.499999999999998
    return np.floor(exact + 0.5).astype(np.int64)


def _check_share(share: float) -> None:
    if check_positive("share", share, caller="thinning") > 1.0:
        msg = f"thinning: share must be above 0 and at most 1; got {share!r}."
        raise ParameterError(msg)
