"""What a figure says again of the one right before it, and what is worked out from what was worked out."""

from __future__ import annotations

from tests.support.cases import each
from tests.support.traced import marked, verdict

BUDGET = "Monthly budget\nIncome: 2,600 EUR\nRent: 1250 EUR\nInsurance: 210 EUR\nTransport: 165 EUR\nSavings: 305 EUR"
SEATS = """| Party | Votes | Seats |
| --- | --- | --- |
| Green Alliance | 18,420 | 14 |
| Centre | 24,310 | 19 |
| Labour List | 15,905 | 12 |
| Farmers | 6,233 | 4 |
| Others | 3,132 | 1 |
"""
STORES = """store,employees_2023,employees_2022,revenue
Bergen,120,98,1450000
Oslo,310,275,4120000
Trondheim,95,101,1180000
Stavanger,140,122,1690000
"""
FILMS = """Film,Year,Budget ($m),Gross ($m)
Iron Tide,2019,84.2,312.6
Paper Moonlight,2020,12.5,61.0
The Last Ferry,2021,33.0,95.7
Nightjar,2022,58.4,49.3
Second Harvest,2023,21.0,140.2
"""
QUARTERS = "Quartal;Umsatz 2024 (Tsd. €);Umsatz 2023 (Tsd. €)\nQ1;412;388\nQ2;455;401\nQ3;431;440\nQ4;528;476\n"
MONTHS = """| Month | Mean °C | Rain in mm |
| --- | --- | --- |
| Jan | -2.1 | 48 |
| Feb | -0.4 | 36 |
| Mar | 4.2 | 41 |
| Apr | 9.8 | 39 |
| May | 14.6 | 58 |
| Jun | 17.9 | 71 |
"""
ENERGY = """source,year,twh
Wind,2021,31.4
Wind,2022,36.9
Solar,2021,12.2
Solar,2022,17.8
Coal,2021,44.0
Coal,2022,38.1
"""
EXPIRING = """| Loss | Last year | Amount |
| --- | --- | --- |
| Domestic | 2039 | 57,299 |
| Foreign | 2041 | 565,609 |
| Credits | 2029 | 39,784 |
| Others | 2027 | 15,345 |
"""
WEEK = """| Day | km | minutes |
| --- | --- | --- |
| Mon | 8.0 | 44 |
| Wed | 12.5 | 71 |
| Fri | 6.2 | 31 |
| Sun | 24.0 | 142 |
"""
LEAGUE = """| Team | P | W | GF | GA |
| --- | --- | --- | --- | --- |
| Rovers | 30 | 19 | 58 | 27 |
| Town | 30 | 5 | 24 | 55 |
"""


@each(
    ("answer", "figure", "observed", "found"),
    [
        (
            "You earn EUR 2,600. Rent, insurance and transport add up to EUR 1,625, i.e. 62.5%.",
            "62.5%",
            BUDGET,
            "worked_out",
        ),
        (
            "You earn EUR 2,600. Rent, insurance and transport add up to EUR 1,625, i.e. 65.2%.",
            "65.2%",
            BUDGET,
            "not_found",
        ),
        ("You put aside EUR 305 a month, which makes EUR 3,660 a year.", "EUR 3,660", BUDGET, "worked_out"),
        ("You put aside EUR 305 a month, which makes EUR 3,860 a year.", "EUR 3,860", BUDGET, "not_found"),
        ("You put aside EUR 305 a month, which makes EUR 915 a quarter.", "EUR 915", BUDGET, "worked_out"),
        ("You put aside EUR 305 a month, which makes EUR 3,660 a quarter.", "EUR 3,660", BUDGET, "not_found"),
        ("Centre and Green Alliance together have 33 seats (66%).", "66%", SEATS, "worked_out"),
        ("Centre and Green Alliance together have 33 seats (69%).", "69%", SEATS, "not_found"),
        (
            "Centre was ahead of the Green Alliance by 5,890 votes, or 8.7 percentage points.",
            "8.7",
            SEATS,
            "worked_out",
        ),
        ("Centre was ahead of the Green Alliance by 5,890 votes, or 9.7 percentage points.", "9.7", SEATS, "not_found"),
        (
            "The films cost $209.1 million and grossed $658.8 million, a profit of $449.7 million.",
            "449.7",
            FILMS,
            "worked_out",
        ),
        (
            "The films cost $209.1 million and grossed $658.8 million, a profit of $494.7 million.",
            "494.7",
            FILMS,
            "not_found",
        ),
        (
            "In total the films cost $209.1 million and grossed $658.8 million, a profit of $449.7 million, "
            "or $89.9 million per film.",
            "89.9",
            FILMS,
            "worked_out",
        ),
        ("Iron Tide made a profit of $228.4 million.", "228.4", FILMS, "worked_out"),
        ("Nightjar made a loss of $9.1 million.", "9.1", FILMS, "worked_out"),
        ("Nightjar made a loss of $37.4 million.", "37.4", FILMS, "not_found"),
    ],
)
def test_the_same_said_otherwise(answer: str, figure: str, observed: str, found: str) -> None:
    assert verdict(answer, figure, observed) == found


@each(
    ("answer", "figure", "observed", "found"),
    [
        ("Der Umsatz lag 2024 insgesamt bei 1.826 Tsd. €.", "1.826 Tsd. €", QUARTERS, "worked_out"),
        ("Der Umsatz lag 2024 insgesamt bei 1.862 Tsd. €.", "1.862 Tsd. €", QUARTERS, "not_found"),
        ("Das zweite Quartal wuchs mit einem Plus von 13,5 %.", "13,5 %", QUARTERS, "worked_out"),
        ("Das zweite Halbjahr 2024 lag um 92 Tsd. € über dem ersten.", "92 Tsd. €", QUARTERS, "worked_out"),
        ("The second quarter brought 168 mm of rain.", "168 mm", MONTHS, "worked_out"),
        ("The first quarter brought 168 mm of rain.", "168 mm", MONTHS, "not_found"),
        (
            "The mean went from -2.1 °C in January to 17.9 °C in June, a difference of 20.0 °C.",
            "20.0 °C",
            MONTHS,
            "worked_out",
        ),
        (
            "The mean went from -2.1 °C in January to 17.9 °C in June, a difference of 15.8 °C.",
            "15.8 °C",
            MONTHS,
            "not_found",
        ),
        ("In all, headcount grew by 11.6% over 2022.", "11.6%", STORES, "worked_out"),
        ("In all, headcount grew by 16.1% over 2022.", "16.1%", STORES, "not_found"),
        ("Without Oslo, the average store has 118.3 employees.", "118.3", STORES, "worked_out"),
        ("Without Bergen, the average store has 118.3 employees.", "118.3", STORES, "not_found"),
        ("Wind and solar rose from 43.6 to 54.7 TWh.", "43.6", ENERGY, "worked_out"),
        ("Wind and solar rose from 43.6 to 54.7 TWh.", "54.7", ENERGY, "worked_out"),
        ("Wind and coal rose from 43.6 to 54.7 TWh.", "54.7", ENERGY, "not_found"),
        ("The sum of all amounts is 678,037.", "678,037", EXPIRING, "worked_out"),
        ("You ran 50.7 km this week.", "50.7 km", WEEK, "worked_out"),
        ("You ran 57.0 km this week.", "57.0 km", WEEK, "not_found"),
        ("Rovers have a goal difference of +31.", "31", LEAGUE, "worked_out"),
        ("Rovers have a goal difference of +13.", "13", LEAGUE, "not_found"),
    ],
)
def test_parts_of_a_year_and_whole_columns(answer: str, figure: str, observed: str, found: str) -> None:
    assert verdict(answer, figure, observed) == found


YEARS = """| Year | Employees | Revenue (€ million) |
| --- | --- | --- |
| 2019 | 412 | 38.2 |
| 2020 | 398 | 35.9 |
| 2021 | 421 | 41.4 |
| 2022 | 465 | 47.8 |
| 2023 | 502 | 52.1 |
"""
NIGHTS = "Stadt;Nächte;Hotel (EUR)\nZürich;3;148,00\nWien;5;310,50\nPrag;2;96,00\n"
VISITS = "月,来店者数,売上(千円)\n4月,320,1280\n5月,410,1722\n6月,365,1460\n"


@each(
    ("answer", "figure", "observed", "found"),
    [
        ("In 2022 revenue rose by €6.4 million.", "6.4", YEARS, "worked_out"),
        ("In 2021 revenue rose by €6.4 million.", "6.4", YEARS, "not_found"),
        ("In 2022 revenue rose by 15.5%.", "15.5%", YEARS, "worked_out"),
        ("In 2022 revenue rose by 13.4%.", "13.4%", YEARS, "differs"),
        ("In 2022 revenue fell by 15.5%.", "15.5%", YEARS, "differs"),
        ("In 2020, revenue fell by 6.0% to €35.9 million.", "6.0%", YEARS, "worked_out"),
        ("In 2020, revenue fell by 9.0% to €35.9 million.", "9.0%", YEARS, "not_found"),
        (
            "Between 2019 and 2023 revenue rose from €38.2 million to €52.1 million, or 8.1% a year on average.",
            "8.1%",
            YEARS,
            "worked_out",
        ),
        (
            "Between 2019 and 2023 revenue rose from €38.2 million to €52.1 million, or 9.1% a year on average.",
            "9.1%",
            YEARS,
            "not_found",
        ),
        ("Revenue per employee was €103,785 in 2023.", "€103,785", YEARS, "worked_out"),
        ("Revenue per employee was €103,785 in 2022.", "€103,785", YEARS, "not_found"),
        ("Pro Nacht kostete Wien 62,10 EUR.", "62,10 EUR", NIGHTS, "worked_out"),
        ("Pro Nacht kostete Wien 61,20 EUR.", "61,20 EUR", NIGHTS, "not_found"),
        ("Prag war um 214,50 EUR günstiger als Wien.", "214,50 EUR", NIGHTS, "worked_out"),
        ("5月の来店者数は4月より90人（28.1%）増えました。", "28.1%", VISITS, "worked_out"),
        ("第1四半期の来店者数は合計1,095人です。", "1,095", VISITS, "worked_out"),
    ],
)
def test_rows_of_years_and_what_each_costs(answer: str, figure: str, observed: str, found: str) -> None:
    assert verdict(answer, figure, observed) == found


def test_a_month_of_japanese_is_no_figure() -> None:
    assert marked("5月の来店者数は410人で、第1四半期で最も多い。", VISITS) == []


def test_a_day_of_the_week_in_short() -> None:
    assert verdict("Wednesday's run took 71 minutes.", "71 minutes", WEEK) == "seen"
    assert verdict("Friday's run took 71 minutes.", "71 minutes", WEEK) in ("elsewhere", "differs")


def test_what_is_supposed_is_no_claim() -> None:
    assert "10%" not in marked("If you add 10%, the week has 55.8 km.", WEEK)
    assert verdict("You added 10% this week.", "10%", WEEK) == "not_found"
