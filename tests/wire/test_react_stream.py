"""The text wire with models that write their calls in a form of their own, without a label."""

from __future__ import annotations

import json
from collections.abc import Sequence
from threading import Event as Flag

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from agent.events import TextDelta
from agent.loop.agent import Agent
from agent.models.protocol import Delta
from agent.models.scripted import Scripted
from agent.runs.conversation import Question, answer
from agent.settings import WireChoice
from agent.toolkit.base import Toolbox, tool
from agent.wire.outcomes import Action, Answer, Calls, Malformed, Outcome
from agent.wire.react.doubts import COPIED, CUT_OFF
from agent.wire.react_stream import ReactStream
from tests.support.cases import each
from tests.support.dialects import DIALECTS, ONE, TOOLS, TWO

BOTH = [
    pytest.param(row[number], expected, id=f"{name} {number}")
    for name, row in DIALECTS.items()
    for number, expected in (("one", ONE), ("two", TWO))
    if number in row
]
SHOWN = [row["one"] for name, row in DIALECTS.items() if "```" not in row["one"]]


def read(text: str, size: int = 0, seen: tuple[str, ...] = (), finish: str = "stop") -> Outcome:
    stream = ReactStream(TOOLS, seen)
    for start in range(0, len(text), size or max(len(text), 1)):
        stream.feed(Delta(text=text[start : start + (size or len(text))]))
        if stream.done:
            break
    stream.feed(Delta(finish=finish))
    return stream.close()


def calls_of(outcome: Outcome) -> list[tuple[str, object]]:
    actions = outcome.actions if isinstance(outcome, Action | Calls) else ()
    return [(action.tool, json.loads(action.input)) for action in actions]


@each(("text", "expected"), BOTH)
def test_all_calls_of_a_reply_are_taken(text: str, expected: list[tuple[str, object]]) -> None:
    whole = read(text)
    assert calls_of(whole) == expected
    assert all(read(text, size) == whole for size in range(1, 8))


@each("between", ["\n", "; ", ",\n\n"])
def test_calls_that_are_left_out_are_told(between: str) -> None:
    """Objects without a mark of their own, behind words."""
    calls = between.join(['{"name": "f", "parameters": {"city": "Paris"}}', '{"name": "g", "parameters": {"n": 3}}'])
    outcome = read(f"I look it up.\n{calls}")
    assert calls_of(outcome) == ONE
    assert "took the first of 2 calls" in outcome.repairs


RAN: list[tuple[str, object]] = []


@tool
def f(city: str) -> str:
    """Finds a city.

    Args:
        city: The city.
    """
    RAN.append(("f", {"city": city}))
    return "ok"


@tool
def g(n: int) -> str:
    """Counts.

    Args:
        n: How far.
    """
    RAN.append(("g", {"n": n}))
    return "ok"


# Characters of a piece, 0 for all at once. The other sizes take ten times as long.
@pytest.mark.parametrize("sizes", [(0,), pytest.param(range(1, 8), marks=pytest.mark.slow)], ids=["0", "1 to 7"])
@each("wire", ["native", "react"])
@each(("text", "expected"), BOTH)
def test_both_wires_run_them_and_show_no_mark(
    text: str, expected: list[tuple[str, object]], wire: WireChoice, sizes: Sequence[int]
) -> None:
    for size in sizes:
        RAN.clear()
        model = Scripted([text, "Final Answer: Done."], takes_tools=wire == "native", chunk=size)
        events = [*answer(Question("?"), Agent(model, Toolbox([f, g]), wire), Flag())]
        told = "".join(event.text for event in events if isinstance(event, TextDelta) and event.channel == "answer")
        assert sorted(RAN, key=str) == sorted(expected, key=str)
        assert told.removeprefix("Final Answer: ") == "Done."


@each(("text", "expected"), BOTH)
def test_behind_a_final_answer_they_are_text(text: str, expected: list[tuple[str, object]]) -> None:
    said = f"It is written so:\n\n{text}" if "<|" in text or "｜" in text else text
    outcome = read(f"Thought: I explain.\nFinal Answer: See\n\n```\n{said}\n```\n\nThat is all.")
    assert outcome == Answer(text=f"See\n\n```\n{said}\n```\n\nThat is all.", thought="I explain.")


@each("text", SHOWN)
def test_in_a_fence_between_words_they_are_text(text: str) -> None:
    said = f"A call looks like this:\n\n```\n{text}\n```\n\nThe server reads it."
    outcome = read(said)
    assert isinstance(outcome, Answer)
    assert outcome.text == said


def test_a_thought_with_a_label_goes_before_them() -> None:
    outcome = read('Thought: I look.\n<tool_call>\n{"name": "f", "arguments": {"city": "Paris"}}\n</tool_call>')
    assert calls_of(outcome) == ONE
    assert outcome.thought == "I look."


def test_a_labelled_call_goes_before_one_in_another_form() -> None:
    outcome = read('Action: g\nAction Input: 4\n<tool_call>{"name": "f", "arguments": {"city": "Paris"}}</tool_call>')
    assert isinstance(outcome, Action)
    assert outcome.tool == "g"


@each("given", ["37*4", "", '{"city": "Par', "'Paris"])
def test_a_call_that_was_cut_by_its_length_is_none(given: str) -> None:
    text = f"Thought: I look.\nAction: f\nAction Input: {given}"
    assert read(text, finish="length") == Malformed(problem=CUT_OFF, thought="I look.")
    assert isinstance(read(text), Action)


@each("behind", ['{"city": "Paris"}', "Paris\nObservation: It", "Paris\nThought: So"])
def test_one_that_is_whole_is_taken_at_any_length(behind: str) -> None:
    outcome = read(f"Thought: I look.\nAction: f\nAction Input: {behind}", finish="length")
    assert isinstance(outcome, Action)
    assert "Paris" in outcome.input


@each("text", [DIALECTS["hermes"]["one"], DIALECTS["mistral-v13"]["two"], "Action: f\nAction Input: x"])
def test_what_an_observation_has_word_for_word_is_no_call(text: str) -> None:
    seen = (f"The page says:\n{text}\nand more",)
    assert read(text, seen=seen) == Malformed(problem=COPIED)
    assert calls_of(read(text.replace("Action: f\nAction Input: x", "Action: f\nAction Input: {}")))


OBJECT = '{"action": "f", "action_input": "x"}'
SEEN = (f"The page says:\n{OBJECT}\n[{OBJECT}, {OBJECT}]\nand more",)


@each("before", ["The page says:\n", "1\n", "Die Seite sagt:\n\n", "<think>Hm.</think>It says:\n"])
@each("copy", [OBJECT, f"{OBJECT}\n", f"[{OBJECT}, {OBJECT}]"])
def test_words_and_a_copied_object_are_an_answer(before: str, copy: str) -> None:
    outcome = read(before + copy, seen=SEEN)
    thought, _, said = before.rpartition("</think>")
    assert isinstance(outcome, Answer)
    assert (outcome.text, outcome.thought) == ((said + copy).strip(), thought.removeprefix("<think>"))
    assert "took a quoted call for text" in outcome.repairs


@each("before", ["Thought: I look.\n", "<think>I look.</think>\n", "思考: I look.\n", "I look.</think>"])
def test_a_thought_and_a_copied_object_are_told_so(before: str) -> None:
    outcome = read(before + OBJECT, seen=SEEN)
    assert isinstance(outcome, Malformed)
    assert outcome.problem == COPIED


@settings(max_examples=150, deadline=None)
@given(
    st.lists(
        st.sampled_from([*SHOWN, "I look.\n", "Thought: hm\n", "Final Answer: 4\n", "```\n", "`", "\n", OBJECT]),
        max_size=4,
    ),
    st.integers(1, 9),
    st.sampled_from([(), SEEN, tuple(SHOWN)]),
)
def test_how_a_reply_is_cut_changes_nothing(pieces: list[str], size: int, seen: tuple[str, ...]) -> None:
    text = "".join(pieces)
    assert read(text, size, seen) == read(text, seen=seen)
