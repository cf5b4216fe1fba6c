"""What a loaded table is like is told without a query, where nothing else is asked."""

from __future__ import annotations

from typing import Any

from agent.demo.model import _question  # pyright: ignore[reportPrivateUsage]
from agent.demo.tables.ability import overview
from agent.messages import Facts
from tests.support.cases import each


def card(name: str) -> dict[str, Any]:
    def column(name: str, kind: str) -> dict[str, Any]:
        numbers = {"exact": True, "min": 1, "max": 99, "mean": 5.0}
        return {
            "name": name,
            "label": name,
            "type": "BIGINT",
            "kind": kind,
            "nulls": 0,
            "distinct": 40,
            "examples": [],
        } | numbers

    return {
        "name": name,
        "source": f"{name}.csv",
        "rows": 40,
        "columns": [column("sales", "integer"), column("cost", "integer")],
    }


def told(asked: str, *names: str) -> str:
    said = overview(_question(asked, Facts("2026-11-28", ("query",), tuple(map(card, names)))))
    assert said is None or not said.declined
    return said.text if said else ""


@each(
    ("asked", "begins"),
    [
        *(
            (asked, "The table wide has 40 rows, with these columns: sales, cost. Try “")
            for asked in (
                "What is in the table?",
                "what's in this file?",
                "Describe the table",
                "What columns does the table have?",
                "What is in wide.csv?",
                "Which columns are there?",
                "list the columns of wide",
                "summarize the data",
            )
        ),
        *(
            (asked, "表 wide は40行で、列は次のとおりです: sales, cost")
            for asked in ("表には何がありますか", "このファイルの内容は？", "wideの列は？")
        ),
    ],
)
def test_the_rows_and_columns_are_told(asked: str, begins: str) -> None:
    assert told(asked, "wide").startswith(begins)


def test_what_was_left_out_of_the_file_is_told_with_its_first_table() -> None:
    cards = [card("sales") | {"notes": ["1 view (“big”) was left out."]}, card("costs")]
    said = overview(_question("What is in the table?", Facts("2026-11-28", ("query",), tuple(cards))))
    first, second = said.text.split("\n\n") if said else ("", "")
    assert first.endswith(" 1 view (“big”) was left out.")
    assert second.startswith("The table costs") and "view" not in second


@each(
    "asked",
    [
        "What is in Paris?",
        "Tell me about Rome",
        "What is sales?",
        "What is in the name column?",
        "Total sales in wide?",
        "東京には何がありますか",
        "How many columns does a Greek temple have?",
    ],
)
def test_anything_else_is_left_to_the_other_rules(asked: str) -> None:
    assert told(asked, "wide") == ""


def test_several_tables_are_told_one_below_the_other_unless_one_is_named() -> None:
    assert [line.split(" has")[0] for line in told("What is in these files?", "a", "b").split("\n\n")] == [
        "The table a",
        "The table b",
    ]
    assert told("What is in b.csv?", "a", "b").startswith("The table b has")
