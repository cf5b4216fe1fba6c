"""What a screen reader says of an answer: its words, without the marks of Markdown."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cache
from typing import TYPE_CHECKING

from agent.text.regex import regex

if TYPE_CHECKING:
    from markdown_it import MarkdownIt
    from markdown_it.token import Token

_MARKS = regex(r"[\\*_`#|\[\]<>&~]|^[ \t]*(?:[-+]|\d+[.)])[ \t]|^[ \t]{4}|^[-=]{2,}", 8)  # re.MULTILINE
_ENDS = {"paragraph_close", "heading_close", "tr_close"}
_AS_THEY_STAND = {"fence", "code_block", "html_block"}  # HTML is shown, too, as it was written
_CELLS = {"th_open", "td_open"}


def aloud(text: str) -> str:
    """The words of ``text``, a line for each of its paragraphs, items and rows; the cells of a row after commas."""
    if not _MARKS.search(text):
        return text
    lines = "".join(_words(_reader().parse(text))).split("\n")
    return "\n".join(filter(None, map(str.strip, lines))) or text


@cache
def _reader() -> MarkdownIt:
    from markdown_it import MarkdownIt

    return MarkdownIt("commonmark").enable(["table", "strikethrough"])


def _words(tokens: Sequence[Token]) -> Iterator[str]:
    first = True
    for token in tokens:
        if token.type == "tr_open":
            first = True
        elif token.type in _CELLS:
            yield "" if first else ", "
            first = False
        elif token.type == "inline":
            yield from _of_line(token.children or ())
        elif token.type in _ENDS:
            yield "\n"
        elif token.type in _AS_THEY_STAND:
            yield f"{token.content}\n"


def _of_line(tokens: Sequence[Token]) -> Iterator[str]:
    for token in tokens:
        if token.type == "image":
            yield from _of_line(token.children or ())
        elif token.type in ("softbreak", "hardbreak"):
            yield " "
        else:
            yield token.content
