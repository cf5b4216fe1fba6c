"""MySQL, and any other database that SQLAlchemy has a dialect for: one SELECT by its words, in a transaction undone.

Where the engine can be told to read only, it is. Where it cannot, the account is what keeps it so.
"""

from __future__ import annotations

import re
from collections.abc import Generator, Mapping
from contextlib import contextmanager, suppress
from typing import Any

import sqlalchemy as sql
from sqlalchemy.engine import Connection, make_url
from sqlalchemy.exc import ArgumentError, DBAPIError, NoSuchModuleError, SQLAlchemyError
from sqlalchemy.pool import NullPool

from agent.data.databases.database_cards import MOST_TABLES, TableCard, card, fetched, no_driver, wanted
from agent.data.databases.select_rules import check_words, one_statement
from agent.data.refusal import Refused
from agent.text.regex import regex

_MISSING = regex(r"(?:no such (?:table|column)|unknown (?:table|column)|doesn't exist|not found|does not exist)", re.I)


class OtherRoom:
    def __init__(self, connection: Connection, seconds: float) -> None:
        self._connection = connection
        self._dialect = connection.dialect.name
        for statement in _first(connection.dialect, seconds):
            # A server that is older than a setting goes without it; the process around this has a limit of its own.
            with suppress(DBAPIError):
                connection.exec_driver_sql(statement)
        connection.rollback()

    def cancel(self) -> None:
        """Nothing: the process ends, and the connection with it."""

    def schema(self, like: str = "") -> dict[str, Any]:
        inspector = sql.inspect(self._connection)
        kinds = {name: "table" for name in inspector.get_table_names()}
        with suppress(NotImplementedError, SQLAlchemyError):
            kinds |= {name: "view" for name in inspector.get_view_names()}
        chosen = sorted(name for name in kinds if wanted(name, like))
        tables = [self._table(inspector, name, kinds[name]) for name in chosen[:MOST_TABLES]]
        version = ".".join(map(str, getattr(self._connection.dialect, "server_version_info", None) or ()))
        return card(f"{self._dialect} {version}".strip(), tables, len(chosen))

    def _table(self, inspector: sql.Inspector, name: str, kind: str) -> TableCard:
        made = TableCard(name, kind)
        with suppress(NotImplementedError, SQLAlchemyError):
            for column in inspector.get_columns(name):
                made.add(str(column["name"]), str(column["type"]).split(" COLLATE", maxsplit=1)[0])
            made.key = list(inspector.get_pk_constraint(name)["constrained_columns"])
            for link in inspector.get_foreign_keys(name):
                ends = (list(link["constrained_columns"]), link["referred_table"], list(link["referred_columns"]))
                made.links.append(ends)
        return made

    def query(self, asked: str) -> dict[str, Any]:
        bare, tokens = one_statement(asked, self._dialect)
        check_words(tokens)
        try:
            self._connection.rollback()  # of what began when its tables were looked at
            # Without parameters, a % is only a %.
            options = self._connection.execution_options(no_parameters=True, stream_results=True)
            result = options.exec_driver_sql(bare)
            columns = [(str(name), "") for name in result.keys()]  # noqa: SIM118 - no mapping
            got = fetched(columns, lambda most: [tuple(row) for row in result.fetchmany(most)])
            if got.more:
                self._connection.invalidate()  # a driver may else read all the rest before it lets go
            else:
                self._connection.rollback()
        except SQLAlchemyError as error:
            raise self._explained(error) from None
        return got.answer(None)

    def _explained(self, error: SQLAlchemyError) -> Refused:
        said = " ".join(str(getattr(error, "orig", None) or type(error).__name__).split())[:300]
        if not _MISSING.search(said):
            return Refused(f"The statement cannot be run: {said}.", "sql")
        try:
            there = ", ".join(sql.inspect(self._connection).get_table_names()[:30])
        except SQLAlchemyError:
            there = ""
        more = f" The tables are: {there}. Call this tool with `describe` for their columns." if there else ""
        return Refused(f"The statement cannot be run: {said}.{more}", "name")


def _first(dialect: sql.Dialect, seconds: float) -> tuple[str, ...]:
    """What a session begins with."""
    if getattr(dialect, "is_mariadb", False) or dialect.name == "mariadb":
        return ("SET SESSION TRANSACTION READ ONLY", f"SET SESSION max_statement_time = {seconds:g}")
    if dialect.name == "mysql":
        return (
            "SET SESSION TRANSACTION READ ONLY",
            f"SET SESSION max_execution_time = {int(seconds * 1000)}",
            "SET SESSION lock_wait_timeout = 2",
        )
    if dialect.name == "sqlite":
        return ("PRAGMA query_only = ON",)
    return ()


@contextmanager
def opened(url: str, options: Mapping[str, str], seconds: float) -> Generator[OtherRoom]:
    """The database at ``url``, with these ``options`` for its driver."""
    try:
        engine = sql.create_engine(make_url(url), poolclass=NullPool, connect_args=dict(options), hide_parameters=True)
    except (NoSuchModuleError, ModuleNotFoundError) as error:
        raise no_driver(error) from None
    except (ArgumentError, ValueError, TypeError):
        raise Refused.because("The URL of this database cannot be used.", kind="connect") from None
    try:
        connection = engine.connect()
    except (SQLAlchemyError, OSError) as error:
        reason = type(getattr(error, "orig", None) or error).__name__
        raise Refused.because(
            "The database cannot be reached ({reason}). Check address, name, user and password.",
            reason=reason,
            kind="connect",
        ) from None
    try:
        yield OtherRoom(connection, seconds)
    except SQLAlchemyError as error:
        raise Refused.because(
            "The database cannot be asked just now ({name}).", kind="connect", name=type(error).__name__
        ) from None
    finally:
        connection.close()
        engine.dispose()
