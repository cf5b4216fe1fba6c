"""Lists and columns that an observation shows: tables with bars, tabs or commas, JSON, bullets."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from fractions import Fraction

from agent.evidence.lookup.context import is_json
from agent.evidence.sources import Source
from agent.text.quantities.number_words import LONGEST, exact

MOST_COLUMNS = 40
MOST_CELLS = 1_000

_NUMBER = re.compile(r"-?[0-9][0-9,.]*")
_FIELD = re.compile(r'"([^"\n]{1,40})"[ ]?:[ ]?(-?[0-9][0-9.]*)?')
_ARRAY = re.compile(r"\[([^\[\]{}\"]+)\]")
_BULLET = re.compile(r"[ \t]*(?:[-*•]|[0-9]{1,3}[.)])[ \t]")
_COUNT = re.compile(r"(?<![\w.])([0-9][0-9,.]*)[ ]?([^\W0-9_]{1,20})")
_RULE = re.compile(r"[ |:+-]*$")


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


def columns_of(source: Source, index: int) -> list[Column]:
    """At most ``MOST_COLUMNS`` columns with two values or more; the time is linear in the text."""
    found = list(_fields(source, index)) if is_json(source.text) else list(_tables(source, index))
    found += _arrays(source, index)
    return found[:MOST_COLUMNS]


def _fields(source: Source, index: int) -> Iterable[Column]:
    fields: dict[str, list[re.Match[str]]] = {}
    for match in _FIELD.finditer(source.text):
        fields.setdefault(match[1], []).append(match)
    for name, matches in fields.items():
        values = tuple(match[2] for match in matches[:MOST_CELLS] if match[2])
        if len(matches) >= 2:
            yield Column(index, name, values, matches[0].start(), matches[-1].end(), len(matches))


def _arrays(source: Source, index: int) -> Iterable[Column]:
    for match in _ARRAY.finditer(source.text):
        parts = match[1].split(",")
        numbers = [_NUMBER.fullmatch(part.strip()) for part in parts[:MOST_CELLS]]
        values = tuple(number[0] for number in numbers if number is not None)
        if len(values) >= 2 and len(values) == len(numbers):
            yield Column(index, "list", values, match.start(), match.end(), len(values))


def _tables(source: Source, index: int) -> Iterable[Column]:
    block: list[tuple[int, list[str]]] = []
    mark, position = "", 0
    for line in source.text.splitlines(keepends=True):
        here = _mark(line)
        if here != mark or not here:
            yield from _table(block, index, mark)
            block, mark = [], here
        if here:
            block.append((position, _cells(line, here)))
        position += len(line)
    yield from _table(block, index, mark)


def _mark(line: str) -> str:
    if line.count("|") >= 2:
        return "|"
    if "\t" in line:
        return "\t"
    if line.count(",") >= 1 and ", " not in line and not line.rstrip().endswith("."):
        return ","
    return "-" if _BULLET.match(line) else ""


def _cells(line: str, mark: str) -> list[str]:
    if mark == "-":
        return [line]
    text = line.strip()
    return [cell.strip() for cell in (text.strip("|") if mark == "|" else text).split(mark)]


def _table(block: list[tuple[int, list[str]]], index: int, mark: str) -> Iterable[Column]:
    rows = [(position, cells) for position, cells in block if not _RULE.match("".join(cells))][:MOST_CELLS]
    if len(rows) < 2:
        return
    start, end = rows[0][0], rows[-1][0] + sum(len(cell) + 1 for cell in rows[-1][1])
    if mark == "-":
        yield Column(index, "list", (), start, end, len(rows))
        yield from _counted(rows, index, start, end)
        return
    head = rows[0][1]
    body = rows if any(_NUMBER.fullmatch(cell) for cell in head) else rows[1:]
    for place, name in enumerate(head[:MOST_COLUMNS]):
        cells = [cells[place] for _, cells in body if place < len(cells)]
        numbers = [match for cell in cells if len(cell) < 60 and (match := _NUMBER.search(cell)) is not None]
        values = tuple(match[0].rstrip(".,") for match in numbers)
        title = name if body is not rows else "column"
        yield Column(index, title, values, start, end, len(body), next(iter(cells), "")[:60])


def _counted(rows: list[tuple[int, list[str]]], index: int, start: int, end: int) -> Iterable[Column]:
    """What every entry of a list counts: "80 bugs fixed" in each line gives a column "bugs"."""
    counts: dict[str, list[str]] = {}
    for _, cells in rows:
        for noun, value in {match[2].lower(): match[1] for match in _COUNT.finditer(cells[0][:300])}.items():
            counts.setdefault(noun, []).append(value.rstrip(".,"))
    for noun, values in list(counts.items())[:MOST_COLUMNS]:
        if len(values) == len(rows):
            yield Column(index, noun, tuple(values), start, end, len(rows))
