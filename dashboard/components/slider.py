"""A slider that reports while it is being dragged."""

from collections.abc import Callable

import streamlit as st

from dashboard.components.assets import register
from dashboard.components.pace import pacing

_HTML = """
<div class="slider"><label></label><input type="range"><input type="number"></div>
"""
_mount = register("slider", _HTML, paced=True)


def live_slider(  # noqa: PLR0913 - a slider has these many sides
    label: str,
    *,
    key: str,
    value: float,
    revision: int,
    limits: tuple[float, float, float],
    on_edit: Callable[[float], None],
    help: str = "",
) -> None:
    """Show the slider; `on_edit` gets each new value within `limits` (least, most, step)."""
    least, most, step = limits

    def edited() -> None:
        edit = st.session_state[key].get("edit")
        number = edit.get("value") if isinstance(edit, dict) else None
        if isinstance(number, int | float) and least <= number <= most:
            on_edit(float(number))

    _mount(
        key=key,
        data={
            "label": label,
            "value": value,
            "revision": revision,
            "least": least,
            "most": most,
            "step": step,
            "decimals": max(0, len(f"{step:.6f}".rstrip("0").split(".")[1])),
            "help": help,
            **pacing(key),
            "large": bool(st.session_state.get("projector", False)),
        },
        on_edit_change=edited,
    )
