"""How each tool is made for a run, and what it lacks. The modules behind them are imported when a run uses them."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from agent.errors import BadRequest
from agent.interface_text import Text
from agent.settings import Secret, Settings
from agent.toolkit.base import Tool
from agent.tools.entry import OFF, Parts
from agent.tools.search.choosing import access
from agent.tools.search.search_tool import search_tool

if TYPE_CHECKING:
    from agent.data.tables.chat_tables import ConversationTables


IN_A_CHAT = Text("Begin a chat first: its programs and tables have a room of their own.")
_NO_TERMINAL = f"{OFF}the owner of this site has not allowed a shell (GLASSBOX_TERMINAL)."


def search(parts: Parts) -> Tool:
    return search_tool(access(parts.settings), cache=parts.searches)


def no_search(parts: Parts) -> str:
    return access(parts.settings).missing


def weather(parts: Parts) -> Tool:
    from agent.tools.weather.weather_tool import weather_tool

    return weather_tool(parts.settings.services)


def wikipedia(parts: Parts) -> Tool:
    from agent.tools.lookups.wikipedia import wikipedia_tool

    return wikipedia_tool(parts.settings.wikipedia_url)


def news(parts: Parts) -> Tool:
    from agent.tools.lookups.news import news_tool

    return news_tool(parts.settings.newsapi_key.reveal(), parts.settings.services)


def movies(parts: Parts) -> Tool:
    from agent.tools.lookups.movies import movies_tool

    return movies_tool(parts.settings.tmdb_key.reveal(), parts.settings.services, language=parts.language)


def wolfram(parts: Parts) -> Tool:
    from agent.tools.lookups.wolfram import wolfram_tool

    return wolfram_tool(parts.settings.wolfram_key.reveal(), parts.settings.services)


def needs(key: Callable[[Settings], Secret], sentence: str) -> Callable[[Parts], str]:
    """What to say where the owner has set no such key."""
    return lambda parts: "" if key(parts.settings) else sentence


def read_url(parts: Parts) -> Tool:
    from agent.tools.lookups.read_url import read_url_tool
    from agent.web.fetching.fetcher import Fetcher

    databases = parts.databases.connections() if parts.databases else ()
    files = [kind for kind in (parts.tables, parts.documents) if kind and kind.loaded()]
    private = bool(files or databases)
    return read_url_tool(Fetcher(frozenset(parts.settings.fetch_private)), private=private)


def calculator(parts: Parts) -> Tool:
    from agent.tools.calculator.calculate import calculator

    return calculator


def ask_user(parts: Parts) -> Tool:
    from agent.tools.ask_user import ask_user

    return ask_user


def query(parts: Parts) -> Tool:
    from agent.tools.own_data.query import query_tool

    return query_tool(tables(parts).run)


def query_database(parts: Parts) -> Tool:
    from agent.data.databases.database_texts import card_text
    from agent.tools.own_data.query_database import query_database_tool

    if parts.databases is None:
        raise BadRequest(Text("There are no databases here."))
    kinds = {name: connection.title for name, connection in parts.databases.connections().items()}
    return query_database_tool(parts.databases.run, kinds, card_text)


def chart(parts: Parts) -> Tool:
    from agent.tools.own_data.chart import chart_tool

    return chart_tool(tables(parts).run)


def python(parts: Parts) -> Tool:
    from agent.tools.own_data.python import python_tool

    return python_tool(tables(parts).run_program)


def llm_math(parts: Parts) -> Tool:
    from agent.tools.own_data.programs import llm_math_tool

    return llm_math_tool(tables(parts).run_program)


def word_problem(parts: Parts) -> Tool:
    from agent.tools.own_data.programs import word_problem_tool

    return word_problem_tool(tables(parts).run_program)


def colored_objects(parts: Parts) -> Tool:
    from agent.tools.own_data.programs import colored_objects_tool

    return colored_objects_tool(tables(parts).run_program)


def terminal(parts: Parts) -> Tool:
    from agent.tools.terminal_tool import terminal_tool

    if parts.shell is None:
        raise BadRequest(IN_A_CHAT)
    return terminal_tool(parts.shell.command, parts.shell.seconds)


def now(parts: Parts) -> Tool:
    from agent.tools.now.now_tool import now_tool

    return now_tool()


def convert(parts: Parts) -> Tool:
    from agent.tools.convert.convert_tool import convert

    return convert


def documents(parts: Parts) -> Tool:
    from agent.tools.own_data.documents_tool import documents_tool
    from agent.tools.shelf import shelf_of

    return documents_tool(shelf_of(parts.documents) if parts.documents else None)


def tables(parts: Parts) -> ConversationTables:
    if parts.tables is None:
        raise BadRequest(IN_A_CHAT)
    return parts.tables


def no_tables(parts: Parts) -> str:
    return "" if parts.tables and parts.tables.loaded() else Text("Drop a table into the question box first.")


def no_programs(parts: Parts) -> str:
    return parts.tables.tables.sandbox.available() if parts.tables else IN_A_CHAT


def no_terminal(parts: Parts) -> str:
    if not parts.settings.terminal:
        return _NO_TERMINAL
    from agent.shell.bubblewrap import missing

    return missing() or (parts.shell.available() if parts.shell else IN_A_CHAT)


NEEDS_NEWS = needs(
    lambda settings: settings.newsapi_key, Text("Needs {what}.", what="NEWSAPI_API_KEY: newsapi.org/register")
)
NEEDS_MOVIES = needs(
    lambda settings: settings.tmdb_key, Text("Needs {what}.", what="TMDB_API_KEY: themoviedb.org/settings/api")
)
NEEDS_WOLFRAM = needs(
    lambda settings: settings.wolfram_key, Text("Needs {what}.", what="WOLFRAM_APP_ID: developer.wolframalpha.com")
)


def no_databases(parts: Parts) -> str:
    return "" if parts.databases and parts.databases.connections() else Text("Connect a database first.")
