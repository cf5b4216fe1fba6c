"""Rows with short names, in capitals, and numbers that are longer than any that is read."""

from __future__ import annotations

from agent.evidence.tables.table_forms import tables_in
from tests.support.cases import each
from tests.support.traced import marked, verdict

PAY = (
    "3 rows:\ndepartment VARCHAR | average_salary DOUBLE | rows_used BIGINT\n"
    "IT | 61000.0 | 1\nHR | 48000.0 | 1\nSales | 52500.0 | 1\n"
)
PAY_TOLD = "| Department | Average salary | Rows |\n|---|---:|---:|\n| IT | {it} | 1 |\n| HR | {hr} | 1 |\n"
VISITS = "state,visits\nOR,120\nIN,340\nTX,77\nNO,45\n"
GROUPS = "dept,total\nA,120\nB,340\nI,77\n"
LONG = f"2^1000 = {2**1000}"


@each(
    ("answer", "figure", "observed", "expected"),
    [
        (PAY_TOLD.format(it="61,000", hr="48,000"), "61,000", PAY, "seen"),
        (PAY_TOLD.format(it="61,000", hr="48,000"), "1 |", PAY, "seen"),
        (PAY_TOLD.format(it="48,000", hr="61,000"), "48,000", PAY, "elsewhere"),
        ("OR had 120 visits, IN 340 and NO 45.", "340", VISITS, "seen"),
        ("OR had 340 visits, IN 120 and NO 45.", "340", VISITS, "elsewhere"),
        ("- A: 120\n- B: 340\n- I: 77", "120", GROUPS, "seen"),
        ("- A: 340\n- B: 120\n- I: 77", "340", GROUPS, "elsewhere"),
        ("A total of 340 stands for B.", "340", GROUPS, "seen"),
    ],
)
def test_a_row_of_a_short_name(answer: str, figure: str, observed: str, expected: str) -> None:
    assert verdict(answer, figure, observed) == expected


@each(
    ("head", "said"),
    [
        ("average_salary DOUBLE", "average_salary"),
        ("first_seen DATE", "first_seen"),
        ("ORDER DATE", "order date"),
        ("ARRIVAL TIME", "arrival time"),
        ("price DECIMAL(10,2)", "price"),
    ],
)
def test_a_type_is_no_part_of_a_head(head: str, said: str) -> None:
    (table,) = tables_in(f"| name | {head} |\n|---|---|\n| Ann | 1 |\n| Bob | 2 |\n")
    assert table.column_heads[1] == said


def test_a_number_of_three_hundred_digits_is_one_claim() -> None:
    assert verdict(f"It is {2**1000:,}.", f"{2**1000:,}", LONG) == "seen"
    assert marked(f"It is {2**1000:,}.", LONG) == []
    wrong = f"{2**1000 + 10**60:,}"
    assert marked(f"It is {wrong}.", LONG) == [wrong]
