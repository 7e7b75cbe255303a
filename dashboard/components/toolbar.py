"""What every page has: examples, undo, redo, reset, projector, take-away, link."""

import streamlit as st

from dashboard.components.address import address_bar
from dashboard.presets import Preset
from dashboard.state import PageState
from dashboard.takeaway import TakeAway


def toolbar(state: PageState, presets: tuple[Preset, ...]) -> None:
    """Show the row of buttons; they change the state before the page is drawn."""
    with st.container(horizontal=True, vertical_alignment="bottom", gap="small"):
        _examples(state, presets)
        st.button(
            "Undo",
            key=f"{state.page}.undo",
            on_click=state.undo,
            disabled=not state.past,
            icon=":material/undo:",
        )
        st.button(
            "Redo",
            key=f"{state.page}.redo",
            on_click=state.redo,
            disabled=not state.future,
            icon=":material/redo:",
        )
        st.button(
            "Reset",
            key=f"{state.page}.reset",
            on_click=state.reset,
            icon=":material/refresh:",
        )
        projector_switch(state)
        address_bar(state.query(), key=f"{state.page}.address")
    for note in state.notes:
        st.warning(note.replace("$", r"\$"), icon=":material/link_off:")


def _examples(state: PageState, presets: tuple[Preset, ...]) -> None:
    key = f"{state.page}.preset"
    by_name = {preset.name: preset for preset in presets}

    def chosen() -> None:
        preset = by_name.get(st.session_state[key])
        if preset is not None:
            kept = {"projector": state["projector"]}
            defaults = {item.name: item.default for item in state.fields}
            state.set({**defaults, **preset.values, **kept})

    with st.popover("Examples", icon=":material/menu_book:"):
        st.radio(
            "Examples from the papers",
            list(by_name),
            key=key,
            index=None,
            captions=[preset.source for preset in presets],
            on_change=chosen,
        )


def projector_switch(state: PageState) -> None:
    """Offer larger type and thicker lines, for a lecture hall."""
    key = f"{state.page}.projector"
    st.session_state[key] = state["projector"]
    st.session_state["projector"] = state["projector"]

    def switched() -> None:
        state.edit("projector", st.session_state[key])

    st.toggle(
        "Projector", key=key, on_change=switched, help="Larger type and thicker lines"
    )


def take_away_popover(take_away: TakeAway, formula: str, *, page: str) -> None:
    """Offer the formula with the numbers, Python, LaTeX and the citation."""
    with st.container(horizontal=True, gap="small"):
        with st.popover("Formula", icon=":material/function:"):
            st.latex(formula)
        with st.popover("Take away", icon=":material/download:"):
            st.caption("Python that prints the same numbers")
            st.code(take_away.python, language="python")
            st.caption("A row for a LaTeX table")
            st.code(take_away.latex, language="latex")
            st.caption("Cite")
            st.code(take_away.citation, language=None, wrap_lines=True)
            st.caption(
                f"Pictures and their numbers: PNG, SVG, CSV above each one ({page})."
            )
