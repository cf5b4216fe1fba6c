"""A figure worked out anew by the call that gave it: its SQL, expression or conversion."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from math import isfinite
from threading import Lock
from typing import cast

from pydantic import JsonValue
from pydantic_core import to_json

from agent.data.tables.table_artifacts import Cell, ShownTable, read_table_artifact
from agent.errors import GlassboxError, ToolFailed, UnknownTool
from agent.evals.expectations import PROGRAMS, SCALES, Gold
from agent.events import Event, Observed, ToolCalled
from agent.inner_runs import all_events
from agent.interface_text import Text
from agent.loop.approval import NO_POLICY, Policy, set_to_ask
from agent.messages import Artifact
from agent.text.quantities.day_mentions import dates_in
from agent.text.quantities.figures import Figure, figures_in
from agent.text.quantities.scanning import plain, scan
from agent.toolkit.base import Tool, Toolbox, ToolResult


@dataclass(frozen=True, slots=True)
class Recomputed:
    """What a gold program gives now; ``problem`` says why it gives nothing."""

    value: Fraction | None = None
    problem: str = ""


class Programs:
    """Works gold programs out with the tools of today, each once. Methods may be called from any thread."""

    def __init__(self, tools: Toolbox, policy: Policy = NO_POLICY) -> None:
        """A tool that is set by the ``policy`` to ask a person before each call is not called: there is none."""
        self._tools = tools
        self._policy = policy
        self._results: dict[bytes, ToolResult | GlassboxError] = {}
        self._lock = Lock()

    def value(self, gold: Gold) -> Recomputed:
        """The figure now."""
        result = self.result(gold.tool, gold.arguments)
        if isinstance(result, GlassboxError):
            return Recomputed(problem=result.text)
        found = _picked(gold, result.text, result.artifacts)
        return Recomputed(problem=Text("Its result has no such figure.")) if found is None else Recomputed(found)

    def result(self, tool: str, arguments: Mapping[str, JsonValue]) -> ToolResult | GlassboxError:
        """What the call gives now, or why it gives nothing."""
        key = to_json((tool, dict(arguments)))
        with self._lock:
            if key not in self._results:
                try:
                    self._results[key] = self._program(tool).call(arguments)
                except GlassboxError as error:
                    self._results[key] = error
            return self._results[key]

    def _program(self, name: str) -> Tool:
        """Our own tool of that own name, where it is a program. Raises ``UnknownTool``."""
        known = (tool for tool in self._tools.tools if tool.own_name == name and not tool.hints.server)
        found = next(known, None) if name in PROGRAMS else None
        if found is None:
            raise UnknownTool.because("There is no tool {name}.", name=name[:60])
        if set_to_ask(found, self._policy):
            raise ToolFailed(Text("This tool is set to ask you first."), "denied")
        return found

    def completed(self, events: Sequence[Event]) -> list[Event]:
        """The events of a run with the contents of tables that are the same now, where they lack them."""
        by_id = {seen.call_id: called for called, seen in calls_of(events)}
        return [
            self._completed(each, by_id.get(each.call_id)) if isinstance(each, Observed) else each for each in events
        ]

    def _completed(self, seen: Observed, called: ToolCalled | None) -> Observed:
        lacking = [made for made in seen.artifacts if made.kind == "table" and not made.content]
        if not (lacking and called and called.own_name in PROGRAMS and called.arguments is not None):
            return seen
        now = self.result(called.own_name, called.arguments)
        there = {} if isinstance(now, GlassboxError) else {made.hash: made for made in now.artifacts}
        return replace(seen, artifacts=tuple(there.get(made.hash, made) for made in seen.artifacts))

    def changed(self, events: Sequence[Event]) -> str:
        """The tool of the first program of a run that gives something else now, or ""."""
        for called, seen in calls_of(events):
            if called.own_name in PROGRAMS and called.arguments is not None and not (seen.error or seen.edited):
                now = self.result(called.own_name, called.arguments)
                if isinstance(now, GlassboxError) or not _alike(seen, now):
                    return called.own_name
        return ""


def calls_of(events: Sequence[Event]) -> Iterator[tuple[ToolCalled, Observed]]:
    """Each call of a run and of the runs within it, with what came of it."""
    made: dict[str, ToolCalled] = {}
    for event in all_events(events):
        if isinstance(event, ToolCalled):
            made[event.call_id] = event
        elif isinstance(event, Observed) and event.call_id in made:
            yield made[event.call_id], event


def _alike(seen: Observed, now: ToolResult) -> bool:
    """Whether a program gave then what it gives now; what was capped for the model is compared by its table."""
    then = {made.hash for made in seen.artifacts if made.kind == "table"}
    tables = {made.hash for made in now.artifacts if made.kind == "table"}
    return then == tables if then or tables else seen.text == now.text


def figures_of(text: str) -> list[Figure]:
    """The figures of a text, without those that are part of a date."""
    bare = plain(text)
    lower, scanned = bare.lower(), scan(bare)
    return figures_in(bare, lower, scanned, dates_in(bare, lower, scanned), scanned.continental)


def signed(figure: Figure) -> Fraction:
    return -figure.value if figure.negative else figure.value


def gold_of(value: Fraction, near: Fraction, called: ToolCalled, seen: Observed, answer: str) -> Gold | None:
    """The program behind a figure that was seen in the result of a call; ``None`` where there is none.

    ``near`` is how far the figure may be from what the program gives. Of several cells that fit, the one counts whose
    row the ``answer`` names.
    """
    if called.own_name not in PROGRAMS or called.arguments is None or seen.error or seen.edited:
        return None
    bare = Gold(called.own_name, dict(called.arguments))
    table = _table(seen.artifacts)
    if table is None and any(made.kind == "table" for made in seen.artifacts):
        return None  # its content is not here
    if table is None:
        return _in_text(bare, value, near, seen.text)
    fits = [place for place in _cells(bare, table) if _fitting(place[0], value, near)]
    if not fits:
        return None
    cell, gold, _ = min(fits, key=lambda place: (_scale_at(place[0], value, near), -_named(place[2], answer)))
    return replace(gold, scale=SCALES[_scale_at(cell, value, near)])


def _cells(bare: Gold, table: ShownTable) -> Iterator[tuple[Fraction, Gold, Sequence[Cell]]]:
    """Each number of the table, how it is found again, and its row."""
    for number, row in enumerate(table.rows):
        key = {name: cell for name, cell in zip(table.columns, row, strict=True) if isinstance(cell, str)}
        alone = len(table.rows) == 1 or sum(_has(other, table.columns, key) for other in table.rows) > 1
        found: Mapping[str, JsonValue] = {} if alone or not key else cast("Mapping[str, JsonValue]", key)
        for name, cell in zip(table.columns, row, strict=True):
            if (value := _number(cell)) is not None:
                yield value, replace(bare, column=name, row=found, number=0 if found else number), row


def _in_text(bare: Gold, value: Fraction, near: Fraction, text: str) -> Gold | None:
    figures = figures_of(text)
    for number in reversed(range(len(figures))):  # the result stands behind what was given
        if _scale_at(signed(figures[number]), value, near) == 0:
            return replace(bare, number=number - len(figures))
    return None


def _picked(gold: Gold, text: str, artifacts: Sequence[Artifact]) -> Fraction | None:
    """Where in the result the figure stands."""
    table = _table(artifacts) if gold.column else None
    if gold.column:
        if table is None or gold.column not in table.columns:
            return None
        rows = [row for row in table.rows if _has(row, table.columns, gold.row)]
        if not -1 < gold.number < len(rows):
            return None
        value = _number(rows[gold.number][table.columns.index(gold.column)])
    else:
        figures = figures_of(text)
        value = signed(figures[gold.number]) if -len(figures) <= gold.number < len(figures) else None
    return None if value is None or gold.scale not in SCALES else value * Fraction(gold.scale)


def _table(artifacts: Sequence[Artifact]) -> ShownTable | None:
    found = next((made for made in artifacts if made.kind == "table" and made.content), None)
    return read_table_artifact(found.content) if found else None


def _has(row: Sequence[Cell], columns: Sequence[str], cells: Mapping[str, JsonValue]) -> bool:
    there = dict(zip(columns, row, strict=True))
    return all(there.get(name) == cell for name, cell in cells.items())


def _number(cell: Cell) -> Fraction | None:
    if isinstance(cell, bool) or cell is None:
        return None
    if isinstance(cell, str):
        figures = figures_of(cell)
        whole = len(figures) == 1 and figures[0].number == (0, len(cell))
        return signed(figures[0]) if whole else None
    return Fraction(str(cell)) if isfinite(cell) else None


def _scale_at(cell: Fraction, value: Fraction, near: Fraction) -> int:
    """The place among the scales of the first that makes the cell the figure; their number where none does."""
    fits = (place for place, scale in enumerate(SCALES) if abs(cell * Fraction(scale) - value) <= near)
    return next(fits, len(SCALES))


def _fitting(cell: Fraction, value: Fraction, near: Fraction) -> bool:
    return _scale_at(cell, value, near) < len(SCALES)


def _named(row: Sequence[Cell], answer: str) -> int:
    """How many texts of the row the answer has."""
    lower = answer.lower()
    return sum(isinstance(cell, str) and cell.lower() in lower for cell in row)
