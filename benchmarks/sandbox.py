"""What the sandbox costs: its start, a new worker, a call, the memory of many sessions, and how soon it kills.

    python -m benchmarks.sandbox [--rounds 100]

Milliseconds of wall time; the median and the 95th percentile count, and run on a quiet machine. Memory is what the
kernel says of a process's own pages (private, not shared with the process all are forks of). The targets stand beside
the figures.
"""

from __future__ import annotations

import argparse
import tempfile
import threading
import time
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from statistics import median, quantiles

import numpy
import pandas

from agent.demo.model import Demo
from agent.loop.agent import Agent
from agent.runs.conversation import Question, answer
from agent.sandbox.client import PYTHON, Sandbox
from agent.sandbox.sandbox_errors import WorkerKilled
from agent.sandbox.session import Session
from agent.toolkit.base import Toolbox
from agent.tools.calculator.calculate import calculator

SESSIONS = 10
ROWS = 400_000
BUSY = "sum(range(60_000_000))"
MB = 1 << 20
WORK = {
    "one plus one": "1 + 1",
    "the frame, first use": "len(df)",
    "group by": "df.groupby('kind')['amount'].mean()",
    "DuckDB over the frame": "import duckdb; duckdb.sql('select kind, avg(amount) from df group by all')",
    "line plot": "from matplotlib import pyplot; pyplot.plot(df['amount'][:5000])",
    "Altair chart": "import altair; altair.Chart(df.head(1000)).mark_bar().encode(x='kind', y='amount')",
    "an error": "df['nothing']",
}


def show(name: str, values: Sequence[float], target: float = 0.0) -> None:
    late = quantiles(values, n=20)[-1] if len(values) > 1 else values[0]
    aim = f"   target {target:g}{'' if median(values) <= target else '  MISSED'}" if target else ""
    print(f"{name:<32}{median(values):>10.2f} ms {late:>10.2f} ms{aim}")


def timed(work: Callable[[], object]) -> float:
    start = time.perf_counter()
    work()
    return (time.perf_counter() - start) * 1000


def run(session: Session, code: str, **tables: str) -> None:
    session.call({"kind": "python", "code": code, "tables": tables})


def private(pid: int) -> float:
    """MB of pages that no other process has."""
    lines = Path(f"/proc/{pid}/smaps_rollup").read_text(encoding="ascii").splitlines()
    return sum(int(line.split()[1]) for line in lines if line.startswith("Private_")) / 1024


def pid_of(session: Session) -> int:
    worker = session._worker
    assert worker is not None
    return worker.process.pid


def killing(session: Session, seconds: float) -> float:
    """Milliseconds after its time, or after the stop button, until the worker is gone."""
    run(session, "")
    start = time.perf_counter()
    with suppress(WorkerKilled):
        session.call({"kind": "python", "code": "while True: pass"}, seconds)
    return (time.perf_counter() - start - seconds) * 1000


def stopping(session: Session) -> float:
    run(session, "")
    cancel, pressed = threading.Event(), [0.0]

    def press() -> None:
        pressed[0] = time.perf_counter()
        cancel.set()

    threading.Timer(0.2, press).start()
    with suppress(WorkerKilled):
        session.call({"kind": "python", "code": "sum(range(10**12))"}, 30, cancel)
    return (time.perf_counter() - pressed[0]) * 1000


def workers(sandbox: Sandbox, folder: Path, rounds: int) -> None:
    session = sandbox.session(folder, PYTHON)
    bursts: list[float] = []
    firsts: list[float] = []
    for pause, found in ((0.0, bursts), (0.1, firsts)):
        for _ in range(rounds):
            found.append(timed(lambda: run(session, "")))
            session.close()
            time.sleep(pause)
    run(session, "")
    empty = [timed(lambda: run(session, "")) for _ in range(rounds * 5)]
    show("new worker and its first call", firsts, 15)
    show("the same, one after the other", bursts)
    show("empty call", empty, 1)
    show("killed at its time, late by", [killing(session, 0.2) for _ in range(10)], 100)
    show("gone after Stop", [stopping(session) for _ in range(10)], 300)
    session.close()


def work(sandbox: Sandbox, folder: Path) -> None:
    numbers = numpy.random.default_rng(1)
    kinds = numpy.array([f"kind {n}" for n in range(40)])[numbers.integers(0, 40, ROWS)]
    frame = pandas.DataFrame(
        {"kind": kinds, "amount": numbers.normal(100, 20, ROWS), "units": numbers.integers(0, 9, ROWS)}
    )
    frame.to_parquet(folder / "t.parquet")
    session = sandbox.session(folder, PYTHON)
    run(session, "")
    print(f"\nwith a table of {ROWS:,} rows: the first call, then the median of five")
    for name, code in WORK.items():
        first = timed(lambda code=code: run(session, code, sales="t.parquet"))
        later = [timed(lambda code=code: run(session, code, sales="t.parquet")) for _ in range(5)]
        print(f"{name:<32}{first:>10.2f} ms {median(later):>10.2f} ms")
    print(f"{'private memory of that session':<32}{private(pid_of(session)):>10.1f} MB")
    session.close()


def many(sandbox: Sandbox, root: Path) -> None:
    """Sessions at once: what they hold together, and what a call takes while all of them work."""
    sessions: list[Session] = []
    for number in range(SESSIONS):
        folder = root / str(number)
        folder.mkdir()
        sessions.append(sandbox.session(folder, replace(PYTHON, seconds=60)))
        run(sessions[-1], "import pandas; x = pandas.DataFrame({'a': range(1000)}); x.describe()")
    held = sum(private(pid_of(one)) for one in sessions)
    missed = "" if held <= 500 else "  MISSED"
    print(f"\n{SESSIONS} sessions, private together   {held:>10.1f} MB   target 500{missed}")
    quiet = [timed(chat) for _ in range(40)]
    took: list[float] = []
    busy = [threading.Thread(target=lambda one=one: took.append(timed(lambda: run(one, BUSY)))) for one in sessions[1:]]
    for thread in busy:
        thread.start()
    time.sleep(0.2)
    show("empty call, nine others at work", [timed(lambda: run(sessions[0], "")) for _ in range(20)])
    late = [timed(chat) for _ in range(40)]
    for thread in busy:
        thread.join()
    show("a question to the demo, quiet", quiet)
    show("the same, nine at work", late)
    print(f"{'slowest of the nine over fastest':<32}{max(took) / min(took):>10.2f} times")


def chat() -> None:
    """A whole run in this process, as the chat's workers do it."""
    list(answer(Question("What is 25 squared?"), Agent(Demo(pace=0), Toolbox([calculator])), threading.Event()))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rounds", type=int, default=100)
    rounds = parser.parse_args().rounds
    starts: list[float] = []
    for _ in range(3):
        sandbox = Sandbox()
        start = time.perf_counter()
        if sentence := sandbox.available(60):
            sandbox.close()
            raise SystemExit(sentence)
        starts.append((time.perf_counter() - start) * 1000)
        sandbox.close()
    print(f"{'':<32}{'median':>10}    {'late':>10}")
    show("ready, a worker tried", starts, 2500)
    sandbox = Sandbox()
    try:
        sandbox.available(60)
        with tempfile.TemporaryDirectory() as place:
            root = Path(place)
            (root / "one").mkdir()
            workers(sandbox, root / "one", rounds)
            work(sandbox, root / "one")
            many(sandbox, root)
    finally:
        sandbox.close()


if __name__ == "__main__":
    main()
