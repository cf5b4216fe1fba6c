"""How long more or fewer people take for the same work."""

from __future__ import annotations

import re

from agent.text.problems.problem_reader import Problem
from agent.text.quantities.units import measure_of
from agent.text.regex import regex
from agent.text.told_sums.telling import pattern_of, said

_WORK = regex(
    r"(?:if )?(?P<some>\d+) (?P<who>[a-z]+) "
    r"(?:need|take|can [a-z]+ (?:[a-z]+ ){1,3}in|finish in|[a-z]+ (?:[a-z]+ ){1,3}in) "
    r"(?P<time>\d+(?:\.\d+)?) (?P<unit>[a-z]+)(?: (?:for|to) [a-z ]+)?[.,;]? "
    r"(?:then )?how (?:long|many (?P=unit)) (?:would|will|do|does|should) (?:it take )?(?P<more>\d+)"
    r"(?: (?P=who)| of them)?(?: (?:take|need))?(?: (?:for|to do|to) (?:it|that|the same)(?: [a-z]+)?)?[ ?.!]*",
    re.I,
)


def shared_work(text: str) -> Problem | None:
    """ "4 painters need 6 days for a house. How long would 3 painters take?"."""
    found = _WORK.fullmatch(text) if len(text) <= 200 else None
    unit = next((one for one in measure_of(found["unit"].lower()) if one.kind == "time"), None) if found else None
    who = found["who"].lower() if found else ""
    works = re.fullmatch(pattern_of("working"), who) or (
        re.fullmatch(pattern_of("persons"), who) and said(text.lower(), "works")
    )
    if found is None or unit is None or not works or re.search(r"\b(?:half|third|quarter|part)\b", text, re.I):
        return None
    if not (int(found["some"]) and int(found["more"])):
        return None
    sum_ = f"{found['some']} * {found['time']} / {found['more']}"
    return Problem("shared_work", sum_, f"the time of {found['more']} {found['who']}", unit.name)
