"""Two figures of one table set against each other: "how much more in May than in June", the share of some rows."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace
from datetime import date

from agent.data.tables.questions.table_lexicon import tokens
from agent.data.tables.questions.table_schema import Asked, Column, Filter, Table, id_like, is_money, is_share, told_of
from agent.data.tables.worded.said_plainly import asking_sentence
from agent.data.tables.worded.worded_asking import worded_asked
from agent.data.tables.worded.worded_columns import by_field, columns_at, named
from agent.data.tables.worded.worded_rows import rows_of
from agent.data.tables.wordings.groups_against import groups_against, versus_told
from agent.data.tables.wordings.set_against import Pair, difference_told, of_same_name, set_against
from agent.text.quantities.units import measure_of
from agent.text.regex import regex

_MORE = regex(
    r"(?:by )?how (?P<much>much|many) (?:more|fewer|less|higher|lower) (?P<first>.+) than"
    r" (?P<second>.+?)[ ?.!]*",
    re.I,
)
_COMPARED = regex(
    r"(?:by )?how much (?P<how>more [a-z]+|less [a-z]+|[a-z]+er) (?:is|was|are|were) (?P<a>.+) than"
    r" (?P<b>.+?)[ ?.!]*",
    re.I,
)
_IS_MORE = regex(
    r"(?:by )?how much (?:more|less) (?:is|was|are|were|does|did|do) (?P<a>.+?)"
    r"(?: (?P<verb>cost|pay|paid|earn|weigh|take|make|charge))?"
    r" than (?P<b>.+?)(?: (?:is|was|does|do|did|are)| (?P<per>per|an?) (?P<unit>[a-z]+))*[ ?.!]*",
    re.I,
)
_WHO_MORE = regex(
    r"(?:who|which(?: [a-z]+)?|what) (?:(?:has|have|had|did|does|do) (?:we |i )?)?(?P<verb>[a-z]+(?: in| out)?)"
    r" (?:the )?(?:more|most|less|least|fewer)(?P<what>(?: [a-z]+){0,3}?)(?: on)?(?:,|:| -) ?(?P<a>[^,]+?)"
    r" or (?P<b>[^,]+?)(?:,? (?:and )?by how (?:much|many))?[ ?.!]*",
    re.I,
)
_BETWEEN = regex(
    r"(?:what(?:'s| is| was) )?(?:the )?difference in (?P<what>[\w ]+?) between (?P<a>.+?) and"
    r" (?P<b>.+?)[ ?.!]*",
    re.I,
)


def english_pair(text: str, table: Table, today: date | None) -> Pair | None:
    """Both figures, what they are called, and how they are set against each other."""
    bare = asking_sentence(text, table, today)
    against = set_against(bare, table, today) or groups_against(bare, table, today) if bare else None
    return against or _difference(bare or text, table, today) or _share(bare, table, today)


def _difference(text: str, table: Table, today: date | None) -> Pair | None:
    """``None`` where they do not differ in the values of the same columns."""
    for first, second in _told(text, table):
        one = _figure(worded_asked(first, table, today))
        rows = rows_of(second, table, today) if one else None
        if one is None or rows is None or (not rows.filters and not rows.asked):
            continue
        columns = rows.columns
        columns = columns or ([one.column] if one.column else [])
        if len(columns) > 1 or (columns and columns[0].kind != "number") or not _alike(one.filters, rows.filters):
            continue
        named_alike = of_same_name(one.filters, rows.filters)
        if named_alike is None:
            continue
        one = replace(one, filters=tuple(named_alike[0]))
        others = tuple(named_alike[1])
        kept = [each for each in one.filters if each.column not in [other.column for other in others]]
        other = replace(one, column=columns[0] if columns else None, filters=(*kept, *others))
        if other != one:
            return one, other, (_called(one, other), _called(other, one)), "difference_in_table"
    return None


_SHARE = regex(
    r"(?:what|which|how much)(?: is|'s|s)?(?: the| of)*? ?"
    r"(?:%|percent|percentage|per cent|share|proportion|fraction|part)"
    r"(?: of)? (?:all )?(?:of )?(?P<all>.+?)"
    r"(?: (?:is|are|was|were|did|does|do|has|have)(?: made| accounted for| taken)?)?"
    r"(?: (?:came|comes|come|go|goes|went))? (?:from|by|in|for|on|to|at|through|the) (?P<one>.+?)"
    r"(?: (?:make|bring in|take|have|account for|cost|earn))?(?:,? (?:in|as a) (?:%|percent|percentage))?[ ?.!]*",
    re.I,
)
_SHARE_OF_ROWS = regex(
    r"(?:what|which)(?: is|'s)?(?: the)? (?:%|percent|percentage|per cent|share|proportion|fraction)(?: of)?(?: all)?"
    r"(?: of)? (?P<all>.+?)"
    r" (?P<one>(?:is|are|was|were|have|has|had|with|need|needs|came|went|got|landed|cost"
    r"|over|under|above|below|at least|at most|(?:more|less|fewer|older|younger|longer|shorter) than)\b.+?)[ ?.!]*",
    re.I,
)


_IS = regex(r"^(?:(?:is|are|was|were|the) )+", re.I)


def _share(bare: str, table: Table, today: date | None) -> Pair | None:
    """A part of the rows and all of them: "what % of all the takings came from the raffle"."""
    for pattern, asks in ((_SHARE, "total"), (_SHARE, "how many"), (_SHARE_OF_ROWS, "how many")):
        found = pattern.fullmatch(bare)
        whole = worded_asked(f"{asks} {found['all']}", table, today) if found else None
        rows = rows_of(found["one"], table, today) if found and whole else None
        if (
            not found
            or not whole
            or not rows
            or whole.measure not in ("sum", "count")
            or whole.groups
            or whole.table.joined
            or (whole.column and is_share(whole.column))
        ):
            continue
        bound = {one.column for one in whole.filters}
        asked = {one.column for one in rows.asked} - {whole.column}
        if rows.filters and not asked and not any(one.column in bound for one in rows.filters):
            part = replace(whole, filters=(*whole.filters, *rows.filters))
            return part, whole, (_IS.sub("", found["one"]), found["all"]), "share_of_table"
    return None


def _told(text: str, table: Table) -> Iterator[tuple[str, str]]:
    """What the one figure is asked by, and of which rows the other one is."""
    if (is_more := _IS_MORE.fullmatch(text)) and (column := _by_verb(is_more, table)):
        yield f"what is the “{column.called}” of {is_more['a']}", f"of {is_more['b']}"
    if compared := _COMPARED.fullmatch(text):
        way = f"{compared['how'].lower()} than"
        columns = [one for key in ("more", "less") for one in by_field(table, key, way)]
        if len(columns) == 1:
            yield f"what is the “{columns[0].called}” of {compared['a']}", f"of {compared['b']}"
    if who := _WHO_MORE.fullmatch(text):
        yield f"how much {who['what']} did {who['a']} {who['verb']}".replace("  ", " "), who["b"]
        yield f"total {who['what']} of {who['a']}", f"of {who['b']}"
    if more := _MORE.fullmatch(text):
        yield f"how {more['much']} {more['first']}", more["second"]
    yield from difference_told(text, table)
    yield from versus_told(text, table)
    if between := _BETWEEN.fullmatch(text):
        yield f"what is the {between['what']} of {between['a']}", f"of {between['b']}"


def _by_verb(said: re.Match[str], table: Table) -> Column | None:
    """The column of "how much more does A weigh than B", or of "how much more is A than B per kilo"."""
    numbers = [one for one in table.of_kind("number") if not id_like(one)]
    if said["verb"]:
        fits = [one.column for one in columns_at(0, tokens(said["verb"]), table) if one.verb and one.column in numbers]
    else:
        fits = [one for one in numbers if one in by_field(table, "how", "much") or is_money(one)]
    if said["unit"]:
        fits = [one for one in fits if is_per(one, said["unit"].lower())]
    return fits[0] if len(fits) == 1 else None


def is_per(column: Column, unit: str) -> bool:
    """Whether it is a price per such a unit: "Price per kg" per kilo."""
    ends = (name[name.index("per") + 1 :] for name in named(column) if "per" in name[1:-1])
    said = {one.name for one in measure_of(unit)}
    return any(unit == end[0] or said & {one.name for one in measure_of(end[0])} for end in ends)


def _called(one: Asked, other: Asked) -> str:
    """What the first figure has that the other one has not."""
    years = one.column is not None and one.column != other.column
    told = [each for each in one.filters if each.said != "-" and (years or each not in other.filters)]
    own = [" ".join(map(told_of, each.values)) for each in told]
    return " ".join([*own, *([one.column.called] if one.column and years else [])])


def _figure(asked: Asked | None) -> Asked | None:
    """One figure of what is asked, where it is one."""
    if asked and asked.measure == "rows" and len(asked.shown) == 1 and asked.shown[0].kind == "number":
        return replace(asked, measure="sum", column=asked.shown[0], shown=(), limit=0)
    return asked if asked and asked.measure in ("sum", "count") and not asked.groups else None


def _alike(first: tuple[Filter, ...], second: tuple[Filter, ...]) -> bool:
    """Whether the second has filters of columns that the first one has some of, too."""
    alike = all(one.operator in ("=", "month", "year", "find") or one.said[:3] in ("on ", "-") for one in second)
    texts = {one.column for one in second if one.column and one.column.kind == "text"}
    looked_for = {None, *texts} if any(one.column is None for one in (*first, *second)) else set[Column | None]()
    return alike and {one.column for one in second} <= {*(one.column for one in first), *looked_for}
