"""What stands above the columns of a result and beside the axes of a chart: a readable name, and the unit."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from agent.text.regex import regex

ROWS_USED = "rows_used"  # the column of a query of ours that tells of how many rows each figure is
EMPTY = ("(empty)", "（空）")  # a cell without a value; where its column is called in Japanese
ROWS_COUNTED = "number_of_rows"  # the column of a query of ours that counts rows
_YEARS = range(1500, 2200)
_LEAST_IDS = 5  # that make a series
_NAMES_THINGS = regex(r"(.*[_ ])?(id|no|nr|code|year|zip|plz|postcode)|.*[^\W\d_]{2}(nr|nummer)|.*(番号|コード)", re.I)
# What keeps the unit of its column: a count of euros is in no euros.
_AGGREGATE = r"total|sum|average|avg|mean|median|min|max|minimum|maximum|lowest|highest|smallest|largest"
_OF_COLUMN = regex(rf"(?:{_AGGREGATE})(?:_of)?_(?P<name>.+)|(?:{_AGGREGATE})\(\"?(?P<inner>[^()\"]+)\"?\)", re.I)
PERIODS_JA = {"": "", "year": "年", "quarter": "四半期", "month": "月", "week": "週", "day": "日", "hour": "時間"}
_WITH_UNIT = ("合計", "平均", "中央値", "最小値", "最大値")
_OF_JAPANESE = regex(rf"(?P<name>.+)の(?P<said>{'|'.join(_WITH_UNIT)}|件数|種類の数|年|四半期|月|週|日)")
_FOR_PROGRAMS = regex(r"[a-z0-9]+(?:_[a-z0-9]+)+")
# The last word of a name for programs that is a unit: height_cm. A letter is one behind what is measured in it alone.
_UNITS = {
    **{unit.lower(): unit for unit in ("kg", "mg", "cm", "mm", "km", "ml", "kWh", "kW", "MW", "MB", "GB", "TB", "mph")},
    **{unit.lower(): unit for unit in ("USD", "EUR", "GBP", "CHF", "JPY", "ha", "lb", "oz", "ft", "ms")},
    **{"m2": "m²", "km2": "km²", "m3": "m³", "kmh": "km/h", "pct": "%", "percent": "%"},
    **{f"{name} {letter}": f"°{letter.upper()}" for name in ("temp", "temperature") for letter in "cf"},
    **{f"{name} m": "m" for name in ("height", "length", "width", "depth", "distance", "altitude", "elevation")},
    **{f"{name} g": "g" for name in ("weight", "mass")},
}
_COUNTS = ("count ", "number ")
Described = Sequence[Mapping[str, Any]]


@dataclass(frozen=True, slots=True)
class Heading:
    """``title`` begins with a capital letter, and is without the unit."""

    title: str
    unit: str = ""

    def __str__(self) -> str:
        return self.title if not self.unit or says_unit(self.title, self.unit) else f"{self.title} ({self.unit})"


def says_unit(title: str, unit: str) -> bool:
    """Whether the title of a column has the unit as a word of its own: "Days" of those measured in days, "Total €"."""
    if not unit:
        return False
    before, after = (r"(?<!\w)" if unit[0].isalnum() else ""), (r"(?!\w)" if unit[-1].isalnum() else "")
    return re.search(f"{before}{re.escape(unit)}{after}", title, re.IGNORECASE) is not None


def heading_of(name: str, described: Described) -> Heading:
    """The heading of the column ``name`` of a result, by the columns of the tables (name, label, unit)."""
    by_name = {str(column["name"]).casefold(): column for column in described}
    column = by_name.get(name.casefold())
    if column is not None:
        unit = str(column.get("unit", ""))
        return Heading(capitalised(_label(column) if unit else unit_apart(_label(column))), unit)
    if (found := _of_japanese(name, by_name)) is not None:
        return found
    match = _OF_COLUMN.fullmatch(name)
    inner = by_name.get((match["name"] or match["inner"]).casefold()) if match else None
    if period := _period_of(name, by_name):
        return Heading(capitalised(period))
    unit = str(inner.get("unit", "")) if inner else ""
    return Heading(capitalised(words_of(name) if unit else unit_apart(words_of(name))), unit)


def is_described(name: str, described: Described) -> bool:
    """Whether it is a column of the tables, or says what is made of one: 売上の合計, the month of the only date."""
    by_name = {str(column["name"]).casefold(): column for column in described}
    return name.casefold() in by_name or _of_japanese(name, by_name) is not None or bool(_period_of(name, by_name))


def _period_of(name: str, by_name: Mapping[str, Mapping[str, Any]]) -> str:
    """The month in ``month_of_day``, where that is the only column of dates; "" where it is no such name."""
    period, _, inner = name.partition("_of_")
    dated = [column for column in by_name.values() if column.get("kind") in ("date", "timestamp")]
    known = period in PERIODS_JA and inner.casefold() in by_name
    return period if known and len(dated) == 1 and dated[0] is by_name[inner.casefold()] else ""


def _of_japanese(name: str, by_name: Mapping[str, Mapping[str, Any]]) -> Heading | None:
    match = _OF_JAPANESE.fullmatch(name)
    column = by_name.get(match["name"].casefold()) if match else None
    if match is None or column is None:
        return None
    unit = str(column.get("unit", "")) if match["said"] in _WITH_UNIT else ""
    return Heading(f"{_label(column)}の{match['said']}", unit)


def is_aggregate(name: str) -> bool:
    """Whether a name of SQL says that figures were put together: ``total_sales``, 売上の合計."""
    return _OF_COLUMN.fullmatch(name) is not None or _OF_JAPANESE.fullmatch(name) is not None


def words_of(name: str) -> str:
    """A name of SQL as words: ``total_revenue`` gives ``total revenue``."""
    return " ".join(name.replace("_", " ").split()) or name


def unit_apart(words: str) -> str:
    """Words that end in a unit with it in brackets, as above a column: "height cm" gives "height (cm)"."""
    *before, last = words.split(" ")
    unit = _UNITS.get(last) or _UNITS.get(" ".join((*before[-1:], last)))
    return (
        f"{' '.join(before)} ({unit})"
        if before and unit and before[-1] != "per" and not words.startswith(_COUNTS)
        else words
    )


def _label(column: Mapping[str, Any]) -> str:
    """The header as it was in the file, without a unit in brackets; one that is a name for programs as words."""
    label = str(column.get("label") or column["name"])
    label = words_of(label) if _FOR_PROGRAMS.fullmatch(label) else label
    unit = str(column.get("unit", ""))
    return re.sub(rf"\s*[(\[]\s*{re.escape(unit)}\s*[)\]]\s*$", "", label) or label if unit else label


def capitalised(text: str) -> str:
    """The text with a capital letter in front."""
    return text[:1].upper() + text[1:]


def names_not_amounts(name: str, values: Iterable[object]) -> bool:
    """Whether whole numbers name things, as years and ids do: they are written without marks between thousands."""
    numbers = [value for value in values if value is not None]
    if not numbers or not all(isinstance(value, int) and not isinstance(value, bool) for value in numbers):
        return False
    whole = [value for value in numbers if isinstance(value, int)]
    if all(value in _YEARS for value in whole) or _NAMES_THINGS.fullmatch(name):
        return True
    spread = max(whole) - min(whole) + 1
    return len(whole) >= _LEAST_IDS and len(set(whole)) == len(whole) == spread
