"""The page in a real browser: what a person does changes what a person sees."""

import csv
import io
import re
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import pytest
from playwright.sync_api import Browser, BrowserContext, Page, expect

import core

X = "$$---$----$-----$---"
Ready = Callable[..., Page]


def shown(metric: str, ranking: str) -> str:
    score = core.score(metric, ranking)
    return f"{score.lower:.4f} … {score.upper:.4f}"


def tile(page: Page, number: int = 0) -> str:
    return page.locator(".tile .value").nth(number).inner_text()


def expect_rbp(page: Page, ranking: str, p: float = 0.8) -> None:
    expect(page.locator(".tile .value").first).to_have_text(shown(f"RBP(p={p})", ranking))


def painted(page: Page) -> list[int]:
    counts = page.locator(".picture").evaluate_all(
        "all => all.map(one => +one.dataset.painted)"
    )
    return [int(count) for count in counts]


def test_typing_changes_number_and_pictures_without_enter(ready: Ready) -> None:
    page = ready()
    expect_rbp(page, X)
    before = painted(page)
    box = page.locator(".editor input")
    box.click()
    box.press("End")
    box.press("$")
    expect_rbp(page, X + "$")
    page.wait_for_timeout(300)
    assert all(now > then for now, then in zip(painted(page)[:3], before[:3], strict=True))


def test_the_strip_follows_clicks_and_keys(ready: Ready) -> None:
    page = ready()
    box, cells = page.locator(".editor input"), page.locator(".editor .cell")
    cells.nth(2).click()  # - becomes ?
    expect(box).to_have_value("$$?--$----$-----$---")
    expect_rbp(page, "$$?--$----$-----$---")
    for key in ("ArrowRight", "2", "Delete", "i", "End", "?", "Home", "Space"):
        page.keyboard.press(key)
    # rank 4 becomes grade 2; the cursor moves on and rank 5 goes; a - comes in there; the last
    # becomes ?; the first, relevant, becomes nonrelevant
    expected = "-$?2-$----$-----$--?"
    expect(box).to_have_value(expected)
    expect_rbp(page, expected)
    page.keyboard.press("Alt+ArrowRight")
    expect(box).to_have_value("$-?2-$----$-----$--?")


def test_a_document_can_be_dragged_to_another_rank(ready: Ready) -> None:
    page = ready()
    cells = page.locator(".editor .cell")
    cells.nth(0).drag_to(cells.nth(3))
    expect(page.locator(".editor input")).to_have_value("$--$-$----$-----$---")


def test_pictures_move_while_p_is_dragged(ready: Ready) -> None:
    page = ready()
    box = page.locator(".slider input[type=range]").bounding_box()
    assert box is not None
    middle = box["y"] + box["height"] / 2
    page.mouse.move(box["x"] + box["width"] * 0.8, middle)
    page.mouse.down()
    before, start, step = painted(page), time.monotonic(), 0
    while time.monotonic() - start < 2.0:
        step += 1
        share = 0.8 - 0.5 * abs((step % 80) / 40 - 1)
        page.mouse.move(box["x"] + box["width"] * share, middle)
        page.wait_for_timeout(15)
    repaints = [now - then for now, then in zip(painted(page)[:3], before[:3], strict=True)]
    page.mouse.up()
    assert min(repaints) >= 3  # the benchmark asks for more; here the machine may be busy
    assert 0.2 < float(page.locator(".slider input[type=number]").input_value()) < 0.9


def test_a_thousand_ranks_can_be_pasted(ready: Ready, context: BrowserContext) -> None:
    context.grant_permissions(["clipboard-read", "clipboard-write"])
    page = ready()
    ranking = ("$--?-" * 200)[:1000]
    page.locator(".editor .strip").focus()
    page.evaluate("text => navigator.clipboard.writeText(text)", ranking)
    page.keyboard.press("ControlOrMeta+v")
    expect_rbp(page, ranking)
    assert page.locator(".editor .cell").count() == 1000
    width = page.evaluate("document.documentElement.scrollWidth")
    assert width <= 1280


def test_a_copied_link_opens_the_same_numbers_elsewhere(
    ready: Ready, context: BrowserContext, browser: Browser
) -> None:
    context.grant_permissions(["clipboard-read", "clipboard-write"])
    page = ready()
    page.locator(".editor input").fill("$-?2$")
    page.locator(".slider input[type=number]").fill("0.95")
    page.locator(".slider input[type=number]").press("Enter")
    expect_rbp(page, "$-?2$", 0.95)
    page.get_by_role("button", name="Copy link").click()
    expect(page.get_by_text("Link copied.")).to_be_visible()
    link = page.evaluate("navigator.clipboard.readText()")
    fresh = browser.new_context(viewport={"width": 1280, "height": 720}).new_page()
    fresh.goto(link)
    expect(fresh.locator(".tile .value").first).to_have_text(shown("RBP(p=0.95)", "$-?2$"))
    assert fresh.locator(".editor input").input_value() == "$-?2$"
    fresh.context.close()


def test_three_edits_are_undone_and_redone(ready: Ready) -> None:
    page = ready()
    cells, box = page.locator(".editor .cell"), page.locator(".editor input")
    texts = [X]
    for rank in (2, 3, 4):
        cells.nth(rank).click()
        page.wait_for_timeout(1200)  # edits within a second count as one
        texts.append(box.input_value())
    assert len(set(texts)) == 4
    for text in reversed(texts[:-1]):
        page.get_by_role("button", name="Undo").click()
        expect(box).to_have_value(text)
        expect_rbp(page, text)
    page.get_by_role("button", name="Redo").click()
    expect(box).to_have_value(texts[1])
    page.locator(".editor .strip").focus()
    page.keyboard.press("ControlOrMeta+z")
    expect(box).to_have_value(X)


def saved(page: Page, label: str) -> bytes:
    with page.expect_download() as download:
        page.get_by_role("button", name=label).first.click()
    return Path(download.value.path()).read_bytes()


def test_pictures_and_numbers_can_be_saved(ready: Ready) -> None:
    page = ready()
    assert saved(page, "Save “RBP and its bounds at every p” as PNG").startswith(b"\x89PNG")
    svg = saved(page, "Save “RBP and its bounds at every p” as SVG").decode()
    assert svg.startswith("<svg")
    assert "persistence p" in svg
    text = saved(
        page, "Save the numbers of “RBP and its bounds at every p” as CSV"
    ).decode()
    rows = list(csv.DictReader(io.StringIO(text)))
    at = [row for row in rows if row["series"] == "upper bound" and float(row["x"]) == 0.8]
    assert float(at[0]["y"]) == pytest.approx(core.score("RBP(p=0.8)", X).upper, abs=1e-6)


def test_the_snippet_prints_the_numbers_on_screen(ready: Ready) -> None:
    page = ready("/?r=%24-%3F%24&p=0.9&R=4")
    page.get_by_role("button", name="Take away").click()
    code = page.get_by_role("dialog").locator("code").first.inner_text()
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True
    ).stdout
    ap = core.score("AP", "$-?$", num_rel=4)
    assert tile(page, 2) == f"{ap.value:.4f}"
    assert re.search(rf"^AP {re.escape(core.format_score(ap))}$", done, re.M)
    assert len(done.splitlines()) == len(core.METRICS)


def test_a_mistake_is_named_and_the_last_good_ranking_stays(ready: Ready) -> None:
    page = ready()
    box = page.locator(".editor input")
    box.fill("$-!")
    expect(page.locator(".editor .message")).to_contain_text(
        "rank 3: '!' is not a judgment"
    )
    expect_rbp(page, X)
    assert page.locator(".editor .cell").count() == 20
    box.fill("$-?")
    expect(page.locator(".editor .message")).to_have_text("")
    expect_rbp(page, "$-?")


def test_dollars_never_turn_into_maths(ready: Ready) -> None:
    page = ready("/?r=%24%24-%24%24")
    page.locator(".editor input").fill("$a$")
    expect(page.locator(".editor .message")).to_contain_text("'a' is not a judgment")
    assert page.locator(".katex").count() == 0


@pytest.mark.parametrize(
    "text",
    [
        "<img src=x onerror=alert(1)>",
        "'\"><script>alert(1)</script>",
        r"\frac{1}{2}$$x^2$$",
        "$" * 100_000,
        "\u202e\ufeff😀",
        "NaN",
    ],
    ids=["tag", "script", "katex", "100kB", "controls", "nan"],
)
def test_hostile_text_is_shown_as_text(ready: Ready, text: str) -> None:
    page = ready()
    page.on("dialog", lambda dialog: pytest.fail(f"a script ran: {dialog.message}"))
    page.locator(".editor input").fill(text)
    expect(page.locator(".editor .message")).not_to_have_text("")
    expect_rbp(page, X)
    assert page.locator("img[src=x]").count() == 0


@pytest.mark.parametrize(
    "query",
    [
        "p=9",
        "p=NaN",
        "r=%3Cscript%3E",
        "R=-1&N=x",
        "r=" + "%24" * 1500,
        "top=99&min=0",
        "m1=zzz",
    ],
)
def test_a_bad_link_falls_back_with_a_note(ready: Ready, query: str) -> None:
    page = ready(f"/?{query}")
    body = page.locator("body").inner_text()
    assert "Traceback" not in body
    if "24" not in query:
        assert "was not used" in body
        expect_rbp(page, X)


def test_the_keyboard_alone_is_enough(ready: Ready) -> None:
    page = ready()
    seen: set[str] = set()
    for _ in range(40):
        page.keyboard.press("Tab")
        seen.add(
            page.evaluate(
                """() => { let at = document.activeElement;
                while (at?.shadowRoot?.activeElement) at = at.shadowRoot.activeElement;
                return String(at?.className || at?.type || at?.innerText || '').slice(0, 40); }"""
            )
        )
        if "strip" in seen and page.evaluate("document.activeElement?.shadowRoot !== null"):
            break
    assert "strip" in seen
    page.keyboard.press("ArrowRight")
    page.keyboard.press("?")
    expect(page.locator(".editor input")).to_have_value("$?---$----$-----$---")
    page.keyboard.press("Tab")
    page.keyboard.press("ArrowLeft")
    expect_rbp(page, "$?---$----$-----$---", 0.79)


def test_the_dark_theme_changes_the_pictures(browser: Browser, address: str) -> None:
    page = browser.new_context(color_scheme="dark").new_page()
    page.goto(address)
    page.locator(".board .plot .main-svg").first.wait_for()
    expect(page.locator(".plot path.js-line").first).to_have_css(
        "stroke", "rgb(86, 180, 233)"
    )
    page.context.close()


def test_answers_are_compressed_and_carry_security_headers(
    page: Page, address: str
) -> None:
    answer = page.request.get(address)
    assert answer.headers["x-content-type-options"] == "nosniff"
    assert "default-src 'none'" in answer.headers["content-security-policy"]
    assert "frame-ancestors 'self'" in answer.headers["content-security-policy"]
    health = page.request.get(f"{address}/health")
    assert health.json()["status"] == "ok"
    script = page.content()
    asset = re.search(r'src="\./?(static/js/[^"]+)"', script) or re.search(
        r'src="([^"]+\.js)"', page.request.get(address).text()
    )
    assert asset is not None
    loaded = page.request.get(f"{address}/{asset[1].lstrip('./')}")
    assert loaded.headers.get("content-encoding") == "gzip"
