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
    from core.collection import Collection
    from core.correlation import agreement, kendall_tau, tau_ap
    from core.discrimination import (
        BootstrapSensitivity,
        SignificantPairs,
        SwapRates,
        bootstrap_sensitivity,
        error_rates,
        significant_pairs,
        swap_rates,
    )
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
    from core.limits import Limits
    from core.pooling import leave_one_out, pool_sweep
    from core.properties import Finding, Witness, metric_properties
    from core.simulate import sample_collection, simulate_collection
    from core.thinning import AG_SHARES, thin_judgments, thinning_sweep
    from core.trec import Qrels, Run, read_qrels, read_run
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
        "core.correlation": ("agreement", "kendall_tau", "tau_ap"),
        "core.collection": ("Collection",),
        "core.discrimination": (
            *(
                "BootstrapSensitivity",
                "SignificantPairs",
                "SwapRates",
                "bootstrap_sensitivity",
            ),
            *("error_rates", "significant_pairs", "swap_rates"),
        ),
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
        "core.limits": ("Limits",),
        "core.pooling": ("leave_one_out", "pool_sweep"),
        "core.properties": ("Finding", "Witness", "metric_properties"),
        "core.simulate": ("sample_collection", "simulate_collection"),
        "core.thinning": ("AG_SHARES", "thin_judgments", "thinning_sweep"),
        "core.trec": ("Qrels", "Run", "read_qrels", "read_run"),
        "core.usermodel": (
            *("UserWalks", "continuation", "expected_depth", "last", "simulate_users"),
            "weight",
        ),
    }.items()
    for name in names
}

__all__ = [
    "AG_SHARES",
    "METRICS",
    "PAST_END",
    "REFERENCES",
    "UNJUDGED",
    "BootstrapSensitivity",
    "Collection",
    "CoreError",
    "Crossings",
    "Envelope",
    "Finding",
    "InputError",
    "Inversion",
    "Judged",
    "LimitError",
    "Limits",
    "MetricSpec",
    "ParamSpec",
    "ParameterError",
    "Qrels",
    "ReportedRBP",
    "Run",
    "Score",
    "SignificantPairs",
    "SwapRates",
    "UnknownMetricError",
    "UserWalks",
    "Verdict",
    "Witness",
    "agreement",
    "bootstrap_sensitivity",
    "compare_rbp",
    "continuation",
    "contributions",
    "count_vectors",
    "depth_for",
    "error_rates",
    "expected_depth",
    "format_relevance",
    "format_score",
    "inversion_depth",
    "invert_rbp",
    "kendall_tau",
    "last",
    "leave_one_out",
    "metric",
    "metric_properties",
    "parse_relevance",
    "pool_sweep",
    "rbp_by_depth",
    "rbp_crossings",
    "rbp_curve",
    "rbp_envelope",
    "read_qrels",
    "read_run",
    "sample_collection",
    "score",
    "significant_pairs",
    "simulate_collection",
    "simulate_users",
    "supported_decimals",
    "swap_rates",
    "tau_ap",
    "thin_judgments",
    "thinning_sweep",
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
