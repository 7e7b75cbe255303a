"""Two real processes behind a real nginx: who answers whom, and what happens when one dies."""

import os
import signal
import socket
import time
from collections import Counter
from pathlib import Path

import pytest
from websockets.exceptions import ConnectionClosed
from websockets.sync.client import ClientConnection

from dashboard.headers import HEADERS
from dashboard.settings import UPLOAD_MEBIBYTES
from deploy.nginx import COOKIE
from tests.deploy.conftest import Server, started_class


def test_one_person_stays_with_one_process(room: Server) -> None:
    first = room.ask("/")
    assert first.cookie == f"{COOKIE}={first.process}"
    for path in ["/", "/health", "/_stcore/host-config", "/favicon.png"] * 5:
        again = room.ask(path, headers={"Cookie": first.cookie})
        assert (again.status, again.process) == (200, first.process)
        assert again.cookie is None


def test_newcomers_take_turns(room: Server) -> None:
    assert Counter(room.ask().process for _ in range(10)) == {"1": 5, "2": 5}


@pytest.mark.parametrize(
    "value", ["", "0", "3", "1x", "any_process", "127.0.0.1:22", "1;2"]
)
def test_a_cookie_that_names_no_process_makes_a_newcomer(room: Server, value: str) -> None:
    answer = room.ask(headers={"Cookie": f'{COOKIE}="{value}"'})
    assert answer.status == 200
    assert answer.cookie == f"{COOKIE}={answer.process}"


@pytest.mark.parametrize(("own", "other"), [("1", "2"), ("2", "1")])
def test_a_page_and_its_uploads_reach_the_same_process(
    room: Server, own: str, other: str
) -> None:
    with room.page(f"{COOKIE}={own}") as (_, session):
        assert room.upload(session, f"{COOKIE}={own}").status == 204
        # the other process has no such session, so the cookie made the difference
        assert room.upload(session, f"{COOKIE}={other}").status == 400


def test_a_page_that_lost_its_connection_finds_its_session_again(room: Server) -> None:
    cookie = f"{COOKIE}=2"
    with room.page(cookie) as (_, session):
        pass
    with room.page(cookie, session) as (_, again):
        assert again == session


@pytest.mark.parametrize(
    ("origin", "status"),
    [("http://class.example:8501", 101), ("http://elsewhere.example", 403)],
)
def test_only_pages_of_the_address_that_people_see_may_connect(
    room: Server, origin: str, status: int
) -> None:
    handshake = {
        "Host": "class.example:8501",
        "Origin": origin,
        "Connection": "Upgrade",
        "Upgrade": "websocket",
        "Sec-WebSocket-Key": "dGhlIHNhbXBsZSBub25jZQ==",
        "Sec-WebSocket-Version": "13",
    }
    assert room.ask("/_stcore/stream", headers=handshake).status == status


def test_the_security_headers_arrive_once(room: Server) -> None:
    for path in ("/", "/health"):
        headers = room.ask(path).headers
        for name, value in HEADERS.items():
            assert headers.get_all(name) == [value], name


def test_long_links_pass(room: Server) -> None:
    assert room.ask("/?r=" + "%24" * 10_000).status == 200


def test_an_upload_above_the_limit_is_refused_before_it_is_sent(room: Server) -> None:
    limit = UPLOAD_MEBIBYTES * 1024 * 1024
    statuses = []
    for size in (limit, limit + 1):
        with socket.create_connection(("127.0.0.1", room.port), timeout=10) as raw:
            raw.sendall(
                b"PUT /_stcore/upload_file/a/b HTTP/1.1\r\nHost: here\r\n"
                b"Content-Type: multipart/form-data; boundary=x\r\n"
                b"Content-Length: %d\r\n\r\n" % size
            )
            statuses.append(raw.recv(12).decode())
    # the first came as far as the dashboard, which misses its token
    assert statuses == ["HTTP/1.1 403", "HTTP/1.1 413"]


def read_on(page: ClientConnection) -> None:
    """Read what a page is sent for as long as it is connected."""
    while True:
        page.recv(timeout=10)


def test_people_of_a_dead_process_move_and_everything_ends_together(nginx: str) -> None:  # noqa: ARG001
    with started_class() as room:
        first_process = room.descendants()[0]
        with room.page(f"{COOKIE}=1") as (page, _):
            os.kill(first_process, signal.SIGKILL)
            with pytest.raises(ConnectionClosed):
                read_on(page)
        moved = room.ask(headers={"Cookie": f"{COOKIE}=1"})
        assert (moved.status, moved.cookie) == (200, f"{COOKIE}=2")
        answers = [room.ask(headers={"Cookie": f"{COOKIE}=1"}) for _ in range(10)]
        assert {answer.status for answer in answers} == {200}
        with room.page(f"{COOKIE}=2") as (_, session):
            assert room.upload(session, f"{COOKIE}=2").status == 204

            deadline = time.monotonic() + 20
            while room.ask(headers={"Cookie": f"{COOKIE}=1"}).process != "1":
                assert time.monotonic() < deadline, "the process did not come back"
                time.sleep(0.2)
            assert first_process not in room.descendants()
            # who moved stays: the new first process does not know them
            assert room.ask(headers={"Cookie": f"{COOKIE}=2"}).process == "2"

            everything = room.descendants()
            assert len(everything) == 4  # two processes, nginx and its worker
            began = time.monotonic()
            assert room.end() == 0
            assert time.monotonic() - began < 6
            assert not [pid for pid in everything if Path(f"/proc/{pid}").exists()]
