"""What the benchmarks in a real browser share: servers, edits timed until painted, drags."""

import statistics
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

from playwright.sync_api import Browser, Page, sync_playwright

from tests.browser.conftest import FLAGS
from tests.browser.install import chromium_path
from tests.server import free_port, start_server

HERE = Path(__file__).parent
EDITS = 30
WARM_UP = 3
TRIVIAL_PICTURE = ".js-plotly-plot path.js-line"
PICTURE = ".board .plot .main-svg"

# Resolves with the milliseconds until every picture of the first screen has changed.
_WAIT_FOR_PAINT = """
(kind) => new Promise((done) => {
  const start = performance.now();
  const all = (where, what) => [...where.querySelectorAll(what)];
  const marks = () => kind === "dashboard"
    ? [document.querySelector(".board").dataset.updates]
    : all(document, ".js-plotly-plot path.js-line").map((one) => one.getAttribute("d"));
  const before = marks();
  const look = () => {
    const now = marks();
    const changed = now.length >= before.length && now.every((mark, i) => mark !== before[i]);
    if (changed) requestAnimationFrame(() => done(performance.now() - start));
    else if (performance.now() - start > 8000) done(-1);
    else requestAnimationFrame(look);
  };
  look();
})
"""


def percentile(times: list[float], share: float) -> float:
    return sorted(times)[min(len(times) - 1, round(share * len(times)))]


@contextmanager
def servers(*scripts: str) -> Iterator[tuple[Browser, list[str]]]:
    """Start the scripts and a browser; give it with their addresses."""
    path = chromium_path()
    if path is None:
        sys.exit("no Chromium: nothing measured")
    ports = [free_port() for _ in scripts]
    running = [
        start_server(script, port) for script, port in zip(scripts, ports, strict=True)
    ]
    try:
        with sync_playwright() as playwright:
            browser = playwright.chromium.launch(executable_path=path, args=FLAGS)
            yield browser, [f"http://127.0.0.1:{port}" for port in ports]
            browser.close()
    finally:
        for server in running:
            server.kill()


def opened(browser: Browser, url: str, first: str = PICTURE) -> Page:
    """Open an address and wait until its first picture is there and all is quiet."""
    page = browser.new_context(viewport={"width": 1280, "height": 720}).new_page()
    page.goto(url)
    page.locator(first).first.wait_for(timeout=60_000)
    page.wait_for_timeout(1500)
    return page


def timed(page: Page, kind: str, act: Callable[[int], object]) -> list[float]:
    """Edit again and again; milliseconds from each edit until all is painted."""
    times = []
    for number in range(EDITS + WARM_UP):
        page.evaluate(f"window.answer = ({_WAIT_FOR_PAINT})({kind!r}); undefined")
        act(number)
        took = float(page.evaluate("window.answer"))
        if took < 0:
            sys.exit(f"{kind}: edit {number} was never painted")
        if number >= WARM_UP:
            times.append(took)
        page.wait_for_timeout(250)
    return times


def trivial_floor(browser: Browser, url: str) -> list[float]:
    """Time the edits of the trivial app, which the others are compared with."""
    page = opened(browser, url, TRIVIAL_PICTURE)
    page.get_by_role("slider").focus()
    times = timed(page, "trivial", lambda _: page.keyboard.press("ArrowLeft"))
    page.context.close()
    return times


def answer_times(page: Page, act: Callable[[int], object]) -> list[float]:
    """Milliseconds from the edit's message to the last one of its answer, in the browser.

    That is the server's time and the way there and back; it includes no painting.
    """
    frames: list[tuple[str, float]] = []
    client = page.context.new_cdp_session(page)
    client.send("Network.enable")
    for kind in ("Sent", "Received"):
        client.on(
            f"Network.webSocketFrame{kind}",
            lambda event, kind=kind: frames.append((kind, event["timestamp"])),
        )
    times = []
    for number in range(EDITS + WARM_UP):
        frames.clear()
        act(number)
        for _ in range(10):
            page.wait_for_timeout(400)
            sent = [at for kind, at in frames if kind == "Sent"]
            received = [at for kind, at in frames if kind == "Received"]
            if sent and received:
                break
        else:
            sys.exit(f"edit {number} was not answered")
        if number >= WARM_UP:
            times.append(1000.0 * (received[-1] - sent[-1]))
    client.detach()
    return times


def drag_rates(page: Page, seconds: float = 4.0) -> list[float]:
    """Drag the first slider with the button down; repaints a second of each picture."""
    box = page.locator(".slider input[type=range]").first.bounding_box()
    assert box is not None
    middle = box["y"] + box["height"] / 2
    count = "all => all.map(one => +one.dataset.painted)"
    pictures = page.locator(".board").first.locator(".picture")
    page.mouse.move(box["x"] + box["width"] * 0.8, middle)
    page.mouse.down()
    before, start, step = pictures.evaluate_all(count), time.monotonic(), 0
    while time.monotonic() - start < seconds:
        step += 1
        share = 0.8 - 0.5 * abs((step % 120) / 60 - 1)
        page.mouse.move(box["x"] + box["width"] * share, middle)
        page.wait_for_timeout(12)
    after = pictures.evaluate_all(count)
    page.mouse.up()
    return [(now - then) / seconds for now, then in zip(after, before, strict=True)]


def say_ratios(floor: list[float], edits: dict[str, list[float]], limit: float) -> None:
    """Print each kind of edit beside the trivial app's."""
    base = percentile(floor, 0.95)
    print(f"{'edit to all painted':42} median    95 %   ratio at 95 % (limit {limit:g})")
    print(f"{'trivial app, slider key':42} {statistics.median(floor):6.0f}  {base:6.0f} ms")
    for name, times in edits.items():
        high = percentile(times, 0.95)
        middle = statistics.median(times)
        print(f"{name:42} {middle:6.0f}  {high:6.0f} ms  {high / base:5.2f}")
