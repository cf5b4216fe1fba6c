"""Which service a search goes to: the one that the owner named, or the first that has what it needs."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Protocol

from agent.interface_text import Text
from agent.settings import SearchChoice, Settings
from agent.toolkit.base import ToolResult

SERPAPI_URL = "https://serpapi.com"
WIKIPEDIA_URL = "https://{language}.wikipedia.org/w/api.php"


class Provider(Protocol):
    @property
    def name(self) -> str: ...

    def look_up(self, query: str) -> ToolResult: ...


@dataclass(frozen=True, slots=True)
class Access:
    """What the owner set up for search. An empty address stands for the service's own.

    ``{language}`` in ``wikipedia_url`` becomes ``en`` or ``ja`` by the script of the query.
    """

    choice: SearchChoice = "auto"
    serpapi_key: str = field(default="", repr=False)
    serpapi_url: str = ""
    serper_key: str = field(default="", repr=False)
    serper_url: str = ""
    google_key: str = field(default="", repr=False)
    google_cse_id: str = field(default="", repr=False)
    google_url: str = ""
    searxng_url: str = ""
    wikipedia_url: str = ""

    @property
    def service(self) -> SearchChoice:
        """The service to ask, never ``auto``."""
        if self.choice != "auto":
            return self.choice
        if self.serpapi_key.strip():
            return "serpapi"
        if self.serper_key:
            return "serper"
        if self.google_key and self.google_cse_id:
            return "google"
        return "searxng" if self.searxng_url else "wikipedia"

    @property
    def missing(self) -> str:
        """What the service needs and has not, in a sentence; "" where it can be asked."""
        match self.service:
            case "serpapi" if not self.serpapi_key.strip():
                return "Needs SERPAPI_API_KEY: serpapi.com/manage-api-key."
            case "serper" if not self.serper_key:
                return "Needs SERPER_API_KEY: serper.dev/api-key."
            case "google" if not self.google_key:
                return "Needs GOOGLE_API_KEY: developers.google.com/custom-search/v1/introduction."
            case "google" if not self.google_cse_id:
                return "Needs GOOGLE_CSE_ID: programmablesearchengine.google.com."
            case "searxng" if not self.searxng_url:
                return Text("Needs SEARXNG_URL, the address of a SearXNG that gives JSON: docs.searxng.org.")
            case _:
                return ""

    def provider(self, timeout: float) -> Provider:
        """The libraries behind the providers are loaded with the first search, not with the program."""
        match self.service:
            case "serpapi":
                from agent.tools.search.serpapi_client import SerpApi

                return SerpApi(self.serpapi_key.strip(), self.serpapi_url or SERPAPI_URL, timeout)
            case "serper":
                from agent.tools.search.serper import Serper

                return Serper(self.serper_key, self.serper_url, timeout)
            case "google":
                from agent.tools.search.google import Google

                return Google(self.google_key, self.google_cse_id, self.google_url, timeout)
            case "searxng":
                from agent.tools.search.searxng import SearXNG

                return SearXNG(self.searxng_url, timeout)
            case _:
                from agent.web.services.mediawiki import Wikipedia

                return Wikipedia(self.wikipedia_url or WIKIPEDIA_URL, timeout)


def access(settings: Settings) -> Access:
    return Access(
        choice=settings.search,
        serpapi_key=settings.serpapi_key.reveal(),
        serpapi_url=settings.serpapi_url,
        serper_key=settings.serper_key.reveal(),
        serper_url=settings.services.serper,
        google_key=settings.google_key.reveal(),
        google_cse_id=settings.google_cse_id.reveal(),
        google_url=settings.services.google,
        searxng_url=settings.searxng_url,
        wikipedia_url=settings.wikipedia_url,
    )
