"""Counts and sums of the rows that a sentence names, which stand nowhere."""

from __future__ import annotations

from tests.support.cases import each
from tests.support.traced import verdict

PRIZES = """# Prizes of The Lanterns

| Year | Work | Prize | Result |
| --- | --- | --- | --- |
| 2030 | Low Tide | Best Song | Won |
| 2030 | Salt | Best Video | Won |
| 2031 | Salt | Best Album | Nominated |
| 2031 | North Pier | Best Song | Won |
| 2032 | North Pier | Best Sound | Nominated |
| 2033 | Gravel | Best Video | Won |
| 2034 | Gravel | Best Cover | Won |
"""
COACH = """| Season | Team | Record | Place |
| --- | --- | --- | --- |
| Lynx (North) (1977–1980) | Lynx (North) (1977–1980) | Lynx (North) (1977–1980) | Lynx (North) (1977–1980) |
| 1977–78 | Lynx | 24–4 | 2nd |
| 1978–79 | Lynx | 22–7 | 1st |
| 1979–80 | Lynx | 18–9 | 1st |
| Lynx: | Lynx: | 64–20 | - |
| 1982–83 | Otters | 19–10 | 4th |
| 1983–84 | Otters | 20–11 | 6th |
| Total: | Total: | 103–41 | - |
"""
PLAYER = """| Season | Team | GP | A |
| --- | --- | --- | --- |
| 2030–31 | Halden Moose | 48 | 20 |
| 2031–32 | Halden Moose | 58 | 19 |
| 2032–33 | Halden Moose | 57 | 36 |
| 2033–34 | Otters | 52 | 15 |
| 2034–35 | Otters | 44 | 12 |
"""
LOSSES = """| (euros in thousands) | Last year | Amount |
| --- | --- | --- |
| Ferry losses carried forward: |  |  |
| Home | 2039 | 57,299 |
| Abroad | 2041 | 565,609 |
| Rail losses carried forward: |  |  |
| Home | 2040 | 39,784 |
| Abroad | 2042 | 3,313 |
"""
LEASES = """| (in millions) | House leases | Ship leases |
| --- | --- | --- |
| 2030 | 460 | 47 |
| 2031 | 361 | 28 |
| 2032 | 308 | 22 |
| 2033 | 265 | 40 |
| Total | 1,394 | 137 |
"""
PRICES = """| Price | 2034 | 2033 | 2032 |
| --- | --- | --- | --- |
| High | 91.3 | 87.8 | 85.3 |
| Low | 70.7 | 79.4 | 75.8 |
| Mean | 80.1 | 82.0 | 79.9 |
"""


@each(
    ("table", "answer", "figure", "right"),
    [
        (PRIZES, "The Lanterns received five prizes.", "five", True),
        (PRIZES, "The Lanterns received six prizes.", "six", False),
        (PRIZES, "The Lanterns have five dogs.", "five", False),
        (PRIZES, "They were up for Best Video two times.", "two", True),
        (COACH, "In three seasons with Lynx the record was 64–20.", "three", True),
        (COACH, "In four seasons with Lynx the record was 64–20.", "four", False),
        (COACH, "In 5 years Ida Lund compiled a record of 103–41.", "5 years", True),
        (COACH, "In 7 years Ida Lund compiled a record of 103–41.", "7 years", False),
        (PLAYER, "For Halden Moose she had 75 assists in 163 games.", "75", True),
        (PLAYER, "For Halden Moose she had 75 assists in 163 games.", "163", True),
        (PLAYER, "For Halden Moose she had 76 assists in 163 games.", "76", False),
        (PLAYER, "On average she had 25 assists a season for Halden Moose.", "25", True),
        (PLAYER, "On average she had 27 assists a season for Halden Moose.", "27", False),
        # The rows of a section, in its scale; those of the years from one to another; all of them, without their total.
        (LOSSES, "The sum of all ferry losses carried forward: 622,908 thousand.", "622,908", True),
        (LOSSES, "The sum of all ferry losses carried forward: 622,808 thousand.", "622,808", False),
        (LEASES, "The sum of the ship leases from 2030 to 2032: 97 million.", "97", True),
        (LEASES, "The sum of the ship leases from 2030 to 2032: 96 million.", "96", False),
        (LEASES, "The average of the ship leases is 34.2 million a year.", "34.2", True),
        (LEASES, "The difference between the high and the low price in 2033 was 8.4.", "8.4", False),
        (PRICES, "The difference between the high and the low price in 2033 was 8.4.", "8.4", True),
    ],
)
def test_rows_that_are_named_are_counted_and_added_up(table: str, answer: str, figure: str, right: bool) -> None:
    verdicts = ("worked_out",) if right else ("not_found", "differs", "elsewhere")
    assert verdict(answer, figure, table) in verdicts


SPEND = """| $ millions | 2031 | 2030 |
| --- | --- | --- |
| Fuel | 214.0 | 190.5 |
| Share of total | 41.0% | 38.5% |

We paid $0.4 million for awards in 2031, $0.7 million in 2030 and $0.2 million in 2029. The 260 people who left were
about 8% of all. Fuel lasts from 5 to 25 days.
"""


@each(
    ("answer", "figure", "found"),
    [
        # A scale that is said once, at the end.
        ("Awards in all three years: 0.4, 0.7 and 0.2, together 1.3 million.", "1.3", "worked_out"),
        ("Awards in all three years: 0.4, 0.7 and 0.2, together 1.4 million.", "1.4", "marked"),
        # What something is a share of.
        ("All people: 260 divided by 8% is 3,250.", "3,250", "worked_out"),
        ("All people: 260 divided by 8% is 3,350.", "3,350", "marked"),
        ("Fuel went up: 214.0 divided by 190.5 is 1.12.", "1.12", "worked_out"),
        ("Fuel went up: 214.0 divided by 190.5 is 1.21.", "1.21", "differs"),
        # What goes from one value to another is no share of it, and "increase fell" goes down.
        ("Fuel went from 190.5 to 214.0, a change of 12.3%.", "12.3%", "worked_out"),
        ("Fuel went from 190.5 to 214.0, a change of 89.0%.", "89.0%", "marked"),
        ("The percentage increase in fuel fell from 190.5 to 214.0, by 12.3%.", "12.3%", "differs"),
        # The values of a sentence of prose come to something together, its years do not.
        ("The awards paid from 2029 to 2031 come to 1.3 million in total.", "1.3", "worked_out"),
        ("The awards paid from 2029 to 2031 come to 1.4 million in total.", "1.4", "marked"),
        # The unit of "2 to 8 days" is that of both.
        ("Fuel in 2031 was 5% of it.", "5%", "marked"),
        # A difference of shares is in points; a rise in per cent is none of them.
        ("The share of total: 41.0 against 38.5, a difference of 2.5%.", "2.5%", "elsewhere"),
        ("The share of total: 41.0 against 38.5, a difference of 2.5 percentage points.", "2.5", "worked_out"),
        ("From 38.5% to 41.0%, that is 2.5% more.", "2.5%", "marked"),
        ("Von 38,5 % auf 41,0 %, das sind 2,5 % mehr.", "2,5 %", "marked"),
        ("The share of total rose from 38.5% to 41.0%, a rise of 2.5%.", "2.5%", "marked"),
        # The years of a range have not changed places.
        ("Awards between 2030 and 2031 came to 0.4 million in the end.", "2030", "seen"),
    ],
)
def test_what_is_worked_out_as_people_say_it(answer: str, figure: str, found: str) -> None:
    verdicts = ("not_found", "differs") if found == "marked" else (found,)
    assert verdict(answer, figure, SPEND) in verdicts


def test_a_scale_is_that_of_the_figures_before_it_in_a_row() -> None:
    towns = "Rome has 5 million people, and Oslo 3 million. The whole area has 12 million."
    assert verdict("Rome and Oslo have 5 and 3 million people.", "5", towns) == "seen"
    assert verdict("The 5 largest towns have 12 million people.", "5", towns) == "not_found"
