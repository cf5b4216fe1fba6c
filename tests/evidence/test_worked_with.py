"""What a figure is worked out from: figures that were worked out, rows named before, words of several languages."""

from __future__ import annotations

from tests.support.cases import each
from tests.support.traced import verdict

FARMS = """farm,cows
Alta,120
Berg,85
Coro,240
Dune,64
"""
PARISHES = """parish,sheep_1998,sheep_2008,barns
Aldby,1240,1395,12
Brekke,2310,2105,31
Cardal,880,1012,9
"""
KANTONE = """| Kanton | Höfe 2012 | Höfe 2022 | Felder 2022 | Regen (mm) |
| --- | --- | --- | --- | --- |
| Aare | 1.310 | 1.204 | 28.412 | 982,4 |
| Birs | 872 | 915 | 19.876 | 1.104,9 |
"""
PROVINCIAS = """| Provincia | Olivos 2012 | Olivos 2022 |
| --- | --- | --- |
| Arriba | 2.140.300 | 2.310.700 |
| Medio | 1.480.250 | 1.391.600 |
| Abajo | 3.902.400 | 4.015.900 |
"""
ACCOUNTS = """| (in thousands) | 2023 | 2022 |
| --- | --- | --- |
| Cost of goods sold | 61,204 | 58,310 |
| Research and development | 7,415 | 6,802 |
| Diluted earnings per share | 4.12 | 3.87 |
"""
LIGHTHOUSE = "The lighthouse had 3.4 million visitors in 2011 and 2.9 million in 2021."
SHORT = """| (in millions) | 2023 | 2022 |
| --- | --- | --- |
| EPS | 4.12 | 3.87 |
| Employee pension scheme | 33 | 30 |
| US | 1302 | 1210 |
| Unit sales | 470 | 455 |
"""
UNITS = """| (in millions) | 2023 | 2022 |
| --- | --- | --- |
| Unit sales | 470 | 455 |
"""
TOWNS = """| Town | Population | Area (km²) | Schools | Buses |
| --- | --- | --- | --- | --- |
| Lundby | 120400 | 335.2 | 28 | 140 |
| Vikmo | 48210 | 96.4 | 11 | 52 |
"""
# Six digits that begin as a year does.
SALES = """month,region_north,orders
2025-01,184200,3120
2025-02,172900,2985
2025-03,198450,3344
"""
BUDGET = """| Item | Budget | Actual |
| --- | --- | --- |
| Roads | 540 | 500 |
"""
TOWER = "The Kello tower is 324 m tall, and 5.7 million people came."
SHAFT = "Der Schacht ist 1204 m tief, der Stollen 860 m lang."
TANK = "Call 044.123.456 for the tank. It holds 3.125 litres at 2.5 bar."
SERIES = """| Year | Title | Role |
| --- | --- | --- |
| 2003–2007 | Low Tide | Captain Moe |
| 2009 | Salt Lane | Dr. Vey |
"""


@each(
    ("table", "answer", "figure", "found"),
    [
        # From what was worked out in the same sentence.
        (PARISHES, "All sheep went from 4,430 to 4,512, 82 more (1.9%).", "82", "worked_out"),
        (PARISHES, "All sheep went from 4,430 to 4,512, 82 more (1.9%).", "1.9%", "worked_out"),
        (PARISHES, "All sheep went from 4,430 to 4,512, 82 more (2.9%).", "2.9%", "not_found"),
        (PARISHES, "All sheep went from 4,430 to 4,512, 92 more.", "92", "not_found"),
        # From a row that the sentence before names.
        (PARISHES, "Cardal had 1,012 sheep in 2008. It gained 132 of them, or 15.0%.", "132", "worked_out"),
        (PARISHES, "Cardal had 1,012 sheep in 2008. It gained 142 of them.", "142", "not_found"),
        (PARISHES, "Brekke had 2,105 sheep in 2008. It gained 2,074 since then.", "2,074", "not_found"),
        # A value between 1000 and 2100 is no year where its column has others.
        (PARISHES, "Cardal had 132 sheep more in 2008 than in 1998.", "132", "worked_out"),
        (SALES, "The northern region sold 555,550 in total.", "555,550", "worked_out"),
        (SALES, "The northern region sold 555,650 in total.", "555,650", "not_found"),
        # A rise and a fall, and what is each, in other languages.
        (KANTONE, "Aare verlor 106 Höfe.", "106", "worked_out"),
        (KANTONE, "In Birs stieg die Zahl von 872 auf 915, um 4,9 Prozent.", "4,9 Prozent", "worked_out"),
        (KANTONE, "In Birs stieg die Zahl von 872 auf 915, um 5,9 Prozent.", "5,9 Prozent", "not_found"),
        (KANTONE, "Ein Hof hat in Aare im Jahr 2022 im Schnitt 23,6 Felder.", "23,6", "worked_out"),
        # Several points in a number group its thousands, and those of the others.
        (PROVINCIAS, "En 2022 las tres provincias tenían 7.718.200 olivos.", "7.718.200", "worked_out"),
        (PROVINCIAS, "Medio perdió 88.650 olivos.", "88.650", "worked_out"),
        (PROVINCIAS, "En 2022 las tres provincias tenían 7.718.300 olivos.", "7.718.300", "not_found"),
        # What letters are short for in the labels of a table.
        (ACCOUNTS, "R&D was $7.4 million in 2023.", "R&D", "seen"),
        (ACCOUNTS, "R&D was $7.4 million in 2023.", "$7.4 million", "seen"),
        (ACCOUNTS, "In 2023 R&D rose by 9.0%.", "9.0%", "worked_out"),
        (ACCOUNTS, "In 2023 COGS rose by 5.0%, EPS by 6.5%.", "EPS", "seen"),
        (ACCOUNTS, "In 2023 COGS rose by 9.7%.", "9.7%", "not_found"),
        (ACCOUNTS, "In 2023 ROI was good.", "ROI", "not_found"),
        # "m" for a million, where it stands right behind the number.
        (LIGHTHOUSE, "It had 2.9m visitors in 2021, a drop of 15%.", "2.9m", "seen"),
        (LIGHTHOUSE, "It had 2.9m visitors in 2021, a drop of 15%.", "15%", "worked_out"),
        (LIGHTHOUSE, "It had 2.7m visitors in 2021.", "2.7m", "not_found"),
        # ... but metres where a length is said, and with a point that groups thousands.
        (TOWER, "The Kello tower is 5.7m tall.", "5.7m", "not_found"),
        (TOWER, "The lift goes 5.7m/s.", "5.7m", "not_found"),
        (SHAFT, "Der Schacht ist 1.204m tief.", "1.204m", "seen"),
        # Letters that stand in a label are short for no other one, and two letters are for none.
        (SHORT, "EPS was 4.12 in 2023.", "4.12", "seen"),
        (SHORT, "EPS was 33 in 2023.", "33", "elsewhere"),
        (SHORT, "EPS grew 10%.", "10%", "elsewhere"),
        (SHORT, "The US made 1,302 in 2023.", "1,302", "seen"),
        (SHORT, "The US made 470 in 2023.", "470", "elsewhere"),
        (UNITS, "The US paid 470 million in 2023.", "US", "not_found"),
        # A ratio of a row named before, which needs no like columns; a surplus, which is a difference.
        (TOWNS, "Lundby is the largest. It has 5 buses per school.", "5 buses", "worked_out"),
        (TOWNS, "Lundby is the largest. It lost 20%.", "20%", "elsewhere"),
        (BUDGET, "Roads ended with a surplus of 40.", "40", "worked_out"),
        # Two of many values are added up where words name just these: else any total would be right.
        (FARMS, "Alta and Berg have 205 cows in total.", "205", "worked_out"),
        (FARMS, "In total there are 205 cows.", "205", "elsewhere"),
        (FARMS, "Alta and Coro have 205 cows in total.", "205", "elsewhere"),
        (FARMS, "On average a farm has 180 cows.", "180", "elsewhere"),
        (FARMS, "In total there are 509 cows.", "509", "worked_out"),
        # A telephone number groups nothing beside a decimal point.
        (TANK, "It holds 3,125 litres.", "3,125", "differs"),
        # The last year of a span is said before a name, too.
        (SERIES, "From 2003 to 2007 Moe was the captain of Low Tide.", "2007", "seen"),
        (SERIES, "From 2003 to 2008 Moe was the captain of Low Tide.", "2008", "not_found"),
    ],
)
def test_a_figure_is_worked_out_from_what_the_answer_means(table: str, answer: str, figure: str, found: str) -> None:
    assert verdict(answer, figure, table) == found


RUNS = "| Runner | Event | Laps |\n| --- | --- | --- |\n| Ada Lund | 3000 m | 7 |\n| Ivo Berg | 800 m | 2 |\n"
RAN = "Ivo Berg ran 1600 m. Ada Lund won a medal over 21000 m."


@each(
    ("question", "figure", "found"),
    [
        # Of several lines that a person types, each asks for a step of its own thing.
        ("How far did Ivo Berg run in total?\nWhich medal did Ada Lund win?", "1600", "worked_out"),
        ("How far did Ivo Berg run in total?\nWhich medal did Ada Lund win?", "21000", "not_found"),
        ("How far did Ada Lund run in total?\nWhich medal did Ivo Berg win?", "21000", "worked_out"),
        ("How far did they run in total?\nIs it on the coast?", "21000", "worked_out"),
    ],
)
def test_a_question_of_several_lines(question: str, figure: str, found: str) -> None:
    assert verdict(RAN, figure, RUNS, question) == found


@each(
    ("question", "answer", "observed", "figure", "found"),
    [
        ("what's 3 dozen minus 7", "36 - 7 is 29.", "29", "36", "given"),
        ("what's 3 dozen minus 7", "36 - 7 is 29.", "29", "7", "given"),
        ("what is 36 eggs minus 7", "36 - 7 is 29.", "29", "7", "given"),
        ("is it minus 7 outside?", "It is 7 °C outside.", "4 °C", "7", "differs"),
        ("from 3 to minus 7", "It goes from 3 to 7.", "4 rows", "7", "not_found"),
        ("is 91 prime", "No, 91 is not a prime number: it is 7 × 13.", "91", "13", "worked_out"),
        ("91は素数ですか", "いいえ、91は7 × 13なので素数ではありません。", "91", "13", "worked_out"),
        ("prime factors of 360", "360 is 2 × 2 × 2 × 3 × 3 × 5.", "360", "3 × 5", "worked_out"),
        ("is 91 prime", "No, 91 is not a prime number: it is 7 × 14.", "91", "14", "not_found"),
        ("how many eggs?", "There are 91 eggs: 7 × 13.", "91", "13", "not_found"),
    ],
)
def test_a_sum_of_what_was_asked(question: str, answer: str, observed: str, figure: str, found: str) -> None:
    assert verdict(answer, figure, observed, question) == found
