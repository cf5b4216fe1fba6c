"""Days told in a roundabout way, in plain words: day 7 of a course, the last day of a month, a day and its date."""

from __future__ import annotations

import re
from calendar import monthrange
from collections.abc import Iterator
from datetime import date, timedelta

from agent.text.quantities.dates import MONTH, day, month_number
from agent.text.regex import regex

_DAY = r"(?:mon|tues|wednes|thurs|fri|satur|sun)day"
_DATE = rf"(?:\d{{1,2}}(?:st|nd|rd|th)?(?: of)? (?:{MONTH})(?:,? \d{{4}})?|\d{{4}}-\d\d-\d\d)"
_ASKED = r"(?:what|which) (?:week ?day|day of the week|day)"
_LAST_DAY = regex(
    rf"\bthe last day of (?P<month>{MONTH})(?:,? (?P<year>\d{{4}})| (?P<which>next"
    rf"|this) year)?\b",
    re.I,
)
_YEAR = regex(rf"\b(?P<in>in|of) (?P<month>{MONTH})(?: of)? (?P<which>next|this) year\b", re.I)
# "Today is day 1. What date is day 7?": nothing is left out, and nobody begins at another day.
_COURSE = regex(
    r"(?P<told>[^?]*)\b(?:today is day (?:1|one)|day (?:1|one) is today)\b(?P<between>[^?\d]*)"
    r"\b(?:what|which) (?:date|day) (?:is|will be|falls on) day (?P<n>\d{1,3})[ ?.!]*",
    re.I,
)
_COURSE_TURNS = regex(r"\b(?:other|second|not|skip\w*|except|weekdays?|weekends?|alternate|twice|break)\b", re.I)
_FORMS = (
    # "Christmas day (25 dec)": the day is told twice.
    (regex(rf"(\b(?:christmas|boxing|new year's|valentine's) (?:day|eve)) \({_DATE}\)", re.I), r"\1"),
    (
        regex(
            rf"\b(until|till|to) (?:[a-z']+ ){{0,3}}[a-z']+,? (?:that's|thats|that is|which is) "
            rf"(?={_DATE})",
            re.I,
        ),
        r"\1 ",
    ),
    (
        regex(
            r",? \((?:not|without|don't|dont) (?:counting|including|count) the (?:first|last|start"
            r"|end) day\)",
            re.I,
        ),
        "",
    ),
    (
        regex(
            rf"\b(?:what's|whats|what is|what) (?:the )?date (?:is )?(?:this |the )?(?:coming|next) "
            rf"(?={_DAY})",
            re.I,
        ),
        "what date is the coming ",
    ),
    (
        regex(
            rf"^[^?\d]*\bdue (?:back )?(?:on )?(?P<d>{_DATE})[.,;]? (?:so )?how many days (?:late"
            rf"|overdue)\b[^?\d]*[?.! ]*$",
            re.I,
        ),
        r"how many days since \g<d>",
    ),
    (regex(r"^is (\d{4}) a leap year\? how many days does it have\W*$", re.I), r"how many days does \1 have?"),
    (regex(rf"\b(?:this|next) coming (?={_DAY})", re.I), "the coming "),
    # "What day of the week did we get married? It was 25 July 1981."
    (
        regex(
            rf"^({_ASKED}) (?:did|was|is|does|do)\b[^?\d]*\? *(?:it|that|this)(?:'s| (?:was|is|on"
            rf"|happened on))+ (?:on )?(?={_DATE}\W*$)",
            re.I,
        ),
        r"what day of the week was ",
    ),
    # "Born on 8 September this year, how many full weeks old is she today?"
    (
        regex(
            rf"^[^?\d]*\bborn (?:on )?(?P<day>{_DATE})(?: this year)?[,.]? how many (?:full |whole "
            rf"|complete )?(weeks|months|days) old"
            r" (?:is|are) (?:he|she|it|they|the baby)(?: (?:today|now))?[ ?.!]*$",
            re.I,
        ),
        r"how many \2 since \1",
    ),
    # "It runs out on 18 June 2027, I have to renew it at the latest 6 months before that. Latest date?"
    (
        regex(
            rf"^[^?\d]*\b(?:runs? out|expires?|ends?|is due|starts?|begins?)(?: on)? (?P<d>{_DATE})[^?\d]*"
            r"(?P<l>\b\d+ (?:days|weeks|months)) before (?:that|then|it)\b[^?\d]*\b(?:date|when"
            r"|day)\b[^?\d]*[?.! ]*$",
            re.I,
        ),
        r"what date is \g<l> before \g<d>",
    ),
    (
        regex(
            rf"^[^?\d]*?(?P<l>\b\d+ working days) after (?:{_DAY},? )?(?P<d>{_DATE})(?: \([^()\d]*"
            rf"(?:weekends?|saturdays?|sundays?)[^()\d]*\))?"
            r"[.,]? (?:which|what) (?:date|day)[^?\d]*[?.! ]*$",
            re.I,
        ),
        r"what date is \g<l> after \g<d>",
    ),
)


_LENGTH = r"(?P<l>\b\d+ (?:days|weeks|months))"
_TODAY = regex(
    rf"^it['’]?s (?:{_DAY},? )?(?P<day>\d{{1,2}})(?:st|nd|rd|th)? (?P<month>{MONTH})"
    rf"(?: today)?[.,;]+ ",
    re.I,
)
_NOT_SURE = regex(r"\b(?:not|skip\w*|except|late|delayed|usually|or|other|after next|one after|again)\b", re.I)
# "Every 3 months, the last one was 5 October. When is the next?"
_NEXT = regex(
    rf"^[^?\d]*\bevery {_LENGTH}\b[^?\d]*\blast (?:one|time|dose|was|had)\b[^?\d]*\b(?P<d>{_DATE})[.,;]?"
    r" (?:so )?(?:when|what date|which date)\b[^?\d]*\bnext\b(?! (?:two|three|few))[^?\d]*[?.! ]*$",
    re.I,
)
# "It was done on 4 December 2025 and must be done every 12 months. When is the next one due?"
_DONE = regex(
    rf"^[^?\d]*\bon (?P<d>{_DATE})[^?\d]*\bevery {_LENGTH}[^?\d]*"
    r"\b(?:when|what date|which date)\b[^?\d]*\bnext\b(?! (?:two|three|few))[^?\d]*[?.! ]*$",
    re.I,
)
# "I planted it on 2 November, it takes 3 weeks to sprout. What date is that?"
_BEGUN = regex(
    rf"^[^?\d]*\b(?:planted|sowed|sown|ordered|sent|posted|put in|took|started"
    rf"|began)\b[^?\d]*\bon (?P<d>{_DATE})[^?\d]*"
    rf"\b(?:takes?|needs?|for)\b[^?\d]*{_LENGTH}[^?\d]*\b(?:what date|when|which date|what day)\b[^?\d]*[?.! ]*$",
    re.I,
)


# "I borrowed it on Thursday": the last one.
_PAST_WEEKDAY = regex(
    rf"\b((?:borrowed|rented|hired|took|bought|got|ordered|sent|posted|started|began|checked|picked"
    r"|lent|left)\b[^.?!\d]{0,40}?) "
    rf"on (?:last )?(?P<day>{_DAY})\b(?! (?:next|after))",
    re.I,
)
_WEEK = ("mon", "tue", "wed", "thu", "fri", "sat", "sun")


def past_weekdays(text: str, today: date) -> str:
    """ "I borrowed it on Thursday" with the date of the last Thursday; today's weekday is left as it is."""

    def dated(said: re.Match[str]) -> str:
        back = (today.weekday() - _WEEK.index(said["day"].lower()[:3])) % 7
        return f"{said[1]} on {today - timedelta(days=back)}" if back else said[0]

    return _PAST_WEEKDAY.sub(dated, text)


def day_stories(text: str, today: date) -> Iterator[str]:
    """ "I take a tablet for 7 days, today is day 1. What date is day 7?" as "what date is 6 days from today"."""
    course = _COURSE.fullmatch(text)
    if course and not _COURSE_TURNS.search(course["told"] + course["between"]):
        figures = set(re.findall(r"\d+", course["told"])) - {course["n"]}
        if not figures and int(course["n"]) > 1:
            yield f"what date is {int(course['n']) - 1} days from today"
    after = _NEXT.match(text) or _DONE.match(text) or _BEGUN.match(text)
    if after and not _NOT_SURE.search(text):
        yield f"what date is {after['l']} after {day(after['d'], today, False) or after['d']}"
    same = _TODAY.match(text)
    if same and (int(same["day"]), month_number(same["month"])) == (today.day, today.month):
        text = text[same.end() :]
        yield text
    plain = _YEAR.sub(
        lambda said: f"{said['in']} {said['month']} {today.year + (said['which'].lower() == 'next')}", text
    )
    plain = _LAST_DAY.sub(lambda said: _last_of(said, today), plain)
    for pattern, form in _FORMS:
        plain = pattern.sub(form, plain)
    if plain != text:
        yield plain


def _last_of(said: re.Match[str], today: date) -> str:
    """The date of the last day of that month, of the year that is told or the next one to come."""
    month = month_number(said["month"])
    later = (said["which"] or "").lower() == "next" or (not said["which"] and month < today.month)
    year = int(said["year"] or today.year + later)
    return f"{monthrange(year, month)[1]} {said['month']} {year}"
