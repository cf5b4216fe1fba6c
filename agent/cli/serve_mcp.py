"""``python -m agent serve-mcp``: our tools for others, as a tool server (MCP) over input and output or over HTTP."""

from __future__ import annotations

import argparse
import asyncio
import base64
import json
import os
from collections.abc import Sequence
from contextlib import suppress
from typing import TYPE_CHECKING, Any

from agent.errors import BadRequest, ForTheModel, GlassboxError, ToolFailed
from agent.settings import VERSION, read_settings
from agent.toolkit.base import Toolbox, ToolResult
from agent.toolkit.tool_names import native_name
from agent.tools.catalogue import built_in, only, toolbox, usable
from agent.tools.search.search_tool import SearchCache
from agent.tools.spec import Parts

if TYPE_CHECKING:
    import mcp_types as types
    from mcp.server import Server

_HOST = "127.0.0.1"
_NOTHING = "There is no tool to serve. Name some that need no conversation."


def main(arguments: Sequence[str]) -> int:
    """Serve until the input ends, or until Ctrl-C; the exit status is 2 for wrong usage."""
    parser = argparse.ArgumentParser(
        prog="python -m agent serve-mcp",
        description="Serve the tools that need no conversation to other programs (Model Context Protocol).",
        epilog="Without --http it speaks over its input and output, as most programs start a tool server.",
    )
    parser.add_argument("--http", type=_port, metavar="PORT", help=f"serve at http://{_HOST}:PORT/mcp instead")
    parser.add_argument("--tools", metavar="A,B", help="tools to serve, by name; all that can be where not given")
    given = parser.parse_args(arguments)
    try:
        tools = served(Parts(read_settings(os.environ), SearchCache()), given.tools)
    except GlassboxError as error:
        parser.exit(2, f"{parser.prog}: {error}\n")
    with suppress(KeyboardInterrupt):
        if given.http:
            _over_http(tools, given.http)
        else:
            asyncio.run(_over_stdio(tools))
    return 0


def served(parts: Parts, names: str | None = None) -> Toolbox:
    """The tools of those ``names``, with commas between, or all that can be used. Raises ``BadRequest``."""
    wanted = usable(parts) if names is None else tuple(name.strip() for name in names.split(",") if name.strip())
    # Nobody is there to be asked.
    tools = [tool for tool in toolbox(parts, only(wanted)).tools if tool.effect != "asks"]
    if not tools:
        raise BadRequest(_NOTHING)
    return Toolbox(tools)


def _port(text: str) -> int:
    if not (text.isdecimal() and 0 < int(text[:6]) < 65536):
        raise argparse.ArgumentTypeError("must be a port, 1 to 65535")
    return int(text)


async def _over_stdio(tools: Toolbox) -> None:
    from mcp.server.stdio import stdio_server

    server = tool_server(tools)
    async with stdio_server() as (read, write):
        await server.run(read, write, server.create_initialization_options())


def _over_http(tools: Toolbox, port: int) -> None:
    import uvicorn

    app = tool_server(tools).streamable_http_app(host=_HOST, stateless_http=True, json_response=True)
    uvicorn.run(app, host=_HOST, port=port, log_level="warning")


def tool_server(tools: Toolbox) -> Server[Any]:
    """A server of these tools: with their schemas, repair of near misses, and each failure as a result that says so."""
    import mcp_types as types
    from mcp.server import Server

    async def list_tools(_context: object, _params: object) -> types.ListToolsResult:
        return types.ListToolsResult(tools=_listed(tools))

    async def call_tool(_context: object, params: types.CallToolRequestParams) -> types.CallToolResult:
        try:
            result = await _called(tools, params.name, params.arguments or {})
        except ForTheModel as problem:
            return types.CallToolResult(content=[types.TextContent(text=str(problem))], is_error=True)
        return types.CallToolResult(content=_blocks(result))

    return Server("glassbox", version=VERSION, title="Glassbox", on_list_tools=list_tools, on_call_tool=call_tool)


def _listed(tools: Toolbox) -> list[types.Tool]:
    import mcp_types as types

    return [
        types.Tool(
            name=native_name(tool.name),
            description=tool.description,
            input_schema=dict(tool.parameters),
            annotations=types.ToolAnnotations(open_world_hint=built_in(tool.own_name).reaches_out),
        )
        for tool in tools.tools
    ]


async def _called(tools: Toolbox, name: str, arguments: dict[str, Any]) -> ToolResult:
    ready = tools.prepare(name, json.dumps(arguments))
    try:
        async with asyncio.timeout(ready.tool.timeout):
            return await asyncio.to_thread(ready.tool.call, ready.arguments)
    except TimeoutError:
        raise ToolFailed(f"The tool took longer than {ready.tool.timeout:g} seconds.", "timeout") from None


def _blocks(result: ToolResult) -> list[types.ContentBlock]:
    import mcp_types as types

    blocks: list[types.ContentBlock] = [types.TextContent(text=result.text)]
    for made in result.artifacts:
        if made.kind == "png":
            blocks.append(types.ImageContent(data=base64.b64encode(made.content).decode(), mime_type="image/png"))
    for source in result.sources:
        description = f"[{source.number}] {source.snippet}".strip()
        blocks.append(
            types.ResourceLink(uri=source.url, name=source.title, title=source.title, description=description)
        )
    return blocks
