from __future__ import annotations

import dataclasses
import json
from decimal import Decimal
from typing import Any, get_args

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agent.events import (
    EVENTS,
    Artifact,
    Asked,
    Event,
    LimitName,
    Merged,
    Observed,
    Prepared,
    Source,
    ToolCalled,
    dump,
    load,
)
from agent.interruptions import Decision
from agent.messages import EarlierTurn, Facts, Limits, Message, Money, Told, ToolRequest, Usage, estimate_tokens
from agent.upcasters import latest

EVENT_NAMES = [
    *(
        "Answered",
        "Asked",
        "Decided",
        "Failed",
        "Inner",
        "MadeRoom",
        "Merged",
        "Observed",
        "Prepared",
        "Replied",
        "Resumed",
        "TextDelta",
        "ToolCalled",
    ),
    "Waiting",
]


def test_event_names_are_api() -> None:
    assert sorted(EVENTS) == EVENT_NAMES
    assert set(EVENTS.values()) == set(get_args(Event))


@pytest.mark.parametrize("name", EVENT_NAMES)
def test_events_are_frozen_and_tagged(name: str) -> None:
    kind = EVENTS[name]
    tag = dataclasses.fields(kind)[-1]
    assert (tag.name, tag.default) == ("type", name)
    with pytest.raises(dataclasses.FrozenInstanceError):
        setattr(object.__new__(kind), tag.name, "other")


texts = st.text(st.characters(exclude_categories=("Cs",)), max_size=30)


@pytest.mark.slow
@given(st.data(), st.sampled_from(EVENT_NAMES))
def test_what_is_written_is_read_back_equal(data: Any, name: str) -> None:
    event = data.draw(_event(EVENTS[name]))
    line = dump(event)
    assert "\n" not in line
    assert load(line) == event
    assert dump(load(line)) == line


def _event(kind: type[Any]) -> st.SearchStrategy[Any]:
    st.register_type_strategy(float, st.floats(0, 1e9))
    strategies = {field.name: _values(kind, field) for field in dataclasses.fields(kind)}
    return st.builds(kind, **strategies)


def _values(kind: type[Any], field: Any) -> st.SearchStrategy[Any]:
    json_objects = st.dictionaries(
        texts, st.recursive(st.none() | st.booleans() | st.integers(-9, 9) | texts, st.lists)
    )
    usages = st.builds(Usage, *[st.integers(0, 10**9)] * 4, st.booleans())
    special: dict[str, st.SearchStrategy[Any]] = {
        "event": st.deferred(lambda: st.sampled_from([*EVENTS.values()]).flatmap(_event)),
        "type": st.just(kind.__name__),
        "v": st.just(latest(kind.__name__)),
        "turns": st.lists(
            st.builds(
                EarlierTurn, texts, st.sampled_from(get_args(Told)), st.integers(0, 9), st.none() | st.integers(0, 9)
            )
        ).map(tuple),
        "news": texts,
        "parts": st.dictionaries(texts, texts),
        "sizes": st.dictionaries(texts, st.integers(0, 10**6)),
        "carried": st.integers(0, 10**6),
        "compares": st.booleans(),
        "imported": st.booleans(),
        "relabelled": st.booleans(),
        "again": st.booleans(),
        "prompt_cache_key": texts,
        "lead": texts,
        "after_results": texts,
        "opaque": texts,
        "claims": st.integers(0, 20),
        "limit": st.sampled_from([None, *get_args(LimitName)]),
        "channel": st.sampled_from(["thought", "answer"]),
        "wire": st.sampled_from(["react", "native"]),
        "kind": st.sampled_from(["question", "approval"]),
        "decision": st.sampled_from(get_args(Decision)),
        "reason": st.sampled_from(["model", "limit"]) if kind.__name__ == "Failed" else texts,
        "usage": usages,
        "price": st.none() | st.builds(Money, st.decimals(0, 10**6, places=6), st.just("USD")),
        "request": st.lists(
            st.builds(Message, st.just("assistant"), texts, st.just((ToolRequest("1", "t", "{}"),)), texts)
        ).map(tuple),
        "tools": st.just(()),
        "parameters": json_objects,
        "arguments": st.none() | json_objects,
        "artifacts": st.lists(st.builds(Artifact, texts, texts, texts, st.integers(0, 99), st.binary())).map(tuple),
        "sources": st.lists(st.builds(Source, st.integers(1, 9), texts, texts)).map(tuple),
        "own": texts,
        "prompts": st.dictionaries(texts, texts),
        "at": st.none() | st.integers(0, 99),
        "facts": st.none()
        | st.builds(Facts, texts, st.tuples(texts), st.tuples(json_objects), st.booleans(), st.tuples(texts)),
        "limits": st.none() | st.builds(Limits, st.integers(0, 99), st.floats(0, 1e9), st.integers(0, 99)),
    }
    by_type = {"str": texts, "float": st.floats(0, 1e9), "bool": st.booleans(), "int": st.integers(0, 10**9)}
    if field.name in special:
        return special[field.name]
    return by_type.get(field.type, st.lists(texts).map(tuple))


# Written by the code of commit 0d0b42a.
PREPARED_2 = (
    '{"question":"And its cube?","system":"You answer.","tools":[{"name":"now","description":"Tells the time.",'
    '"parameters":{"type":"object"}}],"wire":"native","model":"m","endpoint":"http://127.0.0.1/v1","language":"ja",'
    '"parameters":{"temperature":0.5},"limits":{"steps":3,"seconds":9.5,"tokens":100,"money":0.5},'
    '"prompts":{"limit":"Stop."},"facts":{"today":"2026-11-22","tools":["now"],"cards":[{"name":"t"}],'
    '"documents":true},"v":2,"type":"Prepared"}'
)


def test_what_was_prepared_before_the_conversation_was_told_is_read_and_written_as_it_was() -> None:
    read = load(PREPARED_2)
    assert isinstance(read, Prepared)
    assert (read.turns, read.news, dict(read.parts)) == ((), "", {})
    assert dump(read) == PREPARED_2


def test_limits_that_are_not_known_are_not_written() -> None:
    """A run from before they were kept is written as it was, byte for byte."""
    assert "limits" not in dump(Prepared("q", "s", (), "react", "m", "e"))


def test_content_of_artifacts_stays_out_of_the_event() -> None:
    line = dump(Observed("1", "t", artifacts=(Artifact("json", "raw", "ff", 6, b"secret"),)))
    assert "secret" not in line
    assert load(line) == Observed("1", "t", artifacts=(Artifact("json", "raw", "ff", 6),))


@pytest.mark.parametrize(
    "line",
    [
        "",
        "[",
        "null",
        "[]",
        "{}",
        '{"type":"Nope"}',
        '{"type":["Asked"]}',
        '{"type":"Answered"}',
        '{"type":"Answered","text":1}',
        '{"type":"Answered","text":"x","more":1}',
        '{"type":"Observed","call_id":"1","text":"x","error":null}',
        '{"type":"Observed","call_id":"1","text":"x","artifacts":[{"kind":"text"}]}',
        '{"type":"TextDelta","channel":"other","text":"x"}',
        '{"type":"Asked","question":"q","time":"now"}',
        "[" * 100_000,
        '{"type":"ToolCalled","call_id":"1","tool":"t","input":"i","arguments":' + '{"a":' * 5000 + "1" + "}" * 5001,
    ],
)
def test_anything_else_is_refused_without_being_quoted(line: str) -> None:
    with pytest.raises(ValueError, match=r"^not an event: ") as caught:
        load(line)
    assert len(str(caught.value)) < 200


def test_money_is_exact() -> None:
    merged = Merged("q", (), "r", Usage(), 0.1, Money(Decimal("0.1000")))
    assert json.loads(dump(merged))["price"] == {"amount": "0.1000", "currency": "USD"}
    assert load(dump(merged)) == merged


def test_usage_adds_up() -> None:
    assert Usage(1, 2, 3, 4) + Usage(10, 20, 30, 40, estimated=True) == Usage(11, 22, 33, 44, True)
    assert Usage(1, 0, 2).total == 3


def test_tokens_are_estimated_by_script() -> None:
    assert estimate_tokens("") == 0
    assert estimate_tokens("four") == 2
    assert estimate_tokens("日本語") == 4
    assert estimate_tokens("a" * 4000) == 1001


def test_defaults_are_not_shared() -> None:
    one, two = (Prepared("q", "s", (), "react", "m", "e") for _ in range(2))
    assert one.parameters is not two.parameters
    assert Asked("q", 1.0).at is None
    assert ToolCalled("1", "t", "i", None).arguments is None
