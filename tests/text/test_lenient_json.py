"""JSON as models write it: its value, where it ends, and what stands behind it."""

from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import JsonValue

from agent.text.lenient_json import is_object, read


@pytest.mark.parametrize(
    ("text", "value", "rest"),
    [
        ('{"a": [1, 2.5, null]}', {"a": [1, 2.5, None]}, ""),
        ("{'a': True, 'b': (None,), }", {"a": True, "b": [None]}, ""),
        ('{"a": "line\nbreak"} and more', {"a": "line\nbreak"}, "and more"),
        ('{"a": [{"b": 1', {"a": [{"b": 1}]}, ""),
        (r"{'a': '\frac \d \'x\' \x41'}", {"a": r"\frac \d 'x' A"}, ""),
        (r"{'a': '\ud83d\ude00 \ud83d'}", {"a": "\U0001f600 \ufffd"}, ""),
        ('{"a": "\ud83d"}', {"a": "\ufffd"}, ""),
    ],
)
def test_what_is_meant_is_read(text: str, value: JsonValue, rest: str) -> None:
    found = read(text)
    assert found is not None
    assert (found.value, found.rest) == (value, rest)
    assert text[found.end :].strip() == rest


@pytest.mark.parametrize("text", ["", '{"a": "x', "{'a': b}", "[1}", "[" * 100, "1e999", "{'a': Infinity}"])
def test_what_is_not_json_is_none(text: str) -> None:
    assert read(text) is None


@given(st.text("{}[](),:'\"\\ \nau\ud83d\ude001TrueNone", max_size=60))
def test_nothing_raises(text: str) -> None:
    found = read(text)
    assert found is None or 0 <= found.end <= len(text)


VALUES = st.recursive(
    st.one_of(st.none(), st.booleans(), st.integers(-9, 99), st.text('ab{}[],:"\\é\n\u3000', max_size=6)),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.sampled_from(["a", "b", ""]), inner, max_size=3),
)


@given(VALUES, st.integers(0, 80), st.sampled_from(["", " so", ", ", "]", '"', "'", " {", "“"]))
def test_json_that_breaks_off_is_read_as_what_is_not_quite_json(value: JsonValue, size: int, behind: str) -> None:
    text = json.dumps([True, value], ensure_ascii=False)[:size] + behind
    found, leniently = read(text), read(text.replace("true", "True", 1))
    assert (found and (found.value, found.end, found.rest)) == (
        leniently and (leniently.value, leniently.end, leniently.rest)
    )


@given(st.text('{}[]":,a1 \\\n', max_size=12) | VALUES.map(json.dumps))
def test_an_object_is_what_is_read_strictly_as_one(text: str) -> None:
    found = read(text)
    assert is_object(text) == bool(found and found.strict and isinstance(found.value, dict))
