"""Colours by role, checked for contrast and for colour vision; see also line styles."""

from typing import Final

RBP: Final = "#0072B2"
RBP_BAND: Final = "rgba(0, 114, 178, 0.18)"
AP: Final = "#D55E00"
MARKER: Final = "#6B6B6B"

LAYOUT: Final = {
    "margin": {"l": 56, "r": 16, "t": 40, "b": 48},
    "legend": {"orientation": "h", "y": 1.02, "yanchor": "bottom", "x": 0},
    "hovermode": "x unified",
}
