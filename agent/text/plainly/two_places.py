"""What time it is in one place when it is so late in another, told with any other words."""

from __future__ import annotations

import re
from collections.abc import Iterator
from datetime import date, timedelta

from agent.text.problems.clock_figures import told_in_figures
from agent.text.problems.clock_questions import with_parts
from agent.text.problems.said_days import days_named
from agent.text.regex import regex

_NO_PLACE = (
    r"(?!(?:The|What|When|How|If|It|My|Our|His|Her|I|We|At|In|On|From|To|Monday|Tuesday"
    r"|Wednesday|Thursday|Friday|Saturday|Sunday"
    r"|January|February|March|April|May|June|July|August|September|October|November|December)\b)"
)
_PLACE = rf"(?:the )?{_NO_PLACE}(?P<place>[A-Z][\w'-]+(?: {_NO_PLACE}[A-Z][a-z]+)*|UK|US)"
_IN = regex(
    r"\b(?P<how>[Ii]n|[Ff]rom|[Aa]t|[Tt]o|[Oo]ver in|[Hh]ere in|[Tt]here in|[Bb]y|[Ww]ith"
    rf"|[Bb]ack in) {_PLACE}|(?<![\w.]){_PLACE.replace('place', 'of')} time\b"
)
_CLOCK = regex(with_parts("{CLOCK}"), re.I)
_PARTS = (
    (regex(r"\b(\d{1,2}(?:[:.][0-5]\d)?)(?: o'clock)? in the morning\b", re.I), r"\1 am"),
    (regex(r"\b(\d{1,2}(?:[:.][0-5]\d)?)(?: o'clock)? (?:in the (?:afternoon|evening)|at night)\b", re.I), r"\1 pm"),
    (regex(r"\b(?:midday|12 noon|noon)\b", re.I), "12:00"),
)
_THEIRS = regex(r"\b(?:her|his|their|local|its|your|there|our|my|here) time\b|\b(?:there|over there)\b", re.I)
_ASKS = regex(
    r"\b(?:when|what time|which time|what's the time|what will the time|what hour|what is it"
    r"|what(?:'s| is) (?:her|his|their|the local|local) time|whats the time"
    r"|what (?:do|does|will|would) (?:the|our|my|their|your) (?:clocks?|watch|phone) (?:say|show|read)|what does (?:her"
    r"|his|their) clock)\b",
    re.I,
)
_DAY = regex(r"\b(?P<day>today|tomorrow|tonight|this (?:morning|evening|afternoon))\b", re.I)
_TURNS = regex(
    r"\b(?:flight|flies|fly|lands?|takes?|lasts?|hours?|minutes?|long|later|before|after|ahead"
    r"|behind|difference|delay\w*|not|every|each"
    r"|until|till|between|or|arriv\w+|clos\w+|ends?|finish\w*|over(?! (?:in|there|here))|drive"
    r"|train|weekday|next|yesterday|born)\b|n['’]t\b",
    re.I,
)


def of_two_places(text: str, today: date) -> Iterator[str]:
    """ "Aunt in Sydney wants a call at 8 pm her time. When do I ring from London?" as "8 pm Sydney time in London"."""
    for pattern, form in _PARTS:
        text = pattern.sub(form, text)
    text, on = _without_date(told_in_figures(text), today)
    clocks, places = list(_CLOCK.finditer(text)), list(_IN.finditer(text))
    asks = next(reversed(list(_ASKS.finditer(text))), None)
    names = {(one["place"] or one["of"]).lower() for one in places}
    rest = _CLOCK.sub(" ", text)
    if (
        len(clocks) != 1
        or len(names) != 2
        or asks is None
        or re.search(r"\d", rest)
        or (_TURNS.search(rest) and not _only_lands(rest))
    ):
        return
    there, here = _sides(text, clocks[0], places, asks)
    if not there or not here:
        return
    said = _DAY.search(text)
    ahead = bool(said and said["day"].lower() == "tomorrow")
    on = on or (f" on {today + timedelta(days=1)}" if ahead else "")
    yield f"{clocks[0][0]} {there} time{on} in {here}?"


_HAS_DATE = regex(r"\d{4}|\bon (?:the )?\d{1,2}(?:st|nd|rd|th)? (?:of )?[A-Z][a-z]{2}|\bon [A-Z][a-z]{2,8} \d{1,2}\b")
_AT_DATE = regex(r",? ?(?:\bon )?§,?", re.I)


def _without_date(text: str, today: date) -> tuple[str, str]:
    """ "On 15 July 2027, when it is noon …" without the date, and " on 2027-07-15"; "on 25 November", too."""
    bare, days = days_named(text, today) if _HAS_DATE.search(text) else (text, [])
    return (_AT_DATE.sub("", bare, count=1).strip(), f" on {days[0]}") if len(days) == 1 else (text, "")


_I_AM = regex(r"\b(?:I|[Ww]e)(?:['’](?:m|re)| am| are| live| work)(?: [a-z]+){0,2} ?$")
_WHOSE = regex(r" (?:(?P<mine>my|our) time|(?:her|his|their) time)\b", re.I)
_ASKS_NOW = regex(r"\bwhat time (?:is it|will it be|is that|it is)\b", re.I)
_LANDS = regex(r"\b(?:flight|flies|fly|lands?|arriv\w+)\b", re.I)


def _only_lands(text: str) -> bool:
    """Whether it only matters where somebody lands: what time it then is elsewhere is asked."""
    return _ASKS_NOW.search(text) is not None and not _TURNS.search(_LANDS.sub(" ", text))


def _sides(text: str, clock: re.Match[str], places: list[re.Match[str]], asks: re.Match[str]) -> tuple[str, str]:
    """The place whose clock is told, and the one whose is asked for."""
    pieces = [found.span() for found in re.finditer(r"[^.?!;,]+", text)]

    def piece(at: int) -> int:
        return next((place for place, (start, end) in enumerate(pieces) if start <= at < end), -1)

    def name(one: re.Match[str]) -> str:
        return one["place"] or one["of"]

    beside = {name(one) for one in places if one["of"] or 0 <= one.start() - clock.end() < 2}
    asked = {name(one) for one in places if piece(one.start()) == piece(asks.start()) and one.start() > asks.start()}
    told = {name(one) for one in places if piece(one.start()) == piece(clock.start())} - asked
    every = {name(one) for one in places}
    own = {name(one) for one in places if _I_AM.search(text, 0, one.start())}
    whose = _WHOSE.match(text, clock.end())
    if len(beside) == 1:
        there = beside.pop()
    elif len(own) == 1 and whose is not None:
        there = next(iter(own if whose["mine"] else every - own), "")
    elif len(first := {name(one) for one in places if one.start() < clock.start()}) == 1 and _THEIRS.match(
        text, clock.end() + 1
    ):
        there = first.pop()
    elif len(told) == 1 and (len(asked) == 1 or _THEIRS.search(text)):
        there = told.pop()
    else:
        return "", ""
    here = next(iter(every - {there}), "")
    return (there, here) if not asked or here in asked else ("", "")
