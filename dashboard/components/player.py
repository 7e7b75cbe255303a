"""A slider over some whole numbers that also plays and steps through them."""

from collections.abc import Sequence

import streamlit as st

from dashboard.components.assets import register
from dashboard.components.pace import pacing
from dashboard.state import PageState

_HTML = """
<div class="player">
  <label></label>
  <div class="buttons" role="group">
    <button type="button" class="back">‹</button>
    <button type="button" class="play">▶</button>
    <button type="button" class="forward">›</button>
  </div>
  <input type="range"><input type="number">
</div>
"""
_mount = register("player", _HTML, paced=True)


def player(state: PageState, name: str, label: str, steps: Sequence[int]) -> None:
    """Show a field that is one of the `steps`, with buttons to play and to step."""
    key = f"{state.page}.{name}"

    def edited() -> None:
        edit = st.session_state[key].get("edit")
        number = edit.get("value") if isinstance(edit, dict) else None
        if isinstance(number, int | float) and number in steps:
            state.edit(name, int(number))

    _mount(
        key=key,
        data={
            "label": label,
            "value": state[name],
            "revision": state.revision,
            "steps": list(steps),
            **pacing(key),
            "large": bool(st.session_state.get("projector", False)),
        },
        on_edit_change=edited,
    )
