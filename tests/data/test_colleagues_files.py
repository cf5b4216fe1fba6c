"""Files as a colleague sends them: units behind figures, yen of Shift-JIS, notes around a table, a head used twice."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

from agent.data.tables.headings import Heading, names_not_amounts
from agent.data.tables.identifiers import told_apart
from agent.data.tables.loading.column_types import decided_by
from agent.data.tables.repair_texts import repair_told
from agent.interface_text import unpacked
from tests.support.jobs import table_job
from tests.support.table_files import Percent, excel_file


def card(folder: Path, name: str, content: bytes) -> dict[str, Any]:
    (folder / "upload").write_bytes(content)
    answer = table_job({"kind": "load", "source": "upload", "name": name, "taken": []}, folder)
    assert answer["ok"], answer
    return answer["tables"][0]


def notes(table: dict[str, Any]) -> list[str]:
    return [str(unpacked(note)) for note in table["notes"]]


@pytest.mark.parametrize(
    ("cells", "kind", "unit"),
    [
        (["53cm", "117cm", "16 cm"], "BIGINT", "cm"),
        (["250g", "90g", "15g"], "BIGINT", "g"),
        (["1.5h", "4h", "12h"], "DOUBLE", "h"),
        (["12°C", "13.5°C", "-4°C"], "DOUBLE", "°C"),
        (["12 °C", "13.5 °C", "-4 °C"], "DOUBLE", "°C"),
        (["30m²", "45.5m²", "9m²"], "DOUBLE", "m²"),
        (["3 pieces", "12 pieces", "7 pieces"], "BIGINT", "pieces"),
        (["\\3,890", "\\15,330", "\\980"], "BIGINT", "¥"),
        (["12a", "12b", "3c"], "", ""),
        (["C:\\1", "D:\\2", "E:\\3"], "", ""),
        (["1 AM", "3 AM", "11 AM"], "", ""),
        (["12 B", "3 B", "4 B"], "", ""),
    ],
)
def test_a_unit_behind_the_figures(cells: list[str], kind: str, unit: str) -> None:
    form = decided_by([cells])[0].form
    assert (form.type, form.unit) == (kind, unit) if form else not kind


def test_several_units_are_told_and_no_commas_where_there_are_none() -> None:
    mixed, plain = decided_by([["12 kg", "800 g", "3 kg"], ["3 days", "4 days", "12 days"]])
    assert (mixed.form, mixed.note) == (None, "Amounts in several units (g, kg); kept as text.")
    assert plain.note == ""


def test_notes_around_the_rows_are_told(tmp_path: Path) -> None:
    rows = "Bus,Riders\n" + "".join(f"{line},{line * 7}\n" for line in range(1, 9))
    above, below = "Night lines\nMade by the depot, in May\n\n", "\nNote: without line 9\nPage 1 of 1\n"
    table = card(tmp_path, "night.csv", f"{above}{rows}{below}".encode())
    assert (table["rows"], table["bad_rows"]) == (8, 0)
    assert notes(table) == [
        "Left out above the header: “Night lines · Made by the depot, in May”.",
        "Left out below the rows: “Note: without line 9 · Page 1 of 1”.",
    ]
    # What is cut off where the file ends is no note.
    cut = card(tmp_path, "night.csv", f"{rows}Harbour li".encode())
    assert (cut["rows"], cut["bad_rows"], notes(cut)) == (8, 1, [])


def test_notes_below_a_sheet_are_no_rows(tmp_path: Path) -> None:
    rows: list[list[object]] = [["Bus", "Riders", "Driver"], *([f"N{n}", n * 7, "Ola"] for n in range(1, 7))]
    noted = [*rows, ["", "", ""], ["Source: the depot", "", ""], ["Without line 9", "", ""]]
    table = card(tmp_path, "night.xlsx", excel_file({"S": noted}))
    assert table["rows"] == 6
    (told,) = map(repair_told, table["repairs"])
    assert told == "3 rows without data left out: blank, or notes below the table."
    # Without a blank row above it, it may be a row that is not filled in yet.
    assert card(tmp_path, "night.xlsx", excel_file({"S": [*rows, ["N7", "", ""]]}))["rows"] == 7


def test_a_head_used_twice_gets_a_number(tmp_path: Path) -> None:
    table = card(tmp_path, "jury.csv", b"Cook,Points,points,Points\nAda,3,4,5\nBo,2,2,1\nCy,5,1,2\n")
    assert [column["label"] for column in table["columns"]] == ["Cook", "Points", "points 2", "Points 3"]
    assert notes(table) == ["Several columns are headed “Points”; the later ones have a number."]
    assert told_apart(["a", "a", "a 2", "", ""]) == ["a", "a 3", "a 2", "", ""]
    assert told_apart(["Fee (€)", "Fee (€)", "(€)", "(€)"]) == ["Fee (€)", "Fee 2 (€)", "(€)", "(€) 2"]


@pytest.mark.parametrize(
    ("code", "values", "unit", "kind"),
    [
        ("#,##0 &quot;€&quot;", [1200.0, 950.0, 40.0], "€", "BIGINT"),
        ("[$€-407] #,##0.00", [1200.5, 950.0, 40.0], "€", "DOUBLE"),
        ("#,##0.00\\ [$CHF-807]", [1200.5, -950.0, 40.0], "CHF", "DOUBLE"),
        ("0.0&quot; kg&quot;", [2.5, 7.0, 11.25], "kg", "DOUBLE"),
        # Nothing is said where it cannot be said for sure, or what is shown is not what the cell holds.
        ("[$SFr.-807] #,##0", [1200.0, 950.0, 40.0], "", "BIGINT"),
        ("#,##0.0,,&quot;M&quot;", [1200000.0, 950000.0, 40.0], "", "BIGINT"),
        ("&quot;Nr. &quot;0", [7.0, 8.0, 12.0], "", "BIGINT"),
        ("0.0&quot; kg&quot;", [2.5, 7.0], "", "DOUBLE"),
    ],
)
def test_the_unit_that_a_sheet_shows(tmp_path: Path, code: str, values: Sequence[float], unit: str, kind: str) -> None:
    rows = [["Thing", "Amount"], *([f"thing {n}", Percent(value)] for n, value in enumerate(values))]
    (_, column) = card(tmp_path, "a.xlsx", excel_file({"S": rows}, percent=code))["columns"]
    assert (column["unit"], column["type"]) == (unit, kind)


def test_numbers_that_others_than_the_first_of_a_column_are_shown_with(tmp_path: Path) -> None:
    rows = [["Thing", "Amount"], ["a", Percent(3)], ["b", Percent(4)], ["c", Percent(5)], ["d", 6.0]]
    content = excel_file({"S": rows}, percent="0 &quot;€&quot;")
    assert card(tmp_path, "a.xlsx", content)["columns"][1]["unit"] == ""


def test_a_heading_says_its_unit_once() -> None:
    assert str(Heading("Days", "days")) == "Days"
    assert str(Heading("Total €", "€")) == "Total €"
    assert str(Heading("Name of the farm", "m")) == "Name of the farm (m)"
    assert str(Heading("Weight", "kg")) == "Weight (kg)"


def test_numbers_of_things_have_no_marks_between_thousands() -> None:
    for name in ("artikelnr", "kundennummer", "order_no", "zip", "顧客番号"):
        assert names_not_amounts(name, [7052, 1204]), name
    for name in ("bestand", "sum", "nr_of_rooms"):
        assert not names_not_amounts(name, [7052, 1204]), name
