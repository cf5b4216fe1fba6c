"""Names for tables and columns that need no quotes in SQL, made from whatever people write above their columns."""

from __future__ import annotations

import re
from collections.abc import Container, Iterable, Sequence
from functools import cache
from pathlib import PurePath
from unicodedata import category, normalize

from agent.text.regex import regex

_UNIT_BEHIND = regex(r"\s*[(\[][^()\[\]]+[)\]]$")
LONGEST_NAME = 60  # characters
LONGEST_LABEL = 200  # characters
_TAKEN_BY_ENGINE = frozenset({"information_schema", "pg_catalog", "main", "memory", "system", "temp", "rowid"})


def quoted(name: str) -> str:
    """``name`` as an SQL identifier, whatever it holds."""
    return '"' + name.replace('"', '""') + '"'


def literal(text: str) -> str:
    """``text`` as an SQL string."""
    return "'" + text.replace("'", "''") + "'"


def label_of(text: str) -> str:
    """A header as a person reads it: one line, no control characters, at most 200 characters."""
    readable = "".join(mark if category(mark)[0] != "C" else " " for mark in normalize("NFC", text))
    return " ".join(readable.split())[:LONGEST_LABEL]


def column_names(labels: Sequence[str]) -> list[str]:
    """A safe name for each header, in order: ``Total (€)`` becomes ``total``, a blank one ``column_3``.

    Letters of every script stay. No two are equal, also where case is not looked at.
    """
    names: list[str] = []
    for number, label in enumerate(labels, start=1):
        names.append(_unused(_safe(label, "c_") or f"column_{number}", names))
    return names


def told_apart(labels: Sequence[str]) -> list[str]:
    """The headers, the later ones of several that are the same with a number: ``Score``, ``Score 2``.

    It stands before a unit in brackets: ``Fee 2 (€)``.
    """
    several: list[str] = []
    for label in labels:
        again = label and label.casefold() in (other.casefold() for other in several)
        several.append(_numbered(label, {other.casefold() for other in (*labels, *several)}) if again else label)
    return several


def _numbered(label: str, taken: Container[str]) -> str:
    bare = _UNIT_BEHIND.sub("", label) or label
    number = 2
    while (numbered := f"{bare} {number}{label[len(bare) :]}").casefold() in taken:
        number += 1
    return numbered


def table_name(label: str, taken: Iterable[str] = ()) -> str:
    """A safe name for a table from the name of its file or sheet, unlike those ``taken``."""
    return _unused(_safe(label, "t_") or "table_1", taken)


def stem(file_name: str) -> str:
    """The name of a file without its folder and endings: ``a/sales.csv.gz`` gives ``sales``."""
    name = PurePath(file_name.replace("\\", "/")).name
    return (
        re.sub(
            r"(\.(csv|tsv|tab|txt|gz|xlsx?|xlsm|xlsb|ods|parquet|pq|jsonl?|ndjson|db|sqlite3?|duckdb))+$",
            "",
            name,
            flags=re.IGNORECASE,
        )
        or name
    )


def _safe(label: str, before_digit: str) -> str:
    name = re.sub(r"\W+", "_", normalize("NFKC", label_of(label)).lower()).strip("_")[:LONGEST_NAME].rstrip("_")
    if not name:
        return ""
    if name[0].isdigit() or not (name[0].isalpha() or name[0] == "_"):
        name = before_digit + name
    return name + "_" if name in _reserved() or name in _TAKEN_BY_ENGINE else name


def _unused(name: str, taken: Iterable[str]) -> str:
    used = {other.lower() for other in taken}
    if name.lower() not in used:
        return name
    number = 2
    while f"{name}_{number}" in used:
        number += 1
    return f"{name}_{number}"


@cache
def _reserved() -> frozenset[str]:
    import duckdb  # which who only quotes a name need not load

    with duckdb.connect(":memory:", config={"threads": 1}) as connection:
        rows = connection.execute("SELECT keyword_name FROM duckdb_keywords() WHERE keyword_category <> 'unreserved'")
        return frozenset(str(row[0]) for row in rows.fetchall())
