"""The tools there are: what each is for, what it needs, and how it is made for a run."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from typing import TYPE_CHECKING

from agent.errors import BadRequest
from agent.own_tools import Loaded
from agent.settings import Settings
from agent.tools.base import Tool, Toolbox
from agent.tools.calculator import calculator
from agent.tools.search import SearchCache, search_tool
from agent.tools.words import ByTool, Words, told

if TYPE_CHECKING:
    from agent.data.tables import ConversationTables


@dataclass(frozen=True, slots=True)
class Parts:
    """What tools are made with, for one run: what the owner set up, and what belongs to the conversation.

    ``more`` are tools beside those of the catalogue, ``words`` those in which tools are told to the model.
    """

    settings: Settings
    searches: SearchCache
    language: str = "en"
    tables: ConversationTables | None = None
    more: tuple[Entry, ...] = ()
    words: ByTool = field(default_factory=dict[str, Words])


def _always(parts: Parts) -> str:
    return ""


@dataclass(frozen=True, slots=True)
class Entry:
    """A tool that can be switched on.

    ``missing`` says in a sentence what it needs before it can be used, "" where it can; ``usual`` tools are in a run
    where none were chosen; tools that ``reaches_out`` send what they are given to somebody else's server. ``file`` is
    that of a tool of the owner's own.
    """

    name: str
    purpose: str
    make: Callable[[Parts], Tool]
    missing: Callable[[Parts], str] = _always
    usual: bool = True
    reaches_out: bool = False
    file: str = ""


def own_entries(loaded: Loaded) -> tuple[Entry, ...]:
    """The owner's own tools as entries."""
    return tuple(
        Entry(own.tool.name, own.tool.description, partial(_same, own.tool), file=own.file) for own in loaded.tools
    )


def _same(tool: Tool, parts: Parts) -> Tool:
    return tool


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


def entries(parts: Parts) -> tuple[Entry, ...]:
    """All tools there are here."""
    return (*CATALOGUE, *parts.more)


def missing(entry: Entry, parts: Parts) -> str:
    """Why a tool cannot be used now, as a sentence; "" where it can."""
    allowed = parts.settings.tools
    if allowed and entry.name not in allowed:
        return "Off: the owner of this site does not offer it."
    return entry.missing(parts)


def is_on(name: str, chosen: Sequence[str] | None, more: Sequence[Entry] = ()) -> bool:
    """Whether a tool is among the ``chosen`` ones, or a usual one where none were chosen."""
    if chosen is not None:
        return name in chosen
    return any(entry.name == name and entry.usual for entry in (*CATALOGUE, *more))


def usable(parts: Parts) -> tuple[str, ...]:
    """The names of the tools that could be switched on now."""
    return tuple(entry.name for entry in entries(parts) if not missing(entry, parts))


def choosing(
    picked: Sequence[str], offered: Sequence[str], before: Sequence[str] | None, more: Sequence[Entry] = ()
) -> tuple[str, ...]:
    """What is chosen once some of the ``offered`` were ``picked``: the others stay as they were ``before``."""
    names = dict.fromkeys((*NAMES, *(entry.name for entry in more), *(before or ())))
    return tuple(name for name in names if (name in picked if name in offered else is_on(name, before, more)))


def known(parts: Parts, chosen: Sequence[str] | None) -> tuple[str, ...] | None:
    """The chosen ones that are tools now: one of the owner's own may be gone since it was chosen."""
    names = [entry.name for entry in entries(parts)]
    return None if chosen is None else tuple(name for name in chosen if name in names)


def check_names(names: Sequence[str], more: Sequence[Entry] = ()) -> None:
    """Raises ``BadRequest`` for a name that is no tool's."""
    unknown = set(names) - {entry.name for entry in (*CATALOGUE, *more)}
    if unknown:
        raise BadRequest(f"There is no tool {', '.join(sorted(unknown))}.")


def toolbox(parts: Parts, chosen: Sequence[str] | None = None) -> Toolbox:
    """The tools of a run: the ``chosen`` ones that can be used now, or the usual ones.

    Raises ``BadRequest`` for a name that is no tool's.
    """
    check_names(chosen or (), parts.more)
    wanted = [entry for entry in entries(parts) if is_on(entry.name, chosen, parts.more)]
    return Toolbox(told([_limited(entry, parts) for entry in wanted if not missing(entry, parts)], parts.words))


def one_tool(entry: Entry, parts: Parts) -> Tool:
    """A tool as a run would have it. Raises ``BadRequest`` where it cannot be made now."""
    return told([_limited(entry, parts)], parts.words)[0]


def _limited(entry: Entry, parts: Parts) -> Tool:
    """With the most calls that the owner allows in a run."""
    return replace(entry.make(parts), most=parts.settings.tool_limits.get(entry.name, 0))
