"""What words of a question may mean in some tables: a table, a column, a value, or one of the known phrases."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache, lru_cache
from itertools import pairwise
from typing import Any

from agent.data.tables.questions.table_lexicon import Token, same, words
from agent.data.tables.questions.table_schema import NAMING, Column, Table
from agent.data.tables.worded.worded_columns import by_field, named, stem
from agent.text.quantities.claim_words import ALIASES
from agent.text.word_tables import word_table

WORDS: Mapping[str, Mapping[str, Any]] = word_table(__file__, "selection_words.toml")
EXACT, PART, STEM, FAR = range(4)
_LONGEST = 5  # words of a name
_LONGEST_PHRASE = 7
_PREFIXES = frozenset(["ref", "tbl", "t", "dim", "fact"])  # of the names of tables
_EMPTY = frozenset(["is", "of", "in", "by", "the", "a", "and", "or", "to", "for", "with"])
_OTHER_NAMES: Mapping[tuple[str, ...], tuple[str, ...]] = {
    ("name",): ("title",),
    ("title",): ("name",),
    ("nation",): ("country",),
    ("nationality",): ("country",),
}
_VAGUE = frozenset([*NAMING, "name", "date", "year", "type", "value", "title", "address", "time", "rate", "price"])


@dataclass(frozen=True, slots=True)
class Meant:
    """``length`` words that mean ``what``; ``cost``: how far they are from its name."""

    what: Column
    length: int
    cost: int


@dataclass(frozen=True, slots=True)
class MeantTable:
    table: Table
    length: int
    cost: int


@dataclass(frozen=True, slots=True)
class MeantValue:
    """``sought``: no card shows it, so it is still to be looked for, in ``column`` or in all of them."""

    column: Column | None
    text: str
    length: int
    cost: int = 0
    sought: bool = False


@cache
def _phrases(kind: str, meaning: str) -> Mapping[int, frozenset[tuple[str, ...]]]:
    by_length: dict[int, set[tuple[str, ...]]] = {}
    for phrase in WORDS[kind][meaning]:
        key = tuple(re.findall(r"[^\W\d_]+(?:'[a-z]+)?|=", phrase))
        by_length.setdefault(len(key), set()).add(key)
    return {length: frozenset(several) for length, several in sorted(by_length.items(), reverse=True)}


def phrase_lengths(kind: str, meaning: str, place: int, said: Sequence[Token]) -> Iterator[int]:
    """How many words from ``place`` on are one of those phrases, the longest first."""
    ahead = tuple(token.text.casefold() for token in said[place : place + _LONGEST_PHRASE] if token.kind != "quoted")
    for length, several in _phrases(kind, meaning).items():
        if ahead[:length] in several and all(token.kind != "quoted" for token in said[place : place + length]):
            yield length


def meanings_at(kind: str, place: int, said: Sequence[Token]) -> list[tuple[str, int]]:
    """Every meaning of that kind, with its number of words, the longest first."""
    found = [(meaning, length) for meaning in WORDS[kind] for length in phrase_lengths(kind, meaning, place, said)]
    return sorted(found, key=lambda one: -one[1])


@lru_cache(maxsize=256)
def table_words(table: Table) -> tuple[str, ...]:
    """The words of its name that say what its rows are."""
    found = words(table.name)
    return found[1:] if len(found) > 1 and found[0] in _PREFIXES else found


def tables_at(place: int, said: Sequence[Token], tables: Sequence[Table]) -> list[MeantTable]:
    """The tables that words from ``place`` on may mean, the most words first."""
    found: list[MeantTable] = []
    for length in range(min(4, len(said) - place), 0, -1):
        several = said[place : place + length]
        if any(token.kind not in ("word", "quoted") for token in several):
            continue
        typed = tuple(token.word or (words(token.text) or ("",))[-1] for token in several)
        costs = {table.name: cost for table in tables if (cost := _means_table(typed, table, tables)) is not None}
        least = min(costs.values(), default=0)
        nearest = [table for table in tables if costs.get(table.name) == least]
        if nearest and (least == EXACT or len(nearest) == 1):
            found += [MeantTable(table, length, least) for table in nearest]
    return found


def _means_table(typed: tuple[str, ...], table: Table, tables: Sequence[Table]) -> int | None:
    name = table_words(table)
    if typed == name or "".join(typed) == "".join(name):
        return EXACT
    stems = tuple(map(stem, typed))
    if stems == tuple(map(stem, name)):
        return PART
    if len(typed) < len(name) and typed == name[-len(typed) :] and not {*typed} <= _VAGUE:
        return PART
    whole, first = "".join(name), next((other for other in tables if len(name) == 1 and _begins(name[0], other)), None)
    if first is not None and "".join(typed) == whole[len("".join(table_words(first))) :]:
        return STEM  # the languages of "countrylanguage", where there are countries
    return FAR if len(typed) == len(name) and same(typed, name) else None


def _begins(whole: str, other: Table) -> bool:
    first = "".join(table_words(other))
    return len(first) > 3 and whole.startswith(first) and whole != first


def columns_meant(place: int, said: Sequence[Token], table: Table) -> list[Meant]:
    """The columns that words from ``place`` on may mean, the most words first; the nearest of each number of words."""
    found: list[Meant] = []
    for length in range(min(_LONGEST, len(said) - place), 0, -1):
        several = said[place : place + length]
        if any(token.kind not in ("word", "number", "quoted") for token in several):
            continue
        costs = [(cost, column) for column in table.columns if (cost := _means(several, column, table)) is not None]
        least = min((cost for cost, _ in costs), default=0)
        found += [Meant(column, length, cost) for cost, column in costs if cost == least]
    return found


def _means(several: Sequence[Token], column: Column, table: Table) -> int | None:
    if several[0].kind == "quoted":
        given = several[0].text.casefold()
        return EXACT if len(several) == 1 and given in (column.name.casefold(), column.label.casefold()) else None
    typed = tuple("id" if token.word == "ids" else token.word for token in several)
    if len(typed) > 1 and {typed[0], typed[-1]} & _EMPTY:
        return None
    costs = [cost for name in named(column) for cost in _costs(typed, _bare(name), table)]
    if not costs and typed == ("name",) and words(column.name) == table_words(table):
        costs = [PART]  # the orchestras of a table "orchestra"
    if (
        not costs
        and len(typed) == 1
        and typed in _OTHER_NAMES
        and not any(typed[0] in name for one in table.columns for name in named(one))
    ):
        costs = [PART for name in named(column) if name[-1:] == _OTHER_NAMES[typed]]
    if not costs and len(typed) == 1 and column in by_field(table, "said", typed[0]):
        costs = [FAR] if len(by_field(table, "said", typed[0])) == 1 else []
    return min(costs, default=None)


def _bare(name: tuple[str, ...]) -> tuple[str, ...]:
    rest = tuple(word for word in name if word not in _EMPTY)
    return rest or name


def _costs(typed: tuple[str, ...], name: tuple[str, ...], table: Table) -> Iterator[int]:
    own = table_words(table)
    if typed in (name, (*own, *name)) or "".join(typed) == "".join(name):
        yield EXACT
    if name[: len(own)] == own and typed == name[len(own) :]:
        yield EXACT if len(own) < len(name) else FAR
    if "of" in typed[1:-1]:
        place = typed.index("of")
        first, last = typed[:place], tuple(word for word in typed[place + 1 :] if word != "the")
        if last and name in ((*last, *first), (*first, *last)):
            yield EXACT
    bare = tuple(word for word in typed if word not in _EMPTY)
    if not bare:
        return
    if _inside(bare, name):
        yield PART if not {*bare} <= _VAGUE else FAR
    elif {*bare} - _VAGUE and _inside(tuple(map(stem, bare)), tuple(map(stem, name))):
        yield STEM
    elif len(bare) == len(name) and same(bare, name):
        yield FAR


def _inside(few: tuple[str, ...], many: tuple[str, ...]) -> bool:
    return any(many[place : place + len(few)] == few for place in range(len(many) - len(few) + 1))


def values_meant(place: int, said: Sequence[Token], table: Table, column: Column | None = None) -> list[MeantValue]:
    """The values that words from ``place`` on may be, of ``column`` or of any with texts."""
    columns = [column] if column else table.of_kind("text")
    token = said[place]
    if token.kind == "quoted":
        known = [MeantValue(one, real, 1) for one in columns if (real := _real(token.text, one))]
        return known or [MeantValue(column, token.text, 1, 1, sought=True)]
    found: list[MeantValue] = []
    for length in range(min(_LONGEST, len(said) - place), 0, -1):
        typed = _typed(place, length, said)
        found += [MeantValue(one, real, length) for one in columns if typed and (real := _real(typed, one))]
    if not found and (length := _capitals(place, said)):
        found.append(MeantValue(column, _typed(place, length, said), length, STEM, sought=True))
    return found


def _typed(place: int, length: int, said: Sequence[Token]) -> str:
    """The words as typed, with what stands between them, as long as that is no more than a space."""
    several = said[place : place + length]
    apart = any(two.start - one.end > 1 for one, two in pairwise(several))
    if apart or any(token.kind not in ("word", "number") for token in several):
        return ""
    gaps = [" " if two.start > one.end else "" for one, two in pairwise(several)]
    return "".join(f"{token.text}{gap}" for token, gap in zip(several, [*gaps, ""], strict=True))


def _capitals(place: int, said: Sequence[Token]) -> int:
    """How many words from ``place`` on begin with a capital; none at the beginning of the sentence."""
    length = 0
    while (
        place + length < len(said) and said[place + length].kind == "word" and said[place + length].text[:1].isupper()
    ):
        length += 1
    return length if place else 0


def _real(typed: str, column: Column) -> str:
    """The value as it stands in the table."""
    wanted = typed.casefold()
    for value in column.known:
        if value.casefold() == wanted or (len(wanted) > 3 and wanted == f"{value.casefold()}s"):
            return value
    others = next((names for names in ALIASES if wanted in names), frozenset[str]())
    return next((value for value in column.known if value.casefold() in others or value in others), "")
