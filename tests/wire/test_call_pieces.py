"""Calls that come in fragments: whether they are whole is known at each of them, whatever it is cut into."""

from __future__ import annotations

import json

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from agent.events import ToolSchema
from agent.models.protocol import CallDelta, Delta
from agent.wire.call_pieces import CallPieces
from agent.wire.native import NativeReader
from agent.wire.outcomes import Calls

PIECES = st.lists(
    st.one_of(
        st.sampled_from(["{", "}", '"', "\\", '\\"', '{"a": ', '"b"', "{}", "[", "]", ", ", " ", "\n", ": ", "1", "x"]),
        st.text('{}"\\[],:a1 \n', min_size=1, max_size=4),
    ),
    max_size=12,
)
OBJECTS = st.recursive(st.text(max_size=3) | st.integers(), lambda inner: st.dictionaries(st.text(max_size=2), inner))


def is_object(text: str) -> bool:
    try:
        return isinstance(json.loads(text), dict)
    except ValueError:
        return False


def is_whole(call: CallPieces) -> bool:
    """A fragment with another name is of a new call where this one is whole."""
    return call.ends_before(CallDelta(0, name="other"))


@given(PIECES)
@example(["{", "}", " ", "\n", "}"])
@example(['{"a": "\\', '"}', '"', "}"])
@example(["}", "{}"])
def test_a_call_is_whole_where_its_arguments_are_an_object(pieces: list[str]) -> None:
    call = CallPieces(CallDelta(0, name="search"))
    for end, piece in enumerate(pieces, 1):
        call.add(CallDelta(0, arguments=piece), ())
        assert is_whole(call) == is_object("".join(pieces[:end]))


@pytest.mark.slow
@given(st.dictionaries(st.text(max_size=3), OBJECTS), st.integers(1, 5), st.sampled_from(["", " ", "\n\t", "x", "{}"]))
def test_it_is_whole_from_its_last_bracket_on_and_only_blanks_may_follow(
    arguments: dict[str, object], size: int, after: str
) -> None:
    text = json.dumps(arguments) + after
    call = CallPieces(CallDelta(0, name="search"))
    for at in range(0, len(text), size):
        call.add(CallDelta(0, arguments=text[at : at + size]), ())
        if at % 3 == 0:  # it may be asked at any time, or never
            assert is_whole(call) == is_object(text[: at + size])
    assert is_whole(call) == (not after.strip())


def test_names_and_ids_that_are_repeated_in_each_of_many_fragments_are_one_call() -> None:
    reader = NativeReader([ToolSchema("search", "", {"type": "object", "properties": {}})])
    text = json.dumps({"query": "{} or {it's} " * 400})
    for at in range(0, len(text), 4):
        reader.feed(Delta(calls=(CallDelta(0, "c1", "search", text[at : at + 4]),)))
    reading = reader.close()
    assert isinstance(reading, Calls)
    assert [(action.tool, action.input) for action in reading.actions] == [("search", text)]
