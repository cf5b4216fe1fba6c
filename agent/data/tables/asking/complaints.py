"""What DuckDB says of a statement that it does not run, as values: ``errors_as_json`` is set where tables are asked."""

from __future__ import annotations

import json
import re
from dataclasses import dataclass
from typing import Any, cast

import duckdb

from agent.data.refusal import Refused

# Gives the one value that a column has in its group; where it has several, the statement fails with ``SEVERAL``.
ONLY_VALUE = "only_value"
SEVERAL = "several_values_in_a_group"
_LONGEST_LINE = 120  # characters of a statement that a sentence repeats


@dataclass(frozen=True, slots=True)
class Complaint:
    """``kind`` is DuckDB's word for the error (``Binder``, ``Catalog``, …), ``cause`` its subtype, ``name`` what it
    speaks of. ``start`` and ``end`` are the bytes of the statement that are meant, both 0 where that is not said."""

    kind: str
    message: str
    cause: str = ""
    name: str = ""
    candidates: str = ""
    start: int = 0
    end: int = 0


class StatementRefused(Refused):
    """A statement that the engine does not run, for a reason that a repair may mend."""

    def __init__(self, text: str, kind: str, complaint: Complaint) -> None:
        super().__init__(text, kind)
        self.complaint = complaint


def complaint_of(error: duckdb.Error, sql: str = "") -> Complaint:
    """The complaint, also of an error that is plain text. The words that it quotes are as ``sql`` has them."""
    kind, _, rest = str(error).partition(" Error: ")
    try:
        said = cast("dict[str, Any]", json.loads(rest))
        message = str(said["exception_message"])
    except (ValueError, KeyError, TypeError, RecursionError):
        return Complaint(kind, rest or kind)
    place = re.fullmatch(r"\[(\d+),(\d+)\]", str(said.get("location", "")))
    start, length = (int(place[1]), int(place[2])) if place else (0, 0)
    cause = str(said.get("error_subtype", ""))
    if cause == "SYNTAX_ERROR" and length and sql:
        meant = sql.encode()[start : start + length].decode("utf-8", "replace")
        message = f'syntax error at or near "{meant}"'
    name, candidates = str(said.get("name", "")), str(said.get("candidates", ""))
    return Complaint(kind, message, cause, name, candidates, start, start + length)


def in_words(error: duckdb.Error, sql: str = "") -> str:
    """The first line of what DuckDB says, and the line of ``sql`` that it is about; no path of the machine."""
    said = complaint_of(error, sql)
    line = said.message.strip().split("\n")[0].strip()
    text = re.sub(r"\"?(?:/[\w.\- ]+){2,}\"?", "the file", f"{said.kind} Error: {line}" if line else "it failed")
    return f"{text[:300]}{_pointed(said, sql)}"


def _pointed(said: Complaint, sql: str) -> str:
    """The line of the statement, cut around what is meant."""
    if not said.end or not sql:
        return ""
    before = sql.encode()[: said.start].decode("utf-8", "replace")
    line = sql.split("\n")[before.count("\n")]
    begin = max(0, len(before.rpartition("\n")[2]) - _LONGEST_LINE // 2)
    return f" (LINE {before.count(chr(10)) + 1}: {line[begin : begin + _LONGEST_LINE].strip()})"
