"""The weekday, the date, the age or the number of days that is asked for, in any words and any order.

Read are the days that are told, one length of time at most with what says on which side of a day it lies, and the
wish. All other words may be of anything, but a figure that is left over, or a word that may turn it, ends the reading.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import date
from typing import Any

from agent.text.problems.said_days import LENGTH, days_told, ends_of, in_full, length_named, nearest
from agent.text.quantities.dates import MONTH, WEEKDAY_NAMES, Yearly, day_of, month_number
from agent.text.regex import regex
from agent.text.word_tables import word_table

WORDS: dict[str, Any] = word_table(__file__, "free_days.toml")
_LONGEST = 300  # characters
_LENGTH, _ONE = "@", "¤"
_TWO, _QUARTER = 2, 70
_AWAY = {"this": 0, "next": 1, "last": -1}
_YEAR = regex(
    r",? \b(?:(?:in|of|for|during) )?(?:the year )?(?P<year>(?:1[6-9]|20)\d\d)\b"
    r"|,? \b(?P<which>this|next|last) (?:year|yr)\b"
)
_NTH = regex(
    rf"\bthe (?P<nth>first|second|third|fourth|last) (?P<day>{WEEKDAY_NAMES}) (?:of|in) (?:the|each|every|a) month\b"
)
_MONTH = regex(rf"\b(?:in |for |of )?(?P<month>{MONTH})(?P<year>,? \d{{4}})?\b")
_FORMS = (
    (regex(r"\b(?:a|one|1) fortnight\b"), "2 weeks"),
    (regex(r"\b(?:a )?couple of (?=days|weeks|months|years)"), "2 "),
    (regex(r"\b(\d+)-(?=(?:day|week|month|year)\b(?!-old| old))"), r"\1 "),
)


def _cue(name: str) -> re.Pattern[str]:
    return regex(rf"(?<![\w'])(?:{'|'.join(WORDS['cues'][name])})(?![\w'])")


_WEEKDAY, _DATE, _AGE, _COUNT = (_cue(name) for name in ("weekday", "date", "age", "count"))
_TURNS, _BORN, _AHEAD, _BEHIND = (_cue(name) for name in ("turns", "born", "ahead", "behind"))
_STARTS, _ENDS, _BEGUN, _DUE = (_cue(name) for name in ("starts", "ends", "begun", "due"))
_NO_PERSON, _PAST, _LAST_DAY, _IN_UNIT = (_cue(name) for name in ("no_person", "past", "last_day", "in_unit"))
_NOTICE = _cue("notice")
_BETWEEN = r" ?(?:an? |the |those |these |of |by |about )*"


def _sides(way: str) -> tuple[re.Pattern[str], re.Pattern[str]]:
    """What stands behind a length of time that lies on that side, and what ahead of it."""
    ahead, behind = ("|".join(WORDS["sides"][f"{way}_{place}"]) for place in ("ahead", "behind"))
    return regex(rf"@ ?(?:{behind})\b"), regex(rf"\b(?:{ahead}){_BETWEEN}@")


(_LATER_BEHIND, _LATER_AHEAD), (_SOONER_BEHIND, _SOONER_AHEAD) = _sides("later"), _sides("sooner")
_ASKED = regex(r"[.!;] |, ?(?=what|when|which|by|how)|\b(?=what|when|which)\b")
_ASKS_DATE = regex(r"\bdate\b|\bwhen\b")
_UNIT = regex(r"days|weeks|months|years|nights|sleeps")
_FROM_NOW = regex(
    r"@(?:'?s?'? time)? (?:from (?:now|today)|hence|on from (?:now|today)|ago|to go|left|until|till|away|since(?! §))\b"
    r"|\bin @(?:'s?| time|\W*$)|@'? time\b"
)
_AGO = regex(r"@ (?:ago|since(?! §))\b")
_OF_MONTH = regex(r"(?<=\bthe )(?P<day>\d{1,2})(?:st|nd|rd|th)\b(?=[.,;?!]|$| (?:how|and|when|so)\b)")
# "Go back 6 weeks from then"; who has to go back in 6 weeks goes on in time.
_COUNTED_BACK = regex(
    r"(?<!\bto )(?<!\bmust )(?<!\bshould )\b(?:go|count|counting|step|(?<!['’]m )(?<!['’]re )(?<!\bam )(?<!\bare )"
    r"(?<!\bis )going) back(?: by)? @"
)
_NAME = r"(?:mon|tues|wednes|thurs|fri|satur|sun)day"
_ALONE = regex(rf"\b{_NAME}\b(?!,? (?:the )?\d|,? (?:{MONTH})\b)", re.I)
_CHOICE = regex(rf"\b(?:on )?(?:an? )?{_NAME} or (?:is it |was it )?(?:on )?(?:an? )?{_NAME}\b", re.I)


@dataclass(frozen=True, slots=True)
class Told:
    """``text`` in small letters with a sign in the place of each of the ``days`` and ``lengths``.

    ``of_weekday``: a day is told by the name of its weekday alone.
    """

    text: str
    days: tuple[date | Yearly, ...]
    lengths: tuple[str, ...]
    today: date
    of_weekday: bool

    def day(self, ahead: bool = True) -> date | None:
        return nearest(self.days[0], self.today, ahead) if self.days else self.today


def free_days(text: str, today: date) -> Iterator[str]:
    """The plain question that an English ``text`` of days comes to, one at most."""
    if nth := _nth_of_month(in_full(text), today):
        yield nth
        return
    if year := _year_born(text, today):
        yield year
        return
    told = read_days(text, today)
    if told is None or _TURNS.search(told.text) or (_COUNT.search(told.text) and asks_for_day(told)):
        return
    for read in (_aged, _moved, _weekday, _counted):
        if made := read(told):
            yield made
            return


_TURNS_SO_OLD = regex(
    r"\b(?:turn(?:s|ed|ing)?|(?:will|'ll) be|is going to be) (?P<years>[1-9]\d?|1[01]\d)(?: years old)?(?= on\b)",
    re.I,
)
_ASKS_BIRTH = regex(
    r"\b(?:what|which) year (?:was|were|is) (?:he|she|they|i|it)(?: actually)? born\b|\bwhen was (?:he|she|i) born\b",
    re.I,
)


def _year_born(text: str, today: date) -> str:
    """ "Gran's turning 80 on 2 May 2027. What year was she born in?", "" for anything else."""
    text = in_full(text)
    turns = list(_TURNS_SO_OLD.finditer(text)) if _ASKS_BIRTH.search(text) else []
    told = read_days(_TURNS_SO_OLD.sub("is", text), today) if len(turns) == 1 else None
    if told is None or len(told.days) != 1 or told.lengths or not isinstance(told.days[0], date):
        return ""
    return f"what date is {turns[0]['years']} years before {told.days[0]}"


def read_days(text: str, today: date) -> Told | None:
    """What is told; ``None`` where another figure is left over."""
    if len(text) > _LONGEST or any(sign in text for sign in ("§", _LENGTH, _ONE)):
        return None
    text = _CHOICE.sub("on which weekday", in_full(text))
    of_weekday = _ALONE.search(text) is not None
    bare, days = days_told(_numbered(text, today), today)
    bare = bare.lower().replace("’", "'")
    for pattern, form in _FORMS:
        bare = pattern.sub(form, bare)
    lengths = [length for each in LENGTH.finditer(bare) if (length := length_named(each))]
    bare = LENGTH.sub(_signed, bare)
    if _ONE in bare:
        bare, lengths = _without_articles(bare, lengths)
    bare, days = _of_years(bare, days, today)
    if re.search(r"\d", bare) or len(lengths) != bare.count(_LENGTH):
        return None
    return Told(re.sub(r"\s+", " ", bare).strip(), tuple(days), tuple(lengths), today, of_weekday)


def _signed(each: re.Match[str]) -> str:
    if not length_named(each):
        return each[0]
    return _ONE if each["n"] in ("a", "an", "one") else _LENGTH


def _without_articles(bare: str, lengths: list[str]) -> tuple[str, list[str]]:
    """ "A day off" is no length of time; "a week later" is one."""
    kept: list[str] = []
    parts = re.split(f"([{_LENGTH}{_ONE}])", bare)
    for place, length in zip(range(1, len(parts), 2), lengths, strict=True):
        beside = f"{parts[place - 1][-20:]}{_LENGTH}{parts[place + 1][:20]}"
        sides = (_LATER_BEHIND, _SOONER_BEHIND, _SOONER_AHEAD, _FROM_NOW)
        if parts[place] == _LENGTH or any(side.search(beside) for side in sides):
            parts[place] = _LENGTH
            kept.append(length)
        else:
            parts[place] = " a while "
    return "".join(parts), kept


def _nth_of_month(told: str, today: date) -> str:
    """ "We're paid on the last Friday of the month. When is that in January 2027?", "" for anything else."""
    told = told.lower()
    nth = _NTH.search(told)
    months = list(_MONTH.finditer(told, nth.end())) if nth else []
    rest = _MONTH.sub("", _NTH.sub("", told))
    if nth is None or len(months) != 1 or re.search(r"\d", rest) or not _DATE.search(told) or _TURNS.search(rest):
        return ""
    (month,) = months
    year = int(month["year"].strip(" ,")) if month["year"] else None
    year = year or today.year + (month_number(month["month"]) < today.month)
    return f"what date is the {nth['nth']} {nth['day']} of {month['month']} {year}"


def _of_years(bare: str, days: list[date | Yearly], today: date) -> tuple[str, list[date | Yearly]]:
    """The one day that comes each year, in the one year that is told anywhere."""
    years = list(_YEAR.finditer(bare))
    yearly = [one for one in days if isinstance(one, Yearly)]
    if len(years) != 1 or len(yearly) != 1:
        return bare, days
    (year,), (one,) = years, yearly
    number = int(year["year"]) if year["year"] else today.year + _AWAY[year["which"]]
    found = day_of(number, one.month, one.number)
    if found is None:
        return bare, days
    return f"{bare[: year.start()]}{bare[year.end() :]}", [found if each is one else each for each in days]


def _numbered(text: str, today: date) -> str:
    """ "Due on the 28th" with its month, where no month is told."""
    named = list(_OF_MONTH.finditer(text))
    if len(named) != 1 or _MONTH.search(text.lower()):
        return text
    past, number = _PAST.search(text.lower()) is not None, int(named[0]["day"])
    months = ((today.month - 1 + step) % 12 + 1 for step in (range(0, -3, -1) if past else range(3)))
    month = next((month for month in months if _comes(Yearly(month, number), today, past)), None)
    if month is None:
        return text
    return f"{text[: named[0].start()]}{number} {date(2000, month, 1):%B}{text[named[0].end() :]}"


def _comes(one: Yearly, today: date, past: bool) -> bool:
    """Whether the day is within the months around today, on the side that is meant."""
    found = nearest(one, today, not past)
    return found is not None and abs((found - today).days) < _QUARTER


def _aged(told: Told) -> str | None:
    """ "Born 14 Feb 2009, how old will he be on 1 September 2027?"."""
    if not _AGE.search(told.text) or not _BORN.search(told.text) or told.lengths or len(told.days) > _TWO:
        return None
    whole = [one for one in told.days if isinstance(one, date)]
    if not whole or _COUNT.search(told.text) or _NO_PERSON.search(told.text) or _IN_UNIT.search(told.text):
        return None
    born = min(whole)
    later = [one for one in told.days if one is not born]
    at = nearest(later[0], told.today, True) if later else None
    if born > told.today or (at and at < born):
        return None
    return f"how old is someone born on {born}{f' on {at}' if at else ''}"


def _moved(told: Told) -> str | None:
    """The date or weekday that lies one length of time after or before a day."""
    if len(told.lengths) != 1 or len(told.days) > 1 or _COUNT.search(told.text) or _AGE.search(told.text):
        return None
    if not asks_for_day(told) or _LAST_DAY.search(told.text):
        return None
    if not told.days:
        way = "before" if _AGO.search(told.text) else "after"
        return _asked(told, way, told.today) if _FROM_NOW.search(told.text) else None
    way = _side(told)
    past = _PAST.search(told.text) is not None or (way == "after" and _BEGUN.search(told.text) is not None)
    base = told.day(ahead=not past)
    return _asked(told, way, base) if way and base else None


def shifted(told: Told, day: date | None, *, asks_weekday: bool) -> str | None:
    """What lies so much later or earlier than ``day``, which was told before."""
    sure = len(told.lengths) == 1 and not told.days and not _COUNT.search(told.text) and not _TURNS.search(told.text)
    way = _side(told) if sure and not _FROM_NOW.search(told.text) else ""
    return _asked(told, way, day, asks_weekday=asks_weekday) if way and day else None


def _asked(told: Told, way: str, day: date, *, asks_weekday: bool = False) -> str:
    weekday = (_WEEKDAY.search(told.text) or asks_weekday) and not _ASKS_DATE.search(told.text)
    return f"{'what day of the week' if weekday else 'what date'} is {told.lengths[0]} {way} {day}"


def asks_for_day(told: Told) -> str:
    """ "weekday" or "date", "" for neither."""
    return "weekday" if _WEEKDAY.search(told.text) else "date" if _DATE.search(told.text) else ""


def _side(told: Told) -> str:
    """ "after" or "before"; "" where that is not sure."""
    if _COUNTED_BACK.search(told.text):
        return "before"
    begun, due = _BEGUN.search(told.text), _DUE.search(told.text)
    if _NOTICE.search(told.text):  # given on that day, or before it
        sure = bool(begun) != bool(due) and "working" not in told.lengths[0]
        return ("after" if begun else "before") if sure else ""
    later = _LATER_BEHIND.search(told.text)
    sooner = _SOONER_BEHIND.search(told.text) or _SOONER_AHEAD.search(told.text)
    if later or sooner:
        return "" if later and sooner else "after" if later else "before"
    asked = _ASKED.split(told.text)[-1]
    starts, ends = _STARTS.search(asked), _ENDS.search(asked)
    if starts and not begun and due:
        return "before"
    later = _LATER_AHEAD.search(told.text)
    return "after" if later and (begun or not due) and (ends or not starts) else ""


def _weekday(told: Told) -> str | None:
    if not _WEEKDAY.search(told.text) or told.lengths or len(told.days) != 1 or told.of_weekday:
        return None
    found = told.day(ahead=_PAST.search(told.text) is None)
    return f"what day of the week is {found}" if found else None


def _counted(told: Told) -> str | None:
    """ "How many weeks is it from 3 March to 10 May?", and until or since one day."""
    asked = _COUNT.search(told.text)
    if asked is None or told.lengths or not told.days or len(told.days) > _TWO or _AGE.search(told.text):
        return None
    unit = _UNIT.search(asked[0])
    named = (unit[0] if unit else "days").replace("nights", "days").replace("sleeps", "days")
    if len(told.days) == _TWO:
        both = ends_of(list(told.days), told.today)
        return f"how many {named} between {both[0]} and {both[1]}" if both and both[0] != both[1] else None
    return _to_or_since(told, named, told.text[asked.end() :])


def _to_or_since(told: Told, unit: str, asked: str) -> str | None:
    if _BORN.search(told.text) and not isinstance(told.days[0], Yearly):
        return None
    since = _BEHIND.search(asked) and not _AHEAD.search(asked)
    if not since and isinstance(told.days[0], Yearly) and _PAST.search(told.text):
        return None  # "I got a dog on 1 March. How many days until then?"
    found = told.day(ahead=not since)
    if found is None or found == told.today or (found > told.today) == bool(since):
        return None
    if since:
        return f"how many {unit} since {found}"
    return f"how many {unit} until {found}" if _AHEAD.search(asked) or _DUE.search(told.text) else None
