"""Rows that are called by a number: "Line 4" is that row, whatever else the sentence says."""

from __future__ import annotations

from tests.support.cases import each
from tests.support.traced import verdict

TRAMS = """service,stops,riders,delays
Line 3,22,18250,312
Line 4,17,12044,208
Line 12,30,21610,455
Line 21,9,4102,61
Line 30,14,7300,99
Line 31,11,5100,71
"""
OWN = """| Line | Riders per stop | Delay rate |
|---|---|---|
| Line 3 | 869 | 30.1% |
| Line 4 | 708 | 20.1% |
| Line 12 | 720 | 43.9% |"""


@each(
    ("answer", "figure", "expected"),
    [
        (OWN, "4 | 708", "seen"),
        (OWN, "12 | 720", "seen"),
        ("From Line 3 to Line 12, riders per stop fall.", "12", "seen"),
        ("Riders per stop fall from Line 3 to Line 12.", "3", "seen"),
        ("By riders per stop, Line 21 is last.", "21", "seen"),
        ("Line 4 is last in riders, with 708 per stop.", "4", "seen"),
        ("Line 31 is short: it has 14 stops.", "14", "elsewhere"),
        ("Line 4 has 12,044 riders.", "12,044", "seen"),
        ("Line 4 has 18,250 riders.", "18,250", "elsewhere"),
        ("Line 4 has 22 stops.", "22", "elsewhere"),
        ("Line 3 has 12 stops.", "12", "elsewhere"),
        ("Line 13 has the most riders.", "13", "not_found"),
        ("Line 1 has the most riders.", "1", "not_found"),
    ],
)
def test_a_label_said_as_it_stands(answer: str, figure: str, expected: str) -> None:
    assert verdict(answer, figure, TRAMS) == expected
