"""The dashboard, made to fail at certain values of p (for tests only)."""

import os
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import streamlit as st
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from dashboard import serve
from dashboard.calm import calm_answer, calm_message
from dashboard.state import PageState
from dashboard.views import one_ranking

ASKED = "RANKLENS_TEST_FAILING"
HIDDEN = "secret of the exception <b>$x^2$</b>"
ROOT = Path(__file__).parents[2]
IN_VIEW, RECURSION, MEMORY, TOO_LARGE, GROUP = 0.11, 0.12, 0.13, 0.14, 0.15
IN_COMPONENT_CALLBACK, IN_WIDGET_CALLBACK = 0.16, 0.17

_view, _edit, _reset = one_ranking.view, PageState.edit, PageState.reset


def _fail(p: float) -> None:
    if p == IN_VIEW:
        raise ValueError(HIDDEN)
    if p == RECURSION:
        _fail(p)
    if p == MEMORY:
        raise MemoryError(HIDDEN)
    if p == TOO_LARGE:
        bytearray(sys.maxsize)
    if p == GROUP:
        raise ExceptionGroup(HIDDEN, [KeyError(HIDDEN)])


def failing_view(values: Mapping[str, Any], *more: Any) -> one_ranking.View:  # noqa: ANN401
    _fail(values["p"])
    return _view(values, *more)


def failing_edit(self: PageState, name: str, value: object) -> None:
    _edit(self, name, value)
    if value == IN_COMPONENT_CALLBACK:
        raise ValueError(HIDDEN)


def failing_reset(self: PageState) -> None:
    if self["p"] == IN_WIDGET_CALLBACK:
        raise ValueError(HIDDEN)
    _reset(self)


if os.environ.get(ASKED):  # tests read this file too, for its numbers
    one_ranking.view = failing_view
    PageState.edit = failing_edit  # type: ignore[method-assign]
    PageState.reset = failing_reset  # type: ignore[method-assign]


async def failing_answer(_: Request) -> Response:
    raise ValueError(HIDDEN)


app = st.App(
    ROOT / "dashboard" / "app.py",
    routes=[*serve.ROUTES, Route("/failing", failing_answer)],
    middleware=serve.MIDDLEWARE,
    on_script_error=calm_message,
    exception_handlers={Exception: calm_answer},
)
