"""The words of the interface in Japanese: all there, each with its parts, and nothing else touched."""

from __future__ import annotations

import ast
import json
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from pages.ui.words import LANGUAGES, language, table, translated

ROOT = Path(__file__).parent.parent
FILES = [ROOT / "app.py", *sorted(ROOT.glob("pages/**/*.py"))]
_JAPANESE = re.compile(r"[\u3040-\u30ff\u4e00-\u9fff]")
# What is the same in every language.
_SAME = {"SQL", "Markdown"}


def texts(node: ast.AST) -> Iterator[str]:
    """The texts an expression may be, with ``{}`` for what is filled in."""
    match node:
        case ast.Constant(value=str() as text):
            yield text
        case ast.JoinedStr(values=parts):
            yield "".join(str(part.value) if isinstance(part, ast.Constant) else "{}" for part in parts)
        case ast.IfExp(body=one, orelse=other):
            yield from texts(one)
            yield from texts(other)
        case ast.BinOp(left=one, op=ast.Add(), right=other):
            yield from (f"{left}{right}" for left in texts(one) for right in texts(other))
        case _:
            return


def said() -> Iterator[tuple[str, str]]:
    """Each text that a page says in so many words."""
    for path in FILES:
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "say":
                for text in texts(node.args[0]):
                    yield path.name, re.sub(r"^:material/\w+: ", "", text)


@pytest.mark.parametrize(("file", "text"), sorted(set(said())))
def test_every_word_of_a_page_is_in_the_table(file: str, text: str) -> None:
    if re.search(r"[A-Za-z]{2}", re.sub(r"\{\}|:\w+\[", "", text)):
        assert text in table("ja"), f"{file} says {text!r}"


@pytest.mark.parametrize(("key", "value"), sorted(table("ja").items()))
def test_every_translation_is_one_and_has_all_parts(key: str, value: str) -> None:
    assert _JAPANESE.search(value) or key in _SAME or "{say}" in value
    assert len(re.findall(r"\{(?:say)?\}", value)) == key.count("{}")
    for mark in (":small[", ":gray[", "**"):
        assert key.count(mark) == value.count(mark)


def test_a_text_is_found_whole_by_its_pattern_or_stays() -> None:
    assert translated("New chat", "en") == "New chat"
    assert translated("New chat", "ja") == "新しいチャット"
    assert translated(":material/check: New chat", "ja") == ":material/check: 新しいチャット"
    assert translated("Show 3 earlier turns", "ja") == "前の 3 回のやりとりを表示"
    assert translated("Deleted “Settings”", "ja") == "「Settings」を削除しました"
    assert translated("Nobody wrote this.", "ja") == "Nobody wrote this."
    assert translated("", "ja") == ""


@pytest.mark.parametrize(
    ("chosen", "locale", "expected"),
    [
        ("auto", "ja-JP", "ja"),
        ("auto", "ja", "ja"),
        ("auto", "en-GB", "en"),
        ("auto", "fr", "en"),
        ("auto", None, "en"),
        ("ja", "en-US", "ja"),
        ("en", "ja", "en"),
        ("xx", "ja", "en"),
    ],
)
def test_the_language_is_the_chosen_one_or_that_of_the_browser(chosen: str, locale: str | None, expected: str) -> None:
    assert language(chosen, locale) == expected
    assert expected in LANGUAGES


def test_no_text_stands_twice_in_a_table() -> None:
    path = ROOT / "pages" / "ui" / "words" / "ja.json"
    pairs = json.loads(path.read_text(encoding="utf-8"), object_pairs_hook=list)
    assert len({key for key, _ in pairs}) == len(pairs)
