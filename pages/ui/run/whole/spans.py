"""The calls of a run as bars to scale: when each began, how long it took, and how long its first token."""

from __future__ import annotations

from collections.abc import Sequence

import streamlit as st

from agent.interface_text import Text
from agent.messages import Usage
from agent.views.timeline import Span, length
from pages.ui.text.escape import chart_ok, highlighted, one_line
from pages.ui.text.words import say, told
from pages.ui.widgets.figures import money, seconds

_WAITING, _WRITING, _MERGING, _TOOL, _FAILED = (
    *(
        Text("Waiting for the first token"),
        Text("Model"),
        Text("Rewriting the follow-up"),
        Text("Tool"),
        Text("Tool, failed"),
    ),
)
# Each can be told from both papers, the light and the dark one.
_COLOURS = {_WAITING: "#8A929B", _WRITING: "#3F8CC4", _MERGING: "#8F78C9", _TOOL: "#C07A2C", _FAILED: "#D2554A"}
_THIN, _THICK = 0.3, 0.72
_MOST_ROWS = 30
_ROW_PIXELS, _LANE_PIXELS = 26, 44
_TABLE = Text("The calls of this run")
_HINTS = (
    Text("Call"),
    Text("Step"),
    Text("From"),
    Text("Took"),
    Text("First token"),
    Text("Tokens"),
    Text("Cost"),
)

Row = dict[str, str | float]


def draw(run: str, spans: Sequence[Span]) -> None:
    """The chart, and the same figures as a table."""
    if not spans:
        st.caption(say("No call has ended yet."))
        return
    spec = _spec(spans)
    if chart_ok(spec):
        calls = Text("{n:,} call", "{n:,} calls", n=len(spans))
        alt = say(
            "Timeline of {calls} in {seconds}. The table below it has the same figures.",
            calls=calls,
            seconds=seconds(length(spans)),
        )
        _legend(spans)
        st.vega_lite_chart(spec, width="stretch", key=f"spans-{run}", alt=alt)
    else:
        st.caption(say("A tool of this run has a name that no chart may show. The table has it."))
    opened = st.expander(
        say("As a table"), icon=":material/table:", type="compact", key=f"table-{run}", on_change="rerun"
    )
    with opened:
        st.empty()
        if opened.open:
            _table(spans)


def _table(spans: Sequence[Span]) -> None:
    """Wider than a phone, so it is moved sideways, by the keyboard too."""
    heads = "".join(f'<th scope="col">{told(name)}</th>' for name in _HINTS)
    rows = "".join(
        "<tr>" + "".join(f"<td>{highlighted(cell, ())}</td>" for cell in _cells(span).values()) + "</tr>"
        for span in spans
    )
    table = f"<table><thead><tr>{heads}</tr></thead><tbody>{rows}</tbody></table>"
    st.html(f'<div class="glassbox-spans" tabindex="0" role="region" aria-label="{told(_TABLE)}">{table}</div>')


def _legend(spans: Sequence[Span]) -> None:
    """What the bars are; one of the chart's own would not fit a phone."""
    signs = "".join(
        f'<span><i class="{"thin" if part == _WAITING else ""}" style="background: {_COLOURS[part]}"></i>'
        f"{told(part)}</span>"
        for part in _parts(_rows(spans))
    )
    st.html(f'<div class="glassbox-legend">{signs}</div>')


def _parts(rows: Sequence[Row]) -> list[Text]:
    return [part for part in _COLOURS if any(row["part"] == told(part) for row in rows)]


def _name(span: Span) -> str:
    if span.kind == "merge":
        return say("rewriting")
    return say("model") if span.kind == "model" else one_line(span.name, 30) or say("tool")


def _cells(span: Span) -> dict[str, str]:
    usage = span.usage
    failed = say(", failed ({error})", error=span.error) if span.error else ""
    edited = say(", edited by you") if span.edited else ""
    cells = (
        f"{_name(span)}{failed}{edited}",
        str(span.step) if span.step else "",
        seconds(span.start),
        seconds(span.seconds),
        seconds(span.first_token) if span.kind == "model" and not span.edited else "",
        _tokens(usage) if usage else "",
        money(span.price) if usage else "",
    )
    return dict(zip(_HINTS, cells, strict=True))


def _tokens(usage: Usage) -> str:
    if usage.estimated:
        return say("about {input:,} in, {output:,} out", input=usage.input, output=usage.output)
    return say("{input:,} in, {output:,} out", input=usage.input, output=usage.output)


def _rows(spans: Sequence[Span]) -> list[Row]:
    """A row for each part of a call; in a long run those of a kind share a lane."""
    lanes = len(spans) > _MOST_ROWS
    rows: list[Row] = []
    for number, span in enumerate(spans, start=1):
        name = _name(span)
        row = name if lanes else f"{number} {name}"
        kind = {"merge": _MERGING, "model": _WRITING}.get(span.kind, _FAILED if span.error else _TOOL)
        first = span.start + span.first_token
        parts = [(kind, first, span.end)]
        if span.first_token:
            parts.insert(0, (_WAITING, span.start, first))
        rows += [
            {"row": row, "part": told(part), "start": start, "end": end, **_cells(span)} for part, start, end in parts
        ]
    return rows


def _spec(spans: Sequence[Span]) -> dict[str, object]:
    rows = _rows(spans)
    parts = _parts(rows)
    colour = {
        "field": "part",
        "type": "nominal",
        "scale": {"domain": [told(part) for part in parts], "range": [_COLOURS[part] for part in parts]},
    }
    many = len(spans) > _MOST_ROWS

    def bars(wanted: Sequence[str], band: float, hints: Sequence[str]) -> dict[str, object]:
        return {
            "transform": [{"filter": {"field": "part", "oneOf": [told(part) for part in wanted]}}],
            "mark": {"type": "bar", "height": {"band": band}, "strokeWidth": 0.5 if many else 1.5, "cornerRadius": 1},
            "encoding": {"tooltip": [{"field": name, "type": "nominal", "title": told(name)} for name in hints]},
        }

    return {
        "data": {"values": rows},
        "height": {"step": _LANE_PIXELS if many else _ROW_PIXELS},
        "padding": {"right": 6},  # the last label of the axis is wider than Vega has measured
        "encoding": {
            "y": {
                "field": "row",
                "type": "nominal",
                "sort": [*dict.fromkeys(row["row"] for row in rows)],
                "axis": {"title": None, "labelLimit": 110, "ticks": False, "domain": False},
            },
            "x": {"field": "start", "type": "quantitative", "axis": {"title": say("Seconds"), "tickCount": 6}},
            "x2": {"field": "end"},
            "color": {**colour, "legend": None},
            "stroke": {**colour, "legend": None},
        },
        # The wait is a thin bar before a thick one: they can be told apart without their colours.
        "layer": [
            bars([_WAITING], _THIN, _HINTS),
            bars([_MERGING, _WRITING], _THICK, _HINTS),
            bars([_TOOL, _FAILED], _THICK, _HINTS[:4]),
        ],
    }
