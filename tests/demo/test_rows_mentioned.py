"""Questions of a table of which no rule reads every word: the rows with what they name, or nothing."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from agent.sandbox.client import Sandbox
from tests.support.everyday import Answered, Everyday, Room, everyday_room

pytestmark = pytest.mark.system

FILE = '''question = []
[tables]
festival_appearances = """
Year,Festival,Work,Prize,Result,Notes
2011,Rivermouth Film Festival,The Salt Road,Best Director,Nominated,with Ana Brandão
2013,Rivermouth Film Festival,Glass Harbour,Best Director,Won,
2013,Golden Reel Awards,Glass Harbour,Best Editing,Nominated,
2016,Northlight Festival,A Winter's Ferry,Jury Prize,Won,shared with Tom Rowe
2019,Golden Reel Awards,Quiet Numbers,Best Director,Won,
2021,Rivermouth Film Festival,Quiet Numbers,Audience Prize,Nominated,
2022,São Bento Days,The Last Kiln,Jury Prize,Won,
"""
ferries = """
Ferry,Route,Captain,Built,Seats
Tern,Long Strait,Ingrid Dahl,2020,520
Fulmar,Long Strait,Hamish Orr,1995,430
Petrel,Harbour Isles,Ines Costa,2008,210
Skua,Outer Sound,Pavel Novak,2014,300
Gannet,Harbour Isles,Ingrid Dahl,2001,180
"""
'''
FOUND = [
    ("festival_appearances", "When did the director win at the Northlight Festival?", ["2016", "A Winter's Ferry"]),
    ("festival_appearances", "What did A Winter's Ferry win?", ["Jury Prize", "2016"]),
    ("festival_appearances", "How did Quiet Numbers do at the Golden Reel Awards?", ["2019", "Best Director", "Won"]),
    (
        "festival_appearances",
        "What happened in 2013 at the Rivermouth Film Festival?",
        ["Glass Harbour", "Best Director"],
    ),
    ("festival_appearances", "Who did they share the Jury Prize with in 2016?", ["Tom Rowe"]),
    ("festival_appearances", "Did Ana Brandao come along to Rivermouth?", ["2011", "The Salt Road"]),
    ("festival_appearances", "How did things go at Sao Bento?", ["2022", "The Last Kiln"]),
    ("ferries", "Whose boat is the Skua?", ["Pavel Novak"]),
    ("ferries", "Where does Ines Costa sail?", ["Petrel", "Harbour Isles"]),
]
LEFT = [
    ("festival_appearances", "What shoes did Tom Rowe wear?"),
    ("festival_appearances", "Why did Glass Harbour lose?"),
    ("festival_appearances", "Glass Harbour's budget?"),
    ("festival_appearances", "What happened in 2014 at the Rivermouth Film Festival?"),
    ("ferries", "How much does the Tern burn?"),
    ("ferries", "Which boats on the Long Strait creak?"),
    ("ferries", "How many seats do the boats to the Harbour Isles offer?"),
    ("ferries", "Will the Gannet sail next week?"),
    ("ferries", "What colour is the Gannet?"),
    ("ferries", "Who built the Titanic?"),
]


@pytest.fixture(scope="module")
def room(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Room]:
    file = tmp_path_factory.mktemp("mentioned") / "tables.toml"
    file.write_text(FILE, encoding="utf-8")
    sandbox = Sandbox()
    with everyday_room(sandbox, file) as made:
        yield made
    sandbox.close()


def asked(room: Room, table: str, *questions: str) -> Answered:
    return room.ask(Everyday(0, "", questions, table=table))


@pytest.mark.parametrize(("table", "question", "wanted"), FOUND, ids=[question for _, question, _ in FOUND])
def test_whole_rows_with_what_is_named(room: Room, table: str, question: str, wanted: list[str]) -> None:
    answer = asked(room, table, question).answer
    assert answer.startswith("I did not read every word of this.")
    assert all(one in answer for one in wanted), answer


@pytest.mark.parametrize(("table", "question"), LEFT, ids=[question for _, question in LEFT])
def test_what_no_row_can_answer_is_declined(room: Room, table: str, question: str) -> None:
    assert Everyday(0, "", (question,), declines=True).judged(asked(room, table, question).answer) == "right"


def test_what_is_named_and_not_there_is_said(room: Room) -> None:
    answer = asked(room, "festival_appearances", "Did Glass Harbour play with Mira Solano in 2013?").answer
    assert "Not in the table: “Mira Solano”." in answer
    assert answer.count("Glass Harbour") == 2 + 1  # two rows, and how it was looked for


def test_the_statements_are_those_of_the_steps(room: Room) -> None:
    found = asked(room, "ferries", "Where does Ines Costa sail?")
    assert len(found.calls) == 3
    assert all(call.startswith("query: SELECT ") for call in found.calls)
    assert "Costa" not in found.calls[0].split("VALUES")[0]


def test_hostile_names_stay_texts(room: Room) -> None:
    answer = asked(room, "ferries", "Where is Skua') OR 1=1 -- sailing, O'Brien \"; DROP TABLE ferries?").answer
    assert "Tern" not in answer
    assert asked(room, "ferries", "How many rows?").answer.endswith("is 5.")
