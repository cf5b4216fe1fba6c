"""The documents of each conversation: their text in a folder of its own, all work on it in the sandbox."""

from __future__ import annotations

import shutil
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from threading import Event as Flag
from threading import Lock
from typing import Any, BinaryIO
from uuid import uuid4

from agent.data.documents.document_rows import Card, DocumentRows, LoadedDocument
from agent.data.documents.passages import Passage
from agent.data.folders import Folders, keep_upload
from agent.data.tables.loading.progress import Progress, watching
from agent.errors import BadRequest, ToolFailed
from agent.interface_text import Text, unpacked
from agent.sandbox.client import Role, Sandbox
from agent.sandbox.sandbox_errors import Failures, done
from agent.store.database import Database
from agent.text.encodings import MEBIBYTE

_FAILURES = Failures("documents", Text("Documents cannot be read just now."))
_SECONDS_TO_LOAD = 300.0
_GRACE_SECONDS = 3.0
READING = Role(
    handler="agent.data.documents.document_jobs",
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


class Documents(Folders):
    """The documents of all conversations. One for the process; nothing is started before one is used."""

    def __init__(
        self, database: Database, folder: Path, sandbox: Sandbox, limits: DocumentLimits | None = None
    ) -> None:
        super().__init__(database, folder, sandbox)
        self.rows = DocumentRows(database)
        self.limits = limits or DocumentLimits()

    def open(self, visitor: str, conversation: str, cancel: Flag | None = None) -> ConversationDocuments:
        """Those of a conversation; work for it ends when ``cancel`` is set.

        Raises ``BadRequest`` where it is not one of this visitor's.
        """
        return ConversationDocuments(self, conversation, *self.of(visitor, conversation), cancel)


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
                    Text(
                        "This chat has {count} documents, and no more fit. Remove some, then load {name}.",
                        count=len(there),
                        name=name,
                    )
                )
            self.documents.sandbox.start()  # while the file is kept
            self.documents.make(self.folder)
            upload, told, id = f"upload_{uuid4().hex}", f"progress_{uuid4().hex}.json", uuid4().hex
            try:
                keep_upload(name, source, self.folder / upload, limits.file)
                left = limits.characters - sum(int(one.card["characters"]) for one in there)
                if left <= 0:
                    raise BadRequest(
                        Text("The documents of this chat are full. Remove some, then load {name}.", name=name)
                    )
                job = {"kind": "document_load", "id": id, "source": upload, "name": name, "progress": told}
                with watching(self.folder / told, progress):
                    card = self._asked({**job, "keep": self._ids()}, _SECONDS_TO_LOAD)["card"]
                if int(card["characters"]) > left:
                    raise BadRequest(
                        Text("With {name} this chat would have too much text. Remove some documents first.", name=name)
                    )
                self.documents.rows.add(self.conversation, id, card)
                if len(self.loaded()) <= len(there):
                    self._tidy()  # one was removed meanwhile
            finally:
                for left_over in (upload, told):
                    (self.folder / left_over).unlink(missing_ok=True)
        return (card,), tuple(unpacked(note) for note in card["notes"])

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
        with _FAILURES.for_a_person():
            answer = self._call(job, seconds)
        return done(answer)

    def _for_a_tool(self, job: Mapping[str, Any]) -> Mapping[str, Any]:
        with _FAILURES.for_a_tool():
            answer = self._call(job, READING.seconds)
        if not answer.get("ok"):
            raise ToolFailed(unpacked(answer.get("message") or "The documents cannot be searched just now."), "input")
        return answer


def _passage(value: Mapping[str, Any]) -> Passage:
    return Passage(int(value["number"]), int(value["page"]), str(value["heading"]), str(value["text"]))
