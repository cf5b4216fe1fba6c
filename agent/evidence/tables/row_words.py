"""What a row of a table says, each word with the column that says it."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import NamedTuple

from agent.evidence.tables.cell_words import in_capitals, tokens, words_of_day
from agent.evidence.tables.stems import HAN
from agent.evidence.tables.table_model import Cell
from agent.text.quantities.day_mentions import Day
from agent.text.regex import regex

_SECTION, _SEVERAL = -1, -3  # instead of the number of a column
_MAY_BE_DAY = regex(r"(?=.{3,30}$)(?:[^\W\d_]{1,12}\.?,? )?(?:[^\W\d_]{3,9}\.?[ -])?([0-9])")


class CellText(NamedTuple):
    """What a cell says; ``parted``: where spaces part its words; ``letters``: some of it is no number."""

    column: int
    said: frozenset[str]
    parted: bool
    letters: bool


class RowWords(NamedTuple):
    """What a row says: its words, each with its column or a sign for none, its label, its texts without quantities."""

    words: Mapping[str, int]
    label: frozenset[str]
    texts: list[CellText]


def row_words(cells: Sequence[Cell], section: frozenset[str], day_at: Callable[[int], Day | None]) -> RowWords:
    """What cells say, those that are days in other words, too, and the ``section`` that they stand in."""
    words: dict[str, int] = {}
    texts: list[tuple[Cell, frozenset[str]]] = []
    for cell in cells:
        said = tokens(cell.text.lower()) or in_capitals(cell.text, 0, len(cell.text))
        for word in said:
            words[word] = cell.column if words.get(word, cell.column) == cell.column else _SEVERAL
        if cell.text and not cell.numeric:
            texts.append((cell, said))
        number = _MAY_BE_DAY.match(cell.text)  # "2025-09-08", "Mon 08 Sep"
        if number is not None and (day := day_at(cell.start + number.start(1))) is not None:
            words |= dict.fromkeys(words_of_day(day), cell.column)
    for word in section:
        words[word] = _SECTION if word not in words else _SEVERAL
    read = [
        CellText(cell.column, said, not HAN.search(cell.text), any([word[0].isalpha() for word in said]))
        for cell, said in texts
        if said
    ]
    return RowWords(words, texts[0][1] if texts else frozenset(), read)
