"""Greetings, help, a tool named in the question ("Use dice with 20"), and the sentence for all the demo cannot do."""

from __future__ import annotations

import re

from agent.demo.phrasebook import phrase
from agent.demo.rules.plan import Call, Plan, Question, Said, Steps

EXAMPLES = {
    "en": ("What is the square root of 25?", "What is 15% of 80?", "How many days until Christmas?"),
    "ja": ("25の平方根は？", "100円の8%は？", "クリスマスまであと何日？"),
}
_GREETING = phrase("greeting")
_THANKS = phrase("thanks")
_HELP = phrase("help")


def small_talk(question: Question) -> Said | None:
    """ "hi", "thanks", "what can you do?": answered shortly, without a tool."""
    text = re.sub(r"[ !?.。]+$", "", question.text)
    for pattern, name in ((_GREETING, "hello"), (_THANKS, "thanked"), (_HELP, "introduction")):
        if pattern.fullmatch(text):
            return _about_itself(question, name)
    return None


# What can be asked of the kind that a declined question seems to be of, by a word or sign in it.
_TRIES = (
    (
        r"\d ?(?:am|pm)\b|\d:\d|\btimes?\b|\bclock\b|時差|何時",
        ("3pm New York in London", "9am to 5:30pm"),
        ("東京は今何時？",),
    ),
    (
        r"\b(?:days?|date|weeks?|months?|years?|when|[a-z]+day)\b|いつ|何日|曜日",
        ("90 days from today", "What date is next Friday?"),
        ("今日から90日後は？", "クリスマスまであと何日？"),
    ),
    (
        r"[%$€£¥円]|\b(?:percent|discount|tip|tax|price|cost|interest)\b|パーセント|割引|いくら",
        ("30% off 120", "45 of 180 in percent"),
        ("3000円の2割引は？", "180のうち45は何パーセント？"),
    ),
    (
        r"\b(?:km|miles?|kg|metres?|meters?|hours?|minutes?|speed|units?|convert)\b|キロ|メートル|速度",
        ("5 miles in km", "150 km in 2 hours, average speed?"),
        ("5マイルは何キロ？", "150キロを2時間、平均速度は？"),
    ),
)
_USUAL = (("15% of 80", "90 days from today"), ("80の15%は？", "今日から90日後は？"))


def decline(question: Question) -> Said:
    """The end of every question that no ability takes: one line, with what can be asked here."""
    table, tries = _of_tables(question)
    name = "beyond_tables" if tries else "beyond"
    tries = tries or _tries(question)
    told = question.tell("try_or").join(question.tell("try", example=example) for example in tries[: 1 if table else 2])
    return Said(question.tell(name, tries=told, table=table), None, tries, declined=True)


def _of_tables(question: Question) -> tuple[str, tuple[str, ...]]:
    if not question.tables:
        return "", ()
    from agent.demo.tables.ability import table_tries

    return table_tries(question)


def _tries(question: Question) -> tuple[str, ...]:
    place = 1 if question.language == "ja" else 0
    for pattern, *tries in _TRIES:
        if re.search(pattern, question.text, re.I):
            return tries[place]
    return _USUAL[place]


def _about_itself(question: Question, name: str) -> Said:
    told = question.tell(name, can=question.tell("can"), connect=question.tell("connect"))
    return Said(told, None, EXAMPLES[question.language])


_ASKED = phrase("use_a_tool")
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
        seen = yield Call(tool, ", ".join(given) or "{}", question.tell("using", tool=tool))
        return Said(question.tell("used", tool=tool, seen=seen))

    return Plan(steps)
