"""Figures that two columns make together: takings after costs, rent per square metre, bread and cakes together.

The sentence is read of one of the two columns, and what is asked of that one is asked of both then.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from datetime import date
from typing import Literal

from agent.data.tables.identifiers import quoted
from agent.data.tables.questions.table_lexicon import tokens
from agent.data.tables.questions.table_schema import Asked, Column, Filter, Table, id_like, is_money
from agent.data.tables.worded.worded_columns import by_field, columns_at, content, in_unit, named
from agent.data.tables.worded.worded_figures import whole_figure
from agent.text.regex import regex

Reader = Callable[[str, Table, "date | None"], Asked | None]
_AFTER = regex(
    r"(?P<head>.+?),? (?:after|minus|less|net of|(?:once|when|if) (?:you|we|i|they)(?: have| had)? (?:take|took|taken"
    r"|subtract|subtracted|deduct|deducted)(?: (?:off|away|out))?)(?: (?:paying|taking off|subtracting|deducting))?"
    r"(?: (?:all|the|its|their|her|his|our|my))* (?P<less>[a-z][a-z ]*?)"
    r"(?: (?:are|is) (?:taken off|taken away|deducted|paid))?(?P<tail>(?:,? and (?:by )?how much\b.*)?)",
    re.I,
)
# "Once you knock the costs off the takings, which stall did best".
_TAKEN_OFF = regex(
    r"(?:once|after|when|if) (?:you|we|i|they)(?:['’]ve| have| had)? (?:take|took|taken|knock|knocked|subtract"
    r"|subtracted|deduct|deducted)(?: (?:off|away))? (?:the |its |their )?(?P<less>[a-z][a-z ]*?)"
    r" (?:off|(?:away )?from|out of) (?:the |its |their )?(?P<of>[a-z][a-z ]*?), (?P<asks>(?:which|what|who)\b[^,]*?)"
    r" (?:did|does|do|has|is|was|came out|comes out)(?: the)? (?P<end>best|worst)(?P<tail>(?:,? and .*)?)",
    re.I,
)
_PROFIT = regex(r"(?:(?:the|its|their|a) )?(?:net )?profits?\b", re.I)
_COSTS = frozenset(["cost", "expense", "expenses", "outlay", "spending"])
_TAKEN = frozenset(["takings", "taking", "revenue", "sale", "turnover", "income", "proceed", "raised"])
_PER = regex(
    r"(?P<head>.*?)\b(?:per|for each|for every) (?P<by>[a-z][\w ]*?)"
    r"(?P<tail>(?: (?:for|of|at|on|in|is|was|does|did)\b.*)?)",
    re.I,
)
_TOGETHER = regex(
    r"(?P<head>.*?)\b(?P<a>[a-z]+),? (?:and|plus) (?:the |from )?(?P<b>[a-z]+)(?: (?:takings|sales|money|income))?"
    r"(?P<end>(?: (?:together|combined|in total|altogether|all together|added (?:up|together)|put together))?)"
    r"(?P<tail>.*)",
    re.I,
)
_TOTALS = regex(r"\b(?:together|combined|in total|altogether|all together|added|total|sum)\b", re.I)
_UP = ("went up", "gone up", "improved", "increased", "rose", "risen", "grew", "grown", "gained", "go up")
_CHANGED = regex(
    rf"(?P<head>(?:who|which|what)\b.*?) (?:has |have )?(?P<way>{'|'.join(_UP)}"
    r"|went down|gone down|dropped|fell|fallen|lost)"
    r"(?: by)?(?: the)? (?P<end>most|least)(?: (?:points|marks|percent|pounds))?,? (?:from|between) (?P<a>.+?)"
    r" (?:to|and) (?P<b>.+?)(?P<tail>(?:,| and (?!by)).*| and by .*)?",
    re.I,
)
_YEAR = regex(
    r",? (?:for|in|over|during)? ?(?:a|one|the) (?:whole|full|entire|year)(?: year)?\b"
    r"|,? (?:per year|yearly|annually)\b",
    re.I,
)
_SPEED = regex(r"\b(?:(?:the )?(?:average|avg|mean) )?(?:speed|pace)(?:,? in (?:km ?/ ?h|kmh|kph|km an hour))?\b", re.I)
_HOURLY = {"min": 60, "mins": 60, "minute": 60, "minutes": 60, "hour": 1, "hours": 1, "h": 1, "hrs": 1}


@dataclass(frozen=True, slots=True)
class _Derived:
    """``text`` asks of ``column`` what is to be asked of it together with ``other``, or times a number."""

    text: str
    column: Column
    way: Literal["-", "+", "/", "*"]
    other: Column | None = None
    factor: int = 1
    called: str = ""


def derived_asked(text: str, table: Table, today: date | None, read: Reader) -> Asked | None:
    """What is asked of a figure that no column has, but two have together; ``read`` reads it of the one column."""
    if beyond := _beyond(text, table, today, read):
        return beyond
    if off := _TAKEN_OFF.fullmatch(text):
        end = "most" if off["end"].lower() == "best" else "least"
        text = f"{off['asks']} has the {end} {off['of']} minus {off['less']}{off['tail']}"
    for one in _ways(text, table):
        made = read(one.text, table, today)
        wanted = _wanted(made) if made else None
        if made and wanted == one.column and not made.groups and made.chart == "":
            return _of_both(made, one)
    return None


_BEYOND = regex(
    r"(?P<head>(?:which|what|who|how many|list|show me|did any|has any|do any)\b.*?) (?:has|have|had|with|took|take"
    r"|used|got|gave|made|did|where)(?: the| a| an)? "
    r"(?P<way>more|fewer|less|higher|lower|larger|smaller|bigger|greater) (?P<a>.+?) than "
    r"(?:the |a |an |its |their )?(?P<b>.+?)",
    re.I,
)
# "Who has lost more games than they have won".
_DONE_MORE = regex(
    r"(?P<head>(?:which|what|who|how many|list|show me)\b.*?)(?: (?:has|have|had|that|which|who))* (?P<a>[a-z]+) "
    r"(?P<way>more|fewer|less)(?: (?:games|matches|times|often|of them))? than (?:they|he|she|it)"
    r"(?:['’]ve|['’]s| have| has| had| did)? (?P<b>[a-z]+)",
    re.I,
)
_LESS = ("fewer", "less", "lower", "smaller")


def _beyond(text: str, table: Table, today: date | None, read: Reader) -> Asked | None:
    """ "Which ships have more cabins than car spaces": rows whose one figure is above another one of theirs."""
    found = _BEYOND.fullmatch(text) or _DONE_MORE.fullmatch(text)
    one, other = (_number(found["a"], table), _number(found["b"], table)) if found else (None, None)
    if found is None or one is None or other is None or one == other or one.unit != other.unit:
        return None
    made = read(f"{found['head']} have “{one.called}” over 0", table, today)
    own = [each for each in made.filters if each != Filter(one, ">", ("0",))] if made else []
    if made is None or made.measure not in ("rows", "count") or len(own) != len(made.filters) - 1:
        return None
    more, less = (other, one) if found["way"].lower() in _LESS else (one, other)
    both = _of_both(replace(made, measure="rows"), _Derived("", more, "-", less))
    column = both.table.columns[-1] if both else None
    shown = tuple(dict.fromkeys((*made.shown, one, other))) if made.measure == "rows" else ()
    filters = (*own, Filter(column, ">", ("0",)))
    return replace(made, table=both.table, filters=filters, shown=shown) if both else None


def _wanted(made: Asked) -> Column | None:
    """The one column whose figures are told, added up or set in order."""
    if made.measure in ("sum", "rows") and made.column:
        return made.column
    numbers = [one for one in made.shown if one.kind == "number"]
    return numbers[0] if made.measure == "rows" and len(numbers) == 1 else None


def _ways(text: str, table: Table) -> Iterator[_Derived]:
    if after := _AFTER.fullmatch(text):
        less, tail = _number(after["less"], table), after["tail"]
        for column in _taken(table) if less and not _number_named(after["head"], table) else ():
            yield _Derived(after["head"].replace("most money", f"most “{column.called}”") + tail, column, "-", less)
        for column in _number_named(after["head"], table) if less else ():
            yield _Derived(after["head"] + tail, column, "-", less)
    costs = [one for one in table.of_kind("number") if content(one) & _COSTS]
    if _PROFIT.search(text) and len(costs) == len(_taken(table)) == 1 and not _number(_PROFIT.findall(text)[0], table):
        yield _Derived(_PROFIT.sub(f"“{_taken(table)[0].called}”", text, count=1), _taken(table)[0], "-", costs[0])
    yield from _rates(text, table)
    if (both := _TOGETHER.fullmatch(text)) and _TOTALS.search(text):
        first, second = _number(both["a"], table), _number(both["b"], table)
        if first and second and first != second and first.unit == second.unit and (first.unit or is_money(first)):
            head = re.sub(r"(?:both|for|with|on|from|in) $", "", both["head"])
            yield _Derived(
                f"{head}“{first.called}”{'' if both['tail'] else both['end']}{both['tail']}", first, "+", second
            )
    if changed := _CHANGED.fullmatch(text):
        first, second = _number(changed["a"], table), _number(changed["b"], table)
        if first and second and first != second:
            up = changed["way"].lower() in _UP
            more, less = (second, first) if up else (first, second)
            yield _Derived(
                f"{changed['head']} has the {changed['end']} “{more.called}”{changed['tail'] or ''}", more, "-", less
            )
    monthly = [one for one in table.of_kind("number") if any("month" in name for name in named(one))]
    if len(monthly) == 1 and (year := _YEAR.search(text)) and "year" in year[0].lower():
        yield _Derived(_YEAR.sub("", text, count=1), monthly[0], "*", None, 12, f"12 times {monthly[0].called}")


def _rates(text: str, table: Table) -> Iterator[_Derived]:
    per = _PER.fullmatch(text)
    by = _number(per["by"], table) if per else None
    for column in _number_named(per["head"], table) if per else ():
        if per and by and column != by:
            head = per["head"].strip()
            asks = re.match(r"(?:what|which|who|how)\b", head, re.I)
            yield _Derived(f"{'' if asks else 'what is the '}{head}{per['tail']}", column, "/", by)
    far = [one for one in table.of_kind("number") if in_unit(one, "km")]
    long = [one for one in table.of_kind("number") if {*_HOURLY} & {w for name in named(one) for w in name}]
    if len(far) == len(long) == 1 and _SPEED.search(text) and not by_field(table, "how", "fast"):
        hour = next(_HOURLY[word] for name in named(long[0]) for word in name if word in _HOURLY)
        bare = _SPEED.sub(f"“{far[0].called}”", text, count=1)
        yield _Derived(bare, far[0], "/", long[0], hour, f"{far[0].called} per hour")


def _number(text: str, table: Table) -> Column | None:
    """The one column of figures that all words of ``text`` mean, by its name or its unit."""
    square = re.sub(r"^(?:square|sq) (?:metres?|meters?|m)$", "m2", text.strip(), flags=re.I).lower()
    fits = [one for one in table.of_kind("number") if square in re.findall(r"[a-z]+\d?", one.called.lower())]
    fits = [one for one in fits if not id_like(one)]
    return whole_figure(text, table) or (fits[0] if len(fits) == 1 else None)


def _number_named(text: str, table: Table) -> list[Column]:
    """The columns of figures that some words of ``text`` mean; several where it is unsure."""
    said = tokens(text)
    found = [one.column for place in range(len(said)) for one in columns_at(place, said, table)]
    found = found or [one for token in said for key in ("most", "least") for one in by_field(table, key, token.word)]
    several = list(dict.fromkeys(one for one in found if one.kind == "number" and not id_like(one)))
    return several if len(several) == 1 else []


def _taken(table: Table) -> list[Column]:
    return [one for one in table.of_kind("number") if content(one) & _TAKEN]


_CALLED = {"-": "minus", "+": "plus", "/": "per"}


def _of_both(made: Asked, one: _Derived) -> Asked | None:
    """What is asked, of the figures of both columns; ``None`` where they are not put together so."""
    if one.way == "/" and made.measure != "rows":
        return None  # a rate is not added up
    first = quoted(one.column.name)
    if one.other is None:
        worked_out, called = f"round({first} * {one.factor}, 2)", one.called
    elif one.way == "/":
        share = f"{first} * {one.factor}" if one.factor > 1 else first
        worked_out = f"round({share} / nullif({quoted(one.other.name)}, 0), 2)"
        called = one.called or f"{one.column.called} per {one.other.called}"
    else:
        both = [first, quoted(one.other.name)]
        if made.measure == "sum":  # those that are missing count as nothing, as they do in each sum
            both = [f"coalesce({name}, 0)" for name in both]
        worked_out = f" {one.way} ".join(both)
        called = f"{one.column.called} {_CALLED[one.way]} {one.other.called}"
    column = Column(
        re.sub(r"\W+", "_", called).strip("_").lower(), called, "number", one.column.unit if one.way != "/" else ""
    )
    shown = tuple(column if each == one.column else each for each in made.shown)
    wanted = column if made.column else None
    return replace(made, table=made.table.with_column(column, worked_out), column=wanted, shown=shown)
