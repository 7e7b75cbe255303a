"""Pool depth: make the pool deeper, see scores drift and runs change places."""

from functools import partial

import streamlit as st

from dashboard.components import Tile, address_bar, board
from dashboard.components.collection_source import collection_bar
from dashboard.components.fields import segments, slider
from dashboard.components.look import current_look
from dashboard.components.player import player
from dashboard.components.pool_fields import marked_run, pair_of_runs, pool_options
from dashboard.components.toolbar import toolbar
from dashboard.components.working import working
from dashboard.figures.theme import Picture
from dashboard.markdown import plain
from dashboard.presets import POOL_DEPTH
from dashboard.session_data import current, in_address
from dashboard.state import PageState
from dashboard.views import pool_depth as views

STATE = PageState.of("pool_depth", views.FIELDS)


@st.fragment
def page() -> None:
    """Draw the page; what the toolbar changes runs all of this."""
    source = collection_bar("pool_depth")
    taken = partial(views.take_away, STATE.values, source)
    toolbar(STATE, POOL_DEPTH, options=options, take_away=taken)
    live()


@st.fragment
def live() -> None:
    """Draw what changes at every edit, and nothing else."""
    if STATE.drawn != STATE.revision:
        st.rerun()
    data, look = current().collection, current_look()
    with working() as report:
        shown = STATE.good(lambda values: views.view(values, data, look, report)).view
    if notes := " ".join(dict.fromkeys(shown.chosen.notes)):
        st.warning(plain(notes), icon=":material/link_off:")
    with st.container(horizontal=True, vertical_alignment="bottom"):
        player(STATE, "d", "Pool depth: documents taken from each run", shown.chosen.steps)
        slider(STATE, "p", "RBP: persistence p", views.P_LIMITS)
        address_bar(STATE, in_address())
    show("board", shown.sentence, shown.pictures, [Tile(*tile) for tile in shown.tiles])
    with st.container(horizontal=True, vertical_alignment="bottom"):
        segments(STATE, "part", "More", views.PARTS)
        marked_run(STATE, shown.marking, shown.link)
    with st.container(horizontal=True, vertical_alignment="bottom"):
        if STATE["part"] == "pair":
            pair_of_runs(STATE, shown.pairing, views.DEEPEST)
        elif STATE["part"] == "newcomer":
            segments(STATE, "left", "Left out", views.LEFT)
    show(STATE["part"], shown.part_sentence, shown.part)


def show(
    name: str, words: str, pictures: list[Picture], tiles: list[Tile] | None = None
) -> None:
    """Show a board; a click on a run marks it and opens its list."""
    pick = partial(views.picked, STATE, current().collection)
    board(
        key=f"pool_depth.{name}",
        sentence=words,
        tiles=tiles,
        pictures=pictures,
        columns=len(pictures),
        on_pick=pick,
    )


def options() -> None:
    """Show what is set less often: metrics, and who gives documents to the pool."""
    pool_options(STATE, views.METRICS, views.BY, views.out_choices(current().collection))


page()
