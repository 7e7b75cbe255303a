"""How often two sets of topics disagree about two runs, by the size of the difference."""

import math
from dataclasses import dataclass
from typing import Final

import numpy as np
import pandas as pd

from core.collection import Collection
from core.columns import Floats, Ints
from core.discrimination.drawing import (
    EQUAL,
    blocks,
    defined_scores,
    draw_halves,
    draw_samples,
    half_scores,
)
from core.progress import Progress
from core.validation import check_whole

_ERROR_BINS: Final = (0.002, 100)  # width and number of bins below the last, open one
_SWAP_BINS: Final = (0.01, 20)
_ACCEPTED: Final = 0.05  # share of swaps with which a difference is called reliable


@dataclass(frozen=True, eq=False)
class SwapRates:
    """How often two sets of topics disagree, by the size of the difference.

    Attributes
    ----------
    metric : str
        Name of the metric.
    table : DataFrame
        Columns low, high, comparisons, swaps, rate, rate_from: one row for each bin of
        differences; `rate_from` is the rate among all differences of at least `low`.
    smallest_difference : float
        Smallest difference with at most 5 % swaps; nan if there is none.
    relative_difference : float
        That difference as a share of `best_score`.
    best_score : float
        Best mean score: on all topics (error rates), or over all samples (swap rates).
    share_of_comparisons : float
        Share of the comparisons with at least that difference.
    deviation : float
        Standard deviation of the mean scores of the runs. (The columns headed by sigma in
        Ahlgren & Grönqvist are far too small for that; they look like variances.)
    topics, sample_topics : int
        Topics used, and how many of them each set has.
    draws, seed : int
        How often topics were drawn, and from which seed.
    """

    metric: str
    table: pd.DataFrame
    smallest_difference: float
    relative_difference: float
    best_score: float
    share_of_comparisons: float
    deviation: float
    topics: int
    sample_topics: int
    draws: int
    seed: int

    @property
    def curve(self) -> pd.DataFrame:
        """Swap rate over the difference, without the bins that nothing fell into."""
        filled = self.table[self.table["comparisons"] > 0]
        return pd.DataFrame({"difference": filled["low"], "rate": filled["rate"]})


def error_rates(
    collection: Collection,
    metric: str,
    *,
    draws: int = 1000,
    seed: int,
    progress: Progress | None = None,
) -> SwapRates:
    """Measure how often two disjoint halves of the topics disagree about two runs.

    This is Ahlgren & Grönqvist 2008, section 6.1: a swap is a pair of runs of which one is better
    on the first half and worse on the second; the difference on the first half chooses the bin.
    The smallest reliable difference is the lower end of the first bin from which on no bin has
    more than 5 % swaps. (The paper's words also allow the rate among all larger differences
    together, which `rate_from` has. On 17 of the TREC-12 runs, cut at depth 100, AP gives .036
    by bins and .010 that way, where the paper prints .028 for all runs: so we read bins.)

    Parameters
    ----------
    collection : Collection
        At least two runs and two topics.
    metric : str
        Name of a metric.
    draws : int, default 1000
        How often the topics are split at random.
    seed : int
        The same seed gives the same result.
    progress : callable, optional
        Called with the share done and a text; may raise to cancel.

    Returns
    -------
    SwapRates
        Rates in bins of .002 up to .2, and the smallest difference with at most 5 % swaps.
    """
    check_whole("draws", draws, caller="error_rates", most=1_000_000)
    rng = np.random.default_rng(check_whole("seed", seed, caller="error_rates", least=0))
    scores = defined_scores(collection, metric)
    halves = draw_halves(scores.shape[1], draws, rng)
    means = [half_scores(scores, half) for half in halves]
    comparisons, swaps = _count_swaps(
        *means, bins=_ERROR_BINS, strict=True, progress=progress
    )
    table = _rate_table(comparisons, swaps, _ERROR_BINS)
    run_means = scores.mean(axis=1)
    return _swap_rates(
        metric,
        table,
        best=float(run_means.max()),
        deviation=float(run_means.std(ddof=1)),
        counts=(scores.shape[1], halves.shape[2], draws, seed),
    )


def swap_rates(
    collection: Collection,
    metric: str,
    *,
    samples: int = 1000,
    seed: int,
    progress: Progress | None = None,
) -> SwapRates:
    """Measure how often two bootstrap samples of the topics disagree about two runs.

    This is the swap method as in Sakai 2007, section 4.2 and Figure 4: a pair of runs is swapped
    unless both samples prefer the same run; the difference on the first sample chooses the bin.
    The smallest reliable difference is the lower end of the first bin from which on no bin has
    more than 5 % swaps. `best_score` is the greatest mean score over all samples; we take the
    paper's column "max." for that, although its text says difference, since RR reaches 1 there.

    Parameters
    ----------
    collection : Collection
        At least two runs and two topics.
    metric : str
        Name of a metric.
    samples : int, default 1000
        Pairs of bootstrap samples.
    seed : int
        The same seed gives the same result.
    progress : callable, optional
        Called with the share done and a text; may raise to cancel.

    Returns
    -------
    SwapRates
        Rates in 21 bins of .01, and the smallest difference with at most 5 % swaps.
    """
    check_whole("samples", samples, caller="swap_rates", most=1_000_000)
    rng = np.random.default_rng(check_whole("seed", seed, caller="swap_rates", least=0))
    scores = defined_scores(collection, metric)
    topics = scores.shape[1]
    means = [half_scores(scores, draw_samples(topics, samples, rng)) for _ in range(2)]
    comparisons, swaps = _count_swaps(
        *means, bins=_SWAP_BINS, strict=False, progress=progress
    )
    table = _rate_table(comparisons, swaps, _SWAP_BINS)
    return _swap_rates(
        metric,
        table,
        best=float(max(mean.max() for mean in means)),
        deviation=float(scores.mean(axis=1).std(ddof=1)),
        counts=(topics, topics, samples, seed),
    )


def _count_swaps(
    first: Floats,
    second: Floats,
    *,
    bins: tuple[float, int],
    strict: bool,
    progress: Progress | None,
) -> tuple[Ints, Ints]:
    """Count comparisons and swaps by bin, over all draws and pairs of runs.

    With `strict` only opposite preferences are swaps; otherwise also no preference at all.
    """
    width, below = bins
    a, b = np.triu_indices(first.shape[1], 1)
    comparisons = np.zeros(below + 1, dtype=np.int64)
    swaps = np.zeros(below + 1, dtype=np.int64)
    for part in blocks(len(first), len(a), "topics drawn", progress):
        one, other = (
            np.where(np.abs(difference) < EQUAL, 0.0, difference)
            for difference in (
                mean[part][:, a] - mean[part][:, b] for mean in (first, second)
            )
        )
        # a difference of .006 belongs to the bin that begins there, whatever 0.006 / 0.002 gives
        place = np.minimum(np.floor(np.abs(one) / width + 1e-9), below).astype(np.int64)
        swapped = one * other < 0 if strict else one * other <= 0
        comparisons += np.bincount(place.ravel(), minlength=below + 1)
        swaps += np.bincount(place[swapped], minlength=below + 1)
    return comparisons, swaps


def _rate_table(comparisons: Ints, swaps: Ints, bins: tuple[float, int]) -> pd.DataFrame:
    width, below = bins
    low = np.round(width * np.arange(below + 1), 6)
    from_here = [counts[::-1].cumsum()[::-1] for counts in (comparisons, swaps)]
    return pd.DataFrame(
        {
            "low": low,
            "high": np.append(low[1:], 1.0),
            "comparisons": comparisons,
            "swaps": swaps,
            "rate": swaps / np.where(comparisons > 0, comparisons, np.nan),
            "rate_from": from_here[1] / np.where(from_here[0] > 0, from_here[0], np.nan),
        }
    )


def _swap_rates(
    metric: str,
    table: pd.DataFrame,
    *,
    best: float,
    deviation: float,
    counts: tuple[int, int, int, int],
) -> SwapRates:
    """Find the first bin from which on swaps are rare."""
    compared = table["comparisons"].to_numpy()
    rare = ~(table["rate"].to_numpy() > _ACCEPTED)  # an empty bin contradicts nothing
    reliable = np.logical_and.accumulate(rare[::-1])[::-1] & (compared > 0)
    smallest = share = math.nan
    if reliable.any():
        row = int(np.argmax(reliable))
        smallest = float(table["low"].to_numpy()[row])
        share = float(compared[row:].sum() / compared.sum())
    return SwapRates(
        metric=metric,
        table=table,
        smallest_difference=smallest,
        relative_difference=smallest / best if best > 0 else math.nan,
        best_score=best,
        share_of_comparisons=share,
        deviation=deviation,
        topics=counts[0],
        sample_topics=counts[1],
        draws=counts[2],
        seed=counts[3],
    )
