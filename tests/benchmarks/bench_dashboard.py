"""Speed of the pages about one ranking, as ratios to a trivial two-chart Streamlit app.

Both run on this machine in the same run, so the ratios mean something where seconds do not.
"""

import random
import statistics
import time
from collections.abc import Callable
from urllib.parse import urlencode

from playwright.sync_api import Browser, Page

from dashboard.state import shorten
from tests.benchmarks.in_browser import (
    EDITS,
    HERE,
    PICTURE,
    TRIVIAL_PICTURE,
    answer_times,
    drag_rates,
    opened,
    percentile,
    say_ratios,
    servers,
    timed,
    trivial_floor,
)

PAGES = {"One ranking": "/", "Choosing p": "/choosing_p", "Two papers": "/two_papers"}


def blank_frames(page: Page, act: Callable[[int], object]) -> tuple[int, int]:
    """Count frames in which a picture has no drawing or the layout jumps, over 30 edits."""
    page.evaluate(
        """() => { window.blank = 0; window.jumps = 0; let top = null;
        const look = () => {
          const plots = [...document.querySelectorAll(".board")[0].querySelectorAll(".plot")];
          const drawn = (plot) => plot.querySelector(".main-svg .trace, .main-svg .hm");
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


def slide(page: Page) -> Callable[[int], object]:
    """Focus the first slider; each edit is a key on it."""
    page.locator(".slider input[type=range]").first.focus()
    return lambda _: page.keyboard.press("ArrowLeft")


def edit_pages(browser: Browser, dashboard: str) -> dict[str, list[float]]:
    """Time edits on all three pages, and count repaints, blanks and jumps."""
    edits = {}
    for name, path in PAGES.items():
        page = opened(browser, dashboard + path)
        edits[f"{name}, p key"] = timed(page, "dashboard", slide(page))
        if path == "/":
            cells, box = page.locator(".editor .cell"), page.locator(".editor input")
            edits[f"{name}, strip click"] = timed(
                page, "dashboard", lambda n, cells=cells: cells.nth(n % 10).click()
            )
            box.focus()
            box.press("End")
            edits[f"{name}, typed character"] = timed(
                page, "dashboard", lambda n, box=box: box.press("$-?"[n % 3])
            )
        blank, jumps = blank_frames(page, slide(page))
        rates = ", ".join(f"{rate:.1f}" for rate in drag_rates(page))
        print(
            f"{name}: repaints a second while p is dragged {rates} (limit 4, the first 8); in "
            f"{EDITS} edits {blank} blank frames, {jumps} in which the layout moved"
        )
        page.context.close()
    return edits


def long_ranking(unjudged: float) -> str:
    """Make an address with a ranking of 1000 documents, a share of them unjudged."""
    chance = random.Random(1)
    marks = chance.choices("$-?", (0.2, 0.8 - unjudged, unjudged), k=1000)
    return "/?" + urlencode({"r": shorten("".join(marks))})


def server_times(browser: Browser, dashboard: str) -> None:
    """Time the server's answers, without any painting."""
    cases = {
        **{name: (path, 60) for name, path in PAGES.items()},
        "1000 ranks, 100 unjudged": (long_ranking(0.1), 120),
        "1000 ranks, 200 unjudged": (long_ranking(0.2), 120),
    }
    for name, (path, limit) in cases.items():
        page = opened(browser, dashboard + path)
        times = answer_times(page, slide(page))
        print(
            f"answer to a p key, {name:28} {statistics.median(times):4.0f} ms, 95 % "
            f"{percentile(times, 0.95):4.0f} ms (limit {limit})"
        )
        page.context.close()


def main() -> None:
    trivial_app = str(HERE / "trivial_app.py")
    with servers(trivial_app, "dashboard/serve.py") as (browser, (trivial, dashboard)):
        loads = [
            min(cold_start(browser, url, first) for _ in range(3))
            for url, first in ((trivial, TRIVIAL_PICTURE), (dashboard, PICTURE))
        ]
        floor = trivial_floor(browser, trivial)
        say_ratios(floor, edit_pages(browser, dashboard), limit=2)
        server_times(browser, dashboard)
    (plain, _), (took, size) = loads
    print(
        f"first picture after {took:.2f} s, {took / plain:.2f} times the trivial app's "
        f"{plain:.2f} s (limit 1.5); {size:.2f} MB over the wire (limit 3)"
    )


if __name__ == "__main__":
    main()
