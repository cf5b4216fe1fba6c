"""One tool server: connected when it is needed, asked what it has, called, told to be gone, connected again."""

from __future__ import annotations

import asyncio
import json
import logging
from collections.abc import Mapping, Sequence
from concurrent.futures import TimeoutError as NotYet
from contextlib import AsyncExitStack, suppress
from dataclasses import replace
from pathlib import Path
from typing import Any, TypeVar

import anyio
import mcp_types as types
from mcp import Client, MCPError
from mcp.client.session import IncomingMessage
from mcp.client.subscriptions import ListenNotSupportedError, SubscriptionLost
from pydantic import BaseModel

from agent.errors import ToolFailed
from agent.extensions.mcp import transports as ways
from agent.extensions.mcp.background import Background
from agent.extensions.mcp.described import Server, ServerState, changes, describe, offered
from agent.extensions.mcp.transports import Heard
from agent.interface_text import Text
from agent.text.plain import plain

log = logging.getLogger(__name__)
CONNECT_SECONDS = 30.0
_ENDING_SECONDS = 10.0
_LOOKING_SECONDS = 2.0
_BREATH_SECONDS = 0.5  # between two looks: a server may say without end that it has changed
_AGAIN_SECONDS = 2.0  # a server that could not be connected is not tried again sooner
_MOST_PAGES = 20
_MOST_RESOURCES = 50
_ME = types.Implementation(name="glassbox", version="0.1.0")
_CHANGED = (
    types.ToolListChangedNotification,
    types.ResourceListChangedNotification,
    types.PromptListChangedNotification,
)
Result = TypeVar("Result", bound=BaseModel)


class Connection:
    """``state`` may be read in any thread; the rest of what is in here belongs to the background loop."""

    def __init__(self, server: Server, background: Background, folder: Path, private_allowed: bool) -> None:
        self.state = ServerState(server)
        self._server = server
        self._background = background
        self._folder = folder
        self._private_allowed = private_allowed
        self._heard = Heard()
        self._client: Client | None = None
        self._keeper: asyncio.Task[None] | None = None
        self._settled = asyncio.Event()
        self._poke = asyncio.Event()
        self._closing = self._stale = self._retry = False
        self._failed_at = float("-inf")
        self._calls = 0
        self._approved: dict[str, str] | None = None
        for chatty in ("mcp", "client"):  # they log what servers send, with tracebacks; what matters is in the state
            logging.getLogger(chatty).setLevel(logging.CRITICAL)

    # In any thread.

    def start(self) -> None:
        """Begin to connect, where it is not connected; nothing waits for it, and whoever looks next sees it begun."""
        begun = self._background.submit(self._begin(at_once=True))
        with suppress(NotYet):
            begun.result(_LOOKING_SECONDS)

    def wait(self, seconds: float) -> ServerState:
        """The state, as soon as it is more than ``connecting``, or after so many seconds."""
        future = self._background.submit(self._wait_settled())
        try:
            future.result(seconds)
        except NotYet:
            future.cancel()
        return self.state

    def call(self, tool: str, arguments: Mapping[str, Any], seconds: float) -> Mapping[str, Any]:
        """A ``CallToolResult`` as JSON. Raises ``ToolFailed``."""
        params = types.CallToolRequestParams(name=tool, arguments=dict(arguments))
        return self._ask(types.CallToolRequest(params=params), types.CallToolResult, seconds)

    def read(self, uri: str, seconds: float) -> Mapping[str, Any]:
        """A ``ReadResourceResult`` as JSON. Raises ``ToolFailed``."""
        params = types.ReadResourceRequestParams(uri=uri)
        return self._ask(types.ReadResourceRequest(params=params), types.ReadResourceResult, seconds)

    def prompt(self, name: str, seconds: float) -> Mapping[str, Any]:
        """A ``GetPromptResult`` as JSON. Raises ``ToolFailed``."""
        params = types.GetPromptRequestParams(name=name, arguments={})
        return self._ask(types.GetPromptRequest(params=params), types.GetPromptResult, seconds)

    def accept(self) -> None:
        """What the tools say of themselves now is known and agreed to."""
        self._approved = {tool.remote: tool.digest for tool in self.state.tools}
        self.state = replace(self.state, changed=())

    def close(self, seconds: float = _ENDING_SECONDS) -> None:
        """End the connection, and the program behind it; waits so many seconds for the end."""
        future = self._background.submit(self._close())
        with suppress(NotYet):
            future.result(seconds)

    def _ask(self, request: types.ClientRequest, kind: type[Result], seconds: float) -> Mapping[str, Any]:
        future = self._background.submit(self._answer(request, kind, seconds))
        try:
            answer = future.result(seconds + CONNECT_SECONDS + _ENDING_SECONDS)
        except NotYet:
            future.cancel()
            raise ToolFailed(f"{self._server.name} took too long. Go on without it.", "timeout") from None
        said = answer.model_dump_json(by_alias=True, exclude_none=True).encode()
        return json.loads(self._server.key.hidden_in(said))

    # In the background loop.

    async def _begin(self, at_once: bool = False) -> None:
        if self._keeper is not None and not self._keeper.done():
            return
        loop = asyncio.get_running_loop()
        if self._closing or (not at_once and loop.time() - self._failed_at < _AGAIN_SECONDS):
            self._settled.set()
            return
        self._settled.clear()
        self.state = replace(self.state, kind="connecting", sentence="")
        self._keeper = loop.create_task(self._keep())

    async def _wait_settled(self, at_once: bool = False) -> None:
        await self._begin(at_once)
        await self._settled.wait()

    async def _keep(self) -> None:
        """Hold the connection open until it is over, in one task, as the package wants it."""
        self._heard = heard = Heard()
        self._retry = self._stale = False
        self._poke.clear()
        was_ready = False
        try:
            way = ways.transport(self._server, self._folder, self._private_allowed, heard)
            async with AsyncExitStack() as stack:
                async with asyncio.timeout(CONNECT_SECONDS):
                    opening = Client(way, cache=None, client_info=_ME, message_handler=self._notified)
                    client = await stack.enter_async_context(opening)
                await self._read(client)
                self._client, was_ready = client, True
                self._settled.set()
                async with anyio.create_task_group() as tasks:
                    tasks.start_soon(self._listen, client)
                    await self._until_over(client)
                    tasks.cancel_scope.cancel()
        except ways.EXPECTED as error:
            self._retry = ways.never_sent(error)
            sentence = ways.why(error, heard, bool(self._server.command))
            log.info("tool server %s: %s", self._server.name, sentence)
            self._over("lost" if was_ready else "failed", sentence)
        else:
            self._over("lost", Text("It was disconnected."))
        finally:
            if self.state.kind in ("ready", "connecting"):
                self._over("lost", Text("It was disconnected."))
            self._client = None
            self._settled.set()

    def _over(self, kind: str, sentence: str) -> None:
        if kind == "failed":
            self._failed_at = asyncio.get_running_loop().time()
        self.state = replace(self.state, kind="lost" if kind == "lost" else "failed", sentence=sentence)

    async def _until_over(self, client: Client) -> None:
        while not self._closing:
            await self._poke.wait()
            self._poke.clear()
            if self._heard.ended:
                raise ConnectionError("the program ended")
            if self._stale:
                self._stale = False
                await self._read(client)
                await asyncio.sleep(_BREATH_SECONDS)

    async def _notified(self, message: IncomingMessage) -> None:
        if isinstance(message, _CHANGED):
            self._look()

    def _look(self) -> None:
        """See what the server has now, and whether it is there."""
        self._stale = True
        self._poke.set()

    async def _listen(self, client: Client) -> None:
        """Newer servers tell of changes only to who asks for it; and a program's end is looked for."""
        async with anyio.create_task_group() as tasks:
            if self._server.command:
                tasks.start_soon(self._watch)
            try:
                async with client.listen(tools_list_changed=True, resources_list_changed=True) as changed:
                    async for _ in changed:
                        self._look()
            except (MCPError, ListenNotSupportedError, TimeoutError):
                pass  # it tells in the older way, or not at all
            except SubscriptionLost:
                self._look()

    async def _watch(self) -> None:
        while not self._heard.ended:
            await asyncio.sleep(0.2)
        self._poke.set()

    async def _read(self, client: Client) -> None:
        """Ask the server what it has; raises what the package raises where it is gone."""
        async with asyncio.timeout(CONNECT_SECONDS):
            state = await listed(self._server, client)
        if self._approved is None:
            self._approved = {tool.remote: tool.digest for tool in state.tools}
        changed = changes(self._approved, state.tools)
        if changed != self.state.changed:
            log.warning("tool server %s: what it says of its tools has changed: %s", self._server.name, changed)
        self.state = replace(state, changed=changed)

    async def _answer(self, request: types.ClientRequest, kind: type[Result], seconds: float) -> Result:
        for attempt in (1, 2):
            await self._wait_settled(at_once=True)
            client, heard = self._client, self._heard
            if client is None or self.state.kind != "ready":
                raise ways.gone(self._server.name, self.state.sentence)
            self._calls += 1
            alone = self._calls == 1
            try:
                return await client.session.send_request(request, kind, seconds)
            except MCPError as error:
                if not ways.is_lost(error, heard):
                    raise ways.told(self._server.name, error, seconds) from None
                forgotten = ways.is_forgotten(error, heard)
                await self._end(forgotten)
                # A call that may have been done is not made twice.
                if attempt == 1 and (forgotten or (self._retry and alone)):
                    continue
            except (RuntimeError, ValueError) as error:
                raise ways.told(self._server.name, error, seconds) from None
            finally:
                self._calls -= 1
            break
        raise ways.gone(self._server.name, self.state.sentence or Text("The connection broke off."))

    async def _end(self, forgotten: bool) -> None:
        """Wait until a connection that is lost has been put away; one that lost a single answer may well go on."""
        keeper = self._keeper
        if keeper is None:
            return
        if forgotten:
            keeper.cancel()
        else:
            self._look()
        await asyncio.wait([keeper], timeout=_ENDING_SECONDS if forgotten else _LOOKING_SECONDS)

    async def _close(self) -> None:
        """The package puts everything away by itself, but for a task that is cancelled while it does."""
        begun, self._closing = self._closing, True
        keeper = self._keeper
        if keeper is None or keeper.done():
            return
        if self._client is not None:
            self._poke.set()
        elif not begun:
            keeper.cancel()
        await asyncio.wait([keeper], timeout=_ENDING_SECONDS)


async def listed(server: Server, client: Client) -> ServerState:
    """The state of a server that answers; raises what the package raises where it does not."""
    can = client.server_capabilities
    tools, told = describe(server.name, await _all(client.list_tools, "tools") if can.tools else [])
    prompts = offered(await _all(client.list_prompts, "prompts")) if can.prompts else ()
    resources = await _all(client.list_resources, "resources") if can.resources else []
    templates = await _all(client.list_resource_templates, "resource_templates") if can.resources else []
    named = [
        (plain(one.get("uri") or one.get("uriTemplate"), 200), plain(one.get("title") or one.get("name") or "", 60))
        for one in [*resources, *templates]
    ]
    return ServerState(server, "ready", "", tools, prompts, tuple(named[:_MOST_RESOURCES]), told)


async def _all(ask: Any, name: str) -> list[dict[str, Any]]:
    """Every page of a list; an empty one where the server has none after all."""
    found: list[dict[str, Any]] = []
    cursor: str | None = None
    for _ in range(_MOST_PAGES):
        try:
            page = await ask(cursor=cursor)
        except MCPError as error:
            if error.code == types.METHOD_NOT_FOUND:
                return found
            raise
        items: Sequence[BaseModel] = getattr(page, name)
        found.extend(item.model_dump(mode="json", by_alias=True, exclude_none=True) for item in items)
        cursor = page.next_cursor
        if cursor is None:
            break
    return found
