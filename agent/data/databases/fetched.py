"""A result, as much of it as is kept: bounded in rows and characters, as JSON for the page, as text for a model."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from agent.data.tables.cells import json_value, text_table

MOST_ROWS = 5_000
MOST_CHARACTERS = 3_000_000
MOST_COLUMNS = 1_000
CHUNK = 200  # rows
_TO_MODEL = 50  # rows
_TO_MODEL_CHARACTERS = 4_000

Row = Sequence[Any]


@dataclass(frozen=True, slots=True)
class Fetched:
    """``rows`` are the first of the result, ``more`` whether there are others."""

    columns: tuple[tuple[str, str], ...]
    rows: tuple[Row, ...]
    more: bool

    def answer(self, total: int | None) -> dict[str, Any]:
        """``total`` are all rows of the result, ``None`` where they were not counted."""
        columns = [{"name": name, "type": kind} for name, kind in self.columns]
        counted = len(self.rows) if not self.more else total if total is not None else len(self.rows) + 1
        whole = {"columns": columns, "rows": self.rows, "total": counted}
        return {**whole, "at_least": self.more and total is None, "text": self._text(total)}

    def _text(self, total: int | None) -> str:
        if not self.rows:
            names = ", ".join(f"{name} {kind}" for name, kind in self.columns)
            return f"No rows. The columns would be: {names[:1000]}. Check the filters and the values you compare with."
        body, shown = text_table(self.columns, self.rows[:_TO_MODEL], _TO_MODEL_CHARACTERS)
        kept = len(self.rows)
        count = f"more than {kept:,}" if self.more and total is None else f"{total if self.more else kept:,}"
        rest = "" if shown == kept and not self.more else f"; the first {shown}"
        cut = f" (only {kept:,} were kept for the person: ask for less, or count and sum in SQL)" if self.more else ""
        return f"{count} row{'' if count == '1' else 's'}{cut}{rest}:\n{body}"


def fetched(
    columns: Sequence[tuple[str, str]], fetch: Callable[[int], Sequence[Row]], most: int = MOST_ROWS
) -> Fetched:
    """What ``fetch``, which gives at most so many rows at a time, has, up to the bounds."""
    rows: list[Row] = []
    used = 0
    while chunk := fetch(CHUNK):
        for row in chunk:
            cells = [json_value(cell) for cell in row[:MOST_COLUMNS]]
            used += sum(len(cell) if isinstance(cell, str) else 8 for cell in cells)
            if len(rows) >= most or (rows and used > MOST_CHARACTERS):
                return Fetched(tuple(columns[:MOST_COLUMNS]), tuple(rows), more=True)
            rows.append(cells)
    return Fetched(tuple(columns[:MOST_COLUMNS]), tuple(rows), more=False)
