"""Sets of kept tests, and what came of running them, by visitor; nobody reaches another's."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from time import time
from typing import Literal, NamedTuple, TypeAlias
from uuid import uuid4

import sqlalchemy as sql

from agent.errors import BadRequest
from agent.store.runs import Store
from agent.store.schema import ATTEMPTS, CONVERSATIONS, EVALUATIONS, KEPT_TESTS, RUNS, TEST_SETS, Now
from agent.text.characters import one_line, shows

MOST_SETS = 50
MOST_IN_SET = 500
_MOST_NAME = 80  # characters
# Seconds that a process at work on an evaluation may be silent before another one may take it.
LEASE_SECONDS = 6.0
State: TypeAlias = Literal["", "stopped", "spent", "done"]
# Whose a set is: the visitor's, or the program's, with the questions of the card of a model.
Kind: TypeAlias = Literal["", "card"]


@dataclass(frozen=True, slots=True)
class SetRow:
    """A set with the number of its tests."""

    id: str
    name: str
    tests: int


@dataclass(frozen=True, slots=True)
class TestRow:
    """As ``agent.store.schema.KEPT_TESTS`` says."""

    __test__ = False  # it is no test of pytest's

    id: str
    test_set: str
    conversation: str
    follows: str
    recorded: str
    source: str
    name: str
    body: str


@dataclass(frozen=True, slots=True)
class EvaluationRow:
    """``working`` says whether a process is at work on it now. ``created`` is in seconds since the epoch."""

    id: str
    test_set: str
    body: str
    created: float
    state: State
    working: bool


class Cell(NamedTuple):
    """Which attempt: the version by its place, the repeat from 1."""

    test: str
    version: int
    repeat: int


@dataclass(frozen=True, slots=True)
class AttemptRow:
    """An attempt that was begun; ``passed`` is ``None`` while it has no result."""

    cell: Cell
    run: str
    passed: bool | None
    body: str


class CountRow(NamedTuple):
    """How many results of a version of an evaluation there are, and passed; ``body`` and ``created`` are its."""

    body: str
    created: float
    version: int
    passed: int
    runs: int


class Evaluations:
    """Every method raises ``StoreFailed``. Those that change something of another visitor's change nothing."""

    def __init__(self, store: Store) -> None:
        self._database = store.database
        self._process = store.leases.process

    def sets(self, visitor: str, kind: Kind = "") -> list[SetRow]:
        """The visitor's sets of that kind, oldest first; the visitor "" has none."""
        count = sql.select(sql.func.count()).where(KEPT_TESTS.c.test_set == TEST_SETS.c.id).scalar_subquery()
        mine = (TEST_SETS.c.visitor == visitor, TEST_SETS.c.kind == kind)
        chosen = sql.select(TEST_SETS.c.id, TEST_SETS.c.name, count).where(*mine)
        if not visitor:
            return []
        ordered = chosen.order_by(TEST_SETS.c.created, TEST_SETS.c.id)
        return [SetRow(*row) for row in self._database.rows(ordered)]

    def _set(self, visitor: str, test_set: str) -> SetRow | None:
        """One set of the visitor's, of whichever kind."""
        every = (*self.sets(visitor), *self.sets(visitor, "card"))
        return next((each for each in every if each.id == test_set), None)

    def add_set(self, visitor: str, name: str, kind: Kind = "") -> str:
        """The id of a new set. Raises ``BadRequest`` where there are too many, or it has no name."""
        short = one_line(name, _MOST_NAME)
        if not visitor or not shows(short):
            raise BadRequest.because("A set of tests needs a name.")
        if len(self.sets(visitor, kind)) >= MOST_SETS:
            raise BadRequest.because("There are {most} sets of tests, and no more fit. Delete one.", most=MOST_SETS)
        id = uuid4().hex
        row = {"id": id, "visitor": visitor, "name": short, "created": time(), "kind": kind}
        self._database.change(sql.insert(TEST_SETS).values(row))
        return id

    def remove_set(self, visitor: str, test_set: str) -> None:
        """Remove a set with its tests, their results and their runs."""
        theirs = sql.select(TEST_SETS.c.id).where(TEST_SETS.c.visitor == visitor, TEST_SETS.c.id == test_set)
        tests = sql.select(KEPT_TESTS.c.id).where(KEPT_TESTS.c.test_set.in_(theirs))
        evaluations = sql.select(EVALUATIONS.c.id).where(EVALUATIONS.c.test_set.in_(theirs))
        with self._database.begin() as connection:
            self._forget_runs(connection, KEPT_TESTS.c.test_set.in_(theirs))
            attempts = sql.or_(ATTEMPTS.c.evaluation.in_(evaluations), ATTEMPTS.c.test.in_(tests))
            connection.execute(sql.delete(ATTEMPTS).where(attempts))
            connection.execute(sql.delete(EVALUATIONS).where(EVALUATIONS.c.test_set.in_(theirs)))
            connection.execute(sql.delete(KEPT_TESTS).where(KEPT_TESTS.c.test_set.in_(theirs)))
            connection.execute(sql.delete(TEST_SETS).where(TEST_SETS.c.id.in_(theirs)))

    def remove_all(self, visitor: str) -> None:
        """Remove every set of a visitor, of whichever kind."""
        for each in (*self.sets(visitor), *self.sets(visitor, "card")):
            self.remove_set(visitor, each.id)

    def tests(self, visitor: str, test_set: str) -> list[TestRow]:
        """The tests of a set, oldest first."""
        of = KEPT_TESTS.c
        chosen = sql.select(of.id, of.test_set, of.conversation, of.follows, of.recorded, of.source, of.name, of.body)
        chosen = chosen.join(TEST_SETS, TEST_SETS.c.id == of.test_set).where(TEST_SETS.c.visitor == visitor)
        ordered = chosen.where(of.test_set == test_set).order_by(of.created, of.id)
        return [TestRow(*row) for row in self._database.rows(ordered)]

    def add_test(self, visitor: str, test: TestRow) -> None:
        """Add a test to a set of the visitor's. Raises ``BadRequest`` where there is no such set, or no room in it."""
        found = self._set(visitor, test.test_set)
        if found is None:
            raise BadRequest.because("This set of tests is gone.")
        if found.tests >= MOST_IN_SET:
            raise BadRequest.because("A set may have {most} tests.", most=MOST_IN_SET)
        names = ("id", "test_set", "conversation", "follows", "recorded", "source", "name", "body")
        row = {name: getattr(test, name) for name in names} | {"created": time()}
        self._database.change(sql.insert(KEPT_TESTS).values(row))

    def change_test(self, visitor: str, test: str, name: str, body: str) -> None:
        """Give a test another name and body."""
        theirs = sql.select(TEST_SETS.c.id).where(TEST_SETS.c.visitor == visitor)
        changed = sql.update(KEPT_TESTS).where(KEPT_TESTS.c.id == test, KEPT_TESTS.c.test_set.in_(theirs))
        self._database.change(changed.values(name=name, body=body))

    def remove_test(self, visitor: str, test: str) -> None:
        """Remove a test with its results and runs."""
        theirs = sql.select(TEST_SETS.c.id).where(TEST_SETS.c.visitor == visitor)
        mine = (KEPT_TESTS.c.id == test, KEPT_TESTS.c.test_set.in_(theirs))
        with self._database.begin() as connection:
            self._forget_runs(connection, sql.and_(*mine))
            there = sql.select(KEPT_TESTS.c.id).where(*mine)
            connection.execute(sql.delete(ATTEMPTS).where(ATTEMPTS.c.test.in_(there)))
            connection.execute(sql.delete(KEPT_TESTS).where(*mine))

    def _forget_runs(self, connection: sql.Connection, which: sql.ColumnElement[bool]) -> None:
        """Delete the conversations of tests, as a visitor deletes one: they are purged with those."""
        theirs = sql.select(KEPT_TESTS.c.conversation).where(which)
        connection.execute(sql.update(CONVERSATIONS).where(CONVERSATIONS.c.id.in_(theirs)).values(deleted=time()))

    def begin(self, visitor: str, test_set: str, body: str, worker: str = "") -> str:
        """The id of a new evaluation, which is this process's, and that ``worker``'s in it.

        Raises ``BadRequest`` where the set is gone, or is being run already: of all that try at once, one succeeds.
        """
        row = {"id": uuid4().hex, "test_set": test_set, "body": body, "created": time(), "state": ""}
        theirs = (TEST_SETS.c.visitor == visitor, TEST_SETS.c.id == test_set)
        of = EVALUATIONS.c
        working = sql.select(of.id).where(of.test_set == test_set, of.state == "", Now() - of.alive < LEASE_SECONDS)
        with self._database.begin() as connection:
            # Changing its row keeps others that begin waiting until this is kept.
            mine = connection.execute(sql.update(TEST_SETS).where(*theirs).values(name=TEST_SETS.c.name))
            if not (visitor and mine.rowcount):
                raise BadRequest.because("This set of tests is gone.")
            if connection.execute(working).first():
                raise BadRequest.because("This set is being run already. Wait for it, or stop it first.")
            made = sql.insert(EVALUATIONS).values(row | {"process": self._process + worker, "alive": Now()})
            connection.execute(made)
        return str(row["id"])

    def evaluations(self, visitor: str, test_set: str, most: int = 20) -> list[EvaluationRow]:
        """The latest evaluations of a set, the last one first."""
        working = sql.and_(EVALUATIONS.c.state == "", Now() - EVALUATIONS.c.alive < LEASE_SECONDS)
        columns = (EVALUATIONS.c.id, EVALUATIONS.c.test_set, EVALUATIONS.c.body, EVALUATIONS.c.created)
        query = sql.select(*columns, EVALUATIONS.c.state, working)
        query = query.join(TEST_SETS, TEST_SETS.c.id == EVALUATIONS.c.test_set)
        query = query.where(TEST_SETS.c.visitor == visitor, EVALUATIONS.c.test_set == test_set)
        rows = self._database.rows(query.order_by(EVALUATIONS.c.created.desc()).limit(most))
        return [
            EvaluationRow(id, of_set, body, created, state, bool(at_work))
            for id, of_set, body, created, state, at_work in rows
        ]

    def take(self, visitor: str, evaluation: str, worker: str = "") -> bool:
        """Take an evaluation that nobody works on; of all that try, one succeeds."""
        theirs = sql.select(TEST_SETS.c.id).where(TEST_SETS.c.visitor == visitor)
        free = sql.or_(EVALUATIONS.c.state.in_(("stopped", "spent")), Now() - EVALUATIONS.c.alive > LEASE_SECONDS)
        mine = (EVALUATIONS.c.id == evaluation, EVALUATIONS.c.test_set.in_(theirs), EVALUATIONS.c.state != "done")
        taken = sql.update(EVALUATIONS).where(*mine, free).values(state="", process=self._process + worker, alive=Now())
        return self._database.change(taken) > 0

    def renew(self, evaluation: str, worker: str = "") -> bool:
        """Say that this worker is at work on it; whether it is to go on."""
        mine = self._is_of(evaluation, worker)
        return self._database.change(sql.update(EVALUATIONS).where(*mine).values(alive=Now())) > 0

    def _is_of(self, evaluation: str, worker: str) -> tuple[sql.ColumnElement[bool], ...]:
        of = EVALUATIONS.c
        return of.id == evaluation, of.process == self._process + worker, of.state == ""

    def end(self, visitor: str, evaluation: str, state: State, worker: str | None = None) -> None:
        """Say that it is done, to be stopped, or stopped as its money is ``spent``.

        Where a ``worker`` says so, only while it is still that one's: another may have taken it meanwhile.
        """
        theirs = sql.select(TEST_SETS.c.id).where(TEST_SETS.c.visitor == visitor)
        mine = (EVALUATIONS.c.id == evaluation, EVALUATIONS.c.test_set.in_(theirs), EVALUATIONS.c.state == "")
        if worker is not None:
            mine += self._is_of(evaluation, worker)
        self._database.change(sql.update(EVALUATIONS).where(*mine).values(state=state))

    def claim(self, evaluation: str, cell: Cell, worker: str = "") -> bool:
        """Write down that an attempt is about to begin, before its run does; once.

        False where the evaluation was stopped, or is another worker's by now.
        """
        row = {"evaluation": evaluation, **cell._asdict(), "run": "", "passed": None, "body": ""}
        with self._database.begin() as connection:
            mine = sql.select(EVALUATIONS.c.id).where(*self._is_of(evaluation, worker))
            if connection.execute(mine).first() is None:
                return False
            connection.execute(self._database.upsert(ATTEMPTS).values(row).on_conflict_do_nothing())
        return True

    def began(self, evaluation: str, cell: Cell, run: str) -> None:
        """Name the run of an attempt."""
        self._database.change(sql.update(ATTEMPTS).where(*_cell(evaluation, cell)).values(run=run))

    def keep(self, evaluation: str, cell: Cell, passed: bool, body: str) -> None:
        """Keep the result of an attempt."""
        kept = sql.update(ATTEMPTS).where(*_cell(evaluation, cell), ATTEMPTS.c.passed.is_(None))
        self._database.change(kept.values(passed=int(passed), body=body))

    def attempts(self, evaluation: str, *which: sql.ColumnElement[bool]) -> dict[Cell, AttemptRow]:
        """The attempts that were begun."""
        columns = (
            ATTEMPTS.c.test,
            ATTEMPTS.c.version,
            ATTEMPTS.c.repeat,
            ATTEMPTS.c.run,
            ATTEMPTS.c.passed,
            ATTEMPTS.c.body,
        )
        rows = self._database.rows(sql.select(*columns).where(ATTEMPTS.c.evaluation == evaluation, *which))
        made = (
            AttemptRow(Cell(test, version, repeat), run, None if passed is None else bool(passed), body)
            for test, version, repeat, run, passed, body in rows
        )
        return {each.cell: each for each in made}

    def attempt(self, evaluation: str, cell: Cell) -> AttemptRow | None:
        """One of them, as it is now."""
        return self.attempts(evaluation, *_cell(evaluation, cell)).get(cell)

    def at_work(self, evaluation: str) -> bool:
        """Whether it has not ended."""
        chosen = sql.select(EVALUATIONS.c.state).where(EVALUATIONS.c.id == evaluation)
        return self._database.rows(chosen) == [("",)]

    def done(self, evaluation: str) -> int:
        """How many attempts have a result."""
        chosen = sql.select(sql.func.count()).select_from(ATTEMPTS)
        rows = self._database.rows(chosen.where(ATTEMPTS.c.evaluation == evaluation, ATTEMPTS.c.passed.is_not(None)))
        return int(rows[0][0])

    def counts(self, visitor: str, kind: Kind) -> list[CountRow]:
        """Of all evaluations of the visitor's sets of that kind, the results of each version; the latest first."""
        columns = (EVALUATIONS.c.body, EVALUATIONS.c.created, ATTEMPTS.c.version)
        query = sql.select(*columns, sql.func.sum(ATTEMPTS.c.passed), sql.func.count())
        query = query.join(EVALUATIONS, EVALUATIONS.c.id == ATTEMPTS.c.evaluation)
        query = query.join(TEST_SETS, TEST_SETS.c.id == EVALUATIONS.c.test_set)
        query = query.where(TEST_SETS.c.visitor == visitor, TEST_SETS.c.kind == kind, ATTEMPTS.c.passed.is_not(None))
        query = query.group_by(EVALUATIONS.c.id, *columns).order_by(EVALUATIONS.c.created.desc())
        return [
            CountRow(body, created, version, int(passed), int(runs))
            for body, created, version, passed, runs in self._database.rows(query)
        ]

    def is_of_a_test(self, conversation: str) -> bool:
        """Whether the runs of a conversation are those of a test."""
        chosen = sql.select(KEPT_TESTS.c.id).where(KEPT_TESTS.c.conversation == conversation).limit(1)
        return bool(self._database.rows(chosen))

    def spent(self, tests: Sequence[str], since: float) -> float:
        """US dollars that the ended runs of those tests have cost since then."""
        chats = sql.select(KEPT_TESTS.c.conversation).where(KEPT_TESTS.c.id.in_(tests))
        chosen = sql.select(sql.func.coalesce(sql.func.sum(RUNS.c.money), 0.0))
        rows = self._database.rows(chosen.where(RUNS.c.conversation.in_(chats), RUNS.c.created >= since))
        return float(rows[0][0])


def _cell(evaluation: str, cell: Cell) -> tuple[sql.ColumnElement[bool], ...]:
    of = ATTEMPTS.c
    return of.evaluation == evaluation, of.test == cell.test, of.version == cell.version, of.repeat == cell.repeat
