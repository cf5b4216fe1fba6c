"""With what a terminal asks: the options that say so, and the agent that is made of them."""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Sequence
from contextlib import ExitStack
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, cast

from agent.application.setup import DEMO, Choice, default_choice, setup
from agent.demo.model import Demo
from agent.errors import BadRequest
from agent.extensions.folder import OwnTools
from agent.loop.agent import NO_PRICES, Agent
from agent.models.capabilities import Capabilities
from agent.models.prices import Prices
from agent.settings import Secret, Settings, WireChoice
from agent.toolkit.base import Tool
from agent.tools.catalogue import NAMES, check_names, only, own_specs, runs_programs
from agent.tools.search.search_tool import SearchCache
from agent.tools.spec import Belongings, Parts

if TYPE_CHECKING:
    from agent.data.databases.connected import ConversationDatabases
    from agent.data.tables.chat_tables import ConversationTables

_CONNECT_SECONDS = 20.0


def add_options(parser: argparse.ArgumentParser, tools: bool = True) -> None:
    """The options that ``choice_of`` and ``Opened`` read; without those of ``tools`` where these are given."""
    parser.add_argument("--base-url", help="address of an OpenAI-compatible server; the demo model where not given")
    parser.add_argument("--api-key-env", metavar="NAME", help="environment variable that holds the key")
    if not tools:
        parser.set_defaults(tools=None, file=[])
        return
    parser.add_argument("--tools", metavar="A,B", help="tools to offer, by name; all of them where not given")
    parser.add_argument(
        "--file", type=Path, metavar="FILE", action="append", default=[], help="a table to ask about; any number"
    )


@dataclass(frozen=True)
class Opened:
    """What a program's runs share: settings, tools of servers, the tables of its files; closed by the stack."""

    settings: Settings
    belongings: Belongings

    def agent(self, choice: Choice, prices: Prices = NO_PRICES, searches: SearchCache | None = None) -> Agent:
        """With what a question is answered. Raises ``BadRequest``."""
        made = setup(self.settings, choice, Capabilities(), searches or SearchCache(), prices, **self.belongings)
        return replace(made, limits=self.settings.limits)


def opened(settings: Settings, choice: Choice, files: Sequence[Path], stack: ExitStack) -> Opened:
    """What is there for runs with that choice. Problems of own tools go to the standard error.

    Raises ``GlassboxError``, and ``OSError`` for a file that cannot be read.
    """
    own = OwnTools(settings.tools_folder, NAMES).look()
    for problem in own.problems:
        print(f"{problem.file}, line {problem.line}: {problem.sentence}", file=sys.stderr)
    tools, more = _of_servers(settings, stack), own_specs(own)
    check_names(choice.tools or (), Parts(settings, SearchCache(), servers=tools, more=more))
    tables = _tables(files, settings, choice, stack)
    databases = _databases(settings)
    return Opened(settings, {"databases": databases, "servers": tools, "more": more, "tables": tables})


def in_a_hurry(agent: Agent) -> Agent:
    """The demo model without the pace that it keeps for people who watch."""
    return replace(agent, model=replace(agent.model, pace=0.0)) if isinstance(agent.model, Demo) else agent


def choice_of(given: argparse.Namespace, settings: Settings, model: str | None, wire: str | None) -> Choice:
    """What the options choose. Raises ``BadRequest``."""
    choice = default_choice(settings)
    if given.base_url:
        usual = settings.model if given.base_url == settings.base_url else ""
        choice = replace(choice, endpoint=given.base_url, model=usual)
    key = Secret(os.environ.get(given.api_key_env, "")) if given.api_key_env else choice.key
    if given.api_key_env and not key:
        raise BadRequest(f"The environment variable {given.api_key_env} is not set.")
    model = model or choice.model
    if choice.endpoint != DEMO and not model:
        raise BadRequest(f"No model is named for {choice.endpoint}. Add --model NAME.")
    if choice.endpoint == DEMO and model:
        raise BadRequest("A model needs a server. Add --base-url ADDRESS.")
    tools = None if given.tools is None else only([name for name in map(str.strip, given.tools.split(",")) if name])
    return replace(choice, model=model, key=key, wire=cast("WireChoice", wire) if wire else settings.wire, tools=tools)


def _of_servers(settings: Settings, stack: ExitStack) -> tuple[Tool, ...]:
    """The tools of the settings' tool servers and described services. Raises ``BadSettings``."""
    if not (settings.mcp or settings.openapi or settings.server_keys):
        return ()
    from agent.extensions.servers import ToolServers

    servers = ToolServers(settings)
    stack.callback(servers.close)
    return servers.tools("", _CONNECT_SECONDS)


def _tables(files: Sequence[Path], settings: Settings, choice: Choice, stack: ExitStack) -> ConversationTables | None:
    """Those in the files; without a file a room for programs, where a chosen tool runs some."""
    if not (files or runs_programs(choice.tools or ())):
        return None
    from agent.cli.table_files import opened_tables  # only who has some waits for SQLAlchemy

    return stack.enter_context(opened_tables(files, settings))


def _databases(settings: Settings) -> ConversationDatabases | None:
    """Those of the settings."""
    if not settings.databases:
        return None
    from agent.data.databases.connected import Databases

    return Databases(settings.databases).open("", "")
