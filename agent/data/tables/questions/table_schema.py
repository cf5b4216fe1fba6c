"""The tables that a run has, a question about one of them once it is understood, and its times as ranges of days."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import date, timedelta
from typing import Any, Literal

from agent.data.tables.cells import shown
from agent.data.tables.identifiers import quoted
from agent.data.tables.questions.table_lexicon import LEXICON, MONTHS, words
from agent.interface_text import unpacked
from agent.text.quantities.units import MONEY_UNITS, measure_of

Kind = Literal["number", "date", "boolean", "text", "other"]
_EXAMPLES = 3  # values that are read of a column
# Rows from which on numbers without a gap count them. Those of few rows that begin at 1 may be goals, at 20
# temperatures; numbers of things begin at 1, or like 1001 beyond what is mostly measured.
_FEWEST_FROM_ONE, _FEWEST_FROM_FAR, _FAR = 20, 5, 100

_KINDS: Mapping[str, Kind] = {
    "integer": "number", "number": "number", "date": "date", "timestamp": "date", "boolean": "boolean", "text": "text",
}  # fmt: skip
_KINDS_COMPARED = {"mass": "mass", "distance": "length", "speed": "speed", "duration": "time",
                   "temperature": "temperature", "age": "age", "price": "money", "strength": "strength"}  # fmt: skip


@dataclass(frozen=True, slots=True)
class Column:
    """``distinct`` and ``least`` to ``most`` are ``None`` and "" where they are not known.

    ``examples`` are some of its values, those cut short left out; ``values`` the others known, ``complete``: all there
    are; ``counts``: of how many rows each is. ``numbered``: it counts the rows. ``leads_to``: the end of a foreign key.
    """

    name: str
    label: str
    kind: Kind
    unit: str = ""
    distinct: int | None = None
    nulls: int = field(default=0, hash=False)
    least: str = ""
    most: str = field(default="", hash=False)
    examples: tuple[str, ...] = field(default=(), hash=False)
    numbered: bool = False
    values: tuple[str, ...] = field(default=(), hash=False)
    complete: bool = False
    counts: tuple[int, ...] = field(default=(), hash=False)
    leads_to: str = ""

    @property
    def called(self) -> str:
        """As the file calls it."""
        return self.label or self.name

    @property
    def known(self) -> tuple[str, ...]:
        """The values that are known without a query."""
        return tuple(dict.fromkeys((*self.values, *self.examples)))


@dataclass(frozen=True, slots=True)
class Table:
    """``joined`` is what stands for it behind FROM, where it is two tables in one, or has a column worked out.

    ``derived`` is so, too, where the column has a name of its own that any reader may know, and ``told`` says how it
    is worked out.

    ``labels`` are those of its rows, where these are few, each with whether its row has values; ``caption`` is what
    was read with it, as a title above its heads.
    """

    name: str
    source: str
    rows: int
    columns: tuple[Column, ...] = field(hash=False)
    joined: str = ""
    derived: str = ""
    told: str = ""
    labels: tuple[tuple[str, bool], ...] = field(default=(), hash=False)
    caption: str = ""

    def of_kind(self, kind: Kind) -> list[Column]:
        """Its columns of that kind."""
        return [column for column in self.columns if column.kind == kind]

    @property
    def rows_sql(self) -> str:
        """What stands for its rows behind FROM, by its name: with the columns that are implied."""
        return f"{self.derived} AS {quoted(self.name)}" if self.derived else quoted(self.name)

    def with_column(self, column: Column, worked_out: str) -> Table:
        """With a column more, whose figures the SQL works out of those of its row."""
        widened = self.with_implied(column, worked_out, "")
        return replace(self, columns=widened.columns, joined=widened.derived)

    def with_implied(self, column: Column, worked_out: str, told: str) -> Table:
        """With a column more that people take for one of its own, and what it is said to be."""
        source = f"(SELECT *, {worked_out} AS {quoted(column.name)} FROM {self.rows_sql})"
        told = "; ".join(filter(None, (self.told, told)))
        return replace(self, columns=(*self.columns, column), derived=source, told=told)


def table_of(card: Mapping[str, Any]) -> Table:
    """The table of a schema card, as ``agent.data.tables.cards`` makes it."""
    columns = tuple(map(_column, card["columns"]))
    if columns and _counts_rows(columns[0], card["rows"]):
        columns = (replace(columns[0], numbered=True), *columns[1:])
    labels = tuple((str(label), bool(filled)) for label, filled in card.get("labels", ()))
    caption = " ".join(map(str, map(unpacked, card.get("notes", ()))))
    return Table(card["name"], card["source"], card["rows"], columns, labels=labels, caption=caption)


def _counts_rows(column: Column, rows: int) -> bool:
    """Whether it has a whole number for every row, without a gap, and begins as numbers of things do."""
    if column.kind != "number" or column.distinct != rows or not (column.least.isdigit() and column.most.isdigit()):
        return False
    least, most = int(column.least), int(column.most)
    few = _FEWEST_FROM_FAR if column.name in LEXICON["columns"]["numbered_things"] else _FEWEST_FROM_ONE
    return most - least == rows - 1 and ((least <= 1 and rows >= few) or (least >= _FAR and rows >= _FEWEST_FROM_FAR))


def _column(card: Mapping[str, Any]) -> Column:
    kind = _KINDS.get(card["kind"], "other")
    examples: Sequence[str] = card.get("examples", ())[:_EXAMPLES] if kind in ("text", "boolean", "other") else ()
    least, most = (shown(card[end]) if card.get(end) is not None else "" for end in ("min", "max"))
    spread: Mapping[str, Any] = card.get("histogram") or {}
    values: Sequence[str] = spread.get("values", ()) if kind == "text" else ()
    known = dict(zip(values, spread.get("counts", ()), strict=False))
    whole = tuple(text for text in values if text and not text.endswith("…"))
    complete = bool(whole) and not spread.get("others") and len(whole) == len(values)
    return Column(
        card["name"], card.get("label") or card["name"], kind, card.get("unit", ""), card.get("distinct"),
        card.get("nulls", 0), least, most, tuple(text for text in examples if text and not text.endswith("…")),
        values=whole, complete=complete, counts=tuple(known.get(text, 0) for text in whole),
        leads_to=card.get("leads_to", ""),
    )  # fmt: skip


Measure = Literal["count", "sum", "avg", "median", "min", "max", "distinct", "rows"]
Period = Literal["", "year", "quarter", "month", "week", "day"]
Operator = Literal["=", "<>", ">", ">=", "<", "<=", "between", "year", "month", "null", "true", "find", "not find"]
Chart = Literal["", "any", "bar", "line", "area", "pie", "scatter", "histogram"]


@dataclass(frozen=True, slots=True)
class Filter:
    """``values`` are texts as they stand in the table, numbers and dates as SQL takes them, or a year and a month.

    ``turn``: which question of a conversation it is from. ``said``: how a date was told, "after 2022", where the SQL
    has another; "-" for the end of a day, which is not told again.
    ``find`` and ``not find``: a text that is still to be looked for, in ``column`` or in all of them.
    """

    column: Column | None
    operator: Operator
    values: tuple[str, ...] = ()
    turn: int = 0
    said: str = ""

    @property
    def sought(self) -> bool:
        """Whether its text is still to be looked for."""
        return self.operator in ("find", "not find")


@dataclass(frozen=True, slots=True)
class Group:
    column: Column
    period: Period = ""


@dataclass(frozen=True, slots=True)
class Asked:
    """``rows``: the rows, of ``shown`` columns (all where empty), by ``column`` where ordered; ``whole``: no decimals.

    ``order``: the groups or rows from the largest ("down") or the smallest ("up"); ``limit`` 0 is no limit.
    """

    table: Table
    measure: Measure
    column: Column | None = None
    groups: tuple[Group, ...] = ()
    filters: tuple[Filter, ...] = ()
    order: Literal["", "up", "down"] = ""
    limit: int = 0
    shown: tuple[Column, ...] = ()
    chart: Chart = ""
    whole: bool = False


_MONTHS = [name for name in MONTHS if len(name) > 4 or name in ("may", "june", "july")]
_MANY_YEARS, _MANY_MONTHS = 4 * 366, 100  # days


def date_column(table: Table, choice: int = 0) -> Column | None:
    """The column with dates that is meant where none is named: the first, or another for another reading."""
    found = table.of_kind("date")
    return found[min(choice, len(found) - 1)] if found else None


def year_column(table: Table) -> Column | None:
    """A column that holds years as numbers."""
    years = {"year", "年", "年度"}
    return next((one for one in table.of_kind("number") if years & {*words(one.name), one.label}), None)


def over_time(column: Column) -> Period:
    """The period in which so long a time is best seen."""
    ends = [re.match(r"\d{4}-\d{2}-\d{2}", text) for text in (column.least, column.most)]
    if not (ends[0] and ends[1]):
        return "month"
    days = (_day(ends[1][0]) - _day(ends[0][0])).days
    return "year" if days > _MANY_YEARS else "month" if days > _MANY_MONTHS else "day"


def _day(text: str) -> date:
    try:
        return date.fromisoformat(text)
    except ValueError:
        return date(2000, 1, 1)


def span(text: str) -> tuple[str, str] | None:
    """First day, and the first day after, of ``2023``, ``2023-5`` or ``2023-05-17``; ``None`` where there is none."""
    try:
        if re.fullmatch(r"\d{4}", text):
            return f"{date(int(text), 1, 1)}", f"{date(int(text) + 1, 1, 1)}"
        if found := re.fullmatch(r"(\d{4})-(\d{1,2})", text):
            year, month = int(found[1]), int(found[2])
            return f"{date(year, month, 1)}", f"{date(year + month // 12, month % 12 + 1, 1)}"
        day = date.fromisoformat(text)
        return f"{day}", f"{day + timedelta(days=1)}"
    except (ValueError, OverflowError):
        return None


def dated(operator: str, text: str) -> list[tuple[Operator, str]]:
    """The comparisons that "after 2022", "until March 2023" or "on 2023-05-17" make; none where they make no sense.

    The last day of what is said belongs to "until" and not to "after".
    """
    ends = span(text)
    if ends is None:
        return []
    first, after = ends
    found: dict[str, list[tuple[Operator, str]]] = {
        "on": [(">=", first), ("<", after)],
        "after": [(">=", after)],
        "since": [(">=", first)],
        "before": [("<", first)],
        "until": [("<", after)],
    }
    same = {">": "after", ">=": "since", "<": "before", "<=": "until", "=": "on"}
    return found.get(same.get(operator, operator), [])


def told_of(text: str) -> str:
    """``2023-5`` as ``May 2023``, ``0-5`` as ``May``; years and days as they are."""
    found = re.fullmatch(r"(\d{1,4})-(\d{1,2})", text)
    if found is None:
        return text
    return f"{_MONTHS[int(found[2]) - 1].capitalize()} {found[1].removeprefix('0')}".rstrip()


NAMING = frozenset({"id", "no", "nr", "code", "number", "key", "番号"})
_YEARS = frozenset({"year", "zip", "年", "年度"})


def column_words(column: Column) -> tuple[str, ...]:
    return (*words(column.name), *words(column.label), column.label)


def measured(column: Column) -> frozenset[str]:
    """The kinds of the units that a column says it has: ``mass`` for "samples (kg)"."""
    return frozenset(one.kind for word in column_words(column) for one in measure_of(word))


def kinds_of(names: Iterable[str]) -> frozenset[str]:
    """The kinds of figures that go with what is compared: lengths with a ``distance``."""
    return frozenset(_KINDS_COMPARED[name] for name in names if name in _KINDS_COMPARED)


def id_like(column: Column) -> bool:
    """A number that names a thing, or a year: of no use in a sum."""
    said = {*column_words(column)}
    few = re.fullmatch(r"\d{1,3}(?:\.\d+)?", column.most) is not None  # "Age (years)"
    several = any(len(word) > 4 and word.endswith(("nr", "nummer")) for word in said)  # "Artikelnr"
    return column.numbered or several or bool(NAMING & said or (_YEARS & said and not few))


def tells_apart(column: Column, rows: int) -> bool:
    """Whether each of several rows has a text of its own in it: a list of pieces has one of their names."""
    return column.kind == "text" and 1 < rows == column.distinct


def own_texts(table: Table) -> list[Column]:
    """The columns with a text that no two rows have alike, those of a table of one row, too."""
    return [column for column in table.of_kind("text") if column.distinct == table.rows]


def row_words(column: Column, rows: int) -> tuple[str, ...]:
    """What each row is, where a column numbers them: those of ``order_id`` are orders. Empty for any other column."""
    several = words(column.name)
    named = tuple(word for word in several if word not in NAMING)
    short = len(named) < len(several) or column.numbered
    return named if named and short and rows and column.distinct == rows else ()


_AVERAGED, _MONEY, _SUMMED, _SHARES = (
    frozenset(LEXICON["columns"][kind]) for kind in ("averaged", "money", "summed", "shares")
)


def added_up(column: Column) -> bool:
    """Whether its name says that its figures are added up, as money and quantities are."""
    return bool((_SUMMED | _MONEY) & {*column_words(column)})


def default_numbers(table: Table) -> list[Column]:
    """The columns that a "total" without a name may be of, the likeliest first."""
    found = [column for column in table.of_kind("number") if not id_like(column)]
    return sorted(found, key=lambda column: (not is_money(column), not _SUMMED & {*column_words(column)}))


def is_price_of_one(column: Column) -> bool:
    """Whether it is a unit price, which is no total where a row is of several."""
    said = {*column_words(column)}
    return "unit" in said and bool(said & {"price", "cost"})


def is_money(column: Column) -> bool:
    """Whether its figures are amounts that are paid, by their unit or their name."""
    return column.unit in MONEY_UNITS or bool(_MONEY & {*column_words(column)})


def usual(column: Column) -> Measure:
    """How the figures of a column are put together where it is not said: temperatures have no sum."""
    averaged = _AVERAGED & {*column_words(column)} and column.called[-5:].lower() != "costs"  # which are several
    return "avg" if is_share(column) or averaged else "sum"


def is_share(column: Column) -> bool:
    """Whether its figures are percentages, or parts of 1, which do not add up."""
    ends = [float(end) for end in (column.least, column.most) if column.kind == "number" and end]
    return column.unit == "%" or (
        len(ends) == 2 and ends[0] >= 0 and ends[1] <= 1 and bool(_SHARES & {*column_words(column)})
    )
