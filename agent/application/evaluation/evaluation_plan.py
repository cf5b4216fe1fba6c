"""How a set of tests is run, and the results that there are of it, as the store keeps them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from pydantic import TypeAdapter

from agent.application.preferences import write_choice
from agent.application.setup import Choice
from agent.evals.attempt import Result
from agent.evals.formats.result_lines import Row
from agent.evals.kept_test import Mode
from agent.store.evaluations import AttemptRow, Cell, CountRow, EvaluationRow, TestRow


@dataclass(frozen=True, slots=True)
class Version:
    """With what tests are run: a ``name``, and what differs from the visitor's choice, as ``preferences`` writes it."""

    name: str
    written: str


@dataclass(frozen=True, slots=True)
class Plan:
    """How a set is run: the tests by their ids, ``repeats`` times by each version; ``most`` US dollars, 0 for any.

    The questions of the ``card`` of a model are asked with its tools and prompts, all of a version after each other;
    ``app`` is the version of Glassbox that began to.
    """

    mode: Mode
    versions: tuple[Version, ...]
    tests: tuple[str, ...]
    repeats: int = 1
    most: float = 0.0
    card: bool = False
    app: str = ""

    @property
    def cells(self) -> list[Cell]:
        """All attempts, the first of each test before the second of any."""
        if self.card:
            return [Cell(test, version, 1) for version in range(len(self.versions)) for test in self.tests]
        return [
            Cell(test, version, repeat)
            for repeat in range(1, self.repeats + 1)
            for test in self.tests
            for version in range(len(self.versions))
        ]


_PLAN: TypeAdapter[Plan] = TypeAdapter(Plan)
RESULT: TypeAdapter[Result] = TypeAdapter(Result)


def tests_for(mode: Mode, rows: Sequence[TestRow]) -> tuple[str, ...]:
    """The tests that can be run so: what was not recorded can only be run live."""
    return tuple(row.id for row in rows if row.recorded or mode == "live")


def write_plan(plan: Plan) -> str:
    """As ``read_plan`` reads it."""
    return _PLAN.dump_json(plan).decode()


def read_plan(row: EvaluationRow | CountRow) -> Plan:
    """How an evaluation is run."""
    return _PLAN.validate_json(row.body)


def version_of(name: str, choice: Choice, own_address: str) -> Version:
    """A version that answers as the choice does; a key is no part of it."""
    return Version(name, write_choice(choice, own_address))


def rows_of(plan: Plan, names: Mapping[str, str], attempts: Sequence[AttemptRow]) -> list[Row]:
    """The results that there are, as they are summed up and exported."""
    return [
        Row(
            each.cell.test,
            names.get(each.cell.test, ""),
            plan.versions[each.cell.version].name,
            plan.mode,
            each.cell.repeat,
            RESULT.validate_json(each.body),
            each.run,
        )
        for each in sorted(attempts, key=lambda each: each.cell)
        if each.passed is not None and each.cell.version < len(plan.versions)
    ]
