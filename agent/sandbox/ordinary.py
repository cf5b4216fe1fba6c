"""One job in an ordinary process, which has limits and an end but no locks.

It is for what needs the network, and for machines whose kernel has no locks. Everything here is portable.

The app calls ``ask``, the program that it starts calls ``serve``: the job goes in as a line of JSON, the answer comes
out as JSON, and the process ends. It also ends when its input is closed, and so when the app dies.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Callable, Mapping
from contextlib import suppress
from pathlib import Path
from tempfile import TemporaryDirectory
from threading import Event as Flag
from threading import Thread
from time import monotonic
from typing import TYPE_CHECKING, Any, cast

from agent.sandbox.locks.roles import Role
from agent.sandbox.sandbox_errors import SandboxBusy, SandboxOff, WorkerKilled

if TYPE_CHECKING:
    from agent.sandbox.client import Sandbox

_ROOT = Path(__file__).parents[2]
_PROGRAM = "import sys; sys.path.insert(0, sys.argv[1]); __import__(sys.argv[2], fromlist=['main']).main()"
_LOOK_SECONDS = 0.05
_SECONDS_TO_END = 0.6  # for the work to end on its own, after which the process is killed
_MOST_ANSWER = 32 << 20  # bytes
_OPEN_FILES = 256

Answer = Mapping[str, Any]


def ask(
    role: Role,
    job: Mapping[str, Any],
    seconds: float,
    environment: Mapping[str, str] | None = None,
    cancel: Flag | None = None,
) -> Answer:
    """The answer to a job; the process is gone when this returns.

    ``main`` of the module ``role.handler`` is called there, which calls ``serve``. Of the role count ``memory``,
    ``file_bytes`` and ``processor_seconds``. The process starts with this ``environment`` and no other.

    Raises ``WorkerKilled``: ``time``, ``stopped``, or ``died`` where it ended without an answer.
    """
    request = json.dumps({"role": role.to_json(), "job": dict(job)}).encode() + b"\n"
    with subprocess.Popen(
        [sys.executable, "-I", "-c", _PROGRAM, str(_ROOT), role.handler],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        env=dict(environment or {}),
        cwd="/" if os.name == "posix" else None,
        start_new_session=True,
    ) as process:
        try:
            content = _exchanged(process, request, monotonic() + seconds, cancel)
        finally:
            _end(process)
    try:
        return cast("Answer", json.loads(content))
    except (ValueError, RecursionError):
        raise WorkerKilled("died") from None


def once(
    sandbox: Sandbox, role: Role, job: Mapping[str, Any], files: Mapping[str, bytes], seconds: float, visitor: str = ""
) -> Answer:
    """As ``Sandbox.once``; where this machine has no sandbox, from an ordinary process, whose job names ``folder``."""
    try:
        return sandbox.once(role, job, files, seconds, visitor)
    except SandboxBusy:
        raise
    except SandboxOff:
        with TemporaryDirectory(prefix="glassbox-once-") as folder:
            for name, content in files.items():
                Path(folder, name).write_bytes(content)
            return ask(role, {**job, "folder": folder}, seconds)


def _exchanged(process: subprocess.Popen[bytes], request: bytes, deadline: float, cancel: Flag | None) -> bytes:
    assert process.stdin is not None and process.stdout is not None
    with suppress(OSError):  # it ended at once: there is no answer then
        process.stdin.write(request)
        process.stdin.flush()
    got: list[bytes] = []
    stdout = process.stdout
    reader = Thread(target=lambda: got.append(stdout.read(_MOST_ANSWER)), name="process: answer", daemon=True)
    reader.start()
    while reader.is_alive():
        reader.join(_LOOK_SECONDS)
        if cancel is not None and cancel.is_set():
            raise WorkerKilled("stopped")
        if monotonic() > deadline and reader.is_alive():
            raise WorkerKilled("time")
    return got[0] if got else b""


def _end(process: subprocess.Popen[bytes]) -> None:
    """Let the process end its work, then kill it."""
    with suppress(OSError):
        cast("Any", process.stdin).close()
    try:
        process.wait(_SECONDS_TO_END)
    except subprocess.TimeoutExpired:
        process.kill()


def serve(work: Callable[[dict[str, Any]], object], end: Callable[[], object] = bool) -> None:
    """Do the job that this process was started for, and end the process.

    ``end`` is called in another thread, before the process ends, where nobody waits for the answer any more.
    """
    request = json.loads(sys.stdin.buffer.readline())
    _limit(Role(**request["role"]))
    Thread(target=_wait_for_the_end, args=(end,), daemon=True).start()
    answer = json.dumps(work(request["job"]), ensure_ascii=False)
    sys.stdout.buffer.write(answer.encode("utf-8", "replace"))
    sys.stdout.buffer.flush()
    os._exit(0)


def _wait_for_the_end(end: Callable[[], object]) -> None:
    while sys.stdin.buffer.read(1):
        pass
    try:
        end()
    finally:
        os._exit(1)


def _limit(role: Role) -> None:
    """What the process may take, where the system can be told."""
    try:
        import resource
    except ImportError:
        return
    sys.dont_write_bytecode = True  # cut off at the limit of a file's size, it would break the module for everybody
    wanted = (
        (resource.RLIMIT_AS, role.memory),
        (resource.RLIMIT_FSIZE, role.file_bytes),
        (resource.RLIMIT_NOFILE, _OPEN_FILES),
        (resource.RLIMIT_CPU, role.processor_seconds),
        (resource.RLIMIT_CORE, 0),
    )
    for which, most in wanted:
        with suppress(ValueError, OSError):
            hard = resource.getrlimit(which)[1]
            allowed = most if hard == resource.RLIM_INFINITY else min(most, hard)
            resource.setrlimit(which, (allowed, allowed))
