"""Tests in the background: kept, run by several versions, stopped, killed, resumed; nothing is run twice."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import threading
from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from functools import partial
from pathlib import Path
from threading import Event as Flag
from typing import Any

import pytest

from agent.application.chat_runs import ChatRuns
from agent.application.evaluation.evaluation_plan import Plan, read_plan, rows_of, version_of
from agent.application.evaluation.evaluation_run import _Attempt, _Evaluation, begin, resume, stop
from agent.application.evaluation.test_shelf import TestShelf
from agent.application.services import Services, open_services
from agent.application.setup import Choice, default_choice
from agent.errors import BadRequest
from agent.evals.expectations import FigureStands
from agent.evals.formats.test_lines import read_lines, write_lines
from agent.evals.statistics.summary import summed
from agent.sandbox.client import Sandbox
from agent.settings import Secret
from agent.store.evaluations import EvaluationRow
from agent.views.fold import fold
from tests.support.servers.model_server import ModelServer, Reply
from tests.support.stories import final, react, this_turn
from tests.support.within import done_within

pytestmark = pytest.mark.system
ANNA, BERT = "a" * 32, "b" * 32
ROOT = Path(__file__).parents[2]
SECONDS = 120.0
until = partial(done_within, SECONDS)


@pytest.fixture
def services(tmp_path: Path, sandbox: Sandbox) -> Iterator[Services]:
    environment = {"GLASSBOX_DATA": str(tmp_path / "data"), "GLASSBOX_PRICES": "m=10/10/40"}
    opened = open_services(environment, {}, sandbox=sandbox)
    yield opened
    opened.runs.close()
    opened.store.close()


def runs_of(services: Services, visitor: str = ANNA, choice: Choice | None = None) -> ChatRuns:
    return ChatRuns(services, visitor, "", choice or default_choice(services.settings))


def asked(runs: ChatRuns, text: str, conversation: str = "", follows: str = "") -> str:
    """A question that was answered; its run."""
    run = runs.begin(text, conversation, follows)
    until(lambda: bool((row := runs.services.store.run(run)) and row.ended))
    return run


def last(services: Services, test_set: str, visitor: str = ANNA) -> EvaluationRow:
    return services.evaluations.evaluations(visitor, test_set)[0]


def finished(services: Services, test_set: str) -> EvaluationRow:
    until(lambda: last(services, test_set).state == "done")
    return last(services, test_set)


def ended(services: Services, test_set: str, state: str) -> EvaluationRow:
    until(lambda: last(services, test_set).state == state)
    return last(services, test_set)


def on(model: ModelServer, name: str = "m") -> Choice:
    return Choice(endpoint=model.endpoint, model=name, wire="react")


def plan_of(services: Services, test_set: str, *choices: Choice, **more: Any) -> Plan:
    tests = tuple(row.id for row in services.evaluations.tests(ANNA, test_set))
    versions = tuple(version_of(choice.model or choice.endpoint, choice, "") for choice in choices)
    return Plan(more.pop("mode", "live"), versions, tests, **more)


def results(services: Services, row: EvaluationRow) -> list[Any]:
    return rows_of(read_plan(row), {}, [*services.evaluations.attempts(row.id).values()])


def test_an_answer_is_kept_with_its_conversation_and_stays_when_that_goes(services: Services) -> None:
    runs = runs_of(services)
    first = asked(runs, "What is 17% of 4250?")
    row = services.store.run(first)
    assert row is not None
    second = asked(runs, "And half of that?", row.conversation, first)
    follow_up = services.store.run(second)
    assert follow_up is not None
    shelf = TestShelf(services, ANNA)
    id = shelf.keep(follow_up)
    (test_set,) = services.evaluations.sets(ANNA)
    assert (test_set.name, test_set.tests) == ("My tests", 1)
    assert [chat.id for chat in services.chats.conversations(ANNA)] == [row.conversation], "its runs are in the list"
    services.chats.delete(ANNA, row.conversation)
    (kept,) = map(shelf.read, shelf.tests(test_set.id))
    assert (kept.id, kept.question) == (id, "And half of that?")
    assert [fold(events).question for events in kept.history] == ["What is 17% of 4250?"]
    assert any(isinstance(each, FigureStands) and each.value == "361.25" for each in kept.expectations)
    for mode in ("replay", "frozen", "live"):
        begin(runs, test_set.id, plan_of(services, test_set.id, runs.choice, mode=mode, repeats=2))
        rows = results(services, finished(services, test_set.id))
        assert [each.passed for each in rows] == [True, True], mode
        assert all(services.store.run(each.run) for each in rows)


def test_a_set_belongs_to_its_visitor(services: Services) -> None:
    run = services.store.run(asked(runs_of(services), "What is 2 + 2?"))
    assert run is not None
    TestShelf(services, ANNA, "マイテスト").keep(run)
    (mine,) = services.evaluations.sets(ANNA)
    assert mine.name == "マイテスト"  # as the page calls it in the visitor's language
    kept = services.evaluations
    (row,) = kept.tests(ANNA, mine.id)
    assert kept.sets(BERT) == [] == kept.tests(BERT, mine.id) == kept.evaluations(BERT, mine.id)
    for forbidden in (
        lambda: kept.begin(BERT, mine.id, "{}"),
        lambda: TestShelf(services, BERT).keep(run, mine.id),
        lambda: kept.add_test(BERT, replace(row, id="x")),
    ):
        with pytest.raises(BadRequest):
            forbidden()
    kept.change_test(BERT, row.id, "stolen", row.body)
    kept.remove_test(BERT, row.id)
    kept.remove_set(BERT, mine.id)
    assert kept.tests(ANNA, mine.id) == [row]
    kept.remove_set(ANNA, mine.id)
    assert kept.sets(ANNA) == []
    assert services.store.conversation(row.conversation) is None, "its runs are still there"


def test_a_set_goes_out_and_comes_in(services: Services) -> None:
    run = services.store.run(asked(runs_of(services), "What is 17% of 4250?"))
    assert run is not None
    shelf = TestShelf(services, ANNA)
    shelf.keep(run)
    (mine,) = services.evaluations.sets(ANNA)
    out = write_lines(shelf.export(mine.id))
    back = shelf.import_file("again.jsonl", out.encode())
    (test,) = shelf.export(back).tests
    (before,) = read_lines(out.encode()).tests
    assert (test.question, test.expectations, test.answer) == (before.question, before.expectations, before.answer)
    begin(runs_of(services), back, plan_of(services, back, Choice(), mode="replay"))
    assert [each.passed for each in results(services, finished(services, back))] == [True]


def test_tests_of_a_table_follow_it_in_the_chat_it_is_in(services: Services, tmp_path: Path) -> None:
    runs, table = runs_of(services), tmp_path / "sales.csv"
    conversation = services.store.add_conversation(ANNA, "Sales")
    tables = services.tables.open(ANNA, conversation)
    table.write_text("region,amount\nNorth,1200\nSouth,900\n", encoding="utf-8")
    with table.open("rb") as file:
        tables.load("sales.csv", file)
    run = services.store.run(asked(runs, "total amount by region", conversation))
    assert run is not None
    shelf = TestShelf(services, ANNA)
    shelf.keep(run)
    (mine,) = services.evaluations.sets(ANNA)
    (loaded,) = tables.loaded()
    tables.remove(loaded.id)
    table.write_text("region,amount\nNorth,1350\nSouth,900\nWest,70\n", encoding="utf-8")
    with table.open("rb") as file:
        tables.load("sales.csv", file)
    begin(runs, mine.id, plan_of(services, mine.id, runs.choice))
    (row,) = results(services, finished(services, mine.id))
    assert row.passed, [str(grade.why) for grade in row.result.failed]
    (test,) = shelf.tests(mine.id)
    typed = [replace(e, gold=None) if isinstance(e, FigureStands) else e for e in shelf.read(test).expectations]
    shelf.change(test, "typed", typed)
    begin(runs, mine.id, plan_of(services, mine.id, runs.choice))
    (row,) = results(services, finished(services, mine.id))
    assert not row.passed
    assert any("The data changed since this was kept" in str(grade.why) for grade in row.result.failed)


CSV = "question,answer\n" + "".join(f"What is {n} + {n}?,{2 * n}\n" for n in range(2, 22))


def sums(body: dict[str, Any]) -> Reply:
    """Two calls of the model for each question."""
    turn = this_turn(body)
    number = turn[0].split()[2]
    if len(turn) == 1:
        return Reply(react("I calculate.", "calculator", f"{number} + {number}"), delay=0.002)
    return Reply(final(f"It is {2 * int(number)}."), delay=0.002)


def calls_made(model: ModelServer) -> Counter[tuple[str, str, int]]:
    """How often each step of each question was asked for, by each model."""
    turns = [(str(body["model"]), this_turn(body)) for body in model.requests]
    return Counter((name, turn[0], len(turn)) for name, turn in turns)


def test_versions_are_run_beside_each_other_and_compared(services: Services) -> None:
    shelf = TestShelf(services, ANNA)
    mine = shelf.import_file("sums.csv", CSV.encode())
    with ModelServer(lambda body: sums(body) if body["model"] == "good" else final("It is 7.")) as model:
        runs = runs_of(services)
        begin(runs, mine, plan_of(services, mine, on(model, "good"), on(model, "bad"), repeats=2))
        row = finished(services, mine)
    rows = results(services, row)
    assert len(rows) == 80
    good, bad = (summed(name, [each for each in rows if each.version == name]) for name in ("good", "bad"))
    assert (good.passed, bad.passed, good.few) == (40, 0, False)
    assert set(calls_made(model).values()) == {2}


def test_what_was_stopped_goes_on_and_nothing_is_run_twice(services: Services) -> None:
    mine = TestShelf(services, ANNA).import_file("sums.csv", CSV.encode())
    runs = runs_of(services)
    with ModelServer(sums) as model:
        id = begin(runs, mine, plan_of(services, mine, on(model), repeats=2))
        until(lambda: len(results(services, last(services, mine))) >= 6)
        stop(runs, id)
        stopped = last(services, mine)
        assert stopped.state == "stopped"
        assert len(results(services, stopped)) < 40
        assert resume(runs, stopped), "at once, while the first worker has not noticed yet"
        rows = results(services, finished(services, mine))
    assert len(rows) == 40 and all(each.passed for each in rows)
    # Of a run that was stopped in the middle, the one reply that was cut is asked for again.
    repeated = {call: count for call, count in calls_made(model).items() if count > 2}
    assert sum(count - 2 for count in repeated.values()) <= max(1, services.settings.runs // 8)


def test_the_worker_that_was_stopped_does_not_end_what_another_goes_on_with(services: Services) -> None:
    """It was at the last test, and has nothing left to claim by which it would learn of the other."""
    mine = TestShelf(services, ANNA).import_file("sums.csv", b"question,answer\nWhat is 2 + 2?,4\n")
    runs, gate = runs_of(services), Flag()
    with ModelServer(lambda _: Reply("Thought: I add.\n" + final("It is 4."), gate=gate)) as model:
        id = begin(runs, mine, plan_of(services, mine, on(model)))
        until(lambda: len(model.requests) == 1)
        stop(runs, id)
        assert resume(runs, last(services, mine))
        until(lambda: len(model.requests) == 2)
        until(lambda: sum(thread.name == f"tests {id[:8]}" for thread in threading.enumerate()) == 1)
        assert last(services, mine).state == ""
        gate.set()
        (row,) = results(services, finished(services, mine))
    assert row.passed


def test_a_worker_that_has_lost_an_evaluation_ends_no_run_of_the_other(services: Services) -> None:
    mine = TestShelf(services, ANNA).import_file("sums.csv", b"question,answer\nWhat is 2 + 2?,4\n")
    runs, gate, halt = runs_of(services), Flag(), Flag()
    with ModelServer(lambda _: Reply(final("It is 4."), gate=gate)) as model:
        plan = plan_of(services, mine, on(model))
        id = begin(runs, mine, plan)
        until(lambda: len(model.requests) == 1)
        (test,), (cell,) = services.evaluations.tests(ANNA, mine), plan.cells
        lost = _Evaluation(runs, id, mine, plan)
        assert _Attempt(lost, TestShelf(services, ANNA), test, cell, None, halt).make() == "left"
        assert halt.is_set()
        gate.set()
        (row,) = results(services, finished(services, mine))
    assert row.passed and len(model.requests) == 1


def test_money_is_capped_to_the_cent(services: Services) -> None:
    mine = TestShelf(services, ANNA).import_file("sums.csv", CSV.encode())
    usage = {"prompt_tokens": 600, "completion_tokens": 100, "total_tokens": 700}  # one cent
    with ModelServer(lambda _: Reply(final("It is 4."), usage=usage)) as model:
        begin(runs_of(services), mine, plan_of(services, mine, on(model), most=0.20))
        spent = ended(services, mine, "spent")
        rows = results(services, spent)
        asked_of = len(model.requests)
        assert resume(runs_of(services), spent), "it cannot be resumed"
        again = results(services, ended(services, mine, "spent"))
        assert sum(each.result.money or 0.0 for each in again) <= 0.20
    # What was not asked for lack of money says nothing of the model: it has no result.
    assert 2 <= asked_of < 20 and len(rows) == asked_of
    assert sum(each.result.money or 0.0 for each in rows) == pytest.approx(0.01 * asked_of)
    assert all(each.result.money for each in rows)
    with pytest.raises(BadRequest, match="No price"):
        begin(runs_of(services), mine, plan_of(services, mine, on(model, "unpriced"), most=1.0))
    with ModelServer(lambda _: Reply(final("It is 4."), usage=usage)) as model:
        own = replace(on(model, "mine"), prices=((model.endpoint, "mine", "10", "10", "40"),))
        begin(runs_of(services, choice=own), mine, plan_of(services, mine, own, most=0.05))
        rows = results(services, ended(services, mine, "spent"))
        assert rows and sum(each.result.money or 0.0 for each in rows) <= 0.05


def test_a_set_is_run_once_at_a_time(services: Services) -> None:
    mine = TestShelf(services, ANNA).import_file("sums.csv", CSV.encode())
    runs, go_on = runs_of(services), Flag()
    with ModelServer(lambda body: sums(body) if go_on.wait(SECONDS) else final("")) as model:
        plan = plan_of(services, mine, on(model))
        id = begin(runs, mine, plan)
        with pytest.raises(BadRequest, match="already"):
            begin(runs, mine, plan)
        first, *_ = services.evaluations.tests(ANNA, mine)
        until(lambda: len(services.evaluations.attempts(id)) >= 1)
        gone = [row for row in services.evaluations.tests(ANNA, mine) if row.id != first.id][-1]
        services.evaluations.remove_test(ANNA, gone.id)
        go_on.set()
        rows = results(services, finished(services, mine))
    assert len(rows) == 19 and gone.id not in {each.test for each in rows}


def test_a_key_that_is_gone_is_asked_for_again(services: Services) -> None:
    mine = TestShelf(services, ANNA).import_file("sums.csv", CSV.encode())
    with ModelServer(sums) as model:
        keyed = replace(on(model), key=Secret("a-key-that-was-typed"))
        id = begin(runs_of(services, choice=keyed), mine, plan_of(services, mine, keyed))
        stop(runs_of(services), id)
        row = last(services, mine)
        assert "a-key-that-was-typed" not in row.body
        asked_before = len(model.requests)
        with pytest.raises(BadRequest, match="Your key for"):
            resume(runs_of(services), row)
        until(lambda: not any(services.runs.working(each.run) for each in services.evaluations.attempts(id).values()))
        assert all("authorization" in {name.lower() for name in head} for head in model.headers[asked_before:])


KILLED = """
import os, sys
from agent.application.chat_runs import ChatRuns
from agent.application.evaluation.evaluation_run import begin
from agent.application.evaluation.evaluation_plan import Plan, version_of
from agent.application.services import open_services
from agent.application.setup import Choice
services = open_services(os.environ, {})
visitor, mine, endpoint = sys.argv[1:4]
choice = Choice(endpoint=endpoint, model="m", wire="react")
tests = tuple(row.id for row in services.evaluations.tests(visitor, mine))
begin(ChatRuns(services, visitor, "", choice), mine, Plan("live", (version_of("m", choice, ""),), tests, 2))
sys.stdin.read()
"""


def test_what_was_killed_is_resumed_and_nothing_is_run_twice(services: Services) -> None:
    mine = TestShelf(services, ANNA).import_file("sums.csv", CSV.encode())
    environment = {**os.environ, "GLASSBOX_DATA": str(services.settings.data)}
    with ModelServer(sums) as model:
        command = [sys.executable, "-c", KILLED, ANNA, mine, model.endpoint]
        with subprocess.Popen(command, cwd=ROOT, env=environment, stdin=subprocess.PIPE) as process:
            until(lambda: bool(services.evaluations.evaluations(ANNA, mine)))
            until(lambda: len(results(services, last(services, mine))) >= 10)
            process.send_signal(signal.SIGKILL)
        killed = last(services, mine)
        before = {each.run for each in results(services, killed)}
        until(lambda: not last(services, mine).working)
        assert resume(runs_of(services), killed)
        rows = results(services, finished(services, mine))
    assert len(rows) == 40 and all(each.passed for each in rows)
    assert before <= {each.run for each in rows}, "what had a result was run again"
    # Of each run that was at work, the one reply that was cut is asked for again.
    repeated = {call: count for call, count in calls_made(model).items() if count > 2}
    assert sum(count - 2 for count in repeated.values()) <= max(1, services.settings.runs // 8)
