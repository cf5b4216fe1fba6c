"""What an event costs by the store that keeps it, and how many runs a second one worker takes.

    python -m benchmarks.events_kept [--events 2000] [--runs 200]

An event is an observation of 300 characters, appended in a transaction of its own: to SQLite, to a PostgreSQL on this
machine, and to that while each event is told to other processes (NOTIFY), as a worker does. Told is the time on the
clock, and the CPU of this process. The runs are questions that a model's server answers at once in one reply; they are
begun by this process, 8 visitors at a time, and worked on by one worker process.
"""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
from collections.abc import Mapping
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack
from pathlib import Path
from tempfile import TemporaryDirectory
from time import perf_counter, process_time
from typing import Any

from agent.application.chat_runs import ChatRuns
from agent.application.services import open_services
from agent.application.setup import default_choice
from agent.events import Asked, Observed
from agent.runs.elsewhere.live_text import Speaker
from agent.store.runs import Store
from tests.support.servers.model_server import ModelServer, Reply
from tests.support.servers.postgres_server import PostgresServer

AT_ONCE = 8


def cost(store: Store, events: int, speaker: Speaker | None = None) -> str:
    run = store.add_run(store.add_conversation("0" * 32, "q"))
    store.append(run, [Asked("q", 1.0)])
    if speaker:
        speaker.begin(run, 1)
    began, worked = perf_counter(), process_time()
    for number in range(events):
        event = Observed(str(number), "word " * 60)
        store.append(run, [event])
        if speaker:
            speaker.tell(run, [event])
    passed, used = (perf_counter() - began) / events * 1_000, (process_time() - worked) / events * 1_000
    return f"{passed:.2f} ms an event, {used:.2f} ms of CPU here"


def reply(_: Mapping[str, Any]) -> Reply:
    return Reply("It is done.")


def rate(settings: dict[str, str], runs: int) -> str:
    services = open_services(settings, {})

    def one(number: int) -> None:
        mine = ChatRuns(services, f"{number:032}", "s", default_choice(services.settings))
        run, seen, done = mine.begin("What is the time?", "", ""), 0, False
        while not done:
            more = services.runs.follow(run, seen)
            seen, done = seen + len(more.events), more.done

    with ThreadPoolExecutor(AT_ONCE) as pool:
        list(pool.map(one, range(AT_ONCE)))  # the worker loads what it needs
        began = perf_counter()
        list(pool.map(one, range(AT_ONCE, AT_ONCE + runs)))
        passed = perf_counter() - began
    services.runs.close()
    return f"{runs / passed:.1f} runs a second, {AT_ONCE} at once"


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--events", type=int, default=2_000)
    parser.add_argument("--runs", type=int, default=200)
    given = parser.parse_args()
    with ExitStack() as stack:
        folder = Path(stack.enter_context(TemporaryDirectory()))
        kept_here = Store(f"sqlite:///{folder / 'events.db'}")
        print(f"SQLite: {cost(kept_here, given.events)}")
        postgres = stack.enter_context(PostgresServer())
        postgres.run("CREATE DATABASE events")
        address = postgres.url(database="events")
        print(f"PostgreSQL: {cost(Store(address), given.events)}")
        speaker = Speaker(address)
        speaker.start()
        stack.callback(speaker.close)
        print(f"PostgreSQL with NOTIFY: {cost(Store(address), given.events, speaker)}")
        postgres.run("CREATE DATABASE runs")
        model = stack.enter_context(ModelServer(reply))
        settings = {
            "GLASSBOX_DATA": str(folder / "data"),
            "GLASSBOX_DATABASE": postgres.url(database="runs"),
            "GLASSBOX_BASE_URL": model.endpoint,
            "GLASSBOX_MODEL": "m",
            "GLASSBOX_WIRE": "native",
            "GLASSBOX_WINDOW": "8000",
            "GLASSBOX_WORKERS": "queue",
        }
        command = [sys.executable, "-m", "agent", "worker"]
        worker = subprocess.Popen(command, env=os.environ | settings, stderr=subprocess.PIPE, text=True)
        stack.callback(worker.kill)
        assert worker.stderr
        worker.stderr.readline()
        print(f"one worker: {rate(settings, given.runs)}")


if __name__ == "__main__":
    main()
