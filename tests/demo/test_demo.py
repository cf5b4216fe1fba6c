"""The demo model, driven as the loop drives it: replies read, tools called, observations handed back."""

from __future__ import annotations

import re
import time
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import agent.demo.phrasebook
from agent.demo.model import Demo
from agent.demo.rules.plan import CALCULATOR, CHART, CONVERT, DOCUMENTS, NOW, QUERY, SEARCH, WEATHER
from agent.errors import ToolFailed
from agent.interface_text import Text
from agent.loop import merge
from agent.messages import Facts, Message
from agent.models.protocol import Model, Request
from agent.prompts import render
from agent.prompts.labels import LABELS
from agent.tools import catalogue
from agent.tools.calculator.calculate import calculate
from agent.tools.convert.convert_tool import convert
from agent.tools.now.now_tool import now_tool
from agent.wire.observation import fence
from agent.wire.outcomes import Action, Answer
from agent.wire.react.reader import read
from pages.ui.text.words import in_language
from tests.support.cases import each
from tests.support.demo_questions import CONVERSATIONS, JAPANESE, SEARCHES, TODAY, Turn

TOOLS = ("search", "calculator", "convert", "now")
NOON = datetime(TODAY.year, TODAY.month, TODAY.day, 12, tzinfo=UTC)
DEMO = Demo(pace=0)
OTHERS = {"convert": convert, "now": now_tool(lambda: NOON)}
SORRY = ("beyond my rules", "規則で動くデモなので")


@dataclass(frozen=True)
class Run:
    calls: tuple[str, ...]
    answer: Answer
    thoughts: tuple[str, ...]


def reply(request: Request, model: Model = DEMO) -> str:
    return "".join(delta.text for delta in model.stream(request))


def system(language: str, tools: tuple[str, ...] = TOOLS) -> Message:
    text = render(language, "react", today=TODAY.isoformat(), tools="- " + "\n- ".join(tools), names="", example="")
    return Message("system", text)


def asks(*messages: Message, language: str = "en", may_call: bool = True, facts: Facts | None = None) -> Request:
    return Request(messages, may_call=may_call, language=language, facts=facts or Facts(TODAY.isoformat(), TOOLS))


def observe(action: Action, searches: Mapping[str, str]) -> str:
    if action.tool == "search":
        return searches[action.input]
    try:
        if action.tool in OTHERS:
            return OTHERS[action.tool].call(OTHERS[action.tool].prepare(action.input).arguments).text
        return calculate(action.input)
    except ToolFailed as problem:
        return str(problem)


def step(action: Action, observation: str, language: str) -> list[Message]:
    """What the wire makes of a call and its result."""
    labels = LABELS[language]
    said = f"{labels.thought}: {action.thought}\n{labels.action}: {action.tool}\n{labels.action_input}: {action.input}"
    return [Message("assistant", said), Message("user", f"{labels.observation}: {fence(observation)}")]


def run(
    question: str, language: str = "en", searches: Mapping[str, str] = SEARCHES, tools: tuple[str, ...] = TOOLS
) -> Run:
    messages = [system(language, tools), Message("user", question)]
    facts = Facts(TODAY.isoformat(), tools)
    calls: list[str] = []
    thoughts: list[str] = []
    for _ in range(6):
        reading = read(reply(asks(*messages, language=language, facts=facts)), tools)
        thoughts.append(reading.thought)
        assert not reading.repairs and reading.cut is None
        if isinstance(reading, Answer):
            assert reading.reason == "final_answer"
            return Run(tuple(calls), reading, tuple(thoughts))
        assert isinstance(reading, Action)
        calls.append(reading.input if reading.tool == "calculator" else f"{reading.tool}: {reading.input}")
        messages += step(reading, observe(reading, searches), language)
    raise AssertionError(f"{question!r} does not end: {calls}")


def merged(question: str, history: list[merge.Turn], language: str = "en") -> str:
    found = merge.merge(question, history, DEMO, language)
    return found.question if found else question


def matches(pattern: str, text: str) -> bool:
    return re.fullmatch(".*".join(map(re.escape, pattern.split("…"))), text, re.S) is not None


def check(turn: Turn, ran: Run) -> None:
    if turn.declined:
        assert ran.calls == ()
        assert turn.says in ran.answer.text if turn.says else any(sorry in ran.answer.text for sorry in SORRY)
    else:
        assert ran.calls == turn.calls
        assert matches(turn.says, ran.answer.text), ran.answer.text
    assert 1 <= len(ran.answer.next_questions) <= 3
    assert all(ran.thoughts)


@pytest.mark.slow
@each("language", ["en", "ja"])
@each("conversation", CONVERSATIONS, ids=lambda turns: " / ".join(turn.asked[:60] for turn in turns))
def test_the_table(conversation: tuple[Turn, ...], language: str) -> None:
    history: list[merge.Turn] = []
    for turn in conversation:
        question = merged(turn.asked, history, language)
        if history:
            assert question == (turn.merged or turn.asked)
        ran = run(question, language)
        check(turn, ran)
        history.append(merge.Turn(question, ran.answer.text))


def test_japanese_questions_get_wholly_japanese_answers() -> None:
    """Formulas, units and quoted findings apart, no two English words in a row."""
    asked = [turns[0].asked for turns in CONVERSATIONS if re.search(r"[ぁ-んァ-ヶ]", turns[0].asked)]
    assert len(asked) >= 60
    for question in asked:
        answer = run(question, "ja").answer
        for text in (answer.text, *answer.next_questions):
            assert not re.search(r"[A-Za-z]{2,} [A-Za-z]{2,}", re.sub(r"“.*?”", "", text)), (question, text)


def test_the_table_is_as_large_as_promised() -> None:
    turns = [turn for conversation in CONVERSATIONS for turn in conversation]
    assert len(turns) >= 400
    assert sum(turn.declined for turn in turns) >= 150
    assert sum(len(conversation) - 1 for conversation in CONVERSATIONS) >= 35
    assert sum(map(len, JAPANESE)) >= 25


@pytest.mark.slow
def test_what_it_suggests_it_can_answer() -> None:
    everything = _AnySearch(SEARCHES)
    for conversation in CONVERSATIONS:
        first = run(conversation[0].asked)
        history = [merge.Turn(conversation[0].asked, first.answer.text)]
        for suggestion in first.answer.next_questions:
            answer = run(merged(suggestion, history), searches=everything).answer
            assert not any(sorry in answer.text for sorry in SORRY), (conversation[0].asked, suggestion)


@pytest.mark.parametrize("off", [*TOOLS, "all"])
def test_it_suggests_nothing_that_needs_a_tool_that_is_off(off: str) -> None:
    on = tuple(tool for tool in TOOLS if off not in (tool, "all"))
    refusals = ("which is switched off here", "が必要ですが")
    for question in ("hi", "What is 15% of 80?", "How is love measured in dollars?", "5 km in miles", "100円の8%は？"):
        first = run(question, searches=_AnySearch(SEARCHES), tools=on)
        assert first.answer.next_questions
        for suggestion in first.answer.next_questions:
            asked = merged(suggestion, [merge.Turn(question, first.answer.text)])
            answer = run(asked, searches=_AnySearch(SEARCHES), tools=on).answer.text
            assert not any(said in answer for said in refusals), (question, suggestion)
        offered = re.findall("[“「](.+?)[”」]", first.answer.text) if "beyond my rules" in first.answer.text else []
        for asked in offered:
            answer = run(asked, searches=_AnySearch(SEARCHES), tools=on).answer.text
            assert not any(said in answer for said in refusals), (question, asked)


class _AnySearch(dict[str, str]):
    def __missing__(self, query: str) -> str:
        return f"[1] {query} — example.org: {query}."


def test_labels_follow_the_prompt_and_words_follow_the_question() -> None:
    asked = Message("user", "25の平方根は？")
    english = reply(asks(system("en"), asked))
    japanese = reply(asks(system("ja"), Message("user", "What is 2 + 2?"), language="ja"))
    assert english == "Thought: 25の平方根を求めます。計算機で計算します。\nAction: calculator\nAction Input: sqrt(25)"
    assert japanese == "思考: I need 2 + 2. The calculator can work that out.\n行動: calculator\n行動の入力: 2 + 2"


def test_a_final_answer_word_for_word() -> None:
    asked = [system("en"), Message("user", "What is the square root of 25?")]
    action = read(reply(asks(*asked)), TOOLS)
    assert isinstance(action, Action)
    assert action.thought == "I need the square root of 25. The calculator can work that out."
    assert reply(asks(*asked, *step(action, "5", "en"))) == (
        "Thought: I now know the final answer.\nFinal Answer: The square root of 25 is 5.\nNext Actions:\n"
        "- And its cube?\n- What is half of that?"
    )


def test_it_is_a_model() -> None:
    model: Model = Demo()
    assert (model.name, model.endpoint, model.takes_tools) == ("Demo — rules, not AI", "demo", False)


def test_it_streams_in_small_pieces_and_tells_its_usage() -> None:
    request = asks(system("en"), Message("user", "What is 2 + 2?"))
    started = time.monotonic()
    deltas = list(Demo(pace=0.001).stream(request))
    assert time.monotonic() - started >= 0.001 * (len(deltas) - 1)
    assert len(deltas) > 10
    assert "".join(delta.text for delta in deltas) == reply(request)
    assert all(len(delta.text) <= 16 for delta in deltas)
    assert deltas[-1].finish == "stop"
    assert deltas[-1].usage and deltas[-1].usage.estimated and deltas[-1].usage.output > 0


def first_action(question: str, language: str = "en") -> tuple[list[Message], Action]:
    asked = [system(language), Message("user", question)]
    action = read(reply(asks(*asked, language=language)), TOOLS)
    assert isinstance(action, Action)
    return asked, action


@pytest.mark.parametrize(
    ("language", "notice"),
    [
        ("en", "The limit is reached (15 steps), so no more tools can be used."),
        ("ja", "上限（15 ステップ）に達したので"),
    ],
)
def test_at_a_limit_it_answers_from_what_it_has(language: str, notice: str) -> None:
    asked, action = first_action("What is the square root of 25? And its cube?", language)
    called, seen = step(action, "5", language)
    told = Message("user", f"{seen.content}\n\n{notice}")
    answer = read(reply(asks(*asked, called, told, language=language, may_call=False)), TOOLS)
    assert isinstance(answer, Answer)
    assert answer.text == "The square root of 25 is 5. I could not get to “What is the cube of 5?”."


def test_at_a_limit_with_nothing_observed_it_says_so() -> None:
    answer = read(reply(asks(system("en"), Message("user", "What is 2 + 2?"), may_call=False)), TOOLS)
    assert isinstance(answer, Answer)
    assert answer.text == "I could not get to “What is 2 + 2?”."


def test_a_missing_tool_is_named() -> None:
    answer = read(reply(asks(Message("user", "What is 2 + 2?"), facts=Facts(tools=("search",)))), TOOLS)
    assert isinstance(answer, Answer)
    assert answer.text == "This needs the tool “Calculator”, which is switched off here."
    nothing = read(reply(asks(Message("user", "2の10乗は？"), facts=Facts())), TOOLS)
    assert isinstance(nothing, Answer)
    assert nothing.text == "これにはツール「計算機」が必要ですが、ここでは使えません。"


def test_without_todays_date_it_declines_what_depends_on_it() -> None:
    for question in (
        "How many days until Christmas?",
        "What is today's date?",
        "what date is it in 5 days",
        "tomorrow",
    ):
        answer = read(reply(asks(Message("user", question), facts=Facts(tools=TOOLS))), TOOLS)
        assert isinstance(answer, Answer)
        assert SORRY[0] in answer.text


def test_an_edited_observation_is_used_and_an_edited_call_is_not_mistaken_for_its_own() -> None:
    asked, action = first_action("What is the square root of 25?")
    edited = read(reply(asks(*asked, *step(action, "5.5", "en"))), TOOLS)
    assert isinstance(edited, Answer)
    assert edited.text == "The square root of 25 is 5.5."
    other = Action(thought="x", tool="calculator", input="sqrt(36)")
    assert read(reply(asks(*asked, *step(other, "6", "en"))), TOOLS) == action


@pytest.mark.parametrize("result", ["9999999999999999", "-5", "6.5", "oops", "1e30"])
@pytest.mark.parametrize(
    "question", ["What day of the week was 20 July 1969?", "what date is 90 days after 2024-01-01?"]
)
def test_no_edited_observation_breaks_a_plan(question: str, result: str) -> None:
    asked, action = first_action(question)
    assert isinstance(read(reply(asks(*asked, *step(action, result, "en"))), TOOLS), Answer)


def test_a_prompt_that_is_no_merge_prompt_gives_back_its_last_line() -> None:
    assert reply(Request((Message("user", "Say\nhello"),), purpose="merge")) == "hello"


def test_a_value_is_taken_only_from_the_end_of_an_answer() -> None:
    for answer in (
        "It was 54 or 55.",
        "Paris has 2 million people, 12% of France.",
        "(no answer)",
        "It is 5 apples.",
        "It is $5 kg.",
    ):
        history = [merge.Turn("How warm was it?", answer)]
        assert merged("double it", history) == "double it"


def test_a_long_history_of_thanks_has_nothing_to_lean_on() -> None:
    assert merged("and its cube?", [merge.Turn("thanks", "You are welcome!")]) == "and its cube?"


_FRAGMENTS = (
    "what is",
    "the square root of",
    "25",
    "and",
    "its",
    "cube",
    "?",
    "plus",
    "times",
    "half of",
    "15%",
    "of",
    "$80",
    "in",
    "miles",
    "°C",
    "days",
    "until",
    "Christmas",
    "2024-02-30",
    "ですか",
    "の平方根",
    "は",
    "それ",
    "三万",
    "億",
    "(",
    ")",
    "^",
    "!",
    "-",
    "how many",
    "who is",
    "Ada",
    ",",
    "round",
    "to",
    "2",
    "decimals",
    "is",
    "larger than",
    "or",
    "曜日",
    "何",
    "年",
)


@pytest.mark.slow
@settings(max_examples=300, deadline=None)
@given(st.lists(st.sampled_from(_FRAGMENTS), max_size=12).map(" ".join) | st.text(max_size=60))
def test_any_question_gets_a_step_that_can_be_read(question: str) -> None:
    step_of = read(reply(asks(system("en"), Message("user", question))), TOOLS)
    assert isinstance(step_of, Action | Answer)
    prompt = render("en", "merge_input", history="User: What is 2 + 2?\nAssistant: 2 + 2 is 4.", question=question)
    rewritten = reply(Request((Message("system", "…"), Message("user", prompt)), purpose="merge"))
    assert "\n" not in rewritten


@each(
    "piece",
    [
        "ですか",
        "please ",
        "and ",
        "what is ",
        "(",
        "9",
        "1,",
        "百",
        "half of ",
        "の半分",
        "- ",
        "=",
        "the ",
        "いくつですか",
        "$+",
        "`+",
        "\\frac{1}{",
        "1,000 ",
        "5 km and ",
        "minus ",
    ],
)
def test_floods_are_declined_at_once(piece: str) -> None:
    started = time.process_time()
    for count in (60, 130, 3000):
        read(reply(asks(system("en"), Message("user", piece * count))), TOOLS)
    assert time.process_time() - started < 5


def test_every_sentence_is_said_somewhere_and_is_there_in_both_languages() -> None:
    demo = Path(agent.demo.phrasebook.__file__).parent
    sentences = tomllib.loads((demo / "sentences.toml").read_text(encoding="utf-8"))
    code = "\n".join(path.read_text(encoding="utf-8") for path in demo.rglob("*.py"))
    reading = (demo.parent / "text" / "sums" / "question_forms.py").read_text(encoding="utf-8")
    del sentences["reasons"], sentences["titles"]
    for name, said in sentences.items():
        assert said.keys() == {"en", "ja"} and all(said.values()), name
        assert f'"{name}"' in code + reading, name
    names = set(re.findall(r'\btell\((?:language, )?"(\w+)"', code))
    assert names and names <= sentences.keys()


def test_tools_are_told_by_the_titles_of_the_catalogue() -> None:
    book = Path(agent.demo.phrasebook.__file__).with_name("sentences.toml")
    titles = tomllib.loads(book.read_text(encoding="utf-8"))["titles"]
    assert titles.keys() == {CALCULATOR, SEARCH, WEATHER, NOW, CONVERT, DOCUMENTS, QUERY, CHART}
    for name, title in titles.items():
        known = catalogue.built_in(name).title
        assert isinstance(known, Text)
        assert title == {"en": str(known), "ja": in_language(known, "ja")}


def test_every_form_of_a_question_is_looked_for() -> None:
    demo = Path(agent.demo.phrasebook.__file__).parent
    questions = tomllib.loads((demo / "questions.toml").read_text(encoding="utf-8"))
    code = "\n".join(path.read_text(encoding="utf-8") for path in demo.rglob("*.py"))
    assert set(re.findall(r'\bphrase\("(\w+)"\)', code)) == questions["patterns"].keys()
    assert set(re.findall(r'\bforms\("(\w+)"\)', code)) == questions["forms"].keys()


@pytest.mark.parametrize("question", ["And why?", "Tell me more", "What do you mean?", "What about it?", "それで？"])
def test_what_says_nothing_to_look_for_is_not_looked_up_in_documents(question: str) -> None:
    language = "ja" if question == "それで？" else "en"
    facts = Facts(tools=("documents", "calculator"), documents=True)
    said = reply(asks(Message("user", question), language=language, facts=facts))
    assert "documents" not in said and LABELS[language].final_answer in said


def test_what_names_a_thing_is_looked_up_in_documents() -> None:
    facts = Facts(tools=("documents", "calculator"), documents=True)
    assert "Action: documents" in reply(asks(Message("user", "Why the deposit?"), facts=facts))
