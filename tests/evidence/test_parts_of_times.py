"""A part of a time, of a name or of a season is no span and no share; a plain number is no share told more exactly."""

from __future__ import annotations

from tests.support.cases import each
from tests.support.traced import verdict

LOG = "2025-03-02 22:41:09 INFO pump 2 stopped\n2025-03-02 23:15:30 INFO pump 2 running, pressure 4.1 bar\n"
RACE = "rider,finish_time,age\nIda,00:31:12,24\nJo,04:55:30,37\n"
ROOMS = "month,rooms,sold\nMay,24,632\nJune,26,376\n"
LINES = "Punctuality by line: Line 24: 87.5% on time, Line 31: 79.8% on time. Season 2023/24 was the worst."


@each(
    ("answer", "figure", "observed", "found"),
    [
        ("Pump 2 was down for 41 minutes.", "41 minutes", LOG, False),
        ("Jo took 30 seconds out of Ida.", "30 seconds", RACE, False),
        ("Ida needed 31 minutes.", "31 minutes", RACE, True),
        ("Pump 2 stopped at 22:41.", "22:41", LOG, True),
        ("In May 24.0% were guests from abroad.", "24.0%", ROOMS, False),
        ("In May there were 24 rooms.", "24", ROOMS, True),
        ("Works caused 24.0% of the delays.", "24.0%", LINES, False),
        ("On Line 24, 87.5% were on time.", "87.5%", LINES, True),
    ],
)
def test_part_of_a_time_or_name(answer: str, figure: str, observed: str, found: bool) -> None:
    assert (verdict(answer, figure, observed) in ("seen", "worked_out", "possible")) == found
