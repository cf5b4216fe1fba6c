"""What an answer works out from its own figures, from two columns, from days: right, and with one digit changed."""

from __future__ import annotations

from tests.support.cases import each
from tests.support.traced import verdict

SEGMENTS = (
    "(€ million)\n| Segment | Sales 2023 | Sales 2022 | Profit 2023 | Profit 2022 |\n|---|---|---|---|---|\n"
    "| Paper | 2,310 | 2,118 | 402 | 371 |\n| Board | 1,945 | 2,074 | 288 | 316 |\n| Film | 611 | 540 | 97 | 80 |\n"
)
ZOOS = (
    "(in thousands)\n| Zoo | 2019 | 2023 | Opened |\n|---|---|---|---|\n| North Zoo | 318 | 447 | 2004 |\n"
    "| Old Zoo | 902 | 871 | 1888 |\n| Bay Zoo | 655 | 702 | 1961 |\n| Hill Zoo | 240 | 236 | 1933 |\n"
)
SEATS = "| Party | Seats |\n|---|---|\n| Reds | 61 |\n| Blues | 48 |\n| Greens | 31 |\n"
COLLEGES = (
    "| college | tuition_usd | tuition_out_usd | acceptance_pct |\n|---|---|---|---|\n"
    "| Ashby | 11,200 | 24,650 | 62 |\n| Brook | 9,850 | 21,300 | 83 |\n"
    "| Crane | 14,700 | 31,900 | 35 |\n| Delta | 8,900 | 19,450 | 88 |\n"
)
SHOP = (
    "| item | units | price_usd |\n|---|---|---|\n"
    "| Halo Desk Lamp | 731 | 64.50 |\n| Oak Stool | 318 | 112.00 |\n| Wool Rug | 205 | 249.00 |\n"
)
FLIGHTS = (
    "| carrier | flights | late |\n|---|---|---|\n| Aero | 1,204 | 151 |\n| Blue | 884 | 147 |\n| Coast | 642 | 88 |\n"
)
STAGES = (
    "| stage | date | km | winner | time |\n|---|---|---|---|---|\n"
    "| 1 | 2024-07-08 | 171.4 | Berg | 4:02:17 |\n| 2 | 2024-07-09 | 28.6 | Lund | 0:36:40 |\n"
)
HIRED = "| name | hired |\n|---|---|\n| Ida Falk | 2015-04-09 |\n| Per Holm | 2021-09-01 |\n"
PAY = "Salary: £46,800 a year, paid monthly. Working hours: 37.5 hours per week."
TERMS = "Autumn term: last day of school Friday, 18 December 2026. Spring term begins on Tuesday, 5 January 2027."
ARR = "Opening ARR $52.40m\nExpansion $7.12m\nContraction $1.35m\nChurn $3.94m\nNew $8.80m\nClosing ARR $63.03m"
ENERGY = (
    "| month | electricity_kwh | gas_kwh |\n|---|---|---|\n"
    "| Jan | 4,210 | 2,310 |\n| Feb | 3,880 | 1,990 |\n| Mar | 3,415 | 1,420 |\n"
)
OVEN = "The rack is 85 cm wide. Bake the loaf at 85 °C above the lowest setting. Leave the tin in for the last part."
MIX = (
    "| Land | Coal % | Hydro % | Wind % | Solar % |\n|---|---|---|---|---|\n| Ostland | 20.3 | 41.2 | 18.9 | 7.4 |\n"
    "| Nordmark | 11.8 | 9.6 | 52.3 | 3.1 |\n| Suder | 31.4 | 22.7 | 8.8 | 16.5 |\n"
    "| Vesten | 48.0 | 3.9 | 12.2 | 9.7 |\n"
)
TEAM = (
    "Player,Pos,GP,PTS,3P%,Salary ($M)\nJon Tilden,PG,74,22.6,38.2,31.5\nDeon Marsh,SG,79,19.3,39.7,12.8\n"
    "Ike Brandt,SF,68,17.8,35.9,4.3\n"
)
TRIAL = (
    "| variant | visitors | signups |\n|---|---|---|\n| control | 24180 | 1741 |\n| blue | 24305 | 1896 |\n"
    "| green | 24067 | 1709 |\n"
)
MAJORITY = "There are 140 seats, so a majority takes 71, and the Reds won 61. That leaves them 10 seats short."
SHARES = (
    "In these months: electricity 11,505 kWh, gas 5,720 kWh.\n\nElectricity makes up 66.8% of the energy used, gas the "
    "remaining 33.2%."
)
HOLIDAYS = (
    "School ends on 18 December 2026 and starts again on 5 January 2027. That's 17 days off, from 19 December to "
    "4 January."
)
RETENTION = (
    "- **Net revenue retention: 103.5%.** Opening ARR of $52.40 million, plus $7.12 million of expansion, less $1.35 "
    "million and $3.94 million, leaves about $54.2 million."
)
HOURLY = "You get £46,800 a year. Based on 37.5 hours a week and 52 weeks, that's about £24.00 an hour."
GREENEST = "Hydro, wind and solar together:\n\n1. **Ostland** – 67.5%\n2. **Nordmark** – 65.0%\n3. **Suder** – 48.0%\n"
RATES = "| | Signup rate |\n|---|---|\n| control | 7.20% |\n| blue | 7.80% |\n| green | 7.10% |\n"


@each(
    "answer, text, observed, expected",
    [
        ("North Zoo, opened in 2004, has +40.6%, from 318,000 to 447,000.", "40.6%", ZOOS, "worked_out"),
        ("North Zoo, opened in 2004, has +46.0%, from 318,000 to 447,000.", "46.0%", ZOOS, "not_found"),
        ("North Zoo was down 40.6%, from 318,000 to 447,000.", "40.6%", ZOOS, "differs"),
        ("386 of 2,730 flights were late, so roughly one in 7.", "7", FLIGHTS, "worked_out"),
        ("386 of 2,730 flights were late, so roughly one in 9.", "9", FLIGHTS, "not_found"),
        (MAJORITY, "71", SEATS, "worked_out"),
        (MAJORITY, "10 seats", SEATS, "possible"),
        (MAJORITY.replace("71", "73"), "73", SEATS, "not_found"),
        (MAJORITY.replace("10 seats", "12 seats"), "12 seats", SEATS, "not_found"),
        (SHARES, "66.8%", ENERGY, "possible"),
        (SHARES.replace("66.8%", "68.6%"), "68.6%", ENERGY, "not_found"),
        (RETENTION, "103.5%", ARR, "possible"),
        (RETENTION.replace("103.5%", "105.3%"), "105.3%", ARR, "not_found"),
        (HOURLY, "£24.00", PAY, "possible"),
        (HOURLY.replace("£24.00", "£42.00"), "£42.00", PAY, "not_found"),
        ("Two zoos are above their 2019 level and two are still below.", "two", ZOOS, "possible"),
        ("Two zoos are above their 2019 level and three are still below.", "three", ZOOS, "not_found"),
        ("Two zoos are above their 2019 level and two are still below.", "2019", ZOOS, "elsewhere"),
    ],
)
def test_what_follows_from_figures_of_the_answer(answer: str, text: str, observed: str, expected: str) -> None:
    assert verdict(answer, text, observed) == expected


@each(
    "answer, text, observed, expected",
    [
        ("On average, those from out of state pay $13,163 a year extra.", "$13,163", COLLEGES, "possible"),
        ("On average, those from out of state pay $13,613 a year extra.", "$13,613", COLLEGES, "not_found"),
        ("The rug leads. The lamp made $47,149.50.", "$47,149.50", SHOP, "possible"),
        ("The rug leads. The lamp made $47,194.50.", "$47,194.50", SHOP, "not_found"),
        ("By revenue the three brought in $133,810.50 together.", "$133,810.50", SHOP, "worked_out"),
        ("By revenue the three brought in $138,310.50 together.", "$138,310.50", SHOP, "not_found"),
        ("The first was 171.4 km; Berg won it in 4:02:17, about 42.4 km/h.", "42.4 km/h", STAGES, "worked_out"),
        ("The first was 171.4 km; Berg won it in 4:02:17, about 44.2 km/h.", "44.2 km/h", STAGES, "not_found"),
        ("In the second stage, Lund averaged 46.8 km/h.", "46.8 km/h", STAGES, "worked_out"),
        ("In the second stage, Lund averaged 48.6 km/h.", "48.6 km/h", STAGES, "not_found"),
        ("All zoos that opened after 1960 gained visitors.", "1960", ZOOS, "possible"),
        ("All zoos that opened after 2010 gained visitors.", "2010", ZOOS, "not_found"),
        ("The loaf bakes for 85 minutes.", "85 minutes", OVEN, "not_found"),
    ],
)
def test_what_columns_and_rows_come_to(answer: str, text: str, observed: str, expected: str) -> None:
    assert verdict(answer, text, observed) == expected


@each(
    "answer, text, observed, expected",
    [
        ("Ida Falk reaches ten years on 9 April 2025.", "9 April 2025", HIRED, "worked_out"),
        ("Ida Falk reaches ten years on 9 April 2025.", "ten years", HIRED, "worked_out"),
        ("Ida Falk reaches ten years on 9 April 2026.", "9 April 2026", HIRED, "differs"),
        (HOLIDAYS, "19 December", TERMS, "possible"),
        (HOLIDAYS, "4 January", TERMS, "possible"),
        (HOLIDAYS, "17 days", TERMS, "possible"),
        (HOLIDAYS.replace("19 December", "21 December"), "21 December", TERMS, "differs"),
        (HOLIDAYS.replace("17 days", "15 days"), "15 days", TERMS, "not_found"),
    ],
)
def test_days_that_are_reckoned_from_others(answer: str, text: str, observed: str, expected: str) -> None:
    assert verdict(answer, text, observed) == expected


@each(
    "answer, text, expected",
    [
        ("**Film** grew fastest: sales +13.1% to €611 million, profit to €97 million.", "€611 million", "seen"),
        ("**Film** grew fastest: sales +13.1% to €611 million, profit to €97 million.", "€97 million", "seen"),
        ("**Film** grew fastest, with sales of €540 million.", "€540 million", "elsewhere"),
    ],
)
def test_of_years_that_nobody_says_the_last_one_is_meant(answer: str, text: str, expected: str) -> None:
    assert verdict(answer, text, SEGMENTS) == expected


@each(
    "answer, text, observed, expected",
    [
        (GREENEST, "67.5%", MIX, "worked_out"),
        (GREENEST, "48.0%", MIX, "worked_out"),
        (GREENEST.replace("65.0%", "65.8%"), "65.8%", MIX, "not_found"),
        (RATES, "7.20%", TRIAL, "worked_out"),
        (RATES, "7.10%", TRIAL, "worked_out"),
        ("Ike Brandt earns $4.3 million.", "$4.3 million", TEAM, "seen"),
        ("Ike Brandt earns $12.8 million.", "$12.8 million", TEAM, "elsewhere"),
    ],
)
def test_series_of_lists_and_columns_as_they_are_headed(answer: str, text: str, observed: str, expected: str) -> None:
    assert verdict(answer, text, observed) == expected
