"""The URL of a database, as somebody wrote it, becomes a ``Connection``; a visitor's may name no file and no option."""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import dataclass, field

from sqlalchemy.engine import URL, make_url
from sqlalchemy.exc import ArgumentError

from agent.errors import BadRequest
from agent.interface_text import Text
from agent.settings import SETTINGS, Secret
from agent.text.regex import regex
from agent.web.endpoint import allowed_addresses

_NAME = regex(r"[^\W\d][\w-]{0,39}")
_TITLES = {
    "postgresql": "PostgreSQL",
    "mysql": "MySQL",
    "mariadb": "MariaDB",
    "sqlite": "SQLite",
    "duckdb": "DuckDB",
    "mssql": "SQL Server",
    "bigquery": "BigQuery",
    "clickhouse": "ClickHouse",
}
_FILES = ("sqlite", "duckdb")
# Drivers that read nothing of the machine but what they are given; others could be talked into opening a file.
_DRIVERS = {"postgresql": "postgresql+psycopg", "mysql": "mysql+pymysql", "mariadb": "mariadb+pymysql"}
_PORTS = {"postgresql": "5432", "mysql": "3306", "mariadb": "3306"}
# What a visitor may say after the ? of a URL: nothing that names a file, another host or a command.
_OPTIONS = {
    "postgresql": {
        "sslmode": ("disable", "allow", "prefer", "require"),
        "channel_binding": ("disable", "prefer", "require"),
    },
    "mysql": {"charset": ("utf8mb4", "utf8")},
    "mariadb": {"charset": ("utf8mb4", "utf8")},
}
_CONNECT_SECONDS = "8"
_LONGEST_URL = 2_000
_MEBIBYTE = 1024 * 1024
_MEMORY = 1024 * _MEBIBYTE
_MEMORY_OF_OTHERS = 4096 * _MEBIBYTE  # libraries of warehouses reserve much and use little
_EXAMPLE = "postgresql://user:password@host:5432/name"


@dataclass(frozen=True, slots=True)
class Connection:
    """How a database is reached. ``url`` is a path where it is a file; ``options`` are for its driver.

    For PostgreSQL they are all that its library is told. ``own``: the visitor brought it; else the owner did.
    """

    name: str
    dialect: str
    url: Secret
    options: Mapping[str, str] = field(default_factory=dict[str, str], repr=False)
    own: bool = False

    @property
    def title(self) -> str:
        """What kind of database it is, for people."""
        return _TITLES.get(self.dialect, self.dialect.capitalize())

    @property
    def environment(self) -> dict[str, str]:
        """With what its process starts: the machine's for what the owner connected, without Glassbox's own keys."""
        if self.own or self.dialect in _FILES:
            return {"PATH": os.environ.get("PATH", ""), "LANG": "C.UTF-8", "HOME": "/nonexistent"}
        ours = {setting.variable for setting in SETTINGS}
        return {name: value for name, value in os.environ.items() if name not in ours}

    def job(self) -> dict[str, object]:
        """What ``worker`` is told of it."""
        memory = _MEMORY if self.dialect in (*_FILES, *_DRIVERS) else _MEMORY_OF_OTHERS
        about = {"dialect": self.dialect, "url": self.url.reveal(), "options": dict(self.options)}
        return {**about, "bytes": memory}


def owners(name: str, url: Secret) -> Connection:
    """A connection from the settings. Raises ``BadRequest`` for a URL that cannot be read."""
    address = _read(url.reveal())
    dialect = _dialect(address)
    if dialect in _FILES:
        if not address.database or address.database == ":memory:":
            raise BadRequest.because("The database {name} names no file.", name=name)
        return Connection(name, dialect, Secret(os.path.abspath(address.database)))
    options = _parameters(address) if dialect == "postgresql" else {}
    return Connection(name, dialect, _secret(address, dialect), options)


def visitors(name: str, text: str, private_allowed: bool, taken: tuple[str, ...] = ()) -> Connection:
    """A connection from a URL that a visitor typed, to an address that was checked just now, and to no other.

    Raises ``BadRequest`` with a sentence that holds nothing of the URL.
    """
    called = name.strip()
    if not _NAME.fullmatch(called):
        raise BadRequest.because("Give the database a short name: letters, digits and _, a letter first.")
    if called.lower() in {other.lower() for other in taken}:
        raise BadRequest.because("There is a database called {called} already. Choose another name.", called=called)
    address = _read(text)
    dialect = _dialect(address)
    if dialect in _FILES:
        raise BadRequest.because(
            "A database in a file cannot be opened by its path here. Drop the file into the question box."
        )
    if dialect not in _DRIVERS:
        raise BadRequest.because(
            "PostgreSQL, MySQL and MariaDB can be connected here; others by the owner of this site."
        )
    if not address.host or not address.username or not address.database:
        raise BadRequest.because(
            "The URL needs a user, a host and the name of a database. It looks like {example}.", example=_EXAMPLE
        )
    if "," in address.host or "/" in address.host or not address.host.isprintable():
        raise BadRequest.because("The URL must name one host.")
    _check_options(address, dialect)
    checked = _pinned(address, private_allowed)
    if dialect == "postgresql":
        options = {**_parameters(address), **_closed(address, checked)}
        return Connection(called, dialect, _secret(address, dialect), options, own=True)
    # A driver that takes a name would look it up again.
    pinned = address.set(host=checked, password=address.password or "")
    return Connection(called, dialect, _secret(pinned, dialect), own=True)


def _read(text: str) -> URL:
    typed = text.strip()
    if not typed:
        raise BadRequest.because("Enter the URL of the database. It looks like {example}.", example=_EXAMPLE)
    if len(typed) > _LONGEST_URL or not typed.isprintable() or "://" not in typed:
        raise BadRequest.because("That is no URL of a database. It looks like {example}.", example=_EXAMPLE)
    try:
        return make_url(typed)
    except (ArgumentError, ValueError):
        raise BadRequest.because("That is no URL of a database. It looks like {example}.", example=_EXAMPLE) from None


def _dialect(address: URL) -> str:
    name = address.drivername.split("+", maxsplit=1)[0].lower()
    return "postgresql" if name == "postgres" else name


def _secret(address: URL, dialect: str) -> Secret:
    driver = _DRIVERS.get(dialect, address.drivername)
    return Secret(address.set(drivername=driver).render_as_string(hide_password=False))


def _check_options(address: URL, dialect: str) -> None:
    for name, value in address.query.items():
        allowed = _OPTIONS[dialect].get(name, ())
        if value not in allowed:
            known = ", ".join(_OPTIONS[dialect])
            raise BadRequest.because(
                "Of what can follow the ? in the URL, only {known} can be used here, with usual values.", known=known
            )


def _pinned(address: URL, private_allowed: bool) -> str:
    try:
        found = allowed_addresses(str(address.host), private_allowed)
    except BadRequest:
        raise BadRequest(
            Text(
                "This site connects to databases on the public internet only, and that address is not one "
                "that may be used."
            )
            if not private_allowed
            else Text("That address is not one that may be used.")
        ) from None
    if not found:
        raise BadRequest.because("No server of that name was found. Check the address.")
    return str(found[0])


def _parameters(address: URL) -> dict[str, str]:
    """What libpq is told, as the URL has it."""
    given = {key: value if isinstance(value, str) else ",".join(value) for key, value in address.query.items()}
    known = {
        name: str(value) for name, value in address.translate_connect_args(database="dbname", username="user").items()
    }
    return {"connect_timeout": _CONNECT_SECONDS, **given, **known}


def _closed(address: URL, checked: str) -> dict[str, str]:
    """All that libpq would else take from the environment, from files, or from a look-up of its own."""
    return {
        "hostaddr": checked,
        "port": str(address.port or _PORTS["postgresql"]),
        "password": str(address.password or ""),
        "passfile": os.devnull,
        "sslcertmode": "disable",
        "sslrootcert": "/nonexistent",
        "gssencmode": "disable",
        "require_auth": "password,md5,scram-sha-256,none",
        "options": "",
        "connect_timeout": _CONNECT_SECONDS,
        "application_name": "glassbox",
    }
