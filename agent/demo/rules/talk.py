"""Greetings, help, a tool named in the question ("Use dice with 20"), and the sentence for all the demo cannot do."""

from __future__ import annotations

import re
from collections.abc import Callable

from agent.demo.phrasebook import phrase, tried
from agent.demo.rules.plan import Call, Plan, Question, Said, Steps
from agent.text.regex import regex

# The first of them are suggested that the tools can answer; the last need none.
EXAMPLES = {
    "en": (
        "What is the square root of 25?",
        "What is 15% of 80?",
        "How many days until Christmas?",
        "What is 5 km in miles?",
        "What is the capital of France?",
        "What day is today?",
    ),
    "ja": (
        "25の平方根は？",
        "100円の8%は？",
        "クリスマスまであと何日？",
        "5キロは何マイル？",
        "フランスの首都は？",
        "今日は何日？",
    ),
}
_GREETING = phrase("greeting")
_THANKS = phrase("thanks")
_HELP = phrase("help")


def small_talk(question: Question) -> Said | None:
    """ "hi", "thanks", "what can you do?", "what is in the table?": answered shortly, without a tool."""
    text = re.sub(r"[ !?.。]+$", "", question.text)
    for pattern, name in ((_GREETING, "hello"), (_THANKS, "thanked"), (_HELP, "introduction")):
        if pattern.fullmatch(text):
            return _about_itself(question, name)
    if question.tables:
        from agent.demo.tables.ability import overview

        return overview(question)
    return None


def decline(question: Question, can_answer: Callable[[str, Question], bool]) -> Said:
    """The end of every question that no ability takes: one line, with what can be asked here, by ``can_answer``."""
    table, tries = "", tuple[str, ...]()
    if question.tables:
        from agent.demo.tables.ability import table_tries

        table, tries = table_tries(question)
    name = "beyond_tables" if tries else "beyond"
    language = question.language
    tries = tuple(text for text in tries or tried(language, question.text) if can_answer(text, question))
    if not tries:
        name, table, tries = "beyond", "", tuple(text for text in EXAMPLES[language] if can_answer(text, question))[:2]
    told = question.tell("try_or").join(question.tell("try", example=example) for example in tries[: 1 if table else 2])
    return Said(question.tell(name, tries=told, table=table), None, tries, declined=True)


def _about_itself(question: Question, name: str) -> Said:
    return Said(question.tell(name, can=question.tell("can"), connect=question.tell("connect")))


_ASKED = phrase("use_a_tool")
_ASKED_JAPANESE = regex(r"\s*(?:ツール)?[「`]?([\w-]{1,64}?)[」`]?を使って(?P<rest>.*)", re.S)
_QUOTED = regex(r"[“\"「](.{1,500}?)[”\"」]", re.S)
_NUMBER = regex(r"-?\d+(?:\.\d+)?")


def named_tool(question: Question) -> Plan | None:
    """The tool is given what is in quotes, else the numbers, else nothing; its result is the answer."""
    asked = _ASKED.fullmatch(question.text) or _ASKED_JAPANESE.fullmatch(question.text)
    tool = next((name for name in question.tools if asked and name.lower() == asked[1].lower()), "")
    if not asked or not tool:
        return None
    given = _QUOTED.findall(asked["rest"]) or _NUMBER.findall(asked["rest"])

    def steps() -> Steps:
        seen = yield Call(tool, ", ".join(given) or "{}", question.tell("using", tool=tool))
        return Said(question.tell("used", tool=tool, seen=seen))

    return Plan(steps)
