"""How well a metric tells systems apart: significance, swaps, bootstrap sensitivity.

All of it works on the scores of every run on every topic. A topic that leaves the metric undefined
for some run is left out for all.
"""

from core.discrimination.bootstrap import BootstrapSensitivity, bootstrap_sensitivity
from core.discrimination.significance import (
    SignificantPairs,
    significant_pairs,
    t_levels,
    wilcoxon_levels,
)
from core.discrimination.swaps import SwapRates, error_rates, swap_rates

__all__ = [
    "BootstrapSensitivity",
    "SignificantPairs",
    "SwapRates",
    "bootstrap_sensitivity",
    "error_rates",
    "significant_pairs",
    "swap_rates",
    "t_levels",
    "wilcoxon_levels",
]
