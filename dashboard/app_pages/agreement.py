"""Do metrics agree: on the order of the runs, on which differ, and how surely."""

import streamlit as st

import core
from dashboard.components import Tile, address_bar, board
from dashboard.components.collection_source import collection_bar
from dashboard.components.fields import real_number, segments, whole_number
from dashboard.components.look import current_look
from dashboard.components.metric_picker import depth_field, metric_picker
from dashboard.components.toolbar import toolbar
from dashboard.components.working import working
from dashboard.markdown import plain
from dashboard.presets import AGREEMENT
from dashboard.session_data import in_address
from dashboard.state import PageState
from dashboard.views import agreement as views
from dashboard.views.agreement_takeaway import take_away

STATE = PageState.of("agreement", views.FIELDS)


def page() -> None:
    """Draw the page; it has no fragments, so that every change ends the work under way."""
    source = collection_bar(STATE.page)
    toolbar(
        STATE,
        AGREEMENT,
        options=options,
        take_away=lambda: take_away(STATE.values, source),
    )
    with st.container(horizontal=True, vertical_alignment="bottom"):
        metric_picker(STATE, "m", "Metrics", width=1000)
        depth_field(STATE, "d", "Pool depths")
    with st.container(horizontal=True, vertical_alignment="center"):
        segments(STATE, "x", "Experiment", views.EXPERIMENTS)
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
        key="agreement.board",
        sentence=shown.view.sentence,
        tiles=[Tile(*tile) for tile in shown.view.tiles],
        pictures=shown.view.pictures,
        columns=1 if STATE["projector"] else 2,
    )
    with st.expander("The numbers as a table", expanded=STATE["x"] in views.SEEDED):
        columns = {
            name: st.column_config.NumberColumn(name, format=form, help=help)
            for name, (form, help) in shown.view.formats.items()
        }
        st.dataframe(shown.view.table, column_config=columns, hide_index=True)


def options() -> None:
    """Show what the experiments that draw at random depend on."""
    whole_number(STATE, "B", "Samples (B), or draws", *views.WHOLE["B"])
    whole_number(STATE, "seed", "Seed", *views.WHOLE["seed"])
    real_number(STATE, "alpha", "Level of the bootstrap", (0.001, 0.5, 0.01), "%.3f")


page()
