"""Choosing p in a real browser: p, depth and users change what a person reads."""

import time
from collections.abc import Callable

import pytest
from playwright.sync_api import Browser, Page, expect

import core

pytestmark = pytest.mark.browser

X = "$$---$----$-----$---"
Ready = Callable[..., Page]


@pytest.fixture
def choosing(ready: Ready) -> Page:
    """Come to the page as a person does, over the navigation."""
    page = ready()
    page.get_by_role("link", name="Choosing p").click()
    expect(page.locator(".picture h3").first).to_have_text("How far this user reads")
    page.locator(".board .plot .main-svg").first.wait_for()
    return page


def expect_tile(page: Page, label: str, value: str) -> None:
    tile = page.locator(".tile").filter(has_text=label)
    expect(tile.locator(".value")).to_have_text(value)


def test_keys_on_the_slider_change_the_numbers(choosing: Page) -> None:
    slider = choosing.get_by_label("Persistence p: chance of reading on", exact=True)
    slider.focus()
    for _ in range(15):
        choosing.keyboard.press("ArrowRight")
    expect_tile(choosing, "Ranks read on average", "20.0")
    expect_tile(choosing, "Depth for four decimals", "180")  # Moffat & Zobel 2008, 4.4
    expect_tile(choosing, "Reaches page 2", "59.9 %")
    label = choosing.locator(".picture .plot").first.get_attribute("aria-label") or ""
    assert "At p = 0.95: 20.0 ranks" in label


def test_the_pictures_move_while_p_is_dragged(choosing: Page) -> None:
    slider = choosing.get_by_label("Persistence p: chance of reading on", exact=True)
    box = slider.bounding_box()
    assert box is not None
    middle = box["y"] + box["height"] / 2
    choosing.mouse.move(box["x"] + box["width"] * 0.8, middle)
    choosing.mouse.down()
    first = choosing.locator(".picture").first
    before, start, step = int(first.get_attribute("data-painted") or 0), time.monotonic(), 0
    while time.monotonic() - start < 2.0:
        step += 1
        share = 0.8 - 0.5 * abs((step % 80) / 40 - 1)
        choosing.mouse.move(box["x"] + box["width"] * share, middle)
        choosing.wait_for_timeout(15)
    repaints = int(first.get_attribute("data-painted") or 0) - before
    choosing.mouse.up()
    assert repaints >= 3


def test_p_fits_the_budget_and_the_link_keeps_it(choosing: Page, browser: Browser) -> None:
    depth = choosing.get_by_label("Budget: judging depth d, as a number")
    depth.fill("100")
    depth.press("Enter")
    expect_tile(choosing, "Four decimals at depth 100", "p < 0.9120")
    choosing.get_by_role("button", name="Use p = 0.91").click()
    expect_tile(choosing, "Residual at depth 100", "< 0.0001")
    expect(choosing.get_by_label("Persistence p: chance of reading on, as")).to_have_value(
        "0.91"
    )
    choosing.wait_for_url("**p=0.91**")
    fresh = browser.new_context(viewport={"width": 390, "height": 844}).new_page()
    fresh.goto(choosing.url)
    expect_tile(fresh, "Four decimals at depth 100", "p < 0.9120")
    expect_tile(fresh, "Ranks read on average", "11.1")
    assert fresh.evaluate("document.documentElement.scrollWidth") <= 390
    fresh.context.close()


def test_the_ranking_and_the_users_change_the_walk(choosing: Page) -> None:
    choosing.locator(".editor input").fill("-$-$")
    sentence = choosing.locator(".sentence").nth(1)
    walks = core.simulate_users("-$-$", p=0.8, users=1000, seed=1)
    expect(sentence).to_contain_text(f"comes to {walks.running_mean[-1]:.4f}")
    users = choosing.get_by_label("Users who walk")
    users.fill("20000")
    users.press("Enter")
    walks = core.simulate_users("-$-$", p=0.8, users=20_000, seed=1)
    expect(sentence).to_contain_text(f"comes to {walks.running_mean[-1]:.4f}")
    expect(sentence).to_contain_text("the first of 20,000 users")


def test_the_second_chance_changes_the_score(choosing: Page) -> None:
    slider = choosing.get_by_label("p2: reads on after any other", exact=True)
    slider.focus()
    choosing.keyboard.press("ArrowRight")
    score = core.score("RBP(p1=0.9, p2=0.61)", X)
    words = f"between {score.lower:.4f} and {score.upper:.4f}"
    expect(choosing.locator(".sentence").nth(2)).to_contain_text(words)
