"""Columns and lists that an observation shows: those of its tables, bullets, arrays of numbers."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from fractions import Fraction
from itertools import chain, islice

from agent.evidence.sources import Source
from agent.evidence.tables.table_model import MOST_CELLS, MOST_COLUMNS, NUMBER, Table
from agent.text.quantities.number_words import LONGEST, exact
from agent.text.regex import regex

_ARRAY = regex(r"\[([^\[\]{}\"]+)\]")
_BULLET = regex(r"[ \t]*(?:[-*•]|[0-9]{1,3}[.)])[ \t]")


@dataclass(frozen=True, slots=True)
class Column:
    """Numbers of one kind in one source, as written, with the place from the first to the last.

    ``items`` counts its rows. ``sample`` is its first cell, whose unit is that of all.
    """

    source: int
    name: str
    raw: tuple[str, ...]
    start: int
    end: int
    items: int
    sample: str = ""

    @property
    def values(self) -> tuple[Fraction, ...]:
        return tuple(_signed(exact(text.lstrip("-")[:LONGEST])[0], text) for text in self.raw)

    @property
    def sizes(self) -> list[float]:
        """``values`` as floats."""
        return [_rough(text) for text in self.raw]


def _signed(value: Fraction, text: str) -> Fraction:
    return -value if text.startswith("-") else value


def _rough(text: str) -> float:
    try:
        return float(text.replace(",", ""))
    except ValueError:  # 1.2.3
        return float(_signed(exact(text.lstrip("-")[:LONGEST])[0], text))


def columns_of(table: Table, index: int) -> Iterable[Column]:
    """The columns of a table of source ``index``: with values where they hold numbers."""
    for head, (cells, numbers) in zip(table.column_heads, table.numbers, strict=False):
        if cells:
            values = numbers if 2 * len(numbers) > len(cells) else ()
            name = " ".join(head.split())[:60] or "column"
            yield Column(index, name, values, cells[0].start, cells[-1].end, len(table.body), cells[0].text[:60])


def lists_of(source: Source, index: int) -> Iterable[Column]:
    """Bullets and arrays of numbers, in time linear in the text."""
    yield from islice(chain(_bullets(source, index), _arrays(source, index)), MOST_COLUMNS)


def _bullets(source: Source, index: int) -> Iterable[Column]:
    block: list[tuple[int, str]] = []
    position = 0
    for line in (*source.text.splitlines(keepends=True), ""):
        if _BULLET.match(line):
            block.append((position, line))
        else:
            if len(block) >= 2:
                end = block[-1][0] + len(block[-1][1])
                yield Column(index, "list", (), block[0][0], end, len(block))
            block = []
        position += len(line)


def _arrays(source: Source, index: int) -> Iterable[Column]:
    for match in _ARRAY.finditer(source.text):
        parts = match[1].split(",")
        numbers = [NUMBER.fullmatch(part.strip()) for part in parts[:MOST_CELLS]]
        values = tuple(number[0] for number in numbers if number is not None)
        if len(values) >= 2 and len(values) == len(numbers):
            yield Column(index, "list", values, match.start(), match.end(), len(values))
