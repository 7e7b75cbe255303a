"""Two papers, two p in a real browser: published scores, dragged and typed."""

import time
from collections.abc import Callable

import pytest
from playwright.sync_api import Browser, Page, expect

from core.inversion import rbp_crossings, rbp_envelope

pytestmark = pytest.mark.browser

Ready = Callable[..., Page]


@pytest.fixture
def papers(ready: Ready) -> Page:
    """Come to the page as a person does, over the navigation."""
    page = ready()
    page.get_by_role("link", name="Two papers, two p").click()
    title = page.locator(".picture h3").first
    expect(title).to_have_text("What the score could be at every other p")
    page.locator(".board .plot .main-svg").first.wait_for()
    return page


def expect_tile(page: Page, label: str, value: str) -> None:
    tile = page.locator(".tile").filter(has_text=label)
    expect(tile.locator(".value")).to_have_text(value)


def band(score: float, p: float, at: float) -> str:
    found = rbp_envelope(score, p, at)
    return f"{found.lower_min:.3f} … {found.upper_max:.3f}"


def test_keys_on_a_slider_change_range_and_strips(papers: Page) -> None:
    slider = papers.get_by_label("A: persistence p", exact=True)
    slider.focus()
    papers.keyboard.press("ArrowRight")
    expect_tile(papers, "A at p = 0.95", band(0.4, 0.81, 0.95))
    expect_tile(papers, "B at p = 0.81", band(0.3, 0.95, 0.81))


def test_a_typed_score_that_no_ranking_has_is_told_with_its_neighbours(
    papers: Page,
) -> None:
    for label, text in (("A: persistence p", "0.2"), ("A: published score S", "0.5")):
        box = papers.get_by_label(f"{label}, as a number")
        box.fill(text)
        box.press("Enter")
    sentence = papers.locator(".board .sentence").first
    expect(sentence).to_contain_text("the nearest are 0.2000 and 0.8000")
    expect(papers.locator(".tile .value").first).to_have_text("impossible")


def test_the_pictures_move_while_a_score_is_dragged(papers: Page) -> None:
    slider = papers.get_by_label("A: published score S", exact=True)
    box = slider.bounding_box()
    assert box is not None
    middle = box["y"] + box["height"] / 2
    papers.mouse.move(box["x"] + box["width"] * 0.4, middle)
    papers.mouse.down()
    first = papers.locator(".picture").first
    before, start, step = int(first.get_attribute("data-painted") or 0), time.monotonic(), 0
    while time.monotonic() - start < 2.0:
        step += 1
        share = 0.2 + 0.6 * abs((step % 80) / 40 - 1)
        papers.mouse.move(box["x"] + box["width"] * share, middle)
        papers.wait_for_timeout(15)
    repaints = int(first.get_attribute("data-painted") or 0) - before
    papers.mouse.up()
    assert repaints >= 3


def test_the_crossing_moves_with_the_strip(papers: Page) -> None:
    papers.get_by_role("radio", name="Crossing curves").click()
    sentence = papers.locator(".board .sentence").nth(1)
    expect(sentence).to_contain_text("cross at p = 0.6823 and 0.7549")
    papers.locator(".editor").first.locator(".cell").nth(6).click()  # $ becomes -
    root = rbp_crossings("$---$$-", "-$$$---").roots[0][0]
    expect(sentence).to_contain_text(f"cross at p = {root:.4f}")


def test_the_link_shows_the_same_numbers_elsewhere(papers: Page, browser: Browser) -> None:
    papers.get_by_label("B: persistence p", exact=True).focus()
    papers.keyboard.press("ArrowLeft")
    expect_tile(papers, "A at p = 0.94", band(0.4, 0.8, 0.94))
    papers.wait_for_url("**pb=0.94**")  # the address follows after a moment
    context = browser.new_context(
        viewport={"width": 390, "height": 844}, color_scheme="dark"
    )
    other = context.new_page()
    other.goto(papers.url)
    expect_tile(other, "A at p = 0.94", band(0.4, 0.8, 0.94))
    other.locator(".board .plot .main-svg").first.wait_for()
    assert other.evaluate("document.querySelector('.stMain').scrollWidth") <= 390
    context.close()


def test_the_first_screen_holds_controls_numbers_and_two_pictures(papers: Page) -> None:
    plots = papers.locator(".picture .plot")
    for number in range(2):
        box = plots.nth(number).bounding_box()
        assert box is not None
        assert box["y"] + box["height"] <= 720
