"""Values of a table among the words that say which rows are meant: "Oslo", "on Mondays", "sunny", "Station Rd 2a"."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from datetime import date
from functools import lru_cache

from agent.data.tables.questions.table_lexicon import MONTHS, NUMBERS, PHRASES, Token, tokens, typed, words
from agent.data.tables.questions.table_schema import Column, Filter, Operator, Table, span
from agent.data.tables.worded.light_words import phrases_of
from agent.data.tables.worded.rows_said import Rows, filtered, items_in, number_in
from agent.data.tables.worded.worded_columns import WORDS, columns_at, month, stem
from agent.text.quantities.claim_words import ALIASES
from agent.text.quantities.units import measure_of
from agent.text.regex import regex

_MOST_WORDS = 3  # of a value that no card shows
_UNKNOWN, _PART = 3, 1  # costs
_NO_VALUE = frozenset(WORDS["words"]["no_value"])


def values(place: int, said: Sequence[Token], rows: Rows, table: Table) -> Iterator[tuple[int, Rows]]:
    """Those that the cards show, and those of them that are named in part."""
    operator: Operator = "<>" if rows.negated else "="
    for column in table.columns:
        if column.kind != "text" or not _may_follow(rows, column, table) or _weekday(said[place]):
            continue
        for value in (*column.examples, *(one for one in column.values if one not in column.examples)):
            if length := _says(place, said, value):
                own = columns_at(place + length, said, table) if place + length < len(said) else []
                length += any(one.column is column and one.length == 1 for one in own)  # "on the bride's side"
                for made in filtered(rows, Filter(column, operator, (value,))):
                    yield length, made
        parts = [
            value for value in column.values if said[place].kind == "word" and said[place].word in words(value)[:1]
        ]
        if column.complete and len(parts) == 1 and len(said[place].word) > _MOST_WORDS - 1 and len(words(parts[0])) > 1:
            for made in filtered(rows, Filter(column, operator, (parts[0],)), _PART):
                yield 1, made


def so_many(place: int, said: Sequence[Token], rows: Rows, table: Table) -> Iterator[tuple[int, Rows]]:
    """ "The two Saturdays" of a table that has two."""
    number = number_in(place, said)
    if not number.isdigit() or place + 1 >= len(said) or rows.negated:
        return
    for column in table.columns:
        for value, rows_of_it in zip(column.values, column.counts, strict=False) if column.kind == "text" else ():
            if rows_of_it == int(number) and (_says(place + 1, said, value) or _is_weekday(said[place + 1], value)):
                yield 1, rows


_DAYS = ("monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday")


def _weekday(token: Token) -> str:
    """The day that "Saturdays" names; "" for other words."""
    named = token.text.casefold().removesuffix("'s").removesuffix("s")
    return named if named in _DAYS else ""


def _is_weekday(token: Token, value: str) -> bool:
    """Whether "Saturdays" are those of a value "Sat"."""
    known = value.casefold().rstrip(".")
    return len(known) > 2 and _weekday(token).startswith(known)


def weekdays(
    place: int, said: Sequence[Token], rows: Rows, table: Table, today: date | None
) -> Iterator[tuple[int, Rows]]:
    """ "On Mondays" of a column that has "Mon" and the like; "on Saturday 14 November" is told by its date."""
    if not _weekday(said[place]):
        return
    told = [one.text for one in items_in(place + 1, said, today) if one.role == "day"] if place + 1 < len(said) else []
    if told:  # "on Saturday 14 November"
        dates = [one for one in table.columns if one.kind == "date" and one.least[:4] == one.most[:4]]
        known = [span(re.sub("^0-", f"{one.least[:4]}-", told[0])) for one in dates]
        if known and known[0] and _DAYS[date.fromisoformat(known[0][0]).weekday()] == _weekday(said[place]):
            yield 1, rows
        return
    for column in table.columns:
        days = all(any(day.startswith(value.casefold().rstrip(".")) for day in _DAYS) for value in column.values)
        for value in column.values if column.kind == "text" and column.complete and days else ():
            if _is_weekday(said[place], value):
                for made in filtered(rows, Filter(column, "<>" if rows.negated else "=", (value,))):
                    yield 1, made


def months(place: int, said: Sequence[Token], rows: Rows, table: Table) -> Iterator[tuple[int, Rows]]:
    """ "In December" of a column that has "Dec" and the like."""
    word = said[place].word
    if word not in MONTHS:
        return
    for column in table.columns:
        known = [one.casefold() for one in (*column.examples, *column.values)]
        if column.kind == "text" and len(known) > _MOST_WORDS and all(one in MONTHS for one in known):
            full = (
                next(name for name in MONTHS if len(name) > 3 and month(name) == month(word))
                if "may" not in word
                else "may"
            )
            style = max(known, key=len)
            value = (full if len(style) > 4 else month(full)).capitalize()
            for made in filtered(rows, Filter(column, "<>" if rows.negated else "=", (value,))):
                yield 1, made


def month_spans(place: int, said: Sequence[Token], rows: Rows, table: Table) -> Iterator[tuple[int, Rows]]:
    """ "From January to March" of a column that names the months: those of them that it has, in one year."""
    ways = (("from", "to"), ("from", "until"), ("from", "till"), ("from", "through"), ("between", "and"))
    if place + 3 >= len(said) or rows.negated or rows.link in ("and", "or"):
        return
    first, last = (MONTHS.get(said[place + step].word) for step in (1, 3))
    way = (said[place].text.casefold(), said[place + 2].text.casefold())
    if way not in ways or first is None or last is None or first >= last:
        return
    for column in table.columns:
        named = _months_as(column, first, last)
        for made in filtered(rows, Filter(column, "=", named)) if named else ():
            yield 4, made


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
    own = [one for one in table.columns if one.kind == "text" and one.label.casefold() == said]
    return not own or column in own


@lru_cache(maxsize=4096)
def tokens_of(value: str) -> tuple[str, ...]:
    """The words of a value as a question has them."""
    return tuple(token.word for token in tokens(value))


def _says(place: int, said: Sequence[Token], value: str) -> int:
    if said[place].kind == "quoted":
        return int(said[place].text.casefold() == value.casefold())
    key, typed_as = words(value), tokens_of(value)
    if typed_as != key and typed_as == tuple(token.word for token in said[place : place + len(typed_as)]):
        return len(typed_as)  # "50m fly"
    if said[place].text[:1].isupper() and any(
        {said[place].text.casefold(), value.casefold()} <= one for one in ALIASES
    ):
        return 1  # "French" of France
    if len(key) == 1 and said[place].text.casefold() in {
        f"{key[0]}{end}" for end in ("y", f"{key[0][-1]}y", "ed", "ing")
    }:
        return 1  # "sunny", "rainy", "rained"
    given = [token.word for token in said[place : place + len(key)]]
    if len(key) > 1 and [*map(stem, given)] == [*map(stem, key)]:
        return len(key)  # "telling the suppliers"
    return len(key) if key and key == tuple(token.word for token in said[place : place + len(key)]) else 0


def unknown(place: int, said: Sequence[Token], rows: Rows, table: Table) -> Iterator[tuple[int, Rows]]:
    """A text that no card shows, where a value may stand: it is looked for in the table before anything is said."""
    operator: Operator = "not find" if rows.negated else "find"
    if said[place].kind == "quoted":
        for made in filtered(rows, Filter(None, operator, (said[place].text,)), 1):
            yield 1, made
    before = said[place - 1].text.casefold() if place else ""
    fits = rows.link.startswith("prep") or before in ("does", "did", "has", "is", "was", "the") or rows.chain is None
    for length in range(1, _MOST_WORDS + 2):
        several = said[place : place + length]
        last = several[-1]
        numbered = length > 1 and (last.kind == "number" or bool(_OF_NUMBER.fullmatch(last.text)))
        if len(several) < length or not (numbered or _may_be_name(last, table)):
            return
        if length > _MOST_WORDS and not numbered:
            return
        if place + length < len(said) and said[place + length].start == last.end:
            continue  # "2a" is one
        capital = all(token.text[:1].isupper() or token.text[:1].isdigit() for token in several) and place > 0
        if not (
            capital or (fits and rows.last != "filter" and (rows.link.startswith("prep") or before in ("does", "did")))
        ):
            continue
        text = _joined(several)
        for made in filtered(rows, Filter(None, operator, (text,)), _UNKNOWN + length - capital - numbered):
            yield length, made


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
