"""A choice of any metrics, with any parameters; core says whether a name is one."""

from collections.abc import Callable
from typing import Any

import streamlit as st

import core
from dashboard.markdown import plain
from dashboard.state import PageState
from dashboard.views.metric_lists import METRIC_CHOICES, checked_metrics, depths_of


def metric_picker(state: PageState, name: str, label: str, *, width: int) -> None:
    """Show the chosen metrics; others can be picked, or typed with their parameters."""
    key = f"{state.page}.{name}"
    if name not in state.errors:
        st.session_state[key] = list(state[name])
    st.multiselect(
        label,
        list(dict.fromkeys((*METRIC_CHOICES, *state[name]))),
        key=key,
        on_change=_taken(state, name, checked_metrics),
        accept_new_options=True,
        width=width,
        help="Type any name, such as nDCG@10, AP', RBP(p=0.9) or Qmeasure(gains='10:5:1')",
    )
    _complain(state, name)


def depth_field(state: PageState, name: str, label: str) -> None:
    """Show pool depths as a text; empty means all judgments."""
    key = f"{state.page}.{name}"
    if name not in state.errors:
        st.session_state[key] = ", ".join(map(str, state[name]))
    st.text_input(
        label,
        key=key,
        on_change=_taken(state, name, depths_of),
        placeholder="all judgments",
        max_chars=100,
        width=170,
        help="Such as 10, 100: only what some run has in its first 10 (100) was judged",
    )
    _complain(state, name)


def _taken(
    state: PageState, name: str, read: Callable[[Any], tuple[Any, ...]]
) -> Callable[[], None]:
    def edited() -> None:
        try:
            value = read(st.session_state[f"{state.page}.{name}"])
        except core.CoreError as error:
            state.errors[name] = str(error)
        else:
            state.errors.pop(name, None)
            state.edit(name, value)

    return edited


def _complain(state: PageState, name: str) -> None:
    if name in state.errors:
        st.error(plain(state.errors[name]))
