"""Recognises a question that names the tool to use, such as "Use dice with 20": so a tool of one's own can be tried."""

from __future__ import annotations

import re

from agent.demo.rules.plan import Call, Plan, Question, Said, Steps
from agent.text.sums.phrases import either

_ASKED = re.compile(
    r"\s*(?:please )?(?:use|call|run|try) (?:the tool )?[`“\"]?([\w-]{1,64})[`”\"]?(?P<rest>[\s,:.!].*|$)", re.I | re.S
)
_ASKED_JAPANESE = re.compile(r"\s*(?:ツール)?[「`]?([\w-]{1,64}?)[」`]?を使って(?P<rest>.*)", re.S)
_QUOTED = re.compile(r"[“\"「](.{1,500}?)[”\"」]", re.S)
_NUMBER = re.compile(r"-?\d+(?:\.\d+)?")


def named_tool(question: Question) -> Plan | None:
    """The tool is given what is in quotes, else the numbers, else nothing; its result is the answer."""
    asked = _ASKED.fullmatch(question.text) or _ASKED_JAPANESE.fullmatch(question.text)
    tool = next((name for name in question.tools if asked and name.lower() == asked[1].lower()), "")
    if not asked or not tool:
        return None
    given = _QUOTED.findall(asked["rest"]) or _NUMBER.findall(asked["rest"])

    def steps() -> Steps:
        thought = either(question.language, f"The question names the tool {tool}.", f"ツール {tool} を使います。")
        seen = yield Call(tool, ", ".join(given) or "{}", thought)
        return Said(either(question.language, f"{tool} says: {seen}", f"{tool} の結果: {seen}"))

    return Plan(steps)
