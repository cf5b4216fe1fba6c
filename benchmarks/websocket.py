"""A page without a browser: Streamlit's own protocol over its websocket, with what came over it counted.

    async with opened(port, cookie, "c=0123…") as page:
        drawn = await page.run()                       # what a browser asks for when it loads
        drawn = await page.run(expander_opened(key))   # what a click asks for

The protocol is Streamlit's ``BackMsg`` and ``ForwardMsg``, taken from the installed package; like a browser, a page
keeps large messages of its last two runs and says so, and is then sent references to them.
"""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from time import monotonic

from streamlit.proto.BackMsg_pb2 import BackMsg
from streamlit.proto.Delta_pb2 import Delta
from streamlit.proto.ForwardMsg_pb2 import ForwardMsg
from streamlit.proto.WidgetStates_pb2 import WidgetState
from websockets.asyncio.client import ClientConnection, connect

COOKIE = "glassbox_visitor"
RUNS_KEPT = 2
_MOST_BYTES = 1 << 28


@dataclass(slots=True)
class Drawn:
    """What one script run sent. ``seconds`` are the server's, from its first message to its last."""

    seconds: float = 0.0
    bytes: int = 0
    messages: int = 0


@dataclass(slots=True)
class Page:
    socket: ClientConnection
    query: str = ""
    bytes: int = 0
    widgets: dict[str, str] = field(default_factory=dict[str, str])
    texts: list[str] = field(default_factory=list[str])
    _kept: dict[str, int] = field(default_factory=dict[str, int])
    _run: int = 0

    async def send(self, *states: WidgetState) -> None:
        """Ask for a script run, with these widgets as a person left them."""
        message = BackMsg()
        message.rerun_script.query_string = self.query
        message.rerun_script.widget_states.widgets.extend(states)
        message.rerun_script.cached_message_hashes.extend(self._kept)
        message.rerun_script.context_info.timezone = "UTC"
        await self.socket.send(message.SerializeToString())

    async def receive(self) -> ForwardMsg:
        """The next message, counted."""
        data = await self.socket.recv()
        assert isinstance(data, bytes)
        self.bytes += len(data)
        message = ForwardMsg.FromString(data)
        if message.metadata.cacheable:
            self._kept[message.hash] = self._run
        elif message.ref_hash:
            self._kept[message.ref_hash] = self._run
        self._note(message.delta)
        return message

    async def run(self, *states: WidgetState, saw: Callable[[Delta], None] | None = None) -> Drawn:
        """Ask for a script run and read until it, and any that it asks for itself, has ended."""
        await self.send(*states)
        drawn = Drawn()
        before, started = self.bytes, 0.0
        while True:
            message = await self.receive()
            drawn.messages += 1
            kind = message.WhichOneof("type")
            if kind == "new_session":
                started = started or monotonic()
                self.texts.clear()
            elif kind == "delta" and saw:
                saw(message.delta)
            elif kind == "page_info_changed":
                self.query = message.page_info_changed.query_string
            elif kind == "script_finished" and message.script_finished == ForwardMsg.FINISHED_SUCCESSFULLY:
                break
        drawn.seconds = monotonic() - started
        drawn.bytes = self.bytes - before
        self._run += 1
        self._kept = {hash: run for hash, run in self._kept.items() if run > self._run - RUNS_KEPT}
        return drawn

    def widget(self, key: str) -> str:
        """The id of the widget with that key, as drawn last."""
        return self.widgets[key]

    def _note(self, delta: Delta) -> None:
        for text, id in _parts(delta):
            if text:
                self.texts.append(text)
            if id:
                # Streamlit's ids end in the key that the script gave the widget.
                self.widgets[id.split("-", 2)[-1]] = id


def _parts(delta: Delta) -> Sequence[tuple[str, str]]:
    if delta.HasField("add_block"):
        return [(delta.add_block.expandable.label, delta.add_block.expandable.id)]
    element = delta.new_element
    kind = element.WhichOneof("type")
    if kind is None:
        return []
    inner = getattr(element, kind)
    return [(str(getattr(inner, "body", "")), str(getattr(inner, "id", "")))]


@asynccontextmanager
async def opened(port: int, cookie: str, query: str = "") -> AsyncIterator[Page]:
    """The websocket of a page, open; nothing has been asked for yet."""
    address = f"ws://127.0.0.1:{port}/_stcore/stream"
    headers = {"Cookie": f"{COOKIE}={cookie}"}
    # As browsers do, it sends no pings of its own.
    as_browsers = {"max_size": _MOST_BYTES, "compression": None, "ping_interval": None}
    async with connect(address, additional_headers=headers, **as_browsers) as socket:
        yield Page(socket, query)


def pressed(id: str) -> WidgetState:
    return WidgetState(id=id, trigger_value=True)


def typed(id: str, text: str) -> WidgetState:
    """A question sent in the chat's box."""
    state = WidgetState(id=id)
    state.chat_input_value.data = text
    return state


def unfolded(id: str) -> WidgetState:
    return WidgetState(id=id, bool_value=True)


def chosen(id: str, value: str) -> WidgetState:
    return WidgetState(id=id, string_value=value)
