"""Follow-ups that put something on the amount that a document or a sum over it told: "and with the fee on top?"."""

from __future__ import annotations

import re

from agent.text.regex import regex

_AMOUNT = r"[$€£]\d[\d,]*(?:\.\d+)?"
_SUM = regex(rf" is (?P<amount>{_AMOUNT})\.\s*\Z")
_MONEY = regex(_AMOUNT)
_AND = (
    r"(?:(?:and|so|ok|okay|then|but|now|what (?:about|if)|how about|how much(?: is (?:that|it)| would (?:that|it) be)?"
    r"|what(?:'s| is) (?:that|it|the total)|what would (?:that|it) be)\b,? ?)*"
)
_WITH = r"(?:with|plus|adding|add|including|if (?:i|we) (?:add|include)|on top of that,?|once (?:i|we) add)"
_TOP = (
    r"(?: (?:on top(?: of (?:that|it|this))?|as well|too|also|added(?: on| in)?|included|altogether|all in|in total))+"
)
_ON_TOP = regex(rf"{_AND}(?:{_WITH} (?P<what>.+?)(?P<top>{_TOP})?|(?P<more>(?!if\b).+?)(?P<also>{_TOP}))", re.I)
_TURNS = regex(
    r"\b(?:not|no|without|less|minus|off|back|refund\w*|half|twice|instead|or|each|per|percent)\b|%|\d", re.I
)
CARRIED = regex(r"\bwhat is (?P<amount>[$€£]\d[\d.]*) plus (?P<what>[^?]+?) altogether\b", re.I)


def put_on_top(asked: str, answer: str) -> str | None:
    """The question for the amount told and what comes on top of it; ``None`` where none, or several, were told."""
    said = _ON_TOP.fullmatch(asked.strip(" ?.!"))
    if said is None or _TURNS.search(asked):
        return None
    worked = _SUM.search(answer)
    told = [worked["amount"]] if worked else _MONEY.findall(answer)
    if len(told) != 1 or not (worked or said["top"] or said["also"]):
        return None
    return f"What is {told[0].replace(',', '')} plus {said['what'] or said['more']} altogether?"
