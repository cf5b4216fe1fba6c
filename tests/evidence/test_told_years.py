"""What follows from values that prose tells of several years, and from tables whose rows go on in time."""

from __future__ import annotations

from tests.support.cases import each
from tests.support.traced import verdict

SALES = """| For the year ended | 2023 | 2022 | 2021 |
| --- | --- | --- | --- |
| Norway | 4,310 | 3,975 | 3,412 |
| Sweden | 2,964 | 2,718 | 2,405 |
| Total revenue | 9,126 | 8,483 | 7,450 |

By the place of delivery, sales into Finland accounted for 17%, 14%, and 11% of total revenue in 2023, 2022, and 2021,
respectively; sales into Poland accounted for 9%, 8%, and 6% of total revenue in 2023, 2022, and 2021, respectively.
The order backlog was $3,105, $2,640 and $2,212 at the end of 2023, 2022 and 2021, respectively.
"""
NOTES = """| $ million | 2023 | 2022 |
| --- | --- | --- |
| Revenue | 503.6 | 476.9 |
| Adjusted costs | 275.7 | 267.4 |

1. Before restructuring charges and integration expenses amounting to $6.8 million in total (2022 $15.2 million).

2. Donations to the staff foundation were $2.4 million (2022: $1.9 million).
"""
FINLAND, POLAND, BACKLOG = "Revenue from sales into Finland", "Revenue from sales into Poland", "The order backlog"
CHARGES = "Restructuring charges and integration expenses"


@each(
    ("table", "answer", "figure", "found"),
    [
        # With a cell of the same year.
        (SALES, f"{FINLAND} in 2023 was 1,551.42.", "1,551.42", "worked_out"),
        (SALES, f"{FINLAND} in 2023 was 1,551.49.", "1,551.49", "not_found"),
        (SALES, f"{FINLAND} in 2022 was 1,187.62.", "1,187.62", "worked_out"),
        (SALES, f"{FINLAND} in 2022 was 1,551.42.", "1,551.42", "not_found"),
        (SALES, f"{POLAND} in 2023 was 821.34.", "821.34", "worked_out"),
        (SALES, f"{POLAND} in 2023 was 1,551.42.", "1,551.42", "not_found"),
        (SALES, f"{BACKLOG} in 2022 was 31.12% of total revenue.", "31.12%", "worked_out"),
        (SALES, f"{BACKLOG} in 2022 was 34.02% of total revenue.", "34.02%", "not_found"),
        # Of two years.
        (SALES, f"{BACKLOG} at the end of 2023 rose by 17.61% from 2022.", "17.61%", "worked_out"),
        (SALES, f"{BACKLOG} at the end of 2023 rose by 19.35% from 2022.", "19.35%", "not_found"),
        (SALES, f"{BACKLOG} at the end of 2023 fell by 17.61% from 2022.", "17.61%", "differs"),
        (NOTES, f"{CHARGES} fell by 55.26% from 2022 to 2023.", "55.26%", "worked_out"),
        (NOTES, f"{CHARGES} rose by 55.26% from 2022 to 2023.", "55.26%", "differs"),
        (NOTES, f"{CHARGES} fell by 55.36% from 2022 to 2023.", "55.36%", "not_found"),
        (NOTES, "Donations to the staff foundation rose by 26.3% from 2022 to 2023.", "26.3%", "worked_out"),
        (NOTES, "Donations to the staff foundation rose by 55.26% from 2022 to 2023.", "55.26%", "not_found"),
    ],
)
def test_values_that_prose_tells_of_years(table: str, answer: str, figure: str, found: str) -> None:
    assert verdict(answer, figure, table) == found


OPTIONS = """| | Number of Options | Average Price |
| --- | --- | --- |
| Outstanding at December 31, 2016 | 812,400 | $3.15 |
| Granted | 95,300 | $6.02 |
| Exercised | (61,250) | $2.48 |
| Forfeited | (18,940) | $3.33 |
| Outstanding at December 31, 2017 | 827,510 | $3.51 |
| Granted | 130,720 | $7.14 |
| Exercised | (84,365) | $2.77 |
| Forfeited | (22,180) | $4.05 |
| Outstanding at December 31, 2018 | 851,685 | $4.12 |
| Granted | 201,460 | $8.36 |
| Exercised | (143,905) | $3.02 |
| Forfeited | (9,775) | $5.58 |
| Outstanding at December 31, 2019 | 899,465 | $5.23 |
"""
ALLOWANCE = """| Allowance | Amount |
| --- | --- |
| Balance at June 30, 2021 | 4,561 |
| Additions | 1,749 |
| Write-offs | (1,218) |
| Balance at June 30, 2022 | 5,092 |
| Additions | 2,033 |
| Write-offs | (1,467) |
| Balance at June 30, 2023 | 5,658 |
"""
OF_2017 = "The proportion of options granted between 2017 and 2018 over those outstanding at December 31, 2017"
ADDED_2022 = "Additions between June 30, 2021 and June 30, 2022"


@each(
    ("table", "answer", "figure", "found"),
    [
        (OPTIONS, f"{OF_2017}: 0.158.", "0.158", "worked_out"),
        (OPTIONS, f"{OF_2017}: 0.168.", "0.168", "not_found"),
        (OPTIONS, f"{OF_2017}: 0.243.", "0.243", "not_found"),  # what was granted in the year after
        (ALLOWANCE, f"{ADDED_2022} were 38.35% of the balance at June 30, 2021.", "38.35%", "worked_out"),
        (ALLOWANCE, f"{ADDED_2022} were 38.53% of the balance at June 30, 2021.", "38.53%", "not_found"),
        (ALLOWANCE, f"{ADDED_2022} were 44.57% of the balance at June 30, 2021.", "44.57%", "elsewhere"),
    ],
)
def test_rows_of_a_time_between_two_others(table: str, answer: str, figure: str, found: str) -> None:
    assert verdict(answer, figure, table) == found
