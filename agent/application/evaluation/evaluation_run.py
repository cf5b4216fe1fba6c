"""Tests run in the background: each attempt is a run of its own, kept like any other, and judged when it has ended.

What was begun is written down before it begins, and what came of it as soon as it is there: an evaluation that was
stopped, or whose process was killed, goes on with what has no result yet, and from the last step that was done.
"""

from __future__ import annotations

import logging
from collections.abc import Iterator
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from dataclasses import dataclass, field, replace
from functools import partial
from threading import Event as Flag
from threading import Thread
from time import monotonic
from typing import Literal, TypeAlias
from uuid import uuid4

from agent.application.chat_runs import ChatRuns
from agent.application.evaluation.evaluation_plan import RESULT, Plan, read_plan, write_plan
from agent.application.evaluation.test_shelf import TestShelf
from agent.application.preferences import chosen, key_gone, key_missing, read_back
from agent.application.setup import DEMO, Alternative, Choice, default_choice, one_off, prices_for
from agent.application.spending.paid_model import PaidModel
from agent.application.spending.purse import Purse
from agent.demo.model import Demo
from agent.endings import closing, reason_of
from agent.errors import BadRequest, GlassboxError
from agent.evals.attempt import WAITED, agent_for, judged
from agent.evals.gold import Programs
from agent.evals.kept_test import KeptTest
from agent.evals.model_card.fixed_tools import card_agent
from agent.events import Event, Failed, Replied, Waiting
from agent.loop.agent import Agent
from agent.loop.limits import most_seconds
from agent.models.prices import Prices
from agent.models.stop_flag import StopFlag
from agent.runs import rewind
from agent.runs.conversation import Question, ask, first_event
from agent.store.evaluations import Cell, EvaluationRow, State, TestRow
from agent.store.runs import RunEnded
from agent.store.unanswered import NotWaiting

log = logging.getLogger(__name__)
_LOOK_SECONDS = 0.5
_RENEW_SECONDS = 1.0
_END_SECONDS = 10.0
# The places for runs that all tests share, as a visitor has a share: chats are answered beside them.
_SHARE = "tests"
_PART = 8  # of all places, at the most, for one evaluation
# What came of an attempt: a result, or none as it was stopped, or as there is no money left for it.
_Came: TypeAlias = Literal["kept", "left", "spent"]


def begin(runs: ChatRuns, test_set: str, plan: Plan) -> str:
    """Run a set in the background; the id of the evaluation. Raises ``BadRequest`` where it cannot begin."""
    if not plan.tests or not plan.versions:
        raise BadRequest.because("There is nothing to run: choose tests, and a model.")
    evaluation = _Evaluation(runs, "", test_set, plan)
    evaluation.check()
    id = runs.services.evaluations.begin(runs.visitor, test_set, write_plan(plan), evaluation.worker)
    replace(evaluation, id=id).start()
    return id


def resume(runs: ChatRuns, row: EvaluationRow) -> bool:
    """Go on with an evaluation that was stopped, or whose process is gone; false where somebody else does."""
    evaluation = _Evaluation(runs, row.id, row.test_set, read_plan(row), row.created)
    evaluation.check()
    if not runs.services.evaluations.take(runs.visitor, row.id, evaluation.worker):
        return False
    evaluation.start()
    return True


def stop(runs: ChatRuns, evaluation: str) -> None:
    """Stop it, in whichever process it is at work; what has a result stays."""
    runs.services.evaluations.end(runs.visitor, evaluation, "stopped")


@dataclass(frozen=True)
class _Evaluation:
    """One evaluation at work. ``runs`` are its visitor's, with the key that they have typed.

    ``worker`` is nobody else's: what is stopped and resumed at once is no longer the first one's.
    """

    runs: ChatRuns
    id: str
    test_set: str
    plan: Plan
    created: float = 0.0
    worker: str = field(default_factory=lambda: uuid4().hex)

    @property
    def replayed(self) -> bool:
        """Whether replies are those that were recorded, and no model is asked."""
        return self.plan.mode == "replay"

    def check(self) -> None:
        """Raises ``BadRequest`` where a key is gone, or money is to be capped and a price is not known."""
        if self.plan.mode == "replay":
            return
        prices = self.prices() if self.plan.most else None
        for number, version in enumerate(self.plan.versions):
            choice = self.choice(number)
            if key_missing(read_back(version.written)) and not choice.key:
                raise key_gone(choice.endpoint)
            if prices and choice.endpoint != DEMO and prices.price(choice.endpoint, choice.model) is None:
                model = choice.model
                raise BadRequest.because("No price is known for {model}, so its cost cannot be capped.", model=model)

    def prices(self) -> Prices:
        """With what the money is capped: the visitor's own prices, too, where they pay."""
        prices = self.runs.services.prices
        for version in range(len(self.plan.versions)):
            prices = prices_for(self.runs.services.settings, self.choice(version), prices)
        return prices

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
            if state := self._attempts():
                services.evaluations.end(self.runs.visitor, self.id, state, self.worker)
        except GlassboxError:
            log.exception("evaluation %s ended early; it can be resumed", self.id)

    def _attempts(self) -> State:
        """Make all attempts that have no result; how that ended, "" where it was halted."""
        services = self.runs.services
        shelf = TestShelf(services, self.runs.visitor)
        begun = services.evaluations.attempts(self.id)
        todo = [cell for cell in self.plan.cells if cell not in begun or begun[cell].passed is None]
        tests = {row.id: row for row in services.evaluations.tests(self.runs.visitor, self.test_set)}
        for each in begun.values():
            if self.plan.most and each.run and each.passed is None:
                self.ended(each.run)  # what it has cost is known then
        purse = Purse(self.prices(), self.plan.most, self._spent()) if self.plan.most else None
        halt, came = Flag(), set[_Came]()
        width = max(1, services.settings.runs // _PART)
        with ThreadPoolExecutor(width, thread_name_prefix=f"test of {self.id[:8]}") as pool:
            open_ones: set[Future[_Came]] = set()
            waiting: Iterator[Cell] = iter([cell for cell in todo if cell.test in tests])
            renewed = float("-inf")
            while True:
                if monotonic() - renewed > _RENEW_SECONDS:
                    renewed = monotonic()
                    if not services.evaluations.renew(self.id, self.worker):
                        halt.set()
                full = halt.is_set() or "spent" in came
                while not full and len(open_ones) < width and (cell := next(waiting, None)):
                    attempt = _Attempt(self, shelf, tests[cell.test], cell, purse, halt)
                    open_ones.add(pool.submit(attempt.make))
                if not open_ones:
                    return "" if halt.is_set() else _state(came)
                finished, open_ones = wait(open_ones, _LOOK_SECONDS, FIRST_COMPLETED)
                came |= {future.result() for future in finished}

    def ended(self, run: str) -> bool:
        """Whether a run has ended, which one does soon whose process is gone."""
        services = self.runs.services
        until = monotonic() + _END_SECONDS
        while monotonic() < until:
            row = services.store.run(run)
            if row is None or row.ended:
                return row is not None
            services.evaluations.renew(self.id, self.worker)
            if services.store.close_interrupted(run):
                services.telemetry.ended(run, self.replayed)
                return True
            services.runs.cancel(run)
            services.runs.follow(run, 1 << 30, _LOOK_SECONDS)
        return False

    def _spent(self) -> float:
        return self.runs.services.evaluations.spent(self.plan.tests, self.created) if self.created else 0.0


def _state(came: set[_Came]) -> State:
    return "spent" if "spent" in came else "stopped" if "left" in came else "done"


@dataclass(frozen=True)
class _Attempt:
    """One attempt of an evaluation."""

    evaluation: _Evaluation
    shelf: TestShelf
    row: TestRow
    cell: Cell
    purse: Purse | None
    halt: Flag

    def make(self) -> _Came:
        """Run it to its end, unless that is halted, and keep its result. Raises ``StoreFailed``."""
        services, id = self.evaluation.runs.services, self.evaluation.id
        if services.store.conversation(self.row.conversation) is None:
            return "kept"  # the test was deleted
        test = self.shelf.read(self.row)
        before = services.evaluations.attempt(id, self.cell)
        run, so_far = "", ()
        if before and before.run:
            if not services.evaluations.renew(id, self.evaluation.worker):
                self.halt.set()  # the run may be that of the worker who has it now
                return "left"
            run, so_far = self._left(before.run)
        if not run:
            if not services.evaluations.claim(id, self.cell, self.evaluation.worker):
                self.halt.set()
                return "left"
            run, tools = self._begin(test, so_far, before.run if before and so_far else "")
            if not self._follow(run):
                return "left"
        else:
            tools = None
        events = services.store.events(run)
        if isinstance(last := events[-1], Failed) and last.reason == "budget":
            return "spent"  # it was not asked to the end, which says nothing of the answer
        programs = tools or self._agent(test, run, StopFlag(), new=False)
        result = judged(test, events, Programs(programs.tools, programs.policy))
        services.evaluations.keep(id, self.cell, result.passed, RESULT.dump_json(result).decode())
        return "kept"

    def _left(self, run: str) -> tuple[str, tuple[Event, ...]]:
        """The run of before where it came to its own end, else the steps of it that were done."""
        store = self.evaluation.runs.services.store
        if not self.evaluation.ended(run):
            return "", ()
        events = store.readable(run)
        last = events[-1] if events else None
        if not (isinstance(last, Failed) and last.reason in ("cancelled", "interrupted", "budget")):
            return run, ()
        steps = rewind.with_contents(store, run, rewind.resumed(events))
        return "", steps if any(isinstance(event, Replied) for event in steps) else ()

    def _agent(self, test: KeptTest, run: str, cancel: StopFlag, new: bool = True) -> Agent:
        """With what it is answered: tools ask the tables of the chat that the test was kept in, while that is there."""
        runs, mode = self.evaluation.runs, self.evaluation.plan.mode
        mine = runs.services.store.conversation(self.row.source) if self.row.source else None
        there = self.row.source if mine and mine.visitor == runs.visitor else self.row.conversation
        choice = self.evaluation.choice(self.cell.version)
        asking = replace(runs, key_missing=runs.key_missing and mode != "replay")
        made = asking.agent(choice, there, cancel, run, new=new and mode != "replay")
        if isinstance(made.model, Demo):
            made = replace(made, model=replace(made.model, pace=0.0))
        elif self.purse and mode != "replay":
            made = replace(made, model=PaidModel(made.model, self.purse, run, runs.visitor))
        if self.evaluation.plan.card:
            return card_agent(made, runs.services.tables.open(runs.visitor, there, cancel))
        return made

    def _begin(self, test: KeptTest, so_far: tuple[Event, ...], parent: str) -> tuple[str, Agent | None]:
        """Begin a run, in the place of the recorded one; with what, ``None`` where it could not."""
        evaluation, services = self.evaluation, self.evaluation.runs.services
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
            services.telemetry.ended(run, evaluation.replayed)
            return run, None
        story = partial(ask, services.store, run, replace(question, asked=asked), made)
        model, replayed = made.model, evaluation.replayed
        told = services.telemetry.watched(run, model.name, model.endpoint, story, [asked], replayed)
        services.runs.start(run, told, most_seconds(made.limits), cancel, [asked], _SHARE)
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
        return isinstance(last, Failed) and last.reason in ("cancelled", "interrupted")

    def _end_waiting(self, run: str) -> None:
        """End a run that waits for a person: in a test there is none."""
        store = self.evaluation.runs.services.store
        try:
            store.take_up(run, closing(store.events(run), WAITED))
        except (NotWaiting, RunEnded):
            log.info("run %s of a test waits no more", run)
        else:
            self.evaluation.runs.services.telemetry.ended(run, self.evaluation.replayed)
