"""Do metrics agree: the order of the runs, significant differences, error and swap rates, power."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from typing import Any, Final, TypeAlias

import numpy as np
import pandas as pd

import core
from core.judged import Floats
from core.progress import Progress, part_of
from dashboard import cache, sentences
from dashboard.figures.agreement import (
    Bar,
    Curve,
    Grid,
    bars_picture,
    curves_picture,
    heat_map,
)
from dashboard.figures.theme import Look, Picture
from dashboard.session_data import Source
from dashboard.state import Field, choice, flag, number, whole
from dashboard.views.agreement_tiles import (
    or_none,
    order_tiles,
    percent,
    power_tiles,
    rate_tiles,
    test_tiles,
)
from dashboard.views.metric_lists import depth_list, metric_list

EXPERIMENTS: Final = {
    "orders": "Same order?",
    "tests": "Significant pairs",
    "errors": "Error rates",
    "swaps": "Swap rates",
    "bootstrap": "Bootstrap",
}
SEEDED: Final = ("errors", "swaps", "bootstrap")
WHOLE: Final = {"B": (10, 10_000), "seed": (0, 1_000_000)}
METRICS: Final = (
    *("RR", "P@10", "AP", "nDCG", "Bpref10", "RankEff"),
    *("RBP(p=0.8)", "Qmeasure"),
)
FIELDS: Final[tuple[Field[Any], ...]] = (
    choice("x", "orders", tuple(EXPERIMENTS)),
    metric_list("m", METRICS),
    depth_list("d"),
    whole("B", 1000, *WHOLE["B"]),
    whole("seed", 1, *WHOLE["seed"]),
    number("alpha", 0.05, 0.001, 0.5),
    flag("projector"),
)
_ACCEPTED: Final = 0.05
_CURVE_POINTS: Final = 2000
_TESTS: Final = {
    "wilcoxon_95": "Wilcoxon 95 %",
    "wilcoxon_99": "Wilcoxon 99 %",
    "t_95": "t test 95 %",
    "t_99": "t test 99 %",
}


@dataclass(frozen=True)
class View:
    """What the page shows."""

    sentence: str
    tiles: list[tuple[str, str, str, str]]
    pictures: list[Picture]
    table: pd.DataFrame
    formats: dict[str, tuple[str, str]] = field(default_factory=dict)  # column: form, help


_Show: TypeAlias = Callable[[Mapping[str, Any], Look, Source, Progress | None], View]


@dataclass(frozen=True)
class Item:
    """A metric at a pool depth (or with all judgments)."""

    metric: str
    depth: int | None
    collection: core.Collection

    @property
    def label(self) -> str:
        """The name on screen; the depth only where one was asked for."""
        return labelled(self.metric, self.depth)


def labelled(metric: str, depth: int | None) -> str:
    """Write a metric's name short, with the pool depth if there is one."""
    short = metric.replace("(gains='", " ").replace("')", "")
    return short if depth is None else f"{short}, d={depth}"


def view(
    values: Mapping[str, Any], look: Look, source: Source, progress: Progress | None = None
) -> View:
    """Compute what the chosen experiment shows; raises `CoreError` where it cannot be done."""
    show: dict[str, _Show] = {
        "orders": _orders,
        "tests": _tests,
        "errors": partial(_rates, "errors"),
        "swaps": partial(_rates, "swaps"),
        "bootstrap": _bootstrap,
    }
    return show[values["x"]](values, look, source, progress)


def _items(values: Mapping[str, Any], source: Source) -> list[Item]:
    depths: Sequence[int | None] = values["d"] or (None,)
    pools = {
        depth: source.collection
        if depth is None
        else source.collection.at_pool_depth(depth)
        for depth in depths
    }
    return [Item(name, depth, pools[depth]) for name in values["m"] for depth in depths]


def _each(
    items: Sequence[Item], progress: Progress | None
) -> Iterator[tuple[Item, Progress | None]]:
    """Go through the metrics, and let each report its part of the progress by its name."""
    for place, item in enumerate(items):
        share = part_of(progress, place, len(items))
        if share is None:
            yield item, None
        else:
            share(0.0, item.label)
            yield item, _named(share, item.label)


def _named(progress: Progress, name: str) -> Progress:
    return lambda share, _: progress(share, name)


# The order of the runs (MZ Table III, AG Table 8, S Tables 2 and 5).


def _orders(
    values: Mapping[str, Any], look: Look, source: Source, progress: Progress | None
) -> View:
    table = cache.orders(source.collection, values["m"], values["d"], progress)
    depths: Sequence[int | None] = values["d"] or (None,)
    labels = [labelled(name, depth) for name in values["m"] for depth in depths]
    shape = (len(labels), len(labels))
    tau, tau_ap = (table[part].to_numpy().reshape(shape) for part in ("tau", "tau_ap"))
    runs = len(source.collection.run_ids)
    low = _floor(tau, tau_ap)
    pictures = [
        _tau_map(labels, tau, look, low, "tau", "Kendall's tau of the orders of the runs"),
        _tau_map(
            labels,
            tau_ap,
            look,
            low,
            "tau_ap",
            "tau_AP: the top counts more (row, reference)",
        ),
    ]
    pairs = _pairs(labels, tau)
    return View(
        sentence=sentences.orders_agree(pairs, runs=runs),
        tiles=order_tiles(labels, tau, pairs, runs),
        pictures=pictures,
        table=table.drop(columns="runs"),
        formats={
            "tau": ("%.4f", "Kendall's tau-b"),
            "tau_ap": ("%.4f", "Order a against order b, with more weight on the top"),
            "z": (
                "%.2f",
                "Sakai 2007, eq. 9: above 1.96 significant at 5 %; none with ties",
            ),
        },
    )


def _tau_map(
    labels: list[str], numbers: Floats, look: Look, low: float, name: str, title: str
) -> Picture:
    digits = 3 if len(labels) <= 8 else 2
    texts = [
        ["" if np.isnan(one) else f"{one:.{digits}f}" for one in row] for row in numbers
    ]
    words = "; ".join(
        f"{labels[i]} and {labels[j]} {numbers[i, j]:.3f}"
        for i in range(len(labels))
        for j in range(i)
        if not np.isnan(numbers[i, j])
    )
    return heat_map(
        Grid(labels, labels, numbers, texts, (low, 1.0)),
        look,
        name=f"{name}_of_the_orders",
        title=title,
        alt=f"{title}. {words or 'Not known: there are fewer than two runs in order'}.",
        caption="MZ Table III, AG Table 8, S Tables 2 and 5."
        if name == "tau"
        else "Yilmaz, Aslam & Robertson 2008; each row against the column as reference.",
    )


def _floor(*matrices: Floats) -> float:
    """Begin the colours at a round number below all tau, and no higher than one half."""
    least = min(float(np.nanmin(matrix, initial=0.5)) for matrix in matrices)
    return float(np.floor(least * 10) / 10)


def _pairs(labels: Sequence[str], tau: Floats) -> list[tuple[str, str, float]]:
    found = [
        (labels[i], labels[j], float(tau[i, j]))
        for i in range(len(labels))
        for j in range(i + 1, len(labels))
        if not np.isnan(tau[i, j])
    ]
    return sorted(found, key=lambda pair: -pair[2])


# Pairs found significant (MZ Table IV).


def _tests(
    values: Mapping[str, Any], look: Look, source: Source, progress: Progress | None
) -> View:
    rows, curves = [], []
    for item, _ in _each(_items(values, source), progress):
        found = cache.significance(item.collection, item.metric)
        row = found.table.iloc[0]
        rows.append(
            (item.label, *(int(row[part]) for part in ("topics", "pairs", *_TESTS)))
        )
        levels = np.sort(found.pairs["wilcoxon_p"].to_numpy())[::-1]
        curves.append(_level_curve(item.label, levels))
    table = pd.DataFrame(rows, columns=["metric", "topics", "pairs", *_TESTS])
    pairs = int(table["pairs"].max())
    counts = table[list(_TESTS)].to_numpy()
    grid = Grid(
        list(table["metric"]),
        list(_TESTS.values()),
        counts / pairs,
        [[f"{value:,}" for value in row] for row in counts],
        (0.0, 1.0),
    )
    words = "; ".join(
        f"{label} {row[0]}, {row[1]}, {row[2]}, {row[3]}"
        for label, row in zip(table["metric"], counts, strict=True)
    )
    return View(
        sentence=sentences.pairs_differ(
            dict(zip(table["metric"], table["wilcoxon_95"].tolist(), strict=True)),
            pairs=pairs,
        ),
        tiles=test_tiles(table, list(_TESTS), pairs),
        pictures=[
            heat_map(
                grid,
                look,
                name="pairs_found_significant",
                title=f"Pairs found different, of {pairs:,}",
                alt=f"Of {pairs} pairs, Wilcoxon 95 and 99 %, t test 95 and 99 %: {words}.",
                caption="MZ Table IV: two-tailed tests over the topics.",
            ),
            _levels_picture(
                curves,
                table["wilcoxon_95"].tolist(),
                look,
                _ACCEPTED,
                "Wilcoxon's p-values, sorted",
            ),
        ],
        table=table.rename(columns=_TESTS),
    )


def _level_curve(label: str, levels: Floats) -> Curve:
    """Draw as many points of a sorted curve as a screen can show."""
    places = np.arange(1, len(levels) + 1, dtype=np.float64)
    if len(levels) > _CURVE_POINTS:
        chosen = np.unique(
            np.linspace(0, len(levels) - 1, _CURVE_POINTS).round().astype(int)
        )
        places, levels = places[chosen], levels[chosen]
    return Curve(label, places, levels)


def _levels_picture(
    curves: Sequence[Curve], counts: Sequence[int], look: Look, alpha: float, title: str
) -> Picture:
    pairs = curves[0].x[-1]
    words = "; ".join(
        f"{curve.name} {count}" for curve, count in zip(curves, counts, strict=True)
    )
    return curves_picture(
        curves,
        look,
        limit=alpha,
        axes=("pairs of runs, most doubtful first", "level"),
        most=(float(pairs), 1.02),
        words=(
            "sorted_levels",
            title,
            f"{title}. Pairs below {alpha:g}, of {pairs:.0f}: {words}.",
            "The sooner a curve falls below the line, the more pairs the metric tells apart.",
        ),
    )


# Error rates (AG Tables 5-7) and swap rates (S Table 3).


def _rates(
    method: str,
    values: Mapping[str, Any],
    look: Look,
    source: Source,
    progress: Progress | None,
) -> View:
    found = [
        (
            item.label,
            cache.rates(method, item.collection, item.metric, *_drawn(values), share),
        )
        for item, share in _each(_items(values, source), progress)
    ]
    table = pd.DataFrame(
        [
            (
                label,
                one.best_score,
                one.smallest_difference,
                100 * one.relative_difference,
                100 * one.share_of_comparisons,
                one.deviation,
            )
            for label, one in found
        ],
        columns=["metric", "best", "smallest difference", "% of best", "% of pairs", "sd"],
    )
    curves = [
        Curve(label, one.curve["difference"].to_numpy(), one.curve["rate"].to_numpy())
        for label, one in found
    ]
    what = "Error rate" if method == "errors" else "Swap rate"
    words = "; ".join(f"{label} {or_none(one.smallest_difference)}" for label, one in found)
    halves = found[0][1]
    return View(
        sentence=sentences.differences_needed(
            [
                (label, one.smallest_difference, one.relative_difference)
                for label, one in found
            ],
            halves=method == "errors",
            topics=halves.sample_topics,
            draws=halves.draws,
            seed=halves.seed,
        ),
        tiles=rate_tiles(found),
        pictures=[
            curves_picture(
                curves,
                look,
                limit=_ACCEPTED,
                axes=("difference in mean score", what.lower()),
                most=(0.2, 0.6),
                words=(
                    f"{method}_by_difference",
                    f"{what} by the size of the difference",
                    f"{what} by difference. At most 5 % from: {words}.",
                    "AG 6.1: two disjoint halves of the topics disagree."
                    if method == "errors"
                    else "S 4.2: two bootstrap samples of the topics disagree.",
                ),
            ),
            bars_picture(
                [
                    Bar(
                        label,
                        one.share_of_comparisons,
                        f"{percent(one.share_of_comparisons)} "
                        f"(from {or_none(one.smallest_difference)} on)",
                    )
                    for label, one in found
                ],
                look,
                words=(
                    "comparisons_with_a_sure_difference",
                    "Comparisons with a difference large enough",
                    f"Share of comparisons with a difference large enough: "
                    f"{_shares(found, lambda one: one.share_of_comparisons)}.",
                    "AG Tables 5-7 (difference, % of best)."
                    if method == "errors"
                    else "S Table 3 and Figure 9.",
                ),
            ),
        ],
        table=table,
        formats={
            "best": ("%.4f", "Best mean score"),
            "smallest difference": ("%.3f", "Smallest difference with at most 5 % swaps"),
            "% of best": ("%.1f", "That difference as a share of the best mean score"),
            "% of pairs": ("%.1f", "Comparisons with at least that difference"),
            "sd": ("%.4f", "Standard deviation of the runs' mean scores"),
        },
    )


def _drawn(values: Mapping[str, Any]) -> tuple[int, int]:
    return values["B"], values["seed"]


def _shares(found: Sequence[tuple[str, Any]], share: Callable[[Any], float]) -> str:
    return "; ".join(f"{label} {percent(share(one))}" for label, one in found)


# Bootstrap sensitivity (S Tables 4 and 6).


def _bootstrap(
    values: Mapping[str, Any], look: Look, source: Source, progress: Progress | None
) -> View:
    alpha = values["alpha"]
    samples, seed = _drawn(values)
    found = [
        (
            item.label,
            cache.bootstrap(item.collection, item.metric, samples, alpha, seed, share),
        )
        for item, share in _each(_items(values, source), progress)
    ]
    table = pd.DataFrame(
        [
            (label, one.significant, one.pairs, 100 * one.share, one.estimated_difference)
            for label, one in found
        ],
        columns=["metric", "significant", "pairs", "power, %", "estimated difference"],
    )
    curves = [_level_curve(label, one.curve["asl"].to_numpy()) for label, one in found]
    pairs = found[0][1].pairs
    return View(
        sentence=sentences.power(
            [(label, one.significant, one.estimated_difference) for label, one in found],
            pairs=pairs,
            alpha=alpha,
            samples=samples,
            seed=seed,
        ),
        tiles=power_tiles(found, alpha),
        pictures=[
            _levels_picture(
                curves,
                [one.significant for _, one in found],
                look,
                alpha,
                "Achieved significance levels (ASL), sorted",
            ),
            bars_picture(
                [
                    Bar(
                        label,
                        one.share,
                        f"{one.significant}/{one.pairs} = {percent(one.share)}",
                    )
                    for label, one in found
                ],
                look,
                words=(
                    "discriminative_power",
                    f"Discriminative power at {alpha:g}",
                    f"Discriminative power: {_shares(found, lambda one: one.share)}.",
                    "S Tables 4 and 6, Figure 10.",
                ),
            ),
        ],
        table=table,
        formats={
            "power, %": ("%.1f", f"Share of the pairs with a level below {alpha:g}"),
            "estimated difference": ("%.3f", "Difference that guarantees significance"),
        },
    )
