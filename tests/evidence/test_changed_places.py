"""Figures in prose that have changed places, and right ones that only share words with each other's sentence."""

from __future__ import annotations

from tests.support.cases import each
from tests.support.traced import marked

BALLOT = (
    "Wahlberechtigt waren 12.400 Mitglieder, 7.812 schickten den Wahlzettel zurück, darunter 96 leere. "
    "Der Vorstand erhielt 904 Stimmen, die Gegenliste 812."
)
WORKS = "Das Werk hat 214 Beschäftigte, 22 weniger als 2023, und fertigte 18.400 Fahrräder, 1.150 mehr als 2023."
ACCOUNTS = (
    "Losses were 12.4 million in 2024 and 15.5 million in 2023. Debt was 80 million in 2024 and 64 million in 2023."
)
RIVERS = "The Lenn is 412 km long and rises at 1,840 m. The Orsa is 265 km long and rises at 2,110 m."
FERRIES = """The line carried 412,300 people in 2024, 38,150 of them with a car.
5,210 crossings were planned and 164 called off.
"""
LIBRARY = "図書館の貸出冊数は18万2,400冊、来館者数は9万8,300人、登録者は2万3,500人でした。"
ROOMS = "Le musée a reçu 84 210 visiteurs. La boutique a vendu 6 310 catalogues et la cafétéria a servi 21 900 repas."
TOWNS = "Eslund hat 41.200 Einwohner und 18 Schulen, Norburg hat 36.900 Einwohner und 25 Schulen."
SHAFT = "The shaft of 86 m was measured in 1971 by the school. A 2019 laser scan of the club corrected it to 91.5 m."
TRIAL = "In a trial with 640 members, drowsiness was noted by 52 people on Velorin and by 21 of 655 on none."
STOVES = (
    "Of all homes 9% have a stove, up from 4%. Electric heaters stand at 12%. Among farms 12% have a stove. "
    "On noise, 71% of stove owners are content, 44% of gas owners."
)
TUNNEL = "A tunnel of 3 km opened in May. The trip through the tunnel takes 4 minutes; the boat took 35 minutes."
STAGE = """Pos  Rider          Team       Gap
2    Ole Brandt     Nord       +   1:31
3    Ivo Maric      Adria      +   2:08
"""


@each(
    ("answer", "observed"),
    [
        ("7.812 von 12.400 Mitgliedern haben abgestimmt. 96 Zettel waren leer.", BALLOT),
        ("Beteiligung: 7.812 der 12.400 Wahlberechtigten. Ungültig war kein Zettel, leer waren 96.", BALLOT),
        ("Für die Liste stimmten 812, für den Vorstand 904 der 7.812, die den Zettel schickten.", BALLOT),
        ("Im Jahr 2024 sind es 214 Beschäftigte, 22 weniger als im Jahr 2023.", WORKS),
        ("The loss narrowed from 15.5 million to 12.4 million. Debt stood at 80 million.", ACCOUNTS),
        ("Debt: 80 million. Losses: 12.4 million.", ACCOUNTS),
        ("Losses shrank to 12.4 million, while debt rose to 80 million. Losses are falling.", ACCOUNTS),
        ("Of 5,210 planned crossings, 164 were called off. Of 412,300 people, 38,150 had a car.", FERRIES),
        ("La boutique a vendu 6 310 catalogues. 84 210 visiteurs sont venus, 21 900 repas ont été servis.", ROOMS),
        ("来館者数は9万8,300人、登録者は2万3,500人、貸出冊数は18万2,400冊です。", LIBRARY),
        ("The Orsa rises at 2,110 m and is 265 km long; the Lenn is 412 km long.", RIVERS),
        ("The shaft is 91.5 m deep, by a laser scan of 2019. It is 5.5 m more than the 86 m measured before.", SHAFT),
        ("In the trial quoted, 52 of 640 members on Velorin felt drowsy.", TRIAL),
        ("9% of homes heat with a stove now. They stand out among farms: 12% have one.", STOVES),
        ("It replaced a 35-minute boat trip by a tunnel of 4 minutes.", TUNNEL),
        ("Brandt is second at 1:31. Maric is third, at 2:08, behind Brandt.", STAGE),
    ],
)
def test_figures_in_their_places(answer: str, observed: str) -> None:
    assert [claim for claim in marked(answer, observed) if claim != "2024"] == []


@each(
    ("answer", "figures", "observed"),
    [
        ("The Lenn is 265 km long, the Orsa 412 km.", ["265 km", "412 km"], RIVERS),
        ("Debt was 12.4 million and losses were 80 million in 2024.", ["12.4 million", "80 million"], ACCOUNTS),
        ("Eslund hat 36.900 Einwohner, Norburg 41.200.", ["36.900", "41.200"], TOWNS),
        ("Für die Gegenliste stimmten 904, für den Vorstand 812.", ["904", "812"], BALLOT),
        ("来館者数は18万2,400冊（前年比3%増）、貸出冊数は9万8,300人でした。", ["18万2,400", "3%", "9万8,300"], LIBRARY),
    ],
)
def test_figures_that_have_changed_places(answer: str, figures: list[str], observed: str) -> None:
    assert marked(answer, observed) == figures
