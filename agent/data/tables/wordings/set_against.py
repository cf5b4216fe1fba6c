"""Two figures of one column set against each other: its range, whether one row has more, by how many percent."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from datetime import date
from decimal import Decimal
from typing import Literal

from agent.data.tables.questions.table_lexicon import tokens
from agent.data.tables.questions.table_schema import Asked, Column, Filter, Table, id_like, tells_apart
from agent.data.tables.worded.rows_compared import is_year
from agent.data.tables.worded.worded_columns import by_field, columns_at, names_of_rows
from agent.data.tables.worded.worded_figures import whole_column, whole_figure
from agent.data.tables.worded.worded_rows import Rows, rows_of
from agent.text.regex import regex

Against = Literal["difference_in_table", "share_of_table", "range_in_table", "change_of_rows", "up", "down"]
Pair = tuple[Asked, Asked, tuple[str, str], Against]

_WHAT_IS = r"(?:(?:what|how (?:big|large|wide|much))(?:'s| is| was) )?(?:the |our )?"
_APART = r"(?:difference|gap|spread|distance|range)"
_HIGH = r"(?:highest|largest|biggest|greatest|maximum|max|top)"
_LOW = r"(?:lowest|smallest|least|minimum|min|bottom)"
_AND = "(?: and| to)(?: the)?"
_BOTH = rf"(?:between|from) (?:the )?(?:{_HIGH}{_AND} {_LOW}|{_LOW}{_AND} {_HIGH})"
_NAMED_ONCE = rf"(?:{_HIGH} (?P<what>.+?){_AND} {_LOW}|{_LOW} (?P<other>.+?){_AND} {_HIGH})"
_RANGES = (
    regex(rf"{_WHAT_IS}{_APART} {_BOTH}(?: of the)? (?P<what>.+)", re.I),
    regex(rf"{_WHAT_IS}(?P<what>.+?) {_APART} {_BOTH}", re.I),
    regex(rf"{_WHAT_IS}{_APART} (?:between|from) (?:the )?{_NAMED_ONCE}(?: (?P<again>.+))?", re.I),
    regex(rf"{_WHAT_IS}(?P<what>[a-z ]+?) (?:range|spread)(?: of (?P<again>.+))?", re.I),
    regex(rf"{_WHAT_IS}(?:range|spread) (?:of|in)(?: the)? (?P<what>.+)", re.I),
)
_MORE = r"(?P<word>(?:more|less) (?!than\b)[a-z]+|worth (?:more|less)|[a-z]+er)"  # dearer, more expensive
_SIZE = r"(?P<much>more|less|fewer|higher|lower|bigger|larger|smaller|greater|longer|shorter)"
_WHETHER = (
    regex(rf"(?:is|was|are|were) (?:the )?(?P<a>.+?) (?:any )?{_MORE} than (?:the )?(?P<b>.+)", re.I),
    regex(
        r"(?:does|did|do) (?:the )?(?P<a>.+?) (?P<verb>cost|weigh|earn|pay|take|last) (?P<much>more|less)"
        r" than (?:the )?(?P<b>.+)",
        re.I,
    ),
    regex(
        rf"(?:does|did|do|has|have) (?:the )?(?P<a>.+?) (?:(?:have|got|has|had) )?(?:an? )?{_SIZE} (?P<what>.+?)"
        r" than (?:the )?(?P<b>.+)",
        re.I,
    ),
)
_UPWARDS = ("more", "higher", "bigger", "larger", "greater", "longer")
_DROP = r"(?:drop|fall|go down|rise|grow|go up|increase|decrease|change|shrink|climb)"
_DROPPED = r"(?:dropped|fallen|gone down|risen|grown|gone up|increased|decreased|changed|shrunk|climbed)"
_PERCENT = r"(?:percent|percentage|per cent|%)"
_FROM_TO = r"(?:between|from) (?P<a>.+?) (?:and|to) (?P<b>.+)"
_CHANGES = (
    regex(
        rf"(?:by )?(?:how many {_PERCENT}|what {_PERCENT}|how much (?:in )?(?:as a )?{_PERCENT}) (?:did|has|have)"
        rf" (?:the |our )?(?P<what>.+?) (?:{_DROP}|{_DROPPED}) {_FROM_TO}",
        re.I,
    ),
    regex(
        rf"{_WHAT_IS}{_PERCENT} (?:change|drop|fall|rise|increase|decrease|difference) (?:in|of) (?:the |our )?"
        rf"(?P<what>.+?) {_FROM_TO}",
        re.I,
    ),
)


def set_against(text: str, table: Table, today: date | None) -> Pair | None:
    """The two figures of ``text``, the sentence of one table alone, however it sets them against each other."""
    if table.joined:
        return None
    return (
        _range(text, table, today)
        or _ends(text, table, today)
        or _whether(text, table, today)
        or _change(text, table, today)
    )


def _range(text: str, table: Table, today: date | None) -> Pair | None:
    for said in filter(None, (form.fullmatch(text) for form in _RANGES)):
        parts = {name: value for name, value in said.groupdict().items() if value}
        what = parts.get("what") or parts.get("other") or ""
        alone = whole_column(what, table, ("number",))
        rows = Rows() if alone else rows_of(what, table, today)
        column = (alone if not id_like(alone) else None) if alone else _number(rows, table)
        again = parts.get("again", "")
        of_rows = bool(again) and whole_column(again, table, ("number",)) != column
        if of_rows and not (rows and not rows.filters):
            continue
        if of_rows and column:
            more = rows_of(again, table, today)
            rows = (
                replace(rows, filters=more.filters)
                if rows and more and (more.filters or more.named) and not more.asked
                else None
            )
        if rows is None or column is None or any(one.column == column for one in rows.filters):
            continue
        most = Asked(table, "max", column, (), rows.filters)
        return most, replace(most, measure="min"), ("the highest", "the lowest"), "range_in_table"
    return None


_OF_ENDS = regex(
    rf"{_WHAT_IS}(?:price )?{_APART} (?:between|from) (?:the |our )?(?P<a>(?:most |least )?[a-z]+) (?:and|to)"
    r" (?:the |our )?(?P<b>(?:most |least )?[a-z]+)(?: (?P<rows>.+))?",
    re.I,
)


def _ends(text: str, table: Table, today: date | None) -> Pair | None:
    """ "The gap between the dearest and the cheapest tea": of the column that both words are of."""
    said = _OF_ENDS.fullmatch(text)
    rows = rows_of(said["rows"], table, today) if said and said["rows"] else Rows()
    if said is None or rows is None or rows.asked:
        return None
    ends = (said["a"].lower(), said["b"].lower())
    most, least = (
        {one for end in ends for one in by_field(table, key, end) if one.kind == "number"} for key in ("most", "least")
    )
    both = most & least
    opposite = any(by_field(table, "most", a) and by_field(table, "least", b) for a, b in (ends, ends[::-1]))
    if len(both) != 1 or most | least != both or not opposite:
        return None
    (column,) = both
    wanted = Asked(table, "max", column, (), rows.filters)
    return wanted, replace(wanted, measure="min"), ("the highest", "the lowest"), "range_in_table"


def _number(rows: Rows | None, table: Table) -> Column | None:
    """The one column of figures that was named, and nothing else."""
    asked = rows.columns if rows and not rows.negated else []
    one = asked[0] if len(asked) == 1 and asked[0].kind == "number" and not id_like(asked[0]) else None
    return one if one in table.columns else None


def _whether(text: str, table: Table, today: date | None) -> Pair | None:
    for said in filter(None, (form.fullmatch(text) for form in _WHETHER)):
        by = _compared_by(said.groupdict(), table)
        both = _two_rows(said["a"], said["b"], by[0], table, today) if by else None
        if by and both:
            return *both, by[1]
    return None


def _compared_by(said: dict[str, str | None], table: Table) -> tuple[Column, Literal["up", "down"]] | None:
    """The column of figures that is compared, and whether the first is to be above the second."""
    if word := (said.get("word") or "").lower():
        most = f"most {word[5:]}" if word.startswith("more ") else f"least {word[5:]}" if word[:5] == "less " else ""
        most = most or f"{word.removesuffix('er')}est"
        upwards = by_field(table, "more", f"{word} than") or by_field(table, "most", most)
        downwards = by_field(table, "less", f"{word} than") or by_field(table, "least", most)
        several = upwards or downwards
        fits = [one for one in several if one.kind == "number" and (not id_like(one) or is_year(one))]
        sure = len(fits) == 1 == len([*upwards, *downwards])
        return (fits[0], "up" if upwards else "down") if sure else None
    way: Literal["up", "down"] = "up" if (said.get("much") or "").lower() in _UPWARDS else "down"
    if verb := said.get("verb"):
        named = [one.column for one in columns_at(0, tokens(verb), table) if one.verb and one.column.kind == "number"]
        return (named[0], way) if len(named) == 1 else None
    column = whole_figure(said.get("what") or "", table)
    return (column, way) if column else None


def _two_rows(
    a: str, b: str, column: Column, table: Table, today: date | None
) -> tuple[Asked, Asked, tuple[str, str]] | None:
    """The figures of two single rows, each told by its name alone."""
    b = re.sub(r" (?:is|was|does|did|do|are|has|had)$", "", b, flags=re.I)
    several = [_of_name(rows_of(f"of {end}", table, today), column, table) for end in (a, b)]
    found = [one for one in several if one]
    if len(found) != len(several):
        return None
    own = [one.column for one in found if one.column]
    names = [one for one in names_of_rows(table) if one.kind == "text"]
    name = own[0] if own else names[0] if len(names) == 1 else None
    if name is None or any(one != name for one in own):
        return None
    first, second = (Asked(table, "sum", column, (), (replace(one, column=name),)) for one in found)
    return (first, second, (found[0].values[0], found[1].values[0])) if first != second else None


def _of_name(rows: Rows | None, column: Column, table: Table) -> Filter | None:
    """The one filter, of the name of a row, or a text that is still to be looked for."""
    if rows is None or len(rows.filters) != 1 or any(one.column != column for one in rows.asked):
        return None
    (one,) = rows.filters
    fits = one.operator in ("=", "find") and len(one.values) == 1
    return one if fits and (one.column is None or is_name(one, table)) else None


def is_name(one: Filter, table: Table) -> bool:
    """Whether it is of one row alone, by what is known of the table."""
    if one.column is None or one.column.kind != "text":
        return False
    counts = dict(zip(one.column.values, one.column.counts, strict=False))
    return tells_apart(one.column, table.rows) or counts.get(one.values[0]) == 1


def _change(text: str, table: Table, today: date | None) -> Pair | None:
    for said in filter(None, (form.fullmatch(text) for form in _CHANGES)):
        column = whole_figure(said["what"], table)
        both = _two_rows(said["a"], said["b"], column, table, today) if column else None
        if both:
            return *both, "change_of_rows"
    return None


def difference_told(text: str, table: Table) -> Iterator[tuple[str, str]]:
    """ "The rent difference between A and B", "how far apart are A and B in age": what each of both is asked by."""
    for said in filter(None, (form.fullmatch(text) for form in _BETWEEN)):
        if column := whole_figure(said["what"], table):
            yield f"what is the “{column.called}” of {said['a']}", f"of {said['b']}"


_BETWEEN = (
    regex(
        r"(?:what(?:'s| is| was) )?(?:the )?(?P<what>[\w ]+?) (?:difference|gap) between (?P<a>.+?) and (?P<b>.+?)",
        re.I,
    ),
    regex(
        r"(?:what(?:'s| is| was) )?(?:the )?(?:gap|difference) between (?P<a>.+?) and (?P<b>.+?)"
        r" (?:in|for|by) (?P<what>[\w ]+)",
        re.I,
    ),
)


def of_same_name(first: Sequence[Filter], second: Sequence[Filter]) -> tuple[list[Filter], list[Filter]] | None:
    """Both with the name in the same column, where one of them is still to be looked for.

    ``None`` where the first has several texts, and it is not told which of them the second one replaces.
    """
    texts = [one for one in first if one.column is None or (one.column.kind == "text" and one.operator == "=")]
    other = [one for one in second if one.operator == "find" or (one.column and one.column.kind == "text")]
    if not any(one.column is None for one in (*texts, *other)):
        return list(first), list(second)
    if len(texts) != 1 or len(other) != 1:
        return None
    column = texts[0].column or other[0].column
    ends = [
        [replace(one, column=column) if one in (*texts, *other) else one for one in each] for each in (first, second)
    ]
    return ends[0], ends[1]


def worked_out(way: str, first: str, second: str) -> str:
    """The sum that the two figures make: a difference from 0 up, a share or a change in percent, a ratio."""
    less, more = sorted((first, second), key=Decimal)
    sums = {
        "share_of_table": f"{first} / {second} * 100",
        "ratio_of_rows": f"{first} / {second}",
        "change_of_rows": f"({more} - {less}) / {first} * 100",
    }
    return sums.get(way, f"{more} - {less}")
