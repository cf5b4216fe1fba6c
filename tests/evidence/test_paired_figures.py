"""Figures that one formula leads to for two times or things; years, scales and signs between cells that tables have."""

from __future__ import annotations

import pytest

from agent.evidence import check
from tests.support.observed_answers import run

_ROUTES = """route,season,flights,passengers,fare_eur
Oslo,2022/23,410,48790,118
Riga,2022/23,288,29664,96
Oslo,2023/24,455,58695,124
Riga,2023/24,301,34314,99
"""
_BAKERY = """| Posten | 2022 | 2023 |
|---|---:|---:|
| Mehl und Zutaten | 41.300 | 47.900 |
| Energie | 18.700 | 22.450 |
| Löhne | 96.200 | 101.850 |
| Umsatz | 203.400 | 221.700 |
"""
_LIBRARY = """branch;adult_loans;child_loans;visits_2021;visits_2022
Harbour;18340;9120;51200;57100
Hillside;7425;6810;22900;26480
Mill Lane;11980;4075;30150;31020
"""


def _verdicts(answer: str, observed: str, question: str = "?") -> dict[str, str]:
    claims = check(run(answer, observed, question=question)).claims
    return {claim.text: claim.verdict for claim in claims if claim.kind == "number"}


@pytest.mark.parametrize(
    ("answer", "observed", "figures"),
    [
        ("Passengers per flight rose from 112.4 to 123.0.", _ROUTES, ("112.4", "123.0")),
        ("Die Energiequote stieg von 9,19 % auf 10,13 %.", _BAKERY, ("9,19 %", "10,13 %")),
        ("El gasto conjunto en energía y harina pasó de 60.000 a 70.350.", _BAKERY, ("60.000", "70.350")),
        ("Visits of the three branches went from 104,250 to 114,600.", _LIBRARY, ("104,250", "114,600")),
        ("Revenue climbed from €8.60 to €10.68 million.", _ROUTES, ("€10.68 million",)),
    ],
)
def test_two_figures_of_one_formula_are_no_doubt(answer: str, observed: str, figures: tuple[str, ...]) -> None:
    found = _verdicts(answer, observed)
    assert [found[one] for one in figures if found[one] in ("differs", "not_found")] == []


@pytest.mark.parametrize(
    ("answer", "observed", "figures"),
    [
        ("Passengers per flight rose from 112.4 to 127.0.", _ROUTES, ("127.0",)),
        ("Passengers per flight rose from 117.4 to 128.6.", _ROUTES, ("117.4", "128.6")),
        ("Die Energiequote stieg von 9,19 % auf 10,83 %.", _BAKERY, ("10,83 %",)),
        ("El gasto conjunto en energía y harina pasó de 60.000 a 76.350.", _BAKERY, ("76.350",)),
    ],
)
def test_another_figure_of_two_is_doubtful(answer: str, observed: str, figures: tuple[str, ...]) -> None:
    found = _verdicts(answer, observed)
    assert [one for one in figures if found[one] not in ("differs", "not_found")] == []


def test_columns_that_share_a_word_are_added_up() -> None:
    found = _verdicts("The branches lent 57,750 items. Hillside had 14,235 loans.", _LIBRARY)
    assert not {"differs", "not_found"} & {*found.values()}
    assert _verdicts("The branches lent 58,750 items.", _LIBRARY)["58,750"] in ("differs", "not_found")


def test_fields_between_carets_are_a_table() -> None:
    observed = "city^2021^2022\nTurku^1204^1318\nOulu^988^1011\n"
    assert _verdicts("Oulu had 1,011 in 2022.", observed)["1,011"] == "seen"
    assert _verdicts("Together they had 2,329 in 2022.", observed)["2,329"] == "worked_out"


def test_the_question_may_tell_the_scale() -> None:
    observed = "shop,sales_2022,sales_2023,staff\nNorth,1.92,2.31,14\nSouth,4.05,4.44,31\n"
    question = "Compare the sales, which are in $ millions."
    found = _verdicts("Total sales rose from $5.97M to $6.75M.", observed, question)
    assert not {"differs", "not_found"} & {*found.values()}
    assert _verdicts("South has 31 million staff.", observed, question)["31 million"] not in ("seen", "worked_out")


def test_a_year_of_accounts_is_its_year() -> None:
    observed = '[{"fy": 2021, "r_and_d": 14.2, "sales": 80.1}, {"fy": 2022, "r_and_d": 15.9, "sales": 91.3}]'
    claims = check(run("In FY2022 R&D was 15.9, in FY2031 nothing is known.", observed)).claims
    names = {claim.text: claim.verdict for claim in claims if claim.kind == "name"}
    assert names["FY2022"] == "seen"
    assert names["FY2031"] == "not_found"
    assert names.get("R&D", "seen") == "seen"


_COUNCIL = """| Chapter | Budget 2024 (€) | Actual 2024 (€) | Budget 2025 (€) |
|---|---:|---:|---:|
| Parks | 412,000 | 398,400 | 436,000 |
| Libraries | 287,000 | 291,900 | 301,000 |
| Museums | 193,000 | 176,300 | 214,000 |
| Roads | 951,000 | 1,020,700 | 977,000 |
"""
_DOUBTS = ("differs", "not_found")
_TRIAL = """                      Drug        Placebo
                    (n = 240)    (n = 236)
Responders, n           96           58
Headache, n             31           27
"""


@pytest.mark.parametrize(
    ("answer", "observed", "figures"),
    [
        ("The first three cost €866,600, planned were €892,000.", _COUNCIL, ("€866,600", "€892,000")),
        ("Those three rise by €59,000 (+6.6%).", _COUNCIL, ("€59,000", "6.6%")),
        ("Responders: 40.0% on the drug.", _TRIAL, ("40.0%",)),
        ("Roads took 54.1% of the actual 2024 spending, more than half.", _COUNCIL, ("54.1%",)),
    ],
)
def test_runs_changes_and_wholes_of_heads(answer: str, observed: str, figures: tuple[str, ...]) -> None:
    found = _verdicts(answer, observed)
    assert [one for one in figures if found[one] in ("differs", "not_found")] == []


@pytest.mark.parametrize(
    ("answer", "observed", "figure"),
    [
        ("Those three rise by €53,000 (+6.6%).", _COUNCIL, "€53,000"),
        ("Those three fall by €59,000 (−6.6%).", _COUNCIL, "€59,000"),
        ("Responders: 43.0% on the drug.", _TRIAL, "43.0%"),
    ],
)
def test_other_changes_are_doubtful(answer: str, observed: str, figure: str) -> None:
    assert _verdicts(answer, observed)[figure] in ("differs", "not_found")


def test_a_share_in_words_is_that_in_per_cent_beside_it() -> None:
    observed = "Of 1,204 riders 797 came by train. The survey asked 1,204 riders."
    assert _verdicts("About two thirds (66.2%) came by train.", observed)["two thirds"] not in _DOUBTS
    assert _verdicts("About three quarters (66.2%) came by train.", observed)["three quarters"] in _DOUBTS


def test_a_series_may_have_a_factor_that_the_answer_says() -> None:
    observed = "item | amount\nRice | 320 g\nBeans | 450 g\nOnions | 180 g\nStock | 800 g\n"
    answer = "For 3.5 times the recipe:\n\n| Item | Needed |\n|---|---|\n"
    rows = "| Rice | 1,120 g |\n| Beans | 1,575 g |\n| Onions | 630 g |\n| Stock | 2,800 g |\n"
    assert _verdicts(answer + rows, observed)["1,575 g"] == "worked_out"
    assert _verdicts(answer + rows.replace("630", "680"), observed)["680 g"] == "differs"
