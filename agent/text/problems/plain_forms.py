"""Whole questions in the words of plainer ones: "half of 90 plus a third of 60" as "(90 / 2) + (60 / 3)".

The forms are declared in ``plain_forms.toml``. Each is of the whole question: what stands beside its figures says
nothing that would turn it.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from datetime import date, timedelta
from functools import cache
from typing import Any

from agent.text.problems.story_parts import WORDS, stem
from agent.text.quantities.dates import MONTH, day
from agent.text.regex import regex
from agent.text.word_tables import word_table

_LATER = {"double": "* 2", "triple": "* 3", "halve": "/ 2", "quadruple": "* 4"}
_SPANS = {"minute": "60 seconds", "hour": "60 minutes", "day": "24 hours", "week": "7 days", "year": "12 months"}
_CURRENCY = {"euro": "€", "€": "€", "dollar": "$", "buck": "$", "$": "$", "pound": "£", "quid": "£", "£": "£"}
_END = regex(r"[ ?.!]+$")

Made = Callable[[re.Match[str], date | None], str]


def plain_forms(text: str, today: date | None) -> Iterator[str]:
    """The plain questions that the whole of an English one is."""
    bare = _END.sub("", text)
    for pattern, form in _forms():
        said = pattern.fullmatch(bare)
        made = "" if said is None else said.expand(form) if isinstance(form, str) else form(said, today)
        if made:
            yield made


@cache
def _forms() -> tuple[tuple[re.Pattern[str], str | Made], ...]:
    read: dict[str, Any] = word_table(__file__, "plain_forms.toml")
    parts = {"MONTH": MONTH, **read["parts"]}

    def pattern(text: str) -> str:
        return _PART.sub(lambda found: pattern(parts[found[1]]), text)

    return tuple(
        (regex(pattern(one["of"]), 0 if one.get("sensitive") else re.I), one.get("as") or _MADE[one["made"]])
        for one in read["form"]
    )


_PART = regex(r"\{([A-Z_]+)\}")


def _then(said: re.Match[str], _: date | None) -> str:
    whole, less = (said["b"], said["a"]) if said["a"] else (said["c"], said["d"])
    return f"({whole} - {less}) {_LATER[said['then'].lower()]}"


def _of_span(said: re.Match[str], _: date | None) -> str:
    number, unit = _SPANS[said["span"].lower()].split(" ")
    return f"{said['n']} is what percent of {number}" if said["unit"].lower().rstrip("s") == unit.rstrip("s") else ""


def _part(said: re.Match[str], _: date | None) -> str:
    return f"{said['a']} is what percent of {said['b']}" if 0 < int(said["a"]) <= int(said["b"]) else ""


_TURNED_RATES = {"lost": ("win", "winning"), "failed": ("pass", "success"), "missed": ("success", "scoring")}
_RATES = {
    "won": ("win", "winning", "success"), "passed": ("pass", "success"), "scored": ("scoring", "success"),
    "lost": ("loss",), "failed": ("failure",), "missed": (),
}  # fmt: skip


def _rate(said: re.Match[str], _: date | None) -> str:
    """The rate of those that are told, or of the others."""
    told, rate, part, whole = said["told"].lower(), said["rate"].lower(), int(said["a"]), int(said["b"])
    if part > whole:
        return ""
    if rate in _RATES[told]:
        return f"{part} is what percent of {whole}"
    return f"{whole - part} is what percent of {whole}" if rate in _TURNED_RATES.get(told, ()) else ""


def _whole(said: re.Match[str], _: date | None) -> str:
    """All of which so many percent, or the others, are so many."""
    kind, part = said["kind"].lower(), said["part"].lower()
    if said["asked"].lower() in (kind, part):
        return ""
    if stem(kind)[:5] == stem(part)[:5]:
        return f"{said['n']} / {said['p']}%"
    others = any(
        {kind, part} <= {*first, *second} and (kind in first) != (part in first) for first, second in WORDS["opposites"]
    )
    return f"{said['n']} / (1 - {said['p']}%)" if others else ""


def _weekday(said: re.Match[str], today: date | None) -> str:
    """The first day of this, the next or a named month."""
    if today is None:
        return ""
    step = (said["next"] or "").lower() == "next"
    first = (today.replace(day=1) + timedelta(days=32)).replace(day=1) if step else today.replace(day=1)
    return f"what day of the week is {first}"


def _last_day(said: re.Match[str], today: date | None) -> str:
    first = day(f"1 {said['month']} {said['year'] or ''}".strip(), today) if today else None
    last = (first + timedelta(days=31)).replace(day=1) - timedelta(days=1) if first else None
    return f"what day of the week is {last}" if last else ""


def _first_after(said: re.Match[str], _: date | None) -> str:
    """The first of those that go every so many minutes, after or from a time on."""
    every = int(said["n"]) * (60 if said["unit"].lower().startswith("h") else 1)
    begin, end = (_minutes(said[name]) for name in ("first", "then"))
    if begin is None or end is None or not begin <= end or not every:
        return ""
    if (end - begin) % every == 0:
        return ""  # one goes at that time: whether it is "after" is not said
    wait = (end - begin) // every * every + every
    return f"what time is {wait} minutes after {begin // 60}:{begin % 60:02}"


def _minutes(clock: str) -> int | None:
    """The minutes of the day; ``None`` where the hour may be of either half of it."""
    found = re.fullmatch(r"(\d{1,2})(?:[:.](\d\d))? ?([ap])?\.?m?\.?", clock.strip(), re.I)
    if found is None or int(found[1]) > 23:
        return None
    hour = int(found[1]) % 12 + 12 * (found[3].lower() == "p") if found[3] else int(found[1])
    return hour * 60 + int(found[2] or 0)


def _elsewhere(said: re.Match[str], today: date | None) -> str:
    """The time here of a call by a clock elsewhere; today's where no other day is told."""
    found = day(said["day"], today) if said["day"] and today else None
    on = f" on {found}" if found else ""
    asked = f"{said['clock']} {said['there']} time{on} in {said['here']}?"
    return asked if said["there"].lower() != said["here"].lower() and bool(said["day"]) == bool(found) else ""


def _date_of(text: str, today: date | None, ahead: bool = False) -> str:
    found = day(text, today, ahead) if today else None
    return str(found or text)


def _between(said: re.Match[str], today: date | None) -> str:
    return f"how many {said['unit'].lower()} between {_date_of(said['a'], today)} and {_date_of(said['b'], today)}"


def _power(said: re.Match[str], _: date | None) -> str:
    return f"({said[2]}^{said[3]}) - {said[5]}" if int(said[3]) < int(said[5]) else ""


def _discount(said: re.Match[str], _: date | None) -> str:
    sign = said["sign"] or _CURRENCY.get((said["unit"] or "").lower().rstrip("s"), "")
    return f"what is {said['p']} of {sign}{said['m']}"


def _notice(said: re.Match[str], today: date | None) -> str:
    return f"what date is {said['l']} after {_date_of(said['d'], today, not said['gave'])}"


def _lived(said: re.Match[str], today: date | None) -> str:
    return f"how old is someone born on {_date_of(said['a'], today)} on {_date_of(said['b'], today)}"


def _oven(said: re.Match[str], _: date | None) -> str:
    return f"{said[2]} {said[3]} in {said[1]}" if said[3][0].lower() != said[1][0].lower() else ""


def _knots(said: re.Match[str], _: date | None) -> str:
    return f"{said[2] or said[3]} knots in {'mph' if (said[1] or said[4]).lower() == 'miles' else 'km/h'}"


def _two_shares(said: re.Match[str], _: date | None) -> str:
    parts = [f"({said[n].replace(',', '')} * {said[p]} / 100)" for p, n in (("p", "a"), ("q", "b"))]
    first, second = (float(said[n].replace(",", "")) * float(said[p]) for p, n in (("p", "a"), ("q", "b")))
    if said["how"].lower().startswith("sum"):
        return " + ".join(parts)
    return " - ".join(parts if first >= second else parts[::-1])


def _turning(said: re.Match[str], today: date | None) -> str:
    then = day(said["d"], today, True) if today else None
    born = _years_before(then, int(said["n"])) if then else None
    return f"how old is someone born on {born}" if born and today and born <= today else ""


def _years_before(then: date, years: int) -> date | None:
    return None if (then.month, then.day) == (2, 29) else then.replace(year=then.year - years)


_OPPOSITES = {
    "late": ("on time", "punctual"), "absent": ("present", "here"), "missing": ("present", "here"),
    "ill": ("healthy", "well"), "sick": ("healthy", "well"), "broken": ("intact", "whole", "fine"),
    "wrong": ("right", "correct"), "empty": ("full",), "taken": ("free",), "unsold": ("sold",),
}  # fmt: skip


def _opposite(said: re.Match[str], _: date | None) -> str:
    part, whole = int(said["a"]), int(said["b"])
    fits = said["asked"].lower() in _OPPOSITES[said["told"].lower()] and part <= whole
    return f"{whole - part} is what percent of {whole}" if fits else ""


_TIMES = {"twice": "2", "double": "2", "half": "0.5", "three": "3", "four": "4", "five": "5"}


def _beside(said: re.Match[str], _: date | None) -> str:
    sign = "-" if said["way"].lower() == "less" else "+"
    return f"({_TIMES[said['k'].lower().split()[0]]} * {said['b']}) {sign} {said['a']}"


_MADE: dict[str, Made] = {
    "beside": _beside,
    "between": _between,
    "discount": _discount,
    "elsewhere": _elsewhere,
    "first_after": _first_after,
    "knots": _knots,
    "last_day": _last_day,
    "lived": _lived,
    "notice": _notice,
    "of_span": _of_span,
    "opposite": _opposite,
    "oven": _oven,
    "part": _part,
    "power": _power,
    "rate": _rate,
    "then": _then,
    "turning": _turning,
    "two_shares": _two_shares,
    "weekday": _weekday,
    "whole": _whole,
}
