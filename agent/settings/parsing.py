"""What a setting's text says: each function raises ``ValueError`` with what it must be."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path

_SERVER_NAME = re.compile(r"[A-Za-z][A-Za-z0-9_-]{0,23}")
_NEXT_NAME = re.compile(rf",\s*(?={_SERVER_NAME.pattern}\s*=)")


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


def choice(*allowed: str) -> Callable[[str], str]:
    def parse(text: str) -> str:
        if text not in allowed:
            raise ValueError(f"must be one of {', '.join(allowed)}")
        return text

    return parse


def count(text: str) -> int:
    if not text.isdecimal():
        raise ValueError("must be a whole number")
    return int(text)


def places(text: str) -> int:
    if not count(text):
        raise ValueError("must be 1 or more")
    return count(text)


def seconds(text: str) -> float:
    seconds = float(text)
    if not 0 <= seconds < 1e9:
        raise ValueError("must be a number of seconds")
    return seconds


def money(text: str) -> float:
    dollars = float(text)
    if not 0 <= dollars < 1e9:
        raise ValueError("must be an amount in US dollars")
    return dollars


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
    found: dict[str, int] = {}
    for pair in names(text):
        name, _, most = (part.strip() for part in pair.partition("="))
        if not (name and most.isdecimal() and int(most)):
            raise ValueError("must be names of tools with the most calls of each, as in search=5, python=3")
        found[name] = int(most)
    return found


def folder(text: str) -> Path | None:
    return Path(text) if text else None
