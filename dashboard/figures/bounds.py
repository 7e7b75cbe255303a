"""RBP and its bounds against the persistence p."""

import numpy as np
import plotly.graph_objects as go

from core import Score
from core.judged import Floats
from dashboard.figures import theme


def bounds_figure(p_values: Floats, curve: Score, *, p: float) -> go.Figure:
    """Draw RBP's lower and upper bound at every p, and mark the chosen one."""
    lower, upper = np.asarray(curve.lower), np.asarray(curve.upper)
    band = {
        "x": [*p_values, *p_values[::-1]],
        "y": [*lower, *upper[::-1]],
        "fill": "toself",
        "fillcolor": theme.RBP_BAND,
        "line": {"width": 0},
        "hoverinfo": "skip",
        "name": "open: unjudged and unseen",
    }
    low = {
        "x": p_values,
        "y": lower,
        "name": "lower bound",
        "line": {"color": theme.RBP, "width": 3},
    }
    high = {
        "x": p_values,
        "y": upper,
        "name": "upper bound",
        "line": {"color": theme.RBP, "width": 1, "dash": "dot"},
    }
    marker = {
        "type": "line",
        "x0": p,
        "x1": p,
        "y0": 0,
        "y1": 1,
        "line": {"color": theme.MARKER, "dash": "dash", "width": 1},
    }
    traces = [{"type": "scatter", "mode": "lines", **trace} for trace in (band, low, high)]
    layout = {
        **theme.LAYOUT,
        "height": 340,
        "shapes": [marker],
        "xaxis": {"title": "persistence p", "range": [0, 1]},
        "yaxis": {"title": "RBP", "range": [0, 1.02], "hoverformat": ".4f"},
    }
    return go.Figure({"data": traces, "layout": layout})
