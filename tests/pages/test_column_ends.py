"""The ends of a column, as the page of tables tells them."""

from __future__ import annotations

from typing import Any

import pytest

from pages.ui.data.columns import ends


@pytest.mark.parametrize(
    ("column", "told"),
    [
        ({"name": "q1_sum", "type": "DOUBLE", "min": 2500.5, "max": 1250000.25}, ("2,500.5", "1,250,000.25")),
        ({"name": "units", "type": "BIGINT", "min": -7, "max": 1200}, ("-7", "1,200")),
        ({"name": "launched", "type": "BIGINT", "min": 1966, "max": 2025}, ("1966", "2025")),
        ({"name": "customer_id", "type": "BIGINT", "min": 10001, "max": 10999}, ("10001", "10999")),
        ({"name": "day", "type": "DATE", "min": "2025-01-02", "max": "2025-11-30"}, ("2025-01-02", "2025-11-30")),
        ({"name": "code", "type": "VARCHAR", "min": "1000", "max": "2000"}, ("1000", "2000")),
    ],
)
def test_amounts_have_marks_between_thousands(column: dict[str, Any], told: tuple[str, str]) -> None:
    shown = ends(column, column["min"], column["max"]).values()
    assert tuple(end.replace("\\", "") for end in shown) == told
