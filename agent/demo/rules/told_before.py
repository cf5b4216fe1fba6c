"""A follow-up about the one date or price that a table gave: "so how many days has he been here", "with 20% off?"."""

from __future__ import annotations

import re
from datetime import date

from agent.demo.phrasebook import phrase
from agent.demo.rules.plan import Question
from agent.text.quantities.number_words import number_at

_ONE_VALUE = re.compile(r":\n\s*- (?P<value>\d{4}-\d\d-\d\d|\d+(?:\.\d+)?)\s*\Z")
_OF_ONE_COLUMN = re.compile(r"^I read this as: List (?P<column>[^\n;]+?) in [^\n;]+ where [^\n;]+ is “[^”\n]+”$", re.M)
_MONEY = re.compile(r"fee|price|cost|rent|fare|charge|gbp|usd|eur|amount|pay", re.I)
_SINCE, _UNTIL = phrase("days_since_told"), phrase("days_until_told")
_OFF, _SEVERAL = phrase("percent_off_told"), phrase("several_told")


def of_told(question: Question, answer: str) -> str | None:
    """The follow-up with what was told put in; ``None`` where more than one value was told, or it asks otherwise."""
    value, column = _ONE_VALUE.search(answer), _OF_ONE_COLUMN.search(answer)
    if value is None or column is None or question.language != "en" or question.today is None:
        return None
    if re.fullmatch(r"\d{4}-\d\d-\d\d", value["value"]):
        return _of_day(question.text, value["value"], question.today)
    return _of_money(question.text, value["value"]) if _MONEY.search(column["column"]) else None


def _of_day(text: str, told: str, today: date) -> str | None:
    try:
        over = date.fromisoformat(told) <= today
    except ValueError:
        return None
    found = (_SINCE if over else _UNTIL).fullmatch(text)
    unit = next((unit for unit in found.groups() if unit), "days") if found else ""
    return f"How many {unit.lower()} {'since' if over else 'until'} {told}?" if found else None


def _of_money(text: str, told: str) -> str | None:
    if off := _OFF.fullmatch(text):
        return f"What is {off['p']}% off {told}?"
    several = _SEVERAL.fullmatch(text)
    number = number_at(several["n"].lower(), 0, "en") if several else None
    return f"What is {number[0]} * {told}?" if number else None
