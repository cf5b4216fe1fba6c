"""The tools there are: what each is for and what it needs; which of them a run has."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import partial

from agent.errors import BadRequest
from agent.extensions.folder import Loaded
from agent.interface_text import Text
from agent.toolkit.base import Tool, Toolbox
from agent.toolkit.wording import told
from agent.tools import makers
from agent.tools.entry import OFF, Entry, Parts

__all__ = [
    "CATALOGUE",
    "NAMES",
    "Entry",
    "Parts",
    "check_names",
    "choosing",
    "entries",
    "is_on",
    "known",
    "missing",
    "one_tool",
    "only",
    "own_entries",
    "to_switch",
    "toolbox",
    "usable",
]


# In the order in which a model is told of them. The modules behind them are imported when a run uses them.
CATALOGUE = (
    Entry("search", Text("Looks things up on the web."), makers.search, makers.no_search, reaches_out=True),
    Entry("read_url", Text("Reads pages and files on the web."), makers.read_url, reaches_out=True),
    Entry("calculator", Text("Works out sums exactly."), makers.calculator),
    Entry("now", Text("Tells the time anywhere, and works with dates."), makers.now),
    Entry("convert", Text("Converts units of measure."), makers.convert),
    Entry("documents", Text("Searches your documents and this app's handbook."), makers.documents, untrusted=True),
    Entry("weather", Text("Tells the weather of a place, today and on any day."), makers.weather, reaches_out=True),
    Entry("wikipedia", Text("Reads articles of Wikipedia."), makers.wikipedia, usual=False, reaches_out=True),
    Entry("news", Text("Finds news articles and headlines."), makers.news, makers.NEEDS_NEWS, reaches_out=True),
    Entry("movies", Text("Looks up films."), makers.movies, makers.NEEDS_MOVIES, reaches_out=True),
    Entry(
        "wolfram",
        Text("Asks Wolfram Alpha for facts and mathematics."),
        makers.wolfram,
        makers.NEEDS_WOLFRAM,
        reaches_out=True,
    ),
    Entry("query", Text("Asks the tables of the chat by SQL."), makers.query, makers.no_tables, untrusted=True),
    Entry(
        "query_database",
        Text("Asks the connected databases by SQL."),
        makers.query_database,
        makers.no_databases,
        untrusted=True,
    ),
    Entry("chart", Text("Draws a chart of the tables of the chat."), makers.chart, makers.no_tables, untrusted=True),
    Entry("llm_math", Text("Works out a sum by a small program."), makers.llm_math, makers.no_programs, usual=False),
    Entry(
        "word_problem",
        Text("Solves a problem told in words by a program."),
        makers.word_problem,
        makers.no_programs,
        usual=False,
    ),
    Entry(
        "colored_objects",
        Text("Reasons about objects and places by a program."),
        makers.colored_objects,
        makers.no_programs,
        usual=False,
    ),
    Entry(
        "python",
        Text("Runs a program on the tables of the chat, in a locked process."),
        makers.python,
        makers.no_tables,
        untrusted=True,
    ),
    Entry(
        "terminal",
        Text("Runs commands in a locked shell with a folder of the chat's own."),
        makers.terminal,
        makers.no_terminal,
        acts=True,
        untrusted=True,
    ),
    Entry("ask_user", Text("Asks you one thing that only you can know, and waits."), makers.ask_user),
)
NAMES = tuple(entry.name for entry in CATALOGUE)
_OFF = "-"  # before the name of a server's tool, among the chosen ones: it is on where nothing is said of it
_ALL_OFF = "-*"
_MOST_OFF = 300
_SWITCHED_OFF = Text("It is switched off; the person can switch it on, under Settings.")


def entries(parts: Parts) -> tuple[Entry, ...]:
    """All tools there are here: ours, the owner's own, those of servers; one of a name that is taken is left out."""
    ours = (*CATALOGUE, *parts.more)
    taken = {entry.name for entry in ours}
    return (*ours, *(_entry(tool) for tool in parts.servers if tool.name not in taken))


def own_entries(loaded: Loaded) -> tuple[Entry, ...]:
    """The owner's own tools as entries."""
    return tuple(
        Entry(own.tool.name, own.tool.description, partial(_same, own.tool), file=own.file) for own in loaded.tools
    )


def _same(tool: Tool, parts: Parts) -> Tool:
    return tool


def _entry(tool: Tool) -> Entry:
    """What a server says of its tool is not verified: one that it does not call reading is taken to act."""
    hints = tool.hints
    acts = not hints.read_only
    return Entry(tool.name, tool.description, partial(_same, tool), reaches_out=True, server=hints.server, acts=acts)


def missing(entry: Entry, parts: Parts) -> str:
    """Why a tool cannot be used now, as a sentence; "" where it can."""
    allowed = parts.settings.tools
    if allowed and not {entry.name, entry.server} & set(allowed):
        return f"{OFF}the owner of this site does not offer it."
    return entry.missing(parts)


def is_on(name: str, chosen: Sequence[str] | None) -> bool:
    """Whether a tool is among the ``chosen`` ones, or a usual one where none were chosen.

    One that is not in the catalogue, for those come and go, is on unless it was switched off by name.
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


def to_switch(parts: Parts) -> tuple[str, ...]:
    """The names of the tools that can be switched on or off: the usable ones, and those that lack a chat alone."""
    return tuple(entry.name for entry in entries(parts) if missing(entry, parts) in ("", makers.IN_A_CHAT))


def choosing(picked: Sequence[str], offered: Sequence[str], before: Sequence[str] | None) -> tuple[str, ...]:
    """What is chosen once some of the ``offered`` were ``picked``: the others stay as they were ``before``."""
    ours = tuple(name for name in NAMES if (name in picked if name in offered else is_on(name, before)))
    kept = [name for name in before or () if name.startswith(_OFF) and name != _ALL_OFF and name[1:] not in offered]
    off = [_OFF + name for name in offered if name not in NAMES and name not in picked]
    return (*ours, *(off + kept)[:_MOST_OFF])


def known(parts: Parts, chosen: Sequence[str] | None) -> tuple[str, ...] | None:
    """The chosen ones that are tools now: one that is not in the catalogue may be gone since it was chosen."""
    names = [entry.name for entry in entries(parts)]
    return None if chosen is None else tuple(name for name in chosen if name in names or name.startswith(_OFF))


def check_names(chosen: Sequence[str], parts: Parts) -> None:
    """Raises ``BadRequest`` for a name that is no tool's."""
    names = {entry.name for entry in entries(parts)}
    unknown = {name for name in chosen if not name.startswith(_OFF)} - names
    if unknown:
        raise BadRequest(Text("There is no tool {names}.", names=", ".join(sorted(unknown))))


def toolbox(parts: Parts, chosen: Sequence[str] | None = None) -> Toolbox:
    """The tools of a run: the ``chosen`` ones that can be used now, or the usual ones.

    Raises ``BadRequest`` for a name that is no tool's.
    """
    check_names(chosen or (), parts)
    there = entries(parts)
    lacking = {entry.name: missing(entry, parts) for entry in there}
    wanted = [entry for entry in there if is_on(entry.name, chosen) and not lacking[entry.name]]
    tools = told([_limited(entry, parts) for entry in wanted], parts.words)
    return Toolbox(tools, {name: why or _SWITCHED_OFF for name, why in lacking.items()})


def one_tool(entry: Entry, parts: Parts) -> Tool:
    """A tool as a run would have it. Raises ``BadRequest`` where it cannot be made now."""
    return told([_limited(entry, parts)], parts.words)[0]


def _limited(entry: Entry, parts: Parts) -> Tool:
    """With the most calls that the owner allows in a run."""
    return replace(entry.tool(parts), most=parts.settings.tool_limits.get(entry.name, 0))
