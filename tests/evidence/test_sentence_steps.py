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
    ],
)  # fmt: skip
def test_what_a_sentence_leads_to(observed: str, answer: str, right: str, wrong: str, found: str) -> None:
    assert verdict(answer.format(right), right.lstrip("+"), observed) == found
    assert verdict(answer.format(wrong), wrong.lstrip("+"), observed) in ("not_found", "differs")


def test_a_bracket_ends_before_the_sentence_goes_on() -> None:
    answer = "The extra 170 million (+9.2%) exceeds the 150 million by 20 million."
    assert "170 million" in marked(answer, PRICE)
