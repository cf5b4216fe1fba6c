"""Tests from a CSV of questions and answers, as people keep them in a spreadsheet."""

from __future__ import annotations

import csv
import io

from agent.evals.formats.written_answer import expected_of
from agent.evals.kept_test import MOST_TESTS, KeptSet, KeptTest, name_of
from agent.interface_text import Text
from agent.runs.conversation import check_length
from agent.sharing.import_file import refuse
from agent.text.encodings import encoding_of
from agent.text.regex import regex

_QUESTION = ("question", "questions", "input", "prompt", "query", "質問", "問い")
_ANSWER = ("answer", "answers", "expected", "expected_output", "output", "reference", "回答", "答え", "正解")
_NAME = ("name", "title", "id", "名前")
_MOST_BYTES = 5_000_000
_QUOTED = regex(r'"[^"]*"')
# What no text has but by accident, and a program or a picture has everywhere.
_UNWRITTEN = regex(r"[\x00-\x08\x0e-\x1f\x7f\ufffd]")
_MOST_UNWRITTEN = 0.01  # of all characters


def read_csv(data: bytes, name: str = "") -> KeptSet:
    """The set in a file whose first line names its columns, else has them in the order question, answer.

    Raises ``BadRequest``.
    """
    if len(data) > _MOST_BYTES:
        refuse(Text("It has more than {most} MB.", most=_MOST_BYTES // 1_000_000))
    text = data.decode(encoding_of([data]), "replace").removeprefix("\ufeff")
    if len(_UNWRITTEN.findall(text)) > _MOST_UNWRITTEN * len(text):
        refuse(Text("It is not a CSV file that can be read here."))
    rows = [row for row in _rows(text.replace("\0", "")) if any(cell.strip() for cell in row)]
    if not rows:
        refuse(Text("There is no test in it."))
    heads = [cell.strip().lower() for cell in rows[0]]
    named = next((place for place, head in enumerate(heads) if head in _QUESTION), None)
    if named is None:
        columns = (0, 1, None)
    else:
        columns = (named, _place(heads, _ANSWER), _place(heads, _NAME))
        rows = rows[1:]
    if len(rows) > MOST_TESTS:
        refuse(Text("It has more than {most:,} tests.", most=MOST_TESTS))
    tests = tuple(test for number, row in enumerate(rows, 1) if (test := _test(number, row, *columns)))
    if not tests:
        refuse(Text("There is no test in it."))
    return KeptSet(name_of(name), tests)


def _rows(text: str) -> list[list[str]]:
    try:
        return list(csv.reader(io.StringIO(text, newline=""), delimiter=_delimiter(text[:4_000])))
    except csv.Error:
        refuse(Text("It is not a CSV file that can be read here."))


def _delimiter(head: str) -> str:
    """A tab or a semicolon where every line has one outside of quotes: sentences have commas. Else a comma."""
    lines = [line for line in _QUOTED.sub("", head).splitlines() if line.strip()]
    whole = lines[:-1] or lines  # the last one may be cut
    return next((mark for mark in "\t;" if all(mark in line for line in whole)), ",")


def _place(heads: list[str], names: tuple[str, ...]) -> int | None:
    return next((place for place, head in enumerate(heads) if head in names), None)


def _test(number: int, row: list[str], question: int, answer: int | None, title: int | None) -> KeptTest | None:
    asked = _cell(row, question)
    if not asked:
        return None
    check_length(asked)
    return KeptTest(str(number), name_of(_cell(row, title) or asked), asked, expected_of(_cell(row, answer)))


def _cell(row: list[str], place: int | None) -> str:
    return row[place].strip() if place is not None and place < len(row) else ""
