"""How well a metric tells systems apart: significance, swaps, bootstrap sensitivity.

All of it works on the scores of every run on every topic. A topic that leaves the metric undefined
for some run is left out for all.
"""

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np
import pandas as pd
from scipy import stats

from core.collection import Collection, metric_names
from core.columns import Floats, Ints
from core.errors import ParameterError
from core.progress import Progress
from core.validation import check_positive, check_whole

_ERROR_BINS: Final = (0.002, 100)  # width and number of bins below the last, open one
_SWAP_BINS: Final = (0.01, 20)
_ACCEPTED: Final = 0.05  # share of swaps with which a difference is called reliable
_EQUAL: Final = 1e-12  # means that differ by less differ by rounding only
_EXACT_TOPICS: Final = 50  # up to here scipy's Wilcoxon is exact, if there are no ties
_PERMUTED_TOPICS: Final = 13  # up to here scipy permutes, if there are ties
_BLOCK: Final = 2_000_000
# Matrix products up to this size stay on one thread: on a busy machine a second one is waited for
_PRODUCT: Final = 250_000


@dataclass(frozen=True, eq=False)
class SignificantPairs:
    """Pairs of runs that a test finds different.

    Attributes
    ----------
    table : DataFrame
        Columns metric, topics, pairs, wilcoxon_95, wilcoxon_99, t_95, t_99: how many pairs each
        test finds different at each level.
    pairs : DataFrame
        Columns metric, run_a, run_b, difference, wilcoxon_p, t_p.
    """

    table: pd.DataFrame
    pairs: pd.DataFrame


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


@dataclass(frozen=True, eq=False)
class BootstrapSensitivity:
    """How many pairs of runs the bootstrap test tells apart.

    Attributes
    ----------
    metric : str
        Name of the metric.
    table : DataFrame
        Columns run_a, run_b, difference, t, asl, significant; one row a pair.
    significant, pairs : int
        Pairs with an achieved significance level below `alpha`, and all pairs.
    estimated_difference : float
        Difference in mean score that guarantees significance, by Sakai 2007, Figure 7; the paper
        rounds it to two significant figures.
    alpha : float
        Significance level.
    topics, samples, seed : int
        Topics used, bootstrap samples, and the seed they come from.
    """

    metric: str
    table: pd.DataFrame
    significant: int
    pairs: int
    estimated_difference: float
    alpha: float
    topics: int
    samples: int
    seed: int

    @property
    def share(self) -> float:
        """Discriminative power: the share of the pairs that are told apart."""
        return self.significant / self.pairs

    @property
    def curve(self) -> pd.DataFrame:
        """Achieved significance levels, largest first."""
        levels = np.sort(self.table["asl"].to_numpy())[::-1]
        return pd.DataFrame({"pair": np.arange(1, len(levels) + 1), "asl": levels})


def significant_pairs(
    collection: Collection,
    metrics: str | Sequence[str],
    *,
    progress: Progress | None = None,
) -> SignificantPairs:
    """Test every pair of runs by Wilcoxon's signed ranks and by the paired t test.

    Both are two-tailed, with scipy's defaults; where all differences are zero the pair is not
    significant. This is Moffat & Zobel 2008, Table IV.

    Parameters
    ----------
    collection : Collection
        At least two runs and two topics.
    metrics : str or sequence of str
        Names of metrics.
    progress : callable, optional
        Called with the share done and a text; may raise to cancel.

    Returns
    -------
    SignificantPairs
        Counts at 95 % and 99 %, and the p-values of all pairs.
    """
    names = metric_names(metrics)
    counts = []
    frames = []
    for place, name in enumerate(names):
        scores = defined_scores(collection, name)
        first, second = np.triu_indices(len(scores), 1)
        differences = scores[first] - scores[second]
        wilcoxon = wilcoxon_levels(differences)
        student = t_levels(differences)
        levels = [(p < alpha).sum() for p in (wilcoxon, student) for alpha in (0.05, 0.01)]
        counts.append((name, scores.shape[1], len(first), *levels))
        frames.append(
            pd.DataFrame(
                {
                    "metric": name,
                    **_run_pairs(collection, first, second),
                    "difference": differences.mean(axis=1),
                    "wilcoxon_p": wilcoxon,
                    "t_p": student,
                }
            )
        )
        if progress is not None:
            progress((place + 1) / len(names), f"{name} done")
    tests = ["wilcoxon_95", "wilcoxon_99", "t_95", "t_99"]
    table = pd.DataFrame(counts, columns=["metric", "topics", "pairs", *tests])
    return SignificantPairs(table, pd.concat(frames, ignore_index=True))


def wilcoxon_levels(differences: Floats) -> Floats:
    """Return Wilcoxon's p-value for each row of differences; 1 where all are zero.

    scipy chooses one way of computing for all the rows it is given, so rows go to it in groups
    that call for the same way. Few topics with ties call for all ways of setting the signs, one
    by one; scipy takes a second a row for that, so it is done here, to the same numbers.
    """
    levels = np.ones(len(differences))
    zeros = differences == 0
    ordered = np.sort(np.abs(differences), axis=1)
    repeats = (ordered[:, 1:] == ordered[:, :-1]).any(axis=1) | zeros.any(axis=1)
    usable = ~zeros.all(axis=1)
    topics = differences.shape[1]
    mixed = topics > _EXACT_TOPICS  # ties make no difference to scipy's way then
    groups = [usable] if mixed else [usable & ~repeats, usable & repeats]
    for has_ties, group in enumerate(groups):
        rows = np.flatnonzero(group)
        if has_ties and topics <= _PERMUTED_TOPICS:
            levels[rows] = _signed_rank_levels(differences[rows])
        elif len(rows):
            levels[rows] = stats.wilcoxon(differences[rows], axis=1).pvalue
    return levels


def _signed_rank_levels(differences: Floats) -> Floats:
    """Compare the sum of positive ranks with those of all ways of setting the signs."""
    topics = differences.shape[1]
    signs = (np.arange(2**topics)[:, None] >> np.arange(topics)) % 2
    sizes = np.where(differences == 0, np.nan, np.abs(differences))
    ranks = np.nan_to_num(stats.rankdata(sizes, axis=1, nan_policy="omit"))
    observed = (ranks * (differences > 0)).sum(axis=1)
    levels = np.empty(len(differences))
    for part in _blocks(len(differences), 2**topics, "Wilcoxon's test", None):
        sums = ranks[part] @ signs.T  # halves add up without rounding
        below = (sums <= observed[part, None]).mean(axis=1)
        above = (sums >= observed[part, None]).mean(axis=1)
        levels[part] = np.minimum(2.0 * np.minimum(below, above), 1.0)
    return levels


def t_levels(differences: Floats) -> Floats:
    """Return the p-value of the paired t test for each row; 1 where all are zero."""
    levels = np.ones(len(differences))
    spread = np.ptp(differences, axis=1)
    constant = spread <= _EQUAL * np.abs(differences).max(axis=1)
    levels[constant & (np.abs(differences).max(axis=1) > 0)] = 0.0
    varied = ~constant
    if varied.any():
        levels[varied] = stats.ttest_1samp(differences[varied], 0.0, axis=1).pvalue
    return levels


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


def bootstrap_sensitivity(
    collection: Collection,
    metric: str,
    *,
    samples: int = 1000,
    alpha: float = 0.05,
    seed: int,
    progress: Progress | None = None,
) -> BootstrapSensitivity:
    """Test every pair of runs by the studentised paired bootstrap (Sakai 2007, section 4.3).

    Parameters
    ----------
    collection : Collection
        At least two runs and two topics.
    metric : str
        Name of a metric.
    samples : int, default 1000
        Bootstrap samples (B).
    alpha : float, default 0.05
        Significance level.
    seed : int
        The same seed gives the same result.
    progress : callable, optional
        Called with the share done and a text; may raise to cancel.

    Returns
    -------
    BootstrapSensitivity
        Achieved significance levels, the share of pairs below `alpha`, the estimated difference.
    """
    check_whole("samples", samples, caller="bootstrap_sensitivity", most=1_000_000)
    if check_positive("alpha", alpha, caller="bootstrap_sensitivity") >= 1.0:
        msg = f"bootstrap_sensitivity: alpha must be above 0 and below 1; got {alpha!r}."
        raise ParameterError(msg)
    check_whole("seed", seed, caller="bootstrap_sensitivity", least=0)
    rng = np.random.default_rng(seed)
    scores = defined_scores(collection, metric)
    runs, topics = scores.shape
    drawn = _multiplicities(draw_samples(topics, samples, rng), topics)
    first, second = np.triu_indices(runs, 1)
    place = max(1, math.floor(samples * alpha + 1e-9))
    tests = [
        _bootstrap_block(scores[first[part]] - scores[second[part]], drawn, place)
        for part in _blocks(len(first), samples * topics, "bootstrap", progress, _PRODUCT)
    ]
    t, asl, needed = (np.concatenate(column) for column in zip(*tests, strict=True))
    table = pd.DataFrame(
        {
            **_run_pairs(collection, first, second),
            "difference": (scores[first] - scores[second]).mean(axis=1),
            "t": t,
            "asl": asl,
            "significant": asl < alpha,
        }
    )
    return BootstrapSensitivity(
        metric=metric,
        table=table,
        significant=int((asl < alpha).sum()),
        pairs=len(first),
        estimated_difference=float(needed.max()),
        alpha=float(alpha),
        topics=topics,
        samples=samples,
        seed=seed,
    )


def defined_scores(collection: Collection, metric: str) -> Floats:
    """Scores of shape (runs, topics) on the topics where the metric is defined for every run."""
    scores = np.asarray(collection.scores(metric).value)
    scores = scores[:, ~np.isnan(scores).any(axis=0)]
    if min(scores.shape) < 2:
        msg = (
            f"{metric}: at least two runs and two topics on which it is defined are needed; "
            f"there are {scores.shape[0]} and {scores.shape[1]}."
        )
        raise ParameterError(msg)
    return scores


def draw_halves(topics: int, draws: int, rng: np.random.Generator) -> Ints:
    """Draw two disjoint halves of the topics; shape (2, draws, topics // 2)."""
    size = topics // 2
    order = rng.permuted(np.tile(np.arange(topics), (draws, 1)), axis=1)
    return np.stack([order[:, :size], order[:, size : 2 * size]])


def draw_samples(topics: int, samples: int, rng: np.random.Generator) -> Ints:
    """Draw topics with replacement, as many as there are; shape (samples, topics)."""
    return rng.integers(0, topics, size=(samples, topics))


def half_scores(scores: Floats, drawn: Ints) -> Floats:
    """Average the scores of each run over the drawn topics; shape (draws, runs)."""
    topics = scores.shape[1]
    return np.asarray(_multiplicities(drawn, topics) @ scores.T / drawn.shape[1])


def _multiplicities(drawn: Ints, topics: int) -> Floats:
    """Count how often each topic was drawn; shape (draws, topics)."""
    draws = len(drawn)
    places = drawn + topics * np.arange(draws)[:, None]
    counts = np.bincount(places.ravel(), minlength=draws * topics)
    return counts.reshape(draws, topics).astype(np.float64)


def _blocks(
    rows: int, width: int, text: str, progress: Progress | None, most: int = _BLOCK
) -> Iterator[slice]:
    """Cut rows of some width into blocks of at most so many numbers."""
    size = max(1, min(most // width, 128))
    often = max(1, rows // size // 50)  # a screen needs no more than that
    for block, start in enumerate(range(0, rows, size), start=1):
        yield slice(start, start + size)
        if progress is not None and (block % often == 0 or start + size >= rows):
            progress(min(start + size, rows) / rows, text)


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
    for part in _blocks(len(first), len(a), "topics drawn", progress):
        one, other = (
            np.where(np.abs(difference) < _EQUAL, 0.0, difference)
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


def _bootstrap_block(
    differences: Floats, drawn: Floats, place: int
) -> tuple[Floats, Floats, Floats]:
    """Test some pairs: t, achieved significance level, and the difference of Figure 7."""
    topics = differences.shape[1]
    mean = differences.mean(axis=1, keepdims=True)
    centred = differences - mean
    t = studentised(mean, (centred**2).sum(axis=1, keepdims=True), topics)
    sample_mean = centred @ drawn.T / topics
    squares = centred**2 @ drawn.T
    sample_t = np.abs(
        studentised(sample_mean, squares - topics * sample_mean**2, topics, squares)
    )
    asl = (sample_t >= np.abs(t) * (1.0 - 1e-10)).mean(axis=1)
    threshold = np.partition(sample_t, -place, axis=1)[:, -place]
    chosen = np.argmax(sample_t == threshold[:, None], axis=1)
    needed = np.abs(sample_mean[np.arange(len(chosen)), chosen])
    return t[:, 0], asl, needed


def studentised(
    mean: Floats, squared_deviations: Floats, topics: int, scale: Floats | None = None
) -> Floats:
    """Divide means by their standard errors.

    Where the variance is zero the statistic is 0 for a mean of zero and infinite otherwise.

    Parameters
    ----------
    mean : array
        Means.
    squared_deviations : array
        Sums of squared deviations from them.
    topics : int
        Number of topics.
    scale : array, optional
        Size of the numbers whose difference `squared_deviations` is; what is as small as their
        rounding is zero.
    """
    floor = 0.0 if scale is None else _EQUAL * scale
    varied = squared_deviations > floor
    error = np.sqrt(np.where(varied, squared_deviations, 1.0) / (topics - 1) / topics)
    still = np.where(np.abs(mean) > _EQUAL, np.copysign(np.inf, mean), 0.0)
    return np.where(varied, mean / error, still)


def _run_pairs(collection: Collection, first: Ints, second: Ints) -> dict[str, object]:
    names = np.array(collection.run_ids, dtype=object)
    return {"run_a": names[first], "run_b": names[second]}
