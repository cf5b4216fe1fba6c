"""A folder for each conversation, whose files are worked on in the sandbox alone."""

from __future__ import annotations

import os
import re
import shutil
from collections.abc import Sequence
from pathlib import Path
from threading import Lock
from typing import BinaryIO

import sqlalchemy as sql

from agent.data.tables.loading.load_work import size_words
from agent.errors import BadRequest
from agent.interface_text import Text
from agent.sandbox.client import Sandbox
from agent.store.database import Database
from agent.store.schema import CONVERSATIONS
from agent.text.encodings import MEBIBYTE

_ID = re.compile(r"[0-9a-f]{32}")


class Folders:
    """Those of one kind of file. Every method raises ``StoreFailed`` where the database does."""

    def __init__(self, database: Database, place: Path, sandbox: Sandbox) -> None:
        """``place`` holds a folder for each conversation that has such files."""
        self.sandbox = sandbox
        self._database = database
        self._place = place
        self._locks: dict[str, Lock] = {}

    def of(self, visitor: str, conversation: str) -> tuple[Path, Lock]:
        """The folder of a conversation, which need not be there, and the lock for who changes what is in it.

        Raises ``BadRequest`` where it is not one of this visitor's.
        """
        if not _ID.fullmatch(conversation) or not self._is_of(visitor, conversation):
            raise BadRequest(Text("There is no such conversation here."))
        return self._place / conversation, self._locks.setdefault(conversation, Lock())

    def make(self, folder: Path) -> None:
        """Make the folder of a conversation, for nobody else to read."""
        # A worker of root's becomes nobody, who must be able to walk through to it.
        around = 0o755 if os.name == "posix" and os.geteuid() == 0 else 0o700
        self._place.mkdir(mode=around, parents=True, exist_ok=True)
        folder.mkdir(mode=0o700, exist_ok=True)

    def sweep(self) -> int:
        """Remove the folders of conversations that are gone for good; how many."""
        if not self._place.is_dir():
            return 0
        named = [entry.name for entry in self._place.iterdir() if _ID.fullmatch(entry.name)]
        gone = set(named) - self._known(named)
        for name in gone:
            self.sandbox.forget(self._place / name)
            self._remove(self._place / name)
        return len(gone)

    def _remove(self, folder: Path) -> None:
        shutil.rmtree(folder, ignore_errors=True)

    def _is_of(self, visitor: str, conversation: str) -> bool:
        """Whether it is a conversation of this visitor, and not deleted."""
        theirs = (CONVERSATIONS.c.id == conversation, CONVERSATIONS.c.visitor == visitor, CONVERSATIONS.c.deleted == 0)
        with self._database.begin() as connection:
            found = connection.execute(sql.select(CONVERSATIONS.c.id).where(*theirs)).first()
        return bool(visitor) and found is not None

    def _known(self, conversations: Sequence[str]) -> set[str]:
        """Those of them that there are, deleted ones that can be brought back included."""
        chosen = sql.select(CONVERSATIONS.c.id).where(CONVERSATIONS.c.id.in_(conversations))
        with self._database.begin() as connection:
            return set(connection.execute(chosen).scalars())


def keep_upload(name: str, source: BinaryIO, target: Path, most: int) -> None:
    """Write an upload called ``name`` to a new file, for nobody else to read.

    Raises ``BadRequest`` where it has more than ``most`` bytes.
    """
    size = 0
    with open(os.open(target, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "wb") as file:
        while block := source.read(MEBIBYTE):
            size += len(block)
            if size > most:
                raise BadRequest(
                    Text(
                        "{name} is larger than {most}; no more can be loaded.",
                        name=name,
                        most=size_words(most),
                    )
                )
            file.write(block)
