"""A running dashboard and a real browser, shared by the tests of this folder."""

import os
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from playwright.sync_api import (
    Browser,
    BrowserContext,
    ConsoleMessage,
    Page,
    sync_playwright,
)

from tests.browser.install import chromium_path
from tests.server import free_port, main_script, start_server

FLAGS = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--no-first-run",
]


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Mark everything in this folder, so that it can run by itself: it measures time."""
    for item in items:
        if Path(__file__).parent in item.path.parents:
            item.add_marker(pytest.mark.browser)


@pytest.fixture(scope="session")
def address() -> Iterator[str]:
    """Start the dashboard as `make run` does; give its address."""
    port = free_port()
    server = start_server(main_script(), port)
    yield f"http://127.0.0.1:{port}"
    server.terminate()
    server.wait(timeout=20)


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
def context(browser: Browser) -> Iterator[BrowserContext]:
    opened = browser.new_context(viewport={"width": 1280, "height": 720})
    opened.set_default_timeout(30_000)
    yield opened
    opened.close()


@pytest.fixture
def page(context: BrowserContext, address: str) -> Iterator[Page]:
    """Open a tab; afterwards there must be no console error and no request elsewhere."""
    opened = context.new_page()
    errors: list[str] = []
    requests: list[str] = []

    def heard(said: ConsoleMessage) -> None:
        if said.type == "error":
            errors.append(said.text)

    opened.on("console", heard)
    opened.on("pageerror", lambda error: errors.append(str(error)))
    opened.on("request", lambda request: requests.append(request.url))
    yield opened
    elsewhere = [url for url in requests if not url.startswith((address, "data:", "blob:"))]
    assert not errors
    assert not elsewhere


@pytest.fixture
def ready(page: Page, address: str) -> Callable[..., Page]:
    """Open a path of the dashboard and wait for its first picture."""

    def go(path: str = "/", on: Page | None = None) -> Page:
        tab = on or page
        tab.goto(address + path)
        tab.locator(".board .plot .main-svg").first.wait_for()
        tab.wait_for_timeout(300)
        return tab

    return go
