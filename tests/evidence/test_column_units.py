"""Figures in another unit than the one that the head of an observed column names."""

from __future__ import annotations

import pytest

from agent.evidence import check
from agent.evidence.tables.table_forms import tables_in
from tests.support.observed_answers import run

JOBS = "job,wait_ms,duration_s,memory_mb\nindexer,640,5400,812\nmailer,1275,90,96\nreports,88,750,410\n"
BONDS = "| Issuer | Spread (bp) | Price (ct) |\n|---|---|---|\n| Ostbank | 145 | 9960 |\n| Werft AG | 380 | 8725 |\n"
SHIPS = """ ship   | cargo_kg | crew
--------+----------+------
 Anke   |    81400 |    9
 Borkum |    64950 |   11
(2 rows)
"""


def verdict(answer: str, figure: str, observed: str) -> str:
    found = {answer[claim.start : claim.end]: claim.verdict for claim in check(run(answer, observed)).claims}
    return found.get(figure, "no claim")


@pytest.mark.parametrize(
    ("answer", "figure", "observed"),
    [
        ("The mailer waits 1.275 s.", "1.275 s", JOBS),
        ("| Job | Wait |\n|---|---|\n| mailer | 1.28 s |\n| indexer | 0.64 s |", "1.28 s", JOBS),
        ("The indexer runs for 90 minutes.", "90 minutes", JOBS),
        ("Ostbank pays 1.45% over the benchmark.", "1.45%", BONDS),
        ("Die Anleihe der Werft AG kostet 87,25 €.", "87,25 €", BONDS),
        ("The Anke carries 81.4 tonnes.", "81.4 tonnes", SHIPS),
        ("The Borkum carries 64.95 tonnes.", "64.95 tonnes", SHIPS),
    ],
)
def test_a_figure_is_seen_in_the_unit_of_its_column(answer: str, figure: str, observed: str) -> None:
    assert verdict(answer, figure, observed) == "seen"


@pytest.mark.parametrize(
    ("answer", "figure", "observed"),
    [
        ("The mailer waits 1.475 s.", "1.475 s", JOBS),
        ("The mailer waits 12.75 s.", "12.75 s", JOBS),
        ("Ostbank pays 14.5% over the benchmark.", "14.5%", BONDS),
        ("The Anke carries 84.4 tonnes.", "84.4 tonnes", SHIPS),
        ("The Anke is 81.4 metres long.", "81.4 metres", SHIPS),
    ],
)
def test_another_value_or_another_kind_of_unit_is_still_marked(answer: str, figure: str, observed: str) -> None:
    assert verdict(answer, figure, observed) in ("not_found", "differs")


def test_cents_are_read_as_hundredths_of_the_currency() -> None:
    observed = "station,price_eur\nNord,1.79\nHafen,1.62\n"
    assert verdict("At Nord it costs 179 cents.", "179 cents", observed) == "seen"
    assert verdict("At Nord it costs 197 cents.", "197 cents", observed) in ("not_found", "differs")


@pytest.mark.parametrize(
    "text", [SHIPS, "+------+----+\n| ship | kg |\n+------+----+\n| Anke | 81 |\n| Else | 72 |\n+------+----+\n"]
)
def test_a_rule_with_crosses_parts_no_table(text: str) -> None:
    (table,) = tables_in(text)
    assert (table.heads, table.rows[0][0].text) == (1, "ship")
