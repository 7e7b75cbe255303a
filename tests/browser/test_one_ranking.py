"""The page in a real browser: what a person types changes what a person reads."""

import pytest
from playwright.sync_api import Page, expect

import core

pytestmark = pytest.mark.browser


def test_typing_a_judgment_changes_the_score_without_enter(
    page: Page, address: str
) -> None:
    page.goto(address)
    first = core.format_score(core.score("RBP(p=0.8)", "$$---$----$-----$---"))
    expect(page.get_by_text(first)).to_be_visible(timeout=30_000)
    box = page.get_by_label("Relevance, best rank first")
    box.click()
    box.press("End")
    box.type("$")
    second = core.format_score(core.score("RBP(p=0.8)", "$$---$----$-----$---$"))
    assert second != first
    expect(page.get_by_text(second)).to_be_visible(timeout=10_000)
