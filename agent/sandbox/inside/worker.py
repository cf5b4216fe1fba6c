"""What a fork of the zygote does: lock itself, prove it, then one job after the other."""

from __future__ import annotations

import gc
import importlib
import os
import traceback
from dataclasses import dataclass
from pathlib import Path
from types import TracebackType
from typing import Any

from agent.sandbox import frames
from agent.sandbox.inside.notebook import Notebook
from agent.sandbox.locks import landlock, privileges, seccomp, selftest
from agent.sandbox.locks.kernel import PR_SET_DUMPABLE, prctl
from agent.sandbox.locks.roles import Role


@dataclass(frozen=True, slots=True)
class Cell:
    """Where a worker is locked in.

    ``folder`` is the visitor's, ``work`` what it may write in (the same, or a scratch folder), ``user`` who it
    becomes (0: stay), ``probe`` the file its self-test must not open, ``turn`` its number among all workers.
    """

    folder: str
    work: str
    user: int
    probe: str
    turn: int
    role: Role

    @staticmethod
    def from_json(value: dict[str, Any]) -> Cell:
        changed: dict[str, Any] = {**value, "role": Role(**value["role"])}
        return Cell(**changed)


def lock(cell: Cell, parent: int, channel: int, of_all: int) -> list[str]:
    """Lock this process, which must have one thread, keeping the file ``channel``. Returns what is not safe.

    Raises ``OSError`` where a step fails: then it must not go on either.
    """
    privileges.die_with(parent)
    os.setsid()
    # DuckDB's look at the control group goes through this entry of /proc, which stays as it is while it is open.
    group = os.open("/proc/self/cgroup", os.O_RDONLY | os.O_CLOEXEC)
    null = os.open(os.devnull, os.O_RDWR)
    for standard in (0, 1, 2):
        os.dup2(null, standard)
    privileges.close_all_but((channel, group))
    # What is not dumpable may not write even its own score for want of memory; ``be_nobody`` takes it back.
    prctl(PR_SET_DUMPABLE, 1)
    privileges.step_back()
    privileges.share_processors(cell.turn)
    os.chdir(cell.work)
    privileges.be_nobody(cell.user)
    privileges.die_with(parent)
    privileges.limit(cell.role, of_all)
    privileges.wait_until_alone()
    status = os.open("/proc/self/status", os.O_RDONLY | os.O_CLOEXEC)
    landlock.restrict((*landlock.readable_everywhere(), cell.folder), cell.work, cell.role.removes)
    seccomp.install(cell.role.removes)
    os.environ["HOME"] = cell.work
    unsafe = selftest.breaches(Path(cell.probe), status, (channel, group))
    os.close(status)
    return unsafe


class Caught:
    """Takes whatever is raised in its block, an exit or an interrupt included: it ends the job, not the worker."""

    def __init__(self) -> None:
        self.error: BaseException | None = None

    def __enter__(self) -> Caught:
        return self

    def __exit__(self, _: type[BaseException] | None, error: BaseException | None, __: TracebackType | None) -> bool:
        self.error = error
        return True


def in_words(error: BaseException) -> str:
    """What an error says, for a visitor: without the paths of this machine, which those of the system name."""
    return str(error.strerror if isinstance(error, OSError) and error.strerror else error)


def work(cell: Cell, zygote: int, channel: int, of_all: int) -> None:
    """Returns when the app closes the channel; never, where the worker is not safe."""
    unsafe = [""]
    with Caught() as locking:
        unsafe = lock(cell, zygote, channel, of_all)
    if locking.error or unsafe:
        reason = in_words(locking.error) if locking.error else f"nothing prevents {', '.join(unsafe)}"
        frames.send(channel, {"refused": reason})
        os._exit(1)
    gc.enable()
    frames.send(channel, {"ready": True, "user": os.getuid()})
    folder, notebook = Path(cell.folder), Notebook(Path(cell.folder))
    while True:
        try:
            job = frames.receive(channel)
        except EOFError:
            os._exit(0)
        with Caught() as caught:
            frames.send(channel, {"answer": answer(job, cell.role.handler, folder, notebook)})
        if caught.error:
            frames.send(channel, failure(caught.error))


def answer(job: dict[str, Any], handler: str, folder: Path, notebook: Notebook) -> Any:
    if job.get("kind") == "python":
        return notebook.run(str(job["code"]), dict(job.get("tables") or {}))
    return importlib.import_module(handler).handle(job, folder)


def failure(error: BaseException) -> dict[str, Any]:
    if isinstance(error, MemoryError):
        return {"failed": "memory"}
    trace = "".join(traceback.format_exception(error))
    return {"failed": "error", "message": f"{type(error).__name__}: {error}"[:1000], "trace": trace[-10_000:]}
