"""How far long work has come."""

from collections.abc import Iterator
from contextlib import contextmanager

import streamlit as st

from core.progress import Progress


@contextmanager
def progress_bar(label: str) -> Iterator[Progress]:
    """Show a bar from the first report on, and take it away at the end.

    The texts that are reported hold names from files, so only `label` is shown. Changing anything
    on the page while the bar moves stops the work.
    """
    place = st.empty()

    def report(share: float, _: str) -> None:
        place.progress(min(max(share, 0.0), 1.0), text=f"{label}: {share:.0%}")

    yield report
    place.empty()
