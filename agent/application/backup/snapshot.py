"""Makes a backup of a site while it is at work: the store as it was at one moment, and the files that it names."""

from __future__ import annotations

import json
from base64 import b64encode
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from time import time
from typing import Any

import sqlalchemy as sql
from sqlalchemy.engine import Connection

from agent.application.backup.archive import Head, Writing, written
from agent.application.backup.site_files import SiteFiles, site_files
from agent.application.visitor_ids import FILES_KEY
from agent.errors import BadRequest
from agent.interface_text import Text
from agent.sandbox.client import Sandbox
from agent.settings import Settings
from agent.store.database import Database, place_without_store
from agent.store.migrations import last_step
from agent.store.schema import CONVERSATIONS, DOCUMENTS, LOADED, PROCESSES, RUNS, SITE_KEYS, STORE_VERSIONS, TABLES

_AT_ONCE = 200  # rows in memory
OF_PROCESSES = (STORE_VERSIONS, PROCESSES)  # what a store says of itself and of those at work on it


@dataclass(frozen=True, slots=True)
class Made:
    """What a backup has; ``left_out`` says what it has not, and why."""

    chats: int
    runs: int
    files: int
    left_out: tuple[Text, ...] = ()


def make_backup(settings: Settings, path: Path) -> Made:
    """Write a backup to a new file. Raises ``GlassboxError``, and ``OSError`` where it cannot be written."""
    if place := place_without_store(settings.database):
        raise BadRequest.because(
            "There is no store in {place}, so there is nothing to back up. Run this where the app runs, with its "
            "settings: GLASSBOX_DATABASE and GLASSBOX_DATA say where the store is.",
            place=place,
        )
    database, sandbox = Database(settings.database), Sandbox()
    files = None
    try:
        files = site_files(settings, database, sandbox)
        with written(path) as writing, database.snapshot(path.parent) as connection:
            number, oldest = last_step(connection)
            writing.head(Head(number, oldest, time()))
            return _Making(connection, writing, files).make()
    finally:
        if files:
            files.close()
        sandbox.close()
        database.close()


class _Making:
    def __init__(self, connection: Connection, writing: Writing, files: SiteFiles) -> None:
        self._connection = connection
        self._writing = writing
        self._files = files
        self._gone: list[str] = []

    def make(self) -> Made:
        # Before anything else: nobody removes files sooner than rows.
        tables = list(self._tables())
        documents = list(self._documents())
        special = {LOADED.name: tables, DOCUMENTS.name: documents}
        for table in TABLES.sorted_tables:
            if table not in OF_PROCESSES:
                self._writing.table(table.name, special[table.name] if table.name in special else self._rows(table))
        counts = self._writing.rows
        left_out = [
            Text("{name} was removed while the backup was made, or its file was gone or damaged before.", name=name)
            for name in self._gone
        ]
        return Made(counts[CONVERSATIONS.name], counts[RUNS.name], self._writing.files, (*left_out, *self._newer()))

    def _tables(self) -> Iterator[Mapping[str, Any]]:
        for row in self._rows(LOADED):
            there = self._files.table(row, self._writing.file)
            if there is None:
                self._gone.append(str(row["name"]))
            else:
                yield there

    def _documents(self) -> Iterator[Mapping[str, Any]]:
        for row in self._rows(DOCUMENTS):
            if self._files.document(row, self._writing.file):
                yield row
            else:
                self._gone.append(str(json.loads(row["card"])["name"]))

    def _rows(self, table: sql.Table) -> Iterator[dict[str, Any]]:
        chosen = sql.select(table).order_by(*table.primary_key.columns)
        if table is SITE_KEYS:  # the files are named anew where they are restored
            chosen = chosen.where(SITE_KEYS.c.name != FILES_KEY)
        streaming = self._connection.execution_options(yield_per=_AT_ONCE)
        for row in streaming.execute(chosen).mappings():
            yield {name: _plain(value) for name, value in row.items()}

    def _newer(self) -> Iterator[Text]:
        """What a newer version keeps in the store."""
        there = sql.inspect(self._connection)
        for table in TABLES.sorted_tables:
            more = {column["name"] for column in there.get_columns(table.name)} - set(table.columns.keys())
            for name in sorted(more):
                yield Text("The column {name} of {table} is of a newer version.", name=name, table=table.name)


def _plain(value: Any) -> Any:
    return b64encode(value).decode("ascii") if isinstance(value, bytes) else value
