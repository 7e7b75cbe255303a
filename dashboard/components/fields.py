"""Streamlit's own widgets, tied to fields of a page's state."""

import streamlit as st

import core
from dashboard.state import PageState


def optional_number(state: PageState, name: str, label: str, least: int, most: int) -> None:
    """Show a whole number that may be left empty."""
    key = f"{state.page}.{name}"
    st.session_state[key] = state[name]

    def edited() -> None:
        state.edit(name, st.session_state[key])

    st.number_input(
        label, min_value=least, max_value=most, step=1, key=key, on_change=edited,
        placeholder="from the ranking",
    )  # fmt: skip


def optional_ranking(state: PageState, name: str, label: str) -> None:
    """Show a relevance string that may be left empty."""
    key = f"{state.page}.{name}"
    if name not in state.errors:
        st.session_state[key] = state[name]

    def edited() -> None:
        state.try_edit(name, st.session_state[key] or "", _check)

    st.text_input(label, key=key, on_change=edited, live="300ms", max_chars=20_000)
    if name in state.errors:
        st.error(state.errors[name].replace("$", r"\$"))


def _check(text: str) -> object:
    return core.parse_relevance(text) if text.strip() else None


def metric_choice(
    state: PageState, name: str, label: str, choices: tuple[str, ...]
) -> None:
    """Show a choice of metrics."""
    key = f"{state.page}.{name}"
    st.session_state[key] = state[name]

    def edited() -> None:
        state.edit(name, st.session_state[key])

    st.selectbox(label, choices, key=key, on_change=edited, width=190)
