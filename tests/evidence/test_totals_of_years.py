"""Totals, means and differences in columns of years: what comes from the column of another year is never green."""

from __future__ import annotations

import pytest

from tests.support.cases import each
from tests.support.traced import verdict

GREEN = ("seen", "given", "worked_out")
SOLD = """| Region | 2022 | 2023 |
| --- | --- | --- |
| North | 412 | 455 |
| South | 388 | 371 |
| East | 523 | 610 |
| West | 297 | 318 |
"""  # 1,620 and 1,754; means of 405 and 438.5
GUESTS = """Stadt,Gäste 2022,Gäste 2023
Wien,2310,2405
Graz,1120,1093
Linz,980,1044
Salzburg,765,802
"""  # 5.175 and 5.344; means of 1.293,75 and 1.336
HARVEST = """| 作物 | 2022年度 | 2023年度 |
| --- | --- | --- |
| 米 | 5210 | 5034 |
| 麦 | 1875 | 1920 |
| 大豆 | 964 | 1011 |
"""  # 8,049 and 7,965


@each(
    ("observed", "answer", "right", "wrong"),
    [
        (SOLD, "The total for 2023 is {}.", "1,754", "1,620"),
        (SOLD, "In 2022, {} were sold in total.", "1,620", "1,754"),
        (SOLD, "The average for 2022 is {}.", "405", "438.5"),
        (SOLD, "Total (2023): {}", "1,754", "1,620"),
        (SOLD, "In 2023 the total was 1,754 and the mean {}.", "438.5", "405"),
        (SOLD, "In 2022 the total was 1,620, in 2023 it was {}.", "1,754", "1,620"),
        (SOLD, "The totals are 1,620 (2022) and {} (2023).", "1,754", "1,620"),
        (SOLD, "The total rose from {} in 2022 to 1,754 in 2023.", "1,620", "1,754"),
        (SOLD, "- 2022: 1,620 in total\n- 2023: {} altogether", "1,754", "1,620"),
        (SOLD, "| | 2022 | 2023 |\n|---|---|---|\n| Total | {} | 1,754 |", "1,620", "1,754"),
        (SOLD, "In 2022 North and East together sold {}.", "935", "1,065"),
        (SOLD, "In 2023 East led South by {}.", "239", "135"),
        (GUESTS, "Insgesamt kamen 2022 {} Gäste.", "5.175", "5.344"),
        (GUESTS, "2023 waren es im Durchschnitt {} Gäste je Stadt.", "1.336", "1.293,75"),
        (GUESTS, "2022 waren es insgesamt 5.175 und 2023 {}.", "5.344", "5.175"),
        (HARVEST, "2022年度の合計は{}トンです。", "8,049", "7,965"),
        (HARVEST, "合計は2022年度が8,049、2023年度が{}です。", "7,965", "8,049"),
    ],
)
def test_a_total_of_the_column_of_another_year_is_not_green(observed: str, answer: str, right: str, wrong: str) -> None:
    behind = answer[answer.index("{}") + 2 :]
    assert verdict(answer.format(right), right + behind, observed) == "worked_out"
    assert verdict(answer.format(wrong), wrong + behind, observed) not in GREEN


@pytest.mark.parametrize(
    "answer",
    [
        "In 2023 the total was 1,754, compared with 1,620 the year before.",
        "The total for 2023 was 1,754. A year earlier it was 1,620.",
        "The total rose from 1,620 to 1,754 between 2022 and 2023.",
        "Insgesamt wurden 2023 1.754 verkauft, im Vorjahr waren es 1.620.",
        "2023年の合計は1,754で、前年は1,620でした。",
        "Sales of 2023 were good. The total was 1,754, while it was 1,620 the year before.",
    ],
)
def test_a_year_that_has_its_own_total_is_of_no_other(answer: str) -> None:
    for total in ("1,620", "1,754"):
        figure = total if total in answer else total.replace(",", ".")
        assert verdict(answer, figure, SOLD) == "worked_out"


TITLED = """| Year | 2022 |
| Item | 2023 | 2022 | 2021 |
| --- | --- | --- | --- |
| Sales | 5 | 812.4 | 765.9 |
| Costs | 8 | 1,204.8 | 1,118.3 |
"""


def test_a_row_above_the_heads_may_have_fewer_cells() -> None:
    assert verdict("Sales over 3 years.", "3", TITLED) == "worked_out"
