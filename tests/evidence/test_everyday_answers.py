"""Everyday answers over what services, contracts, league tables and Japanese shops give."""

from __future__ import annotations

from tests.support.cases import each
from tests.support.traced import verdict

SERVICE = (
    '{"service":"mail","period":"2026-11-16/2026-11-22","requests":984330,"errors":3111,"p50_ms":84,"p95_ms":412,'
    '"incidents":[{"start":"2026-11-18T09:42:00Z","errors":2288},{"start":"2026-11-21T22:05:00Z","errors":190}]}'
)
LEASE = (
    "1. The term begins on 1 March 2026 and ends on 28 February 2028. 2. The rent is GBP 1,250 per month. 3. From the "
    "second year the rent rises by 4%. 4. The tenant may leave after the first twelve months."
)
LEAGUE = (
    "Pos Team           P  W  D  L  GF  GA  Pts\n1   Harbour United 30 21 5  4  61  24  68\n"
    "2   Northgate      30 19 6  5  58  29  63\n3   St Anne's      30 8  9  13 33  45  33\n"
)
SHOPS = "| 店舗 | 来客数 | 売上（千円） |\n|---|---|---|\n| 本店 | 12,480 | 18,720 |\n| 駅前店 | 15,210 | 16,731 |\n"
CITIES = "city,people_2010,people_2020\nWien,1714,1911\nGraz,262,291\nLinz,190,206"
MIX = (
    "| Source | 2022 GWh | 2023 GWh | 2024 GWh |\n|---|---|---|---|\n"
    "| Wind | 412 | 468 | 531 |\n| Gas | 1,020 | 905 | 760 |"
)
DESCRIBED = (
    "              count   mean    std   min   25%   50%    75%    max\n"
    "duration_min   1520  34.61  18.42   4.0  21.0  31.0   44.0  180.0\n"
    "price_eur      1520  12.85   6.10   2.5   8.4  11.9   15.8   61.0\n"
)
VIADUCT = (
    "The viaduct was completed in 1891. Until the line closed in 1964 it was used by 22 trains a day. 145,000 people "
    "crossed it in 2024, up from 118,000 in 2019. Of the arches 12 of 64 are listed."
)
BUDGET = (
    "Income: salary 3,240.00; child benefit 255.00\nFixed: rent 1,085.00; insurance 148.50; phone 39.98\n"
    "Variable: food 612.40; fuel 164.75\n"
)
BOILER = "Dimensions (H x W x D): 1650 x 620 x 640 mm\nWeight: 92 kg\n"
RAISED = "The rent is £1,250 a month. From March 2027 it goes up by 4% to £1,300 a month for the second year."
WITHOUT = "3,111 requests failed. The two incidents caused 2,478 of them. Without them only 633 would have failed."


@each(
    "answer, text, observed, expected",
    [
        ("In the week of 16 to 22 November it handled 984,330.", "22 November", SERVICE, "seen"),
        ("In the week of 16 to 23 November it handled 984,330.", "23 November", SERVICE, "not_found"),
        ("95% stayed below 412 ms.", "95%", SERVICE, "seen"),
        ("99% stayed below 412 ms.", "99%", SERVICE, "not_found"),
        (WITHOUT, "633", SERVICE, "possible"),
        (WITHOUT.replace("633", "663"), "663", SERVICE, "not_found"),
        (RAISED, "£1,300", LEASE, "worked_out"),
        (RAISED, "March 2027", LEASE, "possible"),
        (RAISED.replace("£1,300", "£1,350"), "£1,350", LEASE, "differs"),
        ("They won 21 of 30 games (70%).", "70%", LEAGUE, "worked_out"),
        ("They won 21 of 30 games (77%).", "77%", LEAGUE, "not_found"),
        ("Harbour United have 68 points.", "68", LEAGUE, "seen"),
        ("Harbour United have 63 points.", "63", LEAGUE, "elsewhere"),
        ("- **本店**：来客数は多く、客単価は1,500円です。", "1,500円", SHOPS, "worked_out"),
        ("- **本店**：来客数は多く、客単価は1,100円です。", "1,100円", SHOPS, "not_found"),
        ("Vienna has 1911 people.", "1911", CITIES, "seen"),
        ("Wind grew. Two years earlier it was 412 GWh.", "Two years", MIX, "possible"),
        ("Wind grew. Four years earlier it was 412 GWh.", "Four years", MIX, "not_found"),
        ("Wind grew by 13.6% in 2023 and 13.5% in 2024.", "2023", MIX, "seen"),
        ("The mean price is €12.85.", "€12.85", DESCRIBED, "seen"),
        ("The mean price is €61.", "€61", DESCRIBED, "elsewhere"),
        (
            "It was used for 73 years, until the line closed in 1964. It was built in 1891.",
            "73 years",
            VIADUCT,
            "elsewhere",
        ),
        (
            "It was used for 78 years, until the line closed in 1964. It was built in 1891.",
            "78 years",
            VIADUCT,
            "not_found",
        ),
        ("145,000 people crossed it in 2024, 23% more than in 2019.", "23%", VIADUCT, "elsewhere"),
        ("145,000 people crossed it in 2024, 32% more than in 2019.", "32%", VIADUCT, "not_found"),
        ("You had €3,495 coming in.", "€3,495", BUDGET, "possible"),
        ("You had €3,945 coming in.", "€3,945", BUDGET, "not_found"),
        ("You spent €2,050.63 in all.", "€2,050.63", BUDGET, "possible"),
        ("At 1.65 m it is tall.", "1.65 m", BOILER, "worked_out"),
        ("At 1.56 m it is tall.", "1.56 m", BOILER, "differs"),
    ],
)
def test_everyday_answers(answer: str, text: str, observed: str, expected: str) -> None:
    assert verdict(answer, text, observed) == expected
