"""The documents of each conversation: their text in a folder of its own, all work on it in the sandbox."""

from __future__ import annotations

import shutil
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from threading import Event as Flag
from typing import Any
from uuid import uuid4

from agent.data.documents.passages import Passage
from agent.data.folders import Card, CardRows, ConversationFiles, Loaded, Uploads
from agent.errors import BadRequest, ToolFailed
from agent.interface_text import Text, unpacked
from agent.sandbox.client import Role, Sandbox
from agent.sandbox.sandbox_errors import Failures
from agent.store.database import Database
from agent.store.schema import DOCUMENTS
from agent.text.encodings import MEBIBYTE

_SECONDS_TO_LOAD = 300.0  # at the most
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
class LoadedDocument(Loaded):
    """``card`` is as the job ``document_load`` gives it."""

    @property
    def pages(self) -> int:
        return int(self.card["pages"])

    @property
    def paged(self) -> bool:
        """Whether it has pages of its own; else they are parts that were made of it."""
        return bool(self.card["paged"])

    @property
    def length(self) -> str:
        """ "12 pages", "1 part"."""
        if self.paged:
            return Text("{n:,} page", "{n:,} pages", n=self.pages)
        return Text("{n:,} part", "{n:,} parts", n=self.pages)


@dataclass(frozen=True, slots=True)
class Found:
    """A passage that fits a question; ``covered`` is the share of the question's words in it."""

    document: LoadedDocument
    passage: Passage
    covered: float


def document_rows(database: Database) -> CardRows[LoadedDocument]:
    return CardRows(database, DOCUMENTS, LoadedDocument)


class Documents(Uploads[LoadedDocument]):
    """The documents of all conversations. One for the process; nothing is started before one is used."""

    failures = Failures("documents", Text("Documents cannot be read just now."))

    def __init__(
        self, database: Database, folder: Path, sandbox: Sandbox, limits: DocumentLimits | None = None
    ) -> None:
        super().__init__(database, folder, sandbox)
        self.rows = document_rows(database)
        self.limits = limits or DocumentLimits()

    @property
    def most(self) -> int:
        return self.limits.file

    def open(self, visitor: str, conversation: str, cancel: Flag | None = None) -> ConversationDocuments:
        """Those of a conversation; work for it ends when ``cancel`` is set.

        Raises ``BadRequest`` where it is not one of this visitor's.
        """
        return ConversationDocuments(self, conversation, *self.of(visitor, conversation), cancel, visitor)


@dataclass(frozen=True, slots=True)
class ConversationDocuments(ConversationFiles[LoadedDocument]):
    """The documents of one conversation. What a person does raises ``BadRequest``, ``search`` and ``page`` for a tool
    ``ToolFailed``.
    """

    files: Documents

    def _check_room(self, name: str, there: Sequence[LoadedDocument]) -> None:
        if len(there) >= self.files.limits.documents:
            raise BadRequest(
                Text(
                    "This chat has {count} documents, and no more fit. Remove some, then load {name}.",
                    count=len(there),
                    name=name,
                )
            )
        if self._left(there) <= 0:
            raise BadRequest(Text("The documents of this chat are full. Remove some, then load {name}.", name=name))

    def _left(self, there: Sequence[LoadedDocument]) -> int:
        """How many characters still fit."""
        return self.files.limits.characters - sum(int(one.card["characters"]) for one in there)

    def _load(
        self, job: Mapping[str, Any], there: Sequence[LoadedDocument]
    ) -> tuple[tuple[Card, ...], tuple[str, ...]]:
        id = uuid4().hex
        job = {"kind": "document_load", "id": id, "keep": self._ids(), **job}
        card = self._asked(job, READING, self._seconds_to_load(job, _SECONDS_TO_LOAD))["card"]
        if int(card["characters"]) > self._left(there):
            raise BadRequest(
                Text(
                    "With {name} this chat would have too much text. Remove some documents first.",
                    name=str(job["name"]),
                )
            )
        self.files.rows.add(self.conversation, {id: card})
        if len(self.loaded()) <= len(there):
            self._tidy()  # one was removed meanwhile
        return (card,), tuple(unpacked(note) for note in card["notes"])

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
        answer = self._asked({"kind": "document_page", "id": document.id, "page": page}, READING)
        return tuple(map(_passage, answer["passages"]))

    def page_of(self, document: LoadedDocument, passage: int) -> int:
        """The page on which a passage stands, for a person; 0 where there is no such passage."""
        return int(self._asked({"kind": "document_place", "id": document.id, "passage": passage}, READING)["page"])

    def _tidy(self) -> None:
        """Remove from the index all that is of no document."""
        if self.loaded():
            self._asked({"kind": "document_keep", "keep": self._ids()}, READING)
        else:
            self.files.sandbox.forget(self.folder)
            shutil.rmtree(self.folder, ignore_errors=True)

    def _ids(self) -> list[str]:
        return [one.id for one in self.loaded()]

    def _for_a_tool(self, job: Mapping[str, Any]) -> Mapping[str, Any]:
        with self.files.failures.for_a_tool():
            answer = self._call(job, READING, READING.seconds)
        if not answer.get("ok"):
            raise ToolFailed(unpacked(answer.get("message") or "The documents cannot be searched just now."), "input")
        return answer


def _passage(value: Mapping[str, Any]) -> Passage:
    return Passage(int(value["number"]), int(value["page"]), str(value["heading"]), str(value["text"]))
