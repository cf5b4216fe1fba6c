"""Figures that long answers work out over financial tables, in the words of several languages."""

from __future__ import annotations

from tests.support.cases import each
from tests.support.traced import marked, verdict

PLAN = """| Kostenstelle (in Tsd. EUR) | Plan 2025 | Ist 2025 |
| --- | --- | --- |
| Fuhrpark | 1.310 | 1.268 |
| Energie | 240 | 283 |
| Porto | 52 | 37 |
| Pacht | 180 | 180 |
"""
DIVISIONS = """| Division (€ million) | Sales 2024 | Sales 2023 | Change | EBIT 2024 | EBIT 2023 |
| --- | --- | --- | --- | --- | --- |
| Pumps | 842.0 | 801.5 | 5.1% | 64.4 | 58.9 |
| Valves | 413.6 | 430.2 | (3.9)% | 37.7 | 45.1 |
| Service | 295.8 | 251.0 | 17.8% | 41.0 | 30.2 |
| Company | 1,551.4 | 1,482.7 | 4.6% | 143.1 | 134.2 |
"""


@each(
    ("answer", "figure", "found", "observed"),
    [
        # "Tsd. EUR" ends no sentence, and 44 is in the scale of 60 thousand.
        ("Porto: 37 Tsd. EUR statt 52 Tsd. EUR, also 15 Tsd. EUR weniger.", "15", "worked_out", PLAN),
        ("Porto: 37 statt 52 Tsd. EUR, also 15 Tsd. EUR weniger.", "15", "worked_out", PLAN),
        ("Porto: 37 statt 52 Tsd. EUR, also 16 Tsd. EUR weniger.", "16", "not_found", PLAN),
        # 1.310 is a thousand where the table is in "Tsd.".
        ("Fuhrpark: 1.268 statt 1.310 Tsd. EUR, also 42 Tsd. EUR weniger.", "42", "worked_out", PLAN),
        ("Fuhrpark: 1.268 statt 1.310 Tsd. EUR, also 52 Tsd. EUR weniger.", "52 Tsd. EUR w", "elsewhere", PLAN),
        ("Fuhrpark und Energie kosteten 2025 zusammen 1.551 Tsd. EUR.", "1.551", "worked_out", PLAN),
        ("Fuhrpark und Energie kosteten 2025 zusammen 1.561 Tsd. EUR.", "1.561", "not_found", PLAN),
        ("Energie lag mit 283 Tsd. EUR über Plan, eine Überschreitung um 17,9 %.", "17,9", "worked_out", PLAN),
        ("Energie lag mit 283 Tsd. EUR über Plan, eine Überschreitung um 18,9 %.", "18,9", "not_found", PLAN),
        # "(3.9)%" is a number, so "%" names no row; the last row is the sum of the others.
        ("**Pumps** did well. EBIT rose by €5.5 million (9.3%).", "5.5", "worked_out", DIVISIONS),
        ("**Pumps** did well. EBIT rose by €5.7 million (9.3%).", "5.7", "not_found", DIVISIONS),
        ("Pumps contributed 54.3% of sales in 2024.", "54.3", "worked_out", DIVISIONS),
        ("Pumps contributed 53.4% of sales in 2024.", "53.4", "not_found", DIVISIONS),
    ],
)
def test_a_figure_is_worked_out(answer: str, figure: str, found: str, observed: str) -> None:
    assert verdict(answer, figure, observed) == found


def test_a_right_answer_has_no_mark() -> None:
    assert marked("Energie: 283 Tsd. EUR bzw. 17,9 % über Plan. Die Pacht blieb bei 180 Tsd. EUR.", PLAN) == []


HARVEST = """Harvest in tonnes
orchard,Q1,Q2,Q3,Q4
Hilltop,118,240,655,302
Riverside,96,187,540,281
Meadow,71,133,402,190
"""
GUESTS = "quarter,2023,2024\nQ1,201,214\nQ2,288,303\nQ3,340,352\nQ4,190,222\n"
STAGES = """| 期間 | 来場者 | 売店 |
| --- | --- | --- |
| 第1四半期 | 2,140 | 318 |
| 第2四半期 | 2,655 | 402 |
| 第3四半期 | 3,120 | 477 |
| 第4四半期 | 1,980 | 290 |
"""


@each(
    ("answer", "figure", "found", "observed"),
    [
        # The parts of one time add up across a row, in all rows, and in half of the year.
        ("Hilltop: 1,315", "1,315", "worked_out", HARVEST),
        ("Hilltop: 1,104", "1,104", "not_found", HARVEST),  # that is Riverside
        ("The three orchards harvested 3,215 tonnes in all.", "3,215", "worked_out", HARVEST),
        ("The three orchards harvested 3,225 tonnes in all.", "3,225", "not_found", HARVEST),
        ("Hilltop brought in 957 tonnes in the second half.", "957", "worked_out", HARVEST),
        ("Hilltop brought in 957 tonnes in the first half.", "957", "not_found", HARVEST),
        ("上期の来場者は4,795人でした。", "4,795", "worked_out", STAGES),
        ("下期の来場者は4,795人でした。", "4,795", "not_found", STAGES),
        ("The first half of 2024 brought 517 guests.", "517", "worked_out", GUESTS),
        ("The first half of 2023 brought 517 guests.", "517", "elsewhere", GUESTS),
        # What two columns come to is compared, or one with all of them.
        ("Over all orchards Q3 was 1,037 above Q2.", "1,037", "worked_out", HARVEST),
        ("Over all orchards Q3 was 1,027 above Q2.", "1,027", "not_found", HARVEST),
        ("Q3 brought 49.7% of the harvest of the year.", "49.7", "worked_out", HARVEST),
        ("Q2 brought 49.7% of the harvest of the year.", "49.7", "not_found", HARVEST),
        # A share of the column that a sum before it is of.
        (
            "Hilltop and Riverside brought 1,195 tonnes in Q3 together. That is 74.8% of all.",
            "74.8",
            "worked_out",
            HARVEST,
        ),
        (
            "Hilltop and Riverside brought 1,195 tonnes in Q3 together. That is 84.8% of all.",
            "84.8",
            "not_found",
            HARVEST,
        ),
        # A margin is of the sales in the same row, where measures are columns.
        ("Valves had a margin of 9.1% in 2024.", "9.1", "worked_out", DIVISIONS),
        ("Valves had a margin of 10.5% in 2023.", "10.5", "worked_out", DIVISIONS),
        ("Valves had a margin of 9.9% in 2024.", "9.9", "not_found", DIVISIONS),
    ],
)
def test_parts_and_wholes(answer: str, figure: str, found: str, observed: str) -> None:
    assert verdict(answer, figure, observed) == found


PLACES = """| 都市 | 2024年人口（万人） | 面積（km²） |
| --- | --- | --- |
| 北原市 | 48.2 | 310 |
| 南浜市 | 21.7 | 655 |
"""
RATES = """| 店 | 値引率 |
| --- | --- |
| 東店 | 20% |
| 西店 | 35% |
"""


@each(
    ("answer", "figure", "found", "observed"),
    [
        # The scale of one column is not that of another, and a ratio is in both.
        ("北原市の人口密度は1km²あたり約1,555人です。", "1,555", "worked_out", PLACES),
        ("北原市の人口密度は1km²あたり約1,655人です。", "1,655", "not_found", PLACES),
        ("東店は2割引きです。", "2割", "seen", RATES),
        ("西店は3割5分です。", "3割", "seen", RATES),
        ("西店は三割五分です。", "三割", "seen", RATES),
        ("東店は3割引きです。", "3割", "differs", RATES),
        ("西店は2割引きです。", "2割", "elsewhere", RATES),
    ],
)
def test_japanese_figures(answer: str, figure: str, found: str, observed: str) -> None:
    assert verdict(answer, figure, observed) == found


def test_a_step_that_fits_is_told_before_one_that_does_not() -> None:
    """(86 − 100) ÷ 100 is −14 %, too, but starts from the later value."""
    rows = "| Revenue | 610 | 640 | 500 |\n| Operating income | 86 | 100 | 70 |\n"
    observed = f"| (in millions) | 2021 | 2022 | 2023 |\n|---|---|---|---|\n{rows}"
    said = "The operating margin was 14.1% in 2021, 15.6% in 2022 and 14.0% in 2023."
    assert verdict(said, "14.0", observed) == "worked_out"
    assert verdict(said.replace("14.0", "14.8"), "14.8", observed) == "not_found"


@each(
    ("answer", "names"),
    [
        # A German noun with a capital is no name, nor is what describes it where a sentence begins.
        ("Die Energie kostete mit 283 Tsd. EUR mehr. Das war eine Überschreitung.\n\nÜber Plan:\n- Energie", []),
        ("Die Pacht blieb gleich.\n\n**Variable Kosten** sind der Fuhrpark und das Porto.", []),
        ("Die Pacht blieb gleich.\n\nErneuerbare Verträge gibt es nicht.", []),
        ("Die Pacht blieb gleich. Die Firma Nordhafen Logistik zahlt sie.", ["Firma Nordhafen Logistik"]),
        ("Die Pacht blieb gleich. Unter Heidrun Bockelmann stieg das Porto.", ["Heidrun Bockelmann"]),
    ],
)
def test_german_nouns(answer: str, names: list[str]) -> None:
    assert marked(answer, PLAN) == names


FARMS = (
    "| Farm | Eggs | Hens |\n| --- | --- | --- |\n| Oak | 1,840 | 62 |\n| Elm | 1,955 | 71 |\n| Ash | 2,050 | 75 |\n"
)


@each(
    ("answer", "figure", "found"),
    [
        ("Oak and Ash have, on average: 1945\nThat is all.", "1945", "worked_out"),
        ("Oak and Ash have, on average: **1945**", "1945", "worked_out"),
        ("Oak and Ash have, on average: 1954\nThat is all.", "1954", "not_found"),
        ("Oak and Ash, on average, founded: 1945\nThat is all.", "1945", "not_found"),
    ],
)
def test_a_number_behind_its_label_is_no_year(answer: str, figure: str, found: str) -> None:
    assert verdict(answer, figure, FARMS) == found


REGIONS = """| Revenue by region | 2024 | 2023 |
| --- | --- | --- |
| North America | 412 | 398 |
| Germany | 236 | 251 |
| Norway | 88 | 79 |
| Japan | 145 | 150 |
| Other | 52 | 61 |
| Total | 933 | 939 |
"""
ASSETS = """| Assets (in thousands) | 2024 | 2023 |
| --- | --- | --- |
| Land | 610 | 610 |
| Machines | 1,422 | 1,380 |
| Vehicles | 945 | 1,011 |
| Land, machines and vehicles, gross | 2,977 | 3,001 |
| Less depreciation | (1,204) | (1,118) |
| Land, machines and vehicles, net | 1,773 | 1,883 |
"""
SPARTEN = """| Sparte | Umsatz 2025 | Umsatz 2024 |
| --- | --- | --- |
| Pumpen | 310 | 290 |
| Ventile | 120 | 155 |
| Filter | 95 | 80 |
| Wartung | 75 | 70 |
| Gesamt | 600 | 595 |
"""
VISITS = """shop,visits
Harbour,1240
Station,980
Old Town,655
Mill,325
"""
STORES = """| 店舗 | 売上高 |
|---|---|
| 東店 | 420 |
| 西店 | 310 |
| 南店 | 150 |
| 北店 | 120 |
| 合計 | 1,000 |
"""


@each(
    ("observed", "answer", "figure", "found"),
    [
        # Of a whole, what rows come to that are all named: of its column, of the row that it is said to be over.
        (REGIONS, "Germany and Norway together make up 34.7% of total revenue in 2024.", "34.7", "worked_out"),
        (REGIONS, "Germany and Norway together make up 34.2% of total revenue in 2024.", "34.2", "not_found"),
        (REGIONS, "Germany and Japan together make up 34.7% of total revenue in 2024.", "34.7", "not_found"),
        (REGIONS, "In 2023, Germany and Norway made up 35.1% of the total.", "35.1", "worked_out"),
        (REGIONS, "In 2023, Germany and Norway made up 34.7% of the total.", "34.7", "elsewhere"),
        (
            REGIONS,
            "Germany, Norway and Japan account for 50.3% of revenue over the total in 2024.",
            "50.3",
            "worked_out",
        ),
        (REGIONS, "Germany, Norway and Japan account for 34.7% of total revenue in 2024.", "34.7", "not_found"),
        (
            REGIONS.replace("Total", ""),
            "The percentage of revenue from Germany and Norway over total revenue in 2024: 34.73%.",
            "34.73",
            "worked_out",
        ),
        (
            REGIONS.replace("Total", ""),
            "The percentage of revenue from Germany and Norway over total revenue in 2024: 34.37%.",
            "34.37",
            "not_found",
        ),
        (
            REGIONS[: REGIONS.index("| Total")],
            "In 2024, Germany and Norway were 34.7% of the total.",
            "34.7",
            "worked_out",
        ),
        (
            REGIONS[: REGIONS.index("| Total")],
            "In 2024, Germany and Norway were 37.4% of the total.",
            "37.4",
            "not_found",
        ),
        (REGIONS, "The proportion of Germany and Norway over the total in 2024: 0.35.", "0.35", "worked_out"),
        (REGIONS, "The proportion of Germany and Norway over the total in 2024: 0.53.", "0.53", "not_found"),
        (REGIONS, "In 2024, Germany and Norway rose by 34.7%.", "34.7", "not_found"),
        (
            ASSETS,
            "The proportion of land and vehicles over the gross value of land, machines and vehicles in 2024: 0.522.",
            "0.522",
            "worked_out",
        ),
        (
            ASSETS,
            "The proportion of land and vehicles over the gross value of land, machines and vehicles in 2024: 0.552.",
            "0.552",
            "not_found",
        ),
        (SPARTEN, "Pumpen und Filter machten 2025 zusammen 67,5 % des gesamten Umsatzes aus.", "67,5", "worked_out"),
        (SPARTEN, "Pumpen und Filter machten 2025 zusammen 76,5 % des gesamten Umsatzes aus.", "76,5", "not_found"),
        (SPARTEN, "Pumpen und Ventile machten 2025 zusammen 67,5 % des gesamten Umsatzes aus.", "67,5", "not_found"),
        (SPARTEN, "Pumpen und Filter machten 2024 zusammen 67,5 % des gesamten Umsatzes aus.", "67,5", "elsewhere"),
        (VISITS, "Harbour and Old Town had 59.2% of all visits.", "59.2", "worked_out"),
        (VISITS, "Harbour and Old Town had 52.9% of all visits.", "52.9", "not_found"),
        (VISITS, "Harbour and Station had 59.2% of all visits.", "59.2", "not_found"),
        (VISITS, "Together, the Mill and the Station account for 40.8% of the total visits.", "40.8", "worked_out"),
        (VISITS, "The Mill accounts for 40.8% of the total visits.", "40.8", "not_found"),
        (STORES, "東店と南店で全体の57%を占めます。", "57", "worked_out"),
        (STORES, "東店と南店で全体の75%を占めます。", "75", "not_found"),
        (STORES, "東店と西店で全体の57%を占めます。", "57", "not_found"),
    ],
)
def test_a_share_of_several_rows(observed: str, answer: str, figure: str, found: str) -> None:
    assert verdict(answer, figure, observed) == found
