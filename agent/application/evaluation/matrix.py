"""The results of an evaluation as a page shows them: tests by versions, what turned since the one before, figures."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from agent.application.evaluation.evaluation_plan import Plan, read_plan, rows_of
from agent.evals.formats.result_lines import Row
from agent.evals.grades import Grade
from agent.evals.statistics.summary import Summary, summed
from agent.evals.statistics.turned_tests import Comparison, Turn, Turned, compared_rows
from agent.interface_text import Text
from agent.store.evaluations import EvaluationRow, Evaluations, TestRow


@dataclass(frozen=True, slots=True)
class MatrixCell:
    """The attempts of a test by a version: ``runs`` are those with a result, ``of`` how many there are to be.

    ``run`` is one to open: the first that failed, else the last. ``why`` says what it did not do. ``missed`` counts the
    calls of all that were not recorded.
    """

    passed: int
    runs: int
    of: int
    run: str = ""
    why: tuple[Text, ...] = ()
    turn: Turn | None = None
    missed: int = 0

    @property
    def good(self) -> bool:
        return self.runs > 0 and self.passed == self.runs


@dataclass(frozen=True, slots=True)
class MatrixRow:
    """A test with a cell for each version. ``recorded`` is the run that it was kept from, or ""."""

    test: str
    name: str
    recorded: str
    cells: tuple[MatrixCell, ...]

    @property
    def order(self) -> tuple[int, float]:
        """What broke is first, then what fails most, then what has turned to the better."""
        worse = any(cell.turn in ("broke", "worse") for cell in self.cells)
        place = 0 if worse else 2 if any(cell.turn for cell in self.cells) else 3
        failed = sum(cell.runs - cell.passed for cell in self.cells)
        return (1 if place > 1 and failed else place), -failed


@dataclass(frozen=True, slots=True)
class Against:
    """A version compared with ``other``: the first one beside it, or the only one of the last time.

    With itself the last time where that is "".
    """

    version: str
    other: str
    comparison: Comparison

    @property
    def turned(self) -> tuple[Turned, ...]:
        return self.comparison.turned

    @property
    def said(self) -> Text:
        """What was compared, and what came of it."""
        said = self.comparison.said
        if self.other:
            return Text("{version}, compared with {other}: {said}", version=self.version, other=self.other, said=said)
        return Text("{version}, compared with the last time: {said}", version=self.version, said=said)


@dataclass(frozen=True, slots=True)
class Matrix:
    """An evaluation: ``done`` ``of`` all attempts have a result. ``turned`` compares the versions."""

    row: EvaluationRow
    plan: Plan
    rows: tuple[MatrixRow, ...]
    summaries: tuple[Summary, ...]
    turned: tuple[Against, ...]
    results: tuple[Row, ...]
    done: int

    @property
    def of(self) -> int:
        return len(self.plan.cells)

    @property
    def unanswered(self) -> Text | None:
        """Why there is no answer at all, where all runs failed for one reason: the server, a key, a model's name."""
        reasons = {next((grade.why for grade in row.result.grades if _no_answer(grade)), None) for row in self.results}
        return next(iter(reasons)) if len(reasons) == 1 else None


def matrix(
    evaluations: Evaluations, row: EvaluationRow, tests: Sequence[TestRow], before: Sequence[EvaluationRow]
) -> Matrix:
    """The matrix of an evaluation; ``before`` are those before it, the latest first."""
    plan, names = read_plan(row), {test.id: test.name for test in tests}
    results = rows_of(plan, names, [*evaluations.attempts(row.id).values()])
    results = [each for each in results if each.test in names]
    by_version = {version.name: [each for each in results if each.version == version.name] for version in plan.versions}
    earlier = _earlier(evaluations, plan, names, before)
    turned = tuple(_turned(by_version, earlier))
    turns: dict[tuple[str, str], Turn] = {}
    for found in turned:
        turns |= {(found.version, each.test): each.turn for each in found.turned}
    made = tuple(
        MatrixRow(
            test.id,
            test.name,
            test.recorded,
            tuple(_cell(by_version[name], test.id, plan.repeats, turns.get((name, test.id))) for name in by_version),
        )
        for test in tests
        if test.id in plan.tests
    )
    summaries = tuple(summed(name, mine) for name, mine in by_version.items() if mine)
    ordered = tuple(sorted(made, key=lambda each: each.order))
    return Matrix(row, plan, ordered, summaries, turned, tuple(results), len(results))


def _turned(by_version: Mapping[str, Sequence[Row]], earlier: Mapping[str, Sequence[Row]]) -> Iterator[Against]:
    """The first version against itself the last time; the others against the first."""
    (first, of_first), *others = by_version.items()
    if of_first and earlier.get(first):
        other = earlier[first][0].version
        yield Against(first, "" if other == first else other, compared_rows(earlier[first], of_first))
    for name, mine in others:
        if mine and of_first:
            yield Against(name, first, compared_rows(of_first, mine))


def _cell(rows: Sequence[Row], test: str, of: int, turn: Turn | None) -> MatrixCell:
    mine = [row for row in rows if row.test == test]
    if not mine:
        return MatrixCell(0, 0, of)
    shown = next((row for row in mine if not row.passed), mine[-1])
    why = tuple(map(_why, shown.result.failed))
    missed = sum(row.result.missed for row in mine)
    return MatrixCell(sum(row.passed for row in mine), len(mine), of, shown.run, why, turn, missed)


def _no_answer(grade: Grade) -> bool:
    return grade.type == "no_error" and not grade.held


def _why(grade: Grade) -> Text:
    """What an expectation says and why it does not hold; of a figure the reason alone, which names it."""
    if grade.type == "figure" and grade.why:
        return grade.why
    return Text("{said}: {why}", said=grade.said, why=grade.why or "")


def _earlier(
    evaluations: Evaluations, plan: Plan, names: Mapping[str, str], before: Sequence[EvaluationRow]
) -> dict[str, list[Row]]:
    """By version, what came of it the last time, in the same mode; of the only one before where there is one now."""
    found: dict[str, list[Row]] = {}
    for row in before:
        other = read_plan(row)
        if other.mode != plan.mode:
            continue
        results = rows_of(other, names, [*evaluations.attempts(row.id).values()])
        alone = len(plan.versions) == len(other.versions) == 1
        for version in plan.versions:
            mine = [each for each in results if alone or each.version == version.name]
            if mine:
                found.setdefault(version.name, mine)
        if len(found) == len(plan.versions):
            break
    return found
