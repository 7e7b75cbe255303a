"""Pairs of runs that the bootstrap tells apart (Sakai 2007, section 4.3)."""

import math
from dataclasses import dataclass
from typing import Final

import numpy as np
import pandas as pd

from core.collection import Collection
from core.columns import Floats
from core.discrimination.drawing import (
    EQUAL,
    blocks,
    defined_scores,
    draw_samples,
    multiplicities,
    run_pairs,
)
from core.errors import ParameterError
from core.progress import Progress
from core.validation import check_positive, check_whole

# Matrix products up to this size stay on one thread: on a busy machine a second one is waited for
_PRODUCT: Final = 250_000


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
    drawn = multiplicities(draw_samples(topics, samples, rng), topics)
    first, second = np.triu_indices(runs, 1)
    place = max(1, math.floor(samples * alpha + 1e-9))
    tests = [
        _bootstrap_block(scores[first[part]] - scores[second[part]], drawn, place)
        for part in blocks(len(first), samples * topics, "bootstrap", progress, _PRODUCT)
    ]
    t, asl, needed = (np.concatenate(column) for column in zip(*tests, strict=True))
    table = pd.DataFrame(
        {
            **run_pairs(collection, first, second),
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
    floor = 0.0 if scale is None else EQUAL * scale
    varied = squared_deviations > floor
    error = np.sqrt(np.where(varied, squared_deviations, 1.0) / (topics - 1) / topics)
    still = np.where(np.abs(mean) > EQUAL, np.copysign(np.inf, mean), 0.0)
    return np.where(varied, mean / error, still)
