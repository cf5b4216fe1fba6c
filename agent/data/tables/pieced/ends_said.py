"""The words that ask and those that put rows in an order, by the columns of a table that they may be of."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from typing import Any, Literal

from agent.data.tables.questions.spans_worked_out import times_of_day
from agent.data.tables.questions.table_lexicon import Token, form
from agent.data.tables.questions.table_schema import Column, Table, column_words, id_like
from agent.data.tables.worded.rows_compared import is_year
from agent.data.tables.worded.rows_said import Spot
from agent.data.tables.worded.worded_columns import (
    by_field,
    content,
    currency,
    days_of_rows,
    holds_money,
    rate_of,
    with_mark,
)
from agent.text.quantities.units import measure_of
from agent.text.word_tables import word_table

WORDS: Mapping[str, Any] = word_table(__file__, "wish_words.toml")
Way = Literal["up", "down"]
End = tuple[str, int, Way, tuple[Column, ...], bool]  # the word, how many words, the first end, its columns, how often


@cache
def _phrases(group: str, name: str) -> Mapping[str, Sequence[Sequence[str]]]:
    """By their first words, the longest first."""
    found: dict[str, list[Sequence[str]]] = {}
    for one in sorted(map(str.split, WORDS[group][name]), key=len, reverse=True):
        found.setdefault(one[0], []).append(one)
    return found


def length_of(spot: Spot, group: str, name: str) -> int:
    """How many words the longest phrase of that list has that was typed here; 0 where none was."""
    return next((len(one) for one in _phrases(group, name).get(spot.word(), ()) if spot.has(*one)), 0)


def superlatives(spot: Spot) -> Iterator[End]:
    """What puts rows in an order here: by a heading, by a unit, by how many rows, by the only days, by any figure."""
    for way in (_by_heading, _by_size, _by_speed, _by_unit, _by_number, _by_days):
        if found := next(way(spot), None):
            yield found
            return
    for end, name in _ENDS:
        if length := length_of(spot, "ends", name):
            yield spot.word(length - 1), length, end, (), False


_ENDS: tuple[tuple[Way, str], ...] = (("down", "down"), ("up", "up"))


def _by_heading(spot: Spot) -> Iterator[End]:
    for length in (2, 1):
        word = " ".join(spot.word(away) for away in range(length))
        for key, (way, _) in zip(("most", "least"), _ENDS, strict=True):
            if fits := by_field(spot.table, key, word):
                yield word, length, way, tuple(fits), False


def _by_size(spot: Spot) -> Iterator[End]:
    """ "The biggest" of a column of sizes."""
    sizes = [one for one in spot.table.of_kind("number") if content(one) & {"size", "area"}]
    ways: tuple[tuple[Way, tuple[str, ...]], ...] = (("down", ("biggest", "largest")), ("up", ("smallest",)))
    for way, said in ways if len(sizes) == 1 else ():
        if spot.word() in said:
            yield spot.word(), 1, way, tuple(sizes), False


def _by_speed(spot: Spot) -> Iterator[End]:
    """ "The fastest" of a column of how long each took, written as a time."""
    times = [one for one in times_of_day(spot.table) if content(one) & {"time", "result", "finish", "duration"}]
    if len(times) == 1 and spot.word() in ("fastest", "quickest", "slowest"):
        yield spot.word(), 1, "down" if spot.word() == "slowest" else "up", tuple(times), False


def _by_unit(spot: Spot) -> Iterator[End]:
    for one in WORDS["of_unit"]:
        for way, _ in _ENDS:
            for said in map(str.split, one[way]):
                if spot.has(*said) and (fits := _of_unit(one, spot.table)):
                    yield said[-1], len(said), way, fits, False


def _by_number(spot: Spot) -> Iterator[End]:
    """ "Most often", "the most times"."""
    for (way, _), name in zip(_ENDS, ("often", "seldom"), strict=True):
        if length := length_of(spot, "ends", name):
            yield name, length, way, tuple(with_mark(spot.table, "often")), True


def _by_days(spot: Spot) -> Iterator[End]:
    days = _ages(spot) or days_of_rows(spot.table.of_kind("date")) or times_of_day(spot.table)
    for (way, _), name in zip(_ENDS, ("latest", "earliest"), strict=True) if len(days) == 1 else ():
        if length := length_of(spot, "ends", name):
            yield spot.word(), length, way, tuple(days), False


def _ages(spot: Spot) -> list[Column]:
    """For "the oldest record", the years in which they were made."""
    years = [one for one in spot.table.of_kind("number") if is_year(one)]
    return years if len(years) == 1 and spot.word() in ("oldest", "newest") else []


def _of_unit(one: Mapping[str, Any], table: Table) -> tuple[Column, ...]:
    """The columns whose figures are of that kind, by their unit."""
    money = "money" in one["kinds"]
    numbers = [column for column in table.of_kind("number") if not id_like(column)]
    return tuple(column for column in numbers if (currency(column) if money else _kinds(column) & {*one["kinds"]}))


def _kinds(column: Column) -> set[str]:
    """Those of its units, without what a rate is per."""
    own = [word for word in column_words(column) if form(word) != rate_of(column)]
    return {one.kind for word in own for one in measure_of(word)}


def of_how(table: Table, how: str) -> list[Column]:
    """The columns that "how long" may ask for: by their headings, else by their units."""
    units = (column for one in WORDS["of_unit"] if how in one.get("how", ()) for column in _of_unit(one, table))
    return by_field(table, "how", how) or list(dict.fromkeys(units))


def received(table: Table) -> list[Column]:
    """The one column of what came in, of several columns of money; none where there is another number of them."""
    money = [one for one in table.of_kind("number") if holds_money(one) and not id_like(one)]
    own = [one for one in money if content(one) & {*WORDS["deeds"]["received"]}]
    return own if len(money) > 1 and len(own) == 1 else []


def asks_of(said: Sequence[Token]) -> list[tuple[str, int]]:
    """The words that ask, with their places: "how much", "who"; none that only go on, "the one who"."""
    found: list[tuple[str, int]] = []
    for place, token in enumerate(said):
        word, before = token.text.casefold(), said[place - 1].text.casefold() if place else ""
        behind = said[place + 1].text.casefold() if place + 1 < len(said) else ""
        if word == "how" and behind:
            found.append((f"how {behind}", place))
        elif word in _RELATIVE and before and before not in _BEFORE:
            continue
        elif word in ("whose", "what") or word in _RELATIVE:
            found.append(("when" if behind in ("date", "day") and word in ("what", "which") else word, place))
    return found


_RELATIVE = ("who", "which", "when", "where")
_BEFORE = frozenset(
    [
        ",",
        ":",
        "and",
        "so",
        "but",
        "ok",
        "then",
        "know",
        "me",
        "for",
        "in",
        "on",
        "at",
        "of",
        "from",
        "by",
        "to",
        "with",
        "see",
        "out",
        "please",
        "hi",
    ]
)
