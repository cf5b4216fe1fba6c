"""How long tests of answers take: 500 stored runs replayed, and a matrix that is stopped, killed and resumed.

    python -m benchmarks.evaluations [replay] [matrix]

Replay: runs of the demo model over everyday questions are stored, kept as tests, read back, replayed and judged:
seconds, and the processor's share of them. Matrix: 40 tests by 3 prompts, 5 times each, on a loopback model of two
calls an answer, begun in a process that is killed, then resumed here, stopped, and resumed again. No call may be made
more often than it has attempts, but for replies in flight; what it cost may not pass its cap.
"""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from collections import Counter
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from tempfile import TemporaryDirectory
from threading import Event as Flag
from time import monotonic, perf_counter, process_time, sleep
from typing import Any

from agent.application.chat_runs import ChatRuns
from agent.application.evaluation.evaluation_plan import Plan, Version, read_plan, rows_of, version_of
from agent.application.evaluation.evaluation_run import begin, resume, stop
from agent.application.evaluation.test_shelf import TestShelf
from agent.application.services import Services, open_services
from agent.application.setup import Choice
from agent.evals.attempt import attempt, judged
from agent.evals.gold import Programs
from agent.evals.kept_test import KeptTest
from agent.evals.proposals import proposed
from agent.events import TextDelta
from agent.loop.agent import Agent
from agent.prompts import source
from agent.runs.conversation import Question, ask
from agent.store.runs import Store
from agent.toolkit.base import Toolbox
from agent.tools.calculator.calculate import calculator
from agent.tools.convert.convert_tool import convert
from tests.support.servers.model_server import ModelServer, Reply
from tests.support.stories import final, react, this_turn

RUNS = 500
QUESTIONS = (
    *(f"What is {n}% of {n * 137}?" for n in range(3, 23)),
    *(f"How many km are {n / 10} miles?" for n in range(11, 31)),
    *(f"What is {n} * {n + 7} - {n // 2}?" for n in range(101, 111)),
)
VISITOR = "b" * 32
TESTS, REPEATS, PROMPTS = 40, 5, 3
CSV = "question,answer\n" + "".join(f"What is {n} + {n}?,{2 * n}\n" for n in range(2, 2 + TESTS))
CAP = 30.0


def stored(store: Store, agent: Agent) -> list[tuple[str, tuple[Any, ...]]]:
    """The runs, each with what is expected of it."""
    kept: list[tuple[str, tuple[Any, ...]]] = []
    for question in QUESTIONS:
        conversation = store.add_conversation("", question)
        events = [
            each
            for each in ask(store, store.add_run(conversation), Question(question), agent, Flag())
            if not isinstance(each, TextDelta)
        ]
        expected = proposed(events)
        for _ in range(RUNS // len(QUESTIONS)):
            run = store.add_run(conversation)
            store.append(run, events)
            kept.append((run, expected))
    return kept


def replays() -> None:
    with TemporaryDirectory() as folder:
        store = Store(f"sqlite:///{folder}/glassbox.db")
        agent = Agent(tools=Toolbox([calculator, convert]))
        kept = stored(store, agent)
        programs, passed = Programs(agent.tools), 0
        wall, work = perf_counter(), process_time()
        for run, expected in kept:
            events = store.events(run)
            test = KeptTest(run, run, events[0].question, expected, recorded=events)  # type: ignore[union-attr]
            passed += judged(test, list(attempt(test, "replay", agent)), programs).passed
        wall, work = perf_counter() - wall, process_time() - work
        store.close()
    print(f"replayed {len(kept)} stored runs, {passed} passed: {wall:.1f} s, {work:.1f} s of it at work")


def sums(body: dict[str, Any]) -> Reply:
    turn = this_turn(body)
    number = turn[0].split()[2]
    usage = {"prompt_tokens": 1000, "completion_tokens": 100, "total_tokens": 1100}
    said = (
        react("I add.", "calculator", f"{number} + {number}") if len(turn) == 1 else final(f"It is {2 * int(number)}.")
    )
    return Reply(said, usage=usage, wait=0.02)


def versions(endpoint: str) -> tuple[Version, ...]:
    usual = Choice(endpoint=endpoint, model="m", wire="react")
    texts = [source("en", "react") + f"\n\nRule {n}." for n in range(PROMPTS)]
    return tuple(
        version_of(f"prompt {n}", replace(usual, prompts=(("en", "react", text),)), "") for n, text in enumerate(texts)
    )


def begun(services: Services, mine: str, endpoint: str) -> str:
    tests = tuple(row.id for row in services.evaluations.tests(VISITOR, mine))
    return begin(runs_of(services, endpoint), mine, Plan("live", versions(endpoint), tests, REPEATS, CAP))


def runs_of(services: Services, endpoint: str) -> ChatRuns:
    return ChatRuns(services, VISITOR, "", Choice(endpoint=endpoint, model="m", wire="react"))


def until(done: Callable[[], bool]) -> None:
    end = monotonic() + 1_200
    while not done():
        assert monotonic() < end
        sleep(0.1)


def matrix() -> None:
    prices = {"GLASSBOX_PRICES": "m=5/5/20", "GLASSBOX_RUNS": "64"}
    with TemporaryDirectory() as folder, ModelServer(sums) as model:
        environment = {"GLASSBOX_DATA": str(Path(folder) / "data"), **prices}
        services = open_services(environment, {})
        mine = TestShelf(services, VISITOR).import_file("sums.csv", CSV.encode())
        wall = perf_counter()
        command = [sys.executable, "-m", "benchmarks.evaluations", "killed", mine, model.endpoint]
        with subprocess.Popen(command, env={**os.environ, **environment}, stdin=subprocess.PIPE) as process:
            until(lambda: bool(services.evaluations.evaluations(VISITOR, mine)))
            (row,) = services.evaluations.evaluations(VISITOR, mine)
            until(lambda: services.evaluations.done(row.id) >= 150)
            process.send_signal(signal.SIGKILL)
        until(lambda: not services.evaluations.evaluations(VISITOR, mine)[0].working)
        killed = services.evaluations.done(row.id)
        resume(runs_of(services, model.endpoint), row)
        until(lambda: services.evaluations.done(row.id) >= 350)
        stop(runs_of(services, model.endpoint), row.id)
        sleep(3.0)
        stopped = services.evaluations.evaluations(VISITOR, mine)[0]
        at_stop = services.evaluations.done(row.id)
        resume(runs_of(services, model.endpoint), stopped)
        until(lambda: services.evaluations.evaluations(VISITOR, mine)[0].state == "done")
        wall = perf_counter() - wall
        rows = rows_of(read_plan(row), {}, [*services.evaluations.attempts(row.id).values()])
        asked = Counter((told(body), this_turn(body)[0], len(this_turn(body))) for body in model.requests)
        twice = sum(max(0, count - REPEATS) for count in asked.values())
        spent = sum(each.result.money or 0.0 for each in rows)
    least = min(asked.values())
    print(f"{len(rows)} attempts, {sum(each.passed for each in rows)} passed, {wall:.0f} s")
    print(f"killed at {killed}, stopped at {at_stop}; calls {sum(asked.values())}, each at least {least} times,")
    print(f"{twice} of them once too often (in flight); {spent:.2f} US dollars of {CAP:.2f}")


def told(body: dict[str, Any]) -> str:
    """By which of the prompts it was asked."""
    return next(name for name in (f"Rule {n}." for n in range(PROMPTS)) if name in str(body["messages"][0]["content"]))


if __name__ == "__main__":
    if sys.argv[1:2] == ["killed"]:
        begun(open_services(os.environ, {}), sys.argv[2], sys.argv[3])
        sys.stdin.read()
    wanted = sys.argv[1:] or ["replay", "matrix"]
    if "replay" in wanted:
        replays()
    if "matrix" in wanted:
        matrix()
