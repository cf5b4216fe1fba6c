"""Tables and pictures that tools made, read again for the page: their bytes may be anything."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal, cast

from agent.data.tables.cells import spreadsheet_cell
from agent.data.tables.headings import Heading, names_not_amounts
from agent.interface_text import Text, unpacked

PNG = b"\x89PNG\r\n\x1a\n"
_MOST_NOTES = 12
_MOST_PIXELS = 50_000_000
Numbers = Literal["amounts", "names", "none"]
Cell = str | int | float | bool | None
# The last line of a CSV file that is cut.
CUT = Text("There are more rows. They are not in this file.")


@dataclass(frozen=True, slots=True)
class ShownTable:
    """``rows`` are the first of ``total``; no two ``columns`` have one name. ``sql`` is what gave it, if known.

    ``at_least``: there are more than ``total``. ``headings`` stand above the columns for a person, where known;
    ``notes`` say what was put right in the tables that it was made from.
    """

    columns: tuple[str, ...]
    rows: tuple[tuple[Cell, ...], ...]
    total: int
    sql: str = ""
    at_least: bool = False
    headings: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()

    @property
    def numbers(self) -> tuple[Numbers, ...]:
        """What the cells of each column are: amounts, numbers that name things (years, ids), or none."""
        columns = zip(*self.rows, strict=True) if self.rows else (() for _ in self.columns)
        return tuple(_numbers(name, cells) for name, cells in zip(self.columns, columns, strict=True))

    @property
    def whole(self) -> bool:
        return len(self.rows) >= self.total

    def csv(self, cut: str = str(CUT)) -> bytes:
        """The rows as CSV that a spreadsheet opens without running what is in it; ``cut`` ends it where it is cut."""
        written = io.StringIO(newline="")
        writer = csv.writer(written)
        writer.writerow([spreadsheet_cell(name) for name in self.columns])
        writer.writerows([spreadsheet_cell(cell) for cell in row] for row in self.rows)
        if self.at_least or not self.whole:
            writer.writerow([cut])
        return written.getvalue().encode("utf-8-sig", "replace")


def read_table_artifact(content: bytes) -> ShownTable | None:
    """The table; ``None`` where it is none."""
    return read_table(_mapping(content))


def read_table(whole: Mapping[str, Any]) -> ShownTable | None:
    """The table of an answer with ``columns``, ``rows`` and ``total``; ``None`` where it is none."""
    try:
        names = [str(column["name"]) for column in whole["columns"]]
        rows = tuple(tuple(_cell(value) for value in row) for row in whole["rows"])
        total = int(whole["total"])
        headings = tuple(map(_heading, whole["columns"])) if any("title" in one for one in whole["columns"]) else ()
    except (AttributeError, KeyError, TypeError, ValueError):
        return None
    if any(len(row) != len(names) for row in rows):
        return None
    sql, notes = str(whole.get("sql") or ""), tuple(map(unpacked, _texts(whole.get("notes"))))
    return ShownTable(_different(names), rows, total, sql, bool(whole.get("at_least")), headings, notes)


def read_chart_artifact(content: bytes) -> dict[str, Any] | None:
    """The Vega-Lite specification, not checked for what it would fetch; ``None`` where it is none."""
    return _mapping(content) or None


def is_picture(content: bytes) -> bool:
    """Whether it begins as a PNG of a size that can be drawn."""
    if not content.startswith(PNG) or content[12:16] != b"IHDR":
        return False
    width, height = (int.from_bytes(content[start : start + 4]) for start in (16, 20))
    return 0 < width * height <= _MOST_PIXELS


def _mapping(content: bytes) -> dict[str, Any]:
    try:
        whole: object = json.loads(content)
    except (ValueError, RecursionError):
        return {}
    return dict(cast("Mapping[str, Any]", whole)) if isinstance(whole, dict) else {}


def _numbers(name: str, cells: Sequence[Cell]) -> Numbers:
    given = [cell for cell in cells if cell is not None]
    if not given or not all(isinstance(cell, int | float) and not isinstance(cell, bool) for cell in given):
        return "none"
    return "names" if names_not_amounts(name, given) else "amounts"


def _heading(column: Mapping[str, Any]) -> str:
    return str(Heading(str(column.get("title") or column["name"]), str(column.get("unit") or "")))


def _texts(value: object) -> list[object]:
    return cast("list[object]", value)[:_MOST_NOTES] if isinstance(value, list) else []


def _cell(value: object) -> Cell:
    return value if value is None or isinstance(value, str | int | float | bool) else str(value)


def _different(names: list[str]) -> tuple[str, ...]:
    taken: list[str] = []
    for name in names:
        column, number = name, 2
        while column in taken:
            column, number = f"{name} ({number})", number + 1
        taken.append(column)
    return tuple(taken)
