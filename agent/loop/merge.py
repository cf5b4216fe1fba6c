"""A follow-up and its history become one standalone question."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from time import monotonic

from pydantic import JsonValue

from agent.errors import ModelFailed
from agent.events import Merged
from agent.interface_text import Text
from agent.messages import Message, Usage, estimate_tokens
from agent.models.protocol import Model, Request, estimated_usage
from agent.prompts import NOTHING_OWN, render
from agent.text.greetings import SMALL_TALK
from agent.text.regex import regex

NO_PARAMETERS: Mapping[str, JsonValue] = {}
HISTORY_TOKENS = 2_000
_ANSWER_CHARACTERS = 1_200
_LONGEST_FOLLOW_UP = 400
_MOST_QUESTION_CHARACTERS = 1_000


@dataclass(frozen=True, slots=True)
class Turn:
    """One earlier exchange: the question as it was understood, and its answer ("" where there was none)."""

    question: str
    answer: str


def merge(
    question: str,
    history: Sequence[Turn],
    model: Model,
    language: str,
    own: Mapping[str, str] = NOTHING_OWN,
    parameters: Mapping[str, JsonValue] = NO_PARAMETERS,
) -> Merged | None:
    """Ask ``model`` for the standalone form of ``question``; ``None`` for a first question and for a greeting.

    A question of several lines, or a long one, is left alone, too: rewriting could lose some of it.

    ``own`` templates are as in ``render``, ``parameters`` as in ``Request``. Raises nothing for a failing model: the
    question is then kept as typed and ``Merged.error`` says why.
    """
    if not history or "\n" in question.strip() or len(question) > _LONGEST_FOLLOW_UP or SMALL_TALK.match(question):
        return None
    messages = (
        Message("system", render(language, "merge", own)),
        Message("user", render(language, "merge_input", history=_told(history, language), question=question)),
    )
    started = monotonic()
    parts: list[str] = []
    usage: Usage | None = None
    left_out: tuple[str, ...] = ()
    error = ""
    asked = Request(messages, parameters=parameters, purpose="merge")
    try:
        for delta in model.stream(asked):
            parts.append(delta.text)
            usage = delta.usage or usage
            left_out = delta.left_out or left_out
    except ModelFailed as failure:
        error = failure.text
    reply = "".join(parts)
    standalone = "" if error else _question_in(reply)
    if not (standalone or error):
        error = Text("The model gave no standalone question.")
    usage = usage or estimated_usage(asked, reply)
    seconds = monotonic() - started
    return Merged(standalone or question, messages, reply, usage, seconds, error=error, left_out=left_out)


def _told(history: Sequence[Turn], language: str) -> str:
    """The latest turns that fit the budget, oldest first."""
    user, assistant = ("ユーザー", "アシスタント") if language == "ja" else ("User", "Assistant")
    told: list[str] = []
    left = HISTORY_TOKENS
    for turn in reversed(history):
        answer = turn.answer if len(turn.answer) <= _ANSWER_CHARACTERS else turn.answer[:_ANSWER_CHARACTERS] + " …"
        lines = f"{user}: {turn.question}\n{assistant}: {answer or '(no answer)'}"
        left -= estimate_tokens(lines)
        if told and left < 0:
            break
        told.append(lines)
    return "\n".join(reversed(told))


_THINKING = regex(r"<think(?:ing)?>.*?(?:</think(?:ing)?>|\Z)", re.S | re.I)
_PREFACE = regex(r"^\W*(?:standalone question|follow-?up question|question|独立した質問|質問)\W*[:：][*_\s]*", re.I)

_WRAPPED = regex(r"^(?:(\*\*|[*`_\"])(.*)\1|[“「](.*)[”」])$")


def _question_in(reply: str) -> str:
    """The first line that says something, without label, quotes or emphasis; "" where that can be no question."""
    text = _THINKING.sub("", reply)
    lines = [line for line in text.splitlines() if line.strip()]
    for number, line in enumerate(lines):
        said = _WRAPPED.sub(r"\2\3", _PREFACE.sub("", line).strip()).strip()
        announced = said.endswith((":", "：")) and number + 1 < len(lines)
        if said and not announced:
            return said if len(said) <= _MOST_QUESTION_CHARACTERS else ""
    return ""
