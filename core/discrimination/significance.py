"""Pairs of runs that tests find different (Moffat & Zobel 2008, Table IV)."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np
import pandas as pd
from scipy import stats

from core.collection import Collection, metric_names
from core.columns import Floats
from core.discrimination.drawing import EQUAL, blocks, defined_scores, run_pairs
from core.progress import Progress

_EXACT_TOPICS: Final = 50  # up to here scipy's Wilcoxon is exact, if there are no ties
_PERMUTED_TOPICS: Final = 13  # up to here scipy permutes, if there are ties


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
                    **run_pairs(collection, first, second),
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
    for part in blocks(len(differences), 2**topics, "Wilcoxon's test", None):
        sums = ranks[part] @ signs.T  # halves add up without rounding
        below = (sums <= observed[part, None]).mean(axis=1)
        above = (sums >= observed[part, None]).mean(axis=1)
        levels[part] = np.minimum(2.0 * np.minimum(below, above), 1.0)
    return levels


def t_levels(differences: Floats) -> Floats:
    """Return the p-value of the paired t test for each row; 1 where all are zero."""
    levels = np.ones(len(differences))
    spread = np.ptp(differences, axis=1)
    constant = spread <= EQUAL * np.abs(differences).max(axis=1)
    levels[constant & (np.abs(differences).max(axis=1) > 0)] = 0.0
    varied = ~constant
    if varied.any():
        levels[varied] = stats.ttest_1samp(differences[varied], 0.0, axis=1).pvalue
    return levels
