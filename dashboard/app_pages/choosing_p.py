"""Choosing p: pick a user by patience, or a precision by budget."""

import streamlit as st

import core
from dashboard.components import Tile, address_bar, board, live_slider, ranking_editor
from dashboard.components.fields import whole_number
from dashboard.components.look import current_look
from dashboard.components.toolbar import follow_keys, toolbar
from dashboard.presets import CHOOSING_P
from dashboard.state import PageState
from dashboard.views.choosing_p import FIELDS, P_LIMITS, WHOLE, Section, take_away, view

STATE = PageState.of("choosing_p", FIELDS)


@st.fragment
def page() -> None:
    """Draw the page; what the toolbar changes runs all of this."""
    toolbar(STATE, CHOOSING_P, take_away=lambda: take_away(STATE.values))
    live()


@st.fragment
def live() -> None:
    """Draw what changes at every edit, and nothing else."""
    if STATE.drawn != STATE.revision:
        st.rerun()
    shown = STATE.good(lambda values: view(values, current_look())).view
    with st.container(horizontal=True, vertical_alignment="bottom"):
        slider("p", "Persistence p: chance of reading on")
        slider("d", "Budget: judging depth d")
        slider("digits", "Decimals wanted")
        for name, label, value, help in shown.fits:
            key = f"choosing_p.fit_{name}"
            st.button(label, key=key, on_click=STATE.set, args=({name: value},), help=help)
        address_bar(STATE)
    show("board", shown.first, columns=3)
    ranking_editor(
        "Ranking that the users walk down: $ relevant, - not, ? unjudged",
        key="choosing_p.r",
        text=STATE["r"],
        revision=STATE.revision,
        error=STATE.errors.get("r", ""),
        on_edit=lambda text: STATE.try_edit("r", text, core.parse_relevance),
        on_command=lambda command: follow_keys(STATE, command),
    )
    with st.container(horizontal=True):
        whole_number(STATE, "users", "Users who walk", *WHOLE["users"])
        whole_number(STATE, "seed", "Seed", *WHOLE["seed"])
    show("walk", shown.walk, columns=2)
    with st.container(horizontal=True):
        slider("p1", "p1: reads on after a relevant document")
        slider("p2", "p2: reads on after any other")
    show("two_chances", shown.two_chances, columns=2)


def slider(name: str, label: str) -> None:
    """Show a live slider of one field."""
    live_slider(
        label,
        key=f"choosing_p.{name}",
        value=STATE[name],
        revision=STATE.revision,
        limits=(*WHOLE[name], 1) if name in WHOLE else P_LIMITS,
        on_edit=lambda value: STATE.edit(name, int(value) if name in WHOLE else value),
    )


def show(name: str, section: Section, *, columns: int) -> None:
    """Show one board."""
    key, tiles = f"choosing_p.{name}", [Tile(*tile) for tile in section.tiles]
    words, pictures = section.sentence, section.pictures
    board(key=key, sentence=words, tiles=tiles, pictures=pictures, columns=columns)


page()
