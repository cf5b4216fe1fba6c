"""Numbers of an answer that number its own items, and claim nothing: "(1) donors and (2) helpers", ranks of a table."""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache

from agent.evidence.tables.table_forms import tables_in
from agent.evidence.tables.table_model import Cell, Table
from agent.text.characters import lowered
from agent.text.regex import regex

_ITEM = regex(r"(?<![^\s,;:、。：])[(（]?([1-9])[)）](?=[ \u00a0]?[*_]{0,2}[^\W\d_])")
_COUNTED = regex(
    r"[)）][ \u00a0]?(?:and|or|und|oder|et|ou|y|o|e|と)\b"
)  # behind a number that counts what is before it
_PARTING = regex(r"(?:[,;:.、。；：]|\b(?:and|or|und|oder|et|ou|y|o|e|then|sowie|puis))[ \u00a0]*$|^\s*$")
_RANKS = regex(
    r"(?:rank|ranking|#|no\.?|nº|n°|nr\.?|pos\.?|position|place|順位|位|番号|platz|rang|puesto|posición|lugar)"
)
_NUMBER = regex(r"[*_]{0,2}#?([0-9]{1,3})(?:[.)]|位|º|°)?[*_]{0,2}")
_LONGEST = 24  # characters before an item of a sentence that are looked at
_MOST_TABLES = 10


def item_numbers(text: str) -> frozenset[int]:
    """Where the numbers start that count the items of a sentence: 1, 2 and so on in brackets, each before its item."""
    found: set[int] = set()
    start = 0
    for line in text.splitlines(keepends=True) if ")" in text or "）" in text else ():
        found.update(start + place for place in _in_line(line))
        start += len(line)
    return frozenset(found)


def _in_line(line: str) -> list[int]:
    items = list(_ITEM.finditer(line))
    if len(items) < 2 or [int(item[1]) for item in items] != list(range(1, len(items) + 1)):
        return []
    counts = any(_COUNTED.match(line, item.end() - 1) for item in items)
    apart = all(_PARTING.search(line[max(0, item.start() - _LONGEST) : item.start()]) for item in items[1:])
    return [item.start(1) for item in items] if apart and not counts else []


def ranks(text: str) -> frozenset[int]:
    """Where the cells start that number the rows of the answer's own tables: 1, 2 and so on below "Rank" or "#"."""
    return frozenset(start for table in own_tables(text)[:_MOST_TABLES] for start in _in_table(table))


@lru_cache(maxsize=4)
def own_tables(answer: str) -> tuple[Table, ...]:
    """The tables that an answer writes itself."""
    return tuple(tables_in(answer)) if "|" in answer else ()


def _in_table(table: Table) -> Iterator[int]:
    heads = table.column_heads
    for column, head in enumerate(heads[:2]) if table.heads else ():
        if _RANKS.fullmatch(lowered(head).strip(" *_")) is None:
            continue
        cells = [cell for cell in table.column(column) if cell.text]
        if [_number(cell) for cell in cells] == list(range(1, len(cells) + 1)):
            yield from (position for cell in cells for position in range(cell.start, cell.end))


def _number(cell: Cell) -> int:
    match = _NUMBER.fullmatch(cell.text)
    return int(match[1]) if match is not None else 0
