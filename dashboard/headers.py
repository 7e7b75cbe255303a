"""The headers that every answer carries: what the page may load, and who may show it."""

import re
from base64 import b64encode
from hashlib import sha256

from starlette.types import ASGIApp, Message, Receive, Scope, Send

from dashboard.index import INDEX_PAGE
from dashboard.settings import EMBED_ANCESTORS, PLOTLY_PATH


def inline_scripts(page: str) -> str:
    """Name the scripts that stand in a page by their hashes, as a policy allows them."""
    found = re.findall(r"<script>(.*?)</script>", page, re.S)
    hashes = (sha256(text.encode()).digest() for text in found)
    return " ".join(f"'sha256-{b64encode(one).decode()}'" for one in hashes)


def content_security_policy(page: str, ancestors: str) -> str:
    """Allow what Streamlit's `page` needs, and `ancestors` to show it in a frame."""
    return "; ".join(
        (
            "default-src 'none'",
            # components import their code from blobs
            f"script-src 'self' blob: {inline_scripts(page)}",
            # styles are written into the page while it runs
            "style-src 'self' 'unsafe-inline'",
            # a picture is saved by way of a blob, in Safari of a data address
            "img-src 'self' data: blob:",
            "font-src 'self' data:",
            "connect-src 'self'",
            "manifest-src 'self'",
            "base-uri 'none'",
            "form-action 'none'",
            f"frame-ancestors {ancestors}",
        )
    )


HEADERS = {
    "content-security-policy": content_security_policy(INDEX_PAGE, EMBED_ANCESTORS),
    "x-content-type-options": "nosniff",
    "referrer-policy": "same-origin",
    "cross-origin-resource-policy": "same-origin",
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
