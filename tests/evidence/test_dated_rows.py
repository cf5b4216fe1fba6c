"""Rows that are told apart by a day as data writes it, in sentences that say it in words."""

from __future__ import annotations

from tests.support.cases import each
from tests.support.traced import verdict

TIDES = """pier,day,high_cm,low_cm
North,2031-03-01,412,95
North,2031-03-02,388,102
South,2031-03-01,365,88
South,2031-03-02,371,81
"""
VISITS = "pier,day,visitors\nNorth,2031-03-01,412\nNorth,2031-03-02,388\nSouth,2031-03-01,365\nSouth,2031-03-02,371\n"
RATES = """[{"date": "2031-05-02", "rate": {"usd": 1.21, "sek": 11.4}},
{"date": "2031-04-02", "rate": {"usd": 1.17, "sek": 11.6}}]"""


@each(
    ("text", "answer", "figure", "expected"),
    [
        (TIDES, "On 2 March 2031 the north pier had a high of 388 cm.", "388", "seen"),
        (TIDES, "On March 1, 2031, the south pier had a low of 88 cm.", "88", "seen"),
        (VISITS, "Am 2. März 2031 kamen zum North Pier 388 Besucher.", "388", "seen"),
        (VISITS, "2031年3月2日、Northの来場者は388人でした。", "388", "seen"),
        (VISITS, "2031年3月2日、Southの来場者は388人でした。", "388", "elsewhere"),
        (VISITS, "2031년 3월 2일 North는 388명이 방문했다.", "388", "seen"),
        (TIDES, "On 1 March 2031 the north pier had a high of 388 cm.", "388", "elsewhere"),
        (TIDES, "On 2 March 2031 the south pier had a high of 388 cm.", "388", "elsewhere"),
        (TIDES, "On 2 March 2031 the north pier had a high of 389 cm.", "389", "not_found"),
        (RATES, "At the rates of 2 May 2031, a euro was 1.21 dollars.", "2 May", "seen"),
        (RATES, "At the rates of 2 May 2031, a euro was 1.21 dollars.", "1.21", "seen"),
        (RATES, "At the rates of 2 May 2031, a euro was 1.17 dollars.", "1.17", "elsewhere"),
        (RATES, "At the rates of 3 May 2031, a euro was 1.21 dollars.", "3 May", "differs"),
    ],
)
def test_a_day_in_words_names_the_row_of_its_day(text: str, answer: str, figure: str, expected: str) -> None:
    assert verdict(answer, figure, text) == expected
