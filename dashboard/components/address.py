"""The state of the page in its address, and the button that copies it."""

from urllib.parse import urlencode

from dashboard.components.assets import register
from dashboard.settings import MAX_LINK_CHARACTERS

_HTML = """
<div class="address">
  <button type="button">Copy link</button>
  <span class="said" role="status"></span><span class="note"></span>
</div>
"""
_mount = register("address", _HTML)


def address_bar(query: dict[str, str], *, key: str) -> None:
    """Write `query` into the browser's address and offer to copy it."""
    encoded = urlencode(query)
    too_long = len(encoded) > MAX_LINK_CHARACTERS
    note = (
        f"This ranking is too long for a link (over {MAX_LINK_CHARACTERS:,} characters)."
        if too_long
        else None
    )
    data = {"query": "" if too_long else encoded, "note": note}
    _mount(key=key, data=data, width="content")
