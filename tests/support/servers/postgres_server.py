"""A real PostgreSQL of the tests' own, in a folder of theirs, on a free loopback port.

``with PostgresServer() as server``: ``server.url()`` is a superuser's, ``server.url("reader")`` that of a role that may
only read. It is Debian's package ``postgresql``; elsewhere put its programs on the PATH, or name their folder in
``POSTGRES_BIN``. PostgreSQL does not run as root: there it runs as its package's user, or as ``nobody`` where there is
none. Tests of the sandbox count the processes of ``nobody``, which a server that runs beside them would change.
"""

from __future__ import annotations

import os
import pwd
import shutil
import subprocess
import tempfile
from pathlib import Path
from types import TracebackType
from typing import Any

import psycopg

from tests.support.servers.app_server import free_port

SUPERUSER, READER, PASSWORD = "glass", "reader", "planted-password-4242"
_SECONDS = "60"
_READER = (
    f"CREATE ROLE {READER} LOGIN PASSWORD '{PASSWORD}' NOSUPERUSER NOCREATEDB NOCREATEROLE",
    f"GRANT SELECT ON ALL TABLES IN SCHEMA public TO {READER}",
)


def programs() -> Path:
    """The folder of PostgreSQL's programs."""
    named = os.environ.get("POSTGRES_BIN", "")
    on_path = shutil.which("initdb")
    folders = [Path(named)] if named else []
    folders += sorted(Path("/usr/lib/postgresql").glob("*/bin"), reverse=True)
    folders += [Path(on_path).resolve().parent] if on_path else []
    found = [folder for folder in folders if (folder / "initdb").is_file() and (folder / "postgres").is_file()]
    assert found, (
        "these tests need PostgreSQL: install Debian's package postgresql, or set POSTGRES_BIN to its programs"
    )
    return found[0]


def owner() -> pwd.struct_passwd:
    """Whom the server runs as where the tests run as root."""
    try:
        return pwd.getpwnam("postgres")
    except KeyError:
        return pwd.getpwnam("nobody")


class PostgresServer:
    def __init__(self) -> None:
        self.port = free_port()
        # The server's user must be able to walk there, which a test's own folder does not allow.
        self._folder = Path(tempfile.mkdtemp(prefix="glassbox-postgres-"))
        self.data = self._folder / "data"

    def url(self, user: str = SUPERUSER, database: str = "postgres") -> str:
        return f"postgresql://{user}:{PASSWORD}@127.0.0.1:{self.port}/{database}"

    def run(self, *statements: str, user: str = SUPERUSER) -> list[Any]:
        """What the last statement gives; each is its own transaction."""
        with psycopg.connect(self.url(user), autocommit=True) as connection:
            for statement in statements[:-1]:
                connection.execute(statement.encode())
            last = connection.execute(statements[-1].encode())
            return last.fetchall() if last.description else []

    def fresh(self) -> None:
        """An empty schema, and no role but the superuser's."""
        self.run(
            "DROP SCHEMA public CASCADE",
            "CREATE SCHEMA public",
            "GRANT USAGE ON SCHEMA public TO public",
            f"DO $$ BEGIN IF EXISTS (SELECT 1 FROM pg_roles WHERE rolname = '{READER}') THEN "
            f"DROP OWNED BY {READER}; DROP ROLE {READER}; END IF; END $$",
        )

    def allow_reading(self) -> None:
        """Make the role that may only read the tables there are now."""
        self.run(*_READER)

    def __enter__(self) -> PostgresServer:
        secret = self._folder / "password"
        secret.write_text(PASSWORD)
        if os.geteuid() == 0:
            for path in (self._folder, secret):
                os.chown(path, owner().pw_uid, owner().pw_gid)
        self._call("initdb", "-D", str(self.data), "-U", SUPERUSER, f"--pwfile={secret}", "-A", "scram-sha-256", "-N")
        options = f"-p {self.port} -h 127.0.0.1 -k {self._folder} -F -c max_connections=100 -c shared_buffers=16MB"
        self._call(
            "pg_ctl",
            "-D",
            str(self.data),
            "-w",
            "-t",
            _SECONDS,
            "-l",
            str(self._folder / "log"),
            "-o",
            options,
            "start",
        )
        return self

    def __exit__(self, kind: type[BaseException] | None, value: object, trace: TracebackType | None) -> None:
        self._call("pg_ctl", "-D", str(self.data), "-m", "immediate", "stop")
        shutil.rmtree(self._folder, ignore_errors=True)

    def _call(self, program: str, *arguments: str) -> None:
        user: dict[str, Any] = {}
        if os.geteuid() == 0:
            user = {"user": owner().pw_uid, "group": owner().pw_gid, "extra_groups": []}
        environment = {"PATH": os.environ.get("PATH", ""), "LC_ALL": "C.UTF-8", "HOME": str(self._folder)}
        done = subprocess.run(
            [str(programs() / program), *arguments],
            cwd=self._folder, env=environment, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL, check=False, **user,
        )  # fmt: skip
        assert done.returncode == 0, f"{program} failed"
