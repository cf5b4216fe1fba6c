"""The ``news`` tool: headlines and articles through NewsAPI (https://newsapi.org/docs)."""

from __future__ import annotations

from datetime import date
from typing import Annotated, Literal

from pydantic import Field

from agent.errors import ToolFailed
from agent.interface_text import Text
from agent.settings import ServiceAddresses
from agent.toolkit.base import Tool, ToolResult, tool
from agent.tools.spec import ToolSpec, a_key

SPEC = ToolSpec(
    "news",
    Text("Finds news articles and headlines."),
    lambda parts: news_tool(parts.settings.newsapi_key.reveal(), parts.settings.services),
    title=Text("News"),
    icon="newspaper",
    verbs=(Text("Reading the news:"), Text("Read the news:")),
    subject="query",
    needs=a_key(lambda settings: settings.newsapi_key, Text("Needs NEWSAPI_API_KEY: newsapi.org/register.")),
    effect="reaches",
    public=True,
)

Category = Literal["any", "business", "entertainment", "general", "health", "science", "sports", "technology"]
Sort = Literal["newest", "relevance", "popularity"]
_MOST_QUERY = 300


def news_tool(key: str, addresses: ServiceAddresses | None = None, *, timeout: float = 10.0) -> Tool:
    """The tool. ``timeout``: seconds to connect, to the first byte, and for the rest, each."""
    url = (addresses or ServiceAddresses()).newsapi

    @tool(timeout=4 * timeout)
    def news(
        query: str,
        category: Category = "any",
        country: str = "",
        since: date | None = None,
        until: date | None = None,
        sort: Sort = "newest",
        most: Annotated[int, Field(ge=1, le=20)] = 6,
    ) -> ToolResult:
        """Finds news articles of the last weeks about something, or today's top headlines.

        Args:
            query: a few words the articles are about, or empty for the top headlines, for example electric cars
            category: of the top headlines
            country: of the top headlines, two letters, for example us
            since: no articles from before this day
            until: no articles from after this day
            sort: the order of the articles
            most: how many articles
        """
        if len(query) > _MOST_QUERY:
            raise ToolFailed(f"The search words are too long. Use at most {_MOST_QUERY} characters.", "input")
        if country and not (len(country) == 2 and country.isascii() and country.isalpha()):
            raise ToolFailed("country must be two letters, for example us, gb or jp.", "input")
        if since and until and until < since:
            raise ToolFailed(f"until ({until}) lies before since ({since}). Give them the other way round.", "input")
        # The libraries behind it are loaded with the first look-up, not with the program.
        from agent.web.services.newsapi import Wanted, find_news

        wanted = Wanted(query.strip(), category, country.lower(), since, until, sort, most)
        return find_news(key, url, timeout, wanted)

    return news
