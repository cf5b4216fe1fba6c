"""The documents of each conversation: their text in a folder of its own, all work on it in the sandbox."""

from __future__ import annotations

import json
import os
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from threading import Event as Flag
from typing import Any
from uuid import uuid4

from agent.data.card_rows import Card, CardRows, Loaded
from agent.data.documents.passages import LIBRARY, Passage
from agent.data.folders import ConversationFiles, Uploads
from agent.data.kept_files.copies import KeptFiles
from agent.errors import BadRequest, GlassboxError, ToolFailed
from agent.interface_text import Text, unpacked
from agent.sandbox.client import Role, Sandbox
from agent.sandbox.hostile_folder import empty
from agent.sandbox.sandbox_errors import Failures
from agent.store.database import Database
from agent.store.schema import DOCUMENTS
from agent.text.encodings import MEBIBYTE

_SECONDS_TO_LOAD = 300.0  # at the most
_GIVEN_AT_ONCE = 2_000  # passages of 900 characters
MOST_BYTES = 512 * MEBIBYTE  # of the text of a document as it is kept
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
    def file(self) -> str:
        """The name of the file with its passages, a JSON line for each, where it is kept elsewhere or brought back."""
        return passages_file(self.id)

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
        self,
        database: Database,
        folder: Path,
        sandbox: Sandbox,
        limits: DocumentLimits | None = None,
        kept: KeptFiles | None = None,
    ) -> None:
        super().__init__(database, folder, sandbox, kept)
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

    def _named(self, conversations: Sequence[str]) -> set[str]:
        return {document.file for document in self.rows.of_all(conversations)}


@dataclass(frozen=True, slots=True)
class ConversationDocuments(ConversationFiles[LoadedDocument]):
    """The documents of one conversation. What a person does raises ``BadRequest``, ``search`` and ``page`` for a tool
    ``ToolFailed``.
    """

    files: Documents

    def _check_room(self, name: str, there: Sequence[LoadedDocument]) -> None:
        if len(there) >= self.files.limits.documents:
            raise BadRequest.because(
                "This chat has {count} documents, and no more fit. Remove some, then load {name}.",
                count=len(there),
                name=name,
            )
        if self._left(there) <= 0:
            raise BadRequest.because("The documents of this chat are full. Remove some, then load {name}.", name=name)

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
            raise BadRequest.because(
                "With {name} this chat would have too much text. Remove some documents first.", name=str(job["name"])
            )
        self._add(id, card)
        if len(self.loaded()) <= len(there):
            self._tidy()  # one was removed meanwhile
        return (card,), tuple(unpacked(note) for note in card["notes"])

    def _add(self, id: str, card: Card) -> None:
        kept, name = self.files.kept, passages_file(id)
        if kept is None:
            self.files.rows.add(self.conversation, {id: card})
            return
        with self._working() as known:
            try:
                self.write_passages(id, self.folder / name)
                kept.keep(self.folder, [name])
            finally:
                (self.folder / name).unlink(missing_ok=True)
            try:
                self.files.rows.add(self.conversation, {id: card})
            except GlassboxError:
                kept.drop(self.folder, [name])
                raise
            known.add(id)

    def write_passages(self, id: str, target: Path) -> None:
        """Write the passages of a document to a new file. Raises ``BadRequest``, and ``OSError``."""
        number = 0
        with open(os.open(target, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "wb") as file:
            while found := self._given(id, number):
                file.writelines(json.dumps(one, ensure_ascii=False).encode() + b"\n" for one in found)
                number = int(found[-1][0])

    def _given(self, id: str, after: int) -> Sequence[Sequence[Any]]:
        job = {"kind": "document_give", "id": id, "after": after, "most": _GIVEN_AT_ONCE}
        return list(self._asked(job, READING)["passages"])

    def _names(self, loaded: LoadedDocument) -> Iterator[str]:
        yield loaded.file

    def _bring(self, loaded: LoadedDocument, known: set[str]) -> None:
        """Have its passages in the index, which are in a file of their own where they come from elsewhere."""
        source = self.folder / loaded.file
        if loaded.id in known or not (self.files.kept or source.is_file() or not self._has_library()):
            return
        if not source.is_file():
            self._fetch(loaded.file, loaded, MOST_BYTES)
        job = {"kind": "document_take", "id": loaded.id, "name": loaded.name, "source": loaded.file}
        self._asked(job, READING, _SECONDS_TO_LOAD)
        source.unlink(missing_ok=True)
        known.add(loaded.id)

    def _has_library(self) -> bool:
        return (self.folder / LIBRARY).is_file()

    def search(self, question: str, among: tuple[LoadedDocument, ...], most: int) -> list[Found]:
        """The passages of these documents that fit the question best, for a tool."""
        if not among:
            return []
        job = {"kind": "document_search", "question": question, "keep": [one.id for one in among], "most": most}
        known = {one.id: one for one in among}
        return [
            Found(known[str(hit["document"])], _passage(hit), float(hit["covered"]))
            for hit in self._for_a_tool(job, among)["hits"]
        ]

    def page(self, document: LoadedDocument, page: int) -> tuple[Passage, ...]:
        """The passages of a page or part, for a tool."""
        answer = self._for_a_tool({"kind": "document_page", "id": document.id, "page": page}, [document])
        return tuple(map(_passage, answer["passages"]))

    def shown(self, document: LoadedDocument, page: int) -> tuple[Passage, ...]:
        """As ``page``, for a person."""
        with self._at_hand([document]):
            answer = self._asked({"kind": "document_page", "id": document.id, "page": page}, READING)
        return tuple(map(_passage, answer["passages"]))

    def page_of(self, document: LoadedDocument, passage: int) -> int:
        """The page on which a passage stands, for a person; 0 where there is no such passage."""
        with self._at_hand([document]):
            answer = self._asked({"kind": "document_place", "id": document.id, "passage": passage}, READING)
        return int(answer["page"])

    def _tidy(self) -> None:
        """Remove from the index all that is of no document."""
        if not self.loaded():
            # The folder stays: a process that works on the documents, too, has its locks on this very one.
            self.files.sandbox.forget(self.folder)
            empty(self.folder)
        elif self._has_library():
            self._asked({"kind": "document_keep", "keep": self._ids()}, READING)

    def _ids(self) -> list[str]:
        return [one.id for one in self.loaded()]

    def _for_a_tool(self, job: Mapping[str, Any], wanted: Sequence[LoadedDocument]) -> Mapping[str, Any]:
        with self.files.for_a_tool(), self._at_hand(wanted):
            answer = self._call(job, READING, READING.seconds)
        if not answer.get("ok"):
            raise ToolFailed(unpacked(answer.get("message") or "The documents cannot be searched just now."), "input")
        return answer


def passages_file(id: str) -> str:
    return f"document_{id}.jsonl"


def _passage(value: Mapping[str, Any]) -> Passage:
    return Passage(int(value["number"]), int(value["page"]), str(value["heading"]), str(value["text"]))
