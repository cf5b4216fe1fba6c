"""Questions of a table that are declined for a few words: what the table has of the rest, and never as an answer."""

from __future__ import annotations

import re

import pytest

from agent.data.tables.mentioned.figures_named import figures_named
from agent.data.tables.questions.table_schema import Column, Table
from agent.evidence.checking import check
from agent.loop import merge
from tests.support.cases import each
from tests.support.demo_tables import DEMO, Ran, Room, events_of, loaded, run
from tests.support.everyday import Everyday, stands

pytestmark = pytest.mark.system

TABLES = {
    "stall": """Day,Product,Branch,Pieces,Takings (£)
2026-09-01,Rye bread,Market,24,84.00
2026-09-01,Scone,Market,40,60.00
2026-09-02,Rye bread,Station,18,63.00
2026-09-02,Bagel,Station,35,70.00
2026-09-03,Scone,Station,22,33.00
2026-09-03,Bagel,Market,30,60.00
2026-09-04,Rye bread,Market,20,70.00
2026-09-04,Plum tart,Market,9,36.00
2026-09-05,Bagel,Station,41,82.00
2026-09-05,Plum tart,Station,6,24.00
""",
    "repairs": """Job,Bike,Fault,Mechanic,Hours,Parts cost (€),Done
J1,Gazelle,Brake,Anneke,1.5,22,yes
J2,Koga,Chain,Bram,0.5,31,yes
J3,Batavus,Brake,Anneke,2.0,40,no
J4,Gazelle,Light,Cees,0.75,15,yes
J5,Sparta,Chain,Bram,1.0,28,no
J6,Koga,Gear,Anneke,3.0,95,yes
J7,Sparta,Light,Cees,0.5,12,no
""",
    "plots": """Plot,Gardener,Crop,Beds,Harvest (kg),Water (l)
1,Maud,Leek,2,14,320
2,Maud,Kale,1,9,150
3,Hugo,Leek,3,25,510
4,Iris,Pumpkin,4,88,940
5,Hugo,Kale,2,17,300
6,Iris,Bean,1,6,120
7,Jonas,Pumpkin,2,41,480
8,Jonas,Bean,2,13,260
""",
    "loans": """Title,Genre,Branch,Loans,Copies,Weeks on loan
Marsh Lights,Crime,Riverside,31,4,62
The Long Hem,Crime,Hilltop,22,3,40
Ferns of Home,Nature,Riverside,12,2,30
Tin Orchard,Poetry,Hilltop,5,1,9
Owls at Noon,Nature,Hilltop,19,2,33
Salt Ledger,Crime,Riverside,27,3,55
""",
    "choir": """Name,Voice,Joined,Rehearsals,Fee paid,Town
Ada Lund,Alto,2019,38,yes,Brekke
Bo Vik,Bass,2021,30,no,Brekke
Cara Moe,Soprano,2018,40,yes,Lund
Dag Nes,Tenor,2022,21,yes,Vang
Eli Rud,Alto,2023,33,no,Vang
Finn Hov,Bass,2017,36,yes,Lund
Gro Lie,Soprano,2020,28,no,Vang
""",
    "calls": "Ward,Nurse,Minutes\n" + "".join(f"{'AB'[n % 2]} ward,Nurse {n},{n + 3}\n" for n in range(24)),
}
# The table, the question, the words of it that are told as not read, and what must stand below.
SHOWN = (
    ("stall", "bagels sold to commuters", ["commuters"], ["3 of 10", "70", "60", "82"]),
    ("stall", "how much rye bread went to the cafe on the corner?", ["cafe", "corner"], ["3 of 10", "217", "62"]),
    ("repairs", "parts cost for the koga that the postman rides", ["postman", "rides"], ["2 of 7", "31", "95"]),
    (
        "repairs",
        "how long did Anneke fiddle with brakes for grumpy clients?",
        ["fiddle", "grumpy", "clients"],
        ["2 of 7", "3.5"],
    ),
    ("plots", "how much pumpkin did the school kitchen get?", ["school", "kitchen"], ["2 of 8", "129"]),
    ("plots", "water used on leeks by the old pump", ["used", "pump"], ["830"]),
    ("loans", "crime loans among pensioners", ["pensioners"], ["3 of 6", "80"]),
    (
        "loans",
        "how many nature books got borrowed by schools",
        ["books", "borrowed", "schools"],
        ["2 of 6", "31"],
    ),
    ("choir", "altos living near the lake", ["near", "lake"], ["2 of 7", "Ada Lund", "Eli Rud"]),
    ("stall", "total takings from plum tarts to wedding guests", ["wedding", "guests"], ["2 of 10", "60"]),
    ("repairs", "gazelle jobs paid in cash", ["cash"], ["2 of 7", "J1", "J4"]),
    ("plots", "average harvest of beans on sandy ground", ["sandy", "ground"], ["2 of 8", "9.5"]),
    ("plots", "hugo's kale minus what the slugs ate", ["minus", "slugs", "ate"], ["1 of 8", "17"]),
    ("loans", "most loans in hilltop from teenagers", ["teenagers"], ["3 of 6", "22", "The Long Hem"]),
    ("choir", "rehearsals the basses attended in costume", ["attended", "costume"], ["2 of 7", "66"]),
    ("calls", "how many minutes did the a ward spend on moaning", ["moaning"], ["12 of 24", "168"]),
)
PLAIN = (
    ("stall", "takings at the market before the rain came"),
    ("stall", "scones flogged to tourists without receipts"),
    ("stall", "takings from passing tourists and hikers"),  # of all rows it would be none of theirs
    ("repairs", "what fault annoys cyclists"),
    ("plots", "what would maud harvest with better soil"),
    ("loans", "loans per genre per pupil"),
    ("loans", "poetry nobody ever fetched"),
    ("choir", "the cheerful grey elderly baritone neighbours whispering about rehearsals"),
    ("choir", "grumpy tired hungry altos whispering quarrelling"),
    ("choir", "who sang in 2099 with a cold"),
)


@pytest.fixture(scope="module")
def room(tmp_path_factory: pytest.TempPathFactory) -> Room:
    folder = tmp_path_factory.mktemp("tables")
    return Room(folder, {name: loaded(folder, f"{name}.csv", text.encode())[0] for name, text in TABLES.items()})


def is_declined(ran: Ran) -> bool:
    return Everyday(0, "", ("",)).judged(ran.answer.text) == "declined"


@each(("table", "asked", "unread", "held"), SHOWN, ids=lambda one: one if isinstance(one, str) else "")
def test_the_rest_is_shown_below_a_plain_decline(
    table: str, asked: str, unread: list[str], held: list[str], room: Room
) -> None:
    ran = run(asked, room, (table,))
    head, *below = ran.answer.text.split("\n\n")
    said, _, rest = head.partition(", so this is no answer. What the table has of the rest: ")
    assert said.startswith("My rules did not read “") and re.findall("“([^”]+)”", said) == unread
    assert is_declined(ran)
    assert not [each for each in held if not stands(f"{rest}\n{below}", each)], ran.answer.text
    assert all(call.tool == "query" for call in ran.calls) and all(result["ok"] for result in ran.results)


@each(("table", "asked", "unread", "held"), SHOWN, ids=lambda one: one if isinstance(one, str) else "")
def test_it_is_short_and_each_figure_was_observed(
    table: str, asked: str, unread: list[str], held: list[str], room: Room
) -> None:
    ran = run(asked, room, (table,))
    lines = [line for line in ran.answer.text.split("\n") if line.startswith("| ") and "---" not in line]
    assert len(lines) <= 8 + 2 and all(line.count(" | ") < 6 for line in lines), ran.answer.text
    claims = check(events_of(asked, ran, room.cards[table])).claims
    assert claims and not [claim for claim in claims if claim.doubtful], ran.answer.text


@each(("table", "asked"), PLAIN, ids=lambda one: one)
def test_a_decline_stays_as_it_is(table: str, asked: str, room: Room) -> None:
    ran = run(asked, room, (table,))
    assert is_declined(ran) and "no answer" not in ran.answer.text, ran.answer.text
    assert "|" not in ran.answer.text


def test_questions_near_it_stand_below_as_before(room: Room) -> None:
    answer = run("how much rye bread went to the cafe on the corner?", room, ("stall",)).answer
    assert answer.text.endswith(f"\n\nDid you mean: {answer.next_questions[0]}")
    assert answer.next_questions[0] == "Total “Takings (£)” in stall where product is “Rye bread”?"


def test_many_rows_are_totals_alone(room: Room) -> None:
    answer = run("how many minutes did the a ward spend on moaning", room, ("calls",)).answer.text
    assert answer.count("\n| ") == 3 and "| Minutes | 168 |" in answer, answer


@each("follow_up", ["and half of that?", "how many of them?", "plus 10"])
def test_nothing_goes_on_from_a_figure_that_is_no_answer(follow_up: str, room: Room) -> None:
    asked = "how much pumpkin did the school kitchen get?"
    first = run(asked, room, ("plots",)).answer.text
    found = merge.merge(follow_up, [merge.Turn(asked, first)], DEMO, "en")
    question = found.question if found else follow_up
    assert not re.search(r"\b(?:129|1,?420|88|41|64\.5)\b", question), question


@each(
    ("text", "unread"),
    [
        ("leeks for alpha and beta and gamma and delta", 4),
        ("leeks for alpha and beta and gamma and delta and omega", 0),
        ("leeks alpha beta gamma", 0),  # most of the question
        ("leeks not for alpha", 0),
        ("only leeks for alpha", 0),
        ("leeks per alpha of beta", 0),
        ("all for alpha", 0),
    ],
)
def test_no_more_than_four_words_and_no_more_than_half_are_passed_over(text: str, unread: int) -> None:
    crop = Column("crop", "Crop", "text", distinct=2, examples=("Leek", "Kale"))
    table = Table("t", "t.csv", 9, (crop, Column("kg", "kg", "number", least="1", most="9")))
    made = figures_named(text, table, None, ())
    assert (len(made.unread) if made else 0) == unread
