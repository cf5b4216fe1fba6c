"""Times of day told as a story in any words: gone at one and there at another, or begun at one and so long.

Read where ``clock_questions`` knows no words of it. Whatever is said beside the times must not stop, delay, repeat or
share out what happens.
"""

from __future__ import annotations

import re
from datetime import date

from agent.text.problems.clock_figures import after_noon, is_earlier, one_number, told_in_figures
from agent.text.problems.clock_questions import (
    Elsewhere,
    Later,
    Spans,
    length_in_figures,
    with_parts,
)
from agent.text.quantities.dates import MONTH, month_number
from agent.text.regex import regex

_CLOCK, _LENGTH = regex(with_parts("{CLOCK}"), re.I), regex(with_parts("{LENGTH}"), re.I)
_TURNS = regex(
    r"\b(?:not|never|but|except|without|breaks?|(?<!the )(?<!my )(?<!bus )stop(?:s|ped)?|awake|late|later|delay\w*"
    r"|local|zones?|less|more|than|or"
    r"|only|half|twice|each|every|days|tomorrow|yesterday|next|then|change|wait\w*|rest(?:s|ed|ing)?|plus|minus"
    r"|again|another|earlier|early|before|until|pause|paused|(?:hour|minutes|mins) (?:for"
    r"|off)|for lunch|between|ago|first|second|last|usual(?:ly)?|should have"
    r"|supposed|planned|said|says|satnav|really|actually|sometimes|maybe|instead|ahead"
    r"|behind|overtime|speed|average|daily|weekly|weeks?|months?|years?|nights|evenings"
    r"|mornings|km|miles?|slower|faster)\b|n['’]t\b|[$€£%]",
    re.I,
)
_HOW_LONG = regex(
    r"\b(?:how long|how many (?P<unit>minutes|hours)(?! and)|how many hours and minutes|how much time)\b"
    r"(?P<rest>[^?.!]*)[?.! ]*$",
    re.I,
)
_OTHERS = regex(r"\b(?:wife|husband|brother|sister|friend|kids?|son|daughter|mum|dad|boss|partner|flatmate)\b", re.I)
_OF_ME = regex(r"\b(?:was|am|did|do|have|will) i\b", re.I)
_ASKED_OF = regex(
    r"\b(?:does|do|did|will|should|must|can|would) (?:the|my|our|his|her) "
    r"(?!(?:second|next|last|\d+)\b|[a-z]+th\b|third\b)(?P<who>[a-z]+)",
    re.I,
)
_NIGHT = regex(r"\b(?:bed|asleep|sleep|slept|night|shift|party)\b", re.I)
_FLIES = regex(r"\b(?:flights?|fl(?:y|ies|ew)|planes?|lands?|landed)\b", re.I)
_TWICE_ASLEEP = regex(r"\bbed\b.*\basleep\b|\basleep\b.*\bbed\b", re.I)
_BEGINS = regex(
    r"\b(?:leav(?:es?|ing)|left|start(?:s|ed|ing)?|beg[ai]ns?|sets? off|departs?"
    r"|kicks? off|goes in|went in|put in|opens?"
    r"|switch(?:ed)? on)\b[^.?!]{0,30}$",
    re.I,
)
_DUE = regex(
    r"\b(?:eat(?:ing)?|serve|served|ready|dinner|lunch|tea|guests?|be there|be at|arrive"
    r"|starts?|due)\b",
    re.I,
)
_LASTS = regex(
    r"\b(?:takes?|took|lasts?|runs?|journey|ride|drive|trip|walk|needs?|goes on|and is"
    r"|which is|are)\b[^.?!]{0,25}$",
    re.I,
)
_WHEN = regex(r"\b(?:what time|when)\b(?P<rest>[^?.!]*)[?.! ]*$", re.I)
_END = regex(
    r"\b(?:arrive|get (?:there|in|here)|be there|finish|end|over|done|ready|due in|come out)(?:e?s|ed)?\b", re.I
)
_START = regex(r"\b(?:leave|set off|start|begin|go in|goes in|put|depart)\b", re.I)
# "My train is at 18:05 and the walk takes 17 minutes": on the way before it.
_MEETS = regex(
    r"\b(?:train|bus|tram|coach|ferry|flight|film|appointment|meeting|lesson|class|match|game|show|interview) "
    r"(?:is|starts|leaves|departs|goes|begins)(?: at)? ?$",
    re.I,
)
_ON_THE_WAY = regex(r"\b(?:walk\w*|driv\w+|rid\w+|get there|cycl\w+|way|journey|takes me|to the)\b", re.I)
_GOES = regex(r"\b(?:leave|set off|go out|head off)\b", re.I)
# What a time is told for: the earlier one of two where it is told last.
_FROM = regex(r"\b(?:bed|asleep|to sleep|left|started|began|set off|it['’]s|it is|now)\b", re.I)
_TILL = regex(r"\b(?:alarm|got up|get up|woke|up|shuts?|closes?|back|arrived|finish\w*|ends?|home)\b", re.I)
_EACH_LONG = regex(r"\b(?P<n>\d+|two|three|four|five|six) [a-z]+ of (?P<l>\d+) (?P<u>minutes|hours) each\b", re.I)
_MORNING_AFTER = regex(r"\b(\d{1,2}(?::[0-5]\d)?am),? (?:tomorrow|on the next day|the next day)\b", re.I)
_PLACE = r"[A-Z][a-z]+(?: [A-Z][a-z]+)?"
_THEIRS = regex(
    rf"\b(?:in|from) (?P<a>{_PLACE})\b[^.?!]*?\b(?P<c>{with_parts('{CLOCK}')}) (?:her|his|their|its|local) time\b"
    rf"[^?!]*\b[Ww](?:hat|hich|hen)\b[^?!]*\bin (?P<b>{_PLACE})[?.! ]*$"
)
_THERE = regex(
    rf"\b(?P<c>{with_parts('{CLOCK}')}) in (?P<a>{_PLACE})\b[^?!]*\b[Ww](?:hat|hich) time(?:'s| is| will| would)"
    rf"(?: it| that| this| be| then| here| for me| for us)* in (?P<b>{_PLACE})[?.! ]*$"
)
_TODAY = regex(r"(?<=\w\w) today(?=[,?.!;]| (?:what|how|when)\b)", re.I)
_NO_YEAR = regex(rf"\bon (?:the )?(?P<day>\d{{1,2}})(?:st|nd|rd|th)?(?: of)? (?P<month>{MONTH})\b(?!,? \d)", re.I)


_MIDDLE = 11
# No clock known to us is put forward or back in one of these months.
_IN_MONTH = regex(
    r"\b(?:in|during) (?:(?:early|mid|late)[ -])?(?P<month>January|February|May|June|July|August|December)\b(?!,? ?\d)",
    re.I,
)


def of_this_year(text: str, today: date) -> str:
    """ "3pm in London on 21 November" with the year, which what time it is elsewhere depends on; "in July" as a day."""
    text = _NO_YEAR.sub(rf"on \g<day> \g<month> {today.year}", _TODAY.sub("", text))
    return _IN_MONTH.sub(lambda said: f"on {_like_today(said['month'], today)} {said['month']} {today.year}", text)


def _like_today(month: str, today: date) -> int:
    """The day in the middle of that month that is the weekday of today, as nothing is said of another one."""
    begin = date(today.year, month_number(month), _MIDDLE)
    return _MIDDLE + (today.weekday() - begin.weekday()) % 7


def asks_of_another(text: str) -> bool:
    """Whether what is asked, when the guests leave or how long I was away, is told of somebody else alone."""
    when, long = _WHEN.search(text), _HOW_LONG.search(text)
    of = _ASKED_OF.search(when[0]) if when else None
    if when and of and not re.search(rf"\b{of['who']}\b", text[: when.start()], re.I):
        return bool(text[: when.start()].strip())
    return long is not None and bool(_OF_ME.search(long[0]) and _OTHERS.search(text[: long.start()]))


def clock_story(text: str) -> Spans | Later | Elsewhere | None:
    """ "Left home 7:25, at my desk 8:12. How many minutes was that?"."""
    if there := _THEIRS.search(text) or _THERE.search(text):
        return Elsewhere(there["c"], there["a"], there["b"])
    text = _MORNING_AFTER.sub(r"\1", told_in_figures(text))
    text = _EACH_LONG.sub(lambda said: f"takes {int(one_number(said['n'])) * int(said['l'])} {said['u']}", text)
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
    before, between = text[: first.start()], text[first.end() : last.start()]
    behind = text[last.end() : asked.start()]
    begin, end = first[0], last[0]
    if _FROM.search(f"{between} {behind}") and _TILL.search(before) and not _FROM.search(before):
        begin, end = end, begin
    end = after_noon(begin, end)
    if is_earlier(begin, end) and not _NIGHT.search(text):
        return None
    return Spans(((begin, end),), "minutes" if (asked["unit"] or "").lower() == "minutes" else "")


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
    on_time = _MEETS.search(near) and _ON_THE_WAY.search(text) and _GOES.search(asked["rest"])
    if on_time or (starts and not ends and _DUE.search(near) and not _BEGINS.search(near)):
        return Later(clock[0], length_in_figures(length[0]), back=True)
    return None
