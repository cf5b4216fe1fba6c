"""The demo on the tables of a database file: joined by its foreign keys, declared or named after the other table."""

from __future__ import annotations

import pytest

from tests.support.cases import each
from tests.support.demo_tables import Room, loaded, run
from tests.support.table_files import sqlite_file

pytestmark = pytest.mark.system

_PEOPLE = "(id INTEGER PRIMARY KEY, name TEXT, city TEXT)"
_ROWS = "VALUES (1, 3, 10, 'open'), (2, 3, 20, 'paid'), (3, 1, 40, 'open'), (4, 2, 80, 'paid'), (5, 2, 1, 'open')"
_NAMES = "VALUES (1, 'Ann', 'Paris'), (2, 'Bob', 'Rome'), (3, 'Cy', 'Paris'), (4, 'Dee', 'Oslo'), (5, 'Eve', 'Oslo')"
SHOP = sqlite_file(
    f"CREATE TABLE customers {_PEOPLE}",
    "CREATE TABLE orders (id INTEGER PRIMARY KEY, customer_id INT REFERENCES customers(id), amount REAL, status TEXT)",
    f"INSERT INTO customers {_NAMES}",
    f"INSERT INTO orders {_ROWS}",
)
NAMED = sqlite_file(
    f"CREATE TABLE customers {_PEOPLE}",
    "CREATE TABLE orders (id INTEGER PRIMARY KEY, customer_id INT, amount REAL, status TEXT)",
    f"INSERT INTO customers {_NAMES}",
    f"INSERT INTO orders {_ROWS}",
)
BILLS = sqlite_file(
    f"CREATE TABLE customers {_PEOPLE}",
    "CREATE TABLE orders (id INTEGER PRIMARY KEY, payer INT REFERENCES Customers, amount REAL, status TEXT)",
    f"INSERT INTO customers {_NAMES}",
    f"INSERT INTO orders {_ROWS}",
)
_OF_NAMES = [("Ann", 40.0), ("Bob", 81.0), ("Cy", 30.0)]
_OF_CITIES = [("Paris", 70.0), ("Rome", 81.0)]


@pytest.fixture(scope="module", params=[SHOP, NAMED, BILLS], ids=["both", "named", "declared"])
def room(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Room:
    folder = tmp_path_factory.mktemp("shop")
    return Room(folder, {card["name"]: card for card in loaded(folder, "shop.db", request.param)})


@each(
    ("asked", "sums"),
    [
        ("Total amount by customer name?", _OF_NAMES),
        ("Total amount by name?", _OF_NAMES),
        ("Total amount by city?", _OF_CITIES),
        (
            "How many orders per status and city?",
            [("Paris", "paid", 1), ("Paris", "open", 2), ("Rome", "open", 1), ("Rome", "paid", 1)],
        ),
    ],
)
def test_a_foreign_key_decides(asked: str, sums: list[tuple[str | float, ...]], room: Room) -> None:
    ran = run(asked, room, ("customers", "orders"))
    (result,) = ran.results
    assert len(result["rows"]) == len(sums)
    assert all(any({*row} >= {*one} for row in result["rows"]) for one in sums), ran.answer.text
    assert "I joined orders and customers by " in ran.answer.text


@each("asked", ["Total amount by name using id", "Total amount by city using id"])
def test_rows_are_not_joined_by_the_numbers_of_each(asked: str, room: Room) -> None:
    ran = run(asked, room, ("customers", "orders"))
    assert '"customers"."id" = "orders"."id"' not in str(ran.calls)
    assert not any("using id" in chip for chip in ran.answer.next_questions)
