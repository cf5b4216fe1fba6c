"""Somebody else's JSON Schemas: what a model is told, what is repaired, what is sent, and what is refused."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given as examples
from hypothesis import settings
from hypothesis import strategies as st

from agent.errors import BadArguments
from agent.toolkit.arguments.foreign import BadSchema, given, resolved, simplified, validator
from agent.toolkit.base import Tool

SCHEMA: dict[str, Any] = {
    "type": "object",
    "properties": {
        "city": {"type": "string", "description": "the\ncity, for example Rome", "title": "City"},
        "days": {"type": "integer", "minimum": 1, "maximum": 7, "default": 3},
        "units": {"enum": ["Metric", "Imperial"]},
        "tags": {"type": "array", "items": {"type": "string"}, "maxItems": 3},
        "note": {"type": ["string", "null"]},
        "old": {"type": "number", "nullable": True},
        "day": {"type": "string", "format": "date"},
        "at": {"$ref": "#/$defs/Point"},
        "tree": {"$ref": "#/$defs/Tree"},
        "either": {"oneOf": [{"type": "number"}, {"type": "string"}]},
        "both": {"allOf": [{"$ref": "#/$defs/Point"}, {"properties": {"up": {"type": "number"}}}]},
        "map": {"type": "object", "additionalProperties": {"type": "integer"}},
        "any": {},
        "fixed": {"const": 4},
        "on": {"type": "boolean"},
    },
    "required": ["city"],
    "$defs": {
        "Point": {
            "type": "object",
            "properties": {"lat": {"type": "number"}, "lon": {"type": "number"}, "name": {"type": "string"}},
            "required": ["lat", "lon"],
        },
        "Tree": {"type": "object", "properties": {"kids": {"type": "array", "items": {"$ref": "#/$defs/Tree"}}}},
    },
}


def tool(schema: dict[str, Any]) -> tuple[Tool, list[dict[str, Any]]]:
    sent: list[dict[str, Any]] = []

    def function(**arguments: Any) -> str:
        sent.append(given(arguments))
        return "done"

    parameters = simplified(schema)
    return Tool("remote", "A tool.", parameters, 5.0, "build", function, validator(parameters)), sent


@pytest.mark.parametrize(
    ("written", "arguments"),
    [
        ("Rome", {"city": "Rome"}),
        ('{"city": "Rome", "days": "2"}', {"city": "Rome", "days": 2}),
        ("```json\n{'city': 'Rome', 'units': 'metric',}\n```", {"city": "Rome", "units": "Metric"}),
        ('{"town": "Rome"}', {"city": "Rome"}),
        ('{"city": "Rome", "tags": "a"}', {"city": "Rome", "tags": ["a"]}),
        ('{"city": "Rome", "note": null}', {"city": "Rome", "note": None}),
        ('{"city": "Rome", "old": null}', {"city": "Rome", "old": None}),
        ('{"city": "Rome", "days": null}', {"city": "Rome"}),
        ('{"city": "Rome", "day": "2026/1/2"}', {"city": "Rome", "day": "2026-01-02"}),
        ('{"city": "Rome", "at": {"lat": "1.5", "lon": 2}}', {"city": "Rome", "at": {"lat": 1.5, "lon": 2.0}}),
        ('{"city": "Rome", "at": "{\\"lat\\": 1, \\"lon\\": 2}"}', {"city": "Rome", "at": {"lat": 1, "lon": 2}}),
        ('{"city": "Rome", "at": {"lat": 1, "lon": 2, "z": 3}}', {"city": "Rome", "at": {"lat": 1, "lon": 2, "z": 3}}),
        ('{"city": "Rome", "tree": {"kids": [{"kids": []}]}}', {"city": "Rome", "tree": {"kids": [{"kids": []}]}}),
        ('{"city": "Rome", "either": "x"}', {"city": "Rome", "either": "x"}),
        (
            '{"city": "Rome", "both": {"lat": 1, "lon": 2, "up": 3}}',
            {"city": "Rome", "both": {"lat": 1, "lon": 2, "up": 3}},
        ),
        ('{"city": "Rome", "map": {"a": "1"}}', {"city": "Rome", "map": {"a": 1}}),
        ('{"city": "Rome", "any": [1, {"b": null}]}', {"city": "Rome", "any": [1, {"b": None}]}),
        ('{"city": "Rome", "fixed": "4", "on": "true"}', {"city": "Rome", "fixed": 4, "on": True}),
        ('{"city": "Rome", "wxyz": 1}', {"city": "Rome"}),
    ],
)
def test_near_misses_are_repaired_and_only_what_was_given_is_sent(written: str, arguments: dict[str, Any]) -> None:
    remote, sent = tool(SCHEMA)
    ready = remote.prepare(written)
    assert ready.arguments == arguments
    assert remote.call(ready.arguments).text == "done"
    assert sent == [arguments]
    assert json.dumps(sent[0])


@pytest.mark.parametrize(
    ("written", "said"),
    [
        ('{"days": 2}', "‘city’ (text) is missing"),
        ('{"city": "Rome", "days": 9}', "‘days’ is wrong: 9 came, whole number 1–7 was expected"),
        ('{"city": "Rome", "units": "furlongs"}', 'one of "Metric", "Imperial" was expected'),
        ('{"city": "Rome", "at": {"lat": 1}}', "‘at.lon’ is wrong"),
        ('{"city": "Rome", "day": 5}', "‘day’ is wrong"),
        ('{"city": "Rome", "tags": ["a", "b", "c", "d"]}', "‘tags’"),
    ],
)
def test_what_does_not_fit_names_field_type_and_example(written: str, said: str) -> None:
    with pytest.raises(BadArguments) as problem:
        tool(SCHEMA)[0].prepare(written)
    assert said in str(problem.value)
    assert 'Write, for example: {"city": "Rome"}' in str(problem.value)


def test_a_model_is_told_the_fields_within_fields_in_one_line() -> None:
    usage = tool(SCHEMA)[0].usage()
    assert "\n" not in usage
    assert '"at" (object {"lat": number, "lon": number, "name": text}, optional)' in usage
    assert '"days" (whole number 1–7, default 3)' in usage


def test_no_reference_is_left_and_none_leads_elsewhere() -> None:
    assert "$ref" not in json.dumps(simplified(SCHEMA))
    outside = {"type": "object", "properties": {"a": {"$ref": "https://example.test/s.json"}, "b": {"$ref": "#/no"}}}
    assert simplified(outside)["properties"] == {"a": {}, "b": {}}
    assert resolved("#/a~1b/1", {"a/b": [1, 2]}) == 2
    assert resolved("#/a/99999999999", {"a": [1]}) is None


def test_what_cannot_be_told_is_left_to_the_server() -> None:
    hidden = "x\u202e\U000e0041"
    schema = {
        "type": "object",
        "properties": {
            "long": {"enum": ["a" * 500]},
            "hidden": {"enum": [hidden], "default": hidden, "examples": [hidden]},
            "pattern": {"type": "string", "pattern": "(a+)+$"},
            "bad\nname": {"type": "string"},
            "odd": {"type": "integer", "exclusiveMinimum": True, "minimum": float("inf"), "maximum": 1.5},
            "none": {"type": []},
            "length": {"type": "string", "minLength": -1, "maxLength": 10**30},
            "items": {"type": "array", "minItems": 1.5, "maxItems": True},
            "either": {"anyOf": []},
        },
    }
    assert simplified(schema)["properties"] == {
        "long": {},
        "hidden": {},
        "pattern": {"type": "string"},
        "odd": {"type": "integer"},
        "none": {},
        "length": {"type": "string"},
        "items": {"type": "array"},
        "either": {},
    }
    validator(simplified(schema))


@pytest.mark.parametrize(
    "schema",
    [
        {"type": "string"},
        {"type": "object", "properties": {"a b": {}}, "required": ["a b"]},
        {"type": "object", "properties": {f"f{index}": {"type": "string"} for index in range(500)}},
    ],
)
def test_a_schema_that_cannot_be_used_is_refused(schema: dict[str, Any]) -> None:
    with pytest.raises(BadSchema):
        simplified(schema)


_WORDS = [
    "type",
    "properties",
    "items",
    "enum",
    "anyOf",
    "oneOf",
    "allOf",
    "$ref",
    "required",
    "minimum",
    "format",
    "default",
    "const",
    "additionalProperties",
    "object",
    "array",
    "string",
    "#/properties",
    "a",
]
_KINDS = ["object", "array", "string", "number", "#", "#/properties/a", "date", "null"]
_JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=8),
    lambda inner: (
        st.lists(inner, max_size=4)
        | st.dictionaries(st.sampled_from(_WORDS), inner | st.sampled_from(_KINDS), max_size=5)
    ),
    max_leaves=25,
)


@pytest.mark.slow
@settings(max_examples=300)
@examples(_JSON, st.dictionaries(st.sampled_from(_WORDS), _JSON), st.text(max_size=20) | _JSON.map(json.dumps))
def test_nothing_that_a_server_says_raises_anything_else(properties: Any, words: dict[str, Any], written: str) -> None:
    try:
        parameters = simplified({"type": "object", "properties": {"a": properties, "b": {"type": "object", **words}}})
    except BadSchema:
        return
    remote = Tool("remote", "A tool.", parameters, 5.0, "build", lambda **_: "done", validator(parameters))
    assert "\n" not in remote.usage()
    try:
        ready = remote.prepare(written)
    except BadArguments:
        return
    assert remote.call(ready.arguments).text == "done"
