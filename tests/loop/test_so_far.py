"""The events of a run so far, by kind: kept as they come, they are those that a look at all of them finds."""

from __future__ import annotations

from threading import Thread

import pytest

from agent.events import Event, Inner, Observed, Prepared, Replied, ToolCalled
from agent.inner_runs import has_inner, ids_of_calls, model_calls
from agent.messages import Usage
from agent.models.scripted import Scripted
from agent.so_far import SoFar, of_kind, since_prepared
from tests.support.stories import events_of, final, react


def story() -> list[Event]:
    """A run with calls that went well and ill, and one that had a run within it."""
    replies = [react("a", "double", "2"), react("b", "broken", "x"), "no call", react("c", "double", "4"), final("8")]
    events = [*events_of(Scripted(replies))]
    within = [Inner("call_1", event) for event in events if isinstance(event, Replied | ToolCalled | Observed)]
    return [*events[:-1], *within, events[-1]]


def test_what_is_kept_of_a_growing_run_is_what_a_look_at_all_of_it_finds() -> None:
    so_far, plain = SoFar(), list[Event]()
    for event in story():
        so_far.append(event)
        plain.append(event)
        for kind in (Observed, ToolCalled, Prepared, Inner, (Replied, Observed)):
            assert [*of_kind(so_far, kind)] == [*of_kind(plain, kind)]
        assert [*model_calls(so_far)] == [*model_calls(plain)]
        assert ids_of_calls(so_far) == ids_of_calls(plain)
        assert has_inner(so_far) == has_inner(plain)
        if of_kind(plain, Prepared):
            assert since_prepared(so_far) == since_prepared(plain)
    assert {Observed, ToolCalled, Prepared, Inner, Replied} <= {*map(type, plain)}


def test_the_last_of_two_equal_prepared_counts() -> None:
    prepared = next(event for event in story() if isinstance(event, Prepared))
    replied = Replied("a", "", Usage(), 0.0, 0.0)
    found, since = since_prepared(SoFar([prepared, replied, prepared]))
    assert found is prepared and not [*since]
    with pytest.raises(ValueError, match="no Prepared"):
        since_prepared(SoFar([replied]))


def test_other_threads_that_look_while_it_grows_find_each_event_once() -> None:
    so_far, wrong = SoFar(), list[int]()
    ended = 2_000

    def look() -> None:
        while len(found := so_far.of(Observed)) < ended:
            if [*map(int, (seen.text for seen in found))] != [*range(len(found))]:
                wrong.append(len(found))

    lookers = [Thread(target=look) for _ in range(3)]
    for looker in lookers:
        looker.start()
    for number in range(ended):
        so_far.append(Observed("", str(number)))
        so_far.of(Observed)
    for looker in lookers:
        looker.join()
    assert not wrong
