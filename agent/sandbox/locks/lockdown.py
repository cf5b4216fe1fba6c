"""From a fork of the zygote to a locked worker, step by step; each that fails ends in a refusal."""

from __future__ import annotations

import os
from dataclasses import dataclass
from pathlib import Path
from typing import Any

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
        changed: dict[str, Any] = {**value, "role": Role.from_json(value["role"])}
        return Cell(**changed)


def lock(cell: Cell, parent: int, channel: int, of_all: int) -> list[str]:
    """Lock this process, which must have one thread, keeping the file ``channel``. Returns what is not safe.

    Raises ``OSError`` where a step fails: then it must not go on either.
    """
    privileges.die_with(parent)
    os.setsid()
    # DuckDB's look at the control group goes through this entry of /proc, which stays as it is while it is open.
    group = os.open("/proc/self/cgroup", os.O_RDONLY | os.O_CLOEXEC)
    privileges.close_all_but((channel, group))
    # What is not dumpable may not write even this of its own; ``be_nobody`` takes it back.
    prctl(PR_SET_DUMPABLE, 1)
    Path("/proc/self/oom_score_adj").write_text("1000", encoding="ascii")
    os.nice(5)
    privileges.share_processors(cell.turn)
    os.chdir(cell.work)
    os.umask(0o077)
    privileges.be_nobody(cell.user)
    privileges.die_with(parent)
    privileges.limit(cell.role, of_all)
    privileges.wait_until_alone()
    status = os.open("/proc/self/status", os.O_RDONLY | os.O_CLOEXEC)
    readable = (*landlock.readable_everywhere(), cell.folder, *cell.role.readable)
    landlock.restrict(readable, cell.work, cell.role.removes)
    seccomp.install(cell.role.removes)
    os.environ["HOME"] = cell.work
    unsafe = selftest.breaches(Path(cell.probe), status, (channel, group))
    os.close(status)
    return unsafe
