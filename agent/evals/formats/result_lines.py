"""Results as JSON lines, one an attempt: to read with any program, and as the baseline of a later evaluation."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache

from pydantic import TypeAdapter, ValidationError

from agent.errors import BadRequest
from agent.evals.attempt import Result
from agent.evals.kept_test import Mode
from agent.evals.statistics.intervals import Passes
from agent.messages import Value
from agent.sharing.import_file import lines_of, parsed


@dataclass(frozen=True, slots=True)
class Row(Value):
    """An attempt: of which ``test`` (its id and ``name``), by which ``version``, in which ``mode``, the how maniest.

    ``run`` is the id of its run in the store, "" where it was kept nowhere.
    """

    test: str
    name: str
    version: str
    mode: Mode
    repeat: int
    result: Result
    run: str = ""

    @property
    def passed(self) -> bool:
        return self.result.passed


@cache
def row_adapter() -> TypeAdapter[Row]:
    return TypeAdapter(Row)


def write_row(row: Row) -> str:
    """A line without its end."""
    return row_adapter().dump_json(row).decode()


def read_rows(data: bytes) -> list[Row]:
    """The rows of a file. Raises ``BadRequest`` for a file that has none."""
    rows: list[Row] = []
    for number, line in enumerate(lines_of(data), 1):
        if line.strip():
            parsed(number, line)
            try:
                rows.append(row_adapter().validate_json(line))
            except ValidationError:
                raise BadRequest.because("Line {number:,} is no result of a test.", number=number) from None
    return rows


def evened(before: Sequence[Row], now: Sequence[Row]) -> tuple[list[Row], list[Row]]:
    """The first rows of each test, as many in both.

    A share of five runs is seldom 1 and a single run often is, so that the versions would differ by that alone.
    """
    counts = passes(now)
    most = {test: min(had.runs, counts[test].runs) for test, had in passes(before).items() if test in counts}
    return _first(before, most), _first(now, most)


def _first(rows: Sequence[Row], most: Mapping[str, int]) -> list[Row]:
    seen: Counter[str] = Counter()
    kept: list[Row] = []
    for row in sorted(rows, key=lambda row: row.repeat):
        seen[row.test] += 1
        if seen[row.test] <= most.get(row.test, 0):
            kept.append(row)
    return kept


def passes(rows: Iterable[Row]) -> Mapping[str, Passes]:
    """Of each test, by its id, how often it passed."""
    counted: dict[str, Passes] = {}
    for row in rows:
        before = counted.get(row.test, Passes(0, 0))
        counted[row.test] = Passes(before.passed + row.passed, before.runs + 1)
    return counted
