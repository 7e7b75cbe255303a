"""Uploads and the page Scores in a real browser: what a person drops, sees and opens."""

import base64
import gzip
import re
from collections.abc import Callable
from pathlib import Path
from urllib.parse import parse_qs, urlsplit

import pytest
from playwright.sync_api import Browser, FilePayload, Page, expect

import core
from core.collection import Collection

pytestmark = pytest.mark.browser

Ready = Callable[..., Page]


def run_lines(tag: str, step: int) -> bytes:
    return b"".join(
        b"%d Q0 d%d %d %d %s\n" % (topic, rank * step % 23, rank, 50 - rank, tag.encode())
        for topic in (1, 2, 3)
        for rank in range(20)
    )


QRELS = b"".join(
    b"%d 0 d%d %d\n" % (topic, number, number * topic % 2)
    for topic in (1, 2, 3)
    for number in range(15)
)
FILES = {"alpha.run": run_lines("alpha", 1), "beta.run": run_lines("beta", 3)}
BAD = b"1 Q0 a 1 nan x\n" + FILES["alpha.run"]


def files(**named: bytes) -> list[FilePayload]:
    return [
        {"name": name, "mimeType": "text/plain", "buffer": data}
        for name, data in named.items()
    ]


def collection() -> Collection:
    runs = {name.removesuffix(".run"): data for name, data in FILES.items()}
    return Collection.from_files(runs, QRELS)


@pytest.fixture
def scores(ready: Ready) -> Page:
    """Come to the page as a person does, over the navigation, and open the place for files."""
    page = ready()
    go(page)
    return page


def go(page: Page, name: str = "Scores") -> None:
    page.get_by_role("link", name=name, exact=True).click()
    page.get_by_text("Collection:").first.wait_for()
    page.locator(".board .plot .main-svg").first.wait_for()
    page.get_by_role("button", name="Your own runs and qrels").click()
    settled(page)


def settled(page: Page) -> None:
    """Wait until there is one place for files, and it stands still."""
    expect(page.get_by_test_id("stFileUploaderDropzone")).to_have_count(1)
    expect(page.get_by_test_id("stFileUploaderDropzone")).to_be_visible()
    page.wait_for_timeout(500)


def pick(page: Page, *given: FilePayload) -> None:
    page.locator("input[type=file]").set_input_files(list(given))


def drop(page: Page, *given: FilePayload) -> None:
    """Let files fall on the drop zone, as from the desktop."""
    data = [(item["name"], base64.b64encode(item["buffer"]).decode()) for item in given]
    carried = page.evaluate_handle(
        """all => {
          const carried = new DataTransfer();
          for (const [name, text] of all) {
            const bytes = Uint8Array.from(atob(text), mark => mark.charCodeAt(0));
            carried.items.add(new File([bytes], name));
          }
          return carried;
        }""",
        data,
    )
    zone = page.get_by_test_id("stFileUploaderDropzone")
    for event in ("dragenter", "dragover", "drop"):
        zone.dispatch_event(event, {"dataTransfer": carried})


def expect_mean(page: Page, run: str, value: float) -> None:
    tile = page.locator(".tile").filter(has_text=f": {run}")
    expect(tile.locator(".value")).to_have_text(f"{value:.4f}")


@pytest.mark.parametrize("bring", [pick, drop])
def test_runs_and_judgments_brought_together_are_scored(
    scores: Page, bring: Callable[..., None]
) -> None:
    packed = {"beta.run.gz": gzip.compress(FILES["beta.run"])}
    bring(scores, *files(**{"alpha.run": FILES["alpha.run"], **packed, "q.txt": QRELS}))
    expect(scores.get_by_text("Collection: your upload, 2 runs × 3 topics")).to_be_visible()
    expect(
        scores.get_by_text("beta.run.gz: run beta; 3 judged topics, depth 20")
    ).to_be_visible()
    expect(scores.get_by_text("q.txt: judgments; 3 topics, 45 documents")).to_be_visible()
    mean = collection().mean("RBP(p=0.8)").set_index("run")["value"]
    for run in ("alpha", "beta"):
        expect_mean(scores, run, mean[run])


@pytest.mark.parametrize("bring", [pick, drop])
def test_a_bad_file_is_named_by_line_and_rule_and_nothing_is_lost(
    scores: Page, bring: Callable[..., None]
) -> None:
    bring(scores, *files(**FILES, **{"q.txt": QRELS}))
    expect(scores.get_by_text("Collection: your upload, 2 runs")).to_be_visible()
    settled(scores)
    bring(scores, *files(**{"worse.run": BAD}))
    told = "worse.run, line 1: the score must be a finite number, found 'nan'"
    expect(scores.get_by_text(told).first).to_be_visible()
    expect(scores.get_by_text("One file was refused")).to_be_visible()
    expect(scores.get_by_text("Collection: your upload, 2 runs")).to_be_visible()


def test_names_of_files_are_shown_as_text(scores: Page) -> None:
    scores.on("dialog", lambda dialog: pytest.fail(f"a script ran: {dialog.message}"))
    names = ("<img src=x onerror=alert(1)>.run", "$x^2$ [a](b) :red[c] **d**.run")
    one, other = FILES.values()
    given = files(**{names[0]: one, names[1]: other, "$bad$.run": BAD, "q": QRELS})
    pick(scores, *given)
    expect(scores.get_by_text("Collection: your upload, 2 runs")).to_be_visible()
    expect(scores.get_by_text(f"{names[1]}: run").first).to_be_visible()
    expect(scores.get_by_text("$bad$.run, line 1").first).to_be_visible()
    expect(scores.get_by_text("onerror=alert(1)>.run: run").first).to_be_visible()
    assert scores.locator(".katex").count() == 0
    assert scores.locator("img[src=x]").count() == 0


def test_one_side_alone_says_what_is_missing(scores: Page) -> None:
    pick(scores, *files(**{"alpha.run": FILES["alpha.run"]}))
    expect(scores.get_by_text("is one run here and no qrels file")).to_be_visible()
    expect(scores.get_by_text("Collection: the simulated sample")).to_be_visible()
    settled(scores)
    pick(scores, *files(**{"q.txt": QRELS}))
    expect(scores.get_by_text("Collection: your upload, 1 run ×")).to_be_visible()
    expect(scores.get_by_text("no qrels file")).to_have_count(0)


def test_an_upload_survives_other_pages_and_the_sample(scores: Page) -> None:
    pick(scores, *files(**FILES, **{"q.txt": QRELS}))
    expect(scores.get_by_text("Collection: your upload, 2 runs")).to_be_visible()
    scores.keyboard.press("Escape")
    scores.get_by_role("link", name="Choosing p").click()
    expect(scores.locator(".picture h3").first).to_be_visible()
    scores.get_by_role("link", name="Scores", exact=True).click()
    expect(scores.get_by_text("Collection: your upload, 2 runs")).to_be_visible()
    scores.get_by_role("button", name="Back to the sample").click()
    expect(scores.get_by_text("Collection: the simulated sample, 24 runs")).to_be_visible()
    expect(scores.locator(".tile").filter(has_text=": alpha")).to_have_count(0)
    scores.get_by_role("button", name="Back to your upload").click()
    expect(scores.get_by_text("Collection: your upload, 2 runs")).to_be_visible()


def test_two_people_never_see_each_other(
    ready: Ready, page: Page, browser: Browser
) -> None:
    other = browser.new_context(viewport={"width": 1280, "height": 720}).new_page()
    for tab, name in ((page, "mine"), (other, "yours")):
        ready(on=tab)
        go(tab)
        own = FILES["alpha.run" if name == "mine" else "beta.run"]
        pick(tab, *files(**{f"{name}.run": own, f"{name}.qrels": QRELS}))
        expect(tab.get_by_text("Collection: your upload, 1 run ×")).to_be_visible()
    for tab, name, foreign in ((page, "mine", "yours"), (other, "yours", "mine")):
        tab.keyboard.press("Escape")
        tab.get_by_role("button", name="Undo").click()  # draws the page again
        tab.wait_for_timeout(500)
        expect(tab.locator(".tile").filter(has_text=f"A: {name}")).to_be_visible()
        assert foreign not in tab.locator("body").inner_text()
    other.context.close()


def test_a_list_opens_in_one_ranking_with_the_right_string(scores: Page) -> None:
    pick(scores, *files(**FILES, **{"q.txt": QRELS}))
    expect(scores.get_by_text("Collection: your upload, 2 runs")).to_be_visible()
    scores.keyboard.press("Escape")
    mean = collection().mean("RBP(p=0.8)").set_index("run")["value"]
    expect_mean(scores, "alpha", mean["alpha"])  # the links of the sample are gone
    link = scores.get_by_role("link", name="Open A in One ranking")
    expect(link).to_be_visible()
    query = parse_qs(urlsplit(link.get_attribute("href") or "").query)
    best = collection().mean("RBP(p=0.8)").sort_values("value")["run"].iloc[-1]
    strings = {
        topic: core.format_relevance(collection().ranking(best, topic))
        for topic in ("1", "2", "3")
    }
    assert query["r"][0] in strings.values()
    with scores.context.expect_page() as opened:
        link.click()
    tab = opened.value
    expect(tab.locator(".editor input")).to_have_value(query["r"][0])
    ap = core.score(
        "AP", query["r"][0], num_rel=int(query["R"][0]), num_nonrel=int(query["N"][0])
    )
    expect(tab.locator(".tile .value").nth(2)).to_have_text(f"{ap.value:.4f}")


def test_the_table_is_saved_and_p_moves_the_scores(scores: Page) -> None:
    scores.keyboard.press("Escape")
    with scores.expect_download() as download:
        scores.get_by_role("button", name="CSV", exact=True).first.click()
    text = Path(download.value.path()).read_text(encoding="utf-8")
    assert text.startswith("run,RBP(p=0.8),AP,nDCG,P@10,RR,topics")
    slider = scores.get_by_label("Persistence p of RBP", exact=True)
    slider.focus()
    scores.keyboard.press("ArrowRight")
    mean = core.sample_collection().mean("RBP(p=0.81)")["value"].max()
    expect(scores.locator(".tile .value").first).to_have_text(f"{mean:.4f}")
    expect(scores).to_have_url(re.compile(r"[?&]p=0\.81"))


def test_ranges_come_and_go_and_come_from_what_was_kept(scores: Page) -> None:
    scores.keyboard.press("Escape")
    for words in ("Whiskers:", "Switch ranges on", "Whiskers:"):
        scores.get_by_text("Ranges", exact=True).click()
        expect(scores.locator("figcaption").filter(has_text=words)).to_be_visible()
        expect(scores.get_by_text("Something went wrong")).to_have_count(0)
