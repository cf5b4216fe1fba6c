"""Excel, OpenDocument and SQLite files: each sheet or table with rows in it becomes a table, by way of CSV.

An SQLite file may be made to break its reader, so it is opened as tightly as can be.
"""

from __future__ import annotations

import csv
import sqlite3
import zipfile
import zlib
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import closing, suppress
from dataclasses import replace
from datetime import date, datetime, time, timedelta
from itertools import chain
from pathlib import Path
from typing import Any, cast

from agent.data.refusal import Refused, damaged, locked
from agent.data.tables.columns import Table
from agent.data.tables.identifiers import quoted, stem
from agent.data.tables.loading.formats.delimited import load_text
from agent.data.tables.loading.formats.shown_units import Columns, columns_with_units, with_its_unit
from agent.data.tables.loading.load_work import Work, check_columns, first_of, new_file, size_words
from agent.interface_text import Text
from agent.text.encodings import MEBIBYTE
from agent.text.regex import regex

_MOST_CELLS = 20_000_000
_BETWEEN_LOOKS = 10_000  # rows
_WIDEST = 16_384  # columns of a sheet in LibreOffice and Excel
_REPEATED = regex(rb"number-columns-repeated\s*=\s*[\"']\s*(\d{1,30})")
_YEARS = range(1900, 2100)
_LONGEST_REPEAT = 100  # bytes, of what the expression matches
Cell = int | float | str | bool | time | date | datetime | timedelta
_LIMITS = {
    sqlite3.SQLITE_LIMIT_LENGTH: 2_000_000,
    sqlite3.SQLITE_LIMIT_SQL_LENGTH: 100_000,
    sqlite3.SQLITE_LIMIT_EXPR_DEPTH: 100,
    sqlite3.SQLITE_LIMIT_ATTACHED: 0,
    sqlite3.SQLITE_LIMIT_VDBE_OP: 250_000,
    sqlite3.SQLITE_LIMIT_TRIGGER_DEPTH: 1,
}
_TELLING = {"foreign_key_list", "table_info"}  # pragmas, which tell of the schema only
_READING = {sqlite3.SQLITE_SELECT, sqlite3.SQLITE_READ}


def by_csv(work: Work, name: str, rows: Iterable[Sequence[object]], label: str, header: bool | None = None) -> Table:
    """The table of these rows, which are those of ``name``. Raises ``Refused``."""
    text = work.folder / new_file(".csv.part")
    try:
        with text.open("w", encoding="utf-8", newline="") as file:
            writer = csv.writer(file, lineterminator="\n", quoting=csv.QUOTE_ALL)
            for number, row in enumerate(rows, 1):
                writer.writerow(row)
                if not number % _BETWEEN_LOOKS:
                    _check_size(work, name, text)
        _check_size(work, name, text)
        return load_text(work, text, label, header)
    finally:
        text.unlink(missing_ok=True)


def _check_size(work: Work, name: str, text: Path) -> None:
    if text.stat().st_size > work.limits.unpacked:
        raise Refused.because(
            "{name} has more than {most} once unpacked.", kind="size", name=name, most=size_words(work.limits.unpacked)
        )


def load_sheets(work: Work, path: Path) -> Sequence[Table]:
    """The tables of all sheets that are not hidden, in their order. Raises ``Refused`` where there is none."""
    _check_repeats(work, path)
    from python_calamine import CalamineError, CalamineWorkbook, SheetVisibleEnum

    try:
        # The panics of the parser beneath come as BaseException; the process around this one ends with them.
        book: CalamineWorkbook = cast("Any", CalamineWorkbook).from_path(str(path))
        sheets = [(sheet.name, sheet.visible == SheetVisibleEnum.Visible) for sheet in book.sheets_metadata]
    except (CalamineError, OSError, ValueError) as error:
        if "password" in str(error).lower():
            raise locked(work.name) from None
        raise damaged(work.name) from None
    names = [name for name, visible in sheets if visible]
    work.check_tables(len(names))
    units = columns_with_units(path)

    empty: list[str] = []

    def loaded(name: str) -> Table | None:
        try:
            sheet = book.get_sheet_by_name(name)
        except (CalamineError, ValueError):
            raise damaged(work.name) from None
        if not sheet.height or not sheet.width:
            empty.append(name)
            return None
        label = name if len(names) > 1 else stem(work.name)
        return _sheet(work, sheet, label, units.get(name, {}), alone=len(names) == 1)

    none = work.because("{name} has no sheet with rows in it.")
    tables = work.with_rows(map(loaded, names), none)
    work.notes.extend(_left_out(empty, [name for name, visible in sheets if not visible]))
    return tables


def _left_out(empty: Sequence[str], hidden: Sequence[str]) -> Iterator[Text]:
    """That these sheets of a workbook were."""
    if empty:
        yield Text(
            "{n} sheet ({names}) has no rows in it and was left out.",
            "{n} sheets ({names}) have no rows in them and were left out.",
            n=len(empty),
            names=first_of(empty),
        )
    if hidden:
        yield Text(
            "{n} hidden sheet ({names}) was left out.",
            "{n} hidden sheets ({names}) were left out.",
            n=len(hidden),
            names=first_of(hidden),
        )


def _check_repeats(work: Work, path: Path) -> None:
    """Refuse an OpenDocument file whose cells are repeated over more columns than a sheet has.

    A file of a few hundred bytes can say so, and the parser would write them all out.
    """
    with suppress(zipfile.BadZipFile, zlib.error, EOFError, OSError, NotImplementedError, KeyError, RuntimeError):
        for part in _parts_of(work, path):
            for times in _REPEATED.findall(part):
                if int(times) > _WIDEST:
                    check_columns(int(times), work.limits)


def _parts_of(work: Work, path: Path) -> Iterator[bytes]:
    """What an OpenDocument file holds, in pieces that overlap so that nothing looked for is cut."""
    size, kept = 0, b""
    with zipfile.ZipFile(path) as archive, archive.open("content.xml") as content:
        while (block := content.read(MEBIBYTE)) and size <= work.limits.sheet:
            yield kept + block
            size, kept = size + len(block), block[-_LONGEST_REPEAT:]


def _sheet(work: Work, sheet: Any, label: str, units: Columns, alone: bool) -> Table | None:
    """The table of a sheet; where it can be none, it is left out, or the file refused whose only one it is."""
    check_columns(sheet.width, work.limits)
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
    # Rows and columns that are blank around the others are left out.
    cells = sheet.to_python(skip_empty_area=True)
    try:
        return by_csv(work, work.name, _texts(cells, sheet.start, units), label)
    except Refused as error:
        if error.kind != "file" or alone:
            raise
        work.notes.append(Text("The sheet “{name}” was left out: {error}", name=sheet.name, error=error.text))
        return None


def _texts(cells: Sequence[Sequence[Cell]], start: tuple[int, int], units: Columns) -> Iterator[list[str]]:
    """The rows as text; ``start`` is the place of the first cell, row and column, in the sheet."""
    top, left = start
    width = len(cells[0]) if cells else 0
    shown = {at - left: (first - top, unit) for at, (first, unit) in units.items() if left <= at < left + width}
    # Above, a head may be a year. Another number is one of the column that is not shown with the unit.
    above = {place: [row[place] for row in cells[: max(0, first)]] for place, (first, _) in shown.items()}
    shown = {
        place: (first, unit)
        for place, (first, unit) in shown.items()
        if all(map(_may_be_head, above[place])) and (unit == "%" or _several(cells[max(0, first) :], place))
    }
    for number, row in enumerate(cells):
        texts = list(map(_written, row))
        for place, (first, unit) in shown.items():
            if number >= first and type(value := row[place]) in (int, float):
                texts[place] = with_its_unit(cast("float", value), unit)
        yield texts


def _several(cells: Sequence[Sequence[Cell]], place: int) -> bool:
    """Whether the column has three numbers or more: of fewer, a word behind them is not taken for their unit."""
    return sum(type(row[place]) in (int, float) for row in cells) > 2


def _may_be_head(cell: Cell) -> bool:
    return type(cell) not in (int, float) or (cell in _YEARS)


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
    return str(cell)


def load_sqlite(work: Work, path: Path) -> Sequence[Table]:
    """The tables of the file that have rows. Views and virtual tables are left out: they are programs."""
    try:
        with closing(_opened(path)) as connection:
            return _tables(work, connection)
    except (sqlite3.Error, OverflowError) as error:
        raise work.because("{name} is an SQLite file that cannot be read: {error}.", error=str(error)[:200]) from None


def _opened(path: Path) -> sqlite3.Connection:
    # Immutable: no other file beside it is looked for or made.
    connection = sqlite3.connect(f"{path.resolve().as_uri()}?mode=ro&immutable=1", uri=True, isolation_level=None)
    for limit, most in _LIMITS.items():
        connection.setlimit(limit, most)
    for pragma in ("query_only=ON", "trusted_schema=OFF", "cell_size_check=ON", "mmap_size=0", "temp_store=MEMORY"):
        connection.execute(f"PRAGMA {pragma}")
    connection.text_factory = _text
    connection.set_authorizer(_authorised)
    return connection


def _text(content: bytes) -> str:
    return content.decode("utf-8", "replace")


def _authorised(action: int, *names: str | None) -> int:
    told = action == sqlite3.SQLITE_PRAGMA and names[0] in _TELLING
    return sqlite3.SQLITE_OK if action in _READING or told else sqlite3.SQLITE_DENY


def _tables(work: Work, connection: sqlite3.Connection) -> Sequence[Table]:
    found = connection.execute("SELECT name, type, sql FROM sqlite_master WHERE type IN ('table', 'view')").fetchall()
    made = [(str(name), str(sql).lstrip().upper()) for name, kind, sql in found if kind == "table"]
    names = [name for name, sql in made if not sql.startswith("CREATE VIRTUAL") and not name.startswith("sqlite_")]
    work.check_tables(len(names))
    none = work.because("{name} has no table with rows in it.")
    empty: list[str] = []
    by_name: dict[str, Table] = {}

    def loaded(name: str) -> Table | None:
        table = _table(work, connection, name)
        by_name.update({name: table} if table else {})
        empty.extend([] if table else [name])
        return table

    tables = work.with_rows(map(loaded, names), none)
    tables = [_linked(connection, name, by_name) for name in by_name]
    work.without_rows(empty)
    work.without_views([str(name) for name, kind, _ in found if kind == "view"])
    return tables


def _linked(connection: sqlite3.Connection, name: str, tables: Mapping[str, Table]) -> Table:
    """The table with what its foreign keys of one column lead to; ``tables`` by their names in the file."""
    declared: dict[int, list[tuple[str, str, str]]] = {}
    for number, _, other, here, there, *_ in connection.execute(f"PRAGMA foreign_key_list({quoted(name)})"):
        declared.setdefault(int(number), []).append((str(other).lower(), str(here), str(there or "")))
    leads: dict[str, str] = {}
    for other, here, there in (keys[0] for keys in declared.values() if len(keys) == 1):
        original = next((one for one in tables if one.lower() == other), "")
        found = [] if not original else _own_key(connection, original) if not there else [there]
        for column in tables[original].columns if len(found) == 1 else ():
            if column.label.lower() == found[0].lower():
                leads[here.lower()] = f"{tables[original].name}.{column.name}"
    table = tables[name]
    columns = (replace(one, leads_to=leads.get(one.label.lower(), "")) for one in table.columns)
    return replace(table, columns=tuple(columns)) if leads else table


def _own_key(connection: sqlite3.Connection, name: str) -> list[str]:
    return [str(row[1]) for row in connection.execute(f"PRAGMA table_info({quoted(name)})") if row[5]]


def _table(work: Work, connection: sqlite3.Connection, name: str) -> Table | None:
    cursor = connection.execute(f"SELECT * FROM {quoted(name)}")
    labels = [str(column[0]) for column in cursor.description]
    check_columns(len(labels), work.limits)
    first = cursor.fetchone()
    if first is None:
        return None
    cells = (
        [f"({len(cell):,} bytes)" if isinstance(cell, bytes) else cell for cell in row]
        for row in chain([first], cursor)
    )
    return by_csv(work, name, chain([labels], cells), name, header=True)
