"""The door to the sandbox: ``Sandbox``, one for the app, and the session of a conversation."""

from __future__ import annotations

import sys
import threading
import time
from collections.abc import Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Any

from agent.interface_text import Text
from agent.sandbox.locks.roles import LOADING, PYTHON, TABLES, Role
from agent.sandbox.sandbox_errors import SandboxBusy, SandboxError, SandboxOff, WorkerKilled

if TYPE_CHECKING:  # they need what only Linux has, and this module is imported everywhere
    from agent.sandbox.launcher import Launcher
    from agent.sandbox.session import Session

__all__ = ["LOADING", "PYTHON", "TABLES", "Role", "Sandbox", "missing"]
IDLE_SECONDS = 600.0
MOST_WORKERS = 20
SHARE = 4  # of the workers, and of the places for runs, a fourth is the most for one visitor
SECONDS_FOR_A_PLACE = 4.0  # less than tools have beside their work
_LOOK_SECONDS = 0.05
SECONDS_TO_START = 60.0
HANDLERS = (
    "agent.data.tables.table_jobs",
    "agent.data.documents.document_jobs",
    "agent.data.picture_jobs",
    "agent.web.reading.page_jobs",
)
_FULL = Text("Too much is being worked out at once. Try again in a moment.")
_OWN_WORK = Text(
    "Your other questions and files are using all the places that one visitor may have at once. Try again when one of "
    "them is done."
)
ZYGOTE = Path(__file__).parent / "inside" / "zygote.py"
ROOT_ALONE = "Running code is off: the app runs as root where there are no other users. Start it as an ordinary user."
WRONG_MACHINE = "Running code needs Linux on a 64-bit Intel, AMD or ARM processor, where it can be locked in."


def missing() -> str:
    """The protection that this machine lacks, as a sentence; empty where none is known to."""
    if sys.platform != "linux":
        return WRONG_MACHINE
    from agent.sandbox.locks import kernel, landlock, privileges, seccomp

    if kernel.machine() is None:
        return WRONG_MACHINE
    if not seccomp.supported():
        return "Running code needs the kernel's system call filter (seccomp), which is not available here."
    if not landlock.abi():
        return "Running code needs the kernel's file protection (Landlock), which is not available here."
    return ROOT_ALONE if privileges.is_root_alone() else ""


class Sandbox:
    """Starts nothing until it is asked; then one process in the background, and a fork of it for each session.

    At most ``most`` workers are there at once, a fourth of them for one visitor. Those idle for ``idle`` seconds end;
    beyond ``most`` the one idle for longest does. Work that has no place waits for one for ``wait`` seconds.
    ``handlers`` are modules that this process imports ahead, so that no worker need: see ``Role.handler``.
    """

    def __init__(
        self,
        most: int = MOST_WORKERS,
        idle: float = IDLE_SECONDS,
        zygote: Path = ZYGOTE,
        handlers: Sequence[str] = HANDLERS,
        wait: float = SECONDS_FOR_A_PLACE,
    ) -> None:
        self._each, self._wait = max(1, most // SHARE), wait
        self._most, self._idle, self._zygote, self._handlers = most, idle, zygote, handlers
        self._lock = threading.RLock()
        self._launcher: Launcher | None = None
        self._sessions: dict[tuple[Path, Role], Session] = {}
        self._off = ""
        self._closed = False

    def start(self) -> None:
        """Begin to start, in the background; at once where it has."""
        with self._lock:
            if self._closed or self._off or missing():
                return
            if self._launcher is None or self._launcher.gone:
                from agent.sandbox.launcher import Launcher

                self._launcher = Launcher(self._handlers, self._zygote, self._tidy, min(5.0, self._idle / 4))
                threading.Thread(target=self._try_once, name="sandbox trial", daemon=True).start()

    def available(self, wait: float = 0.0) -> str:
        """Empty, or one sentence why no code is run here. Starts the sandbox in the background where it may run.

        While it starts it is taken to be available, until a first worker was tried; ``wait`` for that to be sure.
        """
        if sentence := self._off or missing():
            return sentence
        self.start()
        if wait:
            try:
                self._try(wait)
            except SandboxError as error:
                return str(error)
        return self._off

    def session(self, folder: Path, role: Role, visitor: str = "") -> Session:
        """That of the folder and the role; the same one each time until it is forgotten.

        Its worker is one of the ``visitor``'s share, where one is named.

        Raises ``SandboxOff`` on a system that can have none; else the first call does.
        """
        if sys.platform != "linux":
            raise SandboxOff(WRONG_MACHINE)
        from agent.sandbox.session import Session

        with self._lock:
            key = (folder.resolve(), role)
            return self._sessions.setdefault(key, Session(folder, role, self._launch, visitor))

    def once(
        self, role: Role, job: Mapping[str, Any], files: Mapping[str, bytes], seconds: float, visitor: str = ""
    ) -> Mapping[str, Any]:
        """The answer to one job, from a worker of its own that ends with it, in a folder that holds ``files`` alone.

        Waits for the sandbox where it is starting. Raises as ``Session.call``.
        """
        launcher = self._started(None, SECONDS_TO_START)
        with TemporaryDirectory(dir=launcher.base, ignore_cleanup_errors=True) as place:
            folder = Path(place)
            for name, content in files.items():
                (folder / name).write_bytes(content)
            try:
                return self.session(folder, role, visitor).call(job, seconds)
            finally:
                self.forget(folder)

    def forget(self, folder: Path) -> None:
        """End every session of the folder, for a conversation that is deleted."""
        with self._lock:
            keys = [key for key in self._sessions if key[0] == folder.resolve()]
            ending = [self._sessions.pop(key) for key in keys]
        for session in ending:
            session.close()

    def close(self) -> None:
        """End everything, and wait for it."""
        with self._lock:
            self._closed = True
            sessions, self._sessions = list(self._sessions.values()), {}
            launcher, self._launcher = self._launcher, None
        for session in sessions:
            session.close()
        if launcher is not None:
            launcher.close()

    def _try_once(self) -> None:
        # Where its folder is gone, the sandbox has been closed meanwhile.
        with suppress(SandboxError, FileNotFoundError):
            self._try(SECONDS_TO_START)

    def _try(self, seconds: float) -> None:
        """Have a worker lock itself and prove it. Raises ``SandboxError``."""
        from agent.sandbox.session import Session

        base = self._started(None, seconds).base
        with TemporaryDirectory(dir=base, ignore_cleanup_errors=True) as folder:
            session = Session(Path(folder), PYTHON, lambda _, cancel: self._started(cancel, seconds))
            try:
                session.call({"kind": "python", "code": ""})
            except SandboxBusy:
                raise
            except SandboxOff as error:
                self._off = str(error)
                raise
            finally:
                session.close()

    def _launch(self, asking: Session, cancel: threading.Event | None) -> Launcher:
        """The zygote, started, with a place for one more worker, which ``asking`` takes.

        Raises ``SandboxOff`` and ``WorkerKilled``.
        """
        launcher = self._started(cancel, SECONDS_TO_START)
        end = time.monotonic() + self._wait
        while full := self._full(asking):
            if cancel is not None and cancel.is_set():
                raise WorkerKilled("stopped")
            if time.monotonic() >= end:
                raise SandboxBusy(full)
            time.sleep(_LOOK_SECONDS)
        return launcher

    def _full(self, asking: Session) -> str:
        """Why there is no place for one more worker, after those that are idle were ended; "" where it has one now."""
        with self._lock:
            running = [one for one in self._sessions.values() if one.placed and one is not asking]
            running.sort(key=lambda one: one.used)
            mine = [one for one in running if asking.visitor and one.visitor == asking.visitor]
            for some, most, sentence in ((mine, self._each, _OWN_WORK), (running, self._most, _FULL)):
                over = sum(one.placed for one in some) + 1 - most
                for session in some:
                    if over > 0 and session.running and session.close_idle():
                        over -= 1
                if over > 0:
                    return sentence
            asking.starting = True
            return ""

    def _started(self, cancel: threading.Event | None, seconds: float) -> Launcher:
        if sentence := self._off or missing():
            raise SandboxOff(sentence)
        self.start()
        launcher = self._launcher
        if launcher is None:
            raise SandboxOff("The sandbox is closed.")
        end = time.monotonic() + seconds
        while not launcher.ready.wait(0.02):
            if cancel is not None and cancel.is_set():
                raise WorkerKilled("stopped")
            if time.monotonic() > end:
                raise SandboxBusy("The sandbox is still starting. Try again in a moment.")
        if launcher.failure:
            self._off = f"Running code is off: {launcher.failure}."
            raise SandboxOff(self._off)
        return launcher

    def _tidy(self) -> None:
        """End what has been idle for long."""
        with self._lock:
            sessions = list(self._sessions.items())
        for key, session in sessions:
            if time.monotonic() - session.used > self._idle and session.close_idle():
                with self._lock:
                    if self._sessions.get(key) is session and not session.running:
                        del self._sessions[key]
