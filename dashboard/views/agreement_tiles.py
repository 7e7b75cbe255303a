"""Do metrics agree: the few numbers above the pictures."""

from collections.abc import Sequence
from typing import TypeAlias

import numpy as np
import pandas as pd

import core
from core.judged import Floats

# what it is, the number, what belongs to it, what to know about it
Tile: TypeAlias = tuple[str, str, str, str]


def or_none(value: float) -> str:
    """Write a difference, or that there is none."""
    return "none" if np.isnan(value) else f"{value:.3f}"


def percent(share: float, form: str = ".0f") -> str:
    """Write a share in percent, or that there is none."""
    return "none" if np.isnan(share) else f"{100 * share:{form}} %"


def order_tiles(
    labels: Sequence[str], tau: Floats, pairs: list[tuple[str, str, float]], runs: int
) -> list[Tile]:
    """Say which metrics order the runs alike, and which do not."""
    if not pairs:
        return []
    others = np.where(np.eye(len(labels), dtype=bool), np.nan, tau)
    # a metric by which all runs are equal has no tau with any other
    means = np.array([np.nanmean(r) if (~np.isnan(r)).any() else np.nan for r in others])
    most, odd = int(np.nanargmax(means)), int(np.nanargmin(means))
    first, last = pairs[0], pairs[-1]
    need = 1.96 * np.sqrt((4 * runs + 10) / (9 * runs * (runs - 1)))
    return [
        (
            "Most alike",
            f"{first[2]:.3f}",
            f"{first[0]} and {first[1]}",
            "Greatest tau of a pair",
        ),
        (
            "Least alike",
            f"{last[2]:.3f}",
            f"{last[0]} and {last[1]}",
            "Smallest tau of a pair",
        ),
        (
            "Nearest to all others",
            f"{means[most]:.3f}",
            labels[most],
            "The metric with the greatest mean tau to the others",
        ),
        (
            "Farthest from all others",
            f"{means[odd]:.3f}",
            labels[odd],
            "The metric with the smallest mean tau to the others",
        ),
        (
            "Pairs at 0.9 and above",
            f"{sum(pair[2] >= 0.9 for pair in pairs)} of {len(pairs)}",
            f"chance alone: below {need:.2f}",
            "Orders with tau of 0.9 and more are often called equivalent (Buckley & Voorhees "
            "2004); beyond the second number tau differs from 0 at 5 % (Sakai 2007, eq. 9)",
        ),
    ]


def test_tiles(table: pd.DataFrame, tests: list[str], pairs: int) -> list[Tile]:
    """Say which metrics find most and fewest pairs different, and how the tests compare."""
    counts = dict(zip(table["metric"], table["wilcoxon_95"].tolist(), strict=True))
    most, least = max(counts, key=counts.__getitem__), min(counts, key=counts.__getitem__)
    shares = {test: float(table[test].sum()) / (pairs * len(table)) for test in tests}
    return [
        _pairs_tile(f"Most: {most}", counts[most], pairs, "Wilcoxon at 95 %"),
        _pairs_tile(f"Fewest: {least}", counts[least], pairs, "Wilcoxon at 95 %"),
        (
            "Wilcoxon and t at 95 %",
            f"{percent(shares['wilcoxon_95'])}, {percent(shares['t_95'])}",
            "of the pairs, mean of the metrics",
            "How many pairs each of the two tests finds different",
        ),
        (
            "At 99 %",
            f"{percent(shares['wilcoxon_99'])}, {percent(shares['t_99'])}",
            f"{int(table['topics'].min())} topics, {pairs:,} pairs",
            "How many pairs each of the two tests finds different at the stricter level",
        ),
    ]


def rate_tiles(found: Sequence[tuple[str, core.SwapRates]]) -> list[Tile]:
    """Say which metrics need the smallest difference, and which have most sure comparisons."""
    known = [pair for pair in found if not np.isnan(pair[1].smallest_difference)]
    if not known:
        return []
    needed = sorted(known, key=lambda pair: pair[1].relative_difference)
    reached = sorted(known, key=lambda pair: pair[1].share_of_comparisons)
    return [
        *(
            (
                f"{words} difference: {label}",
                percent(one.relative_difference, ".1f"),
                f"{one.smallest_difference:.3f} of the best, {one.best_score:.3f}",
                "Smallest difference in mean score with at most 5 % swaps, as a share of the best "
                "mean score",
            )
            for words, (label, one) in (("Least", needed[0]), ("Greatest", needed[-1]))
        ),
        *(
            (
                f"{words} sure: {label}",
                percent(one.share_of_comparisons),
                f"of the pairs, from {one.smallest_difference:.3f} on",
                "Share of the comparisons with at least the smallest difference",
            )
            for words, (label, one) in (("Most", reached[-1]), ("Fewest", reached[0]))
        ),
    ]


def power_tiles(
    found: Sequence[tuple[str, core.BootstrapSensitivity]], alpha: float
) -> list[Tile]:
    """Say which metrics tell most and fewest pairs apart, and what difference is enough."""
    ordered = sorted(found, key=lambda pair: pair[1].significant)
    needed = sorted(found, key=lambda pair: pair[1].estimated_difference)
    help = f"Share of the pairs with an achieved significance level below {alpha:g}"
    return [
        *(
            _pairs_tile(f"{words}: {label}", one.significant, one.pairs, help)
            for words, (label, one) in (("Most", ordered[-1]), ("Fewest", ordered[0]))
        ),
        *(
            (
                f"{words} difference: {label}",
                f"{one.estimated_difference:.3f}",
                "estimated to be enough",
                "Difference in mean score that guarantees significance (Sakai 2007, Figure 7)",
            )
            for words, (label, one) in (("Least", needed[0]), ("Greatest", needed[-1]))
        ),
    ]


def _pairs_tile(label: str, count: int, pairs: int, help: str) -> Tile:
    return label, percent(count / pairs), f"{count:,} of {pairs:,} pairs", help
