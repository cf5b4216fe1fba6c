"""The days and lengths of time that a question names, in words as people type them."""

from __future__ import annotations

import re
from datetime import date

from agent.text.problems.typed_words import TYPED_SHORT
from agent.text.quantities.dates import MONTH, Yearly, dated, day, day_of, stretch
from agent.text.quantities.number_words import number_at
from agent.text.regex import regex

_LONGEST_DAY = 6  # words of a date
WORD = regex(r"[^\W_]+(?:['.:/-][^\W_]+)*")
_SHORT_NAMES = regex(r"(?:mon|tue|tues|wed|thu|fri|sat|sun|now|the new year)", re.I)
_SHORT_FORMS = (
    (
        regex(r"^(?:could|can|would) you (?:please )?tell me what (.+?) (?:comes to|makes|equals)\b", re.I),
        r"what is \1",
    ),
    (
        regex(r"(\d[\d.]* (?:divided by|times|multiplied by|over) \d[\d.]*), (plus|minus) (?=\d[\d.]*\W*$)", re.I),
        r"(\1) \2 ",
    ),
    (
        regex(r"^(the day (?:after tomorrow|before yesterday)), what date (is|was) that\b", re.I),
        r"what date \2 \1",
    ),
    (regex(r"^(?:sorry, )?(?:silly|stupid|quick) question,? but ", re.I), ""),
    (
        regex(r"(?<=\)) (?:split|shared|divided) (?:equally |evenly )?(?:between|among|by) (?=\d+\W*$)", re.I),
        " / ",
    ),
    (regex(r"\bminus (?=\d+ ?(?:degrees|celsius|fahrenheit|[cf]\b|°))", re.I), "-"),
    (
        regex(
            r"(?<=\d) ?m(?:et(?:re|er)s)? by (\d[\d.]*) ?m\b(.*)how many square met(?:re|er)s (?:is|are) (?:it|that)",
            re.I,
        ),
        r" by \1 m\2what is the area",
    ),
    *TYPED_SHORT,
    (regex(r"\bnew years\b", re.I), "new year's"),
    (regex(r"\bvalentines\b", re.I), "valentine's"),
    (regex(r" ?= ?\? ?(?=[a-z])", re.I), " in "),
    (regex(r"\bxmas\b", re.I), "christmas"),
    (regex(r"\brecipe (?:calls|asks) for ", re.I), "recipe has "),
    (
        regex(r"\b(a|one|two|three) (weeks?) on (?=(?:mon|tues|wednes|thurs|fri|satur|sun)day\b)", re.I),
        r"\1 \2 after ",
    ),
    (regex(r"\bhow many nights\b", re.I), "how many days"),
    (regex(r"\b(stay(?:ing)?(?: for)?|for) (\d+|[a-z]+) nights\b", re.I), r"\1 \2 days"),
    (regex(r"\bmondays to fridays\b|\bweekdays, monday to friday,", re.I), "weekdays"),
    (regex(r",? (?:counting|including) (?:(?:bank|public) )?holidays(?: as well| too)?\b", re.I), ""),
    (regex(r",? (?:not counting|without(?: counting)?|excluding) today\b", re.I), ""),
    (regex(r"\b(what|that|it|how|when|where|who|today|tomorrow|yesterday)s\b", re.I), r"\1's"),
    (regex(r"(?<=[a-z] )%(?= |$)", re.I), "percent"),
    # "Between 1 and 12 June 2026": the first day has the month of the other.
    (
        regex(
            rf"\b(\d\d?)(?:st|nd|rd|th)? (and|to|until|till|-) (\d\d?)(?:st|nd|rd|th)? ((?:{MONTH})(?: \d{{4}})?)", re.I
        ),
        r"\1 \4 \2 \3 \4",
    ),
)
LENGTH = regex(
    r"\b(?P<n>\d+|an?|[a-z]+(?:-[a-z]+)?) (?P<unit>(?:working |business )?days?|weeks?|months?|years?)\b(?! old)", re.I
)


def in_full(text: str) -> str:
    """``text`` with what is typed short in full."""
    for pattern, form in _SHORT_FORMS:
        text = pattern.sub(form, text)
    return text


def days_named(text: str, today: date) -> tuple[str, list[date]]:
    """``text`` with a sign in the place of each date, and the dates."""
    bare, days = days_told(in_full(text), today)
    both = ends_of(days, today) if len(days) == 2 else None
    return bare, list(both) if both else [one for each in days if (one := nearest(each, today, True))]


_IN_YEAR = regex(r"\b(?:in|of) (?P<year>1[6-9]\d\d|2\d\d\d)\b", re.I)


def of_year(text: str, days: list[date | Yearly]) -> tuple[str, list[date | Yearly]]:
    """ "What weekday does Christmas Day fall on in 2027?": the one day, which comes each year, is of the one year."""
    years = list(_IN_YEAR.finditer(text))
    if len(years) != 1 or len(days) != 1 or not isinstance(days[0], Yearly):
        return text, days
    found = day_of(int(years[0]["year"]), days[0].month, days[0].number)
    return (f"{text[: years[0].start()].rstrip()}{text[years[0].end() :]}", [found]) if found else (text, days)


def days_told(text: str, today: date) -> tuple[str, list[date | Yearly]]:
    """``text`` with a sign in the place of each date, the longest first."""
    days: list[date | Yearly] = []
    words, place, made = [word.span() for word in WORD.finditer(text)], 0, list[str]()
    end = 0
    while place < len(words):
        for count in range(min(_LONGEST_DAY, len(words) - place), 0, -1):
            start, stop = words[place][0], words[place + count - 1][1]
            found = dated(text[start:stop], today)
            on = text[start:stop].lower().startswith("on ")  # "on Monday 30 November" is one day
            if found and not on and not _SHORT_NAMES.fullmatch(text, start, stop):
                this_year = re.match(r" (?:in |of )?(this|next|last) year\b", text[stop:], re.I)
                if this_year:
                    year = today.year + {"this": 0, "next": 1, "last": -1}[this_year[1].lower()]
                    of_year = day_of(year, found.month, found.number if isinstance(found, Yearly) else found.day)
                    found = of_year or found
                days.append(found)
                made += [text[end:start], "§"]
                end = stop + (this_year.end() if this_year else 0)
                place += count - 1
                break
        place += 1
    return "".join([*made, text[end:]]), days


def nearest(found: date | Yearly, today: date, ahead: bool) -> date | None:
    """The day itself; of one that comes each year the next, or where not ``ahead`` the last."""
    return day(f"{found.number} {date(2000, found.month, 1):%B}", today, ahead) if isinstance(found, Yearly) else found


def ends_of(days: list[date | Yearly], today: date) -> tuple[date, date] | None:
    """The two days in their order, where a day without a year lies on its side of the other."""
    names = [f"{one.number} {date(2000, one.month, 1):%B}" if isinstance(one, Yearly) else str(one) for one in days]
    both = stretch(names[0], names[1], today)
    return (min(both), max(both)) if both else None


def length_named(found: re.Match[str]) -> str:
    """ "three weeks" as "3 weeks"; "" where what stands before the unit is no number."""
    number = ("1", 0) if found["n"].lower() in ("a", "an") else number_at(found["n"].lower(), 0, "en")
    whole = number is not None and (number[1] in (0, len(found["n"])))
    return f"{number[0]} {found['unit'].lower()}" if number and whole and number[0].isdigit() else ""
