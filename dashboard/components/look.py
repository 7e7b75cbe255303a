"""How figures are to look in this session: theme and size."""

import streamlit as st

from dashboard.figures.theme import Look


def current_look() -> Look:
    """Read the browser's theme and the projector switch."""
    return Look(
        dark=st.context.theme.type == "dark",
        large=bool(st.session_state.get("projector", False)),
    )
