"""Words of a question in those that the readers know: days by dates, "to be paid" as not paid, values turned round."""

from __future__ import annotations

import re
from collections.abc import Iterator
from datetime import date, timedelta

from agent.data.tables.questions.table_lexicon import MONTHS, NUMBERS, form, words
from agent.data.tables.questions.table_schema import Column, Table, measured
from agent.data.tables.worded.often_said import in_usual_order, so_often
from agent.data.tables.worded.scored_columns import with_scored
from agent.data.tables.worded.worded_columns import by_field, content, is_per, stem, stems_of
from agent.text.quantities.dates import month_number
from agent.text.regex import regex

_BEFORE = r"(?:(?P<before>on|for|by|since|before|after|until|till|from) )?"
_DAYS = regex(
    rf"\b{_BEFORE}(?P<day>today|tonight|tomorrow|yesterday|the day (?:after tomorrow|before yesterday))\b", re.I
)
_AWAY = {"today": 0, "tonight": 0, "tomorrow": 1, "yesterday": -1, "the day after tomorrow": 2,
         "the day before yesterday": -2}  # fmt: skip
_NTH = regex(rf"\b{_BEFORE}the (?P<day>\d\d?)(?:st|nd|rd|th)\b(?! of\b| [a-z]+(?:day|ber|ary)\b)", re.I)
_WEEKDAY_NTH = regex(
    r"\b(?:mon|tues?|wed(?:nes)?|thu(?:rs)?|fri|sat(?:ur)?|sun)(?:day)?,? (?:the )?(\d\d?(?:st|nd|rd|th))(?! of\b)",
    re.I,
)
_WHOS = regex(r"\bwhos\b", re.I)
_BOOKED = regex(r"\bbooked (?:in )?(?:on|for)\b(?= (?:the \d|\d|mon|tue|wed|thu|fri|sat|sun|today|tomorrow))", re.I)
_UNDONE = regex(r"\b(?:still |yet |left )?(?:needs? |has |have |needing |waiting )?to be (?P<done>[a-z]+)\b", re.I)
_OF = regex(r"\b(?P<head>[a-z]+) of (?P<of>[a-z]+)\b", re.I)
_ENDS = regex(
    r"(?:(?P<of>[a-z]+) )?(?:difference|gap|range) (?:in [a-z]+ )?between (?:the |our |my )?(?P<a>[a-z]+)"
    r" and (?:the |our |my )?(?P<b>[a-z]+)",
    re.I,
)
_AGAINST = regex(r"\b(?P<a>[a-z]+) (?:vs\.?|versus) (?P<b>[a-z]+)\b", re.I)
_AND_DONE = regex(
    r"(?:,? and|,? ?&) (?:have|has|did|do|are|is|were|was) (?:they|he|she|it|this|that) (?:been |already |yet )*"
    r"(?P<done>[a-z]+)(?: yet| already)?(?P<end>\W*)$",
    re.I,
)
_PICKED = regex(r"\b(?P<way>pick(?:ed|ing)?) up\b", re.I)
_BY_PERIOD = regex(
    r"(?:\b(?P<way>under|over|below|above|less than|more than|at least|at most) (?P<number>[£$€]?\d[\d,.]*) )?"
    r"\b(?:a|per|each|every) (?P<unit>month|week|year|hour)\b",
    re.I,
)
_PER_DEED = regex(r" (?:per|for each) (?P<deed>[a-z]+ing)\b", re.I)
_MEMBER = regex(r"\bmembers? of staff\b", re.I)
_OURS = regex(r"\b(difference between )(?:our|my|their|your) ", re.I)
_MONTH_NAMES = frozenset(MONTHS)
_FROM_TO = regex(r"\b(?:from|between) (?P<first>[a-z]{3,9}) (?:to|until|till|through|and) (?P<last>[a-z]{3,9})\b", re.I)


_CHANGED = regex(
    r"\b(?:f[ae]ll(?:en)?|r[io]se|dropp?(?:ed)?|chang(?:e|ed)|gr[eo]w|increased?|decreased?|differ\w*|up|down"
    r"|more|less)\b",
    re.I,
)


def said_otherwise(text: str, table: Table, today: date | None) -> str:
    """``text`` in such words, or as it is where it has none."""
    if table.joined or "“" in text:
        return text
    text = in_usual_order(text)
    text = _BOOKED.sub("in on", _WHOS.sub("who is", text)) if not _has_word("book", table) else text
    text = _with_dates(_WEEKDAY_NTH.sub(r"the \1", text), table, today) if today and table.of_kind("date") else text
    text = _LENGTH.sub(lambda found: _length(found, table), text)
    text = _WORD.sub(lambda found: _alike(found[0], table), text)
    text = _WEEKEND.sub(lambda found: _weekend(found, table), text)
    text = _AGAINST.sub(lambda found: _both(found, table), text)
    text = _AND_DONE.sub(lambda found: _also(found, table), text)
    text = _PICKED.sub(lambda found: _collected(found, table), text)
    text = so_often(text, table)
    text = _BY_PERIOD.sub(lambda found: _by_period(found, table), text)
    text = _PER_DEED.sub(lambda found: _per_deed(found, table), text)
    text = with_scored(_MEMBER.sub("staff", text), table)
    text = _OURS.sub(r"\1the ", text)
    text = _UNDONE.sub(lambda found: _undone(found, table), text)
    text = _OF.sub(lambda found: _turned(found, table), text)
    text = _ENDS.sub(lambda found: _of_ends(found, table), text)
    return _FROM_TO.sub(lambda found: _months(found, table), text)


def _has_word(start: str, table: Table) -> bool:
    return any(word.startswith(start) for column in table.columns for word in content(column))


def _with_dates(text: str, table: Table, today: date) -> str:
    def by_name(found: re.Match[str]) -> str:
        return _on(today + timedelta(days=_AWAY[found["day"].lower()]), found["before"])

    def by_number(found: re.Match[str]) -> str:
        days = list(_such_days(int(found["day"]), table))
        return _on(days[0], found["before"]) if len(days) == 1 else found[0]

    text = _NTH.sub(by_number, _DAYS.sub(by_name, text))
    text = _RECENT.sub(lambda found: _span(found, today), text)
    text = _WEEK.sub(lambda found: _week(found["which"].lower(), today), text)
    text = _NEXT.sub(lambda found: _next(found["period"].lower(), today), text)
    text = _CHRISTMAS.sub(rf"\1 25 December {today.year}", text)
    text = _EDGE.sub(lambda found: _edge(found, today), text)
    return _FROM_DAY.sub(r"between \1 and \2", text)


_WORD = regex(r"\b[a-z]{3,}\b", re.I)
_ALIKE = {"kids": "children", "kid": "child", "pupils": "students", "students": "pupils"}


def _alike(word: str, table: Table) -> str:
    """ "Kids" where a column is called "Children"."""
    said = word.lower()
    if (other := _ALIKE.get(said)) is None:
        return word
    own = {form(one) for column in table.columns for one in content(column)}
    return other if form(other) in own and form(said) not in own else word


_LENGTH = regex(r"\b(?:(?P<noun>[a-z]+) )?(?P<word>length|duration)s?\b", re.I)


def _length(found: re.Match[str], table: Table) -> str:
    """The "class length" of a table of classes, of which only the minutes are known."""
    numbers = table.of_kind("number")
    if any({found["word"].lower()} & content(one) or "length" in measured(one) for one in numbers):
        return found[0]
    times = [one for one in numbers if measured(one) == frozenset(["time"])]
    noun = form((found["noun"] or "").lower())
    kept = "" if noun in {*words(table.columns[0].name), *words(table.name)} else f"{found['noun'] or ''} "
    return f"{kept}{times[0].called}".lstrip() if len(times) == 1 else found[0]


_WEEKEND = regex(r"\b(?:at|on|over|during) (?:the )?(?P<which>weekends?|weekdays?)\b", re.I)
_ENDS_OF_WEEK = ("saturday", "sunday", "sat", "sun")


def _weekend(found: re.Match[str], table: Table) -> str:
    """ "At the weekend", of a column with the names of days."""
    several = [one for one in table.of_kind("text") if one.known and all(_is_weekday(each) for each in one.known)]
    own = several[0].known if len(several) == 1 else ()
    free = found["which"].lower().startswith("weekend")
    days = [one for one in own if (one.lower() in _ENDS_OF_WEEK) == free]
    return f"on {' or '.join(days)}" if days else found[0]


def _is_weekday(text: str) -> bool:
    return text.lower()[:3] in ("mon", "tue", "wed", "thu", "fri", "sat", "sun") and len(text) < _LONGEST_DAY


_LONGEST_DAY = 10  # letters


_ONE_DAY = r"(?:\d{1,2}(?:st|nd|rd|th)? [A-Za-z]{3,9}(?: \d{4})?|\d{4}-\d\d-\d\d)"
_FROM_DAY = regex(rf"\bfrom (?:the )?({_ONE_DAY}) (?:to|until|till|through|up to) (?:the )?({_ONE_DAY})")
_RECENT = regex(
    r"\b(?:in|over|during|within|for|from) (?:the )?(?P<way>last|past|next|coming) (?P<number>\d{1,3}|[a-z]+)"
    r" (?P<unit>day|week|fortnight|month)s?\b",
    re.I,
)
_WEEK = regex(r"(?:\b(?:in|during|for) )?\b(?P<which>this|last|next|the coming|the past) week\b", re.I)
_NEXT = regex(r"(?:\b(?:in|during|for) )?\bnext (?P<period>month|year)\b", re.I)
_CHRISTMAS = regex(r"\b(before|by|after|since|until) (?:christmas|xmas)\b", re.I)
_EDGE = regex(
    r"\b(?P<way>since|by|before|until|from|after) the (?P<edge>start|beginning|end) of (?P<month>[a-z]{3,9}|\d{4})"
    r"(?: (?P<year>\d{4}))?\b",
    re.I,
)


def _written(day: date) -> str:
    return f"{day.day} {day:%B %Y}"


def _next_month(day: date) -> date:
    """The first day of the month after that of the day."""
    return (day.replace(day=1) + timedelta(days=32)).replace(day=1)


def _on(day: date, before: str | None) -> str:
    return f"{'on' if before in (None, 'for') else before} {_written(day)}"


def _between(first: date, last: date) -> str:
    return f"between {_written(first)} and {_written(last)}"


def _span(found: re.Match[str], today: date) -> str:
    number = int(found["number"]) if found["number"].isdigit() else NUMBERS.get(found["number"].lower(), 0)
    days = number * {"day": 1, "week": 7, "fortnight": 14, "month": 30}[found["unit"].lower()]
    if not number or (found["unit"].lower() == "month" and number == 1):
        return found[0]
    other = today + timedelta(days=days if found["way"].lower() in ("next", "coming") else -days)
    return _between(min(today, other), max(today, other))


def _week(which: str, today: date) -> str:
    monday = today - timedelta(days=today.weekday()) + timedelta(days=7 * _WEEKS.get(which, 0))
    return _between(monday, monday + timedelta(days=6))


_WEEKS = {"last": -1, "the past": -1, "next": 1, "the coming": 1}


def _next(period: str, today: date) -> str:
    return f"in {_next_month(today):%B %Y}" if period == "month" else f"in {today.year + 1}"


_EDGES = {"by": "until", "from": "since"}


def _edge(found: re.Match[str], today: date) -> str:
    """ "Since the start of November", "by the end of the year"."""
    at_end, way = found["edge"].lower() == "end", _EDGES.get(found["way"].lower(), found["way"].lower())
    if found["month"].isdigit():
        return f"{way} {'31 December' if at_end else '1 January'} {found['month']}"
    month = MONTHS.get(found["month"].lower())
    if not month:
        return found[0]
    first = date(int(found["year"] or today.year), month, 1)
    return f"{way} {_written(_next_month(first) - timedelta(days=1) if at_end else first)}"


def _such_days(number: int, table: Table) -> Iterator[date]:
    """The days of that number in a month, from the first to the last date of the only column of dates."""
    several = table.of_kind("date")
    try:
        first, last = (date.fromisoformat(end[:10]) for end in (several[0].least, several[0].most))
        month = first.replace(day=1)
    except ValueError:
        return
    while len(several) == 1 and month <= last and (last - first).days < _LONGEST:
        day = month + timedelta(days=number - 1)
        if first <= day <= last and day.month == month.month:
            yield day
        month = _next_month(month)


_LONGEST = 400  # days


def _undone(found: re.Match[str], table: Table) -> str:
    """ "Still to be collected" where a column tells what is collected."""
    return f"not {found['done']}" if _checked(found["done"], table) else found[0]


def _checked(done: str, table: Table) -> list[Column]:
    """The columns that tell whether it was done."""
    return [one for one in table.of_kind("boolean") if stem(done.lower()) in stems_of(one)]


def _also(found: re.Match[str], table: Table) -> str:
    """ "And have they paid?": what the column says of the rows, which are not those that have."""
    own = _checked(found["done"], table)
    return f" and “{own[0].called}”{found['end']}" if len(own) == 1 else found[0]


def _collected(found: re.Match[str], table: Table) -> str:
    own = {word for one in table.columns for word in stems_of(one)}
    return f"collect{found['way'][4:]}" if stem("collect") in own and "pick" not in own else found[0]


def _by_period(found: re.Match[str], table: Table) -> str:
    """ "How much rent a month", "under 800 a month", of a column that is per month as it is."""
    own = [one for one in table.of_kind("number") if is_per(one, found["unit"])]
    if len(own) != 1 or own[0].called.lower() in found.string.lower():
        return found[0]
    if found["way"]:
        return f"with {own[0].called} {found['way']} {found['number']}"
    typed = {form(word) for word in re.findall(r"[a-z]+", found.string.lower())}
    return "" if typed & content(own[0]) else found[0]


def _per_deed(found: re.Match[str], table: Table) -> str:
    """ "The average weight per picking", of rows that each tell when something was picked."""
    own = any(stem(found["deed"].lower()) in stems_of(one) for one in table.of_kind("date"))
    return "" if own else found[0]


def _both(found: re.Match[str], table: Table) -> str:
    """ "Coffees vs teas", where each is a figure of its own."""
    heads = [content(one) for one in table.of_kind("number")]
    both = all(any(form(found[key].lower()) in own for own in heads) for key in ("a", "b"))
    return f"{found['a']} and {found['b']}" if both else found[0]


def _turned(found: re.Match[str], table: Table) -> str:
    """ "Loaves of rye" where there is a value "rye loaf"."""
    typed = (form(found["of"].lower()), form(found["head"].lower()))
    values = {value for one in table.of_kind("text") for value in one.known if tuple(map(form, words(value))) == typed}
    return values.pop() if len(values) == 1 else found[0]


def _of_ends(found: re.Match[str], table: Table) -> str:
    """ "The age gap between the youngest and the oldest"."""
    ends = [found["a"].lower(), found["b"].lower()]
    several = [by_field(table, "most", word) + by_field(table, "least", word) for word in ends]
    both = [one for one in several[0] if one in several[1] and one.kind == "number"]
    if len(set(both)) != 1:
        return found[0]
    own = found["of"] or ""
    head = "" if stem(own.lower()) in stems_of(both[0]) else f"{own} ".lstrip()
    return f"{head}difference between the highest and lowest {both[0].called}"


def _months(found: re.Match[str], table: Table) -> str:
    """ "From March to June" of a column with the names of months."""
    ends = [found["first"].lower(), found["last"].lower()]
    column = column_of_months(table)
    if column is None or _CHANGED.search(found.string) or not _MONTH_NAMES.issuperset(ends) or table.of_kind("date"):
        return found[0]
    first, last = map(month_number, ends)
    within = [value for value in column.known if first <= month_number(value) <= last]
    whole = len(within) == last - first + 1
    return f"in {', '.join(within[:-1])} and {within[-1]}" if whole and len(within) > 1 else found[0]


def column_of_months(table: Table) -> Column | None:
    """The one column of texts that are all names of months, each of one row."""
    several = [one for one in table.of_kind("text") if one.known and _MONTH_NAMES.issuperset(map(str.lower, one.known))]
    return several[0] if len(several) == 1 and several[0].distinct == table.rows else None
