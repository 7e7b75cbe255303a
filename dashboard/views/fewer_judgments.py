"""Fewer judgments: what is left of the values and of the order of the runs."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final

import numpy as np
import pandas as pd

import core
from core.progress import Progress
from dashboard import cache, sentences
from dashboard.figures.fewer_judgments import Course, tau_picture, values_picture
from dashboard.figures.theme import Look, Picture
from dashboard.session_data import Source
from dashboard.state import Field, choice, flag, whole
from dashboard.takeaway import TakeAway, citation, latex_row, opening_lines
from dashboard.views.metric_lists import latex_name, metric_list

FEW_SHARES: Final = (0.01, 0.02, 0.05, 0.1, 0.2, 0.3, 0.5, 0.75, 1.0)
SHARE_SETS: Final = {
    "few": f"{len(FEW_SHARES)} shares",
    "all": f"all {len(core.AG_SHARES)} of the paper",
}
AT_CHOICES: Final = tuple(f"{100 * share:.0f} %" for share in FEW_SHARES[:-1])
WHOLE: Final = {"n": (1, 100), "seed": (0, 1_000_000)}
METRICS: Final = ("AP", "nDCG", "Bpref10", "RankEff", "RBP(p=0.8)", "AP'")
FIELDS: Final[tuple[Field[Any], ...]] = (
    metric_list("m", METRICS),
    choice("shares", "few", tuple(SHARE_SETS)),
    choice("at", "10 %", AT_CHOICES),
    whole("n", 3, *WHOLE["n"]),
    whole("seed", 1, *WHOLE["seed"]),
    flag("projector"),
)


@dataclass(frozen=True)
class View:
    """What the page shows."""

    sentence: str
    tiles: list[tuple[str, str, str, str]]
    pictures: list[Picture]


def shares_of(values: Mapping[str, Any]) -> tuple[float, ...]:
    """Return the shares to keep, the smallest first."""
    return core.AG_SHARES if values["shares"] == "all" else FEW_SHARES


def sweep(
    values: Mapping[str, Any], source: Source, progress: Progress | None = None
) -> pd.DataFrame:
    """Thin the judgments, unless that was done before with the same settings."""
    return cache.thinning(
        source.collection,
        values["m"],
        shares_of(values),
        values["n"],
        values["seed"],
        progress,
    )


def view(
    values: Mapping[str, Any], look: Look, source: Source, progress: Progress | None = None
) -> View:
    """Compute everything the page shows; raises `CoreError` where the input does not fit."""
    table = sweep(values, source, progress)
    share = share_of(values)
    told = [_told(table, name, share) for name in values["m"]]
    return View(
        sentence=sentences.fewer_judgments(
            told,
            share=share,
            repetitions=values["n"],
            seed=values["seed"],
            runs=len(source.collection.run_ids),
        ),
        tiles=[_tile(one, share) for one in told],
        pictures=[
            values_picture(_courses(table, values["m"], "value"), at=share, look=look),
            tau_picture(_courses(table, values["m"], "tau"), at=share, look=look),
        ],
    )


def share_of(values: Mapping[str, Any]) -> float:
    """Return the share at which the numbers are read off."""
    return float(values["at"].split()[0]) / 100


def _courses(table: pd.DataFrame, names: tuple[str, ...], column: str) -> list[Course]:
    found = []
    for name in names:
        grouped = table[table["metric"] == name].groupby("share")
        mean = grouped[["lower", "upper", column]].mean()
        bounds = tuple(mean[part].to_numpy() for part in ("lower", "upper"))
        known = column == "value" and not np.isnan(bounds[1]).any()
        found.append(
            Course(
                name,
                mean.index.to_numpy(),
                mean[column].to_numpy(),
                grouped[column].min().to_numpy(),
                grouped[column].max().to_numpy(),
                (bounds[0], bounds[1]) if known else None,
            )
        )
    return found


def _told(table: pd.DataFrame, name: str, share: float) -> sentences.Thinned:
    own = table[table["metric"] == name]
    there = own[own["share"] == share]
    full = own[own["share"] == 1.0]
    return sentences.Thinned(
        name,
        tau=float(there["tau"].mean()),
        value=float(there["value"].mean()),
        full=float(full["value"].mean()),
        lower=float(there["lower"].mean()),
        upper=float(there["upper"].mean()),
        spread=float(there["tau"].max() - there["tau"].min()),
    )


def _tile(one: sentences.Thinned, share: float) -> tuple[str, str, str, str]:
    tau = "not known" if np.isnan(one.tau) else f"{one.tau:.3f}"
    known = not np.isnan(one.upper)
    value = f"{one.lower:.3f} … {one.upper:.3f}" if known else f"value {one.value:.3f}"
    spread = "" if np.isnan(one.tau) else f" (spread {one.spread:.3f})"
    return (
        f"{one.name}: tau at {100 * share:.0f} %",
        tau,
        f"{value}, was {one.full:.3f}",
        "Kendall's tau between the orders of the runs by these judgments and by all; mean over "
        f"the repetitions{spread}",
    )


def take_away(values: Mapping[str, Any], source: Source) -> TakeAway:
    """Write down the present numbers: formula, Python, a table, the source."""
    table = sweep(values, source)
    share = share_of(values)
    means = table.groupby(["metric", "share"])[["value", "tau"]].mean()
    first = values["m"][0]
    value, tau = (float(means.loc[(first, share)][part]) for part in ("value", "tau"))
    shares = "core.AG_SHARES" if values["shares"] == "all" else repr(FEW_SHARES)
    lines = [
        *opening_lines(source),
        f"metrics = {list(values['m'])!r}",
        f"shares = {shares}",
        "table = core.thinning_sweep(",
        f"    collection, metrics, shares, repetitions={values['n']}, seed={values['seed']}",
        ")",
        'means = table.groupby(["share", "metric"])[["value", "lower", "upper", "tau"]].mean()',
        "print(means.round(4).to_string())",
    ]
    columns = [share for share in FEW_SHARES if share >= 0.05]
    rows = [
        latex_row(
            ("tau, metric", *(f"{100 * part:.0f}\\%" for part in columns)),
            (
                latex_name(name),
                *(_cell(float(means.loc[(name, part)]["tau"])) for part in columns),
            ),
        )
        for name in values["m"]
    ]
    return TakeAway(
        formula=(
            rf"R' = \max(1, \lfloor {share:g} R + .5 \rfloor),\quad "
            rf"N' = \max(10, \lfloor {share:g} N + .5 \rfloor):\quad "
            rf"\mathrm{{{latex_name(first)}}} = {value:.4f},\quad \tau = {_cell(tau)}"
        ),
        python="\n".join(lines) + "\n",
        latex=rows[0] + "".join(row.split("\n", 1)[1] for row in rows[1:]),
        citation=citation("ahlgren_gronqvist_2008"),
    )


def _cell(value: float) -> str:
    return "--" if np.isnan(value) else f"{value:.4f}"
