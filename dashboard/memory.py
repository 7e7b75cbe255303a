"""The memory that the files of all sessions share: what is in use, and what there is room for.

What a session holds is counted as long as it exists: when the session ends or forgets its files,
they are gone and no longer counted. Files that were sent and not read yet count too.
"""

import gc
import threading
import weakref
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import is_dataclass
from typing import Any, Final

import numpy as np
import numpy.typing as npt
from streamlit import runtime
from streamlit.runtime.memory_uploaded_file_manager import MemoryUploadedFileManager
from streamlit.runtime.scriptrunner import get_script_run_ctx

import core
from core.trec import Qrels, Run
from dashboard.settings import MAX_MEMORY_BYTES, MEGABYTE

# Reading takes about so many times the text: the text, a copy, and twice its columns. (Measured:
# 3.9 times at most, with ids of 8 to 25 bytes.)
READING: Final = 4
_TOPIC_BYTES: Final = 200  # its id as text, and its place in tables
# What metrics keep: by place the document, its grade and gain, and the condensed list; by place
# with a document of the qrels its ranking, rank, grade and order, in three kinds of lists.
_PLACE_BYTES: Final = 16
_KNOWN_BYTES: Final = 100


class Memory:
    """What is held, by what holds it; whatever is gone is no longer counted."""

    def __init__(self, limit: int) -> None:
        self.limit = limit
        # one file is read at a time, so that two do not take the same room
        self.reading = threading.RLock()
        self._held: weakref.WeakKeyDictionary[object, int] = weakref.WeakKeyDictionary()
        self._lock = threading.RLock()

    @property
    def used(self) -> int:
        """Bytes in use: what sessions hold, and what waits to be read."""
        with self._lock:
            return sum(self._held.values()) + unread_bytes()

    @property
    def room(self) -> int:
        """Bytes that are left."""
        return max(self.limit - self.used, 0)

    def hold(self, thing: object, size: int) -> None:
        """Count `thing` as long as it exists."""
        with self._lock:
            self._held[thing] = size

    def refuse(self, label: str, need: int) -> None:
        """Raise unless there is room for `need` bytes more."""
        self.make_room(need)
        used = self.used
        if used + need > self.limit:
            raise core.LimitError(self.words(label, need, used))

    def make_room(self, need: int) -> None:
        """Free what nobody holds any more, if there might be no room otherwise."""
        if self.room < need:
            gc.collect()

    def words(self, label: str, need: int, used: int) -> str:
        """Say that there is no room, and what to do."""
        return (
            f"{label}: this takes {megabytes(need)} of memory or more. The files of all who use "
            f"this server have {megabytes(used)} of the limit of {megabytes(self.limit)} in use. "
            "Forget files you no longer need, cut the rankings at a smaller depth, or try again "
            "later."
        )


MEMORY: Final = Memory(MAX_MEMORY_BYTES)


def megabytes(size: int) -> str:
    """Write a size; a part of a megabyte counts as one."""
    return f"{-(-size // MEGABYTE):,} MB"


def array_bytes(things: Iterable[object]) -> int:
    """Add up the arrays in things, however deep; one that several share counts once."""
    return sum(array.nbytes for array in {id(one): one for one in _arrays(things)}.values())


def _arrays(things: Iterable[object]) -> Iterator[npt.NDArray[Any]]:
    for thing in things:
        if isinstance(thing, np.ndarray):
            yield thing
        elif isinstance(thing, tuple):
            yield from _arrays(part for part in thing if not isinstance(part, str))
        elif is_dataclass(thing):
            yield from _arrays(vars(thing).values())


def file_bytes(read: Run | Qrels) -> int:
    """Estimate what a file takes once it is read."""
    return array_bytes([read]) + _TOPIC_BYTES * len(read.topics)


def tensor_bytes(runs: Sequence[Run], qrels: Qrels) -> int:
    """Estimate what a collection of these takes at least, from sizes alone."""
    depth = max(int(np.bincount(run.topic_codes).max(initial=1)) for run in runs)
    ids = sum(run.documents.nbytes for run in runs) + qrels.documents.nbytes
    return _PLACE_BYTES * len(runs) * len(qrels.topics) * depth + ids


def collection_bytes(collection: core.Collection) -> int:
    """Estimate what a collection takes once its pages have been looked at."""
    ids = array_bytes([collection.judged_ids, collection.listed_ids])
    known = len(collection.known_cells[1])
    return _PLACE_BYTES * collection.docs.size + _KNOWN_BYTES * known + ids


def unread_files(session: str | None = None) -> list[int]:
    """Sizes of the files that wait to be read, of one session or of all."""
    manager = runtime.get_instance().uploaded_file_mgr if runtime.exists() else None
    if not isinstance(manager, MemoryUploadedFileManager):
        return []
    sessions = [session] if session else list(manager.file_storage)
    return [
        len(file.data)
        for one in sessions
        for file in list(manager.file_storage.get(one, {}).values())
    ]


def unread_bytes(session: str | None = None) -> int:
    """Bytes of the files that wait to be read."""
    return sum(unread_files(session))


def let_go(file_ids: Iterable[str]) -> None:
    """Drop files that were read; Streamlit would keep them as long as the session."""
    context = get_script_run_ctx()
    manager = context.uploaded_file_mgr if context else None
    if context is not None and isinstance(manager, MemoryUploadedFileManager):
        for file_id in file_ids:
            manager.remove_file(context.session_id, file_id)
