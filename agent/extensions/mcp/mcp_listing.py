"""What a connected server has: its tools, resources and prompts, page by page, up to a bound."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from mcp import Client, MCPError
from mcp_types import METHOD_NOT_FOUND
from pydantic import BaseModel

from agent.extensions.mcp.configured import Server, ServerState
from agent.extensions.mcp.described import describe, offered
from agent.text.plain import plain

_MOST_PAGES = 20
_MOST_RESOURCES = 50


async def listed(server: Server, client: Client) -> ServerState:
    """The state of a server that answers; raises what the package raises where it does not."""
    can = client.server_capabilities
    tools, told = describe(server.name, await _all(client.list_tools, "tools") if can.tools else [])
    prompts = offered(await _all(client.list_prompts, "prompts")) if can.prompts else ()
    resources = await _all(client.list_resources, "resources") if can.resources else []
    templates = await _all(client.list_resource_templates, "resource_templates") if can.resources else []
    named = [(plain(one.get("uri") or one.get("uriTemplate"), 200), _title(one)) for one in [*resources, *templates]]
    return ServerState(server, "ready", "", tools, prompts, tuple(named[:_MOST_RESOURCES]), told)


async def _all(ask: Any, name: str) -> list[dict[str, Any]]:
    """Every page of a list; an empty one where the server has none after all."""
    found: list[dict[str, Any]] = []
    cursor: str | None = None
    for _ in range(_MOST_PAGES):
        try:
            page = await ask(cursor=cursor)
        except MCPError as error:
            if error.code == METHOD_NOT_FOUND:
                return found
            raise
        items: Sequence[BaseModel] = getattr(page, name)
        found.extend(item.model_dump(mode="json", by_alias=True, exclude_none=True) for item in items)
        cursor = page.next_cursor
        if cursor is None:
            break
    return found


def _title(resource: Mapping[str, Any]) -> str:
    return plain(resource.get("title") or resource.get("name") or "", 60)
