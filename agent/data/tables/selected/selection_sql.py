"""A selection as SQL on one line. Every name is quoted, every text a literal."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from agent.data.tables.identifiers import literal, quoted
from agent.data.tables.mentioned.mentioned_words import words_pattern
from agent.data.tables.questions.measure_words import TITLES
from agent.data.tables.questions.sql import condition, digits_of_mean
from agent.data.tables.questions.table_schema import Column, Filter, Table
from agent.data.tables.selected.selection import (
    AgainstMean,
    Condition,
    Extreme,
    Figure,
    Holding,
    Linked,
    Selection,
    Worded,
)
from agent.data.tables.selected.table_links import Hop, path

_TIES = 20


@dataclass(frozen=True, slots=True)
class SelectionWritten:
    """``columns``: the names of those of the result."""

    sql: str
    columns: tuple[str, ...]


def selection_written(made: Selection, tables: Sequence[Table]) -> SelectionWritten:
    return _Writer(made, tuple(tables)).written()


def conditions_written(conditions: Sequence[Condition], table: Table) -> str:
    """What stands behind WHERE for the rows of a table alone."""
    return _Writer(Selection(table), (table,)).where(conditions, table)


def joined_by(made: Selection, tables: Sequence[Table]) -> list[tuple[str, str, str]]:
    """Each pair of tables that it puts together: the one with many rows, the one whose row each has, and the column."""
    used = [one.table for one in (*made.shown, *made.groups, *(order.figure for order in made.orders))]
    waiting = [
        (made.table, one) for one in (*made.conditions, *(each for one in made.shown for each in one.conditions))
    ]
    ways = [(made.table, table) for table in used if table != made.table]
    while waiting:
        table, one = waiting.pop()
        if isinstance(one, Linked):
            ways.append((table, one.table))
            waiting += [(one.table, each) for each in one.conditions]
    pairs: dict[tuple[str, str, str], None] = {}
    for first, last in ways:
        here = first
        for hop in path(tables, first, last):
            many, one = (here, hop.table) if hop.one else (hop.table, here)
            pairs[many.name, one.name, hop.here.name if hop.one else hop.there.name] = None
            here = hop.table
    return [*pairs]


@dataclass(frozen=True, slots=True)
class _Writer:
    made: Selection
    tables: tuple[Table, ...]

    def written(self) -> SelectionWritten:
        made = self.made
        shown = made.shown or tuple(Figure(made.table, column) for column in made.table.columns)
        names = _titles(shown)
        fields = [f"{self._figure(one)} AS {quoted(name)}" for one, name in zip(shown, names, strict=True)]
        where = self.where(made.conditions, made.table)
        joined = self._parents(shown)
        source = made.table.rows_sql
        if joined and where:
            source = f"(SELECT * FROM {source} WHERE {where}) AS {source}"
            where = ""
        for hop in joined:
            on = f"{_named(made.table, hop.here)} = {_named(hop.table, hop.there)}"
            source += f" LEFT JOIN {hop.table.rows_sql} ON {on}"
        different = "DISTINCT " if made.different and not made.groups else ""
        sql = f"SELECT {different}{', '.join(fields)} FROM {source}"
        if where:
            sql += f" WHERE {where}"
        if made.groups:
            sql += f" GROUP BY {', '.join(self._figure(one) for one in made.groups)}"
            if made.having:
                sql += f" HAVING count(*) {made.having[0]} {made.having[1]}"
        return SelectionWritten(sql + self._order(), tuple(names))

    def _order(self) -> str:
        made = self.made
        if not made.orders:
            return ""
        ways = [f"{self._figure(one.figure)} {'ASC' if one.way == 'up' else 'DESC'} NULLS LAST" for one in made.orders]
        if made.limit == 1:
            return f" QUALIFY rank() OVER (ORDER BY {', '.join(ways)}) = 1 LIMIT {_TIES}"
        return f" ORDER BY {', '.join(ways)}" + (f" LIMIT {made.limit}" if made.limit else "")

    def _parents(self, shown: Sequence[Figure]) -> list[Hop]:
        """The tables of which each row has one row, and that something is shown or ordered by."""
        figures = [*shown, *self.made.groups, *(one.figure for one in self.made.orders)]
        hops: dict[str, Hop] = {}
        for one in figures:
            way = path(self.tables, self.made.table, one.table) if one.table != self.made.table else ()
            if len(way) == 1 and way[0].one and one.column is not None:
                hops[one.table.name] = way[0]
        return [*hops.values()]

    def _figure(self, one: Figure) -> str:
        if one.table != self.made.table:
            way = path(self.tables, self.made.table, one.table)
            if not (len(way) == 1 and way[0].one and one.column is not None):
                return self._of_others(one, way)
        if one.column is None:
            return "count(*)"
        return _put_together(one, _named(one.table, one.column))

    def _of_others(self, one: Figure, way: Sequence[Hop]) -> str:
        """What the rows of another table come to that belong to a row."""
        first = way[0]
        figure = "count(*)" if one.column is None else _put_together(one, quoted(one.column.name))
        inner = self.where(one.conditions, one.table)
        linked = f"{_named(first.table, first.there)} = {_named(self.made.table, first.here)}"
        if len(way) == 1:
            conditions = " AND ".join(filter(None, (linked, inner)))
        else:
            rest = self._reached(first.table, way[1:], inner)
            conditions = f"{linked} AND {rest}"
        return f"(SELECT {figure} FROM {first.table.rows_sql} WHERE {conditions})"

    def where(self, conditions: Sequence[Condition], table: Table) -> str:
        return " AND ".join(self._condition(one, table) for one in conditions)

    def _condition(self, one: Condition, table: Table) -> str:
        match one:
            case Filter():
                return condition(one)
            case AgainstMean():
                name = quoted(one.column.name)
                return f"{name} {one.operator} (SELECT avg({name}) FROM {table.rows_sql})"
            case Extreme():
                name, end = quoted(one.column.name), "max" if one.way == "down" else "min"
                others = [other for other in self.made.conditions if other != one] if table == self.made.table else []
                where = self.where([other for other in others if not isinstance(other, Extreme)], table)
                return f"{name} = (SELECT {end}({name}) FROM {table.rows_sql}{f' WHERE {where}' if where else ''})"
            case Holding():
                text = one.text.lower().replace("\\", "\\\\").replace("%", "\\%").replace("_", "\\_")
                pattern = {"in": f"%{text}%", "begin": f"{text}%", "end": f"%{text}"}[one.place]
                held = f"lower({quoted(one.column.name)}) {'NOT ' if one.negated else ''}LIKE {literal(pattern)}"
                return held + (" ESCAPE '\\'" if "\\" in pattern else "")
            case Worded():
                text = f"strip_accents(CAST({quoted(one.column.name)} AS VARCHAR))"
                return f"regexp_matches({text}, {literal(words_pattern(one.texts))})"
            case Linked():
                return self._linked(one, table)

    def _linked(self, one: Linked, table: Table) -> str:
        way = path(self.tables, table, one.table)
        inner = self.where(one.conditions, one.table)
        if not one.operator:
            return self._reached(table, way, inner, negated=one.negated)
        first = way[0]
        rest = self._reached(first.table, way[1:], inner) if len(way) > 1 else inner
        fewer = one.operator in ("<", "<=")
        operator = {"<": ">=", "<=": ">"}.get(one.operator, one.operator)
        there = quoted(first.there.name)
        where = " AND ".join(filter(None, (f"{there} IS NOT NULL", rest)))
        several = f"SELECT {there} FROM {first.table.rows_sql} WHERE {where} GROUP BY {there}"
        return (
            f"{quoted(first.here.name)} {'NOT ' if fewer else ''}IN ({several} HAVING count(*) {operator} {one.number})"
        )

    def _reached(self, table: Table, way: Sequence[Hop], inner: str, negated: bool = False) -> str:
        """That a row of ``table`` has, along the way, a row for which ``inner`` holds."""
        if not way:
            return inner or "TRUE"
        hop, there = way[0], quoted(way[0].there.name)
        rest = self._reached(hop.table, way[1:], inner) if len(way) > 1 else inner
        where = " AND ".join(filter(None, (f"{there} IS NOT NULL", rest)))
        found = f"IN (SELECT {there} FROM {hop.table.rows_sql} WHERE {where})"
        name = quoted(hop.here.name)
        return f"({name} IS NULL OR {name} NOT {found})" if negated else f"{name} {found}"


def _put_together(one: Figure, name: str) -> str:
    match one.function:
        case "":
            return name
        case "distinct":
            return f"count(DISTINCT {name})"
        case "avg":
            return f"round(avg({name}), {min(4, digits_of_mean(one.column)) if one.column else 4})"
        case _:
            return f"{one.function}({name})"


def _named(table: Table, column: Column) -> str:
    return f"{quoted(table.name)}.{quoted(column.name)}"


def _titles(shown: Sequence[Figure]) -> list[str]:
    names: list[str] = []
    for one in shown:
        name = one.column.name if one.column else f"number_of_{one.table.name}"
        name = f"{TITLES[one.function]}_{name}" if one.column and one.function else name
        if name in names:
            name = f"{one.table.name}_{name}"
        while name in names:
            name += "_"
        names.append(name)
    return names
