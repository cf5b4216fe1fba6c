"""Questions of one table of which every word is accounted for: by the table, by a small set of operations, or as idle.

"Who comes most often?", "how many unpaid orders go to Dublin", "when was Elder last checked?".
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace
from datetime import date

from agent.data.tables.questions.sentence import readings
from agent.data.tables.questions.table_lexicon import tokens
from agent.data.tables.questions.table_schema import (
    Asked,
    Column,
    Filter,
    Table,
    added_up,
    id_like,
    is_money,
    is_price_of_one,
    usual,
)
from agent.data.tables.worded.derived_figures import derived_asked
from agent.data.tables.worded.everyday_wordings import otherwise_said
from agent.data.tables.worded.figures_apart import either_asked
from agent.data.tables.worded.follow_ups import over_before
from agent.data.tables.worded.known_only import KNOWN, OF_KNOWN, is_sought
from agent.data.tables.worded.orders_said import orders_asked
from agent.data.tables.worded.persons import people_in
from agent.data.tables.worded.rows_compared import is_of_event
from agent.data.tables.worded.said_plainly import asking_sentence
from agent.data.tables.worded.worded_columns import (
    CLOSE,
    by_field,
    columns_at,
    content,
    has_pieces,
    holds_money,
    names_of_rows,
    with_mark,
)
from agent.data.tables.worded.worded_extremes import by_day_asked, listed_by_asked, most_asked, top_asked
from agent.data.tables.worded.worded_figures import (
    is_price,
    led_by_value,
    measured_asked,
    of_one_row,
    paid_for,
    told_of_rows,
    total_per_asked,
    value_of_all,
)
from agent.data.tables.worded.worded_groups import (
    PEOPLE,
    grouped_count,
    of_people_counted,
    people_counted,
    several_asked,
    times_counted,
)
from agent.data.tables.worded.worded_parts import most_told_asked
from agent.data.tables.worded.worded_rows import Mention, Rows, of_people, rows_of
from agent.text.regex import regex

_LONGEST = 200  # characters
_HOW_MANY = regex(r"how many(?: of)? (?P<rest>.+)", re.I)
_OF_ONE = regex(r"(?P<wh>what|which|who|whose|when|where|how (?:much|[a-z]+))\b ?(?P<rest>.+)", re.I)
_LIST = regex(r"(?:list|show(?: me)?|name|find|which|what|who)\b ?(?P<rest>.+)", re.I)
_DIFFERENT = regex(r"(?:different|distinct|kinds? of|types? of|sorts? of) (?P<rest>.+)", re.I)


def worded_asked(text: str, table: Table, today: date | None) -> Asked | None:
    """What is asked of the one table; ``None`` where a word is left over, or it may be of several columns."""
    if ";" in text and not table.joined:
        return _narrowed(text, table, today)
    bare = asking_sentence(text, table, today)
    if not bare or len(bare) > _LONGEST or table.joined:
        return None
    if (known := KNOWN.sub("", bare)) != bare:
        made = read_sentence(known, table, today)
        return made if made and made.column and (made.order or made.measure in OF_KNOWN) else None
    made = read_sentence(bare, table, today) or derived_asked(bare, table, today, read_sentence)
    if made and not is_sought(made):
        return made
    ways = (read_sentence(way, table, today) for way in otherwise_said(bare, table))
    return next((way for way in ways if way and not (made and is_sought(way))), made)


def read_sentence(bare: str, table: Table, today: date | None) -> Asked | None:
    """What the first way makes of it that accounts for each word."""
    ways = (
        grouped_count,
        orders_asked,
        top_asked,
        listed_by_asked,
        either_asked,
        _counted,
        measured_asked,
        total_per_asked,
        by_day_asked,
        most_told_asked,
        most_asked,
        several_asked,
        _of_one,
        _whether,
        _listed,
    )
    return next((made for way in ways for made in way(bare, table, today) if made), None)


def _narrowed(text: str, table: Table, today: date | None) -> Asked | None:
    """What was asked before, of the rows alone that a follow-up behind the ";" is of."""
    first, *several = [one.strip() for one in text.split(";")]
    before = next(iter(readings(first, (table,), today)), None)
    made: Asked | None = before.asked if before and before.cost <= 1 else worded_asked(first, table, today)
    for turn, bare in enumerate(several, 1):
        made = over_before(bare, made, turn, today) if made else None
    return made


def _counted(text: str, table: Table, today: date | None) -> Iterator[Asked | None]:
    """ "How many of the pieces have not sold yet", "how many holds does Night Bus have"."""
    found = _HOW_MANY.fullmatch(text)
    if found is None:
        return
    rest = found["rest"]
    if not of_people(table) and (people := PEOPLE.fullmatch(rest)):
        yield people_counted(people["rest"], table, today)
        return
    if times := re.fullmatch(r"times (?P<rest>.+)", rest, re.I):
        yield times_counted(times["rest"], table, today)
    if different := _DIFFERENT.fullmatch(rest):
        yield _different(different["rest"], table, today, different=True)
        return
    rows = rows_of(rest, table, today)
    asked = rows.asked if rows else ()
    numbers = rows.numbers if rows else []
    others = [one for one in asked if one.column.kind != "number"]
    others = [one for one in others if not (one.verb and _WE_DO.search(rest))]  # "how many herbs do we grow"
    if rows and not numbers and len(others) == 1 and others[0].place == 0:
        yield _different(rest, table, today)
    if rows is None or others or len(numbers) > 1:
        return
    if numbers:
        first = next(one for one in asked if one.column == numbers[0])
        yield _figure_of(first, rest, rows, table)
    elif (rows.filters or rows.named) and not (has_pieces(table) and (_ANY.match(rest) or not rows.named)):
        yield Asked(table, "count", None, (), rows.filters)


_WE_DO = regex(r"\b(?:do|did|have) (?:we|i|you)\b", re.I)
_ANY = regex(r"(?:the )?(?:items?|things?|ones)\b", re.I)


def _figure_of(number: Mention, rest: str, rows: Rows, table: Table) -> Asked | None:
    """ "How many holds", "… were sold": the sum of a column that stands first, or last where it is of pieces."""
    column = number.column
    ends = number.place == len(tokens(rest)) - 1 and bool(content(column) & {"sold", "left", "stock", "quantity"})
    ends = ends or (of_people_counted(column) and not rows.named)  # "how many did we invite"
    if id_like(column) or not (number.place == 0 or ends):
        return None
    if usual(column) == "sum":
        return Asked(table, "sum", column, (), rows.filters)
    return told_of_rows(table, rows, [column], alone=True) if of_one_row(rows, table) else None


def _different(rest: str, table: Table, today: date | None, different: bool = False) -> Asked | None:
    rows = rows_of(rest, table, today)
    if rows is None or len(rows.asked) != 1 or rows.asked[0].place != 0 or rows.asked[0].verb:
        return None
    column = rows.asked[0].column
    if rows.filters and not different and column not in (*with_mark(table, "who"), *with_mark(table, "where")):
        return None  # "how many devices did Iris fix" asks for no kinds of them
    return Asked(table, "distinct", column, (), rows.filters) if column.kind == "text" else None


_HAS = regex(r"(?:has|have|had|is having|has got)\b", re.I)
_ALTOGETHER = regex(r"\b(?:altogether|all together|in all|in total|together|combined)\b", re.I)
_IS = regex(r"(?:is|are|was|were|does|do)\b", re.I)
_ASKS = regex(
    r"(?:how|is|are|was|were|do|does|did|has|have|can|could|would|will|why|when|where|total|average|number|count"
    r"|sum|mean"
    r"|median|minimum|maximum|min|max|top|bottom|highest|lowest|most|percent|percentage|share|chart|plot|draw"
    r"|compare|difference)\b",
    re.I,
)
_KINDS_ASKED = {"who": ("text",), "when": ("date",), "how much": ("number",)}


def _of_one(text: str, table: Table, today: date | None) -> Iterator[Asked | None]:
    """ "When was Elder last checked", "whose dog is Otto", "what is the weight of the Etna"."""
    found = _OF_ONE.fullmatch(text)
    how, rest = (found["wh"].lower(), found["rest"]) if found else ("", text)
    if how == "how many":
        return
    own = re.fullmatch(r"(?:is |are |was )?(?P<who>.+?)['’]s (?P<what>[\w ]+)", rest, re.I)
    rest = f"{own['what']} of {own['who']}" if own and how in ("what", "who", "when", "where", "how much") else rest
    last = how == "when" and re.search(r"\blast\b", rest, re.I)
    rest = re.sub(r"\b(?:last|the last time)\b ?", "", rest) if last else rest
    rows = rows_of(rest, table, today, _KINDS_ASKED.get(how, ()))
    asked = rows.columns if rows else []
    if rows and own and how == "how much" and not asked and (paid := paid_for(rows, table)):
        yield told_of_rows(table, rows, [paid])  # each of the repairs that are hers
        return
    if rows and how == "how much" and not asked and any(_is_paid(one) for one in rows.filters):
        paid = [one for one in table.of_kind("number") if is_money(one)]
        asked = paid if len(paid) == 1 and not is_price(paid[0]) else []
    money = how == "how much" and len(asked) == 1 and asked[0].kind == "number" and not is_price_of_one(asked[0])
    if (
        rows is None
        or not (rows.filters or money)
        or (not how and (rows.cost > CLOSE or (rows.asked[:1] and rows.asked[0].place)))
    ):
        return
    if last and not any("last" in one.name.lower() for one in asked) and not of_one_row(rows, table):
        return
    wanted = _wanted(how, rest, asked, rows, table)
    if wanted is None:
        return
    if is_price(wanted) and has_pieces(table) and is_price_of_one(wanted):
        yield value_of_all(table, rows, ()) if how != "what" or _ALTOGETHER.search(rest) else None
        return
    single = of_one_row(rows, table) or wanted.kind != "number"
    if how.startswith("how") and not single:
        of_one = is_price(wanted) and _IS.match(rest)  # "how much is the fee of Gold" is no sum of its members' fees
        of_one = of_one and not _ALTOGETHER.search(rest)
        total = (
            how in ("how much", "how far")
            and not of_one
            and (holds_money(wanted) or added_up(wanted) or how == "how far")
            and usual(wanted) == "sum"
        )
        yield Asked(table, "sum", wanted, (), rows.filters) if total else None
        return
    if single:
        yield told_of_rows(table, rows, [wanted], of_one_row(rows, table))


def _is_paid(one: Filter) -> bool:
    return (
        one.operator == "true" and one.values == ("true",) and one.column is not None and "paid" in content(one.column)
    )


def _wanted(how: str, rest: str, asked: list[Column], rows: Rows, table: Table) -> Column | None:
    """The one column that the question word and the columns that were named come to."""
    filtered = {one.column for one in rows.filters}
    if how == "who" and not asked and _HAS.match(rest):
        asked = with_mark(table, "has")
    elif how == "how much" and not asked and _IS.match(rest) and of_one_row(rows, table):
        asked = [one for one in table.of_kind("number") if is_price(one)]
    elif how == "who":
        asked = [one for one in asked if one not in with_mark(table, "where")]
        asked = [one for one in asked if one.kind == "text"] if all(one.kind == "text" for one in asked) else []
    elif how == "whose":
        asked = (by_field(table, "said", "whose") or [*people_in(table)]) if not asked else []
    elif how == "when":
        days = table.of_kind("date")
        asked = asked or [one for one in days if len(days) == 1 and is_of_event(one, table)]
        asked = asked if all(one.kind == "date" for one in asked) else []
    elif how == "where":  # "where was it found" asks for no day, of a column "Found on"
        asked = [one for one in asked if one.kind not in ("date", "number")] or with_mark(table, "where")
    elif how.startswith("how "):
        fits = by_field(table, "how", how.removeprefix("how "))
        if how == "how much":
            asked = [one for one in asked if one.kind == "number"] if asked else []
        else:
            asked = [one for one in asked if one in fits] if asked else fits
    asked = [one for one in asked if one not in filtered and not id_like(one)]
    return asked[0] if len(asked) == 1 else None


def _whether(text: str, table: Table, today: date | None) -> Iterator[Asked | None]:
    """ "Is Otto neutered", "has Lindqvist paid": the rows, with what the column says of them."""
    found = re.fullmatch(r"(?:is|are|was|were|has|have|did|does) (?P<rest>.+)", text, re.I)
    rows = rows_of(found["rest"], table, today) if found else None
    if rows is None:
        return
    days = [one.column for one in rows.asked if one.verb and one.column.kind == "date"]
    if len(days) == 1 and len(rows.asked) == 1 and of_one_row(rows, table) and not rows.negated:  # "did Raj reply"
        yield told_of_rows(table, rows, days)
    if rows.asked:
        return
    whether = [one for one in rows.filters if one.operator == "true"]
    rest = tuple(one for one in rows.filters if one.operator != "true")
    single = rest and all(one.operator in ("=", "find") and len(one.values) == 1 for one in rest)
    if single and len(whether) == 1 and whether[0].values == ("true",) and whether[0].column:
        yield told_of_rows(table, replace(rows, filters=rest), [whether[0].column])


_WHERE_THEY_ARE = regex(
    r"what (?:is|are|was|were|do (?:we|i) have|have (?:we|i) got)(?: left)? (?:in|on|at|inside|under)"
    r" (?P<rest>(?:the|our|my) [^\d]+)",
    re.I,
)


def _headed(text: str, table: Table, today: date | None) -> Rows | None:
    """The rows that are to be listed: by "which" or "who", or by a noun alone, "cats that are not reserved"."""
    if there := _WHERE_THEY_ARE.fullmatch(text):
        rows = rows_of(there["rest"], table, today)
        known = rows and rows.filters and all(one.operator == "=" for one in rows.filters)
        return replace(rows, named=True) if rows and known else None
    found = _LIST.fullmatch(text)
    rest = found["rest"] if found else text
    rows = rows_of(rest, table, today) if found or not _ASKS.match(text) else None
    if rows is None or not rows.filters:
        return None
    of_kind = led_by_value(rest, rows)
    if found:
        does = any(one.verb for one in columns_at(0, tokens(rest), table)) if rest else False  # "what weighs over 5 kg"
        return replace(rows, named=True) if (of_kind or does) and not text.lower().startswith("who") else rows
    sure = (rows.named or of_kind) and all(not one.sought for one in rows.filters)
    return replace(rows, named=True) if sure else None


def _listed(text: str, table: Table, today: date | None) -> Iterator[Asked | None]:
    """ "Which hives are untreated", "show me the red routes over 10 m"."""
    rows = _headed(text, table, today)
    if rows is None:
        return
    numbers, others = rows.numbers, rows.others
    if numbers or len(others) > 1 or any(one.kind != "text" for one in others):
        return
    who = text.lower().startswith("who")
    if others and (who or others[0] is table.columns[0] or rows.asked[0].place != 0):
        return
    if not others and not (rows.named or who):
        return
    if who and not others and (table.columns[0].kind != "text" or not of_people(table)):
        others = [*people_in(table)]
        if len(others) > 1 or (not others and table.columns[0].kind != "text"):
            return
    compared = [one.column for one in rows.filters if one.column and one.column.kind in ("number", "date")]
    if not others and not compared and of_one_row(rows, table):
        return  # "what animal is Nugget" is not answered by Nugget
    told = [*others, *compared] if others or names_of_rows(table) or table.columns[0].kind == "text" else []
    yield told_of_rows(table, rows, told)  # rows without a name are told whole, not by what they were picked by
