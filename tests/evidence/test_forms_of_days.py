"""Rows of days: whatever form a table writes its days in, and whatever form an answer does, its figures are theirs."""

from __future__ import annotations

from agent.evidence import Claim, check
from agent.evidence.tables.table_forms import tables_in
from tests.support.cases import each
from tests.support.observed_answers import run
from tests.support.traced import verdict

VISITORS = ("118", "104", "121")
_SWAPPED = ("104", "118", "121")
# The same three days, Monday to Wednesday, as tables and programs write them.
IN_TABLES = (
    ("2025-09-08", "2025-09-09", "2025-09-10"),
    ("08.09.2025", "09.09.2025", "10.09.2025"),
    ("9/8/2025", "9/9/2025", "9/10/2025"),
    ("08/09/2025", "09/09/2025", "10/09/2025"),
    ("2025/09/08", "2025/09/09", "2025/09/10"),
    ("20250908", "20250909", "20250910"),
    ("2025-09-08T00:00:00Z", "2025-09-09T00:00:00Z", "2025-09-10T00:00:00Z"),
    ("8 Sep 2025", "9 Sep 2025", "10 Sep 2025"),
    ("08-Sep-25", "09-Sep-25", "10-Sep-25"),
    ("2025年9月8日", "2025年9月9日", "2025年9月10日"),
)
WITHOUT_YEAR = (
    ("Sep 8", "Sep 9", "Sep 10"),
    ("08.09.", "09.09.", "10.09."),
    ("9月8日", "9月9日", "9月10日"),
    ("08/09", "09/09", "10/09"),
)
AS_SAID = (
    ("8 September", "9 September", "10 September"),
    ("September 8", "September 9", "September 10"),
    ("8. September", "9. September", "10. September"),
    ("9月8日", "9月9日", "9月10日"),
    ("8.9.", "9.9.", "10.9."),
)
WITH_WEEKDAYS = (
    ("Monday", "Tuesday", "Wednesday"),
    ("Mon 8", "Tue 9", "Wed 10"),
    ("Montag", "Dienstag", "Mittwoch"),
    ("lundi 8", "mardi 9", "mercredi 10"),
    ("月曜", "火曜", "水曜"),
)


def _claims(days: tuple[str, ...], said: tuple[str, ...], visitors: tuple[str, ...]) -> tuple[Claim, ...]:
    observed = "day,visitors,cars\n" + "".join(
        f"{day},{number},{cars}\n" for day, number, cars in zip(days, VISITORS, (34, 116, 28), strict=True)
    )
    lines = "".join(f"| {day} | {number} |\n" for day, number in zip(said, visitors, strict=True))
    return check(run(f"| Day | Visitors |\n|---|---|\n{lines}", observed)).claims


def _verdicts(days: tuple[str, ...], said: tuple[str, ...], visitors: tuple[str, ...]) -> list[str]:
    return [one.verdict for one in _claims(days, said, visitors) if one.text in VISITORS]


@each("days", (*IN_TABLES, *WITHOUT_YEAR))
@each("said", AS_SAID)
def test_figures_of_days(days: tuple[str, ...], said: tuple[str, ...]) -> None:
    assert _verdicts(days, said, VISITORS) == ["seen"] * 3
    assert "seen" not in _verdicts(days, said, _SWAPPED)[:2]


@each("days", IN_TABLES)
@each("said", WITH_WEEKDAYS)
def test_figures_of_weekdays(days: tuple[str, ...], said: tuple[str, ...]) -> None:
    assert _verdicts(days, said, VISITORS) == ["seen"] * 3
    assert "seen" not in _verdicts(days, said, _SWAPPED)[:2]


@each("days", (*IN_TABLES, *WITHOUT_YEAR))
@each("said", (*AS_SAID[:4], WITH_WEEKDAYS[1]))
def test_the_days_themselves(days: tuple[str, ...], said: tuple[str, ...]) -> None:
    assert {one.verdict for one in _claims(days, said, VISITORS) if one.text not in VISITORS} == {"seen"}


@each("said", [("Mon 9", "Tue 9", "Wed 10"), ("Mon 8", "Tue 9", "Thu 10"), ("8 September", "9 October", "10 October")])
def test_a_day_that_is_none_of_the_table(said: tuple[str, ...]) -> None:
    days = [one for one in _claims(IN_TABLES[0], said, VISITORS) if one.text not in VISITORS]
    assert {"not_found", "differs"} & {one.verdict for one in days}


@each(
    "text",
    ["room,guests,beds\nRoom 8,118,34\nRoom 9,104,116\n", "day,visitors\nMay 8,118\nMay 9,104\n"],
)
def test_a_row_whose_commas_might_be_of_one_number(text: str) -> None:
    (table,) = tables_in(text)
    assert [cell.text for row in table.rows for cell in row] == text.replace("\n", ",").split(",")[:-1]


@each("text", ["River\nNile: 6,650\nElbe: 1,094\n", "In all, 3\nSo 8,118 came and 9,104 left\n"])
def test_lines_that_are_no_rows(text: str) -> None:
    assert not any(cell.text.startswith(("650", "094", "118")) for one in tables_in(text) for cell in sum(one.rows, ()))


CALENDAR = "DTSTART;TZID=Europe/Berlin:20250915T093000\nDTEND:20250915T101500Z\nSUMMARY:Stand-up\n"
TRAINS = """          Mo-Fr   täglich
Oberau     6.12    8.02
Steinfeld  6.31    8.21
Rehbach    6.41    8.36
"""


@each(
    ("answer", "text", "observed", "expected"),
    [
        ("It starts at 9:30 on 15 September 2025.", "9:30", CALENDAR, "seen"),
        ("It starts at 9:30 on 15 September 2025.", "15 September", CALENDAR, "seen"),
        ("It starts at 9:40 on 15 September 2025.", "9:40", CALENDAR, "differs"),
        # Which of the two trains is meant no head says.
        ("Der zweite Zug hält in Steinfeld um 8.21 Uhr.", "8.21 Uhr", TRAINS, "elsewhere"),
        ("Der zweite Zug hält in Steinfeld um 8.25 Uhr.", "8.25 Uhr", TRAINS, "not_found"),
    ],
)
def test_times_of_calendars_and_timetables(answer: str, text: str, observed: str, expected: str) -> None:
    assert verdict(answer, text, observed) == expected
