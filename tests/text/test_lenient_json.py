"""JSON as models write it: its value, where it ends, and what stands behind it."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import JsonValue

from agent.text.lenient_json import read


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
