"""Faults under an open page: a restarted server, a cut or slow network, two tabs, errors."""

import re
import subprocess
from collections.abc import Callable, Iterator
from pathlib import Path
from urllib.error import HTTPError
from urllib.parse import urlsplit
from urllib.request import urlopen

import pytest
from playwright.sync_api import BrowserContext, Page, expect

import core
from tests.browser import failing
from tests.browser.forwarder import Forwarder
from tests.browser.test_uploads import (
    FILES,
    QRELS,
    collection,
    expect_mean,
    files,
    pick,
    settled,
)
from tests.server import free_port, main_script, start_server

Ready = Callable[..., Page]
START = "$$---$----$-----$---"
LOST = "This address was made with uploaded files"
UPLOADED = "Collection: your upload, 2 runs"


def opened(context: BrowserContext, address: str) -> Page:
    """Open a tab without the usual check of the console: broken connections are named there."""
    page = context.new_page()
    page.goto(address)
    page.locator(".board .plot .main-svg").first.wait_for()
    page.wait_for_timeout(300)
    return page


def bring_files(page: Page) -> None:
    page.get_by_role("button", name="Your own runs and qrels").click()
    settled(page)
    pick(page, *files(**FILES, **{"q.txt": QRELS}))
    expect(page.get_by_text(UPLOADED)).to_be_visible()
    page.keyboard.press("Escape")
    expect(page).to_have_url(re.compile("[?&]upload=1$"))
    expect(page.locator(".tile").first).to_contain_text("A: alpha")


def move_p(page: Page, key: str) -> None:
    page.get_by_label("Persistence p of RBP", exact=True).focus()
    page.keyboard.press(key)


def click(page: Page, rank: int) -> None:
    page.locator(".cell").nth(rank - 1).click()


def expect_ranking(page: Page, text: str) -> None:
    """Box, strip, numbers and address must all speak of the same ranking."""
    score = core.score("RBP(p=0.8)", text)
    shown = f"{score.lower:.4f} … {score.upper:.4f}"
    expect(page.locator(".tile .value").first).to_have_text(shown, timeout=20_000)
    expect(page.locator(".editor input")).to_have_value(text)
    glyphs = "".join(page.locator(".cell .glyph").all_inner_texts())
    assert glyphs == text.replace("-", "–")
    page.wait_for_function(
        "r => new URLSearchParams(location.search).get('r') === r", arg=text
    )


def expect_connected(page: Page, state: str = "CONNECTED") -> None:
    app = page.get_by_test_id("stApp")
    expect(app).to_have_attribute("data-test-connection-state", state, timeout=20_000)


def numbers(page: Page) -> list[str]:
    return page.locator(".tile .value").all_inner_texts()


class OwnServer:
    """A server that may be killed, and started again at the same address."""

    def __init__(self) -> None:
        self.port = free_port()
        self.address = f"http://127.0.0.1:{self.port}"
        self.start()

    def start(self) -> None:
        self._process: subprocess.Popen[bytes] = start_server(main_script(), self.port)

    def kill(self) -> None:
        self._process.kill()
        self._process.wait()


@pytest.fixture
def own_server() -> Iterator[OwnServer]:
    server = OwnServer()
    yield server
    server.kill()


def test_a_server_killed_under_open_pages_comes_back_with_their_state(
    own_server: OwnServer, context: BrowserContext
) -> None:
    ranking = opened(context, own_server.address)
    click(ranking, 3)
    click(ranking, 4)
    expect_ranking(ranking, "$$??-$----$-----$---")
    scores = opened(context, f"{own_server.address}/scores?p=0.81")
    scores.get_by_text("Ranges", exact=True).click()
    bring_files(scores)
    expect(scores).to_have_url(f"{own_server.address}/scores?p=0.81&ranges=1&upload=1")
    of_upload = numbers(scores)

    click(ranking, 5)  # its answer may never come
    own_server.kill()
    for page in (ranking, scores):
        expect_connected(page, "PINGING_SERVER")
        expect(page.get_by_text("Connecting")).to_be_visible()
        expect(page.get_by_role("button", name="Undo")).to_be_disabled()
    click(ranking, 7)  # nobody hears it
    own_server.start()

    expect_ranking(ranking, "$$???$?---$-----$---")
    ranking.wait_for_timeout(1100)  # what follows is a gesture of its own
    click(ranking, 8)
    expect_ranking(ranking, "$$???$??--$-----$---")
    ranking.get_by_role("button", name="Undo").click()
    expect_ranking(ranking, "$$???$?---$-----$---")
    ranking.reload()
    expect_ranking(ranking, "$$???$?---$-----$---")

    # by itself, for nothing was touched here; and not with the address it was opened with
    expect(scores.get_by_text(LOST)).to_be_visible(timeout=20_000)
    expect(scores).to_have_url(f"{own_server.address}/scores?p=0.81&ranges=1&upload=1")
    assert numbers(scores) != of_upload
    bring_files(scores)
    expect(scores.get_by_text(LOST)).to_have_count(0)
    assert numbers(scores) == of_upload


@pytest.fixture
def forwarder(address: str) -> Iterator[Forwarder]:
    target = urlsplit(address).port
    assert target is not None
    with Forwarder(free_port(), target) as started:
        yield started


@pytest.mark.parametrize("seconds", [3, pytest.param(10, marks=pytest.mark.slow)])
def test_after_a_cut_of_the_network_everything_is_still_there(
    forwarder: Forwarder, context: BrowserContext, seconds: int
) -> None:
    page = opened(context, f"http://127.0.0.1:{forwarder.port}/scores")
    bring_files(page)
    move_p(page, "ArrowRight")
    expect(page).to_have_url(re.compile(r"/scores\?p=0\.81&upload=1$"))
    page.wait_for_timeout(1100)  # what follows is a gesture of its own
    forwarder.cut()
    expect_connected(page, "PINGING_SERVER")
    move_p(page, "ArrowRight")
    page.wait_for_timeout(seconds * 1000)
    forwarder.mend()
    expect_connected(page)
    mean = collection().mean("RBP(p=0.82)").set_index("run")["value"]
    expect_mean(page, "alpha", mean["alpha"])  # of the edit that was made in between
    expect(page).to_have_url(re.compile(r"/scores\?p=0\.82&upload=1$"))
    for rest in (r"p=0\.81&", ""):
        page.get_by_role("button", name="Undo").click()
        expect(page).to_have_url(re.compile(rf"/scores\?{rest}upload=1$"))
    expect(page.get_by_text(UPLOADED)).to_be_visible()
    expect(page.get_by_text(LOST)).to_have_count(0)


@pytest.mark.slow
@pytest.mark.parametrize("seconds", [1, 3])
def test_on_a_slow_network_the_last_edit_wins_and_none_counts_twice(
    forwarder: Forwarder, context: BrowserContext, seconds: int
) -> None:
    page = opened(context, f"http://127.0.0.1:{forwarder.port}")
    click(page, 2)
    expect_ranking(page, "$----$----$-----$---")
    forwarder.delay = seconds
    for rank in (3, 4, 5, 7):
        click(page, rank)
        page.wait_for_timeout(200)
    expect_ranking(page, "$-???$?---$-----$---")
    page.get_by_role("button", name="Undo").click()
    click(page, 12)  # made before the answer to Undo has come
    page.wait_for_timeout(2 * 1000 * seconds + 1500)
    expect_ranking(page, "$-???$?---$?----$---")
    forwarder.delay = 0.0
    page.get_by_role("button", name="Undo").click()
    box = page.locator(".editor input")
    expect(box).not_to_have_value("$-???$?---$?----$---")
    # how many clicks make one gesture depends on how the network bunched them
    assert re.fullmatch(r"\$-[?]*-*\$[?]?---+\$-----\$---", box.input_value())
    expect_ranking(page, box.input_value())
    expect(page.get_by_text("Something went wrong")).to_have_count(0)


@pytest.mark.slow  # two people, in test_uploads.py, are kept apart at every run
def test_two_tabs_of_one_person_know_nothing_of_each_other(
    ready: Ready, page: Page, context: BrowserContext
) -> None:
    other = context.new_page()
    for tab in (page, other):
        ready("/scores", on=tab)
    bring_files(page)
    move_p(other, "ArrowRight")
    expect(other).to_have_url(re.compile(r"/scores\?p=0\.81$"))
    page.get_by_role("button", name="Undo").click()
    move_p(page, "ArrowLeft")
    expect(page).to_have_url(re.compile(r"/scores\?p=0\.79&upload=1$"))
    other.get_by_role("button", name="Undo").click()
    expect(other).to_have_url(re.compile("/scores$"))
    expect(other.get_by_text("Collection: the simulated sample")).to_be_visible()
    assert "alpha" not in other.locator("body").inner_text()
    expect_mean(page, "alpha", collection().mean("RBP(p=0.79)")["value"].max())


@pytest.fixture
def failing_server(tmp_path: Path) -> Iterator[tuple[str, Path]]:
    port, log = free_port(), tmp_path / "log"
    with log.open("wb") as written:
        server = start_server(
            "tests/browser/failing.py", port, log=written, **{failing.ASKED: "1"}
        )
    yield f"http://127.0.0.1:{port}", log
    server.terminate()
    server.wait(timeout=20)


def traceback_of(log: Path, number: str) -> str:
    """Return what the log says under a number, up to the next entry."""
    entries = re.split(r"^(?=.*unexpected error )", log.read_text(), flags=re.M)
    (found,) = (entry for entry in entries if f"unexpected error {number}" in entry)
    return found


def test_an_error_shows_a_number_and_the_log_has_the_rest(
    failing_server: tuple[str, Path], context: BrowserContext
) -> None:
    address, log = failing_server
    page = opened(context, f"{address}/?p=0.5")
    slider = page.locator(".slider input[type=number]")
    said = page.get_by_test_id("stAlert").filter(has_text="Something went wrong")
    told: list[str] = []

    def expect_told(name: str) -> None:
        expect(said).to_have_count(1)  # one error, one number
        number = re.search(r"report the number ([0-9a-f]{8})\.", said.inner_text())
        assert number is not None
        assert f"\n{name}" in (entry := traceback_of(log, number[1]))
        assert "Traceback (most recent call last)" in entry
        assert "secret" not in page.locator("body").inner_text()
        assert "Traceback" not in page.locator("body").inner_text()
        told.append(number[1])

    for p, name in (
        (failing.IN_VIEW, "ValueError"),
        (failing.RECURSION, "RecursionError"),
        (failing.MEMORY, "MemoryError"),
        (failing.TOO_LARGE, "MemoryError"),
        (failing.GROUP, "  | ExceptionGroup"),
    ):
        slider.fill(str(p))
        slider.press("Enter")
        expect_told(name)
        page.get_by_role("button", name="Undo").click()
        expect(said).to_have_count(0)
        expect(page.locator(".tile .value").first).to_have_text("0.7661 … 0.7661")

    page.goto(
        f"{address}/?p={failing.IN_VIEW}"
    )  # in the first run there are no fragments yet
    expect_told("ValueError")

    page.goto(f"{address}/?p={failing.IN_WIDGET_CALLBACK}")
    expect(page.locator(".tile").first).to_be_visible()
    page.get_by_role("button", name="Reset").click()
    expect_told("ValueError")
    page.goto(f"{address}/?p=0.5")
    slider.fill(str(failing.IN_COMPONENT_CALLBACK))
    slider.press("Enter")
    expect_told("ValueError")
    page.get_by_role("link", name="Choosing p").click()  # the session goes on
    expect(page.locator(".picture h3").first).to_be_visible()
    expect(said).to_have_count(0)

    assert len(set(told)) == len(told)
    assert log.read_text().count("unexpected error") == len(told)
    with pytest.raises(HTTPError) as caught:
        urlopen(f"{address}/failing", timeout=10)  # noqa: S310
    answer = caught.value.read().decode()
    assert caught.value.code == 500
    assert caught.value.headers["x-content-type-options"] == "nosniff"
    assert "secret" not in answer
    number = re.search("report the number ([0-9a-f]{8})", answer)
    assert number is not None
    assert "\nValueError" in traceback_of(log, number[1])
