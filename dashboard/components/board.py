"""The board: a sentence, some numbers and the pictures, changed in place."""

from collections.abc import Callable
from dataclasses import asdict, dataclass

import streamlit as st

from dashboard.components.assets import register
from dashboard.figures.theme import Picture
from dashboard.settings import PLOTLY_PATH

_HTML = """
<section class="board">
  <p class="sentence" aria-live="polite"></p>
  <div class="tiles"></div>
  <div class="pictures"></div>
</section>
"""
_mount = register("board", _HTML, isolated=False)


@dataclass(frozen=True)
class Tile:
    """One number with its name, and what to know about it."""

    label: str
    value: str
    detail: str = ""
    help: str = ""


def board(
    *,
    key: str,
    sentence: str = "",
    tiles: list[Tile] | None = None,
    pictures: list[Picture] | None = None,
    columns: int = 2,
    on_pick: Callable[[str], str] | None = None,
) -> None:
    """Show a sentence, numbers and pictures; all of it is text or data, never markup.

    `on_pick` gets the name of a clicked point of a linked picture, and gives an address that is
    opened in a new tab, or nothing.
    """
    opening = f"{key}.open"

    def picked() -> None:
        name = st.session_state[key].get("picked")
        if on_pick is not None and isinstance(name, str):
            address = on_pick(name)
            serial = st.session_state.get(f"{key}.serial", 0) + 1
            st.session_state[f"{key}.serial"] = serial
            st.session_state[opening] = {"address": address, "serial": serial}

    opened = st.session_state.pop(opening, None)
    _mount(
        key=key,
        data={
            "sentence": sentence,
            "tiles": [asdict(tile) for tile in tiles or []],
            "figures": [
                {
                    "name": picture.name,
                    "title": picture.title,
                    "caption": picture.caption,
                    "alt": picture.alt,
                    "height": picture.figure.layout["height"],
                    **picture.figure.to_json(),
                }
                for picture in pictures or []
            ],
            "columns": columns,
            "plotly": PLOTLY_PATH,
            "large": bool(st.session_state.get("projector", False)),
            "picks": on_pick is not None,
            "open": opened if opened and opened["address"] else None,
        },
        on_picked_change=picked,
    )
