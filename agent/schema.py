"""The store's tables, and the database they lie in."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any, cast

import sqlalchemy as sql
from sqlalchemy import event
from sqlalchemy.engine import make_url
from sqlalchemy.pool import StaticPool
from sqlalchemy.sql.compiler import SQLCompiler
from sqlalchemy.sql.elements import ClauseElement

_BUSY_MILLISECONDS = 10_000

TABLES = sql.MetaData()
CONVERSATIONS = sql.Table(
    "conversations",
    TABLES,
    sql.Column("id", sql.String, primary_key=True),
    sql.Column("visitor", sql.String, nullable=False, index=True),
    sql.Column("title", sql.String, nullable=False),
    sql.Column("created", sql.Float, nullable=False),
    sql.Column("updated", sql.Float, nullable=False),
)
RUNS = sql.Table(
    "runs",
    TABLES,
    sql.Column("id", sql.String, primary_key=True),
    sql.Column("conversation", sql.String, sql.ForeignKey("conversations.id"), nullable=False, index=True),
    sql.Column("follows", sql.String, nullable=False),
    sql.Column("created", sql.Float, nullable=False),
    sql.Column("process", sql.String, nullable=False),
    sql.Column("alive", sql.Float, nullable=False),
    sql.Column("ended", sql.String, nullable=False, index=True),
)
EVENTS = sql.Table(
    "events",
    TABLES,
    sql.Column("run", sql.String, sql.ForeignKey("runs.id"), primary_key=True),
    sql.Column("number", sql.Integer, primary_key=True),
    sql.Column("body", sql.Text, nullable=False),
    sqlite_with_rowid=False,
)
ARTIFACTS = sql.Table(
    "artifacts",
    TABLES,
    sql.Column("run", sql.String, sql.ForeignKey("runs.id"), primary_key=True),
    sql.Column("hash", sql.String, primary_key=True),
    sql.Column("content", sql.LargeBinary, nullable=False),
)

_RUN = sql.bindparam("run", type_=sql.String)
_OPEN = sql.exists().where(RUNS.c.id == _RUN, RUNS.c.ended == "")
_NEXT = sql.select(sql.func.coalesce(sql.func.max(EVENTS.c.number), 0) + 1).where(EVENTS.c.run == _RUN)
# Adds one event with the next number, or none at all where the run has ended.
ADD_EVENT = sql.insert(EVENTS).from_select(
    ["run", "number", "body"],
    sql.select(_RUN, _NEXT.scalar_subquery(), sql.bindparam("body", type_=sql.Text)).where(_OPEN),
)
END_RUN = sql.update(RUNS).where(RUNS.c.id == _RUN).values(ended=sql.bindparam("ended"))
FIND_ARTIFACT = sql.select(ARTIFACTS.c.hash).where(
    ARTIFACTS.c.run == sql.bindparam("run"), ARTIFACTS.c.hash == sql.bindparam("hash")
)
INSERT_ARTIFACT = sql.insert(ARTIFACTS)


class Statement:
    """A statement in the words of the engine's database, to be run on a bare cursor."""

    def __init__(self, statement: ClauseElement, engine: sql.Engine) -> None:
        compiled = statement.compile(dialect=engine.dialect)
        self._text = str(compiled)
        self._constants: dict[str, Any] = dict(cast("Mapping[str, Any]", compiled.params))
        self._order: list[str] | None = compiled.positiontup if isinstance(compiled, SQLCompiler) else None

    def execute(self, cursor: Any, values: Mapping[str, object]) -> Any:
        """Run it; ``cursor`` has what came of it. Raises what the driver raises."""
        named = {**self._constants, **values}
        bound = named if self._order is None else tuple(named[name] for name in self._order)
        cursor.execute(self._text, bound)
        return cursor


def open_engine(url: str) -> sql.Engine:
    address = make_url(url)
    if address.get_backend_name() != "sqlite":
        return sql.create_engine(address, pool_pre_ping=True)
    if not address.database:
        return sql.create_engine(address, poolclass=StaticPool, connect_args={"check_same_thread": False})
    Path(address.database).parent.mkdir(parents=True, exist_ok=True)
    engine = sql.create_engine(address, connect_args={"timeout": _BUSY_MILLISECONDS / 1000})
    event.listen(engine, "connect", _set_up_sqlite)
    return engine


def _set_up_sqlite(connection: Any, _record: object) -> None:
    for pragma in ("journal_mode=WAL", "synchronous=NORMAL", f"busy_timeout={_BUSY_MILLISECONDS}", "foreign_keys=ON"):
        connection.execute(f"PRAGMA {pragma}")
