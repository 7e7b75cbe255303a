"""Widgets of our own: Streamlit's do not report while they are used, and redraw charts anew.

Each has its script and style beside it; Python passes data, never markup.
"""

from dashboard.components.address import address_bar
from dashboard.components.board import Tile, board
from dashboard.components.editor import ranking_editor
from dashboard.components.slider import live_slider

__all__ = ["Tile", "address_bar", "board", "live_slider", "ranking_editor"]
