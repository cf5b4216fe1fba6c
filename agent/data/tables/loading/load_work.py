"""What every kind of loading works with: its limits, its progress, which a page can read meanwhile, and new files."""

from __future__ import annotations

import json
import secrets
from collections.abc import Callable, Generator, Iterable, Sequence
from contextlib import AbstractContextManager, contextmanager, suppress
from dataclasses import asdict, dataclass, field
from pathlib import Path
from threading import Event, Thread
from typing import TYPE_CHECKING, LiteralString

from agent.data.refusal import Refused, check_room
from agent.data.tables.cells import one_line
from agent.data.tables.columns import Table
from agent.data.tables.identifiers import literal
from agent.interface_text import Filling, Text
from agent.text.encodings import MEBIBYTE

if TYPE_CHECKING:  # a page reads the progress, and needs no engine for it
    import duckdb

_SECONDS_BETWEEN = 0.25
_MOST_NAMED = 5  # sheets
# Not compressed: the encodings of v2 make a CSV a quarter of its size, and a question takes two thirds of the time.
# One row group is held in memory while it is written, and each is read by a thread.
_ROWS_OF_GROUP = ((30, 491_520), (300, 122_880), (2_000, 20_480))
_PARQUET = "FORMAT parquet, PARQUET_VERSION v2, COMPRESSION uncompressed, USE_TMP_FILE false"


@dataclass(frozen=True, slots=True)
class Limits:
    """``file``, ``unpacked`` and ``memory`` in bytes; ``sheet`` is of an Excel file unpacked, held in memory."""

    file: int = 1024 * MEBIBYTE
    unpacked: int = 2048 * MEBIBYTE
    sheet: int = 192 * MEBIBYTE
    memory: int = 384_000_000
    columns: int = 2_000
    tables: int = 50
    # Up to this size every value is looked at before types are chosen; above, a sample is, and the rest must fit.
    exact: int = 8 * MEBIBYTE


def size_words(size: int) -> str:
    """``1536`` gives ``1.5 KB``, as people count: a KB has 1,024 bytes."""
    amount = float(size)
    for unit in ("bytes", "KB", "MB"):
        if amount < 1024:
            return f"{amount:.3g} {unit}"
        amount /= 1024
    return f"{amount:.3g} GB"


def check_columns(count: int, limits: Limits) -> None:
    if count > limits.columns:
        raise Refused.because(
            "This table has {count:,} columns; at most {columns:,} can be loaded.",
            kind="size",
            count=count,
            columns=limits.columns,
        )


def first_of(names: Sequence[str]) -> str:
    """The first of the names, in quotes and in one line."""
    first = ", ".join(f"“{one_line(name, 40)}”" for name in names[:_MOST_NAMED])
    return first if len(names) <= _MOST_NAMED else f"{first}, …"


@dataclass(frozen=True, slots=True)
class Work:
    """One upload being loaded into ``folder``.

    ``name`` is that of the file as the visitor had it. ``taken`` are the names of tables there are, to which those
    that are made are added.
    """

    folder: Path
    name: str
    reporter: Reporter
    taken: set[str]
    limits: Limits = field(default_factory=Limits)
    notes: list[str] = field(default_factory=list[str])

    def because(self, key: LiteralString, *, kind: str = "file", **values: Filling) -> Refused:
        """The refusal of this file with a sentence that may have its ``{name}``."""
        return Refused(Text.of(key, "", {"name": self.name, **values}), kind)

    def check_tables(self, count: int) -> None:
        """Raises ``Refused`` where a file has more tables than may be loaded from one."""
        if count > self.limits.tables:
            raise self.because(
                "{name} has {count} tables; at most {tables} can be loaded.",
                kind="size",
                count=count,
                tables=self.limits.tables,
            )

    def without_rows(self, names: Sequence[str]) -> None:
        """Note that these tables of the file, if any, were left out."""
        if names:
            note = Text(
                "{n} table ({names}) has no rows in it and was left out.",
                "{n} tables ({names}) have no rows in them and were left out.",
                n=len(names),
                names=first_of(names),
            )
            self.notes.append(note)

    def without_views(self, names: Sequence[str]) -> None:
        """Note that these views of the file, if any, were left out."""
        if names:
            note = Text(
                "{n} view ({names}) was left out.",
                "{n} views ({names}) were left out.",
                n=len(names),
                names=first_of(names),
            )
            self.notes.append(note)

    def with_rows(self, tables: Iterable[Table | None], none: Refused) -> list[Table]:
        """The tables that there are, whose names are taken now. Raises ``none`` where there is none."""
        found: list[Table] = []
        for table in tables:
            if table:
                found.append(table)
                self.taken.add(table.name)
        if not found:
            raise none
        return found


@dataclass(frozen=True, slots=True)
class Progress:
    """``done`` is the share from 0 to 1, ``-1`` where it is not known; ``written`` the bytes of the new file."""

    stage: str = "waiting"
    done: float = -1.0
    written: int = 0


class Reporter:
    """Writes the progress of one loading to a file; nowhere where ``path`` is None."""

    def __init__(self, path: Path | None) -> None:
        self._path = path

    def report(self, stage: str, done: float = -1.0, written: int = 0) -> None:
        if self._path is not None:
            self._path.write_text(json.dumps(asdict(Progress(stage, round(done, 3), written))), encoding="utf-8")

    @contextmanager
    def watching(self, stage: str, connection: duckdb.DuckDBPyConnection, output: Path) -> Generator[None]:
        """Reports what the statement in the block has done so far, four times a second."""

        def tell() -> None:
            written = output.stat().st_size if output.exists() else 0
            share = connection.query_progress()
            self.report(stage, share / 100 if share >= 0 else -1.0, written)

        self.report(stage)
        with _telling(tell if self._path is not None else None):
            yield


@contextmanager
def _telling(tell: Callable[[], None] | None) -> Generator[None]:
    """Calls ``tell``, if it is given, four times a second from a thread while the block is at work."""
    ended = Event()

    def watch() -> None:
        while tell and not ended.wait(_SECONDS_BETWEEN):
            tell()

    thread = Thread(target=watch, name="table progress", daemon=True)
    thread.start()
    try:
        yield
    finally:
        ended.set()
        thread.join()


def read_progress(path: Path) -> Progress:
    """What was reported last; waiting where nothing was, or where it is being written just now."""
    try:
        given = json.loads(path.read_bytes())
        return Progress(str(given["stage"]), float(given["done"]), int(given["written"]))
    except (OSError, ValueError, TypeError, KeyError):
        return Progress()


def watching(path: Path, progress: Callable[[Progress], None] | None) -> AbstractContextManager[None]:
    """Tells ``progress`` what is reported to ``path``, from a thread, while the block is at work."""
    return _telling((lambda: progress(read_progress(path))) if progress else None)


def new_file(ending: str = ".parquet") -> str:
    """A file name that nobody can guess."""
    return f"{secrets.token_hex(12)}{ending}"


@contextmanager
def unfinished(path: Path) -> Generator[Path]:
    """The path to write to instead of ``path``: renamed to it when the block ends well, gone when it does not."""
    part = path.with_name(f"{path.name}.part")
    try:
        yield part
        part.replace(path)
    finally:
        with suppress(OSError):
            part.unlink(missing_ok=True)


def write_parquet(
    connection: duckdb.DuckDBPyConnection, query: str, part: Path, reporter: Reporter, stage: str, columns: int = 300
) -> int:
    """Write what ``query`` (SQL of our own) gives, of so many ``columns``, to ``part``; the number of rows."""
    group = next((rows for most, rows in _ROWS_OF_GROUP if columns <= most), 20_480)
    copy = f"COPY ({query}) TO {literal(str(part))} ({_PARQUET}, ROW_GROUP_SIZE {group})"
    import duckdb

    with reporter.watching(stage, connection, part):
        try:
            row = connection.execute(copy).fetchone()
        except duckdb.IOException as error:
            check_room(error)
            raise
    return int(row[0]) if row else 0
