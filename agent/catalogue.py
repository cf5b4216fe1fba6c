"""The tools there are: what each is for, what it needs, and how it is made for a run."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from agent.errors import BadRequest
from agent.settings import Settings
from agent.tools.ask_user import ask_user
from agent.tools.base import Effect, Tool, Toolbox
from agent.tools.calculator import calculator
from agent.tools.search import SearchCache, search_tool

if TYPE_CHECKING:
    from agent.data.tables import ConversationTables


@dataclass(frozen=True, slots=True)
class Parts:
    """What tools are made with, for one run: what the owner set up, and what belongs to the conversation."""

    settings: Settings
    searches: SearchCache
    language: str = "en"
    tables: ConversationTables | None = None


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
    acts: bool = False
    untrusted: bool = False

    def tool(self, parts: Parts) -> Tool:
        """The tool, marked with what its calls do."""
        made = self.make(parts)
        effect: Effect = "acts" if self.acts else "reaches" if self.reaches_out else made.effect
        return replace(made, effect=effect, untrusted=self.untrusted or self.reaches_out or made.untrusted)


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


def _ask_user(parts: Parts) -> Tool:
    return ask_user


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
    Entry("query", "Asks the tables of the chat by SQL.", _query, _no_tables, untrusted=True),
    Entry("chart", "Draws a chart of the tables of the chat.", _chart, _no_tables, untrusted=True),
    Entry(
        "python", "Runs a program on the tables of the chat, in a locked process.", _python, _no_tables, untrusted=True
    ),
    Entry("ask_user", "Asks you one thing that only you can know, and waits.", _ask_user),
)
NAMES = tuple(entry.name for entry in CATALOGUE)


def missing(entry: Entry, parts: Parts) -> str:
    """Why a tool cannot be used now, as a sentence; "" where it can."""
    allowed = parts.settings.tools
    if allowed and entry.name not in allowed:
        return "Off: the owner of this site does not offer it."
    return entry.missing(parts)


def is_on(name: str, chosen: Sequence[str] | None) -> bool:
    """Whether a tool is among the ``chosen`` ones, or a usual one where none were chosen."""
    return name in chosen if chosen is not None else any(entry.name == name and entry.usual for entry in CATALOGUE)


def usable(parts: Parts) -> tuple[str, ...]:
    """The names of the tools that could be switched on now."""
    return tuple(entry.name for entry in CATALOGUE if not missing(entry, parts))


def choosing(picked: Sequence[str], offered: Sequence[str], before: Sequence[str] | None) -> tuple[str, ...]:
    """What is chosen once some of the ``offered`` were ``picked``: the others stay as they were ``before``."""
    return tuple(name for name in NAMES if (name in picked if name in offered else is_on(name, before)))


def toolbox(parts: Parts, chosen: Sequence[str] | None = None) -> Toolbox:
    """The tools of a run: the ``chosen`` ones that can be used now, or the usual ones.

    Raises ``BadRequest`` for a name that is no tool's.
    """
    unknown = set(chosen or ()) - set(NAMES)
    if unknown:
        raise BadRequest(f"There is no tool {', '.join(sorted(unknown))}.")
    wanted = [entry for entry in CATALOGUE if is_on(entry.name, chosen)]
    return Toolbox([entry.tool(parts) for entry in wanted if not missing(entry, parts)])
