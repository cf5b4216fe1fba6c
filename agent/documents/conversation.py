"""The documents of each conversation: their text in a folder of its own, all work on it in the sandbox."""

from __future__ import annotations

import logging
import os
import re
import shutil
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from threading import Event as Flag
from threading import Lock
from typing import Any, BinaryIO
from uuid import uuid4

from agent.data.loading.limits import size_words
from agent.data.loading.progress import Progress, watching
from agent.data.sandbox.client import Role, Sandbox
from agent.data.sandbox.errors import SandboxError, SandboxOff, WorkerFailed, WorkerKilled
from agent.database import Database
from agent.documents.conversation_rows import Card, DocumentRows, LoadedDocument
from agent.documents.limits import MEBIBYTE
from agent.documents.passages import Passage
from agent.errors import BadRequest, ToolFailed

log = logging.getLogger(__name__)
_ID = re.compile(r"[0-9a-f]{32}")
_SECONDS_TO_LOAD = 300.0
_GRACE_SECONDS = 3.0
READING = Role(
    seconds=20.0,
    processor_seconds=3600,
    file_bytes=1024 * MEBIBYTE,
    folder_bytes=1024 * MEBIBYTE,
    writable=True,
    removes=True,
)


@dataclass(frozen=True, slots=True)
class DocumentLimits:
    """``file`` are the bytes of one upload; ``documents`` and ``characters`` are of a conversation."""

    file: int = 50 * MEBIBYTE
    documents: int = 50
    characters: int = 20_000_000


@dataclass(frozen=True, slots=True)
class Found:
    """A passage that fits a question; ``covered`` is the share of the question's words in it."""

    document: LoadedDocument
    passage: Passage
    covered: float


class Documents:
    """The documents of all conversations. One for the process; nothing is started before one is used."""

    def __init__(
        self, database: Database, folder: Path, sandbox: Sandbox, limits: DocumentLimits | None = None
    ) -> None:
        """``folder`` holds a folder for each conversation that has documents. ``sandbox`` does ``documents.jobs``."""
        self.rows = DocumentRows(database)
        self.sandbox = sandbox
        self.limits = limits or DocumentLimits()
        self._folder = folder
        self._locks: dict[str, Lock] = {}

    def open(self, visitor: str, conversation: str, cancel: Flag | None = None) -> ConversationDocuments:
        """Those of a conversation; work for it ends when ``cancel`` is set.

        Raises ``BadRequest`` where it is not one of this visitor's.
        """
        if not _ID.fullmatch(conversation) or not self.rows.is_of(visitor, conversation):
            raise BadRequest("There is no such conversation here.")
        lock = self._locks.setdefault(conversation, Lock())
        return ConversationDocuments(self, conversation, self._folder / conversation, lock, cancel)

    def sweep(self) -> int:
        """Remove the folders of conversations that are gone for good; how many."""
        if not self._folder.is_dir():
            return 0
        named = [entry.name for entry in self._folder.iterdir() if _ID.fullmatch(entry.name)]
        gone = set(named) - self.rows.known(named)
        for name in gone:
            self.sandbox.forget(self._folder / name)
            shutil.rmtree(self._folder / name, ignore_errors=True)
        return len(gone)

    def make(self, folder: Path) -> None:
        """Make the folder of a conversation, for nobody else to read."""
        # A worker of root's becomes nobody, who must be able to walk through to it.
        around = 0o755 if os.name == "posix" and os.geteuid() == 0 else 0o700
        self._folder.mkdir(mode=around, parents=True, exist_ok=True)
        folder.mkdir(mode=0o700, exist_ok=True)


@dataclass(frozen=True, slots=True)
class ConversationDocuments:
    """The documents of one conversation. What a person does raises ``BadRequest``, ``search`` and ``page`` for a tool
    ``ToolFailed``.
    """

    documents: Documents
    conversation: str
    folder: Path
    _lock: Lock
    cancel: Flag | None = None

    def loaded(self) -> tuple[LoadedDocument, ...]:
        return self.documents.rows.of(self.conversation)

    def find(self, document: str) -> LoadedDocument | None:
        return next((one for one in self.loaded() if one.id == document), None)

    def load(
        self, name: str, source: BinaryIO, progress: Callable[[Progress], None] | None = None
    ) -> tuple[tuple[Card, ...], tuple[str, ...]]:
        """The card of an upload called ``name``, and notes on how it was read; all of it or nothing."""
        with self._lock:
            there, limits = self.loaded(), self.documents.limits
            if len(there) >= limits.documents:
                raise BadRequest(
                    f"This chat has {len(there)} documents, and no more fit. Remove some, then load {name}."
                )
            self.documents.make(self.folder)
            upload, told, id = f"upload_{uuid4().hex}", f"progress_{uuid4().hex}.json", uuid4().hex
            try:
                self._write(name, source, self.folder / upload)
                left = limits.characters - sum(int(one.card["characters"]) for one in there)
                if left <= 0:
                    raise BadRequest(f"The documents of this chat are full. Remove some, then load {name}.")
                job = {"kind": "document_load", "id": id, "source": upload, "name": name, "progress": told}
                with watching(self.folder / told, progress):
                    card = self._asked({**job, "keep": self._ids()}, _SECONDS_TO_LOAD)["card"]
                if int(card["characters"]) > left:
                    raise BadRequest(f"With {name} this chat would have too much text. Remove some documents first.")
                self.documents.rows.add(self.conversation, id, card)
                if len(self.loaded()) <= len(there):
                    self._tidy()  # one was removed meanwhile
            finally:
                for left_over in (upload, told):
                    (self.folder / left_over).unlink(missing_ok=True)
        return (card,), tuple(str(note) for note in card["notes"])

    def remove(self, document: str) -> None:
        """Remove a document and its text for good; nothing happens where it is gone."""
        self.documents.rows.remove(self.conversation, document)
        # While a file is being loaded, its end tidies up.
        if self._lock.acquire(blocking=False):
            try:
                self._tidy()
            finally:
                self._lock.release()

    def search(self, question: str, among: tuple[LoadedDocument, ...], most: int) -> list[Found]:
        """The passages of these documents that fit the question best, for a tool."""
        if not among:
            return []
        job = {"kind": "document_search", "question": question, "keep": [one.id for one in among], "most": most}
        known = {one.id: one for one in among}
        return [
            Found(known[str(hit["document"])], _passage(hit), float(hit["covered"]))
            for hit in self._for_a_tool(job)["hits"]
        ]

    def page(self, document: LoadedDocument, page: int) -> tuple[Passage, ...]:
        """The passages of a page or part, for a tool."""
        answer = self._for_a_tool({"kind": "document_page", "id": document.id, "page": page})
        return tuple(map(_passage, answer["passages"]))

    def shown(self, document: LoadedDocument, page: int) -> tuple[Passage, ...]:
        """As ``page``, for a person."""
        answer = self._asked({"kind": "document_page", "id": document.id, "page": page})
        return tuple(map(_passage, answer["passages"]))

    def page_of(self, document: LoadedDocument, passage: int) -> int:
        """The page on which a passage stands, for a person; 0 where there is no such passage."""
        return int(self._asked({"kind": "document_place", "id": document.id, "passage": passage})["page"])

    def _tidy(self) -> None:
        """Remove from the index all that is of no document."""
        if self.loaded():
            self._asked({"kind": "document_keep", "keep": self._ids()})
        else:
            self.documents.sandbox.forget(self.folder)
            shutil.rmtree(self.folder, ignore_errors=True)

    def _ids(self) -> list[str]:
        return [one.id for one in self.loaded()]

    def _call(self, job: Mapping[str, Any], seconds: float) -> Mapping[str, Any]:
        session = self.documents.sandbox.session(self.folder, READING)
        return session.call(job, seconds + _GRACE_SECONDS, self.cancel)

    def _asked(self, job: Mapping[str, Any], seconds: float = READING.seconds) -> Mapping[str, Any]:
        try:
            answer = self._call(job, seconds)
        except SandboxError as error:
            raise BadRequest(_sentence(error)) from error
        if not answer.get("ok"):
            raise BadRequest(str(answer.get("message") or "That could not be done."))
        return answer

    def _for_a_tool(self, job: Mapping[str, Any]) -> Mapping[str, Any]:
        try:
            answer = self._call(job, READING.seconds)
        except WorkerKilled as error:
            kind = {"stopped": "stopped", "time": "timeout"}.get(error.reason, "input")
            raise ToolFailed(_sentence(error), kind) from error
        except SandboxError as error:
            raise ToolFailed(_sentence(error), "tool" if isinstance(error, WorkerFailed) else "refused") from error
        if not answer.get("ok"):
            raise ToolFailed(str(answer.get("message") or "The documents cannot be searched just now."), "input")
        return answer

    def _write(self, name: str, source: BinaryIO, target: Path) -> None:
        most, size = self.documents.limits.file, 0
        with open(os.open(target, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "wb") as file:
            while block := source.read(MEBIBYTE):
                size += len(block)
                if size > most:
                    raise BadRequest(f"{name} is larger than {size_words(most)}; no more can be loaded.")
                file.write(block)


def _passage(value: Mapping[str, Any]) -> Passage:
    return Passage(int(value["number"]), int(value["page"]), str(value["heading"]), str(value["text"]))


def _sentence(error: SandboxError) -> str:
    """The error for a person; what is a mistake of ours goes to the log."""
    if isinstance(error, SandboxOff):
        return f"Documents cannot be read just now. {error}"
    if isinstance(error, WorkerFailed):
        log.error("a job on documents failed: %s\n%s", error, error.trace)
        return "Something went wrong with the documents in Glassbox itself; its log has more."
    return str(error)
