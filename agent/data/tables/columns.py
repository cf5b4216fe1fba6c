"""What is known of a table and its columns; values that go through JSON."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any, Literal, get_args

from agent.interface_text import unpacked

Kind = Literal["integer", "number", "boolean", "date", "timestamp", "time", "text", "other"]

_KIND_OF_TYPE: dict[str, Kind] = {
    **dict.fromkeys(("TINYINT", "SMALLINT", "INTEGER", "BIGINT", "HUGEINT"), "integer"),
    **dict.fromkeys(("UTINYINT", "USMALLINT", "UINTEGER", "UBIGINT", "UHUGEINT"), "integer"),
    **dict.fromkeys(("FLOAT", "DOUBLE", "DECIMAL"), "number"),
    **dict.fromkeys(("TIMESTAMP", "TIMESTAMP_S", "TIMESTAMP_MS", "TIMESTAMP_NS"), "timestamp"),
    **dict.fromkeys(("VARCHAR", "UUID", "ENUM"), "text"),
    "TIMESTAMP WITH TIME ZONE": "timestamp",
    "BOOLEAN": "boolean",
    "DATE": "date",
    "TIME": "time",
}


# What a person may choose, and the forms or the type it means.
CHOICES = {
    "text": "VARCHAR",
    "number": "DOUBLE",
    "whole number": "BIGINT",
    "yes or no": "BOOLEAN",
    "date": "DATE",
    "date, day first": "DATE",
    "date, month first": "DATE",
    "time stamp": "TIMESTAMP",
    "time": "TIME",
}


@dataclass(frozen=True, slots=True)
class Column:
    """``name`` is the one in SQL, ``label`` the header as it was; ``type`` is DuckDB's.

    ``unit`` is ``%`` or a currency that every value was written with; ``note`` says what a person should know of how
    it was read.
    """

    name: str
    label: str
    type: str
    unit: str = ""
    note: str = ""

    @property
    def kind(self) -> Kind:
        return kind_of(self.type)


@dataclass(frozen=True, slots=True)
class Table:
    """A loaded table. ``file`` is the name of its Parquet file in the folder, ``source`` of what it came from.

    ``bad_rows`` could not be read (``-1``: more than were counted); the first of them are in the file ``bad_file``.
    """

    name: str
    file: str
    source: str
    rows: int
    columns: tuple[Column, ...]
    notes: tuple[str, ...] = ()
    bad_rows: int = 0
    bad_file: str = ""

    def json(self) -> dict[str, Any]:
        return {**asdict(self), "columns": [asdict(column) for column in self.columns], "notes": list(self.notes)}


def read_table(given: Mapping[str, Any]) -> Table:
    """The table that ``Table.json`` wrote. Unknown keys, as of a card, are left aside."""
    columns = tuple(
        Column(**{key: unpacked(value) for key, value in column.items() if key in Column.__dataclass_fields__})
        for column in given["columns"]
    )
    values: dict[str, Any] = {key: given[key] for key in Table.__dataclass_fields__ if key in given}
    values |= {"columns": columns, "notes": tuple(unpacked(note) for note in given.get("notes", ()))}
    return Table(**values)


def kind_of(type_name: str) -> Kind:
    """The kind of a DuckDB type: ``DECIMAL(18,2)`` is a ``number``, ``STRUCT(...)`` is ``other``."""
    plain = type_name.split("(", maxsplit=1)[0].strip().upper()
    return "other" if plain.endswith("[]") or type_name.endswith("]") else _KIND_OF_TYPE.get(plain, "other")


def described(rows: Sequence[Sequence[Any]]) -> list[tuple[str, str]]:
    """Names and types out of the rows of a ``DESCRIBE``."""
    return [(str(row[0]), str(row[1])) for row in rows]


assert set(_KIND_OF_TYPE.values()) <= set(get_args(Kind))
