"""Times and spans that follow from the times of a row: an arrival with its delay, a length, what is left."""

from __future__ import annotations

from tests.support.cases import each
from tests.support.traced import verdict

FERRIES = """{"from":"Vik","to":"Ness","sailings":[
{"ship":"Alma","dep":"07:15","arr":"11:40","delay_min":6,"fare":{"seat":42.50,"cabin":88.00}},
{"ship":"Berit","dep":"08:05","arr":"12:52","delay_min":0,"fare":{"seat":36.00,"cabin":71.00}},
{"ship":"Carla","dep":"09:30","arr":"14:20","delay_min":13,"fare":{"seat":29.80,"cabin":64.00}},
{"ship":"Dina","dep":"23:50","arr":"04:35","delay_min":0,"fare":{"seat":21.10,"cabin":55.00}}
]}"""
BUSES = """| Bus | Leaves | Arrives | Delay (min) |
| --- | --- | --- | --- |
| N4 | 18:10 | 19:02 | 7 |
| X9 | 18:25 | 19:31 | 0 |
"""
NOTE = "Der Zug nach Ulm fährt um 14:08 ab und kommt um 16:31 an, heute mit 12 Minuten Verspätung."
RACE = """rank,name,start,finish_time
1,Ida Holm,08:00,03:12:40
2,Jon Ek,08:00,03:15:05
3,Mia Lund,08:00,03:20:11
"""
LOANS = """| Book | Reader | Due | Returned |
| --- | --- | --- | --- |
| Tides | Ada | 2024-03-01 | 2024-03-29 |
| Moss | Ben | 2024-03-11 | 2024-03-08 |
| Reeds | Cem | 2024-02-05 | 2024-04-02 |
| Salt | Dag | 2024-01-10 | 2024-01-24 |
"""
WORKS = (
    "Le permis date du 11 juillet 2023, les travaux du chantier ont débuté le 4 mars 2024, "
    "pour une livraison en septembre 2026."
)
ASKED = "Which ship reaches Ness before 13:00?"


@each(
    ("answer", "claim", "observed", "question"),
    [
        ("The Alma sails at 07:15 and is 6 minutes late, so expect about 11:46.", "11:46", FERRIES, ASKED),
        ("The Alma of 07:15 takes 4h 25m.", "4h 25", FERRIES, ASKED),
        ("The Alma leaves at 07:15. It takes 4 hours 25 minutes.", "4 hours", FERRIES, ASKED),
        ("The 07:15 ship arrives 80 minutes before your deadline.", "80 minutes", FERRIES, ASKED),
        ("The 07:15 takes 4h 25m; the 08:05 takes 22 minutes longer.", "22 minutes", FERRIES, ASKED),
        (
            "The Alma of 07:15 is best.\n\n- The 08:05 is on time. The trip takes 22 minutes longer.",
            "22 min",
            FERRIES,
            ASKED,
        ),
        ("The 08:05 leaves just 8 minutes before your deadline.", "8 minutes", FERRIES, ASKED),
        ("The 09:30 would arrive 80 minutes too late.", "80 minutes", FERRIES, ASKED),
        ("The 09:30 is 13 minutes late and would be in at 14:33.", "14:33", FERRIES, ASKED),
        ("With its delay the 07:15 is in at 11:46, 74 minutes before 13:00.", "74 minutes", FERRIES, ASKED),
        ("The 23:50 sails overnight and takes 4h 45m.", "4h 45", FERRIES, ASKED),
        ("The Berit sails at 08:05, 50 minutes after the 07:15.", "50 minutes", FERRIES, ASKED),
        ("The N4 is due at 19:02, so with its delay it comes at 19:09.", "19:09", BUSES, "?"),
        ("The N4 takes 52 minutes.", "52 minutes", BUSES, "?"),
        ("The X9 takes 14 minutes longer than the N4.", "14 minutes", BUSES, "?"),
        ("Der Zug ab 14:08 braucht 2 Std. 23 Min. und kommt heute um 16:43 an.", "16:43", NOTE, "?"),
        ("Der Zug fährt um 14:08 und braucht 143 Minuten.", "143 Minuten", NOTE, "?"),
        ("Ida Holm started at 08:00 and finished at about 11:12.", "11:12", RACE, "?"),
        ("Jon Ek – 2 min 25 s behind Ida Holm", "2 min 25 s", RACE, "?"),
        ("Ada returned Tides 28 days late.", "28 days", LOANS, "?"),
        ("Cem kept Reeds for 57 days after it was due.", "57 days", LOANS, "?"),
        ("After the 07:15 has come in, there are 12 h 10 min left until the 23:50.", "12 h 10", FERRIES, ASKED),
        ("Le chantier, commencé le 4 mars 2024, dure 30 mois.", "30 mois", WORKS, "?"),
        ("Le permis avait été obtenu 8 mois avant le début des travaux.", "8 mois", WORKS, "?"),
        ("Dag war mit Salt 14 Tage zu spät.", "14 Tage", LOANS, "?"),
    ],
)
def test_a_span_or_a_time_of_a_row(answer: str, claim: str, observed: str, question: str) -> None:
    assert verdict(answer, claim, observed, question) == "worked_out"


@each(
    ("answer", "claim", "observed", "question"),
    [
        ("The Alma sails at 07:15 and is 6 minutes late, so expect about 11:49.", "11:49", FERRIES, ASKED),
        ("The Alma of 07:15 takes 4h 37m.", "4h 37", FERRIES, ASKED),
        ("The 07:15 ship arrives 83 minutes before your deadline.", "83 minutes", FERRIES, ASKED),
        ("The 07:15 takes 4h 25m; the 08:05 takes 27 minutes longer.", "27 minutes", FERRIES, ASKED),
        ("The 09:30 would arrive 85 minutes too late.", "85 minutes", FERRIES, ASKED),
        ("The 09:30 is 13 minutes late and would be in at 14:39.", "14:39", FERRIES, ASKED),
        ("The N4 is due at 19:02, so with its delay it comes at 19:19.", "19:19", BUSES, "?"),
        ("The N4 takes 57 minutes.", "57 minutes", BUSES, "?"),
        ("The X9 takes 17 minutes longer than the N4.", "17 minutes", BUSES, "?"),
        ("Der Zug fährt um 14:08 und braucht 148 Minuten.", "148 Minuten", NOTE, "?"),
        ("Jon Ek – 2 min 55 s behind Ida Holm", "2 min 55 s", RACE, "?"),
        ("Ada returned Tides 23 days late.", "23 days", LOANS, "?"),
    ],
)
def test_a_span_or_a_time_that_does_not_follow(answer: str, claim: str, observed: str, question: str) -> None:
    assert verdict(answer, claim, observed, question) in ("not_found", "differs")
