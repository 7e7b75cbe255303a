"""Read the script and style of a component and register it."""

from pathlib import Path

import streamlit as st
from streamlit.components.v2.types import ComponentRenderer

FOLDER = Path(__file__).parent


def register(name: str, html: str, *, isolated: bool = True) -> ComponentRenderer:
    """Register the component `name` with its files in this folder.

    Plotly puts its styles into the page, so what draws with it cannot be isolated from them.
    """
    return st.components.v2.component(
        f"ranklens_{name}",
        html=html,
        css=(FOLDER / f"{name}.css").read_text(encoding="utf-8"),
        js=(FOLDER / f"{name}.js").read_text(encoding="utf-8"),
        isolate_styles=isolated,
    )
