"""The tables of each conversation: their files in a folder of its own, all work on them in the sandbox."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from threading import Event as Flag
from threading import Lock
from typing import Any, BinaryIO, cast
from uuid import uuid4

from agent.data.folders import Folders, keep_upload
from agent.data.tables.loading.load_work import size_words
from agent.data.tables.loading.progress import Progress, watching
from agent.data.tables.table_rows import Card, LoadedTable, TableRows
from agent.errors import BadRequest
from agent.interface_text import Text, unpacked
from agent.sandbox.client import LOADING, PYTHON, TABLES, Role, Sandbox
from agent.sandbox.failure_sentences import Failures, done
from agent.sandbox.sandbox_errors import SandboxError
from agent.store.database import Database
from agent.text.encodings import MEBIBYTE

# The endings of files that can be loaded; what is in a file decides how.
FILE_TYPES = (
    *("csv", "tsv", "tab", "txt", "gz", "xlsx", "xls", "xlsm", "xlsb", "ods", "parquet", "pq"),
    *("json", "jsonl", "ndjson", "db", "sqlite", "sqlite3", "duckdb"),
)
_FAILURES = Failures("tables", Text("Tables cannot be used just now."))
_SECONDS_TO_LOAD = 900.0
_SECONDS_TO_EXPORT = 60.0
_GRACE_SECONDS = 3.0  # a job that ends by itself says more than one that is ended

Job = Mapping[str, Any]
Answer = Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class TableLimits:
    """``file`` are the bytes of one upload, ``tables`` and ``bytes`` are of a conversation."""

    file: int = 300 * MEBIBYTE
    tables: int = 50
    bytes: int = 1024 * MEBIBYTE


class Tables(Folders):
    """The tables of all conversations. One for the process; nothing is started before a table is used."""

    def __init__(self, database: Database, folder: Path, sandbox: Sandbox, limits: TableLimits | None = None) -> None:
        super().__init__(database, folder, sandbox)
        self.rows = TableRows(database)
        self.limits = limits or TableLimits()

    def open(self, visitor: str, conversation: str, cancel: Flag | None = None) -> ConversationTables:
        """Those of a conversation; work for it ends when ``cancel`` is set.

        Raises ``BadRequest`` where it is not one of this visitor's.
        """
        return ConversationTables(self, conversation, *self.of(visitor, conversation), cancel)


@dataclass(frozen=True, slots=True)
class ConversationTables:
    """The tables of one conversation.

    What a person does raises ``BadRequest`` with a sentence; what a tool asks for (``run``, ``run_program``) raises
    ``ToolFailed``.
    """

    tables: Tables
    conversation: str
    folder: Path
    _lock: Lock
    cancel: Flag | None = None

    def loaded(self) -> tuple[LoadedTable, ...]:
        return self.tables.rows.of(self.conversation)

    def cards(self) -> tuple[Card, ...]:
        return tuple(table.card for table in self.loaded())

    def load(
        self, name: str, source: BinaryIO, progress: Callable[[Progress], None] | None = None
    ) -> tuple[tuple[Card, ...], tuple[str, ...]]:
        """The cards of all tables in an upload called ``name``, and notes on how it was read; all of it or nothing."""
        with self._lock:
            there, limits = self.loaded(), self.tables.limits
            if len(there) >= limits.tables:
                raise BadRequest(
                    Text(
                        "This chat has {count} tables, and no more fit. Remove some, then load {name}.",
                        count=len(there),
                        name=name,
                    )
                )
            self.tables.sandbox.start()  # while the file is kept
            self.tables.make(self.folder)
            try:
                cards, notes = self._load(name, source, progress, limits.tables - len(there))
                size = sum(entry.stat().st_size for entry in self.folder.iterdir() if entry.suffix == ".parquet")
                if size > limits.bytes:
                    raise BadRequest(
                        Text(
                            "With {name} this chat would keep {size} of tables; at most {most} fit. Remove some first.",
                            name=name,
                            size=size_words(size),
                            most=size_words(limits.bytes),
                        )
                    )
                self.tables.rows.add(self.conversation, cards)
            finally:
                with suppress(SandboxError):
                    self.tables.sandbox.session(self.folder, LOADING).close_idle()
                self._tidy()
        return cards, notes

    def rename(self, table: str, name: str) -> str:
        """Give the table of that id another name, made fit for SQL; the name it has then."""
        from agent.data.tables.identifiers import table_name

        if not name.strip():
            raise BadRequest(Text("A table needs a name."))
        taken = {other.name for other in self.loaded() if other.id != table}
        new = table_name(name[:200], taken)
        self.tables.rows.change(self.conversation, table, {**self._find(table).card, "name": new})
        return new

    def remove(self, table: str) -> None:
        """Remove a table for good; nothing happens where it is gone."""
        self.tables.rows.remove(self.conversation, table)
        # While a file is being loaded, its end tidies up.
        if self._lock.acquire(blocking=False):
            try:
                self._tidy()
            finally:
                self._lock.release()

    def retype(self, table: str, column: str, to: str) -> int:
        """Read a column as another type; how many values had to be left out for it."""
        with self._lock:
            try:
                answer = self._asked({"kind": "retype", "table": self._find(table).card, "column": column, "to": to})
                self.tables.rows.change(self.conversation, table, cast("Card", answer["table"]))
            finally:
                self._tidy()
        return int(answer["lost"])

    def preview(self, table: str, offset: int, limit: int, order: str = "", descending: bool = False) -> Answer:
        """A page of the table: columns, rows, total."""
        page = {"offset": offset, "limit": limit, "order": order, "descending": descending}
        return self._asked({"kind": "preview", "file": self._find(table).file, **page})

    def bad_rows(self, table: str) -> list[Mapping[str, Any]]:
        """The first of the lines that could not be read: line, problem, text."""
        file = str(self._find(table).card.get("bad_file") or "")
        return list(self._asked({"kind": "bad_rows", "file": file})["rows"]) if file else []

    def query(self, sql: str) -> Answer:
        """What a person's own SQL gives."""
        return self._asked({"kind": "query", "sql": sql})

    def export(self, sql: str) -> bytes:
        """The whole result as CSV that a spreadsheet opens without running what is in it."""
        job = {"kind": "export", "sql": sql, "seconds": _SECONDS_TO_EXPORT}
        with self._lock:
            try:
                return (self.folder / Path(str(self._asked(job)["file"])).name).read_bytes()
            except OSError as error:
                raise BadRequest(Text("The result could not be written. Try again.")) from error
            finally:
                self._tidy()

    def run(self, job: Job) -> Answer:
        """Do a job of ``agent.data.tables.table_jobs`` for a tool; the tables are filled in."""
        with _FAILURES.for_a_tool():
            return self._call({**job, "tables": self._named()}, TABLES, float(job.get("seconds", TABLES.seconds)))

    def run_program(self, code: str, new: bool) -> tuple[Answer, bool]:
        """The answer of a program (see ``agent.sandbox.inside.notebook``), and whether no state was there before it.

        ``new`` begins without what an earlier program left, unless one is at work for this conversation now.
        """
        with _FAILURES.for_a_tool():
            self.tables.make(self.folder)
            session = self.tables.sandbox.session(self.folder, PYTHON)
            if new:
                session.close_idle()
            files = {table.name: table.file for table in self.loaded()}
            answer = session.call({"kind": "python", "code": code, "tables": files}, cancel=self.cancel)
            return answer, session.fresh

    def _named(self) -> list[dict[str, str]]:
        return [{"name": table.name, "file": table.file} for table in self.loaded()]

    def _find(self, table: str) -> LoadedTable:
        found = next((one for one in self.loaded() if one.id == table), None)
        if found is None:
            raise BadRequest(Text("This table is gone."))
        return found

    def _call(self, job: Job, role: Role, seconds: float) -> Answer:
        return self.tables.sandbox.session(self.folder, role).call(job, seconds + _GRACE_SECONDS, self.cancel)

    def _asked(self, job: Job, seconds: float = 0.0, role: Role = TABLES) -> Answer:
        """The answer of a job that was done, for a person."""
        seconds = seconds or float(job.get("seconds", TABLES.seconds))
        with _FAILURES.for_a_person():
            answer = self._call({"tables": self._named(), **job}, role, seconds)
        return done(answer)

    def _load(
        self, name: str, source: BinaryIO, progress: Callable[[Progress], None] | None, most: int
    ) -> tuple[tuple[Card, ...], tuple[str, ...]]:
        upload, told = f"upload_{uuid4().hex}", f"progress_{uuid4().hex}.json"
        keep_upload(name, source, self.folder / upload, self.tables.limits.file)
        limits = {"file": self.tables.limits.file, "tables": most}
        taken = [table.name for table in self.loaded()]
        job = {"kind": "load", "source": upload, "name": name, "taken": taken, "progress": told, "limits": limits}
        with watching(self.folder / told, progress):
            answer = self._asked(job, _SECONDS_TO_LOAD, LOADING)
        return tuple(answer["tables"]), tuple(unpacked(note) for note in answer["notes"])

    def _tidy(self) -> None:
        """Remove every file that belongs to no table."""
        kept = {file for table in self.loaded() for file in table.files()}
        for entry in self.folder.iterdir() if self.folder.is_dir() else ():
            if entry.name not in kept:
                entry.unlink(missing_ok=True)
