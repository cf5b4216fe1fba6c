"""What to say of a call that the person denied, or made with an input of their own."""

from __future__ import annotations

import re
from functools import cache

from agent.demo.rules.plan import Call, Question
from agent.prompts import LANGUAGES, source
from agent.text.sums.phrases import either


def decided(question: Question, call: Call, seen: str) -> str:
    """The sentence where ``seen`` says that the person decided so, else ""."""
    if any(seen.startswith(start) for start in _denials()):
        return either(
            question.language,
            f"You did not let me use “{call.tool}”, so I have no answer to that.",
            f"「{call.tool}」の使用が許可されなかったので、答えられません。",
        )
    for pattern in _changes():
        if found := pattern.fullmatch(seen):
            given, result = found["input"], found["result"].strip()
            return either(
                question.language,
                f"With your input {given} “{call.tool}” gave: {result}",
                f"ご指定の入力 {given} では、「{call.tool}」の結果は次のとおりです: {result}",
            )
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
