"""How a tool's fields are told to a model: in the prompt of the text wire, and in what it gets back for a mistake."""

from __future__ import annotations

import json
import re
from typing import cast

from pydantic import JsonValue

from agent.events import ToolSchema
from agent.text.regex import regex
from agent.toolkit.arguments.signature import Schema, properties, required, takes_plain_text, without_null

_WORDS = {
    "en": {
        "string": "text", "integer": "whole number", "number": "number", "boolean": "true or false",
        "array": "list", "object": "object", "null": "null", "date": "date YYYY-MM-DD", "date-time": "date and time",
        "one of": "one of {}", "list of": "list of {}", "or": " or ", "from": "at least {}", "to": "at most {}",
        "default": "default {}", "optional": "optional", "example": ", for example {}", "stop": ". ", "in": " ({})",
        "input": "Input: {}", "json": "JSON with {}", "none": "{{}}", "and": ", ", "means": ": {}",
    },
    "ja": {
        "string": "テキスト", "integer": "整数", "number": "数値", "boolean": "true か false",
        "array": "リスト", "object": "オブジェクト", "null": "null", "date": "日付 YYYY-MM-DD", "date-time": "日時",
        "one of": "{} のいずれか", "list of": "{}のリスト", "or": "か", "from": "{} 以上", "to": "{} 以下",
        "default": "既定値 {}", "optional": "省略可", "example": "。例: {}", "stop": "。", "in": "（{}）",
        "input": "入力: {}", "json": "JSON、項目は {}", "none": "{{}}", "and": "、", "means": "：{}",
    },
}  # fmt: skip
_EXAMPLE = regex(r"^(.*?)[,;:.(]?\s*(?:for example|e\.g\.)[,:]?\s+(.+?)\)?\.?$", re.IGNORECASE | re.DOTALL)
# Up to a stop, or to what stands behind a colon, a semicolon or in brackets.
_CLAUSE = regex(r".+?(?=[.:;!?](?:\s|\Z)|\s?[(。：；（！？]|\Z)", re.DOTALL)
_EMPTY: tuple[JsonValue, ...] = (None, "", [], {})
_SENTENCE = regex(r".+?(?:[.!?](?=\s)|[。！？]|\Z)", re.DOTALL)
_EXAMPLES: dict[str, JsonValue] = {
    "string": "…", "integer": 3, "number": 2.5, "boolean": True, "null": None, "object": {},
    "date": "2026-01-31", "date-time": "2026-01-31T09:30:00",
}  # fmt: skip


def usage(name: str, description: str, parameters: Schema, language: str) -> str:
    """One line of the list of tools: what it does and what to write as its input."""
    words = _WORDS.get(language, _WORDS["en"])
    fields = properties(parameters)
    if not fields:
        told = words["none"].format()
    elif takes_plain_text(parameters):
        field = next(iter(fields))
        meaning, _ = _described(cast("Schema", fields[field]))
        said = f"{meaning[:1].lower()}{meaning[1:]}" if meaning else field
        simple = not re.search(r"[.,;:。、]", said)
        told = said + words["in"].format(words["string"]) if simple else words["string"] + words["means"].format(said)
        if example := _own_example(cast("Schema", fields[field])):
            told += words["example"].format(example)
    else:
        told = words["json"].format(words["and"].join(_field(field, parameters, words) for field in fields))
        told += words["example"].format(example_call(parameters))
    return f"- {name}: {description.rstrip('.。')}{words['stop']}{words['input'].format(told)}"


def first_sentence(description: str) -> str:
    """What a tool does, without what else is said of it."""
    found = _SENTENCE.match(description.strip())
    return found[0] if found else description


def first_clause(description: str) -> str:
    """What a tool does in half a line, without a stop."""
    told = " ".join(description.split())
    found = _CLAUSE.match(told)
    return found[0] if found else told


def told_shortly(name: str, description: str, parameters: Schema) -> str:
    """One line of what a tool does, with its required fields where there are several: one is meant by a plain text.

    It has no example and no optional fields, which small models take for the input itself.
    """
    needed = required(parameters)
    fields = f"({', '.join(needed)})" if len(needed) > 1 else ""
    return f"- {name}{fields}: {first_sentence(description)}"


def told_schema(parameters: Schema) -> Schema:
    """As a model of the native wire is told it: without what says nothing, such as empty defaults and ``null``."""
    fields = {name: _told_field(cast("Schema", field)) for name, field in properties(parameters).items()}
    told = {name: value for name, value in parameters.items() if (name, value) != ("additionalProperties", False)}
    return {**told, "properties": cast("JsonValue", fields)}


def _told_field(field: Schema) -> Schema:
    alone = without_null(field)
    told = {**{name: value for name, value in field.items() if name != "anyOf"}, **alone}
    return {name: value for name, value in told.items() if name != "default" or value not in _EMPTY}


def told_plainly(schema: ToolSchema) -> ToolSchema:
    return ToolSchema(schema.name, schema.description, told_schema(schema.parameters))


def told_brief(schema: ToolSchema) -> ToolSchema:
    told = told_schema(schema.parameters)
    fields = {name: _undescribed(cast("Schema", field)) for name, field in properties(told).items()}
    parameters = {**told, "properties": cast("JsonValue", fields)}
    return ToolSchema(schema.name, first_sentence(schema.description), parameters)


def _undescribed(field: Schema) -> Schema:
    return {name: value for name, value in field.items() if name not in ("description", "examples")}


def with_thought(schema: ToolSchema, thought: str) -> ToolSchema:
    fields = properties(schema.parameters)
    if not thought or "thought" in fields:
        return schema
    told: dict[str, JsonValue] = {"thought": {"type": "string", "description": thought}, **fields}
    return ToolSchema(schema.name, schema.description, {**schema.parameters, "properties": told})


def _field(name: str, parameters: Schema, words: dict[str, str]) -> str:
    schema = cast("Schema", properties(parameters)[name])
    meaning, _ = _described(schema)
    kind = _kind(schema, words)
    parts = [] if meaning and kind == words["string"] else [kind]
    if name not in required(parameters):
        default = schema.get("default")
        parts.append(words["optional"] if default in _EMPTY else words["default"].format(_json(default)))
    means = words["means"].format(meaning) if parts and meaning else meaning
    return f'"{name}"' + words["in"].format(words["and"].join(parts) + means)


def expected(schema: Schema, language: str = "en") -> str:
    """What a field takes, in a few words."""
    return _kind(schema, _WORDS.get(language, _WORDS["en"]))


def _kind(schema: Schema, words: dict[str, str]) -> str:
    if "const" in schema:
        return _json(schema["const"])
    if "enum" in schema:
        return words["one of"].format(", ".join(_json(one) for one in cast("list[JsonValue]", schema["enum"])))
    if "anyOf" in schema:
        options = [one for one in cast("list[Schema]", schema["anyOf"]) if one.get("type") != "null"]
        return words["or"].join(_kind(one, words) for one in options)
    kind = str(schema.get("format") if schema.get("format") in words else schema.get("type", "object"))
    if kind == "array" and "items" in schema:
        return words["list of"].format(_kind(cast("Schema", schema["items"]), words))
    if kind == "object" and properties(schema):
        fields = (f'"{name}": {_kind(cast("Schema", inner), words)}' for name, inner in properties(schema).items())
        return f"{words['object']} {{{words['and'].join(fields)}}}"
    return words.get(kind, kind) + _bounds(schema, words)


def _bounds(schema: Schema, words: dict[str, str]) -> str:
    low = schema.get("minimum", schema.get("exclusiveMinimum"))
    high = schema.get("maximum", schema.get("exclusiveMaximum"))
    if low is not None and high is not None:
        return f" {_json(low)}–{_json(high)}"
    if low is None and high is None:
        return ""
    return " " + (words["from"].format(_json(low)) if low is not None else words["to"].format(_json(high)))


def _described(schema: Schema) -> tuple[str, str]:
    """The meaning and the example in a description such as ``The city, for example Paris.``"""
    text = str(schema.get("description", "")).strip()
    found = _EXAMPLE.match(text)
    return (found[1].strip(), found[2]) if found else (text.rstrip("."), "")


def _own_example(schema: Schema) -> JsonValue:
    examples = cast("list[JsonValue]", schema.get("examples", []))
    return examples[0] if examples else _described(schema)[1]


def example_call(parameters: Schema) -> str:
    """A call that would be right, as JSON: the required fields, else those that have an example, else the first."""
    fields = {name: cast("Schema", field) for name, field in properties(parameters).items()}
    told = [name for name, field in fields.items() if _own_example(field)]
    names = required(parameters) or told or list(fields)[:1]
    return _json({name: _example(fields[name]) for name in names})


def _example(schema: Schema) -> JsonValue:
    own = _own_example(schema)
    if own:
        return own if schema.get("type") == "string" or not isinstance(own, str) else _of_kind(schema)
    return _of_kind(schema)


def _of_kind(schema: Schema) -> JsonValue:
    if "default" in schema and schema["default"] is not None:
        return schema["default"]
    if "enum" in schema or "const" in schema:
        return cast("list[JsonValue]", schema.get("enum", [schema.get("const")]))[0]
    if "anyOf" in schema:
        return _example(cast("list[Schema]", schema["anyOf"])[0])
    if schema.get("type") == "array":
        return [_example(cast("Schema", schema.get("items", {"type": "string"})))]
    if "properties" in schema:
        return cast("JsonValue", json.loads(example_call(schema)))
    kind = str(schema.get("format") if schema.get("format") in _EXAMPLES else schema.get("type", "string"))
    low, high = schema.get("minimum"), schema.get("maximum")
    return low if low is not None else high if high is not None else _EXAMPLES.get(kind)


def _json(value: JsonValue) -> str:
    return json.dumps(value, ensure_ascii=False)
