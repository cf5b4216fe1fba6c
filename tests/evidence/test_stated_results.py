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
AB_TEST = (
    "                 control    variant\nvisitors           16204      16377\nconversion       0.05318    0.06127\n"
    "median secs to buy    131         97\n\nmobile only: control 0.0412, variant 0.0587\n"
)
PLANETS = (
    "Planet    Host     Mass  Teq_K  Method\nOlmo-1 b  Olmo-1    1.9    402  transit\n"
    "Olmo-1 c  Olmo-1    6.4    296  transit\nVega-2 b  Vega-2    8.8    161  velocity\n"
)
INCOME = (
    "(in millions)\nYear ended March 31,        2025        2024\nNet revenue:\n"
    "  Goods               $  818.4   $  702.6\n"
    "  Services               266.2      204.9\n    Total net revenue  1,084.6      907.5\n"
    "Gross profit             442.0      310.4\nOperating expenses       236.4      199.1\n"
    "Operating income         205.6      111.3\n"
)
HOLDINGS = (
    "Security         Qty   Price       Cost\nVantor Equity    310  109.75  25,544.00\n"
    "Nordbank AB      450   17.86   9,495.00\n"
    "Sumi Robotics     60   83.15   5,790.00\n"
)
FERRY = (
    "Tarifs aller-retour : adulte 25,60 EUR ; enfant 12,80 EUR ; voiture 84,00 EUR. Durée de la traversée : 45 min. "
    "Départs : 08 h 30, 11 h 00, 19 h 00."
)
LOAF = (
    "Makes 2 loaves. 720 g strong white flour, 180 g wholemeal flour, 610 g water, 18 g fine sea salt, 45 g sunflower "
    "seeds, 30 g linseed. Bake for 42 min."
)
SPLITS = "Split   Net time\n5 km    23:41\n10 km   47:18\n15 km   1:11:02\n20 km   1:34:55\nFinish  3:29:33\n"
FIVE = "- 1,800 g strong white flour\n- 450 g wholemeal flour\n- 45 g salt\n- 112.5 g sunflower seeds, 75 g linseed\n"
PRICES = "- 2 adultes : 51,20 €\n- enfant de 7 ans : 12,80 €"
CLASSES = (
    "class,students,passed,mean_score,best\n8a,31,28,70.6,98\n8b,27,20,62.9,94\n8c,29,26,75.2,100\n8d,24,18,61.7,91"
)
ROOMS = (
    "room_type | nights_sold | revenue_eur\nsingle | 1,842 | 151,044\ndouble | 3,655 | 427,635\nsuite | 203 | 58,870\n"
)
CHURN = (
    "   month  | signups | churned\n----------+---------+---------\n 2026-01  |     312 |     118\n"
    " 2026-02  |     287 |     131\n 2026-03  |     401 |     126\n 2026-04  |     276 |     181\n"
)
TERMINAL = (
    "In 2019 the terminal handled 2.46 million passengers, in 2023 there were 2.11 million. A return ticket costs 84 "
    "crowns, or 61 crowns for children under 12."
)
DAYS = "date,tmin,rain_mm,sun_h\n2026-07-06,11.2,0.0,11.5\n2026-07-07,12.9,2.4,13.1\n2026-07-08,14.1,17.6,11.5\n"
BRANCHES = (
    "| Filiale | Umsatz 2023 (Tsd. €) | Umsatz 2024 (Tsd. €) | Mitarbeiter |\n|---|---|---|---|\n"
    "| Nord | 1.240,5 | 1.318,0 | 14 |\n| Süd | 2.085,0 | 1.990,2 | 22 |\n| West | 870,4 | 955,6 | 9 |\n"
)
FAMILY = "A family of two adults and two children under 12 pays 290 crowns."
ROSE = "**Churn** rose every month but March: from 118 to 181."
LESS = "**Dairy.** Its sales rose from 61 to 64, and its profit went from 5,120 to 4,215, which is 905 less."
DIVISIONS = "| division | sales_2023 | profit_2022 | profit_2023 |\n|---|---|---|---|\n| Dairy | 64 | 5,120 | 4,215 |"
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


@each(
    "answer, text, observed, expected",
    [
        ("Conversion was 6.13% against 5.32%.", "6.13%", AB_TEST, "seen"),
        ("On mobile it was 5.87%, for control 4.12%.", "5.87%", AB_TEST, "seen"),
        ("On mobile it was 5.78%, for control 4.12%.", "5.78%", AB_TEST, "not_found"),
        ("Olmo-1 c has 296 K (about 23 °C).", "296 K", PLANETS, "seen"),
        ("Olmo-1 c has 296 K (about 23 °C).", "23 °C", PLANETS, "worked_out"),
        ("Olmo-1 c has 296 K (about 32 °C).", "32 °C", PLANETS, "not_found"),
        ("The gross margin was 40.8% in 2025.", "40.8%", INCOME, "worked_out"),
        ("The operating margin was 19.0% in 2025, against 12.3%.", "19.0%", INCOME, "worked_out"),
        ("The operating margin was 12.3% in 2024.", "12.3%", INCOME, "worked_out"),
        ("The operating margin was 29.0% in 2025.", "29.0%", INCOME, "not_found"),
        ("Services make up 25% of revenue, up from under 23%.", "23%", INCOME, "worked_out"),
        ("All three cost $40,829.00 together.", "$40,829.00", HOLDINGS, "worked_out"),
    ],
)
def test_tables_as_reports_print_them(answer: str, text: str, observed: str, expected: str) -> None:
    assert verdict(answer, text, observed) == expected


@each(
    "answer, text, observed, expected",
    [
        (PRICES, "51,20", FERRY, "possible"),
        (PRICES.replace("51,20", "52,10"), "52,10", FERRY, "not_found"),
        ("Départ à 08 h 30, arrivée à 09 h 15.", "09 h 15", FERRY, "possible"),
        ("Départ à 08 h 30, arrivée à 09 h 25.", "09 h 25", FERRY, "differs"),
        (FIVE, "1,800 g", LOAF, "worked_out"),
        (FIVE, "112.5 g", LOAF, "worked_out"),
        (FIVE.replace("450 g", "540 g"), "540 g", LOAF, "not_found"),
        ("The second 5 km took 23:37, the third 23:44.", "23:44", SPLITS, "possible"),
        ("The second 5 km took 23:37, the third 23:54.", "23:54", SPLITS, "not_found"),
    ],
)
def test_times_and_amounts_for_more(answer: str, text: str, observed: str, expected: str) -> None:
    assert verdict(answer, text, observed) == expected


@each(
    "answer, text, observed, expected",
    [
        ("Of the 111 pupils in year 8, 92 passed.", "111", CLASSES, "possible"),
        ("8a comes second with 70.6 points.", "70.6", CLASSES, "seen"),
        ("8a comes second with 62.9 points.", "62.9", CLASSES, "elsewhere"),
        ("Singles earn only €82 a night.", "€82", ROOMS, "possible"),
        ("Singles earn only €28 a night.", "€28", ROOMS, "not_found"),
        (ROSE, "118", CHURN, "seen"),
        (ROSE, "181", CHURN, "seen"),
        (ROSE.replace("118", "131"), "131", CHURN, "elsewhere"),
        ("That's 350,000 fewer than in 2019, a drop of about 14%.", "14%", TERMINAL, "elsewhere"),
        ("That's 350,000 fewer than in 2019, a drop of about 41%.", "41%", TERMINAL, "not_found"),
        (FAMILY, "290", TERMINAL, "possible"),
        (FAMILY.replace("290", "209"), "209", TERMINAL, "not_found"),
        ("- **Monday, 6 July:** 11.5 hours of sun", "11.5", DAYS, "seen"),
        ("- **Tuesday, 7 July:** 17.6 mm of rain", "17.6", DAYS, "elsewhere"),
        ("Je Mitarbeiter liegt West mit rund 106.000 € vor Nord mit 94.000 €.", "94.000 €", BRANCHES, "possible"),
        ("Zwei von drei Filialen sind gewachsen.", "Zwei", BRANCHES, "possible"),
        (LESS, "905", DIVISIONS, "worked_out"),
        ("It won 1.2 more for every 100 visitors.", "1.2", "1.2 more", "seen"),
    ],
)
def test_everyday_answers(answer: str, text: str, observed: str, expected: str) -> None:
    assert verdict(answer, text, observed) == expected
