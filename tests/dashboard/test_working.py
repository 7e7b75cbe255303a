"""Long work waits its turn, shows how far it is, and gives its turn back."""

import threading
from collections.abc import Iterator

import pytest
from streamlit.testing.v1 import AppTest

from dashboard.components import working
from dashboard.settings import LONG_WORK_AT_ONCE


@pytest.fixture(autouse=True)
def impatient(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Count all work as long, and find every turn given back afterwards."""
    monkeypatch.setattr(working, "_PATIENCE", -1.0)
    yield
    assert (
        sum(working._turns.acquire(blocking=False) for _ in range(9)) == LONG_WORK_AT_ONCE
    )
    working._turns.release(LONG_WORK_AT_ONCE)


def script() -> None:
    import streamlit as st

    from dashboard.components.working import working

    with working() as report:
        report(0.5, "half of it")
        st.session_state["past"] = True
    st.text("done")


def failing() -> None:
    from dashboard.components.working import working

    with working() as report:
        report(0.5, "half of it")
        msg = "no"
        raise ValueError(msg)


def test_long_work_waits_until_somebody_else_has_ended() -> None:
    app = AppTest.from_function(script, default_timeout=20)
    for _ in range(LONG_WORK_AT_ONCE):
        working._turns.acquire()
    running = threading.Thread(target=app.run)
    running.start()
    running.join(timeout=1.2)
    assert running.is_alive()
    working._turns.release(LONG_WORK_AT_ONCE)
    running.join(timeout=10)
    assert [text.value for text in app.text] == ["done"]
    assert app.session_state["past"]


def test_work_that_fails_gives_its_turn_back() -> None:
    app = AppTest.from_function(failing).run()
    assert len(app.exception) == 1
