"""Text that came as a table: one line of it, or a column of sentences."""

from __future__ import annotations

from collections.abc import Sequence

from agent.data.refusal import Refused
from agent.interface_text import Text

AS_TEXT = Text("To ask about what it says, save it as a text file (.txt) or a document, and load that.")
_FEWEST_WORDS = 5  # of a sentence
_FULL_STOPS = ("。", "！", "？")
_ENDS = (".", "!", "…", "。", "！")  # a question may well be the head of its answers
_LOOKED_AT = 200  # rows


def is_prose(rows: Sequence[Sequence[str]]) -> bool:
    """Whether a column of several rows begins with a whole sentence, and most of its other cells are sentences, too."""
    cells = [" ".join(row).strip() for row in rows[:_LOOKED_AT]]
    return len(cells) > 1 and is_whole(cells[0]) and 4 * sum(map(_is_sentence, cells)) >= 3 * len(cells)


def is_whole(text: str) -> bool:
    """Whether it is a sentence that ends as one."""
    return _is_sentence(text.strip()) and text.strip().endswith(_ENDS)


def _is_sentence(text: str) -> bool:
    return len(text.split()) >= _FEWEST_WORDS or (text.endswith(_FULL_STOPS) and len(text) > _FEWEST_WORDS)


def no_body(complete: bool, row: str, most: int) -> Refused:
    """Why there is nothing below the header: of a longer text, its first row goes on beyond what is looked at."""
    if complete and is_whole(row):
        return Refused.because("This file has one line of text and no table. {hint}", hint=AS_TEXT)
    if complete:
        return Refused.because("This file has names for columns, but no rows.")
    return Refused.because(
        "The first row of this file is longer than the {most:,} characters that can be read.", most=most
    )
