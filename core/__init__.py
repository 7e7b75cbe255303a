"""Ranklens core: the metrics of information retrieval, their ranges and their inversion.

Names of the collection part are loaded at first use, so that scoring one ranking does not wait
for pandas and scipy.
"""

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
from core.properties import Finding, Witness, metric_properties
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
from core.usermodel import (
    UserWalks,
    continuation,
    expected_depth,
    last,
    simulate_users,
    weight,
)

__all__ = [
    "METRICS",
    "PAST_END",
    "REFERENCES",
    "UNJUDGED",
    "CoreError",
    "Finding",
    "InputError",
    "Judged",
    "LimitError",
    "MetricSpec",
    "ParamSpec",
    "ParameterError",
    "Score",
    "UnknownMetricError",
    "UserWalks",
    "Witness",
    "continuation",
    "contributions",
    "depth_for",
    "expected_depth",
    "format_relevance",
    "format_score",
    "last",
    "metric",
    "metric_properties",
    "parse_relevance",
    "rbp_by_depth",
    "rbp_curve",
    "score",
    "simulate_users",
    "supported_decimals",
    "weight",
]
