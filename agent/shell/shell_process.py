"""One command in a confined shell: started, read, watched and ended."""

from __future__ import annotations

import json
import os
import select
import signal
import subprocess
import sys
from collections.abc import Generator, Iterable
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path
from threading import Event as Flag
from time import monotonic
from typing import Any, Literal

from agent.shell.bubblewrap import arguments
from agent.shell.output import Output
from agent.shell.shell_folder import too_full
from agent.shell.shell_limits import ShellLimits
from agent.shell.shell_watching import memory_of_tree

Ended = Literal["", "time", "memory", "disk", "printed", "stopped"]
_LAUNCH = Path(__file__).with_name("launch.py")
_LOOK_SECONDS = 0.05
_SECONDS_TO_END = 5.0
_BLOCK = 1 << 16
_NAMESPACES = ("ipc", "mnt", "net", "pid", "uts")


@dataclass(frozen=True, slots=True)
class Ran:
    """``code`` is what the command ended with, ``None`` where it was ``ended`` for that reason.

    Where it was never ``begun``, ``text`` is what bubblewrap said.
    """

    text: str
    code: int | None
    ended: Ended = ""
    begun: bool = True


@dataclass
class _Running:
    """A process on its way to being bubblewrap; ``report`` is what that has told so far."""

    process: subprocess.Popen[bytes]
    output: Output
    report: bytes = b""
    init: int | None = None
    facts: dict[str, Any] = field(default_factory=dict[str, Any])

    def told(self, block: bytes) -> None:
        """Take in a part of the report: JSON objects, a line each."""
        self.report += block
        *lines, self.report = self.report.split(b"\n")
        for line in filter(bytes.strip, lines):
            self.facts |= json.loads(line)
        if self.init is None and "child-pid" in self.facts:
            with suppress(ProcessLookupError):
                self.init = os.pidfd_open(int(self.facts["child-pid"]))

    def kill(self) -> None:
        """End the first process of the namespace, with which all others end; bubblewrap then ends by itself."""
        if self.init is None:
            self.process.kill()
            return
        with suppress(ProcessLookupError):
            signal.pidfd_send_signal(self.init, signal.SIGKILL)
        with suppress(subprocess.TimeoutExpired):
            self.process.wait(_SECONDS_TO_END)
            return
        self.process.kill()


def run(
    command: str, folder: Path, user: int, hidden: Iterable[Path], limits: ShellLimits, cancel: Flag | None = None
) -> Ran:
    """Run a command in the ``folder``, as ``user`` where that is not 0, and wait for its end.

    It is ended where it breaks a limit, and when ``cancel`` is set.
    """
    with _started(command, folder, user, hidden, limits) as (running, printed, report):
        ended = _follow(running, printed, report, folder, limits, cancel)
        if ended:
            running.kill()
            _drain(running, printed, report)
        running.process.wait(_SECONDS_TO_END)
    code = running.facts.get("exit-code")
    begun = _apart(running.facts)
    return Ran(running.output.text(), None if ended or code is None else int(code), ended, begun)


@contextmanager
def _started(
    command: str, folder: Path, user: int, hidden: Iterable[Path], limits: ShellLimits
) -> Generator[tuple[_Running, int, int]]:
    """The process, and the files to read what it prints and what it reports."""
    from agent.shell.launch import Order

    printed, prints = os.pipe()
    report, reports = os.pipe()
    running: _Running | None = None
    try:
        try:
            words = arguments(command, hidden, limits, reports)
            order = Order(os.getpid(), user, str(folder.resolve()), reports, words, limits)
            process = subprocess.Popen(
                [sys.executable, "-I", "-S", str(_LAUNCH), order.to_json()],
                env={},
                cwd="/",
                pass_fds=[reports],
                stdin=subprocess.DEVNULL,
                stdout=prints,
                stderr=prints,
                start_new_session=True,
            )
        finally:
            os.close(prints)
            os.close(reports)
        running = _Running(process, Output(limits.head, limits.tail))
        yield running, printed, report
    finally:
        os.close(printed)
        os.close(report)
        if running is not None:
            if running.process.poll() is None:
                running.kill()
                running.process.wait()
            if running.init is not None:
                os.close(running.init)


def _follow(
    running: _Running, printed: int, report: int, folder: Path, limits: ShellLimits, cancel: Flag | None
) -> Ended:
    """Read until it has ended, or for which reason it must."""
    end, looked = monotonic() + limits.seconds, 0.0
    while _read(running, printed, report):
        now = monotonic()
        if cancel is not None and cancel.is_set():
            return "stopped"
        if now > end:
            return "time"
        if running.output.total > limits.printed:
            return "printed"
        if now - looked >= _LOOK_SECONDS:
            if memory_of_tree(running.process.pid) > limits.memory:
                return "memory"
            if too_full(folder, limits):
                return "disk"
            looked = monotonic()
    return "disk" if too_full(folder, limits) else ""


def _read(running: _Running, printed: int, report: int) -> bool:
    """Take in what is there, or wait a little for it; ``False`` at the end of what is printed."""
    ready, _, _ = select.select([printed, report], [], [], _LOOK_SECONDS)
    if report in ready:
        running.told(os.read(report, _BLOCK))
    if printed in ready:
        block = os.read(printed, _BLOCK)
        running.output.add(block)
        if not block:
            while told := os.read(report, _BLOCK):
                running.told(told)
            return False
    return True


def _drain(running: _Running, printed: int, report: int) -> None:
    end = monotonic() + _SECONDS_TO_END
    while monotonic() < end and _read(running, printed, report):
        pass


def _apart(facts: dict[str, Any]) -> bool:
    """Whether bubblewrap came so far, and each namespace is another than ours."""
    return "child-pid" in facts and all(
        facts.get(f"{name}-namespace") not in (None, os.stat(f"/proc/self/ns/{name}").st_ino) for name in _NAMESPACES
    )
