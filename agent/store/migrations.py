"""Brings a store up to date: numbered steps, applied in order, each once, all in one transaction.

The table ``store_versions`` has a row for each step that was applied. Of several processes that open a store at once,
one applies them and the others wait. An earlier version of Glassbox goes on using a store where what changed does not
matter to it: ``oldest`` says so.

A store changes so: change ``agent.store.schema``, add a step here that does the same to a store that is there (and
nothing where it was done already: a new store is made whole by the first step), and keep a store of the version before
in the tests.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from time import time

import sqlalchemy as sql
from sqlalchemy.engine import Connection
from sqlalchemy.schema import CreateColumn

from agent.errors import StoreFailed
from agent.interface_text import Text
from agent.store.schema import (
    ATTEMPTS,
    EVALUATIONS,
    EVENTS,
    KEPT_TESTS,
    LEARNED,
    MODEL_CARDS,
    NOTES,
    PEOPLE,
    PROCESSES,
    RUNS,
    SHARES,
    SITE_KEYS,
    STORE_VERSIONS,
    STREAMED,
    TABLES,
    TEST_SETS,
)
from agent.store.team_tables import PRESET_FILES, SITE_CARDS, SITE_PRESETS, TEAM_MEMBERS, TEAM_READ, TEAM_SHARES

_NEWER = Text(
    "The conversations were kept by a newer version of Glassbox, which changed how they are kept. "
    "Update Glassbox to open them."
)
# Names the lock to PostgreSQL; any number that nothing else in the database uses.
_LOCK = 7_104_229_215


@dataclass(frozen=True, slots=True)
class Migration:
    """A step. ``oldest`` is the number of the earliest version of the code that can use the store after it."""

    about: str
    apply: Callable[[Connection], None]
    oldest: int = 1


def _make(connection: Connection) -> None:
    TABLES.create_all(connection)
    for table in TABLES.sorted_tables:
        _add_columns(connection, table)


def _make_site(connection: Connection) -> None:
    for table in (PEOPLE, PROCESSES):
        table.create(connection, checkfirst=True)


def _make_tests(connection: Connection) -> None:
    TABLES.create_all(connection, [TEST_SETS, KEPT_TESTS, EVALUATIONS, ATTEMPTS])


def _make_teams(connection: Connection) -> None:
    TABLES.create_all(connection, [TEAM_SHARES, TEAM_MEMBERS, TEAM_READ])


def _make_presets(connection: Connection) -> None:
    TABLES.create_all(connection, [SITE_PRESETS, PRESET_FILES])


def _make_cards(connection: Connection) -> None:
    TABLES.create_all(connection, [MODEL_CARDS, SITE_CARDS])


MIGRATIONS = (
    Migration("All tables, and the columns that a store of before there were numbers may lack.", _make),
    Migration("The kind of each event in a column of its own.", lambda connection: _add_columns(connection, EVENTS)),
    Migration("A table for notes.", lambda connection: NOTES.create(connection, checkfirst=True)),
    Migration("A table for what servers refuse.", lambda connection: LEARNED.create(connection, checkfirst=True)),
    Migration("A table for keys.", lambda connection: SITE_KEYS.create(connection, checkfirst=True)),
    Migration("A table for unfinished replies.", lambda connection: STREAMED.create(connection, checkfirst=True)),
    Migration("What a run holds of the owner's money.", lambda connection: _add_columns(connection, RUNS)),
    Migration("A table for what is shared.", lambda connection: SHARES.create(connection, checkfirst=True)),
    Migration("What a run goes on with whose process is gone.", lambda connection: _add_columns(connection, RUNS)),
    Migration("Tables for kept tests and their results.", _make_tests),
    Migration("Tables for the people and the processes of the site.", _make_site),
    Migration("Sets of tests that are the program's own.", lambda connection: _add_columns(connection, TEST_SETS)),
    Migration("Tables for what is shared with people.", _make_teams),
    Migration("Tables for presets that the owner keeps.", _make_presets),
    Migration("What comes along from a shared chat.", lambda connection: _add_columns(connection, TEAM_SHARES)),
    Migration("Tables for cards of models that come from files, or from the owner.", _make_cards),
)


def migrate(engine: sql.Engine) -> None:
    """Apply the steps that are missing. Raises ``StoreFailed`` for a store that only a newer version can use."""
    with engine.connect() as connection:
        if _missing(connection) == ():
            return
    with engine.begin() as connection:
        if engine.dialect.name == "sqlite":
            connection.exec_driver_sql("BEGIN IMMEDIATE")
        else:
            connection.execute(sql.select(sql.func.pg_advisory_xact_lock(_LOCK)))
        for number in _missing(connection):
            step = MIGRATIONS[number - 1]
            step.apply(connection)
            row = {"number": number, "oldest": step.oldest, "applied": time()}
            connection.execute(sql.insert(STORE_VERSIONS), row)


def last_step(connection: Connection) -> tuple[int, int]:
    """The number of the last step that was applied to a store, and the earliest version of the code that can use it."""
    last = (
        sql.select(STORE_VERSIONS.c.number, STORE_VERSIONS.c.oldest).order_by(STORE_VERSIONS.c.number.desc()).limit(1)
    )
    number, oldest = connection.execute(last).one_or_none() or (0, 0)
    return number, oldest


def _missing(connection: Connection) -> tuple[int, ...]:
    """The numbers of the steps that were not applied yet, in order."""
    if not sql.inspect(connection).has_table(STORE_VERSIONS.name):
        return tuple(range(1, len(MIGRATIONS) + 1))
    number, oldest = last_step(connection)
    if oldest > len(MIGRATIONS):
        raise StoreFailed(_NEWER)
    return tuple(range(number + 1, len(MIGRATIONS) + 1))


def _add_columns(connection: Connection, table: sql.Table) -> None:
    """Add the columns that the table lacks; their defaults fill the rows there are."""
    known = {column["name"] for column in sql.inspect(connection).get_columns(table.name)}
    for column in table.columns:
        if column.name not in known:
            written = CreateColumn(column).compile(dialect=connection.dialect)
            name = connection.dialect.identifier_preparer.format_table(table)
            connection.execute(sql.text(f"ALTER TABLE {name} ADD COLUMN {written}"))
