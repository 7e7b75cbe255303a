"""A running dashboard and a real browser, shared by the tests of this folder."""

import os
import re
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from urllib.request import urlopen

import pytest
from playwright.sync_api import Browser, Page, sync_playwright

from tests.browser.install import chromium_path

ROOT = Path(__file__).parents[2]
FLAGS = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--no-first-run",
]


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


@pytest.fixture(scope="session")
def address() -> Iterator[str]:
    """Start the dashboard as `make run` does; give its address."""
    port = free_port()
    command = (ROOT / "Makefile").read_text()
    match = re.search(r"-m (streamlit run \S+)", command)
    assert match is not None
    arguments = [*match[1].split(), "--server.port", str(port)]
    server = subprocess.Popen(
        [sys.executable, "-m", *arguments],
        cwd=ROOT,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.STDOUT,
    )
    url = f"http://127.0.0.1:{port}"
    try:
        _wait_until_healthy(url, server)
        yield url
    finally:
        server.terminate()
        server.wait(timeout=20)


def _wait_until_healthy(url: str, server: subprocess.Popen[bytes]) -> None:
    for _ in range(240):
        if server.poll() is not None:
            pytest.fail(f"the dashboard stopped with code {server.returncode}")
        try:
            with urlopen(f"{url}/_stcore/health", timeout=2) as answer:  # noqa: S310
                if answer.status == 200:
                    return
        except OSError:
            time.sleep(0.25)
    pytest.fail("the dashboard did not start within a minute")


@pytest.fixture(scope="session")
def browser() -> Iterator[Browser]:
    path = chromium_path()
    if path is None:
        if os.environ.get("CI") == "true":
            pytest.fail("no Chromium, although CI=true asks for the browser tests")
        pytest.skip("no Chromium on this machine, and none could be installed")
    with sync_playwright() as playwright:
        started = playwright.chromium.launch(executable_path=path, args=FLAGS)
        yield started
        started.close()


@pytest.fixture
def page(browser: Browser) -> Iterator[Page]:
    context = browser.new_context(viewport={"width": 1280, "height": 720})
    opened = context.new_page()
    yield opened
    context.close()
