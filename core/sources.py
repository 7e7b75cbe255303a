"""Where files come from: a path, bytes or an open file; plain or gzip; never too large."""

import os
import zlib
from pathlib import Path
from typing import BinaryIO, Final, TypeAlias

import numpy as np

from core.errors import InputError, LimitError
from core.limits import Limits

Source: TypeAlias = str | os.PathLike[str] | bytes | BinaryIO

_GZIP: Final = b"\x1f\x8b"
_CHUNK: Final = 1 << 18
_MAGIC: Final = (
    (b"PK\x03\x04", "a zip archive"),
    (_GZIP, "a gzip file packed twice"),
    (b"BZh", "a bzip2 file"),
    (b"\xfd7zXZ", "an xz file"),
    (b"\x28\xb5\x2f\xfd", "a zstandard file"),
    (b"7z\xbc\xaf", "a 7-zip archive"),
    (b"%PDF", "a PDF document"),
    (b"PAR1", "a Parquet file"),
    (b"SQLite", "a database"),
    (b"\xff\xfe", "UTF-16 text"),
    (b"\xfe\xff", "UTF-16 text"),
)
_BOM: Final = b"\xef\xbb\xbf"
_TEXT_CONTROLS: Final = frozenset(b"\t\n\x0b\x0c\r")
_CONTROLS: Final = bytes(code for code in range(32) if code not in _TEXT_CONTROLS)


def source_name(source: Source) -> str | None:
    """Return the file name of a path or an open file, None for bytes.

    Examples
    --------
    >>> source_name("runs/bm25.run.gz")
    'bm25.run.gz'
    """
    if isinstance(source, str | os.PathLike):
        return Path(source).name
    name = getattr(source, "name", None)  # an open file, or an upload that has a name
    return Path(name).name if isinstance(name, str) else None


def load(source: Source, *, label: str, limits: Limits) -> bytes:
    """Return the text of a file: read, unpacked, without CR and byte order mark.

    Parameters
    ----------
    source : path, bytes or open binary file
        Packed (gzip, told by its content) or not.
    label : str
        What messages call the file.
    limits : Limits
        Sizes above which the file is refused.

    Raises
    ------
    InputError
        The file cannot be read, is damaged, empty or not text.
    LimitError
        The file is too large.
    """
    data = _read(source, label=label, limits=limits)
    if data.startswith(_GZIP):
        data = _unpack(data, label=label, limits=limits)
    _refuse_binary(data, label=label)
    if data.startswith(_BOM):
        data = data[len(_BOM) :]
    if b"\r" in data:
        data = data.replace(b"\r\n", b"\n").replace(b"\r", b"\n")
    if not data or data.isspace():
        msg = f"{label}: the file is empty. A run or a qrels file has a line for each document."
        raise InputError(msg)
    return data


def _read(source: Source, *, label: str, limits: Limits) -> bytes:
    if isinstance(source, bytes | bytearray | memoryview):
        _refuse_above(memoryview(source).nbytes, limits.file_bytes, label=label)
        return bytes(source)
    try:
        if isinstance(source, str | os.PathLike):
            path = Path(source)
            size = path.stat().st_size
            _refuse_above(size, limits.file_bytes, label=label)
            with path.open("rb") as file:
                data = file.read(size + 1)
        elif hasattr(source, "read"):
            data = source.read(limits.file_bytes + 1)
        else:
            kind = type(source).__name__
            msg = f"{label}: a path, bytes or an open file is expected; got {kind}."
            raise InputError(msg)
    except (OSError, ValueError) as error:
        if isinstance(error, InputError | LimitError):
            raise
        reason = getattr(error, "strerror", None) or str(error)
        msg = f"{label}: the file cannot be read ({reason}). Check the path and try again."
        raise InputError(msg) from error
    if not isinstance(data, bytes):
        msg = f"{label}: the file gave text, not bytes; open it with mode 'rb'."
        raise InputError(msg)
    _refuse_above(len(data), limits.file_bytes, label=label)
    return data


def _refuse_above(size: int, limit: int, *, label: str) -> None:
    if size > limit:
        msg = (
            f"{label}: the file is larger than the limit of {limit:,} bytes. "
            "Cut the rankings at a smaller depth, or pack the file with gzip."
        )
        raise LimitError(msg)


def _unpack(data: bytes, *, label: str, limits: Limits) -> bytes:
    """Unpack gzip members piece by piece, so that a small file cannot fill the memory."""
    unpacked = bytearray()
    rest = memoryview(data)
    try:
        while (
            rest.nbytes and rest[0] == _GZIP[0]
        ):  # what follows the last member is padding
            rest = _unpack_member(rest, unpacked, label=label, limits=limits)
    except zlib.error as error:
        msg = f"{label}: the gzip file is damaged ({error}). Fetch or pack it again."
        raise InputError(msg) from error
    if bytes(rest).strip(b"\0"):
        msg = f"{label}: there is other data after the end of the gzip file. Pack it again."
        raise InputError(msg)
    return bytes(unpacked)


def _unpack_member(
    rest: memoryview, unpacked: bytearray, *, label: str, limits: Limits
) -> memoryview:
    """Append one gzip member to `unpacked` and return what follows it."""
    engine = zlib.decompressobj(wbits=31)
    place = 0
    pending = b""
    while not engine.eof:
        if not pending:
            pending = bytes(rest[place : place + _CHUNK])
            place += len(pending)
        if not pending:
            msg = f"{label}: the gzip file ends too early. Fetch or pack it again."
            raise InputError(msg)
        room = limits.unpacked_bytes + 1 - len(unpacked)
        unpacked += engine.decompress(pending, min(room, 64 * _CHUNK))
        pending = engine.unconsumed_tail
        if len(unpacked) > limits.unpacked_bytes:
            msg = (
                f"{label}: the file unpacks to more than the limit of "
                f"{limits.unpacked_bytes:,} bytes. Cut the rankings at a smaller depth."
            )
            raise LimitError(msg)
    return rest[place - len(engine.unused_data) :]


def _refuse_binary(data: bytes, *, label: str) -> None:
    for magic, kind in _MAGIC:
        if data.startswith(magic):
            msg = (
                f"{label}: the file looks like {kind}, not like text. "
                "Unpack or convert it to UTF-8 text."
            )
            raise InputError(msg)
    codes = np.frombuffer(data, dtype=np.uint8)
    if np.count_nonzero(codes < ord(" ")) == count_lines(data):
        return  # the usual case: line ends are the only control characters
    if len(data.translate(None, _CONTROLS)) != len(data):
        msg = (
            f"{label}: the file is binary, not text. A run or a qrels file is plain text, "
            "or that packed with gzip."
        )
        raise InputError(msg)


def count_lines(data: bytes) -> int:
    """Count line ends; faster than `bytes.count` where lines are short."""
    return int(np.count_nonzero(np.frombuffer(data, dtype=np.uint8) == ord("\n")))
