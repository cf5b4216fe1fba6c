"""Brings a backup back, into a store of either kind: all of it, or nothing."""

from __future__ import annotations

import json
import math
from base64 import b64decode
from collections.abc import Callable, Mapping
from contextlib import suppress
from functools import partial
from itertools import islice
from pathlib import Path
from typing import Any, cast
from uuid import uuid4

import sqlalchemy as sql
from sqlalchemy.engine import Connection
from sqlalchemy.exc import DataError, IntegrityError

from agent.application.backup.archive import Reading, newer, opened_backup
from agent.application.backup.site_files import SiteFiles, check_room, site_files
from agent.application.backup.snapshot import OF_PROCESSES, Made
from agent.application.site.roll_call import SILENT_SECONDS, RollCall
from agent.application.visitor_ids import FILES_KEY
from agent.data.card_rows import Card
from agent.data.kept_files.file_store import key_of
from agent.data.tables.chat_tables import LoadedTable
from agent.errors import BadRequest, StoreFailed
from agent.interface_text import Text
from agent.sandbox.client import Sandbox
from agent.settings import Settings
from agent.store.database import Database
from agent.store.leases import alive_in
from agent.store.migrations import MIGRATIONS
from agent.store.schema import (
    CONVERSATIONS,
    DOCUMENTS,
    LOADED,
    MODEL_CARDS,
    NOTES,
    PREFERENCES,
    RUNS,
    SHARES,
    SITE_KEYS,
    SPENDING,
    TABLES,
    TEST_SETS,
)
from agent.store.team_tables import SITE_CARDS, SITE_PRESETS
from agent.text.regex import regex

_AT_ONCE = 200
_ID = regex(r"[0-9a-f]{32}")
_MOST = {"INTEGER": 2**31, "BIGINT": 2**63}
# What a person made, or paid for: a store with any of it is not empty.
_PEOPLES = (CONVERSATIONS, NOTES, PREFERENCES, SPENDING, SHARES, TEST_SETS, SITE_PRESETS, MODEL_CARDS, SITE_CARDS)
_NOT_EMPTY = Text(
    "There are chats in this store already. Name an empty one (GLASSBOX_DATABASE, GLASSBOX_DATA), or add --replace to "
    "have everything in it removed first."
)
_MOST_NAMED = 8  # processes


def _check_stopped(settings: Settings, database: Database) -> None:
    """Raises ``BadRequest`` where a process is at work: what it knows would not be what is in the store any more."""
    folder = settings.data / "processes"
    told = RollCall(database, "").not_ended(folder)
    names = [f"{each.kind} on {each.host}" for each in told]
    names += ["one on this machine"] * len(alive_in(folder) - {each.id for each in told})
    if names:
        more = ["…"] if len(names) > _MOST_NAMED else []
        raise BadRequest.because(
            "Nothing was restored: the site is at work on this store ({processes}). Stop its web processes and "
            "workers, then try again. One that was killed on another machine counts for {seconds} seconds.",
            processes=", ".join([*names[:_MOST_NAMED], *more]),
            seconds=round(SILENT_SECONDS),
        )


def restore_backup(settings: Settings, path: Path, replace: bool = False) -> Made:
    """Bring back the backup in a file; with ``replace`` what is there is removed first.

    Raises ``GlassboxError``, also where a process of the site is at work on the store, and ``OSError`` where the file
    cannot be read.
    """
    sandbox = Sandbox()
    with opened_backup(path) as reading:
        if reading.head.oldest > len(MIGRATIONS):
            raise newer()
        check_room(settings, reading.size)
        reading.check()
        database, files = Database(settings.database), None
        try:
            _check_stopped(settings, database)
            if not replace and _has_any(database):
                raise BadRequest(_NOT_EMPTY)
            files = site_files(settings, database, sandbox, new=True)
            return _restored(reading, database, files, partial(_check_stopped, settings, database))
        finally:
            if files:
                files.close()
            sandbox.close()
            database.close()


def _has_any(database: Database) -> bool:
    with database.begin() as connection:
        return any(connection.execute(sql.select(table).limit(1)).first() for table in _PEOPLES)


def _restored(reading: Reading, database: Database, files: SiteFiles, check: Callable[[], None]) -> Made:
    known = {str(row.get("id")) for row in reading.rows(CONVERSATIONS.name)}
    if not all(map(_ID.fullmatch, known)):
        raise reading.damaged()
    count = 0
    with files.putting() as put:
        for kind, conversation, name in reading.files():
            if conversation not in known:
                raise reading.damaged()
            with reading.file(key_of(kind, conversation, name), files.most(kind)) as source:
                put(kind, conversation, name, source)
            count += 1
        try:
            with database.begin() as connection:
                left_out = _Rows(reading, connection).insert()
                check()  # once more: nobody who starts from now on sees what was there before
        except StoreFailed as error:
            if isinstance(error.__cause__, IntegrityError | DataError):  # rows of nothing, or twice
                raise reading.damaged() from error
            raise
    return Made(len(known), reading.tables.get(RUNS.name, 0), count, left_out)


class _Rows:
    """The rows of a backup on their way into a store that has none any more."""

    def __init__(self, reading: Reading, connection: Connection) -> None:
        self._reading = reading
        self._connection = connection
        self._unknown: dict[Text, None] = {}
        # No process has this id: runs that were at work are taken up as those of one that was killed.
        self._process = uuid4().hex

    def insert(self) -> tuple[Text, ...]:
        """What of them a newer version wrote, and is left out."""
        tables = [table for table in TABLES.sorted_tables if table not in OF_PROCESSES]
        for table in reversed(tables):
            kept = SITE_KEYS.c.name == FILES_KEY  # where the files have been put
            self._connection.execute(
                sql.delete(table).where(sql.not_(kept)) if table is SITE_KEYS else sql.delete(table)
            )
        for table in tables:
            rows = (self._row(table, row) for row in self._reading.rows(table.name))
            while some := list(islice(rows, _AT_ONCE)):
                self._insert(table, some)
        for name, count in self._reading.tables.items():
            if name not in TABLES.tables:
                said = Text("{n:,} row of {table}", "{n:,} rows of {table}", n=count, table=name)
                self._unknown[said] = None
        return tuple(self._unknown)

    def _insert(self, table: sql.Table, rows: list[dict[str, Any]]) -> None:
        """Rows of several versions may have different columns; those of one statement may not."""
        by_columns: dict[frozenset[str], list[dict[str, Any]]] = {}
        for row in rows:
            by_columns.setdefault(frozenset(row), []).append(row)
        for some in by_columns.values():
            self._connection.execute(sql.insert(table), some)

    def _row(self, table: sql.Table, row: Mapping[str, Any]) -> dict[str, Any]:
        for name in row.keys() - table.columns.keys():
            self._unknown[Text("The column {name} of {table}", name=str(name)[:100], table=table.name)] = None
        made = {name: self._value(column, row[name]) for name, column in table.columns.items() if name in row}
        if table in (LOADED, DOCUMENTS) and not _is_card(str(made.get("card")), table is LOADED):
            raise self._reading.damaged()
        if table is SITE_KEYS and made.get("name") == FILES_KEY:
            raise self._reading.damaged()
        if table is RUNS and not made.get("ended") and not made.get("waiting"):
            made |= {"process": self._process, "alive": 0.0}
        return made

    def _value(self, column: sql.Column[Any], value: object) -> Any:
        """A value that the column takes. Raises ``BadRequest``."""
        if value is None and column.nullable:
            return None
        kind = column.type
        if isinstance(kind, sql.LargeBinary) and isinstance(value, str):
            with suppress(ValueError):
                return b64decode(value, validate=True)
            raise self._reading.damaged()
        if isinstance(kind, sql.String) and isinstance(value, str):
            return value.replace("\x00", "\N{REPLACEMENT CHARACTER}")  # which PostgreSQL takes nowhere
        if isinstance(kind, sql.Integer) and isinstance(value, int) and abs(value) < _MOST[str(kind)]:
            return int(value)
        if isinstance(kind, sql.Float) and isinstance(value, int | float) and math.isfinite(value):
            return float(value)
        raise self._reading.damaged()


def _is_card(text: str, of_table: bool) -> bool:
    """Whether it has what the sweep of the whole site reads of each card: names of what it is, and of its files."""
    try:
        card: object = json.loads(text)
        if not isinstance(card, dict):
            return False
        told = LoadedTable("", cast("Card", card))
        return bool(told.name) and (not of_table or all(told.files()))
    except (ValueError, RecursionError, LookupError, TypeError):
        return False
