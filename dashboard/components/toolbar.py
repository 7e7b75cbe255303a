"""What every page has: examples, options, undo, redo, reset, projector, take-away, link."""

from collections.abc import Callable

import streamlit as st

import core
from dashboard.markdown import plain
from dashboard.presets import Preset
from dashboard.state import PageState
from dashboard.takeaway import TakeAway
from dashboard.try_next import TRY_NEXT


def toolbar(
    state: PageState,
    presets: tuple[Preset, ...],
    *,
    options: Callable[[], None] | None = None,
    take_away: Callable[[], TakeAway],
) -> None:
    """Show the row of buttons; they change the state before the page is drawn.

    It stands outside the part that is drawn at every edit, so nothing here may depend on what
    is being typed; `take_away` is asked for when somebody wants it.
    """
    state.drawn = state.revision
    with st.container(horizontal=True, vertical_alignment="center", gap="small"):
        _examples(state, presets)
        if options is not None:
            with st.popover("Options", icon=":material/tune:"):
                options()
        for name, icon, act in (
            ("Undo", "undo", state.undo),
            ("Redo", "redo", state.redo),
            ("Reset", "refresh", state.reset),
        ):
            key = f"{state.page}.{name.lower()}"
            st.button(name, key=key, on_click=act, icon=f":material/{icon}:")
        wanted = st.button(
            "Take away", key=f"{state.page}.take_away", icon=":material/ios_share:"
        )
        _projector(state)
    if wanted:
        try:
            _take_away_dialog(take_away())
        except core.CoreError as error:  # the values do not fit together
            st.error(plain(str(error)))
    for note in state.notes:
        st.warning(plain(note), icon=":material/link_off:")


def follow_keys(state: PageState, command: str) -> None:
    """Undo or redo by the keyboard, from within the part that is drawn at every edit."""
    if command == "undo":
        state.undo()
    elif command == "redo":
        state.redo()


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
        if state.page in TRY_NEXT:
            st.caption(f"Try next: {TRY_NEXT[state.page]}")
        st.radio(
            "Examples from the papers",
            list(by_name),
            key=key,
            index=None,
            captions=[preset.source for preset in presets],
            on_change=chosen,
        )


def _projector(state: PageState) -> None:
    key = f"{state.page}.projector"
    st.session_state[key] = state["projector"]
    st.session_state["projector"] = state["projector"]

    def switched() -> None:
        state.edit("projector", st.session_state[key])

    st.toggle(
        "Projector", key=key, on_change=switched, help="Larger type and thicker lines"
    )


@st.dialog("Take away", width="large")
def _take_away_dialog(take_away: TakeAway) -> None:
    st.caption("The formula with the present numbers")
    st.latex(take_away.formula)
    st.caption("Python that prints the same numbers")
    st.code(take_away.python, language="python")
    st.caption("A row for a LaTeX table")
    st.code(take_away.latex, language="latex", wrap_lines=True)
    st.caption("Cite")
    st.code(take_away.citation, language=None, wrap_lines=True)
    st.caption("Each picture can be saved as PNG or SVG, and its numbers as CSV, above it.")
