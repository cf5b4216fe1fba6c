"""Tests run in the background: each attempt is a run of its own, kept like any other, and judged when it has ended.

What was begun is written down before it begins, and what came of it as soon as it is there: an evaluation that was
stopped, or whose process was killed, goes on with what has no result yet, and from the last step that was done.
"""

from __future__ import annotations

import logging
from collections.abc import Iterator, Mapping, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from dataclasses import dataclass, replace
from functools import partial
from threading import Event as Flag
from threading import Thread
from time import monotonic

from pydantic import TypeAdapter

from agent.application.chat_runs import ChatRuns
from agent.application.evaluating.test_shelf import TestShelf
from agent.application.preferences import chosen, read_back, write_down
from agent.application.setup import DEMO, Alternative, Choice, default_choice, one_off
from agent.application.spending.paid_model import PaidModel
from agent.application.spending.purse import Purse
from agent.demo.model import Demo
from agent.endings import closing, reason_of
from agent.errors import BadRequest, GlassboxError
from agent.evals.attempt import WAITED, Result, agent_for, judged
from agent.evals.formats.result_lines import Row
from agent.evals.gold import Programs
from agent.evals.kept_test import KeptTest, Mode
from agent.events import Event, Failed, Replied, Waiting
from agent.interface_text import Text
from agent.loop.agent import Agent
from agent.loop.limits import most_seconds
from agent.models.stop_flag import StopFlag
from agent.runs import rewind
from agent.runs.conversation import Question, ask, first_event
from agent.store.evaluations import AttemptRow, Cell, EvaluationRow, TestRow
from agent.store.runs import RunEnded
from agent.store.unanswered import NotWaiting

log = logging.getLogger(__name__)
_LOOK_SECONDS = 0.5
_RENEW_SECONDS = 1.0
_END_SECONDS = 10.0
# The places for runs that all tests share, as a visitor has a share: chats are answered beside them.
_SHARE = "tests"
_PART = 8  # of all places, at the most, for one evaluation
_RESULT: TypeAdapter[Result] = TypeAdapter(Result)


@dataclass(frozen=True, slots=True)
class Version:
    """With what tests are run: a ``name``, and what differs from the visitor's choice, as ``preferences`` writes it."""

    name: str
    written: str


@dataclass(frozen=True, slots=True)
class Plan:
    """How a set is run: the tests by their ids, ``repeats`` times by each version; ``most`` US dollars, 0 for any."""

    mode: Mode
    versions: tuple[Version, ...]
    tests: tuple[str, ...]
    repeats: int = 1
    most: float = 0.0

    @property
    def cells(self) -> list[Cell]:
        """All attempts, the first of each test before the second of any."""
        return [
            Cell(test, version, repeat)
            for repeat in range(1, self.repeats + 1)
            for test in self.tests
            for version in range(len(self.versions))
        ]


_PLAN: TypeAdapter[Plan] = TypeAdapter(Plan)


def read_plan(row: EvaluationRow) -> Plan:
    """How an evaluation is run."""
    return _PLAN.validate_json(row.body)


def version_of(name: str, choice: Choice, own_address: str) -> Version:
    """A version that answers as the choice does; a key is no part of it."""
    kept = {field: getattr(choice, field) for field in Choice.__slots__} | {"key": choice.key.reveal()}
    return Version(name, write_down(kept, own_address))


def rows_of(plan: Plan, names: Mapping[str, str], attempts: Sequence[AttemptRow]) -> list[Row]:
    """The results that there are, as they are summed up and exported."""
    return [
        Row(
            each.cell.test,
            names.get(each.cell.test, ""),
            plan.versions[each.cell.version].name,
            plan.mode,
            each.cell.repeat,
            _RESULT.validate_json(each.body),
            each.run,
        )
        for each in sorted(attempts, key=lambda each: each.cell)
        if each.passed is not None and each.cell.version < len(plan.versions)
    ]


def begin(runs: ChatRuns, test_set: str, plan: Plan) -> str:
    """Run a set in the background; the id of the evaluation. Raises ``BadRequest`` where it cannot begin."""
    if not plan.tests or not plan.versions:
        raise BadRequest(Text("There is nothing to run: choose tests, and a model."))
    evaluation = _Evaluation(runs, "", test_set, plan)
    evaluation.check()
    id = runs.services.evaluations.begin(runs.visitor, test_set, _PLAN.dump_json(plan).decode())
    replace(evaluation, id=id).start()
    return id


def resume(runs: ChatRuns, row: EvaluationRow) -> bool:
    """Go on with an evaluation that was stopped, or whose process is gone; false where somebody else does."""
    evaluation = _Evaluation(runs, row.id, row.test_set, read_plan(row), row.created)
    evaluation.check()
    if not runs.services.evaluations.take(runs.visitor, row.id):
        return False
    evaluation.start()
    return True


def stop(runs: ChatRuns, evaluation: str) -> None:
    """Stop it, in whichever process it is at work; what has a result stays."""
    runs.services.evaluations.end(runs.visitor, evaluation, "stopped")


@dataclass(frozen=True)
class _Evaluation:
    """One evaluation at work. ``runs`` are its visitor's, with the key that they have typed."""

    runs: ChatRuns
    id: str
    test_set: str
    plan: Plan
    created: float = 0.0

    def check(self) -> None:
        """Raises ``BadRequest`` where money is to be capped and a price is not known."""
        if self.plan.most and self.plan.mode != "replay":
            for version in range(len(self.plan.versions)):
                choice = self.choice(version)
                known = self.runs.services.prices.price(choice.endpoint, choice.model)
                if choice.endpoint != DEMO and known is None:
                    model = choice.model
                    raise BadRequest(Text("No price is known for {model}, so its cost cannot be capped.", model=model))

    def choice(self, version: int) -> Choice:
        """With what a version answers; the key is the visitor's, for the server it was typed for alone."""
        services, mine = self.runs.services, self.runs.choice
        kept = chosen(read_back(self.plan.versions[version].written), default_choice(services.settings))
        with_key = one_off(mine, Alternative(kept.endpoint, kept.model)).key
        return replace(kept, key=with_key)

    def start(self) -> None:
        Thread(target=self._work, name=f"tests {self.id[:8]}", daemon=True).start()

    def _work(self) -> None:
        services = self.runs.services
        try:
            done = self._attempts()
            if done:
                services.evaluations.end(self.runs.visitor, self.id, "done")
        except GlassboxError:
            log.exception("evaluation %s ended early; it can be resumed", self.id)

    def _attempts(self) -> bool:
        """Make all attempts that have no result; whether none is left."""
        services = self.runs.services
        shelf = TestShelf(services, self.runs.visitor)
        begun = services.evaluations.attempts(self.id)
        todo = [cell for cell in self.plan.cells if cell not in begun or begun[cell].passed is None]
        tests = {row.id: row for row in services.evaluations.tests(self.runs.visitor, self.test_set)}
        purse = Purse(services.prices, self.plan.most, self._spent()) if self.plan.most else None
        halt = Flag()
        width = max(1, services.settings.runs // _PART)
        with ThreadPoolExecutor(width, thread_name_prefix=f"test of {self.id[:8]}") as pool:
            open_ones: set[Future[None]] = set()
            waiting: Iterator[Cell] = iter([cell for cell in todo if cell.test in tests])
            renewed = float("-inf")
            while True:
                if monotonic() - renewed > _RENEW_SECONDS:
                    renewed = monotonic()
                    if not services.evaluations.renew(self.id):
                        halt.set()
                while not halt.is_set() and len(open_ones) < width and (cell := next(waiting, None)):
                    attempt = _Attempt(self, shelf, tests[cell.test], cell, begun.get(cell), purse, halt)
                    open_ones.add(pool.submit(attempt.make))
                if not open_ones:
                    return not halt.is_set()
                finished, open_ones = wait(open_ones, _LOOK_SECONDS, FIRST_COMPLETED)
                for future in finished:
                    future.result()

    def _spent(self) -> float:
        return self.runs.services.evaluations.spent(self.plan.tests, self.created) if self.created else 0.0


@dataclass(frozen=True)
class _Attempt:
    """One attempt of an evaluation; ``before`` is what was begun of it already."""

    evaluation: _Evaluation
    shelf: TestShelf
    row: TestRow
    cell: Cell
    before: AttemptRow | None
    purse: Purse | None
    halt: Flag

    def make(self) -> None:
        """Run it to its end, unless that is halted, and keep its result. Raises ``StoreFailed``."""
        services, id = self.evaluation.runs.services, self.evaluation.id
        test = self.shelf.read(self.row)
        run, so_far = self._left(test)
        if not run:
            services.evaluations.claim(id, self.cell)
            run, tools = self._begin(test, so_far)
            if not self._follow(run):
                return
        else:
            tools = None
        events = services.store.events(run)
        programs = tools or self._agent(test, run, StopFlag(), new=False)
        result = judged(test, events, Programs(programs.tools))
        services.evaluations.keep(id, self.cell, result.passed, _RESULT.dump_json(result).decode())

    def _left(self, test: KeptTest) -> tuple[str, tuple[Event, ...]]:
        """The run of before where it came to its own end, else the steps of it that were done."""
        store = self.evaluation.runs.services.store
        if not (self.before and self.before.run):
            return "", ()
        run = self.before.run
        if not self._ended(run):
            return "", ()
        events = store.readable(run)
        last = events[-1] if events else None
        if not (isinstance(last, Failed) and last.reason in ("cancelled", "interrupted")):
            return run, ()
        steps = rewind.with_contents(store, run, rewind.resumed(events))
        return "", steps if any(isinstance(event, Replied) for event in steps) else ()

    def _ended(self, run: str) -> bool:
        """Whether a run has ended, which one does soon whose process is gone."""
        services = self.evaluation.runs.services
        until = monotonic() + _END_SECONDS
        while monotonic() < until:
            row = services.store.run(run)
            if row is None or row.ended:
                return row is not None
            services.runs.cancel(run)
            services.runs.follow(run, 1 << 30, _LOOK_SECONDS)
        return False

    def _agent(self, test: KeptTest, run: str, cancel: StopFlag, new: bool = True) -> Agent:
        """With what it is answered: tools ask the tables of the chat that the test was kept in, while that is there."""
        runs, mode = self.evaluation.runs, self.evaluation.plan.mode
        mine = runs.services.store.conversation(self.row.source) if self.row.source else None
        there = self.row.source if mine and mine.visitor == runs.visitor else self.row.conversation
        choice = self.evaluation.choice(self.cell.version)
        made = runs.agent(choice, there, cancel, run, new=new and mode != "replay")
        if isinstance(made.model, Demo):
            made = replace(made, model=replace(made.model, pace=0.0))
        elif self.purse and mode != "replay":
            made = replace(made, model=PaidModel(made.model, self.purse, run, runs.visitor))
        return made

    def _begin(self, test: KeptTest, so_far: tuple[Event, ...]) -> tuple[str, Agent | None]:
        """Begin a run, in the place of the recorded one; with what, ``None`` where it could not."""
        evaluation, services = self.evaluation, self.evaluation.runs.services
        parent = self.before.run if self.before and so_far else ""
        question = Question(test.question, parent=parent, at=len(so_far) + 1 if so_far else None, so_far=so_far)
        asked = first_event(question)
        visitor, chat = evaluation.runs.visitor, self.row.conversation
        _, run = services.store.unanswered.begin(asked, visitor, chat, self.row.follows)
        services.evaluations.began(evaluation.id, self.cell, run)
        cancel = StopFlag()
        try:
            today = self._agent(test, run, cancel)
            made = agent_for(test, evaluation.plan.mode, today)
        except GlassboxError as error:
            services.store.append(run, [Failed(reason_of(error), error.text)])
            return run, None
        story = partial(ask, services.store, run, replace(question, asked=asked), made)
        services.runs.start(run, story, most_seconds(made.limits), cancel, [asked], _SHARE)
        return run, today

    def _follow(self, run: str) -> bool:
        """Wait for the end of a run; false where it was halted, and is to be resumed."""
        services, seen = self.evaluation.runs.services, 0
        while True:
            followed = services.runs.follow(run, seen, _LOOK_SECONDS)
            seen += len(followed.events)
            if followed.events and isinstance(followed.events[-1], Waiting):
                self._end_waiting(run)
                return True
            if followed.done:
                row = services.store.run(run)
                return bool(row and row.ended) and not self._was_stopped(run)
            if self.halt.is_set():
                services.runs.cancel(run)

    def _was_stopped(self, run: str) -> bool:
        last = next(reversed(self.evaluation.runs.services.store.readable(run)), None)
        return isinstance(last, Failed) and last.reason in ("cancelled", "interrupted") and self.halt.is_set()

    def _end_waiting(self, run: str) -> None:
        """End a run that waits for a person: in a test there is none."""
        store = self.evaluation.runs.services.store
        try:
            store.take_up(run, closing(store.events(run), WAITED))
        except (NotWaiting, RunEnded):
            log.info("run %s of a test waits no more", run)
