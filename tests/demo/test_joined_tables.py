"""The demo on two tables that have a column in common: real files, joined by the real engine."""

from __future__ import annotations

from pathlib import Path
from typing import Any, NamedTuple

import pytest

from agent.demo.model import Demo
from agent.demo.rules.history import rewritten
from agent.messages import Facts, Message
from agent.models.protocol import Request
from agent.prompts.labels import LABELS
from agent.wire.observation import fence
from agent.wire.outcomes import Action, Answer
from agent.wire.react.reader import read
from tests.support.demo_questions import TODAY
from tests.support.jobs import table_job

pytestmark = pytest.mark.system

TOOLS = ("query", "chart")
DEMO = Demo(pace=0)
FILES = {
    "orders": "order_id,customer_id,price\n1,11,20\n2,12,30\n3,11,10\n4,13,40\n5,12,50\n6,99,70\n",
    "customers": "customer_id,name,country,city\n11,Ann,France,Paris\n12,Bob,Spain,Madrid\n13,Cy,France,Lyon\n",
    "books": "id,title,author_id,pages\n1,Ash,1,100\n2,Birch,1,300\n3,Cedar,2,250\n",
    "authors": "id,name,nation\n1,Kim,Korea\n2,Lee,China\n",
    "visits": "shop,manager,visitors\nA,Ann,10\nB,Bob,20\nA,Bob,5\n",
    "shops": "shop,manager,region\nA,Ann,North\nB,Bob,South\n",
    "weights": "id,weight\n1,5\n2,7\n",
    "colours": "id,colour\n1,red\n2,blue\n",
    "売上": "商品コード,金額\nA1,100\nA2,200\nA1,300\n",
    "商品": "商品コード,分類\nA1,果物\nA2,野菜\n",
    "tracks": "track,album_code,seconds\nOne,X1,200\nTwo,X1,300\nThree,X2,100\n",
    "albums": "album_code,genre,label\nX1,Jazz,Blue\nX2,Folk,Green\n",
    "grades": "StudentNo,Mark\n7,12\n8,15\n7,18\n",
    "students": "student_no,class_name\n7,East\n8,West\n",
    "trips": "trip,left,back,Load(kg)\nA,2021-01-01,2021-01-09,5\nB,2021-02-01,2021-02-04,9\nC,2021-03-01,2021-03-06,7",
    "loads": "trip,left,Load(kg)\nA,2021-01-01,5\nB,2021-02-01,9\n",
    "sizes": "order,Size,Sold\n1,S,120\n2,M,310\n3,L,205\n4,XL,90\n",
    "gender": "Name,Gender,Pay\nAnn,F,120\nBob,M,310\n",
    "people": "Name,Department,Salary\nAnn,IT,61000\nBob,HR,48000\nCy,Sales,52500\n",
    "rain": "station,mm\nP,3\nQ,9\nP,5\n",
    "stations": "station,altitude,canton\nP,400,Bern\nQ,900,Wallis\n",
}


class Ran(NamedTuple):
    text: str
    sql: str
    rows: list[list[Any]]


@pytest.fixture(scope="module")
def loaded(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, dict[str, Any]]:
    folder, cards = tmp_path_factory.mktemp("joined"), dict[str, Any]()
    for name, text in FILES.items():
        (folder / "upload").write_bytes(text.encode())
        answer = table_job({"kind": "load", "source": "upload", "name": f"{name}.csv", "taken": []}, folder)
        cards[name] = answer["tables"][0]
    return folder, cards


def ask(loaded: tuple[Path, dict[str, Any]], names: str, question: str, language: str = "en") -> Ran:
    """The demo's answer with those tables at hand; the SQL that it asked last, and what that gave."""
    folder, cards = loaded
    tables = [cards[name] for name in names.split()]
    facts = Facts(TODAY.isoformat(), TOOLS, tuple(tables))
    labels = LABELS[language]
    messages, sql, rows = [Message("user", question)], "", list[list[Any]]()
    for _ in range(6):
        request = Request(tuple(messages), language=language, facts=facts)
        action = read("".join(delta.text for delta in DEMO.stream(request)), TOOLS)
        if isinstance(action, Answer):
            return Ran(action.text, sql, rows)
        assert isinstance(action, Action)
        result = table_job({"kind": "query", "tables": tables, "sql": action.input}, folder)
        sql, rows = action.input, result.get("rows", [])
        said = result["text"] if result["ok"] else result["message"]
        called = f"{labels.action}: {action.tool}\n{labels.action_input}: {action.input}"
        written = f"{labels.thought}: {action.thought}\n{called}"
        messages += [Message("assistant", written), Message("user", f"{labels.observation}: {fence(said)}")]
    raise AssertionError(question)


def free(rows: list[list[Any]], width: int = 9) -> list[str]:
    """The first columns of rows in any order."""
    return sorted(str([float(cell) if isinstance(cell, int) else cell for cell in row[:width]]) for row in rows)


@pytest.mark.parametrize(
    ("names", "question", "rows"),
    [
        ("orders customers", "Average price by country", [[None, 70], ["Spain", 40], ["France", 23.3333]]),
        ("customers orders", "how many orders by country", [["France", 3], ["Spain", 2], [None, 1]]),
        ("orders customers", "total price where country is France", [[70]]),
        ("orders customers", "Which city has the highest total price?", [["Madrid", 80]]),
        ("books authors", "average pages by nation", [["China", 250], ["Korea", 200]]),
        ("tracks albums", "total seconds by genre", [["Jazz", 500], ["Folk", 100]]),
        ("students grades", "average mark by class name", [["West", 15], ["East", 15]]),
        ("rain stations", "total mm by canton", [["Wallis", 9], ["Bern", 8]]),
        ("visits shops", "total visitors by region using shop", [["South", 20], ["North", 15]]),
        ("weights colours", "average weight by colour using id", [["blue", 7], ["red", 5]]),
    ],
)
def test_a_question_over_two_tables_joins_them_and_says_how(
    loaded: tuple[Path, dict[str, Any]], names: str, question: str, rows: list[list[Any]]
) -> None:
    ran = ask(loaded, names, question)
    assert free(ran.rows, len(rows[0])) == free(rows), ran
    assert "\n\nI joined " in ran.text and any(way in ran.sql for way in (" LEFT JOIN ", " IN (SELECT "))


@pytest.mark.parametrize(
    ("names", "question", "rows"),
    [
        ("sizes gender", "total sold by size", [["M", 310], ["L", 205], ["S", 120], ["XL", 90]]),
        ("sizes gender", "total sold in sizes", [[725]]),
        ("sizes gender", "What is the average pay by gender?", [["M", 310], ["F", 120]]),
        ("people", "what is the average salary of each department?", [["IT", 61000], ["Sales", 52500], ["HR", 48000]]),
        ("people", "average salary for each department", [["IT", 61000], ["Sales", 52500], ["HR", 48000]]),
    ],
)
def test_groups_that_are_called_like_a_table_or_have_a_row_each(
    loaded: tuple[Path, dict[str, Any]], names: str, question: str, rows: list[list[Any]]
) -> None:
    ran = ask(loaded, names, question)
    assert free(ran.rows, len(rows[0])) == free(rows), ran


def test_a_question_over_two_tables_in_japanese(loaded: tuple[Path, dict[str, Any]]) -> None:
    ran = ask(loaded, "売上 商品", "分類ごとの金額の合計は？", "ja")
    assert [row[:2] for row in ran.rows] == [["果物", 400], ["野菜", 200]]
    assert "商品コード で結合しました" in ran.text
    assert 'AS "金額の合計"' in ran.sql, "what a step is called has no English in it"


@pytest.mark.parametrize(
    ("names", "question", "told"),
    [
        ("visits shops", "total visitors by region", "visits + shops by shop, visits + shops by manager"),
        ("weights colours", "average weight by colour", "weights + colours by id"),
    ],
)
def test_a_key_that_is_not_clear_is_asked_for(
    loaded: tuple[Path, dict[str, Any]], names: str, question: str, told: str
) -> None:
    ran = ask(loaded, names, question)
    assert not ran.sql
    assert told in ran.text and f"as in “{question} using " in ran.text


def test_tables_that_share_nothing_are_not_joined(loaded: tuple[Path, dict[str, Any]]) -> None:
    assert not ask(loaded, "orders stations", "average price by canton").sql


def test_one_table_that_has_all_is_asked_alone(loaded: tuple[Path, dict[str, Any]]) -> None:
    assert "JOIN" not in ask(loaded, "orders customers", "average price").sql


@pytest.mark.parametrize(
    ("follow_up", "rows"),
    [
        ("and by city?", [["Madrid", 40], ["Lyon", 40], ["Paris", 15], [None, 70]]),
        ("only the top 1", [["Spain", 40]]),
        ("only the top 3", [["Spain", 40], ["France", 23.3333]]),
        ("sort by price", [[None, 70], ["Spain", 40], ["France", 23.3333]]),
        ("lowest first", [["France", 23.3333], ["Spain", 40], [None, 70]]),
        ("sort it by price ascending", [["France", 23.3333], ["Spain", 40], [None, 70]]),
        ("without Spain", [[None, 70], ["France", 23.3333]]),
    ],
)
def test_a_follow_up_goes_on_with_the_joined_tables(
    loaded: tuple[Path, dict[str, Any]], follow_up: str, rows: list[list[Any]]
) -> None:
    asked = "Average price by country"
    before = ask(loaded, "orders customers", asked).text
    alone = rewritten(
        f"Conversation:\nUser: {asked}\nAssistant: {before}\n\nFollow-up question: {follow_up}\n\nStandalone question: "
    )
    ran = ask(loaded, "orders customers", alone)
    ordered = "first" in follow_up or "sort" in follow_up
    assert [row[:2] for row in ran.rows] == rows if ordered else free(ran.rows, 2) == free(rows)


@pytest.mark.parametrize(
    ("asked", "follow_up", "rows"),
    [
        ("How many books are there?", "and how many authors?", [[2]]),
        ("How many books are there?", "And authors?", [[2]]),
        ("How many authors are there?", "what about the books?", [[3]]),
        ("How many authors are there?", "and how many books with more than 200 pages?", [[2]]),
        ("How many books have more than 200 pages?", "and how many authors from Korea?", [[1]]),
        ("How many books are there?", "and how many with more than 200 pages?", [[2]]),
    ],
)
def test_a_follow_up_may_count_the_rows_of_another_table(
    loaded: tuple[Path, dict[str, Any]], asked: str, follow_up: str, rows: list[list[Any]]
) -> None:
    ran = ask(loaded, "books authors", _alone(loaded, asked, follow_up))
    assert free(ran.rows, 1) == free(rows), ran


def test_a_follow_up_to_some_rows_is_not_answered_of_all_of_another_table(
    loaded: tuple[Path, dict[str, Any]],
) -> None:
    ran = ask(loaded, "books authors", _alone(loaded, "How many books have more than 200 pages?", "and authors?"))
    assert [2] not in ran.rows, ran


def _alone(loaded: tuple[Path, dict[str, Any]], asked: str, follow_up: str) -> str:
    before = ask(loaded, "books authors", asked).text
    return rewritten(
        f"Conversation:\nUser: {asked}\nAssistant: {before}\n\nFollow-up question: {follow_up}\n\nStandalone question: "
    )


@pytest.mark.parametrize(
    ("question", "rows"),
    [
        ("bottom 2 stations sorted by altitude", [["P", 400], ["Q", 900]]),
        ("top 2 stations sorted by altitude", [["Q", 900], ["P", 400]]),
        ("stations sorted by altitude, lowest first", [["P", 400], ["Q", 900]]),
        ("stations sorted by altitude", [["Q", 900], ["P", 400]]),
    ],
)
def test_the_bottom_ones_are_the_lowest_by_what_they_are_sorted(
    loaded: tuple[Path, dict[str, Any]], question: str, rows: list[list[Any]]
) -> None:
    assert [row[:2] for row in ask(loaded, "stations", question).rows] == rows


@pytest.mark.parametrize(
    ("question", "row"),
    [
        ("Which trip was the longest?", ["A", 8]),
        ("Which trip was the shortest?", ["B", 3]),
        ("What was the longest trip where left is after 2021-02-15?", ["C", 5]),
        ("Which trip was the heaviest?", ["B", 9]),
    ],
)
def test_the_longest_is_by_both_dates_and_the_heaviest_by_the_weights(
    loaded: tuple[Path, dict[str, Any]], question: str, row: list[Any]
) -> None:
    ran = ask(loaded, "trips", question)
    assert [each[:2] for each in ran.rows] == [row], ran


def test_the_longest_is_not_of_weights(loaded: tuple[Path, dict[str, Any]]) -> None:
    ran = ask(loaded, "loads", "Which trip was the longest?")
    assert not ran.sql and "loads" in ran.text
