"""The work of the process that talks to one database; ``connected`` starts it.

A job is ``{"kind": "query" or "schema", "url", "options", "sql" or "like", "seconds", "bytes"}``. The answer is
``{"ok": true, ...}``, or ``{"ok": false, "error": kind, "message": sentence}``. Where nobody waits for it any more, the
statement is cancelled on the server.
"""

from __future__ import annotations

import traceback
from collections.abc import Mapping
from contextlib import AbstractContextManager, suppress
from importlib import import_module
from typing import Any, Protocol

from agent.data.databases.database_cards import no_driver
from agent.data.refusal import Refused
from agent.interface_text import packed
from agent.sandbox.ordinary import serve

_ENGINES = {"sqlite": "sqlite_reading", "duckdb": "duckdb_reading", "postgresql": "postgres_reading"}


class Room(Protocol):
    def schema(self, like: str = "") -> dict[str, Any]: ...
    def query(self, sql: str, /) -> dict[str, Any]: ...
    def cancel(self) -> None: ...


def main() -> None:
    """Do the job for which this process was started."""
    rooms: list[Room] = []
    serve(lambda job: handle(job, rooms), lambda: _cancel(rooms))


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
    """The database of the job, opened by the engine of its dialect; the others' needs SQLAlchemy."""
    engine = _ENGINES.get(str(job["dialect"]), "other_reading")
    try:
        reading = import_module(f"agent.data.databases.engines.{engine}")
    except ImportError as error:
        raise no_driver(error) from None
    return reading.opened(str(job["url"]), job["options"], float(job["seconds"]))


def _cancel(rooms: list[Room]) -> None:
    for room in rooms:
        with suppress(OSError, RuntimeError, ValueError):
            room.cancel()
