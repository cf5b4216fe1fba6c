"""What is kept in memory of runs that were read: up to a bound, of the conversations that were read last."""

from __future__ import annotations

import pytest

from agent.events import Answered, Asked, Event
from agent.store.kept_runs import KeptRuns
from agent.store.runs import Store


def events(text: str) -> list[Event]:
    return [Asked(text, 1.0), Answered(text)]


def test_the_conversations_that_were_read_longest_ago_make_room() -> None:
    kept = KeptRuns(most=1_000, chats=100)
    for chat in "abc":
        kept.keep(chat, {f"{chat}{number}": (events(chat), 100) for number in range(3)})
    assert list(kept.find("a", ["a0", "a1", "none", "b0"])) == ["a0", "a1"]
    kept.keep("c", {"c3": (events("c"), 100)})
    assert len(kept.find("b", ["b0", "b1", "b2"])) == 3, "a thousand characters fit"
    kept.keep("d", {"d0": (events("d"), 300)})
    assert kept.find("a", ["a0"]) == {} and len(kept.find("c", ["c0", "c3"])) == 2
    assert len(kept.find("b", ["b0", "b1", "b2"])) == 3


def test_many_short_conversations_are_not_all_kept() -> None:
    kept = KeptRuns(most=1_000, chats=10)
    for chat in range(50):
        kept.keep(str(chat), {"run": (events("q"), 1)})
    assert [chat for chat in range(50) if kept.find(str(chat), ["run"])] == [*range(40, 50)]


def test_of_what_is_too_long_is_kept_what_fits() -> None:
    kept = KeptRuns(most=1_000, chats=10)
    kept.keep("a", {str(number): (events("q"), 90) for number in range(20)})
    assert list(kept.find("a", map(str, range(20)))) == [str(number) for number in range(11)]
    kept.keep("a", {"large": (events("q"), 2_000), "small": (events("q"), 10)})
    assert list(kept.find("a", ["large", "0", "small"])) == ["0", "small"]


def test_what_is_read_a_second_time_is_what_was_kept(store: Store) -> None:
    conversation = store.add_conversation("anna", "t")
    first = store.add_run(conversation)
    store.append(first, events("q"))
    second = store.add_run(conversation, first)
    store.append(second, [Asked("and now?", 2.0)])
    past = store.past(conversation, [first, second])
    assert list(past) == [first, second]
    again = store.past(conversation, [second, first])
    assert list(again) == [second, first]
    assert again[first] is past[first], "what has ended does not change"
    assert again[second] is not past[second] and again[second] == past[second]
    store.append(second, [Answered("This.")])
    assert len(store.past(conversation, [second])[second]) == 2
    with pytest.raises(StopIteration):
        next(iter(store.past("another", [first])))
