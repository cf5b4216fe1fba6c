"""Tool servers: where each is, whose it is, how it is doing; and what it says of itself, as what can be used.

What a server says may be anything: here it is checked, cut short and named apart.
"""

from __future__ import annotations

import json
import re
import shlex
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from hashlib import sha256
from typing import Any, Literal, cast
from urllib.parse import urlsplit

from pydantic import BaseModel

from agent.errors import BadRequest, BadSettings
from agent.settings import Secret, Settings
from agent.settings.parsing import named
from agent.text.plain import plain
from agent.text.regex import regex
from agent.toolkit.arguments.foreign import BadSchema, simplified, validator
from agent.toolkit.arguments.signature import Schema
from agent.toolkit.base import Hints
from agent.web.endpoint import check_address, normalise_endpoint, origin

MOST_TOOLS = 100
MOST_DESCRIPTION = 1_200  # characters
_MOST_NAME = 64
_MOST_SCHEMA = 40_000  # characters of JSON
_NOT_IN_A_NAME = regex(r"[^A-Za-z0-9_-]+")
_LABEL = regex(r"\b(Thought|Action Input|Action|Observation|Final Answer|Question)\s*:", re.IGNORECASE)
StateKind = Literal["connecting", "ready", "lost", "failed"]
_SERVER_NAME = regex(r"[A-Za-z][A-Za-z0-9_-]{0,23}")
_LONGEST_ADDRESS = 500


@dataclass(frozen=True, slots=True)
class Described:
    """A tool of a server. ``remote`` is its name there, ``name`` the one it has here.

    ``digest`` stands for all that it says of itself: another one means that it says something else now. ``model``
    validates its arguments.
    """

    remote: str
    name: str
    description: str
    parameters: Schema
    hints: Hints
    digest: str
    model: type[BaseModel] = field(repr=False, compare=False)


@dataclass(frozen=True, slots=True)
class Prompt:
    """A question that a server offers; only those that need nothing filled in."""

    name: str
    title: str
    description: str


@dataclass(frozen=True, slots=True)
class Server:
    """A server by ``url`` (streamable HTTP) or by ``command`` (a program of the owner's, over its input and output)."""

    name: str
    url: str = ""
    command: tuple[str, ...] = ()
    key: Secret = Secret()
    owners: bool = False


@dataclass(frozen=True, slots=True)
class ServerState:
    """How a server is doing.

    ``sentence`` says what is wrong, and ``told`` what a person should know beside it (tools that were left out).
    ``changed`` names the tools that say something else of themselves than when the server was connected.
    """

    server: Server
    kind: StateKind = "connecting"
    sentence: str = ""
    tools: tuple[Described, ...] = ()
    prompts: tuple[Prompt, ...] = ()
    resources: tuple[tuple[str, str], ...] = ()
    told: tuple[str, ...] = ()
    changed: tuple[str, ...] = ()

    @property
    def address(self) -> str:
        """What a visitor may know of where it is: the owner's addresses and commands are the owner's business."""
        return "" if self.server.owners else origin(self.server.url)


def legal_name(server: str, remote: str, taken: Iterable[str]) -> str:
    """``server_tool`` as models take it, another one than those ``taken``; the same one every time."""
    whole = f"{server}_{_NOT_IN_A_NAME.sub('_', remote).strip('_') or 'tool'}"
    taken = set(taken)
    if len(whole) <= _MOST_NAME and whole not in taken:
        return whole
    digest = sha256(remote.encode("utf-8", "replace")).hexdigest()
    return f"{whole[: _MOST_NAME - 7]}_{digest[:6]}"


def describe(server: str, listed: Sequence[Mapping[str, Any]]) -> tuple[tuple[Described, ...], tuple[str, ...]]:
    """The tools of a server's list that can be used, and a sentence for each that cannot."""
    tools: dict[str, Described] = {}
    told: list[str] = []
    seen: set[str] = set()
    for tool in listed[:MOST_TOOLS]:
        remote = str(tool.get("name") or "")
        if remote in seen:
            told.append(f"{_shown(remote)} is listed twice; the first one is used.")
            continue
        seen.add(remote)
        try:
            made = _describe(server, remote, tool, tools)
        except BadSchema as problem:
            told.append(f"{_shown(remote)} is left out: it {problem}.")
        else:
            tools[made.name] = made
    if len(listed) > MOST_TOOLS:
        told.append(f"{len(listed) - MOST_TOOLS} more tools are left out: {MOST_TOOLS} of a server are used.")
    return tuple(tools.values()), tuple(told)


def _describe(server: str, remote: str, tool: Mapping[str, Any], taken: Iterable[str]) -> Described:
    if not remote.strip() or len(remote) > 200 or not remote.isprintable():
        raise BadSchema("has no usable name")
    schema = tool.get("inputSchema")
    if len(json.dumps(schema)) > _MOST_SCHEMA:
        raise BadSchema("has too large a description of its input")
    notes = cast("Mapping[str, Any]", tool.get("annotations") or {})
    hints = Hints(server, *(_flag(notes.get(f"{name}Hint")) for name in ("readOnly", "destructive", "openWorld")))
    said = one_line(tool.get("description") or tool.get("title") or notes.get("title") or "", MOST_DESCRIPTION)
    description = f"Tool of the server “{server}”" + (f": {said}" if said else ".")
    whole = [remote, tool.get("title"), tool.get("description"), schema, notes]
    digest = sha256(json.dumps(whole, sort_keys=True, default=str).encode("utf-8", "replace")).hexdigest()
    name, parameters = legal_name(server, remote, taken), simplified(schema)
    return Described(remote, name, description, parameters, hints, digest, validator(parameters))


def one_line(text: object, most: int) -> str:
    """Somebody else's text for a prompt: one line, cut, nothing hidden in it, and none of our labels."""
    return _LABEL.sub(r"\1 ·", plain(text, most))


def _flag(value: object) -> bool | None:
    return value if isinstance(value, bool) else None


def _shown(name: str) -> str:
    return f"‘{plain(name, 60)}’"


def offered(listed: Sequence[Mapping[str, Any]], most: int = 12) -> tuple[Prompt, ...]:
    """The prompts that can be asked for as they are."""
    found: list[Prompt] = []
    for prompt in listed:
        name = str(prompt.get("name") or "")
        needs = [one for one in prompt.get("arguments") or () if one.get("required")]
        if name and not needs and name.isprintable() and len(name) <= 200:
            title = plain(prompt.get("title") or name, 60)
            found.append(Prompt(name, title, plain(prompt.get("description") or "", 200)))
    return tuple(found[:most])


def changes(approved: Mapping[str, str], tools: Sequence[Described]) -> tuple[str, ...]:
    """The tools whose digest is not the one that was ``approved``; new ones were not approved either."""
    return tuple(tool.name for tool in tools if approved.get(tool.remote) != tool.digest)


def owners_servers(settings: Settings) -> tuple[Server, ...]:
    """The servers of the settings. Raises ``BadSettings``."""
    keys = server_keys(settings)
    servers: list[Server] = []
    for name, value in settings.mcp:
        try:
            if value.startswith(("http://", "https://")):
                servers.append(Server(name, url=server_url(value), key=keys.get(name, Secret()), owners=True))
            else:
                servers.append(Server(name, command=tuple(shlex.split(value)), owners=True))
        except BadRequest as error:
            raise BadSettings(f"GLASSBOX_MCP: {name}: {error}") from None
        except ValueError:
            half = "a quotation mark without its other half"
            raise BadSettings(f"GLASSBOX_MCP: the command of {name} has {half}.") from None
    return tuple(servers)


def server_keys(settings: Settings) -> dict[str, Secret]:
    return {name: Secret(key) for name, key in named(settings.server_keys.reveal())}


def visitors_server(name: str, url: str, key: str, private_allowed: bool) -> Server:
    """A server as a visitor typed it in. Raises ``BadRequest`` with what to type instead."""
    if not _SERVER_NAME.fullmatch(name):
        raise BadRequest.because(
            "A name has letters, digits, - and _ only, begins with a letter, and has at most 24 of them."
        )
    if not key.isascii() or not key.isprintable() or " " in key:
        raise BadRequest.because("The key has a character in it that no key has. Copy it once more.")
    address = server_url(url)
    check_address(address, private_allowed)
    return Server(name, url=address, key=Secret(key))


def server_url(text: str) -> str:
    """The address of a tool server in its usual form; ``/mcp`` where none but a host was given.

    Raises ``BadRequest`` as ``normalise_endpoint`` does.
    """
    typed = text.strip()
    if len(typed) > _LONGEST_ADDRESS:
        raise BadRequest.because("The server's address is too long.")
    checked = normalise_endpoint(typed)
    path = urlsplit(typed if "://" in typed else f"//{typed}").path
    return f"{origin(checked)}{path if path.strip('/') else '/mcp'}"
