"""One good answer: grade a ranking, and see where six metrics' users stop."""

from functools import partial

import streamlit as st

import core
from dashboard.components import Tile, address_bar, board
from dashboard.components.fields import checked_text, ranking
from dashboard.components.look import current_look
from dashboard.components.toolbar import toolbar
from dashboard.markdown import plain
from dashboard.presets import ONE_GOOD_ANSWER
from dashboard.state import PageState
from dashboard.views import one_good_answer as views

STATE = PageState.of("one_good_answer", views.FIELDS)
text = partial(checked_text, STATE)


@st.fragment
def page() -> None:
    """Draw the page; what the toolbar changes runs all of this."""
    toolbar(
        STATE,
        ONE_GOOD_ANSWER,
        options=options,
        take_away=lambda: views.take_away(STATE.values),
    )
    live()


@st.fragment
def live() -> None:
    """Draw what changes at every edit, and nothing else."""
    if STATE.drawn != STATE.revision:
        st.rerun()
    ranking(
        STATE,
        "r",
        "Ranking: S, A, B or digits are grades, 0 or - not relevant, ? unjudged",
        core.parse_relevance,
    )
    if STATE["r2"]:
        ranking(STATE, "r2", "Second ranking, on the same axes", core.parse_relevance)
    with st.container(horizontal=True, vertical_alignment="bottom"):
        text("topic", "All relevant documents of the topic", views.check_topic, 250)
        if STATE["r2"]:
            text("topic2", "Topic of the second, if another", views.check_topic, 250)
        text("gains", "Gains, S:A:B", views.check_gains, 120)
        text("penalties", "NWRR's penalties", views.check_penalties, 130)
        address_bar(STATE)
    shown = STATE.good(lambda values: views.view(values, current_look()))
    if shown.problem:
        st.error(plain(shown.problem))
    board(
        key="one_good_answer.board",
        sentence=shown.view.sentence,
        tiles=[Tile(*tile) for tile in shown.view.tiles],
        pictures=shown.view.pictures,
        columns=2 if STATE["projector"] else 3,
    )


def options() -> None:
    """Offer a second ranking."""
    other = {"r2": "", "topic2": ""} if STATE["r2"] else {"r2": STATE["r"][::-1]}
    label = "Leave the second ranking" if STATE["r2"] else "Compare with a second ranking"
    st.button(label, key="one_good_answer.compare", on_click=STATE.set, args=(other,))


page()
