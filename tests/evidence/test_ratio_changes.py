"""How a ratio changed of which no text gives the values."""

from __future__ import annotations

from tests.support.cases import each
from tests.support.traced import verdict

ACCOUNTS = """| (in millions) | 2023 | 2022 | 2021 |
| --- | --- | --- | --- |
| Net sales | 812.4 | 765.9 | 701.2 |
| Cost of sales | 503.7 | 481.3 | 452.8 |
| Research expenses | 61.9 | 58.4 | 49.7 |
| Total current assets | 294.6 | 271.8 | 240.3 |
| Total current liabilities | 151.2 | 160.7 | 139.9 |
"""
RESEARCH = "Research expenses as a percentage of net sales"


@each(
    ("answer", "figure", "found"),
    [
        # Of a ratio that has a name.
        ("The current ratio rose by 0.257 from 2022 to 2023.", "0.257", "worked_out"),
        ("The current ratio rose by 0.275 from 2022 to 2023.", "0.275", "not_found"),
        ("The current ratio fell by 0.257 from 2022 to 2023.", "0.257", "differs"),
        ("The current ratio fell by 0.026 from 2021 to 2022.", "0.026", "worked_out"),
        ("The current ratio fell by 0.257 from 2021 to 2022.", "0.257", "not_found"),
        # Of one row over another.
        (f"{RESEARCH} rose by 0.54 percentage points from 2021 to 2022.", "0.54 percentage points", "worked_out"),
        (f"{RESEARCH} rose by 0.45 percentage points from 2021 to 2022.", "0.45 percentage points", "not_found"),
        (f"{RESEARCH} fell by 0.54 percentage points from 2021 to 2022.", "0.54 percentage points", "differs"),
        (f"{RESEARCH} rose by 0.54 percentage points from 2022 to 2023.", "0.54 percentage points", "not_found"),
    ],
)
def test_a_ratio_changes(answer: str, figure: str, found: str) -> None:
    assert verdict(answer, figure, ACCOUNTS) == found
