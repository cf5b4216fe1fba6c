"""Which rows or groups are most or least, first or last: "the cheapest automatic", "who has the most hours"."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from datetime import date
from typing import Literal

from agent.data.tables.questions.table_lexicon import tokens, words
from agent.data.tables.questions.table_schema import (
    Asked,
    Column,
    Filter,
    Group,
    Table,
    added_up,
    id_like,
    is_money,
    tells_apart,
    usual,
)
from agent.data.tables.worded.persons import people_in
from agent.data.tables.worded.rows_said import number_in
from agent.data.tables.worded.worded_columns import (
    FIELDS,
    WORDS,
    by_field,
    content,
    fields_of,
    names_of_rows,
    stem,
    stems_of,
    with_mark,
    yes_no_at,
)
from agent.data.tables.worded.worded_figures import led_by_value, whole_figure
from agent.data.tables.worded.worded_rows import Rows, rows_of
from agent.text.regex import regex

_OF_MANY = "|".join(
    sorted({phrase.split()[1] for one in FIELDS for phrase in one.get("most", ()) if phrase.startswith("most ")})
)
_SUPERLATIVE = regex(
    r"(?:\b(?:the|our|my) )?(?:\b(?P<many>\d+|two|three|four|five|six|ten) )?"
    rf"(?:\b(?P<nth>second|third|2nd|3rd) )?\b(?P<word>(?:most|least) (?:{_OF_MANY}|often)"
    r"|(?:best|highest|worst|lowest) paid|most|fewest|least|[a-z]{2,}est|best|worst|last|first)\b"
    r"(?: single\b)?(?: of)?",
    re.I,
)
_NO_DAYS = ("text", "number")  # what may be asked for
_PLACES = {"second": 2, "2nd": 2, "third": 3, "3rd": 3}
_UP = frozenset(["fewest", "least", "lowest", "smallest", "shortest"])
_DOWN = frozenset(["most", "highest", "largest", "biggest", "greatest", "longest"])
_SIZES = ("largest", "biggest", "smallest")
_OF_NOUNS = (*_SIZES, "oldest", "newest", "longest", "shortest", "tallest")
Way = Literal["up", "down"]
_BY_DAY = regex(
    r"(?:which|what|who)\b ?(?P<before>.+?) (?:the )?(?:very )?"
    r"(?P<place>first|last|earliest|latest|most recently|longest ago)\b ?(?P<behind>.*)",
    re.I,
)
_NEWEST = regex(
    r"(?:(?:which|what|who)(?: (?:is|was)|['’]s) (?:the |our )?(?P<word>newest|latest|earliest)"
    r"|(?:the |our )?(?P<bare>newest)) (?P<rows>[a-z][\w ]*)"
    r"|(?:which|what) (?P<before>[a-z][\w ]*?) (?:is|was) (?:the )?(?P<behind>newest|latest|earliest)",
    re.I,
)
_HAS_TO = regex(r"\b(?:(?:has|have|had|needs?|is|are) to|must|should)(?: (?:go|be|come|get))?\b ?", re.I)
_STAYED = regex(
    r"(?:who|(?:which|what)(?: of (?:the |our )?)? ?(?P<rows>.*?)) (?:has|have) been "
    r"(?:here|there|with (?:us|me)|coming(?: here| in| to (?:us|me|class|lessons))?|in stock"
    r"|(?:in|with|at|on|a member of) (?:the|our|this) (?P<where>[a-z]+))"
    r"(?: for)?(?: the)? (?P<place>longest|shortest)(?: time)?"
    r"|(?:who|which|what)(?: (?:one|row|[a-z]+))? (?:is|are) (?:our |the |my )?"
    r"(?P<serving>longest|shortest)[- ]serving(?: (?P<served>.+?))?",
    re.I,
)
_BEGAN, _ENDED = (frozenset(map(stem, WORDS["words"][name])) for name in ("began", "ended"))
_EARLY = ("first", "earliest", "longest ago")


def by_day_asked(text: str, table: Table, today: date | None) -> Iterator[Asked | None]:
    """ "Which dog was groomed longest ago", "who joined first in Oakham"."""
    found, names = _BY_DAY.fullmatch(text), names_of_rows(table)
    if stayed := _STAYED.fullmatch(text):
        yield _stayed(stayed, table, today)
    if newest := _NEWEST.fullmatch(text):
        yield _newest(newest, table, today)
    if found is None or not names:
        return
    bare = _HAS_TO.sub("", f"{found['before']} {found['behind']}")
    rows = rows_of(bare, table, today, must="date")
    days = [one.column for one in rows.asked] if rows else []
    if rows is None or len(days) != 1 or days[0].kind != "date" or not (rows.named or text.lower().startswith("who")):
        return
    way: Way = "up" if found["place"].lower() in _EARLY else "down"
    yield Asked(table, "rows", days[0], (), rows.filters, way, 1, _told_of(text, table, names, days[0]))


def _told_of(text: str, table: Table, names: Sequence[Column], by: Column) -> tuple[Column, ...]:
    """What is told of a row that is first: whom it is of, where "who" asks for that; else its name."""
    who = people_in(table) if text.lower().startswith("who") else ()
    return tuple(dict.fromkeys((*(who if len(who) == 1 else ()), *names, by)))


def _newest(found: re.Match[str], table: Table, today: date | None) -> Asked | None:
    """ "Who is our newest animal": by the only days there are, where nothing else says how new a row is."""
    word, first = (found["word"] or found["bare"] or found["behind"]).lower(), table.columns[0]
    rows = rows_of(found["rows"] or found["before"], table, today)
    days, way = _by_days(word, table)
    otherwise = by_field(table, "most", word) or by_field(table, "least", word)
    if days is None or way is None or otherwise or rows is None or rows.asked or not tells_apart(first, table.rows):
        return None
    return Asked(table, "rows", days, (), rows.filters, way, 1, (first, days)) if rows.named else None


def _stayed(found: re.Match[str], table: Table, today: date | None) -> Asked | None:
    """ "Which member has been with us longest": by the one day that something began."""
    said, names = found["rows"] or found["served"], names_of_rows(table)
    where = found["where"] or ""
    if where and not {where.lower(), *words(where)} & {*words(table.name)}:
        return None  # of something that the table is not called
    rows = rows_of(said, table, today) if said else Rows()
    days = table.of_kind("date")
    days = [one for one in days if stems_of(one) & _BEGAN] or days
    ended = [one for one in table.of_kind("date") if stems_of(one) & _ENDED]
    if rows is None or rows.asked or len(days) != 1 or not names or ended:
        return None
    way: Way = "up" if (found["place"] or found["serving"]).lower() == "longest" else "down"
    return Asked(table, "rows", days[0], (), rows.filters, way, 1, _told_of(found[0], table, names, days[0]))


_TOP = regex(
    r"(?:(?:what|which|who) are |show me |give me |list )?(?:the |our |my )?"
    r"(?P<way>top|best|highest|biggest|largest|bottom|worst|lowest|smallest)"
    r"(?: (?P<number>\d+|two|three|four|five|six|ten))?"
    r"(?: (?P<rows>.+?))? by (?P<column>.+)",
    re.I,
)


def top_asked(text: str, table: Table, today: date | None) -> Iterator[Asked | None]:
    """ "Top 3 stalls by takings"."""
    found, names = _TOP.fullmatch(text), names_of_rows(table)
    number = number_in(0, tokens(found["number"])) if found and found["number"] else "1"
    column = whole_figure(found["column"], table) if found else None
    if found is None or not number.isdigit() or column is None or not names:
        return
    if not (found["rows"] or found["number"]) or (found["rows"] or "").lower() in (
        "rows",
        "names",
        "records",
        "entries",
    ):
        return
    rows = rows_of(found["rows"], table, today) if found["rows"] else Rows()
    if rows and not rows.asked and (rows.named or not found["rows"]):
        way: Way = "down" if found["way"].lower() in ("top", "best", "highest", "biggest", "largest") else "up"
        names = (rows.noun,) if rows.noun else names
        yield Asked(table, "rows", column, (), rows.filters, way, int(number), (*names, column))


def most_asked(text: str, table: Table, today: date | None, of_row: bool = False) -> Iterator[Asked | None]:
    """ "Which department has the most hours", "highest hourly rate", "what did we sell most of".

    ``of_row``: the row is asked for, where it may be the figure alone.
    """
    several = [one for one in _SUPERLATIVE.finditer(text) if one["word"].lower() not in ("first", "last") or one["nth"]]
    if len(several) != 1:
        return
    found = several[0]
    word, limit = found["word"].lower(), _PLACES.get((found["nth"] or "").lower(), 1)
    limit = int(number_in(0, tokens(found["many"])) or 1) if found["many"] and not found["nth"] else limit
    before, behind = text[: found.start()].strip(" ,"), text[found.end() :].strip(" ,")
    before = "" if before.lower() in ("show me", "show", "find", "find me", "list") else before
    asks = re.fullmatch(r"(?:which|what|who)\b ?(?P<rest>.*)", before, re.I)
    if before and not asks:
        return
    who = before.lower().startswith("who")
    head = rows_of(asks["rest"], table, today, _NO_DAYS) if asks and asks["rest"] else Rows()
    tail = rows_of(behind, table, today, _NO_DAYS) if behind else Rows()
    of_noun = word in _OF_NOUNS and behind and next(yes_no_at(0, tokens(behind), table), None)  # "the smallest shed"
    if (
        of_noun
        or head is None
        or tail is None
        or {one.column for one in head.filters} & {one.column for one in tail.filters}
    ):
        return
    filters, named = (*head.filters, *tail.filters), head.named or tail.named
    metric, way = _metric(word, head, tail, table)
    if word in _SIZES and {*words(behind)} & {*WORDS["words"]["paid_for"]} and not tail.numbers:
        paid = [one for one in table.of_kind("number") if is_money(one)]
        metric, way = (paid[0], "up" if word in _UP else "down") if len(paid) == 1 else (None, None)
        if metric and way and not (asks or of_row or limit > 1):
            yield Asked(table, "rows", metric, (), filters, way, 1)
            return
    if way is None:
        return
    targets = [one.column for one in head.asked if one.column.kind == "text"]
    if any(one.column.kind == "text" for one in tail.asked):
        return
    if who and not targets:
        people = people_in(table)
        targets = [*people] if len(people) == 1 else []
        if not people and table.columns[0].kind != "text":
            return
    noun = head.noun or tail.noun
    targets = list(dict.fromkeys([noun] if noun and not targets and not who else targets))
    of_each = tail.named and behind.lower() != table.name.lower() and word not in {*_UP, *_DOWN, *_SUMMED_UP}
    of_each = of_each and bool(asks) and not who and len(targets) == 1 and _is_repeated(targets[0], table)
    yield from (
        [Asked(table, "rows", metric, (), filters, way, limit, (*targets, *names_of_rows(table), metric))]
        if metric and of_each  # "which kennel has the oldest dog"
        else _ranked(table, metric, way, limit, targets, filters, word, named or who, bool(asks), tail, of_row)
    )


def _is_repeated(column: Column, table: Table) -> bool:
    """Whether several rows have the same text in it."""
    return (column.distinct or 0) < table.rows


def _metric(word: str, head: Rows, tail: Rows, table: Table) -> tuple[Column | None, Way | None]:
    """What is most, and which end of it; no column where rows are counted; no way where it is not sure."""
    numbers = list(dict.fromkeys((*head.numbers, *tail.numbers)))
    ends: tuple[tuple[str, Way], ...] = (("most", "down"), ("least", "up"))
    for key, way in ends:
        fits = by_field(table, key, word)
        if fits:
            fits = [one for one in fits if one in numbers] or ([] if numbers else fits)
            if not fits and word in {*_UP, *_DOWN}:
                break  # "the longest in km"
            fits = [one for one in fits if len(content(one)) == 1] if len(fits) > 1 else fits  # "Time", not "Best time"
            return (fits[0], way) if len(fits) == 1 else (None, None)
    if word in ("most often", "least often"):
        often = with_mark(table, "often")
        way: Way = "down" if word.startswith("most") else "up"
        return (often[0], way) if len(often) == 1 and (not numbers or numbers == often) else (None, None)
    general: Way | None = (
        "down" if word in _DOWN or word == "best" else "up" if word in _UP or word == "worst" else None
    )
    if word in ("most", "fewest", "least") and not numbers and tail.named:
        return None, general
    if (
        general is None
        or len(numbers) != 1
        or id_like(numbers[0])
        or (word in ("best", "worst") and not _is_good(numbers[0], word))
    ):
        return None, None
    return numbers[0], general


def _by_days(word: str, table: Table) -> tuple[Column | None, Way | None]:
    """By the only days there are, where a word says how new a row is."""
    ways: dict[str, Way] = {"newest": "down", "latest": "down", "earliest": "up", "oldest": "up"}
    days = table.of_kind("date")
    return (days[0], ways[word]) if word in ways and len(days) == 1 else (None, None)


_SUMMED_UP = ("most", "fewest", "least", "most often", "least often", "best", "worst", "first", "last")
_GOOD = frozenset(WORDS["words"]["good"])


def _is_good(column: Column, word: str) -> bool:
    """Whether more of it is better: marks and takings, but no rents."""
    earned = bool(content(column) & _GOOD) or (is_money(column) and not fields_of(column))
    return earned or (word == "best" and added_up(column))


def _ranked(
    table: Table, metric: Column | None, way: Way, limit: int, targets: list[Column], filters: tuple[Filter, ...],
    word: str, named: bool, asks: bool, tail: Rows, of_row: bool,
) -> Iterator[Asked | None]:  # fmt: skip
    first = table.columns[0]
    if metric is None:
        counts = len(targets) == 1 and targets[0] is not first and _is_repeated(targets[0], table)
        yield Asked(table, "count", None, (Group(targets[0]),), filters, way, limit) if counts else None
        return
    if len(targets) > 1:
        return
    names = names_of_rows(table)
    figure = (
        word in {*_UP, *_DOWN} - {"most", "fewest", "least"} and not of_row
    )  # "the highest price", but which is "the cheapest"
    if not asks and not targets and limit == 1 and not tail.named and (figure or not names):
        yield Asked(table, "min" if way == "up" else "max", metric, (), filters)
        return
    one_each = bool(targets) and targets[0].kind == "text" and targets[0].distinct == table.rows - targets[0].nulls
    if (
        targets
        and asks
        and len(word.split()) < 3
        and (one_each or word not in _SUMMED_UP)
        and targets[0] in people_in(table)
    ):
        told = tuple(dict.fromkeys((targets[0], *names, metric)))  # "who has the biggest plot"
        yield Asked(table, "rows", metric, (), filters, way, limit, told)
        return
    if targets and not tells_apart(targets[0], table.rows) and not (targets[0] is first and first.numbered):
        if _is_repeated(targets[0], table) and (
            word not in ("most", "fewest", "least", "most often", "best") or usual(metric) != "sum"
        ):
            return  # "the site with the heaviest": of one row, or of all of its rows together
        yield Asked(table, "sum", metric, (Group(targets[0]),), filters, way, limit)
        return
    if not names or (figure and not (named or targets or asks)):
        return
    names = (targets[0],) if targets and tells_apart(targets[0], table.rows) else names
    yield Asked(table, "rows", metric, (), filters, way, limit, (*names, metric))


_FIRST_LISTED = regex(
    rf"(?:(?:list|show(?: me)?|give me|name|sort|order|rank|what are|who are) )?(?P<rows>.+?),? (?:with )?(?:the )?"
    rf"(?P<word>(?:most|least) (?:{_OF_MANY})|[a-z]{{3,}}est|earliest|latest|newest) (?:ones? )?first",
    re.I,
)


def listed_by_asked(text: str, table: Table, today: date | None) -> Iterator[Asked | None]:
    """ "The vegetarian cheeses, cheapest first": all such rows, in the order that the word says."""
    found, names = _FIRST_LISTED.fullmatch(text), names_of_rows(table)
    everything = found is not None and found["rows"].lower() in ("all", "them all", "everything", "everyone", "it all")
    said, _, by = found["rows"].partition(" by ") if found else ("", "", "")
    rows = Rows(named=True) if everything else rows_of(said, table, today) if said else None
    if found is None or rows is None or rows.asked or not names:
        return
    if not rows.named and not led_by_value(re.sub(r"^(?:all )?(?:the|our|my) ", "", said, flags=re.I), rows):
        return
    metric, way = _metric(word := found["word"].lower(), Rows(), Rows(), table)
    metric, way = (metric, way) if metric or by else _by_days(word, table)
    named = whole_figure(by, table) if by else metric
    if metric is None and named:
        metric, way = named, "down" if word in _DOWN else "up" if word in _UP else None
    if metric and way and metric == named:
        told = (*((rows.noun,) if rows.noun else names), metric) if rows.named else ()  # "the terriers": all of them
        yield Asked(table, "rows", metric, (), rows.filters, way, table.rows, tuple(dict.fromkeys(told)))
