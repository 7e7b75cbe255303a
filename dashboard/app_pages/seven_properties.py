"""Seven properties: click a cell, see why; try a ranking of your own."""

import streamlit as st

from dashboard.components import Tile, address_bar, board, ranking_editor
from dashboard.components.fields import segments
from dashboard.components.look import current_look
from dashboard.components.property_table import link_buttons, property_table
from dashboard.components.toolbar import follow_keys, toolbar
from dashboard.presets import SEVEN_PROPERTIES
from dashboard.state import PageState
from dashboard.views import seven_properties as views
from dashboard.views.own_ranking import read_world

STATE = PageState.of("seven_properties", views.FIELDS)


@st.fragment
def page() -> None:
    """Draw the page; what the toolbar changes runs all of this."""
    toolbar(STATE, SEVEN_PROPERTIES, take_away=lambda: views.take_away(STATE.values))
    live()
    with st.expander("What the seven properties mean"):
        st.markdown(views.DEFINITIONS)


@st.fragment
def live() -> None:
    """Draw what changes at every edit, and nothing else."""
    if STATE.drawn != STATE.revision:
        st.rerun()
    shown = STATE.good(lambda values: views.view(values, current_look())).view
    left, right = st.columns([5, 6], gap="medium")
    with left:
        property_table(
            "Metrics and their seven properties",
            key="seven_properties.table",
            columns=views.COLUMNS,
            rows=shown.rows,
            chosen=STATE["cell"],
            definition=shown.definition,
            on_choose=lambda cell: STATE.edit("cell", cell),
        )
    with right:
        with st.container(horizontal=True, vertical_alignment="center"):
            segments(STATE, "D", "Documents in a world", views.DOCUMENTS)
            address_bar(STATE)
        board(
            key="seven_properties.board",
            sentence=shown.sentence,
            tiles=[Tile(*tile) for tile in shown.tiles],
            pictures=shown.pictures,
            columns=1,
        )
        if shown.world:
            with st.container(horizontal=True):
                link_buttons(shown.links, key="seven_properties.link")
                key, own = "seven_properties.try", {"own": shown.world}
                st.button("Try it below", key=key, on_click=STATE.set, args=(own,))
    ranking_editor(
        "Your own ranking, a whole collection of up to 20 documents: 1 or $ relevant, 0 or - not",
        key="seven_properties.own",
        text=STATE["own"],
        revision=STATE.revision,
        error=STATE.errors.get("own", ""),
        on_edit=lambda text: STATE.try_edit("own", text, read_world),
        on_command=lambda command: follow_keys(STATE, command),
    )
    board(
        key="seven_properties.own_board",
        sentence=shown.own_sentence,
        pictures=shown.own_pictures,
    )


page()
