"""The handbook says the same in every language of the interface, in the words that the interface has."""

from __future__ import annotations

import re
from functools import cache

import pytest
from babel.messages.pofile import read_po

from agent.data.documents import handbook
from agent.data.documents.handbook import Chapter
from pages.ui.text.words import FOLDER, LANGUAGES
from pages.ui.text.words.extraction import ROOT

CHAPTERS = ROOT / "handbook"
OTHERS = sorted(set(LANGUAGES) - {"en"})
PAIRS = [(chapter, language) for chapter in handbook.chapters() if chapter.language == "en" for language in OTHERS]
_CODE = re.compile(r"```.*?```", re.DOTALL)
_SPAN = re.compile(r"`([^`\n]+)`")
_BOLD = re.compile(r"\*\*(.+?)\*\*")
# On pages that are not ours.
_ELSEWHERE = {"Create app", "Advanced settings"}


def in_other(chapter: Chapter, language: str) -> Chapter:
    found = handbook.chapter(f"{language}-{chapter.id[3:]}")
    assert found, f"{chapter.id} is missing in {language}"
    return found


def shape(text: str) -> list[str]:
    """Headings by their depth, code, paragraphs."""
    blocks = [block.strip() for block in re.split(r"\n{2,}", text.strip())]
    return ["code" if block.startswith("```") else "#" * block[:6].count("#") or "paragraph" for block in blocks]


@cache
def interface_words(language: str) -> set[str]:
    """What buttons, fields and pages are called; in English, the keys of any catalogue."""
    with (FOLDER / f"{OTHERS[0] if language == 'en' else language}.po").open("rb") as file:
        messages = [message for message in read_po(file) if isinstance(message.id, str)]
    return {str(message.id if language == "en" else message.string) for message in messages}


@pytest.mark.parametrize("language", OTHERS)
def test_every_language_has_the_same_chapters(language: str) -> None:
    names = [sorted(path.name for path in (CHAPTERS / one).iterdir()) for one in ("en", language)]
    assert names[0] == names[1] and len(names[0]) == 16


@pytest.mark.parametrize(("chapter", "language"), PAIRS, ids=lambda value: getattr(value, "id", value))
def test_a_chapter_has_the_same_parts(chapter: Chapter, language: str) -> None:
    other = in_other(chapter, language)
    assert shape(other.text) == shape(chapter.text)
    assert _CODE.findall(other.text) == _CODE.findall(chapter.text)


@pytest.mark.parametrize(("chapter", "language"), PAIRS, ids=lambda value: getattr(value, "id", value))
def test_a_chapter_has_the_same_code_and_numbers(chapter: Chapter, language: str) -> None:
    here, there = ({span for span in _SPAN.findall(one.text)} for one in (chapter, in_other(chapter, language)))
    # What stands in quotes within code may be translated.
    assert {re.sub('".*?"', '""', span) for span in here} == {re.sub('".*?"', '""', span) for span in there}
    said = set(re.findall(r"\d[\d,.]*\d|\d", chapter.text))
    assert said <= set(re.findall(r"\d[\d,.]*\d|\d", in_other(chapter, language).text))


@pytest.mark.parametrize("chapter", handbook.chapters(), ids=lambda chapter: chapter.id)
def test_what_is_bold_is_a_word_of_the_interface(chapter: Chapter) -> None:
    bold = set(_BOLD.findall(_SPAN.sub("", _CODE.sub("", chapter.text))))
    assert bold <= interface_words(chapter.language) | _ELSEWHERE
