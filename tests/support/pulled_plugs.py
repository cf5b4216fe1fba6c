"""A site whose processes are killed at random places while people ask: what has become of every run.

``pull(site, kills, chats, seed)`` kills a web process, a worker, a process of a sandbox or a session of PostgreSQL, one
after the other, while questions go on being asked; then it waits for all that is left, as long as something happens.
"""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path
from random import Random
from time import monotonic, sleep
from typing import Any, TypeVar

import psycopg

from agent.errors import StoreFailed
from agent.events import Answered, Event, Failed, Observed, Resumed, ToolCalled, Waiting
from agent.sharing.import_order import disorder
from agent.store.chats import Chats
from agent.store.runs import RunRow, Store
from tests.support.killed_process import ROOT, TOOLS, VISITOR
from tests.support.servers.model_server import Call, Reply

_SILENT_SECONDS = 60.0  # after which nothing will come any more: a lease ends long before
_BETWEEN = (0.05, 1.2)
_Read = TypeVar("_Read")


def play(body: dict[str, Any]) -> Reply:
    """Something that acts beside a look, then a program in the sandbox, then the answer.

    A follow-up has a second look in place of what acts, which would wait for the person there.
    """
    asked = [message for message in body["messages"] if message["role"] == "user"][-1]
    about = str(asked["content"]).split()[-1]
    turn = body["messages"][body["messages"].index(asked) :]
    first = sum(message["role"] == "user" for message in body["messages"]) == 1
    match sum(message["role"] == "tool" for message in turn):
        case 0:
            told = json.dumps({"what": about})
            return Reply(calls=(Call("send" if first else "look", told), Call("look", told)))
        case 2:
            return Reply(calls=(Call("python", json.dumps({"code": "print(sum(range(2_000_000)))"})),))
        case _:
            return Reply(f"All of {about} is done.", chunk=2, delay=0.03)


@dataclass
class Report:
    """What was killed, and what became of the runs.

    ``given_up`` have ended without an answer, ``waiting`` ask the person, ``taken_up`` is how often runs were taken
    further, ``seconds`` how long after the last kill all was done. ``broken`` names what must not be.
    """

    killed: Counter[str] = field(default_factory=Counter[str])
    runs: int = 0
    answered: int = 0
    given_up: int = 0
    waiting: int = 0
    taken_up: int = 0
    seconds: float = 0.0
    broken: list[str] = field(default_factory=list[str])


class Plugs:
    """The processes of one installation: web processes, and workers where it has a queue."""

    def __init__(self, folder: Path, endpoint: str, database: str, workers: int, webs: int) -> None:
        (folder / "tools").mkdir()
        (folder / "tools" / "own.py").write_text(TOOLS)
        (folder / "tools" / "calls").write_text("")
        self.calls = folder / "tools" / "calls"
        self.data = folder / "data"
        self.database = database
        ours = {name: value for name, value in os.environ.items() if not name.startswith(("GLASSBOX_", "OPENAI_"))}
        self._environment = ours | {
            "HOME": str(folder),
            "GLASSBOX_DATA": str(self.data),
            "GLASSBOX_DATABASE": database,
            "GLASSBOX_BASE_URL": endpoint,
            "GLASSBOX_MODEL": "m",
            "GLASSBOX_WIRE": "native",
            "GLASSBOX_WINDOW": "8000",
            "GLASSBOX_TOOLS_FOLDER": str(folder / "tools"),
            "GLASSBOX_WORKERS": "queue" if workers else "here",
        }
        self.webs = [self._start("tests.support.web_process") for _ in range(webs)]
        self.workers = [self._start("agent", "worker") for _ in range(workers)]
        for web in self.webs:
            _line(web)

    def _start(self, *program: str) -> subprocess.Popen[str]:
        return subprocess.Popen(
            [sys.executable, "-m", *program], env=self._environment, cwd=ROOT, text=True,
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL,
        )  # fmt: skip

    def ask(self, number: int, question: str, conversation: str, follows: str) -> dict[str, str]:
        """What a web process says to a question; nothing where it was killed meanwhile."""
        web = self.webs[number % len(self.webs)]
        with suppress(OSError):
            assert web.stdin
            print(
                json.dumps({"question": question, "conversation": conversation, "follows": follows}),
                file=web.stdin,
                flush=True,
            )
            while line := _line(web):
                if line != "ready":
                    return dict(json.loads(line))
        return {}

    def kill(self, what: str, chance: Random) -> bool:
        """Kill one of them; whether there was one."""
        if what in ("web", "worker"):
            group = self.webs if what == "web" else self.workers
            place = chance.randrange(len(group))
            _end(group[place])
            group[place] = self._start(*(("agent", "worker") if what == "worker" else ("tests.support.web_process",)))
            return True
        if what == "sandbox":
            below = [pid for process in (*self.webs, *self.workers) for pid in _descendants(process.pid)]
        else:
            below = self._sessions()
        if not below:
            return False
        with suppress(ProcessLookupError):
            os.kill(chance.choice(below), signal.SIGKILL)
        return True

    def _sessions(self) -> list[int]:
        """The processes of PostgreSQL that serve this site. One that is killed has the whole server begin anew."""
        with suppress(psycopg.Error), psycopg.connect(self.database) as connection:
            found = connection.execute(
                "SELECT pid FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid()"
            )
            return [int(pid) for (pid,) in found]
        return []

    def close(self) -> None:
        for process in (*self.webs, *self.workers):
            _end(process)


@contextmanager
def plugs(folder: Path, endpoint: str, database: str, workers: int = 0, webs: int = 1) -> Iterator[Plugs]:
    site = Plugs(folder, endpoint, database, workers, webs)
    try:
        yield site
    finally:
        site.close()


def pull(site: Plugs, store: Store, kills: int, chats: int, seed: int) -> Report:
    """Kill and ask at random, the same of each for the same ``seed``; then wait until every run has ended or waits."""
    chance, report = Random(seed), Report()
    kinds = ["web", "sandbox", *(["worker", "worker", "postgresql"] if site.workers else [])]
    known: list[str] = []
    asked = 0
    while sum(report.killed.values()) < kills:
        conversation = known[asked % chats] if len(known) >= chats else ""
        last = _read(_last, store, conversation) if conversation else None
        if last is None or last.ended:
            told = site.ask(asked, f"Please do number-{asked}", conversation, last.id if last else "")
            asked += 1
            if not conversation and told.get("conversation"):
                known.append(told["conversation"])
        sleep(chance.uniform(*_BETWEEN))
        what = chance.choice(kinds)
        if site.kill(what, chance):
            report.killed[what] += 1
    began = changed = monotonic()
    seen: list[tuple[str, int]] = []
    while (left := _read(_open, store)) and monotonic() - changed < _SILENT_SECONDS:
        if left != seen:
            seen, changed = left, monotonic()
        sleep(0.2)
    report.seconds = monotonic() - began
    report.broken += [f"{run} stands still: it has neither ended nor waits" for run, _ in left]
    _read(_judge, report, store, site.calls)
    return report


def _judge(report: Report, store: Store, calls: Path) -> None:
    for row in _all(store):
        events = store.events(row.id)
        report.runs += 1
        report.taken_up += sum(isinstance(event, Resumed) for event in events)
        report.answered += isinstance(events[-1], Answered)
        report.given_up += isinstance(events[-1], Failed)
        report.waiting += not row.ended and store.is_waiting(row.id)
        open_end = len(events) if isinstance(events[-1], Waiting) else -1
        report.broken += [f"{row.id}: {fault}" for fault in _faults(events, open_end)]
    sent = Counter(line for line in calls.read_text().splitlines() if line.startswith("send "))
    report.broken += [f"{what} was done {times} times" for what, times in sent.items() if times > 1]


def _faults(events: list[Event], open_end: int) -> Iterator[str]:
    """What is wrong with the events of a run, which may have no end at place ``open_end``."""
    if (fault := disorder(events)) and fault[0] != open_end:
        yield f"out of order: {fault}"
    called = Counter(event.call_id for event in events if isinstance(event, ToolCalled))
    seen = Counter(event.call_id for event in events if isinstance(event, Observed))
    yield from (f"call {call} is there {times} times" for call, times in (called | seen).items() if times > 1)
    if sum(isinstance(event, Answered | Failed) for event in events) > 1:
        yield "has two ends"


def _all(store: Store) -> list[RunRow]:
    return [run for each in Chats(store).conversations(VISITOR) for run in store.runs(each.id)]


def _open(store: Store) -> list[tuple[str, int]]:
    """The runs that have neither ended nor wait, and how many events each has."""
    left = [row.id for row in _all(store) if not row.ended and not store.is_waiting(row.id)]
    return [(run, len(store.events(run))) for run in left]


def _last(store: Store, conversation: str) -> RunRow | None:
    return next(iter(reversed(store.runs(conversation))), None)


def _read(read: Callable[..., _Read], *given: Any) -> _Read:
    """What is read from the store, as soon as that is there."""
    until = monotonic() + _SILENT_SECONDS
    while True:
        try:
            return read(*given)
        except StoreFailed:
            assert monotonic() < until
            sleep(0.1)


def _line(process: subprocess.Popen[str]) -> str:
    assert process.stdout
    return process.stdout.readline().strip()


def _end(process: subprocess.Popen[str]) -> None:
    process.kill()
    process.communicate()


def _descendants(pid: int) -> list[int]:
    """The processes below one, from Linux's own list."""
    above: dict[int, list[int]] = {}
    for entry in Path("/proc").glob("[0-9]*/stat"):
        with suppress(OSError):
            after = entry.read_text().rpartition(")")[2].split()
            above.setdefault(int(after[1]), []).append(int(entry.parent.name))
    found, rest = [], [pid]
    while rest:
        below = above.get(rest.pop(), [])
        found += below
        rest += below
    return found
