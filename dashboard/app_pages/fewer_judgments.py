"""Fewer judgments: thin them, and see what is left of the values and of the order."""

import streamlit as st

import core
from dashboard.components import Tile, address_bar, board
from dashboard.components.collection_source import collection_bar
from dashboard.components.fields import metric_choice, segments, whole_number
from dashboard.components.look import current_look
from dashboard.components.metric_picker import metric_picker
from dashboard.components.toolbar import toolbar
from dashboard.components.working import working
from dashboard.markdown import plain
from dashboard.presets import FEWER_JUDGMENTS
from dashboard.session_data import in_address
from dashboard.state import PageState
from dashboard.views import fewer_judgments as views

STATE = PageState.of("fewer_judgments", views.FIELDS)


def page() -> None:
    """Draw the page; it has no fragments, so that every change ends the work under way."""
    source = collection_bar(STATE.page)
    toolbar(
        STATE,
        FEWER_JUDGMENTS,
        options=options,
        take_away=lambda: views.take_away(STATE.values, source),
    )
    with st.container(horizontal=True, vertical_alignment="bottom"):
        metric_picker(STATE, "m", "Metrics", width=640)
        metric_choice(STATE, "at", "Read off at", views.AT_CHOICES)
        segments(STATE, "shares", "Shares of the judgments", views.SHARE_SETS)
        address_bar(STATE, in_address())
    try:
        with working() as progress:
            shown = STATE.good(
                lambda values: views.view(values, current_look(), source, progress)
            )
    except core.CoreError as error:
        st.error(plain(str(error)))
        return
    if shown.problem:
        st.error(plain(shown.problem))
    board(
        key="fewer_judgments.board",
        sentence=shown.view.sentence,
        tiles=[Tile(*tile) for tile in shown.view.tiles],
        pictures=shown.view.pictures,
        columns=1 if STATE["projector"] else 2,
    )


def options() -> None:
    """Show how often the judgments are drawn, and from which seed."""
    whole_number(STATE, "n", "Repetitions", *views.WHOLE["n"])
    whole_number(STATE, "seed", "Seed", *views.WHOLE["seed"])


page()
