"""The tools there are: what each is for, what it needs, and how it is made for a run."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from agent.errors import BadRequest
from agent.settings import Settings
from agent.tools.base import Tool, Toolbox
from agent.tools.calculator import calculator
from agent.tools.search import SearchCache, search_tool

if TYPE_CHECKING:
    from agent.data.tables import ConversationTables


@dataclass(frozen=True, slots=True)
class Parts:
    """What tools are made with, for one run: what the owner set up, and what belongs to the conversation.

    ``servers`` are the tools of connected servers and described services, ready made.
    """

    settings: Settings
    searches: SearchCache
    language: str = "en"
    tables: ConversationTables | None = None
    servers: Sequence[Tool] = ()


def _always(parts: Parts) -> str:
    return ""


@dataclass(frozen=True, slots=True)
class Entry:
    """A tool that can be switched on.

    ``missing`` says in a sentence what it needs before it can be used, "" where it can; ``usual`` tools are in a run
    where none were chosen; tools that ``reaches_out`` send what they are given to somebody else's server.
    """

    name: str
    purpose: str
    make: Callable[[Parts], Tool]
    missing: Callable[[Parts], str] = _always
    usual: bool = True
    reaches_out: bool = False
    server: str = ""


def _search(parts: Parts) -> Tool:
    settings = parts.settings
    return search_tool(
        serpapi_key=settings.serpapi_key.reveal(),
        serpapi_url=settings.serpapi_url,
        wikipedia_url=settings.wikipedia_url,
        cache=parts.searches,
    )


def _calculator(parts: Parts) -> Tool:
    return calculator


def _query(parts: Parts) -> Tool:
    from agent.tools.query import query_tool

    return query_tool(_tables(parts).run)


def _chart(parts: Parts) -> Tool:
    from agent.tools.chart import chart_tool

    return chart_tool(_tables(parts).run)


def _python(parts: Parts) -> Tool:
    from agent.tools.python import python_tool

    return python_tool(_tables(parts).run_program)


def _tables(parts: Parts) -> ConversationTables:
    if parts.tables is None:
        raise BadRequest("There are no tables here.")
    return parts.tables


def _no_tables(parts: Parts) -> str:
    return "" if parts.tables and parts.tables.loaded() else "Drop a table into the question box first."


# In the order in which a model is told of them. The modules behind them are imported when a run uses them.
CATALOGUE = (
    Entry("search", "Looks things up on the web.", _search, reaches_out=True),
    Entry("calculator", "Works out sums exactly.", _calculator),
    Entry("query", "Asks the tables of the chat by SQL.", _query, _no_tables),
    Entry("chart", "Draws a chart of the tables of the chat.", _chart, _no_tables),
    Entry("python", "Runs a program on the tables of the chat, in a locked process.", _python, _no_tables),
)
NAMES = tuple(entry.name for entry in CATALOGUE)
_OFF = "-"  # before the name of a server's tool, among the chosen ones: it is on where nothing is said of it
_ALL_OFF = "-*"
_MOST_OFF = 300


def entries(parts: Parts) -> tuple[Entry, ...]:
    """Ours, then those of servers; a server's tool of the name of one of ours is left out."""
    return (*CATALOGUE, *(_entry(tool) for tool in parts.servers if tool.name not in NAMES))


def _entry(tool: Tool) -> Entry:
    return Entry(tool.name, tool.description, lambda _: tool, reaches_out=True, server=tool.hints.server)


def missing(entry: Entry, parts: Parts) -> str:
    """Why a tool cannot be used now, as a sentence; "" where it can."""
    allowed = parts.settings.tools
    if allowed and not {entry.name, entry.server} & set(allowed):
        return "Off: the owner of this site does not offer it."
    return entry.missing(parts)


def is_on(name: str, chosen: Sequence[str] | None) -> bool:
    """Whether a tool is among the ``chosen`` ones, or a usual one where none were chosen.

    A server's tool, whose names come and go, is on unless it was switched off by name.
    """
    if name not in NAMES:
        return chosen is None or name in chosen or not {_OFF + name, _ALL_OFF} & set(chosen)
    return name in chosen if chosen is not None else any(entry.name == name and entry.usual for entry in CATALOGUE)


def only(names: Sequence[str]) -> tuple[str, ...]:
    """The choice of these and no others, no server's either."""
    return (*names, _ALL_OFF)


def usable(parts: Parts) -> tuple[str, ...]:
    """The names of the tools that could be switched on now."""
    return tuple(entry.name for entry in entries(parts) if not missing(entry, parts))


def choosing(picked: Sequence[str], offered: Sequence[str], before: Sequence[str] | None) -> tuple[str, ...]:
    """What is chosen once some of the ``offered`` were ``picked``: the others stay as they were ``before``."""
    ours = tuple(name for name in NAMES if (name in picked if name in offered else is_on(name, before)))
    kept = [name for name in before or () if name.startswith(_OFF) and name != _ALL_OFF and name[1:] not in offered]
    off = [_OFF + name for name in offered if name not in NAMES and name not in picked]
    return (*ours, *(off + kept)[:_MOST_OFF])


def toolbox(parts: Parts, chosen: Sequence[str] | None = None) -> Toolbox:
    """The tools of a run: the ``chosen`` ones that can be used now, or the usual ones.

    Raises ``BadRequest`` for a name that is no tool's.
    """
    every = entries(parts)
    unknown = {name for name in chosen or () if not name.startswith(_OFF)} - {entry.name for entry in every}
    if unknown:
        raise BadRequest(f"There is no tool {', '.join(sorted(unknown))}.")
    wanted = [entry for entry in every if is_on(entry.name, chosen)]
    return Toolbox([entry.make(parts) for entry in wanted if not missing(entry, parts)])
