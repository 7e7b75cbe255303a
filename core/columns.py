"""Text in columns to arrays, with line numbers and without a loop over lines.

The fields of a block of text are found all at once from the edges between space and text, so
tabs, doubled spaces, blank lines and comments cost nothing extra and every line keeps its number.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final, TypeAlias

import numpy as np
import numpy.typing as npt

Ints: TypeAlias = npt.NDArray[np.int64]
Floats: TypeAlias = npt.NDArray[np.float64]
Ids: TypeAlias = npt.NDArray[np.bytes_]
Bytes: TypeAlias = npt.NDArray[np.uint8]

_PAD: Final = 1_024  # room to read fixed-width windows around the first and last field
_BLOCK: Final = 1 << 19
_SPACE: Final = 32
_NEWLINE: Final = 10
_COMMENT: Final = ord("#")
_DOT: Final = ord(".")
_MINUS: Final = ord("-")
_ZERO: Final = ord("0")
_MOST_DIGITS: Final = 15  # below 2**53 and a power of ten up to 10**22: one exact division
_NUMBER_CHARACTERS: Final = b"0123456789.+-eE"


@dataclass(frozen=True, eq=False)
class Lines:
    """The data lines of one block, split into fields.

    Attributes
    ----------
    buffer : uint8 array
        The whole text with room at both ends.
    numbers : int array
        Line numbers in the file, from 1.
    counts : int array
        Fields of each line.
    first : int array
        Place of each line's first field in `starts` and `ends`.
    starts, ends : int array
        Where each field begins and ends in `buffer`.
    """

    buffer: Bytes
    numbers: Ints
    counts: Ints
    first: Ints
    starts: Ints
    ends: Ints

    def __len__(self) -> int:
        return len(self.numbers)

    def keep(self, wanted: npt.NDArray[np.bool_]) -> "Lines":
        """Pick lines."""
        if wanted.all():
            return self
        return Lines(
            self.buffer,
            self.numbers[wanted],
            self.counts[wanted],
            self.first[wanted],
            self.starts,
            self.ends,
        )

    def ids(self, column: int) -> Ids:
        """Return a column as byte strings."""
        places = self.first + column
        return _windows(self.buffer, self.starts[places], self.ends[places])

    def widths(self, column: int) -> Ints:
        """Return the length of a column's fields."""
        places = self.first + column
        return self.ends[places] - self.starts[places]

    def floats(self, column: int) -> Floats:
        """Return a column as numbers, nan where it is not a finite decimal number."""
        places = self.first + column
        return read_numbers(self.buffer, self.starts[places], self.ends[places])

    def field(self, line: int, column: int) -> bytes:
        """Return one field of one line."""
        place = self.first[line] + column
        return self.buffer[self.starts[place] : self.ends[place]].tobytes()

    def text(self, line: int) -> bytes:
        """Return one line, from its first field to its last."""
        first = self.first[line]
        end = self.ends[first + self.counts[line] - 1]
        return self.buffer[self.starts[first] : end].tobytes()


def read_lines(data: bytes, *, fields: int) -> Iterator[Lines]:
    """Split text into fields, block by block; blank lines and ``#`` lines are left out.

    Parameters
    ----------
    data : bytes
        Lines that end with LF.
    fields : int
        How many a line usually has; other lines only take a little longer.
    """
    padding = b"\n" * _PAD
    padded = padding + data + padding
    buffer = np.frombuffer(padded, dtype=np.uint8)
    begin, stop = _PAD, _PAD + len(data)
    line = 1
    while begin < stop:
        end = _block_end(padded, begin, stop)
        newlines = np.flatnonzero(buffer[begin:end] == _NEWLINE) + begin
        yield _split(buffer, begin, newlines, line=line, fields=fields)
        line += len(newlines)
        begin = end


def _block_end(padded: bytes, begin: int, stop: int) -> int:
    """Place just after the last line end within a block, or after the next one."""
    end = begin + _BLOCK
    if end >= stop:
        return stop + 1  # with the padding's first line end
    last = padded.rfind(b"\n", begin, end)
    return (last if last >= 0 else padded.find(b"\n", end)) + 1


def _split(buffer: Bytes, begin: int, newlines: Ints, *, line: int, fields: int) -> Lines:
    blank = buffer[begin - 1 : newlines[-1] + 1] <= _SPACE
    edges = np.flatnonzero(blank[1:] != blank[:-1]) + begin
    starts, ends = edges[0::2], edges[1::2]
    size = len(newlines)
    if _is_regular(starts, ends, newlines, fields):
        first = np.arange(0, fields * size, fields)
        counts = np.full(size, fields)
        numbers = np.arange(line, line + size)
    else:
        before = np.searchsorted(starts, newlines)
        first = np.concatenate(([0], before[:-1]))
        counts = before - first
        full = np.flatnonzero(counts)
        first, counts, numbers = first[full], counts[full], full + line
    lines = Lines(buffer, numbers, counts, first, starts, ends)
    return lines.keep(buffer[starts[first]] != _COMMENT)


def _is_regular(starts: Ints, ends: Ints, newlines: Ints, fields: int) -> bool:
    """Whether every line has exactly `fields` fields."""
    return bool(
        len(starts) == fields * len(newlines)
        and (ends[fields - 1 :: fields] <= newlines).all()
        and (starts[fields::fields] > newlines[:-1]).all()
    )


def _windows(buffer: Bytes, starts: Ints, ends: Ints) -> Ids:
    """Copy fields into one fixed-width array; what follows a short field becomes zero."""
    lengths = ends - starts
    width = int(lengths.max(initial=1))
    view = np.ndarray(
        (len(buffer) - width + 1,), dtype=f"S{width}", buffer=buffer, strides=(1,)
    )
    ids = view[starts]
    if lengths.min(initial=width) < width:
        characters = ids.view(np.uint8).reshape(-1, width)
        characters *= np.arange(width) < lengths[:, np.newaxis]
    return ids


def read_numbers(buffer: Bytes, starts: Ints, ends: Ints) -> Floats:
    """Read decimal numbers; nan where the text is not one, or is not finite.

    Up to 15 digits with a point are put together as one whole number over a power of ten,
    which is exact to the last bit; anything longer or with an exponent goes through `float`.
    """
    negative = buffer[starts] == _MINUS
    lengths = ends - starts - negative
    short = lengths <= _MOST_DIGITS + 1
    whole = np.zeros(len(starts), dtype=np.int64)
    decimals = np.zeros(len(starts), dtype=np.int64)
    points = np.zeros(len(starts), dtype=np.int8)
    simple = short.copy()
    for back in range(int(lengths[short].max(initial=0)), 0, -1):  # aligned at the end
        character = buffer[ends - back]
        inside = lengths >= back
        is_point = inside & (character == _DOT)
        digit = character - np.uint8(_ZERO)  # wraps around: everything else is above 9
        is_digit = inside & (digit <= 9)
        np.copyto(whole, whole * 10 + digit, where=is_digit)
        decimals += is_digit & (points > 0)
        points += is_point
        simple &= is_digit | is_point | ~inside
    digits = lengths - points
    simple &= (points <= 1) & (digits >= 1) & (digits <= _MOST_DIGITS)
    values = np.full(len(starts), np.nan)
    exact = whole[simple] / 10.0 ** decimals[simple]
    values[simple] = np.where(negative[simple], -exact, exact)
    for row in np.flatnonzero(~simple):
        values[row] = _read_number(buffer[starts[row] : ends[row]].tobytes())
    return values


def _read_number(text: bytes) -> float:
    """Read one number in the plain or the exponent form; nan for anything else."""
    if text.translate(None, _NUMBER_CHARACTERS):
        return np.nan
    try:
        value = float(text)
    except ValueError:
        return np.nan
    return value if np.isfinite(value) else np.nan
