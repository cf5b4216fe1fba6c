"""Figures that a sentence leads to with its neighbours or its row: parts of a whole, paces, scores, changed rates."""

from __future__ import annotations

from tests.support.cases import each
from tests.support.traced import marked, verdict

SESSIONS = """session,distance_km,time
Mon row,8.4,41:10
Wed erg,6.0,24:48
Sat long,15.2,1:18:32
"""
WALKS = (
    '[{"name": "Dunes", "distance_m": 8120, "moving_time_s": 2718},'
    ' {"name": "Ridge", "distance_m": 5030, "moving_time_s": 1558},'
    ' {"name": "Lake", "distance_m": 12450, "moving_time_s": 4482}]'
)
PACES = """| Day | Walk | Pace |
|---|---|---|
| Mon | Dunes | 5:35 |
| Tue | Ridge | {ridge} |
| Wed | Lake | 6:00 |"""
PARTS = """part,on_hand,weekly_use,min
gasket 40 mm,415,118,600
filter cloth,2180,290,1500
"pump seal, rubber",96,9,40
drive belt,57,16,60
"""
COVER = """- gaskets: 415 against 600, about 3.5 weeks of cover
- filter cloth: {cloth} weeks
- pump seals: 10.7 weeks
- drive belt: 3.6 weeks"""
LEAGUE = """| Team | P | W | D | L | GF | GA | Pts |
|---|---|---|---|---|---|---|---|
| Redmoor | 20 | 12 | 5 | 3 | 41 | 19 | 41 |
| Ashby | 20 | 13 | 4 | 3 | 38 | 20 | 43 |
"""
PRICE = "Reserve: 150 million. The price rises from 1.84 to 2.02 billion kroner."
LABEL = "Rate: 3.49 %. With label A or better the rate is 0.10 percentage points lower."
TRIAL = "Difference against placebo: -1.5 days (95% CI -2.3 to -0.7)."
DUST = """| Fecha | PM10 |
|---|---|
| 2025-02-05 | 36 |
| 2025-02-06 | 22 |
"""
BILL = """[{"service": "Compute", "2025-03": 4182.37, "2025-04": 3611.9},
 {"service": "Database", "2025-03": 1526.04, "2025-04": 1689.55},
 {"service": "Storage", "2025-03": 612.18, "2025-04": 748.92}]"""
FOOD = """[{"name": "oats, rolled", "kcal": 372}, {"name": "milk, whole", "kcal": 64},
 {"name": "banana, raw", "kcal": 89}, {"name": "walnuts", "kcal": 654}, {"name": "honey", "kcal": 304}]"""
BOWL = """| | Amount | kcal |
|---|---|---|
| Oats | 60 g | 223 |
| Whole milk | 200 g | {milk} |
| Banana | 120 g | 107 |
| Walnuts | 20 g | 131 |
| Honey | 10 g | 30 |"""
HOURLY = "[" + ",".join(f'{{"h": "{hour:02}", "p": {0.04 + hour / 1000:.4f}}}' for hour in range(24)) + "]"
POINTS = """team,played,points
Birch,18,31
Elm,18,28
Larch,18,27
Rowan,18,21
"""
MOST = """| Team | Points | At most |
|---|---|---|
| Birch | 31 | 39 |
| Elm | 28 | {elm} |
| Larch | 27 | 35 |
| Rowan | 21 | 29 |"""
RECIPE = "For 6: 1.5 kg beef - 450 g onions - 75 cl stout - 60 g butter - 30 g sugar"
MORE = """| | for 6 | for 14 |
|---|---|---|
| Beef | 1.5 kg | 3.5 kg |
| Onions | 450 g | 1,050 g |
| Stout | 75 cl | 175 cl |
| Butter | 60 g | {butter} |
| Sugar | 30 g | 70 g |"""
RECORDS = """30 Sep 2007 H. Gebre 2:04:26; 28 Sep 2008 H. Gebre 2:03:59; 25 Sep 2011 P. Makau 2:03:38;
29 Sep 2013 W. Kipsang 2:03:23; 28 Sep 2014 D. Kimetto 2:02:57"""
GAPS = """| Date | Time | Gain |
|---|---|---|
| 30 Sep 2007 | 2:04:26 | – |
| 28 Sep 2008 | 2:03:59 | {third} |
| 25 Sep 2011 | 2:03:38 | 21 s |
| 29 Sep 2013 | 2:03:23 | 15 s |
| 28 Sep 2014 | 2:02:57 | 26 s |"""
LOTS = """| lot | species | collected | tested |
|---|---|---|---|
| B-04 | Cornflower | 1998-07-22 | 2024-02-12 |
| B-09 | Cockle | 2006-08-03 | 2024-02-12 |
| B-11 | Poppy | 2009-07-15 | 2024-02-19 |
| B-15 | Scandix | 2014-06-28 | 2024-02-19 |
| B-17 | Adonis | 2017-07-09 | 2024-02-26 |"""
AGES = """| Species | Age |
|---|---|
| Cornflower | 25.6 years |
| Cockle | 17.5 years |
| Poppy | {poppy} |
| Scandix | 9.6 years |
| Adonis | 6.6 years |"""


@each(
    ("observed", "answer", "right", "wrong", "found"),
    [
        # Paces and times added up.
        (SESSIONS, "Monday's row took {}/km.", "4:54", "4:45", "worked_out"),
        (SESSIONS, "The erg on Wednesday: 6 km in 24:48, a pace of **{} per km**.", "4:08", "4:18", "worked_out"),
        (SESSIONS, "All three took {} together.", "2:24:30", "2:42:30", "worked_out"),
        (WALKS, "The Ridge walk was the fastest, {}/km.", "5:10", "5:01", "worked_out"),
        (WALKS, PACES.replace("{ridge}", "{}"), "5:10", "5:01", "worked_out"),
        # One figure of each item in one unit.
        (PARTS, COVER.replace("{cloth}", "{}"), "7.5", "5.7", "worked_out"),
        # Scores.
        (LEAGUE, "Ashby's goals are {}.", "38:20", "38:26", "seen"),
        (LEAGUE, "Redmoor (goals {}) is second.", "41:19", "41:20", "seen"),
        # Parts of a whole, and the rest.
        ("Of the choir's 84 members two thirds were ill.", "Two thirds of the 84 were ill (so {} people).", "56", "65",
         "worked_out"),
        ("11,286 calls failed; 70% were repeated with success.",
         "Of the 11,286 that failed, 70% were repeated; {} were not.", "3,386", "3,683", "worked_out"),
        # How far one is beyond another, changes of the sentence before.
        (PRICE, "It goes up from 1.84 to 2.02 billion kroner. The extra {} is not covered.", "180 million",
         "170 million", "worked_out"),
        (PRICE, "It goes up from 1.84 to 2.02 billion kroner. The extra 180 million ({}) is not covered.", "+9.8%",
         "+9.2%", "worked_out"),
        (PRICE, "From 1.84 to 2.02 billion kroner: the extra 180 million exceeds the reserve of 150 million by {}.",
         "30 million", "40 million", "worked_out"),
        (LABEL, "With label A the rate drops to {}.", "3.39%", "3.29%", "worked_out"),
        # Spans below nought told by their sizes, days without a year, hours in words.
        (TRIAL, "There were 1.5 fewer days (95% CI 0.7 to {}).", "2.3", "2.7", "seen"),
        (DUST, "| Día | PM10 |\n|---|---|\n| {} | 36 |\n| 06/02 | 22 |", "05/02", "05/03", "seen"),
        ("Start 19:05, end 20:47.", "The meeting lasted {}.", "an hour and 42 minutes", "an hour and 24 minutes",
         "possible"),
        ("Dauer der Sitzung: 125 Minuten", "Sie dauerte {}.", "zwei Stunden und 5 Minuten",
         "zwei Stunden und 15 Minuten", "seen"),
        ("fermé du 8 juillet au 25 août 2025", "fermé du 8 juillet au 25 août 2025, soit {}.", "sept semaines",
         "cinq semaines", "worked_out"),
        ("Earnings per share: $1.42", "The {} rose.", "EPS", "EPX", "seen"),
        # Amounts in pence, large units, hours of a table.
        ("self_kwh 1859\nexported 2408", "Not bought: 1,859 kWh × 27p = **{}**", "£501.93", "£509.13", "worked_out"),
        ("2,44 millions d'hectares en 1874; 12 millions d'hectolitres en 1887", "Le vignoble : {} (1874).", "2,44 Mha",
         "2,84 Mha", "worked_out"),
        (HOURLY, "A las {} se paga menos.", "14:00", "14:30", "seen"),
        # What is told by a difference, of the parts in a bracket, and sums of a sentence.
        ("2024: 1,846 launches; 2023: 1,971 launches.", "1,846 launches, 125 fewer than in 2023 ({}).", "−6%", "−9%",
         "worked_out"),
        ("2024: 727,000; 2023: 519,500", "Parks: 727,000, 207,500 more than in 2023 ({})", "+39.9%", "+28.5%",
         "worked_out"),
        ("closed 1034, open 118", "Of all issues {} are closed (1,034 closed, 118 open).", "90%", "88%", "worked_out"),
        ("1178-1272 e 1284-1360", "dal 1178 al 1272 (94 anni) e dal 1284 al 1360 (76 anni): in tutto {} di pausa.",
         "170 anni", "177 anni", "worked_out"),
        # Amounts that look like months, a dot behind a month, days of one year.
        (BILL, "The total for March was {}, for April 6,050.37.", "6,320.59", "6,302.59", "worked_out"),
        ("Entry until 20 July; race 10 August 2025", "The race is on 10 August 2025, entry ends 20 July, {} before.",
         "21 days", "12 days", "worked_out"),
        ("losses 9.1% by August, 21.6% in September", "Those who waited until September lost {} of them.", "21.6%",
         "26.1%", "seen"),
        # Columns of the answer's own table, by one number whatever it is, and since the row before.
        (POINTS, MOST.replace("{elm}", "{}"), "36", "35", "possible"),
        (RECIPE, MORE.replace("{butter}", "{}"), "140 g", "150 g", "worked_out"),
        (RECORDS, GAPS.replace("{third}", "{}"), "27 s", "29 s", "worked_out"),
        (LOTS, AGES.replace("{poppy}", "{}"), "14.6 years", "16.4 years", "worked_out"),
    ],
)  # fmt: skip
def test_what_a_sentence_leads_to(observed: str, answer: str, right: str, wrong: str, found: str) -> None:
    assert verdict(answer.format(right), right.lstrip("+"), observed) == found
    assert verdict(answer.format(wrong), wrong.lstrip("+"), observed) in ("not_found", "differs")


@each(("milk", "found"), [("128", "worked_out"), ("182", "differs")])
def test_amounts_that_were_given_by_what_each_has(milk: str, found: str) -> None:
    asked = "60 g oats, 200 g whole milk, 120 g banana, 20 g walnuts, 10 g honey: how many calories?"
    assert verdict(BOWL.format(milk=milk), milk, FOOD, asked) == found


def test_another_kind_of_unit_is_no_other_value() -> None:
    lights = "Haggis Point (29 m) reaches 17 nautical miles and Lornay Stack (44 m) reaches 24. Power: 400 MW."
    assert verdict("Lornay Stack reaches 24 nmi.", "24 nmi", lights) == "seen"
    assert verdict("It costs $400 per kWh.", "$400", lights) == "not_found"
    forecast = '{"elevation": 1034.0, "daily_units": {"temperature_2m_max": "°C", "rain_sum": "mm"}}'
    assert verdict("The forecast is for 1,034 m.", "1,034 m", forecast) in ("seen", "elsewhere")


def test_a_bracket_ends_before_the_sentence_goes_on() -> None:
    answer = "The extra 170 million (+9.2%) exceeds the 150 million by 20 million."
    assert "170 million" in marked(answer, PRICE)


def test_words_of_address_are_no_names() -> None:
    answer = "**Nehmen Sie den Zug um 09:05 Uhr.** Er fährt vor Ihrem Termin. **Wichtig:** Verpassen Sie ihn nicht."
    assert marked(answer, "Zug ab 09:05 Winterthur; Termin in Chur") == []
    assert marked("Sixth is Lund with 75.", "Lund 75") == []
    assert marked("お子さんは15冊まで借りられます。", "小学生 15冊") == []
    assert marked("Windows 64-bit grew; Nos. 6 and 7 per 100 kg.", "win64 grew; No. 6, No. 7") == []
    assert marked("R&D rose to 148.3.", '[{"period": "Q2", "researchAndDevelopment": 148.3}]') == []
