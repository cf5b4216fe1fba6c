"""A folder for each conversation, whose files are worked on in the sandbox alone, and what was loaded into it."""

from __future__ import annotations

import json
import os
import re
import shutil
from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from threading import Event as Flag
from threading import Lock
from time import time
from typing import Any, BinaryIO, Generic, TypeAlias, TypeVar, cast
from uuid import uuid4

import sqlalchemy as sql

from agent.data.tables.loading.load_work import Progress, size_words, watching
from agent.errors import BadRequest
from agent.interface_text import Text
from agent.sandbox.client import Role, Sandbox
from agent.sandbox.sandbox_errors import Failures, done
from agent.store.database import Database
from agent.store.schema import CONVERSATIONS
from agent.text.encodings import MEBIBYTE

Card: TypeAlias = Mapping[str, Any]
Answer: TypeAlias = Mapping[str, Any]
_ID = re.compile(r"[0-9a-f]{32}")
_THEIRS = sql.select(CONVERSATIONS.c.id).where(
    CONVERSATIONS.c.id == sql.bindparam("id", type_=sql.String),
    CONVERSATIONS.c.visitor == sql.bindparam("visitor", type_=sql.String),
    CONVERSATIONS.c.deleted == 0,
)
_LEAST_SECONDS, _SECONDS_A_MEGABYTE = 60.0, 6.0  # that an upload may take: what is small holds no place for long
_GRACE_SECONDS = 3.0  # a job that ends by itself says more than one that is ended


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
        return bool(visitor and self._database.rows(_THEIRS, id=conversation, visitor=visitor))

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
                    Text("{name} is larger than {most}; no more can be loaded.", name=name, most=size_words(most))
                )
            file.write(block)


@dataclass(frozen=True, slots=True)
class Loaded:
    """What was loaded into a conversation; ``card`` is as the job gives it that loads."""

    id: str
    card: Card

    @property
    def name(self) -> str:
        return str(self.card["name"])


L = TypeVar("L", bound=Loaded)


class CardRows(Generic[L]):
    """The rows of a table of the store, each with a card. Every method raises ``StoreFailed`` where the database does.

    ``columns`` are those that repeat a value of the card.
    """

    def __init__(self, database: Database, table: sql.Table, kind: Callable[[str, Card], L], *columns: str) -> None:
        self._database = database
        self._table = table
        self._kind = kind
        self._columns = columns
        its = table.c.conversation == sql.bindparam("id", type_=sql.String)
        self._read = sql.select(table.c.id, table.c.card).where(its).order_by(table.c.created, table.c.id)

    def of(self, conversation: str) -> tuple[L, ...]:
        """In the order in which they were loaded."""
        found = self._database.rows(self._read, id=conversation)
        return tuple(self._kind(row.id, cast("Card", json.loads(row.card))) for row in found)

    def add(self, conversation: str, cards: Mapping[str, Card]) -> None:
        """All of them, which are given by id, or none."""
        now = time()
        added = [
            {"id": id, "conversation": conversation, **self._values(card), "created": now + place / 1000}
            for place, (id, card) in enumerate(cards.items())
        ]
        with self._database.begin() as connection:
            connection.execute(sql.insert(self._table), added)

    def change(self, conversation: str, id: str, card: Card) -> bool:
        """Give a row another card; whether there is such a row."""
        return self._run(sql.update(self._table).values(self._values(card)), conversation, id)

    def remove(self, conversation: str, id: str) -> bool:
        return self._run(sql.delete(self._table), conversation, id)

    def _run(self, statement: sql.Update | sql.Delete, conversation: str, id: str) -> bool:
        rows = self._table.c
        with self._database.begin() as connection:
            return connection.execute(statement.where(rows.id == id, rows.conversation == conversation)).rowcount > 0

    def _values(self, card: Card) -> dict[str, str]:
        copied = {column: str(card[column]) for column in self._columns}
        return {**copied, "card": json.dumps(card, ensure_ascii=False)}


class Uploads(Folders, Generic[L]):
    """The folders into which people load files of one kind."""

    rows: CardRows[L]
    failures: Failures

    @property
    def most(self) -> int:
        """The bytes that one file may have."""
        raise NotImplementedError


@dataclass(frozen=True, slots=True)
class ConversationFiles(ABC, Generic[L]):
    """What was loaded into one conversation. What a person does with it raises ``BadRequest`` with a sentence."""

    files: Uploads[L]
    conversation: str
    folder: Path
    _lock: Lock
    cancel: Flag | None = None
    visitor: str = ""

    def loaded(self) -> tuple[L, ...]:
        return self.files.rows.of(self.conversation)

    def find(self, id: str) -> L | None:
        return next((one for one in self.loaded() if one.id == id), None)

    def load(
        self, name: str, source: BinaryIO, progress: Callable[[Progress], None] | None = None
    ) -> tuple[tuple[Card, ...], tuple[str, ...]]:
        """The cards of what an upload called ``name`` became, and notes on how it was read; all of it or nothing."""
        with self._lock:
            there = self.loaded()
            self._check_room(name, there)
            self.files.sandbox.start()  # while the file is kept
            self.files.make(self.folder)
            upload, told = f"upload_{uuid4().hex}", f"progress_{uuid4().hex}.json"
            try:
                keep_upload(name, source, self.folder / upload, self.files.most)
                with watching(self.folder / told, progress):
                    return self._load({"source": upload, "name": name, "progress": told}, there)
            finally:
                for left_over in (upload, told):
                    (self.folder / left_over).unlink(missing_ok=True)
                self._after_loading()

    def remove(self, id: str) -> None:
        """Remove it for good; nothing happens where it is gone."""
        self.files.rows.remove(self.conversation, id)
        # While a file is being loaded, its end tidies up.
        if self._lock.acquire(blocking=False):
            try:
                self._tidy()
            finally:
                self._lock.release()

    def _seconds_to_load(self, job: Mapping[str, Any], most: float) -> float:
        """That the upload of the ``job`` may take, by its size, ``most`` at the most."""
        size = (self.folder / str(job["source"])).stat().st_size
        return min(most, _LEAST_SECONDS + _SECONDS_A_MEGABYTE * size / MEBIBYTE)

    @abstractmethod
    def _check_room(self, name: str, there: Sequence[L]) -> None:
        """Raises ``BadRequest`` where nothing more fits beside what is ``there``."""

    @abstractmethod
    def _load(self, job: Mapping[str, Any], there: Sequence[L]) -> tuple[tuple[Card, ...], tuple[str, ...]]:
        """Have the upload of the ``job`` read, and keep the cards: these, and the notes."""

    def _after_loading(self) -> None:
        """Cleans up, whether something was loaded or not."""

    @abstractmethod
    def _tidy(self) -> None:
        """Remove from the folder all that is of nothing loaded."""

    def _call(self, job: Mapping[str, Any], role: Role, seconds: float) -> Answer:
        return self.files.sandbox.session(self.folder, role, self.visitor).call(
            job, seconds + _GRACE_SECONDS, self.cancel
        )

    def _asked(self, job: Mapping[str, Any], role: Role, seconds: float = 0.0) -> Answer:
        """The answer of a job that was done, for a person."""
        with self.files.failures.for_a_person():
            answer = self._call(job, role, seconds or float(job.get("seconds", role.seconds)))
        return done(answer)
