"""Fewer judgments and Do metrics agree? in a real browser: long work, choices, links."""

import re
from collections.abc import Callable

import pytest
from playwright.sync_api import Browser, BrowserContext, Page, expect

import core

pytestmark = pytest.mark.browser

Ready = Callable[..., Page]
TITLES = {"Fewer judgments": "fewer_judgments", "Do metrics agree?": "agreement"}


def opened(page: Page, title: str) -> Page:
    """Come to a page as a person does, over the navigation."""
    page.get_by_role("link", name=title).click()
    page.wait_for_url(re.compile(TITLES[title]))
    expect(page.locator(".picture h3").first).to_have_text(
        "Mean value over runs and topics"
        if title == "Fewer judgments"
        else "Kendall's tau of the orders of the runs"
    )
    page.locator(".board .plot .main-svg").first.wait_for()
    return page


def sentence(page: Page) -> str:
    return page.locator(".board .sentence").inner_text()


def repeat(page: Page, times: int) -> None:
    """Ask for the shares of the paper, drawn so many times."""
    page.get_by_role("radio", name="all 28 of the paper").click()
    page.get_by_role("button", name="Options").click()
    box = page.get_by_role("spinbutton", name="Repetitions")
    box.fill(str(times))
    box.press("Enter")


def test_a_thinning_shows_its_progress_and_ends(ready: Ready) -> None:
    page = opened(ready(), "Fewer judgments")
    repeat(page, 10)
    bar = page.locator("[data-testid=stProgress]")
    expect(bar).to_contain_text(re.compile(r"repetition \d+"))
    told = page.locator(".board .sentence")
    expect(told).to_contain_text("(10 draws, seed 1)", timeout=60_000)
    expect(bar).to_have_count(0)
    table = core.thinning_sweep(core.sample_collection(), "AP", core.AG_SHARES, 10, 1)
    tau = table[table["share"] == 0.1]["tau"].mean()
    expect(page.locator(".tile .value").first).to_have_text(f"{tau:.3f}")


def test_a_change_ends_the_work_under_way(ready: Ready) -> None:
    page = opened(ready(), "Fewer judgments")
    before = sentence(page)
    repeat(page, 100)
    bar = page.locator("[data-testid=stProgress]")
    expect(bar).to_contain_text("repetition")
    page.keyboard.press("Escape")
    page.get_by_role("button", name="Reset").click()
    expect(bar).to_have_count(0, timeout=8_000)  # all of it would take far longer
    expect(page.locator(".board .sentence")).to_have_text(before)
    page.wait_for_timeout(1500)
    assert sentence(page) == before  # and it does not come back


def test_another_experiment_shows_the_numbers_of_core(ready: Ready) -> None:
    page = opened(ready(), "Do metrics agree?")
    page.get_by_role("radio", name="Bootstrap").click()
    expect(page.locator(".picture h3").first).to_contain_text("Achieved significance")
    found = core.bootstrap_sensitivity(core.sample_collection(), "RR", seed=1)
    expect(page.locator(".board .sentence")).to_contain_text(f"RR {found.significant} (")
    label = page.locator(".picture .plot").nth(1).get_attribute("aria-label") or ""
    assert f"RR {100 * found.share:.0f} %" in label


def test_any_metric_can_be_typed_and_the_link_keeps_it(
    ready: Ready, context: BrowserContext, browser: Browser
) -> None:
    context.grant_permissions(["clipboard-read", "clipboard-write"])
    page = opened(ready(), "Do metrics agree?")
    box = page.get_by_role("combobox", name="Metrics")
    box.click()
    box.fill("Qmeasure(gains='10:5:1')")
    box.press("Enter")
    label = page.locator(".picture .plot").first
    expect(label).to_have_attribute("aria-label", re.compile("Qmeasure 10:5:1 and RR"))
    page.keyboard.press("Escape")
    depths = page.get_by_label("Pool depths", exact=True)
    depths.fill("10")
    depths.press("Enter")
    expect(label).to_have_attribute(
        "aria-label", re.compile("Qmeasure 10:5:1, d=10 and RR")
    )
    page.get_by_role("button", name="Copy link").click()
    expect(page.get_by_text("Link copied.")).to_be_visible()
    link = page.evaluate("navigator.clipboard.readText()")
    fresh = browser.new_context(viewport={"width": 1280, "height": 720}).new_page()
    fresh.goto(link)
    expect(fresh.locator(".board .sentence")).to_have_text(sentence(page), timeout=30_000)
    fresh.context.close()
