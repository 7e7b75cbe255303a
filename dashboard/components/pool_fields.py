"""What is set on the page of pool depths besides depth and p."""

from collections.abc import Mapping, Sequence

import streamlit as st

from dashboard.components.fields import metric_choice, one_of, optional_number, some_of
from dashboard.state import PageState

_LEFT_OUT = "These give no documents to the pool, and are scored as newcomers would be"


def pool_options(
    state: PageState,
    metrics: tuple[str, ...],
    orders: tuple[str, ...],
    runs: Mapping[str, str],
) -> None:
    """Show which metric stands beside RBP, and who gives documents to the pool."""
    metric_choice(state, "m", "First metric", metrics)
    metric_choice(state, "by", "Places by", orders)
    some_of(state, "out", "Runs left out of the pool", runs, help=_LEFT_OUT)


def marked_run(
    state: PageState, selects: Sequence[tuple[str, str, dict[str, str], str]], link: str
) -> None:
    """Show which run is marked in all pictures, and open its list for a topic."""
    for name, label, choices, value in selects:
        one_of(state, name, label, choices, value)
    if not link:
        st.text(
            "Mark a run, or click one, to open its list in One ranking.", width="content"
        )
        return
    st.link_button(
        "Open its list in One ranking",
        link,
        key=f"{state.page}.list",
        help="Opens a new tab: the list as this pool judges it, with R and N of the topic",
    )


def pair_of_runs(
    state: PageState,
    selects: Sequence[tuple[str, str, dict[str, str], str]],
    deepest: int,
) -> None:
    """Show the two runs and the two pool depths that are compared."""
    for name, label, choices, value in selects:
        one_of(state, name, label, choices, value)
    for name, label in (("d1", "First depth"), ("d2", "Second depth")):
        optional_number(state, name, label, 1, deepest, empty="full")
