"""What is said of a call that was denied, edited or failed, in the language of the question."""

from __future__ import annotations

import json
import re
from functools import cache

from agent.demo.phrasebook import reasons
from agent.demo.rules.plan import CALCULATOR, CONVERT, NOW, WEATHER, Call, Question
from agent.prompts import LANGUAGES, source


def failed(question: Question, call: Call, seen: str) -> str:
    """The tool's own first sentence: what follows it is advice for a model."""
    sums = call.tool == CALCULATOR
    about = json.loads(call.input)["place"] if call.tool == WEATHER else call.input
    reason = re.split(r"(?<=[.!?])\s", seen.strip(), maxsplit=1)[0]
    if call.tool in (NOW, CONVERT):
        return question.tell("tool_failed", reason=reason)
    if question.language == "ja":
        reason = next(each["ja"] for each in reasons("calculator" if sums else "search") if each["en"] in seen)
    return question.tell("sum_failed" if sums else "look_up_failed", about=about, reason=reason)


def decided(question: Question, call: Call, seen: str) -> str:
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
