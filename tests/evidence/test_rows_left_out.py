"""Shares of rows, rows that a sentence leaves out, months, and what short texts come to by chance."""

from __future__ import annotations

from agent.events import Answered, Asked, Event, Observed, Replied, ToolCalled
from agent.evidence import check
from agent.messages import Usage
from tests.support.cases import each
from tests.support.traced import verdict

TEAM = """| name | team | age |
| --- | --- | --- |
| Ann | Red | 31 |
| Bob | Blue | 42 |
| Cid | Red | 27 |
| Dee | Red | 35 |
| Eve | Blue | 50 |
"""
MEDALS = """| country | gold | total |
| --- | --- | --- |
| Norway | 16 | 37 |
| Germany | 12 | 27 |
| China | 9 | 15 |
| Sweden | 8 | 25 |
| Austria | 8 | 18 |
| Italy | 7 | 18 |
"""
SHOPS = """| store | units | returns |
| --- | --- | --- |
| North | 120 | 5 |
| South | 80 | 3 |
| East | 95 | 7 |
| West | 60 | 2 |
"""
WORKSHOP = "The workshop employs 25 people. Its electricity cost 36,000 EUR in 2022."
MONTHLY = "The workshop employs 25 people. Its electricity cost 36,000 EUR each month."
MUSEUM = "The museum had 240 visitors on Monday and 150 on Tuesday. The cafe sold 96 cakes. 8 guides work there."
FAIR = "The fair had 80 stalls, 50 of which sold food. 320 people came, 12 helpers built it up in 3 days."
SUM = "sum_of_2023 BIGINT | rows_used BIGINT\n24 | 3"


@each(
    ("table", "answer", "figure", "found"),
    [
        # A share of all rows, of the one kind that the clause says.
        (TEAM, "60% are in team Red.", "60%", "worked_out"),
        (TEAM, "Of the five people, 60% belong to team Red and 40% to team Blue.", "40%", "worked_out"),
        (TEAM, "40% are in team Red.", "40%", "not_found"),
        (TEAM, "Of the five people, 40% belong to team Red and 60% to team Blue.", "60%", "not_found"),
        (TEAM, "60% of team Red are older than 30.", "60%", "not_found"),
        # The rows that are left once those that are named are left out.
        (MEDALS, "Norway won 37 medals; the other five together won 103.", "103", "worked_out"),
        (MEDALS, "Norway won 37 medals; the other five together won 113.", "113", "not_found"),
        (MEDALS, "Excluding Norway, the countries won 103 medals.", "103", "worked_out"),
        (MEDALS, "Excluding Germany, the countries won 103 medals.", "103", "not_found"),
        (SHOPS, "All stores except North sold 235 units.", "235", "worked_out"),
        (SHOPS, "All stores except South sold 235 units.", "235", "not_found"),
        # All rows, as Japanese counts them.
        (SHOPS, "表 shops の4行で、returnsの合計は17です。", "4", "worked_out"),
        (SHOPS, "表 shops の3行で、returnsの合計は17です。", "3", "elsewhere"),
        (TEAM, "5件のデータがあります。", "5", "worked_out"),
        (TEAM, "6件のデータがあります。", "6", "not_found"),
        (TEAM, "5行政区のデータがあります。", "5", "not_found"),
        # A twelfth of a year's value, but not of a month's.
        (WORKSHOP, "The electricity cost 120 EUR per employee and month.", "120 EUR", "worked_out"),
        (WORKSHOP, "The electricity cost 144 EUR per employee and month.", "144 EUR", "not_found"),
        (MONTHLY, "The electricity cost 120 EUR per employee and month.", "120 EUR", "not_found"),
        # Two values of a short text make a share where words name both.
        (MUSEUM, "Tuesday had 62.5% of the visitors of Monday.", "62.5%", "worked_out"),
        (MUSEUM, "62.5% of the visitors bought a cake.", "62.5%", "elsewhere"),
        (MUSEUM, "Tuesday had 37.5% fewer visitors than Monday.", "37.5%", "worked_out"),
        (FAIR, "62.5% of the stalls sold food.", "62.5%", "worked_out"),
        (FAIR, "62.5% of visitors came by train.", "62.5%", "elsewhere"),
    ],
)
def test_what_rows_and_short_texts_come_to(table: str, answer: str, figure: str, found: str) -> None:
    assert verdict(answer, figure, table) == found


@each(
    ("answer", "figure", "found"),
    [
        ("表 mine の3行で、2023の合計は24です。", "24", "seen"),
        ("表 mine の3行で、2023の合計は42です。", "42", "not_found"),
        ("表 mine の3行で、2022の合計は24です。", "24", "elsewhere"),
    ],
)
def test_a_short_figure_of_the_year_that_heads_its_column(answer: str, figure: str, found: str) -> None:
    assert verdict(answer, figure, SUM, "mine の2023の合計は？") == found


def kind(answer: str, figure: str, text: str) -> str:
    call = [Replied("text", "", Usage(), 1.0, 0.1), ToolCalled("c", "search", "x", {"query": "x"}), Observed("c", text)]
    events: list[Event] = [Asked("?", 1_795_219_200.0), *call, Answered(answer)]
    return next(claim.kind for claim in check(events).claims if claim.text == figure)


@each(
    ("answer", "figure", "found"),
    [
        ("- Bolts – 1850\n- Nuts – 1200", "1850", "number"),
        ("The stock of bolts is 1850", "1850", "number"),
        ("Bolts 1850\nNuts 1200", "1200", "number"),
        ("It was built in 1932", "1932", "date"),
        ("Founded: 1932", "1932", "date"),
        ("The year of its opening was 1932", "1932", "date"),
        ("Born 1932\nDied 1990", "1990", "date"),
    ],
)
def test_a_number_at_the_end_of_a_line_is_a_year_where_it_stands_like_one(answer: str, figure: str, found: str) -> None:
    assert kind(answer, figure, answer) == found
