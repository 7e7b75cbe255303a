"""Progress of work that can take over a second."""

from collections.abc import Callable
from typing import TypeAlias

Progress: TypeAlias = Callable[[float, str], None]
"""Called with the share done and a text; may raise to cancel."""


def part_of(progress: Progress | None, part: int, parts: int) -> Progress | None:
    """Report the progress of one part of the work as progress of the whole.

    Examples
    --------
    >>> half = part_of(lambda share, text: print(share, text), 1, 2)
    >>> half(0.5, "AP")
    0.75 AP
    """
    if progress is None:
        return None

    def report(share: float, text: str) -> None:
        progress((part + share) / parts, text)

    return report
