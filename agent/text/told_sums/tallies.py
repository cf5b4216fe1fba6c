"""How many there are after some came and some went: 43 on the tram, 12 got off and 19 got on; and all of several kinds.

Each figure is in a clause of its own, whose words say whether so many are gone or come; one that says neither, or both,
is no such account.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from agent.text.problems.problem_reader import Problem
from agent.text.regex import regex
from agent.text.told_sums.telling import in_digits, pattern_of, said

_LONGEST = 200  # characters
_N = r"(?<![\d.,:$€£])\d{1,3}(?:,\d{3})+(?![\d%])|(?<![\d.,:$€£])\d+(?![\d.,:%]\d|%)"
_CLAUSES = regex(r"[.;!?,]+(?=\s|$)| (?:and|but) (?:then |another |also )?(?=(?:[a-z']+ ){0,4}(?:\d))|\bthen\b")
_ASKED = regex(
    r"\bhow many\b(?: (?P<of>[a-z]+))?(?: (?:are|is|do|does|have|has|am|will|would|remain|i|we|they|he|she|there"
    r"|be|people|still|now|left|got|stay|in|on|the|a|at|my|our|you|it))*"
    r"(?: (?P<state>(?:left|now|on (?:it|the [a-z]+)|on board|still (?:here|there|in|on)|in(?: (?:it|the [a-z]+"
    r"|today))?|here|there|at work|present|today|remain|aboard|inside|free|empty|available|open)))*(?: (?:now"
    r"|today|left|in the [a-z]+|on the [a-z]+|at the moment))*[ ?.!]*$"
)
_FREE = regex(r"\b(?:free|empty|available|open)\b")
_CAPACITY = regex(r"\b(?:holds?|seats?|takes?|fits|has space for|has room for|capacity|carr(?:y|ies))\b")
_GIVEN = regex(r"\b(?:gave|gives?|giving|brought|sent) (?:me|us)\b")
_PLACES = regex(r"\b(?:spaces?|seats?|places|beds|rooms|tables|lockers|desks|berths)\b")


def tally(text: str) -> Problem | None:
    """ "There were 43 people on the tram. 12 got off and 19 got on. How many are on it now?"."""
    text = in_digits(" ".join(text.lower().split()).replace("’", "'"))
    asked = _ASKED.search(text) if len(text) <= _LONGEST else None
    if asked is None or said(text, "not_tallied"):
        return None
    clauses = list(_told(text[: asked.start()]))
    if not clauses or not all(map(_has_one_figure, clauses)):
        return None
    free = _FREE.search(asked[0]) is not None
    if free != bool(_PLACES.search(text)):
        return None
    told = _begun(clauses, free)
    if told is None:
        return None
    first, rest, on_board = told
    signs = _carried([_sign(clause) for clause in rest], rest)
    if len(rest) < (1 if free or on_board else 2) or not all(signs):
        return None
    if free:
        signs = [{"+": "-", "-": "+"}[sign] for sign in signs]
    return _counted([_figure(clause) for clause in (first, *rest)], signs, free)


def _has_one_figure(clause: str) -> bool:
    return len(re.findall(_N, clause)) == 1 and not re.search(r"\d", re.sub(_N, " ", clause))


def _figure(clause: str) -> str:
    return re.findall(_N, clause)[0].replace(",", "")


def _begun(clauses: list[str], free: bool) -> tuple[str, list[str], bool] | None:
    """What there was at first, and the clauses behind it; ``True`` where so many are on board what holds more."""
    first, *rest = clauses
    if free:
        return None if any(_PLACES.search(clause) for clause in rest) else (first, rest, False)
    if _CAPACITY.search(first) and len(rest) > 1:  # "A bus holds 52. 37 get on, …"
        return (rest[0], rest[1:], True) if _sign(rest[0]) == "+" else None
    sign = _sign(first)
    if sign == "-" or (sign == "+" and not said(first, "tally_begins")):
        return None
    return first, rest, False


def _counted(figures: list[str], signs: list[str], free: bool) -> Problem | None:
    """The sum, which is never below nothing, nor above the places there are."""
    total = int(figures[0])
    for sign, figure in zip(signs, figures[1:], strict=True):
        total += int(figure) if sign == "+" else -int(figure)
        if total < 0 or (free and total > int(figures[0])):
            return None
    sum_ = figures[0] + "".join(f" {sign} {figure}" for sign, figure in zip(signs, figures[1:], strict=True))
    return Problem("tally", sum_, sum_)


def _told(text: str) -> Iterator[str]:
    for clause in _CLAUSES.split(text):
        if clause and clause.strip() and (re.search(r"\d", clause) or said(clause, "tally_turns")):
            yield clause


def _sign(clause: str) -> str:
    """Whether so many are gone ("-") or come ("+"); "" where neither is said, or both."""
    if _GIVEN.search(clause):
        return "+"
    gone, come = (said(clause, name) is not None for name in ("gone", "come"))
    return "" if gone == come else "-" if gone else "+"


def _carried(signs: list[str], clauses: list[str]) -> list[str]:
    """ "Gave 3 to Ann and 4 to Ben": a clause without a verb goes on with that before it."""
    made: list[str] = []
    for sign, clause in zip(signs, clauses, strict=True):
        alone = re.fullmatch(r" ?(?:and |another )*\d+(?: (?:more|to [a-z ]+|are|is|for [a-z ]+))? ?", clause)
        made.append(sign or (made[-1] if alone and made and "are" not in clause else ""))
    return made


_KINDS = regex(
    r"(?P<lead>[^\d.?!]*?)\b(?P<list>(?:\d+ [a-z-]+(?: [a-z]+)?(?:, (?:and )?"
    r"| and )){2,}\d+ [a-z-]+(?: [a-z]+)?)[.,;?] (?:so )?"
    r"(?:how many (?P<all>[a-z]+) (?:is that|are that|are there|do (?:i|we) have|does it have|was that|were there"
    r"|are they|is it|makes that|in)(?P<total> in (?:all|total)| altogether| all together| total)?"
    r"|how many (?P<of>[a-z]+)(?: are there)? (?:in (?:all|total)|altogether|all together))[ ?.!]*"
)


def kinds_together(text: str) -> Problem | None:
    """ "A choir has 14 sopranos, 11 altos, 6 tenors and 9 basses. How many singers is that?"."""
    text = in_digits(" ".join(text.lower().split()))
    found = _KINDS.fullmatch(text) if len(text) <= _LONGEST else None
    if found is None or said(found["lead"] + found["list"], "not_tallied"):
        return None
    things = re.findall(r"(\d+) ([a-z-]+(?: (?!and\b)[a-z]+)?)", found["list"])
    names = [name.split()[-1] for _, name in things]
    wanted = found["all"] or found["of"]
    persons = [bool(re.fullmatch(pattern_of("tallied_persons"), name)) for name in names]
    if (
        wanted in names
        or len(set(names)) < len(names)
        or not wanted.endswith(("s", "people", "children"))
        or (any(persons) and not all(persons))
    ):
        return None
    sum_ = " + ".join(number for number, _ in things)
    return Problem("tally", sum_, sum_)
