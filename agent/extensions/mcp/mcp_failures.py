"""What can go wrong with a tool server, in a sentence."""

from __future__ import annotations

from collections.abc import Iterator

import anyio
import httpx2
from mcp import MCPError
from mcp_types import CONNECTION_CLOSED, INVALID_PARAMS, INVALID_REQUEST, REQUEST_TIMEOUT
from pydantic import ValidationError

from agent.errors import ToolFailed
from agent.extensions.mcp.mcp_results import visible
from agent.extensions.mcp.transports import Heard
from agent.interface_text import Text

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
