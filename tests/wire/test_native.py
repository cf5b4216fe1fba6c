"""Native tool calls as servers and models really send them."""

from __future__ import annotations

import json
import re
from collections.abc import Callable

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from agent.events import ToolSchema
from agent.models.protocol import CallDelta, Delta
from agent.wire.native import NativeReader
from agent.wire.outcomes import Action, Answer, Calls, Malformed
from agent.wire.react.patterns import LABELS
from tests.support.cases import each

Draw = Callable[[st.SearchStrategy[set[int]]], set[int]]

TOOLS = ("search", "calculator", "get_time", "get_time_zone")


def read(*deltas: Delta, tools: tuple[str, ...] = TOOLS) -> tuple[Calls | Answer | Malformed, str, str]:
    """The reading, and what was told as thought and as answer."""
    reader = NativeReader([ToolSchema(name, "", {"type": "object", "properties": {}}) for name in tools])
    told = {"thought": "", "answer": ""}
    for delta in deltas:
        for said in reader.feed(delta):
            assert said.text
            told[said.channel] += said.text
        assert not reader.done
    return reader.close(), told["thought"], told["answer"]


def called(*fragments: CallDelta | tuple[CallDelta, ...]) -> list[tuple[str, str, str]]:
    """The calls (id, name, arguments) of fragments that come one delta each, or several in one."""
    reading, _, _ = read(*(Delta(calls=one if isinstance(one, tuple) else (one,)) for one in fragments))
    assert isinstance(reading, Calls)
    return [(action.id, action.tool, action.input) for action in reading.actions]


X, Y = '{"query": "x"}', '{"query": "y"}'

MERGED = {
    "one whole": ([CallDelta(0, "a", "search", X)], [("a", "search", X)]),
    "in pieces": (
        [CallDelta(0, "a", "search"), CallDelta(0, arguments='{"query"'), CallDelta(0, arguments=': "x"}')],
        [("a", "search", X)],
    ),
    "two, by index": (
        [CallDelta(0, "a", "search", X), CallDelta(1, "b", "search", '{"query":'), CallDelta(1, arguments=' "y"}')],
        [("a", "search", X), ("b", "search", Y)],
    ),
    "two at once, interleaved": (
        [
            (CallDelta(0, "a", "search"), CallDelta(1, "b", "search")),
            (CallDelta(1, arguments='{"query": '), CallDelta(0, arguments='{"query": ')),
            (CallDelta(0, arguments='"x"}'), CallDelta(1, arguments='"y"}')),
        ],
        [("a", "search", X), ("b", "search", Y)],
    ),
    "an index left out": ([CallDelta(1, "a", "search", X), CallDelta(3, "b", "search", Y)],
                          [("a", "search", X), ("b", "search", Y)]),
    "every index 0, new id and name": (
        [CallDelta(0, "a", "search", X), CallDelta(0, "b", "calculator", "{"), CallDelta(0, arguments="}")],
        [("a", "search", X), ("b", "calculator", "{}")],
    ),
    "every index 0, new id, same name": (
        [CallDelta(0, "a", "search", X), CallDelta(0, "b", "search", '{"query": '), CallDelta(0, arguments='"y"}')],
        [("a", "search", X), ("b", "search", Y)],
    ),
    "every index 0, new id, no arguments": (
        [CallDelta(0, "a", "get_time"), CallDelta(0, "b", "get_time")],
        [("a", "get_time", "{}"), ("b", "get_time", "{}")],
    ),
    "every index 0, no ids": (
        [(CallDelta(0, "", "search", X), CallDelta(0, "", "search", Y)), CallDelta(0, "", "calculator", "{}")],
        [("", "search", X), ("", "search", Y), ("", "calculator", "{}")],
    ),
    "every index 0, no ids, another name without arguments yet": (
        [CallDelta(0, "", "search", X), CallDelta(0, "", "calculator"), CallDelta(0, arguments="{}")],
        [("", "search", X), ("", "calculator", "{}")],
    ),
    "a new id with every fragment": (
        [CallDelta(0, "a", "search"), CallDelta(0, "b", "", '{"query"'), CallDelta(0, "c", "", ': "x"}')],
        [("a", "search", X)],
    ),
    "a new id and the name with every fragment": (
        [CallDelta(0, "a", "search", '{"query"'), CallDelta(0, "b", "search", ': "x"}')],
        [("a", "search", X)],
    ),
    "id and name with every fragment": (
        [CallDelta(0, "a", "search", '{"query"'), CallDelta(0, "a", "search", ': "x"}'), CallDelta(0, "a", "search")],
        [("a", "search", X)],
    ),
    "the name with every fragment, no id": (
        [CallDelta(0, "", "search", ""), CallDelta(0, "", "search", '{"query"'), CallDelta(0, "", "search", ': "x"}')],
        [("", "search", X)],
    ),
    "the name once more at the end": (
        [CallDelta(0, "", "search", X), CallDelta(0, "", "search", "\n")],
        [("", "search", X + "\n")],
    ),
    "the name in pieces": (
        [CallDelta(0, "a", "sea"), CallDelta(0, "", "rch"), CallDelta(0, "", "", X)],
        [("a", "search", X)],
    ),
    "a name in pieces that is a tool at first": (
        [CallDelta(0, "a", "get_time"), CallDelta(0, "", "_zone"), CallDelta(0, "", "", "{}")],
        [("a", "get_time_zone", "{}")],
    ),
    "the name growing": (
        [CallDelta(0, "a", "sea"), CallDelta(0, "a", "search"), CallDelta(0, "a", "", X)],
        [("a", "search", X)],
    ),
    "a name nobody knows, in pieces": (
        [CallDelta(0, "a", "fly"), CallDelta(0, "", "_home"), CallDelta(0, "", "", "{}")],
        [("a", "fly_home", "{}")],
    ),
    "the id late": ([CallDelta(0, "", "search"), CallDelta(0, "a", "", X)], [("a", "search", X)]),
    "the name late": ([CallDelta(0, "a"), CallDelta(0, "", "search"), CallDelta(0, "", "", X)], [("a", "search", X)]),
    "the name after the arguments": ([CallDelta(0, "a", "", X), CallDelta(0, "a", "search")], [("a", "search", X)]),
    "no arguments": ([CallDelta(0, "a", "get_time", "")], [("a", "get_time", "{}")]),
    "blank arguments": ([CallDelta(0, "a", "get_time", " \n")], [("a", "get_time", "{}")]),
    "arguments broken off": ([CallDelta(0, "a", "search", '{"query": "x')], [("a", "search", '{"query": "x')]),
    "arguments that are no JSON": ([CallDelta(0, "a", "search", "x y")], [("a", "search", "x y")]),
    "no name": ([CallDelta(0, "a", "", X)], [("a", "", X)]),
    "blanks around the name": ([CallDelta(0, "a", " search\n", X)], [("a", "search", X)]),
    "an empty one beside": ([CallDelta(0), CallDelta(1, "b", "search", X)], [("b", "search", X)]),
    "an unknown tool": ([CallDelta(0, "a", "Serch", X)], [("a", "Serch", X)]),
}  # fmt: skip


@each(("fragments", "expected"), MERGED.values(), ids=MERGED.keys())
def test_fragments_become_calls(
    fragments: list[CallDelta | tuple[CallDelta, ...]], expected: list[tuple[str, str, str]]
) -> None:
    assert called(*fragments) == expected


@each("finish", ["tool_calls", "stop", "length", "function_call", ""])
def test_calls_are_calls_whatever_the_server_says_of_the_end(finish: str) -> None:
    reading, _, _ = read(Delta(calls=(CallDelta(0, "a", "search", X),)), Delta(finish=finish))
    assert reading == Calls(actions=(Action(tool="search", input=X, id="a"),))


def test_the_legacy_form_has_no_id() -> None:
    """``function_call``: one call, which the adapter hands on without an id."""
    assert called(CallDelta(0, "", "search", '{"query"'), CallDelta(0, "", "", ': "x"}')) == [("", "search", X)]


def thought_of(*deltas: Delta) -> str:
    reading, _, _ = read(*deltas)
    assert isinstance(reading, Calls)
    return reading.thought


def test_the_thought_is_reasoning_else_content_else_a_field() -> None:
    field = CallDelta(0, "a", "search", '{"thought": " Because. ", "query": "x"}')
    other = CallDelta(1, "b", "search", '{"thought": "And.", "query": "y"}')
    none = CallDelta(2, "c", "search", X)
    assert thought_of(Delta(reasoning="R "), Delta("C"), Delta(calls=(field,))) == "R"
    assert thought_of(Delta("C "), Delta(calls=(field,))) == "C"
    assert thought_of(Delta(calls=(field, other, none))) == "Because.\nAnd."
    assert thought_of(Delta(calls=(none,))) == ""
    assert thought_of(Delta(calls=(CallDelta(0, "a", "search", '{"thought": 3}'),))) == ""
    assert thought_of(Delta(calls=(CallDelta(0, "a", "search", "[1]"),))) == ""
    assert thought_of(Delta(calls=(CallDelta(0, "a", "search", '{"thought": "x'),))) == ""
    assert thought_of(Delta("<think>T</think>\n"), Delta(calls=(none,))) == "T"


def test_the_arguments_keep_their_thought_field() -> None:
    text = '{"thought": "Because.", "query": "x"}'
    assert called(CallDelta(0, "a", "search", text)) == [("a", "search", text)]


def test_plain_content_is_the_answer() -> None:
    assert read(Delta("It is "), Delta("42. \n")) == (Answer(text="It is 42.", reason="stop"), "", "It is 42. \n")
    number = read(Delta(reasoning="Hm."), Delta("42"), Delta(finish="stop"))
    assert number == (Answer(text="42", thought="Hm.", reason="stop"), "Hm.", "42")


@each(
    "text",
    [
        "Observation: the sky is blue.\nObservation: so is the sea.",
        "Thoughts on this: many.",
        "# Plan\n\nAction: none needed.\n",
        "The plan:\nAction: fly_home\nAction Input: now",
        'Send `{"name": "someone", "arguments": {}}` to the server.',
        "a < b, x[1] and f(y) <b>bold</b>",
        "```python\nprint(1)\n```",
        "<thinks> so",
        "答えは42です。",
        "1. Capital of France?\n2. …\n\nFinal Answer: Paris",
        "We add them up.\n\n### Final Answer:\n\n144",
        "class Reply:\n    answer: str\n    sources: list[str]",
        'Write `re.sub(r"<think>.*?</think>", "", text)`.',
        'text.split("</think>")[-1] leaves the answer.',
        "Thought: I know.\nFinal Answer: It is 42.\nNext Actions:\n- And its cube?",
    ],
)
def test_an_answer_about_anything_stays_as_it_is(text: str) -> None:
    assert read(Delta(text))[::2] == (Answer(text=text.strip(), reason="stop"), text)


WRITTEN_CALLS = [
    ('<tool_call>\n{"name": "search", "arguments": {"query": "x"}}\n</tool_call>', {"query": "x"}),
    ('{"name": "search", "arguments": {"query": "x"}}', {"query": "x"}),
    ('```json\n{"action": "search", "action_input": {"query": "x"}}\n```', {"query": "x"}),
    ("Thought: I look.\nAction: search\nAction Input: x", "x"),
    ("1. Thought: I look.\n2. Action: search\n3. Action Input: x", "x"),
    ('<think>I look.</think>\n<tool_call>{"name": "search", "arguments": {"query": "x"}}</tool_call>', {"query": "x"}),
]


@each(("text", "expected"), WRITTEN_CALLS)
def test_a_call_written_as_text_is_a_call(text: str, expected: object) -> None:
    reading, _, _ = read(Delta(text))
    assert isinstance(reading, Calls)
    assert read(*map(Delta, text))[::2] == (reading, "")
    (action,) = reading.actions
    assert action.tool == "search"
    assert action.input == expected or json.loads(action.input) == expected
    assert reading.repairs[0] == "took a call that was written as text"
    assert reading.thought == ("I look." if "I look." in text else "")


def test_a_written_call_is_cut_where_the_model_went_on_inventing() -> None:
    text = "Action: search\nAction Input: x\nObservation: made up\nFinal Answer: 7"
    reading, _, _ = read(Delta(reasoning="R"), Delta(text))
    assert isinstance(reading, Calls)
    assert reading.thought == "R"
    assert text[reading.cut :].startswith("Observation: made up")


def test_a_written_call_of_a_tool_that_nobody_has_is_an_answer() -> None:
    text = "Action: browse\nAction Input: x"
    assert read(Delta(text))[0] == Answer(text=text, reason="stop")
    assert read(Delta("Action: search\nAction Input: x"), tools=())[0] == Answer(
        text="Action: search\nAction Input: x", reason="stop"
    )


def test_real_calls_win_over_written_ones() -> None:
    text = "Action: calculator\nAction Input: 1"
    reading, _, _ = read(Delta(text, calls=(CallDelta(0, "a", "search", X),)))
    assert reading == Calls(actions=(Action(tool="search", input=X, id="a"),), thought=text)


@each(
    ("text", "thought", "answer"),
    [
        ("<think>Hm.</think>\n\nYes.", "Hm.", "Yes."),
        ("\n <THINK>\nHm.</Think> Yes.", "Hm.", "Yes."),
        ("<thinking>Hm.</thinking>Yes.", "Hm.", "Yes."),
        ("<think></think>Yes.", "", "Yes."),
        ("<think>a </b> <c</think>Yes </think.", "a </b> <c", "Yes </think."),
    ],
)
def test_a_thinking_block_at_the_start_is_thought(text: str, thought: str, answer: str) -> None:
    reading, told_thought, told_answer = read(*map(Delta, text))
    assert (told_thought, told_answer) == (thought, answer)
    assert isinstance(reading, Answer)
    assert (reading.thought, reading.reason) == (thought, "stop")
    assert reading.text.startswith("Yes")


def test_a_thinking_block_without_its_start_is_taken_off_at_the_end() -> None:
    reading, thought, answer = read(Delta("Hm.</think>\nYes."))
    assert reading == Answer(text="Yes.", thought="Hm.", reason="stop")
    assert (thought, answer) == ("", "Hm.</think>\nYes.")


def test_special_tokens_are_taken_off_at_the_end() -> None:
    text = "<|channel|>analysis<|message|>Hm.<|end|><|start|>assistant<|channel|>final<|message|>Yes."
    reading, _, _ = read(Delta(text))
    assert isinstance(reading, Answer)
    assert (reading.text, reading.thought, reading.reason) == ("Yes.", "Hm.", "stop")


def test_what_is_still_open_at_the_end_is_held_back() -> None:
    assert read(Delta("<think>Hm.</thi"))[1:] == ("Hm.", "")
    assert read(Delta("  <thi"))[1:] == ("", "")


@each(
    ("text", "told"),
    [
        *(("_<", ""), ("=<¹", ""), ("=<b", ""), ("**<too", ""), ("~<", ""), ("_[", ""), ("_`", "")),
        *(("_<tool_call>", "_"), ("=<tool_call>{", "="), ("Yes. =<", "Yes. ="), ("Yes. _<tool", "Yes. _")),
        *(("Ü", ""), ("Überleg", ""), ("行", ""), ("- Act", ""), ("_a", ""), ("1) Gedan", "")),
        *(("Réflexion```", ""), ("**Réflexion 1**", ""), ("Réflexionen```", "Réflexionen```")),
        *(("1) Gegen", "1) Gegen"), ("42", ""), ("1789", "1789")),
        *(("_<x ", "_<x "), ("={", "={"), ("<b>", "<b>"), ("Yes _<¹", "Yes _<¹"), ("Ünder", "Ünder")),
    ],
)
def test_what_may_begin_a_call_is_held_back_behind_a_mark(text: str, told: str) -> None:
    for deltas in ([Delta(text)], list(map(Delta, text))):
        reading, thought, answer = read(*deltas)
        assert (reading, thought, answer) == (Answer(text=text.strip(), reason="stop"), "", told)
        assert MAY_BE_A_CALL.match(text[len(told) :]) or begins_a_label(text[len(told) :])


@each(
    ("deltas", "thought", "problem"),
    [
        ([], "", "empty"),
        ([Delta(" \n")], "", "empty"),
        ([Delta(calls=(CallDelta(0),))], "", "empty"),
        ([Delta(finish="length")], "", "empty"),
        ([Delta(reasoning="Hm. ")], "Hm.", "thought only"),
        ([Delta("<think>Hm.")], "Hm.", "thought only"),
        ([Delta("<think>Hm.</think>\n")], "Hm.", "thought only"),
    ],
)
def test_nothing_said_is_malformed(deltas: list[Delta], thought: str, problem: str) -> None:
    reading, _, _ = read(*deltas)
    assert isinstance(reading, Malformed)
    assert reading.thought == thought
    assert problem in reading.problem


PIECES = st.sampled_from(
    [
        "<think>", "</think>", "<thinking>", "</thinking>", "<", "</", "think", ">", " ", "\n", "\n\n", "Yes.",
        "Hm, é答",
        "Thought: ", "Action: ", "Action Input: ", "Final Answer: ", "Observation: ", "search", "calculator",
        "<tool_call>",
        "</tool_call>", '{"name": "search", "arguments": {"query": "x"}}', "```", "Next Actions:\n- more?", "思考: ",
        "İ", "Ü", "Réflexion", "Über",
    ]
)  # fmt: skip
CONTENT = st.lists(PIECES | st.text(max_size=5), max_size=8).map("".join)
ARGUMENTS = st.one_of(
    st.dictionaries(st.sampled_from(["thought", "query", "n"]), st.text(max_size=6) | st.integers(), max_size=3).map(
        lambda value: json.dumps(value, ensure_ascii=False)
    ),
    st.sampled_from(["", " ", "{}", '{"query": "}{"}', '{"a": {"b": "\\"}"}}']),
)
NAMES = st.sampled_from([*TOOLS, "unknown"])


@st.composite
def replies(draw: st.DrawFn) -> tuple[str, str, list[tuple[str, str, str]], bool]:
    """Reasoning, content, calls (id, name, arguments), and whether the server gives every call the index 0."""
    calls = draw(st.lists(st.tuples(NAMES, ARGUMENTS), max_size=3))
    with_ids, all_zero = draw(st.booleans()), draw(st.booleans())
    if all_zero and not with_ids:
        calls = [(name, text) for name, text in calls if text.strip()]
    numbered = [(f"id{number}" if with_ids else "", name, text) for number, (name, text) in enumerate(calls)]
    return draw(st.text(max_size=8)), draw(CONTENT), numbered, all_zero


def pieces(draw: Draw, text: str) -> list[str]:
    cuts = sorted(draw(st.sets(st.integers(1, len(text) - 1), max_size=6))) if len(text) > 1 else []
    return [text[start:end] for start, end in zip([0, *cuts], [*cuts, len(text)], strict=True) if start < end]


def deltas_of(draw: Draw | None, reply: tuple[str, str, list[tuple[str, str, str]], bool]) -> list[Delta]:
    reasoning, content, calls, all_zero = reply
    cut = (lambda text: pieces(draw, text)) if draw else (lambda text: [text] if text else [])
    deltas = [Delta(reasoning=part) for part in cut(reasoning)] + [Delta(text=part) for part in cut(content)]
    for number, (call_id, name, arguments) in enumerate(calls):
        index = 0 if all_zero else number
        first, *rest = cut(arguments) or [""]
        deltas.append(Delta(calls=(CallDelta(index, call_id, name, first),)))
        deltas += [Delta(calls=(CallDelta(index, arguments=part),)) for part in rest]
    return deltas


# What may be the beginning of a call is not told before it is known to be none.
# Decoration may have the number of a list.
DECORATION = r"(?:(?:[\W_]|[0-9]{1,3}(?=\W|\Z)){1,41})"
MAY_BE_A_CALL = re.compile(
    rf"\Z|{DECORATION}?[<\[\]{{`]|>>|f|{DECORATION}?(?:Thought|Action|思考)|search|calculator|{DECORATION}?[a-z_]{{1,12}}\Z"
    rf"|{DECORATION}\Z",
    re.I,
)
# The word ends with a letter; a number and the end of its decoration may follow, and behind a colon anything.
HALF_LABEL = re.compile(
    rf"{DECORATION}?(?P<word>[^\W\d_][\w \t'’-]{{0,40}}?)(?P<closed>[\W\d_]{{0,12}})(?:\Z|(?<=[:：]).*)", re.DOTALL
)


def begins_a_label(text: str) -> bool:
    """Whether a text begins with a label in any language, decorated or not, or is the beginning of one."""
    half = HALF_LABEL.match(text)
    if not half:
        return False
    word = re.sub(r"[\s_-]", "", half["word"]).lower()
    goes_on = not half["closed"].strip(" \t_-'’") and half.end("closed") == len(text)
    return any(label.startswith(word) for label in LABELS) if goes_on else word in LABELS


def told_of(content: str) -> tuple[str, str]:
    """An oracle of the whole text for what is told of content: its thought and its answer."""
    text = content.lstrip()
    opening = re.match("<(think|thinking|thought)>", text, re.IGNORECASE)
    if not opening:
        undecided = any(tag.startswith(text.lower()) for tag in ("<think>", "<thinking>", "<thought>"))
        return "", "" if undecided else text
    inner, closing, answer = re.split(f"(</{opening[1]}>|$(?!\n))", text[opening.end() :], maxsplit=1, flags=re.I)
    if not closing:
        half = (
            size for size in range(len(inner), 0, -1) if f"</{opening[1]}>".lower().startswith(inner[-size:].lower())
        )
        inner = inner[: len(inner) - next(half, 0)]
    return inner.lstrip(), answer.lstrip()


@pytest.mark.slow
@settings(max_examples=1000, deadline=None)
@given(replies(), st.data())
@example(("", "Réflexion```", [], False), None)
def test_how_a_reply_is_cut_changes_nothing(
    reply: tuple[str, str, list[tuple[str, str, str]], bool], data: st.DataObject | None
) -> None:
    reasoning, content, calls, _ = reply
    whole = read(*deltas_of(None, reply))
    assert read(*deltas_of(data and data.draw, reply)) == whole
    reading, thought, answer = whole
    for told, said in ((thought, reasoning + told_of(content)[0]), (answer, told_of(content)[1])):
        assert said.startswith(told)
        assert MAY_BE_A_CALL.match(said[len(told) :]) or begins_a_label(said[len(told) :])
    if calls:
        assert isinstance(reading, Calls)
        expected = [(call_id, name, text if text.strip() else "{}") for call_id, name, text in calls]
        assert [(action.id, action.tool, action.input) for action in reading.actions] == expected


@pytest.mark.slow
@settings(max_examples=300, deadline=None)
@given(
    st.lists(
        st.builds(
            Delta,
            text=CONTENT,
            reasoning=st.text(max_size=3),
            calls=st.lists(
                st.builds(CallDelta, st.integers(0, 2), st.text(max_size=2), NAMES | st.text(max_size=3), ARGUMENTS)
            ).map(tuple),
        ),
        max_size=5,
    )
)
def test_any_deltas_are_read(deltas: list[Delta]) -> None:
    reading, _, _ = read(*deltas)
    assert isinstance(reading, Calls | Answer | Malformed)
