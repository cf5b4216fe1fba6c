"""When to leave, or when it is over: one time of day and one or more lengths of time that come before or after it."""

from __future__ import annotations

import re
from collections.abc import Iterator

from agent.text.problems.clock_figures import told_in_figures
from agent.text.problems.clock_questions import with_parts
from agent.text.regex import regex
from agent.text.told_sums.telling import in_digits

_CLOCK = regex(with_parts("{CLOCK}"), re.I)
_LENGTH = regex(
    r"\b(?:(?P<h>\d+(?:\.\d+)?) ?(?:hours?|hrs?|h)\b(?:,? (?:and )?(?P<hm>\d+)(?: ?(?:minutes?"
    r"|mins?|min|m)\b|(?=[,.;?!]| and\b|$)))?|(?P<m>\d+(?:\.\d+)?)[ -]?(?:minutes?|mins?"
    r"|min)\b)",
    re.I,
)
_BARE = regex(
    r"(?<=\bplus )(?P<n>\d+)(?= (?:to|for)\b)|(?<=\band )(?P<k>\d+)(?= (?:to|for) (?:get|my"
    r"|the|a|park|walk|shower|pack|dress))",
    re.I,
)
_WORDS = (
    (regex(r"\bhalf an hour\b", re.I), "30 minutes"),
    (regex(r"\b(?:three quarters of an hour|3 quarters of an hour)\b", re.I), "45 minutes"),
    (regex(r"\b(?:a )?quarter of an hour\b", re.I), "15 minutes"),
    (regex(r"\ban hour and a half\b|\bone and a half hours\b|\b1 and a half hours\b", re.I), "90 minutes"),
    (regex(r"\b(\d+) and a half hours\b|\b(\d+) hours and a half\b", re.I), r"\1\2.5 hours"),
    (regex(r"\b(?:an|one) hour\b", re.I), "1 hour"),
)
_WHEN = regex(r"\b(?:when|what time|latest time|by when)\b(?P<rest>[^?.!]*)[?.! ]*$", re.I)
_LEAVES = regex(
    r"\b(?:leave|set off|get up|wake(?: up)?|head off|head out|go out|start(?: cooking"
    r"| getting ready| work on)?|put|set (?:my|the) alarm|depart|be out|begin|alarm)\b",
    re.I,
)
_IS_OVER = regex(
    r"\b(?:over|end|ends|finish|finished|finishes|done|out|arrive|arrives|get (?:there|home"
    r"|in)|be (?:there|home|back|ready)|ready|home|back|come out|land)\b",
    re.I,
)
_STARTS = regex(
    r"\b(?:starts?|begins?|leaves?|leave|set off|departs?|goes in|put|opens|kicks off|from"
    r"|start|started|left)\b[^.?!;]{0,40}$",
    re.I,
)
_DUE = regex(
    r"\b(?:starts?|begins?|be (?:there|at|in|home|ready)|due|arrive|meeting|appointment|train"
    r"|flight|bus|interview|exam|match|school|work|shift|lesson|class|check-?in"
    r"|dinner|lunch|guests|serve|eat|doors|opens|film|show|concert|party)\b[^.?!;]{0,40}$",
    re.I,
)
_TURNS = regex(
    r"\b(?:not|never|except|without|late|later|earlier|early|delay\w*|or|if|each|every|twice"
    r"|times|half|usually|another|again|before|until|till|tomorrow|yesterday|ago|per|km|miles"
    r"|difference|behind|ahead|zone|slower|faster|instead|overslept|between|after|days?|weeks?"
    r"|lost|extra|last|next|first|second|then|local|longer|shorter|than|fly|flies|flying)\b|n['’]t\b|[$€£%]",
    re.I,
)


def of_lead_times(text: str) -> Iterator[str]:
    """ "My shift starts at 6:45, I need 40 minutes to get there plus 25 to get ready. When do I get up?"."""
    text = told_in_figures(text)
    for pattern, form in _WORDS:
        text = pattern.sub(form, text)
    text = in_digits(text)
    asked, clocks = _WHEN.search(text), list(_CLOCK.finditer(text))
    yield from _late(text, clocks)
    if asked is None or len(clocks) != 1 or clocks[0].start() > asked.start():
        return
    told = _CLOCK.sub(" § ", text)
    minutes = [_minutes(found) for found in _LENGTH.finditer(told)]
    rest = _LENGTH.sub(" ", told)
    minutes += [int(found["n"] or found["k"]) for found in _BARE.finditer(rest)]
    rest = _BARE.sub(" ", rest)
    if not minutes or re.search(r"\d", rest) or _TURNS.search(rest):
        return
    leaves, ends = _LEAVES.search(asked["rest"]), _IS_OVER.search(asked["rest"])
    near = text[: clocks[0].start()]
    if leaves and (_ITS_OWN.search(told) or _of_one_dish(text, asked["rest"], len(minutes))):
        return
    if (
        leaves
        and not ends
        and _DUE.search(near)
        and not re.search(r"\b(?:leave|set off|left|finish|finished|ends?|over)\b[^.?!;]{0,30}$", near, re.I)
    ):
        yield f"what time is {sum(minutes):g} minutes before {clocks[0][0]}"
    elif ends and not leaves and _STARTS.search(near):
        yield f"what time is {sum(minutes):g} minutes after {clocks[0][0]}"


_ITS_OWN = regex(
    r"§[^.;?!§]{0,12}?(?:,| and| which| that| it)* ?\b(?:takes?|lasts?|runs? for|goes on)\b"
    r"(?![^.,;?!]*\b(?:to|by|away)\b)|\blasts?\b",
    re.I,
)


def _of_one_dish(text: str, asked: str, lengths: int) -> bool:
    """Whether one of several things that each take so long is to begin: "when do I put the chicken in?"."""
    dish = re.search(r"\b(?:put|start)\b(?: cooking| roasting| boiling)? (?:the|my) (?P<dish>[a-z]+)", asked, re.I)
    takes = len(re.findall(r"\b(?:takes?|needs?|wants?)\b", text))
    return (
        dish is not None
        and lengths > 1 < takes
        and re.search(rf"\b{dish['dish']}\b", text[: -len(asked)], re.I) is not None
    )


def _minutes(said: re.Match[str]) -> float:
    return float(said["m"]) if said["m"] else float(said["h"]) * 60 + float(said["hm"] or 0)


_HOW_LATE = regex(
    r"\b(?:how (?P<way>late|early)\b|how many minutes (?P<many>late|early|too late"
    r"|too early)\b|how much (?P<much>too late|later|earlier)\b)",
    re.I,
)
_SCHEDULED = regex(r"\b(?:due|supposed|scheduled|should have|meant to|planned|expected)\b[^.?!;]{0,30}$", re.I)


def _late(text: str, clocks: list[re.Match[str]]) -> Iterator[str]:
    """ "The train was due 17:48 and came at 18:21. How late was it?"."""
    if (
        len(clocks) != 2
        or not _HOW_LATE.search(text)
        or re.search(r"\d", _CLOCK.sub(" ", text))
        or re.search(r"\b(?:not|now|in the end|will|by then)\b|n['’]t\b", text)
    ):
        return
    first = bool(_SCHEDULED.search(text[: clocks[0].start()]))
    second = bool(_SCHEDULED.search(text[clocks[0].end() : clocks[1].start()]))
    if first != second:
        due, came = (clocks[0][0], clocks[1][0]) if first else (clocks[1][0], clocks[0][0])
        early = re.search(r"\b(?:early|earlier|too early)\b", text, re.I)
        yield f"how many minutes from {came} to {due}" if early else f"how many minutes from {due} to {came}"
