"""Two papers, two p: enter one or two published scores, see what they could be elsewhere."""

import streamlit as st

from dashboard.components import Tile, address_bar, board
from dashboard.components.fields import (
    ranking,
    real_number,
    segments,
    slider,
    switch,
    whole_number,
)
from dashboard.components.look import current_look
from dashboard.components.toolbar import toolbar
from dashboard.markdown import plain
from dashboard.presets import TWO_PAPERS
from dashboard.state import PageState
from dashboard.views.two_papers import (
    FIELDS,
    KINDS,
    P_LIMITS,
    PARTS,
    fully_judged,
    score_step,
    take_away,
    view,
)

STATE = PageState.of("two_papers", FIELDS)


@st.fragment
def page() -> None:
    """Draw the page; what the toolbar changes runs all of this."""
    toolbar(STATE, TWO_PAPERS, take_away=lambda: take_away(STATE.values))
    live()


@st.fragment
def live() -> None:
    """Draw what changes at every edit, and nothing else."""
    if STATE.drawn != STATE.revision:
        st.rerun()
    names = ("a",) if STATE["one"] else ("a", "b")
    with st.container(horizontal=True):
        for name in names:
            slider(STATE, f"p{name}", f"{name.upper()}: persistence p", P_LIMITS)
            step = score_step(STATE.values)
            slider(
                STATE, f"s{name}", f"{name.upper()}: published score S", (0.0, 1.0, step)
            )
    with st.container(horizontal=True, vertical_alignment="bottom"):
        segments(STATE, "mean", "What the scores are", KINDS)
        for name in names:
            label = f"Residual of {name.upper()}"
            real_number(STATE, f"e{name}", label, (0.0, 1.0, 0.01), "%.4g")
        whole_number(STATE, "digits", "Decimals printed", 1, 8)
        switch(STATE, "one", "One score", help="Only A, without a comparison")
        switch(STATE, "exact", "Exact", help="Search to the end; slow with a residual")
        address_bar(STATE)
    shown = STATE.good(lambda values: view(values, current_look()))
    if shown.problem:
        st.error(plain(shown.problem))
    tiles = [Tile(*tile) for tile in shown.view.tiles]
    words, pictures = shown.view.sentence, shown.view.pictures
    board(key="two_papers.board", sentence=words, tiles=tiles, pictures=pictures)
    segments(STATE, "part", "More", PARTS)
    part = STATE["part"]
    if part == "crossings":
        label = "First ranking, all judged: $ relevant, - not, digits are grades"
        ranking(STATE, "r", label, fully_judged)
        ranking(STATE, "r2", "Second ranking, all judged", fully_judged)
    key, words = f"two_papers.{part}", shown.view.part_sentence
    columns = max(len(shown.view.part), 1)
    board(key=key, sentence=words, pictures=shown.view.part, columns=columns)


page()
