"""The collection bar: which collection a page works with, and how to bring one's own.

File names and messages quote what strangers wrote, so they are shown as text, never as Markdown.
"""

from dataclasses import replace

import streamlit as st
from streamlit.runtime.uploaded_file_manager import UploadedFile

from dashboard import session_data
from dashboard.components.progress import progress_bar
from dashboard.memory import MEMORY, let_go, megabytes
from dashboard.session_data import Source
from dashboard.settings import MEGABYTE, UPLOAD_LIMITS
from dashboard.uploads import (
    File,
    Holdings,
    Reading,
    add,
    limits_words,
    read_as,
    remove,
)

_ROUND = (
    "collection.round"  # a new uploader for each drop; the old one lets go of its bytes
)
_MANY_LINES = 4
_HINT = (
    "Drop runs (topic Q0 document rank score tag) and one qrels file (topic iteration document "
    "grade) together, packed with gzip or not; which is which is told by content."
)
_FRAMED = (
    " Within a page of another site the browser may refuse to send files: open this page in a "
    "tab of its own for that."
)
_LOST = (
    "This address was made with uploaded files, which are never stored and never sent with a "
    "link. Drop them again to see the same figures; until then the simulated sample is shown. "
    "All settings are kept."
)

_CHOICES = (
    ("ties", "Equal scores", {"docid": "ordered by id", "shared": "share RBP's weight"}),
    ("score_type", "Scores compared as", {"float32": "float32", "float64": "float64"}),
)


def collection_bar(page: str) -> Source:
    """Show which collection is in use and let people bring their own; return it."""
    held = session_data.holdings()
    source = session_data.current()
    with st.container(key=f"{page}-collection", gap="small"):
        with st.container(horizontal=True, vertical_alignment="center", gap="small"):
            st.text(_in_use(source), width="content")
            with st.popover("Your own runs and qrels", icon=":material/upload_file:"):
                _files(page, held)
            _switch(page, source)
        if session_data.is_lost():
            _lost(page)
        _said(page, held)
    return source


def _in_use(source: Source) -> str:
    collection = source.collection
    runs, topics = len(collection.run_ids), len(collection.topic_ids)
    return (
        f"Collection: {source.name}, {runs} run{'s' * (runs != 1)} × "
        f"{topics} topic{'s' * (topics != 1)}, up to {collection.depth} documents deep, "
        f"{collection.num_judged:,} judgments{'' if source.is_sample else '; not in the link'}"
    )


def _switch(page: str, source: Source) -> None:
    if not source.is_sample:
        st.button(
            "Back to the sample",
            key=f"{page}.to_sample",
            on_click=session_data.use,
            kwargs={"upload": False},
            help="Your upload is kept",
        )
    elif session_data.uploaded() is not None:
        st.button(
            "Back to your upload",
            key=f"{page}.to_upload",
            on_click=session_data.use,
            kwargs={"upload": True},
        )


def _lost(page: str) -> None:
    """Say which files are missing, after a reload, a restart, or in somebody else's browser."""
    with st.container(horizontal=True, vertical_alignment="center", gap="small"):
        st.info(_LOST, icon=":material/upload_file:", width=900)
        st.button("Dismiss", key=f"{page}.forget_lost", on_click=session_data.forget_lost)


def _said(page: str, held: Holdings) -> None:
    """Say what was refused and what is missing; it must be seen without opening anything."""
    if held.refused:
        number = len(held.refused)
        files = "One file was" if number == 1 else f"{number} files were"
        with st.container(horizontal=True, vertical_alignment="center"):
            st.badge(f"{files} refused; what was loaded before is kept", color="red")
            st.button("Dismiss", key=f"{page}.dismiss", on_click=_dismiss)
        with st.container(height=180 if number > 2 else "content", border=number > 2):
            st.text("\n".join(item.reason for item in held.refused))
    if held.missing:
        st.info(held.missing, icon=":material/rule:")
    for note in held.notes:
        st.text(note)


def _dismiss() -> None:
    held = session_data.holdings()
    session_data.keep_holdings(replace(held, refused=(), notes=()))


def _files(page: str, held: Holdings) -> None:
    turn = st.session_state.setdefault(_ROUND, 0)
    dropped = st.file_uploader(
        _HINT,
        accept_multiple_files=True,
        key=f"{page}.upload.{turn}",
        max_upload_size=UPLOAD_LIMITS.file_bytes // MEGABYTE,
    )
    st.caption(
        f"{limits_words()} Your files stay in the memory of this session: they are not stored, "
        "nobody else sees them, and they are not in the link."
        f"{_FRAMED if st.context.is_embedded else ''}"
    )
    if MEMORY.room < UPLOAD_LIMITS.file_bytes:
        st.warning(
            f"The files of all who use this server have {megabytes(MEMORY.used)} of "
            f"{megabytes(MEMORY.limit)} of memory in use; a large file may be refused."
        )
    if dropped:
        # what a client names without having sent it is not a file
        sent = [item for item in dropped if isinstance(item, UploadedFile)]
        with progress_bar("Reading your files") as progress:
            files = [File(item.name, item.getvalue()) for item in sent]
            session_data.keep_holdings(add(held, files, progress=progress))
        st.session_state[_ROUND] = turn + 1
        let_go(item.file_id for item in sent)
        st.rerun()
    if not held.is_empty:
        _reading(page, held)
    lines = [*(f"Refused: {item.reason}" for item in held.refused), *held.lines]
    if lines:
        with st.container(height=200 if len(lines) > _MANY_LINES else "content"):
            st.text("\n".join(lines))
    if not held.is_empty:
        _removal(page, held)


def _reading(page: str, held: Holdings) -> None:
    """Let people choose what counts as relevant, and how equal scores are ordered."""
    keys = {name: f"{page}.reading.{name}" for name in vars(held.reading)}
    for name, value in vars(held.reading).items():
        st.session_state[keys[name]] = value

    def changed() -> None:
        chosen = {name: st.session_state[key] for name, key in keys.items()}
        if chosen["min_rel"] is not None:
            now = session_data.holdings()
            session_data.keep_holdings(read_as(now, Reading(**chosen)))

    with st.container(horizontal=True, vertical_alignment="bottom"):
        st.number_input(
            "Relevant from grade", 1, 10, key=keys["min_rel"], on_change=changed, width=160,
            help="The smallest grade that metrics without grades count as relevant",
        )  # fmt: skip
        for name, label, words in _CHOICES:
            st.segmented_control(
                label, list(words), format_func=words.__getitem__, key=keys[name],
                on_change=changed, required=True,
            )  # fmt: skip


def _removal(page: str, held: Holdings) -> None:
    """Let runs go, or everything."""
    key = f"{page}.remove"

    def removed() -> None:
        now = session_data.holdings()
        session_data.keep_holdings(remove(now, st.session_state[key]))
        st.session_state[key] = []

    with st.container(horizontal=True, vertical_alignment="bottom"):
        st.multiselect(
            "Runs to remove",
            [item.run.name for item in held.runs],
            key=key,
            placeholder="Choose runs",
            width=320,
        )
        st.button("Remove", key=f"{page}.remove_now", on_click=removed)
        st.button(
            "Forget all files",
            key=f"{page}.forget",
            on_click=session_data.keep_holdings,
            args=(Holdings(),),
        )
