"""Where the web services are that tools ask: their public addresses, unless the owner says otherwise."""

from __future__ import annotations

from dataclasses import dataclass, fields
from urllib.parse import urlsplit


@dataclass(frozen=True, slots=True)
class ServiceAddresses:
    """Addresses without what is asked for; none ends with a slash."""

    geocoding: str = "https://geocoding-api.open-meteo.com/v1/search"
    forecast: str = "https://api.open-meteo.com/v1/forecast"
    archive: str = "https://archive-api.open-meteo.com/v1/archive"
    newsapi: str = "https://newsapi.org/v2"
    tmdb: str = "https://api.themoviedb.org/3"
    wolfram: str = "https://www.wolframalpha.com/api/v1/llm-api"
    wolfram_short: str = "https://api.wolframalpha.com/v1/result"
    serper: str = "https://google.serper.dev/search"
    google: str = "https://www.googleapis.com/customsearch/v1"


NAMES = tuple(field.name for field in fields(ServiceAddresses))


def read_addresses(text: str) -> ServiceAddresses:
    """``name=address, name=address``; what is not named keeps its public address.

    Raises ``ValueError`` for another name, or an address that is not one of the web.
    """
    addresses: dict[str, str] = {}
    for part in filter(None, map(str.strip, text.split(","))):
        name, _, address = (piece.strip() for piece in part.partition("="))
        if name not in NAMES:
            raise ValueError(f"must name services as name=address; there are {', '.join(NAMES)}")
        addresses[name] = web_address(address or "nowhere")
    return ServiceAddresses(**addresses)


def web_address(text: str) -> str:
    """The address without a slash at its end, "" for none; ``ValueError`` for one that is not of the web."""
    try:
        parts = urlsplit(text)
    except ValueError:
        parts = urlsplit("")
    if text and (parts.scheme not in ("http", "https") or not parts.hostname or "@" in parts.netloc):
        raise ValueError("must be an address that begins with http:// or https://")
    return text.rstrip("/")
