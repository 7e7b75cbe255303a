"""A running dashboard, for tests that need a real server."""

import os
import re
import socket
import subprocess
import sys
import time
from pathlib import Path
from typing import IO
from urllib.request import urlopen

import pytest

ROOT = Path(__file__).parents[1]


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


def main_script() -> str:
    """Read from the Makefile what `make run` starts."""
    match = re.search(r"-m streamlit run (\S+)", (ROOT / "Makefile").read_text())
    assert match is not None
    return match[1]


def start_server(
    script: str,
    port: int,
    *options: str,
    log: int | IO[bytes] = subprocess.DEVNULL,
    **environment: str,
) -> subprocess.Popen[bytes]:
    """Start a Streamlit script and wait until it answers; what it says goes to `log`."""
    run = [sys.executable, "-m", "streamlit", "run", script, f"--server.port={port}"]
    server = subprocess.Popen(
        [*run, *options],
        cwd=ROOT,
        env={**os.environ, **environment},
        stdout=log,
        stderr=subprocess.STDOUT,
    )
    for _ in range(240):
        if server.poll() is not None:
            pytest.fail(f"the server stopped with code {server.returncode}")
        try:
            with urlopen(f"http://127.0.0.1:{port}/_stcore/health", timeout=2) as answer:
                if answer.status == 200:
                    return server
        except OSError:
            time.sleep(0.25)
    server.kill()
    pytest.fail("the server did not start within a minute")
