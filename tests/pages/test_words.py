"""The words of the interface in Japanese: all there, each with its parts, and nothing else touched."""

from __future__ import annotations

import ast
import json
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from agent.application.prompt_editing import TEMPLATES
from agent.models.presets import PRESETS
from agent.tools.catalogue import CATALOGUE
from pages.ui.text.words import LANGUAGES, language, table, translated

ROOT = Path(__file__).parents[2]
FILES = [ROOT / "app.py", *sorted(ROOT.glob("pages/*.py")), *sorted(ROOT.glob("pages/ui/**/*.py"))]
_JAPANESE = re.compile(r"[\u3040-\u30ff\u4e00-\u9fff、。～]")
_SHOWN = {"button", "caption", "markdown", "write", "header", "subheader", "title", "info", "warning", "error"}
_SHOWN |= {"text_input", "text_area", "number_input", "selectbox", "toggle", "pills", "segmented_control", "popover"}
_SHOWN |= {"expander", "form_submit_button", "tabs", "download_button", "chat_input", "file_uploader", "menu_button"}
_SHOWN |= {"success", "spinner", "date_input", "checkbox", "radio"}
_SAYING = {"label", "help", "placeholder", "text"}
# What is the same in every language, or shown to nobody.
_SAME = {"English", "SQL", "Markdown", "URL", "Python", "Word", "Esc", "a PDF"}
_EXAMPLES = {"sales", "weather"}
# Put together of what is said by itself.
_COMPOSED = {"{} and {} column{}, from {}", "{} {} of {}", "{} in {}"}
# As what the code alone reads is written.
_UNSEEN = re.compile(
    r"[\w-]*[a-z][A-Z]\w*|[\w.-]*[a-z_]|st\.|[a-z]+\.\w+|\.glassbox-page mark|(?:warm up|empty the bin)"
)


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
        case ast.BoolOp(values=several):
            for one in several:
                yield from texts(one)
        case ast.BinOp(left=one, op=ast.Add(), right=other):
            yield from (f"{left}{right}" for left in texts(one) for right in texts(other))
        case _:
            return


def calls() -> Iterator[tuple[str, ast.Call]]:
    for path in FILES:
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Call):
                yield path.name, node


def reads(text: str) -> bool:
    """Whether there are words in it."""
    return bool(re.search(r"[A-Za-z]{2}", re.sub(r"\{\}|:\w+\[|:material/\w+:|https?:\S+", "", text)))


def said() -> Iterator[tuple[str, str]]:
    """Each text that a page says in so many words."""
    for name, call in calls():
        speaker = call.func.id if isinstance(call.func, ast.Name) else ""
        if speaker in ("say", "titled_dialog") or ast.unparse(call.func) == "frame.open_page":
            for text in texts(call.args[0]):
                if reads(text):
                    yield name, text


def constants() -> Iterator[tuple[str, str]]:
    """Each text in a constant of a page: a sentence, or a word with a capital."""
    for path in FILES:
        for node in ast.parse(path.read_text(encoding="utf-8")).body:
            if isinstance(node, ast.Assign | ast.AnnAssign) and node.value is not None:
                for part in ast.walk(node.value):
                    if isinstance(part, ast.Constant) and isinstance(part.value, str):
                        text = part.value
                        if re.search(r"[A-Z][a-z]+|[a-z] [a-z]", text) and not re.search(r"[/\\#(){}]", text):
                            yield path.name, text


def in_table(text: str) -> bool:
    core = re.sub(r"^:material/\w+: ", "", text)
    fillings = (core.replace("{}", "7"), core.replace("{}", ""), core.replace("{}", "7", max(1, core.count("{}") - 1)))
    filled = (translated(one.replace("{}", ""), "ja") for one in fillings)
    # A verb stands before what it is about, or alone with an ellipsis.
    if {f"{core} {{}}", f"{core}…", core.rstrip(" ·")} & set(table("ja")):
        return True
    return core in table("ja") or text in _COMPOSED or any(_JAPANESE.search(one) for one in filled)


def test_every_word_of_a_page_is_in_the_table() -> None:
    missing = [
        f"{file}: {text}"
        for file, text in sorted({*said(), *constants()})
        if not (in_table(text) or text in _SAME or _UNSEEN.fullmatch(text))
    ]
    assert missing == []


def test_no_widget_shows_words_that_are_not_said() -> None:
    bare = [
        f"{name}: {text}"
        for name, call in calls()
        if isinstance(call.func, ast.Attribute) and call.func.attr in _SHOWN
        for shown in [*call.args[:1], *(word.value for word in call.keywords if word.arg in _SAYING)]
        for text in texts(shown)
        if reads(text) and text not in _EXAMPLES and not ast.unparse(call.func).startswith(("log.", "json."))
    ]
    assert bare == []


@pytest.mark.parametrize(
    "text",
    [
        *(spec.purpose for spec in CATALOGUE),
        *(template.title for template in TEMPLATES),
        *(template.purpose for template in TEMPLATES),
        *(preset.hint for preset in PRESETS),
        *(preset.start for preset in PRESETS if preset.start),
    ],
)
def test_what_the_agent_lists_for_people_is_in_the_table(text: str) -> None:
    assert _JAPANESE.search(translated(text, "ja")), text


def test_every_verb_of_a_tool_is_in_the_table() -> None:
    verbs = [verb for spec in CATALOGUE for verb in spec.verbs]
    assert len(verbs) == 2 * len(CATALOGUE)
    assert [verb for verb in verbs if not (verb and in_table(verb) and in_table(verb.rstrip(" :·")))] == []


def test_every_translation_is_one_and_has_all_parts() -> None:
    for key, value in table("ja").items():
        assert _JAPANESE.search(value) or key in _SAME or "{say}" in value or "{2}" in value or " / " in value, key
        numbered = re.findall(r"\{(?:say )?(\d)\}", value)
        parts = len(re.findall(r"\{(?:say)?\}", value))
        assert (parts, len(set(numbered))) in ((key.count("{}"), 0), (0, key.count("{}"))), key
        for mark in (":small[", ":gray[", "**", ":material/"):
            assert key.count(mark) == value.count(mark), key


def test_a_text_is_found_whole_by_its_pattern_piece_by_piece_or_stays() -> None:
    assert translated("New chat", "en") == "New chat"
    assert translated("New chat", "ja") == "新しいチャット"
    assert translated(":material/check: New chat", "ja") == ":material/check: 新しいチャット"
    assert translated("Show 3 earlier turns", "ja") == "前の 3 件のやりとりを表示"
    assert translated("Deleted “Settings”", "ja") == "「Settings」を削除しました"
    assert translated("4 of 17 tools are in use.", "ja") == "ツール 17 個のうち 4 個を使用中です。"
    assert translated("3 of 4 figures traced; 1 not found.", "ja") == "数値 4 件中 3 件を確認、1 件は見つかりません。"
    assert translated("1 row · failed", "ja") == "1 行 · 失敗"
    assert translated(" · failed", "ja") == " · 失敗"
    assert translated("Not tried. Choose another model.", "ja") == "試していません。別のモデルを選んでください。"
    assert translated("Nobody wrote this. Nor this.", "ja") == "Nobody wrote this. Nor this."
    assert translated("", "ja") == ""
    assert translated("  ", "ja") == "  "


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
    path = ROOT / "pages" / "ui" / "text" / "words" / "ja.json"
    pairs = json.loads(path.read_text(encoding="utf-8"), object_pairs_hook=list)
    assert len({key for key, _ in pairs}) == len(pairs)
