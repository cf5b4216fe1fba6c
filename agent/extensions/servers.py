"""All tool servers and described services: the owner's, for everybody, and those that a visitor connected."""

from __future__ import annotations

from contextlib import suppress
from dataclasses import replace
from importlib import import_module
from threading import Lock, Thread
from time import monotonic
from typing import TYPE_CHECKING, Any

from agent.errors import BadRequest, ToolFailed
from agent.extensions.mcp.background import Background
from agent.extensions.mcp.described import (
    Described,
    Server,
    ServerState,
    legal_name,
    one_line,
    owners_servers,
    visitors_server,
)
from agent.extensions.mcp.mcp_results import read_contents, read_result, visible
from agent.extensions.openapi.openapi_tools import Services
from agent.interface_text import Text
from agent.settings import Settings
from agent.toolkit.arguments.foreign import given, validator
from agent.toolkit.base import Effect, Hints, Tool, ToolResult

if TYPE_CHECKING:
    from agent.extensions.mcp.connection import Connection

CALL_SECONDS = 60.0
_MOST_OF_A_SESSION = 5
_MOST_SESSIONS = 200
_IDLE_SECONDS = 3600.0
_SHOWN_RESOURCES = 20
_GRACE_SECONDS = 35.0  # more than a call has: the server may have to be connected again first


class ToolServers:
    """Safe between threads. Nothing is connected, and nothing of ``mcp`` imported, before somebody needs it."""

    def __init__(self, settings: Settings, call_seconds: float = CALL_SECONDS) -> None:
        """Raises ``BadSettings``."""
        self._settings = settings
        self._seconds = call_seconds
        self._services = Services(settings)
        self._background = Background()
        self._folder = settings.data / "servers"
        self._lock = Lock()
        self._owners = {server.name: server for server in owners_servers(settings)}
        self._reserved = {*self._owners, *(name for name, _ in settings.openapi)}
        self._connections: dict[str, dict[str, Connection]] = {}  # by session; the owner's under ""
        self._used: dict[str, float] = {}

    @property
    def visitors_allowed(self) -> bool:
        return self._settings.visitor_servers

    @property
    def offered(self) -> bool:
        """Whether a visitor can have any: the owner's, or some of their own."""
        return self.visitors_allowed or bool(self._reserved)

    def start(self) -> None:
        """Begin to connect the owner's servers; nobody waits for it, nor for what that imports."""
        self._services.states()
        if self._owners:
            Thread(target=self._start, name="tool servers: start", daemon=True).start()

    def _start(self) -> None:
        with suppress(RuntimeError):  # closed meanwhile
            for name in self._owners:
                self._owner(name).start()

    def connect(self, session: str, name: str, url: str, key: str = "") -> None:
        """Connect a server for a session. Raises ``BadRequest`` where it may not be, or is typed in wrong."""
        if not self._settings.visitor_servers:
            raise BadRequest.because("The owner of this site does not let visitors connect tool servers.")
        server = visitors_server(name.strip(), url, key.strip(), self._settings.private_addresses)
        with self._lock:
            mine = self._connections.setdefault(session, {})
            if server.name in mine or server.name in self._reserved:
                raise BadRequest.because(
                    "There is a server {name} already. Give this one another name.", name=server.name
                )
            if len(mine) >= _MOST_OF_A_SESSION:
                raise BadRequest.because(
                    "{most} servers can be connected at once. Disconnect one first.", most=_MOST_OF_A_SESSION
                )
            mine[server.name] = self._made(server)
            self._used[session] = monotonic()
        mine[server.name].start()
        self._forget_idle()

    def disconnect(self, session: str, name: str) -> None:
        with self._lock:
            connection = self._connections.get(session, {}).pop(name, None)
        if connection is not None:
            connection.close()

    def again(self, session: str, name: str) -> None:
        """Try once more to connect."""
        if connection := self._named(session, name):
            connection.start()

    def accept(self, session: str, name: str) -> None:
        """Agree to what a server of the session now says of its tools."""
        with self._lock:
            connection = self._connections.get(session, {}).get(name)
        if connection is not None:
            connection.accept()

    def states(self, session: str, wait: float = 0.0) -> tuple[ServerState, ...]:
        """How each server does: the owner's first. Waits so many seconds for those that are being connected."""
        ends = monotonic() + wait
        connections = self._of(session)
        if wait:
            for connection in connections:
                connection.wait(max(0.0, ends - monotonic()))
        services = self._services.states(max(0.0, ends - monotonic()))
        states = [connection.state for connection in connections]
        visitors = [one for one in states if not one.server.owners]
        return (*(one for one in states if one.server.owners), *services, *visitors)

    def tools(self, session: str, wait: float = 0.0) -> tuple[Tool, ...]:
        """The tools of the connected servers. A visitor's server whose tool has changed must be accepted first."""
        self.states(session, wait)
        made = {tool.name: tool for tool in self._services.tools()}
        for connection in self._of(session):
            state = connection.state
            if state.kind != "ready":
                continue
            held = () if state.server.owners else state.changed
            for tool in state.tools:
                if tool.name not in held:
                    name = legal_name(state.server.name, tool.remote, made) if tool.name in made else tool.name
                    made[name] = replace(self._tool(connection, tool, name), effect=self._effect(state.server, name))
            if state.resources:
                name = legal_name(state.server.name, "read_resource", made)
                reader = self._reader(connection, state, name)
                made[name] = replace(reader, effect=self._effect(state.server, name))
        return tuple(made.values())

    def _effect(self, server: Server, name: str) -> Effect:
        """What calls of a tool are taken to do: to act, whatever it says, unless the owner vouches for it."""
        vouched = server.owners and bool({server.name, name} & set(self._settings.trusted))
        return "reaches" if vouched else "acts"

    def question(self, session: str, name: str, prompt: str) -> str:
        """The text of a server's prompt. Raises ``ToolFailed``."""
        connection = self._named(session, name)
        if connection is None:
            raise ToolFailed(Text("The server {name} is not connected any more.", name=name), "network")
        answer = connection.prompt(prompt, self._seconds)
        contents = [message.get("content", {}) for message in answer.get("messages", ())]
        return "\n\n".join(visible(one.get("text")) for one in contents if one.get("type") == "text").strip()

    def close(self) -> None:
        """Disconnect all of them, for good."""
        with self._lock:
            connections = [one for mine in self._connections.values() for one in mine.values()]
            self._connections.clear()
        with suppress(RuntimeError):  # they are closed already
            for connection in connections:
                connection.close(0.0)
            for connection in connections:
                connection.close()
        self._background.close()

    def _named(self, session: str, name: str) -> Connection | None:
        return next((one for one in self._of(session) if one.state.server.name == name), None)

    def connected(self, session: str) -> bool:
        """Whether the visitor has tool servers of their own."""
        with self._lock:
            return bool(session and self._connections.get(session))

    def _of(self, session: str) -> list[Connection]:
        owners = [self._owner(name) for name in self._owners]
        with self._lock:
            if session in self._connections:
                self._used[session] = monotonic()
            return owners + (list(self._connections.get(session, {}).values()) if session else [])

    def _owner(self, name: str) -> Connection:
        import_module("agent.extensions.mcp.connection")  # not under the lock: it takes a second

        with self._lock:
            mine = self._connections.setdefault("", {})
            if name not in mine:
                mine[name] = self._made(self._owners[name])
            return mine[name]

    def _made(self, server: Server) -> Connection:
        from agent.extensions.mcp.connection import Connection

        return Connection(server, self._background, self._folder, self._settings.private_addresses)

    def _forget_idle(self) -> None:
        """Sessions end without a word: their servers go after an hour without use, or where there are too many."""
        now = monotonic()
        with self._lock:
            oldest = sorted(self._used, key=lambda session: self._used[session])
            gone = [one for one in oldest if now - self._used[one] > _IDLE_SECONDS]
            gone += oldest[: max(0, len(oldest) - _MOST_SESSIONS)]
            dropped = [self._connections.pop(one, {}) for one in dict.fromkeys(gone)]
            for one in gone:
                self._used.pop(one, None)
        for mine in dropped:
            for connection in mine.values():
                connection.close(0.0)

    def _tool(self, connection: Connection, tool: Described, name: str) -> Tool:
        def call(**arguments: Any) -> ToolResult:
            answer = connection.call(tool.remote, given(arguments), self._seconds)
            return read_result(tool.hints.server, answer)

        seconds = self._seconds + _GRACE_SECONDS
        told = name, tool.description, tool.parameters
        return Tool(*told, seconds, "extension", call, tool.model, hints=tool.hints)

    def _reader(self, connection: Connection, state: ServerState, name: str) -> Tool:
        """One tool for all resources of a server."""
        server = state.server.name

        def read(**arguments: Any) -> ToolResult:
            answer = connection.read(str(arguments["uri"]), self._seconds)
            return read_contents(answer.get("contents", ()))

        listed = "; ".join(f"{uri} ({title})" if title else uri for uri, title in state.resources[:_SHOWN_RESOURCES])
        description = one_line(f"Reads a resource of the server “{server}”, such as {listed}", 1_200)
        parameters: dict[str, Any] = {
            "type": "object",
            "properties": {"uri": {"type": "string", "description": "the address of the resource"}},
            "required": ["uri"],
        }
        seconds = self._seconds + _GRACE_SECONDS
        hints = Hints(server)
        return Tool(name, description, parameters, seconds, "extension", read, validator(parameters), hints=hints)
