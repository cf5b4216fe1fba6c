"""What stands above a column of a result: a readable name and its unit; which numbers are no amounts."""

from __future__ import annotations

from typing import Any

import pytest

from agent.data.tables.headings import heading_of, names_not_amounts
from agent.data.tables.table_artifacts import read_table

COLUMNS = [
    {"name": "betrag", "label": "Betrag (€)", "unit": "€"},
    {"name": "weight_of_part", "label": "Weight of part", "unit": "kg"},
    {"name": "c_2021", "label": "2021", "unit": ""},
    {"name": "share_in", "label": "Share in %", "unit": "%"},
    {"name": "net_sales", "label": "net_sales", "unit": ""},
    {"name": "net_cost", "label": "", "unit": ""},
    {"name": "p_id", "label": "P_ID", "unit": ""},
    {"name": "売上_円", "label": "売上（円）", "unit": ""},
    {"name": "重さ_kg", "label": "重さ (kg)", "unit": "kg"},
]


@pytest.mark.parametrize(
    ("name", "heading"),
    [
        ("betrag", "Betrag (€)"),
        ("BETRAG", "Betrag (€)"),
        ("total_betrag", "Total betrag (€)"),
        ("sum(betrag)", "Sum(betrag) (€)"),
        ("average_of_weight_of_part", "Average of weight of part (kg)"),
        ("count_betrag", "Count betrag"),
        ("number_of_betrag", "Number of betrag"),
        ("c_2021", "2021"),
        ("share_in", "Share in %"),
        ("rows_used", "Rows used"),
        ("net_sales", "Net sales"),
        ("net_cost", "Net cost"),
        ("p_id", "P_ID"),
        ("売上_円の合計", "売上（円）の合計"),
        ("重さ_kgの平均", "重さの平均 (kg)"),
        ("重さ_kgの件数", "重さの件数"),
        ("売上_円の月", "売上（円）の月"),
        ("家_賃の合計", "家 賃の合計"),
        ("", ""),
        ("_", "_"),
    ],
)
def test_a_heading_is_readable_and_has_the_unit_of_its_column(name: str, heading: str) -> None:
    assert str(heading_of(name, COLUMNS)) == heading


@pytest.mark.parametrize(
    ("name", "values", "names"),
    [
        ("since", [1987, 2024], True),
        ("amount", [1987, 20240], False),
        ("order_id", [50_000, 1], True),
        ("Order No", [50_000, 1], True),
        ("order", [5003, 5001, 5002, 5004, 5005], True),
        ("order", [5003, 5001, 5002, 5004, 5009], False),
        ("amount", [2500.5, 2000.0], False),
        ("paid", [True, False], False),
        ("amount", [None], False),
    ],
)
def test_years_and_ids_are_no_amounts(name: str, values: list[Any], names: bool) -> None:
    assert names_not_amounts(name, values) is names


def test_a_table_knows_what_stands_above_it_and_how_its_numbers_are_written() -> None:
    columns = [
        {"name": "year", "type": "BIGINT"},
        {"name": "total", "type": "DOUBLE", "title": "Total", "unit": "€"},
        {"name": "x", "type": "VARCHAR"},
    ]
    made = read_table({"columns": columns, "rows": [[2021, 1.5, "a"], [2022, None, "b"]], "total": 2, "notes": ["n"]})
    assert made is not None
    assert (made.headings, made.numbers) == (("year", "Total (€)", "x"), ("names", "amounts", "none"))
    assert made.notes == ("n",)
    assert read_table({"columns": columns, "rows": [], "total": 0, "notes": 5}) is not None
