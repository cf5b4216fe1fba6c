"""How late the words of a reply are shown, by a process that does not work on the run and by one that does.

    python -m benchmarks.live_text

Every word that the model's server sends is the time at which it is sent; what is measured is the way from there to a
follower, as a page is one. Runs are followed 1, 8 and 32 at once: with a worker process of its own, over a PostgreSQL
on this machine, and worked on in the followers' own process.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack
from pathlib import Path
from tempfile import TemporaryDirectory
from time import time
from typing import Any

from agent.application.chat_runs import ChatRuns
from agent.application.services import Services, open_services
from agent.application.setup import default_choice
from agent.events import TextDelta
from tests.support.servers.model_server import ModelServer, Reply
from tests.support.servers.postgres_server import PostgresServer

WORDS = 150
SECONDS_BETWEEN = 0.02


def reply(_: Mapping[str, Any]) -> Reply:
    def events() -> Iterator[bytes]:
        for number in range(WORDS):
            word = f"{time():.4f}" + ("\n" if number % 12 == 11 else " ")
            choice = {"index": 0, "delta": {"role": "assistant", "content": word}, "finish_reason": None}
            yield (
                b"data: "
                + json.dumps({"id": "c", "object": "chat.completion.chunk", "choices": [choice]}).encode()
                + b"\n\n"
            )

    return Reply(events=events(), delay=SECONDS_BETWEEN)


def late(services: Services, run: str) -> list[float]:
    """Seconds by which the words of a run were late, each where the whole of it was seen."""
    found: list[float] = []
    text, seen, done = "", 0, False
    while not done:
        more = services.runs.follow(run, seen)
        now, seen, done = time(), seen + len(more.events), more.done
        text += "".join(event.text for event in more.events if isinstance(event, TextDelta))
        *whole, text = text.replace("\n", " ").split(" ")
        found += [now - float(word) for word in whole if word]
    return found


def measured(services: Services, at_once: int) -> str:
    def one(number: int) -> list[float]:
        runs = ChatRuns(services, f"{number:032}", "s", default_choice(services.settings))
        return late(services, runs.begin("What is the time?", "", ""))

    with ThreadPoolExecutor(at_once) as pool:
        found = sorted(seconds for some in pool.map(one, range(at_once)) for seconds in some)
    middle, most = (found[int(part * len(found))] * 1_000 for part in (0.5, 0.95))
    return f"{middle:.0f} ms, {most:.0f} ms at the 95th percentile, of {len(found)} words"


def main() -> None:
    with ExitStack() as stack:
        postgres = stack.enter_context(PostgresServer())
        postgres.run("CREATE DATABASE live")
        model = stack.enter_context(ModelServer(reply))
        folder = stack.enter_context(TemporaryDirectory())
        settings = {
            "GLASSBOX_DATA": str(Path(folder) / "data"),
            "GLASSBOX_DATABASE": postgres.url(database="live"),
            "GLASSBOX_BASE_URL": model.endpoint,
            "GLASSBOX_MODEL": "m",
            "GLASSBOX_WIRE": "native",
            "GLASSBOX_WINDOW": "8000",
        }
        for workers in ("queue", "here"):
            settings["GLASSBOX_WORKERS"] = workers
            services = open_services(settings, {})
            if workers == "queue":
                command = [sys.executable, "-m", "agent", "worker"]
                worker = subprocess.Popen(command, env=os.environ | settings, stderr=subprocess.PIPE, text=True)
                stack.callback(worker.kill)
                assert worker.stderr
                worker.stderr.readline()
            for at_once in (1, 8, 32):
                print(f"{workers}, {at_once} at once: {measured(services, at_once)}")
            services.runs.close()


if __name__ == "__main__":
    main()
