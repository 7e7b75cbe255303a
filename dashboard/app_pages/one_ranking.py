"""One ranking: type or click it, drag p, read the scores and their ranges."""

from typing import Any

import streamlit as st

import core
from dashboard.components import Tile, board, live_slider, ranking_editor
from dashboard.components.fields import metric_choice, optional_number, optional_ranking
from dashboard.components.look import current_look
from dashboard.components.toolbar import take_away_popover, toolbar
from dashboard.presets import ONE_RANKING
from dashboard.state import PageState
from dashboard.views.one_ranking import FIELDS, SHARE_CHOICES, view


@st.fragment
def page() -> None:
    """Draw the page; edits of its widgets run just this."""
    state = PageState.of("one_ranking", FIELDS)
    toolbar(state, ONE_RANKING)
    _editor(
        state, "r", "Ranking: $ relevant, - not, ? unjudged, digits are grades, ( ) ties"
    )
    if state["r2"]:
        _editor(state, "r2", "Second ranking, on the same axes")
    live_slider(
        "Persistence p: the chance that the user reads on after each document",
        key="one_ranking.p",
        value=state["p"],
        revision=state.revision,
        limits=(0.0, 0.99, 0.01),
        on_edit=lambda value: state.edit("p", value),
    )
    shown = state.good(lambda values: view(values, current_look()))
    if shown.problem and not state.errors:
        st.error(shown.problem.replace("$", r"\$"))
    board(
        key="one_ranking.board",
        sentence=shown.view.sentence,
        tiles=[Tile(*tile) for tile in shown.view.tiles],
        pictures=shown.view.pictures,
        columns=2 if state["projector"] else 3,
    )
    _more(state)
    board(key="one_ranking.overview", pictures=[shown.view.overview], columns=1)
    take_away_popover(shown.view.take_away, shown.view.formula, page="One ranking")


def _editor(state: PageState, name: str, label: str) -> None:
    def edited(text: str) -> None:
        state.try_edit(name, text, core.parse_relevance)

    def commanded(command: Any) -> None:  # noqa: ANN401
        if command == "undo":
            state.undo()
        elif command == "redo":
            state.redo()

    ranking_editor(
        label,
        key=f"one_ranking.{name}",
        text=state[name],
        revision=state.revision,
        error=state.errors.get(name, ""),
        on_edit=edited,
        on_command=commanded,
    )


def _more(state: PageState) -> None:
    with st.container(horizontal=True, vertical_alignment="bottom", gap="small"):
        metric_choice(state, "m1", "First bars", SHARE_CHOICES)
        metric_choice(state, "m2", "Second bars", SHARE_CHOICES)
        with st.popover("Topic", icon=":material/topic:"):
            st.caption("What is known of the topic beyond the ranking")
            optional_ranking(
                state, "topic", "Grades of all judged documents, such as SSA---"
            )
            optional_number(state, "R", "R: relevant documents", 0, 1_000_000)
            optional_number(state, "N", "N: nonrelevant documents", 0, 1_000_000)
            optional_number(state, "top", "Top grade (gain 1)", 1, 9)
            optional_number(state, "min", "Relevant from grade", 1, 9)
        label = "One ranking only" if state["r2"] else "Compare with a second"
        other = "" if state["r2"] else "-$$" + state["r"][3:]
        st.button(
            label,
            key="one_ranking.compare",
            on_click=state.set,
            args=({"r2": other},),
            icon=":material/compare_arrows:",
        )


page()
