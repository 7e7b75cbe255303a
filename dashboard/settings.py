"""Settings of the front end that several parts share; the environment may change some.

Every limit of the dashboard is here; those of the library are `core.Limits`.
"""

import os
import re
from importlib.metadata import version
from typing import Final

import core

MEGABYTE: Final = 1_000_000

# Served once and kept by the browser, so the version is part of the address.
PLOTLY_PATH: Final = f"/assets/plotly-{version('plotly')}.min.js"

# Who may show the dashboard in a frame: nobody else by default; a course page when asked, for
# example RANKLENS_EMBED="'self' course.example.edu".
EMBED_ANCESTORS: Final = " ".join(
    re.split(r"[\s,;]+", os.environ.get("RANKLENS_EMBED", "'self'").strip())
)


def limit(name: str, default: int, most: int) -> int:
    """Take a limit from the environment; without a number that fits, nothing starts."""
    text = os.environ.get(name, str(default)).strip()
    if not (
        text.isascii() and text.isdigit() and len(text) < 16 and 1 <= int(text) <= most
    ):
        msg = f"{name} must be a whole number from 1 to {most:,}; got {text[:40]!r}."
        raise SystemExit(msg)
    return int(text)


# What one file and one session may bring.
UPLOAD_LIMITS: Final = core.Limits(
    file_bytes=limit("RANKLENS_FILE_MB", 200, 2_000) * MEGABYTE,
    unpacked_bytes=limit("RANKLENS_UNPACKED_MB", 500, 8_000) * MEGABYTE,
    lines=limit("RANKLENS_LINES", 10_000_000, 100_000_000),
    runs=limit("RANKLENS_RUNS", 300, 10_000),
    topics=limit("RANKLENS_TOPICS", 10_000, 100_000),
    depth=limit("RANKLENS_DEPTH", 10_000, 10_000),
    cells=limit("RANKLENS_PLACES", 20_000_000, 1_000_000_000),
)
# A request is a little larger than the file in it; servers in front must let that much pass.
UPLOAD_MEBIBYTES: Final = UPLOAD_LIMITS.file_bytes // 2**20 + 2
MAX_ALL_LINES: Final = limit("RANKLENS_ALL_LINES", 20_000_000, 200_000_000)

# What waits to be read, in files and bytes of one session: about what is dropped at once.
MAX_DROP_FILES: Final = limit("RANKLENS_DROP_FILES", 400, 10_000)
MAX_DROP_BYTES: Final = limit("RANKLENS_DROP_MB", 400, 8_000) * MEGABYTE

# The files of all sessions of this server together, read or not.
MAX_MEMORY_BYTES: Final = limit("RANKLENS_MEMORY_MB", 3_000, 1_000_000) * MEGABYTE

MAX_LINK_CHARACTERS: Final = limit("RANKLENS_LINK_CHARACTERS", 6_000, 100_000)
MAX_RANKING_CHARACTERS: Final = core.Limits().characters
MAX_STRIP_RANKS: Final = 1_000
STOP_SECONDS: Final = 3  # for requests under way once the server is told to end
COLLECT_SECONDS: Final = 10  # between two looks for memory that can be freed
LONG_WORK_AT_ONCE: Final = 2  # experiments over a second, of all sessions of a process
