"""The scripted model keeps to its script and complains where a test does not."""

from __future__ import annotations

import pytest

from agent.errors import GlassboxError, ModelFailed
from agent.messages import Message, Usage
from agent.models.protocol import Delta, Model, Request
from agent.models.scripted import Scripted


def asked(text: str) -> Request:
    return Request((Message("user", text),))


def test_replies_in_order_and_requests_kept() -> None:
    deltas = (Delta("a"), Delta(usage=Usage(1, 0, 1)))
    model = Scripted(["hello", deltas, ""], name="double", takes_tools=True)
    typed: Model = model
    assert (typed.name, typed.endpoint, typed.takes_tools) == ("double", "scripted", True)
    assert list(model.stream(asked("one"))) == [Delta("hello")]
    assert list(model.stream(asked("two"))) == list(deltas)
    assert list(model.stream(asked("three"))) == []
    assert model.requests == [asked("one"), asked("two"), asked("three")]
    model.finish()


def test_text_in_pieces() -> None:
    model = Scripted(["abcdefg"], chunk=3)
    assert [delta.text for delta in model.stream(asked("x"))] == ["abc", "def", "g"]


def test_errors_are_raised_where_they_stand() -> None:
    lost = ModelFailed("gone", "broken")
    model = Scripted([lost, (Delta("so far"), lost, Delta("never"))])
    with pytest.raises(ModelFailed, match="gone"):
        list(model.stream(asked("x")))
    stream = model.stream(asked("y"))
    assert next(stream) == Delta("so far")
    with pytest.raises(GlassboxError, match="gone"):
        next(stream)
    model.finish()


def test_an_unexpected_call_is_noticed_at_once() -> None:
    model = Scripted(["only"])
    model.stream(asked("one"))
    with pytest.raises(AssertionError, match="call 2 of a script of 1; last message: 'two'"):
        model.stream(asked("two"))
    with pytest.raises(AssertionError, match="last message: ''"):
        model.stream(Request(()))
    model.finish()


def test_unplayed_replies_are_noticed() -> None:
    model = Scripted(["one", "two", "three"])
    model.stream(asked("x"))
    with pytest.raises(AssertionError, match="2 of 3 replies not played, next: 'two'"):
        model.finish()
