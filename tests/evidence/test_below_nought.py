"""Changes of what accounts write in brackets: told by its size or by its value, each way it can go."""

from __future__ import annotations

from tests.support.cases import each
from tests.support.traced import verdict

ACCOUNTS = """| (EUR in millions) | 2031 | 2030 |
| --- | --- | --- |
| Harbour dues | 912.4 | 890.2 |
| Accumulated depreciation | (364.6) | (335.1) |
| Operating loss | (48.2) | (52.7) |
| Result of the ferry | (21.4) | (25.9) |
| Net | 547.8 | 555.1 |
"""


@each(
    ("answer", "figure", "found"),
    [
        ("Accumulated depreciation rose from 335.1 to 364.6, by 8.8%.", "8.8%", "worked_out"),
        ("Accumulated depreciation fell from 335.1 to 364.6, by 8.8%.", "8.8%", "differs"),
        ("Accumulated depreciation rose by 8.8%.", "8.8%", "worked_out"),
        ("Accumulated depreciation fell by 8.8%.", "8.8%", "differs"),
        ("Accumulated depreciation grew by 29.5 million.", "29.5", "worked_out"),
        ("Accumulated depreciation rose by 9.8%.", "9.8%", "not_found"),
        ("The operating loss fell from 52.7 to 48.2, by 8.5%.", "8.5%", "worked_out"),
        ("The operating loss rose from 52.7 to 48.2, by 8.5%.", "8.5%", "differs"),
        ("The operating loss shrank by 8.5%.", "8.5%", "worked_out"),
        ("The operating loss rose by 8.5%.", "8.5%", "differs"),
        ("The result of the ferry rose from −25.9 to −21.4, by 4.5 million.", "4.5", "worked_out"),
        ("The result of the ferry rose by 4.5 million.", "4.5", "worked_out"),
        ("The result of the ferry fell by 4.5 million.", "4.5", "differs"),
        ("Harbour dues rose by 2.5%.", "2.5%", "worked_out"),
        ("Harbour dues fell by 2.5%.", "2.5%", "differs"),
    ],
)
def test_a_change_below_nought_goes_its_way(answer: str, figure: str, found: str) -> None:
    assert verdict(answer, figure, ACCOUNTS) == found
