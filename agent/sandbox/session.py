"""A conversation's worker: started when it is needed, asked, watched, killed, replaced."""

from __future__ import annotations

import os
import select
import shutil
import signal
import socket
import tempfile
import threading
import time
from collections.abc import Callable, Generator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, cast

from agent.sandbox import frames
from agent.sandbox.answers import program_answer
from agent.sandbox.hostile_folder import too_full
from agent.sandbox.launcher import Launcher, Process
from agent.sandbox.locks import privileges
from agent.sandbox.locks.roles import Role
from agent.sandbox.sandbox_errors import ENDED, Reason, SandboxBusy, SandboxOff, WorkerFailed, WorkerKilled

TICK = 0.02
READ_BYTES = 1 << 20
PAGE = os.sysconf("SC_PAGE_SIZE")
MOST_DEPTH = 40  # of folders in the worker's
SECONDS_TO_LOCK = 10.0
NOT_SAFE = "Running code is off, because it is not safe on this machine"
# A kill that did not come from here is the kernel's, for want of memory.
ENDED_BY: dict[int, Reason] = {signal.SIGXCPU: "time", signal.SIGXFSZ: "disk", signal.SIGKILL: "memory"}


def resident(pid: int) -> int:
    """Bytes of memory in use; 0 where the process has ended."""
    try:
        return int(Path(f"/proc/{pid}/statm").read_text(encoding="ascii").split()[1]) * PAGE
    except (OSError, IndexError):
        return 0


def threads(pid: int) -> int:
    """How many threads; 0 where the process has ended."""
    try:
        text = Path(f"/proc/{pid}/stat").read_text(encoding="utf-8", errors="replace")
        return int(text.rpartition(")")[2].split()[17])
    except (OSError, IndexError):
        return 0


@dataclass(frozen=True, slots=True)
class Worker:
    """``user`` is who it became, 0 where it stayed who the app is; ``scratch`` goes with it.

    ``work`` is where it may write, ``memory`` how many bytes it may have in all.
    """

    process: Process
    launcher: Launcher
    role: Role
    work: Path
    user: int
    scratch: Path | None
    memory: int

    def broken(self) -> Reason | None:
        """The limit that the worker is over now."""
        if resident(self.process.pid) > self.memory:
            return "memory"
        if threads(self.process.pid) > self.role.threads:
            return "threads"
        with suppress(FileNotFoundError):
            if too_full(self.work, self.role.folder_bytes, self.role.folder_entries, MOST_DEPTH):
                return "disk"
        return None

    def has_spoken(self) -> bool:
        """Whether it said something unasked, or has ended."""
        waiting = select.poll()
        waiting.register(self.process.channel, select.POLLIN)
        waiting.register(self.process.end, select.POLLIN)
        return bool(waiting.poll(0))


class Talk:
    """One message to a worker, and its reply, bit by bit; ``reply`` is ``None`` until it is whole."""

    def __init__(self, channel: socket.socket, message: bytes) -> None:
        self.reply: bytes | None = None
        self._channel = channel
        self._rest = memoryview(message)
        self._said = bytearray()

    def go_on(self, seconds: float) -> None:
        """Wait for at most that long. Raises ``OSError`` at the end, and ``WorkerKilled`` for more than it may say."""
        waiting = select.poll()
        waiting.register(self._channel, select.POLLOUT if self._rest else select.POLLIN)
        if not waiting.poll(seconds * 1000):
            return
        with suppress(BlockingIOError):
            if self._rest:
                self._rest = self._rest[self._channel.send(self._rest) :]
            elif part := self._channel.recv(READ_BYTES):
                self._hear(part)
            else:
                raise BrokenPipeError

    def _hear(self, part: bytes) -> None:
        self._said += part
        if len(self._said) < frames.HEAD.size:
            return
        size = frames.HEAD.unpack_from(self._said)[0]
        body = len(self._said) - frames.HEAD.size
        if size > frames.MOST_BYTES or body > size:
            raise WorkerKilled("died", "It answered more than it may.")
        if body == size:
            self.reply = bytes(self._said[frames.HEAD.size :])


class Session:
    """One call at a time. Between calls the worker is stopped: what it left running does not run."""

    def __init__(self, folder: Path, role: Role, launch: Callable[[Session, Any], Launcher], visitor: str = "") -> None:
        """``launch`` gives the process to fork from, once there is a place; it sets ``starting`` then."""
        self.visitor = visitor
        self.starting = False
        self.folder = folder.resolve()
        self.role = role
        self.used = time.monotonic()
        self.fresh = False
        self._launch = launch
        self._turn = threading.Lock()
        self._worker: Worker | None = None
        self._closing = False

    @property
    def running(self) -> bool:
        """Whether it has a worker."""
        return self._worker is not None

    @property
    def placed(self) -> bool:
        """Whether it has a worker, or the place for one that is being started."""
        return self.running or self.starting

    def call(
        self, job: Mapping[str, Any], seconds: float | None = None, cancel: threading.Event | None = None
    ) -> dict[str, Any]:
        """What the worker answers. ``seconds``: of the role where ``None``; they begin with the work itself.

        ``fresh`` says afterwards whether the worker was a new one, without the state of calls before. Raises
        ``WorkerKilled``, ``WorkerFailed`` and ``SandboxOff``; after each but the last the next call may do.
        """
        with turn(self._turn, cancel):
            message = frames.packed(dict(job))
            self.fresh = not self._usable()
            worker = self._worker or self._begin(cancel)
            if worker.user:  # what the app put into the folder since becomes the worker's
                privileges.give(self.folder, worker.user)
            deadline = time.monotonic() + (self.role.seconds if seconds is None else seconds)
            try:
                reply = self._exchange(worker, message, deadline, cancel)
            except WorkerKilled as killed:
                self._end()
                raise WorkerKilled(killed.reason, killed.detail or self.role.limit(killed.reason, seconds)) from killed
            worker.process.signal(signal.SIGSTOP)
            self.used = time.monotonic()
        return self._read(reply, job.get("kind") == "python")

    def close(self) -> None:
        """End the worker, also one at work (its call then raises ``WorkerKilled``). A later call starts a new one."""
        worker = self._worker
        if worker is not None and not self._turn.acquire(blocking=False):
            self._closing = True
            worker.process.signal(signal.SIGKILL)
            self._turn.acquire()
        elif worker is None:
            return
        try:
            self._end()
        finally:
            self._turn.release()

    def close_idle(self) -> bool:
        """Like ``close``, but leave one at work alone. Returns whether it was idle."""
        if not self._turn.acquire(blocking=False):
            return False
        try:
            self._end()
        finally:
            self._turn.release()
        return True

    def _usable(self) -> bool:
        """Whether there is a worker that lives and has said nothing unasked; another one is ended."""
        worker = self._worker
        if worker is not None and (worker.launcher.gone or worker.has_spoken()):
            self._end()
        return self._worker is not None

    def _begin(self, cancel: threading.Event | None) -> Worker:
        """A new worker, locked. Raises ``SandboxOff``, and ``WorkerKilled`` where it was stopped meanwhile."""
        launcher = self._launch(self, cancel)
        try:
            return self._locked(launcher, cancel)
        finally:
            self.starting = False

    def _locked(self, launcher: Launcher, cancel: threading.Event | None) -> Worker:
        if not self.folder.is_dir():
            raise SandboxOff("The folder of this conversation is gone.")
        worker = self._worker = self._order(launcher)
        try:
            hello = frames.unpacked(self._exchange(worker, b"", time.monotonic() + SECONDS_TO_LOCK, cancel))
        except WorkerKilled as killed:
            status = launcher.status(worker.process.pid, 0.5) if killed.reason not in ("stopped", "time") else None
            self._end()
            if killed.reason == "stopped":
                raise
            if status is None:
                raise SandboxBusy(ENDED) from killed
            raise SandboxOff(f"{NOT_SAFE}: it could become another program.") from killed
        if hello.get("ready") is not True:
            self._end()
            raise SandboxOff(f"{NOT_SAFE}: {str(hello.get('refused'))[:300]}.")
        self._worker = replace(worker, memory=resident(worker.process.pid) + self.role.memory)
        return self._worker

    def _order(self, launcher: Launcher) -> Worker:
        """A worker that is not locked yet; its memory is not watched until it is. Raises ``SandboxBusy``."""
        scratch = None
        try:
            if not self.role.writable:
                scratch = Path(tempfile.mkdtemp(dir=launcher.base))
            work = scratch or self.folder
            user = self._spare_user(launcher, work)
            order = {"folder": str(self.folder), "work": str(work), "user": user, "role": self.role.to_json()}
            process = launcher.fork(order)
        except (SandboxBusy, FileNotFoundError) as error:
            if scratch is not None:
                shutil.rmtree(scratch, ignore_errors=True)
            raise SandboxBusy(ENDED) from error
        return Worker(process, launcher, self.role, work, user, scratch, memory=1 << 62)

    def _spare_user(self, launcher: Launcher, work: Path) -> int:
        """Who the worker becomes where the app is root: nobody, if that one can read what it needs."""
        if os.geteuid():
            return 0
        user = privileges.spare_user(self.folder)
        needed = [*privileges.needed_paths(), self.folder.parent, launcher.base]
        if not all(privileges.reachable(path) for path in needed if path.exists()):
            return 0
        for folder in {work, self.folder}:
            privileges.give(folder, user)
        return user

    def _exchange(self, worker: Worker, message: bytes, deadline: float, cancel: threading.Event | None) -> bytes:
        """Send, and read one whole message. Raises ``WorkerKilled`` where the worker is to be ended, or has ended."""
        worker.process.signal(signal.SIGCONT)
        worker.process.channel.setblocking(False)
        talk, looked = Talk(worker.process.channel, message), 0.0
        while talk.reply is None:
            now = time.monotonic()
            if cancel is not None and cancel.is_set():
                raise WorkerKilled("stopped")
            if now >= deadline:
                raise WorkerKilled("time")
            if now - looked >= TICK:
                looked = now
                if reason := worker.broken():
                    raise WorkerKilled(reason)
            try:
                talk.go_on(min(TICK, deadline - now))
            except OSError as error:
                raise WorkerKilled(self._why(worker)) from error
        # A file written at the very end counts, too.
        if reason := worker.broken():
            raise WorkerKilled(reason)
        return talk.reply

    def _why(self, worker: Worker) -> Reason:
        """Why a worker ended that nobody killed."""
        if self._closing:
            return "stopped"
        status = worker.launcher.status(worker.process.pid, 0.5)
        if worker.launcher.gone:
            return "died"
        return ENDED_BY.get(os.WTERMSIG(status), "died") if status is not None and os.WIFSIGNALED(status) else "died"

    def _read(self, reply: bytes, program: bool) -> dict[str, Any]:
        try:
            whole = frames.unpacked(reply)
            if set(whole) == {"answer"} and isinstance(whole["answer"], dict):
                answer = cast("dict[str, Any]", whole["answer"])
                return program_answer(answer) if program else answer
            if whole.get("failed") not in ("memory", "error"):
                raise ValueError("neither an answer nor a failure")
        except ValueError as error:
            self.close()
            raise WorkerKilled("died", "Its answer cannot be read.") from error
        if whole["failed"] == "memory":
            self.close()
            raise WorkerKilled("memory")
        raise WorkerFailed(str(whole.get("message"))[:1000], str(whole.get("trace")))

    def _end(self) -> None:
        """Kill the worker and wait until it is gone, with what it wrote beside the folder."""
        worker, self._worker, self._closing = self._worker, None, False
        if worker is None:
            return
        worker.process.signal(signal.SIGKILL)
        waiting = select.poll()
        waiting.register(worker.process.end, select.POLLIN)
        waiting.poll(2000)
        worker.process.close()
        if worker.scratch is not None:
            shutil.rmtree(worker.scratch, ignore_errors=True)


@contextmanager
def turn(lock: threading.Lock, cancel: threading.Event | None) -> Generator[None]:
    """Hold the lock, which is not waited for once ``cancel`` is set: ``WorkerKilled`` then."""
    while not lock.acquire(timeout=TICK if cancel else -1):
        if cancel and cancel.is_set():
            raise WorkerKilled("stopped")
    try:
        yield
    finally:
        lock.release()
