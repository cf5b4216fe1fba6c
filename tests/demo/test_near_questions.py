"""Questions that are suggested where one could not be read: each is made of what was read of it, and is answered."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from agent.sandbox.client import Sandbox
from tests.support.cases import each
from tests.support.everyday import Everyday, Room, everyday_room

pytestmark = pytest.mark.system

BOATS = """Boat,Harbour,Built,Length (m),Crew,For hire,Keeper
Sula,North quay,1998-05-02,11.5,4,yes,Marta
Alca,South quay,2004-06-11,9.2,3,no,Marta
Fulmar,North quay,2011-03-30,14.8,6,yes,Ivo
Kittiwake,Old dock,2019-09-14,7.1,2,yes,Ivo
Skua,South quay,1987-01-25,18.3,8,no,Petra
"""
FLATS = """物件,地区,家賃（円）,広さ（㎡）,駐車場
みなと荘,港町,62000,28,はい
さくら館,桜台,78000,35,いいえ
やまびこ,桜台,54000,22,はい
つばめ荘,港町,91000,48,はい
"""
FILE = f"question = []\n[tables]\nboats = '''\n{BOATS}'''\nflats = '''\n{FLATS}'''\n"
# A question that no rule reads, one of the questions near it that must be suggested, and a figure of its answer.
NEAR = (
    ("boats", "my cousin fancies fulmar, what is the crew like", "List crew where boat is “Fulmar”?", "6"),
    ("boats", "whatever ivo has got on his plate these days", "List rows where keeper is “Ivo”?", "Kittiwake"),
    ("boats", "crew all told at the north quay, give or take", "List crew where harbour is “North quay”?", "6"),
    ("boats", "I wonder which harbour lodges the most crew, roughly", "Top harbour by total crew?", "South quay"),
    ("boats", "lads that lie at the dock by any chance?", "List rows where harbour is “Old dock”?", "Kittiwake"),
    ("boats", "average length per keeper, if you would, old chap", "Average “Length (m)” by keeper?", "10.35"),
    ("boats", "the ones nobody may have for hire, bless them", "List rows where not “For hire”?", "Skua"),
    (
        "boats",
        "how many boats does Ivo keep, since my landlord wagers a pint",
        "Number of rows where keeper is “Ivo”?",
        "2",
    ),
    (
        "boats",
        "what is the average length of the boats for hire, says my landlord",
        "Average “Length (m)” in the table “boats” where “For hire”?",
        "11.1333",
    ),
    (
        "flats",
        "みなと荘の家賃はお財布にやさしいですか？",
        "「flats」で「物件」が「みなと荘」の行の「家賃（円）」は？",
        "62000",
    ),
    ("flats", "一番広いところがいいな、広さ重視で", "「flats」の「広さ（㎡）」が最大の「物件」は？", "つばめ荘"),
)


@pytest.fixture(scope="module")
def near_room(sandbox: Sandbox, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Room]:
    file = tmp_path_factory.mktemp("near") / "tables.toml"
    file.write_text(FILE, encoding="utf-8")
    with everyday_room(sandbox, file) as room:
        yield room


@each(("table", "asked", "near", "figure"), NEAR, ids=lambda one: one)
def test_a_question_near_one_that_no_rule_reads(
    table: str, asked: str, near: str, figure: str, near_room: Room
) -> None:
    answered = near_room.ask(Everyday(0, "", (asked,), (figure,), table=table))
    assert answered.verdict == "declined", answered.answer
    assert near in answered.next_questions
    assert near_room.ask(Everyday(0, "", (near,), (figure,), table=table)).verdict == "right"


def test_the_first_of_them_stands_in_the_answer(near_room: Room) -> None:
    answered = near_room.ask(Everyday(0, "", ("my cousin fancies fulmar, what is the crew like",), table="boats"))
    assert answered.answer.endswith(f"Did you mean: {answered.next_questions[0]}")


@each("asked", ["what would my granny say?", "a bit of everything, please"])
def test_what_names_nothing_of_the_table_has_none_near(asked: str, near_room: Room) -> None:
    answered = near_room.ask(Everyday(0, "", (asked,), table="boats"))
    assert answered.verdict == "declined" and "Did you mean" not in answered.answer, answered.answer


def test_these_days_are_none_of_those_told(near_room: Room) -> None:
    questions = ("Top harbour by total crew?", "whatever ivo has got on his plate these days")
    answered = near_room.ask(Everyday(0, "", questions, table="boats"))
    assert "List rows in the table “boats” where keeper is “Ivo”?" in answered.next_questions, answered.answer
