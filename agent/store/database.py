"""The database under the store: opening it, making its tables, transactions, and one kind of error for all of it."""

from __future__ import annotations

import sqlite3
from collections.abc import Generator, Mapping, Sequence
from contextlib import ExitStack, closing, contextmanager, suppress
from pathlib import Path
from tempfile import TemporaryDirectory
from time import monotonic, sleep
from typing import TYPE_CHECKING, Any, TypeAlias, TypeVarTuple, cast

import sqlalchemy as sql
from sqlalchemy import event
from sqlalchemy.engine import Connection, make_url
from sqlalchemy.exc import ArgumentError, SQLAlchemyError
from sqlalchemy.pool import ConnectionPoolEntry, PoolProxiedConnection, StaticPool
from sqlalchemy.sql.compiler import SQLCompiler
from sqlalchemy.sql.elements import ClauseElement

from agent.errors import BadSettings, StoreFailed, StoreRefused
from agent.interface_text import Text
from agent.store.migrations import migrate
from agent.store.schema import CONVERSATIONS

if TYPE_CHECKING:
    # Importing PostgreSQL's takes a tenth of a second, which only those who use it should wait for.
    from sqlalchemy.dialects import postgresql, sqlite

    Upsert: TypeAlias = postgresql.Insert | sqlite.Insert

Columns = TypeVarTuple("Columns")
_BUSY_MILLISECONDS, _CHECKPOINT_MILLISECONDS = 10_000, 500
_BETWEEN_TRIES = 0.01  # seconds
# Seconds that PostgreSQL is waited for, by drivers that take the parameters of its own library.
_CONNECT_SECONDS, _LIBPQ = "10", ("psycopg", "psycopg2")
_MOST_REWRITTEN = 512 * 1024 * 1024
# Failures (of PEP 249, and Python's own) that trying again does not mend. All drivers have more for their own reasons
# under these names; SQLite's bare ``DatabaseError`` is a damaged file.
_LASTING = {"DataError", "NotSupportedError", "OverflowError", "UnicodeError"}
_DAMAGED = "DatabaseError"
_DISK_FULL = "DiskFull"  # PostgreSQL's, as psycopg has it


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
        bound = named if self._order is None else [named[name] for name in self._order]
        cursor.execute(self._text, bound)
        return cursor


class Database:
    """A database with the tables of ``store.schema``. All methods raise ``StoreFailed`` where the database fails."""

    def __init__(self, url: str) -> None:
        """Open it and bring it up to date. Raises ``BadSettings`` for a URL that cannot be used."""
        self._engine = open_engine(url)
        file = self._engine.url.database
        in_file = self._engine.dialect.name == "sqlite" and file and file != ":memory:"
        # Beside SQLite's file, for what its processes share; ``None`` for one in memory, and for PostgreSQL.
        self.folder = Path(file).parent / "processes" if file and in_file else None
        self._statements: dict[ClauseElement, Statement] = {}
        # Of SQLite's file, a connection that ``cursor`` has done with, for the next: the pool takes a third of the time
        # that keeping a step takes. PostgreSQL's go back to the pool, which looks whether they are up.
        self._spare: list[PoolProxiedConnection] = []
        self._spares = int(self.folder is not None)
        with ExitStack() as undo, failing():
            undo.callback(self._engine.dispose)
            migrate(self._engine)
            undo.pop_all()

    @property
    def kind(self) -> str:
        """``sqlite`` or ``postgresql``."""
        return self._engine.dialect.name

    @property
    def version(self) -> str:
        """What it is, and its version, for people."""
        with failing(), self._engine.connect() as connection:
            numbers = connection.dialect.server_version_info or ()
        return " ".join(["SQLite" if self.kind == "sqlite" else "PostgreSQL", ".".join(map(str, numbers))])

    @property
    def address(self) -> str:
        """The address of a PostgreSQL as its own library takes it, with the password: it must not be shown."""
        return self._engine.url.set(drivername="postgresql").render_as_string(hide_password=False)

    def close(self) -> None:
        """Close its connections, those in use when they are given back."""
        event.listen(self._engine, "checkin", _close_given_back)
        self._spares = 0
        while self._spare:
            self._spare.pop().close()
        self._engine.dispose()

    def statement(self, statement: ClauseElement) -> Statement:
        """The statement, for one of ``cursor``; it is compiled once."""
        if statement not in self._statements:
            self._statements[statement] = Statement(statement, self._engine)
        return self._statements[statement]

    def rows(self, query: sql.Select[*Columns], **values: object) -> Sequence[sql.Row[*Columns]]:
        """What a query gives, in a transaction of its own; ``values`` are those of its parameters.

        A query that is built once and has parameters costs a third of one that is built when it is asked.
        """
        with self.begin() as connection:
            return connection.execute(query, values).all()

    def change(self, statement: sql.Insert | sql.Update | sql.Delete) -> int:
        """Makes a change in a transaction of its own; how many rows it was made to."""
        with self.begin() as connection:
            return connection.execute(statement).rowcount

    def upsert(self, table: sql.Table, rows: sql.Select[*tuple[Any, ...]] | None = None) -> Upsert:
        """An insert (of ``rows`` where given) that can be told what to do on conflict."""
        made = insert_into(table, self._engine.dialect.name)
        return made if rows is None else made.from_select(list(rows.selected_columns.keys()), rows)

    def put(self, table: sql.Table, key: Mapping[str, Any], values: Mapping[str, Any], **new: Any) -> Upsert:
        """The row with that ``key`` has these ``values`` from now on; one that is made has the ``new`` ones, too."""
        made = self.upsert(table).values({**key, **values, **new})
        return made.on_conflict_do_update(index_elements=list(key), set_=values)

    def forget(self, deleted: bool) -> None:
        """Leave nothing of what was ``deleted`` in the files of SQLite; where somebody reads, the next call does.

        A file is written anew, which keeps writers waiting: up to 512 MB. Overwriting alone (``secure_delete``) leaves
        copies that SQLite made as it moved rows between pages. PostgreSQL does without: it vacuums by itself.
        """
        if self._engine.dialect.name != "sqlite":
            return
        with failing(), self._engine.connect() as connection:
            size = "SELECT page_count * page_size FROM pragma_page_count, pragma_page_size"
            if deleted and connection.exec_driver_sql(size).scalar_one() <= _MOST_REWRITTEN:
                connection.exec_driver_sql("VACUUM")
            # As long as it waits for readers, writers wait for it.
            connection.exec_driver_sql(f"PRAGMA busy_timeout={_CHECKPOINT_MILLISECONDS}")
            connection.exec_driver_sql("PRAGMA wal_checkpoint(TRUNCATE)")
            connection.exec_driver_sql(f"PRAGMA busy_timeout={_BUSY_MILLISECONDS}")

    @contextmanager
    def begin(self) -> Generator[Connection]:
        """A transaction: kept when the block ends, undone when it raises."""
        with failing(), self._engine.begin() as connection:
            yield connection

    @contextmanager
    def snapshot(self, folder: Path) -> Generator[Connection]:
        """A connection that reads all as it was at one moment; nobody who writes waits for it.

        SQLite makes a copy of its file in ``folder`` for it, which is removed afterwards.
        """
        if self.kind != "sqlite":
            isolated = self._engine.execution_options(isolation_level="REPEATABLE READ", postgresql_readonly=True)
            with failing(), isolated.connect() as connection:
                yield connection
            return
        with TemporaryDirectory(dir=folder) as place:
            copy = Path(place) / "copy.db"
            with self.cursor() as cursor, closing(sqlite3.connect(copy)) as target:
                cursor.connection.backup(target)
            engine = open_engine(f"sqlite:///{copy}")
            try:
                with failing(), engine.connect() as connection:
                    yield connection
            finally:
                engine.dispose()

    @contextmanager
    def cursor(self) -> Generator[Any]:
        """A cursor of the driver's own, in a transaction: events come often, and this costs a quarter of Core's way."""
        with failing():
            try:
                # To get one may raise a driver's error, too.
                connection = self._spare_one() or self._engine.raw_connection()
                committed = False
                try:
                    cursor = connection.cursor()
                    yield cursor
                    cursor.close()
                    connection.commit()
                    committed = True
                finally:
                    if committed and len(self._spare) < self._spares:
                        self._spare.append(connection)
                    else:
                        connection.close()  # which undoes what is not committed
            except self._engine.dialect.loaded_dbapi.Error as error:
                raise SQLAlchemyError(str(error)) from error

    def _spare_one(self) -> PoolProxiedConnection | None:
        with suppress(IndexError):
            return self._spare.pop()
        return None


def insert_into(table: sql.Table, dialect: str) -> Upsert:
    """An insert as this dialect, ``sqlite`` or ``postgresql``, has it."""
    if dialect == "sqlite":
        from sqlalchemy.dialects.sqlite import insert
    else:
        from sqlalchemy.dialects.postgresql import insert
    return insert(table)


@contextmanager
def failing() -> Generator[None]:
    """Turns what a database raises into one ``StoreFailed`` that holds nothing of its address or contents."""
    try:
        yield
    except (SQLAlchemyError, OSError, OverflowError, UnicodeError) as error:
        cause = cast("BaseException", getattr(error, "orig", None) or error.__cause__ or error)
        kind = cause.__class__
        names = {each.__name__ for each in kind.__mro__}
        if _DISK_FULL in names or getattr(cause, "sqlite_errorcode", 0) == sqlite3.SQLITE_FULL:
            raise StoreFailed.because("Nothing can be kept: the disk of this site is full. Make room on it.") from error
        failed = StoreRefused if names & _LASTING or kind.__name__ == _DAMAGED else StoreFailed
        text = Text("The conversations cannot be read or written ({reason}).", reason=kind.__name__)
        raise failed(text) from error


def open_engine(url: str) -> sql.Engine:
    """The engine for an SQLAlchemy URL.

    Raises ``BadSettings`` for a URL that means nothing or whose driver is not installed, ``StoreFailed`` where the
    folder of an SQLite file cannot be made.
    """
    try:
        address = make_url(url)
        kind = address.get_backend_name()
        if kind == "postgres":
            address, kind = address.set(drivername="postgresql"), "postgresql"
        if kind not in ("sqlite", "postgresql"):
            raise ArgumentError
        return _open_sqlite(address) if kind == "sqlite" else _open_postgresql(address)
    except ModuleNotFoundError as error:
        raise BadSettings(
            f"GLASSBOX_DATABASE names a PostgreSQL database, and its Python driver ({error.name}) is not installed. "
            "Add it to requirements.txt, or leave GLASSBOX_DATABASE empty to use SQLite."
        ) from None
    except (ArgumentError, ValueError):
        raise BadSettings(
            "GLASSBOX_DATABASE is not an address that can be used. It looks like "
            "postgresql+psycopg://user:password@host/name, or sqlite:///folder/name.db."
        ) from None


def place_without_store(url: str) -> str:
    """Where there is none yet, for people: the file, or host and name; "" where there is one.

    Nothing is made. Raises as ``open_engine`` does.
    """
    engine = open_engine(url)
    try:
        address = engine.url
        if engine.dialect.name == "sqlite":
            return "" if Path(address.database or "").is_file() else str(address.database)
        with failing():
            there = sql.inspect(engine).has_table(CONVERSATIONS.name)
        return "" if there else f"{address.host}/{address.database}"
    finally:
        engine.dispose()


def _open_sqlite(address: sql.URL) -> sql.Engine:
    if not address.database:
        return sql.create_engine(address, poolclass=StaticPool, connect_args={"check_same_thread": False})
    with failing():
        Path(address.database).parent.mkdir(parents=True, exist_ok=True)
    engine = sql.create_engine(address, connect_args={"timeout": _BUSY_MILLISECONDS / 1000})
    event.listen(engine, "connect", _set_up_sqlite)
    return engine


def _open_postgresql(address: sql.URL) -> sql.Engine:
    if address.get_driver_name() in _LIBPQ and "connect_timeout" not in address.query:
        address = address.update_query_dict({"connect_timeout": _CONNECT_SECONDS})
    return sql.create_engine(address, pool_pre_ping=True)


def _close_given_back(_connection: object, record: ConnectionPoolEntry) -> None:
    record.invalidate()


def _decoded(text: bytes) -> str:
    return text.decode("utf-8", "replace")


def _set_up_sqlite(connection: Any, _record: object) -> None:
    # A damaged letter costs that letter; by default, it fails the query that it comes up in, whatever else that reads.
    connection.text_factory = _decoded
    _write_ahead(connection)
    busy = f"busy_timeout={_BUSY_MILLISECONDS}"
    for pragma in ("synchronous=NORMAL", busy, "foreign_keys=ON", "secure_delete=ON"):
        connection.execute(f"PRAGMA {pragma}")


def _write_ahead(connection: Any) -> None:
    """Turns on the log beside the file; while another does so in a new file, SQLite gives up without its timeout."""
    end = monotonic() + _BUSY_MILLISECONDS / 1000
    while True:
        try:
            connection.execute("PRAGMA journal_mode=WAL")
            return
        except sqlite3.OperationalError as error:
            if error.sqlite_errorcode != sqlite3.SQLITE_BUSY or monotonic() > end:
                raise
        sleep(_BETWEEN_TRIES)
