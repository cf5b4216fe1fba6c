"""How many rows of an observed table meet what a sentence says."""

from __future__ import annotations

import pytest

from agent.evidence import check
from agent.evidence.tables.alike_columns import pairs_of_times
from agent.evidence.tables.table_forms import tables_in
from tests.support.observed_answers import run

WELLS = """well,depth_m,nitrate_mg,ph
A1,12,18,7.1
A2,15,52,6.8
A3,31,61,6.9
A4,44,49,7.4
A5,52,12,7.6
A6,18,55,6.7
A7,23,50,7.0
"""
CHOIRS = """choir | members_2022 | members_2024 | concerts_2024
Kantorei | 48 | 55 | 9
Liedertafel | 31 | 26 | 14
Harmonie | 27 | 33 | 6
Cäcilia | 62 | 64 | 11
Eintracht | 19 | 15 | 2
Total | 187 | 193 | 32
"""
SHOPS = "店舗,売上_前年,売上_今年\n駅前,820,910\n港,640,600\n丘,455,470\n西,390,350\n北,510,560\n"


def verdict(answer: str, figure: str, observed: str) -> str:
    claims = check(run(answer, observed)).claims
    return next((claim.verdict for claim in claims if answer[claim.start : claim.end] == figure), "no claim")


@pytest.mark.parametrize(
    ("answer", "figure", "observed"),
    [
        ("Nitrate was above 49 mg in 4 of the wells.", "4", WELLS),
        ("**Nitrate (50 mg or more)**\n- 4 of 7 wells, A3 the worst", "4", WELLS),
        ("**Nitrate (50 mg or more)**\n- 4 of 7 wells, A3 the worst", "7", WELLS),
        ("Nitrate over the limit (more than 50 mg): 3 wells.", "3", WELLS),
        ("Only 2 wells have a ph below 6.9.", "2", WELLS),
        ("Members: three choirs grew and two shrank.", "three", CHOIRS),
        ("Members: three choirs grew and two shrank.", "two", CHOIRS),
        ("Drei der fünf Chöre wuchsen.", "Drei", CHOIRS),
        ("売上が前年を下回ったのは港と西の2つだけです。", "2", SHOPS),
        ("5店舗のうち、最大は駅前です。", "5", SHOPS),
    ],
)
def test_rows_that_meet_what_a_sentence_says_are_counted(answer: str, figure: str, observed: str) -> None:
    assert verdict(answer, figure, observed) in ("possible", "worked_out", "seen")


@pytest.mark.parametrize(
    ("answer", "figure", "observed"),
    [
        ("Nitrate was above 49 mg in 5 of the wells.", "5", WELLS),
        ("Nitrate over the limit (more than 50 mg): 4 wells.", "4", WELLS),
        ("Only 3 wells have a ph below 6.9.", "3", WELLS),
        ("Members: four choirs grew and two shrank.", "four", CHOIRS),
        ("Members: three choirs grew and three shrank.", "three", CHOIRS.replace("33 | 6", "20 | 6")),
        ("売上が前年を下回ったのは港と西の3つだけです。", "3", SHOPS),
        ("6店舗のうち、最大は駅前です。", "6", SHOPS),
    ],
)
def test_a_wrong_count_is_still_marked(answer: str, figure: str, observed: str) -> None:
    assert verdict(answer, figure, observed) in ("not_found", "differs")


@pytest.mark.parametrize(
    ("heads", "pairs"),
    [
        ("name,rating_start,rating_end,played", ((1, 2),)),
        ("name,april_5k,september_5k,runs", ((1, 2),)),
        ("name,Revenue 2023,Revenue 2022,EBIT 2023", ((2, 1),)),
        ("name,2021,2024,staff", ((1, 2),)),
        ("name,maths_avg,reading_avg,age", ()),
    ],
)
def test_columns_of_the_same_at_two_times(heads: str, pairs: tuple[tuple[int, int], ...]) -> None:
    (table,) = tables_in(f"{heads}\nx,1.5,2.5,3.5\ny,4.5,5.5,6.5\nz,4.5,5.5,6.5\n")
    assert pairs_of_times(table) == pairs
