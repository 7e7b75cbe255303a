"""Ranklens core: the metrics of information retrieval, their ranges and their inversion.

Scoring is loaded at once; everything else at first use, so that nobody waits for what they do
not need.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Final

from core.errors import (
    CoreError,
    InputError,
    LimitError,
    ParameterError,
    UnknownMetricError,
)
from core.judged import PAST_END, UNJUDGED, Judged
from core.metrics import METRICS, REFERENCES, MetricSpec, ParamSpec, Score
from core.metrics.naming import metric
from core.relevance import format_relevance, parse_relevance
from core.scoring import (
    contributions,
    depth_for,
    format_score,
    rbp_by_depth,
    rbp_curve,
    score,
    supported_decimals,
)

if TYPE_CHECKING:
    from core.inversion import (
        Crossings,
        Envelope,
        Inversion,
        ReportedRBP,
        Verdict,
        compare_rbp,
        count_vectors,
        inversion_depth,
        invert_rbp,
        rbp_crossings,
        rbp_envelope,
    )
    from core.properties import Finding, Witness, metric_properties
    from core.usermodel import (
        UserWalks,
        continuation,
        expected_depth,
        last,
        simulate_users,
        weight,
    )

# name -> the module that has it; a test holds this and the imports above together
_LAZY: Final = {
    name: module
    for module, names in {
        "core.inversion": (
            *(
                "Crossings",
                "Envelope",
                "Inversion",
                "ReportedRBP",
                "Verdict",
                "compare_rbp",
            ),
            *("count_vectors", "inversion_depth", "invert_rbp", "rbp_crossings"),
            "rbp_envelope",
        ),
        "core.properties": ("Finding", "Witness", "metric_properties"),
        "core.usermodel": (
            *("UserWalks", "continuation", "expected_depth", "last", "simulate_users"),
            "weight",
        ),
    }.items()
    for name in names
}

__all__ = [
    "METRICS",
    "PAST_END",
    "REFERENCES",
    "UNJUDGED",
    "CoreError",
    "Crossings",
    "Envelope",
    "Finding",
    "InputError",
    "Inversion",
    "Judged",
    "LimitError",
    "MetricSpec",
    "ParamSpec",
    "ParameterError",
    "ReportedRBP",
    "Score",
    "UnknownMetricError",
    "UserWalks",
    "Verdict",
    "Witness",
    "compare_rbp",
    "continuation",
    "contributions",
    "count_vectors",
    "depth_for",
    "expected_depth",
    "format_relevance",
    "format_score",
    "inversion_depth",
    "invert_rbp",
    "last",
    "metric",
    "metric_properties",
    "parse_relevance",
    "rbp_by_depth",
    "rbp_crossings",
    "rbp_curve",
    "rbp_envelope",
    "score",
    "simulate_users",
    "supported_decimals",
    "weight",
]


def __getattr__(name: str) -> object:
    """Load a name of the other parts at first use."""
    if name not in _LAZY:
        msg = f"module 'core' has no attribute {name!r}"
        raise AttributeError(msg)
    found = getattr(import_module(_LAZY[name]), name)
    globals()[name] = found
    return found


def __dir__() -> list[str]:
    """List the public names, loaded or not."""
    return sorted(__all__)
