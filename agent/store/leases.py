"""Which process works on which run: a lease on the run, by the database's clock, and a lock that dies with its process.

The processes of one store may run on several machines, in containers, with clocks of their own. A process is known by a
random id, for a process number comes again: after a container was restarted, it is number 1 as before.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Sequence
from contextlib import suppress
from io import TextIOWrapper
from pathlib import Path
from socket import gethostname
from time import monotonic
from typing import NamedTuple
from uuid import uuid4

import sqlalchemy as sql

from agent.store.database import Database
from agent.store.schema import RUNS, Now
from agent.text.regex import regex

if sys.platform != "win32":  # where only the leases tell
    from fcntl import LOCK_EX, LOCK_NB, LOCK_SH, flock

LEASE_SECONDS = 20.0
# After which a run is ended that somebody asked to stop: a process at work renews, and looks for that, every second.
STOP_SECONDS = 3.0
# Without a look for so long, this process cannot tell others that are silent from a database that was.
_GAP_SECONDS = 5.0
_PROCESS = regex(r"[0-9a-f]{32}")
_BOOT = Path("/proc/sys/kernel/random/boot_id")


class Lost(NamedTuple):
    """A run that nobody works on any more, and whether somebody had asked to stop it.

    ``taken`` is how often it was taken up before, ``seconds`` for how long it was worked on.
    """

    run: str
    stopping: bool
    taken: int = 0
    seconds: float = 0.0


class Renewed(NamedTuple):
    """Of the runs of a process: those that were asked to stop, and those that another process has taken."""

    stopping: frozenset[str]
    taken: frozenset[str]


class Presence:
    """This process, as the others on the same store know it: its id, and the lock of a file of that name in ``folder``.

    The kernel takes the lock away when the process ends, in whatever way; whoever shares the folder and the kernel, in
    whichever container, sees that at once. Where there is no folder, or it takes no locks, only leases tell.
    """

    def __init__(self, folder: Path | None) -> None:
        self.id = uuid4().hex
        self._folder = None if sys.platform == "win32" else folder
        self._kernel = _kernel()
        self._file: TextIOWrapper | None = None
        with suppress(OSError):
            self._lock()

    def gone(self, process: str) -> bool:
        """Whether a process is known to have ended."""
        return self._folder is not None and process != self.id and is_alive(self._folder, process) is False

    def sweep(self) -> None:
        """Remove the files of the processes that have ended."""
        with suppress(OSError):
            for file in self._folder.iterdir() if self._folder else ():
                if self.gone(file.name):
                    file.unlink(missing_ok=True)

    def close(self) -> None:
        """Give up the lock, as the end of the process does. The file stays until it is swept."""
        if self._file:
            self._file.close()

    def withdraw(self) -> None:
        """Leave no trace: the process has worked on nothing."""
        if self._folder and self._file:
            with suppress(OSError):
                (self._folder / self.id).unlink(missing_ok=True)
        self.close()

    def _lock(self) -> None:
        if self._folder is None:
            return
        self._folder.mkdir(parents=True, exist_ok=True)
        # Locked before it has the name under which others look for it.
        making = self._folder / f"{self.id}.new"
        self._file = making.open("w", encoding="utf-8")
        flock(self._file, LOCK_EX)
        self._file.write(self._kernel)
        self._file.flush()
        making.rename(self._folder / self.id)


class Leases:
    """The leases on the runs of a store. Every method raises ``StoreFailed`` where the database does."""

    def __init__(self, database: Database, folder: Path | None, clock: Callable[[], float] = monotonic) -> None:
        """``folder`` is where the processes of this machine hold their locks; ``clock`` is monotonic, in seconds."""
        self._database = database
        self._presence = Presence(folder)
        self.process = self._presence.id
        self._clock = clock
        self._looked: tuple[float, float] | None = None
        self._since = float("-inf")  # when the looks began that have no gap between them

    def close(self) -> None:
        """As at the end of the process: the others on this machine know that it works on nothing any more."""
        self._presence.close()

    def withdraw(self) -> None:
        """As ``close``, of a process that has taken no run: nothing is left to be swept."""
        self._presence.withdraw()

    def renew(self, runs: Sequence[str], begun: Sequence[str] = ()) -> Renewed:
        """Say that these runs are still this process's; those that have ``begun`` are at work."""
        mine, silent = (RUNS.c.id.in_(runs), RUNS.c.process == self.process), Now() - RUNS.c.alive
        counts = RUNS.c.id.in_(begun) & silent.between(0.0, _GAP_SECONDS)
        worked = RUNS.c.worked + sql.case((counts, silent), else_=0.0)
        chosen = sql.select(RUNS.c.id, RUNS.c.stopping, RUNS.c.process).where(RUNS.c.id.in_(runs), RUNS.c.ended == "")
        with self._database.begin() as connection:
            connection.execute(sql.update(RUNS).where(*mine).values(alive=Now(), worked=worked))
            rows = connection.execute(chosen).all()
        stopping = frozenset(run for run, stops, process in rows if stops and process == self.process)
        return Renewed(stopping, frozenset(run for run, _, process in rows if process != self.process))

    def ask_to_stop(self, run: str) -> None:
        """Ask for an unended run to be stopped; the process that works on it is told by ``renew``."""
        self._database.change(sql.update(RUNS).where(RUNS.c.id == run, RUNS.c.ended == "").values(stopping=1))

    def lost(self, handed: bool = False) -> list[Lost]:
        """The unended runs whose process is gone, or has been silent for too long; not those that wait for the person.

        Those that were given away and that no worker has taken yet, whose process is "", are lost where they count as
        ``handed``: where there is no queue any more.

        After an outage of the database, its processes are given the time of a lease to be heard again.
        """
        silence = sql.func.abs(Now() - RUNS.c.alive)
        chosen = sql.select(RUNS.c.id, RUNS.c.process, RUNS.c.stopping, RUNS.c.taken, RUNS.c.worked, silence)
        with self._database.begin() as connection:
            now = connection.execute(sql.select(Now())).scalar_one()
            rows = connection.execute(chosen.where(RUNS.c.ended == "", RUNS.c.waiting == 0)).all()
        self._look(now)
        steady = self._clock() - self._since > LEASE_SECONDS
        return [
            Lost(run, bool(stopping), taken, worked)
            for run, process, stopping, taken, worked, silent in rows
            if self._presence.gone(process)
            or (silent > LEASE_SECONDS and steady and (process or handed))
            or (silent > STOP_SECONDS and stopping)
        ]

    def sweep(self) -> None:
        """Forget the processes whose runs were ended."""
        self._presence.sweep()

    def _look(self, now: float) -> None:
        """Note a look at the database, whose clock says ``now``: neither it nor ours may have leaped since the last."""
        ours = self._clock()
        if self._looked and max(ours - self._looked[0], abs(now - self._looked[1])) > _GAP_SECONDS:
            self._since = ours
        self._looked = ours, now


def _kernel() -> str:
    """The running kernel, which all containers of a machine share; a lock of another one says nothing here."""
    with suppress(OSError):
        return _BOOT.read_text(encoding="ascii").strip()
    return gethostname()


def is_alive(folder: Path, process: str) -> bool | None:
    """What the lock of a process's file in ``folder`` says: whether it is held; ``None`` where there is none.

    So it is for a process of another machine, and where there are no such locks.
    """
    if sys.platform == "win32" or not _PROCESS.fullmatch(process):
        return None
    try:
        with (folder / process).open(encoding="utf-8") as file:
            if file.read() != _kernel():
                return None
            flock(file, LOCK_SH | LOCK_NB)
    except BlockingIOError:
        return True
    except OSError:
        return None
    return False


def alive_in(folder: Path) -> frozenset[str]:
    """The processes of this machine that hold a lock in ``folder``."""
    try:
        return frozenset(file.name for file in folder.iterdir() if is_alive(folder, file.name))
    except OSError:
        return frozenset()
