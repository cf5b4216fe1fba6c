"""The words of the interface: every template in the catalogues, each with its places, and nothing else touched."""

from __future__ import annotations

import ast
import json
import re
import shutil
import subprocess
from pathlib import Path

import pytest
from babel.messages.pofile import read_po

from agent.errors import BadRequest, GlassboxError
from agent.evals.expectations import Speaks
from agent.events import Failed, Replied, dump, load
from agent.interface_text import Text, joined, packed, unpacked
from agent.messages import Usage
from agent.text.encodings import plain
from pages.ui.text.words import FOLDER, LANGUAGES, catalogue, in_language, language
from pages.ui.text.words.extraction import ROOT, calls, templates, written

FILES = [ROOT / "app.py", *sorted(ROOT.glob("pages/*.py")), *sorted(ROOT.glob("pages/ui/**/*.py"))]
TRANSLATED = sorted(FOLDER.glob("*.po"))
_PLACE = re.compile(r"\{\w+(?::,)?\}")
_SHOWN = {"button", "caption", "markdown", "write", "header", "subheader", "title", "info", "warning", "error"}
_SHOWN |= {"text_input", "text_area", "number_input", "selectbox", "toggle", "pills", "segmented_control", "popover"}
_SHOWN |= {"expander", "form_submit_button", "tabs", "download_button", "chat_input", "file_uploader", "menu_button"}
_SHOWN |= {"success", "spinner", "date_input", "checkbox", "radio"}
_SAYING = {"label", "help", "placeholder", "text"}
_EXAMPLES = {"sales", "weather"}
# The only places where a template is not written out: what they are given is typed as ``LiteralString``.
_GIVEN = {"pages/ui/text/words/__init__.py", "pages/ui/frame/frame.py"}


def texts(node: ast.AST) -> list[str]:
    """The texts an expression may be, with ``{}`` for what is filled in."""
    match node:
        case ast.Constant(value=str() as text):
            return [text]
        case ast.JoinedStr(values=parts):
            return ["".join(str(part.value) if isinstance(part, ast.Constant) else "{}" for part in parts)]
        case ast.IfExp(body=one, orelse=other):
            return texts(one) + texts(other)
        case _:
            return []


def reads(text: str) -> bool:
    """Whether there are words in it."""
    return bool(re.search(r"[A-Za-z]{2}", re.sub(r"\{\}|:\w+\[|:material/\w+:|https?:\S+", "", text)))


def keys(path: Path) -> dict[str, str]:
    """The templates that a catalogue has, with their plurals."""
    with path.open("rb") as file:
        ids = [message.id for message in read_po(file, locale=path.stem) if message.id]
    return dict((each, "") if isinstance(each, str) else (each[0], each[1]) for each in ids)


@pytest.mark.parametrize("path", TRANSLATED, ids=lambda path: path.stem)
def test_a_catalogue_has_every_template_of_the_code_and_no_other(path: Path) -> None:
    assert keys(path) == {each.key: each.plural for each in templates()}


def test_every_template_is_written_out() -> None:
    worked_out = [
        f"{path.relative_to(ROOT)}:{call.lineno}"
        for path, call, arguments in written()
        for each in arguments
        if not isinstance(each, ast.Constant | ast.Starred) and path.relative_to(ROOT).as_posix() not in _GIVEN
    ]
    assert worked_out == []


@pytest.mark.parametrize("path", TRANSLATED, ids=lambda path: path.stem)
def test_every_template_is_translated_with_all_its_places(path: Path) -> None:
    with path.open("rb") as file:
        read = read_po(file, locale=path.stem)
    for message in read:
        if message.id:
            ids = [message.id] if isinstance(message.id, str) else list(message.id)
            assert message.string, ids
            strings = [message.string] if isinstance(message.string, str) else list(message.string)
            assert len(strings) == (read.num_plurals if len(ids) > 1 else 1), ids
            assert not message.fuzzy
            for string in strings:
                assert string.strip(), ids
                assert sorted(_PLACE.findall(string)) == sorted(_PLACE.findall(ids[0])), ids
                for mark in (":small[", ":gray[", "**", ":material/"):
                    assert ids[0].count(mark) == string.count(mark), ids
            message.flags.discard("python-format")  # which Babel gives any text with a per cent sign
            assert list(message.check(read)) == [], ids


@pytest.mark.parametrize("path", TRANSLATED, ids=lambda path: path.stem)
def test_a_catalogue_opens_in_gettext(path: Path, tmp_path: Path) -> None:
    msgfmt = shutil.which("msgfmt")
    if msgfmt:
        subprocess.run([msgfmt, "--check", "-o", str(tmp_path / "out.mo"), str(path)], check=True)


def test_no_widget_shows_words_that_are_not_said() -> None:
    bare = [
        f"{path.name}: {text}"
        for path in FILES
        for call in calls(path, _SHOWN)
        if isinstance(call.func, ast.Attribute)
        for shown in [*call.args[:1], *(word.value for word in call.keywords if word.arg in _SAYING)]
        for text in texts(shown)
        if reads(text) and text not in _EXAMPLES and not ast.unparse(call.func).startswith(("log.", "json."))
    ]
    assert bare == []


def test_no_error_for_a_person_is_without_a_template() -> None:
    kinds = ("BadRequest", "BudgetReached", "ModelFailed")
    bare = [
        f"{path.relative_to(ROOT)}:{node.lineno}"
        for path in sorted((ROOT / "agent").glob("**/*.py"))
        if "cli" not in path.parts  # whose errors only the terminal tells
        for node in calls(path, kinds)
        if isinstance(node.func, ast.Name) and node.args and texts(node.args[0])
    ]
    assert bare == []


@pytest.mark.parametrize(
    "own",
    ["Star Trek · Data", "SELECT 1 · Run", "Compare A · Run", "New chat", "8 rows", "It is empty.", "{n} {file}"],
)
def test_own_text_stays_as_it_is(own: str) -> None:
    """What looks like ours but came from a person, a model, a tool or a file."""
    assert in_language(Text("Understood as: {question}", question=own), "ja") == f"次のように理解しました: {own}"
    assert in_language(joined(" · ", [Text("failed"), own]), "ja") == f"失敗 · {own}"
    assert unpacked(packed(own)) == own and not isinstance(unpacked(packed(own)), Text)
    kept = load(dump(Failed("model", own)))
    assert isinstance(kept, Failed) and not isinstance(kept.message, Text)


def test_a_template_is_translated_and_then_filled() -> None:
    deleted = Text("Deleted “{title}”", title="Settings")
    assert (str(deleted), in_language(deleted, "en")) == ("Deleted “Settings”", "Deleted “Settings”")
    assert in_language(deleted, "ja") == "「Settings」を削除しました"
    rows = Text("{n:,} row", "{n:,} rows", n=8_000)
    assert (str(rows), in_language(rows, "ja")) == ("8,000 rows", "8,000 行")
    assert str(Text("{n:,} row", "{n:,} rows", n=1)) == "1 row"
    table = Text("{rows} and {columns}, from {source}", rows=rows, columns=Text("{n:,} column", n=1), source="rows.csv")
    assert str(table) == "8,000 rows and 1 column, from rows.csv"
    assert in_language(table, "ja") == "8,000 行 1 列（rows.csv から）"


def test_no_blank_stands_behind_a_japanese_sentence() -> None:
    happened, todo = Text("{where} had an error of its own.", where="m"), Text("Try again in a moment.")
    said = Text("{sentence} It said: “{said}”", sentence=joined(" ", [happened, todo]), said="No. Later.")
    told = in_language(said, "ja")
    assert told.count("。") == 2 and "。 " not in told and "No. Later." in told


def test_an_encoding_is_named_in_the_language_of_the_interface(tmp_path: Path) -> None:
    (tmp_path / "up").write_bytes("日付,店舗\n2024年1月5日,渋谷\n".encode("cp932"))
    note = plain(tmp_path / "up", tmp_path / "copy").note
    assert note == "Read as Shift-JIS (Japanese)."
    assert isinstance(note, Text) and in_language(note, "ja") == "Shift-JIS（日本語） として読み取りました。"


def test_an_error_carries_its_template_and_values() -> None:
    error: GlassboxError = BadRequest(Text("{name} is empty.", name="a {b}.csv"))
    assert str(error) == "a {b}.csv is empty."
    assert isinstance(error.text, Text)
    assert (error.text.key, dict(error.text.values)) == ("{name} is empty.", {"name": "a {b}.csv"})
    assert in_language(error.text, "ja") == "a {b}.csv は空です。"


def test_an_event_keeps_the_templates_of_its_sentences() -> None:
    repairs = (Text("took the first of {others} calls", others=3), "what a tool said")
    event = Replied("", "", Usage(), 0.0, 0.0, repairs=repairs)
    again = load(dump(event))
    assert isinstance(again, Replied) and again == event
    assert json.loads(dump(event))["repairs"] == ["took the first of 3 calls", "what a tool said"]
    first, second = again.repairs
    assert isinstance(first, Text) and in_language(first, "ja") == "3 個の呼び出しの最初のものを使いました"
    assert not isinstance(second, Text)
    assert "texts" not in json.loads(dump(Failed("model", "what a server said")))


@pytest.mark.parametrize(
    "record",
    [{}, {"key": 1}, {"key": "a", "more": ""}, {"key": "a", "values": []}, {"key": "a", "values": {"b": None}}, "a", 1],
)
def test_what_is_no_record_of_a_text_is_refused(record: object) -> None:
    with pytest.raises(ValueError):
        Text.of_record(record)


def test_a_record_that_goes_too_deep_is_refused() -> None:
    record: dict[str, object] = {"key": "a"}
    for _ in range(20):
        record = {"key": "{a}", "values": {"a": record}}
    with pytest.raises(ValueError):
        Text.of_record(record)


def test_a_language_without_a_catalogue_entry_says_it_in_english() -> None:
    unknown = Text.of("Nobody wrote {this}.", "", {"this": Text("failed")})
    assert in_language(unknown, "ja") == "Nobody wrote 失敗."
    assert catalogue("ja").forms


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


def test_the_language_of_an_answer_is_named_in_that_of_the_interface() -> None:
    said = Speaks("ja").said
    assert (said, in_language(said, "ja")) == ("The answer is in Japanese", "回答の言語は日本語")
    assert in_language(Speaks("pt").said, "ja") == "回答の言語はポルトガル語"
    assert Speaks("x{language}").said == "The answer is in x{language}", "no code"
