"""Colours by role for both themes, and what all figures share.

The colours were checked for contrast and for colour vision; a second channel (dash, hatch,
direct label) always stands beside colour.
"""

import json
import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

import numpy as np

if TYPE_CHECKING:
    import plotly.graph_objects as go


@dataclass(frozen=True)
class Look:
    """How figures are to look: the theme and the size of type."""

    dark: bool = False
    large: bool = False

    @property
    def rbp(self) -> str:
        """RBP and its bounds."""
        return "#56B4E9" if self.dark else "#0072B2"

    @property
    def unjudged(self) -> str:
        """The part of a residual that unjudged documents leave open."""
        return "rgba(86, 180, 233, 0.45)" if self.dark else "rgba(0, 114, 178, 0.34)"

    @property
    def tail(self) -> str:
        """The part of a residual that lies below the end of the list."""
        return "rgba(86, 180, 233, 0.20)" if self.dark else "rgba(0, 114, 178, 0.14)"

    @property
    def other(self) -> str:
        """AP, envelopes, the second ranking."""
        return "#E69F00" if self.dark else "#D55E00"

    @property
    def other_band(self) -> str:
        """A band in the second colour."""
        return "rgba(230, 159, 0, 0.22)" if self.dark else "rgba(213, 94, 0, 0.16)"

    @property
    def other_faint(self) -> str:
        """A wider band in the second colour."""
        return "rgba(230, 159, 0, 0.10)" if self.dark else "rgba(213, 94, 0, 0.07)"

    @property
    def third(self) -> str:
        """A third series."""
        return "#2BCB9A" if self.dark else "#009E73"

    @property
    def marker(self) -> str:
        """References and markers."""
        return "#B0B0B0" if self.dark else "#6B6B6B"

    @property
    def text(self) -> str:
        """Words and numbers."""
        return "#EDEBE8" if self.dark else "#2F2D2B"

    @property
    def ground(self) -> str:
        """Behind words that stand in a picture."""
        return "rgba(23, 22, 20, 0.8)" if self.dark else "rgba(255, 255, 255, 0.8)"

    @property
    def grid(self) -> str:
        """Grid lines."""
        return "rgba(255, 255, 255, 0.12)" if self.dark else "rgba(0, 0, 0, 0.09)"

    @property
    def width(self) -> float:
        """Width of the main lines."""
        return 4.5 if self.large else 3.0


@dataclass(frozen=True)
class Figure:
    """A Plotly figure as plain data: traces and layout.

    `go.Figure` checks every property, which takes ten times as long as the drawing; the tests
    do that with `checked`, so that a page need not.
    """

    data: list[dict[str, Any]]
    layout: dict[str, Any]

    def checked(self) -> "go.Figure":
        """Let Plotly check every property; raises ValueError where one is wrong."""
        import plotly.graph_objects as go

        return go.Figure({"data": self.data, "layout": self.layout})

    def to_json(self) -> dict[str, str]:
        """Write traces and layout for the browser, which leaves alone what did not change.

        Six decimals are more than a screen can show.
        """
        return {
            "data": json.dumps(_plain(self.data)),
            "layout": json.dumps(_plain(self.layout)),
        }


@dataclass(frozen=True)
class Picture:
    """A figure with its words: title, source or explanation, and text for those who listen."""

    name: str
    title: str
    figure: Figure
    alt: str
    caption: str = ""


_AS_THEY_ARE: Final = frozenset({str, int, bool})
UNIT: Final = {"range": [0, 1.02], "tick0": 0, "dtick": 0.2}


def figure(
    traces: list[dict[str, Any]],
    look: Look,
    *,
    x: dict[str, Any],
    y: dict[str, Any],
    height: int = 235,
    **layout: Any,  # noqa: ANN401 - Plotly's own layout options
) -> Figure:
    """Build a figure in one go: fixed height, transparent ground, zoom kept over changes."""
    axis = {
        "gridcolor": look.grid,
        "zerolinecolor": look.grid,
        "automargin": True,
        "title": {"standoff": 6},
    }
    size = 18 if look.large else 12
    return Figure(
        data=traces,
        layout={
            "height": round(height * 1.45) if look.large else height,
            "margin": {"l": 48, "r": 12, "t": 24, "b": 36},
            "paper_bgcolor": "rgba(0,0,0,0)",
            "plot_bgcolor": "rgba(0,0,0,0)",
            "font": {
                "color": look.text,
                "size": size,
                "family": "Source Sans, sans-serif",
            },
            "legend": {
                "orientation": "h",
                "y": 1.01,
                "yanchor": "bottom",
                "x": 0,
                "bgcolor": "rgba(0,0,0,0)",
                "traceorder": "normal",
                "font": {"size": size - 1},
            },
            "hovermode": "x unified",
            "hoverlabel": {"bgcolor": "#2d2b27" if look.dark else "#ffffff"},
            "xaxis": _axis(axis, x),
            "yaxis": _axis(axis, y),
            "uirevision": "kept",
            "transition": {"duration": 0},
            **layout,
        },
    )


def _axis(shared: dict[str, Any], own: dict[str, Any]) -> dict[str, Any]:
    title = own.get("title")
    axis = {**shared, **own}
    if isinstance(title, str):
        axis["title"] = {"text": title, "standoff": 6}
    return axis


def _plain(value: Any) -> Any:  # noqa: ANN401 - whatever Plotly takes
    """Turn arrays into lists, and what is not a number into null, which leaves a gap."""
    if isinstance(value, np.ndarray):
        if value.dtype.kind != "f" or not np.isfinite(value).all():
            return _plain(value.tolist())
        return np.round(value, 6).tolist()
    if isinstance(value, float):
        return round(value, 6) if math.isfinite(value) else None
    if isinstance(value, list | tuple):
        if _AS_THEY_ARE.issuperset(map(type, value)):  # a thousand labels need no look each
            return value
        return [_plain(item) for item in value]
    if isinstance(value, dict):
        return {name: _plain(item) for name, item in value.items()}
    return value.item() if isinstance(value, np.generic) else value
