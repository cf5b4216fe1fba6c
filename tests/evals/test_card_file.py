"""Cards of models as files: written and read as the same bytes, and a stranger's file is refused with a sentence."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import pytest

from agent.errors import BadRequest
from agent.evals.attempt import Result
from agent.evals.formats.result_lines import Row, write_row
from agent.evals.grades import Grade
from agent.evals.model_card.card_file import (
    MOST_MODELS,
    CardFile,
    head_of,
    is_card,
    read_card,
    row_of,
    shown_card,
    write_card,
)
from agent.evals.model_card.card_questions import card_questions, edition
from agent.evals.statistics.flaky_step import StepSign
from agent.interface_text import Text
from agent.settings import VERSION

WHY = (Grade(False, "figure", Text("The figure {figure}", figure="4"), Text("It is not in the answer.")),)


def row(question: str, version: str = "m react", right: bool = True, **more: Any) -> Row:
    result = Result(right, () if right else WHY, 2, 900, 0.25, 1.5, steps=(StepSign("a", "b", "calculator"),))
    return Row(question, question, version, "live", 1, result, **more)


def whole() -> CardFile:
    """Of a model on both wires; every third answer is wrong."""
    asked = [each.test.id for each in card_questions()]
    rows = [row(name, f"m {wire}", place % 3 > 0) for wire in ("react", "native") for place, name in enumerate(asked)]
    return CardFile(head_of(1_764_000_000.25), tuple(rows))


def test_what_is_written_is_read_back_and_written_as_the_same_bytes() -> None:
    written = write_card(whole()).encode()
    read = read_card(written)
    assert read == whole() and write_card(read).encode() == written
    assert read.current and read.app == VERSION and read.measured == 1_764_000_000.25
    card = shown_card("m", read)
    assert [(column.wire, column.runs) for column in card.columns] == [("react", 40), ("native", 40)]
    assert len(card.misses) == 28 and str(card.misses[0].why[0]) == "It is not in the answer."


def test_a_file_of_before_there_was_a_first_line_is_read() -> None:
    written = "".join(f"{write_row(each)}\n" for each in whole().rows).encode()
    read = read_card(written)
    assert (read.head, read.measured, read.app, read.current) == (None, 0.0, "", False)
    assert write_card(read).encode() == written


def test_a_file_of_several_models_is_taken_apart() -> None:
    rows = [row("sums-1", f"{model} react") for model in ("b/c d", "a")]
    found = read_card(write_card(CardFile(head_of(1.0), tuple(rows))).encode()).by_model
    assert [*found] == ["b/c d", "a"] and [len(each.rows) for each in found.values()] == [1, 1]


def test_what_names_something_of_a_store_is_not_in_a_file() -> None:
    mine = Row("uuid", "sums-1", "react", "live", 1, Result(True, ()), "run-1")
    (made,) = read_card(write_card(CardFile(head_of(1.0), (row_of("m", mine),))).encode()).rows
    assert (made.test, made.version, made.run) == ("sums-1", "m react", "")
    (theirs,) = read_card(f"{write_row(row('sums-1', run='0' * 32))}\n".encode()).rows
    assert theirs.run == "", "a stranger's file opens no run"


def test_figures_alone_have_no_sentence_of_anybody() -> None:
    told = write_card(whole().figures_alone)
    assert "not in the answer" not in told and "calculator" not in told
    read = read_card(told.encode())
    assert len(shown_card("m", read).misses) == 28 and shown_card("m", read).misses[0].why == ()


def test_a_card_is_told_from_tests() -> None:
    assert is_card(write_card(whole()).encode()) and is_card(write_row(row("sums-1")).encode())
    assert not is_card(b'{"format":"glassbox-tests","version":1,"name":"x"}\n')
    assert not is_card(b'{"question": "What is 2 + 2?", "answer": "4"}\n') and not is_card(b"")


def plain(question: str = "sums-1", **more: Any) -> dict[str, Any]:
    return json.loads(write_row(row(question))) | more


def with_result(**more: Any) -> dict[str, Any]:
    made = plain()
    made["result"] |= more
    return made


def head(**more: Any) -> dict[str, Any]:
    return {"format": "glassbox-card", "version": 1, "edition": edition(), "app": "0.1.0", "measured": 1.0} | more


def bomb() -> dict[str, Any]:
    text: dict[str, Any] = {"key": "x" * 100}
    for _ in range(7):
        text = {"key": "{a}" * 100, "values": {"a": text}}
    return with_result(passed=False, grades=[{"held": False, "type": "lacks", "said": text, "why": text}])


HOSTILE: dict[str, tuple[Callable[[], list[dict[str, Any]]], str]] = {
    "a later version": (lambda: [head(version=2), plain()], "newer version"),
    "another format": (lambda: [head(format="glassbox-tests"), plain()], "no card of a model"),
    "a version in words": (lambda: [head(version="1"), plain()], "no card of a model"),
    "a version that is true": (lambda: [head(version=True), plain()], "no card of a model"),
    "HTML for a version of Glassbox": (lambda: [head(app="<b>1</b>"), plain()], "first line"),
    "HTML for an edition": (lambda: [head(edition="<img src=x>"), plain()], "first line"),
    "measured in the year 50000": (lambda: [head(measured=1.5e12), plain()], "first line"),
    "measured before there were computers": (lambda: [head(measured=-1.0), plain()], "first line"),
    "a second first line": (lambda: [head(), head(), plain()], "Line 2"),
    "a field that no head has": (lambda: [head(key="sk-1"), plain()], "first line"),
    "no answer": (lambda: [head()], "no answer"),
    "a field that no answer has": (lambda: [plain(html="<script>")], "Line 1"),
    "a question of nobody's": (lambda: [plain("magic-1")], "question that no card has"),
    "HTML for a question": (lambda: [plain("sums-1<img>")], "question that no card has"),
    "a question twice": (lambda: [plain(), plain()], "Line 2"),
    "another test than its name": (lambda: [plain(test="x")], "question that no card has"),
    "no model": (lambda: [plain(version=" react")], "does not name a model"),
    "no wire": (lambda: [plain(version="m")], "does not name a model"),
    "a model of two lines": (lambda: [plain(version="m\nn react")], "does not name a model"),
    "a model that reads backwards": (lambda: [plain(version="m\u202e react")], "does not name a model"),
    "a model of 300 letters": (lambda: [plain(version=f"{'m' * 300} react")], "does not name a model"),
    "21 models": (lambda: [plain(version=f"m{n} react") for n in range(MOST_MODELS + 1)], "more than 20 models"),
    "a frozen answer": (lambda: [plain(mode="frozen")], "no answer of a card"),
    "a second time": (lambda: [plain(repeat=2)], "no answer of a card"),
    "negative tokens": (lambda: [with_result(tokens=-1)], "number that cannot be"),
    "more tokens than there are": (lambda: [with_result(tokens=10**12)], "number that cannot be"),
    "a number of 400 digits": (lambda: [with_result(tokens=10**400)], "number that cannot be"),
    "years of seconds": (lambda: [with_result(seconds=1e12)], "number that cannot be"),
    "money beyond measure": (lambda: [with_result(money=1e300)], "number that cannot be"),
    "no number": (lambda: [with_result(money=float("nan"))], "number that cannot be"),
    "infinite seconds": (lambda: [with_result(seconds=float("inf"))], "number that cannot be"),
    "tokens in words": (lambda: [with_result(tokens="900")], "no answer of a card"),
    "right and wrong at once": (lambda: [with_result(grades=plain_grades())], "says that it is right"),
    "too many reasons": (lambda: [with_result(passed=False, grades=plain_grades() * 40)], "more to say"),
    "a reason of 9,000 letters": (lambda: [with_result(passed=False, grades=plain_grades("y" * 9_000))], "more to say"),
    "a reason that unfolds to 10**16 letters": (lambda: [bomb()], "no answer of a card"),
}


def plain_grades(why: str = "no") -> list[dict[str, Any]]:
    return [{"held": False, "type": "lacks", "said": {"key": "said"}, "why": {"key": why}}]


@pytest.mark.parametrize("name", HOSTILE)
def test_a_hostile_file_is_refused_with_a_sentence(name: str) -> None:
    lines, said = HOSTILE[name]
    data = "\n".join(json.dumps(line) for line in lines()).encode()
    with pytest.raises(BadRequest, match=said) as refused:
        read_card(data)
    assert "<" not in str(refused.value)


@pytest.mark.parametrize(
    ("data", "said"),
    [
        (b"", "is empty"),
        (b"\xff\xfe", "not UTF-8"),
        (b"PK\x03\x04", "not JSON"),
        (b"[1, 2]", "not a JSON object"),
        (b"[" * 100_000, "too long|deeper|not JSON"),
        (b"\n" * 30_000, "lines"),
        (b"x" * 4_000_001, "more than 4 MB"),
        (b'{"a": "' + b"x" * 70_000 + b'"}', "too long"),
        (b'{"a":1,"a":2}', "not JSON"),
    ],
)
def test_what_is_no_card_at_all_is_refused(data: bytes, said: str) -> None:
    with pytest.raises(BadRequest, match=said):
        read_card(data)


def test_html_in_a_reason_is_kept_as_text() -> None:
    grades = plain_grades("<img src=x onerror=alert(1)>")
    read = read_card(json.dumps(with_result(passed=False, grades=grades)).encode())
    assert str(shown_card("m", read).misses[0].why[0]) == "<img src=x onerror=alert(1)>"
