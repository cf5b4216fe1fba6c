"""Which way a change goes: right sentences that words of another clause seem to turn, and turned ones."""

from __future__ import annotations

from tests.support.cases import each
from tests.support.traced import marked, verdict

SITES = """| Site | 2023 | 2024 |
| --- | --- | --- |
| North | 4120 | 3890 |
| South | 2950 | 3310 |
| West | 1780 | 1655 |
"""
DOWNTIME = """| Month | Downtime (h) | Complaints | Contracts |
| --- | --- | --- | --- |
| Jan | 48 | 320 | 50 |
| Feb | 36 | 352 | 56 |
"""
ACCOUNTS = (
    "Losses were 12.4 million in 2024 and 15.5 million in 2023. Debt was 80 million in 2024 and 64 million in 2023."
)
WARDS = "L'hôpital a 486 lits, soit 18 de moins qu'en 2023, et 268 médecins, soit 17 de plus qu'en 2023."
KLINIK = "Die Klinik hat 486 Betten, 18 weniger als 2023, und 268 Ärzte, 17 mehr als 2023."
CAMAS = "El hospital tiene 486 camas, 18 menos que en 2023, y 268 médicos, 17 más que en 2023."
BEDS = "The hospital has 486 beds, 18 fewer than in 2023, and 268 doctors, 17 more than in 2023."
BYOIN = "病院の病床数は486床で前年より18床少なく、医師は268人で前年より17人多い。"


@each(
    ("answer", "observed"),
    [
        ("West was 125 higher in 2023.", SITES),
        ("In 2023, West's sales were 125 higher, at 1,780.", SITES),
        ("While the others declined, South reached 3,310: 12.2% against 2,950 in 2023.", SITES),
        ("While North and West fell, the change in South was +360, or +12.2%.", SITES),
        ("North: 3,890, against 4,120 in 2023 (−230, or −5.6%).", SITES),
        ("Nord fiel, während South von 2.950 auf 3.310 zulegte: +12,2 %.", SITES),
        ("Despite the fall in North, South changed from 2,950 to 3,310, by 12.2%.", SITES),
        ("Alors que North baisse, South passe de 2 950 à 3 310 : +12,2 %.", SITES),
        ("Mientras que North baja, South pasa de 2.950 a 3.310: +12,2 %.", SITES),
        ("Downtime improved by 25%, from 48 to 36 hours.", DOWNTIME),
        ("An improvement of 25%: downtime went from 48 to 36 hours.", DOWNTIME),
        ("Contracts: 56 after 50, 12% more.", DOWNTIME),
        ("South legte 360 zu, North büßte 230 ein: 3.890 nach 4.120.", SITES),
        ("The loss narrowed from 15.5 million to 12.4 million. Debt climbed 25%.", ACCOUNTS),
        ("Complaints grew (downtime: 36 after 48 hours, 25% less).", DOWNTIME),
    ],
)
def test_a_change_that_goes_as_it_is_said(answer: str, observed: str) -> None:
    assert marked(answer, observed) == []


@each(
    ("answer", "figure", "observed"),
    [
        ("486 lits (−18) et 268 médecins (+17).", "−18", WARDS),
        ("486 Betten (−18) und 268 Ärzte (+17).", "−18", KLINIK),
        ("486 camas (−18) y 268 médicos (+17).", "−18", CAMAS),
        ("486 beds (−18) and 268 doctors (+17).", "−18", BEDS),
        ("病床数は486床(−18)、医師は268人(+17)。", "−18", BYOIN),
    ],
)
def test_a_sign_for_what_is_said_to_be_less(answer: str, figure: str, observed: str) -> None:
    assert verdict(answer, figure, observed) in ("seen", "elsewhere")


@each(
    ("answer", "figure", "observed"),
    [
        ("486 lits et 268 médecins, soit −17.", "−17", WARDS),
        ("West was 125 higher in 2024.", "125", SITES),
        ("West's sales were 125 higher than in 2023, at 1,655.", "125", SITES),
        ("South fell by 12.2%, from 2,950 to 3,310.", "12.2%", SITES),
        ("While the others rose, South fell from 2,950 to 3,310, by 12.2%.", "12.2%", SITES),
        ("North changed from 4,120 to 3,890 (+5.6%).", "5.6%", SITES),
        ("The loss narrowed by 25%, from 15.5 million to 12.4 million.", "25%", ACCOUNTS),
        ("Downtime rose by 25%, from 48 to 36 hours.", "25%", DOWNTIME),
    ],
)
def test_a_change_that_is_turned(answer: str, figure: str, observed: str) -> None:
    assert verdict(answer, figure, observed) in ("differs", "not_found")
