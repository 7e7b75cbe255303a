"""The collection a session works with: the sample, or what was uploaded in this session.

An upload lives in the session and nowhere else; every page reads it from here. The address only
says that there was one, so that a page opened without it can tell what is missing.
"""

from collections.abc import Mapping
from dataclasses import dataclass

import streamlit as st

import core
from dashboard.uploads import Holdings

_UPLOAD = "collection.upload"
_USE_UPLOAD = "collection.use_upload"
_HOLDINGS = "collection.holdings"
_LOST = "collection.lost"
_IN_ADDRESS = "upload"


@dataclass(frozen=True)
class Source:
    """A collection with the name that pages show for it."""

    name: str
    collection: core.Collection
    is_sample: bool
    keywords: str = ""  # how the files were taken, for a call in Python


@st.cache_resource(max_entries=1, show_spinner=False)
def _sample() -> core.Collection:
    return core.sample_collection()


def current() -> Source:
    """Return the collection that this session works with; the sample unless one was uploaded."""
    uploaded = st.session_state.get(_UPLOAD)
    if isinstance(uploaded, Source) and st.session_state.get(_USE_UPLOAD, False):
        return uploaded
    return Source("the simulated sample", _sample(), is_sample=True)


def uploaded() -> Source | None:
    """Return what was uploaded in this session, used at present or not."""
    found = st.session_state.get(_UPLOAD)
    return found if isinstance(found, Source) else None


def keep_upload(name: str, collection: core.Collection, keywords: str = "") -> None:
    """Keep an uploaded collection for this session and use it."""
    st.session_state.pop(_UPLOAD, None)
    st.session_state[_UPLOAD] = Source(name, collection, is_sample=False, keywords=keywords)
    st.session_state[_USE_UPLOAD] = True
    st.session_state[_LOST] = False


def use(*, upload: bool) -> None:
    """Work with the upload, or go back to the sample; the upload is kept either way."""
    st.session_state[_USE_UPLOAD] = upload


def holdings() -> Holdings:
    """Return all files that were uploaded in this session, a collection or not yet."""
    found = st.session_state.get(_HOLDINGS)
    return found if isinstance(found, Holdings) else Holdings()


def keep_holdings(held: Holdings) -> None:
    """Keep the files; use their collection if they make one, and the sample if not."""
    before = holdings().collection
    # Streamlit keeps what is merely replaced until the session's next run
    st.session_state.pop(_HOLDINGS, None)
    st.session_state[_HOLDINGS] = held
    if held.collection is None:
        st.session_state.pop(_UPLOAD, None)
        use(upload=False)
    elif held.collection is not before:
        keep_upload("your upload", held.collection, held.reading.keywords)


def is_lost() -> bool:
    """Tell whether the address was made with an upload that this session does not have."""
    if _LOST not in st.session_state:
        recall(st.query_params.to_dict())
    return bool(st.session_state[_LOST])


def forget_lost() -> None:
    """Stop to speak of an upload that is not there."""
    st.session_state[_LOST] = False


def in_address() -> dict[str, str]:
    """Return what an address says of the collection: that it is, or was, an upload."""
    return {_IN_ADDRESS: "1"} if is_lost() or not current().is_sample else {}


def recall(query: Mapping[str, str]) -> None:
    """Take from an address whether it was made with an upload."""
    st.session_state[_LOST] = query.get(_IN_ADDRESS) == "1" and uploaded() is None
