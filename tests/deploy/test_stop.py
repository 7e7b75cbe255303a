"""One process as `make run` starts it ends soon, whatever its visitors are doing."""

import signal
import socket
import subprocess
import time

from deploy.local import free_ports
from tests.deploy.conftest import Server
from tests.server import start_server


def test_sigterm_ends_a_server_with_open_pages_and_stalled_requests() -> None:
    (port,) = free_ports(1)
    running = start_server("dashboard/serve.py", port)
    server = Server(running, port)
    with server.page() as (_, session), server.page(), socket.socket() as stalled:
        path, headers = server.upload_request(session, "")
        stalled.connect(("127.0.0.1", port))
        lines = [f"{name}: {value}\r\n" for name, value in headers.items()]
        stalled.sendall(
            f"PUT {path} HTTP/1.1\r\nHost: here\r\nContent-Length: 100000\r\n".encode()
            + "".join(lines).encode()
            + b"\r\n--edge\r\n"
        )
        time.sleep(0.3)  # the upload is under way
        began = time.monotonic()
        running.send_signal(signal.SIGTERM)
        try:
            running.wait(timeout=10)
        except subprocess.TimeoutExpired:
            running.kill()
            running.wait()
        assert 2 < time.monotonic() - began < 5
