"""Figures that a question says in words or leaves to be understood, and what the answer writes for them."""

from __future__ import annotations

from tests.support.cases import each
from tests.support.traced import verdict


@each(
    ("question", "answer", "figure", "observed"),
    [
        ("When it is noon in Rome, what is it in Lima?", "12:00 in Rome is 06:00 in Lima.", "12:00", "06:00"),
        ("8 in the evening in Rome, and in Lima?", "8pm in Rome is 14:00 in Lima.", "8pm", "14:00"),
        ("I pay 3.20 with a tenner, change?", "£10 - £3.20 is £6.80.", "£10", "6.8"),
        ("900 at 5% compounded monthly", "900, compounded 12 times a year, is about 946.", "12 times", "946.05"),
        ("8月の支出は？", "「日付」が2026年8月の行の合計は400です。", "2026年8月", "400"),
        ("54 with 5% off?", "54 minus 5% is 51.3.", "5%", "51.3"),
        ("地域ごとの平均は？", "表 shop の7行で、平均は650です。", "7", "1 row:\naverage | rows_used\n650.0 | 7"),
        ("Which are open?", "3 rows:\n\n- 2043\n- 2046\n- 2048", "2046", "3 rows:\nno BIGINT\n2043\n2046\n2048"),
    ],
)
def test_it_is_traced_to_the_question(question: str, answer: str, figure: str, observed: str) -> None:
    assert verdict(answer, figure, observed, question) in ("seen", "given")


@each(
    ("answer", "figure", "sql", "stands"),
    [
        ("Three ships have cabins minus cars over 0.", "0", "SELECT ship FROM s WHERE cabins - cars > 0", "given"),
        ("60以上の行は二つ。", "60", "SELECT name FROM s WHERE minutes >= 60", "given"),
        ("Listed since 2026-09-12.", "2026-09-12", "SELECT a FROM s WHERE day >= '2026-09-12'", "given"),
        ("Orders over 600 are listed.", "600", "SELECT a FROM s WHERE amount > 500", "not_found"),
        ("The total is 500.", "500", "SELECT a FROM s WHERE amount > 500", "not_found"),
    ],
)
def test_bounds_are_those_that_were_asked_for(answer: str, figure: str, sql: str, stands: str) -> None:
    assert verdict(answer, figure, "2 rows:\nname\nA\nB", "Which ones?", sql) == stands
