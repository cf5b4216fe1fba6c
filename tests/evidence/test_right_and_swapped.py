"""Right figures keep their mark, and the wrong ones beside them get none: both of the same tables."""

from __future__ import annotations

from agent.events import Answered, Observed
from agent.evidence import check
from tests.support.cases import each
from tests.support.traced import verdict

FERRIES = """| Ferry | Route | Built | Length (m) | Passengers | Cars | Crew |
| --- | --- | --- | --- | --- | --- | --- |
| Aurora | Holm–Vik | 1998 | 112 | 640 | 150 | 34 |
| Borea | Holm–Sund | 2006 | 87 | 420 | 96 | 22 |
| Dorado | Sund–Ness | 1987 | 64 | 260 | 38 | 14 |
"""
ORDERS = """| Region | Orders | Value |
| --- | --- | --- |
| North | 310 | 4200 |
| South | 240 | 3900 |
| West | 150 | 2000 |
"""
ACCOUNTS = """| Quarter | Revenue | Cost of sales | Debt | Cash |
| --- | --- | --- | --- | --- |
| Q1 2023 | 48.2 | 29.7 | 310 | 85 |
| Q2 2023 | 51.9 | 31.0 | 290 | 92 |
"""
POETS = """| Name | Born | Died | Works |
| --- | --- | --- | --- |
| Ida Lund | 4 May 1900 | 9 June 1957 | 31 |
"""
FRUIT = """| Fruit | Price per kg | Stock |
| --- | --- | --- |
| Apple | 3.20 | 140 |
| Plum | 4.75 | 62 |
"""
ROUNDS = """| Candidate | First round | Second round |
| --- | --- | --- |
| Lund | 28.4 | 54.3 |
| Berg | 26.1 | 45.7 |
"""
BUDGETS = """| Film | Budget (M) | Gross (M) | Screens |
| --- | --- | --- | --- |
| Salt Roads | 34 | 182 | 310 |
| Blue Orbit | 125 | 641 | 2,140 |
"""
YEARLY = """| Year | Sales | Staff |
| --- | --- | --- |
| 2020 | 410 | 31 |
| 2022 | 455 | 34 |
| 2024 | 520 | 39 |
"""
ITEMS = """| Item | 2022 | 2023 | 2024 |
| --- | --- | --- | --- |
| Revenue | 410 | 455 | 520 |
| Costs | 300 | 330 | 362 |
"""
FILMS = """| Film | Year | Budget | Oscars |
| --- | --- | --- | --- |
| Salt Roads | 2009 | 34 | 2 |
| Blue Orbit | 2014 | 125 | 4 |
"""
AGES = """| Age group | Men | Women |
| --- | --- | --- |
| 0–14 years | 1,204 | 1,150 |
| 15–64 years | 4,870 | 4,901 |
| 65+ years | 933 | 1,312 |
"""
FUNDS = """| Fund | 1-year return (%) | 5-year return (%) | Within 30 days |
| --- | --- | --- | --- |
| Alpha | 7.1 | 31.4 | 55 |
| Beta | 4.4 | 22.8 | 61 |
"""
DEPTHS = """Depth (m)\tTemperature (°C)\tOxygen (ml/l)
0\t17.8\t5.62
50\t14.2\t5.10
100\t11.5\t4.22
"""
OUTPUT = """| Month | Output | Alarms |
| --- | --- | --- |
| 2024-02 | 1,611 | 45 |
| 2024-03 | 1,705 | 12 |
| 2024-05 | 1,930 | 19 |
"""
STATIONS = """| 駅 | 乗降客数 | 開業年 | ホーム数 |
| --- | --- | --- | --- |
| 青葉 | 48,210 | 1927 | 4 |
| 緑ヶ丘 | 17,440 | 1964 | 2 |
"""
LEAGUE = """| Team | Wins | Draws | Losses |
| --- | --- | --- | --- |
| Rovers | 25 | 8 | 5 |
| Albion | 17 | 12 | 9 |
"""


@each(
    ("table", "answer", "figure", "found"),
    [
        # How far two are apart.
        (FERRIES, "The Borea carries 160 more passengers than the Dorado.", "160", "worked_out"),
        (FERRIES, "The Aurora carries 52% more passengers than the Borea.", "52%", "worked_out"),
        (FERRIES, "The Aurora is 25 m longer than the Borea.", "25 m", "worked_out"),
        (FERRIES, "The Aurora has 12 more crew than the Borea.", "12", "worked_out"),
        (FERRIES, "The Aurora with 640 passengers is bigger than the Borea.", "640", "seen"),
        # The noun of one figure is that of the next; how many times as large; of all rows.
        (FERRIES, "Aurora carries 640 passengers, the Borea 420 and the Dorado 260.", "260", "seen"),
        (FERRIES, "The Aurora carries 1.5 times Borea's passengers.", "1.5 times", "worked_out"),
        (FERRIES, "Passenger capacity went up 1.5 times from the Borea to the Aurora.", "1.5 times", "worked_out"),
        (FERRIES, "The fleet has room for 1,320 passengers, with the Aurora the largest.", "1,320", "worked_out"),
        (ORDERS, "There were 700 orders; North had 310 of them.", "700", "worked_out"),
        (ORDERS, "There were 700 orders; North had 310 of them.", "310", "seen"),
        (ORDERS, "North accounts for 310 of 700 orders.", "700", "worked_out"),
        (ACCOUNTS, "Net debt was 225 in Q1 2023.", "225", "worked_out"),
        # An age between two dates.
        (POETS, "The poet, who died on 9 June 1957, was 57.", "57.", "worked_out"),
        (POETS, "Born on 4 May 1900, the painter was 57.", "57", "worked_out"),
        # A rate, a word and a scale in a head are no other unit.
        (FRUIT, "Apples cost €3.20 per kg.", "€3.20", "seen"),
        (ROUNDS, "Lund won 54.3% in the second round.", "54.3%", "seen"),
        (BUDGETS, "Salt Roads had a budget of $34 million.", "$34", "seen"),
        # A year that is compared with, or begins a sentence, or has something.
        (ITEMS, "Revenue was 520 in 2024, compared with 2023.", "2023", "seen"),
        (YEARLY, "By 2024 sales had doubled.", "2024", "seen"),
        (YEARLY, "From 2020 to 2024 sales rose by 110.", "2024", "seen"),
        (FILMS, "Its budget was 34, while 2009's Salt Roads won Oscars.", "2009", "seen"),
        # A number of a label, and of a head.
        (AGES, "The group 65+ has 1,312 women and 933 men.", "65", "seen"),
        (FUNDS, "Alpha's 5-year return is 31.4%.", "5-year", "seen"),
        (LEAGUE, "Rovers won 25 times.", "25 times", "seen"),
        (STATIONS, "青葉駅の乗降客数は48,210人です。", "青葉駅", "seen"),
        # What the tables do not say of it.
        (FERRIES, "The Aurora has 12 more crew than the Borea and 1998 more than the Dorado.", "1998", "elsewhere"),
        (FERRIES, "The Aurora carries 420 more passengers than the Borea.", "420", "elsewhere"),
        (FERRIES, "With 640 passengers, the Aurora carries 112% more than the Borea.", "112%", "elsewhere"),
        (DEPTHS, "The water is 11.5 °C and has 100 ml/l of oxygen.", "100", "elsewhere"),
        (OUTPUT, "There may be 19 alarms.", "19", "elsewhere"),
        (STATIONS, "青葉大学の乗降客数は48,210人です。", "青葉大学", "not_found"),
    ],
)
def test_a_right_figure_keeps_its_mark_and_a_wrong_one_gets_none(
    table: str, answer: str, figure: str, found: str
) -> None:
    assert verdict(answer, figure, table) == found


@each(
    ("table", "answer"),
    [
        (FERRIES, "It is 1e400 and 1e912 = 5 times more than 12."),
        ("a,b\nx,1e400\n", "From 12 to 1e400 km, about 1e400%, over 3e400."),
        (
            "| a | b |\n|---|---|\n| x | 1e912 |\n| y | 12 |\n",
            "The sum is 1e912 times 12, the mean 1e400 m = 1e397 km.",
        ),
    ],
)
def test_a_number_that_no_float_holds_is_checked_like_any_other(table: str, answer: str) -> None:
    claims = check([Observed("c", table), Answered(answer)]).claims
    assert any("e400" in claim.text or "e912" in claim.text for claim in claims)
