"""A run that waits for the person: in the loop, over both wires, in the events and what is made of them."""

from __future__ import annotations

from dataclasses import replace
from itertools import pairwise
from threading import Event as Flag
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agent.errors import BadRequest
from agent.events import Answered, Asked, Decided, Event, Failed, Observed, Prepared, Replied, ToolCalled, Waiting
from agent.evidence import check
from agent.loop.calls import open_calls
from agent.loop.limits import limits_left
from agent.messages import Usage
from agent.models.scripted import Scripted
from agent.runs import rewind
from agent.runs.conversation import Question, answer, go_on
from agent.settings import Limits
from agent.sharing.export.collected import Exported, ExportedRun
from agent.sharing.export.html_page import export_html
from agent.sharing.export.json_lines import export_json_lines
from agent.sharing.export.markdown import export_markdown
from agent.sharing.import_file import read_import
from agent.sharing.import_save import save_import
from agent.store.chats import Chats
from agent.store.runs import Store
from agent.toolkit.base import Toolbox, tool
from agent.views.compare import align
from agent.views.decisions import sentence
from agent.views.event_list import about, lines
from agent.views.film import film
from agent.views.fold import fold
from agent.views.request import model_calls
from agent.views.timeline import length, seconds_taken, spans
from agent.wire.prompt import messages
from tests.support.stories import calls, double, events_of, final, names, react, stored
from tests.support.waiting_stories import ASKING, ASKS_FIRST, begun, further, said, script, setup, to_the_end
from tests.support.whole_runs import asking_run

WIRES = pytest.mark.parametrize("wire", ["react", "native"])


@WIRES
def test_a_question_waits_for_the_person_and_their_words_are_the_observation(wire: str) -> None:
    model = script(wire, ("ask_user", ASKING))
    chosen = setup(model, wire)
    events = begun(chosen)
    waiting = events[-1]
    assert isinstance(waiting, Waiting)
    assert (waiting.kind, waiting.text, waiting.choices) == ("question", "Which one?", ("this", "that"))
    assert fold(events).waiting is not None
    whole = further([*events, said(waiting, "answered", "that")], chosen)
    assert names(whole)[-5:] == ["Waiting", "Decided", "Observed", "Replied", "Answered"]
    assert next(event for event in whole if isinstance(event, Observed)).text == "that"
    assert fold(whole).waiting is None
    model.finish()


@WIRES
def test_what_is_decided_is_told_the_model_by_the_observation_alone(wire: str) -> None:
    model = script(wire, ("double", '{"number": 4}'), ("ask_user", ASKING))
    whole = to_the_end(setup(model, wire), [("edited", "", 10), ("skipped", "", 0)])
    seen = [event.text for event in whole if isinstance(event, Observed)]
    assert seen == [
        'The user changed the input to {"number": 10} The result:\n20',
        "The user did not answer. Decide yourself, and say in the answer what you assumed.",
    ]
    without = [event for event in whole if not isinstance(event, Waiting | Decided)]
    assert messages(without) == messages(whole)
    assert [call.messages for call in model_calls(whole)] == [request.messages for request in model.requests]


@pytest.mark.parametrize(
    ("decision", "text", "seen", "error"),
    [
        ("allowed", "", "8", ""),
        ("always", "", "8", ""),
        ("denied", "", "The user did not allow this call. Do without", "denied"),
        ("denied", "Too\n dear.", "The user did not allow this call: “Too dear.” Do without", "denied"),
    ],
)
def test_a_call_is_made_only_where_it_is_allowed(decision: Any, text: str, seen: str, error: str) -> None:
    made: list[int] = []

    @tool(name="double")
    def noted(number: int) -> str:
        """Doubles.

        Args:
            number: Any.
        """
        made.append(number)
        return str(number * 2)

    chosen = replace(setup(script("react", ("double", "4"))), tools=Toolbox([noted]))
    events = begun(chosen)
    assert not made
    whole = further([*events, said(events[-1], decision, text)], chosen)
    observed = next(event for event in whole if isinstance(event, Observed))
    assert observed.text.startswith(seen)
    assert observed.error == error
    assert made == ([] if error else [4])


def test_calls_side_by_side_that_need_nobody_are_made_at_once_the_others_wait_one_by_one() -> None:
    @tool
    def triple(number: int) -> str:
        """Triples.

        Args:
            number: Any.
        """
        return str(number * 3)

    three = calls(("a", "double", '{"number": 1}'), ("b", "triple", '{"number": 2}'), ("c", "double", '{"number": 3}'))
    chosen = replace(setup(Scripted([three, "done"], takes_tools=True), "native"), tools=Toolbox([double, triple]))
    events = begun(chosen)
    assert [event.text for event in events if isinstance(event, Observed)] == ["6"]
    assert [call.call_id for call in open_calls(events)] == ["a", "c"]
    assert isinstance(events[-1], Waiting)
    assert events[-1].call_id == "a"
    events = further([*events, said(events[-1], "denied")], chosen)
    assert isinstance(events[-1], Waiting)
    assert events[-1].call_id == "c"
    step = fold(events).steps[0]
    assert step.state == "waiting"
    assert [call.observation is None for call in step.calls] == [False, False, True]
    whole = further([*events, said(events[-1], "allowed")], chosen)
    assert isinstance(whole[-1], Answered)
    assert fold(whole).steps[0].state == "done"
    assert len(spans(whole)) == 5


def test_a_tool_that_is_gone_by_then_is_an_observation() -> None:
    chosen = setup(script("react", ("double", "4")))
    events = begun(chosen)
    whole = further([*events, said(events[-1], "allowed")], replace(chosen, tools=Toolbox([])))
    assert next(event for event in whole if isinstance(event, Observed)).error == "unknown_tool"


def test_a_call_cut_before_its_decision_needs_none_where_nothing_asks_any_more() -> None:
    chosen = setup(script("react", ("double", "4")))
    events = begun(chosen)
    assert further(events[:-1], replace(chosen, policy=type(ASKS_FIRST)()))[-1] == Answered("done")


def test_stop_while_it_goes_on_ends_it() -> None:
    chosen = setup(script("react", ("double", "4")))
    events = begun(chosen)
    kept = [*stored(events), said(events[-1], "denied")]
    cancel = Flag()
    cancel.set()
    assert isinstance([*go_on(kept, chosen, cancel)][-1], Failed)


def test_the_time_of_the_person_is_not_the_run_s() -> None:
    chosen = setup(script("react", ("double", "4")), limits=Limits(seconds=5))
    events = begun(chosen)
    whole = further([*events, said(events[-1], "allowed", seconds=100_000)], chosen)
    assert whole[-1] == Answered("done")
    assert seconds_taken(whole) == pytest.approx(length(spans(whole)))
    assert seconds_taken(whole) < 5
    assert fold(whole).waited == 100_000
    # What the models and tools took before does count.
    slow = [replace(event, seconds=5.5) if isinstance(event, Replied) else event for event in stored(events)]
    late = further([*slow, said(events[-1], "allowed")], setup(Scripted([final("best")]), limits=Limits(seconds=5)))
    assert late[-1] == Answered("best", reason="limit")


def test_a_run_that_goes_on_has_its_own_limits_and_no_more_money_than_is_left() -> None:
    prepared = Prepared("q", "s", (), "react", "m", "e", limits=Limits(3, 60, 100, 0.5))
    assert limits_left([prepared], Limits(99, 99, 99)) == Limits(3, 60, 100, 0.5)
    assert limits_left([prepared], Limits(money=0.2)).money == 0.2
    assert limits_left([replace(prepared, limits=None)], Limits(4)) == Limits(4)


@WIRES
def test_insisting_goes_on_after_a_wait(wire: str) -> None:
    chosen = setup(script(wire, ("double", '{"number": 4}')), wire, insist=True)
    assert isinstance(to_the_end(chosen, [("allowed", "", 0)])[-1], Answered)


decisions = st.sampled_from(["allowed", "always", "edited", "denied"])
steps = st.lists(
    st.tuples(st.just("double"), decisions, st.text(max_size=20), st.integers(0, 9))
    | st.tuples(st.just("ask_user"), st.sampled_from(["answered", "skipped"]), st.text(max_size=20), st.just(0)),
    min_size=1,
    max_size=4,
)


@pytest.mark.slow
@given(steps, st.sampled_from(["react", "native"]))
def test_live_is_stored_is_reloaded_whatever_is_decided(story: list[Any], wire: str) -> None:
    made = [
        (name, f'{{"number": {n}}}' if name == "double" else f'{{"question": "{n}?"}}')
        for n, (name, *_) in enumerate(story)
    ]
    chosen = setup(script(wire, *made), wire)
    live = begun(chosen)
    for _, decision, text, number in story:
        assert fold(live) == fold(stored(live))
        live = further([*live, said(live[-1], decision, text, number)], chosen)
        called = [event.call_id for event in live if isinstance(event, ToolCalled)]
        seen = [event.call_id for event in live if isinstance(event, Observed)]
        assert seen == called[: len(seen)]
    last = live[-1]
    assert isinstance(last, Answered) and last == Answered("done", reason=last.reason)
    assert fold(frame.event for frame in film(stored(live)).frames) == fold(stored(live))
    requests = [request.messages for request in chosen.model.requests]  # type: ignore[attr-defined]
    for before, after in pairwise(requests):
        assert after[: len(before)] == before


# What is made of the events.


def test_it_is_exported_and_imported_and_waits_for_nobody_then(store: Store) -> None:
    exported = Exported("t", (ExportedRun("1", "", asking_run()),))
    read = read_import(export_json_lines(exported).encode())
    assert read == exported
    conversation = save_import(store, "me", read)
    (row,) = store.runs(conversation)
    marked = [replace(each, imported=True) if isinstance(each, Asked | Prepared) else each for each in asking_run()]
    assert store.events(row.id) == marked
    assert not Chats(store).conversations("me")[0].waiting
    assert Chats(store).allowed(conversation) == ()
    page, written = export_html(exported), export_markdown(exported)
    for said_of_it in (
        *("Answered by the person after 1 minute", "Denied by the person after 4 s: Not all", "Paris, weather now"),
        *("Made with arguments by the person", "It waited for the person, who did not decide."),
    ):
        assert said_of_it in page
        assert said_of_it in written
    assert "<b>of</b>" not in page + written


def test_the_list_and_the_comparison_say_who_decided_what() -> None:
    told = {line.kind: line for line in lines(asking_run(), ("Waiting", "Decided"))}
    assert told["Waiting"].about == "approval: It reaches out."
    assert (told["Decided"].about, told["Decided"].seconds) == ("edited", 4.0)
    assert [about(event) for event in asking_run() if isinstance(event, Decided)][
        1
    ] == "denied: Not all <b>of</b> Paris."
    view = fold(asking_run())
    other = fold(replace(event, text="No.") if isinstance(event, Decided) else event for event in asking_run())
    assert [pair.differs for pair in align(view.steps, other.steps)] == [("decision",), ("decision",)]
    later = fold(replace(event, seconds=9.0) if isinstance(event, Decided) else event for event in asking_run())
    assert all(pair.same for pair in align(view.steps, later.steps))


@pytest.mark.parametrize(
    ("seconds", "told"), [(0.4, "0 s"), (59, "59 s"), (60, "1 minute"), (7200, "2 hours"), (90_000, "1 day")]
)
def test_how_long_the_person_took(seconds: float, told: str) -> None:
    assert sentence(Decided("1", "skipped", seconds=seconds)) == f"Left to the agent by you after {told}"


def decided_run() -> list[Event]:
    chosen = setup(script("react", ("double", "4"), ("ask_user", ASKING)))
    return stored(to_the_end(chosen, [("denied", "no", 0), ("answered", "that", 0)]))


def test_time_travel_cuts_before_and_after_a_decision() -> None:
    events = decided_run()
    first, second = (event.call_id for event in events if isinstance(event, Waiting))
    anew = rewind.before_decision(events, first)
    assert names(list(anew))[-3:] == ["Replied", "ToolCalled", "Waiting"]
    with pytest.raises(BadRequest, match="not there any more"):
        rewind.before_decision(events, "other")
    chosen = setup(script("react", ("ask_user", ASKING)))
    asked = events_of_setup(chosen, anew)
    assert isinstance(asked[-1], Waiting)
    assert asked[-1].call_id == first
    whole = further([*asked, said(asked[-1], "allowed")], chosen)
    assert next(event for event in whole if isinstance(event, Observed)).text == "8"
    kept = rewind.resumed(events[: events.index(next(e for e in events if isinstance(e, Answered)))])
    assert isinstance(kept[-1], Observed)
    assert second in {event.call_id for event in kept if isinstance(event, Decided)}
    stopped = [event for event in events if event.type != "Observed" or event.call_id == first]  # type: ignore[union-attr]
    assert isinstance(rewind.resumed(stopped[:-2])[-1], Observed)


def events_of_setup(chosen: Any, so_far: tuple[Event, ...]) -> list[Event]:
    return list(answer(Question("q", so_far=so_far), chosen, Flag()))


def test_a_run_from_a_changed_observation_makes_no_call_that_was_left_open() -> None:
    two = calls(("a", "double", '{"number": 1}'), ("b", "double", '{"number": 3}'))
    chosen = setup(Scripted([two, "done"], takes_tools=True), "native")
    events = begun(chosen)
    events = stored(further([*events, said(events[-1], "allowed")], chosen))
    assert isinstance(events[-1], Waiting)
    # As a hostile file would have it: allowed, and never made.
    hostile = [*events, said(events[-1], "allowed")]
    kept = rewind.with_observation(hostile, "a", "3")
    assert open_calls(kept) == []
    assert {event.call_id for event in kept if isinstance(event, ToolCalled | Waiting | Decided)} == {"a"}


def test_what_the_person_said_is_given_and_a_denial_is_no_failure_to_own_up_to() -> None:
    chosen = setup(Scripted([react("So.", "ask_user", ASKING), react("So.", "double", "4"), final("It is 77.")]))
    whole = stored(to_the_end(chosen, [("answered", "It was 77", 0), ("denied", "", 0)]))
    evidence = check(whole, ())
    assert [claim.verdict for claim in evidence.claims] == ["given"]
    assert not evidence.looked_up


def test_what_waited_when_it_was_stopped_says_so() -> None:
    events = decided_run()
    cut = events[: next(i for i, event in enumerate(events) if isinstance(event, Waiting)) + 1]
    view = fold([*cut, Failed("cancelled", "Stopped.")])
    assert view.waiting is None
    assert view.steps[-1].state == "failed"
    assert view.usage != Usage()


def test_without_a_policy_nothing_asks() -> None:
    assert "Waiting" not in names(events_of(Scripted([react("So.", "double", "4"), final("8")])))
