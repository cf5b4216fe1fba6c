"""Characters: which ones never reach a page, and how text is made inert for Streamlit's Markdown (1.67).

A backslash is not enough for everything: Streamlit looks for ``:material/…:``, emoji names, its arrows and bare
addresses in the text that is left once the backslashes are gone. A word joiner, which is not seen, keeps those apart.
"""

from __future__ import annotations

import re

JOINER = "\u2060"
# Controls of the terminal and of the writing direction, and the tag characters: they make a text read as another one.
_UNSEEN = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069\U000e0000-\U000e007f]")
# Half of a character: it cannot be sent to a browser.
_HALF = re.compile("[\ud800-\udfff]")

_MARKS = str.maketrans({mark: f"\\{mark}" for mark in "\\`*_{}[]<>()#+-.!|~$=&^:"})
SHORTCODE = re.compile(r":(?=material/|(?!\d{1,2}:)(?:\\?[\w+-]){1,64}\\?:)")
_ARROW = re.compile(r"(?<!\S)(?=(?:<->|<-|->|--|[<>~]=)(?!\S))")
_ADDRESS = re.compile(r"(?i:(?<=http)|(?<=https)):(?=/)|(?i:(?<=www))(?=\.)|(?<=\w)(?=@\w)")


def readable(text: str) -> str:
    """``text`` without characters that hide or reorder it, its lines ended by ``\\n`` alone."""
    lines = text.replace("\r\n", "\n").replace("\r", "\n")
    return _HALF.sub("\ufffd", _UNSEEN.sub("", lines))


def one_line(text: str, most: int) -> str:
    """``text`` on one line of at most ``most`` characters; nothing in it is escaped."""
    line = " ".join(readable(text).split())
    return line if len(line) <= most else line[: most - 1] + "…"


def inert(text: str) -> str:
    """Text in whose lines Markdown finds nothing: no mark, no address, no directive, no symbol."""
    return with_marks(_ADDRESS.sub(rf"\g<0>{JOINER}", text))


def with_marks(text: str) -> str:
    """As ``inert``, for the text of a link: an address in it is not made a link of its own."""
    return _ARROW.sub(JOINER, SHORTCODE.sub(f":{JOINER}", text)).translate(_MARKS)
