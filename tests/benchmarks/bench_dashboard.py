"""Speed of the dashboard in a real browser, as ratios to a trivial two-chart Streamlit app.

Both run on this machine in the same run, so the ratios mean something where seconds do not.
"""

import statistics
import sys
import time
from collections.abc import Callable
from pathlib import Path

from playwright.sync_api import Browser, Page, sync_playwright

from tests.browser.conftest import FLAGS
from tests.browser.install import chromium_path
from tests.server import free_port, start_server

HERE = Path(__file__).parent
EDITS = 30

# Resolves with the milliseconds until every picture of the first screen has changed.
WAIT_FOR_PAINT = """
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
  window.ready_to_look = true;
  look();
})
"""


def percentile(times: list[float], share: float) -> float:
    return sorted(times)[min(len(times) - 1, round(share * len(times)))]


def timed(page: Page, kind: str, act: Callable[[int], None]) -> list[float]:
    times = []
    for number in range(EDITS + 3):
        waiting = f"window.answer = ({WAIT_FOR_PAINT})({kind!r}); undefined"
        page.evaluate(waiting)
        act(number)
        took = float(page.evaluate("window.answer"))
        if took < 0:
            sys.exit(f"{kind}: edit {number} was never painted")
        if number >= 3:  # the first ones warm up
            times.append(took)
        page.wait_for_timeout(250)
    return times


def blank_frames(page: Page, act: Callable[[int], None]) -> tuple[int, int]:
    """Count frames in which a picture has no drawing or the layout jumps, over 30 edits."""
    page.evaluate(
        """() => { window.blank = 0; window.jumps = 0; let top = null;
        const look = () => {
          const plots = [...document.querySelectorAll(".board")[0].querySelectorAll(".plot")];
          const drawn = (plot) => plot.querySelector(".main-svg .trace");
          if (!plots.every(drawn)) window.blank++;
          const now = plots.map((plot) => Math.round(plot.getBoundingClientRect().top)).join();
          if (top !== null && now !== top) window.jumps++;
          top = now;
          window.looking = requestAnimationFrame(look);
        }; look(); }"""
    )
    for number in range(EDITS):
        act(number)
        page.wait_for_timeout(120)
    page.evaluate("cancelAnimationFrame(window.looking)")
    return int(page.evaluate("window.blank")), int(page.evaluate("window.jumps"))


def drag_rates(page: Page, seconds: float = 4.0) -> list[float]:
    """Drag p back and forth with the button down; repaints a second of each picture."""
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


def cold_start(browser: Browser, url: str, first: str) -> tuple[float, float]:
    """Seconds to the first picture in a fresh context, and megabytes over the wire."""
    page = browser.new_context(viewport={"width": 1280, "height": 720}).new_page()
    client = page.context.new_cdp_session(page)
    client.send("Network.enable")
    size = [0.0]
    client.on(
        "Network.loadingFinished", lambda event: size.append(event["encodedDataLength"])
    )
    start = time.monotonic()
    page.goto(url)
    page.locator(first).first.wait_for(timeout=60_000)
    took = time.monotonic() - start
    page.wait_for_timeout(1500)
    page.context.close()
    return took, sum(size) / 1e6


def opened(browser: Browser, url: str, first: str) -> Page:
    page = browser.new_context(viewport={"width": 1280, "height": 720}).new_page()
    page.goto(url)
    page.locator(first).first.wait_for(timeout=60_000)
    page.wait_for_timeout(1500)
    return page


def measure(browser: Browser, trivial: str, dashboard: str) -> None:
    plain, ours = ".js-plotly-plot path.js-line", ".board .plot .main-svg"
    loads = {
        name: min(cold_start(browser, url, first) for _ in range(3))
        for name, url, first in (
            ("trivial", trivial, plain),
            ("dashboard", dashboard, ours),
        )
    }
    page = opened(browser, trivial, plain)
    page.get_by_role("slider").focus()
    floor = timed(page, "trivial", lambda _: page.keyboard.press("ArrowLeft"))
    page.context.close()
    page = opened(browser, dashboard, ours)
    cells = page.locator(".editor .cell")
    clicks = timed(page, "dashboard", lambda n: cells.nth(n % 10).click())
    box = page.locator(".editor input")
    box.focus()
    box.press("End")
    typed = timed(page, "dashboard", lambda n: box.press("$-?"[n % 3]))
    page.locator(".slider input[type=range]").focus()
    keys = timed(page, "dashboard", lambda _: page.keyboard.press("ArrowLeft"))
    rates = drag_rates(page)
    blank, jumps = blank_frames(page, lambda n: cells.nth(n % 10).click())
    page.context.close()
    base = percentile(floor, 0.95)
    print(f"{'':34} median    95 %   ratio at 95 % (limit 2)")
    print(f"{'trivial app, slider key':34} {statistics.median(floor):6.0f}  {base:6.0f} ms")
    for name, times in (
        ("strip click", clicks),
        ("typed character", typed),
        ("p key", keys),
    ):
        high = percentile(times, 0.95)
        print(
            f"{'dashboard, ' + name:34} {statistics.median(times):6.0f}  {high:6.0f} ms  "
            f"{high / base:5.2f}"
        )
    shown = ", ".join(f"{rate:.1f}" for rate in rates)
    print(f"repaints a second while p is dragged: {shown} (limit 4 each, 8 the most)")
    print(
        f"blank frames in {EDITS} edits: {blank}; frames in which the layout moved: {jumps}"
    )
    took, size = loads["dashboard"]
    print(
        f"first picture after {took:.2f} s, {took / loads['trivial'][0]:.2f} times the trivial "
        f"app's {loads['trivial'][0]:.2f} s (limit 1.5); {size:.2f} MB over the wire (limit 3)"
    )


def main() -> None:
    path = chromium_path()
    if path is None:
        sys.exit("no Chromium: nothing measured")
    ports = free_port(), free_port()
    servers = [
        start_server(str(HERE / "trivial_app.py"), ports[0]),
        start_server("dashboard/serve.py", ports[1]),
    ]
    try:
        with sync_playwright() as playwright:
            browser = playwright.chromium.launch(executable_path=path, args=FLAGS)
            measure(browser, *(f"http://127.0.0.1:{port}" for port in ports))
            browser.close()
    finally:
        for server in servers:
            server.terminate()


if __name__ == "__main__":
    main()
