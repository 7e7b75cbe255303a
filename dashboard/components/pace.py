"""What components that report while they are used need to know: ``pace.js`` reads it."""

import secrets

import streamlit as st

_SESSION = "pace.session"


def session_name() -> str:
    """Name this session; a page that outlives its server sees another name then."""
    name: str = st.session_state.setdefault(_SESSION, secrets.token_hex(4))
    return name


def pacing(key: str) -> dict[str, str | int]:
    """Tell the component `key` which session answers, and which of its edits came last."""
    edit = st.session_state.get(key, {}).get("edit")
    serial = edit.get("serial") if isinstance(edit, dict) else None
    return {
        "session": session_name(),
        "serial": serial if isinstance(serial, int) else 0,
    }
