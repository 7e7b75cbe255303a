"""Seven properties and One good answer in a real browser."""

from collections.abc import Callable
from urllib.parse import parse_qs, urlsplit

import pytest
from playwright.sync_api import Page, expect

import core

pytestmark = pytest.mark.browser

Ready = Callable[..., Page]


def queried(url: str) -> dict[str, list[str]]:
    """Return what the address holds; it follows an edit after a moment."""
    return parse_qs(urlsplit(url).query)


@pytest.fixture
def properties(ready: Ready) -> Page:
    """Come to the page as a person does, over the navigation."""
    page = ready()
    page.get_by_role("link", name="Seven properties").click()
    page.locator(".properties td").first.wait_for()
    page.locator(".board .plot .main-svg").first.wait_for()
    return page


@pytest.fixture
def answer(ready: Ready) -> Page:
    """Come to the page as a person does, over the navigation."""
    page = ready()
    page.get_by_role("link", name="One good answer").click()
    expect(page.locator(".tile .label").nth(1)).to_have_text("NWRR")
    page.locator(".board .plot .main-svg").first.wait_for()
    return page


def cell(page: Page, name: str) -> None:
    page.locator(f'.properties td[data-cell="{name}"]').click()


def score_of(page: Page, label: str) -> str:
    tile = page.locator(".tile").filter(has=page.get_by_text(label, exact=True))
    return tile.locator(".value").inner_text()


def test_a_no_opens_its_counterexample_and_one_ranking(properties: Page) -> None:
    page = properties
    cell(page, "AP.realizable")
    sentence = page.locator(".board .sentence").first
    expect(sentence).to_contain_text("AP is not realizable: with 2 relevant of 2 documents")
    expect(sentence).to_contain_text("0.5000")
    label = page.locator(".picture .plot").first.get_attribute("aria-label") or ""
    assert "11, seen to rank 1, AP = 0.5000" in label
    with page.context.expect_page() as opened:
        page.get_by_role("link", name="Open in One ranking").click()
    other = opened.value
    expect(other.locator(".editor input")).to_have_value("$")
    tile = other.locator(".tile").filter(has=other.get_by_text("AP", exact=True))
    expect(tile.locator(".value")).to_have_text("0.5000")  # R = 2, one of them found


def test_the_keyboard_walks_over_the_table(properties: Page) -> None:
    page = properties
    cell(page, "RR.convergent")
    sentence = page.locator(".board .sentence").first
    expect(sentence).to_contain_text("RR is not convergent")
    page.keyboard.press("ArrowRight")
    page.keyboard.press("ArrowRight")
    expect(sentence).to_contain_text("RR is localized in all 32 worlds of five documents")
    page.keyboard.press("ArrowDown")
    expect(sentence).to_contain_text("Recall is not localized")
    chosen = page.locator('.properties td[aria-selected="true"]')
    expect(chosen).to_be_focused()
    expect(chosen).to_have_attribute("aria-label", "Recall, Localized: no")
    page.wait_for_url(lambda url: queried(url) == {"cell": ["R.localized"]})


def test_ones_own_ranking_is_tried_while_it_is_typed(properties: Page) -> None:
    page = properties
    cell(page, "nDCG.monotonic")
    page.locator(".editor input").fill("1111101")
    words = page.locator(".board .sentence").last
    expect(words).to_contain_text("from k = 5 to 6 the score falls from 1.0000 to 0.8922")
    page.locator(".editor input").fill("1" * 21)
    expect(page.locator(".editor .message")).to_contain_text("only 20 can be tried here")
    expect(words).to_contain_text("1111101")
    page.get_by_role("button", name="Undo").click()
    expect(page.locator(".editor input")).to_have_value("100001")


def test_a_changed_grade_changes_p_plus(answer: Page) -> None:
    page = answer
    value = core.score("Pplus", "BAS", topic="SAB").value
    assert score_of(page, "P+") == f"{value:.4f}" == "0.7381"  # Sakai 2007, section 3.3
    page.locator(".editor .strip").focus()
    for key in ("Home", "S"):
        page.keyboard.press(key)
    expected = core.score("Pplus", "SAS", topic="SSAB").value
    tile = page.locator(".tile").filter(has=page.get_by_text("P+", exact=True))
    expect(tile.locator(".value")).to_have_text(f"{expected:.4f}")
    expect(page.locator(".board .sentence")).to_contain_text(
        "1 S more than the topic lists"
    )


def test_gains_change_while_they_are_typed_and_a_mistake_is_named(answer: Page) -> None:
    page = answer
    gains = page.get_by_label("Gains, S:A:B")
    gains.press("End")
    for key in ("Backspace", "0", ".", "5"):
        gains.press(key)
    expected = core.score("Omeasure(gains='3:2:0.5')", "BAS", topic="SAB").value
    tile = page.locator(".tile").filter(has=page.get_by_text("O-measure", exact=True))
    expect(tile.locator(".value")).to_have_text(f"{expected:.4f}")
    gains.fill("1:2:3")
    expect(page.get_by_text("gains must not rise")).to_be_visible()
    expect(tile.locator(".value")).to_have_text(f"{expected:.4f}")
    assert page.locator(".katex").count() == 0


def test_a_preset_brings_figure_3_and_its_link_says_so(answer: Page) -> None:
    page = answer
    page.get_by_role("button", name="Examples").click()
    page.get_by_text("A B at rank 1, or an S at rank 2").click()
    sentence = page.locator(".board .sentence")
    expect(sentence).to_contain_text(
        "the second is better by O-measure (0.500 against 0.571)"
    )
    page.wait_for_url(lambda url: queried(url) == {"r": ["B"], "r2": ["0S"]})
