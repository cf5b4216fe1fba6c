"""The files of all chats of a site, read and written wherever the site keeps them."""

from __future__ import annotations

import json
import os
import shutil
from collections.abc import Callable, Generator, Mapping
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import IO, Any, BinaryIO

from agent.application.site.file_places import kept_files
from agent.data.documents.chat_documents import MOST_BYTES, ConversationDocuments, Documents, passages_file
from agent.data.documents.passages import LIBRARY
from agent.data.kept_files.copies import KeptFiles
from agent.data.kept_files.file_store import BLOCK, FilesFailed, key_of, opened
from agent.data.tables.chat_tables import LoadedTable, Tables
from agent.errors import BadRequest
from agent.sandbox.client import Sandbox
from agent.sandbox.sandbox_errors import SandboxOff
from agent.settings import Settings
from agent.store.database import Database

_MOST_CHANGES = 3  # of a table, while a backup reads it


class SiteFiles:
    """Every method raises ``FilesFailed`` where a file cannot be reached, ``OSError`` for this machine's own disk."""

    def __init__(self, tables: Tables, documents: Documents) -> None:
        self._tables = tables
        self._documents = documents

    def close(self) -> None:
        if self._tables.kept:
            self._tables.kept.copies.close()

    def table(
        self, row: Mapping[str, Any], add: Callable[[str, BinaryIO], None], most: int = 0
    ) -> Mapping[str, Any] | None:
        """Give the files of a table, by key; its row as it is by now, ``None`` where it was removed meanwhile.

        Each file may have ``most`` bytes, or as many as the site allows.
        """
        most = most or self.most("tables")
        conversation = str(row["conversation"])
        folder, _ = self._tables.of_anybody(conversation)
        for _ in range(_MOST_CHANGES):
            table = LoadedTable(str(row["id"]), json.loads(row["card"]))
            with TemporaryDirectory() as place:
                try:
                    held = {name: _held(self._tables.kept, folder, name, Path(place), most) for name in table.files()}
                except FilesFailed as error:
                    if error.trouble != "missing":
                        raise
                    # It was changed since the snapshot: what it is now has other files.
                    now = next((each for each in self._tables.rows.of(conversation) if each.id == table.id), None)
                    if now is None or now.card == table.card:
                        return None
                    copied = {"name": now.name, "file": now.file, "card": json.dumps(now.card, ensure_ascii=False)}
                    row = {**row, **copied}
                    continue
                for name, path in held.items():
                    with path.open("rb") as file:
                        add(key_of("tables", conversation, name), file)
            return row
        return None

    def document(self, row: Mapping[str, Any], add: Callable[[str, BinaryIO], None]) -> bool:
        """Give the passages of a document, by key, at most ``MOST_BYTES``; whether it is there."""
        conversation, name = str(row["conversation"]), passages_file(str(row["id"]))
        folder, lock = self._documents.of_anybody(conversation)
        with TemporaryDirectory() as place:
            passages = Path(place) / name
            try:
                if self._documents.kept or (folder / name).is_file():
                    passages = _held(self._documents.kept, folder, name, Path(place), MOST_BYTES)
                elif (folder / LIBRARY).is_file():
                    chat = ConversationDocuments(self._documents, conversation, folder, lock)
                    chat.write_passages(str(row["id"]), passages)
            except FilesFailed as error:
                if error.trouble != "missing":
                    raise
                return False
            except BadRequest as error:
                if isinstance(error.__cause__, SandboxOff):
                    raise
                return False  # its index is damaged: all others are backed up
            if not passages.is_file() or not passages.stat().st_size:
                return False
            with passages.open("rb") as file:
                add(key_of("documents", conversation, name), file)
        return True

    def most(self, kind: str) -> int:
        """The bytes that a file may have."""
        return self._tables.limits.bytes if kind == "tables" else MOST_BYTES

    @contextmanager
    def putting(self) -> Generator[Callable[[str, str, str, IO[bytes]], None]]:
        """What takes files by kind, conversation and name; those that were not there go again where the block raises.

        In another place than the data folder they are removed as what no row names.
        """
        with ExitStack() as undo:

            def take(kind: str, conversation: str, name: str, source: IO[bytes]) -> None:
                folders = self._tables if kind == "tables" else self._documents
                folder, _ = folders.of_anybody(conversation)
                folders.make(folder)
                if not (folder / name).exists():  # a name is that of one content
                    undo.callback(_remove, folder / name)
                    part = folder / f"{name}.part"  # what was cut off is never taken for the file
                    undo.callback(_remove, part)
                    part.unlink(missing_ok=True)
                    with open(os.open(part, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "wb") as file:
                        shutil.copyfileobj(source, file, BLOCK)
                    part.rename(folder / name)
                if folders.kept:
                    folders.kept.keep(folder, [name])
                    _remove(folder / name)

            yield take
            undo.pop_all()


def site_files(settings: Settings, database: Database, sandbox: Sandbox, new: bool = False) -> SiteFiles:
    """Those of a site that need not be at work; ``new`` is as in ``kept_files``.

    Raises ``BadSettings``, ``StoreFailed``.
    """
    tables, documents = kept_files(settings, database, sandbox, new)
    return SiteFiles(
        Tables(database, settings.data / "tables", sandbox, kept=tables),
        Documents(database, settings.data / "documents", sandbox, kept=documents),
    )


def _held(kept: KeptFiles | None, folder: Path, name: str, place: Path, most: int) -> Path:
    """A copy of a file of a chat in ``place``, which nobody changes or removes."""
    target = place / name
    if kept:
        kept.read(folder, name, target, most)
        return target
    with opened(folder, name) as source:
        if os.fstat(source.fileno()).st_size > most:
            raise FilesFailed("large")
        with target.open("xb") as file:
            shutil.copyfileobj(source, file, BLOCK)
    return target


def _remove(path: Path) -> None:
    """The file, and its folder where nothing else is in it."""
    path.unlink(missing_ok=True)
    with suppress(OSError):
        path.parent.rmdir()


def check_room(settings: Settings, size: int) -> None:
    """Raises ``BadRequest`` where the data folder's disk has no room for so many bytes."""
    settings.data.mkdir(parents=True, exist_ok=True)
    free = shutil.disk_usage(settings.data).free
    if size > free:
        raise BadRequest.because(
            "The backup has {size:,} bytes, and the disk of {folder} has room for {free:,}. Make room first.",
            size=size,
            folder=str(settings.data),
            free=free,
        )
