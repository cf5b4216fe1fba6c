"""What was put right in a table is done and undone, in any order, and says so."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import permutations
from pathlib import Path
from typing import Any

import duckdb
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from agent.data.tables.card_texts import card_text
from agent.data.tables.repair_texts import repair_offers, repair_told
from tests.support.jobs import table_job as handle
from tests.support.table_files import excel_file

pytestmark = pytest.mark.slow

MESSY = (
    "Item;Day;Online;;Shops;\n;;Units;Sum;Units;Sum\n"
    "Lamp;03/04/2025;1;2,5;3;4,5\nChair;2025-05-13;2;3,5;4;5,5\n;;;;;\nDesk;06/07/2025;3;4,5;5;6,5\n"
    "Total;;6;10,5;12;16,5\n"
)


def card_of(folder: Path, text: str | bytes, name: str = "messy.csv") -> dict[str, Any]:
    (folder / "upload").write_bytes(text if isinstance(text, bytes) else text.encode())
    answer = handle({"kind": "load", "source": "upload", "name": name, "taken": []}, folder)
    assert answer["ok"], answer
    return answer["tables"][0]


def repaired(folder: Path, card: dict[str, Any], kind: str, to: str) -> dict[str, Any]:
    place = next(place for place, repair in enumerate(card["repairs"]) if repair["kind"] == kind)
    answer = handle({"kind": "repair", "table": card, "place": place, "to": to}, folder)
    assert answer["ok"], answer
    return answer["table"]


def rows_of(folder: Path, card: dict[str, Any]) -> list[tuple[Any, ...]]:
    with duckdb.connect() as connection:
        return connection.execute(f"FROM read_parquet('{folder / card['file']}')").fetchall()


def told(card: dict[str, Any]) -> list[str]:
    return [str(repair_told(repair)) for repair in card["repairs"]]


def names(card: dict[str, Any]) -> list[str]:
    return [column["name"] for column in card["columns"]]


def test_all_that_is_wrong_with_it_is_told_and_put_right(tmp_path: Path) -> None:
    card = card_of(tmp_path, MESSY)
    assert told(card) == [
        "2 head rows were joined.",
        "1 row without data left out: blank, or the header again.",
        "1 row of totals left out of sums.",
        "Day: 2 date formats, read day first; either order fits.",
    ]
    assert names(card) == ["item", "day", "online_units", "online_sum", "shops_units", "shops_sum"]
    assert [column["type"] for column in card["columns"]] == ["VARCHAR", "DATE", "BIGINT", "DOUBLE", "BIGINT", "DOUBLE"]
    assert [(row[0], str(row[1]), row[3]) for row in rows_of(tmp_path, card)] == [
        ("Lamp", "2025-04-03", 2.5),
        ("Chair", "2025-05-13", 3.5),
        ("Desk", "2025-07-06", 4.5),
    ]
    assert "1 row of totals left out of sums" in card_text(card)


@pytest.mark.parametrize("order", list(permutations(["heads", "furniture", "totals", "dates"]))[::7])
def test_each_is_undone_and_done_again_in_any_order(tmp_path: Path, order: tuple[str, ...]) -> None:
    first = card = card_of(tmp_path, MESSY)
    for kind in order:
        card = repaired(tmp_path, card, kind, "off")
    assert names(card) == ["item", "day", "units", "sum", "units_2", "sum_2"]
    assert card["columns"][1]["type"] == "VARCHAR"
    assert [row[0] for row in rows_of(tmp_path, card)] == ["Lamp", "Chair", None, "Desk", "Total"]
    assert all(repair_offers(repair)[0][1] == "on" for repair in card["repairs"])
    for kind in order:
        card = repaired(tmp_path, card, kind, "on")
    assert rows_of(tmp_path, card) == rows_of(tmp_path, first)
    assert told(card) == told(first)


def test_dates_are_turned_around(tmp_path: Path) -> None:
    card = card_of(tmp_path, MESSY)
    assert [str(text) for text, _ in repair_offers(card["repairs"][3])] == ["Read month first", "Undo"]
    turned = repaired(tmp_path, card, "dates", "month first")
    assert [str(row[1]) for row in rows_of(tmp_path, turned)] == ["2025-03-04", "2025-05-13", "2025-06-07"]
    assert told(turned)[3] == "Day: 2 date formats, read month first; either order fits."
    assert rows_of(tmp_path, repaired(tmp_path, turned, "dates", "day first")) == rows_of(tmp_path, card)


def test_a_type_is_chosen_and_taken_back_whatever_else_is(tmp_path: Path) -> None:
    card = card_of(tmp_path, "id,day,n\n007,01/02/2025,1\nx,02/03/2025,2\nTotal,,3\n")
    changed = handle({"kind": "retype", "table": card, "column": "id", "to": "number"}, tmp_path)
    assert changed["lost"] == 1
    card = changed["table"]
    assert told(card)[1] == "id: read as number, as you chose; 1 value does not fit."
    card = repaired(tmp_path, card, "totals", "off")
    assert [row[0] for row in rows_of(tmp_path, card)] == [7.0, None, None]
    card = handle({"kind": "retype", "table": card, "column": "id", "to": "text"}, tmp_path)["table"]
    assert [row[0] for row in rows_of(tmp_path, card)] == ["007", "x", "Total"]
    card = repaired(tmp_path, card, "type", "off")
    assert [repair["kind"] for repair in card["repairs"]] == ["totals", "dates"]


def test_a_type_of_a_file_with_types_of_its_own_is_taken_back(tmp_path: Path) -> None:
    card = card_of(tmp_path, b'[{"a": "007", "b": 1.5}, {"a": "012", "b": 2}]', "a.json")
    assert not card["repairs"]
    for to, value in (("number", 7.0), ("text", "007"), ("whole number", 7)):
        card = handle({"kind": "retype", "table": card, "column": "a", "to": to}, tmp_path)["table"]
        assert rows_of(tmp_path, card)[0][0] == value
    card = repaired(tmp_path, card, "type", "off")
    assert rows_of(tmp_path, card)[0] == ("007", 1.5)
    assert (card["repairs"], card["base"]) == ([], None)


@pytest.mark.parametrize(
    ("last", "on"),
    [
        ("Total,,6,60", True),
        ("Sum of all,,6,60", True),
        (",,6,60", True),
        ("合計,,6,60", True),
        ("Gesamt,,6,99", True),  # half of its figures are sums
        ("Total Oil,x,4,7", None),  # the figures are those of a firm
        ("Totality,x,6,60", None),
        (",,7,7", None),
    ],
)
def test_a_last_row_is_one_of_totals_where_its_figures_are_sums(tmp_path: Path, last: str, on: bool | None) -> None:
    card = card_of(tmp_path, f"firm,kind,n,v\nA,x,1,10\nB,x,2,20\nC,y,3,30\n{last}\n")
    found = [repair["on"] for repair in card["repairs"] if repair["kind"] == "totals"]
    guess = last.startswith("Total Oil")  # which is said, and left as it is
    assert found == ([True] if on else [False] if guess else [])
    assert card["rows"] == (3 if on else 4)


@pytest.mark.parametrize(
    ("rows", "kept"),
    [
        ("A,1,10\nB,2,20\nC,4,33\nAverage,2.3,21\n", 3),  # rounded
        ("A,1,10\nB,2,20\nC,4,33\nTotal,7,63\nMean,2.33,21\n", 3),
        ("A,1,10\nB,2,20\nC,4,33\n平均,2.33,21\nTotal,7,63\n", 3),
        ("A,1,10\nB,2,20\nC,4,33\nAverage,9,5\n", 4),  # the figures are its own
        ("Good,1,10\nPoor,2,20\nWorse,3,30\nAverage,2,20\nWorst,4,40\n", 5),  # a grade among others
    ],
)
def test_last_rows_of_averages_are_left_out_where_their_figures_agree(tmp_path: Path, rows: str, kept: int) -> None:
    assert card_of(tmp_path, f"firm,n,v\n{rows}")["rows"] == kept


def test_what_is_a_guess_is_offered_and_done_by_a_click(tmp_path: Path) -> None:
    card = card_of(tmp_path, "firm,n\nA,1\nB,2\nC,3\nTotal,9\n")
    assert told(card) == ["1 row may be totals, and is counted."]
    assert [(str(text), to) for text, to in repair_offers(card["repairs"][0])] == [("Leave out", "on")]
    assert repaired(tmp_path, card, "totals", "on")["rows"] == 3


def test_a_table_of_totals_is_left_as_it_is(tmp_path: Path) -> None:
    card = card_of(tmp_path, "what,n\nTotal A,1\nTotal B,2\nTotal C,3\nRest,9\n")
    assert (card["rows"], card["repairs"]) == (4, [])


def test_a_large_file_is_looked_at_to_its_end(tmp_path: Path) -> None:
    text = "name,n\n" + "".join(f"p{number},{number}\n" for number in range(20_000)) + f"Total,{sum(range(20_000))}\n"
    (tmp_path / "upload").write_text(text)
    job = {"kind": "load", "source": "upload", "name": "a.csv", "taken": [], "limits": {"exact": 1000}}
    table = handle(job, tmp_path)["tables"][0]
    assert (table["rows"], told(table)) == (20_000, ["1 row of totals left out of sums."])


def test_words_behind_figures_are_their_unit_only_where_all_have_one(tmp_path: Path) -> None:
    card = card_of(tmp_path, "a,b,c,d,e\n1 kg,1 kg,1 AM,1st,1 B\n2.5 kg,2 g,2 AM,2nd,2 B\n3 kg,3 kg,3 AM,3rd,3 B\n")
    assert [(column["type"], column["unit"]) for column in card["columns"]] == [
        ("DOUBLE", "kg"),
        ("VARCHAR", ""),
        ("VARCHAR", ""),
        ("VARCHAR", ""),
        ("VARCHAR", ""),
    ]


def test_sheets_have_repairs_of_their_own(tmp_path: Path) -> None:
    book: dict[str, Sequence[Sequence[object]]] = {
        "One": [["a", "n"], ["x", 1], ["y", 2], ["Total", 3]],
        "Two": [["a", "n"], ["x", 1], ["y", 2], ["z", 4]],
    }
    (tmp_path / "upload").write_bytes(excel_file(book))
    tables = handle({"kind": "load", "source": "upload", "name": "b.xlsx", "taken": []}, tmp_path)["tables"]
    assert [told(table) for table in tables] == [["1 row of totals left out of sums."], []]
    assert {path.name for path in tmp_path.iterdir()} == {
        "upload",
        *(table["file"] for table in tables),
        tables[0]["base"]["file"],
    }


_NAMES = st.sampled_from(["Oslo", "Lima", "Total", "Ann Sum", "2024", ""])
_AMOUNTS = st.lists(st.integers(1, 10**6), min_size=3, max_size=12)


@settings(max_examples=60, deadline=None)
@given(_AMOUNTS, st.lists(st.sampled_from(["Oslo", "Lima", "Total", "Ann Sum", "2024", ""]), min_size=12, max_size=12))
def test_no_row_of_data_is_lost_unsaid(
    tmp_path_factory: pytest.TempPathFactory, amounts: list[int], said: list[str]
) -> None:
    """What is left out are sums or blank, and the rows that are left and those that are not are all the rows."""
    folder = tmp_path_factory.mktemp("any")
    lines = [f"{name},x{place},{amount}" for place, (name, amount) in enumerate(zip(said, amounts, strict=False))]
    card = card_of(folder, "name,id,n\n" + "\n".join(lines) + "\n")
    out = sum(repair["count"] for repair in card["repairs"] if repair["on"] and repair["kind"] == "totals")
    assert card["rows"] + out == len(amounts)
    for repair in [repair["kind"] for repair in card["repairs"] if repair["on"]]:
        card = repaired(folder, card, repair, "off")
    assert [row[2] for row in rows_of(folder, card)] == amounts
