"""A real evaluation, TREC-COVID round 1, dropped into the dashboard: every page works with it."""

from collections.abc import Callable
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

import core
from core.pooling import pool_depths

REAL = Path(__file__).parents[3] / "shared" / "data" / "trec-covid-r1"
PATIENCE = 120_000  # milliseconds

pytestmark = [
    pytest.mark.browser,
    pytest.mark.skipif(not REAL.is_dir(), reason="the real data is not there"),
]
Ready = Callable[..., Page]


def go(page: Page, name: str) -> None:
    """Go to a page as a person does, and see the upload there."""
    page.get_by_role("link", name=name, exact=True).click()
    expect(page.get_by_role("link", name=name, exact=True)).to_have_attribute(
        "aria-current", "page"
    )
    expect(page.get_by_text("Collection: your upload, 143 runs").first).to_be_visible()
    page.locator(".board .plot .main-svg").first.wait_for()


def expect_tile(page: Page, label: str, value: str) -> None:
    tile = page.locator(".tile").filter(has_text=label)
    expect(tile.locator(".value")).to_have_text(value)


def tau(collection: core.Collection, metric: str, depth: int) -> str:
    full = int(pool_depths(collection).max())
    table = core.pool_sweep(collection, metric, [depth, full])
    now, deep = (table[table.depth == one].value for one in (depth, full))
    return f"{core.kendall_tau(now, deep):.4f}"


def test_all_pages_work_with_143_real_runs(ready: Ready) -> None:
    paths = [*sorted((REAL / "runs").iterdir()), REAL / "qrels.txt"]
    real = core.Collection.from_files(paths[:-1], paths[-1])
    page = ready()
    page.set_default_timeout(PATIENCE)
    page.get_by_role("link", name="Scores", exact=True).click()
    page.get_by_role("button", name="Your own runs and qrels").click()
    expect(page.get_by_test_id("stFileUploaderDropzone")).to_be_visible()
    page.wait_for_timeout(500)
    page.locator("input[type=file]").set_input_files(paths)
    uploaded = page.get_by_text("Collection: your upload, 143 runs")
    expect(uploaded).to_be_visible(timeout=PATIENCE)
    page.keyboard.press("Escape")
    means = real.mean("RBP(p=0.8)").set_index("run")["value"]
    expect(page.locator(".sentence").first).to_contain_text(f"{means.max():.4f}")

    go(page, "Pool depth")
    expect_tile(page, "tau of AP", tau(real, "AP", 10))
    page.get_by_role("slider", name="Pool depth").press("ArrowLeft")
    expect_tile(page, "tau of AP", tau(real, "AP", 9))
    expect_tile(page, "tau of RBP(p=0.8)", tau(real, "RBP(p=0.8)", 9))

    go(page, "Do metrics agree?")
    expect(page.locator(".board").first).to_contain_text("tau")
    go(page, "Fewer judgments")
    expect(page.locator(".board .picture")).not_to_have_count(0)
    for tile in page.locator(".tile .value").all_text_contents():
        assert "nan" not in tile
