"""Settings of the front end that several parts share; the environment may change some."""

import os
from importlib.metadata import version
from typing import Final

# Served once and kept by the browser, so the version is part of the address.
PLOTLY_PATH: Final = f"/assets/plotly-{version('plotly')}.min.js"

# Who may show the dashboard in a frame: nobody else by default; a course page when asked, for
# example RANKLENS_EMBED="'self' course.example.edu".
EMBED_ANCESTORS: Final = os.environ.get("RANKLENS_EMBED", "'self'").replace(";", " ")

MAX_LINK_CHARACTERS: Final = 6_000
MAX_STRIP_RANKS: Final = 1_000
STOP_SECONDS: Final = 3  # for requests under way once the server is told to end
COLLECT_SECONDS: Final = 10  # between two looks for memory that can be freed
LONG_WORK_AT_ONCE: Final = 2  # experiments over a second, of all sessions of a process
