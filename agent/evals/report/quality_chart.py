"""A chart of quality against cost: each version a dot with its interval, as SVG for a file and as Vega-Lite."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from html import escape
from math import ceil, floor, log10
from typing import Any

from agent.evals.statistics.summary import Summary
from agent.interface_text import Text

_WIDTH, _HEIGHT = 360, 250  # as wide as a phone, so that letters keep their size there
_LEFT, _RIGHT, _TOP, _BOTTOM = 44, 16, 14, 44
_DOT = 8
_COLOUR = "#2f6fd0"  # 4.5 : 1 against white letters in a dot, 3 : 1 against a dark page


@dataclass(frozen=True, slots=True)
class Quality:
    """What a version's dot and its line in the table say: pass rate from 0 to 1, and what a run takes.

    ``money`` is in US dollars, ``None`` where no price is known.
    """

    name: str
    share: float
    low: float
    high: float
    money: float | None
    tokens: float
    seconds: float
    tests: int


@dataclass(frozen=True, slots=True)
class QualityChart:
    """``priced`` says that it is against money, which every version's is known of; else against tokens."""

    dots: tuple[Quality, ...]
    priced: bool

    @property
    def axis(self) -> str:
        """What is to the right, for people."""
        return Text("US dollars a run") if self.priced else Text("Tokens a run")

    def cost(self, dot: Quality) -> float:
        return (dot.money or 0.0) if self.priced else dot.tokens

    def said(self, dot: Quality) -> str:
        """The cost of a run in figures."""
        return dollars(dot.money) if self.priced else f"{dot.tokens:,.0f}"


def quality_chart(summaries: Sequence[Summary]) -> QualityChart:
    """The chart of versions that ran."""
    dots = tuple(
        Quality(
            each.version,
            each.first.share,
            each.first.low,
            each.first.high,
            None if each.money is None else each.money / each.attempts,
            each.tokens / each.attempts,
            each.seconds / each.attempts,
            each.tests,
        )
        for each in summaries
        if each.attempts
    )
    return QualityChart(dots, bool(dots) and all(dot.money is not None for dot in dots))


def dollars(amount: float | None) -> str:
    """With two digits that count, "–" for none."""
    if amount is None:
        return "–"
    if not amount:
        return "$0"
    return f"${amount:.{max(2, 1 - floor(log10(amount)))}f}"


def chart_spec(chart: QualityChart, up: str, across: str) -> dict[str, Any]:
    """The chart as Vega-Lite, with its data within; ``up`` and ``across`` name its axes."""
    values = [
        {
            "cost": chart.cost(dot),
            "passed": dot.share,
            "low": dot.low,
            "high": dot.high,
            "name": dot.name,
            "no": str(number),
        }
        for number, dot in enumerate(chart.dots, 1)
    ]
    y = {"type": "quantitative", "scale": {"domain": [0, 1]}, "axis": {"format": "%", "tickCount": 5}, "title": up}
    costs = {"format": "$~g"} if chart.priced else {"format": "~s"}
    return {
        "data": {"values": values},
        "height": 240,
        "encoding": {
            "x": {"field": "cost", "type": "quantitative", "title": across, "scale": {"zero": True}, "axis": costs}
        },
        "layer": [
            {
                "mark": {"type": "rule", "strokeWidth": 2, "color": _COLOUR},
                "encoding": {"y": {**y, "field": "low"}, "y2": {"field": "high"}},
            },
            {
                "mark": {"type": "circle", "size": 260, "opacity": 1, "color": _COLOUR},
                "encoding": {"y": {**y, "field": "passed"}, "tooltip": {"field": "name", "type": "nominal"}},
            },
            {
                "mark": {"type": "text", "color": "white", "fontWeight": 600},
                "encoding": {"y": {**y, "field": "passed"}, "text": {"field": "no", "type": "nominal"}},
            },
        ],
    }


def chart_svg(chart: QualityChart, label: str, across: str) -> str:
    """The picture, which ``label`` tells to those who do not see it; ``across`` names its axis of costs."""
    most = _rounded(max((chart.cost(dot) for dot in chart.dots), default=0.0) * 1.08)
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {_WIDTH} {_HEIGHT}" role="img" '
        f'aria-label="{escape(label)}" width="100%" style="max-width:560px;display:block" '
        'font-family="inherit" font-size="11" fill="currentColor">',
        *_axes(chart, most, across),
        *(part for number, dot in enumerate(chart.dots, 1) for part in _dot(chart, dot, number, most)),
        "</svg>",
    ]
    return "".join(parts)


def _axes(chart: QualityChart, most: float, across: str) -> Iterator[str]:
    right, base = _WIDTH - _RIGHT, _HEIGHT - _BOTTOM
    for share in (0.0, 0.25, 0.5, 0.75, 1.0):
        y = _y(share)
        yield f'<line x1="{_LEFT}" x2="{right}" y1="{y:.1f}" y2="{y:.1f}" stroke="currentColor" stroke-opacity=".2"/>'
        yield f'<text x="{_LEFT - 6}" y="{y + 4:.1f}" text-anchor="end">{share:.0%}</text>'
    for part, anchor in ((0.0, "start"), (0.5, "middle"), (1.0, "end")):
        cost = most * part
        said = dollars(cost) if chart.priced else f"{cost:,.0f}"
        yield f'<text x="{_x(cost, most):.1f}" y="{base + 16}" text-anchor="{anchor}">{said}</text>'
    yield f'<text x="{(_LEFT + right) / 2:.0f}" y="{_HEIGHT - 8}" text-anchor="middle">{escape(across)}</text>'


def _dot(chart: QualityChart, dot: Quality, number: int, most: float) -> Iterator[str]:
    """The interval as a line with ends, the share as a dot with the number of the version."""
    x, low, high = _x(chart.cost(dot), most), _y(dot.low), _y(dot.high)
    for x1, x2, y1, y2 in ((x, x, low, high), (x - 5, x + 5, low, low), (x - 5, x + 5, high, high)):
        place = f'x1="{x1:.1f}" x2="{x2:.1f}" y1="{y1:.1f}" y2="{y2:.1f}"'
        yield f'<line {place} stroke="{_COLOUR}" stroke-width="2"/>'
    y = _y(dot.share)
    yield f'<circle cx="{x:.1f}" cy="{y:.1f}" r="{_DOT}" fill="{_COLOUR}"/>'
    yield f'<text x="{x:.1f}" y="{y + 4:.1f}" text-anchor="middle" fill="#fff" font-weight="600">{number}</text>'


def _x(cost: float, most: float) -> float:
    return _LEFT + _DOT + (_WIDTH - _RIGHT - _LEFT - 2 * _DOT) * (cost / most if most else 0.0)


def _y(share: float) -> float:
    return _TOP + (_HEIGHT - _TOP - _BOTTOM) * (1 - share)


def _rounded(most: float) -> float:
    """The next number that has one or two digits that count."""
    if most <= 0:
        return 0.0
    step = 10.0 ** (floor(log10(most)) - 1)
    return ceil(most / step / 5) * step * 5 if most / step > 20 else ceil(most / step) * step
