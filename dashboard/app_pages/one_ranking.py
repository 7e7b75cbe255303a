"""One ranking: type or click it, drag p, read the scores and their ranges."""

import streamlit as st

import core
from dashboard.components import Tile, address_bar, board, live_slider
from dashboard.components.fields import metric_choice, ranking, topic_fields
from dashboard.components.look import current_look
from dashboard.components.toolbar import toolbar
from dashboard.markdown import plain
from dashboard.presets import ONE_RANKING
from dashboard.state import PageState
from dashboard.views.one_ranking import FIELDS, SHARE_CHOICES, take_away, view

STATE = PageState.of("one_ranking", FIELDS)


@st.fragment
def page() -> None:
    """Draw the page; what the toolbar changes runs all of this."""
    toolbar(STATE, ONE_RANKING, options=options, take_away=lambda: take_away(STATE.values))
    live()


@st.fragment
def live() -> None:
    """Draw what changes at every edit, and nothing else."""
    state = STATE
    if state.drawn != state.revision:
        st.rerun()
    ranking(
        STATE,
        "r",
        "Ranking: $ relevant, - not, ? unjudged, digits are grades, ( ) ties",
        core.parse_relevance,
    )
    if state["r2"]:
        ranking(STATE, "r2", "Second ranking, on the same axes", core.parse_relevance)
    with st.container(horizontal=True, vertical_alignment="bottom"):
        live_slider(
            "Persistence p: the chance that the user reads on after each document",
            key="one_ranking.p",
            value=state["p"],
            revision=state.revision,
            limits=(0.0, 0.99, 0.01),
            on_edit=lambda value: state.edit("p", value),
        )
        address_bar(state)
    shown = state.good(lambda values: view(values, current_look()))
    if shown.problem:
        st.error(plain(shown.problem))
    board(
        key="one_ranking.board",
        sentence=shown.view.sentence,
        tiles=[Tile(*tile) for tile in shown.view.tiles],
        pictures=shown.view.pictures,
        columns=2 if state["projector"] else 3,
    )
    board(key="one_ranking.overview", pictures=[shown.view.overview], columns=1)


def options() -> None:
    """Show what is set less often: a second ranking, the topic, the bars."""
    other = "" if STATE["r2"] else "-$$" + STATE["r"][3:]
    label = "Leave the second ranking" if other == "" else "Compare with a second ranking"
    st.button(label, key="one_ranking.compare", on_click=STATE.set, args=({"r2": other},))
    metric_choice(STATE, "m1", "First bars", SHARE_CHOICES)
    metric_choice(STATE, "m2", "Second bars", SHARE_CHOICES)
    topic_fields(STATE)


page()
