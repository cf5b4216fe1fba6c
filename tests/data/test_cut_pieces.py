"""How a question of one table is cut into pieces, and what these come to: without an engine, by the table alone."""

from __future__ import annotations

import pytest

from agent.data.tables.pieced.ends_said import asks_of
from agent.data.tables.pieced.pieced_asking import pieced_asked
from agent.data.tables.questions.naming import question
from agent.data.tables.questions.table_lexicon import tokens
from agent.data.tables.questions.table_schema import Column, Table

DAYS = Column("day", "Day", "date", distinct=9, least="2026-05-01", most="2026-07-30")
DOG = Column(
    "dog", "Dog", "text", distinct=4, examples=("Rex", "Fay"), values=("Rex", "Fay", "Ida", "Bob"), complete=True
)
WALKER = Column("walked_by", "Walked by", "text", distinct=2, values=("Nora", "Sam"), complete=True)
KM = Column("distance", "Distance (km)", "number", "km", distinct=9, nulls=1, least="1.5", most="9")
FEE = Column("fee", "Fee (£)", "number", "£", distinct=5, least="4", most="12")
PAID = Column("paid", "Paid?", "boolean", distinct=2, examples=("true", "false"))
WALKS = Table("dog_walks", "dog walks.csv", 12, (DAYS, DOG, WALKER, KM, FEE, PAID))


@pytest.mark.parametrize(
    ("typed", "read"),
    [
        ("Rex - total km please", "Total “Distance (km)” in the table “dog_walks” where dog is “Rex”?"),
        ("fees for June only, all walks together", "Total “Fee (£)” in the table “dog_walks” where “Day” in June?"),
        ("who did the most walks", "Top “Walked by” by number of rows in the table “dog_walks”?"),
        ("how many walks where it says no for paid", "Number of rows in the table “dog_walks” where not “paid”?"),
        ("average fee of one of Sam's walks", "Average “Fee (£)” in the table “dog_walks” where “Walked by” is “Sam”?"),
        ("how many different dogs did we walk", "Number of different dog in the table “dog_walks”?"),
    ],
)
def test_pieces_in_any_order(typed: str, read: str) -> None:
    asked = pieced_asked(typed, WALKS, None)
    assert asked is not None
    assert question(asked, [WALKS], "en") == read


@pytest.mark.parametrize(
    "typed",
    [
        "how much did she pay",  # whom nothing before names
        "how many walks were cancelled",  # a deed that no column tells
        "how many walks did Sam not do",  # nothing holds the "not"
        "total fees for the regulars",  # a word of no row
        "how many dogs are out",
        "how many hours did that come to",
        "who has the oldest dog",
        "add up his km",
    ],
)
def test_what_may_turn_it_is_left_alone(typed: str) -> None:
    assert pieced_asked(typed, WALKS, None) is None


def test_words_that_ask_are_those_at_the_start_of_a_clause() -> None:
    said = tokens("which walk was the longest, who did it and how much was the fee of the one who paid")
    assert [word for word, _ in asks_of(said)] == ["which", "who", "how much"]
