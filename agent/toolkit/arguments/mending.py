"""Changes values that did not pass validation to what they evidently mean."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from copy import deepcopy
from datetime import date
from typing import Any, cast
from unicodedata import normalize

from pydantic import JsonValue

from agent.text.lenient_json import read
from agent.text.regex import regex
from agent.toolkit.arguments.argument_dates import read_date
from agent.toolkit.arguments.repair import Arguments
from agent.toolkit.arguments.signature import Schema, is_text, properties, required, without_null

_ANYTHING: Schema = {}
_NOTHING = {"", "null", "none", "n/a", "undefined", "nil", "any", "なし"}
_MOST_DIGITS = 100
_MOST_ITEMS = 1_000  # of a list written without brackets
_THOUSANDS = regex(r"[+-]?\d{1,3}(?:,\d{3})+(?:\.\d+)?")
_DATE = regex(r"(\d{4})[-/.年](\d{1,2})[-/.月](\d{1,2})日?|(\d{4})(\d{2})(\d{2})")
_MEASURE = regex(r"\s*([+-]?[\d.,]*\d)\s*([^\s\d.,].{0,60}?)\s*")
# Backslashes that JSON took for the start of a control character: \frac, \beta, \times, \text{, \theta, \right.
_EATEN = (
    (regex(r"\x0c(?=[a-z])"), r"\\f"),
    (regex(r"\x08(?=[a-z])"), r"\\b"),
    (regex(r"\t(?=imes\b|heta\b|ext\{)"), r"\\t"),
    (regex(r"\r(?=ight\b)"), r"\\r"),
)
_MARKDOWN = regex(r"\\([*_])")
_ONLY_MARKDOWN = regex(r"(?:[^\\\n]++|\\[*_])*+")


def tidied(values: Arguments, parameters: Schema) -> Arguments:
    """Before validation: text with its backslashes right, no ``null`` for a default, dates that are not numbers."""
    given: Arguments = {}
    for name, value in values.items():
        schema = cast("Schema", properties(parameters).get(name, {}))
        optional = name in properties(parameters) and name not in required(parameters)
        if value is None and optional and "anyOf" not in schema:
            continue
        schema = without_null(schema)
        if optional and _is_none(value, schema) and not is_text(parameters, name):
            continue
        if isinstance(value, str) and name in properties(parameters) and is_text(parameters, name):
            given[name] = _text(value)
        elif schema.get("format") in ("date", "date-time"):
            given[name] = _date(value, schema.get("format") == "date")
        else:
            given[name] = value
    return given


def _text(text: str) -> str:
    for pattern, replacement in _EATEN:
        text = pattern.sub(replacement, text)
    # Code and patterns keep their backslashes: only text in which every one is Markdown's loses them.
    return _MARKDOWN.sub(r"\1", text) if "\\" in text and _ONLY_MARKDOWN.fullmatch(text) else text


def _is_none(value: JsonValue, schema: Schema) -> bool:
    """Whether it is a word for "nothing given", where that is none of the choices."""
    if not isinstance(value, str) or value.strip().casefold() not in _NOTHING:
        return False
    return all(_bare(choice) != _bare(value) for choice in cast("list[JsonValue]", schema.get("enum", [])))


def _date(value: JsonValue, day: bool) -> JsonValue:
    """A figure is not taken for seconds since 1970, which pydantic would do; a ``day`` may be told in words."""
    if isinstance(value, list) and len(value) == 1:
        value = value[0]
    text = str(value) if isinstance(value, int) else value.strip() if isinstance(value, str) else value
    if not isinstance(text, str):
        return text
    whole = _DATE.fullmatch(text)
    if whole:
        year, month, number = (whole[part] or whole[part + 3] for part in (1, 2, 3))
        return f"{year}-{int(month):02}-{int(number):02}"
    if day and (found := read_date(text, date.today())):
        return found.isoformat()
    return text if not text.replace(".", "").isdigit() else f"{text} (a figure)"


def mend(values: Arguments, problems: Sequence[Mapping[str, Any]], parameters: Schema) -> Arguments:
    """``values`` with each place that pydantic found wrong changed, where what is meant is evident."""
    mended = deepcopy(values)
    _split(mended, problems, parameters)
    for problem in problems:
        place, kind = cast("tuple[str | int, ...]", problem["loc"]), str(problem["type"])
        schema, holder, key = _find(parameters, place, mended)
        if kind in ("extra_forbidden", "unexpected_keyword_argument") and isinstance(holder, dict):
            del holder[key]
        elif holder is not None and kind != "missing":
            holder[key] = _mended(holder[key], kind, schema)
    return mended


def _split(values: Arguments, problems: Sequence[Mapping[str, Any]], parameters: Schema) -> None:
    """A measure where its figure belongs ("5 miles") gives its unit to the field ``unit``, where that has none yet."""
    if "unit" not in properties(parameters):
        return
    for problem in problems:
        name, value = str(problem["loc"][0]) if len(problem["loc"]) == 1 else "", problem["input"]
        found = _MEASURE.fullmatch(value) if isinstance(value, str) and len(value) < _MOST_DIGITS else None
        if found and problem["type"] == "float_parsing" and values.get("unit") in (None, "", found[2]):
            values[name], values["unit"] = found[1], found[2]


def _mended(value: JsonValue, kind: str, schema: Schema) -> JsonValue:
    if kind in ("list_type", "tuple_type", "set_type"):
        return _list(value, cast("Schema", schema.get("items", {})))
    if isinstance(value, list) and len(value) == 1:
        return value[0]
    if kind in ("enum", "literal_error"):
        return _choice(value, schema)
    if kind == "string_type":
        return value if value is None else json.dumps(value, ensure_ascii=False)
    if isinstance(value, str) and kind.startswith(("int_", "float_")) and len(value) < _MOST_DIGITS:
        figure = normalize("NFKC", value).strip()
        return figure.replace(",", "") if _THOUSANDS.fullmatch(figure) else figure
    if isinstance(value, str) and value.strip().startswith("{"):
        found = read(value)
        return found.value if found else value
    return value


def _list(value: JsonValue, items: Schema) -> JsonValue:
    """A list written as text, as the one item, or (where no item has a comma in it) item, item."""
    if isinstance(value, str):
        found = read(value) if value.lstrip().startswith(("[", "(")) else None
        if found and isinstance(found.value, list):
            return found.value
        if items.get("type") != "string" and 0 < value.count(",") < _MOST_ITEMS:
            return [part.strip() for part in value.split(",")]
    return [value]


def _choice(value: JsonValue, schema: Schema) -> JsonValue:
    """The choice that differs in case, spaces or quotes only, or a figure written as text."""
    options = cast("list[Schema]", schema.get("anyOf", [schema]))
    choices = [one for option in options for one in cast("list[JsonValue]", option.get("enum", [option.get("const")]))]
    wanted = _bare(value)
    alike = [choice for choice in choices if _bare(choice) == wanted]
    return alike[0] if len(alike) == 1 else value


def _bare(value: JsonValue) -> str:
    return re.sub(r"[\W_]", "", str(value).casefold())


def _find(schema: Schema, place: Sequence[str | int], values: JsonValue) -> tuple[Schema, Any, Any]:
    """The schema of the value at an error's place, what holds that value, and its key there.

    Names of union members, which pydantic puts into the place, are passed over; a value that is not there has no
    holder.
    """
    holder: Any = None
    key: Any = None
    here = values
    for part in place:
        items = len(cast("list[JsonValue]", here)) if isinstance(here, list) else 0
        in_list = isinstance(part, int) and part < items
        if not in_list and not (isinstance(here, dict) and part in here):
            holder = None if isinstance(here, dict | list) else holder
            continue
        options = [schema, *cast("list[Schema]", schema.get("anyOf", []))]
        found = [inner for option in options if (inner := _step(option, part)) is not None]
        schema = found[0] if found else _ANYTHING
        holder, key = cast("Any", here), part
        here = holder[part]
    return without_null(schema), holder, key


def _step(schema: Schema, part: str | int) -> Schema | None:
    if isinstance(part, int):
        return cast("Schema | None", schema.get("items"))
    return cast("Schema | None", properties(schema).get(part))
