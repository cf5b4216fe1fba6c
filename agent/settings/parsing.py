"""What a setting's text says: each function raises ``ValueError`` with what it must be."""

from __future__ import annotations

import json
import re
from base64 import b64encode
from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass, field, fields
from pathlib import Path
from typing import Any
from urllib.parse import quote, quote_plus, urlsplit

from agent.text.regex import regex

_SERVER_NAME = regex(r"[A-Za-z][A-Za-z0-9_-]{0,23}")
_SHORTEST_HIDDEN, _HIDDEN = 6, "…".encode()
_BUCKET = regex(r"s3://[a-z0-9][a-z0-9.-]{1,61}[a-z0-9](/[A-Za-z0-9_-][A-Za-z0-9._-]{0,99}){0,9}/?")
_NEXT_NAME = regex(rf",\s*(?={_SERVER_NAME.pattern}\s*=)")


@dataclass(frozen=True, slots=True)
class Secret:
    """A key. Only ``reveal`` gives it away; printing it says whether it is set."""

    _value: str = field(default="", repr=False)

    def __bool__(self) -> bool:
        return bool(self._value)

    def __repr__(self) -> str:
        return "Secret(set)" if self._value else "Secret(empty)"

    def reveal(self) -> str:
        return self._value

    def hidden_in(self, said: bytes) -> bytes:
        """What a server said, without a key of six characters or more: servers repeat what they are asked with."""
        if len(self._value) < _SHORTEST_HIDDEN:
            return said
        key = self._value.encode()
        in_text = (json.dumps(self._value)[1:-1], quote(self._value, safe=""), quote_plus(self._value))
        for spelled in {key, b64encode(key), *(each.encode() for each in in_text)}:
            said = said.replace(spelled, _HIDDEN)
        return said


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


def choice(allowed: Collection[str]) -> Callable[[str], str]:
    def parse(text: str) -> str:
        if text not in allowed:
            raise ValueError(f"must be one of {', '.join(allowed)}")
        return text

    return parse


def count(text: str) -> int:
    if not text.isdecimal():
        raise ValueError("must be a whole number")
    return int(text)


def files(text: str) -> str:
    """Where files of chats are kept: "" for the data folder, ``s3://bucket/prefix``, or an absolute folder."""
    if text and not _BUCKET.fullmatch(text) and not (Path(text).is_absolute() and "://" not in text):
        raise ValueError("must be s3://bucket/prefix or the full path of a folder")
    return text


def places(text: str) -> int:
    if not count(text):
        raise ValueError("must be 1 or more")
    return count(text)


def amount(what: str) -> Callable[[str], float]:
    def parse(text: str) -> float:
        if not 0 <= (value := float(text)) < 1e9:
            raise ValueError(f"must be {what}")
        return value

    return parse


def names(text: str) -> tuple[str, ...]:
    return tuple(name.strip() for name in text.split(",") if name.strip())


def databases(text: str) -> tuple[tuple[str, Secret], ...]:
    """Names and URLs; a comma that no name and ``=`` follow is one of the URL."""
    found = [part.partition("=") for part in re.split(r",\s*(?=[^\W\d][\w-]*\s*=\s*\w[\w+]*://)", text) if part.strip()]
    named = [(name.strip(), Secret(url.strip())) for name, _, url in found]
    if not all(re.fullmatch(r"[^\W\d][\w-]{0,39}", name) and "://" in url.reveal() for name, url in named):
        raise ValueError("must be names and URLs: name=URL, name=URL")
    if len({name.lower() for name, _ in named}) < len(named):
        raise ValueError("must have each name once")
    return tuple(named)


def named(text: str) -> tuple[tuple[str, str], ...]:
    """``name=value, name=value``: a comma begins the next pair only where a name and ``=`` follow it.

    Raises ``ValueError`` for what is not that, or for a name that comes twice.
    """
    pairs = [part.partition("=") for part in _NEXT_NAME.split(text) if part.strip()]
    found = {name.strip(): value.strip() for name, _, value in pairs}
    if len(found) < len(pairs) or not all(value and _SERVER_NAME.fullmatch(name) for name, value in found.items()):
        raise ValueError("must be name=address, with names of letters, digits, - and _, at most 24, each only once")
    return tuple(found.items())


def hosts(text: str) -> tuple[tuple[str, str], ...]:
    """As ``named``; each value is a host, or an address of one, without a path."""
    found = named(text)
    for _, host in found:
        parts = urlsplit(host if "://" in host else f"https://{host}")
        web_address(parts.geturl())
        if parts.path.strip("/") or parts.query or parts.fragment or not (parts.port is None or parts.port):
            raise ValueError("must be name=host, or name=http://host:port")
    return found


def methods(text: str) -> tuple[str, ...]:
    methods = tuple(name.upper() for name in names(text))
    if not methods or not set(methods) <= {"GET", "POST", "PUT", "PATCH", "DELETE"}:
        raise ValueError("must be some of GET, POST, PUT, PATCH, DELETE")
    return methods


def key_list(text: str) -> Secret:
    named(text)
    return Secret(text)


def yes(text: str) -> bool:
    if text.lower() not in ("yes", "no"):
        raise ValueError("must be yes or no")
    return text.lower() == "yes"


def temperature(text: str) -> float | None:
    if not text:
        return None
    if not 0 <= float(text) <= 2:
        raise ValueError("must lie between 0 and 2")
    return float(text)


def most_calls(text: str) -> dict[str, int]:
    found = _pairs(text)
    if not all(name and most.isdecimal() and int(most) for name, most in found):
        raise ValueError("must be names of tools with the most calls of each, as in search=5, python=3")
    return {name: int(most) for name, most in found}


def _pairs(text: str) -> list[tuple[str, str]]:
    """``name=value, name=value``, where no value has a comma."""
    parts = [part.partition("=") for part in names(text)]
    return [(name.strip(), value.strip()) for name, _, value in parts]


def read_addresses(text: str) -> ServiceAddresses:
    """``name=address, name=address``; what is not named keeps its public address.

    Raises ``ValueError`` for another name, or an address that is not one of the web.
    """
    found = _pairs(text)
    if not all(name in NAMES for name, _ in found):
        raise ValueError(f"must name services as name=address; there are {', '.join(NAMES)}")
    return ServiceAddresses(**{name: web_address(address or "nowhere") for name, address in found})


def web_address(text: str) -> str:
    """The address without a slash at its end, "" for none; ``ValueError`` for one that is not of the web."""
    try:
        parts = urlsplit(text)
    except ValueError:
        parts = urlsplit("")
    if text and (parts.scheme not in ("http", "https") or not parts.hostname or "@" in parts.netloc):
        raise ValueError("must be an address that begins with http:// or https://")
    return text.rstrip("/")


def origins(text: str) -> tuple[str, ...]:
    """Addresses of sites without a path; ``ValueError`` for anything else."""
    found = tuple(web_address(name) for name in names(text))
    if not all(re.fullmatch(r"https?://[\w.*:-]+", origin, re.ASCII) for origin in found):
        raise ValueError("must be addresses of sites, as in https://example.com, with commas between")
    return found


# The readers of texts by the ``kind`` of a setting in ``settings.toml``.
KINDS: Mapping[str, Callable[[str], Any]] = {
    "text": str,
    "secret": Secret,
    "count": count,
    "places": places,
    "seconds": amount("a number of seconds"),
    "money": amount("an amount in US dollars"),
    "names": names,
    "pairs": named,
    "databases": databases,
    "hosts": hosts,
    "methods": methods,
    "key_list": key_list,
    "yes": yes,
    "temperature": temperature,
    "most_calls": most_calls,
    "files": files,
    "folder": lambda text: Path(text) if text else None,
    "address": web_address,
    "addresses": read_addresses,
    "origins": origins,
}
