"""What people see when something unexpected fails: a number and what to do, never a traceback."""

import logging
import secrets

import streamlit as st
from starlette.requests import Request
from starlette.responses import PlainTextResponse, Response
from streamlit.errors import FragmentHandledException

from dashboard.headers import HEADERS

log = logging.getLogger("ranklens")


def calm_message(error: Exception) -> bool:
    """Log what went wrong under a number, and show the number instead of a traceback."""
    if not isinstance(error, FragmentHandledException):  # told already, further inside
        st.error(
            "Something went wrong here, and it is not your fault. Undo the last change or reload "
            "the page to go on: its settings are kept in its address. If it happens again, "
            f"report the number {_logged(error)}."
        )
    return True


async def calm_answer(_: Request, error: Exception) -> Response:
    """Answer a request that failed, in the same words."""
    return PlainTextResponse(
        "Something went wrong here, and it is not your fault. Try again; if it happens again, "
        f"report the number {_logged(error)}.\n",
        status_code=500,
        headers=HEADERS,
    )


def _logged(error: Exception) -> str:
    """Write the error into the log, and return the number that it has there."""
    number = secrets.token_hex(4)
    log.error("unexpected error %s", number, exc_info=error)
    return number
