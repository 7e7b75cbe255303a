"""What the server checks before it takes a file: kind of request, size, and room for it."""

import re
from typing import Final, TypeAlias

from starlette.datastructures import Headers
from starlette.formparsers import MultiPartParser
from starlette.responses import PlainTextResponse
from starlette.types import ASGIApp, Receive, Scope, Send
from streamlit import config

from dashboard.memory import MEMORY, megabytes, unread_files
from dashboard.settings import (
    MAX_DROP_BYTES,
    MAX_DROP_FILES,
    UPLOAD_LIMITS,
    UPLOAD_MEBIBYTES,
)

_UPLOAD: Final = re.compile(r"/_stcore/upload_file/([^/]+)/[^/]+/?$")
_REQUEST_BYTES: Final = UPLOAD_MEBIBYTES * 2**20

_Refusal: TypeAlias = tuple[int, str]


def set_streamlit_limits() -> None:
    """Let Streamlit take files up to our own limit, and never put a part of them on disk."""
    config.set_option("server.maxUploadSize", UPLOAD_MEBIBYTES)
    MultiPartParser.spool_max_size = _REQUEST_BYTES


class UploadGate:
    """Refuse an upload by what its head says, so that nothing of it is kept."""

    def __init__(self, app: ASGIApp) -> None:
        self.app = app
        self._arriving: list[tuple[str, int]] = []  # session and bytes of uploads under way

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Let everything pass that is not an upload, and uploads for which there is room."""
        upload = _UPLOAD.search(scope["path"]) if scope["type"] == "http" else None
        if upload is None or scope["method"] != "PUT":
            await self.app(scope, receive, send)
            return
        headers = Headers(scope=scope)
        refusal = _refuse_form(headers) or self._refuse_size(
            upload[1], int(headers["content-length"])
        )
        if refusal is not None:
            status, reason = refusal
            # the rest of the request is not wanted, so the connection must end
            answer = PlainTextResponse(reason, status, headers={"connection": "close"})
            await answer(scope, receive, send)
            return
        arriving = upload[1], int(headers["content-length"])
        self._arriving.append(arriving)
        try:
            await self.app(scope, receive, send)
        finally:
            self._arriving.remove(arriving)

    def _refuse_size(self, session: str, size: int) -> _Refusal | None:
        if size > _REQUEST_BYTES:
            limit = megabytes(UPLOAD_LIMITS.file_bytes)
            return 413, f"The file is larger than the limit of {limit}."
        waiting = [
            *unread_files(session),
            *(other for owner, other in self._arriving if owner == session),
        ]
        if len(waiting) >= MAX_DROP_FILES:
            return 413, f"The limit of {MAX_DROP_FILES} files at a time is reached."
        if sum(waiting) + size > MAX_DROP_BYTES + 2**20:
            limit = megabytes(MAX_DROP_BYTES)
            return (
                413,
                f"The files are together larger than the limit of {limit} at a time.",
            )
        used = MEMORY.used + sum(other for _, other in self._arriving)
        if used + size > MEMORY.limit:
            return 413, MEMORY.words("The file", size, used)
        return None


def _refuse_form(headers: Headers) -> _Refusal | None:
    """Refuse what no browser sends: a file that does not say how long it is."""
    if not headers.get("content-type", "").lower().startswith("multipart/form-data"):
        return 415, "A file is sent as multipart/form-data."
    length = headers.get("content-length", "")
    if not (length.isascii() and length.isdigit() and len(length) < 16):
        return 411, "A file is sent with its Content-Length."
    return None
