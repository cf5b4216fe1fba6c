"""Japanese questions of one table, read by their pieces in any order, and those that are left to other readers."""

from __future__ import annotations

from pathlib import Path

import pytest

from agent.data.tables.questions.sql import written
from agent.data.tables.questions.table_schema import Table, table_of
from agent.data.tables.wordings.japanese_asking import japanese_asked
from tests.support.cases import each
from tests.support.demo_tables import loaded

BATHS = """湯名,町,開業年,サウナ,客数,タオル代,改装日
松の湯,北町,1951,あり,182,50,2021-04-10
鶴亀湯,北町,1968,なし,96,30,2018-09-01
竜宮湯,港町,1994,あり,311,100,2025-05-01
朝日湯,南町,1978,あり,167,50,2022-10-30
薬師湯,中央,1939,なし,64,30,2014-08-25
"""


@pytest.fixture(scope="module")
def table(tmp_path_factory: pytest.TempPathFactory) -> Table:
    folder: Path = tmp_path_factory.mktemp("baths")
    (card,) = loaded(folder, "baths.csv", BATHS.encode())
    return table_of(card)


@each(
    ("asked", "sql"),
    [
        ("サウナがある銭湯は何軒？", "WHERE \"サウナ\" = 'あり'"),
        ("サウナなしの銭湯を全部教えて", "WHERE \"サウナ\" = 'なし'"),
        ("一番新しい銭湯はどこ？", 'ORDER BY "開業年" DESC'),
        ("一番古くからやってる銭湯ってどれ？", 'ORDER BY "開業年" ASC'),
        ("客数が多い順に並べて", 'ORDER BY "客数" DESC'),
        ("客数が100人未満の銭湯を教えて", 'WHERE "客数" < 100'),
        (
            "開業年が1960年より前の銭湯は何軒ありますか",
            'SELECT count(*) AS "number_of_rows" FROM "baths" WHERE "開業年" < 1960',
        ),
        ("2020年以降に改装した銭湯はいくつ？", "\"改装日\" >= DATE '2020-01-01'"),
        ("タオル代が一番高い銭湯はどこですか", 'ORDER BY "タオル代" DESC'),
        ("町ごとの客数の平均が一番高いのはどこ？", "GROUP BY 1 QUALIFY rank() OVER (ORDER BY round(avg"),
        ("町別の銭湯の数は？", 'count(*) AS "number_of_rows" FROM "baths" GROUP BY 1'),
        ("北町の銭湯の客数の合計は？", "WHERE \"町\" = '北町'"),
        ("タオル代が100円以下のものはいくつある？", '"タオル代" <= 100'),
        ("客数の多い順に3つ並べて", 'ORDER BY "客数" DESC NULLS LAST, "湯名", "客数" LIMIT 3'),
        ("いちばん最近改装した銭湯はどこ？", 'ORDER BY "改装日" DESC'),
        ("客数が一番多い町は？", ""),
        ("どの町の客数が一番多い？", ""),
        ("客数が平均より多い銭湯は？", ""),
        ("サウナがある町は？", ""),
        ("港町以外の客数の合計は？", ""),
        ("一番の銭湯はどこ？", ""),
        ("客数は？", ""),
        ("客数とタオル代の合計は？", ""),
        ("町ごとの客数は？", ""),
        ("北町の客数は何人？", ""),
        ("サウナと客数の差は？", ""),
    ],
)
def test_a_question_is_read_by_its_pieces_or_left_alone(table: Table, asked: str, sql: str) -> None:
    found = japanese_asked(asked, table)
    assert sql in written(found).sql if found and sql else found is None and not sql, found and written(found).sql
