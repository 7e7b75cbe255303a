"""The table of runs and metrics: in order, as CSV, as LaTeX."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np
import pandas as pd

import core
from core.collection import mean_score
from core.columns import Floats, Ints

_LATEX: Final = {
    **{mark: f"\\{mark}" for mark in "&%$#_{}"},
    "\\": r"\textbackslash{}",
    "~": r"\textasciitilde{}",
    "^": r"\textasciicircum{}",
}


@dataclass(frozen=True, eq=False)
class Means:
    """Mean scores of all runs by one metric, over so many topics each."""

    value: Floats
    lower: Floats
    upper: Floats
    topics: Ints

    @classmethod
    def of(cls, collection: core.Collection, score: core.Score, *, over: str) -> "Means":
        """Average over all topics, or for each run over those that it has."""
        left_out = collection.missing if over == "present" else None
        return cls(*mean_score(score, left_out))

    def of_run(self, place: int) -> tuple[float, float, float]:
        """Mean, lower and upper bound of one run."""
        return (
            float(self.value[place]),
            float(self.lower[place]),
            float(self.upper[place]),
        )

    @property
    def order(self) -> Ints:
        """Places of the runs, best first; undefined means come last."""
        return np.argsort(-np.nan_to_num(self.value, nan=-np.inf), kind="stable")


def score_table(
    runs: Sequence[str], means: Mapping[str, Means], by: str, *, ranges: bool
) -> pd.DataFrame:
    """Make the table: a row a run, best first; number of topics once if it is the same."""
    columns: dict[str, object] = {"run": list(runs)}
    counts = np.unique(np.concatenate([mean.topics for mean in means.values()]))
    for name, mean in means.items():
        columns[name] = mean.value
        if ranges:
            columns[f"{name} least"] = mean.lower
            columns[f"{name} most"] = mean.upper
        if len(counts) > 1:
            columns[f"{name} topics"] = mean.topics
    if len(counts) == 1:
        columns["topics"] = np.full(len(runs), counts[0])
    return pd.DataFrame(columns).iloc[means[by].order].reset_index(drop=True)


def as_csv(table: pd.DataFrame) -> str:
    """Write the table as CSV; a name that a spreadsheet would run as a formula is quoted."""
    safe = table.copy()
    for column in table.select_dtypes(exclude="number").columns:
        safe[column] = [
            f"'{text}" if text[:1] in "=+-@\t\r" else text for text in table[column]
        ]
    return safe.to_csv(index=False, float_format="%.6f")


def as_latex(table: pd.DataFrame) -> str:
    """Write the table as LaTeX; what is undefined is a dash."""
    lines = [
        rf"\begin{{tabular}}{{l{'r' * (table.shape[1] - 1)}}}",
        r"\hline",
        " & ".join(_escaped(str(name)) for name in table.columns) + r" \\",
        r"\hline",
        *(
            " & ".join(_cell(cell) for cell in row) + r" \\"
            for row in table.itertuples(index=False)
        ),
        r"\hline",
        r"\end{tabular}",
    ]
    return "\n".join(lines) + "\n"


def _cell(cell: object) -> str:
    if isinstance(cell, float):
        return "--" if np.isnan(cell) else f"{cell:.4f}"
    return _escaped(str(cell))


def _escaped(text: str) -> str:
    return "".join(_LATEX.get(mark, mark) for mark in text)
