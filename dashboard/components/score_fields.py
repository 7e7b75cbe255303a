"""What the page Scores has beyond the usual: a list of metrics, two runs, tables to save.

Names of runs, topics and documents come from files: they are options and cells, which are text,
and never Markdown.
"""

from collections.abc import Mapping, Sequence

import pandas as pd
import streamlit as st

from dashboard.state import PageState
from dashboard.views.score_table import as_csv, as_latex

_LABELS = {"a": "Run A", "b": "Run B", "by": "Compared by", "t": "Topic"}


def metric_list(state: PageState, name: str, label: str, choices: Sequence[str]) -> None:
    """Show a choice of several metrics; with none, the last choice stands."""
    key = f"{state.page}.{name}"
    st.session_state[key] = list(state[name])

    def edited() -> None:
        if st.session_state[key]:
            state.edit(name, tuple(st.session_state[key]))

    st.multiselect(label, choices, key=key, on_change=edited)


def choose_pair(
    state: PageState, chosen: Mapping[str, str], choices: Mapping[str, Sequence[str]]
) -> None:
    """Show which runs are compared, by what, and on which topic."""
    for name, label in _LABELS.items():
        _choose(state, name, label, chosen[name], choices[name])


def _choose(
    state: PageState, name: str, label: str, value: str, choices: Sequence[str]
) -> None:
    key = f"{state.page}.{name}"
    st.session_state[key] = value

    def edited() -> None:
        if st.session_state[key] in choices:  # not what was chosen among lost files
            state.edit(name, st.session_state[key])

    st.selectbox(label, choices, key=key, on_change=edited, width=150)


def score_grid(table: pd.DataFrame, alt: str) -> None:
    """Show the table; a click on a heading sorts it."""
    _grid(table, alt, pinned="run", missing="undefined", height=380)


def document_grid(table: pd.DataFrame, alt: str) -> None:
    """Show the documents that decide."""
    _grid(table, alt, pinned="document", missing="not listed", height=320)


def _grid(table: pd.DataFrame, alt: str, *, pinned: str, missing: str, height: int) -> None:
    """Show a table with its first column kept in sight, numbers as numbers."""
    numbers = {
        name: st.column_config.NumberColumn(format="%.4f")
        for name in table.select_dtypes("float").columns
    }
    longest = 30 + 8 * max(map(len, table[pinned]), default=0)  # pixels
    st.dataframe(
        table,
        hide_index=True,
        height=min(36 * (len(table) + 1), height),
        column_config={
            pinned: st.column_config.TextColumn(pinned=True, width=min(longest, 200)),
            **numbers,
        },
        key=f"scores.{pinned}s",
        placeholder=missing,
        alt=alt,
    )


def save_buttons(table: pd.DataFrame) -> None:
    """Offer the table as CSV and as LaTeX."""
    with st.container(horizontal=True):
        for label, write, name in (
            ("CSV", as_csv, "scores.csv"),
            ("LaTeX", as_latex, "scores.tex"),
        ):
            st.download_button(
                label,
                write(table),
                file_name=name,
                key=f"scores.save.{label}",
                on_click="ignore",
                icon=":material/download:",
                help=f"The table of runs and metrics as {label}",
            )
