"""The app's own handbook: chapters in files of the repository, indexed in memory when it is first asked."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from pathlib import Path
from threading import Lock

from agent.data.documents.index import Hit, Index
from agent.data.documents.passages import Passage, passages
from agent.data.documents.readers import markdown
from agent.text.plain import japanese
from agent.text.regex import regex

_FOLDER = Path(__file__).parents[3] / "handbook"
_NAME = regex(r"\d+-([a-z0-9-]+)\.md")
_MARKS = regex(r"```\w*|[*`]+")


@dataclass(frozen=True, slots=True)
class Chapter:
    """``id`` begins with its language, as in ``en-tools``; ``text`` is Markdown that begins with the title."""

    id: str
    title: str
    text: str

    @property
    def language(self) -> str:
        return self.id[:2]


@dataclass(frozen=True, slots=True)
class _Library:
    index: Index
    lock: Lock


def source_title(found: Chapter) -> str:
    """What a chapter is called where an answer names it as its source."""
    return f"ハンドブック、{found.title}" if found.language == "ja" else f"Handbook, {found.title}"


@cache
def chapters() -> tuple[Chapter, ...]:
    """All of them: English first, each language in its order."""
    found: list[Chapter] = []
    for language in ("en", "ja"):
        for path in sorted((_FOLDER / language).glob("*.md")):
            if name := _NAME.fullmatch(path.name):
                text = path.read_text(encoding="utf-8")
                found.append(Chapter(f"{language}-{name[1]}", text.partition("\n")[0].lstrip("# ").strip(), text))
    return tuple(found)


def chapter(id: str) -> Chapter | None:
    return next((one for one in chapters() if one.id == id), None)


def sections(found: Chapter) -> tuple[Passage, ...]:
    """Its passages, numbered as ``search`` names them."""
    return tuple(passages(markdown(found.text)))


def plain(passage: Passage) -> str:
    """Its text without the marks of Markdown, for a line of what was found."""
    return _MARKS.sub("", passage.text)


@cache
def _library(language: str) -> _Library:
    """The chapters of one language: how rare a word is does not depend on those of the other."""
    index = Index()
    for one in chapters():
        if one.language == language:
            index.add(one.id, "", sections(one))
    return _Library(index, Lock())


def search(question: str, most: int = 3) -> list[Hit]:
    """The best passages, in the language of the question; of the other where it has none."""
    first, second = ("ja", "en") if japanese(question) else ("en", "ja")
    return _found(first, question, most) or _found(second, question, most)


def _found(language: str, question: str, most: int) -> list[Hit]:
    library = _library(language)
    ids = [one.id for one in chapters() if one.language == language]
    with library.lock:
        return library.index.search(question, ids, most, False)
