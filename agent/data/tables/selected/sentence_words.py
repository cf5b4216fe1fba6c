"""The words of a question: which phrases, columns and tables they may be, from each place on."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field

from agent.data.tables.questions.table_lexicon import NUMBERS, Token
from agent.data.tables.questions.table_schema import Column, Table
from agent.data.tables.selected.names_meant import Meant, MeantTable, columns_meant, phrase_lengths, tables_at
from agent.data.tables.selected.selection import Condition
from agent.data.tables.selected.table_links import links


@dataclass(frozen=True, slots=True)
class Clause:
    """A condition, the place behind it, how far its words are from what they mean, and the column it is ``of``."""

    condition: Condition
    end: int
    cost: int = 0
    of: Column | None = None


@dataclass(frozen=True, slots=True)
class Sentence:
    """The words of a question and the tables it may be of."""

    said: tuple[Token, ...]
    tables: tuple[Table, ...]
    _phrases: dict[tuple[str, str, int], list[int]] = field(default_factory=dict[tuple[str, str, int], list[int]])
    _columns: dict[tuple[int, str], list[Meant]] = field(default_factory=dict[tuple[int, str], list[Meant]])
    _entities: dict[int, list[MeantTable]] = field(default_factory=dict[int, list[MeantTable]])

    def typed(self, place: int) -> str:
        return self.said[place].text.casefold() if place < len(self.said) and self.said[place].kind != "quoted" else ""

    def after(self, kind: str, meaning: str, place: int) -> list[int]:
        """The places behind such a phrase, the farthest first."""
        key = (kind, meaning, place)
        if key not in self._phrases:
            self._phrases[key] = [place + length for length in phrase_lengths(kind, meaning, place, self.said)]
        return self._phrases[key]

    def past(self, place: int, *words: str) -> int:
        """The first place from ``place`` on whose word is none of those."""
        while place < len(self.said) and self.typed(place) in words:
            place += 1
        return place

    def idle(self, place: int) -> int:
        """The first place from ``place`` on with a word that says something."""
        while True:
            ends = self.after("phrases", "idle", place)
            if not ends:
                return place
            place = ends[0]

    def columns(self, place: int, table: Table) -> list[Meant]:
        """The columns that words from ``place`` on may mean; none for the name of a table that no column is called."""
        if place >= len(self.said):
            return []
        if (place, table.name) not in self._columns:
            lengths = {entity.length for entity in self.entities(place) if not entity.cost}
            found = columns_meant(place, self.said, table)
            self._columns[place, table.name] = [one for one in found if not one.cost or one.length not in lengths]
        return self._columns[place, table.name]

    def entities(self, place: int) -> list[MeantTable]:
        if place >= len(self.said):
            return []
        if place not in self._entities:
            self._entities[place] = tables_at(place, self.said, self.tables)
        return self._entities[place]

    def named(self, place: int, table: Table) -> list[MeantTable]:
        """The ways to read the words there as the name of ``table``."""
        return [one for one in self.entities(place) if one.table.name == table.name]

    def near(self, table: Table) -> list[Table]:
        """The tables that a link leads to from ``table``."""
        return [hop.table for hop in links(self.tables).get(table.name, ())]


def begins(place: int, sentence: Sentence) -> Iterator[int]:
    """Where a condition may begin behind "whose", "with the", "that have a"."""
    yield place
    yield sentence.past(sentence.past(place, "that", "who", "which", "where"), "is", "are", "was", "were")
    for start in (place, sentence.past(place, "that", "who", "which")):
        for end in sentence.after("phrases", "whose", start):
            yield sentence.past(end, "a", "an", "the", "their", "its", "either")


def figure_at(token: Token) -> str:
    """The number as SQL has it; "" where it is none."""
    if token.kind == "day":
        return token.text.replace("/", "-")
    text = token.text if token.kind in ("number", "quoted", "word") else ""
    if token.kind == "word":
        return str(NUMBERS[token.word]) if token.word in NUMBERS else ""
    found = re.fullmatch(r"[$€£¥]?(-?[\d,]+(?:\.\d+)?)([kKmM]?)", text.strip())
    if found is None or not re.search(r"\d", found[1]):
        return ""
    plain = found[1].replace(",", "")
    if not found[2]:
        return plain
    return f"{float(plain) * (1_000_000 if found[2] in 'mM' else 1_000):.0f}"
