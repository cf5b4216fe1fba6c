"""The tools there are: what each is for, what it needs, and how it is made for a run."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from agent.errors import BadRequest
from agent.settings import Secret, Settings
from agent.tools.base import Tool, Toolbox
from agent.tools.calculator import calculator
from agent.tools.search import SearchCache, search_tool
from agent.tools.searching.choosing import access

if TYPE_CHECKING:
    from agent.data.tables import ConversationTables
    from agent.databases.connected import ConversationDatabases
    from agent.documents.library import ConversationDocuments


@dataclass(frozen=True, slots=True)
class Parts:
    """What tools are made with, for one run: what the owner set up, and what belongs to the conversation.

    ``servers`` are the tools of connected servers and described services, ready made.
    """

    settings: Settings
    searches: SearchCache
    language: str = "en"
    tables: ConversationTables | None = None
    documents: ConversationDocuments | None = None
    databases: ConversationDatabases | None = None
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
    return search_tool(access(parts.settings), cache=parts.searches)


def _no_search(parts: Parts) -> str:
    return access(parts.settings).missing


def _weather(parts: Parts) -> Tool:
    from agent.tools.weather import weather_tool

    return weather_tool(parts.settings.services)


def _wikipedia(parts: Parts) -> Tool:
    from agent.tools.wikipedia import wikipedia_tool

    return wikipedia_tool(parts.settings.wikipedia_url)


def _news(parts: Parts) -> Tool:
    from agent.tools.news import news_tool

    return news_tool(parts.settings.newsapi_key.reveal(), parts.settings.services)


def _movies(parts: Parts) -> Tool:
    from agent.tools.movies import movies_tool

    return movies_tool(parts.settings.tmdb_key.reveal(), parts.settings.services, language=parts.language)


def _wolfram(parts: Parts) -> Tool:
    from agent.tools.wolfram import wolfram_tool

    return wolfram_tool(parts.settings.wolfram_key.reveal(), parts.settings.services)


def _needs(key: Callable[[Settings], Secret], sentence: str) -> Callable[[Parts], str]:
    """What to say where the owner has set no such key."""
    return lambda parts: "" if key(parts.settings) else sentence


def _read_url(parts: Parts) -> Tool:
    from agent.fetching.fetcher import Fetcher
    from agent.tools.read_url import read_url_tool

    private = bool((parts.tables and parts.tables.loaded()) or parts.documents or parts.databases)
    return read_url_tool(Fetcher(frozenset(parts.settings.fetch_private)), private=private)


def _calculator(parts: Parts) -> Tool:
    return calculator


def _query(parts: Parts) -> Tool:
    from agent.tools.query import query_tool

    return query_tool(_tables(parts).run)


def _query_database(parts: Parts) -> Tool:
    from agent.databases.card_texts import card_text
    from agent.tools.query_database import query_database_tool

    if parts.databases is None:
        raise BadRequest("There are no databases here.")
    kinds = {name: connection.title for name, connection in parts.databases.connections().items()}
    return query_database_tool(parts.databases.run, kinds, card_text)


def _chart(parts: Parts) -> Tool:
    from agent.tools.chart import chart_tool

    return chart_tool(_tables(parts).run)


def _python(parts: Parts) -> Tool:
    from agent.tools.python import python_tool

    return python_tool(_tables(parts).run_program)


def _llm_math(parts: Parts) -> Tool:
    from agent.tools.programs import llm_math_tool

    return llm_math_tool(_tables(parts).run_program)


def _word_problem(parts: Parts) -> Tool:
    from agent.tools.programs import word_problem_tool

    return word_problem_tool(_tables(parts).run_program)


def _colored_objects(parts: Parts) -> Tool:
    from agent.tools.programs import colored_objects_tool

    return colored_objects_tool(_tables(parts).run_program)


def _now(parts: Parts) -> Tool:
    from agent.tools.now import now_tool

    return now_tool()


def _convert(parts: Parts) -> Tool:
    from agent.tools.convert import convert

    return convert


def _documents(parts: Parts) -> Tool:
    from agent.documents.library_shelf import shelf_of
    from agent.tools.documents import documents_tool

    return documents_tool(shelf_of(parts.documents) if parts.documents else None)


def _tables(parts: Parts) -> ConversationTables:
    if parts.tables is None:
        raise BadRequest("This tool works in a chat of the app alone.")
    return parts.tables


def _no_tables(parts: Parts) -> str:
    return "" if parts.tables and parts.tables.loaded() else "Drop a table into the question box first."


def _no_programs(parts: Parts) -> str:
    from agent.data.sandbox.client import missing as lacking

    return parts.tables.tables.sandbox.available() if parts.tables else lacking()


_NEEDS_NEWS = _needs(lambda settings: settings.newsapi_key, "Needs NEWSAPI_API_KEY: newsapi.org/register.")
_NEEDS_MOVIES = _needs(lambda settings: settings.tmdb_key, "Needs TMDB_API_KEY: themoviedb.org/settings/api.")
_NEEDS_WOLFRAM = _needs(lambda settings: settings.wolfram_key, "Needs WOLFRAM_APP_ID: developer.wolframalpha.com.")


def _no_databases(parts: Parts) -> str:
    return "" if parts.databases and parts.databases.connections() else "Connect a database first."


# In the order in which a model is told of them. The modules behind them are imported when a run uses them.
CATALOGUE = (
    Entry("search", "Looks things up on the web.", _search, _no_search, reaches_out=True),
    Entry("read_url", "Reads pages and files on the web.", _read_url, reaches_out=True),
    Entry("calculator", "Works out sums exactly.", _calculator),
    Entry("now", "Tells the time anywhere, and works with dates.", _now),
    Entry("convert", "Converts units of measure.", _convert),
    Entry("documents", "Searches your documents and this app's handbook.", _documents),
    Entry("weather", "Tells the weather of a place, today and on any day.", _weather, reaches_out=True),
    Entry("wikipedia", "Reads articles of Wikipedia.", _wikipedia, usual=False, reaches_out=True),
    Entry("news", "Finds news articles and headlines.", _news, _NEEDS_NEWS, reaches_out=True),
    Entry("movies", "Looks up films.", _movies, _NEEDS_MOVIES, reaches_out=True),
    Entry("wolfram", "Asks Wolfram Alpha for facts and mathematics.", _wolfram, _NEEDS_WOLFRAM, reaches_out=True),
    Entry("query", "Asks the tables of the chat by SQL.", _query, _no_tables),
    Entry("query_database", "Asks the connected databases by SQL.", _query_database, _no_databases),
    Entry("chart", "Draws a chart of the tables of the chat.", _chart, _no_tables),
    Entry("llm_math", "Works out a sum by a small program.", _llm_math, _no_programs, usual=False),
    Entry("word_problem", "Solves a problem told in words by a program.", _word_problem, _no_programs, usual=False),
    Entry(
        "colored_objects", "Reasons about objects and places by a program.", _colored_objects, _no_programs, usual=False
    ),
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
