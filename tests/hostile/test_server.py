"""Bad files and bad requests against a running dashboard, while somebody else works there."""

import asyncio
import http.client
import itertools
import re
import subprocess
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import NamedTuple
from urllib.parse import urlsplit

import pytest
import requests

from core.collection import Collection
from dashboard.settings import UPLOAD_LIMITS
from tests.hostile.corpus import HELD, SMALL, Bad, corpus
from tests.hostile.links import PAGES
from tests.load.session import XSRF_COOKIE, Session
from tests.server import free_port, main_script, start_server

MEGABYTE = 1_000_000
LONGEST_NAME = 4_000  # the server takes no longer one; file systems end at 255
SMALL_SERVER = {
    "RANKLENS_FILE_MB": SMALL.file_bytes // MEGABYTE,
    "RANKLENS_UNPACKED_MB": SMALL.unpacked_bytes // MEGABYTE,
    "RANKLENS_LINES": SMALL.lines,
    "RANKLENS_RUNS": SMALL.runs,
    "RANKLENS_TOPICS": SMALL.topics,
    "RANKLENS_DEPTH": SMALL.depth,
    "RANKLENS_DROP_FILES": 8,
    "RANKLENS_DROP_MB": 3,
    "RANKLENS_MEMORY_MB": 30,
}
# one of each kind, for every day
FEW = (
    "run, 3 columns, spaces",
    "score: 1e999",
    "grade: TeX",
    "a document twice",
    "two judgments of one document",
    "pickle 4",
    "PDF",
    "HTML",
    "in utf-16",
    "only NUL",
    "gzip cut at byte 11",
    "gzip that lies about its size",
    "only comments",
    "judgments with a leading zero",
    "name: path up",
    "name: image tag",
    "name: display mathematics",
    "name: line feed",
    "name: long",
    "gzip bomb of 10 GB",
    "gzip bomb in gzip",
    "one long line",
    "too many topics",
    "a ranking too deep",
)


class Server(NamedTuple):
    """A dashboard: its address, its process, and what it says."""

    address: str
    process: subprocess.Popen[bytes]
    log: Path

    @property
    def peak(self) -> int:
        """The most memory that the process had, in bytes."""
        status = Path(f"/proc/{self.process.pid}/status").read_text()
        found = re.search(r"VmHWM:\s+(\d+) kB", status)
        assert found is not None
        return int(found[1]) * 1024

    @property
    def unread(self) -> int:
        """Bytes of files that Streamlit keeps until they are read."""
        metrics = requests.get(f"{self.address}/_stcore/metrics", timeout=20).text
        found = re.findall(r'UploadedFileManager".*\} (\d+)', metrics)
        return sum(map(int, found))

    def check(self) -> None:
        """See that it is alive and well."""
        answer = requests.get(f"{self.address}/health", timeout=20)
        assert answer.json()["status"] == "ok"
        said = self.log.read_text()
        assert "Traceback" not in said
        assert "unexpected error" not in said


@pytest.fixture(scope="module")
def start(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Callable[..., Server]]:
    """Start dashboards with settings of their own; end them afterwards."""
    started: list[Server] = []

    def begin(**settings: int) -> Server:
        port = free_port()
        log = tmp_path_factory.mktemp("server") / "log.txt"
        with pytest.MonkeyPatch.context() as patch, log.open("wb") as said:
            for name, value in settings.items():
                patch.setenv(name, str(value))
            process = start_server(main_script(), port, log=said)
        started.append(Server(f"http://127.0.0.1:{port}", process, log))
        return started[-1]

    yield begin
    for server in started:
        server.process.terminate()
        server.process.wait(timeout=20)


@pytest.fixture(scope="module")
def small(start: Callable[..., Server]) -> Server:
    return start(**SMALL_SERVER)


OWN = (
    ("own.run", b"7 Q0 a 1 9 own\n7 Q0 b 2 8 own\n7 Q0 c 3 7 own\n"),
    ("own.qrels", b"7 0 b 1\n7 0 c 2\n"),
)


async def check_owner(tab: Session) -> None:
    """See that the owner's numbers are those that core computes."""
    await tab.open("scores")
    expected = Collection.from_files({"own": OWN[0][1]}, OWN[1][1]).mean("RBP(p=0.8)")
    assert "your upload, 1 run × 1 topic" in tab.texts()[0]
    assert f"{expected.loc[0, 'value']:.4f}" in str(tab.data("scores.board"))
    assert tab.errors() == []


async def drop(tab: Session, bad: Bad) -> None:
    """Upload a bad file and read why it is refused."""
    before = tab.texts()[0]
    if len(bad.name) > LONGEST_NAME:
        with pytest.raises(requests.HTTPError, match="400 Client Error"):
            await tab.upload([(bad.name, bad.data)])
        return
    await tab.upload([(bad.name, bad.data)])
    texts = tab.texts()
    assert texts[0] == before, bad.title
    assert any(bad.words in text for text in texts), (bad.title, texts)
    assert tab.errors() == [], bad.title


async def attack(server: Server, files: list[Bad]) -> None:
    async with Session(server.address) as owner, Session(server.address) as tab:
        await owner.open("scores")
        await owner.upload(OWN)
        await tab.open("scores")
        await tab.upload(HELD)
        for place, bad in enumerate(files):
            await drop(tab, bad)
            if place % 25 == 0:
                await check_owner(owner)
        await check_owner(owner)
    assert server.unread == 0
    server.check()


def test_a_few_bad_files_of_each_kind_are_refused_and_nobody_else_notices(
    small: Server,
) -> None:
    files = [bad for bad in corpus(SMALL) if bad.title in FEW]
    assert len(files) == len(FEW)
    asyncio.run(attack(small, files))


@pytest.mark.slow
@pytest.mark.timeout(1_800)
def test_all_bad_files_are_refused_and_nobody_else_notices(
    start: Callable[..., Server],
) -> None:
    server = start()
    asyncio.run(attack(server, corpus(UPLOAD_LIMITS)))
    assert server.peak < 3_500 * MEGABYTE


def put(
    tab: Session, url: str, headers: dict[str, str | None], body: bytes = b""
) -> tuple[int, str]:
    """Send the head of an upload, and a body that need not be what the head says."""
    token = tab.http.cookies.get(XSRF_COOKIE, "")
    usual = {
        "Cookie": f"{XSRF_COOKIE}={token}",
        "X-Xsrftoken": token,
        "Content-Type": "multipart/form-data; boundary=x",
        "Content-Length": str(len(body)),
    }
    connection = http.client.HTTPConnection(urlsplit(tab.address).netloc, timeout=20)
    connection.putrequest("PUT", url)
    for name, value in {**usual, **headers}.items():
        if value is not None:
            connection.putheader(name, value)
    connection.endheaders()
    connection.send(body)
    answer = connection.getresponse()
    said = answer.read().decode()
    connection.close()
    return answer.status, said


FORM = (
    b'--x\r\nContent-Disposition: form-data; name="f"; filename="a"\r\n\r\n'
    b"1 Q0 a 1 9 x\r\n--x--\r\n"
)


# head of the request -> status and words of the answer
HEADS: list[tuple[dict[str, str | None], int, str]] = [
    ({"Content-Length": str(10**9)}, 413, "larger than the limit of 2 MB"),
    ({"Content-Length": "9" * 30}, 400, ""),
    ({"Content-Length": None, "Transfer-Encoding": "chunked"}, 411, "Content-Length"),
    ({"Content-Type": "text/plain"}, 415, "multipart/form-data"),
    ({"Content-Type": None}, 415, "multipart/form-data"),
    ({"X-Xsrftoken": "wrong"}, 403, ""),
    ({"X-Xsrftoken": None}, 403, ""),
]


def test_an_upload_is_refused_by_its_head(small: Server) -> None:
    async def visit() -> None:
        async with Session(small.address) as tab:
            await tab.open("scores")
            urls = await tab._upload_urls(["x"] * len(HEADS))
            for url, (headers, status, words) in zip(urls, HEADS, strict=True):
                body = b"" if status in {411, 413} else FORM
                got = await asyncio.to_thread(put, tab, url.upload_url, headers, body)
                assert got[0] == status, headers
                assert words in got[1]

    asyncio.run(visit())
    assert small.unread == 0
    small.check()


def long_run(lines: int, tag: str) -> tuple[str, bytes]:
    text = "".join(f"{n % 50} Q0 d{n:05d} 1 {n} {tag}\n" for n in range(lines))
    return f"{tag}.run", text.encode()


def test_a_session_can_let_only_so_many_files_wait(small: Server) -> None:
    async def visit() -> None:
        async with Session(small.address) as tab:
            await tab.open("scores")
            urls = [one.upload_url for one in await tab._upload_urls(["x"] * 12)]
            for url in urls[:8]:
                assert await asyncio.to_thread(put, tab, url, {}, FORM) == (204, "")
            status, said = await asyncio.to_thread(put, tab, urls[8], {}, FORM)
            assert (status, said) == (413, "The limit of 8 files at a time is reached.")

    async def visit_with_much() -> None:
        async with Session(small.address) as tab:
            await tab.open("scores")
            urls = [one.upload_url for one in await tab._upload_urls(["x"] * 3)]
            large = FORM.replace(b"1 Q0", b"#" * 1_900_000 + b"\n1 Q0")
            answers = [await asyncio.to_thread(put, tab, url, {}, large) for url in urls]
            assert [status for status, _ in answers] == [204, 204, 413]
            assert "together larger than the limit of 3 MB at a time" in answers[2][1]

    asyncio.run(visit())
    asyncio.run(visit_with_much())
    small.check()


def test_what_a_client_names_without_having_sent_it_is_no_file(small: Server) -> None:
    async def visit() -> None:
        async with Session(small.address) as tab:
            await tab.open("scores")
            tab._put = lambda *_: None  # type: ignore[method-assign]
            await tab.upload([("never.run", b"1 Q0 a 1 9 x\n")])
            assert "the simulated sample" in tab.texts()[0]
            assert tab.errors() == []

    asyncio.run(visit())
    small.check()


# what a component of a page may report although its script never would
REPORTS: tuple[object, ...] = (
    *(None, True, -1, 10**30, 1e308, "", "nan", "<b>$x$</b>", [1], {"a": 1}),
    *("$" * 30_000, " " * 1_000_000, "?" * 9_999),
)


async def misreport(tab: Session, page: str, reports: tuple[object, ...]) -> int:
    """Report odd values of every component of a page; say how many."""
    await tab.open(page)
    number = 0
    keys = [item.key for item in tab.shown() if item.element.HasField("bidi_component")]
    events = itertools.cycle(("command", "picked", "cell"))
    for key, value in itertools.product(keys, reports):
        await tab.set_state(key, {"edit": value})
        await tab.set_state(key, {"edit": {"value": value, "text": value, "serial": 1}})
        await tab.trigger(key, next(events), value)
        number += 3
        said = " ".join(tab.errors())
        assert "went wrong" not in said, (key, value)
        assert "Error" not in said, (key, value)
    return number


async def misreport_all(
    server: Server, pages: tuple[str, ...], reports: tuple[object, ...]
) -> None:
    for page in pages:
        async with Session(server.address) as tab:
            assert await misreport(tab, page, reports) > 5
    server.check()


def test_what_a_component_could_not_report_changes_nothing(small: Server) -> None:
    asyncio.run(misreport_all(small, ("seven_properties",), ({"a": 1},)))


@pytest.mark.slow
@pytest.mark.timeout(1_200)
def test_no_page_believes_what_a_component_could_not_report(small: Server) -> None:
    pages = ("", *(page for page in PAGES if page != "one_ranking"))
    asyncio.run(misreport_all(small, pages, REPORTS))


def test_all_sessions_share_one_memory_and_get_it_back(
    start: Callable[..., Server],
) -> None:
    server = start(**{**SMALL_SERVER, "RANKLENS_MEMORY_MB": 15})
    judgments = ("q.txt", b"".join(b"%d 0 d%05d 1\n" % (n % 50, n) for n in range(5_000)))

    async def visit() -> None:
        async with Session(server.address) as first, Session(server.address) as second:
            for tab in (first, second):
                await tab.open("scores")
            await first.upload([long_run(60_000, "a"), judgments])
            assert "your upload, 1 run × 50 topics" in first.texts()[0]
            refused = []
            for tag in "bcd":
                await first.upload([long_run(60_000, tag)])
                refused += [text for text in first.texts() if "of memory" in text]
            assert "of the limit of 15 MB in use. Forget files you no longer" in refused[0]
            await second.upload([long_run(60_000, "x"), judgments])
            assert any("of the limit of 15 MB in use" in text for text in second.texts())
            await second.upload([long_run(100, "small"), judgments])
            assert "your upload, 1 run × 50 topics" in second.texts()[0]  # a little is left
            await first.click("scores.forget")
            assert "the simulated sample" in first.texts()[0]
            await second.upload([long_run(60_000, "x")])
            assert "your upload, 2 runs × 50 topics" in second.texts()[0]
            assert first.errors() == second.errors() == []

    asyncio.run(visit())
    server.check()
