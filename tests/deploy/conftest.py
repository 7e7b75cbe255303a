"""A class on this machine: processes behind nginx, started by the command that people use."""

import os
import signal
import subprocess
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from http.client import HTTPConnection, HTTPMessage
from pathlib import Path

import pytest
from streamlit.proto.BackMsg_pb2 import BackMsg
from streamlit.proto.ForwardMsg_pb2 import ForwardMsg
from websockets.sync.client import ClientConnection, connect

from deploy.local import free_ports
from deploy.nginx import COOKIE, MISSING, ROOT, nginx_path


@dataclass(frozen=True)
class Answer:
    """What came back: who answered, and what cookie they asked to keep."""

    status: int
    headers: HTTPMessage
    body: bytes

    @property
    def process(self) -> str | None:
        return self.headers["X-Ranklens-Process"]

    @property
    def cookie(self) -> str | None:
        given = [text.split(";")[0] for text in self.headers.get_all("Set-Cookie", [])]
        return next((text for text in given if text.startswith(COOKIE)), None)


@dataclass(frozen=True)
class Server:
    """A started server and the few things that a browser does with it."""

    command: subprocess.Popen[str] | subprocess.Popen[bytes]
    port: int

    def ask(
        self,
        path: str = "/health",
        *,
        method: str = "GET",
        headers: dict[str, str] | None = None,
        body: bytes | None = None,
    ) -> Answer:
        connection = HTTPConnection("127.0.0.1", self.port, timeout=10)
        try:
            connection.request(method, path, body, headers or {})
            answer = connection.getresponse()
            return Answer(answer.status, answer.headers, answer.read())
        finally:
            connection.close()

    @contextmanager
    def page(
        self, cookie: str = "", session: str = ""
    ) -> Iterator[tuple[ClientConnection, str]]:
        """Open a page as Streamlit's script does; give its WebSocket and its session.

        The script passes a token and the session it had before as further protocols.
        """
        own = f"127.0.0.1:{self.port}"
        with connect(
            f"ws://{own}/_stcore/stream",
            origin=f"http://{own}",
            subprotocols=["streamlit", "token", session] if session else ["streamlit"],
            additional_headers={"Cookie": cookie},
            max_size=None,
            proxy=None,
            close_timeout=0.5,
        ) as socket:
            wish = BackMsg()
            wish.rerun_script.query_string = ""
            socket.send(wish.SerializeToString())
            message = ForwardMsg()
            while message.WhichOneof("type") != "new_session":
                message.ParseFromString(socket.recv(timeout=20))
            yield socket, message.new_session.initialize.session_id

    def upload_request(self, session: str, cookie: str) -> tuple[str, dict[str, str]]:
        """Give the address of an upload into a session, and the headers it needs."""
        given = self.ask("/_stcore/health", headers={"Cookie": cookie}).headers
        cookies = [text.split(";")[0] for text in given.get_all("Set-Cookie", [])]
        xsrf = next(text for text in cookies if text.startswith("_streamlit_xsrf="))
        headers = {
            "Cookie": f"{cookie}; {xsrf}",
            "X-Xsrftoken": xsrf.partition("=")[2],
            "Content-Type": "multipart/form-data; boundary=edge",
        }
        return f"/_stcore/upload_file/{session}/file-1", headers

    def upload(self, session: str, cookie: str) -> Answer:
        path, headers = self.upload_request(session, cookie)
        body = (
            b'--edge\r\nContent-Disposition: form-data; name="f"; filename="a.run"\r\n\r\n'
            b"301 Q0 d 1 1 r\r\n--edge--\r\n"
        )
        return self.ask(path, method="PUT", headers=headers, body=body)

    def descendants(self) -> list[int]:
        """Give the programs that the command started, and theirs, in order of their start."""
        found: list[int] = []
        waiting = [self.command.pid]
        while waiting:
            parent = waiting.pop(0)
            listed = Path(f"/proc/{parent}/task/{parent}/children").read_text().split()
            waiting += map(int, listed)
            found += map(int, listed)
        return found

    def end(self) -> int:
        self.command.send_signal(signal.SIGTERM)
        return self.command.wait(timeout=10)


@contextmanager
def started_class(processes: int = 2) -> Iterator[Server]:
    """Run the command until the block ends; the address it prints is the sign that it is ready."""
    (port,) = free_ports(1)
    command = subprocess.Popen(
        [sys.executable, "deploy/local.py", f"--port={port}", f"--processes={processes}"],
        cwd=ROOT,
        stdout=subprocess.PIPE,
        text=True,
    )
    assert command.stdout is not None
    late = threading.Timer(60, command.terminate)
    late.start()
    try:
        assert command.stdout.readline() == f"http://127.0.0.1:{port}\n"
        late.cancel()
        yield Server(command, port)
    finally:
        late.cancel()
        command.terminate()
        command.wait(timeout=10)
        command.stdout.close()


@pytest.fixture(scope="session")
def nginx() -> str:
    """Give nginx; without it tests are skipped, and fail where they must not be."""
    path = nginx_path()
    if path is None:
        if os.environ.get("CI") == "true":
            pytest.fail(
                "no nginx, although CI=true asks for the tests of several processes"
            )
        pytest.skip(MISSING)
    return path


@pytest.fixture(scope="session")
def room(nginx: str) -> Iterator[Server]:  # noqa: ARG001
    """Give one class of two processes to every test that leaves it as it was."""
    with started_class() as started:
        yield started
