"""A chart as Vega-Lite: fields of our own, titles that are only text, data within, no address anywhere."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Literal

from agent.data.refusal import Refused
from agent.data.tables.cells import one_line
from agent.data.tables.headings import EMPTY, Described, Heading, heading_of, is_described, words_of
from agent.text.plain import japanese

ChartKind = Literal["bar", "line", "area", "scatter", "histogram", "pie", "heatmap"]
Aggregate = Literal["none", "sum", "mean", "median", "min", "max", "count", "distinct"]
Sort = Literal["x", "-x", "y", "-y", "none"]
Period = Literal["none", "year", "quarter", "month", "week", "day", "hour"]


MOST_POINTS = 5_000
MOST_LABELS = 20  # dots that have their names beside them
_MOST_HEIGHTS = 12  # bars that have their heights above them
_LABEL_COLOUR = "#7a7a7a"  # on light and on dark
_RADIUS = 100  # of a pie, in pixels
_LEAST_SHARE = 0.03  # of a pie, that is written beside its slice
_LETTERS_ACROSS = 44  # that stand side by side on a phone
_LEGEND_LETTERS = 36  # beside the marks of a legend on a phone
_LEGEND_ROWS = 4
_YEARS = range(1500, 2200)
_MARKS: Mapping[str, Mapping[str, Any]] = {
    "bar": {"type": "bar"},
    "line": {"type": "line", "point": {"size": 30}},
    "area": {"type": "area", "opacity": 0.7},
    "scatter": {"type": "point", "filled": True, "opacity": 0.6},
    "histogram": {"type": "bar", "binSpacing": 1},
    "pie": {"type": "arc", "innerRadius": 0},
    "heatmap": {"type": "rect"},
}


@dataclass(frozen=True, slots=True)
class Chart:
    """What is to be drawn. ``x``, ``y`` and ``colour`` are columns of the data; ``limit`` the number of marks.

    Without ``y`` rows are counted. ``period`` puts dates of ``x`` together.
    """

    kind: ChartKind
    x: str
    y: str = ""
    colour: str = ""
    aggregate: Aggregate = "none"
    sort: Sort = "none"
    limit: int = MOST_POINTS
    title: str = ""
    period: Period = "none"


# The words of an axis around the name of its column, and those of a Japanese one.
SAID: Mapping[str, tuple[str, str]] = {
    "sum": ("Sum of {name}", "{name}の合計"),
    "mean": ("Mean of {name}", "{name}の平均"),
    "median": ("Median of {name}", "{name}の中央値"),
    "min": ("Lowest {name}", "{name}の最小値"),
    "max": ("Highest {name}", "{name}の最大値"),
    "count": ("Count of {name}", "{name}の件数"),
    "distinct": ("Different values of {name}", "{name}の種類の数"),
    "rows": ("Number of rows", "行数"),
    "end": ("{name} up to", "{name}（上限）"),
}
COUNTED = (*SAID["count"], *SAID["distinct"])


def said_of(what: str, name: str) -> str:
    """The words of ``SAID`` in the language of ``name``."""
    return SAID[what][japanese(name)]


@dataclass(frozen=True, slots=True)
class Axis:
    """``title`` is a column's name until its heading is known; ``said`` has it as ``{name}`` with words around it."""

    title: str
    kind: str  # of ``agent.data.tables.columns.Kind``
    extra: Mapping[str, Any] = field(default_factory=dict[str, Any])
    said: str = ""

    def plain(self, columns: Described) -> str:
        """The heading, without its unit."""
        title = heading_of(self.title, columns).title
        name = title if is_described(self.title, columns) else words_of(self.title)
        return (self.said or "{name}").replace("{name}", name)

    def heading(self, columns: Described) -> str:
        """The heading with its unit, which a number of things has not."""
        text = self.plain(columns)
        counted = "{name}" not in (self.said or "{name}") or self.said in COUNTED
        unit = "" if counted else heading_of(self.title, columns).unit
        return str(Heading(f"{text[:1].upper()}{text[1:]}", unit))

    def encoding(self, name: str) -> dict[str, Any]:
        kinds = {"integer": "quantitative", "number": "quantitative", "date": "temporal", "timestamp": "temporal"}
        return {"field": name, "type": kinds.get(self.kind, "nominal"), "title": safe_title(self.title), **self.extra}


def spec_of(chart: Chart, axes: Mapping[str, Axis], values: list[dict[str, Any]]) -> dict[str, Any]:
    """The chart of ``values``, whose fields are the keys of ``axes``."""
    if _told_as_text(chart, axes["x"]):
        values = [{**row, "x": told(str(row["x"]), chart.period) if row["x"] else row["x"]} for row in values]
        axes = {**axes, "x": Axis(axes["x"].title, "text")}
    encoding = {name: axis.encoding(name) for name, axis in axes.items() if name != "label"}
    values = _named(encoding, axes, values)
    if "colour" in encoding:
        encoding["color"] = encoding.pop("colour")
    _whole_numbers(axes, encoding, values)
    tooltip = [_tooltip(part) for part in encoding.values()]
    if "label" in axes:
        tooltip.insert(0, _tooltip(axes["label"].encoding("label")))
    if chart.kind == "pie":
        encoding = {"theta": encoding["y"], "color": {**encoding["x"], "type": "nominal"}}
    elif "x2" in encoding:
        encoding["x2"] = {"field": "x2"}
    elif chart.kind == "heatmap":
        encoding = _heatmap(encoding)
    else:
        _discrete(chart, axes, encoding)
    if encoding.get("x", {}).get("type") in ("nominal", "ordinal"):
        letters = sum(len(str(row["x"])) + 2 for row in values)
        encoding["x"]["axis"] = {"labelAngle": 0 if letters <= _LETTERS_ACROSS else -40, "labelLimit": 140}
    if "color" in encoding and chart.kind not in ("pie", "heatmap"):
        _legend(encoding["color"], {str(row["colour"]) for row in values})
    spec: dict[str, Any] = {
        "$schema": "https://vega.github.io/schema/vega-lite/v5.json",
        "data": {"values": values},
        "mark": {**_MARKS[chart.kind], "tooltip": False},
        "encoding": {**encoding, "tooltip": tooltip},
    }
    if chart.title:
        spec["title"] = safe_title(chart.title)
    return _labelled(spec, chart, axes, values)


def _named(
    encoding: Mapping[str, dict[str, Any]], axes: Mapping[str, Axis], values: list[dict[str, Any]]
) -> list[dict[str, Any]]:
    """The values with a word where a name is missing: Vega would write "null"."""
    empty = {
        name: EMPTY[japanese(axes[name].title)]
        for name in ("x", "colour")
        if name in encoding and encoding[name]["type"] == "nominal"
    }
    return [{**row, **{name: word for name, word in empty.items() if row[name] in (None, "")}} for row in values]


def _labelled(
    spec: dict[str, Any], chart: Chart, axes: Mapping[str, Axis], values: list[dict[str, Any]]
) -> dict[str, Any]:
    """The chart with a name at each dot, or its height above each bar, where there are few."""
    if chart.kind == "pie":
        return _shares(spec, values)
    if "label" in axes and chart.kind == "scatter":
        text: dict[str, Any] = {"field": "label", "type": "nominal"}
    elif chart.kind == "bar" and "y" in axes and "colour" not in axes and len(values) <= _MOST_HEIGHTS:
        text = {"field": "y", "type": "quantitative", "format": _written(values)}
    else:
        return spec
    mark = {"type": "text", "dy": -8, "color": _LABEL_COLOUR, "fontSize": 11}
    bare = {key: value for key, value in spec.items() if key != "mark"}
    return {**bare, "layer": [{"mark": spec["mark"]}, {"mark": mark, "encoding": {"text": text}}]}


def _shares(spec: dict[str, Any], values: list[dict[str, Any]]) -> dict[str, Any]:
    """The pie with the share of the whole at each slice that is not too thin for it."""
    sizes = [row["y"] if isinstance(row.get("y"), int | float) else 0 for row in values]
    whole = sum(sizes)
    if whole <= 0 or min(sizes) < 0:
        return spec
    shares = [f"{size / whole:.0%}" if size / whole >= _LEAST_SHARE else "" for size in sizes]
    rest = dict(spec["encoding"])
    colour = rest.pop("color")
    arc = {"mark": {**spec["mark"], "outerRadius": _RADIUS}, "encoding": {"color": colour}}
    mark = {"type": "text", "radius": _RADIUS + 18, "color": _LABEL_COLOUR, "fontSize": 12}
    # Both layers are put around the centre in one order: that of the names.
    text = {"mark": mark, "encoding": {"text": {"field": "share", "type": "nominal"}, "detail": {"field": "x"}}}
    return {
        **{key: value for key, value in spec.items() if key != "mark"},
        "data": {"values": [{**row, "share": share} for row, share in zip(values, shares, strict=True)]},
        "encoding": {**rest, "theta": {**rest["theta"], "stack": True}},
        "layer": [arc, text],
    }


def _written(values: list[dict[str, Any]]) -> str:
    """How heights are written: all with two decimals where one of them needs any, small ones with three digits."""
    heights = [abs(row["y"]) for row in values if isinstance(row.get("y"), int | float)]
    if max(heights, default=0) < 1:
        return ".3~g"
    return ",.2f" if any(round(height, 2) != round(height) for height in heights) else ",.2~f"


def _whole_numbers(
    axes: Mapping[str, Axis], encoding: Mapping[str, dict[str, Any]], values: list[dict[str, Any]]
) -> None:
    """No ticks between whole numbers; and years are written as years are, 2018 and not 2,018.0."""
    for name in ("x", "y"):
        if name in axes and axes[name].kind == "integer":
            numbers = [row[name] for row in values if row[name] is not None]
            years = bool(numbers) and all(isinstance(number, int) and number in _YEARS for number in numbers)
            encoding[name]["axis"] = {"format": "d" if years else ",d", "tickMinStep": 1}


def _tooltip(part: Mapping[str, Any]) -> dict[str, Any]:
    shown = {key: part[key] for key in ("field", "type", "title")}
    return {**shown, "format": part["axis"]["format"]} if "format" in part.get("axis", {}) else shown


def _legend(colour: dict[str, Any], names: set[str]) -> None:
    """A short one goes above the marks: beside them it takes a third of a phone's width."""
    columns = max(1, _LEGEND_LETTERS // (max(map(len, names), default=0) + 4))
    if colour["type"] == "nominal" and "legend" not in colour and len(names) <= columns * _LEGEND_ROWS:
        colour["legend"] = {"orient": "top", "columns": columns}


def _told_as_text(chart: Chart, x: Axis) -> bool:
    """Whether dates are names of bars, of slices or of fields, not places on a scale."""
    whole = x.kind == "date" or (x.kind == "timestamp" and chart.period != "none")
    return chart.kind in ("bar", "pie", "heatmap") and whole


def told(moment: str, period: Period) -> str:
    """A moment (ISO) as the name of its year, quarter, month…"""
    if period == "quarter":
        return f"{moment[:4]} Q{(int(moment[5:7]) + 2) // 3}"
    return moment[: {"year": 4, "month": 7, "hour": 16}.get(period, 10)].replace("T", " ")


def _heatmap(encoding: Mapping[str, dict[str, Any]]) -> dict[str, Any]:
    """x across, the colour column down, the amount as the colour."""
    if "color" not in encoding:
        raise Refused("A heatmap needs colour as well: the column whose values are its rows.", "input")
    return {
        "x": {**encoding["x"], "type": "ordinal"},
        "y": {**encoding["color"], "type": "ordinal"},
        "color": {**encoding["y"], "type": "quantitative"},
    }


def _discrete(chart: Chart, axes: Mapping[str, Axis], encoding: dict[str, dict[str, Any]]) -> None:
    """Bars stand on names, not on a scale; their order is that of the rows."""
    if chart.kind == "bar" and axes["x"].kind in ("integer", "number", "date", "time"):
        encoding["x"]["type"] = "ordinal"
    if encoding["x"]["type"] in ("nominal", "ordinal"):
        encoding["x"]["sort"] = None


def safe_title(text: str) -> str:
    """A title as one line. ``image`` and ``title`` alone mean something to tooltips, so they get a word with them."""
    title = one_line(text, 80)
    return f"{title} (column)" if title.strip().lower() in ("image", "title") else title
