"""Whether a date or a time of day of the answer stands in a source, or a duration lies between dates that do."""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import date as Date
from datetime import timedelta
from itertools import combinations

from agent.evidence.lookup.context import Answer, shared, window
from agent.evidence.lookup.hours import as_hour
from agent.evidence.sources import Dated, Finding, Sources, Spotted
from agent.evidence.tables.cell_words import tokens, words_of_day, words_of_said_day
from agent.evidence.verdicts import Kind
from agent.interface_text import Text, keyed
from agent.text.quantities.day_mentions import Day
from agent.text.quantities.figures import Figure
from agent.text.regex import regex

_NEAR = timedelta(days=45)
_ROUGHLY, _BEFORE = 15, 24  # minutes, characters before a time
_JUST = regex(
    r"\b(?:shortly|just|a little|soon|kurz|peu|poco) (?:(after|nach|après|después de)|(?:before|vor|avant|antes de))"
    r"(?: las?)? $"
)
PACE = regex(r"[*_]* ?(?:min(?:utes?)?)? ?(?:/|per|pro|par|por) ?(km|k\b|mi|mile|kilomet)")
_FEW_DAYS = 2  # of a text: a date of it can be meant without any word


def look_up_day(day: Day, answer: Answer, sources: Sources, most: int) -> Finding:
    """``seen``, ``given`` or ``not_found``; single years are numbers, see ``numbers``."""
    found = [dated for key in _keys(day) for dated in sources.dated(*key, most=most)]
    if day.minute is not None:  # twelve hours apart is the same where one does not say which half of the day it means
        found = [each for each in found if each.day.minute == day.minute or not (day.half and each.day.half)]
        found = [each for each in found if not (day.seconds and each.day.seconds) or day.length == each.day.length]
    if day.weekday is not None and (day.month is None or not found):
        found = _of_weekday(day, sources, most)
    if found:
        spots = [(dated.source, dated.day.start, dated.day.end) for dated in found]
        if len(spots) > 1:
            words = answer.words(day.start, day.end)
            spots.sort(key=lambda spot: -shared(words, window(sources.texts[spot[0]], *spot[1:])))
        return sources.found(spots)
    return as_hour(day.minute, sources) if day.minute is not None else _in_other_words(day, sources, most)


def _of_weekday(day: Day, sources: Sources, most: int) -> list[Dated]:
    """Where a day of that number is said to be that weekday, or may be or is one: "Mon 8" of 2025-09-08."""
    alike = [each for each in sources.dated(None, None, day.day, most=most) if each.day.weekday in (day.weekday, None)]
    known = words_of_said_day(day, None)
    return [*alike, *(dated for _, dated in sources.whole_days if known <= words_of_day(dated.day))][:most]


def _in_other_words(day: Day, sources: Sources, most: int) -> Finding:
    """A day, a month or a season that no source says as it stands: by its parts, as the head of a row."""
    if day.year is not None and day.month is not None and day.day is not None:
        return _pieced_together(day, sources, most)
    if day.quarter is not None and any(sources.dated(day.year, -quarter) for quarter in range(1, 5)):
        return Finding("not_found")
    if day.year is not None and day.month == (day.year + 1) % 100 and (season := _season(day, sources, most)):
        return sources.found(season)
    if day.year is not None and day.month is not None and (at := _in_table_of_year(day.month, day.year, sources)):
        return sources.found([at])
    if day.year is not None and day.month is None:
        spots = sources.between(day.year, day.year, most)
        if spots:
            return sources.found(spot[1:] for spot in spots)
    return Finding("not_found")


def _season(day: Day, sources: Sources, most: int) -> list[Spotted]:
    """Where "2011-12", which reads as a month, stands as a season: "2011–12"."""
    year = day.year or 0
    ends = (f"–{day.month:02}", f"–{year + 1}", f"/{day.month:02}")
    spots = sources.between(year, year, most)
    return [spot[1:] for spot in spots if sources.texts[spot.source].text.startswith(ends, spot.end)]


def _in_table_of_year(month: int, year: int, sources: Sources) -> Spotted | None:
    """The cell of a month in a table whose caption has the year."""
    said = f"month {month}"
    for number, source in enumerate(sources.texts):
        for subjects in source.tables:
            if str(year) in subjects.table.before and subjects.knows(frozenset((said,))):
                cells = (cell for row in subjects.table.rows for cell in row if said in tokens(cell.text.lower()))
                return next(((number, cell.start, cell.end) for cell in cells if cell.end > cell.start), None)
    return None


def _keys(day: Day) -> list[tuple[int | None, ...]]:
    if day.minute is not None:
        return [(day.minute,), ((day.minute + 720) % 1440,)]
    if day.quarter is not None:
        return [(day.year, -day.quarter)]
    keys: list[tuple[int | None, ...]] = []
    for month, number in [(day.month, day.day), *([day.other] if day.other else [])]:
        keys.append((day.year, month, number) if number is not None else (day.year, month))
    return keys


def _pieced_together(day: Day, sources: Sources, most: int) -> Finding:
    """A whole date where the source leaves out the year: seen if the year stands there too, or is this year."""
    for dated in sources.dated(None, day.month, day.day, most=most):
        if dated.day.year is not None:
            continue
        this_year = sources.today is not None and sources.today.year == day.year
        if this_year or any(
            spot.source == dated.source for spot in sources.between(day.year or 0, day.year or 0, most)
        ):
            return Finding("seen", ((dated.source, dated.day.start, dated.day.end),))
    if sources.today is not None and sources.today == day.whole:
        question = next(index for index, source in enumerate(sources.texts) if source.origin == "given")
        return Finding("given", ((question, 0, 0),), Text("The day on which this was asked."))
    return Finding("not_found")


def nearest_day(day: Day, answer: Answer, sources: Sources) -> Finding:
    """``differs`` with the seen date that shares most with this one, if it is told of the same; or ``not_found``."""
    if day.minute is not None:
        near = _nearest_time(day.minute, sources)
    else:
        near = _one_part_off(day, sources) or _nearest_whole(day, sources)
    if near is None or not _is_of_the_same(day, near, answer, sources):
        return Finding("not_found")
    if day.minute is not None and PACE.match(answer.lower, day.end) is not None:
        return Finding("not_found")  # how long something takes is no time of day
    spot = (near.source, near.day.start, near.day.end)
    if _is_just_beside(day, near.day, answer):
        return Finding("seen", (spot,))
    if _is_said_less_exactly(day, near.day):
        text = sources.texts[near.source].text[near.day.start : near.day.end]
        return Finding("possible", (spot,), Text("Seen: {text}", text=text))
    return sources.differs((near.source, near.day.start, near.day.end))


def _is_just_beside(day: Day, seen: Day, answer: Answer) -> bool:
    """Whether a time is said to be right after, or before, one: "shortly after 3 am" of 03:02."""
    said = _JUST.search(answer.lower, max(0, day.start - _BEFORE), day.start)
    if said is None or day.minute is None or seen.minute is None:
        return False
    return 0 <= (seen.minute - day.minute) * (1 if said[1] else -1) <= _ROUGHLY


def _is_said_less_exactly(day: Day, seen: Day) -> bool:
    """Whether a source says the same without the day or without the year: "March 2026", "31 March"."""
    if day.month is None or day.month != seen.month:
        return False
    of_its_year = seen.day is None and day.year is not None and day.year == seen.year
    return of_its_year or (seen.year is None and day.year is not None and day.day is not None and day.day == seen.day)


def _is_of_the_same(day: Day, near: Dated, answer: Answer, sources: Sources) -> bool:
    """Whether words of the sentence stand around a date of a source; in a short text it need not say them."""
    source = sources.texts[near.source]
    said = shared(answer.words(day.start, day.end), window(source, near.day.start, near.day.end))
    return said > 0 or len(source.page.days) <= _FEW_DAYS


def _nearest_time(minute: int, sources: Sources) -> Dated | None:
    found: dict[int, Dated] = {}
    for index, source in enumerate(sources.texts):
        for (key, *more), days in source.page.dated.items():
            if not more and key is not None:
                found.setdefault(key, Dated(index, days[0]))
    times = [(abs(key - minute), dated) for key, dated in found.items()]
    if len(times) > 200:  # more would be no help, and each claim looks through them
        return None
    times.sort(key=lambda pair: pair[0])
    near = [dated for apart, dated in times if apart <= 180 or apart == 720]
    return near[0] if near else None


def _one_part_off(day: Day, sources: Sources) -> Dated | None:
    keys: list[tuple[int | None, ...]] = [(None, day.month, day.day), (day.year, day.month)]
    for key in keys:
        if None not in key[1:] and (found := sources.dated(*key)):
            return found[0]
    for month in range(1, 13):
        if found := sources.dated(day.year, month, day.day):
            return found[0]
    if day.month is not None and day.day is not None and day.year is None:
        for number in range(1, 32):
            if found := sources.dated(None, day.month, number):
                return found[0]
    return None


def _nearest_whole(day: Day, sources: Sources) -> Dated | None:
    whole = day.whole
    days = sources.whole_days
    if whole is None or not days:
        return None
    index = bisect_left(days, whole, key=lambda pair: pair[0])
    near = [pair for pair in days[max(0, index - 1) : index + 1] if abs(pair[0] - whole) <= _NEAR]
    return near[0][1] if near else None


MOST_DATES = 12
_MONTH = 365.25 / 12  # days

_AGE = regex(
    r"\b(?:[Aa]ged?|age of|turned|turns|older by|at|"
    r"(?:[Hh]e|[Ss]he|who|[Tt]hey|I|you|[A-Z][^\W\d_]+|[Tt]he [^\W\d_]+) (?:was|is))[ ]$|[0-9], (?:was|is)[ ]$|享年$"
)


@dataclass(frozen=True, slots=True)
class Moment:
    """A whole date and where it stands; ``(source, 0, 0)`` is the day of asking."""

    day: Date
    spot: Spotted


_NOTES = {
    "days": keyed("{first} to {last} = {count} days"),
    "weeks": keyed("{first} to {last} = {count} weeks"),
    "months": keyed("{first} to {last} = {count} months"),
    "years": keyed("{first} to {last} = {count} years"),
}


def between_dates(figure: Figure, moments: Callable[[], Sequence[Moment]], before: str) -> Finding | None:
    """``worked_out`` where two of the dates (the first ``MOST_DATES``) lie that far apart.

    ``before`` is what stands before the figure: "aged" makes it one of years.
    """
    unit = figure.unit.name if figure.unit is not None else "years" if figure.step == 1 and _AGE.search(before) else ""
    if unit not in _NOTES:
        return None
    low, high = figure.bounds
    known = list(dict.fromkeys(moments()))[:MOST_DATES]
    for index, one in enumerate(known):
        for other in known[index + 1 :]:
            counts = _apart(min(one.day, other.day), max(one.day, other.day), unit)
            for count in counts if figure.unit is not None else counts[:1]:  # nobody is nearly 50 years old at 49
                if low <= count <= high and count:
                    return _lie_apart(one, other, unit, count)
    return None


def lie_apart(first: str | int, last: str | int, count: float, unit: str) -> Text:
    """How many "days", "weeks", "months" or "years" lie from one day, month or year to another one."""
    return Text(*_NOTES[unit], first=str(first), last=str(last), count=f"{round(count, 2):g}")


def _lie_apart(one: Moment, other: Moment, unit: str, count: float) -> Finding:
    first, last = sorted((str(one.day), str(other.day)))
    return Finding("worked_out", (one.spot, other.spot), lie_apart(first, last, count, unit))


def full_years(one: Moment, other: Moment, count: int) -> Finding | None:
    """``worked_out`` where exactly so many birthdays of the earlier day lie between two days."""
    first, last = sorted((one.day, other.day))
    full, _ = _apart(first, last, "years")
    return _lie_apart(one, other, "years", count) if full == count else None


_OF_WORK = regex(
    r"\b(?:work|working|business|week)[ -]?days?\b|\bmonday (?:to|through|till|[–-]) friday\b|"
    r"\b(?:werk|arbeits)tage?n?\b|\bmontag bis freitag\b|\bjours? ouvrés?\b|"
    r"\bdu lundi au vendredi\b|\bdías? (?:hábil(?:es)?|laborables?)\b|"
    r"営業日|平日|稼働日|月曜から金曜"
)


def working_days(figure: Figure, moments: Callable[[], Sequence[Moment]], around: str) -> Finding | None:
    """``worked_out`` where so many days from Monday to Friday lie between two of the dates, if they are spoken of.

    ``around`` is what stands around the figure, in lower case.
    """
    if (figure.unit is not None and figure.unit.name != "days") or figure.step != 1:
        return None
    if _OF_WORK.search(around) is None:
        return None
    for one, other in combinations(list(dict.fromkeys(moments()))[:MOST_DATES], 2):
        first, last = sorted((one.day, other.day))
        apart = (last - first).days
        days = apart // 7 * 5 + sum((first.weekday() + rest) % 7 < 5 for rest in range(apart % 7 + 1))
        if figure.value in (days, days - (first.weekday() < 5)) and apart:
            note = Text(
                "{first} to {last} = {count} working days", first=str(first), last=str(last), count=str(figure.value)
            )
            return Finding("worked_out", (one.spot, other.spot), note)
    return None


def _apart(first: Date, last: Date, unit: str) -> tuple[float, ...]:
    """Days and weeks with and without the first day, whole weeks; full months, or so many days of one; full years."""
    days = (last - first).days
    if unit == "days":
        return (days, days + 1)
    if unit == "weeks":
        return (days / 7, days // 7, (days + 1) / 7)
    months = (last.year - first.year) * 12 + last.month - first.month - (last.day < first.day)
    return (months, days / _MONTH) if unit == "months" else (months // 12, months / 12)


_YEAR_BEFORE = regex(
    r"(?:\b(?:in|since|until|till|from|by|of|to|year|between|and|during|before|after|circa|early|"
    r"late|mid|season|for|jahre?n?s?|en|em|nel|année|an|año|anno|ano|seit|desde|depuis)|[(,–-])[ ]?$",
    re.I,
)
# "Mean of both: 1945", "Bolts – 1850" at the end of a line, but not "Founded: 1945".
_LABELLED = regex(
    r"^(?!.*(?:year|date|founded|built|born|died|opened|since|jahr|gegründet|erbaut))"
    r".*(?:[:：=]| [–—-]|\b(?:is|are|was|were))[*_ ]*$",
    re.I,
)
_ENDS_LINE = regex(r"[*_ \t]*(?:\n|$)")
_FIRST_OF_SEASON = regex(r"(?<![0-9])(?:1[5-9]|20|21)[0-9]{2}[–/-]$")  # "2031–32"
_EARLIEST = 1500  # year that is said without such a word
_YEAR_AFTER = regex(
    r"[ ]?(?:[),.;:\n–-]|$|(?:season|census|edition|election|budget|report|world|olympic|film|and|"
    r"was|is|the|to|it|model|figures?|levels?|totals?|results?)\b)",
    re.I,
)


def kind_of(figure: Figure, text: str) -> Kind:
    """A bare number of four figures is a year where it stands like one, and so is the end of a season."""
    start, end = figure.number
    season = figure.unit is None and end - start == 2 and text[start - 1 : start] in ("–", "/", "-")
    if figure.loose == "decade" or (season and _FIRST_OF_SEASON.search(text, max(0, start - 6), start) is not None):
        return "date"
    bare = text[start:end].isdigit() and end - start == 4 and 1000 <= figure.value <= 2100
    if not bare or figure.ordinal or figure.negative or (figure.unit is not None and text[end : end + 1] != "年"):
        return "number"
    if _ENDS_LINE.match(text, end) and _LABELLED.search(
        text[max(0, start - 40, text.rfind("\n", 0, start) + 1) : start]
    ):
        return "number"
    if text[end : end + 1] == "年" or _YEAR_BEFORE.search(text, max(0, start - 12), start):
        return "date"
    return "date" if figure.value >= _EARLIEST and _YEAR_AFTER.match(text, end) else "number"
