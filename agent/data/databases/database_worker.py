"""The process that talks to one database: a job comes in as a line of JSON, its answer goes out, and it ends.

A job is ``{"kind": "query" or "schema", "url", "options", "sql" or "like", "seconds", "bytes"}``. The answer is
``{"ok": true, ...}``, or ``{"ok": false, "error": kind, "message": sentence}``. When the pipe that the job came through
is closed, the statement is cancelled and the process ends: so it does when its parent dies.
"""

from __future__ import annotations

import json
import os
import sys
import traceback
from collections.abc import Mapping
from contextlib import AbstractContextManager, suppress
from threading import Thread
from typing import Any, Protocol

from agent.data.refusal import Refused
from agent.interface_text import packed

_OPEN_FILES = 256
_MOST_WRITTEN = 64 * 1024  # bytes of a file: the index of an SQLite log may have to be made anew, nothing else


class Room(Protocol):
    def schema(self, like: str = "") -> dict[str, Any]: ...
    def query(self, sql: str, /) -> dict[str, Any]: ...
    def cancel(self) -> None: ...


def main() -> None:
    job = json.loads(sys.stdin.buffer.readline())
    _limit(int(job["bytes"]))
    rooms: list[Room] = []
    Thread(target=_wait_for_the_end, args=(rooms,), daemon=True).start()
    answer = handle(job, rooms)
    sys.stdout.buffer.write(json.dumps(answer, ensure_ascii=False).encode("utf-8", "replace"))
    sys.stdout.buffer.flush()
    os._exit(0)


def handle(job: Mapping[str, Any], rooms: list[Room]) -> dict[str, Any]:
    """Do the job; the open room is put into ``rooms`` meanwhile."""
    try:
        with _opened(job) as room:
            rooms.append(room)
            done = room.query(str(job["sql"])) if job["kind"] == "query" else room.schema(str(job.get("like", "")))
            return {"ok": True, **done}
    except Refused as refused:
        return {"ok": False, "error": refused.kind, "message": packed(refused.text)}
    except MemoryError:
        return {"ok": False, "error": "size", "message": "The result is too large. Ask for fewer columns or rows."}
    except (OSError, ValueError, RuntimeError, ArithmeticError, LookupError, TypeError, AttributeError) as error:
        # What an error says may hold the address; where it happened does not.
        place = "".join(traceback.format_tb(error.__traceback__)[-6:])
        return {"ok": False, "error": "bug", "message": type(error).__name__, "trace": place}


def _opened(job: Mapping[str, Any]) -> AbstractContextManager[Room]:
    dialect, url, options, seconds = str(job["dialect"]), str(job["url"]), job["options"], float(job["seconds"])
    if dialect == "sqlite":
        from agent.data.databases.engines import sqlite_reading

        return sqlite_reading.opened(url, seconds)
    if dialect == "duckdb":
        from agent.data.databases.engines import duckdb_reading

        return duckdb_reading.opened(url, seconds)
    if dialect == "postgresql":
        try:
            from agent.data.databases.engines import postgres_reading
        except ImportError as error:
            raise _no_driver(error) from None
        return postgres_reading.opened(options, seconds)
    from agent.data.databases.engines import other_reading

    return other_reading.opened(url, options, seconds)


def _no_driver(error: ImportError) -> Refused:
    from agent.data.databases.engines.other_reading import no_driver

    return no_driver(error)


def _wait_for_the_end(rooms: list[Room]) -> None:
    while sys.stdin.buffer.read(1):
        pass
    for room in rooms:
        with suppress(OSError, RuntimeError, ValueError):
            room.cancel()
    os._exit(1)


def _limit(memory: int) -> None:
    """What the process may take, where the system can be told."""
    try:
        import resource
    except ImportError:
        return
    sys.dont_write_bytecode = True  # cut off at the limit of a file's size, it would break the module for everybody
    wanted = (
        (resource.RLIMIT_AS, memory),
        (resource.RLIMIT_FSIZE, _MOST_WRITTEN),
        (resource.RLIMIT_NOFILE, _OPEN_FILES),
        (resource.RLIMIT_CORE, 0),
    )
    for which, most in wanted:
        with suppress(ValueError, OSError):
            hard = resource.getrlimit(which)[1]
            allowed = most if hard == resource.RLIM_INFINITY else min(most, hard)
            resource.setrlimit(which, (allowed, allowed))
