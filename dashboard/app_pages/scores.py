"""Scores: runs by metrics, two runs topic by topic, and the documents that decide."""

from functools import partial

import streamlit as st

from dashboard import cache, session_data
from dashboard.components import Tile, address_bar, board, score_fields
from dashboard.components.collection_source import collection_bar
from dashboard.components.fields import checked_text, segments, slider, switch
from dashboard.components.look import current_look
from dashboard.components.progress import progress_bar
from dashboard.components.property_table import link_buttons
from dashboard.components.toolbar import toolbar
from dashboard.presets import SCORES
from dashboard.state import PageState
from dashboard.takeaway import TakeAway
from dashboard.views import scores as views

STATE = PageState.of("scores", views.FIELDS)


@st.fragment
def page() -> None:
    """Draw the page; what the toolbar changes runs all of this."""
    toolbar(STATE, SCORES, options=options, take_away=written)
    collection_bar("scores")
    live()


@st.fragment
def live() -> None:
    """Draw what changes at every edit, and nothing else."""
    if STATE.drawn != STATE.revision:
        st.rerun()
    with st.container(horizontal=True, vertical_alignment="bottom"):
        score_fields.metric_list(STATE, "m", "Metrics", views.METRIC_CHOICES)
        more = "More, by name: AP@100, RBP(p=0.95)"
        checked_text(STATE, "more", more, views.check_names, width=270)
        switch(STATE, "ranges", "Ranges", help="What unjudged documents could change")
    collection = session_data.current().collection
    with progress_bar("Finding the ranges" if STATE["ranges"] else "Scoring") as report:
        score = partial(cache.scores, collection, ranges=STATE["ranges"], progress=report)
        shown = STATE.good(lambda now: views.view(now, collection, score, current_look()))
    if shown.problem:
        st.text(shown.problem)
    found, tiles = shown.view, [Tile(*tile) for tile in shown.view.tiles]
    with st.container(horizontal=True, vertical_alignment="bottom"):
        score_fields.choose_pair(STATE, found.chosen, found.choices)
        slider(STATE, "p", "Persistence p of RBP", (0.0, 0.99, 0.01))
        address_bar(STATE, session_data.in_address())
    board(key="scores.board", sentence=found.sentence, tiles=tiles)
    left, right = st.columns(2, gap="medium")
    with left:
        score_fields.score_grid(found.table, found.alt)
        score_fields.save_buttons(found.table)
        st.text("\n".join(found.notes))
    with right:
        board(key="scores.differences", pictures=found.pictures[:1], columns=1)
    board(key="scores.pictures", pictures=found.pictures[1:], columns=2)
    with st.container(horizontal=True):
        link_buttons(found.links, key="scores.link")
    score_fields.document_grid(found.documents, "Documents that decide the topic")


def options() -> None:
    """Show what is set less often: over which topics means are taken."""
    st.caption("A mean is over")
    segments(STATE, "over", "Topics of a mean", views.OVER)


def written() -> TakeAway:
    """Write down the numbers of the collection in use."""
    source = session_data.current()
    score = partial(cache.scores, source.collection, ranges=STATE["ranges"])
    return views.take_away(STATE.values, source, score)


page()
