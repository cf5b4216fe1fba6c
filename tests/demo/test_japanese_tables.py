"""Japanese questions about tables whose columns have English names, and what is told and suggested in Japanese."""

from __future__ import annotations

import re
from datetime import date
from pathlib import Path

import pytest

from agent.data.tables.questions.months_away import months_told
from agent.data.tables.questions.naming import opening, question, suggested
from agent.data.tables.questions.sentence import readings
from agent.data.tables.questions.sql import written
from agent.data.tables.questions.table_schema import Table, table_of
from agent.loop import merge
from tests.support.demo_tables import DEMO, Room, loaded, run

ORDERS = """Order Date,Country,Product,Price,Quantity
2025-01-03,Germany,Chair,49.9,12
2025-01-09,France,Table,189.0,3
2025-02-11,Germany,Lamp,24.5,40
2025-02-19,Spain,Chair,45.0,22
2025-03-02,France,Lamp,27.0,31
2025-03-28,Spain,Table,175.5,5
"""

FLATS = """物件,地区,家賃（円）,広さ（㎡）,敷金［万円］,築年：西暦,駐車場
みなと荘（東）,港町,62000,28,5,1998,はい
さくら館,桜台,78000,35,7,2004,いいえ
やまびこ,桜台,54000,22,5,1989,はい
つばめ荘,港町,91000,48,9,2015,はい
"""


@pytest.fixture(scope="module")
def room(tmp_path_factory: pytest.TempPathFactory) -> Room:
    folder: Path = tmp_path_factory.mktemp("orders")
    (card,) = loaded(folder, "orders.csv", ORDERS.encode())
    return Room(folder, {"orders": card})


@pytest.fixture(scope="module")
def table(room: Room) -> Table:
    return table_of(room.cards["orders"])


@pytest.mark.parametrize(
    ("asked", "sql"),
    [
        ("国ごとの平均価格は？", 'round(avg("price"), 4) AS "average_price"'),
        ("製品別の数量の合計", 'sum("quantity")'),
        ("商品ごとの個数の合計を棒グラフで", 'sum("quantity")'),
        ("価格の中央値は？", 'median("price")'),
        ("国名の種類の数", 'count(DISTINCT "country")'),
        ("注文日の月ごとの数量の合計", "strftime(\"order_date\", '%Y-%m')"),
        ("値段が最も高い商品は？", 'rank() OVER (ORDER BY "price" DESC'),
    ],
)
def test_english_columns_are_asked_for_in_japanese(room: Room, asked: str, sql: str) -> None:
    ran = run(asked, room, ("orders",), "ja")
    place = ran.last("query")
    assert place is not None and sql in ran.calls[place].input
    assert ran.answer.text.startswith("読み方: ")


def test_names_with_wide_brackets_are_read_as_the_suggestions_write_them(tmp_path: Path) -> None:
    (card,) = loaded(tmp_path, "flats.csv", FLATS.encode())
    flats, asked = Room(tmp_path, {"flats": card}), [*opening(card, language="ja")]
    assert any("家賃（円）" in question for question in asked)
    for question_ in (*asked, "地区ごとの家賃（円）の合計は？", "家賃(円)の平均は？", "敷金［万円］の合計は？"):
        answer = run(question_, flats, ("flats",), "ja")
        assert answer.last("query") is not None, question_
        assert not re.search("見つかりません|規則", answer.answer.text), (question_, answer.answer.text)
        for chip in answer.answer.next_questions:
            assert "見つかりません" not in run(chip, flats, ("flats",), "ja").answer.text, chip


@pytest.mark.parametrize(
    ("asked", "read"),
    [
        ("物件ごとの家賃のグラフ", "flatsの物件ごとの家賃（円）の合計をグラフで"),
        ("地区ごとの家賃の平均を棒グラフで", "flatsの地区ごとの家賃（円）の平均を棒グラフで"),
        ("物件ごとの広さを棒グラフにして", "flatsの物件ごとの広さ（㎡）の合計を棒グラフで"),
        ("地区ごとの家賃（円）を円グラフで", "flatsの地区ごとの家賃（円）の合計を円グラフで"),
    ],
)
def test_a_chart_of_columns_that_are_called_without_their_units(tmp_path: Path, asked: str, read: str) -> None:
    (card,) = loaded(tmp_path, "flats.csv", FLATS.encode())
    ran = run(asked, Room(tmp_path, {"flats": card}), ("flats",), "ja")
    assert ran.answer.text.splitlines()[0] == f"読み方: {read}"
    assert ran.last("chart") is not None


def test_a_name_that_two_columns_share_but_for_their_units_is_no_name_of_one(tmp_path: Path) -> None:
    (card,) = loaded(tmp_path, "prices.csv", "品,価格（円）,価格（ドル）\n机,100,1\n椅子,300,2\n棚,200,3\n".encode())
    ran = run("品ごとの価格のグラフ", Room(tmp_path, {"prices": card}), ("prices",), "ja")
    assert ran.last("chart") is None


def test_how_it_was_read_and_what_to_ask_next_are_japanese_and_read_the_same(room: Room, table: Table) -> None:
    ran = run("国ごとの平均価格は？", room, ("orders",), "ja")
    assert ran.answer.text.splitlines()[0] == "読み方: ordersのCountryごとのPriceの平均"
    assert re.search(r"^\| Spain \| 110.25 \| 2 \|$", ran.answer.text, re.M)
    for chip in ran.answer.next_questions:
        assert re.search(r"[ぁ-ん]", chip), chip
        assert run(chip, room, ("orders",), "ja").last("query") is not None, chip
    history = [merge.Turn("国ごとの平均価格は？", ran.answer.text)]
    found = merge.merge("棒グラフにして", history, DEMO, "ja")
    assert found
    drawn = run(found.question, room, ("orders",), "ja")
    assert drawn.last("chart") is not None and 'avg("price")' in drawn.calls[0].input


def test_each_wording_is_read_as_what_it_was_written_for(table: Table) -> None:
    for chip in suggested(None, [table], "ja"):
        asked = readings(chip, [table], None)[0].asked
        assert written(readings(question(asked, [table]), [table], None)[0].asked) == written(asked)


def test_what_is_asked_of_some_rows_is_suggested_with_its_names_in_brackets(table: Table) -> None:
    asked = readings("total quantity where country is Spain", [table], None)[0].asked
    assert question(asked, [table], "ja") == "「orders」で「Country」が「Spain」の行の「Quantity」の合計は？"


@pytest.mark.parametrize(
    ("asked", "told"),
    [
        ("今月の食費は合計でいくら？", "2026年1月の食費は合計でいくら？"),
        ("先月と先々月では？", "2025年12月と2025年11月では？"),
        ("去年の合計は？", "2025年の合計は？"),
        ("今月の販売数が多い国は？", "今月の販売数が多い国は？"),  # a column is called so
    ],
)
def test_months_and_years_told_by_how_far_they_are(tmp_path: Path, asked: str, told: str) -> None:
    (card,) = loaded(tmp_path, "sold.csv", "国,今月の販売数\nA,3\nB,5\n".encode())
    heads = (table_of(card),) if "販売数" in asked else ()
    assert months_told(asked, date(2026, 1, 15), heads) == told


@pytest.mark.parametrize(
    ("asked", "answer"),
    [
        ("モンブランの売上はいくらですか？", "26,520"),
        ("売上の合計は？", "62,270"),
        ("売上が一番多い商品は？", "35,750"),
        ("一番高い商品は？", "550"),
        ("単価の合計は？", "1,070"),
    ],
)
def test_sales_are_what_was_sold_times_what_one_costs(tmp_path: Path, asked: str, answer: str) -> None:
    sold = "商品名,今週の販売数,単価（円）\nモンブラン,51,520\nショート,65,550\n"
    (card,) = loaded(tmp_path, "cakes.csv", sold.encode())
    assert answer in run(asked, Room(tmp_path, {"cakes": card}), ("cakes",), "ja").answer.text
