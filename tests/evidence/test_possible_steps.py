"""Figures that one step leads to between values beside what their line says, though no word tells that step."""

from __future__ import annotations

from agent.evidence import check
from tests.support.cases import each
from tests.support.observed_answers import run
from tests.support.traced import verdict

HARBOUR = """Harbour report 2025. The port handled 48,210 containers in 2025, against 43,905 the year before.
Ferry passengers came to 1,264,300 (2024: 1,198,750). Of these, 402,180 took a car along.
Fees brought in €18.4 million (€16.9 million in 2024); upkeep cost €7.3 million."""
WERFT = """Die Werft nahm 2025 insgesamt 61,8 Mio. € ein, im Vorjahr 57,2 Mio. €. Beschäftigt sind 412 Personen,
2024 waren es 389. Ausgeliefert wurden 23 Boote; der Auftragsbestand liegt bei 174,5 Mio. €."""
LIBRARY = """La bibliothèque a prêté 92 480 livres en 2025, contre 88 140 en 2024.
Les abonnés étaient 7 215, contre 6 930. Le budget atteint 1 264 500 euros."""
ONSEN = """温泉組合の2025年度の宿泊者数は48万2,600人(前年度は44万1,300人)、
日帰り客は127万8,000人(同131万5,000人)でした。
宿泊収入は96億円(同85億円)です。"""
CONTAINERS = """| Year | Containers |
|---|---|
| 2024 | 43,905 |
| 2025 | 48,210 |
"""
DEPOTS = """depot,line,trips,passengers,delay_min
North,Red,120,8410,310
North,Blue,96,7204,188
North,Green,88,5120,402
South,Red,140,9903,265
South,Blue,110,6940,240
South,Green,75,4410,150
"""


@each(
    ("answer", "figure", "observed", "found"),
    [
        # The value that prose tells beside the one that the answer says.
        ("- Containers: 48,210 (+4,305, +9.8%)", "4,305", HARBOUR, "grey"),
        ("- Containers: 48,210 (+4,305, +9.8%)", "9.8%", HARBOUR, "grey"),
        ("- Containers: 48,210 (+4,605, +9.8%)", "4,605", HARBOUR, "not_found"),
        ("- Containers: 48,210 (+9.3%)", "9.3%", HARBOUR, "not_found"),
        ("- Umsatz: 61,8 Mio. € (+8,0 %)", "8,0 %", WERFT, "grey"),
        ("- Umsatz: 61,8 Mio. € (+7,4 %)", "7,4 %", WERFT, "marked"),
        ("- 92 480 livres prêtés, soit 4 340 de plus", "4 340", LIBRARY, "grey"),
        ("- 92 480 livres prêtés, soit 4 840 de plus", "4 840", LIBRARY, "marked"),
        ("- 宿泊者数:48万2,600人(前年度比+4万1,300人)", "4万1,300人", ONSEN, "grey"),
        ("- 宿泊収入:96億円(+12.9%)", "12.9%", ONSEN, "grey"),
        ("- 宿泊収入:96億円(+13.9%)", "13.9%", ONSEN, "marked"),
        # What was found so is worked with in turn.
        (
            "Fees: €18.4 million\nUpkeep: €7.3 million\nSurplus: €11.1 million, 60.3% of the fees",
            "60.3%",
            HARBOUR,
            "traced",
        ),
        # Both ends of the change are said, and it comes to another one.
        ("Containers rose from 43,905 to 48,210, by 9.2%.", "9.2%", HARBOUR, "marked"),
        ("Containers rose from 43,905 to 48,210, by 8.9%.", "8.9%", HARBOUR, "marked"),
        # Years that a line names beside a change with a sign are no ends of it.
        ("- 48,210 containers, more than in 2024 (+9.8%) and in 2023", "9.8%", HARBOUR, "grey"),
        # A sign goes the way of the change, also in brackets.
        ("- Containers in 2025: 48,210 (+9.81%)", "9.81%", CONTAINERS, "traced"),
        ("- Containers in 2025: 48,210 (−9.81%)", "−9.81%", CONTAINERS, "marked"),
        ("- Containers in 2025: 48,210 (+8.93%)", "8.93%", CONTAINERS, "marked"),
        ("- Containers in 2025: 48,210 (−4,305)", "−4,305", CONTAINERS, "not green"),
        # A short amount comes by chance.
        ("The port has 48 cranes.", "48", HARBOUR, "marked"),
        # What the rows of one value come to.
        ("- **North** carried 20,734 passengers in total", "20,734", DEPOTS, "traced"),
        ("- **North** carried 20,934 passengers in total", "20,934", DEPOTS, "marked"),
        # In a table of the answer; for each unit of another column; the changes of one alone.
        ("| Depot | Passengers |\n|---|---|\n| North | 20,734 |\n| South | 21,253 |", "21,253", DEPOTS, "traced"),
        ("| Depot | Passengers |\n|---|---|\n| North | 20,734 |\n| South | 21,853 |", "21,853", DEPOTS, "marked"),
        ("| Depot | Passengers per trip |\n|---|---|\n| North | 68.20 |\n| South | 65.39 |", "68.20", DEPOTS, "traced"),
        ("| Depot | Passengers per trip |\n|---|---|\n| North | 69.20 |\n| South | 65.39 |", "69.20", DEPOTS, "marked"),
    ],
)
def test_what_a_step_beside_the_line_may_come_to(answer: str, figure: str, observed: str, found: str) -> None:
    said = verdict(answer, figure, observed)
    kinds = {
        "marked": ("not_found", "differs"),
        "not green": ("not_found", "differs", "elsewhere", "possible"),
        "grey": ("possible", "elsewhere", "worked_out"),
        "traced": ("worked_out", "possible"),
    }
    assert said in kinds.get(found, (found,))


def test_a_possible_step_is_told_and_is_no_doubt() -> None:
    long = "\n".join((HARBOUR, WERFT, LIBRARY))
    evidence = check(run("- Containers: 48,210 (+9.8%)", long))
    step = next(claim for claim in evidence.claims if claim.text == "9.8%")
    assert step.verdict == "possible"
    assert not step.traced
    assert not step.doubtful
    assert step.note == "(48,210 − 43,905) ÷ 43,905 × 100 = 9.805261%"
    assert {long[place.start : place.end] for place in step.places} == {"48,210", "43,905"}
    assert "1 may be worked out" in evidence.summary


def test_a_percentage_that_any_two_of_many_values_come_to_is_chance() -> None:
    """With two digits, one in a hundred: a table of forty values has such a pair for each."""
    rows = "\n".join(f"r{row},{1000 + 37 * row},{2000 + 53 * row},{1500 + 29 * row}" for row in range(12))
    verdicts = {
        verdict(f"The plant called r3 runs at {percent}% of that.", f"{percent}%", f"name,a,b,c\n{rows}\n")
        for percent in range(11, 40, 4)
    }
    assert "not_found" in verdicts
    assert "worked_out" not in verdicts
