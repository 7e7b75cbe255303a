"""The server around the pages: compression, security headers, health, calm errors.

`python -m streamlit run dashboard/serve.py` starts it.
"""

import gc
import gzip
import logging
import pkgutil
import secrets
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
from starlette.responses import JSONResponse, Response
from starlette.routing import Route
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from dashboard import views
from dashboard.settings import EMBED_ANCESTORS, PLOTLY_PATH, STOP_SECONDS
from dashboard.upkeep import collecting_garbage
from dashboard.upload_gate import UploadGate, set_streamlit_limits

log = logging.getLogger("ranklens")

# Components import their code from blobs, and Streamlit's page has one inline script.
CONTENT_SECURITY_POLICY = "; ".join(
    (
        "default-src 'self'",
        "script-src 'self' blob: 'unsafe-inline'",
        "style-src 'self' 'unsafe-inline'",
        "img-src 'self' data: blob:",
        "font-src 'self' data:",
        "connect-src 'self' ws: wss:",
        "worker-src 'self' blob:",
        "object-src 'none'",
        "base-uri 'self'",
        "form-action 'self'",
        f"frame-ancestors {EMBED_ANCESTORS}",
    )
)
HEADERS = {
    "content-security-policy": CONTENT_SECURITY_POLICY,
    "x-content-type-options": "nosniff",
    "referrer-policy": "same-origin",
    "permissions-policy": "camera=(), microphone=(), geolocation=()",
}


class SecurityHeaders:
    """Add the headers to every answer over HTTP."""

    def __init__(self, app: ASGIApp) -> None:
        self.app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass the request on and add the headers to the start of the answer."""
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return

        async def send_with_headers(message: Message) -> None:
            if message["type"] == "http.response.start":
                present = {
                    bytes(name).lower(): bytes(value) for name, value in message["headers"]
                }
                added = dict(HEADERS)
                if present.get(b"content-type", b"").startswith(b"text/html"):
                    # the pictures' script then loads beside Streamlit's own
                    added["link"] = f"<{PLOTLY_PATH}>; rel=preload; as=script"
                message["headers"] = [
                    *message["headers"],
                    *(
                        (name.encode(), value.encode())
                        for name, value in added.items()
                        if name.encode() not in present
                    ),
                ]
            await send(message)

        await self.app(scope, receive, send_with_headers)


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


def calm_message(error: Exception) -> bool:
    """Log what went wrong under an id, and show the id instead of a traceback."""
    reference = secrets.token_hex(4)
    log.error("unexpected error %s", reference, exc_info=error)
    st.error(
        f"Something went wrong here, and it is not your fault. Reload the page to go on; the "
        f"ranking is kept in its address. If it happens again, report the number {reference}."
    )
    return True


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


app = st.App(
    "app.py",
    routes=[Route("/health", health), Route(PLOTLY_PATH, plotly_script)],
    middleware=[
        Middleware(GZipMiddleware, minimum_size=1000),
        Middleware(SecurityHeaders),
        Middleware(UploadGate),
    ],
    on_script_error=calm_message,
    lifespan=while_running,
)
