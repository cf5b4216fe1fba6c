from __future__ import annotations

from dataclasses import replace

import pytest
from pydantic import JsonValue

from agent.events import Answered, Asked, Failed, Merged, Observed, Prepared, Replied, Source, TextDelta, ToolCalled
from agent.messages import Usage
from agent.views.closing_thought import steps_shown
from agent.views.fold import CallView, RunView, StepView, apply, fold
from tests.support.stories import stored

ASKED = Asked("and its cube?", 1.0)
PREPARED = Prepared("What is 5 cubed?", "system", (), "react", "m", "http://e/v1")
REPLIED = Replied(
    "raw", "I cube it.", Usage(10, 0, 5), 0.5, 0.1, repairs=("a repair",), notes=("a note",), cut="x", dropped="y"
)
CALLED = ToolCalled("1", "calculator", "5^3", {"expression": "5^3"}, ("unwrapped",))
OBSERVED = Observed("1", "125", 0.25, sources=(Source(1, "t", "https://e.org"),))
LAST = Replied("raw", "I know.", Usage(20, 0, 5), 0.5, 0.1)
RUN = [ASKED, PREPARED, REPLIED, CALLED, OBSERVED, LAST, Answered("125", ("And its root?",))]


def test_a_run_from_start_to_end() -> None:
    view = fold(RUN)
    call = CallView("1", "calculator", "5^3", "5^3", ("unwrapped",), "125", "", OBSERVED.sources, (), 0.25, False)
    first = StepView(1, "done", "I cube it.", (call,), "raw", "x", "y", ("a repair",), ("a note",), (), 0.75)
    assert view == RunView(
        question="and its cube?",
        started=1.0,
        model="m",
        endpoint="http://e/v1",
        wire="react",
        steps=(first, StepView(2, "done", "I know.", reply="raw", seconds=0.5)),
        answer="125",
        next_questions=("And its root?",),
        state="answered",
        reason="final_answer",
        usage=Usage(30, 0, 10),
        seconds=1.25,
        read=0.2,
    )


def test_states_on_the_way() -> None:
    states = []
    view = RunView()
    for event in [ASKED, PREPARED, TextDelta("thought", "I cu"), REPLIED, CALLED, OBSERVED]:
        view = apply(view, event)
        states.append([step.state for step in view.steps])
    assert states == [[], [], ["thinking"], ["done"], ["calling"], ["done"]]
    assert view.state == "running"


def test_streaming_text_is_provisional() -> None:
    deltas = [
        TextDelta("thought", "I "),
        TextDelta("thought", "think"),
        TextDelta("answer", "12"),
        TextDelta("answer", "5"),
    ]
    view = fold([ASKED, PREPARED, *deltas])
    assert view.steps == (StepView(1, "thinking", "I think"),)
    assert view.answer == "125"
    settled = apply(view, REPLIED)
    assert settled.answer == ""
    assert settled.steps[0].thought == "I cube it."
    again = apply(settled, TextDelta("answer", "new"))
    assert (again.answer, len(again.steps)) == ("new", 2)


def test_live_and_stored_fold_alike() -> None:
    live = [
        ASKED,
        PREPARED,
        TextDelta("thought", "I"),
        REPLIED,
        CALLED,
        OBSERVED,
        TextDelta("answer", "1"),
        LAST,
        RUN[-1],
    ]
    assert fold(live) == fold(stored(live)) == fold(RUN)


def test_merging_is_shown_only_when_it_changed_something() -> None:
    merged = Merged("What is 5 cubed?", (), "r", Usage(3, 0, 1), 0.2)
    view = fold([ASKED, merged])
    assert (view.understood, view.usage, view.seconds) == ("What is 5 cubed?", Usage(3, 0, 1), 0.2)
    same = Merged(ASKED.question, (), "r", Usage(), 0.2, error="It is down.")
    assert (fold([ASKED, same]).understood, fold([ASKED, same]).merge_error) == ("", "It is down.")


def test_failures_of_every_kind_are_seen() -> None:
    failed_call = Observed("1", "closed", error="refused")
    assert fold([ASKED, PREPARED, REPLIED, CALLED, failed_call]).steps[0].state == "failed"
    two = ToolCalled("2", "search", "x", {})
    view = fold([ASKED, PREPARED, REPLIED, CALLED, two, failed_call])
    assert view.steps[0].state == "calling"
    assert fold([Observed("2", "fine")], view).steps[0].state == "done"
    told = fold([ASKED, PREPARED, REPLIED, Observed("", "mend it", error="format")]).steps[0]
    assert (told.state, told.told) == ("failed", (("format", "mend it"),))
    assert fold([ASKED, PREPARED, Observed("", "limit", error="limit")]).steps[0].told == (("limit", "limit"),)


def test_a_run_that_ends_in_mid_step() -> None:
    failed = Failed("cancelled", "Stopped.", partial="12", reference="r")
    calling = fold([ASKED, PREPARED, REPLIED, CALLED, failed])
    assert calling.steps[-1].state == "failed"
    assert (calling.state, calling.answer, calling.failure, calling.reference) == ("failed", "12", "Stopped.", "r")
    thinking = fold([ASKED, PREPARED, TextDelta("thought", "hm"), failed])
    assert (thinking.steps[-1].state, thinking.steps[-1].unfinished, thinking.steps[-1].stopped) == (
        "failed",
        True,
        True,
    )
    broken = fold([ASKED, PREPARED, TextDelta("thought", "hm"), Failed("model", "It broke off.")])
    assert (broken.steps[-1].unfinished, broken.steps[-1].stopped) == (True, False)
    assert fold([ASKED, failed]).steps == ()


def test_the_argument_of_a_call_is_its_one_text() -> None:
    def argument(arguments: dict[str, JsonValue] | None) -> str:
        called = ToolCalled("1", "t", "as written", arguments)
        return fold([ASKED, PREPARED, REPLIED, called]).steps[0].calls[0].argument

    assert argument({"query": "high temperature", "count": 3}) == "high temperature"
    assert argument({"a": "one", "b": "two"}) == "as written"
    assert argument({"count": 3}) == "as written"
    assert argument(None) == "as written"


def test_a_call_is_told_by_its_values() -> None:
    text = '{"thought": "so", "amount": 5, "unit": "miles", "to": "km", "exact": false, "more": [1]}'
    assert CallView("1", "convert", text, text).about == "5 · miles · km"
    assert CallView("1", "weather", text, "Paris").about == "Paris"
    assert CallView("1", "draw", "{}", "{}").about == ""
    for text in ("5 miles", "{5 miles", '{"a": [1]}', "[" * 9_999):
        assert CallView("1", "convert", text, text).about == text


def test_letters_that_were_written_as_codes_are_read_as_letters() -> None:
    def written(text: str) -> str:
        return CallView("1", "weather", text, "").written

    assert written('{"place": "\\u6771\\u4eac"}') == '{"place": "東京"}'
    # What cannot be shown, and what is no JSON, stays as it was.
    for text in ('{"a": "\\u202e"}', '{"a": "\\ud800"}', "\\u6771", '{"a": 1}', "5 + 5"):
        assert written(text) == text


@pytest.mark.parametrize(
    ("thought", "question", "steps"),
    [
        ("I now know the final answer.", "What is 15% of 80?", 1),
        ("I have enough to answer.", "What is 15% of 80?", 1),
        ("答えがわかりました。", "東京の人口は？", 1),
        ("15% of 80 is 12.", "What is 15% of 80?", 2),
        ("So the capital was Bern.", "Where is the seat of the Swiss parliament?", 2),
        ("The population fell.", "What is the population of Bern?", 2),
        ("東京の人口は増えています。", "東京の人口は？", 2),
    ],
)
def test_a_closing_thought_that_says_nothing_is_no_step(thought: str, question: str, steps: int) -> None:
    last = replace(LAST, thought=thought)
    run = [Asked(question, 1.0), PREPARED, REPLIED, CALLED, OBSERVED, last]
    assert len(steps_shown(fold(run))) == 2
    assert len(steps_shown(fold([*run, Answered("125")]))) == steps


def test_a_closing_thought_with_more_or_alone_is_a_step() -> None:
    announced = replace(LAST, thought="I now know the final answer.")
    assert len(steps_shown(fold([ASKED, PREPARED, announced, Answered("125")]))) == 1
    for more in (replace(announced, notes=("a note",)), replace(announced, edited=True), replace(announced, cut="x")):
        assert len(steps_shown(fold([ASKED, PREPARED, REPLIED, CALLED, OBSERVED, more, Answered("125")]))) == 2
