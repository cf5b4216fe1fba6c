"""Which rows or groups are the most of something, of the pieces of a question: "the dearest, and who took it"."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from agent.data.tables.pieced.cut_pieces import Pieces, rest_told
from agent.data.tables.pieced.ends_said import WORDS
from agent.data.tables.questions.table_lexicon import Token, words
from agent.data.tables.questions.table_schema import (
    Asked,
    Column,
    Group,
    Measure,
    Table,
    id_like,
    is_money,
    usual,
)
from agent.data.tables.worded.persons import people_in
from agent.data.tables.worded.rows_compared import is_year
from agent.data.tables.worded.worded_columns import days_of_rows, is_of_period, names_of_rows, nearest_at, stem
from agent.data.tables.worded.worded_figures import PERIODS, is_price

FIGURES = ("sum", "avg", "median", "max", "min")
_ADDED = ("most", "least", "fewest", "highest", "lowest")  # of what the rows of a group have together
_SIZES = ("biggest", "largest", "smallest", "highest", "lowest")
_ONE = ("what", "which", "who", "whose")


def most_asked_in(all_: Pieces) -> Asked | None:
    """ "The dearest and who took it", "which month brought in most", "top three by cost"."""
    all_ = _by_row(all_)
    wish, table = all_.wish, all_.table
    target = _target(all_)
    groups = wish.groups or ((Group(target),) if target and _is_repeated(target, table) else ())
    limit = wish.limit or (table.rows if wish.first else 1)
    way = "down" if wish.way == "down" else "up"
    if wish.often or _counts_rows(all_):
        told = groups and not all_.numbers and not wish.by and not wish.first and rest_told(all_, None)
        return Asked(table, "count", None, groups, wish.filters, way, limit) if told is not None and groups else None
    if wish.measure == "count" and all_.asks and all_.asks[0].word == "how many":
        return None  # a number, and then the most of something
    by = _ordering(all_)
    if (
        by is None
        or (wish.limit and wish.measure not in (None, "count"))
        or (wish.first and any(one is not by for one in all_.numbers))
    ):
        return None
    summed = wish.groups or wish.measure in FIGURES or (wish.most in _ADDED and usual(by) == "sum")
    others = rest_told(all_, by)
    if others is None:
        return None
    if groups and summed:
        measure: Measure = wish.measure if wish.measure in FIGURES else usual(by)
        beside = [one for one in others if one not in (by, *(group.column for group in groups))]
        return None if beside else Asked(table, measure, by, groups, wish.filters, way, 0 if wish.first else limit)
    if wish.measure not in (None, "count") or (groups and wish.most in _ADDED):
        return None
    names = names_of_rows(table)
    if _is_of_other_noun(all_, names) or (wish.most in _ADDED and not target and not names and usual(by) == "sum"):
        return None  # "what did we sell most of" of several rows each
    own = [target] if target else []
    named = own or any(one.kind == "text" for one in names) or is_of_period(table, "month")  # a day alone is no name
    shown = tuple(dict.fromkeys((*own, *names, *others, by))) if named else ()
    return Asked(table, "rows", by, (), wish.filters, way, limit, shown)


def _by_row(all_: Pieces) -> Pieces:
    """Without groups of days of which each is one row: the busiest of them is the one with the most money."""
    table, wish = all_.table, all_.wish
    days = days_of_rows(table.of_kind("date"))
    grouped = [group.column for group in wish.groups] == days and all(group.period == "day" for group in wish.groups)
    noun = wish.behind < len(all_.said) and all_.said[wish.behind].word == "day"
    if not is_of_period(table, "day") or not (grouped or noun):
        return all_
    money = [one for one in table.of_kind("number") if is_money(one) and not id_like(one)]
    by = tuple(money) if len(money) == 1 and not all_.numbers and wish.most in _BEST else ()
    often = wish.often and not by
    return replace(all_, wish=replace(wish, groups=(), named=True, by=wish.by or by, often=often))


_BEST = ("best", "worst", "busiest", "fullest", "often", "seldom")


def tells_of_rows(token: Token, table: Table) -> bool:
    """Whether the word is what a row is called in this table, or in any."""
    names = {stem(word) for word in words(table.name)}
    return token.word in WORDS["words"]["events"] or token.text in WORDS["words"]["rows"] or stem(token.word) in names


def _is_of_other_noun(all_: Pieces, names: Sequence[Column]) -> bool:
    """Whether what is most is whom another column names: "the oldest captain" of a table of ships."""
    if all_.wish.behind >= len(all_.said):
        return False
    several = [one for one in nearest_at(all_.wish.behind, all_.said, all_.table) if not one.verb]
    noun = [one for one in several if one.column.kind == "text" and one.column not in names]
    if not names and [one.column for one in noun] == [all_.table.columns[0]]:
        return False  # "the earliest class", of which there are several
    made = any(is_year(one) for one in all_.wish.by)  # "the oldest captain" is not of the ship that was built first
    if not noun or (_target(all_) is noun[0].column and not made):
        return False
    then = all_.wish.behind + noun[0].length  # "the cheapest bike rental"
    return then >= len(all_.said) or not tells_of_rows(all_.said[then], all_.table)


def _ordering(all_: Pieces) -> Column | None:
    """The one column that the rows or groups are put in order by."""
    wish, numbers = all_.wish, all_.numbers
    fits = [one for one in wish.by if one in all_.named] or list(wish.by)
    if wish.by:
        return fits[0] if len(fits) == 1 and (not wish.often) else None
    if len(numbers) == 1:
        return numbers[0]
    figures = [one for one in all_.table.of_kind("number") if not id_like(one)]
    if len(figures) == 1 and not all_.numbers and wish.most in _SIZES:
        return figures[0]  # "the biggest invoice"
    money = [one for one in figures if is_money(one)]
    deeds = any(token.text.casefold() in WORDS["deeds"]["money"] for token in all_.said)
    return money[0] if not numbers and deeds and len(money) == 1 and not is_price(money[0]) else None


def _counts_rows(all_: Pieces) -> bool:
    """Whether what is most is a number of rows: "the most hires"."""
    wish, table = all_.wish, all_.table
    if wish.most not in ("most", "fewest", "least") or wish.by or wish.behind >= len(all_.said):
        return False
    noun = all_.said[wish.behind]
    name = {stem(word) for word in words(table.name)}
    own = {stem(word) for one in names_of_rows(table) for word in words(one.name)}
    return noun.kind == "word" and (noun.text.casefold() in WORDS["words"]["rows"] or stem(noun.word) in name | own)


def _target(all_: Pieces) -> Column | None:
    """Of what or whom the most is asked for: "which boat", "who"."""
    ask = next((one for one in all_.asks if one.word in _ONE), None)
    if ask is None:
        return None
    if ask.word in ("who", "whose"):
        people = people_in(all_.table)
        return people[0] if len(people) == 1 else None
    period = all_.said[ask.place + 1].word if ask.place + 1 < len(all_.said) else ""
    if period in PERIODS and is_of_period(all_.table, period):
        return days_of_rows(all_.table.of_kind("date"))[0]
    if period in WORDS["words"]["people"]:  # "which group"
        people = people_in(all_.table)
        return people[0] if len(people) == 1 else None
    near = [one.column for one in ask.mentions if not one.verb and ask.place < one.place <= ask.place + 2]
    return near[0] if near and near[0].kind == "text" else None


def _is_repeated(column: Column, table: Table) -> bool:
    return column.kind == "text" and (column.distinct or 0) < table.rows - column.nulls
