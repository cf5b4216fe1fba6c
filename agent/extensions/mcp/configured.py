"""Which tool servers there are: where each is, whose it is, and how it is doing."""

from __future__ import annotations

import re
import shlex
from dataclasses import dataclass
from typing import Literal
from urllib.parse import urlsplit

from agent.errors import BadRequest, BadSettings
from agent.extensions.mcp.described import Described, Prompt
from agent.interface_text import Text
from agent.settings import Secret, Settings
from agent.settings.parsing import named
from agent.web.endpoint import check_address, normalise_endpoint, origin

StateKind = Literal["connecting", "ready", "lost", "failed"]
_NAME = re.compile(r"[A-Za-z][A-Za-z0-9_-]{0,23}")
_LONGEST_ADDRESS = 500


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
    if not _NAME.fullmatch(name):
        raise BadRequest(
            Text("A name has letters, digits, - and _ only, begins with a letter, and has at most 24 of them.")
        )
    if not key.isascii() or not key.isprintable() or " " in key:
        raise BadRequest(Text("The key has a character in it that no key has. Copy it once more."))
    address = server_url(url)
    check_address(address, private_allowed)
    return Server(name, url=address, key=Secret(key))


def server_url(text: str) -> str:
    """The address of a tool server in its usual form; ``/mcp`` where none but a host was given.

    Raises ``BadRequest`` as ``normalise_endpoint`` does.
    """
    typed = text.strip()
    if len(typed) > _LONGEST_ADDRESS:
        raise BadRequest(Text("The server's address is too long."))
    checked = normalise_endpoint(typed)
    path = urlsplit(typed if "://" in typed else f"//{typed}").path
    return f"{origin(checked)}{path if path.strip('/') else '/mcp'}"
