"""Tables that pages show: core's numbers, laid out for reading."""

import numpy as np
import pandas as pd

import core
from core.judged import Floats

CUTOFF = 10


def p_grid() -> Floats:
    """Return the persistences at which curves are drawn."""
    return np.linspace(0.0, 0.99, 100)


def metric_names(p: float) -> list[str]:
    """Name every metric once, with the page's p and a cutoff where one is needed."""
    names = []
    for spec in core.METRICS:
        if spec.key == "RBP":
            names.append(f"RBP(p={p})")
        elif spec.key == "RBP(p1,p2)":
            names.append(f"RBP(p1={p}, p2={round(0.75 * p, 4)})")
        else:
            names.append(
                f"{spec.name}@{CUTOFF}" if spec.cutoff == "required" else spec.name
            )
    return names


def all_scores(judged: core.Judged, p: float) -> pd.DataFrame:
    """Score one ranking with every metric."""
    rows = []
    for name in metric_names(p):
        score = core.score(name, judged)
        rows.append(
            {
                "metric": name,
                "value": _shown(score.value, "undefined"),
                "lower": _shown(score.lower, "not known"),
                "upper": _shown(score.upper, "not known"),
                "what it is": core.metric(name).title,
                "note": score.note,
            }
        )
    return pd.DataFrame(rows)


def _shown(number: float | Floats, missing: str) -> str:
    return missing if np.isnan(number) else f"{number:.4f}"
