"""What each rank contributes to a score."""

import plotly.graph_objects as go

from core.judged import Floats
from dashboard.figures import theme


def contributions_figure(rbp_shares: Floats, ap_shares: Floats) -> go.Figure:
    """Draw the contribution of each rank to RBP and to AP side by side."""
    ranks = list(range(1, len(rbp_shares) + 1))
    bars = [
        {"x": ranks, "y": rbp_shares, "name": "RBP", "marker": {"color": theme.RBP}},
        {
            "x": ranks,
            "y": ap_shares,
            "name": "AP",
            "marker": {"color": theme.AP, "pattern": {"shape": "/"}},
        },
    ]
    layout = {
        **theme.LAYOUT,
        "height": 340,
        "barmode": "group",
        "xaxis": {"title": "rank"},
        "yaxis": {"title": "contribution", "rangemode": "tozero", "hoverformat": ".4f"},
    }
    return go.Figure({"data": [{"type": "bar", **bar} for bar in bars], "layout": layout})
