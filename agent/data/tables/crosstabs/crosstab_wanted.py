"""What is asked of the cells of a crosstab: the SQL for it, and what is said of the result."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Literal

from agent.data.tables.crosstabs.crosstab_table import Crosstab, Head, Line, in_order, scale_told
from agent.data.tables.identifiers import literal, quoted
from agent.data.tables.questions.observed import grouped

Unit = Literal["amount", "percent", "points", "plain", "word"]
_PLACES = {"amount": 6, "percent": 2, "points": 2, "plain": 4}


@dataclass(frozen=True, slots=True)
class Cell:
    line: Line
    head: Head


@dataclass(frozen=True, slots=True)
class Wanted:
    """In the ``language`` of the question. ``expression`` is SQL over ``{0}``, ``{1}``…, the ``cells``; "" where these
    are asked for themselves.

    ``name`` is what the figure is called, ``reading`` how the question was understood. ``signs`` are two cells of which
    no percentage makes sense where one is below zero and the other is not. ``counted`` are heads under which
    the figures are counted, where it is asked for which periods there are any.
    """

    language: str
    crosstab: Crosstab
    cells: tuple[Cell, ...]
    reading: str
    expression: str = ""
    name: str = ""
    unit: Unit = "amount"
    signs: tuple[int, ...] = ()
    counted: tuple[Head, ...] = ()

    @property
    def columns(self) -> tuple[str, ...]:
        """The names of the columns of the result."""
        if self.counted:
            return tuple(f"{head.text[:60]}, figures" for head in self.counted)
        several = len({cell.line.place for cell in self.cells}) > 1
        made: list[str] = []
        for number, cell in enumerate(self.cells):
            head = cell.head.text or cell.head.column.name
            name = f"{cell.line.label[:60]}, {head[:40]}" if several or not self.expression else head[:60]
            name = name.replace('"', "").replace("|", "/")
            made.append(name if name not in made else f"{name} {number}")
        return (*made, self.name or "result") if self.expression else tuple(made)

    def sql(self) -> str:
        table, first = self.crosstab.table, self.crosstab.table.columns[0]
        if self.counted:
            counts = (f"count({quoted(head.column.name)}) AS {quoted(name)}" for head, name in self._with_names())
            return f"SELECT {', '.join(counts)} FROM {table.rows_sql}"
        alone = all(cell.line.alone for cell in self.cells)
        by = quoted(first.name) if alone else "row_number"
        source = table.rows_sql if alone else f"(SELECT *, row_number() OVER () AS row_number FROM {table.rows_sql})"
        fields: list[str] = []
        for place, cell in enumerate(self.cells):
            is_row = literal(cell.line.label) if alone else str(cell.line.place + 1)
            value = (
                _figure(cell.head, self.unit == "percent" and bool(self.signs))
                if self.expression
                else quoted(cell.head.column.name)
            )
            fields.append(f"max({value}) FILTER (WHERE {by} = {is_row}) AS v{place}")
        names = [f"v{place} AS {quoted(name)}" for place, name in enumerate(self.columns[: len(self.cells)])]
        if self.expression:
            made = self.expression.format(*(f"v{place}" for place in range(len(self.cells))))
            made = made if self.unit == "word" else f"round({made}, {_PLACES[self.unit]})"
            names.append(f"{made} AS {quoted(self.columns[-1])}")
        return f"SELECT {', '.join(names)} FROM (SELECT {', '.join(fields)} FROM {source})"

    def _with_names(self) -> zip[tuple[Head, str]]:
        return zip(self.counted, self.columns, strict=True)

    def told(self, row: Sequence[str]) -> str:
        """The answer that the ``row`` of the result makes; "" where a cell that is needed has no figure."""
        if self.counted:
            some = zip(self.counted, row, strict=True)
            return "\n".join(f"- {head.text}: {count} figures" for head, count in some if count != "0")
        values = row[: len(self.cells)]
        if self.expression and ("NULL" in row or self._of_other_sign(values)):
            return ""
        below = [value.startswith("-") for value in values]
        if all(below) and self.name in ("Highest in", "Lowest in"):
            return ""  # by their size it would be the other one
        cells = [
            f"{self._named(cell)}: {self._amount(value, cell)}" for cell, value in zip(self.cells, values, strict=True)
        ]
        if not self.expression:
            return "" if all(value == "NULL" for value in values) else "\n".join(f"- {one}" for one in cells)
        japanese = self.language == "ja"
        colon, joint, stop = ("：", "、", "。") if japanese else (": ", "; ", ".")
        figure = row[-1] if self.unit == "word" else self._result(row[-1], all(below))
        beside = joint.join(cells)
        return f"{self.name}{colon}{figure}{stop}\n\n{'もとの値' if japanese else 'From'}{colon}{beside}{stop}"

    def _of_other_sign(self, values: Sequence[str]) -> bool:
        return len({values[place].startswith("-") for place in self.signs}) > 1 or any(
            float(values[place]) == 0 for place in self.signs[:1]
        )

    def _named(self, cell: Cell) -> str:
        head = cell.head.text or cell.head.column.name
        above = f"{cell.line.section}: " if cell.line.section and not cell.line.alone else ""
        return f"{above}{cell.line.label}, {head}" if self.language == "en" else f"{above}{cell.line.label}（{head}）"

    def _amount(self, value: str, cell: Cell) -> str:
        if value == "NULL":
            return "no figure" if self.language == "en" else "値なし"
        percent = "%" if cell.head.column.unit == "%" and not value.endswith("%") else ""
        if value.endswith("%"):
            return value
        return f"{with_marks(value)}{percent}{scale_told(self.crosstab.scale(cell.line, cell.head), self.language)}"

    def _result(self, figure: str, below_zero: bool) -> str:
        """The figure worked out; where all are below zero, as costs may be, whether one rose is not said."""
        if self.unit == "percent":
            return f"{with_marks(figure)}%"
        if self.unit == "points":
            return f"{with_marks(figure)}{' points' if self.language == 'en' else 'ポイント'}"
        if self.unit == "plain":
            return with_marks(figure)
        scales = {self.crosstab.scale(cell.line, cell.head) for cell in self.cells}
        told = f"{with_marks(figure)}{scale_told(scales.pop() if len(scales) == 1 else '', self.language)}"
        if figure.lstrip("-") in ("0", "0.0"):
            return told
        if self.name == "Difference" and figure.startswith("-"):
            return f"{told.removeprefix('-')}; {self.cells[0].line.label} is the lower one"
        if self.name not in ("Change", "増減額") or below_zero:
            return told
        falls, size = figure.startswith("-"), with_marks(figure.lstrip("-"))
        if self.language == "ja":
            return f"{told}（{size}の{'減少' if falls else '増加'}）"
        return f"{told}, a {'fall' if falls else 'rise'} of {size}"


def added(cells: Sequence[Cell]) -> str:
    """The expression of their sum."""
    return " + ".join(f"{{{place}}}" for place in range(len(cells)))


def mean(cells: Sequence[Cell]) -> str:
    return f"({added(cells)}) * 1.0 / {len(cells)}"


def when(tests: Iterable[str], heads: Iterable[str], joint: str = ", ") -> str:
    """The expression of the names of those ``heads`` of which the test holds."""
    plain = (literal(head.replace("{", "(").replace("}", ")")) for head in heads)
    chosen = [f"CASE WHEN {test} THEN {head} END" for test, head in zip(tests, plain, strict=True)]
    return f"concat_ws('{joint}', {', '.join(chosen)})"


def tests_of_most(cells: Sequence[Cell], way: str) -> list[str]:
    """Of each cell, whether it is the highest, or the lowest where the ``way`` is "min"."""
    every = ", ".join(f"{{{place}}}" for place in range(len(cells)))
    end = f"{'greatest' if way == 'max' else 'least'}({every})"
    return [f"{{{place}}} = {end}" for place in range(len(cells))]


def two_periods(named: Sequence[Head], timed: Sequence[Head]) -> tuple[Head, Head] | None:
    """The two periods of a change, the earlier one first: where one is named, that and the one before in ``timed``."""
    if len(named) == 2:
        first, last = in_order(named)
        return (first, last) if first is not last else None
    if len(named) == 1:
        place = timed.index(named[0]) if named[0] in timed else 0
        return (timed[place - 1], timed[place]) if place else None
    return (timed[0], timed[1]) if len(timed) == 2 and not named else None


def with_marks(figure: str) -> str:
    """1234567.5 as 1,234,567.5; a whole number without its ".0"."""
    return grouped(figure.removesuffix(".0"))


def _figure(head: Head, no_percent: bool = False) -> str:
    """SQL for the number in a column, also where it is text since its figures have several units; ``no_percent``: none
    where it is a percentage.
    """
    name = quoted(head.column.name)
    if head.column.kind == "number":
        return name
    plain = f"regexp_replace({name}, '[^0-9.]', '', 'g')"
    sign = f"CASE WHEN regexp_matches({name}, '^[^0-9]*[(−▲△-]') THEN -1 ELSE 1 END"
    return (
        f"CASE WHEN regexp_full_match({name}, '[^0-9A-Za-z]*[0-9][0-9,.]*[^0-9A-Za-z{'%' if no_percent else ''}]*') "
        f"THEN {sign} * TRY_CAST({plain} AS DOUBLE) END"
    )
