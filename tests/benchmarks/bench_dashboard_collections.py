"""Speed of the pages about collections in a real browser, beside trivial Streamlit apps.

Everything is measured in one run on one machine, so the ratios mean something where seconds do not.
"""

import gzip
import sys
import tempfile
import time
from pathlib import Path

from playwright.sync_api import Browser, Page, expect

from core.collection import Collection
from core.simulate import TREC5_SHAPE, simulate_collection
from tests.benchmarks.in_browser import (
    HERE,
    PICTURE,
    opened,
    say_ratios,
    servers,
    timed,
    trivial_floor,
)

LARGE = 120_000  # milliseconds to wait for a large upload at the most


def packed_files(folder: Path) -> list[Path]:
    """Write 61 runs x 50 topics x 1000 documents and their judgments, packed."""
    files = simulate_collection(seed=61, **TREC5_SHAPE)
    contents = {f"{name}.run.gz": data for name, data in files.runs.items()}
    contents["qrels.txt.gz"] = files.qrels
    for name, data in contents.items():
        (folder / name).write_bytes(gzip.compress(data, 6, mtime=0))
    return [folder / name for name in contents]


def core_reading(files: list[Path]) -> float:
    """Seconds that core alone takes to read the files and join them."""
    start = time.perf_counter()
    Collection.from_files(files[:-1], files[-1])
    return time.perf_counter() - start


def bare_upload(browser: Browser, url: str, files: list[Path]) -> float:
    """Seconds until the bare app has received the files."""
    page = opened(browser, url, "[data-testid=stFileUploaderDropzone]")
    start = time.perf_counter()
    page.locator("input[type=file]").set_input_files(files)
    page.get_by_text("received").wait_for(timeout=LARGE)
    took = time.perf_counter() - start
    page.context.close()
    return took


def upload(page: Page, files: list[Path]) -> float:
    """Seconds until the pictures show the uploaded collection."""
    page.get_by_role("button", name="Your own runs and qrels").click()
    dropzone = page.get_by_test_id("stFileUploaderDropzone")
    expect(dropzone).to_be_visible()
    page.wait_for_timeout(500)
    boards = page.locator(".board").first
    before = boards.get_attribute("data-updates")
    start = time.perf_counter()
    page.locator("input[type=file]").set_input_files(files)
    page.get_by_text("Collection: your upload, 61 runs").wait_for(timeout=LARGE)
    while page.locator(".board").first.get_attribute("data-updates") == before:
        if time.perf_counter() - start > LARGE / 1000:
            sys.exit("the uploaded collection was never painted")
        page.wait_for_timeout(5)
    took = time.perf_counter() - start
    page.keyboard.press("Escape")
    page.wait_for_timeout(1500)
    return took


def deepen(page: Page) -> list[float]:
    """Time changes of the pool depth until all pictures are painted."""
    page.locator(".player input[type=range]").focus()
    return timed(page, "dashboard", lambda _: page.keyboard.press("ArrowRight"))


def agreement(page: Page) -> float:
    """Seconds from asking for the bootstrap, 8 metrics and 1000 samples, to its picture."""
    page.get_by_role("link", name="Do metrics agree?").click()
    page.get_by_text("Collection: your upload, 61 runs").wait_for(timeout=LARGE)
    page.locator(PICTURE).first.wait_for(timeout=LARGE)
    page.wait_for_timeout(3000)
    title = page.locator(".board h3").first
    before = title.text_content() or ""
    start = time.perf_counter()
    page.get_by_text("Bootstrap", exact=True).click()
    expect(title).not_to_have_text(before, timeout=LARGE)
    return time.perf_counter() - start


def main() -> None:
    scripts = (
        str(HERE / "trivial_app.py"),
        str(HERE / "bare_uploader.py"),
        "dashboard/serve.py",
    )
    with (
        tempfile.TemporaryDirectory() as folder,
        servers(*scripts) as (browser, (trivial, bare, dashboard)),
    ):
        files = packed_files(Path(folder))
        floor = trivial_floor(browser, trivial)
        page = opened(browser, dashboard + "/pool_depth")
        sample = deepen(page)
        reading = min(core_reading(files) for _ in range(3))
        received = min(bare_upload(browser, bare, files) for _ in range(3))
        uploaded = upload(page, files)
        large = deepen(page)
        agreed = agreement(page)
    say_ratios(floor, {"pool depth, sample": sample}, limit=2)
    say_ratios(floor, {"pool depth, 61 x 50 x 1000": large}, limit=4)
    print(
        f"upload of 61 x 50 x 1000 to first picture {uploaded:.2f} s, "
        f"{uploaded / (received + reading):.2f} times the bare uploader's {received:.2f} s and "
        f"core's reading {reading:.2f} s (limit 1.5)"
    )
    print(f"agreement over 61 x 50, first picture after {agreed:.2f} s (limit 3)")


if __name__ == "__main__":
    main()
