"""The tables a prompt tells of: schema cards, as ``agent.data.tables.card_texts.card_text`` writes them, read again."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Literal

from agent.data.tables.card_texts import HEADING

Kind = Literal["number", "date", "boolean", "text", "other"]

_HEAD = re.compile(
    r"(?P<name>.+?): (?P<rows>[\d,]+) rows, (?P<columns>[\d,]+) columns \(from (?P<source>.*)\)"
    r"(?:; (?:many|[\d,]+) lines of the file could not be read)?"
)
_NUMBERS = r"U?(?:TINY|SMALL|HUGE|BIG)?INT(?:EGER)?|UINTEGER|FLOAT|DOUBLE|DECIMAL"
_TYPES = (
    rf"(?:{_NUMBERS}|DATE|TIMESTAMP(?: WITH TIME ZONE|_S|_MS|_NS)?|TIME|BOOLEAN|VARCHAR|UUID|ENUM|BLOB|BIT|INTERVAL|"
    r"JSON|STRUCT|MAP|UNION|LIST|TIME WITH TIME ZONE)(?:\(.*?\))?(?:\[\d*\])*"
)
_COLUMN = re.compile(
    rf"- (?P<name>.+?) (?P<type>{_TYPES})(?: \((?:in (?P<unit>[^()]*)|(?P<percent>percent): [^()]*)\))?"
    r"(?:(?:, (?P<least>\S(?:[^;]*?\S)?) to (?P<most>\S(?:[^;]*?\S)?))?, (?:about )?(?P<distinct>[\d,]+) distinct"
    r"(?:, (?P<nulls>[\d,]+) nulls)?)?(?P<rest>; .*)?"
)
_EXAMPLES = re.compile(r"; for example (“.*?”(?:, “.*?”){0,2})(?=; |$)")
_LABEL = re.compile(r"; headed “(.*?)”(?=; |$)")
_LONGEST_LINE = 2_000  # characters; no column of a card needs more


@dataclass(frozen=True, slots=True)
class Column:
    """``distinct`` and ``least`` to ``most`` are ``None`` and "" where the card was too wide to say them.

    ``examples`` are some of its values, those cut short left out.
    """

    name: str
    label: str
    kind: Kind
    unit: str = ""
    distinct: int | None = None
    nulls: int = 0
    least: str = ""
    most: str = ""
    examples: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Table:
    """``columns`` are those that the card shows: of a wide table, the first."""

    name: str
    source: str
    rows: int
    columns: tuple[Column, ...]


def read_tables(prompt: str) -> tuple[Table, ...]:
    """The tables under ``HEADING``; none where the prompt has no such heading."""
    _, heading, rest = f"\n{prompt}\n".partition(f"\n{HEADING}\n")
    tables: list[Table] = []
    for whole in rest.split("\n") if heading else ():
        line = whole[:_LONGEST_LINE]
        head, column = _HEAD.fullmatch(line), _COLUMN.fullmatch(line)
        if column and tables and line.startswith("- "):
            last = tables[-1]
            tables[-1] = Table(last.name, last.source, last.rows, (*last.columns, _column(column)))
        elif head:
            tables.append(Table(head["name"], head["source"], _count(head["rows"]), ()))
        elif line and not line.startswith(("- ", "… and ")):
            break
    return tuple(table for table in tables if table.columns)


def _column(found: re.Match[str]) -> Column:
    rest = found["rest"] or ""
    examples, label = _EXAMPLES.match(rest), _LABEL.search(rest)
    values = re.findall(r"“(.*?)”(?=, “|$)", examples[1]) if examples else []
    return Column(
        found["name"],
        label[1] if label else found["name"],
        _kind(found["type"]),
        "%" if found["percent"] else found["unit"] or "",
        _count(found["distinct"]) if found["distinct"] else None,
        _count(found["nulls"] or "0"),
        found["least"] or "",
        found["most"] or "",
        tuple(value for value in values if value and not value.endswith("…")),
    )


def _kind(type_name: str) -> Kind:
    plain = type_name.split("(", maxsplit=1)[0]
    if type_name.endswith("]"):
        return "other"
    if re.fullmatch(_NUMBERS, plain):
        return "number"
    if plain == "DATE" or plain.startswith("TIMESTAMP"):
        return "date"
    return "boolean" if plain == "BOOLEAN" else "text" if plain in ("VARCHAR", "UUID", "ENUM") else "other"


def _count(text: str) -> int:
    return int(text.replace(",", ""))
