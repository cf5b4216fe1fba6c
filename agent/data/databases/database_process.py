"""A job done by ``database_worker`` in a process of its own, which is ended at its time, or when somebody says stop."""

from __future__ import annotations

import logging
from collections.abc import Mapping
from dataclasses import replace
from threading import Event as Flag
from typing import Any

from agent.errors import ToolFailed
from agent.interface_text import Text, unpacked
from agent.sandbox import ordinary
from agent.sandbox.client import Role
from agent.sandbox.sandbox_errors import WorkerKilled

log = logging.getLogger(__name__)
# It needs the network, and the files of SQLite and DuckDB wherever they are: so it is not locked in. Of a file it may
# write the index of an SQLite log, which may have to be made anew, and nothing else.
_ASKING = Role(handler="agent.data.databases.database_worker", file_bytes=64 * 1024)
_GRACE_SECONDS = 2.0  # a server that stops by itself says more than a process that is ended
_KINDS = {"time": "timeout", "connect": "network", "size": "input", "sql": "input", "name": "input"}
_ENDED = {
    "stopped": ("The run was stopped before the database had answered.", "stopped"),
    "time": ("The database took too long and was stopped. Ask for less.", "timeout"),
    "died": ("The database could not be asked: this took more memory than it may. Ask for less.", "input"),
}

Answer = Mapping[str, Any]


def do(job: Mapping[str, Any], seconds: float, environment: Mapping[str, str], cancel: Flag | None = None) -> Answer:
    """The answer to a job that was done; raises ``ToolFailed`` with its sentence otherwise.

    The process starts with this ``environment``, and is gone when this returns.
    """
    role = replace(_ASKING, memory=job["bytes"])
    try:
        answer = ordinary.ask(role, {**job, "seconds": seconds}, seconds + _GRACE_SECONDS, environment, cancel)
    except WorkerKilled as killed:
        raise ToolFailed(*_ENDED[killed.reason]) from None
    return read_answer(answer)


def read_answer(answer: Answer) -> Answer:
    """What the worker said; raises ``ToolFailed`` with its sentence where it could not do the job."""
    if answer.get("ok"):
        return answer
    if answer.get("error") == "bug":
        log.error("a database could not be asked: %s\n%s", answer.get("message"), answer.get("trace"))
        raise ToolFailed(Text("Something went wrong with this database in Glassbox itself; its log has more."), "tool")
    raise ToolFailed(unpacked(answer.get("message")), _KINDS.get(str(answer.get("error")), "input"))
