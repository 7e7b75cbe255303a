"""The state of the page in its address, and the button that copies it."""

from collections.abc import Mapping
from typing import Final
from urllib.parse import parse_qsl, urlencode

import streamlit as st

from dashboard import session_data
from dashboard.components.assets import register
from dashboard.components.pace import session_name
from dashboard.settings import MAX_LINK_CHARACTERS
from dashboard.state import PageState

_HTML = """
<div class="address">
  <button type="button">Copy link</button>
  <span class="said" role="status"></span><span class="note"></span>
</div>
"""
_MOST_RECALLED: Final = 20_000
_mount = register("address", _HTML)


def address_bar(state: PageState, also: Mapping[str, str] | None = None) -> None:
    """Write the state of the page, and what `also` says, into the browser's address.

    After a restart of the server the browser may hold more than it sent: the page was opened with
    one address, and has another by now. Then the state is taken from that.
    """
    key = f"{state.page}.address"

    def recalled() -> None:
        found = parse_qsl(str(st.session_state[key].get("recall"))[:_MOST_RECALLED])
        state.recall(dict(found))
        session_data.recall(dict(found))

    encoded = urlencode({**state.query(), **(also or {})})
    too_long = len(encoded) > MAX_LINK_CHARACTERS
    note = (
        f"This ranking is too long for a link (over {MAX_LINK_CHARACTERS:,} characters)."
        if too_long
        else None
    )
    data = {
        "query": "" if too_long else encoded,
        "note": note,
        "session": session_name(),
    }
    _mount(key=key, data=data, width="content", on_recall_change=recalled)
