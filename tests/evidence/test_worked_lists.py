"""Lists and tables of an answer that one formula over the observed columns leads to, whatever their rows are called."""

from __future__ import annotations

from tests.support.cases import each
from tests.support.traced import verdict

STOCK = """sku,name,on_hand,target,unit_cost_gbp,supplier
K-11,Paint brush 50 mm (box 10),14,40,11.35,Ferro
K-12,Wood filler white 1 L,9,72,5.9,Kolb
K-13,Saw blade 190 mm,3,30,18.75,Turm
K-14,Work gloves L (box 50),31,200,7.2,Kolb
"""
REORDER = """Filling each to target takes **{all} units for £2,666.60**:

- Work gloves: 169, £1,216.80
- Saw blade: 27, {saw}
- Wood filler: 63, £371.70
- Paint brush: 26, £295.10

Kolb's two lines come to {two}."""
FLIGHTS = """{"passengers": 3, "offers": [
 {"id": "A1", "carrier": "Norra", "price": 714.60, "bag_each": 38.0, "minutes": 170},
 {"id": "A2", "carrier": "Solair", "price": 561.90, "bag_each": 46.5, "minutes": 175},
 {"id": "A3", "carrier": "Vento", "price": 648.30, "bag_each": 30.0, "minutes": 345}]}"""
BAGS = """With a bag for each of the three:

- Solair: €701.40
- Vento: {vento}
- Norra: €828.60"""
ASSAY = """sample   dilution   c_undiluted (ug/mL)
S-1      1:5        3195
S-2      1:5        2222
S-3      1:10       5516
S-4      1:10       1876
"""
LOADED = """| Sample | Conc. (mg/mL) | Volume for 30 µg |
|---|---|---|
| S-1 | 3.20 | 9.4 µL |
| S-2 | 2.22 | {second} µL |
| S-3 | 5.52 | 5.4 µL |
| S-4 | 1.88 | 16.0 µL |"""
FUEL = """date,odometer_km,litres,total_eur
2025-03-08,48210,41.20,71.23
2025-03-29,48892,42.35,71.53
2025-04-19,49614,43.10,71.50
2025-05-12,50247,38.75,63.90
2025-06-07,50921,40.62,68.20
"""
PER_100 = """| Fill-up | km | l/100 km |
|---|---|---|
| 29 Mar | 682 | 6.21 |
| 19 Apr | 722 | {april} |
| 12 May | 633 | 6.12 |
| 7 Jun (roof box) | 674 | 6.03 |

The four after the first cost {all}."""
TRIAL = """                         Velorin     Placebo
Randomised                   412         409
Any adverse event            247         209
  Nausea                      74          33
  Fatigue                     45          37
  Constipation                37          16
Serious adverse event          9          11
"""
EFFECTS = """| | Velorin | Placebo |
|---|---|---|
| Any | 60% | 51% |
| Nausea | 18% | {nausea} |
| Fatigue | 11% | 9% |
| Constipation | 9% | 4% |
| Serious | 2.2% | 2.7% |"""
SEATS = """Party                      Votes %   2021 %   Seats   2021
Reform Party (REF)            27.4     31.2      48     55
Centre (CEN)                  24.1     19.6      43     35
Liberals (LIB)                11.9     13.0      21     23
Farmers (FAR)                  3.4      5.1       6      9
"""
CHANGES = """| Party | Seats | vs. 2021 |
|---|---|---|
| REF | 48 | −7 |
| CEN | 43 | {cen} |
| Liberals | 21 | −2 |
| FAR | 6 | −3 |"""
LEAGUE = """Pos Team                 P   W   D   L   GF  GA   Pts
 1  Alder United        20  13   4   3   43  15   43
 9  Marsh Row           20   5   4  11   22  33   19
10  Old Verity          20   4   6  10   19  34   18
11  Seaton Pit          20   3   5  12   17  41   14
"""
GOALS = """| Team | GD |
|---|---|
| 1. Alder United | +28 |
| 9. Marsh Row | {marsh} |
| 10. Old Verity (play-off) | −15 |
| 11. Seaton Pit | −24 |"""
MEDALS = """{"table": [
 {"rank": 1, "noc": "GER", "gold": 31, "silver": 24, "bronze": 29},
 {"rank": 2, "noc": "GBR", "gold": 28, "silver": 30, "bronze": 22},
 {"rank": 3, "noc": "NED", "gold": 22, "silver": 12, "bronze": 14}]}"""
NATIONS = """The three won 212 medals:

| # | Country | Gold | Total |
|---|---|---|---|
| 1 | Germany | 31 | 84 |
| 2 | Great Britain | 28 | {britain} |
| 3 | Netherlands | 22 | 48 |"""
GOODS = """sku,description,on_hand,unit_cost_eur,supplier
A1,Bolt,84,11.20,Ferro
A2,Nut,31,16.75,Ferro
B1,Drill,9,118.50,Tool
B2,Saw,22,64.90,Tool
C1,Glove,205,14.10,Prot
C2,Mask,47,17.80,Prot
"""
VALUES = """| Supplier | Value |
|---|---|
| Prot | €3,727.10 |
| Tool | {tool} |
| Ferro | €1,460.05 |"""
SUBS = """{"months": [
 {"month": "2025-02", "new": 1312, "churned": 589, "mrr": 542310.50, "subs": 19143},
 {"month": "2025-03", "new": 1455, "churned": 631, "mrr": 566871.00, "subs": 19967},
 {"month": "2025-06", "new": 1077, "churned": 1163, "mrr": 608905.00, "subs": 20563}]}"""
NET = """| Month | Net | MRR per sub |
|---|---|---|
| Feb | +723 | $28.33 |
| Mar | +824 | $28.39 |
| Jun | {june} | $29.61 |"""
SHEET = """TIMESHEET  week 7  rate 17.40
date        in     out    break_min  site          note
Mon 09 Feb  07:55  16:30         30  Depot A
Tue 10 Feb  08:00  17:15         45  Depot A
Wed 11 Feb  06:00  14:20         30  Rail yard     early shift
"""
HOURS = """| Day | Hours |
|---|---|
| Mon | 8 h 05 |
| Tue | {tuesday} |
| Wed | 7 h 50 |
| **Sum** | **{all}** |"""


@each(
    ("answer", "text", "expected", "observed"),
    [
        (REORDER.format(all="285", saw="£506.25", two="£1,588.50"), "£506.25", "worked_out", STOCK),
        (REORDER.format(all="285", saw="£506.25", two="£1,588.50"), "£371.70", "worked_out", STOCK),
        (REORDER.format(all="285", saw="£506.25", two="£1,588.50"), "285", "worked_out", STOCK),
        (REORDER.format(all="285", saw="£506.25", two="£1,588.50"), "£1,588.50", "elsewhere", STOCK),
        (REORDER.format(all="258", saw="£506.25", two="£1,588.50"), "258", "not_found", STOCK),
        (REORDER.format(all="285", saw="£560.25", two="£1,588.50"), "£560.25", "not_found", STOCK),
        (REORDER.format(all="285", saw="£506.25", two="£1,558.50"), "£1,558.50", "not_found", STOCK),
        (BAGS.format(vento="€738.30"), "€738.30", "worked_out", FLIGHTS),
        (BAGS.format(vento="€738.30"), "€701.40", "worked_out", FLIGHTS),
        (BAGS.format(vento="€783.30"), "€783.30", "not_found", FLIGHTS),
        (LOADED.format(second="13.5"), "13.5", "worked_out", ASSAY),
        (LOADED.format(second="15.3"), "15.3", "differs", ASSAY),
        (PER_100.format(april="5.97", all="€275.13"), "5.97 |", "worked_out", FUEL),
        (PER_100.format(april="5.97", all="€275.13"), "5.97", "worked_out", FUEL),
        (PER_100.format(april="5.97", all="€275.13"), "€275.13", "possible", FUEL),
        (PER_100.format(april="5.79", all="€275.13"), "5.79", "differs", FUEL),
        (EFFECTS.format(nausea="8%"), "8%", "worked_out", TRIAL),
        (EFFECTS.format(nausea="6%"), "6%", "differs", TRIAL),
        (CHANGES.format(cen="+8"), "8 |\n| Lib", "worked_out", SEATS),
        (CHANGES.format(cen="−8"), "−8", "elsewhere", SEATS),
        (GOALS.format(marsh="−11"), "−11", "worked_out", LEAGUE),
        (GOALS.format(marsh="+11"), "11 |", "elsewhere", LEAGUE),
        (NATIONS.format(britain="80"), "80", "worked_out", MEDALS),
        (NATIONS.format(britain="80"), "212", "worked_out", MEDALS),
        (VALUES.format(tool="€2,494.30"), "€2,494.30", "worked_out", GOODS),
        (NET.format(june="−86"), "−86", "worked_out", SUBS),
        (NET.format(june="−86"), "$28.39", "worked_out", SUBS),
        (NET.format(june="+86"), "86", "elsewhere", SUBS),
        (HOURS.format(tuesday="8 h 30", all="24 h 25"), "8 h 30", "worked_out", SHEET),
        (HOURS.format(tuesday="8 h 30", all="24 h 25"), "24 h 25", "worked_out", SHEET),
        (HOURS.format(tuesday="8 h 30", all="24 h 52"), "24 h 52", "not_found", SHEET),
    ],
)
def test_a_list_that_one_formula_leads_to(answer: str, text: str, expected: str, observed: str) -> None:
    assert verdict(answer, text, observed) == expected
