"""The built-in model that needs no key: rules, not AI, and it says so.

It speaks text ReAct like any model and keeps nothing between calls: each reply is worked out from the messages alone.
The question is read by the abilities of ``demo.rules.abilities`` (which says how to add one), their plans are played
through what was observed so far, and the first call that was not made yet is the next action. Once there is none, the
answer is due.
"""

from __future__ import annotations

import json
import re
import time
from collections.abc import Generator, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date
from functools import cache
from itertools import islice, pairwise
from typing import TYPE_CHECKING

from agent.demo.phrasebook import reasons
from agent.demo.rules.abilities import can_answer, understand
from agent.demo.rules.followup import standalone
from agent.demo.rules.history import after_table, followed, rewritten
from agent.demo.rules.plan import (
    CALCULATOR,
    CHART,
    CONVERT,
    DOCUMENTS,
    NOW,
    QUERY,
    SEARCH,
    WEATHER,
    Call,
    Plan,
    Question,
    Said,
)
from agent.demo.rules.question_parts import Part, read
from agent.demo.rules.talk import EXAMPLES
from agent.interface_text import Text
from agent.messages import Facts, Message
from agent.models.protocol import Delta, Request, estimated_usage
from agent.prompts import LANGUAGES, source
from agent.prompts.labels import LABELS, Labels
from agent.text.findings import lines
from agent.text.regex import regex
from agent.text.sums.phrases import language_of, plain

if TYPE_CHECKING:
    from agent.data.tables.questions.table_schema import Table

NAME = Text("Demo — rules, not AI")
PACE = 0.004
_LONGEST = 0.1  # seconds for a reply; a question with one step has two
_USUAL = (CALCULATOR, CONVERT, NOW, SEARCH)  # the tools of a run of before they were kept with it
_EXAMPLES = 3
_PIECE = regex(r"\s*\S{1,12}|\s+")


@dataclass(frozen=True, slots=True)
class Demo:
    """``pace``: seconds between two pieces of a reply, less in a long one; 0 sends what there is at once."""

    pace: float = PACE
    name: str = NAME
    endpoint: str = "demo"
    takes_tools: bool = False

    def stream(self, request: Request) -> Generator[Delta]:
        """Never raises: what the rules do not know, they decline."""
        text, merges = "", request.purpose == "merge"
        for part in [rewritten(request.messages[-1].content)] if merges else _step(request):
            text += part
            pieces = _PIECE.findall(part) if self.pace else [part]
            pace = min(self.pace, _LONGEST / max(1, len(pieces)))
            for piece in pieces:
                time.sleep(pace)
                yield Delta(text=piece)
        yield Delta(usage=estimated_usage(request, text), finish="stop")

    def close(self) -> None:
        """Nothing is kept between calls."""


@dataclass(frozen=True, slots=True)
class _Board:
    """What a reply is worked out from: the tools there are, what calls gave so far, whether more may be made."""

    tools: tuple[str, ...]
    results: Mapping[tuple[str, str], str]
    may_call: bool


def _tables(facts: Facts) -> tuple[Table, ...]:
    if not facts.cards:
        return ()
    from agent.data.tables.questions.table_schema import table_of

    return tuple(table for table in map(table_of, facts.cards) if table.columns)


def first_tool(asked: str, facts: Facts) -> str:
    """The tool that the rules would call first for a question that stands alone, "" where they know of none."""
    parts = read(_question(asked, facts))
    said = [] if isinstance(parts, Said) else _played(parts, _Board(facts.tools, {}, may_call=True))
    return said.tool if isinstance(said, Call) else ""


def _question(asked: str, facts: Facts) -> Question:
    return Question(
        plain(asked),
        language_of(asked),
        date.fromisoformat(facts.today) if facts.today else None,
        _tables(facts),
        facts.tools,
        facts.documents,
    )


def _step(request: Request) -> Iterator[str]:
    """The reply; of an answer, what may be asked next comes once it has been sent, for that takes as long again."""
    labels = LABELS[request.language]
    facts = request.facts or Facts(tools=_USUAL)
    asked = request.question or next(message.content for message in request.messages if message.role == "user")
    question = _question(asked, facts)
    board = _Board(facts.tools, _results(request.messages[request.since :], labels), request.may_call)
    parts = read(question)
    said = [parts] if isinstance(parts, Said) else _played(parts, board)
    if isinstance(said, Call):
        yield f"{labels.thought}: {said.thought}\n{labels.action}: {said.tool}\n{labels.action_input}: {said.input}"
        return
    if any(message.images for message in request.messages[request.since :]):
        said = [Said(question.tell("no_pictures")), *said]
    yield from _final(question, labels, said)


def _played(parts: Sequence[Part], board: _Board) -> Call | list[Said]:
    """Each part in turn, up to the first call that was not made yet."""
    said: list[Said] = []
    before, value = "", None
    for part in parts:
        question = part.question
        if part.leans:
            of_row = after_table(question.text, said[-1].text)
            text = of_row or (standalone(question, before, value) if value else None)
            tables = question.tables if of_row else ()
            question = replace(question, text=plain(text), tables=tables) if text else question
        found = part.plan or understand(question)
        if not found or (part.leans and not isinstance(found, Plan)):
            said.append(Said(question.tell("stranded", question=question.text)))
            continue
        outcome = _run(found, question, board) if isinstance(found, Plan) else found
        if isinstance(outcome, Call):
            return outcome
        left = " " + question.tell("left_out", asked=part.left) if part.left and not outcome.declined else ""
        said.append(replace(outcome, text=outcome.text + left))
        before, value = question.text, outcome.value
    return said


def _run(plan: Plan, question: Question, board: _Board) -> Call | Said:
    steps = plan.steps()
    try:
        call = next(steps)
    except StopIteration as end:  # it needs no tool after all
        return end.value
    while True:
        seen = board.results.get((call.tool, call.input))
        if seen is None:
            return _next(call, question, board)
        if told := _decided(question, call, seen):
            return Said(told)
        result = _result(call, seen)
        if not result:
            return Said(_failed(question, call, seen))
        try:
            call = steps.send(result)
        except StopIteration as end:
            return end.value


def _next(call: Call, question: Question, board: _Board) -> Call | Said:
    if not board.may_call:
        return Said(question.tell("no_call_left", question=question.text))
    if call.tool not in board.tools:
        return Said(question.tell("tool_off", tool=call.tool))
    return call


_CONVERTED = regex(r"[^=≈]+ [=≈] (.+)")
_TOLD = regex(r"(?:[A-Z][a-z]+day, \d|From \d{4}-)")
_NUMBER = regex(r"-?\d+(?:\.\d+)?(?:e[+-]?\d+)?")


def _result(call: Call, seen: str) -> str:
    """What a plan is sent: a bare number, the lines of a search, all that another tool gave; "" for none."""
    if call.tool in (QUERY, CHART, DOCUMENTS):
        return seen
    if call.tool == WEATHER:
        return seen if seen.partition("\n")[0].endswith(" [1]") else ""
    if call.tool == NOW:
        return seen if _TOLD.match(seen) else ""
    if call.tool == CONVERT:
        converted = _CONVERTED.match(seen)
        figures = [_NUMBER.match(part) for part in converted[1].split(" and ")] if converted else []
        return " ".join(figure[0] for figure in figures if figure)
    if call.tool == CALCULATOR:
        return seen.strip() if _NUMBER.fullmatch(seen.strip()) else ""
    return "" if call.tool == SEARCH and not lines(seen) else seen


def _joined(said: Sequence[Said]) -> str:
    """Several answers in one line, or below each other where one has several lines."""
    return ("\n\n" if any("\n" in part.text for part in said) else " ").join(part.text for part in said)


def _final(question: Question, labels: Labels, said: Sequence[Said]) -> Iterator[str]:
    thought = question.tell(
        "declining" if any(part.declined for part in said) else "asking_back" if said[-1].asks else "finishing"
    )
    yield f"{labels.thought}: {thought}\n{labels.final_answer}: {_joined(said)}"
    if further := _answerable(question, said):
        yield f"\n{labels.next_actions}:" + "".join(f"\n- {asked}" for asked in further)


def _answerable(question: Question, said: Sequence[Said]) -> list[str]:
    """What can be asked next with the tools there are: a follow-up as it will be read, then what stands alone."""
    turns = [(question.text, _joined(said))]
    further = [asked for asked in said[-1].next_questions if can_answer(followed(asked, turns), question)]
    return further or [*islice((one for one in EXAMPLES[question.language] if can_answer(one, question)), _EXAMPLES)]


def _results(messages: Sequence[Message], labels: Labels) -> dict[tuple[str, str], str]:
    """What each call gave, by tool and input: an edited step is thus never taken for the one that was planned."""
    called = re.compile(rf"^{labels.action}: (.+)\n{labels.action_input}: (.+)", re.M)
    results: dict[tuple[str, str], str] = {}
    for said, seen in pairwise(messages):
        call = called.search(said.content) if said.role == "assistant" else None
        if call and seen.role == "user" and seen.content.startswith(f"{labels.observation}:"):
            results.setdefault((call[1].strip(), call[2].strip()), _observed(seen.content, labels))
    return results


_FENCED = regex(r"<data>\n(.*?)\n</data>", re.S)


def _observed(content: str, labels: Labels) -> str:
    """The text of an observation, without its fence and without a notice of the loop that follows it."""
    text = content.removeprefix(f"{labels.observation}:").strip()
    fenced = _FENCED.match(text)
    return fenced[1] if fenced else text.split("\n", 1)[0]


def _failed(question: Question, call: Call, seen: str) -> str:
    """The tool's own first sentence: what follows it is advice for a model."""
    sums = call.tool == CALCULATOR
    about = json.loads(call.input)["place"] if call.tool == WEATHER else call.input
    reason = re.split(r"(?<=[.!?])\s", seen.strip(), maxsplit=1)[0]
    if call.tool in (NOW, CONVERT):
        return question.tell("tool_failed", reason=reason)
    if question.language == "ja":
        reason = next(each["ja"] for each in reasons("calculator" if sums else "search") if each["en"] in seen)
    return question.tell("sum_failed" if sums else "look_up_failed", about=about, reason=reason)


def _decided(question: Question, call: Call, seen: str) -> str:
    """The sentence where ``seen`` says that the person decided so, else ""."""
    if any(seen.startswith(start) for start in _denials()):
        return question.tell("denied", tool=call.tool)
    for pattern in _changes():
        if found := pattern.fullmatch(seen):
            return question.tell("edited", given=found["input"], tool=call.tool, result=found["result"].strip())
    return ""


@cache
def _denials() -> tuple[str, ...]:
    """What a denial begins with, whether a reason follows or not."""
    begins = (source(language, "denied_because").partition("${reason}")[0] for language in LANGUAGES)
    return tuple(text.rstrip(" :：“「") for text in begins)


@cache
def _changes() -> tuple[re.Pattern[str], ...]:
    parts = (re.split(r"\$\{(?:input|result)\}", source(language, "edited")) for language in LANGUAGES)
    return tuple(
        re.compile(f"{re.escape(before)}(?P<input>.*?){re.escape(between)}(?P<result>.*){re.escape(after)}", re.DOTALL)
        for before, between, after in parts
    )
