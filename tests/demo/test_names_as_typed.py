"""Names with marks in them are looked for and quoted as they were typed; what somebody does is no name."""

from __future__ import annotations

import pytest

from tests.support.cases import each
from tests.support.demo_tables import Room, loaded, run

pytestmark = pytest.mark.system

# So many that no card shows them all: they have to be looked for.
ROWS = [
    ('O\'Brien, ""Bob""', "R&D | A", 100),
    ("Ann", "R&D | A", 200),
    ("Smith-Jones", "Sales", 300),
    ("St. John", "Sales", 400),
    ("A.B. Cole", "Ops", 500),
    ("D'Arcy", "H&M", 700),
    ("Zed", "T-Mobile", 800),
    ("Yan", "AT&T", 900),
    ("Xi", "P/L", 1000),
    *((f"Filler{number:02}", f"Dept{number:02}", 1) for number in range(12)),
    *((f"Filler{number:02}", f"Dept{number:02}", 1) for number in range(12)),
]


@pytest.fixture(scope="module")
def room(tmp_path_factory: pytest.TempPathFactory) -> Room:
    folder = tmp_path_factory.mktemp("names")
    text = "Name,Dept,Salary\n" + "".join(f'"{name}","{dept}",{salary}\n' for name, dept, salary in ROWS)
    return Room(folder, {"staff": loaded(folder, "staff.csv", text.encode())[0]})


@each(
    ("asked", "told"),
    [
        ("total salary of O'Brien", "100"),
        ("total salary of D'Arcy", "700"),
        ("total salary of Smith-Jones", "300"),
        ("total salary of St. John", "400"),
        ("total salary of A.B. Cole", "500"),
        ("How many rows are there for R&D?", "2"),
        ("total salary of R&D", "300"),
        ("total salary for T-Mobile", "800"),
        ("total salary in AT&T", "900"),
        ("total salary of P/L", "1,000"),
    ],
)
def test_a_name_with_marks_in_it_is_found(asked: str, told: str, room: Room) -> None:
    answer = run(asked, room, ("staff",)).answer.text
    assert answer.rstrip(".").endswith((f" is {told}", f": {told}")), answer


@each("name", ["O'Neil", "P&G", "X-Ray", "H&N"])
def test_a_name_that_is_not_there_is_quoted_as_it_was_typed(name: str, room: Room) -> None:
    answer = run(f"total salary of {name}", room, ("staff",)).answer
    assert answer.text == f"I found no “{name}” in the table staff, so I cannot answer that."
    assert not any("“Neil”" in chip or "“Ray”" in chip for chip in answer.next_questions)


@each("asked", ["How often does Ann occur?", "By how much did Ann salary exceed plan?"])
def test_what_somebody_does_is_not_looked_for_as_a_name(asked: str, room: Room) -> None:
    answer = run(asked, room, ("staff",)).answer.text
    assert answer.startswith(("My rules could not read ", "My rules did not read "))


@each(("asked", "name"), [("How much did gizmo cost?", "gizmo"), ("total salary of gizmo", "gizmo")])
def test_a_name_in_small_letters_is_still_one(asked: str, name: str, room: Room) -> None:
    answer = run(asked, room, ("staff",)).answer.text
    assert f"no “{name}”" in answer or answer.startswith("My rules "), answer
