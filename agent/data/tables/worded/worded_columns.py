"""Which columns of a table some words may mean: by a name, a part of it, another form, a close word or a verb."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache, lru_cache
from typing import Any

from agent.data.tables.questions.table_lexicon import MONTHS, Token, form, words
from agent.data.tables.questions.table_schema import Column, Table, id_like, is_money, measured, tells_apart
from agent.text.quantities.units import CURRENCIES, measure_of
from agent.text.regex import regex
from agent.text.word_tables import word_table

WORDS: Mapping[str, Any] = word_table(__file__, "worded.toml")
FIELDS: Sequence[Mapping[str, Any]] = WORDS["field"]
# Words that order rows by figures: "heaviest", "most expensive".
SUPERLATIVES = frozenset(
    word for one in FIELDS if one["kind"] == "number" for key in ("most", "least") for word in one.get(key, ())
)
_EMPTY = frozenset(WORDS["words"]["empty"])  # of a heading
_ENDINGS = ("ing", "ed", "er", "or", "es", "s", "ly", "e")
_TIMED = frozenset(WORDS["words"]["timed"])
_SHORTEST = 3  # letters of a stem
_LONGEST = 4  # words for a column
_UNITS = frozenset(["km", "kg", "cm", "mm", "lb", "mi", "ml", "ft", "oz"])  # no words by themselves
EXACT, PART, STEM, CLOSE = range(4)


@dataclass(frozen=True, slots=True)
class Meant:
    """``length`` words that mean ``column``; ``cost``: how far they are from its name. ``verb``: it is done."""

    column: Column
    length: int
    cost: int
    verb: bool = False


@lru_cache(maxsize=4096)
def stem(word: str) -> str:
    """``check`` of checked, ``rac`` of raced and race."""
    word = WORDS["irregular"].get(word, word)
    word, before = form(word), ""
    while word != before:
        before = word
        for ending in _ENDINGS:
            if word.endswith(ending) and len(word) - len(ending) >= _SHORTEST:
                word = word.removesuffix(ending)
                break
    word = f"{word[:-1]}y" if word.endswith("i") else word  # replied, carried
    return word[:-1] if len(word) > _SHORTEST and word[-1] == word[-2] else word


@lru_cache(maxsize=1024)
def named(column: Column) -> tuple[tuple[str, ...], ...]:
    """The words of its names, without a unit in brackets."""
    several = (column.name, column.label, re.sub(r" ?\(.*\)$", "", column.label))
    return tuple(dict.fromkeys(tuple(map(month, words(name))) for name in several if words(name)))


def month(word: str) -> str:
    """``oct`` for October, other words as they are."""
    return word[:3] if word in MONTHS else word


@lru_cache(maxsize=1024)
def content(column: Column) -> frozenset[str]:
    """The words of its names that say what it holds: not its unit, nor of what a rate is per."""
    own: set[str] = set()
    for name in named(column):
        several = name[: name.index("per")] if "per" in name[1:] else name
        rest = [word for word in several if word not in _EMPTY and not word.isdigit() and len(word) > 1]
        without = [word for word in rest if not _is_unit(word, column) and form(word) != rate_of(column)]
        if {"price", "cost"} & {*without}:
            without = [word for word in without if word != "unit"]
        own |= {*(without or rest)}
    return frozenset(own)


def stems_of(column: Column) -> frozenset[str]:
    """The stems of the words that say what it holds."""
    return frozenset(map(stem, content(column)))


def _is_unit(word: str, column: Column) -> bool:
    return column.kind == "number" and word not in _TIMED and bool(measure_of(word) or word in _CODES.values())


@lru_cache(maxsize=1024)
def fields_of(column: Column) -> tuple[Mapping[str, Any], ...]:
    """The fields that a column is of, by its kind and the words of its names."""
    said = content(column)
    return tuple(one for one in FIELDS if one["kind"] == column.kind and said & forms(tuple(one["names"])))


@cache
def forms(names: tuple[str, ...]) -> frozenset[str]:
    return frozenset(form(name) for name in names)


def columns_at(place: int, said: Sequence[Token], table: Table) -> list[Meant]:
    """The columns that the most words from ``place`` on may mean."""
    return [*_columns_at(place, tuple(said), table)]


@lru_cache(maxsize=1024)  # many readers come by one word
def _columns_at(place: int, said: tuple[Token, ...], table: Table) -> tuple[Meant, ...]:
    found: list[Meant] = []
    for column in table.columns:
        found += _names(place, said, column)
        found += _verbs(place, said, column)
    longest = max((one.length for one in found), default=0)
    return tuple(one for one in found if one.length == longest)


def nearest_at(place: int, said: Sequence[Token], table: Table) -> list[Meant]:
    """Those whose names are nearest to the words; several where it is unsure."""
    found = columns_at(place, said, table)
    least = min((one.cost for one in found), default=0)
    nearest = {one.column: one for one in found if one.cost == least}
    return [*nearest.values()]


def _names(place: int, said: Sequence[Token], column: Column) -> Iterator[Meant]:
    typed = [month(token.word) for token in said[place : place + _LONGEST] if token.kind in ("word", "number")]
    if said[place].kind == "quoted" and said[place].text.casefold() in (
        column.name.casefold(),
        column.label.casefold(),
    ):
        yield Meant(column, 1, EXACT)
    for name in named(column):
        if name == tuple(month(token.word) for token in said[place : place + len(name)]):
            yield Meant(column, len(name), EXACT)
    every, own = {word for name in named(column) for word in name}, content(column)
    stems, costs = {stem(word) for word in own}, list[int]()
    for word in typed:
        cost = _near(word, column, own, every)
        if cost is None and costs and says_figure(word, column):
            cost = PART
        if cost is None:
            break
        costs.append(cost)
        if costs == [PART] and word not in own and _in_unit(word, column):
            yield Meant(column, 1, CLOSE)
        elif any(part in own or stem(part) in stems or cost == CLOSE for part in typed[: len(costs)]):
            yield Meant(column, len(costs), max(costs), verb=costs == [STEM] and column.kind in ("date", "text"))


def _near(word: str, column: Column, own: frozenset[str], every: set[str]) -> int | None:
    if word in own or word in every:
        return PART
    if len(word) >= _SHORTEST and stem(word) in {stem(one) for one in every if len(one) >= _SHORTEST}:
        return STEM
    if any(word in forms(tuple(one.get("said", ()))) for one in fields_of(column)):
        return CLOSE
    if _in_unit(word, column) or (word in _KINDS and _KINDS[word] in measured(column)):
        return CLOSE
    return None


def says_figure(word: str, column: Column) -> bool:
    """Whether a word may stand behind the name of a figure: "the gas use", "the visit number", "the repair bill"."""
    figure = (*WORDS["words"]["figure"], *(WORDS["words"]["paid_figure"] if is_money(column) else ()))
    counted = word != "number" or any("often" in one for one in fields_of(column))  # a "stock number" is none of pieces
    return column.kind == "number" and not id_like(column) and counted and word in forms(tuple(figure))


def _in_unit(word: str, column: Column) -> bool:
    """Whether "miles" says which figures are meant, those of the mileage in miles."""
    long = len(word) >= _SHORTEST or word in _UNITS
    unit = column.kind == "number" and long and word not in _TIMED and bool(measure_of(word))
    return unit and in_unit(column, word)


def names_of_rows(table: Table) -> tuple[Column, ...]:
    """The columns that tell the rows apart by names: the first, or a model and its make; none where none does so."""
    first = table.columns[0]
    if tells_apart(first, table.rows) or first.numbered:
        return (first,)
    if (
        first.kind == "date"
        and first.distinct == table.rows > 1
        and not any(tells_apart(one, table.rows) for one in table.columns)
    ):
        return (first,)  # a day each
    own = next((one for one in table.columns[1:_LONGEST] if tells_apart(one, table.rows)), None)
    if own is None:
        return ()
    return (own, first) if first.kind == "text" and own is table.columns[1] else (own,)


def _verbs(place: int, said: Sequence[Token], column: Column) -> Iterator[Meant]:
    for verb in (verb for one in fields_of(column) for verb in one.get("verbs", ())):
        several = verb.split()
        typed = [token.text.casefold() for token in said[place : place + len(several)]]
        if len(typed) == len(several) and stem(typed[0]) == stem(several[0]) and typed[1:] == several[1:]:
            yield Meant(column, len(several), CLOSE, verb=True)


def by_field(table: Table, key: str, said: str) -> list[Column]:
    """The columns of the fields that have ``said`` among the words of ``key``: those of ages for the "oldest"."""
    several = table.columns if said in _all_said(key) else ()
    found = [column for column in several if any(said in one.get(key, ()) for one in fields_of(column))]
    prices = [one for one in found if "price" in content(one)] if key in ("most", "least", "more", "less") else []
    costs = [one for one in found if one not in prices and "cost" in content(one)]
    return prices if len(prices) == 1 and len(costs) == len(found) - 1 else found  # not what it costs the shop


@cache
def _all_said(key: str) -> frozenset[str]:
    """The words of ``key`` of all fields."""
    return frozenset(word for one in FIELDS for word in one.get(key, ()))


def with_mark(table: Table, key: str) -> list[Column]:
    """The columns of the fields that have ``key``: those of people for "who"."""
    return [column for column in table.columns if any(one.get(key) is True for one in fields_of(column))]


DAY_WORDS = frozenset(["date", "day", "when", "on"])


def days_of_rows(several: Sequence[Column]) -> list[Column]:
    """The dates that may be when a row was: of several, the one that is called no more than a date."""
    plain = [one for one in several if {*words(one.name)} <= DAY_WORDS]
    return plain if len(plain) == 1 else [*several]


def is_of_period(table: Table, period: str) -> bool:
    """Whether each row is another day or another month, none of them left out."""
    days = table.of_kind("date")
    if len(days) != 1 or days[0].distinct != table.rows or days[0].nulls or period not in ("day", "month"):
        return False
    if period == "day":
        return True
    (year, month), (last_year, last_month) = (map(int, end.split("-")[:2]) for end in (days[0].least, days[0].most))
    return (last_year - year) * 12 + last_month - month + 1 == table.rows


def yes_no_at(place: int, said: Sequence[Token], table: Table) -> Iterator[tuple[Column, bool, int]]:
    """Columns of yes and no that words name, whether they hold then, and how many words these are."""
    for column in table.columns:
        own = content(column) if column.kind == "boolean" else None
        if not own:
            continue
        if length := _holds(place, said, column):
            yield column, True, length
        bare = [said[place].text.casefold().removeprefix(prefix) for prefix in ("un", "non", "in")]
        if any(word != said[place].text.casefold() and stem(word) in {stem(one) for one in own} for word in bare):
            yield column, False, 1
        for one in WORDS["yes_no"] if said[place].kind == "word" else ():
            of_it = own <= {*one["names"]} if one.get("alone") else own & {*one["names"]}
            for key in ("yes", "no") if of_it else ():
                several = [phrase.split() for phrase in one.get(key, ()) if typed_at(place, said, phrase.split())]
                yield from ((column, key == "yes", len(phrase)) for phrase in several)


def _holds(place: int, said: Sequence[Token], column: Column) -> int:
    """How many words name the column."""
    own, length = content(column), 0
    stems = {stem(word) for word in own}
    for token in said[place : place + _LONGEST]:
        if token.kind != "word" or not (month(token.word) in own or stem(token.word) in stems):
            break
        length += 1
    ahead = [tuple(token.word for token in said[place : place + len(name)]) for name in named(column)]
    return max([length, *(len(name) for name, typed in zip(named(column), ahead, strict=True) if name == typed)])


def typed_at(place: int, said: Sequence[Token], phrase: Sequence[str]) -> bool:
    """Whether these words, one and more, were typed there."""
    if not 0 <= place <= len(said) - len(phrase) or said[place].text.casefold() != phrase[0]:
        return False
    return all(said[place + at].text.casefold() == phrase[at] for at in range(1, len(phrase)))


def has_pieces(table: Table) -> bool:
    """Whether a row is of several pieces, so that "items" may be rows or pieces."""
    names = {"quantity", "piece", "pcs", "unit", "sold", "stock"}
    return any(column.kind == "number" and content(column) & names for column in table.columns)


_CODES = {"€": "eur", "$": "usd", "£": "gbp", "¥": "jpy", "円": "円"}
_KINDS = {"temperature": "temperature", "weight": "mass", "length": "length", "distance": "length", "duration": "time"}


def currency(column: Column) -> str:
    """The code of the money that its figures are in, as far as its heading tells."""
    said = {column.unit, column.unit.lower(), *(word for name in named(column) for word in name)}
    return next((code for sign, code in _CODES.items() if {sign, code} & said), "")


def holds_money(column: Column) -> bool:
    """Whether its figures are money, by its name or by a sign in its heading."""
    return is_money(column) or bool(currency(column))


_AMOUNT = regex(r"[€£$¥] ?\d{1,3}(?:,?\d{3})*(?:\.\d+)?")


def holds_amounts(column: Column) -> bool:
    """Whether its cells are texts because each has the sign of its currency."""
    return column.kind == "text" and bool(column.known) and all(map(_AMOUNT.fullmatch, column.known))


def in_unit(column: Column, unit: str) -> bool:
    """Whether figures in that unit can be compared with those of the column as they are."""
    if unit in CURRENCIES:
        return bool(currency(column)) and currency(column) == _CODES.get(CURRENCIES[unit], "")
    own = {column.unit, *(word for name in named(column) for word in name)} - {""}
    if per := rate_of(column):
        own -= {per}  # "€/kg" are no kilos
    if {unit, form(unit)} & own:
        return True
    return bool({one.name for one in measure_of(unit)} & {one.name for word in own for one in measure_of(word)})


_RATE = regex(r"(?:/|\bper[ _]|\ban? )(?P<unit>[a-z²³]+)[)）]?$", re.I)


@lru_cache(maxsize=1024)
def rate_of(column: Column) -> str:
    """What its figures are per, "kg" of "Price (€/kg)"; "" for others."""
    found = _RATE.search(column.label or column.name) if column.kind == "number" else None
    return form(found["unit"].lower()) if found else ""


def is_rate(column: Column, what: str, unit: str) -> bool:
    """Whether it is of ``what`` per such a unit: the price per kilo, or per kg."""
    return is_per(column, unit) and stem(what) in stems_of(column)


def is_per(column: Column, unit: str) -> bool:
    """Whether its figures are each per such a unit."""
    per, said = rate_of(column), {one.name for one in measure_of(unit)}
    return bool(per and (form(unit) == per or said & {one.name for one in measure_of(per)}))
