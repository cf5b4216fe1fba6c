"""SQL as written for SQLite, asked of our tables: how many statements are refused, and how many give the same rows.

    python benchmarks/sql_material.py FOLDER [--csv] [--only NAME[,NAME]] [--as-written]

``FOLDER`` (or the environment variable SQL_MATERIAL) holds ``*.sqlite`` and ``statements.json``, a list of objects with
``db`` (a file's name without its ending), ``question`` and ``gold`` (a SELECT for SQLite). Each database is loaded as a
person's upload: as the file that it is, or with ``--csv`` as one CSV file a table. ``--as-written`` counts a statement
as refused where the engine refuses it, whatever a repair would make of it.

Rows are compared as multisets; in their order, too, where the statement ends in ORDER BY and nothing ties. Numbers are
the same to 1e-6. A text is the same as what the loader reads it as: a number, a percentage, a date, a yes or no. Of the
statements that differ, ``tied`` are those whose LIMIT cuts through rows that tie: SQLite itself gives other rows for
them where a column breaks the tie.
"""

from __future__ import annotations

import argparse
import csv
import json
import os
import re
import sqlite3
import sys
import tempfile
from collections import Counter
from collections.abc import Mapping, Sequence
from contextlib import closing, suppress
from dataclasses import dataclass
from datetime import date, datetime, time
from decimal import Decimal
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).parent.parent))

from agent.data.refusal import Refused
from agent.data.tables.asking.querying import query
from agent.data.tables.identifiers import quoted
from agent.data.tables.loading.load_work import Reporter, Work
from agent.data.tables.loading.upload import load

Row = tuple[Any, ...]
# One that ends in ORDER BY, outside of brackets, and its LIMIT.
_ORDERED = re.compile(r"(.*\border\s+by\b(?:[^()]|\([^()]*\))*?)(\blimit\s+\d+)?\s*;?", re.IGNORECASE | re.DOTALL)


@dataclass(frozen=True, slots=True)
class Outcome:
    """``kind`` is ``refused``, ``same`` or ``different``; ``told`` says why, ``repairs`` what was changed."""

    database: str
    gold: str
    kind: str
    told: str = ""
    repairs: tuple[str, ...] = ()


def sqlite_rows(database: Path, sql: str) -> list[Row]:
    with closing(sqlite3.connect(f"file:{database}?mode=ro", uri=True)) as connection:
        connection.text_factory = lambda raw: raw.decode("utf-8", "replace")
        return [tuple(row) for row in connection.execute(sql).fetchall()]


def uploads(database: Path, folder: Path, as_csv: bool) -> list[Path]:
    """The files that a person would load."""
    if not as_csv:
        copied = folder / database.name
        copied.write_bytes(database.read_bytes())
        return [copied]
    names = sqlite_rows(database, "SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite_%'")
    return [_exported(database, str(name), folder) for (name,) in names]


def _exported(database: Path, table: str, folder: Path) -> Path:
    target = folder / f"{table}.csv"
    heads = [row[1] for row in sqlite_rows(database, f"PRAGMA table_info({quoted(table)})")]
    with target.open("w", encoding="utf-8", newline="") as file:
        writer = csv.writer(file)
        writer.writerow(heads)
        writer.writerows(sqlite_rows(database, f"SELECT * FROM {quoted(table)}"))
    return target


def loaded(database: Path, folder: Path, as_csv: bool) -> dict[str, Path]:
    """The tables of one conversation: name to Parquet file."""
    tables: dict[str, Path] = {}
    given = folder / "given"
    given.mkdir()
    for upload in uploads(database, given, as_csv):
        work = Work(folder, upload.name, Reporter(None), set(tables))
        tables |= {table.name: folder / table.file for table in load(work, upload)}
    return tables


def cell(value: Any) -> Any:
    """A value as both engines would have it."""
    if isinstance(value, bool):
        return "t" if value else "f"
    if isinstance(value, int | float | Decimal):
        return float(value)
    if isinstance(value, datetime):
        return value.isoformat(" ").removesuffix(" 00:00:00")
    if isinstance(value, date | time):
        return value.isoformat()
    if isinstance(value, str):
        try:
            return float(value.strip().removesuffix("%"))
        except ValueError:
            return _day(value.strip())
    return value


def _day(text: str) -> str:
    """A day in words as the day it is; T and F as yes and no; others as they are."""
    for form in ("%B %d, %Y", "%d %B %Y", "%m/%d/%Y"):
        with suppress(ValueError):
            return datetime.strptime(text, form).date().isoformat()
    return text.lower() if text in ("T", "F") else text


def _key(row: Row) -> tuple[Any, ...]:
    return tuple((type(value).__name__, round(value, 4) if isinstance(value, float) else str(value)) for value in row)


def _near(one: Row, other: Row) -> bool:
    return len(one) == len(other) and all(
        abs(left - right) <= 1e-6 * max(1.0, abs(left), abs(right))
        if isinstance(left, float) and isinstance(right, float)
        else left == right
        for left, right in zip(one, other, strict=True)
    )


def same(theirs: Sequence[Row], ours: Sequence[Row], ordered: bool) -> bool:
    wanted, given = ([tuple(map(cell, row)) for row in rows] for rows in (theirs, ours))
    if len(wanted) != len(given):
        return False
    if not ordered:
        wanted, given = sorted(wanted, key=_key), sorted(given, key=_key)
    return all(map(_near, wanted, given))


def outcome(database: Path, tables: Mapping[str, Path], gold: str, as_written: bool) -> Outcome:
    theirs = sqlite_rows(database, gold)
    try:
        result = query(tables, gold)
    except Refused as refused:
        return Outcome(database.stem, gold, "refused", str(refused))
    repairs = tuple(getattr(result, "repairs", ()))
    if repairs and as_written:
        return Outcome(database.stem, gold, "refused", "repaired", repairs)
    ours = list(result.rows)
    ordered = bool(_ORDERED.fullmatch(gold.strip()))
    if same(theirs, ours, ordered):
        return Outcome(database.stem, gold, "same", "", repairs)
    tied = _ties(database, gold)
    if ordered and tied and same(theirs, ours, False):
        return Outcome(database.stem, gold, "same", "", repairs)
    told = f"{'tied; ' if tied else ''}SQLite {theirs[:3]} ours {ours[:3]}"
    return Outcome(database.stem, gold, "different", told, repairs)


def _ties(database: Path, gold: str) -> bool:
    """Whether SQLite itself gives other rows, or the same in another order, where each column breaks ties."""
    found = _ORDERED.fullmatch(gold.strip())
    if not found:
        return False
    count = len((sqlite_rows(database, gold) or [()])[0])
    breaks = [f"{place} {way}" for place in range(1, count + 1) for way in ("ASC", "DESC")]
    given = {str(sqlite_rows(database, f"{found[1]}, {each} {found[2] or ''}")) for each in breaks}
    return len(given) > 1


def measured(folder: Path, names: Sequence[str], as_csv: bool, as_written: bool) -> list[Outcome]:
    statements = json.loads((folder / "statements.json").read_text(encoding="utf-8"))
    wanted = names or sorted({str(statement["db"]) for statement in statements})
    outcomes: list[Outcome] = []
    for name in wanted:
        database = folder / f"{name}.sqlite"
        with tempfile.TemporaryDirectory() as made:
            tables = loaded(database, Path(made), as_csv)
            asked = [str(statement["gold"]) for statement in statements if statement["db"] == name]
            outcomes += [outcome(database, tables, gold, as_written) for gold in asked]
    return outcomes


def main() -> None:
    read = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    read.add_argument("folder", nargs="?", default=os.environ.get("SQL_MATERIAL", ""))
    read.add_argument("--csv", action="store_true")
    read.add_argument("--only", default="")
    read.add_argument("--as-written", action="store_true")
    given = read.parse_args()
    if not given.folder:
        read.error("name the folder of the material, or set SQL_MATERIAL")
    names = [name for name in given.only.split(",") if name]
    outcomes = measured(Path(given.folder), names, given.csv, given.as_written)
    for one in outcomes:
        if one.kind != "same" or one.told:
            print(
                f"{one.kind:9} {one.database}: {' '.join(one.gold.split())}\n          {one.told} {list(one.repairs)}"
            )
    kinds = Counter(one.kind for one in outcomes)
    print(f"\n{len(outcomes)} statements, {sum(1 for one in outcomes if one.repairs)} repaired")
    for kind in ("refused", "same", "different"):
        tied = sum(1 for one in outcomes if one.kind == kind and one.told.startswith("tied"))
        print(
            f"{kind:9} {kinds[kind]:4}  {kinds[kind] / max(1, len(outcomes)):6.1%}{f'  ({tied} tied)' if tied else ''}"
        )


if __name__ == "__main__":
    main()
