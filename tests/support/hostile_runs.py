"""Runs in which every text is hostile, with what comes of their tools."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator
from typing import Any

from agent.data.tables.charts.vega import Axis, Chart, spec_of
from agent.events import (
    Answered,
    Artifact,
    Asked,
    Event,
    Failed,
    Merged,
    Observed,
    Prepared,
    Replied,
    Source,
    ToolCalled,
)
from agent.messages import Message, Usage
from tests.support.hostile_texts import hostile_texts


def charts(address: str) -> list[dict[str, Any]]:
    """Charts that fetch: data, pictures, links, styles, tooltips, and addresses put together."""
    rows = {"values": [{"a": 1, "b": f"{address}/row", "image": f"{address}/tooltip"}]}
    point = {"x": {"field": "a", "type": "quantitative"}}
    picture = {**point, "url": {"value": f"{address}/mark"}}
    looked = {"data": {"url": f"{address}/lookup.json"}, "key": "a", "fields": ["b"]}
    return [
        {"data": {"url": f"{address}/data.json"}, "mark": "point", "encoding": point},
        {"data": rows, "mark": {"type": "image", "width": 9, "height": 9}, "encoding": picture},
        {"data": rows, "mark": {"type": "image", "url": f"{address}/own"}, "encoding": point},
        {"data": rows, "transform": [{"lookup": "a", "from": looked}], "mark": "bar", "encoding": point},
        {"data": rows, "mark": {"type": "bar", "fill": f"url({address}/fill)"}, "encoding": point},
        {"data": rows, "mark": {"type": "bar", "tooltip": {"content": "data"}}, "encoding": point},
        {"layer": [{"data": {"url": f"{address}/layer.csv"}, "mark": "bar", "encoding": point}]},
        {"data": {"name": "d"}, "datasets": {"d": []}, "usermeta": {"embedOptions": {"config": f"{address}/config"}}},
    ]


RUNS, STEPS, TOGETHER = 4, 2, 16


class Fields:
    """Hostile texts, dealt out one after the other to whatever has to be filled."""

    def __init__(self, address: str) -> None:
        self.address = address
        # What is stored is UTF-8.
        self._texts = [text.encode("utf-8", "replace").decode() for text in hostile_texts(address).values()]
        self._next = 0

    def short(self) -> str:
        self._next += 1
        return self._texts[self._next % len(self._texts)]

    def long(self) -> str:
        return "\n\n".join(self.short() for _ in range(TOGETHER))


def hostile_run(fields: Fields, number: int) -> Iterator[Event]:
    """The events of a run in which every text is hostile."""
    usage = Usage(1, 0, 1, 0)
    yield Asked(fields.long(), 1.8e9 + number)
    request = (Message("user", fields.short()),)
    yield Merged(fields.short(), request, fields.short(), usage, 0.1, error=fields.short() if number % 2 else "")
    yield Prepared(fields.short(), fields.long(), (), "react", fields.short(), fields.short())
    for step in range(STEPS):
        yield Replied(
            *(fields.long(), fields.long(), usage, 0.1, 0.1),
            cut=fields.long(),
            dropped=fields.long(),
            repairs=(fields.short(), fields.short()),
            notes=(fields.short(), fields.short()),
            unfinished=step % 2 == 1,
        )
        call = f"c{number}-{step}"
        yield ToolCalled(call, fields.short(), fields.long(), {"query": fields.short()}, (fields.short(),))
        sources = tuple(
            Source(place, fields.short(), url, fields.short(), fields.short())
            for place, url in enumerate((fields.short(), f"{fields.short()}>) {fields.short()}", fields.short()), 1)
        )
        made_things = tuple(hostile_artifacts(fields)) if step == 0 else ()
        yield Observed(call, fields.long(), 0.1, "failed" if step % 2 == 1 else "", made_things, sources, cached=True)
        yield Observed("", fields.long(), error="format")
    if number % 2:
        yield Failed("model", fields.long(), fields.long())
    else:
        yield Answered(fields.long(), (fields.short(), fields.short(), fields.short()))


def hostile_artifacts(fields: Fields) -> Iterator[Artifact]:
    columns = [{"name": fields.short(), "type": fields.short()} for _ in range(4)]
    rows = [[fields.short() for _ in columns] for _ in range(20)]
    script = f"<svg xmlns='http://www.w3.org/2000/svg' onload='fetch(`{fields.address}/svg`)'><image href='x'/></svg>"
    made: list[tuple[str, object]] = [
        ("text", fields.long()),
        ("json", {fields.short(): fields.short()}),
        ("table", {"columns": columns, "rows": rows, "total": 10**9, "sql": fields.short()}),
        ("table", {"columns": fields.short()}),
        ("chart", drawn(fields)),
        *(("chart", spec) for spec in charts(fields.address)),
        ("chart", fields.short()),
        ("png", script),
        ("png", "\x89PNG\r\n\x1a\n" + script),
        ("png", "\x89PNG\r\n\x1a\n\0\0\0\rIHDR\0\0\0\x09\0\0\0\x09\x08\x06\0\0\0" + script),
    ]
    for kind, body in made:
        plain = isinstance(body, str) and kind != "chart"
        content = (str(body) if plain else json.dumps(body)).encode("latin-1" if kind == "png" else "utf-8")
        yield Artifact(kind, fields.short(), hashlib.sha256(content).hexdigest(), len(content), content)  # type: ignore[arg-type]


def drawn(fields: Fields) -> dict[str, Any]:
    """A chart as the tool makes it, of hostile names and values."""
    values = [{"x": fields.short(), "y": 1, "colour": fields.short()} for _ in range(9)]
    axes = {"x": Axis(fields.short(), "text"), "y": Axis(fields.short(), "number"), "colour": Axis("image", "text")}
    return spec_of(Chart("bar", "x", "y", "colour", title=fields.short()), axes, values)
