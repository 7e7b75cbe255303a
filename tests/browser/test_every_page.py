"""What holds for every page: on a projector and on a phone in the dark anybody can read it."""

from typing import Literal

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Browser

PAGES = [
    "",
    "choosing_p",
    "two_papers",
    "scores",
    "pool_depth",
    "pool_depth?part=newcomer",
    "fewer_judgments",
    "agreement",
    "seven_properties",
    "one_good_answer",
]


@pytest.mark.parametrize(("width", "scheme"), [(1280, "light"), (390, "dark")])
@pytest.mark.parametrize("path", PAGES)
def test_nothing_is_hard_to_reach_and_nothing_scrolls_sideways(
    browser: Browser, address: str, path: str, width: int, scheme: Literal["light", "dark"]
) -> None:
    context = browser.new_context(
        viewport={"width": width, "height": 844}, color_scheme=scheme
    )
    page = context.new_page()
    page.goto(f"{address}/{path}")
    page.locator(".board .plot .main-svg").first.wait_for(timeout=60_000)
    page.wait_for_timeout(500)
    for part in ("document.documentElement", "document.querySelector('.stMain')"):
        assert page.evaluate(f"{part}.scrollWidth") <= width
    wide = page.locator(".plot").evaluate_all("all => all.map(one => one.scrollWidth)")
    assert max(wide) <= width
    serious = [
        (item["id"], [node["html"][:160] for node in item["nodes"]])
        for item in Axe().run(page).response["violations"]
        if item["impact"] in {"serious", "critical"}
    ]
    context.close()
    assert not serious
