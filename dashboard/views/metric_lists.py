"""Lists of metrics and of pool depths, as people write them and as the address has them."""

import re
from collections.abc import Sequence
from typing import Final

import core
from core.metrics.naming import parse_metric
from dashboard.state import Field

METRIC_CHOICES: Final = (
    *("AP", "AP'", "nDCG", "nDCG@10", "P@10", "Rprec", "RR", "Bpref", "Bpref10", "RankEff"),
    *(
        "RBP(p=0.5)",
        "RBP(p=0.8)",
        "RBP(p=0.95)",
        "INSQ",
        "Qmeasure",
        "Omeasure",
        "Pmeasure",
    ),
    *("Pplus", "NWRR", "Pplus(gains='10:5:1')"),
)
MOST_METRICS: Final = 16
_MOST_DEPTHS: Final = 4
_COMMA: Final = re.compile(r"[,;]\s*(?![^()]*\))")  # not within parentheses


def checked_metrics(names: Sequence[str]) -> tuple[str, ...]:
    """Write names in their usual form, each once; raises `CoreError` where one is no metric."""
    found = tuple(dict.fromkeys(parse_metric(name.strip()).name for name in names))
    if not 1 <= len(found) <= MOST_METRICS:
        msg = f"metrics: choose from 1 to {MOST_METRICS}; got {len(found)}."
        raise core.ParameterError(msg)
    return found


def depths_of(text: str) -> tuple[int, ...]:
    """Read pool depths such as ``"10, 100"``; none stands for all judgments."""
    parts = text.replace(",", " ").replace(";", " ").split()
    if not all(part.isdecimal() and 1 <= len(part) <= 6 and int(part) for part in parts):
        msg = f"pool depths: whole numbers from 1 on are expected, such as 10, 100; got {text!r}."
        raise core.ParameterError(msg)
    depths = tuple(dict.fromkeys(map(int, parts)))
    if len(depths) > _MOST_DEPTHS:
        msg = f"pool depths: give at most {_MOST_DEPTHS}; got {len(depths)}."
        raise core.ParameterError(msg)
    return depths


def metric_list(name: str, default: tuple[str, ...]) -> Field[tuple[str, ...]]:
    """Make a field for a list of metrics."""
    return Field(name, default, lambda text: checked_metrics(_COMMA.split(text)), ", ".join)


def depth_list(name: str) -> Field[tuple[int, ...]]:
    """Make a field for a list of pool depths, by default none: all judgments."""
    return Field(name, (), depths_of, lambda depths: " ".join(map(str, depths)))


def latex_name(name: str) -> str:
    """Write a metric's name for a LaTeX table."""
    return name.replace("_", r"\_").replace("%", r"\%")
