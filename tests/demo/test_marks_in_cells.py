"""Cells and heads with marks that text formats use for something else: told as they stand in the file."""

from __future__ import annotations

import csv
import io
from pathlib import Path

import pytest
from markdown_it import MarkdownIt

from agent.demo.rules.history import followed
from agent.evidence.checking import check
from agent.text.mathematics import formulas
from tests.support.cases import each
from tests.support.demo_tables import Room, events_of, loaded, run

pytestmark = pytest.mark.system

CELLS = [
    ["Name", "Dept | team", "Note", "Age"],
    ["Bob", "R&D | A", "a|b", "41"],
    ["Ann", "R&D | A", "back\\|slash\\", "29"],
    ["Cy", "Sales", "two\nlines | here", "35"],
    ["Dee", "Ops|Lab", "\\", "52"],
    ["Eve", "Ops |", "|", "38"],
]


@pytest.fixture(scope="module")
def room(tmp_path_factory: pytest.TempPathFactory) -> Room:
    return Room(folder := tmp_path_factory.mktemp("marks"), {"people": people(folder, CELLS)})


def people(folder: Path, rows: list[list[str]]) -> dict[str, object]:
    written = io.StringIO()
    csv.writer(written).writerows(rows)
    return loaded(folder, "people.csv", written.getvalue().encode())[0]


def cells_shown(answer: str) -> list[list[str]]:
    """The cells of the first table of an answer, as a reader of Markdown shows them."""
    tokens = MarkdownIt("commonmark").enable("table").parse(answer)
    rows: list[list[str]] = []
    for place, token in enumerate(tokens):
        if token.type == "tr_open":
            rows.append([])
        elif token.type in ("th_open", "td_open"):
            rows[-1].append("".join(child.content for child in tokens[place + 1].children or ()))
    return rows


def test_a_pipe_in_a_cell_moves_no_value_to_another_column(room: Room) -> None:
    answer = run("list all rows", room, ("people",)).answer.text
    assert cells_shown(answer)[1:] == [[" ".join(cell.split()) for cell in row] for row in CELLS[1:]]


@each(
    ("asked", "told"),
    [
        ("How many rows have the team R&D | A?", "2"),
        ("Average age by team", r"R&D \| A | 35"),
        ("How old is Eve?", "38"),
    ],
)
def test_a_value_with_a_pipe_is_asked_for(asked: str, told: str, room: Room) -> None:
    assert told in run(asked, room, ("people",)).answer.text


@each("asked", ["list all rows", "Average age by team"])
def test_what_is_told_of_cells_with_pipes_is_seen_in_the_result(asked: str, room: Room) -> None:
    claims = check(events_of(asked, run(asked, room, ("people",)), room.cards["people"])).claims
    assert claims
    assert [claim.text for claim in claims if not claim.traced] == []


MARKS = [
    ["Full *name*", "My_note_", "Age"],
    ["$x^2$ `code`", "**bold**", "38"],
    ["[link](http://x)", "&amp; ~~gone~~", "35"],
    ["C:\\*temp*", "1. one", "41"],
]


@pytest.fixture(scope="module")
def marks(tmp_path_factory: pytest.TempPathFactory) -> Room:
    return Room(folder := tmp_path_factory.mktemp("markdown"), {"people": people(folder, MARKS)})


def test_marks_of_cells_and_heads_are_no_markdown(marks: Room) -> None:
    answer = run("list all rows", marks, ("people",)).answer.text
    assert cells_shown(answer) == MARKS
    assert not list(formulas(answer))


@each(
    ("asked", "line"),
    [
        ("How old is **bold**?", "I read this as: "),
        ("What is in the table?", "The table people has 3 rows, with these columns: Full \\*name\\*, My_note_, Age."),
    ],
)
def test_a_name_with_marks_is_told_as_it_stands(asked: str, line: str, marks: Room) -> None:
    answer = run(asked, marks, ("people",)).answer.text
    assert line in answer
    assert "**" not in answer


def test_a_follow_up_leans_on_an_answer_without_its_marks(marks: Room) -> None:
    first = run("Number of rows where my note is “**bold**”", marks, ("people",)).answer.text
    assert "“\\*\\*bold\\*\\*”" in first
    text = followed("and by full name?", [("Number of rows", first)])
    assert "“**bold**”" in text


@each("asked", ["list all rows", "Average age by full name", "Number of rows where my note is “**bold**”"])
def test_what_is_told_of_cells_with_marks_is_seen_in_the_result(asked: str, marks: Room) -> None:
    claims = check(events_of(asked, run(asked, marks, ("people",)), marks.cards["people"])).claims
    assert [claim.text for claim in claims if not claim.traced] == []
