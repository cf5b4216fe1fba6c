"""CPU of a whole question, as a multiple of a bare HTTP client that makes the same requests in the same run.

    python -m benchmarks.question [--rounds 15]

A scripted server in a process of its own answers N tool calls and then ends. Measured is the CPU time of this process
(all threads): ours from the question to the last stored event, the bare one (``httpx2``, on the library under ours)
from the same request bodies to the parsed JSON of every reply or chunk. The median of the rounds counts.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import tempfile
from collections.abc import Callable, Generator, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from statistics import median
from threading import Event as Flag
from time import perf_counter, process_time
from typing import Any

import httpx2

from agent.events import Answered, TextDelta
from agent.loop.agent import Agent
from agent.models.capabilities import Capabilities
from agent.models.openai_chat import OpenAIChat
from agent.models.protocol import Delta, Request
from agent.runs.conversation import Question, answer, ask
from agent.settings import Limits
from agent.store.runs import Store
from agent.toolkit.base import Toolbox, tool

STEPS = (1, 5, 20, 38)
TARGETS = {("react", "whole", 20): 2.6, ("react", "streamed", 20): 3.0, ("native", "whole", 20): 4.0}


@tool
def double(number: int) -> str:
    """Doubles a number.

    Args:
        number: The number to double.
    """
    return str(number * 2)


TOOLS = Toolbox([double])
NO_LIMITS = Limits(steps=0, seconds=0, tokens=0)


@contextmanager
def server(steps: int) -> Iterator[str]:
    """The address of a scripted server that ends after ``steps`` calls."""
    command = [sys.executable, str(Path(__file__).parent / "scripted_server.py"), str(steps)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        try:
            yield f"http://127.0.0.1:{process.stdout.readline().strip()}/v1"
        finally:
            process.kill()


def cpu_of(works: Sequence[Callable[[], object]], rounds: int) -> list[float]:
    """Median CPU seconds of each of ``works``, done in turn so that what disturbs one disturbs all."""
    times: list[list[float]] = [[] for _ in works]
    for _ in range(rounds + 2):
        for work, taken in zip(works, times, strict=True):
            started = process_time()
            work()
            taken.append(process_time() - started)
    return [median(taken[2:]) for taken in times]


def ours(model: OpenAIChat, wire: Any, store: Store | None) -> Callable[[], object]:
    setup = Agent(model, TOOLS, wire, limits=NO_LIMITS)
    question = Question("What comes of doubling, again and again?")
    conversation = store.add_conversation("", "benchmark") if store else ""

    def work() -> None:
        if store:
            events = list(ask(store, store.add_run(conversation), question, setup, Flag()))
        else:
            events = list(answer(question, setup, Flag()))
        assert isinstance(events[-1], Answered), events[-1]

    return work


def bodies_of(address: str, wire: str, stream: bool) -> list[dict[str, Any]]:
    """The request bodies of one question, as the server got them."""
    httpx2.post(f"{address}/record", json={}).raise_for_status()
    ours(OpenAIChat(address, "m", Capabilities(), stream=stream), wire, None)()
    return httpx2.get(f"{address}/recorded").json()


def bare(address: str, bodies: list[dict[str, Any]]) -> Callable[[], object]:
    client = httpx2.Client()

    def work() -> None:
        for body in bodies:
            if not body.get("stream"):
                client.post(f"{address}/chat/completions", json=body).json()
                continue
            with client.stream("POST", f"{address}/chat/completions", json=body) as response:
                for line in response.iter_lines():
                    if line.startswith("data: {"):
                        json.loads(line[6:])

    return work


def first_character(address: str) -> float:
    """Seconds from the arrival of the first chunk with answer text to the first answer event, median of a few."""
    waits: list[float] = []

    class Timed(OpenAIChat):
        def stream(self, request: Request) -> Generator[Delta]:
            for delta in super().stream(request):
                self.arrived = perf_counter()
                yield delta

    model = Timed(address, "m", Capabilities())
    for _ in range(5):
        for event in answer(Question("q?"), Agent(model, TOOLS, "react", limits=NO_LIMITS), Flag()):
            if isinstance(event, TextDelta) and event.channel == "answer":
                waits.append(perf_counter() - model.arrived)
                break
    return median(waits)


def import_cost(module: str) -> tuple[float, int]:
    """Seconds and MiB (resident) of a fresh interpreter that imports ``module``; of an empty one for ''."""
    resident_now = "[print(line.split()[1]) for line in open('/proc/self/status') if line[:5] == 'VmRSS']"
    code = f"import {module or 'sys'}; {resident_now}"
    times: list[float] = []
    resident = 0
    for _ in range(5):
        started = perf_counter()
        out = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True, cwd=_ROOT)
        times.append(perf_counter() - started)
        resident = int(out.stdout) // 1024
    return median(times), resident


_ROOT = Path(__file__).parent.parent


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--rounds", type=int, default=15)
    rounds = parser.parse_args().rounds
    per_step: dict[tuple[str, str, int], float] = {}
    print("CPU per question, ms (ours with the store, ours without, bare), and as a multiple of bare")
    print("wire    reply      steps    stored  unstored      bare    ratio unstored  target")
    with tempfile.TemporaryDirectory() as folder:
        store = Store(f"sqlite:///{folder}/glassbox.db")
        for wire in ("react", "native"):
            for mode, stream in (("whole", False), ("streamed", True)):
                for steps in STEPS:
                    with server(steps) as address:
                        bodies = bodies_of(address, wire, stream)
                        model = OpenAIChat(address, "m", Capabilities(), stream=stream)
                        works = [ours(model, wire, store), ours(model, wire, None), bare(address, bodies)]
                        kept, loose, floor = cpu_of(works, rounds)
                    per_step[wire, mode, steps] = kept / (steps + 1)
                    target = TARGETS.get((wire, mode, steps))
                    print(
                        f"{wire:8}{mode:10}{steps:6}{kept * 1e3:10.2f}{loose * 1e3:10.2f}{floor * 1e3:10.2f}"
                        f"{kept / floor:8.2f}x{loose / floor:8.2f}x{f'≤ {target}x' if target else '':>8}"
                    )
        store.close()
    growth = per_step["native", "whole", 38] / per_step["native", "whole", 5]
    print(f"\nCPU per step at 38 steps / at 5 (native, whole): {growth:.2f}x   (target ≤ 1.3x)")
    with server(1) as address:
        print(
            f"first answer character on its event: {first_character(address) * 1e3:.2f} ms after its chunk (target ≤ 2)"
        )
    empty_seconds, empty_resident = import_cost("")
    for module in ("agent.runs.conversation", "agent.application.setup", "agent.cli.main", "httpx2", "streamlit"):
        seconds, resident = import_cost(module)
        print(f"import {module:20} {(seconds - empty_seconds) * 1e3:6.0f} ms   {resident - empty_resident:4} MiB")


if __name__ == "__main__":
    os.environ.setdefault("NO_PROXY", "127.0.0.1")
    main()
