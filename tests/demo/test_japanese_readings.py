"""How a question was read is told in Japanese, and is read as the same again where a follow-up leans on it."""

from __future__ import annotations

from dataclasses import replace
from itertools import product

import pytest

from agent.data.tables.questions.japanese_readings import in_english, told
from agent.data.tables.questions.naming import described, question
from agent.data.tables.questions.sentence import readings
from agent.data.tables.questions.sql import written
from agent.data.tables.questions.table_schema import Asked, Column, Filter, Group, Table
from agent.loop import merge
from tests.support.demo_tables import DEMO, loaded, run
from tests.support.demo_tables import Room as DemoRoom

TITLE = Column("書名", "書名", "text", distinct=12, examples=("台所", "星", "鍋"))
KIND = Column("ジャンル", "ジャンル", "text", distinct=4, examples=("小説", "科学"))
PAGES = Column("ページ数", "ページ数", "number", distinct=12, least="90", most="400")
PRICE = Column("価格_円", "価格（円）", "number", "円", distinct=11, nulls=1)
BOUGHT = Column("購入日", "購入日", "date", distinct=12, least="2026-01-03", most="2026-10-01")
READ = Column("読了", "読了", "boolean", distinct=2)
BOOKS = Table("本棚", "本棚.csv", 12, (TITLE, KIND, PAGES, PRICE, BOUGHT, READ))

FILTERS = (
    ((), ""),
    ((Filter(KIND, "=", ("小説",)),), "「ジャンル」が「小説」"),
    ((Filter(KIND, "=", ("小説", "科学")),), "「ジャンル」が「小説」か「科学」"),
    ((Filter(KIND, "<>", ("小説",)),), "「ジャンル」が「小説」以外"),
    ((Filter(PAGES, ">=", ("100",)), Filter(KIND, "=", ("科学",))), "「ページ数」が100以上、「ジャンル」が「科学」"),
    ((Filter(PAGES, "<", ("100",)),), "「ページ数」が100未満"),
    ((Filter(PAGES, "between", ("90", "200")),), "「ページ数」が90から200まで"),
    ((Filter(PRICE, "null"),), "「価格（円）」が空"),
    ((Filter(READ, "true", ("false",)),), "「読了」がいいえ"),
    ((Filter(BOUGHT, "year", ("2026",)),), "「購入日」が2026年"),
    ((Filter(BOUGHT, "month", ("2026-5",)),), "「購入日」が2026年5月"),
    ((Filter(BOUGHT, "month", ("0-5",)),), "「購入日」が5月"),
    ((Filter(BOUGHT, ">=", ("2026-06-01",), said="since June 2026"),), "「購入日」が2026年6月以降"),
    (
        (Filter(BOUGHT, ">=", ("2026-06-01",), said="on 2026-06-01"), Filter(BOUGHT, "<", ("2026-06-02",), said="-")),
        "「購入日」が2026-06-01",
    ),
    ((Filter(BOUGHT, "<", ("2026-06-01",), said="before 2026-06-01"),), "「購入日」が2026-06-01より前"),
)
SUM = "「ページ数」の合計"
ASKED = (
    (Asked(BOOKS, "count"), "の数"),
    (Asked(BOOKS, "sum", PRICE), "の「価格（円）」の合計"),
    (Asked(BOOKS, "max", BOUGHT), "の「購入日」の最大値"),
    (Asked(BOOKS, "distinct", KIND), "の「ジャンル」の種類の数"),
    (Asked(BOOKS, "avg", PAGES, (Group(KIND),)), "の「ジャンル」ごとの「ページ数」の平均"),
    (Asked(BOOKS, "sum", PAGES, (Group(BOUGHT, "month"),)), "の「購入日」の月ごとの「ページ数」の合計"),
    (Asked(BOOKS, "count", None, (Group(KIND),), order="down", limit=1), "の数が最大の「ジャンル」"),
    (
        Asked(BOOKS, "sum", PAGES, (Group(KIND),), order="up", limit=3),
        "の「ページ数」の合計が小さい順に3つの「ジャンル」",
    ),
    (
        Asked(BOOKS, "rows", PAGES, order="down", limit=1, shown=(TITLE, PAGES)),
        "の「ページ数」が最大の「書名」",
    ),
    (Asked(BOOKS, "rows", BOUGHT, order="up", limit=3, shown=(TITLE,)), "の「購入日」が早い順に3件の「書名」"),
    (Asked(BOOKS, "rows", PAGES, order="down", limit=4), "の「ページ数」が大きい順に4件の行"),
    (Asked(BOOKS, "rows", shown=(TITLE, PRICE), limit=20), "の「書名」と「価格（円）」"),
    (Asked(BOOKS, "sum", PAGES, (Group(KIND),), chart="bar"), "の「ジャンル」ごとの「ページ数」の合計を棒グラフで"),
)


@pytest.mark.parametrize(("asked", "words"), ASKED, ids=[words for _, words in ASKED])
def test_what_was_read_is_told_in_japanese(asked: Asked, words: str) -> None:
    for filters, condition in FILTERS:
        filtered = replace(asked, filters=filters)
        said = told(filtered)
        assert said == (
            f"「本棚」で{condition}の行{words}" if condition else f"「本棚」{words.replace('の数が', 'の行数が')}"
        ) or (words == "の数" and said == "「本棚」の行数")
        # Read again as what its English words are read as; a few of those are read as something else.
        english = in_english(said, BOOKS)
        assert english is not None and english.replace("  ", " ").casefold() == _careful(filtered), said


def _careful(asked: Asked) -> str:
    return described(asked).casefold()


@pytest.mark.parametrize(
    "text",
    [
        "「本棚」の", "「本棚」で「ジャンル」の行の数", "「別の表」の行数", "本棚の行数", "", "「」", "「本棚」",
        "「本棚」の「価格（円）」の合計を円で", "「本棚」で「ジャンル」が「小説」の行の数は多い？",
    ],
)  # fmt: skip
def test_other_texts_are_not_taken_for_what_was_told(text: str) -> None:
    assert text == "「本棚」" or in_english(text, BOOKS) is None


def test_a_name_with_a_bracket_in_it_is_not_told_so() -> None:
    odd = Column("memo", "メモ「私」", "text", distinct=3)
    table = Table("本棚", "本棚.csv", 12, (TITLE, odd))
    assert told(Asked(table, "distinct", odd)) == ""


def test_readings_are_read_as_the_same_again() -> None:
    same = 0
    for (asked, _), (filters, _) in product(ASKED, FILTERS):
        filtered = replace(asked, filters=filters)
        if english := question(filtered, [BOOKS]):
            said = question(filtered, [BOOKS], "ja")
            assert said and "where" not in said, (said, english)
            assert written(readings(said, [BOOKS], None)[0].asked) == written(filtered)
            same += 1
    assert same > len(ASKED) * len(FILTERS) // 2


def test_a_follow_up_leans_on_what_was_told(tmp_path_factory: pytest.TempPathFactory) -> None:
    folder = tmp_path_factory.mktemp("books")
    text = "書名,ジャンル,ページ数\n台所,料理,120\n星,科学,300\n鍋,料理,180\n猫,小説,240\n"
    (card,) = loaded(folder, "本棚.csv", text.encode())
    room = DemoRoom(folder, {"本棚": card})
    first = run("料理のページ数の合計は？", room, ("本棚",), "ja")
    assert first.answer.text.splitlines()[0] == "読み方: 「本棚」で「ジャンル」が「料理」の行の「ページ数」の合計"
    found = merge.merge("平均は？", [merge.Turn("料理のページ数の合計は？", first.answer.text)], DEMO, "ja")
    assert found
    assert "150" in run(found.question, room, ("本棚",), "ja").answer.text
