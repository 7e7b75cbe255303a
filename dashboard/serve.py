"""The server around the pages: compression, security headers, health, calm errors.

`python -m streamlit run dashboard/serve.py` starts it.
"""

import gc
import gzip
import pkgutil
import signal
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from functools import lru_cache
from importlib import import_module
from importlib.metadata import version
from importlib.resources import files

import streamlit as st
import uvicorn
from starlette.middleware import Middleware
from starlette.middleware.gzip import GZipMiddleware
from starlette.requests import Request
from starlette.responses import HTMLResponse, JSONResponse, Response
from starlette.routing import Route

from dashboard import views
from dashboard.calm import calm_answer, calm_message
from dashboard.headers import SecurityHeaders
from dashboard.index import INDEX_PAGE, PAGES
from dashboard.settings import PLOTLY_PATH, STOP_SECONDS
from dashboard.upkeep import collecting_garbage
from dashboard.upload_gate import UploadGate, set_streamlit_limits


@lru_cache(maxsize=1)
def _plotly() -> bytes:
    """Compress Plotly's script once; every page load would otherwise wait for it."""
    return gzip.compress(
        files("plotly").joinpath("package_data/plotly.min.js").read_bytes(), 6
    )


async def plotly_script(request: Request) -> Response:
    """Serve the script that ships inside the plotly package."""
    headers = {"cache-control": "public, max-age=31536000, immutable"}
    if "gzip" in request.headers.get("accept-encoding", ""):
        headers["content-encoding"] = "gzip"
        return Response(_plotly(), media_type="text/javascript", headers=headers)
    return Response(
        gzip.decompress(_plotly()), media_type="text/javascript", headers=headers
    )


async def health(_: Request) -> Response:
    """Say that the server answers, and which version it is."""
    return JSONResponse({"status": "ok", "version": version("ranklens")})


async def index(_: Request) -> Response:
    """Serve the page that every address of the dashboard begins with."""
    return HTMLResponse(INDEX_PAGE, headers={"cache-control": "no-cache"})


@asynccontextmanager
async def ends_in_time(_: st.App) -> AsyncIterator[None]:
    """Bound the wait for unfinished requests at the end, for which Streamlit has no setting.

    Without it one stalled upload or download keeps the server from ending. By now the server
    handles the signals that end it, which is the way to find it.
    """
    server = getattr(signal.getsignal(signal.SIGTERM), "__self__", None)
    if isinstance(server, uvicorn.Server):
        server.config.timeout_graceful_shutdown = STOP_SECONDS
    yield


def warm_up() -> None:
    """Load what every page needs before anybody waits for it, and take it for permanent.

    What is frozen is left out whenever Python looks for garbage: that look would otherwise hold
    up everybody's edits for a tenth of a second.
    """
    for module in pkgutil.iter_modules(views.__path__):
        import_module(f"{views.__name__}.{module.name}")
    gc.collect()
    gc.freeze()


@asynccontextmanager
async def while_running(running: st.App) -> AsyncIterator[None]:
    """Do what is to be done beside the pages, from start to end."""
    set_streamlit_limits()
    warm_up()  # not before: caches made without a running server say so in its log
    async with ends_in_time(running), collecting_garbage():
        yield


ROUTES = [
    Route("/health", health),
    Route(PLOTLY_PATH, plotly_script),
    *(Route(f"/{name}", index) for name in ("", *PAGES)),
]
MIDDLEWARE = [
    Middleware(GZipMiddleware, minimum_size=1000),
    Middleware(SecurityHeaders),
    Middleware(UploadGate),
]

app = st.App(
    "app.py",
    routes=ROUTES,
    middleware=MIDDLEWARE,
    on_script_error=calm_message,
    exception_handlers={Exception: calm_answer},
    lifespan=while_running,
)
