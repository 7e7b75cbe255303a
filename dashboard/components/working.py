"""Progress of long work, which any change on the page cancels.

Streamlit stops a running script at its next call once the whole script is to run again, but lets
it finish where only a fragment is to run again: pages with long work therefore have no fragments.

Only some long work of all sessions goes on at a time, so that there is always time left for the
short edits of everybody else.
"""

import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Final

import streamlit as st

from core.progress import Progress
from dashboard.settings import LONG_WORK_AT_ONCE

_PATIENCE: Final = 0.3  # seconds; what is ready by then needs no bar
_LOOK_AGAIN: Final = 0.5  # seconds between two looks whether it is one's turn
_turns: Final = threading.BoundedSemaphore(LONG_WORK_AT_ONCE)


@contextmanager
def working() -> Iterator[Progress]:
    """Give what shows the progress of the work done within; the bar goes when it is done."""
    place = st.empty()
    began = time.monotonic()
    has_turn = False

    def report(share: float, text: str) -> None:
        nonlocal has_turn
        if time.monotonic() - began <= _PATIENCE:
            return
        while not has_turn:
            has_turn = _turns.acquire(timeout=_LOOK_AGAIN)
            if not has_turn:
                place.progress(
                    min(share, 1.0), "Waiting for the long work of others to end"
                )
        place.progress(min(share, 1.0), text)

    try:
        yield report
    finally:
        if has_turn:
            _turns.release()
    place.empty()
