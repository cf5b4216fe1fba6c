"""The file of a backup: a ZIP file, read as one that somebody else may have made.

```text
backup.json                               {"format":"glassbox-backup","version":1,"store":9,"oldest":1,"made":…}
files/tables/<conversation>/<name>        each file of a table that is kept: Parquet, JSON
files/documents/<conversation>/<name>     the passages of a document, a JSON line for each
rows/<table>.jsonl                        a table of the store, a JSON object for each row; bytes are base64
end.json                                  {"rows":{"<table>":<count>,…},"files":<count>}
```

``store`` is the number of the store's last step, ``oldest`` that of the earliest code that can use it. A file without
its ``end.json`` is not whole.
"""

from __future__ import annotations

import json
import os
import zlib
from collections.abc import Generator, Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import IO, Any, BinaryIO, cast
from uuid import uuid4
from zipfile import ZIP_DEFLATED, BadZipFile, ZipFile

from agent.data.kept_files.file_store import BLOCK, parts_of
from agent.errors import BadRequest

FORMAT, VERSION = "glassbox-backup", 1
KINDS = ("tables", "documents")
_HEAD, _END, _ROWS, _FILES = "backup.json", "end.json", "rows/", "files/"
_MOST_LINE = 256 << 20  # bytes of a row
_MOST_HEAD = 1 << 20
_DAMAGED = (BadZipFile, zlib.error, EOFError, ValueError, NotImplementedError, KeyError, RuntimeError, RecursionError)


@dataclass(frozen=True, slots=True)
class Head:
    """``store`` and ``oldest`` as in ``agent.store.migrations``; ``made`` in seconds since the epoch."""

    store: int
    oldest: int
    made: float


class Writing:
    """A backup as it is written."""

    def __init__(self, archive: ZipFile) -> None:
        self._archive = archive
        self.rows: dict[str, int] = {}
        self.files = 0
        self.bytes = 0

    def head(self, head: Head) -> None:
        told = {"format": FORMAT, "version": VERSION, "store": head.store, "oldest": head.oldest, "made": head.made}
        self._archive.writestr(_HEAD, json.dumps(told))

    def file(self, key: str, source: BinaryIO) -> None:
        with self._archive.open(_FILES + key, "w", force_zip64=True) as entry:
            while block := source.read(BLOCK):
                self.bytes += len(block)
                entry.write(block)
        self.files += 1

    def table(self, name: str, rows: Iterable[Mapping[str, Any]]) -> None:
        self.rows[name] = 0
        with self._archive.open(f"{_ROWS}{name}.jsonl", "w", force_zip64=True) as entry:
            for row in rows:
                entry.write(json.dumps(row, ensure_ascii=False).encode("utf-8", "replace") + b"\n")
                self.rows[name] += 1

    def end(self) -> None:
        self._archive.writestr(_END, json.dumps({"rows": self.rows, "files": self.files}))


@contextmanager
def written(path: Path) -> Generator[Writing]:
    """A new file, for nobody else to read, that is there under its name once it is whole.

    Raises ``BadRequest`` where there is one, and ``OSError``.
    """
    taken = BadRequest.because("{file} is there already. Name a new file.", file=str(path))
    if path.exists():
        raise taken
    part = path.with_name(f"{path.name}.{uuid4().hex}.part")
    try:
        with (
            open(os.open(part, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "wb") as file,
            ZipFile(file, "w", ZIP_DEFLATED, compresslevel=1) as archive,
        ):
            yield (writing := Writing(archive))
            writing.end()
        try:
            os.link(part, path)  # unlike a rename, it never takes the place of another file
        except FileExistsError:
            raise taken from None
    finally:
        part.unlink(missing_ok=True)


class Reading:
    """A backup that is whole. Every method raises ``BadRequest`` for what is damaged."""

    def __init__(self, archive: ZipFile, name: str) -> None:
        self._archive = archive
        self._name = name
        self._entries = {entry.filename: entry for entry in archive.infolist()}
        head, end = self._json(_HEAD), self._json(_END)
        if head.get("format") != FORMAT:
            raise self.damaged()
        if int(head["version"]) > VERSION:
            raise newer()
        self.head = Head(int(head["store"]), int(head["oldest"]), float(head["made"]))
        self._counts = {str(table): int(count) for table, count in dict(end["rows"]).items()}
        if int(end["files"]) != sum(name.startswith(_FILES) for name in self._entries):
            raise self.damaged()

    @property
    def size(self) -> int:
        """The bytes of all that is in it."""
        return sum(entry.file_size for entry in self._entries.values())

    @property
    def tables(self) -> Mapping[str, int]:
        """How many rows there are of each table."""
        return self._counts

    def rows(self, table: str) -> Iterator[dict[str, Any]]:
        """The rows of a table of the store; none where it has none of that name."""
        count = self._counts.get(table, 0)
        if not count:
            return
        with self._failing(), self._archive.open(f"{_ROWS}{table}.jsonl") as lines:
            while line := lines.readline(_MOST_LINE):
                row: object = json.loads(line)
                if not isinstance(row, dict):
                    raise self.damaged()
                count -= 1
                yield cast("dict[str, Any]", row)
        if count:
            raise self.damaged()

    def files(self) -> Iterator[tuple[str, str, str]]:
        """Kind, conversation and name of each file of a chat."""
        for name in self._entries:
            if name.startswith(_FILES):
                parts = parts_of(name.removeprefix(_FILES))
                if parts is None or parts[0] not in KINDS:
                    raise self.damaged()
                yield parts

    @contextmanager
    def file(self, key: str, most: int) -> Generator[IO[bytes]]:
        """A file of a chat, of at most so many bytes."""
        with self._failing():
            if self._entries[_FILES + key].file_size > most:
                raise self.damaged()
            with self._archive.open(_FILES + key) as file:
                yield file

    def check(self) -> None:
        """Read all of it once, against its checksums."""
        with self._failing():
            if self._archive.testzip() is not None:
                raise self.damaged()

    def damaged(self) -> BadRequest:
        return _damaged(self._name)

    def _json(self, name: str) -> dict[str, Any]:
        entry = self._entries.get(name)
        if entry is None or entry.file_size > _MOST_HEAD:
            raise self.damaged()
        read: object = json.loads(self._archive.read(entry))
        if not isinstance(read, dict):
            raise self.damaged()
        return cast("dict[str, Any]", read)

    @contextmanager
    def _failing(self) -> Generator[None]:
        try:
            yield
        except _DAMAGED as error:
            raise self.damaged() from error


@contextmanager
def opened_backup(path: Path) -> Generator[Reading]:
    """The backup in a file. Raises ``BadRequest`` where it is none, and ``OSError`` where it cannot be read."""
    with path.open("rb") as file:
        try:
            archive = ZipFile(file)
            reading = Reading(archive, path.name)
        except (*_DAMAGED, TypeError) as error:
            raise _damaged(path.name) from error
        with archive:
            yield reading


def _damaged(name: str) -> BadRequest:
    return BadRequest.because(
        "{file} is no backup of Glassbox, or its end is missing. Copy it again, or use another.", file=name
    )


def newer() -> BadRequest:
    return BadRequest.because("This backup was made by a newer version of Glassbox. Update Glassbox to restore it.")
