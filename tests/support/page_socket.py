"""A page without a browser: Streamlit's own protocol over its websocket, from behind a proxy or not.

with PageSocket(port, {"glassbox_visitor": cookie}) as page:
    page.draw()
    page.draw(page.question("What is 2+2?"))
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Mapping
from contextlib import ExitStack
from http.client import HTTPConnection
from pathlib import Path
from types import TracebackType
from typing import Any
from uuid import uuid4

from pyarrow import ipc
from streamlit.proto.BackMsg_pb2 import BackMsg
from streamlit.proto.ForwardMsg_pb2 import ForwardMsg
from streamlit.proto.WidgetStates_pb2 import WidgetState
from websockets.sync.client import connect
from websockets.typing import Origin, Subprotocol

SECONDS = 60.0
_SECRET = "a long random text of the owner's"
_AUTH = f"""
[auth]
redirect_uri = "http://localhost:{{port}}/oauth2callback"
cookie_secret = "{_SECRET}"
client_id = "glassbox"
client_secret = "none"
server_metadata_url = "https://id.example.com/.well-known/openid-configuration"
"""
_XSRF = "_streamlit_xsrf"


class PageSocket:
    """``cookies`` are the browser's; those that the server gives it are added. ``page`` is "" for the chat."""

    def __init__(self, port: int, cookies: Mapping[str, str], query: str = "", page: str = "") -> None:
        self.cookies, self.query, self.page = dict(cookies), query, page
        self.widgets: dict[str, str] = {}
        self.drawn = ""  # the words of the last drawing, as they came
        self.session = ""
        self._port, self._agent = port, f"page {uuid4().hex}"
        self._boundary = uuid4().hex
        self._stack = ExitStack()

    @property
    def origin(self) -> Origin:
        return Origin(f"http://localhost:{self._port}")

    def __enter__(self) -> PageSocket:
        self.asked("GET", "/_stcore/health")
        opening = connect(
            f"ws://localhost:{self._port}/_stcore/stream",
            origin=self.origin,
            subprotocols=[Subprotocol("streamlit"), Subprotocol(self.cookies[_XSRF])],
            additional_headers={"Cookie": self._cookie()},
            user_agent_header=self._agent,
            compression=None,
            ping_interval=None,
            close_timeout=1,
            open_timeout=SECONDS,
            max_size=1 << 28,
        )
        self._socket = self._stack.enter_context(opening)
        return self

    def __exit__(self, kind: type[BaseException] | None, value: object, trace: TracebackType | None) -> None:
        self._stack.close()

    def asked(self, method: str, path: str, body: bytes = b"", **headers: str) -> int:
        """The status of a request of this browser; cookies that come with the answer are kept."""
        connection = HTTPConnection("localhost", self._port, timeout=SECONDS)
        sent = {"Cookie": self._cookie(), "User-Agent": self._agent, "Origin": self.origin, **headers}
        try:
            connection.request(method, path, body, sent)
            answer = connection.getresponse()
            answer.read()
        finally:
            connection.close()
        for set_cookie in answer.headers.get_all("set-cookie") or ():
            name, _, value = set_cookie.partition(";")[0].partition("=")
            self.cookies[name] = value
        return answer.status

    def send(self, *states: WidgetState, back: bool = False) -> None:
        """Ask for a drawing, with these widgets as a person left them; ``back`` after the browser's own Back."""
        message = BackMsg()
        message.rerun_script.is_history_navigation = back
        message.rerun_script.query_string = self.query
        message.rerun_script.page_name = self.page
        message.rerun_script.widget_states.widgets.extend(states)
        self._socket.send(message.SerializeToString())

    def draw(self, *states: WidgetState) -> None:
        """The same, to its end."""
        self.drawn = ""
        self.send(*states)
        self.until(lambda page, message: message.script_finished == ForwardMsg.FINISHED_SUCCESSFULLY, "script_finished")

    def until(self, enough: Callable[[PageSocket, ForwardMsg], bool], kind: str = "") -> ForwardMsg:
        """Read up to the message, of that kind, that is ``enough``."""
        while True:
            message = ForwardMsg.FromString(self._socket.recv(timeout=SECONDS))  # type: ignore[arg-type]
            self._note(message)
            if kind in ("", message.WhichOneof("type")) and enough(self, message):
                return message

    def shows(self, words: str) -> None:
        """Read until the page shows these words."""
        self.until(lambda page, _: words in page.drawn)

    def keep_visitor(self) -> int:
        """Do what the page's own script does: have the cookie set that the page came with. The status of that."""
        found = re.search(r'"visitor":\s*"([0-9a-f]{32}\.[\w-]+)"', self.drawn)
        assert found, "the page came with no cookie"
        return self.asked("POST", "/glassbox-visitor", found[1].encode())

    def question(self, text: str, *files: tuple[str, bytes]) -> WidgetState:
        """What the box sends: the files are uploaded before."""
        state = WidgetState(id=self.widgets["question"])
        state.chat_input_value.data = text
        for name, content in files:
            asked = BackMsg()
            asked.file_urls_request.request_id = name
            asked.file_urls_request.file_names.append(name)
            asked.file_urls_request.session_id = self.session
            self._socket.send(asked.SerializeToString())
            given = self.until(lambda *_: True, "file_urls_response").file_urls_response.file_urls[0]
            assert self.upload(given.upload_url, name, content) == 204
            state.chat_input_value.file_uploader_state.uploaded_file_info.add(
                name=name, size=len(content), file_id=given.file_id, file_urls=given
            )
        return state

    def upload(self, path: str, name: str, content: bytes) -> int:
        head = f'--{self._boundary}\r\nContent-Disposition: form-data; name="{name}"; filename="{name}"\r\n\r\n'
        body = head.encode() + content + f"\r\n--{self._boundary}--\r\n".encode()
        kind = f"multipart/form-data; boundary={self._boundary}"
        headers: dict[str, Any] = {"X-Xsrftoken": self.cookies[_XSRF], "Content-Type": kind}
        return self.asked("PUT", path, body, **headers)

    def _cookie(self) -> str:
        return "; ".join(f"{name}={value}" for name, value in self.cookies.items())

    def _note(self, message: ForwardMsg) -> None:
        kind = message.WhichOneof("type")
        if kind == "new_session":
            self.session = message.new_session.initialize.session_id
        elif kind == "page_info_changed":
            self.query = message.page_info_changed.query_string
        elif kind == "delta":
            element = message.delta.new_element
            its = element.WhichOneof("type")
            inner = getattr(element, its) if its else None
            words = [getattr(inner, name, "") for name in ("body", "label", "text", "html", "json")]
            if its == "table":
                with ipc.open_stream(element.table.arrow_data.data) as table:
                    words += [value for row in table.read_all().to_pylist() for value in row.values()]
            self.drawn += "".join(str(each) + "\n" for each in words if each)
            if its and (id := str(getattr(inner, "id", ""))):
                self.widgets[id.split("-", 2)[-1]] = id


def pressed(id: str) -> WidgetState:
    return WidgetState(id=id, trigger_value=True)


def set_up_signing_in(home: Path, port: int) -> None:
    """As an owner does in ``secrets.toml``, for an app with that home, which browsers know by that port."""
    (home / ".streamlit").mkdir()
    (home / ".streamlit" / "secrets.toml").write_text(_AUTH.format(port=port), encoding="utf-8")


def signed_in(port: int, **claims: object) -> dict[str, str]:
    """The cookie that Streamlit gives to somebody of whom the provider told these claims."""
    from streamlit.web.server.starlette.starlette_app_utils import create_signed_value

    name = "_streamlit_user"
    told = {"origin": f"http://localhost:{port}", "is_logged_in": True, "iss": "https://id.example.com", **claims}
    return {name: create_signed_value(_SECRET, name, json.dumps(told)).decode()}
