"""Values of a table among the words that say which rows are meant: "Oslo", "on Mondays", "sunny", "Station Rd 2a"."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace
from datetime import date
from functools import lru_cache

from agent.data.tables.questions.table_lexicon import MONTHS, NUMBERS, PHRASES, Token, tokens, typed, words
from agent.data.tables.questions.table_schema import Column, Filter, Operator, Table, span
from agent.data.tables.questions.values_said import says_all
from agent.data.tables.worded.rows_said import Rows, Spot, Steps, phrases_of
from agent.data.tables.worded.worded_columns import WORDS, columns_at, month, stem
from agent.text.quantities.claim_words import ALIASES
from agent.text.quantities.units import measure_of
from agent.text.regex import regex

_MOST_WORDS = 3  # of a value that no card shows
_UNKNOWN, _PART = 3, 1  # costs
_NO_VALUE = frozenset(WORDS["words"]["no_value"])
_ALIASED = frozenset[str]().union(*ALIASES)


def values(spot: Spot) -> Steps:
    """Those that the cards show, and those of them that are named in part."""
    for column in () if _weekday(spot.token) else spot.table.of_kind("text"):
        if not _may_follow(spot.rows, column, spot.table):
            continue
        for value in (*column.examples, *(one for one in column.values if one not in column.examples)):
            if (length := _says(spot, value)) and not says_all(value, spot.place, spot.said, column):
                own = spot.columns(length)
                length += any(one.column is column and one.length == 1 for one in own)  # "on the bride's side"
                yield from spot.of_value(column, value, length)
        word = spot.token.word
        begins = spot.token.kind == "word" and (word,) not in phrases_of("not")
        parts = [value for value in column.values if begins and word in words(value)[:1]]
        if column.complete and len(parts) == 1 and len(word) > _MOST_WORDS - 1 and len(words(parts[0])) > 1:
            yield from spot.of_value(column, parts[0], 1, _PART)


def so_many(spot: Spot) -> Steps:
    """ "The two Saturdays" of a table that has two."""
    number = spot.number()
    if not number.isdigit() or not spot.word(1) or spot.rows.negated:
        return
    then = replace(spot, place=spot.place + 1)
    for column in spot.table.of_kind("text"):
        for value, rows_of_it in zip(column.values, column.counts, strict=False):
            if rows_of_it == int(number) and (_says(then, value) or _is_weekday(then.token, value)):
                yield 1, spot.rows


_DAYS = ("monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday")


def _weekday(token: Token) -> str:
    """The day that "Saturdays" names; "" for other words."""
    named = token.text.casefold().removesuffix("'s").removesuffix("s")
    return named if named in _DAYS else ""


def _is_weekday(token: Token, value: str) -> bool:
    """Whether "Saturdays" are those of a value "Sat"."""
    known = value.casefold().rstrip(".")
    return len(known) > 2 and _weekday(token).startswith(known)


def weekdays(spot: Spot) -> Steps:
    """ "On Mondays" of a column that has "Mon" and the like; "on Saturday 14 November" is told by its date."""
    said = _weekday(spot.token)
    if not said:
        return
    if told := [one.text for one in spot.items(1) if one.role == "day"]:  # "on Saturday 14 November"
        dates = [one for one in spot.table.of_kind("date") if one.least[:4] == one.most[:4]]
        known = [span(re.sub("^0-", f"{one.least[:4]}-", told[0])) for one in dates]
        if known and known[0] and _DAYS[date.fromisoformat(known[0][0]).weekday()] == said:
            yield 1, spot.rows
        return
    for column in spot.table.of_kind("text"):
        days = all(any(day.startswith(value.casefold().rstrip(".")) for day in _DAYS) for value in column.values)
        for value in column.values if column.complete and days else ():
            if _is_weekday(spot.token, value):
                yield from spot.of_value(column, value)


def months(spot: Spot) -> Steps:
    """ "In December" of a column that has "Dec" and the like."""
    word = spot.token.word
    if word not in MONTHS:
        return
    for column in spot.table.of_kind("text"):
        known = [one.casefold() for one in (*column.examples, *column.values)]
        if len(known) > _MOST_WORDS and all(one in MONTHS for one in known):
            alike = (name for name in MONTHS if len(name) > 3 and month(name) == month(word))
            full = "may" if "may" in word else next(alike)
            style = max(known, key=len)
            yield from spot.of_value(column, (full if len(style) > 4 else month(full)).capitalize())


def month_spans(spot: Spot) -> Steps:
    """ "From January to March" of a column that names the months: those of them that it has, in one year."""
    ways = (("from", "to"), ("from", "until"), ("from", "till"), ("from", "through"), ("between", "and"))
    if not spot.word(3) or spot.rows.negated or spot.rows.link in ("and", "or"):
        return
    first, last = (MONTHS.get(spot.said[spot.place + away].word) for away in (1, 3))
    if (spot.word(), spot.word(2)) not in ways or first is None or last is None or first >= last:
        return
    for column in spot.table.columns:
        if several := _months_as(column, first, last):
            yield from spot.filtered(4, Filter(column, "=", several))


_WHOLE = ("may", "june", "july")  # no short forms, of four letters at most


def _months_as(column: Column, first: int, last: int) -> tuple[str, ...]:
    """Those months as the column has them; none where it is of other things, or has all its months and not both."""
    known = [*dict.fromkeys((*column.values, *column.examples))]
    at = [MONTHS.get(value.casefold()) for value in known]
    if column.kind != "text" or len(known) <= _MOST_WORDS or None in at:
        return ()
    if column.complete:
        within = [value for value in known if first <= MONTHS[value.casefold()] <= last]
        return tuple(within) if {first, last} <= {*at} else ()
    short = all(value.casefold() == month(value.casefold()) for value in known)
    names = [name for name in MONTHS if (name == month(name) if short else len(name) > 4 or name in _WHOLE)]
    as_typed = [name.capitalize() for name in names if first <= MONTHS[name] <= last]
    return tuple(as_typed) if all(value.casefold() in names and value.istitle() for value in known) else ()


def _may_follow(rows: Rows, column: Column, table: Table) -> bool:
    """ "From Rome" is none of the column "To", where another one is called "From"."""
    said = rows.link.removeprefix("prep ")
    own = [one for one in table.of_kind("text") if one.label.casefold() == said]
    return not own or column in own


@lru_cache(maxsize=4096)
def tokens_of(value: str) -> tuple[str, ...]:
    """The words of a value as a question has them."""
    return tuple(token.word for token in tokens(value))


def _says(spot: Spot, value: str) -> int:
    """How many words name the value; 0 where they do not."""
    token, key, typed_as = spot.token, words(value), tokens_of(value)
    if token.kind == "quoted":
        return int(token.text.casefold() == value.casefold())
    if typed_as != key and typed_as[:1] in ((), (token.word,)) and typed_as == _ahead(spot, len(typed_as)):
        return len(typed_as)  # "50m fly"
    if token.text[:1].isupper() and token.text.casefold() in _ALIASED and _is_alias(token.text, value):
        return 1  # "French" of France
    word = spot.word() if len(key) == 1 else ""
    if word.startswith(key[:1]) and word[len(key[0]) :] in ("y", f"{key[0][-1]}y", "ed", "ing"):
        return 1  # "sunny", "rainy", "rained"
    if not key or stem(token.word) != stem(key[0]):
        return 0
    given = _ahead(spot, len(key))
    alike = len(key) > 1 and [*map(stem, given)] == [*map(stem, key)]  # "telling the suppliers"
    return len(key) if alike or key == given else 0


def _is_alias(one: str, other: str) -> bool:
    return any({one.casefold(), other.casefold()} <= each for each in ALIASES)


def _ahead(spot: Spot, several: int) -> tuple[str, ...]:
    return tuple(one.word for one in spot.said[spot.place : spot.place + several])


def unknown(spot: Spot) -> Steps:
    """A text that no card shows, where a value may stand: it is looked for in the table before anything is said."""
    said, rows = spot.said, spot.rows
    operator: Operator = "not find" if rows.negated else "find"
    if spot.token.kind == "quoted":
        yield from spot.filtered(1, Filter(None, operator, (spot.token.text,)), 1)
    fits = rows.last != "filter" and (rows.link.startswith("prep") or spot.word(-1) in ("does", "did"))
    for length in range(1, _MOST_WORDS + 2):
        several = said[spot.place : spot.place + length]
        last = several[-1]
        numbered = length > 1 and (last.kind == "number" or bool(_OF_NUMBER.fullmatch(last.text)))
        if len(several) < length or not (numbered or (length <= _MOST_WORDS and _may_be_name(last, spot.table))):
            return
        if spot.place + length < len(said) and said[spot.place + length].start == last.end:
            continue  # "2a" is one
        capital = spot.place > 0 and all(token.text[:1].isupper() or token.text[:1].isdigit() for token in several)
        if capital or fits:
            cost = _UNKNOWN + length - capital - numbered
            yield from spot.filtered(length, Filter(None, operator, (_joined(several),)), cost)


_OF_NUMBER = regex(r"[a-z]", re.I)  # 17b
_SHORT = {"rd": "Road", "ave": "Avenue", "ln": "Lane"}


def _joined(several: Sequence[Token]) -> str:
    """As it was typed, "17b" in one."""
    return typed([replace(token, text=_SHORT.get(token.text.casefold(), token.text)) for token in several])


def _may_be_name(token: Token, table: Table) -> bool:
    word = token.text.casefold()
    little = any((word,) in phrases_of(name) for name in ("idle", "prepositions", "not", "rows", "people"))
    unit = token.text.islower() and len(token.text) > 1 and bool(measure_of(token.text))
    if _weekday(token) or unit:
        return False
    known = token.text[:1].islower() and ((word,) in PHRASES or bool(columns_at(0, [token], table)))
    return token.kind == "word" and not (little or known or word in _NO_VALUE or word in NUMBERS)
