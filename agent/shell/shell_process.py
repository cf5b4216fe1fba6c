"""One command in a confined shell: started, read, watched and ended."""

from __future__ import annotations

import json
import os
import select
import signal
import subprocess
import sys
from collections.abc import Generator, Iterable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path
from threading import Event as Flag
from time import monotonic
from typing import Any, Literal

from agent.sandbox.hostile_folder import too_full
from agent.shell.bubblewrap import arguments
from agent.shell.launch import Order, ShellLimits
from agent.text.regex import regex

Ended = Literal["", "time", "memory", "disk", "printed", "stopped"]
_LAUNCH = Path(__file__).with_name("launch.py")
_LOOK_SECONDS = 0.05
_SECONDS_TO_END = 5.0
_BLOCK = 1 << 16
_NAMESPACES = ("ipc", "mnt", "net", "pid", "uts")
_MEMORY = (b"RssAnon:", b"RssShmem:")
_ESCAPES = regex(r"\x1b(?:\[[0-?]*[ -/]*[@-~]|\][^\x07\x1b]*(?:\x07|\x1b\\)|[@-Z\\-_])")
_CONTROLS = regex(r"[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f]")


@dataclass(frozen=True, slots=True)
class Ran:
    """``code`` is what the command ended with, ``None`` where it was ``ended`` for that reason.

    Where it was never ``begun``, ``text`` is what bubblewrap said.
    """

    text: str
    code: int | None
    ended: Ended = ""
    begun: bool = True


class Output:
    """The first ``head`` and the last ``tail`` bytes of what is added; ``total`` says how many there were."""

    def __init__(self, head: int, tail: int) -> None:
        self.total = 0
        self._head, self._tail = head, tail
        self._first, self._last = bytearray(), bytearray()

    def add(self, block: bytes) -> None:
        self.total += len(block)
        room = self._head - len(self._first)
        self._first += block[:room] if room > 0 else b""
        self._last += block[max(room, 0) :]
        if len(self._last) > self._tail * 2:
            del self._last[: -self._tail]

    def text(self) -> str:
        last = bytes(self._last[-self._tail :])
        left_out = self.total - len(self._first) - len(last)
        if left_out <= 0:
            return plain(bytes(self._first) + last)
        return f"{plain(bytes(self._first))}\n… {left_out:,} bytes left out …\n{plain(last)}"


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
    printed, prints = os.pipe()
    report, reports = os.pipe()
    handed = [prints, reports]
    running: _Running | None = None
    try:
        try:
            handed.append(filters := _filters())
            words = arguments(command, hidden, limits, reports, filters)
            order = Order(os.getpid(), user, str(folder.resolve()), (reports, filters), words, limits)
            process = subprocess.Popen(
                [sys.executable, "-I", "-S", str(_LAUNCH), order.to_json()],
                env={},
                cwd="/",
                pass_fds=order.kept,
                stdin=subprocess.DEVNULL,
                stdout=prints,
                stderr=prints,
                start_new_session=True,
            )
        finally:
            for file in handed:
                os.close(file)
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


def _filters() -> int:
    """A file in memory with the filter of system calls. Raises ``OSError``."""
    from agent.sandbox.locks import kernel, seccomp

    here = kernel.machine()
    if here is None:
        raise OSError("no filter for this processor")
    filters = os.memfd_create("filter")
    os.write(filters, seccomp.shell_program(*here))
    os.lseek(filters, 0, os.SEEK_SET)
    return filters


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
            if too_full(folder, limits.folder_bytes, limits.folder_entries, limits.folder_depth):
                return "disk"
            looked = monotonic()
    return "disk" if too_full(folder, limits.folder_bytes, limits.folder_entries, limits.folder_depth) else ""


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


def plain(output: bytes) -> str:
    """As text without colours and control characters; a line that was written over is each of its states."""
    text = output.decode("utf-8", "replace").replace("\r\n", "\n").replace("\r", "\n")
    return _CONTROLS.sub("", _ESCAPES.sub("", text)).rstrip()


def memory_of_tree(root: int) -> int:
    """Bytes of memory of a process and all that descend from it, without what is read from files."""
    return sum(map(_memory, tree(root)))


def tree(root: int) -> Iterator[int]:
    """A process and all that descend from it. Whoever loses a parent is given the first of its namespace."""
    children: dict[int, list[int]] = {}
    for name in os.listdir("/proc"):
        if name.isdigit():
            with suppress(OSError, IndexError):
                stat = Path(f"/proc/{name}/stat").read_bytes()
                children.setdefault(int(stat.rpartition(b")")[2].split()[1]), []).append(int(name))
    waiting = [root]
    while waiting:
        yield (pid := waiting.pop())
        waiting += children.get(pid, ())


def _memory(pid: int) -> int:
    """0 where the process has ended."""
    try:
        lines = Path(f"/proc/{pid}/status").read_bytes().splitlines()
    except OSError:
        return 0
    return sum(int(line.split()[1]) * 1024 for line in lines if line.startswith(_MEMORY))
