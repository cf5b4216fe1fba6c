"""The ``movies`` tool: films by title, and lists of them, from The Movie Database (https://developer.themoviedb.org)."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field

from agent.errors import ToolFailed
from agent.interface_text import Text
from agent.settings import ServiceAddresses
from agent.toolkit.base import Tool, ToolResult, tool
from agent.tools.spec import ToolSpec, a_key

SPEC = ToolSpec(
    "movies",
    Text("Looks up films."),
    lambda parts: movies_tool(parts.settings.tmdb_key.reveal(), parts.settings.services, language=parts.language),
    title=Text("Films"),
    icon="movie",
    verbs=(Text("Looking up films:"), Text("Looked up films:")),
    subject="title",
    needs=a_key(lambda settings: settings.tmdb_key, Text("Needs TMDB_API_KEY: themoviedb.org/settings/api.")),
    effect="reaches",
    public=True,
)

Listing = Literal["popular", "now_playing", "upcoming", "top_rated"]
_MOST_TITLE = 200


def movies_tool(
    key: str, addresses: ServiceAddresses | None = None, *, language: str = "en", timeout: float = 8.0
) -> Tool:
    """The tool. ``key`` is an API key or a read access token. ``timeout``: seconds to connect, to the first byte, and
    for the rest, each, of two requests."""
    url = (addresses or ServiceAddresses()).tmdb

    @tool(timeout=6 * timeout)
    def movies(
        title: str, year: Annotated[int, Field(ge=1870, le=2100)] | None = None, listing: Listing = "popular"
    ) -> ToolResult:
        """Finds films by their title: year, rating, plot, and for the best match director, actors and length.

        Args:
            title: the title or a part of it, or empty for a list, for example Inception
            year: the year in which it came out
            listing: which list, if there is no title
        """
        if len(title) > _MOST_TITLE:
            raise ToolFailed(f"The title is too long. Use at most {_MOST_TITLE} characters.", "input")
        # The libraries behind it are loaded with the first look-up, not with the program.
        from agent.web.services.tmdb import Wanted, find_movies

        return find_movies(key, url, timeout, Wanted(title.strip(), year, listing, language))

    return movies
