"""Rows of years that count from an era are of a time, as those of 2021 are: 令和3年, 平成30年度."""

from __future__ import annotations

from agent.evidence.derivation.groups.said_spans import span_of, spans_said
from tests.support.cases import each
from tests.support.traced import verdict

NURSERY = """| 年 | 園児数 | 保育士数 | 給食費 |
| --- | --- | --- | --- |
| 令和3年 | 862 | 200 | 41,376 |
| 令和4年 | 815 | 196 | 40,139 |
| 令和5年 | 760 | 188 | 38,912 |
| 令和6年 | 706 | 180 | 37,418 |
"""
SAID = "保育士1人あたりの園児は、令和3年の4.31人から令和6年の3.92人に減りました。"


@each(
    ("answer", "figure", "marked"),
    [
        (SAID, "4.31", False),
        (SAID, "3.92", False),
        (SAID.replace("4.31", "4.81"), "4.81", True),
        (SAID.replace("3.92", "3.29"), "3.29", True),
    ],
)
def test_two_years_of_an_era_are_compared(answer: str, figure: str, marked: bool) -> None:
    assert (verdict(answer, figure, NURSERY) in ("not_found", "differs")) is marked


@each(
    ("text", "left", "year", "months"),
    [
        ("令和7年", "", 2025, 12),
        ("令和元年度", "", 2019, 12),
        ("平成30年4月", "", 2018, 1),
        ("2024年度", "", 2024, 12),
        ("令和7年 計画", "計画", 2025, 12),
    ],
)
def test_a_head_says_a_year_of_an_era(text: str, left: str, year: int, months: int) -> None:
    found = span_of(text)
    assert found is not None
    assert (found[0], found[1].year, len(found[1].months)) == (left, year, months)


def test_a_text_says_years_of_an_era() -> None:
    assert [one.span.year for one in spans_said("令和2年は1,206人、平成30年は1,431人")] == [2018, 2020]
