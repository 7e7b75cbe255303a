"""Pool depth in a real browser: the depth moves the scatter, a run leads to its list."""

import re
from collections.abc import Callable
from functools import cache
from urllib.parse import parse_qs, urlsplit

import pytest
from playwright.sync_api import Browser, Locator, Page, expect

import core

pytestmark = pytest.mark.browser

Ready = Callable[..., Page]
DEPTH = "Pool depth: documents taken from each run"


@cache
def sample() -> core.Collection:
    return core.sample_collection()


def tau(metric: str, depth: int) -> str:
    table = core.pool_sweep(sample(), metric, [depth, 50])
    now, full = (table[table.depth == one].value for one in (depth, 50))
    return f"{core.kendall_tau(now, full):.4f}"


@pytest.fixture
def pool(ready: Ready) -> Page:
    """Come to the page as a person does, over the navigation."""
    page = ready()
    page.get_by_role("link", name="Pool depth").click()
    expect(page.locator(".picture h3").first).to_have_text("AP of every run by pool depth")
    page.locator(".board .plot .main-svg").first.wait_for()
    page.wait_for_timeout(300)
    return page


def expect_tile(page: Page, label: str, value: str) -> None:
    tile = page.locator(".tile").filter(has_text=label)
    expect(tile.locator(".value")).to_have_text(value)


def points(page: Page, picture: int = 1) -> Locator:
    return page.locator(".picture").nth(picture).locator(".scatterlayer .points path")


def places(page: Page) -> list[str]:
    found = points(page).evaluate_all(
        "all => all.map(one => one.getAttribute('transform'))"
    )
    return [str(place) for place in found]


def test_the_depth_moves_the_scatter_and_tau_is_that_of_core(pool: Page) -> None:
    expect_tile(pool, "tau of AP", tau("AP", 10))
    before = places(pool)
    assert len(before) == 24
    pool.locator(".player input[type=range]").focus()
    pool.keyboard.press("ArrowLeft")
    expect_tile(pool, "tau of AP", tau("AP", 9))
    expect_tile(pool, "tau of RBP", tau("RBP(p=0.8)", 9))
    expect_tile(pool, "Judgments", f"{sample().at_pool_depth(9).num_judged:,}")
    pool.wait_for_timeout(300)
    assert sum(now != then for now, then in zip(places(pool), before, strict=True)) > 20
    box = pool.get_by_label(f"{DEPTH}, as a number")
    box.fill("3")
    box.press("Enter")
    expect_tile(pool, "tau of AP", tau("AP", 3))
    pool.get_by_role("button", name="Step forward").click()
    expect_tile(pool, "tau of AP", tau("AP", 4))
    pool.get_by_role("button", name="Step back").press("Enter")
    expect_tile(pool, "tau of AP", tau("AP", 3))
    expect(pool).to_have_url(re.compile(r"[?&]d=3\b"))
    pool.get_by_role("button", name="Undo").click()
    expect(box).not_to_have_value("3")


def test_it_plays_to_the_end_and_stops(pool: Page) -> None:
    box = pool.get_by_label(f"{DEPTH}, as a number")
    box.fill("47")
    box.press("Enter")
    expect_tile(pool, "tau of AP", tau("AP", 47))
    pool.get_by_role("button", name="Play").click()
    expect_tile(pool, "Judgments", "14,998")
    expect(box).to_have_value("50")
    expect(pool.get_by_role("button", name="Play")).to_be_visible()


def test_pointing_at_a_run_marks_it_everywhere_and_a_click_opens_its_list(
    pool: Page,
) -> None:
    point = points(pool).nth(3).bounding_box()  # the fourth run, ash4
    assert point is not None
    middle = point["x"] + point["width"] / 2, point["y"] + point["height"] / 2
    pool.mouse.move(*middle)
    for picture in range(3):
        legend = pool.locator(".picture").nth(picture).locator(".legendtext")
        expect(legend.last).to_have_text("ash4")
    with pool.context.expect_page() as opened:
        pool.mouse.down()
        pool.mouse.up()
    ranking = sample().at_pool_depth(10).ranking("ash4", "1")
    query = parse_qs(urlsplit(opened.value.url).query)
    assert query["r"] == [core.format_relevance(ranking)]
    expect(opened.value.locator(".editor input").first).to_have_value(query["r"][0])
    score = core.score("RBP(p=0.8)", ranking)
    expect(opened.value.locator(".tile .value").first).to_have_text(
        f"{score.lower:.4f} … {score.upper:.4f}"
    )
    link = pool.get_by_role("link", name="Open its list in One ranking")
    assert query["r"][0] in parse_qs(urlsplit(link.get_attribute("href") or "").query)["r"]
    expect(pool).to_have_url(re.compile("mark=ash4"))


def test_the_link_brings_everything_back(browser: Browser, address: str) -> None:
    tab = browser.new_context(viewport={"width": 1280, "height": 720}).new_page()
    tab.goto(f"{address}/pool_depth?d=5&p=0.95&part=pair&a=ash1&b=elm1&mark=fir1")
    expect_tile(tab, "tau of RBP(p=0.95)", tau("RBP(p=0.95)", 5))
    legend = tab.locator(".picture").last.locator(".legendtext")
    expect(legend.first).to_have_text("ash1, depth 10")
    tab.context.close()
