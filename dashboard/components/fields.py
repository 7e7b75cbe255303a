"""Streamlit's own widgets, tied to fields of a page's state."""

from collections.abc import Callable, Mapping
from typing import Any

import streamlit as st

import core
from dashboard.components.editor import ranking_editor
from dashboard.components.slider import live_slider
from dashboard.components.toolbar import follow_keys
from dashboard.markdown import plain
from dashboard.settings import MAX_RANKING_CHARACTERS
from dashboard.state import PageState


def optional_number(
    state: PageState,
    name: str,
    label: str,
    least: int,
    most: int,
    *,
    empty: str = "from the ranking",
) -> None:
    """Show a whole number that may be left empty, which means what `empty` says."""
    key = f"{state.page}.{name}"
    st.session_state[key] = state[name]

    def edited() -> None:
        state.edit(name, st.session_state[key])

    st.number_input(
        label, min_value=least, max_value=most, step=1, key=key, on_change=edited,
        placeholder=empty,
    )  # fmt: skip


def optional_ranking(state: PageState, name: str, label: str) -> None:
    """Show a relevance string that may be left empty."""
    key = f"{state.page}.{name}"
    if name not in state.errors:
        st.session_state[key] = state[name]

    def edited() -> None:
        state.try_edit(name, st.session_state[key] or "", _check)

    st.text_input(
        label, key=key, on_change=edited, live="300ms", max_chars=MAX_RANKING_CHARACTERS
    )
    if name in state.errors:
        st.error(plain(state.errors[name]))


def checked_text(
    state: PageState, name: str, label: str, check: Callable[[str], object], width: int
) -> None:
    """Show a short text that `check` must accept; otherwise the last good one stands."""
    key = f"{state.page}.{name}"
    if name not in state.errors:
        st.session_state[key] = state[name]

    def edited() -> None:
        state.try_edit(name, st.session_state[key] or "", check)

    st.text_input(
        label, key=key, on_change=edited, live="300ms", width=width,
        max_chars=MAX_RANKING_CHARACTERS,
    )  # fmt: skip
    if name in state.errors:
        st.error(plain(state.errors[name]).replace(":", r"\:"))


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


def whole_number(state: PageState, name: str, label: str, least: int, most: int) -> None:
    """Show a whole number that must be there; an emptied box keeps the last one."""
    key = f"{state.page}.{name}"
    st.session_state[key] = state[name]

    def edited() -> None:
        number = st.session_state[key]
        state.edit(name, state[name] if number is None else number)

    st.number_input(
        label, min_value=least, max_value=most, step=1, key=key, on_change=edited, width=150
    )


def real_number(
    state: PageState, name: str, label: str, limits: tuple[float, float, float], form: str
) -> None:
    """Show a number within `limits` (least, most, step); an emptied box keeps the last one."""
    key = f"{state.page}.{name}"
    st.session_state[key] = state[name]

    def edited() -> None:
        number = st.session_state[key]
        state.edit(name, state[name] if number is None else number)

    least, most, step = limits
    st.number_input(
        label, min_value=least, max_value=most, step=step, format=form, key=key,
        on_change=edited, width=130,
    )  # fmt: skip


def switch(state: PageState, name: str, label: str, *, help: str) -> None:
    """Show a field that is on or off."""
    key = f"{state.page}.{name}"
    st.session_state[key] = state[name]

    def edited() -> None:
        state.edit(name, st.session_state[key])

    st.toggle(label, key=key, on_change=edited, help=help)


def segments(state: PageState, name: str, label: str, words: Mapping[Any, str]) -> None:
    """Show the few values of a field side by side, each by its words."""
    key = f"{state.page}.{name}"
    st.session_state[key] = state[name]

    def edited() -> None:
        state.edit(name, st.session_state[key])

    st.segmented_control(
        label, list(words), format_func=words.__getitem__, key=key, on_change=edited,
        required=True, label_visibility="collapsed",
    )  # fmt: skip


def slider(
    state: PageState, name: str, label: str, limits: tuple[float, float, float]
) -> None:
    """Show a live slider for a number within `limits` (least, most, step)."""
    live_slider(
        label,
        key=f"{state.page}.{name}",
        value=state[name],
        revision=state.revision,
        limits=limits,
        on_edit=lambda value: state.edit(name, value),
    )


def topic_fields(state: PageState) -> None:
    """Show what can be known of the topic beyond the ranking."""
    st.caption("What is known of the topic beyond the ranking")
    optional_ranking(state, "topic", "Grades of all judged documents, such as SSA---")
    optional_number(state, "R", "R: relevant documents", 0, 1_000_000)
    optional_number(state, "N", "N: nonrelevant documents", 0, 1_000_000)
    optional_number(state, "top", "Top grade, with gain 1", 1, 9)
    optional_number(state, "min", "Relevant from this grade on", 1, 9)
    optional_number(state, "k", "Cutoff k of P, R, HIT and SDCG", 1, 1000)


def ranking(
    state: PageState, name: str, label: str, check: Callable[[str], object]
) -> None:
    """Show the editor of a ranking that `check` must accept."""
    ranking_editor(
        label,
        key=f"{state.page}.{name}",
        text=state[name],
        revision=state.revision,
        error=state.errors.get(name, ""),
        on_edit=lambda text: state.try_edit(name, text, check),
        on_command=lambda command: follow_keys(state, command),
    )


def one_of(
    state: PageState, name: str, label: str, choices: Mapping[str, str], value: str
) -> None:
    """Show a choice among words that depend on the data; `value` is the one in force."""
    key = f"{state.page}.{name}"
    st.session_state[key] = value if value in choices else next(iter(choices), None)

    def edited() -> None:
        if st.session_state[key] in choices:  # not what was chosen among lost files
            state.edit(name, st.session_state[key])

    st.selectbox(
        label, list(choices), key=key, on_change=edited, width=190,
        format_func=lambda one: choices.get(one, one),
    )  # fmt: skip


def some_of(
    state: PageState, name: str, label: str, choices: Mapping[str, str], *, help: str
) -> None:
    """Show a choice of any number of things; names that are not among them are left out."""
    key = f"{state.page}.{name}"
    st.session_state[key] = [one for one in state[name] if one in choices]

    def edited() -> None:
        state.edit(name, tuple(st.session_state[key]))

    st.multiselect(
        label, list(choices), key=key, on_change=edited, help=help,
        format_func=lambda one: choices.get(one, one),
    )  # fmt: skip
