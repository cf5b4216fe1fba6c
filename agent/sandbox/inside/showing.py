"""Values of a program as what can be shown: text, tables, charts. Everything has a size beyond which it is cut."""

from __future__ import annotations

import base64
import io
import json
import math
import sys
from collections.abc import Iterable, Sequence
from datetime import date, datetime, time, timedelta
from decimal import Decimal
from importlib import import_module
from typing import Any, cast

MOST_ROWS = 1_000
MOST_COLUMNS = 200
MOST_CELL = 2_000
MOST_TABLE_BYTES = 2 << 20
MOST_TEXT = 20_000
MOST_SPEC_BYTES = 3 << 20
MOST_PNG_BYTES = 3 << 20
MOST_TABLES = 3
MOST_CHARTS = 3
# Beyond this, readers of JSON round.
EXACT = 1 << 53


def library(name: str) -> Any:
    """A module whose own types say too little or too much."""
    return import_module(name)


def is_a(value: object, name: str) -> bool:
    """Whether it is of the class of that full name. Where nobody imported the module, nothing is."""
    module, _, kind = name.rpartition(".")
    return module in sys.modules and isinstance(value, getattr(library(module), kind))


class Shown:
    """What one run shows, in order: ``display`` as in a notebook."""

    def __init__(self) -> None:
        self.value: str | None = None
        self.texts: list[str] = []
        self.tables: list[dict[str, Any]] = []
        self.charts: list[dict[str, Any]] = []
        self.drawn: set[int] = set()
        self.left_out = 0

    def display(self, *values: object, result: bool = False) -> None:
        """Show each value; the ``result`` of the program is its ``value`` where it is neither table nor chart."""
        for value in values:
            if value is None:
                continue
            figure = figure_of(value)
            if figure is not None:
                self.draw(figure)
            elif is_a(value, "altair.TopLevelMixin"):
                self.add_spec(value)
            elif is_a(value, "duckdb.DuckDBPyRelation"):
                self.add(self.tables, MOST_TABLES, lambda value=value: table_of_relation(value))
            elif (frame := frame_of(value)) is not None:
                self.add(self.tables, MOST_TABLES, lambda frame=frame: table_of(frame))
            elif result:
                self.value = cut(repr(value), MOST_TEXT)
            else:
                print(cut(repr(value), MOST_TEXT))

    def add(self, kept: list[dict[str, Any]], most: int, make: Any) -> None:
        if len(kept) < most:
            kept.append(make())
        else:
            self.left_out += 1

    def add_spec(self, chart: Any) -> None:
        spec = chart.to_dict()
        if len(json.dumps(spec, default=str)) > MOST_SPEC_BYTES:
            raise ValueError("the chart holds too much data: aggregate or sample it first")
        self.add(self.charts, MOST_CHARTS, lambda: {"kind": "vega", "spec": json.loads(json.dumps(spec, default=str))})

    def draw(self, figure: Any) -> None:
        if id(figure) in self.drawn:
            return
        self.drawn.add(id(figure))
        self.add(self.charts, MOST_CHARTS, lambda: picture_of(figure))

    def open_figures(self) -> None:
        """Show what was drawn with pyplot and not shown, and close it."""
        if "matplotlib.pyplot" not in sys.modules:
            return
        pyplot = library("matplotlib.pyplot")
        for number in pyplot.get_fignums():
            figure = pyplot.figure(number)
            if figure.axes or figure.texts:
                self.draw(figure)
        pyplot.close("all")

    def answer(self) -> dict[str, Any]:
        return {"value": self.value, "tables": self.tables, "charts": self.charts, "left_out": self.left_out}


def figure_of(value: Any) -> Any:
    """The matplotlib figure that it is, or is a part of."""
    if is_a(value, "matplotlib.figure.Figure"):
        return value
    first: Any = value
    if isinstance(value, (list, tuple)) and value:
        first = cast(Sequence[Any], value)[0]
    return getattr(first, "figure", None) if is_a(first, "matplotlib.artist.Artist") else None


def picture_of(figure: Any) -> dict[str, Any]:
    for dots in (144, 72, 36):
        buffer = io.BytesIO()
        figure.savefig(buffer, format="png", dpi=dots, bbox_inches="tight")
        if buffer.tell() <= MOST_PNG_BYTES:
            return {"kind": "png", "base64": base64.b64encode(buffer.getvalue()).decode("ascii")}
    raise ValueError("the picture is too large: make the figure smaller")


def frame_of(value: Any) -> Any:
    """The rows to show as a data frame, and in ``attrs["count"]`` how many there are; ``None`` where it is no table."""
    if is_a(value, "pyarrow.Table"):
        count, frame = value.num_rows, value.slice(0, MOST_ROWS).to_pandas()
    elif is_a(value, "pandas.Series"):
        count, frame = len(value), value.iloc[:MOST_ROWS].to_frame(value.name if value.name is not None else "value")
    elif is_a(value, "pandas.DataFrame"):
        count, frame = len(value), value.iloc[:MOST_ROWS]
    else:
        return None
    frame = frame.copy(deep=False)
    if not is_a(frame.index, "pandas.RangeIndex") and (len(frame.index.names) > 1 or len(frame)):
        names = [
            str(name) if name is not None else f"index{place or ''}" for place, name in enumerate(frame.index.names)
        ]
        frame.index.names = names
        frame = frame.reset_index(names=names, allow_duplicates=True)
    frame.attrs = {"count": count}
    return frame


def table_of(frame: Any) -> dict[str, Any]:
    kept = frame.iloc[:, :MOST_COLUMNS]
    rows = kept.itertuples(index=False, name=None)
    return table(zip(kept.columns, kept.dtypes, strict=True), rows, int(frame.attrs["count"]), frame.shape[1])


def table_of_relation(relation: Any) -> dict[str, Any]:
    """A query of DuckDB's; not by way of a data frame, which makes decimals of its large integers."""
    count = int(relation.aggregate("count(*)").fetchall()[0][0])
    columns = list(zip(relation.columns, relation.types, strict=True))
    rows = (row[:MOST_COLUMNS] for row in relation.limit(MOST_ROWS).fetchall())
    return table(columns[:MOST_COLUMNS], rows, count, len(columns))


def table(named: Iterable[tuple[Any, Any]], values: Iterable[Sequence[Any]], count: int, width: int) -> dict[str, Any]:
    """``columns`` with name and type, ``rows``, and how many rows and columns there are in all."""
    columns = [{"name": label(name), "type": str(kind)} for name, kind in named]
    rows: list[list[Any]] = []
    size = 0
    for row in values:
        cells = [cell(value) for value in row]
        size += len(json.dumps(cells))
        if size > MOST_TABLE_BYTES:
            break
        rows.append(cells)
    return {"columns": columns, "rows": rows, "count": count, "columns_count": width}


def label(name: Any) -> str:
    return cut(", ".join(map(str, cast(tuple[Any, ...], name))) if isinstance(name, tuple) else str(name), 200)


def cell(value: Any) -> Any:
    """A plain JSON value: numbers as they are where JSON holds them exactly, the rest as text."""
    if hasattr(value, "item") and not isinstance(value, (datetime, timedelta)) and getattr(value, "ndim", 0) == 0:
        value = value.item()
    if value is None or isinstance(value, bool):
        return value
    if isinstance(value, int):
        return value if abs(value) <= EXACT else str(value)
    if isinstance(value, float):
        return value if math.isfinite(value) else (None if math.isnan(value) else str(value))
    if isinstance(value, datetime):
        return None if str(value) == "NaT" else value.isoformat(" ")
    if isinstance(value, (date, time)):
        return value.isoformat()
    if isinstance(value, Decimal):
        return str(value)
    text = str(value)
    return None if text in ("<NA>", "NaT") and not isinstance(value, str) else cut(text, MOST_CELL)


def cut(text: str, most: int) -> str:
    return text if len(text) <= most else f"{text[:most]}… ({len(text) - most} more characters)"
