"""The app's side of the zygote: starting it, ordering workers, hearing of their end."""

from __future__ import annotations

import json
import logging
import os
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import threading
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from agent.sandbox.locks.roles import environment
from agent.sandbox.sandbox_errors import ENDED, SandboxBusy

ORDER_BYTES = 1 << 16
SECONDS_TO_FORK = 10.0
log = logging.getLogger("glassbox.sandbox")


@dataclass(frozen=True, slots=True)
class Process:
    """A worker: ``end`` is a file that stands for the process, whatever other process gets its number later."""

    pid: int
    end: int
    channel: socket.socket

    def signal(self, number: int) -> None:
        """Nothing happens where it has ended already."""
        with suppress(ProcessLookupError):
            signal.pidfd_send_signal(self.end, number)

    def close(self) -> None:
        self.channel.close()
        os.close(self.end)


class Launcher:
    """One zygote. ``tick`` is called after ``every`` seconds and whatever is heard, in the thread that keeps it.

    That thread starts it and lives as long: a process that wants to die with its parent dies with the thread.
    """

    def __init__(self, handlers: Sequence[str], zygote: Path, tick: Callable[[], None], every: float) -> None:
        self.ready = threading.Event()
        self.failure = ""
        self.gone = False
        self.base = Path(tempfile.mkdtemp(prefix="glassbox-"))
        self.base.chmod(0o755)
        self.probe = self.base / "probe"
        self.probe.write_text("Nobody in the sandbox reads this.", encoding="utf-8")
        self.probe.chmod(0o644)
        self._handlers, self._zygote, self._tick, self._every = handlers, zygote, tick, every
        self._ours, self._theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        self._turn = 0
        self._orders = threading.Lock()
        self._news = threading.Condition()
        self._forked: dict[int, tuple[int, int]] = {}
        self._ended: dict[int, int] = {}
        self._keeper = threading.Thread(target=self._keep, name="sandbox", daemon=True)
        self._keeper.start()

    def fork(self, order: dict[str, Any]) -> Process:
        """A new worker, as the zygote forked it: still to be heard of. Raises ``SandboxBusy``."""
        ours, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_STREAM)
        with self._orders:
            self._turn += 1
            turn = self._turn
            try:
                message = json.dumps({**order, "probe": str(self.probe), "turn": turn}).encode("ascii")
                socket.send_fds(self._ours, [message], [theirs.fileno()])
            except OSError as error:
                ours.close()
                raise SandboxBusy(ENDED) from error
            finally:
                theirs.close()
        with self._news:
            self._news.wait_for(lambda: turn in self._forked or self.gone, SECONDS_TO_FORK)
            forked = self._forked.pop(turn, None)
        if forked is None:
            ours.close()
            raise SandboxBusy(ENDED)
        return Process(*forked, ours)

    def status(self, pid: int, seconds: float) -> int | None:
        """How a worker ended, as from ``waitpid``; ``None`` where nobody says so in time."""
        with self._news:
            self._news.wait_for(lambda: pid in self._ended or self.gone, seconds)
            return self._ended.get(pid)

    def close(self) -> None:
        """End the zygote and every worker, and wait for it."""
        with suppress(OSError):
            self._ours.shutdown(socket.SHUT_RDWR)
        self._keeper.join(10)

    def _keep(self) -> None:
        """Start the zygote and listen to it until it ends."""
        settings = {
            "app": os.getpid(),
            "base": str(self.base),
            "control": self._theirs.fileno(),
            "handlers": self._handlers,
        }
        (self.base / "matplotlib").mkdir()
        with tempfile.TemporaryFile() as said:
            process = subprocess.Popen(
                [sys.executable, "-I", str(self._zygote), json.dumps(settings)],
                env=environment(str(self.base)),
                cwd="/",
                pass_fds=[self._theirs.fileno()],
                stdin=subprocess.DEVNULL,
                stdout=subprocess.DEVNULL,
                stderr=said,
            )
            self._theirs.close()
            self._ours.settimeout(self._every)
            while self._hear():
                self._tick()
            process.kill()
            process.wait()
            said.seek(0)
            if text := said.read(10_000).decode("utf-8", "replace").strip():
                log.error("the sandbox's process said: %s", text)
        shutil.rmtree(self.base, ignore_errors=True)
        with self._news:
            self.gone = True
            self.failure = self.failure or ("" if self.ready.is_set() else "it did not start")
            for _, end in self._forked.values():
                os.close(end)
            self._forked.clear()
            self._news.notify_all()
        self.ready.set()
        self._ours.close()

    def _hear(self) -> bool:
        """One message, or none for a while; ``False`` at the end."""
        try:
            text, files, _, _ = socket.recv_fds(self._ours, ORDER_BYTES, 1)
        except TimeoutError:
            return True
        except OSError:
            return False
        if not text:
            return False
        message = json.loads(text)
        if "failed" in message:
            self.failure = str(message["failed"])
            log.error("the sandbox did not start: %s", self.failure)
            return False
        if "ready" in message:
            self.ready.set()
            return True
        with self._news:
            if "status" in message:
                self._ended[message["pid"]] = message["status"]
                # Nobody asks about most: keep the last.
                while len(self._ended) > 100:
                    del self._ended[next(iter(self._ended))]
            else:
                self._ended.pop(message["pid"], None)  # of an earlier process of that number
                self._forked[message["turn"]] = (message["pid"], files[0])
            self._news.notify_all()
        return True
