"""Everyday questions of one shape as the plain ones that they come to: weekdays that are left, working days after a
date, paid hours of a shift, a share of the bills of a flat.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from datetime import date, timedelta

from agent.text.problems.clock_figures import after_noon, in_figures, told_in_figures
from agent.text.problems.clock_questions import with_parts
from agent.text.problems.said_days import days_named
from agent.text.quantities.dates import MONTH, month_number
from agent.text.regex import regex
from agent.text.told_sums.telling import in_digits


def of_every_day(text: str, today: date | None) -> Iterator[str]:
    """The plain questions that the whole of ``text`` may come to."""
    text = " ".join(text.replace("’", "'").split())
    if today:
        yield from _weekdays_left(text, today)
        yield from _working_days_after(text, today)
    yield from _paid_hours(text)
    yield from _own_share(text)


_COUNTS = regex(
    r"\b(?:how many|number of|count(?: of)?|count the)(?P<more> more)? "
    r"(?P<day>(?:mon|tues|wednes|thurs|fri|satur|sun)days)\b",
    re.I,
)
_STILL = regex(
    r"\b(?:left|remain(?:s|ing)?|still|to (?:come|go)|until the end|till the end|before the end|more)\b", re.I
)
_UNTIL = regex(
    rf"\b(?:in |of |before |until |till |to )*(?:the end of )?(?:(?P<this>this|the|the current) (?P<span>year|month)"
    rf"|(?P<month>{MONTH})(?: (?P<of>\d{{4}}))?|(?P<year>\d{{4}}))\b",
    re.I,
)
_WITHOUT_TODAY = regex(r",? (?:not counting|not including|without(?: counting)?|excluding|after) today\b", re.I)
_LEFT_LISTED = (
    "how many number of count the are there is will be left remaining remains remain still to come go more in do we i "
    "have got get yet now from on please"
)
_OF_WHAT_IS_LEFT = frozenset(_LEFT_LISTED.split())


def _weekdays_left(text: str, today: date) -> Iterator[str]:
    """ "How many Sundays are left this year?", from tomorrow on."""
    counts = _COUNTS.search(text)
    bare = _WITHOUT_TODAY.sub("", text)
    rest = _COUNTS.sub(lambda said: said["more"] or "", bare)
    until = list(_UNTIL.finditer(rest))
    if counts is None or not _STILL.search(rest) or len(until) != 1:
        return
    words = re.findall(r"[\w']+", f"{rest[: until[0].start()]} {rest[until[0].end() :]}".lower())
    end = _end_of(until[0], today)
    first = today + timedelta(days=1)
    if end and end >= first and not set(words) - _OF_WHAT_IS_LEFT:
        yield f"how many {counts['day']} from {first.isoformat()} to {end.isoformat()}"


def _end_of(until: re.Match[str], today: date) -> date | None:
    """The last day of the year or the month of today that is named; ``None`` for another one."""
    if until["month"]:
        number, year = month_number(until["month"]), int(until["of"] or today.year)
        if (year, number) != (today.year, today.month):
            return None
    elif until["year"]:
        return date(today.year, 12, 31) if int(until["year"]) == today.year else None
    if until["span"] and until["span"].lower() == "year":
        return date(today.year, 12, 31)
    next_month = date(today.year + today.month // 12, today.month % 12 + 1, 1)
    return next_month - timedelta(days=1)


_WORKING = regex(r"\b(?P<n>\d{1,3}) (?:full )?(?:working|business|work)[ -]days?\b", re.I)
_WEEKDAY = regex(r"\b(?:mon|tues|wednes|thurs|fri|satur|sun)day\b", re.I)
_ASKS_DATE = regex(
    r"\b(?:(?:on |by )?(?:what|which) (?:date|day)|when)\b[^.!?;]*[?.! ]*$|^when (?:will|should|does|would)\b", re.I
)
_SENT = regex(
    r"\b(?:posted|sent|shipped|dispatched|mailed|ordered|order|paid in|handed in|submitted|applied|received|collected"
    r"|picked up|left|issued|made|bought|deposited|banked|transferred|booked|started|from|after)\b",
    re.I,
)
_OTHER_DAY = regex(
    r"\b(?:before|ago|earlier|prior|by the|latest|last|within|up to|at (?:least|most)|or|about|around|between|not|no"
    r"|except|excluding|holidays?|bank|calendar|each|every|half|twice|late|delayed|extra|then|notice|deadline|more|how"
    r"|including|counting|count(?:s|ed)?|inclusive|same|noon|midday|am|pm|[ap]m)\b|n't\b|:\d\d",
    re.I,
)


def _working_days_after(text: str, today: date) -> Iterator[str]:
    """ "Posted on Thursday 19 November 2026, five working days, on what date?"."""
    said = in_digits(text)
    lengths = list(_WORKING.finditer(said))
    if len(lengths) != 1 or not _ASKS_DATE.search(said) or not _SENT.search(said) or _OTHER_DAY.search(said):
        return
    bare, days = days_named(_WORKING.sub(" ", said), today)
    named = {one.lower() for one in _WEEKDAY.findall(said)}
    if len(days) == 1 and not re.search(r"\d", bare) and named <= {f"{days[0]:%A}".lower()}:
        yield f"what date is {lengths[0]['n']} working days after {days[0].isoformat()}"


_CLOCK = regex(with_parts("{CLOCK}"), re.I)
_AN_HOUR_OR_SO = (
    (regex(r"\b(?:a )?half(?:[ -]an)?[ -]hour(?:'s|s)?\b", re.I), "30 minutes"),
    (regex(r"\b(?:a )?(?:3|three)[ -]quarters?(?: of an)?[ -]hour\b", re.I), "45 minutes"),
    (regex(r"\b(?:a )?quarter(?: of an)?[ -]hour\b", re.I), "15 minutes"),
    (regex(r"\b(?:an?|one|1)[ -]hour(?:'s)?\b", re.I), "60 minutes"),
)
_BREAK = regex(r"\b(?P<n>\d{1,3})[ -]?(?:minutes?|mins?|min)\b'?", re.I)
_ONE_BREAK = regex(r"\b(?:break|lunch|dinner|meal|tea|rest)\b", re.I)
_UNPAID = regex(r"\bunpaid\b|\b(?:not|n't) (?:get )?paid\b|n't (?:get )?paid\b|\bwithout pay\b", re.I)
_PAID_HOURS = regex(
    r"\bhow (?:many (?:paid )?hours|long|much time)\b[^.!?;]*\b(?:paid|pay)\b[^.!?;]*[?.! ]*$"
    r"|\bhow many paid hours\b[^.!?;]*[?.! ]*$",
    re.I,
)
_OTHER_SHIFT = regex(
    r"\b(?:breaks|each|every|per|weeks?|weekly|month|days|shifts|another|also|overtime|rate|earn|two|three|twice|extra"
    r"|late|early|but|except|or|if|half|first|last|about|around|some|she|he|they|(?:mon|tues|wednes|thurs|fri|satur"
    r"|sun)days? (?:to|and))\b|[$€£%]",
    re.I,
)
_LONGEST_SHIFT = 16 * 60  # minutes


def _paid_hours(text: str) -> Iterator[str]:
    """ "10:15 pm till 6:45 am with a half hour unpaid break. How many hours do I get paid?"."""
    said = told_in_figures(text)
    for pattern, form in _AN_HOUR_OR_SO:
        said = pattern.sub(form, said)
    clocks = list(_CLOCK.finditer(said))
    if len(clocks) != 2 or not _PAID_HOURS.search(said):
        return
    bare = _CLOCK.sub(" ", said)
    breaks = list(_BREAK.finditer(bare))
    rest = _BREAK.sub(" ", bare)
    asked = _PAID_HOURS.search(rest)
    if len(breaks) != 1 or asked is None or re.search(r"\d", rest) or _OTHER_SHIFT.search(rest):
        return
    told = rest[: asked.start()]
    minutes = _minutes_between(clocks[0][0], clocks[1][0])
    if not _ONE_BREAK.search(told) or not _UNPAID.search(told) or not int(breaks[0]["n"]) < minutes <= _LONGEST_SHIFT:
        return
    whole = f"{minutes / 60:g} hours" if not minutes % 15 else f"{minutes // 60} hours {minutes % 60} minutes"
    yield f"what is {whole} minus {breaks[0]['n']} minutes"


def _minutes_between(first: str, last: str) -> int:
    """From the one time of day to the other, which may be of the next day; 0 where one is none."""
    ends = [_minute_of(first), _minute_of(after_noon(first, last))]
    return 0 if min(ends) < 0 else (ends[1] - ends[0]) % (24 * 60)


_FACE = regex(r"(?P<h>\d{1,2})(?:[:.](?P<m>[0-5]\d))? ?(?:(?P<half>[ap])\.?m\.?)?", re.I)


def _minute_of(clock: str) -> int:
    read = _FACE.fullmatch(in_figures(clock.strip()))
    if read is None or int(read["h"]) > 24:
        return -1
    hour = int(read["h"])
    if read["half"]:
        hour = hour % 12 + 12 * (read["half"].lower() == "p")
    return hour * 60 + int(read["m"] or 0)


_N = r"(?:\d{1,3}(?:,\d{3})+|\d+)(?:\.\d\d)?"
_BILL = (
    r"(?:(?:the|my|our) )?[a-z]+(?: [a-z]+)?(?:(?:'s| is| are| was| were| costs?| came to| comes to)(?: at)?|:)? "
    rf"[$€£]?{_N}(?: (?:a|per|each|every) (?:month|week)| (?:euros?|pounds?|dollars?|quid))?"
)
_BILLS = regex(
    rf"(?P<list>{_BILL}(?:(?:, and | and |, |; ?|\. ){_BILL}){{1,9}})"
    r"[,.;:]? (?:and |with |so )*(?:there(?:'s| is| are)|we(?:'re| are))? ?(?:(?:all |to be )?(?:split|shared|divided) "
    r"(?:equally |evenly )?(?:between |by |among |amongst )?(?:the )?)?(?P<n>\d{1,2})"
    r" (?:of us|people|flatmates|housemates)"
    r"(?: (?:sharing|living|staying|are|share|here|it|equally|evenly|in|at|the|this|a|our|flat|house|apartment|place"
    r"|home|table))*[,.;?!]* (?:so )?"
    r"(?:(?:what|how much) (?:do|will|would|should|must) (?:i|each(?: of us)?|we each) (?:each )?(?:owe|pay|have to pay"
    r"|put in|need to pay)|what(?:'s| is| will be) (?:my|each|everyone's|our) (?:share|part|bit)|how much is (?:that )?"
    r"(?:my share|each|it each|that each))(?: each)?[ ?.!]*",
    re.I,
)
_EACH_BILL = regex(
    rf"(?P<what>[a-z][a-z' :]*?) ?(?P<sign>[$€£]?)(?P<n>{_N})(?P<per>(?: (?:a|per|each|every) [a-z]+)?)", re.I
)
_OF_A_MONTH = {"", "a month", "per month", "each month", "every month"}
_NO_BILL = regex(
    r"\b(?:discount|voucher|refund|credit|coupon|paid|pay|off|less|minus|vat|tax|percent|deposit|each|per|for|people"
    r"|adults?|kids?|children|gave|got|saved|left|budget|wages?|salary|income|earn|not|without)\b",
    re.I,
)


def _own_share(text: str) -> Iterator[str]:
    """ "Rent 1275, internet 42, electric 96, three of us in the flat. What do I owe?"."""
    said = _BILLS.fullmatch(in_digits(text))
    if said is None or int(said["n"]) < 2:
        return
    bills = list(_EACH_BILL.finditer(said["list"]))
    signs, spans = {one["sign"] for one in bills}, {one["per"].strip() for one in bills}
    if len(signs - {""}) > 1 or not spans <= _OF_A_MONTH or any(_NO_BILL.search(one["what"]) for one in bills):
        return
    sign = max(signs)
    amounts = " + ".join(f"{sign}{one['n'].replace(',', '')}" for one in bills)
    yield f"what is ({amounts}) / {said['n']}"
