"""The answer of a program, read as what it is: anything a hostile process could write."""

from __future__ import annotations

import base64
import binascii
from typing import Any, cast

from agent.sandbox.inside.showing import MOST_CHARTS, MOST_COLUMNS, MOST_ROWS, MOST_TABLES

PNG = b"\x89PNG\r\n\x1a\n"
KEYS = frozenset({"prints", "prints_left_out", "value", "tables", "charts", "left_out", "error"})
ERROR_KEYS = frozenset({"type", "message", "trace"})


def program_answer(value: Any) -> dict[str, Any]:
    """The same answer, with every part of the kind it must be. Raises ``ValueError``."""
    if mapping(value).keys() != KEYS:
        raise ValueError("not the parts of an answer")
    error = value["error"]
    return {
        "prints": text(value["prints"]),
        "prints_left_out": number(value["prints_left_out"]),
        "value": None if value["value"] is None else text(value["value"]),
        "tables": [table(one) for one in items(value["tables"], MOST_TABLES)],
        "charts": [chart(one) for one in items(value["charts"], MOST_CHARTS)],
        "left_out": number(value["left_out"]),
        "error": None if error is None else {key: text(part) for key, part in exactly(error, ERROR_KEYS).items()},
    }


def table(value: Any) -> dict[str, Any]:
    whole = exactly(value, {"columns", "rows", "count", "columns_count"})
    columns = [
        {key: text(part) for key, part in exactly(column, {"name", "type"}).items()}
        for column in items(whole["columns"], MOST_COLUMNS)
    ]
    rows = [items(row, len(columns)) for row in items(whole["rows"], MOST_ROWS)]
    for row in rows:
        if len(row) != len(columns) or not all(isinstance(one, (str, int, float, type(None))) for one in row):
            raise ValueError("not a row of the table")
    counts = {key: number(whole[key]) for key in ("count", "columns_count")}
    return {"columns": columns, "rows": rows, **counts}


def chart(value: Any) -> dict[str, Any]:
    """A Vega-Lite specification, not to be drawn unseen: it can name addresses. Or a PNG, known by its signature."""
    if mapping(value).get("kind") == "vega":
        return {"kind": "vega", "spec": mapping(exactly(value, {"kind", "spec"})["spec"])}
    whole = exactly(value, {"kind", "base64"})
    try:
        picture = base64.b64decode(text(whole["base64"]), validate=True)
    except binascii.Error as error:
        raise ValueError("not a picture") from error
    if whole["kind"] != "png" or not picture.startswith(PNG):
        raise ValueError("not a picture")
    return {"kind": "png", "base64": whole["base64"]}


def mapping(value: Any) -> dict[str, Any]:
    if not isinstance(value, dict):
        raise ValueError("not an object")
    return cast(dict[str, Any], value)


def exactly(value: Any, keys: set[str] | frozenset[str]) -> dict[str, Any]:
    if mapping(value).keys() != keys:
        raise ValueError("not the keys it should have")
    return value


def items(value: Any, most: int) -> list[Any]:
    if not isinstance(value, list) or len(found := cast(list[Any], value)) > most:
        raise ValueError("not a list, or too long")
    return found


def text(value: Any) -> str:
    if not isinstance(value, str):
        raise ValueError("not text")
    return value


def number(value: Any) -> int:
    if not isinstance(value, int) or isinstance(value, bool) or value < 0:
        raise ValueError("not a count")
    return value
