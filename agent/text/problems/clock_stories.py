"""Times of day told as a story in any words: gone at one and there at another, or begun at one and so long.

Read where ``clock_questions`` knows no words of it. Whatever is said beside the times must not stop, delay, repeat or
share out what happens.
"""

from __future__ import annotations

import re
from datetime import date

from agent.text.problems.clock_questions import (
    Elsewhere,
    Later,
    Spans,
    is_earlier,
    length_in_figures,
    with_parts,
)
from agent.text.quantities.dates import MONTH
from agent.text.regex import regex

_CLOCK, _LENGTH = regex(with_parts("{CLOCK}"), re.I), regex(with_parts("{LENGTH}"), re.I)
_TURNS = regex(
    r"\b(?:not|never|but|except|without|breaks?|stop(?:s|ped)?|awake|late|later|delay\w*|local|zones?|less|more|than|or"
    r"|only|half|twice|each|every|days|tomorrow|yesterday|next|then|change|wait\w*|rest(?:s|ed|ing)?|plus|minus"
    r"|again|another|earlier|early|before|until|pause|paused|between|ago|first|second|last|usual(?:ly)?|should have"
    r"|supposed|planned|said|says|satnav|really|actually|sometimes|maybe|instead|ahead|behind|overtime|speed|average|daily|weekly|weeks?|months?|years?|nights|evenings|mornings|km|miles?|slower|faster)\b|n['’]t\b|[$€£%]",
    re.I,
)
_HOW_LONG = regex(
    r"\b(?:how long|how many (?P<unit>minutes|hours)(?! and)|how many hours and minutes|how much time)\b"
    r"(?P<rest>[^?.!]*)[?.! ]*$",
    re.I,
)
_OTHERS = regex(r"\b(?:wife|husband|brother|sister|friend|kids?|son|daughter|mum|dad|boss|partner|flatmate)\b", re.I)
_NIGHT = regex(r"\b(?:bed|asleep|sleep|slept|night|shift|party)\b", re.I)
_FLIES = regex(r"\b(?:flights?|fl(?:y|ies|ew)|planes?|lands?|landed)\b", re.I)
_TWICE_ASLEEP = regex(r"\bbed\b.*\basleep\b|\basleep\b.*\bbed\b", re.I)
_BEGINS = regex(
    r"\b(?:leav(?:es?|ing)|left|start(?:s|ed)?|beg[ai]ns?|sets? off|departs?|kicks? off|goes in|went in|put in|opens?"
    r"|switch(?:ed)? on)\b[^.?!]{0,30}$",
    re.I,
)
_DUE = regex(r"\b(?:eat(?:ing)?|serve|served|ready|dinner|lunch|tea|guests?|be there|be at|arrive|starts?|due)\b", re.I)
_LASTS = regex(r"\b(?:takes?|took|lasts?|runs?|journey|ride|drive|trip|walk|needs?|goes on)\b[^.?!]{0,25}$", re.I)
_WHEN = regex(r"\b(?:what time|when)\b(?P<rest>[^?.!]*)[?.! ]*$", re.I)
_END = regex(
    r"\b(?:arrive|get (?:there|in|here)|be there|finish|end|over|done|ready|due in|come out)(?:e?s|ed)?\b", re.I
)
_START = regex(r"\b(?:leave|set off|start|begin|go in|goes in|put|depart)\b", re.I)
_HALVES = (
    (regex(r"\b(\d{1,2}(?::[0-5]\d)?)(?: o'clock)? in the morning\b", re.I), r"\1am"),
    (regex(r"\b(\d{1,2}(?::[0-5]\d)?)(?: o'clock)? (?:in the (?:afternoon|evening)|at night)\b", re.I), r"\1pm"),
)
_PLACE = r"[A-Z][a-z]+(?: [A-Z][a-z]+)?"
_THEIRS = regex(
    rf"\b(?:in|from) (?P<a>{_PLACE})\b[^.?!]*?\b(?P<c>{with_parts('{CLOCK}')}) (?:her|his|their|its|local) time\b"
    rf"[^?!]*\b[Ww](?:hat|hich|hen)\b[^?!]*\bin (?P<b>{_PLACE})[?.! ]*$"
)
_NO_YEAR = regex(rf"\bon (?:the )?(?P<day>\d{{1,2}})(?:st|nd|rd|th)?(?: of)? (?P<month>{MONTH})\b(?!,? \d)", re.I)


def of_this_year(text: str, today: date) -> str:
    """ "3pm in London on 21 November" with the year, which what time it is elsewhere depends on."""
    return _NO_YEAR.sub(rf"on \g<day> \g<month> {today.year}", text)


def clock_story(text: str) -> Spans | Later | Elsewhere | None:
    """ "Left home 7:25, at my desk 8:12. How many minutes was that?"."""
    if there := _THEIRS.search(text):
        return Elsewhere(there["c"], there["a"], there["b"])
    for pattern, form in _HALVES:
        text = pattern.sub(form, text)
    clocks = list(_CLOCK.finditer(text))
    if _TURNS.search(text):
        return None
    if len(clocks) == 2:
        return _from_to(text, clocks[0], clocks[1])
    return _so_long(text, clocks[0]) if len(clocks) == 1 else None


def _from_to(text: str, first: re.Match[str], last: re.Match[str]) -> Spans | None:
    """What lies between two times: over midnight only where somebody sleeps, or works at night."""
    asked = _HOW_LONG.search(text)
    told = text[: asked.start()] if asked else ""
    rest = f"{text[: first.start()]} {text[first.end() : last.start()]} {text[last.end() :]}"
    if asked is None or last.end() > asked.start() or re.search(r"\d", rest):
        return None
    if _OTHERS.search(asked["rest"]) or _FLIES.search(text) or _TWICE_ASLEEP.search(told):
        return None
    if is_earlier(first[0], last[0]) and not _NIGHT.search(text):
        return None
    return Spans(((first[0], last[0]),), "minutes" if (asked["unit"] or "").lower() == "minutes" else "")


def _so_long(text: str, clock: re.Match[str]) -> Later | None:
    """What begins at a time and takes so long ends then; what is due at it begins so long before."""
    asked = _WHEN.search(text)
    lengths = [found for found in _LENGTH.finditer(text) if length_in_figures(found[0])]
    if asked is None or len(lengths) != 1 or max(clock.end(), lengths[0].end()) > asked.start():
        return None
    (length,) = lengths
    rest = _LENGTH.sub(" ", _CLOCK.sub(" ", text))
    if re.search(r"\d", rest) or not _LASTS.search(text[: length.start()]):
        return None
    ends, starts = _END.search(asked["rest"]), _START.search(asked["rest"])
    near = re.split(r"[.,;!?]|\band\b", text[: clock.start()])[-1]
    if ends and not starts and _BEGINS.search(text[: clock.start()]):
        return Later(clock[0], length_in_figures(length[0]), back=False)
    if starts and not ends and _DUE.search(near) and not _BEGINS.search(near):
        return Later(clock[0], length_in_figures(length[0]), back=True)
    return None
