"""One visitor without a browser: a WebSocket that speaks Streamlit's protocol.

It sends what a browser sends (the states of the widgets that were used, the address, the fragment,
the hashes of the messages it has kept) and keeps what a browser would show. Nothing is drawn, and
the data of a component is only read when it is asked for, so that one process can be many people.
"""

import asyncio
import json
import time
from collections.abc import Iterator, Sequence
from types import TracebackType
from typing import Any, NamedTuple, Self
from urllib.parse import urlsplit
from uuid import uuid4

import requests
from streamlit.proto.Alert_pb2 import Alert
from streamlit.proto.BackMsg_pb2 import BackMsg
from streamlit.proto.ClientState_pb2 import ClientState
from streamlit.proto.Common_pb2 import FileURLs
from streamlit.proto.Element_pb2 import Element
from streamlit.proto.ForwardMsg_pb2 import ForwardMsg
from streamlit.proto.WidgetStates_pb2 import WidgetState
from websockets.asyncio.client import ClientConnection, connect
from websockets.typing import Origin, Subprotocol

PATIENCE = 60.0  # seconds until an answer is given up
MAX_MESSAGE = 200 * 1024 * 1024
XSRF_COOKIE = "_streamlit_xsrf"


class SessionError(Exception):
    """What the server did that a browser could not deal with."""


class Answer(NamedTuple):
    """How long the server took from the edit to the end of its script, and what it sent."""

    seconds: float
    size: int


class Shown(NamedTuple):
    """An element on the screen: the fragment and the run that drew it."""

    element: Element
    fragment: str
    run: int

    @property
    def proto(self) -> Any:  # noqa: ANN401 - each kind of element has a type of its own
        return getattr(self.element, self.element.WhichOneof("type"))

    @property
    def key(self) -> str:
        """The key that the page gave: an id is ``$$ID-hash-key``."""
        return getattr(self.proto, "id", "").partition("-")[2].partition("-")[2]


class _Kept(NamedTuple):
    """A message that the server may refer to, and the run in which it was last used."""

    message: ForwardMsg
    run: int


class Session:
    """A page opened in a tab of its own.

    Use it as ``async with Session(address) as tab: await tab.open("pool_depth", "d=20")``.
    """

    def __init__(self, address: str) -> None:
        self.address = address.rstrip("/")
        self.http = requests.Session()
        self.id = ""
        self.page = ""
        self.query = ""
        self.failures: list[str] = []
        self._socket: ClientConnection | None = None
        self._page_hash = ""
        self._page_hashes: dict[str, str] = {}
        self._states: dict[str, WidgetState] = {}
        self._serials: dict[str, int] = {}
        self._shown: dict[tuple[int, ...], Shown] = {}
        self._kept: dict[str, _Kept] = {}
        self._max_age = 2
        self._run = 0
        self._url_responses: dict[str, list[FileURLs]] = {}

    async def __aenter__(self) -> Self:
        await self.connect()
        return self

    async def __aexit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        await self.close()

    async def connect(self) -> None:
        """Fetch the page for its cookies, and open the WebSocket."""
        await asyncio.to_thread(self._fetch)
        cookies = "; ".join(f"{name}={value}" for name, value in self.http.cookies.items())
        names = ["streamlit", self.http.cookies.get(XSRF_COOKIE, "none")]
        if self.id:
            names.append(self.id)  # the third one asks for a session from before
        where = urlsplit(self.address)
        self._socket = await connect(
            f"ws://{where.netloc}{where.path}/_stcore/stream",
            subprotocols=[Subprotocol(name) for name in names],
            additional_headers={"Cookie": cookies},
            origin=Origin(f"{where.scheme}://{where.netloc}"),
            max_size=MAX_MESSAGE,
            open_timeout=PATIENCE,
        )

    def _fetch(self) -> None:
        for path in ("/", "/_stcore/health", "/_stcore/host-config"):
            self.http.get(self.address + path, timeout=PATIENCE).raise_for_status()

    async def close(self) -> None:
        """Close the tab."""
        if self._socket is not None:
            await self._socket.close()
            self._socket = None
        self.http.close()

    # What a person does

    async def open(self, page: str = "", query: str = "") -> Answer:
        """Open a page by its path, ``""`` for the first one, with a query string."""
        self.page, self.query = page, query
        self._page_hash = self._page_hashes.get(page, "")
        return await self._rerun("", page_name="" if self._page_hash else page)

    async def edit(self, key: str, value: object, *, name: str = "value") -> Answer:
        """Change a component of ours as its script does: ``name`` is "text" for a ranking."""
        self._serials[key] = serial = self._serials.get(key, 0) + 1
        return await self.set_state(key, {"edit": {name: value, "serial": serial}})

    async def write(self, key: str, ranking: str) -> Answer:
        """Type a whole ranking into the strip."""
        return await self.edit(key, ranking, name="text")

    async def set_state(self, key: str, state: dict[str, object]) -> Answer:
        """Let a component report its state."""
        shown = self.find(key)
        return await self._set(
            shown, WidgetState(id=shown.proto.id, json_value=json.dumps(state))
        )

    async def trigger(self, key: str, event: str, value: object) -> Answer:
        """Let a component report that something was clicked in it."""
        shown = self.find(key)
        payload = json.dumps([{"event": event, "value": value}])
        name = f"$$STREAMLIT_INTERNAL_KEY_{shown.proto.id}__events"
        return await self._set(
            shown, WidgetState(id=name, json_trigger_value=payload), once=True
        )

    async def click(self, key: str) -> Answer:
        """Press a button."""
        shown = self.find(key)
        return await self._set(
            shown, WidgetState(id=shown.proto.id, trigger_value=True), once=True
        )

    async def set_widget(self, key: str, **value: Any) -> Answer:  # noqa: ANN401
        """Set one of Streamlit's widgets, such as ``set_widget("page.D", int_value=3)``."""
        shown = self.find(key)
        return await self._set(shown, WidgetState(id=shown.proto.id, **value))

    async def upload(self, files: Sequence[tuple[str, bytes]]) -> Answer:
        """Drop files onto the page's uploader; the time is that of all of it."""
        start = time.perf_counter()
        shown = next(
            item for item in self.shown() if item.element.HasField("file_uploader")
        )
        urls = await self._upload_urls([name for name, _ in files])
        state = WidgetState(id=shown.proto.id)
        for (name, data), url in zip(files, urls, strict=True):
            await asyncio.to_thread(self._put, url.upload_url, name, data)
            state.file_uploader_state_value.uploaded_file_info.add(
                name=name, size=len(data), file_id=url.file_id, file_urls=url
            )
        answer = await self._set(shown, state)
        return answer._replace(seconds=time.perf_counter() - start)

    # What a person sees

    def shown(self) -> list[Shown]:
        """List the elements on the screen, from top to bottom."""
        return [self._shown[path] for path in sorted(self._shown)]

    def find(self, key: str) -> Shown:
        """Find the element that the page gave this key."""
        found = [item for item in self._shown.values() if item.key == key]
        if not found:
            keys = ", ".join(sorted(item.key for item in self._shown.values() if item.key))
            msg = f"{self.page or 'the first page'} shows no {key}; there are {keys}"
            raise SessionError(msg)
        return max(found, key=lambda item: item.run)

    def data(self, key: str) -> Any:  # noqa: ANN401 - each component has data of its own
        """Read what a component of ours was given, such as sentence and tiles of a board."""
        return json.loads(self.find(key).proto.json)

    def texts(self) -> list[str]:
        """Read what the page shows as plain text, one string an element."""
        return [item.proto.body for item in self.shown() if item.element.HasField("text")]

    def errors(self) -> list[str]:
        """Read every error on the screen, and what went wrong outside it."""
        return [*self.failures, *self._errors_shown()]

    def _errors_shown(self) -> Iterator[str]:
        for item in self.shown():
            kind = item.element.WhichOneof("type")
            if kind == "exception":
                yield f"{item.proto.type}: {item.proto.message}"
            elif kind == "alert" and item.proto.format == Alert.ERROR:
                yield item.proto.body

    # How it is said

    async def _set(self, shown: Shown, state: WidgetState, *, once: bool = False) -> Answer:
        self._states[state.id] = state
        try:
            return await self._rerun(shown.fragment)
        finally:
            if once:
                del self._states[state.id]

    async def _rerun(self, fragment: str, page_name: str = "") -> Answer:
        wanted = ClientState(
            query_string=self.query,
            page_script_hash=self._page_hash,
            page_name=page_name,
            fragment_id=fragment,
            cached_message_hashes=list(self._kept),
        )
        wanted.widget_states.widgets.extend(self._states.values())
        wanted.context_info.url = f"{self.address}/{self.page}"
        wanted.context_info.locale = "en-GB"
        wanted.context_info.color_scheme = "light"
        start = time.perf_counter()
        await self._send(BackMsg(rerun_script=wanted))
        size = 0
        async with asyncio.timeout(PATIENCE):
            while True:
                data = await self._receive()
                seconds = time.perf_counter() - start
                size += len(data)
                if self._take(ForwardMsg.FromString(data)):
                    return Answer(seconds, size)

    async def _send(self, message: BackMsg) -> None:
        assert self._socket is not None, "the session is not connected"
        await self._socket.send(message.SerializeToString())

    async def _receive(self) -> bytes:
        assert self._socket is not None, "the session is not connected"
        data = await self._socket.recv(decode=False)
        assert isinstance(data, bytes)
        return data

    async def _upload_urls(self, names: list[str]) -> list[FileURLs]:
        asked = BackMsg()
        asked.file_urls_request.request_id = request = uuid4().hex
        asked.file_urls_request.session_id = self.id
        asked.file_urls_request.file_names.extend(names)
        await self._send(asked)
        async with asyncio.timeout(PATIENCE):
            while request not in self._url_responses:
                self._take(ForwardMsg.FromString(await self._receive()))
        return self._url_responses.pop(request)

    def _put(self, path: str, name: str, data: bytes) -> None:
        token = self.http.cookies.get(XSRF_COOKIE, "")
        self.http.put(
            self.address + path,
            files={"file": (name, data)},
            headers={"X-Xsrftoken": token},
            timeout=PATIENCE,
        ).raise_for_status()

    def _take(self, message: ForwardMsg) -> bool:
        """Take one message in; true if it ends the run of the script."""
        message = self._whole(message)
        kind = message.WhichOneof("type")
        if kind == "delta":
            self._draw(message)
        elif kind == "new_session":
            self._run += 1
            self.id = message.new_session.initialize.session_id
            self._page_hash = message.new_session.page_script_hash
            self._max_age = message.new_session.config.max_cached_message_age
        elif kind == "navigation":
            self._page_hash = message.navigation.page_script_hash
            pages = message.navigation.app_pages
            self._page_hashes = {one.url_pathname: one.page_script_hash for one in pages}
        elif kind == "file_urls_response":
            answer = message.file_urls_response
            self._url_responses[answer.response_id] = list(answer.file_urls)
        elif kind in {"page_not_found", "session_event"}:
            self.failures.append(f"{kind}: {message}")
        elif kind == "script_finished":
            return self._finish(message)
        return False

    def _whole(self, message: ForwardMsg) -> ForwardMsg:
        """Keep a message that may be referred to; replace a reference by what it stands for."""
        if message.metadata.cacheable:
            self._kept[message.hash] = _Kept(message, self._run)
        if message.WhichOneof("type") != "ref_hash":
            return message
        if message.ref_hash not in self._kept:
            msg = f"the server refers to message {message.ref_hash}, which was never sent"
            raise SessionError(msg)
        whole = ForwardMsg()
        whole.CopyFrom(self._kept[message.ref_hash].message)
        whole.metadata.CopyFrom(message.metadata)
        self._kept[message.ref_hash] = _Kept(whole, self._run)
        return whole

    def _draw(self, message: ForwardMsg) -> None:
        path, delta = tuple(message.metadata.delta_path), message.delta
        if delta.WhichOneof("type") != "new_element":
            self._shown.pop(path, None)
            return
        self._shown[path] = Shown(delta.new_element, delta.fragment_id, self._run)
        if delta.new_element.WhichOneof("type") == "bidi_component":
            self._follow_address(delta.new_element.bidi_component)

    def _follow_address(self, component: Any) -> None:  # noqa: ANN401 - a protobuf message
        """Do as address.js does: what a page shows is in its address."""
        if component.component_name.endswith("ranklens_address"):
            self.query = json.loads(component.json)["query"]

    def _finish(self, message: ForwardMsg) -> bool:
        if message.script_finished == ForwardMsg.FINISHED_EARLY_FOR_RERUN:
            return False
        fragments = set(message.metadata.run.fragment_ids)
        self._shown = {
            path: item
            for path, item in self._shown.items()
            if item.run == self._run or (fragments and item.fragment not in fragments)
        }
        self._kept = {
            name: kept
            for name, kept in self._kept.items()
            if self._run - kept.run < self._max_age
            or (fragments and kept.message.delta.fragment_id not in fragments)
        }
        return True
