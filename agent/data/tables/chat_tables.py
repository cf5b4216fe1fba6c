"""The tables of each conversation: their files in a folder of its own, all work on them in the sandbox."""

from __future__ import annotations

import re
from collections.abc import Generator, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from filecmp import cmp
from pathlib import Path
from threading import Event as Flag
from typing import Any, cast
from uuid import uuid4

from agent.data.card_rows import Card, CardRows, Loaded
from agent.data.folders import Answer, ConversationFiles, Uploads
from agent.data.kept_files.copies import KeptFiles
from agent.data.kept_files.file_store import FilesFailed, opened
from agent.data.tables.card_texts import repairs_told
from agent.data.tables.loading.load_work import size_words
from agent.data.tables.table_artifacts import CUT
from agent.errors import BadRequest, GlassboxError
from agent.interface_text import Text, packed, unpacked
from agent.sandbox.client import LOADING, PYTHON, TABLES, Role, Sandbox
from agent.sandbox.sandbox_errors import Failures, SandboxError
from agent.store.database import Database
from agent.store.schema import LOADED
from agent.text.characters import shows
from agent.text.encodings import MEBIBYTE

# The endings of files that can be loaded; what is in a file decides how.
FILE_TYPES = (
    *("csv", "tsv", "tab", "txt", "gz", "xlsx", "xls", "xlsm", "xlsb", "ods", "parquet", "pq"),
    *("json", "jsonl", "ndjson", "db", "sqlite", "sqlite3", "duckdb"),
)
_SECONDS_TO_LOAD = 900.0  # at the most
_SECONDS_TO_EXPORT = 60.0

Job = Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class TableLimits:
    """``file`` are the bytes of one upload, ``tables`` and ``bytes`` are of a conversation."""

    file: int = 300 * MEBIBYTE
    tables: int = 50
    bytes: int = 1024 * MEBIBYTE


@dataclass(frozen=True, slots=True)
class LoadedTable(Loaded):
    """``card`` is as ``card_of`` gives it."""

    @property
    def file(self) -> str:
        """The name of its Parquet file in the conversation's folder."""
        return str(self.card["file"])

    @property
    def rows(self) -> int:
        return int(self.card["rows"])

    @property
    def source(self) -> str:
        """The name of the file it came from."""
        return str(self.card["source"])

    def files(self) -> Iterator[str]:
        """All its files in the folder."""
        yield self.file
        if self.card.get("bad_file"):
            yield str(self.card["bad_file"])
        if self.card.get("base"):
            yield str(self.card["base"]["file"])


def table_rows(database: Database) -> CardRows[LoadedTable]:
    return CardRows(database, LOADED, LoadedTable, "name", "file")


class Tables(Uploads[LoadedTable]):
    """The tables of all conversations. One for the process; nothing is started before a table is used."""

    failures = Failures("tables", Text("Tables cannot be used just now."))

    def __init__(
        self,
        database: Database,
        folder: Path,
        sandbox: Sandbox,
        limits: TableLimits | None = None,
        kept: KeptFiles | None = None,
    ) -> None:
        super().__init__(database, folder, sandbox, kept)
        self.rows = table_rows(database)
        self.limits = limits or TableLimits()

    @property
    def most(self) -> int:
        return self.limits.file

    def open(self, visitor: str, conversation: str, cancel: Flag | None = None) -> ConversationTables:
        """Those of a conversation; work for it ends when ``cancel`` is set.

        Raises ``BadRequest`` where it is not one of this visitor's.
        """
        return ConversationTables(self, conversation, *self.of(visitor, conversation), cancel, visitor)

    def _named(self, conversations: Sequence[str]) -> set[str]:
        return {name for table in self.rows.of_all(conversations) for name in table.files()}


@dataclass(frozen=True, slots=True)
class ConversationTables(ConversationFiles[LoadedTable]):
    """The tables of one conversation.

    What a person does raises ``BadRequest`` with a sentence; what a tool asks for (``run``, ``run_program``) raises
    ``ToolFailed``.
    """

    files: Tables

    def cards(self) -> tuple[Card, ...]:
        return tuple(table.card for table in self.loaded())

    def _check_room(self, name: str, there: Sequence[LoadedTable]) -> None:
        if len(there) >= self.files.limits.tables:
            raise BadRequest.because(
                "This chat has {count} tables, and no more fit. Remove some, then load {name}.",
                count=len(there),
                name=name,
            )

    def _load(self, job: Job, there: Sequence[LoadedTable]) -> tuple[tuple[Card, ...], tuple[str, ...]]:
        most = self.files.limits
        limits = {"file": most.file, "tables": most.tables - len(there)}
        taken = [table.name for table in there]
        seconds = self._seconds_to_load(job, _SECONDS_TO_LOAD)
        answer = self._done({"kind": "load", **job, "taken": taken, "limits": limits}, LOADING, seconds, wanted=())
        size = sum(entry.stat().st_size for entry in self.folder.iterdir() if entry.suffix == ".parquet")
        if size > most.bytes:
            raise BadRequest.because(
                "With {name} this chat would keep {size} of tables; at most {most} fit. Remove some first.",
                name=str(job["name"]),
                size=size_words(size),
                most=size_words(most.bytes),
            )
        read = [(cast("Card", card), self._same(card, there)) for card in answer["tables"]]
        made = {uuid4().hex: card for card, same in read if same is None}
        with self._kept(name for card in made.values() for name in LoadedTable("", card).files()):
            cards = self.files.rows.add(self.conversation, made, _with_free_name) if made else ()
        again = [same for _, same in read if same]
        notes = [*map(unpacked, answer["notes"]), *(Text("{name} was loaded already.", name=one.name) for one in again)]
        return (*cards, *(one.card for one in again)), tuple(notes)

    def _same(self, card: Card, there: Sequence[LoadedTable]) -> LoadedTable | None:
        """The table that came from a file of that name before, where it still has the same rows."""
        file = self.folder / str(card["file"])
        sources = [table for table in there if table.source == card["source"] and (self.folder / table.file).is_file()]
        return next((table for table in sources if cmp(file, self.folder / table.file, shallow=False)), None)

    @contextmanager
    def _kept(self, new: Iterable[str]) -> Generator[None]:
        """Keeps new files beside those of others, before their rows are written in the block.

        Raises ``FilesFailed``.
        """
        names, kept = tuple(new), self.files.kept
        if kept is None:
            yield
            return
        kept.keep(self.folder, names)
        try:
            yield
        except GlassboxError:
            kept.drop(self.folder, names)
            raise

    def _names(self, loaded: LoadedTable) -> Iterator[str]:
        return loaded.files()

    def _bring(self, loaded: LoadedTable, known: set[str]) -> None:
        if not (self.folder / loaded.file).is_file():
            self._fetch(loaded.file, loaded, self.files.limits.bytes)

    def _bring_all(self, loaded: LoadedTable) -> None:
        """Have its other files here, too, where they are kept elsewhere."""
        for name in loaded.files() if self.files.kept else ():
            if not (self.folder / name).is_file():
                self._fetch(name, loaded, self.files.limits.bytes)

    def _after_loading(self) -> None:
        with suppress(SandboxError):
            self.files.sandbox.session(self.folder, LOADING, self.visitor).close_idle()
        self._tidy()

    def rename(self, table: str, name: str) -> str:
        """Give the table of that id another name, made fit for SQL; the name it has then."""
        from agent.data.tables.identifiers import table_name

        if not shows(name):
            raise BadRequest.because("A table needs a name.")
        taken = {other.name for other in self.loaded() if other.id != table}
        new = table_name(name[:200], taken)
        found = self._find(table)
        self.files.rows.change(self.conversation, found, {**found.card, "name": new})
        return new

    def retype(self, table: str, column: str, to: str) -> int:
        """Read a column as another type; how many values had to be left out for it."""
        return int(self._remade(table, {"kind": "retype", "column": column, "to": to})["lost"])

    def repair(self, table: str, place: int, to: str) -> None:
        """Do the repair at ``place`` of the table's (``on``), undo it (``off``), or read its dates in an order."""
        self._remade(table, {"kind": "repair", "place": place, "to": to})

    def _remade(self, table: str, job: Job) -> Answer:
        """The answer of a job that makes a table anew, which is kept."""
        with self._lock, self._working():
            try:
                before = self._find(table)
                self._bring_all(before)
                answer = self._done({**job, "table": before.card}, wanted=[before])
                card = cast("Card", answer["table"])
                old, new = set(before.files()), set(LoadedTable("", card).files())
                with self._kept(new - old):
                    self.files.rows.change(self.conversation, before, card)
                if self.files.kept:
                    self.files.kept.drop(self.folder, tuple(old - new))
            finally:
                self._tidy()
        return answer

    def preview(self, table: str, offset: int, limit: int, order: str = "", descending: bool = False) -> Answer:
        """A page of the table: columns, rows, total."""
        page = {"offset": offset, "limit": limit, "order": order, "descending": descending}
        found = self._find(table)
        return self._done({"kind": "preview", "file": found.file, **page}, wanted=[found])

    def bad_rows(self, table: str) -> list[Mapping[str, Any]]:
        """The first of the lines that could not be read: line, problem, text."""
        found = self._find(table)
        file = str(found.card.get("bad_file") or "")
        with self._working():
            self._bring_all(found)
            return list(self._done({"kind": "bad_rows", "file": file}, wanted=())["rows"]) if file else []

    def query(self, sql: str) -> Answer:
        """What a person's own SQL gives."""
        return self._done({"kind": "query", "sql": sql})

    def export(self, sql: str, cut: str = str(CUT)) -> bytes:
        """The result as CSV that a spreadsheet opens without running what is in it; ``cut`` ends it where it is cut."""
        job = {"kind": "export", "sql": sql, "seconds": _SECONDS_TO_EXPORT, "more": cut}
        with self._lock, self._working():
            try:
                with opened(self.folder, str(self._done(job)["file"])) as file:
                    return file.read()
            except (OSError, FilesFailed) as error:
                raise BadRequest.because("The result could not be written. Try again.") from error
            finally:
                self._tidy()

    def run(self, job: Job) -> Answer:
        """Do a job of ``agent.data.tables.table_jobs`` for a tool; the tables are filled in."""
        with self.files.for_a_tool(), self._at_hand():
            done = self._call({**job, "tables": self._named()}, TABLES, float(job.get("seconds", TABLES.seconds)))
        return {**done, "notes": packed(self._repairs_of(str(job.get("sql") or job.get("source") or "")))}

    def _repairs_of(self, sql: str) -> list[Text]:
        """What was put right in the tables that ``sql`` names."""
        words = set(re.findall(r"\w+", sql.lower()))
        repaired = [table for table in self.loaded() if table.name.lower() in words and table.card.get("repairs")]
        return [
            Text("{table}: {told}", table=table.name, told=told)
            for table in repaired
            for told in repairs_told(table.card)
        ]

    def run_program(self, code: str, new: bool) -> tuple[Answer, bool]:
        """The answer of a program (see ``agent.sandbox.inside.notebook``), and whether no state was there before it.

        ``new`` begins without what an earlier program left, unless one is at work for this conversation now.
        """
        loaded = self.loaded()
        # A program that names no table needs none of them.
        wanted = loaded if any(word in code for word in ("table", "df", *(each.name for each in loaded))) else ()
        with self.files.for_a_tool(), self._at_hand(wanted):
            self.files.make(self.folder)
            session = self.files.sandbox.session(self.folder, PYTHON, self.visitor)
            if new:
                session.close_idle()
            files = {table.name: table.file for table in loaded}
            answer = session.call({"kind": "python", "code": code, "tables": files}, cancel=self.cancel)
            return answer, session.fresh

    def _named(self) -> list[dict[str, Any]]:
        return [{"name": table.name, "file": table.file, "columns": _headed(table.card)} for table in self.loaded()]

    def _find(self, table: str) -> LoadedTable:
        found = self.find(table)
        if found is None:
            raise BadRequest.because("This table is gone.")
        return found

    def _done(
        self, job: Job, role: Role = TABLES, seconds: float = 0.0, wanted: Sequence[LoadedTable] | None = None
    ) -> Answer:
        """The answer of a job that was done, for a person; the tables are filled in. It needs those ``wanted``."""
        with self._at_hand(wanted):
            return self._asked({"tables": self._named(), **job}, role, seconds)

    def _tidy(self) -> None:
        """Remove every file that belongs to no table."""
        kept = {file for table in self.loaded() for file in table.files()}
        for entry in self.folder.iterdir() if self.folder.is_dir() else ():
            if entry.name not in kept:
                entry.unlink(missing_ok=True)


def _with_free_name(card: Card, taken: set[str]) -> Card:
    """Under another name where another process has taken it meanwhile."""
    from agent.data.tables.identifiers import table_name

    name = str(card["name"])
    return {**card, "name": table_name(name, taken)} if name in taken else card


def _headed(card: Card) -> list[dict[str, str]]:
    """The columns of a card with what stands above them."""
    return [{key: str(column.get(key, "")) for key in ("name", "label", "unit", "kind")} for column in card["columns"]]
