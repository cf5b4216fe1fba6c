"""Questions of a table of which no rule reads every word: what the rows and columns come to that they name."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import date

import pytest

from agent.data.tables.mentioned.dates_named import dates_named
from agent.data.tables.questions.table_schema import Column, Table
from agent.sandbox.client import Sandbox
from tests.support.everyday import Answered, Everyday, Room, everyday_room

FILE = '''question = []
[tables]
lessons = """
Pupil,Instrument,Teacher,Lessons,Fee (£),Started,Own instrument?
Nina Alder,Violin,Mrs Rook,12,240,2025-09-08,yes
Otto Beck,Piano,Mr Finch,10,180,2025-10-02,no
Pia Crane,Violin,Mrs Rook,8,160,2026-01-12,yes
Quin Dale,Flute,Ms Teal,14,266,2026-02-03,yes
Ruth Egan,Piano,Mr Finch,9,162,2026-02-20,no
Saul Frost,Cello,Mrs Rook,11,253,2026-03-09,no
Tess Gray,Piano,Ms Teal,7,133,2026-03-30,yes
"""
boats = """
Boat,Berths,Price per week (€),Harbour,Skipper needed
Amber,4,900,Kiel,no
Birch,6,1350,Kiel,no
Coral,8,2100,Flensburg,yes
Dune,4,880,Flensburg,no
Elm,6,1290,Kiel,no
"""
takings = """
Item,2024,2025
Tickets,400,450
Drinks,210,190
Total,610,640
"""
'''
NAMED = [
    ("lessons", "what's up with the cello pupils of Mrs Rook?", ["Saul Frost", "1 of 7 rows"]),
    ("lessons", "Who came top in lessons?", ["Quin Dale", "14"]),
    ("lessons", "anything going on in March 2026?", ["Saul Frost", "Tess Gray"]),
    ("lessons", "how much do Mr Finch and Ms Teal make?", ["342", "399"]),
    ("boats", "avg price for a 4 berth", ["890", "Amber", "Dune"]),
]
LEFT = [
    ("boats", "what's skipper needed"),
    ("lessons", "what phone number does Otto Beck have"),
    ("lessons", "what's Nina Alder's address?"),
    ("lessons", "how much does each pupil still owe?"),
    ("lessons", "Is Quin Dale the keenest?"),
    ("lessons", "who comes after Pia Crane?"),
    ("lessons", "is the violin dearer than the zither?"),
    ("lessons", "what would a flute kid pay for 20 lessons?"),
    ("lessons", "how many of our drummers are with Mrs Rook?"),
    ("lessons", "who never turned up for piano?"),
    ("boats", "what is the third cheapest tub?"),
    ("boats", "which harbour should I sail from?"),
    ("takings", "how much came in from drinks and tickets over the years?"),
]


@pytest.fixture(scope="module")
def room(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Room]:
    file = tmp_path_factory.mktemp("named") / "tables.toml"
    file.write_text(FILE, encoding="utf-8")
    sandbox = Sandbox()
    with everyday_room(sandbox, file) as opened:
        yield opened
    sandbox.close()


def asked(room: Room, table: str, *turns: str) -> Answered:
    return room.ask(Everyday(0, "table", turns, table=table))


@pytest.mark.system
@pytest.mark.parametrize(("table", "question", "held"), NAMED)
def test_what_is_named_is_put_together(room: Room, table: str, question: str, held: list[str]) -> None:
    answer = asked(room, table, question).answer
    assert [each for each in held if each not in answer] == [], answer


@pytest.mark.system
@pytest.mark.parametrize(("table", "question"), LEFT)
def test_it_stays_with_a_decline_where_a_word_turns_it(room: Room, table: str, question: str) -> None:
    assert "so here is what it names" not in asked(room, table, question).answer


@pytest.mark.system
def test_no_figure_is_called_the_answer(room: Room) -> None:
    answer = asked(room, "boats", "avg price for a 4 berth").answer
    assert answer.startswith(
        "I could not read for sure what is asked, so here is what it names: 2 of 5 rows with Berths 4"
    )


@pytest.mark.system
def test_yes_and_no_are_told_as_people_say_them(room: Room) -> None:
    answer = asked(room, "boats", "List rows where boat is Amber?").answer
    assert answer.endswith("Skipper needed: no"), answer
    answer = asked(room, "boats", "Average berths by skipper needed?").answer
    assert "| no " in answer and "| yes " in answer, answer


def of_days(*names: str) -> Table:
    days = (Column(name, name, "date", least="2025-11-03", most="2026-11-30") for name in names)
    return Table("t", "t.csv", 9, tuple(days))


@pytest.mark.parametrize(
    ("text", "conditions"),
    [
        ("how far since 1 March", [(">=", "2026-03-01")]),
        ("all before 15 march", [("<", "2026-03-15")]),
        ("what happened on the 4th of May", [(">=", "2026-05-04"), ("<", "2026-05-05")]),
        ("what fell in December", [(">=", "2025-12-01"), ("<", "2026-01-01")]),
        ("what fell in december 2024", [(">=", "2024-12-01"), ("<", "2025-01-01")]),
        ("how much last month", [(">=", "2026-10-01"), ("<", "2026-11-01")]),
        ("how much until 2025", [("<", "2026-01-01")]),
        ("after 3 January 2026", [(">=", "2026-01-04")]),
        ("may I see it", []),
    ],
)
def test_dates_are_of_the_year_that_the_table_has(text: str, conditions: list[tuple[str, str]]) -> None:
    read = dates_named(text, of_days("Day"), date(2026, 11, 21))
    assert read.sure
    assert [(one.operator, *one.values) for one in read.filters] == conditions


@pytest.mark.parametrize(
    ("text", "table"),
    [
        ("since 1 March", of_days("From", "To")),
        ("since 1 March", of_days()),
        ("in November", of_days("Day")),  # of two years
        ("from 1 March to 3 April", of_days("Day")),
    ],
)
def test_dates_are_not_guessed(text: str, table: Table) -> None:
    assert not dates_named(text, table, date(2026, 11, 21)).sure
