"""Calls that models write as text, each in its own dialect: which are taken, and which are only shown."""

from __future__ import annotations

import json
from collections.abc import Sequence

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from pydantic import JsonValue

from agent.events import ToolSchema
from agent.models.protocol import Delta
from agent.wire.dialects.finder import find
from agent.wire.native import NativeReader
from agent.wire.outcomes import Answer, Calls, Malformed, Outcome
from tests.support.cases import each
from tests.support.dialects import DIALECTS, MARKED, ONE, TOOLS, TWO, spelled

Expected = list[tuple[str, dict[str, object]]]
CHUNKS = (0, 1, 2, 3, 4, 5, 6, 7)  # characters; 0 for all at once
BOTH = [
    pytest.param(row[number], expected, id=f"{name} {number}")
    for name, row in DIALECTS.items()
    for number, expected in (("one", ONE), ("two", TWO))
    if number in row
]
# A mark of a dialect, of which nothing may be told that is no part of the outcome.
MARKUP = ("<", "[TOOL", "✿", "functools", ">>>", "```", "{", "call:", "]<")


def read(
    text: str, size: int = 0, finish: str = "stop", tools: Sequence[ToolSchema] = TOOLS
) -> tuple[Outcome, str, str]:
    """The reading of a content in chunks of ``size``, and what was told as thought and as answer."""
    reader = NativeReader(tools)
    told = {"thought": "", "answer": ""}
    for start in range(0, len(text), size or max(len(text), 1)):
        for said in reader.feed(Delta(text[start : start + (size or len(text))])):
            told[said.channel] += said.text
    reader.feed(Delta(finish=finish))
    return reader.close(), told["thought"], told["answer"]


def calls_of(outcome: Outcome) -> Expected:
    return [(action.tool, json.loads(action.input)) for action in outcome.actions] if isinstance(outcome, Calls) else []


def in_chunks(
    text: str, finish: str = "stop", tools: Sequence[ToolSchema] = TOOLS, sizes: Sequence[int] = CHUNKS
) -> tuple[Outcome, str, str]:
    """As ``read``, which is the same in chunks of any size."""
    whole = read(text, 0, finish, tools)
    assert [read(text, size, finish, tools) for size in sizes[1:]] == [whole] * (len(sizes) - 1)
    return whole


@each(("text", "expected"), BOTH)
def test_a_call_is_taken(text: str, expected: Expected) -> None:
    outcome, thought, answer = in_chunks(text)
    assert calls_of(outcome) == expected
    assert (thought, answer) == ("", "")
    assert outcome.repairs == ("took a call that was written as text",)


@each("said", ["I look it up. ", "I look it up.\n\n", "調べます。\n", "Is 3 < 4 [yes]? `f(x)`\n"])
@each(("text", "expected"), BOTH)
def test_what_is_said_before_a_call_is_thought(text: str, expected: Expected, said: str) -> None:
    marked = text not in {row.get(number) for row in DIALECTS.values() if "whole_message" in row for number in row}
    outcome, _, answer = in_chunks(said + text)
    if marked:
        assert calls_of(outcome) == expected
        assert outcome.thought == said.strip()
        assert said.startswith(answer) and not answer.strip(said)
    else:
        assert outcome == Answer(text=said + text, reason="stop")


@each("frame", ["<think>{}</think>", "<think>{}", "<think>{}</think>\n", "{}</think>"])
@each(("text", "expected"), BOTH)
def test_a_call_in_a_thought_counts_where_nothing_follows(text: str, expected: Expected, frame: str) -> None:
    outcome, _, answer = in_chunks(frame.format(text))
    assert calls_of(outcome) == expected
    assert answer == ""


@each(("text", "expected"), BOTH)
def test_a_call_in_a_thought_does_not_count_before_an_answer(text: str, expected: Expected) -> None:
    outcome, thought, answer = in_chunks(f"<think>Hm.\n{text}</think>\nParis it is.")
    assert outcome == Answer(text="Paris it is.", thought=f"Hm.\n{text}", reason="stop")
    assert (thought, answer) == (f"Hm.\n{text}", "Paris it is.")


@each(("text", "expected"), BOTH)
def test_a_call_behind_a_thought_is_taken(text: str, expected: Expected) -> None:
    outcome, thought, answer = in_chunks(f"<think>I could use {text}?</think>\n\n{text}")
    assert calls_of(outcome) == expected
    assert outcome.thought == f"I could use {text}?"
    assert (thought, answer) == (f"I could use {text}?", "")


@each("name", MARKED)
def test_a_call_in_the_reasoning_counts_where_there_is_no_content(name: str) -> None:
    reader = NativeReader(TOOLS)
    reader.feed(Delta(reasoning=f"I look it up.\n{DIALECTS[name]['one']}"))
    outcome = reader.close()
    assert calls_of(outcome) == ONE
    assert outcome.thought == "I look it up."


CLOSERS = ("</tool_call>", "</tool_calls>", "</function>", "</parameter>", "</tools>", "</function_call>", "</invoke>")


@each(("text", "expected"), BOTH)
def test_a_missing_end_is_filled_in(text: str, expected: Expected) -> None:
    """But for what holds the value itself: of that nobody knows whether it was all."""
    body = text.rstrip("`")
    while body.endswith((">", "[")) and (start := body.rfind("<")) > body.rfind("3" if expected is TWO else "Paris"):
        body = body[:start].rstrip("]")
        body = body[: body.rfind("]<")] if body.endswith("]<]minimax[>[") else body
        assert calls_of(in_chunks(body)[0]) == expected, body
    outcome, _, _ = in_chunks(body.rstrip("\n)]}"))
    assert calls_of(outcome) in (expected, []), body


@each(("text", "expected"), BOTH)
def test_a_call_that_was_cut_by_length_is_no_call(text: str, expected: Expected) -> None:
    last = max(text.rfind("Paris"), text.rfind("3}"), text.rfind("3<"), text.rfind("n=3"), text.rfind("\n3"))
    for end in range(1, last + 2):
        outcome, _, answer = read(text[:end], 0, "length")
        assert calls_of(outcome) in ([], expected[:-1]), text[:end]
        assert answer == "" or not isinstance(outcome, Malformed)


# The same text with and without its end, both at a limit of length.
@each(
    "name",
    [
        name
        for name in DIALECTS
        if name not in {"granite30", "granite31", "granite20b", "gigachat", "functionary32", "functools"}
    ],
)
def test_a_whole_call_counts_at_a_limit_of_length_too(name: str) -> None:
    assert calls_of(read(DIALECTS[name]["one"], 0, "length")[0]) == ONE


def test_the_whole_calls_before_one_that_was_cut_are_taken() -> None:
    text = DIALECTS["hermes"]["two"]
    outcome, _, _ = in_chunks(text[:-20], "length")
    assert calls_of(outcome) == ONE
    assert outcome.repairs[1:] == ("left out a call that was cut off",)


def test_a_cut_call_is_sent_back() -> None:
    outcome, _, answer = in_chunks(DIALECTS["qwen-xml"]["one"][:40], "length")
    assert isinstance(outcome, Malformed)
    assert "cut off" in outcome.problem
    assert answer == ""


LINES = "He said: \"5 < 6 & 7 > 2\".\nIt's 'fine', <b>isn't</b> it?\n\n  {\"a\": [1]}, ok\\n"
FIELDS: dict[str, tuple[JsonValue, JsonValue]] = {
    "a text": ({"type": "string"}, "Paris, France"),
    "a text that is a number": ({"type": "string"}, "3"),
    "a text with a leading zero": ({"type": "string"}, "02139"),
    "an expression": ({"type": "string"}, "(3 + 4) * 2 < 15 and f(2) > 1"),
    "a text that is a word of JSON": ({"type": "string"}, "true"),
    "a text in Japanese": ({"type": "string"}, "東京の天気は「晴れ」です。"),
    "several lines": ({"type": "string"}, LINES),
    "an integer": ({"type": "integer"}, 3),
    "a number": ({"type": "number"}, -2.5),
    "a boolean": ({"type": "boolean"}, True),
    "none": ({"anyOf": [{"type": "string"}, {"type": "null"}]}, None),
    "a list": ({"type": "array"}, ["a, b", 2, "c"]),
    "an object": ({"type": "object"}, {"a": [1, "b"], "deep": {"x": "<y>"}, "on": False}),
}


@pytest.mark.slow
@each("kind", FIELDS)
@each("name", DIALECTS)
def test_values_have_the_type_of_the_schema(name: str, kind: str) -> None:
    schema, value = FIELDS[kind]
    tool = ToolSchema("web_search", "", {"type": "object", "properties": {"query": schema}})
    text = spelled(name, "web_search", "query", value)
    outcome, _, answer = in_chunks(text, tools=(tool,))
    assert calls_of(outcome) == [("web_search", {"query": value})], text
    assert answer == ""


@each(("text", "expected"), BOTH)
def test_a_tool_that_is_not_declared_is_not_called(text: str, expected: Expected) -> None:
    other = ToolSchema("search", "", {"type": "object", "properties": {}})
    outcome, thought, answer = in_chunks(text, tools=(other,))
    if text.startswith("<|channel|>"):
        assert not isinstance(outcome, Calls)
    else:
        assert outcome == Answer(text=text, reason="stop")
    assert (thought, text.startswith(answer)) == ("", True)
    assert find(text, {}, ended=True) is None


FRAMES = {
    "a fence": "A model may write:\n\n```\n{}\n```\n\nThen the server reads it.",
    "a fence of a language": "Schreibweise:\n```xml\n{}\n```\nSo sieht das aus.",
    "a fence of tildes": "例えば:\n~~~text\n{}\n~~~\nと書きます。",
    "inline code": "Write `{}` to call it.",
    "inline code of two": "Write ``{}``",
    "inline code alone": "`{}`",
    "quotes": 'It writes "{}" and waits.',
    "curly quotes": "Il écrit « {} » et attend.",
    "Japanese quotes": "モデルは「{}」と書きます。",
    "quotes at the end": 'It writes "{}"',
    "a sentence": "It writes {} and then waits.",
    "a quotation": "The manual says:\n\n> {}\n\nThat is all.",
    "a quotation at the end": "The manual says:\n\n> {}",
    "an indented block": "The manual says:\n\n    {}\n\nThat is all.",
    "a table": "| dialect | call |\n|---|---|\n| one | {} |\n| two | … |",
    "an example": "So wird gerufen:\n\n{}\n\nDanach antwortet der Server.",
    "a list": "- first: {}\n- second: none\n",
    "HTML": "<p>Write:</p>\n<pre>{}</pre>",
    "two fences": "One:\n```\n{}\n```\nAnother:\n```\nx = 1\n```\nDone.",
}


# The other sizes take six times as long.
@pytest.mark.parametrize("sizes", [(0,), pytest.param(CHUNKS, marks=pytest.mark.slow)], ids=["0", "all"])
@each("frame", FRAMES.values(), ids=FRAMES)
@each("name", DIALECTS)
def test_a_call_that_is_shown_is_not_made(name: str, frame: str, sizes: Sequence[int]) -> None:
    for number in ("one", "two"):
        if number in DIALECTS[name] and not (name in ("fence", "gemma3-code") and "`{}`" in frame):
            text = frame.format(DIALECTS[name][number])
            outcome, thought, answer = in_chunks(text, sizes=sizes)
            assert not isinstance(outcome, Calls), text
            assert outcome == Answer(text=text.strip(), reason="stop"), text
            assert thought == ""
            assert text.startswith(answer)


@each("name", MARKED)
def test_a_call_in_a_fence_at_an_end_of_the_reply_is_made(name: str) -> None:
    call = DIALECTS[name]["one"]
    if not call.startswith("```"):
        for text in (f"```\n{call}\n```", f"I look.\n\n```xml\n{call}\n```", f"```xml\n{call}\n```\nI wait."):
            outcome, _, answer = in_chunks(text)
            assert calls_of(outcome) == ONE, text
            assert answer == ("I look.\n\n" if text.startswith("I look") else "")


@each(
    ("text", "told"),
    [
        ("a < b and b > c, so <b>a</b> [1] {x} `y`", "a < b and b > c, so <b>a</b> [1] {x} `y`"),
        ('{"title": "f", "name": "Paris"}', '{"title": "f", "name": "Paris"}'),
        ('{"name": "Paris", "arguments": {}}', '{"name": "Paris", "arguments": {}}'),
        ('[{"id": 1, "name": "x"}]', '[{"id": 1, "name": "x"}]'),
        ("[1] [2].", "[1] [2]."),
        ("[link](https://example.org) and more", "[link](https://example.org) and more"),
        ("f is a function. f(x) = 2x.", "f is a function. f(x) = 2x."),
        ("```python\nimport os\n```", "```python\nimport os\n```"),
        ('```json\n{"a": 1}\n```', '```json\n{"a": 1}\n```'),
        (">>> print(1)\n1", ">>> print(1)\n1"),
        ("<tools>\n<hammer/>\n</tools>", "<tools>\n<hammer/>\n</tools>"),
        ("std::function<int()> g = f;", "std::function<int()> g = f;"),
        ("Write `<tool_call>` first.", "Write `<tool_call>` first."),
        (
            '<tool_call>{"name": "get_weather"}</tool_call> is a call.',
            '<tool_call>{"name": "get_weather"}</tool_call> is a call.',
        ),
        ("Action: think\nAction Input: hard", "Action: think\nAction Input: hard"),
        ("Thought: none.\nFinal Answer: 3", "Thought: none.\nFinal Answer: 3"),
        ("call: me at 3", "call: me at 3"),
    ],
)
def test_what_is_no_call_is_told_as_it_comes(text: str, told: str) -> None:
    assert in_chunks(text) == (Answer(text=text, reason="stop"), "", told)


def test_a_result_that_the_model_invents_ends_the_reply() -> None:
    call = DIALECTS["hermes"]["one"]
    text = f'{call}\n<tool_response>{{"sky": "blue"}}</tool_response>\n{call}\nIt is blue.'
    outcome, _, _ = in_chunks(text)
    assert calls_of(outcome) == ONE
    assert outcome.cut is not None and text[outcome.cut :].startswith("<tool_response>")


def test_a_call_of_another_tool_is_text_before_one_that_is_taken() -> None:
    other = '<tool_call>{"name": "h", "arguments": {}}</tool_call>'
    outcome, _, _ = in_chunks(f"{other}\n{DIALECTS['hermes']['one']}")
    assert calls_of(outcome) == ONE


def test_an_answer_behind_a_call_is_dropped() -> None:
    outcome, _, _ = in_chunks(f"I look.\n{DIALECTS['hermes']['one']}\nIt is sunny.")
    assert calls_of(outcome) == ONE
    assert (outcome.thought, outcome.dropped) == ("I look.", "It is sunny.")


@each(
    ("text", "expected"),
    [
        ("<|tool_call_start|>[f(city='It's here')]<|tool_call_end|>", [("f", {"city": "It's here"})]),
        (
            "<|tool_call_start|>[f(city='a')]<|tool_call_end|>\n<|tool_call_start|>[g(n=3)]<|tool_call_end|>",
            [("f", {"city": "a"}), ("g", {"n": 3})],
        ),
        ('```tool_code\nprint(default_api.f(city="Paris"))\n```', ONE),
        ("call:f{city:Paris}", ONE),
        ("call:f{city:Paris, France}", [("f", {"city": "Paris, France"})]),
        ('<|tool_call>call:f{city=<|"|>Paris<|"|>}<tool_call|>', ONE),
        ('commentary to=functions.f json{"city": "Paris"}', ONE),
        ('<|start|>assistant to=functions.f<|channel|>commentary json<|message|>{"city": "Paris"}', ONE),
        (
            "<|channel|>analysis<|message|>Hm.<|end|>"
            '<|start|>assistant<|channel|>commentary to=functions.f <|constrain|>json<|message|>{"city": "Paris"}',
            ONE,
        ),
        ('<|tool_call_begin|>functions.f:3<|tool_call_argument_begin|>{"city": "Paris"}<|tool_call_end|>', ONE),
        ('<invoke name="f">\n<parameter name="city">Paris</parameter>\n</invoke>', ONE),
        ("<function=f>\n<parameter=city>\nParis\n</parameter>\n</function>\n</tool_call>", ONE),
        (
            '<functionname="f"><param name="city"><![CDATA[a <b> & c]]></param></function>',
            [("f", {"city": "a <b> & c"})],
        ),
        (
            "<tool_call>f<tool_sep:opensource><arg_key>city</arg_key><arg_value> Paris </arg_value></tool_call>",
            [("f", {"city": " Paris "})],
        ),
        ('<|python_tag|>{"type": "function", "name": "f", "parameters": {"city": "Paris"}}<|eom_id|>', ONE),
        ('{"type": "function", "name": "f", "parameters": {"city": "Paris"}}<|eot_id|>', ONE),
        ('<|function_call|>{"name": "f", "arguments": {"city": "Paris"}}', ONE),
        (
            '<|open|>call tool="f" index="1"<|sep|>'
            '<|open|>json type="object"<|sep|>{"city": "Paris"}<|close|>json<|sep|><|close|>call<|sep|>',
            ONE,
        ),
        ('<|python_start|>[f(city="Paris")]<|python_end|>', ONE),
        (
            "<longcat_tool_call>f<longcat_arg_key>city</longcat_arg_key><longcat_arg_value>Paris</longcat_arg_value></longcat_tool_call>",
            ONE,
        ),
        ("<zyphra_tool_call>\n<function=f>\n<parameter=city>Paris</parameter>\n</function>\n</zyphra_tool_call>", ONE),
        ('<tool_call>{"name": "f", "arguments": "{\\"city\\": \\"Paris\\"}"}</tool_call>', ONE),
        ("<tool_call>{'name': 'f', 'arguments': {'city': 'Paris'}}</tool_call>", ONE),
        (
            '<tool_call>{"name": "f", "arguments": {"city": "a\nb </tool_call> c"}}</tool_call>',
            [("f", {"city": "a\nb </tool_call> c"})],
        ),
        ("<function=f><parameter=city>a </parameter> b</parameter></function>", [("f", {"city": "a </parameter> b"})]),
        ("<tool_call>g</tool_call>", [("g", {})]),
        ('<tool_call>\n{"name": "f", "arguments": {"city": "Paris"}\n</tool_call>', ONE),
        ('```json\n{"name": "f", "arguments": {"city": "Paris"}}\n```', ONE),
        ('```json\n[{"name": "f", "arguments": {"city": "Paris"}}, {"name": "g", "arguments": {"n": 3}}]\n```', TWO),
        ('<function_calls>f("Paris")</function_calls>', ONE),
        ('{"function_call": {"name": "f", "arguments": "{\\"city\\": \\"Paris\\"}"}}', ONE),
        ('{"tool_name": "f", "tool_args": {"city": "Paris"}}', ONE),
        ('<tool_call>{"name": "f", "city": "Paris"}</tool_call>', ONE),
        ('<tool_call>{"name": "f", "town": "Paris"}</tool_call>', [("f", {})]),
        ('functions.f({"city": "Paris"})', ONE),
        ('f({"town": "Paris"})', [("f", {"city": {"town": "Paris"}})]),
        ('f \n\n{"city": "Paris"}', ONE),
        ('f\n{"town": "Paris"}', []),
        ('f\n{"city": "Paris"}\nis what I would send.', []),
        ('✿FUNCTION✿: f\n✿ARGS✿: {"city": "Paris"}\n✿RESULT✿ 21 °C\n✿RETURN✿ It is warm.', ONE),
        ('Action: ```json\n[{"tool_name": "f", "parameters": {"city": "Paris"}}]\n```', ONE),
        ('Thought: I look.\nAction:\n```\n{\n  "action": "f",\n  "action_input": {"city": "Paris"}\n}\n```', ONE),
        ('Action:\n```json\n{"action": "h", "action_input": "Paris"}\n```', []),
        ("search", []),
    ],
)
def test_variants_are_read(text: str, expected: Expected) -> None:
    outcome, _, answer = in_chunks(text)
    assert calls_of(outcome) == expected
    assert answer == "" or not expected


FORECAST = ToolSchema(
    "f",
    "",
    {
        "type": "object",
        "properties": {"city": {"type": "string"}, "days": {"type": "integer"}},
        "required": ["city"],
    },
)


@each(
    ("text", "expected"),
    [
        ('<f city="Paris" days="3"/>', [("f", {"city": "Paris", "days": 3})]),
        ("<f>\n<city>Paris</city>\n<days>3</days>\n</f>", [("f", {"city": "Paris", "days": 3})]),
        ('<f>{"city": "Paris"}</f>', ONE),
        ('<f days="3"/>', []),
        ("<f>\n<days>3</days>\n</f>", []),
        ('<f>{"days": 3}</f>', []),
        ('<f city="Paris" colour="red"/>', []),
        ("<f>\n<city>Paris</city>\n<colour>red</colour>\n</f>", []),
        ('<f>{"city": "Paris", "colour": "red"}</f>', []),
        ('```xml\n<f city="Paris"/>\n```', []),
        ('```xml\n<f city="Paris"/>', []),
        ("```xml\n<f>\n<city>Paris</city>\n</f>\n```", []),
        ('```xml\n<f>{"city": "Paris"}</f>\n```', ONE),
        ('<F city="Paris"/>', []),
        ('<f city="Paris">', []),
        ("f\n```python\ntool_call(days=3)\n```", []),
        ("f\n```python\ntool_call(city='Paris', days=3)\n```", [("f", {"city": "Paris", "days": 3})]),
    ],
)
def test_a_tag_of_the_tools_name_has_what_the_tool_needs_and_nothing_else(text: str, expected: Expected) -> None:
    outcome, _, answer = in_chunks(text, tools=(FORECAST,))
    assert calls_of(outcome) == expected
    assert not (expected and answer)
    assert expected or outcome == Answer(text=text, reason="stop")


PIECES = st.sampled_from([*(row[n] for row in DIALECTS.values() for n in ("one", "two") if n in row)])
CUT = st.tuples(PIECES, st.integers(0, 200), st.integers(0, 200)).map(lambda cut: cut[0][cut[1] : cut[2] or None])
TEXTS = st.lists(
    PIECES
    | CUT
    | st.sampled_from(
        [
            "```",
            "`",
            "\n",
            "\n\n",
            "> ",
            "    ",
            '"',
            "I look.",
            "<think>",
            "</think>",
            "Action: f\n",
            "Action Input: x",
            "<",
            "[",
        ]
    ),
    max_size=5,
).map("".join)


@pytest.mark.slow
@settings(max_examples=1500, deadline=None)
@given(TEXTS, st.integers(1, 7), st.sampled_from(["stop", "length", ""]))
@example('```json\n{\n```tool_code\nf(city="Paris")\n```', 1, "stop")
@example("```json\n{\n```\nSo it is.\n```tool_code\nf()\n```", 2, "stop")
def test_how_a_content_is_cut_changes_nothing(text: str, size: int, finish: str) -> None:
    whole = read(text, 0, finish)
    assert read(text, size, finish) == whole
    outcome, _, told = whole
    if isinstance(outcome, Answer) and "<|" not in text[:40] and "</think>" not in text:
        assert outcome.text.startswith(told.strip())
    if isinstance(outcome, Calls):
        assert told.strip() in text
        assert find(told, {tool.name: tool.parameters for tool in TOOLS}, ended=True) is None


@pytest.mark.slow
@settings(max_examples=300, deadline=None)
@given(TEXTS)
def test_calls_are_of_declared_tools_only(text: str) -> None:
    found = find(text, {"g": TOOLS[1].parameters}, ended=True)
    assert found is None or {call.name for call in found.calls} <= {"g"}
