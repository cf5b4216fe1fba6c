"""Makes text inert for Streamlit's Markdown (1.67).

A backslash is not enough for everything: Streamlit looks for ``:material/…:``, emoji names, its arrows and bare
addresses in the text that is left once the backslashes are gone. A word joiner, which is not seen, keeps those apart.
"""

from __future__ import annotations

from agent.text.regex import regex

JOINER = "\u2060"
_MARKS = str.maketrans({mark: f"\\{mark}" for mark in "\\`*_{}[]<>()#+-.!|~$=&^:"})
SHORTCODE = regex(r":(?=material/|(?!\d{1,2}:)(?:\\?[\w+-]){1,64}\\?:)")
_ARROW = regex(r"(?<!\S)(?=(?:<->|<-|->|--|[<>~]=)(?!\S))")
_ADDRESS = regex(r"(?i:(?<=http)|(?<=https)):(?=/)|(?i:(?<=www))(?=\.)|(?<=\w)(?=@\w)")


def inert(text: str) -> str:
    """Text in whose lines Markdown finds nothing: no mark, no address, no directive, no symbol."""
    return with_marks(_ADDRESS.sub(rf"\g<0>{JOINER}", text))


def with_marks(text: str) -> str:
    """As ``inert``, for the text of a link: an address in it is not made a link of its own."""
    return _ARROW.sub(JOINER, SHORTCODE.sub(f":{JOINER}", text)).translate(_MARKS)
