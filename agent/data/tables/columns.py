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


_CHOICE_OF_KIND: dict[Kind, str] = {
    "integer": "whole number",
    "boolean": "yes or no",
    "timestamp": "time stamp",
    "text": "text",
    "number": "number",
    "date": "date",
    "time": "time",
}
_FIRST_CHOICES = ("text", "number", "date", "yes or no")

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

    ``unit`` is ``%``, a currency or a measure that every value was written with; ``note`` says what a person should
    know of how it was read. ``leads_to`` is ``table.column`` where the file declares a foreign key to that column.
    """

    name: str
    label: str
    type: str
    unit: str = ""
    note: str = ""
    leads_to: str = ""

    @property
    def kind(self) -> Kind:
        return kind_of(self.type)


RepairKind = Literal["heads", "furniture", "totals", "dates", "type"]


@dataclass(frozen=True, slots=True)
class Repair:
    """What was put right in a table (``on``), or can be. A person can undo it, and do it again.

    =========  ==============================================  ==================================
    kind       what it does                                    ``count``
    =========  ==============================================  ==================================
    heads      joins the names of two rows of heads            rows of heads
    furniture  leaves out blank rows and the header, repeated  rows; ``to`` is "notes" for notes, too
    totals     leaves out rows that sum up others              rows
    dates      reads a column as dates in the order ``to``     formats of dates
    type       reads a column as ``to``, of ``CHOICES``        values that were lost by it
    =========  ==============================================  ==================================

    ``column`` is its place in the base, ``label`` its header. What is not ``sure`` is a guess: of dates, that the
    other order fits as well.
    """

    kind: RepairKind
    on: bool = True
    count: int = 0
    column: int = -1
    label: str = ""
    to: str = ""
    sure: bool = True


@dataclass(frozen=True, slots=True)
class Base:
    """What a table is made from again when a repair is done or undone: the Parquet file ``file``.

    It has the text of all cells in columns ``c0``, ``c1``…, whose headers are ``labels``, those of the lower row of
    heads ``lower``; ``comma`` says that a decimal comma is likely. Or it has the values of the table's ``columns``.
    """

    file: str
    labels: tuple[str, ...] = ()
    lower: tuple[str, ...] = ()
    comma: bool = False
    columns: tuple[Column, ...] = ()


@dataclass(frozen=True, slots=True)
class Table:
    """A loaded table. ``file`` is the name of its Parquet file in the folder, ``source`` of what it came from.

    ``bad_rows`` could not be read (``-1``: more than were counted); the first of them are in the file ``bad_file``.
    ``base`` is there where something was put right, or can be: ``repairs``.
    """

    name: str
    file: str
    source: str
    rows: int
    columns: tuple[Column, ...]
    notes: tuple[str, ...] = ()
    bad_rows: int = 0
    bad_file: str = ""
    repairs: tuple[Repair, ...] = ()
    base: Base | None = None

    def json(self) -> dict[str, Any]:
        lists = {"columns": [*map(asdict, self.columns)], "repairs": [*map(asdict, self.repairs)]}
        return {**asdict(self), **lists, "notes": list(self.notes)}


def read_table(given: Mapping[str, Any]) -> Table:
    """The table that ``Table.json`` wrote. Unknown keys, as of a card, are left aside."""
    values: dict[str, Any] = {key: given[key] for key in Table.__dataclass_fields__ if key in given}
    values |= {"columns": _columns(given["columns"]), "notes": tuple(unpacked(note) for note in given.get("notes", ()))}
    values["repairs"] = tuple(Repair(**repair) for repair in given.get("repairs", ()))
    if base := given.get("base"):
        labels, lower = tuple(map(str, base["labels"])), tuple(map(str, base["lower"]))
        values["base"] = Base(str(base["file"]), labels, lower, bool(base["comma"]), _columns(base["columns"]))
    return Table(**values)


def _columns(given: Sequence[Mapping[str, Any]]) -> tuple[Column, ...]:
    known = Column.__dataclass_fields__
    return tuple(Column(**{key: unpacked(value) for key, value in one.items() if key in known}) for one in given)


def kind_of(type_name: str) -> Kind:
    """The kind of a DuckDB type: ``DECIMAL(18,2)`` is a ``number``, ``STRUCT(...)`` is ``other``."""
    plain = type_name.split("(", maxsplit=1)[0].strip().upper()
    return "other" if plain.endswith("[]") or type_name.endswith("]") else _KIND_OF_TYPE.get(plain, "other")


def plain_type(type_name: str) -> str:
    """The one of ``CHOICES`` that a DuckDB type is; ``other`` where it is none."""
    return _CHOICE_OF_KIND.get(kind_of(type_name), "other")


def type_choices(now: str) -> tuple[str, ...]:
    """The few that a person chooses from at first, with what a column is ``now``."""
    return _FIRST_CHOICES if now in _FIRST_CHOICES else (*_FIRST_CHOICES, now)


def described(rows: Sequence[Sequence[Any]]) -> list[tuple[str, str]]:
    """Names and types out of the rows of a ``DESCRIBE``, or out of the ``description`` of a connection."""
    return [(str(row[0]), str(row[1])) for row in rows]


assert set(_KIND_OF_TYPE.values()) <= set(get_args(Kind))
