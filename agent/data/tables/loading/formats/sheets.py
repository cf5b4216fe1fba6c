"""Excel and OpenDocument files: each sheet with anything in it becomes a table."""

from __future__ import annotations

import csv
from collections.abc import Iterator, Sequence
from datetime import date, datetime, time, timedelta
from pathlib import Path
from typing import Any, cast

from python_calamine import CalamineError, CalamineSheet, CalamineWorkbook, SheetVisibleEnum

from agent.data.refusal import Refused
from agent.data.tables.columns import Table
from agent.data.tables.identifiers import stem
from agent.data.tables.loading.formats.delimited import load_text
from agent.data.tables.loading.load_work import Work, size_words
from agent.data.tables.loading.writing import new_file
from agent.interface_text import Text

_MOST_CELLS = 20_000_000
Cell = int | float | str | bool | time | date | datetime | timedelta


def load_sheets(work: Work, path: Path) -> Sequence[Table]:
    """The tables of all sheets that are not hidden, in their order. Raises ``Refused`` where there is none."""
    damaged = Refused.because("{name} is damaged or its end is missing. Save or download it again.", name=work.name)
    try:
        # The panics of the parser beneath come as BaseException; the process around this one ends with them.
        book: CalamineWorkbook = cast("Any", CalamineWorkbook).from_path(str(path))
        names = [sheet.name for sheet in book.sheets_metadata if sheet.visible == SheetVisibleEnum.Visible]
    except (CalamineError, OSError, ValueError) as error:
        if "password" in str(error).lower():
            raise Refused.because("{name} is protected by a password. Save it without one.", name=work.name) from None
        raise damaged from None
    if len(names) > work.limits.tables:
        raise Refused.because(
            "{name} has {count} sheets; at most {tables} can be loaded.",
            name=work.name,
            count=len(names),
            tables=work.limits.tables,
            kind="size",
        )
    tables: list[Table] = []
    for name in names:
        try:
            sheet = book.get_sheet_by_name(name)
        except (CalamineError, ValueError):
            raise damaged from None
        if table := _sheet(work, sheet, name if len(names) > 1 else stem(work.name)):
            tables.append(table)
            work.taken.add(table.name)
    if not tables:
        raise Refused.because("{name} has no sheet with rows in it.", name=work.name)
    return tables


def _sheet(work: Work, sheet: CalamineSheet, label: str) -> Table | None:
    if not sheet.height or not sheet.width:
        return None
    if sheet.height * sheet.width > _MOST_CELLS:
        raise Refused.because(
            "The sheet {name} has {height:,} rows of {width:,} cells; at most {most:,} cells can be "
            "loaded from Excel. Save it as CSV, and load that.",
            name=sheet.name,
            height=sheet.height,
            width=sheet.width,
            most=_MOST_CELLS,
            kind="size",
        )
    text = work.folder / new_file(".csv.part")
    try:
        with text.open("w", encoding="utf-8", newline="") as file:
            writer = csv.writer(file, lineterminator="\n", quoting=csv.QUOTE_ALL)
            writer.writerows(_rows(sheet))
        if text.stat().st_size > work.limits.unpacked:
            raise Refused.because(
                "{name} has more than {most} once unpacked.",
                name=work.name,
                most=size_words(work.limits.unpacked),
                kind="size",
            )
        try:
            return load_text(work, text, label)
        except Refused as error:
            if error.kind != "file":
                raise
            work.notes.append(Text("The sheet “{name}” was left out: {error}", name=sheet.name, error=error.text))
            return None
    finally:
        text.unlink(missing_ok=True)


def _rows(sheet: CalamineSheet) -> Iterator[list[str]]:
    """The cells as text; rows and columns that are blank around the others are left out."""
    for row in sheet.to_python(skip_empty_area=True):
        yield [_written(cell) for cell in row]


def _written(cell: Cell) -> str:
    if isinstance(cell, bool):
        return "true" if cell else "false"
    if isinstance(cell, float):
        return str(int(cell)) if cell.is_integer() and abs(cell) < 1e15 else repr(cell)
    if isinstance(cell, datetime):
        # Excel counts days as fractions, so that seconds come out a millionth too low.
        moment = cell + timedelta(microseconds=500)
        return cell.date().isoformat() if moment.time() < time(0, 0, 0, 1000) else moment.isoformat(" ", "milliseconds")
    if isinstance(cell, (date, time)):
        return cell.isoformat()
    if isinstance(cell, timedelta):
        return str(cell)
    return str(cell)
