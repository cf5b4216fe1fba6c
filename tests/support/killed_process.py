"""Processes that kill themselves at a place told beforehand, each forked from one that has imported everything.

Run as a program, it reads a line of JSON for each process, and answers with how that ended.
"""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from time import sleep
from traceback import print_exc
from typing import Any

ROOT = Path(__file__).parents[2]
VISITOR = "v" * 32
# The owner's tools: each writes down that it was called, the one that acts kills its process where it is told to.
TOOLS = '''
import os, signal
from dataclasses import replace
from pathlib import Path
from agent import tool

FOLDER = Path(__file__).parent

def _noted(what, name):
    with (FOLDER / "calls").open("a") as file:
        file.write(name + " " + what + "\\n")
    if os.environ.get("KILLED_IN") == name:
        os.kill(os.getpid(), signal.SIGKILL)
    return "done: " + what

@tool
def look(what: str) -> str:
    """Looks at something.

    Args:
        what: a name
    """
    return _noted(what, "look")

@tool
def send(what: str) -> str:
    """Sends something.

    Args:
        what: a name
    """
    return _noted(what, "send")

send = replace(send, effect="acts")
'''


@dataclass(frozen=True)
class Processes:
    program: subprocess.Popen[str]

    def run(self, **told: object) -> int:
        """Have a process do as it is told; the signal that ended it, or 0."""
        assert self.program.stdin
        assert self.program.stdout
        print(json.dumps(told), file=self.program.stdin, flush=True)
        return int(self.program.stdout.readline())


@contextmanager
def processes() -> Iterator[Processes]:
    command = [sys.executable, "-m", "tests.support.killed_process"]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, cwd=ROOT) as program:
        yield Processes(program)
        program.kill()


def _die() -> None:
    os.kill(os.getpid(), signal.SIGKILL)


def _kill_at(place: int) -> None:
    """End this process before its first write of events (0), after it (1), before its second one (2), and so on."""
    from agent.store.runs import Store

    written, append = 0, Store.append

    def counted(*given: Any) -> None:
        nonlocal written
        if written == place:
            _die()
        append(*given)
        if written + 1 == place:
            _die()
        written += 2

    Store.append = counted  # type: ignore[method-assign]


def _work(told: dict[str, Any]) -> None:
    from agent.application.chat_runs import ChatRuns
    from agent.application.recovery import keep_resuming
    from agent.application.services import open_services
    from agent.application.setup import default_choice
    from agent.settings import Secret

    os.environ["KILLED_IN"] = told.get("tool", "")
    services = open_services(told["settings"], {})
    choice = replace(default_choice(services.settings), key=Secret(told.get("key", "")))
    runs, note = ChatRuns(services, VISITOR, "s", choice), Path(told["note"])
    note.with_suffix(".process").write_text(str(os.getpid()))
    if "place" in told:
        _kill_at(told["place"])
    if "question" in told:
        with_id = runs.services.store.unanswered
        begin = with_id.begin

        def noted(*given: Any) -> tuple[str, str]:
            ids = begin(*given)
            note.write_text(ids[1])
            return ids

        with_id.begin = noted  # type: ignore[method-assign]
        runs.begin(told["question"], "", "")
    run = note.read_text()
    row = services.store.run(run)
    assert row
    if "decision" in told:
        waiting = services.store.events(run)[-1]
        runs.decide(row, waiting.call_id, told["decision"])  # type: ignore[union-attr]
    keep_resuming(services)
    while not ((row := services.store.run(run)) and row.ended) and not services.store.is_waiting(run):
        sleep(0.01)


def _main() -> None:
    import agent.application.recovery  # noqa: F401

    for line in sys.stdin:
        child = os.fork()
        if not child:
            try:
                _work(json.loads(line))
            except BaseException:  # noqa: BLE001 - the child ends here, and says why
                print_exc()
                os._exit(1)
            os._exit(0)
        _, status = os.waitpid(child, 0)
        print(os.WTERMSIG(status) if os.WIFSIGNALED(status) else status, flush=True)


if __name__ == "__main__":
    _main()
