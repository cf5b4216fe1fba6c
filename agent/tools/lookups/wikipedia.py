"""The ``wikipedia`` tool: an article's summary, one of its sections, or a search, in English or Japanese."""

from __future__ import annotations

from typing import Literal

from agent.errors import ToolFailed
from agent.interface_text import Text
from agent.toolkit.base import Tool, ToolResult, tool
from agent.tools.search.search_tool import WIKIPEDIA_URL
from agent.tools.spec import ToolSpec

SPEC = ToolSpec(
    "wikipedia",
    Text("Reads articles of Wikipedia."),
    lambda parts: wikipedia_tool(parts.settings.wikipedia_url),
    title=Text("Wikipedia articles"),
    icon="menu_book",
    verbs=(Text("Reading Wikipedia:"), Text("Read Wikipedia:")),
    subject="article",
    effect="reaches",
    public=True,
    usual=False,
)

Language = Literal["auto", "en", "ja"]
Show = Literal["summary", "section", "search"]
_MOST_WORDS = 300  # characters; Wikipedia takes no more


def wikipedia_tool(url: str = "", *, timeout: float = 8.0) -> Tool:
    """The tool. ``{language}`` in ``url`` becomes ``en`` or ``ja``; "" stands for Wikipedia itself.

    ``timeout``: seconds to connect, to the first byte, and for the rest, each, of two requests.
    """

    @tool(timeout=6 * timeout)
    def wikipedia(article: str, show: Show = "summary", section: str = "", language: Language = "auto") -> ToolResult:
        """Reads Wikipedia: the summary of an article with its list of sections, one section in full, or a search.

        Args:
            article: the title of an article, or search words, for example Ada Lovelace
            show: summary of the article, section of it, or search for articles
            section: the heading of the section, for example Early life
            language: of the encyclopedia; auto takes that of the title
        """
        if not article.strip():
            raise ToolFailed("The article is missing. Give a title or a few words.", "input")
        if len(article) > _MOST_WORDS:
            raise ToolFailed(f"The title is too long. Use at most {_MOST_WORDS} characters.", "input")
        if show == "section" and not section.strip():
            raise ToolFailed("section is missing: give its heading, as the summary lists them.", "input")
        # The libraries behind it are loaded with the first look-up, not with the program.
        from agent.web.services.mediawiki import Encyclopedia

        encyclopedia = Encyclopedia(url or WIKIPEDIA_URL, timeout, language)
        if show == "search":
            return encyclopedia.search(article)
        return encyclopedia.read(article, section.strip())

    return wikipedia
