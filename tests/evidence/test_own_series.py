"""A column of the answer's own table that one formula leads to in every row, and a figure of it that it does not."""

from __future__ import annotations

from tests.support.cases import each
from tests.support.traced import verdict

TRAMS = """line,tram_km,passengers,energy_kwh,delay_s
1,1240,88420,4092,5160
2,980,61250,3136,2940
3,1510,120480,5285,7550
4,760,39710,2204,1900
"""
STALLS = """market,stall,takings_eur,visitors
Harbour,Fish,4120.50,310
Harbour,Bread,2875.00,402
Old Town,Cheese,3960.20,288
Old Town,Flowers,1744.80,205
Station,Soup,2210.00,366
Station,Coffee,3018.40,612
"""
BESUCHE = """Monat;Besucher;Einnahmen in Euro
2025-01;1840;16928
2025-02;2115;18823,50
2025-03;2960;27676
"""
PER_KM = """| Line | kWh per km |
|---|---|
| 1 | 3.30 |
| 2 | {two} |
| 3 | 3.50 |
| 4 | 2.90 |
"""
MINUTES = """| Line | Delay |
|---|---|
| 1 | 86 min |
| 2 | 49 min |
| 3 | {three} min |
| 4 | 31.67 min |
"""
PER_VISITOR = """| Market | Takings | Per visitor |
|---|---|---|
| Harbour | €6,995.50 | €9.83 |
| Old Town | {old} | €11.57 |
| Station | €5,228.40 | €5.35 |
"""
TURNED = """| | Harbour | Old Town | Station |
|---|---|---|---|
| Share of takings | 39.0% | 31.8% | {share} |
| Takings | €6,995.50 | €5,705.00 | €5,228.40 |
"""
JE_BESUCH = """| Monat | je Besuch |
|---|---|
| 2025-01 | 9,20 € |
| 2025-02 | 8,90 € |
| 2025-03 | {dritter} € |
"""


@each(
    ("answer", "figure", "observed", "found"),
    [
        (PER_KM.format(two="3.20"), "3.20", TRAMS, "worked_out"),
        (PER_KM.format(two="3.70"), "3.70", TRAMS, "differs"),
        (PER_KM.format(two="3.70"), "2.90", TRAMS, "worked_out"),
        (MINUTES.format(three="125.83"), "125.83 min", TRAMS, "seen"),
        # What the rows of one name come to, and a ratio of two such sums.
        (PER_VISITOR.format(old="€5,705.00"), "€5,705.00", STALLS, "worked_out"),
        (PER_VISITOR.format(old="€5,705.00"), "€11.57", STALLS, "worked_out"),
        (PER_VISITOR.format(old="€5,905.00"), "€5,905.00", STALLS, "not_found"),  # two others do not tell enough
        # Of rows that are measures, too.
        (TURNED.format(share="29.2%"), "29.2%", STALLS, "worked_out"),
        (JE_BESUCH.format(dritter="9,35"), "9,35 €", BESUCHE, "worked_out"),
    ],
)
def test_a_formula_that_fits_every_row(answer: str, figure: str, observed: str, found: str) -> None:
    assert verdict(answer, figure, observed) == found


def test_short_figures_that_any_formula_would_meet_are_not_explained() -> None:
    answer = "| Line | Score |\n|---|---|\n| 1 | 7 |\n| 2 | 5 |\n| 3 | 8 |\n"
    assert verdict(answer, "8", TRAMS) not in ("worked_out", "seen")
