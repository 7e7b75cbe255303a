"""The ranking editor: a text box and a strip of documents that edit one string."""

from collections.abc import Callable

import streamlit as st

from dashboard.components.assets import register
from dashboard.components.pace import pacing
from dashboard.settings import MAX_STRIP_RANKS

_HTML = """
<div class="editor">
  <div class="head"><label></label><span class="message" role="alert"></span></div>
  <input type="text" spellcheck="false" autocomplete="off" autocapitalize="off">
  <div class="strip" role="listbox" tabindex="0" aria-orientation="horizontal"></div>
  <div class="more"></div>
</div>
"""
_mount = register("editor", _HTML, paced=True)


def ranking_editor(  # noqa: PLR0913 - text, its revision and error, and two callbacks
    label: str,
    *,
    key: str,
    text: str,
    revision: int,
    error: str,
    on_edit: Callable[[str], None],
    on_command: Callable[[str], None],
) -> None:
    """Show the editor; `on_edit` gets each new text, `on_command` "undo" or "redo".

    A new `revision` makes the editor take `text`; otherwise what is being typed stands.
    """

    def edited() -> None:
        edit = st.session_state[key].get("edit")
        if isinstance(edit, dict) and isinstance(edit.get("text"), str):
            on_edit(edit["text"])

    def commanded() -> None:
        on_command(str(st.session_state[key].get("command")))

    _mount(
        key=key,
        data={
            "id": key.replace(".", "-"),
            "label": label,
            "text": text,
            "revision": revision,
            "error": error,
            "most": MAX_STRIP_RANKS,
            **pacing(key),
            "large": bool(st.session_state.get("projector", False)),
        },
        on_edit_change=edited,
        on_command_change=commanded,
    )
