"""Progress of long work, which any change on the page cancels.

Streamlit stops a running script at its next call once the whole script is to run again, but lets
it finish where only a fragment is to run again: pages with long work therefore have no fragments.
"""

import time
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Final

import streamlit as st

from core.progress import Progress

_PATIENCE: Final = 0.3  # seconds; what is ready by then needs no bar


@contextmanager
def working() -> Iterator[Progress]:
    """Give what shows the progress of the work done within; the bar goes when it is done."""
    place = st.empty()
    began = time.monotonic()

    def report(share: float, text: str) -> None:
        if time.monotonic() - began > _PATIENCE:
            place.progress(min(share, 1.0), text)

    yield report
    place.empty()
