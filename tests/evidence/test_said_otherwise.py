"""What an answer says in another form than its source: times, days, names, units, and lines of a timetable."""

from __future__ import annotations

from tests.support.cases import each
from tests.support.traced import verdict

FERRY = (
    "Coast Post, 6 October. The ferry Brise struck a rock at 5.52 a.m. near the pier. A boat came at 6.21 a.m.; by "
    "8.40 a.m. all were ashore. The moon had risen at 03:02."
)
HIT = "It hit the rock at 5:52 am. All were ashore by 8:40 am, i.e. 2 hours {minutes} minutes after it."
LETTER = "The rent ends in March 2026. What is left of the holidays lapses on 31 March. Ask Regalbraeu AG before."
DAY = """09:30-09:45  Doors (Foyer)
09:45-10:50  Talk on peat (Foyer)
10:50-11:20  Tea
12:10-13:25  Lunch
"""
PLANETS = """ name     | dist_ly | eq_temp_k | radius
----------+---------+-----------+--------
 Velar b  |    11.4 |       302 |   1.18
 Ostra c  |    26.8 |       418 |   1.03
"""
WEEKS = """{"unit": "km", "weeks": [
 {"week": "2025-07-28", "distance": 38.6, "long_run": 16.1, "elev_m": 412},
 {"week": "2025-08-04", "distance": 42.3, "long_run": 18.0, "elev_m": 388}]}"""
PLAN = '{"note": "Basic plan 24.90 -> 27.90 for customers so far"}'
SHRANK = "In this month alone the base shrank.\n- **Price:** the plan went from $24.90 to {price} (12% up)."
SHOPS = "店舗,前年売上(千円),当年売上(千円)\n本町店,18420,19155\n駅前店,15230,14310\n港店,42870,46920\n"
RECIPE = "From 4:30 pm | Prep 35 min | Simmer 50 min | Bake 40 min | Rest 15 min"
QUAKES = "event,depth_km,felt\nA,10.0,12\nB,12.1,30\nC,15.7,4\nD,11.0,19\n"
READY = "35 + 50 + 40 + 15 min = 2 h 20 min. Starting at 4:30 pm, you eat at about {time}."


@each(
    ("answer", "text", "expected", "observed"),
    [
        ("It struck the rock at 5:52 am.", "5:52 am", "seen", FERRY),
        ("It struck the rock at 5:25 am.", "5:25 am", "differs", FERRY),
        (HIT.format(minutes=48), "2 hours 48", "worked_out", FERRY),
        (HIT.format(minutes=38), "2 hours 38", "not_found", FERRY),
        ("The moon rose shortly after 3 am.", "3 am", "seen", FERRY),
        ("The moon rose shortly before 3 am.", "3 am", "differs", FERRY),
        ("The rent ends on 30 March 2026.", "30 March 2026", "possible", LETTER),
        ("Holidays lapse on 31 March 2027.", "31 March 2027", "possible", LETTER),
        ("Ask the Regalbräu first.", "Regalbräu", "seen", LETTER),
        ("Lunch takes 75 minutes.", "75 minutes", "worked_out", DAY),
        ("Lunch takes 57 minutes.", "57 minutes", "not_found", DAY),
        ("The doors open at 09:30.", "09:30", "seen", DAY),
        ("Ostra c has 418 K.", "418 K", "seen", PLANETS),
        ("Ostra c has 145 °C.", "145 °C", "worked_out", PLANETS),
        ("Ostra c has 154 °C.", "154 °C", "differs", PLANETS),
        ("In the week from July 28 the distance was 38.6 km.", "38.6 km", "seen", WEEKS),
        (SHRANK.format(price="$27.90"), "$27.90", "seen", PLAN),
        ("The plan fell from $24.90 to $27.90.", "$27.90", "differs", PLAN),
        ("全3店のうち増収は2店、減収は1店です。", "3店", "possible", SHOPS),
        ("全3店のうち増収は2店、減収は1店です。", "2店", "possible", SHOPS),
        ("全4店です。", "4店", "not_found", SHOPS),
        # What only rounds to a count proves none.
        ("Six of the seven events fell on 14 March.", "Six", "possible", QUAKES),
        (READY.format(time="6:50 pm"), "6:50 pm", "possible", RECIPE),
        (READY.format(time="6:05 pm"), "6:05 pm", "differs", RECIPE),
    ],
)
def test_a_claim_in_another_form(answer: str, text: str, expected: str, observed: str) -> None:
    assert verdict(answer, text, observed) == expected
