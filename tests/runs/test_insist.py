"""Insisting on evidence: an answer with claims that nothing stands behind is sent back to the model once."""

from __future__ import annotations

import socket
import subprocess
import sys
from dataclasses import replace
from itertools import pairwise
from threading import Event as Flag
from typing import Any

import pytest
import sqlalchemy as sql
from hypothesis import given, settings
from hypothesis import strategies as st

from agent.application.setup import default_choice
from agent.application.setup import setup as make_setup
from agent.cli.main import main
from agent.demo.model import Demo
from agent.endings import closing
from agent.errors import BadRequest, ModelFailed
from agent.events import Answered, Asked, Event, Failed, Merged, Observed, Prepared, Replied, ToolCalled, dump, load
from agent.evidence import check, earlier_turns
from agent.loop.agent import Agent, Before
from agent.messages import Usage
from agent.models.capabilities import Capabilities
from agent.models.protocol import Delta
from agent.models.scripted import Scripted
from agent.runs.conversation import Question, answer, ask
from agent.runs.rewind import answering_now, before, resumed
from agent.settings import Limits, read_settings
from agent.sharing.export.collected import Exported, ExportedRun
from agent.sharing.export.json_lines import export_json_lines
from agent.sharing.import_file import read_import
from agent.store.runs import Store
from agent.store.schema import RUNS
from agent.tools.catalogue import toolbox
from agent.tools.search.search_tool import SearchCache
from agent.tools.spec import Parts
from agent.views.fold import fold
from agent.views.request import model_calls
from agent.wire.prompt import messages
from tests.support.servers.model_server import Call, ModelServer, Reply
from tests.support.stories import TOOLS, calls, final, names, react, stored

WIRES = ["react", "native"]
DOUBLED = ("I double it.", "double", "2371")  # gives 4742
WRONG, RIGHT = "Twice 2371 is 4752.", "Twice 2371 is 4742."


def script(wire: str, *said: tuple[str, str, str] | str | Exception) -> Scripted:
    """Replies as a wire writes them: calls as (thought, tool, number), answers as text."""
    replies: list[Any] = []
    for part in said:
        if isinstance(part, Exception):
            replies.append(part)
        elif isinstance(part, str):
            replies.append(final(part) if wire == "react" else part)
        elif wire == "react":
            replies.append(react(*part))
        else:
            replies.append(calls((f"{part[0]}{part[2]}", part[1], f'{{"number": {part[2]}}}'), text=part[0]))
    return Scripted(replies, takes_tools=wire == "native")


def told(model: Scripted, question: str = "How much is twice 2371?", insist: bool = True, **more: Any) -> list[Event]:
    options = {name: more.pop(name) for name in ("limits", "language", "prompts") if name in more}
    wire = "native" if model.takes_tools else "react"
    setup = Agent(model, TOOLS, wire, insist=insist, **options)
    events = list(answer(Question(question, **more), setup, Flag()))
    assert fold(events) == fold(stored(events)) == fold(load(dump(event)) for event in stored(events))
    return stored(events)


def words(events: list[Event]) -> list[Observed]:
    return [event for event in events if isinstance(event, Observed) and event.error == "insist"]


@pytest.mark.parametrize("wire", WIRES)
def test_an_answer_that_differs_is_sent_back_once_and_corrected(wire: str) -> None:
    model = script(wire, DOUBLED, WRONG, RIGHT)
    events = told(model)
    model.finish()
    calling = ["Asked", "Prepared", "Replied", "ToolCalled", "Observed"]
    assert names(events) == [*calling, "Replied", "Observed", "Replied", "Answered"]
    assert isinstance(events[-1], Answered)
    assert events[-1].text == RIGHT
    (word,) = words(events)
    assert word.call_id == ""
    assert "\n- 4752: differs. Seen: 4742\n" in word.text
    first = events[events.index(word) - 1]
    assert isinstance(first, Replied)
    assert first.dropped == WRONG
    assert model.requests[-1].messages[-1].content == word.text
    assert model.requests[-1].may_call


@pytest.mark.parametrize("own", ["${claims}", "Not sure of\n- mine\n- yours: ${claims}", "確認: ${claims}\n- end"])
def test_an_own_prompt_does_not_change_how_many_claims_the_reader_is_told(own: str) -> None:
    model = script("react", DOUBLED, "It is 4752, or 9999.", RIGHT)
    events = told(model, prompts={"insist": own})
    assert [word.claims for word in words(events)] == [2]
    assert fold(events).steps[1].to_check == 2


@pytest.mark.parametrize("wire", WIRES)
def test_the_second_round_may_call_tools_and_its_answer_stands_whatever_it_is(wire: str) -> None:
    model = script(wire, DOUBLED, WRONG, ("Once more.", "double", "2376"), "It is 4752, or 9999.")
    events = told(model)
    model.finish()
    assert len(words(events)) == 1
    assert fold(events).answer == "It is 4752, or 9999."
    found = {claim.text: claim.verdict for claim in check(events).claims}
    assert found == {"4752": "seen", "9999": "not_found"}, "the word to the model supports nothing"


@pytest.mark.parametrize("wire", WIRES)
def test_what_is_supported_is_not_sent_back(wire: str) -> None:
    assert not words(told(script(wire, DOUBLED, RIGHT)))
    assert not words(told(script(wire, DOUBLED, WRONG), insist=False))
    assert not words(told(script(wire, DOUBLED, "It is done.")))


def test_a_figure_of_an_earlier_answer_counts_as_it_did_there() -> None:
    past = told(script("react", DOUBLED, RIGHT))
    (earlier,) = earlier_turns([past])
    assert [claim.verdict for claim in earlier.claims] == ["given", "seen"]
    again = (("I double it.", "double", "3"), "Twice 3 is 6, and before it was 4742.")
    assert not words(told(script("react", *again), "And twice 3?", before=Before({"1": past})))
    unseen = told(script("react", "It was 4742."), "q", insist=False)
    forgotten = told(script("react", *again, "6"), "And twice 3?", before=Before({"1": unseen}))
    assert "- 4742: not found" in words(forgotten)[0].text


def test_earlier_turns_come_from_the_store(store: Store) -> None:
    conversation = store.add_conversation("v", "t")
    last = ""
    for said in ((DOUBLED, RIGHT), (("Again.", "double", "3"), "Twice 3 is 6, and before it was 4742.")):
        run = store.add_run(conversation, last)
        setup = Agent(script("react", *said), TOOLS, "react", insist=True)
        events = list(ask(store, run, Question("How much is twice 2371, and twice 3?"), setup, Flag()))
        assert stored(events) == store.events(run)
        assert not words(events)
        last = run


def test_a_run_interrupted_in_the_second_round_keeps_the_first_answer(store: Store) -> None:
    run = store.add_run(store.add_conversation("v", "t"))
    events = told(script("react", DOUBLED, WRONG, RIGHT))
    store.append(run, events[: events.index(words(events)[0]) + 1])
    gone = subprocess.Popen([sys.executable, "-c", ""])
    gone.wait()
    with store.database.begin() as connection:
        connection.execute(sql.update(RUNS).values(process=f"{socket.gethostname()}:{gone.pid}", alive=0.0))
    assert store.close_interrupted() == [run]
    ended = store.events(run)[-1]
    assert isinstance(ended, Failed)
    assert (ended.reason, ended.partial) == ("interrupted", WRONG)


@pytest.mark.parametrize("wire", WIRES)
def test_over_a_real_server_the_bytes_shown_are_the_bytes_sent(wire: str) -> None:
    call = Reply("I double it.", calls=(Call("calculator", '{"expression": "2*2371"}'),))
    replies: list[Any] = [react("I double it.", "calculator", "2*2371"), final(WRONG), final(RIGHT)]
    with ModelServer(replies if wire == "react" else [call, WRONG, RIGHT]) as server:
        read = read_settings({"GLASSBOX_BASE_URL": server.endpoint, "GLASSBOX_MODEL": "m", "GLASSBOX_INSIST": "yes"})
        choice = replace(default_choice(read), wire=wire)  # type: ignore[arg-type]
        chosen = make_setup(read, choice, Capabilities(), SearchCache())
        events = stored(list(answer(Question("How much is twice 2371?"), chosen, Flag())))
        received = [raw.decode() for raw in server.raw]
    assert fold(events).answer == RIGHT
    assert len(words(events)) == 1
    assert [shown.body for shown in model_calls(events)] == received
    assert [shown.new for shown in model_calls(events)] == [2, 2, 2]


def test_the_demo_is_asked_to_check_only_what_it_looked_up() -> None:
    tools = toolbox(Parts(read_settings({}), SearchCache()))
    hello = list(answer(Question("Hello"), Agent(Demo(pace=0), tools, insist=True), Flag()))
    assert not words(hello)


def test_from_memory_alone_figures_are_sent_back_and_names_are_not() -> None:
    model = script("react", "Ada Lovelace wrote Note G.", DOUBLED, RIGHT)
    assert not words(told(model, "Who wrote it?"))
    events = told(script("react", WRONG, DOUBLED, RIGHT))
    (word,) = words(events)
    assert "Nothing was looked up" in word.text
    assert "\n- 4752: not found\n" in word.text
    assert fold(events).answer == RIGHT


def test_where_tools_were_called_and_all_failed_it_is_not_sent_back() -> None:
    events = told(script("react", ("Try.", "broken", "x"), "It is 4752."))
    assert not words(events)
    assert fold(events).answer == "It is 4752."


def test_without_tools_nothing_can_be_looked_up() -> None:
    from agent.toolkit.base import Toolbox

    setup = Agent(script("react", WRONG), Toolbox([]), "react", insist=True)
    assert fold(answer(Question("How much?"), setup, Flag())).answer == WRONG


@pytest.mark.parametrize("wire", WIRES)
def test_the_limits_hold_over_both_rounds(wire: str) -> None:
    """Two calls are left of three: one for the first round's answer, one for the second, then the limit's own."""
    more = ("And.", "double", "1")
    events = told(script(wire, DOUBLED, WRONG, more, RIGHT), limits=Limits(steps=3))
    assert [event.error for event in events if isinstance(event, Observed)] == ["", "insist", "", "limit"]
    assert events[-1] == Answered(RIGHT, reason="limit")


@pytest.mark.parametrize("limits", [Limits(steps=2), Limits(tokens=10)])
def test_an_answer_at_a_limit_is_not_sent_back(limits: Limits) -> None:
    model = script("react", DOUBLED, WRONG)
    events = told(model, limits=limits)
    model.finish()
    assert not words(events)
    assert fold(events).answer == WRONG


def test_the_seconds_count_from_the_start_of_the_first_round() -> None:
    slow = ("Wait.", "slow", "0.1")
    model = script("react", DOUBLED, slow, WRONG)
    assert not words(told(model, limits=Limits(seconds=0.09)))


@pytest.mark.parametrize("wire", WIRES)
def test_where_the_second_round_fails_the_first_answer_stands(wire: str) -> None:
    events = told(script(wire, DOUBLED, WRONG, ModelFailed("The server is down.", "server")))
    assert isinstance(events[-1], Failed)
    assert (events[-1].reason, events[-1].partial) == ("model", WRONG)
    assert events[-1].message.startswith("The server is down. What stands here is the first answer")
    at_a_limit = told(script(wire, DOUBLED, WRONG, *[("Go on.", "double", "7")] * 2), limits=Limits(steps=3))
    assert isinstance(at_a_limit[-1], Failed)
    assert (at_a_limit[-1].reason, at_a_limit[-1].partial) == ("limit", WRONG)


@pytest.mark.parametrize("wire", WIRES)
def test_stopped_in_the_second_round_the_first_answer_stands(wire: str) -> None:
    cancel = Flag()
    setup = Agent(script(wire, DOUBLED, WRONG, "Twice is a lot"), TOOLS, wire, insist=True)  # type: ignore[arg-type]
    events: list[Event] = []
    for event in answer(Question("q"), setup, cancel):
        events.append(event)
        if words([event]):
            cancel.set()
    ended = events[-1]
    assert isinstance(ended, Failed)
    assert (ended.reason, ended.partial) == ("cancelled", WRONG)
    assert "first answer" in ended.message
    (stuck,) = closing(events[: events.index(words(events)[0]) + 1], Failed("cancelled", "Stopped."))
    assert isinstance(stuck, Failed)
    assert (stuck.message, stuck.partial) == (ended.message, WRONG)


def test_stopped_before_the_check_the_answer_is_the_answer() -> None:
    cancel = Flag()

    class StopsAtTheEnd(Scripted):
        def stream(self, request: Any) -> Any:
            yield from super().stream(request)
            if len(self.requests) == 2:
                cancel.set()

    model = StopsAtTheEnd([react(*DOUBLED), final(WRONG)])
    events = list(answer(Question("q"), Agent(model, TOOLS, "react", insist=True), cancel))
    assert not words(events)
    assert isinstance(events[-1], Answered | Failed)


def test_the_reader_sees_the_first_answer_in_its_step() -> None:
    view = fold(told(script("react", DOUBLED, f"{WRONG} And 999.", RIGHT)))
    first = view.steps[1]
    assert (first.state, first.dropped, first.to_check) == ("done", f"{WRONG} And 999.", 2)
    assert [kind for kind, _ in first.told] == ["insist"]
    assert (view.state, view.answer) == ("answered", RIGHT)
    assert [step.to_check for step in view.steps] == [0, 2, 0]


def test_in_japanese() -> None:
    model = Scripted(["行動: double\n行動の入力: 2371", f"最終的な答え: {WRONG}", f"最終的な答え: {RIGHT}"])
    events = told(model, language="ja")
    assert "\n- 4752: 異なります。Seen: 4742\n" in words(events)[0].text
    assert fold(events).steps[1].to_check == 1


@pytest.mark.parametrize("wire", WIRES)
def test_going_on_from_a_run_that_was_sent_back(wire: str) -> None:
    broken = told(script(wire, DOUBLED, WRONG, ModelFailed("Down.", "server")))
    kept = resumed(broken)
    assert words(list(kept)), "the word to the model is kept"
    model = script(wire, RIGHT)
    again = told(model, so_far=kept)
    assert fold(again).answer == RIGHT
    assert model.requests[0].messages == messages(broken[:-1])
    assert len(words(told(script(wire, "It is 9999."), so_far=kept))) == 1, "not a second time"
    now = script(wire, RIGHT)
    assert fold(told(now, so_far=answering_now(broken))).answer == RIGHT
    assert not now.requests[0].may_call
    down = told(script(wire, ModelFailed("Still down.", "server")), so_far=kept)
    assert isinstance(down[-1], Failed)
    assert down[-1].partial == WRONG


NUMBERS = st.integers(1000, 9999)


@pytest.mark.slow
@settings(max_examples=60, deadline=None)
@given(
    doubled=st.lists(NUMBERS, min_size=1, max_size=3, unique=True),
    later=st.lists(NUMBERS, max_size=2, unique=True),
    claimed=NUMBERS,
    wire=st.sampled_from(WIRES),
    data=st.data(),
)
def test_every_prompt_extends_the_one_before_and_the_run_can_be_cut_anywhere(
    doubled: list[int], later: list[int], claimed: int, wire: str, data: st.DataObject
) -> None:
    """With a second round or without one; and running on from any step gives the same again."""
    said: list[Any] = [(f"step {number}", "double", str(number)) for number in doubled]
    more = [(f"later {number}", "double", str(number)) for number in later]
    model = script(wire, *said, f"It is {claimed}.", *more, "It is done.")
    events = told(model, "How much?")
    sent = [call.messages for call in model_calls(events)]
    assert sent == [request.messages for request in model.requests]
    assert all(after[: len(earlier)] == earlier for earlier, after in pairwise(sent))
    replied = [event for event in events if isinstance(event, Replied)]
    step = data.draw(st.integers(1, len(replied)))
    kept = before(events, step)
    assert list(kept) == [event for event in events[: events.index(replied[step - 1])] if not isinstance(event, Asked)]
    parts: list[Any] = [*said, f"It is {claimed}.", *more, "It is done."]
    again = told(script(wire, *parts[step - 1 :]), "How much?", so_far=kept)
    assert names(again) == names(events)
    assert fold(again).answer == fold(events).answer
    assert [call.messages for call in model_calls(again)] == sent


def test_a_run_that_was_sent_back_is_exported_and_imported_again() -> None:
    events = told(script("react", DOUBLED, WRONG, RIGHT))
    exported = Exported("t", (ExportedRun("1", "", tuple(events)),))
    text = export_json_lines(exported)
    assert read_import(text.encode()) == exported
    assert export_json_lines(read_import(text.encode())) == text
    assert WRONG in text
    for impossible in ('"steps":-1', '"steps":9999999999999', '"steps":"15"', '"stepps":15'):
        with pytest.raises(BadRequest):
            read_import(text.replace('"steps":15', impossible).encode())


def test_a_merged_follow_up_counts_towards_the_limits() -> None:
    model = Scripted(
        [
            [Delta(text="What is twice 2371?"), Delta(usage=Usage(90, 0, 20))],
            [Delta(text=react(*DOUBLED)), Delta(usage=Usage(10, 0, 10))],
            final(RIGHT),
        ]
    )
    before = Before({"1": told(script("react", "A number."), "What is 2371?", insist=False)})
    events = told(model, "and twice that?", before=before, merging=True, limits=Limits(tokens=120), insist=False)
    assert any(isinstance(event, Merged) for event in events)
    assert any(isinstance(event, ToolCalled) for event in events)
    assert events[-1] == Answered(RIGHT, reason="limit")
    prepared = next(event for event in events if isinstance(event, Prepared))
    assert prepared.limits == Limits(tokens=120)


@pytest.mark.parametrize(("options", "answered"), [(["--insist"], RIGHT), ([], WRONG), (["--no-insist"], WRONG)])
def test_in_a_terminal(
    options: list[str], answered: str, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("GLASSBOX_INSIST", "yes" if "--no-insist" in options else "no")
    with ModelServer([react("I double it.", "calculator", "2*2371"), final(WRONG), final(RIGHT)]) as server:
        where = ["--base-url", server.endpoint, "--model", "m", "--wire", "react"]
        assert main([*where, *options, "How much is twice 2371?"]) == 0
    out = capsys.readouterr().out
    assert ("Told to the model: Before this answer is shown" in out) == (answered == RIGHT)
    assert out.rstrip().endswith(f"Final Answer: {answered}")
