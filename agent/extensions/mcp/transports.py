"""Ways to a tool server, and what can go wrong on them, in a sentence.

They lead over HTTP to an address that was checked, bounded in size; or to a program of the owner's.
"""

from __future__ import annotations

import asyncio
import shutil
from collections.abc import AsyncGenerator, AsyncIterator, Iterator
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import anyio
import httpx2
from mcp import MCPError, StdioServerParameters
from mcp.client.stdio import stdio_client
from mcp.client.streamable_http import streamable_http_client
from mcp_types import CONNECTION_CLOSED, INVALID_PARAMS, INVALID_REQUEST, REQUEST_TIMEOUT
from pydantic import ValidationError

from agent.errors import BadRequest, ToolFailed
from agent.extensions.mcp.described import Server
from agent.extensions.mcp.mcp_results import visible
from agent.interface_text import Text
from agent.web.endpoint import pinned

MOST_BYTES = 8 * 1024 * 1024  # of one answer; a picture as text takes four thirds of its size
_SYSTEM_PATH = "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin"
# What the package and what is under it raise for a server that is gone, slow, refusing or talking nonsense.
EXPECTED = (
    ExceptionGroup,
    OSError,
    MCPError,
    httpx2.HTTPError,
    anyio.ClosedResourceError,
    anyio.BrokenResourceError,
    ToolFailed,
    RuntimeError,
    ValueError,
)
_INSTEAD = "Go on without it, or say that it was not possible."


@dataclass(slots=True)
class Heard:
    """What a server last answered with, where that was an error of HTTP; whether its program has ended."""

    status: int = 0
    ended: bool = False


class CheckedTransport(httpx2.AsyncBaseTransport):
    """Looks a name up, checks what is found, and connects to just that; bounds what comes back.

    Redirects are the ``mcp`` package's: it follows them within one host, and each comes through here again.
    """

    def __init__(self, private_allowed: bool, heard: Heard) -> None:
        self._private_allowed = private_allowed
        self._heard = heard
        self._inner = httpx2.AsyncHTTPTransport(trust_env=False)

    async def handle_async_request(self, request: httpx2.Request) -> httpx2.Response:
        url = request.url
        extensions: dict[str, Any] = dict(request.extensions)
        address = await asyncio.to_thread(self._checked, str(url))
        if address:
            extensions["sni_hostname"] = url.host  # the certificate must be the name's
            url = url.copy_with(host=address)
        inner = httpx2.Request(
            request.method, url, headers=request.headers, stream=request.stream, extensions=extensions
        )
        asks = request.method == "POST"  # that a server has no stream of its own to read is no failure
        if asks:
            self._heard.status = 0
        response = await self._inner.handle_async_request(inner)
        if asks and response.status_code >= 400:
            self._heard.status = response.status_code
        if response.headers.get("content-encoding", "identity").lower() != "identity":
            await response.aclose()
            raise httpx2.RemoteProtocolError("the answer is packed although that was not asked for")
        stream = response.stream
        assert isinstance(stream, httpx2.AsyncByteStream)
        return httpx2.Response(
            response.status_code,
            headers=response.headers,
            stream=_Bounded(stream),
            extensions=response.extensions,
        )

    def _checked(self, url: str) -> str:
        try:
            return pinned(url, self._private_allowed)
        except BadRequest as error:
            raise ToolFailed(str(error), "refused") from None

    async def aclose(self) -> None:
        await self._inner.aclose()


class _Bounded(httpx2.AsyncByteStream):
    def __init__(self, stream: httpx2.AsyncByteStream) -> None:
        self._stream = stream
        self._left = MOST_BYTES

    async def __aiter__(self) -> AsyncIterator[bytes]:
        async for chunk in self._stream:
            self._left -= len(chunk)
            if self._left < 0:
                raise httpx2.StreamError("the answer is too large")
            yield chunk

    async def aclose(self) -> None:
        await self._stream.aclose()


@asynccontextmanager
async def http_transport(server: Server, private_allowed: bool, heard: Heard) -> AsyncGenerator[Any]:
    headers = {"Accept-Encoding": "identity"}
    if server.key:
        headers["Authorization"] = f"Bearer {server.key.reveal()}"
    timeout = httpx2.Timeout(10.0, read=300.0)
    async with (
        httpx2.AsyncClient(
            headers=headers, timeout=timeout, transport=CheckedTransport(private_allowed, heard), trust_env=False
        ) as client,
        streamable_http_client(server.url, http_client=client, max_sse_event_size=MOST_BYTES) as streams,
    ):
        yield streams


@asynccontextmanager
async def stdio_transport(server: Server, folder: Path, heard: Heard) -> AsyncGenerator[Any]:
    """The program sees a path and a home of its own, and nothing of our environment; what it complains of is kept.

    Where it ends, ``heard`` says so.
    """
    home = folder / server.name
    home.mkdir(parents=True, exist_ok=True)
    parameters = _cleared(server.command, home)
    with (home / "errors.log").open("w", encoding="utf-8") as complaints:
        async with stdio_client(parameters, complaints) as (read, write), anyio.create_task_group() as tasks:
            send, receive = anyio.create_memory_object_stream[Any](0)

            async def pass_on() -> None:
                async with send:
                    async for message in read:
                        await send.send(message)
                heard.ended = True

            tasks.start_soon(pass_on)
            async with receive:
                yield receive, write
            tasks.cancel_scope.cancel()


def _cleared(command: tuple[str, ...], home: Path) -> StdioServerParameters:
    """With an environment of two variables, through ``env -i``: the ``mcp`` package would hand more of ours on."""
    path = _SYSTEM_PATH
    program = shutil.which(command[0])
    if program is not None:
        path = f"{Path(program).parent}:{path}"
    env = shutil.which("env")
    if env is None:  # not a Unix
        return StdioServerParameters(command=command[0], args=list(command[1:]), env={"HOME": str(home)}, cwd=home)
    given = ["-i", f"PATH={path}", f"HOME={home.resolve()}", "LANG=C.UTF-8", program or command[0], *command[1:]]
    return StdioServerParameters(command=env, args=given, cwd=home)


def transport(server: Server, folder: Path, private_allowed: bool, heard: Heard) -> AbstractAsyncContextManager[Any]:
    if server.command:
        return stdio_transport(server, folder, heard)
    return http_transport(server, private_allowed or server.owners, heard)


def leaves(error: BaseException) -> Iterator[BaseException]:
    """The errors in a group, and in groups in it."""
    if isinstance(error, BaseExceptionGroup):
        for inner in error.exceptions:  # pyright: ignore[reportUnknownVariableType, reportUnknownMemberType]
            yield from leaves(inner)  # pyright: ignore[reportUnknownArgumentType]
    else:
        yield error


def never_sent(error: BaseException) -> bool:
    """Whether nothing can have reached the server: it may be asked once more."""
    return any(isinstance(leaf, httpx2.ConnectError | httpx2.ConnectTimeout) for leaf in leaves(error))


def why(error: BaseException, heard: Heard, command: bool) -> str:
    """Why a connection could not be made, or broke."""
    if heard.status in (401, 403):
        return Text("It does not take the key, or asks for one. Connect it again with its key.")
    if heard.status:
        return Text(
            "It answered with the error {status} of HTTP. Check the address: most end in /mcp.", status=heard.status
        )
    for leaf in leaves(error):
        if isinstance(leaf, ToolFailed):
            return str(leaf)
        if isinstance(leaf, httpx2.ConnectError | httpx2.ConnectTimeout):
            return Text("It cannot be reached. Is it running, and is the address right?")
        if isinstance(leaf, FileNotFoundError | PermissionError):
            return Text("Its program cannot be started.")
    if any(isinstance(leaf, TimeoutError | httpx2.TimeoutException) for leaf in leaves(error)):
        return Text("It did not answer in time.")
    if heard.ended or (command and _closed(error)):
        return Text("Its program ended. The owner finds what it complained of in its errors.log.")
    if _closed(error) or any(isinstance(leaf, httpx2.HTTPError) for leaf in leaves(error)):
        return Text("The connection broke off.")
    return Text("It does not answer as a tool server (MCP) does. Check the address: most end in /mcp.")


def _closed(error: BaseException) -> bool:
    return any(isinstance(leaf, MCPError) and leaf.code == CONNECTION_CLOSED for leaf in leaves(error))


def is_lost(error: MCPError, heard: Heard) -> bool:
    """Whether the connection, or the server's memory of it, is gone."""
    return error.code == CONNECTION_CLOSED or is_forgotten(error, heard)


def is_forgotten(error: MCPError, heard: Heard) -> bool:
    """Whether the server no longer knows this session (404): it did nothing with what it was asked."""
    return heard.status == 404 and error.code == INVALID_REQUEST


def told(name: str, error: MCPError | ValueError | RuntimeError, seconds: float) -> ToolFailed:
    """A call that failed although the server is there."""
    if isinstance(error, ValidationError) or not isinstance(error, MCPError):
        return ToolFailed(f"{name} sent something that could not be read. {_INSTEAD}", "refused")
    said = visible(error.message).strip()[:500]
    if error.code == REQUEST_TIMEOUT:
        return ToolFailed(f"{name} took longer than {seconds:g} seconds. Ask for less, or go on without it.", "timeout")
    if error.code == INVALID_PARAMS:
        return ToolFailed(f"{name} does not take these arguments: {said}", "input")
    return ToolFailed(f"{name} answered with an error: {said} {_INSTEAD}", "refused")


def gone(name: str, sentence: str) -> ToolFailed:
    return ToolFailed(f"The tool server {name} is gone. {sentence} Try once more, or go on without it.", "network")
