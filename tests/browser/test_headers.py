"""Headers on every kind of answer, and what a real browser makes of them."""

import re
from collections.abc import Callable, Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Thread
from typing import ClassVar, Literal
from urllib.error import HTTPError
from urllib.request import Request, urlopen

import pytest
from playwright.sync_api import Browser, BrowserContext, FrameLocator, Page, expect

from dashboard.index import PAGES
from dashboard.settings import PLOTLY_PATH
from tests.browser.test_uploads import FILES, QRELS, files
from tests.server import free_port, main_script, start_server

Ready = Callable[..., Page]
ANSWERS = {
    "/": 200,
    "/scores?p=0.5": 200,
    "/no_such_page": 200,  # Streamlit shows its first page
    "/scores/": 200,
    "/health": 200,
    PLOTLY_PATH: 200,
    "/favicon.png": 200,
    "/_stcore/health": 200,
    "/_stcore/host-config": 200,
    "/scores/_stcore/health": 404,
    "/media/none.png": 404,
    "/component/none/none.js": 404,
    "/_stcore/bidi-components/none/none.js": 404,
    "/_stcore/upload_file/session/file": 200,
    "/..%5c..%5cetc/passwd": 400,
}


def asked(address: str, method: str = "GET") -> tuple[int, dict[str, str]]:
    """Ask over HTTP; return the status and the headers."""
    form = {"content-type": "multipart/form-data; boundary=x"}
    body = b"x" if method == "PUT" else None
    question = Request(address, data=body, headers=form if body else {}, method=method)  # noqa: S310
    try:
        with urlopen(question, timeout=10) as answer:  # noqa: S310
            return answer.status, dict(answer.headers.items())
    except HTTPError as error:
        return error.code, dict(error.headers.items())


@pytest.mark.parametrize("path", ANSWERS)
def test_every_answer_carries_the_headers(address: str, path: str) -> None:
    status, headers = asked(address + path)
    assert status == ANSWERS[path]
    assert headers["x-content-type-options"] == "nosniff"
    assert headers["referrer-policy"] == "same-origin"
    policy = headers["content-security-policy"].split("; ")
    assert policy[0] == "default-src 'none'"
    assert "frame-ancestors 'self'" in policy
    (scripts,) = (item for item in policy if item.startswith("script-src"))
    assert re.fullmatch(r"script-src 'self' blob:( 'sha256-[\w+/=]{44}'){2}", scripts)
    assert "ws:" not in headers["content-security-policy"]
    assert "*" not in headers["content-security-policy"]


def test_files_are_not_taken_without_the_token(address: str) -> None:
    status, headers = asked(f"{address}/_stcore/upload_file/session/file", "PUT")
    assert status == 403
    assert headers["x-content-type-options"] == "nosniff"
    status, headers = asked(f"{address}/_stcore/health")
    assert "_streamlit_xsrf=" in headers["set-cookie"]
    assert "SameSite=Lax" in headers["set-cookie"]


def save_all(page: Page) -> None:
    """Save the first picture in all three forms; each must hold what its name says."""
    beginnings = {"PNG": b"\x89PNG", "SVG": b"<svg", "CSV": b"series,x,y,value\n"}
    for form, beginning in beginnings.items():
        with page.expect_download() as download:
            page.locator(".picture .tool", has_text=form).first.click()
        assert Path(download.value.path()).read_bytes().startswith(beginning)


@pytest.mark.slow
@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("name", sorted({"", *PAGES} - {"one_ranking"}))  # it is at /
def test_every_page_works_under_the_policy(
    browser: Browser, ready: Ready, name: str, scheme: Literal["light", "dark"]
) -> None:
    context = browser.new_context(color_scheme=scheme)
    page, refused = context.new_page(), list[str]()
    page.on(
        "console", lambda said: refused.append(said.text) if said.type == "error" else None
    )
    ready(f"/{name}", on=page)
    save_all(page)
    page.get_by_role("button", name="Take away").click()
    expect(page.locator(".katex").first).to_be_visible()
    page.wait_for_timeout(500)
    broken = "[...document.fonts].filter(one => one.status === 'error').length"
    assert page.evaluate(broken) == 0
    context.close()
    assert not refused


def test_the_policy_stops_what_a_stranger_could_put_in(ready: Ready, page: Page) -> None:
    """A script that came in by some hole neither runs nor reaches anybody."""
    tab = page.context.new_page()
    ready("/", on=tab)
    tab.evaluate("""() => {
        window.ran = [];
        const script = document.createElement("script");
        script.textContent = "window.ran.push('inline')";
        document.body.append(script);
        const image = document.createElement("img");
        image.setAttribute("onerror", "window.ran.push('handler')");
        image.src = "data:,";
        document.body.append(image);
    }""")
    tab.wait_for_timeout(200)
    assert tab.evaluate("window.ran") == []
    for reach in ("fetch('http://127.0.0.2:1/')", "new WebSocket('ws://127.0.0.2:1/')"):
        refused = tab.evaluate(f"""() => new Promise(done => {{
            const told = (event) => done(event.violatedDirective);
            document.addEventListener("securitypolicyviolation", told);
            Promise.resolve({reach}).catch(() => null);
        }})""")
        assert refused == "connect-src"


class CoursePage(BaseHTTPRequestHandler):
    """A page of somebody else that shows the dashboard in a frame."""

    framed: ClassVar[str] = ""

    def do_GET(self) -> None:
        self.send_response(200)
        self.send_header("content-type", "text/html")
        self.end_headers()
        frame = (
            f'<iframe width="1200" height="800" src="{self.framed}{self.path}"></iframe>'
        )
        self.wfile.write(f"<!doctype html><title>Course</title>{frame}".encode())

    def log_message(self, *_: object) -> None:
        """Say nothing."""


@pytest.fixture
def course() -> Iterator[int]:
    server = ThreadingHTTPServer(("127.0.0.1", 0), CoursePage)
    Thread(target=server.serve_forever, daemon=True).start()
    yield server.server_port
    server.shutdown()
    server.server_close()


def framed(context: BrowserContext, course: str) -> tuple[Page, FrameLocator, list[str]]:
    page, said = context.new_page(), list[str]()
    page.on("console", lambda message: said.append(message.text))
    page.goto(f"{course}/scores?embed=true")
    return page, page.frame_locator("iframe"), said


def test_nobody_else_may_show_the_dashboard_in_a_frame(
    address: str, course: int, context: BrowserContext
) -> None:
    CoursePage.framed = address
    page, frame, said = framed(context, f"http://127.0.0.1:{course}")
    page.wait_for_timeout(1000)
    assert any("frame-ancestors 'self'" in text for text in said)
    expect(frame.get_by_test_id("stApp")).to_have_count(0)


def test_a_course_page_may_when_it_is_asked_for(
    course: int, context: BrowserContext
) -> None:
    port = free_port()
    asked_for = f"'self'; http://127.0.0.1:{course}, http://localhost:{course}"
    server = start_server(main_script(), port, RANKLENS_EMBED=asked_for)
    CoursePage.framed = f"http://127.0.0.1:{port}"
    try:
        # a page of the same site, and one of another, to which browsers give no cookies
        for host, took_files in (("127.0.0.1", True), ("localhost", False)):
            page, frame, _ = framed(context, f"http://{host}:{course}")
            frame.get_by_label("Persistence p of RBP", exact=True).focus()
            before = frame.locator(".tile .value").first.inner_text()
            page.keyboard.press("ArrowRight")
            expect(frame.locator(".tile .value").first).not_to_have_text(before)
            page.wait_for_timeout(300)
            assert page.frames[1].url.endswith("/scores?p=0.81&embed=true")
            frame.get_by_role("button", name="Your own runs and qrels").click()
            expect(frame.get_by_text("open this page in a tab of its own")).to_be_visible()
            page.wait_for_timeout(500)
            frame.locator("input[type=file]").set_input_files(
                files(**FILES, **{"q.txt": QRELS})
            )
            name = "your upload, 2 runs" if took_files else "the simulated sample"
            page.wait_for_timeout(0 if took_files else 1500)
            expect(frame.get_by_text(f"Collection: {name}")).to_be_visible()
    finally:
        server.terminate()
        server.wait(timeout=20)
