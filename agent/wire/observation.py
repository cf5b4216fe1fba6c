"""How a tool's text becomes part of a prompt: cut to size, fenced, and unable to pass for the model's own words."""

from __future__ import annotations

import re

from agent.prompts import render
from agent.text.characters import whole
from agent.text.regex import regex
from agent.wire.react.patterns import STEP_WORDS

MOST_CHARACTERS = 6_000
LONG = 400  # characters from which on an observation of before may be told by its beginning
_HEAD = 200
# Every label that begins a step or an answer, in any language that is read.
_LABEL_LINE = regex(rf"^(?=[\W\d_]{{0,8}}(?:{STEP_WORDS}|AI)\W{{0,3}}[:：])", re.I | re.M)


def cap(text: str, most: int = MOST_CHARACTERS) -> str:
    """``text`` with its middle left out where it is longer than ``most`` characters; two thirds of them are head.

    A half of a character, as of a file's name that is no UTF-8, can neither be kept nor sent: it is replaced.
    """
    text = whole(text)
    if len(text) <= most:
        return text
    head, tail = text[: most * 2 // 3], text[-(most // 3) :]
    return f"{head}\n… {len(text) - len(head) - len(tail):,} characters left out …\n{tail}"


def shortened(text: str, handle: str, language: str) -> str:
    """The beginning of a long ``text``, and by which ``handle`` the tool ``recall`` gives all of it."""
    if len(text) <= LONG:
        return text
    return f"{text[:_HEAD].rstrip()} …\n{render(language, 'shortened', size=f'{len(text):,}', handle=handle)}"


def fence(text: str) -> str:
    """``text`` as data: one line stays as it is, more go between ``<data>`` lines.

    Lines that look like labels of the text wire are marked with a bar, and a closing fence inside is broken, so that
    nothing inside reads as the model's own step or as the end of the data.
    """
    if "\n" not in text:
        return text
    inner = _LABEL_LINE.sub("| ", text).replace("</data>", "< /data>")
    return f"<data>\n{inner}\n</data>"
