"""Numbers with commas in lines of a list, shares of a whole that no text gives, spans of the years of a table."""

from __future__ import annotations

import pytest

from agent.evidence import check
from agent.evidence.tables.table_forms import tables_in
from tests.support.observed_answers import run

RIVERS = "Rivers by length\nNile: 6,650 km\nAmazon: 6,400 km\nCongo: 4,700 km"
SEGMENTS = """# Segments (in thousands of euros)

| Segment | Revenue 2023 | Revenue 2024 |
|---|---:|---:|
| Software | 182,340 | 214,775 |
| Services | 149,605 | 151,230 |
| Hardware | 106,975 | 105,600 |
"""


def verdict(answer: str, figure: str, observed: str) -> str:
    found = {answer[claim.start : claim.end]: claim.verdict for claim in check(run(answer, observed)).claims}
    return found.get(figure, "no claim")


@pytest.mark.parametrize("line", ["1. **Nile**: 6,650 km", "- Nile: 6,650 km", "The Nile is 6,650 km long."])
def test_a_comma_of_a_number_parts_no_cells(line: str) -> None:
    assert verdict(line, "6,650 km", RIVERS) == "seen"


@pytest.mark.parametrize(
    ("text", "cells"),
    [
        (RIVERS, ["Nile", "6,650 km"]),
        ("Nile, Africa: 6,650 km\nAmazon, America: 6,400 km", ["Nile, Africa", "6,650 km"]),
        ("river,km\nNile,6650\nAmazon,6400", ["Nile", "6650"]),
        ("city,low,high\nOslo,113,200\nRome,120,310", ["Oslo", "113", "200"]),
        ("year,low,high\n2020,100,200\n2021,110,210", ["2020", "100", "200"]),
        ("1,200,300\n2,210,310", ["1", "200", "300"]),
    ],
)
def test_a_comma_of_a_number_is_no_edge_of_a_cell_in_a_list(text: str, cells: list[str]) -> None:
    (table,) = tables_in(text)
    assert [cell.text for cell in table.body[0]] == cells


@pytest.mark.parametrize(
    ("answer", "figure", "expected"),
    [
        ("Software made 45.5% of all revenue in 2024.", "45.5%", "worked_out"),
        ("Hardware was 22.4% of the revenue of 2024.", "22.4%", "worked_out"),
        ("Software made 54.5% of all revenue in 2024.", "54.5%", "not_found"),
        ("Software grew by 45.5% in 2024.", "45.5%", "not_found"),
    ],
)
def test_a_share_of_a_column_that_has_no_total(answer: str, figure: str, expected: str) -> None:
    assert verdict(answer, figure, SEGMENTS) == expected


def test_places_of_rounding_claim_nothing() -> None:
    for answer in ("割合は小数第1位に丸めました。", "Shares are rounded to 1 decimal place."):
        assert verdict(answer, "1", SEGMENTS) == "no claim"


def test_a_span_of_the_years_that_columns_have() -> None:
    observed = "| 科目 | 2022年 | 2023年 | 2024年 |\n|---|---|---|---|\n| 純利益 | 31,475 | 35,930 | 41,255 |"
    assert verdict("純利益の3年間の平均は36,220です。", "3年間", observed) == "worked_out"
    assert verdict("純利益の4年間の平均は36,220です。", "4年間", observed) == "not_found"
