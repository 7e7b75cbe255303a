"""Read the script and style of a component and register it."""

from pathlib import Path

import streamlit as st
from streamlit.components.v2.types import ComponentRenderer

FOLDER = Path(__file__).parent


def register(
    name: str, html: str, *, isolated: bool = True, paced: bool = False
) -> ComponentRenderer:
    """Register the component `name` with its files in this folder.

    Plotly puts its styles into the page, so what draws with it cannot be isolated from them.
    A component that is `paced` reports while it is used, with the code of ``pace.js``.
    """
    files = ("pace", name) if paced else (name,)
    return st.components.v2.component(
        f"ranklens_{name}",
        html=html,
        css=(FOLDER / f"{name}.css").read_text(encoding="utf-8"),
        js="".join((FOLDER / f"{file}.js").read_text(encoding="utf-8") for file in files),
        isolate_styles=isolated,
    )
