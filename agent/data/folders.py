"""A folder for each conversation, whose files are worked on in the sandbox alone, and what was loaded into it."""

from __future__ import annotations

import os
import shutil
from abc import ABC, abstractmethod
from collections.abc import Callable, Generator, Iterable, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from threading import Event as Flag
from typing import Any, BinaryIO, Generic, TypeAlias
from uuid import uuid4

import sqlalchemy as sql

from agent.data.card_rows import Card, CardRows, L, in_parts
from agent.data.folder_lock import LOCKS, FolderLock
from agent.data.kept_files.copies import KeptFiles
from agent.data.kept_files.file_store import FilesFailed
from agent.data.refusal import FULL
from agent.data.tables.loading.load_work import Progress, size_words, watching
from agent.errors import BadRequest, ToolFailed
from agent.sandbox.client import Role, Sandbox
from agent.sandbox.sandbox_errors import Failures, done
from agent.store.database import Database
from agent.store.schema import CONVERSATIONS
from agent.text.encodings import MEBIBYTE
from agent.text.regex import regex

Answer: TypeAlias = Mapping[str, Any]
_ID = regex(r"[0-9a-f]{32}")
_THEIRS = sql.select(CONVERSATIONS.c.id).where(
    CONVERSATIONS.c.id == sql.bindparam("id", type_=sql.String),
    CONVERSATIONS.c.visitor == sql.bindparam("visitor", type_=sql.String),
    CONVERSATIONS.c.deleted == 0,
)
_LEAST_SECONDS, _SECONDS_A_MEGABYTE = 60.0, 6.0  # that an upload may take: what is small holds no place for long
_GRACE_SECONDS = 3.0  # a job that ends by itself says more than one that is ended


class Folders:
    """Those of one kind of file. Every method raises ``StoreFailed`` where the database does."""

    def __init__(self, database: Database, place: Path, sandbox: Sandbox, kept: KeptFiles | None = None) -> None:
        """``place`` holds a folder for each conversation that has such files: the files themselves, or, where they are
        ``kept`` elsewhere, copies of this process's own.
        """
        self.sandbox = sandbox
        self.kept = kept
        self._database = database
        self._place = kept.place if kept else place
        self._locks_place = self._place.parent / LOCKS / self._place.name
        self._locks: dict[str, FolderLock] = {}

    def of(self, visitor: str, conversation: str) -> tuple[Path, FolderLock]:
        """The folder of a conversation, which need not be there, and the lock for who changes what is in it.

        Raises ``BadRequest`` where it is not one of this visitor's.
        """
        if not _ID.fullmatch(conversation) or not self._is_of(visitor, conversation):
            raise BadRequest.because("There is no such conversation here.")
        return self.of_anybody(conversation)

    def of_anybody(self, conversation: str) -> tuple[Path, FolderLock]:
        """As ``of``, of whoever's conversation: for who keeps the whole site."""
        lock = FolderLock(self._locks_place / conversation)
        return self._place / conversation, self._locks.setdefault(conversation, lock)

    def make(self, folder: Path) -> None:
        """Make the folder of a conversation, for nobody else to read."""
        # A worker of root's becomes nobody, who must be able to walk through to it.
        around = 0o755 if os.name == "posix" and os.geteuid() == 0 else 0o700
        self._place.mkdir(mode=around, parents=True, exist_ok=True)
        folder.mkdir(mode=0o700, exist_ok=True)

    def sweep(self) -> int:
        """Remove the folders of conversations that are gone for good, and what is kept of them elsewhere; how many."""
        gone = self._gone(self._place)
        for name in gone:
            self.sandbox.forget(self._place / name)
            self._remove(self._place / name)
        for name in self._gone(self._locks_place):
            self._locks.pop(name, None)
            (self._locks_place / name).unlink(missing_ok=True)
        return max(len(gone), self.kept.sweep(self._known, self._named) if self.kept else 0)

    def _gone(self, place: Path) -> set[str]:
        """What in a place is named as a conversation that is gone for good."""
        named = [entry.name for entry in place.iterdir() if _ID.fullmatch(entry.name)] if place.is_dir() else []
        return set(named) - self._known(named)

    def _named(self, conversations: Sequence[str]) -> set[str]:
        """The names of the files that are kept of these conversations."""
        return set()

    def _remove(self, folder: Path) -> None:
        shutil.rmtree(folder, ignore_errors=True)

    def _is_of(self, visitor: str, conversation: str) -> bool:
        """Whether it is a conversation of this visitor, and not deleted."""
        return bool(visitor and self._database.rows(_THEIRS, id=conversation, visitor=visitor))

    def _known(self, conversations: Sequence[str]) -> set[str]:
        """Those of them that there are, deleted ones that can be brought back included."""
        found: set[str] = set()
        with self._database.begin() as connection:
            for some in in_parts(conversations):
                chosen = sql.select(CONVERSATIONS.c.id).where(CONVERSATIONS.c.id.in_(some))
                found.update(connection.execute(chosen).scalars())
        return found


def keep_upload(name: str, source: BinaryIO, target: Path, most: int) -> None:
    """Write an upload called ``name`` to a new file, for nobody else to read.

    Raises ``BadRequest`` where it has more than ``most`` bytes, or the disk has no room for it.
    """
    size = 0
    try:
        with open(os.open(target, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "wb") as file:
            while block := source.read(MEBIBYTE):
                size += len(block)
                if size > most:
                    raise BadRequest.because(
                        "{name} is larger than {most}; no more can be loaded.", name=name, most=size_words(most)
                    )
                file.write(block)
    except OSError as error:
        if error.errno not in FULL:
            raise
        raise FilesFailed("full") from error


class Uploads(Folders, Generic[L]):
    """The folders into which people load files of one kind."""

    rows: CardRows[L]
    failures: Failures

    @property
    def most(self) -> int:
        """The bytes that one file may have."""
        raise NotImplementedError

    @contextmanager
    def for_a_tool(self) -> Generator[None]:
        """Errors of the sandbox and of the files become ``ToolFailed``."""
        try:
            with self.failures.for_a_tool():
                yield
        except BadRequest as error:
            raise ToolFailed(error.text, "refused") from error


@dataclass(frozen=True, slots=True)
class ConversationFiles(ABC, Generic[L]):
    """What was loaded into one conversation. What a person does with it raises ``BadRequest`` with a sentence."""

    files: Uploads[L]
    conversation: str
    folder: Path
    _lock: FolderLock
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
        with self._lock, self._working():
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
        gone = self.find(id)
        self.files.rows.remove(self.conversation, id)
        if gone and self.files.kept:
            self.files.kept.drop(self.folder, tuple(self._names(gone)))
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

    @contextmanager
    def _working(self) -> Generator[set[str]]:
        """Holds the folder as long as the block takes; what is noted in the set goes with the copies in it."""
        if self.files.kept is None:
            yield set()
            return
        with self.files.kept.copies.holding(self.folder) as known:
            self.files.make(self.folder)
            yield known

    @contextmanager
    def _at_hand(self, wanted: Sequence[L] | None = None) -> Generator[None]:
        """Has the files of what is ``wanted``, all that was loaded where it is ``None``, in the folder.

        Raises ``FilesFailed``, and ``BadRequest`` for a file that is on another server.
        """
        with self._working() as known:
            self._bring_all_of(self.loaded() if wanted is None else wanted, known, again=wanted is None)
            yield

    def _bring_all_of(self, wanted: Sequence[L], known: set[str], again: bool) -> None:
        try:
            for one in wanted:
                self._bring(one, known)
        except BadRequest:
            now = self.loaded()
            if not again or now == wanted:
                raise
            # Another process changed or removed one meanwhile.
            self._bring_all_of(now, known, again=False)

    def _fetch(self, name: str, loaded: L, most: int) -> None:
        """Have a file in the folder that is not there. Raises as ``_at_hand``."""
        if self.files.kept is None:
            raise BadRequest.because(
                "{name} is not on this server: it was loaded elsewhere, or its file was removed. Remove it from "
                "the chat, and load it again.",
                name=loaded.name,
            )
        try:
            self.files.kept.fetch(self.folder, name, most)
        except FilesFailed as error:
            if error.trouble != "missing":
                raise
            raise BadRequest.because(
                "{name} is not where this site keeps files any more. Remove it from the chat, and load it again.",
                name=loaded.name,
            ) from None

    @abstractmethod
    def _names(self, loaded: L) -> Iterable[str]:
        """Of the files that are kept of it."""

    @abstractmethod
    def _bring(self, loaded: L, known: set[str]) -> None:
        """Have in the folder what work on it needs; ``known`` is what was noted before. Raises as ``_at_hand``."""

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
