"""What the pages about collections say."""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from dashboard.sentences.common import count


@dataclass(frozen=True)
class Thinned:
    """A metric with fewer judgments, to be told: means over the repetitions."""

    name: str
    tau: float
    value: float
    full: float  # the value with all judgments
    lower: float
    upper: float  # nan where the metric has no bounds
    spread: float  # of tau, over the repetitions

    @property
    def change(self) -> float:
        """How far the value moved, as a share of what it was."""
        return abs(self.value - self.full) / self.full if self.full > 0 else math.nan


def fewer_judgments(
    told: Sequence[Thinned], *, share: float, repetitions: int, seed: int, runs: int
) -> str:
    """Say which metric keeps order and value best with fewer judgments, and which worst."""
    drawn = "draw" if repetitions == 1 else "draws"
    opening = (
        f"With {100 * share:.0f} % of the judgments ({repetitions} {drawn}, seed {seed}),"
    )
    parts = [_orders_kept([one for one in told if not math.isnan(one.tau)], runs)]
    parts.append(_values_kept([one for one in told if not math.isnan(one.change)]))
    banded = next((one for one in told if not math.isnan(one.upper)), None)
    if banded is not None:
        holds = banded.lower - 5e-7 <= banded.full <= banded.upper + 5e-7
        parts.append(
            f"The bounds of {banded.name}, {banded.lower:.3f} to {banded.upper:.3f}, "
            f"{'hold' if holds else 'do not hold'} its score by all judgments, "
            f"{banded.full:.3f}."
        )
    return f"{opening} {' '.join(part for part in parts if part)}"


def _orders_kept(told: Sequence[Thinned], runs: int) -> str:
    if not told:
        return "there is no order of runs to compare."
    best, worst = max(told, key=lambda one: one.tau), min(told, key=lambda one: one.tau)
    if len(told) == 1:
        return (
            f"{best.name} orders the {runs} runs with tau {best.tau:.3f} to all judgments."
        )
    return (
        f"{best.name} keeps the order of the {runs} runs best (tau {best.tau:.3f}) and "
        f"{worst.name} worst ({worst.tau:.3f})."
    )


def _values_kept(told: Sequence[Thinned]) -> str:
    if not told:
        return ""
    best = min(told, key=lambda one: one.change)
    worst = max(told, key=lambda one: one.change)
    moved = f"from {best.full:.3f} to {best.value:.3f}"
    if len(told) == 1:
        return f"Its mean value goes {moved}."
    return (
        f"The mean of {best.name} moves least, {moved}; that of {worst.name} most, from "
        f"{worst.full:.3f} to {worst.value:.3f}."
    )


def scores_of_one(*, run: str, metric: str, mean: float, topics: int) -> str:
    """Say what a run scores that is compared with nothing else."""
    if math.isnan(mean):
        return f"By {metric}, {run} has no score: no topic of the judgments defines it."
    return f"By {metric}, {run} scores {mean:.4f} over {count(topics, 'topic')}."


def scores_of_two(
    *,
    names: tuple[str, str],
    metric: str,
    bounds: tuple[Sequence[float], Sequence[float]],
    counts: tuple[int, int, int],
    levels: tuple[float, float],
    decisive: tuple[str, float] | None,
) -> str:
    """Say which of two runs is better, on how many topics, and whether by chance.

    `bounds` has mean, lower and upper of each run; the last two may be nan.
    """
    (a, b), (better, worse, equal) = names, counts
    mean_a, mean_b = bounds[0][0], bounds[1][0]
    if math.isnan(mean_a) or math.isnan(mean_b) or decisive is None:
        return f"By {metric}, {a} and {b} cannot be compared: no topic defines both scores."
    alike = f" and equal on {equal}" if equal else ""
    told = (
        f"By {metric}, {a} scores {mean_a:.4f} and {b} {mean_b:.4f}; {a} is better on {better} "
        f"of {better + worse + equal} topics, worse on {worse}{alike}."
    )
    topic, size = decisive
    most = f"; topic {topic} counts most ({size:+.3f})" if size else ""
    return f"{told} {_tested(levels)}{most}.{_could_turn(bounds)}"


def _tested(levels: tuple[float, float]) -> str:
    """Say what the two tests make of a difference."""
    if math.isnan(levels[0]):
        return "One topic is too few for a test"
    tests = [
        name for name, p in zip(("Wilcoxon's", "the t"), levels, strict=True) if p < 0.05
    ]
    if len(tests) == 2:
        return "The difference is significant at the 5 % level by Wilcoxon's and the t test"
    if tests:
        return f"The difference is significant at the 5 % level by {tests[0]} test only"
    return "The difference is not significant at the 5 % level by either test"


def _could_turn(bounds: tuple[Sequence[float], Sequence[float]]) -> str:
    """Say so if the ranges of two runs overlap; the order of the means is then not certain."""
    winner, loser = sorted(bounds, key=lambda run: -run[0])
    if winner[0] > loser[0] and loser[2] > winner[1]:
        return " Judging what is unjudged could turn the order: the ranges overlap."
    return ""


def pool_depth(
    *,
    depth: int,
    full: int,
    pooled: str,
    judged: float,
    told: Sequence[tuple[str, int, float]],
) -> str:
    """Say for how many runs a shallow pool is too kind, and whether it orders them alike.

    `told` has each metric with the number of runs that it scores too high, and its tau; `pooled`
    says how many runs there are, `judged` is the share of the judgments.
    """
    if depth >= full and judged >= 1.0:
        return (
            f"At depth {depth} the pool has every judgment of the collection: this is the order "
            f"of the {pooled} that shallower pools are compared with."
        )
    parts = []
    for place, (metric, too_high, tau) in enumerate(told):
        runs = f"{too_high or 'none'} of {pooled}" if place == 0 else too_high or "none"
        order = "no tau" if math.isnan(tau) else f"tau {tau:.3f}"
        with_what = " against the full order" if place == 0 else ""
        parts.append(f"{metric} is too high for {runs} ({order}{with_what})")
    return (
        f"A pool of depth {depth} has {100 * judged:.0f} % of the judgments; "
        f"{', '.join(parts)}."
    )


def two_bounds(
    *, names: tuple[str, str], p: float, shallow: Sequence[float], deep: Sequence[float]
) -> str:
    """Say whether the bounds of two runs tell which is better, at each of two pool depths.

    `shallow` and `deep` have the depth and then lower and upper bound of both runs.
    """
    parts = []
    for depth, low_a, high_a, low_b, high_b in (shallow, deep):
        if low_a > high_b or low_b > high_a:
            better = names[0] if low_a > high_b else names[1]
            parts.append(f"at depth {depth:.0f} {better} is better, whatever is still open")
        else:
            parts.append(f"at depth {depth:.0f} the bounds overlap: nobody can tell")
    return f"{names[0]} and {names[1]} at p = {p:g}: {'; '.join(parts)}."


def newcomer(*, how: str, metric: str, rows: Sequence[tuple[str, float, float]]) -> str:
    """Say how much runs lose that are scored without what they alone brought to the pool."""
    losses = [(full - value, run, full, value) for run, full, value in rows]
    losers = [one for one in losses if one[0] > 1e-9]
    if not losers:
        return f"Left out of the pool {how}, no run would lose anything by {metric}."
    _, run, full, value = max(losers)
    return (
        f"Left out of the pool {how}, {len(losers)} of {count(len(rows), 'run')} would lose by "
        f"{metric}; {run} the most, from {full:.4f} to {value:.4f}."
    )


def orders_agree(pairs: Sequence[tuple[str, str, float]], *, runs: int) -> str:
    """Say which two metrics order the runs most alike, and which least; sorted pairs."""
    if not pairs:
        return "There is nothing to compare: choose two metrics, for a collection of several runs."
    first, last = pairs[0], pairs[-1]
    opening = (
        f"{first[0]} and {first[1]} put the {runs} runs in the most similar order "
        f"(tau {first[2]:.3f}{_swapped(first[2], runs)})"
    )
    if len(pairs) == 1:
        return f"{opening.replace('the most similar order', 'orders that agree')}."
    return f"{opening}; {last[0]} and {last[1]} agree least (tau {last[2]:.3f})."


def _swapped(tau: float, runs: int) -> str:
    """Turn tau into pairs of runs that change places, as if there were no ties."""
    pairs = runs * (runs - 1) // 2
    swapped = round(pairs * (1.0 - tau) / 2.0)
    return f", about {swapped:,} of {pairs:,} pairs swapped" if swapped else ""


def pairs_differ(found: Mapping[str, int], *, pairs: int) -> str:
    """Say which metric finds most pairs of runs different by Wilcoxon's test."""
    best, worst = max(found, key=found.__getitem__), min(found, key=found.__getitem__)
    told = f"{best} finds {found[best]:,} of {pairs:,} pairs of runs different"
    if best == worst:
        return f"By Wilcoxon's test at 95 %, {told}."
    return f"By Wilcoxon's test at 95 %, {told}, {worst} only {found[worst]:,}."


def differences_needed(
    found: Sequence[tuple[str, float, float]],
    *,
    halves: bool,
    topics: int,
    draws: int,
    seed: int,
) -> str:
    """Say from which difference on two sets of topics hardly ever disagree."""
    sets = "disjoint halves" if halves else "bootstrap samples"
    opening = f"Over {draws:,} pairs of {sets} of {topics} topics (seed {seed}),"
    known = [one for one in found if not math.isnan(one[2])]
    if not known:
        return f"{opening} no difference keeps the swaps at 5 % or below."
    best, worst = min(known, key=lambda one: one[2]), max(known, key=lambda one: one[2])
    told = (
        f"{best[0]} needs the smallest difference for its size to keep the swaps at 5 % or "
        f"below: {best[1]:.3f}, {100 * best[2]:.1f} % of its best score"
    )
    if best == worst:
        return f"{opening} {told}."
    return (
        f"{opening} {told}. {worst[0]} needs most: {worst[1]:.3f}, {100 * worst[2]:.1f} %."
    )


def power(
    found: Sequence[tuple[str, int, float]],
    *,
    pairs: int,
    alpha: float,
    samples: int,
    seed: int,
) -> str:
    """Say which metric tells most pairs of runs apart by the bootstrap, and which fewest."""
    best, worst = max(found, key=lambda one: one[1]), min(found, key=lambda one: one[1])
    told = (
        f"With {samples:,} bootstrap samples (seed {seed}), {best[0]} tells {best[1]:,} of "
        f"{pairs:,} pairs apart at {alpha:g} ({100 * best[1] / pairs:.0f} %)"
    )
    if best == worst:
        return f"{told}; a difference of {best[2]:.2f} is always enough."
    return f"{told}, {worst[0]} {worst[1]:,} ({100 * worst[1] / pairs:.0f} %)."
