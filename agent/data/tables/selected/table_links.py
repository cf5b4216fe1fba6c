"""Which rows of several tables belong together: each link leads from a column to the key of another table."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache

from agent.data.tables.questions.joins import declared_keys
from agent.data.tables.questions.table_lexicon import words
from agent.data.tables.questions.table_schema import NAMING, Column, Table, id_like

_MOST_TABLES = 12
_FARTHEST = 3  # links from one table to another


@dataclass(frozen=True, slots=True)
class Hop:
    """From a row to those of ``table`` whose column ``there`` has the value of ``here``; ``one``: at most one row."""

    here: Column
    table: Table
    there: Column
    one: bool


@lru_cache(maxsize=64)
def links(tables: tuple[Table, ...]) -> dict[str, tuple[Hop, ...]]:
    """By the name of a table, the hops that lead from it; none where it is unsure by which column."""
    found: dict[str, list[Hop]] = {table.name: [] for table in tables}
    for many in tables[:_MOST_TABLES]:
        for one in tables[:_MOST_TABLES]:
            keys = _keys(many, one, tables) if many.name != one.name else []
            if len(keys) == 1:
                here, there = keys[0]
                found[many.name].append(Hop(here, one, there, True))
                back = here.distinct == many.rows and not here.nulls
                found[one.name].append(Hop(there, many, here, back))
    return {name: tuple({(hop.table.name): hop for hop in reversed(hops)}.values()) for name, hops in found.items()}


def path(tables: Sequence[Table], first: Table, last: Table) -> tuple[Hop, ...]:
    """The shortest way from one table to another; empty where there is none, or two are as short."""
    hops, ways = links(tuple(tables)), list[tuple[Hop, ...]]()
    waiting: deque[tuple[str, tuple[Hop, ...]]] = deque([(first.name, ())])
    while waiting:
        name, sofar = waiting.popleft()
        if len(sofar) >= (len(ways[0]) if ways else _FARTHEST):
            continue
        for hop in hops.get(name, ()):
            if hop.table.name == last.name:
                ways.append((*sofar, hop))
            elif hop.table.name != first.name and all(hop.table.name != other.table.name for other in sofar):
                waiting.append((hop.table.name, (*sofar, hop)))
    shortest = [way for way in ways if len(way) == len(ways[0])]
    return shortest[0] if len(shortest) == 1 else ()


def has_many(tables: Sequence[Table], first: Table, last: Table) -> bool:
    """Whether a row of ``first`` may have several rows of ``last``, so that these can be counted."""
    return any(not hop.one for hop in path(tables, first, last))


def _keys(many: Table, one: Table, tables: Sequence[Table]) -> list[tuple[Column, Column]]:
    """The columns by which each row of ``many`` may have its one row of ``one``, those that name it best."""
    if declared := [*declared_keys(many, one)]:
        return declared
    found = [key for key in _candidates(many, one) if not _of_another(key[2], one, tables)]
    found.sort(key=lambda key: key[0])
    best = [key for key in found if key[0] == found[0][0]]
    return [(here, there) for _, here, there in best]


def _candidates(many: Table, one: Table) -> Iterator[tuple[int, Column, Column]]:
    for there in one.columns:
        if not (one.rows and there.distinct == one.rows and not there.nulls and there.kind in ("text", "number")):
            continue
        for here in many.columns:
            cost = _named_alike(here, there, one) if here.kind == there.kind else None
            own_key = here.distinct == many.rows and there is one.columns[0] and here is many.columns[0]
            if cost is not None and not (own_key and cost and many.rows >= one.rows):
                yield cost, here, there


def _named_alike(here: Column, there: Column, one: Table) -> int | None:
    """0 where a column is called as the key that it leads to, more where it is called as the table; else ``None``."""
    said, key, table = _words(here), _words(there), words(one.name)
    bare = set(key) <= NAMING
    if said == key and not bare:
        return 0 if (there.kind == "text" and _naming(there)) or id_like(there) else None
    if not bare and (not _naming(there) or key[:-1] != table[-len(key) + 1 :]):
        return None
    own = [(*table, *key)] if bare else [key]
    if any(said == each or said[-len(each) :] == each for each in own):
        return 1
    last = table[-1]
    if bare and (said == (last,) or said[-2:] in ((last, key[-1]),) or said[-1] == last) and _inside(here, there):
        return 2
    return None


def _of_another(key: Column, one: Table, tables: Sequence[Table]) -> bool:
    """Whether a key is called after another table that has it, too: rows of both belong to rows of that one."""
    said = _words(key)
    owners = [table for table in tables if said[:-1] and words(table.name)[-len(said) + 1 :] == said[:-1]]
    having = [table for table in owners if any(_words(column) == said for column in table.columns)]
    return bool(having) and one not in having


def _naming(column: Column) -> bool:
    return bool(NAMING & {*_words(column)})


def _words(column: Column) -> tuple[str, ...]:
    """Those of its heading, which tells words apart that its name may not: "CountryCode"."""
    return words(column.label) or words(column.name)


def _inside(here: Column, there: Column) -> bool:
    """Whether the values lie within those of the key, as far as is known."""
    return here.kind != "number" or (bool(here.least) and _figure(there.least) <= _figure(here.least)
                                     and _figure(here.most) <= _figure(there.most))  # fmt: skip


def _figure(text: str) -> float:
    try:
        return float(text)
    except ValueError:
        return float("inf")
