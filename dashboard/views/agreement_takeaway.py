"""Do metrics agree: the present experiment to take away."""

from collections.abc import Mapping
from typing import Any, Final

import numpy as np

from dashboard.figures.theme import Look
from dashboard.session_data import Source
from dashboard.takeaway import TakeAway, citation, latex_row, opening_lines
from dashboard.views.agreement import View, view
from dashboard.views.metric_lists import latex_name

_CALLS: Final = {
    "tests": "core.significant_pairs(pool, metric).table.iloc[0, 1:]",
    "errors": "core.error_rates(pool, metric, draws={B}, seed={seed})",
    "swaps": "core.swap_rates(pool, metric, samples={B}, seed={seed})",
    "bootstrap": (
        "core.bootstrap_sensitivity(pool, metric, samples={B}, alpha={alpha:g}, seed={seed})"
    ),
}
_PRINTED: Final = {
    "tests": "*found",
    "errors": "found.best_score, found.smallest_difference, found.relative_difference",
    "swaps": "found.best_score, found.smallest_difference, found.relative_difference",
    "bootstrap": "found.significant, found.pairs, found.share, found.estimated_difference",
}
_SWAPS: Final = r"\delta = \min\{d : \text{swaps} / \text{comparisons} \le 5\,\%\}"
_FORMULAS: Final = {  # each with a column of the table, whose first number follows
    "orders": (
        r"\tau = \frac{\#\text{same order} - \#\text{other order}}{n(n-1)/2}",
        *("tau", r"\tau"),
    ),
    "tests": (r"z_j = x_j - y_j,\ H_0: z \sim 0", "Wilcoxon 95 %", r"\#\{p < .05\}"),
    "errors": (_SWAPS, "smallest difference", r"\delta"),
    "swaps": (_SWAPS, "smallest difference", r"\delta"),
    "bootstrap": (
        r"\mathrm{ASL} = \#\{b : |t(w^{*b})| \ge |t(z)|\} / B",
        *("significant", r"\#\{\mathrm{ASL} < \alpha\}"),
    ),
}
_SOURCES: Final = {
    "orders": ("moffat_zobel_2008", "ahlgren_gronqvist_2008", "sakai_2007"),
    "tests": ("moffat_zobel_2008",),
    "errors": ("ahlgren_gronqvist_2008",),
    "swaps": ("sakai_2007",),
    "bootstrap": ("sakai_2007",),
}


def take_away(values: Mapping[str, Any], source: Source) -> TakeAway:
    """Write down the present experiment: formula, Python, a LaTeX table, the sources."""
    which = values["x"]
    shown = view(values, Look(), source)
    formula, column, symbol = _FORMULAS[which]
    # of the orders the first row compares a metric with itself
    row = shown.table.iloc[min(1, len(shown.table) - 1) if which == "orders" else 0]
    names = [str(row[part]) for part in ("metric", "metric_a", "metric_b") if part in row]
    about = latex_name(", ".join(names))
    number = _cell(row[column], "%.4f")
    return TakeAway(
        formula=rf"{formula},\qquad {symbol}(\text{{{about}}}) = {number}",
        python="\n".join(_program(values, source)) + "\n",
        latex=_latex(shown, which),
        citation=citation(*_SOURCES[which]),
    )


def _program(values: Mapping[str, Any], source: Source) -> list[str]:
    opening = opening_lines(source)
    metrics = f"metrics = {list(values['m'])!r}"
    depths = list(values["d"])
    if values["x"] == "orders":
        return [
            *opening,
            metrics,
            f"table = core.agreement(collection, metrics, {depths or None})",
            "print(table.round(4).to_string())",
        ]
    pools = f"for depth in {depths}:" if depths else "for pool in [collection]:"
    pooled = ["    pool = collection.at_pool_depth(depth)"] if depths else []
    printed = "metric, depth" if depths else "metric"
    return [
        *(*opening, metrics, pools, *pooled, "    for metric in metrics:"),
        f"        found = {_CALLS[values['x']].format(**values)}",
        f"        print({printed}, {_PRINTED[values['x']]})",
    ]


def _latex(shown: View, which: str) -> str:
    if which == "orders":
        kept = shown.table
        parts = ["metric_a", "depth_a"] if len(set(kept["depth_a"])) > 1 else ["metric_a"]
        names = kept[parts].drop_duplicates().astype(str).agg(", ".join, axis=1)
        size = len(names)
        cells = kept["tau"].to_numpy().reshape(size, size)
        rows = [
            (latex_name(name), *(_cell(value) for value in row))
            for name, row in zip(names, cells, strict=True)
        ]
        heads = ("tau", *map(latex_name, names))
    else:
        heads = tuple(map(latex_name, shown.table.columns))
        forms = [
            shown.formats.get(str(name), ("%.4f", ""))[0] for name in shown.table.columns
        ]
        rows = [
            (
                latex_name(str(row[0])),
                *(
                    _cell(value, form)
                    for value, form in zip(row[1:], forms[1:], strict=True)
                ),
            )
            for row in shown.table.itertuples(index=False)
        ]
    lines = [latex_row(heads, row) for row in rows]
    return lines[0] + "".join(line.split("\n", 1)[1] for line in lines[1:])


def _cell(value: float, form: str = "%.4f") -> str:
    if isinstance(value, int | np.integer):
        return str(value)
    return "--" if np.isnan(value) else form % value
