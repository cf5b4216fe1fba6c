"""A job done by ``worker`` in a process of its own, which is ended at its time, or when somebody says stop."""

from __future__ import annotations

import json
import logging
import os
import subprocess
import sys
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path
from threading import Event as Flag
from threading import Thread
from time import monotonic
from typing import Any, cast

from agent.errors import ToolFailed
from agent.interface_text import Text, unpacked

log = logging.getLogger(__name__)
_ROOT = Path(__file__).parents[3]
_PROGRAM = "import sys; sys.path.insert(0, sys.argv[1]); from agent.data.databases.database_worker import main; main()"
_LOOK_SECONDS = 0.05
_SECONDS_TO_CANCEL = 0.6  # for the worker to tell the server, after which it is ended
_MOST_ANSWER = 32 * 1024 * 1024  # bytes
_GRACE_SECONDS = 2.0  # a server that stops by itself says more than a process that is ended
_KINDS = {"time": "timeout", "connect": "network", "size": "input", "sql": "input", "name": "input"}

Answer = Mapping[str, Any]


def do(job: Mapping[str, Any], seconds: float, environment: Mapping[str, str], cancel: Flag | None = None) -> Answer:
    """The answer to a job that was done; raises ``ToolFailed`` with its sentence otherwise.

    The process starts with this ``environment``, and is gone when this returns.
    """
    line = json.dumps({**job, "seconds": seconds}).encode() + b"\n"
    with subprocess.Popen(
        [sys.executable, "-I", "-c", _PROGRAM, str(_ROOT)],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        env=dict(environment),
        cwd="/" if os.name == "posix" else None,
        start_new_session=True,
    ) as process:
        try:
            return read_answer(_answer(process, line, monotonic() + seconds + _GRACE_SECONDS, cancel))
        finally:
            _end(process)


def _answer(process: subprocess.Popen[bytes], line: bytes, deadline: float, cancel: Flag | None) -> bytes:
    assert process.stdin is not None and process.stdout is not None
    with suppress(OSError):  # it ended at once: there is no answer then
        process.stdin.write(line)
        process.stdin.flush()
    got: list[bytes] = []
    stdout = process.stdout
    reader = Thread(target=lambda: got.append(stdout.read(_MOST_ANSWER)), name="database: answer", daemon=True)
    reader.start()
    while reader.is_alive():
        reader.join(_LOOK_SECONDS)
        if cancel is not None and cancel.is_set():
            raise ToolFailed("The run was stopped before the database had answered.", "stopped")
        if monotonic() > deadline and reader.is_alive():
            raise ToolFailed("The database took too long and was stopped. Ask for less.", "timeout")
    return got[0] if got else b""


def _end(process: subprocess.Popen[bytes]) -> None:
    """Let the worker cancel what the server is doing, then end it."""
    with suppress(OSError):
        cast("Any", process.stdin).close()
    try:
        process.wait(_SECONDS_TO_CANCEL)
    except subprocess.TimeoutExpired:
        process.kill()


def read_answer(content: bytes) -> Answer:
    """What the worker wrote; raises ``ToolFailed`` with its sentence where it could not do the job."""
    try:
        answer = cast("Answer", json.loads(content))
    except ValueError:
        raise ToolFailed(
            "The database could not be asked: this took more memory than it may. Ask for less.", "input"
        ) from None
    if answer.get("ok"):
        return answer
    if answer.get("error") == "bug":
        log.error("a database could not be asked: %s\n%s", answer.get("message"), answer.get("trace"))
        raise ToolFailed(Text("Something went wrong with this database in Glassbox itself; its log has more."), "tool")
    raise ToolFailed(unpacked(answer.get("message")), _KINDS.get(str(answer.get("error")), "input"))
