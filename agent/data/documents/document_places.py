"""Where a passage stands, as an address within the app: what a source of the ``documents`` tool has for a link."""

from __future__ import annotations

from dataclasses import dataclass

from agent.text.regex import regex

_DOCUMENT = regex(r"documents\?c=([0-9a-f]{32})&d=([0-9a-f]{32})&p=(\d{1,9})")
_CHAPTER = regex(r"handbook\?chapter=([a-z]{2}-[a-z0-9-]{1,40})&p=(\d{1,9})")


@dataclass(frozen=True, slots=True)
class Place:
    """``page`` is that of the app, ``values`` are what its address says."""

    page: str
    values: dict[str, str]


def address_in_document(conversation: str, document: str, passage: int) -> str:
    return f"documents?c={conversation}&d={document}&p={passage}"


def address_in_handbook(chapter: str, passage: int) -> str:
    return f"handbook?chapter={chapter}&p={passage}"


def place_at(address: str) -> Place | None:
    """The place of such an address; ``None`` for any other."""
    if found := _DOCUMENT.fullmatch(address):
        return Place("documents", {"c": found[1], "d": found[2], "p": found[3]})
    if found := _CHAPTER.fullmatch(address):
        return Place("handbook", {"chapter": found[1], "p": found[2]})
    return None
