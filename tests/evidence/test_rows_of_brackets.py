"""Which row a figure is of with brackets behind it, beside the subject of its page, or at the end of a name."""

from __future__ import annotations

from tests.support.cases import each
from tests.support.traced import verdict

HIVES = """# Apiary of Lund

## Hives and rank

| Year | Hives | Rank |
| --- | --- | --- |
| 2016 | 1,212 | 9th |
| 2017 | 1,240 | 6th |
| 2018 | 1,388 | 11th |
| 2019 | 1,301 | 10th |
"""
BALLOT = """| Candidate | Votes | % |
| --- | --- | --- |
| Ida Holm | 7,310 | 58.4 |
| Uwe Sand | 3,655 | 29.2 |
| Mia Kerr | 1,102 | 8.8 |
"""
KANDIDATEN = """| Kandidat | Stimmen | Anteil |
| --- | --- | --- |
| Ida Holm | 7.310 | 58,4 % |
| Uwe Sand | 3.655 | 29,2 % |
"""
RADIO = """# WQLX Radio

## Channels

| Channel | Mode | Name |
| --- | --- | --- |
| 27.1 | stereo | WQLX main |
| 27.2 | mono | Drift |
| 27.3 | mono | Ember |
"""
STAGE = """| Year | Play | Role | House |
| --- | --- | --- | --- |
| 2011 | The Lantern by Ola Berg | Mary Finch | The Old Mill |
| 2011/2012 | Far Shore by Kim Lee | Joan | The New Mill |
| 2012 | Reeds by Ann Ode | Yara | Harbour House |
"""
SEASONS = """| Season | Club | Division | Matches | Cups |
| --- | --- | --- | --- | --- |
| 1980 | Vale Rovers | Coast Division 1 | 9 | 0 |
| 1981 | Vale Rovers | Coast Division 1 | 14 | 2 |
| 1982 | Vale Rovers | Coast Division 2 | 16 | 0 |
"""


@each(
    ("observed", "answer", "figure", "found"),
    [
        # Brackets right behind a figure say of what row it is.
        (HIVES, "The most hives were 1,388 (kept in 2018), the best rank 6 (reached in 2017).", "1,388", "seen"),
        (HIVES, "The most hives were 1,240 (kept in 2018), the best rank 6 (reached in 2017).", "1,240", "elsewhere"),
        (HIVES, "In 2018 there were 1,388 hives (2017: 1,240).", "1,388", "seen"),
        (HIVES, "In 2018, ice came early, and there were 1,388 hives (2017: 1,240).", "1,388", "seen"),
        (BALLOT, "Uwe Sand, who ran against Ida Holm, lost and received 29.2% (3,655 votes).", "29.2", "seen"),
        (BALLOT, "Uwe Sand, who ran against Ida Holm, lost and received 58.4% (3,655 votes).", "58.4", "elsewhere"),
        (KANDIDATEN, "Uwe Sand verlor gegen Ida Holm und erhielt 29,2 % (3.655 Stimmen).", "29,2", "seen"),
        (KANDIDATEN, "Uwe Sand verlor gegen Ida Holm und erhielt 58,4 % (3.655 Stimmen).", "58,4", "elsewhere"),
        # What a heading says is of all rows.
        (RADIO, "WQLX has Drift on channel 27.2.", "27.2", "seen"),
        (RADIO, "WQLX has Drift on channel 27.1.", "27.1", "elsewhere"),
        (RADIO, "The main one of WQLX is on channel 27.1.", "27.1", "seen"),
        # Two years are not the first of them.
        (STAGE, "She first played Mary Finch in The Lantern at The Old Mill in 2011.", "2011", "seen"),
        (STAGE, "She first played Mary Finch in The Lantern at The Old Mill in 2012.", "2012", "elsewhere"),
        # The number at the end of a name counts nothing.
        (SEASONS, "In all she played 1 match for them.", "1", "elsewhere"),
        (SEASONS, "They played in Coast Division 1 again.", "1", "seen"),
    ],
)
def test_the_row_of_a_figure(observed: str, answer: str, figure: str, found: str) -> None:
    assert verdict(answer, figure, observed) == found
