"""The tools there are: what each is for and what it needs; which of them a run has."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

from agent import catalogue_makers as makers
from agent.catalogue_makers import Parts
from agent.errors import BadRequest
from agent.tools.base import Effect, Tool, Toolbox

__all__ = [
    "CATALOGUE",
    "NAMES",
    "Entry",
    "Parts",
    "choosing",
    "entries",
    "is_on",
    "missing",
    "only",
    "toolbox",
    "usable",
]


def _always(parts: Parts) -> str:
    return ""


@dataclass(frozen=True, slots=True)
class Entry:
    """A tool that can be switched on.

    ``missing`` says in a sentence what it needs before it can be used, "" where it can; ``usual`` tools are in a run
    where none were chosen; tools that ``reaches_out`` send what they are given to somebody else's server. One that
    ``acts`` writes, spends or sends something: it asks first where untrusted text was read (see ``agent.approval``).
    ``untrusted`` says that it gives other people's text, as all that reach out do.
    """

    name: str
    purpose: str
    make: Callable[[Parts], Tool]
    missing: Callable[[Parts], str] = _always
    usual: bool = True
    reaches_out: bool = False
    server: str = ""
    acts: bool = False
    untrusted: bool = False

    def tool(self, parts: Parts) -> Tool:
        """The tool, marked with what its calls do."""
        made = self.make(parts)
        effect: Effect = "acts" if self.acts else "reaches" if self.reaches_out else made.effect
        return replace(made, effect=effect, untrusted=self.untrusted or self.reaches_out or made.untrusted)


# In the order in which a model is told of them. The modules behind them are imported when a run uses them.
CATALOGUE = (
    Entry("search", "Looks things up on the web.", makers.search, makers.no_search, reaches_out=True),
    Entry("read_url", "Reads pages and files on the web.", makers.read_url, reaches_out=True),
    Entry("calculator", "Works out sums exactly.", makers.calculator),
    Entry("now", "Tells the time anywhere, and works with dates.", makers.now),
    Entry("convert", "Converts units of measure.", makers.convert),
    Entry("documents", "Searches your documents and this app's handbook.", makers.documents, untrusted=True),
    Entry("weather", "Tells the weather of a place, today and on any day.", makers.weather, reaches_out=True),
    Entry("wikipedia", "Reads articles of Wikipedia.", makers.wikipedia, usual=False, reaches_out=True),
    Entry("news", "Finds news articles and headlines.", makers.news, makers.NEEDS_NEWS, reaches_out=True),
    Entry("movies", "Looks up films.", makers.movies, makers.NEEDS_MOVIES, reaches_out=True),
    Entry(
        "wolfram",
        "Asks Wolfram Alpha for facts and mathematics.",
        makers.wolfram,
        makers.NEEDS_WOLFRAM,
        reaches_out=True,
    ),
    Entry("query", "Asks the tables of the chat by SQL.", makers.query, makers.no_tables, untrusted=True),
    Entry(
        "query_database",
        "Asks the connected databases by SQL.",
        makers.query_database,
        makers.no_databases,
        untrusted=True,
    ),
    Entry("chart", "Draws a chart of the tables of the chat.", makers.chart, makers.no_tables, untrusted=True),
    Entry("llm_math", "Works out a sum by a small program.", makers.llm_math, makers.no_programs, usual=False),
    Entry(
        "word_problem",
        "Solves a problem told in words by a program.",
        makers.word_problem,
        makers.no_programs,
        usual=False,
    ),
    Entry(
        "colored_objects",
        "Reasons about objects and places by a program.",
        makers.colored_objects,
        makers.no_programs,
        usual=False,
    ),
    Entry(
        "python",
        "Runs a program on the tables of the chat, in a locked process.",
        makers.python,
        makers.no_tables,
        untrusted=True,
    ),
    Entry("ask_user", "Asks you one thing that only you can know, and waits.", makers.ask_user),
)
NAMES = tuple(entry.name for entry in CATALOGUE)
_OFF = "-"  # before the name of a server's tool, among the chosen ones: it is on where nothing is said of it
_ALL_OFF = "-*"
_MOST_OFF = 300


def entries(parts: Parts) -> tuple[Entry, ...]:
    """Ours, then those of servers; a server's tool of the name of one of ours is left out."""
    return (*CATALOGUE, *(_entry(tool) for tool in parts.servers if tool.name not in NAMES))


def _entry(tool: Tool) -> Entry:
    """What a server says of its tool is not verified: one that it does not call reading is taken to act."""
    hints = tool.hints
    return Entry(
        tool.name, tool.description, lambda _: tool, reaches_out=True, server=hints.server, acts=not hints.read_only
    )


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
    return Toolbox([entry.tool(parts) for entry in wanted if not missing(entry, parts)])
