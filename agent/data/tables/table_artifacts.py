"""Tables and pictures that tools made, read again for the page: their bytes may be anything."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, cast

from agent.data.tables.cells import spreadsheet_cell

PNG = b"\x89PNG\r\n\x1a\n"
_MOST_PIXELS = 50_000_000
Cell = str | int | float | bool | None


@dataclass(frozen=True, slots=True)
class ShownTable:
    """``rows`` are the first of ``total``; no two ``columns`` have one name. ``sql`` is what gave it, if known.

    ``at_least``: there are more than ``total``.
    """

    columns: tuple[str, ...]
    rows: tuple[tuple[Cell, ...], ...]
    total: int
    sql: str = ""
    at_least: bool = False

    @property
    def whole(self) -> bool:
        return len(self.rows) >= self.total

    def csv(self) -> bytes:
        """The rows as CSV that a spreadsheet opens without running what is in it."""
        written = io.StringIO(newline="")
        writer = csv.writer(written)
        writer.writerow([spreadsheet_cell(name) for name in self.columns])
        writer.writerows([spreadsheet_cell(cell) for cell in row] for row in self.rows)
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
    except (KeyError, TypeError, ValueError):
        return None
    if any(len(row) != len(names) for row in rows):
        return None
    return ShownTable(_different(names), rows, total, str(whole.get("sql") or ""), bool(whole.get("at_least")))


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
