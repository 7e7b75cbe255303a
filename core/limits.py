"""What the library is willing to read: every limit in one place."""

from dataclasses import dataclass
from typing import Final


@dataclass(frozen=True)
class Limits:
    """Sizes above which input is refused, before memory is spent on it.

    Attributes
    ----------
    file_bytes : int
        Size of one file as it is given, packed or not.
    unpacked_bytes : int
        Size of one file after unpacking.
    lines : int
        Lines of one file.
    line_bytes : int
        Length of one line.
    id_bytes : int
        Length of a topic or document id.
    runs, topics, depth : int
        Runs of a collection, topics of a file, documents of one ranking.
    grades : int
        Different grades in the judgments.
    cells : int
        Runs times topics times depth of a collection.
    characters : int
        Characters of a ranking, or of a topic, that is given as text.
    """

    file_bytes: int = 256_000_000
    unpacked_bytes: int = 1_000_000_000
    lines: int = 20_000_000
    line_bytes: int = 100_000
    id_bytes: int = 500
    runs: int = 500
    topics: int = 20_000
    depth: int = 10_000
    grades: int = 100
    cells: int = 100_000_000
    characters: int = 20_000


DEFAULT_LIMITS: Final = Limits()
