"""Figures that an answer works out in a table of its own: columns of changes and shares, rows of totals."""

from __future__ import annotations

import time
import tomllib
from pathlib import Path

from agent.evidence.tables.table_forms import tables_in
from tests.support.cases import each
from tests.support.traced import marked, verdict

ACCOUNTS = """Line item (in USD millions),2022,2023,2024,2025
Net sales,4182.6,4467.3,4851.9,5236.4
Cost of goods sold,2611.4,2758.2,2930.7,3098.5
Research and development,402.8,447.5,512.3,560.9
Selling and marketing,531.2,560.4,588.8,645.7
General and administrative,287.9,301.6,322.1,336.2
Interest expense,61.7,74.9,83.2,79.8
"""
CHANGES = """Costs went up.

| Line | 2024 | 2025 | {head} |
|---|---|---|---|
| Cost of goods sold | 2,930.7 | 3,098.5 | {cost} |
| Research and development | 512.3 | 560.9 | {research} |
| Interest expense | 83.2 | 79.8 | {interest} |
"""
TOTALS = """| Line | 2024 | 2025 |
|:---|---:|---:|
| Research and development | 512.3 | 560.9 |
| Selling and marketing | 588.8 | 645.7 |
| General and administrative | 322.1 | 336.2 |
| **{label}** | **{before}** | **{now}** |
"""
REGIONS = """region,customers,returns
North,1840,92
South,2310,147
West,1275,38
"""
JAPANESE = """| 地域 | 客数 | 返品 | {head} |
|---|---|---|---|
| North | 1,840 | 92 | {north} |
| South | 2,310 | 147 | {south} |
"""


def changes(head: str, cost: str, research: str, interest: str) -> str:
    return CHANGES.format(head=head, cost=cost, research=research, interest=interest)


@each(
    ("answer", "figure", "found"),
    [
        (changes("Change", "167.8", "48.6", "-3.4"), "167.8", "worked_out"),
        (changes("Change", "167.8", "48.6", "-3.4"), "48.6", "worked_out"),
        (changes("Change", "167.8", "48.6", "-3.4"), "-3.4", "worked_out"),
        (changes("Change", "168.8", "48.6", "-3.4"), "168.8", "not_found"),
        (changes("Change", "167.8", "45.6", "-3.4"), "45.6", "not_found"),
        (changes("Δ", "+167.8", "+48.6", "−3.4"), "48.6", "worked_out"),
        (changes("Diff.", "167.8", "48.6", "3.4"), "48.6", "worked_out"),
        (changes("YoY", "5.7 %", "9.5 %", "-4.1 %"), "9.5 %", "worked_out"),
        (changes("Growth", "5.7%", "9.5%", "-4.1%"), "-4.1%", "worked_out"),
        (changes("Growth", "5.7%", "8.5%", "-4.1%"), "8.5%", "not_found"),
        (changes("Change (%)", "5.7", "9.5", "-4.1"), "9.5", "worked_out"),
        (changes("Change (%)", "5.7", "9.5", "-4.1"), "-4.1", "worked_out"),
        (changes("% change", "5.7", "9.9", "-4.1"), "9.9", "not_found"),
        (changes("Average", "3,014.6", "536.6", "81.5"), "536.6", "worked_out"),
        (changes("Average", "3,014.6", "538.6", "81.5"), "538.6", "not_found"),
        # A head that speaks of no step lets a difference be nothing.
        (changes("Budget", "167.8", "48.6", "3.4"), "48.6", "not_found"),
    ],
)
def test_a_column_of_steps_between_two_others(answer: str, figure: str, found: str) -> None:
    assert verdict(answer, figure, ACCOUNTS) == found


@each(
    ("label", "before", "now", "figure", "found"),
    [
        ("Total", "1,423.2", "1,542.8", "1,423.2", "worked_out"),
        ("Total", "1,423.2", "1,542.8", "1,542.8", "worked_out"),
        ("Sum of the three", "1,423.2", "1,542.8", "1,542.8", "worked_out"),
        ("合計", "1,423.2", "1,542.8", "1,542.8", "worked_out"),
        ("Average", "474.4", "514.3", "514.3", "worked_out"),
        ("Total", "1,423.2", "1,552.8", "1,552.8", "not_found"),
        ("Total", "1,243.2", "1,542.8", "1,243.2", "not_found"),
        ("Average", "474.4", "541.3", "541.3", "not_found"),
    ],
)
def test_a_row_of_what_the_rows_above_it_come_to(label: str, before: str, now: str, figure: str, found: str) -> None:
    assert verdict(TOTALS.format(label=label, before=before, now=now), figure, ACCOUNTS) == found


@each(
    ("head", "north", "south", "figure", "found"),
    [
        ("返品率", "5.0%", "6.4%", "6.4%", "worked_out"),
        ("返品率", "5.0%", "6.9%", "6.9%", "not_found"),
        ("差", "1,748", "2,163", "2,163", "worked_out"),
        ("差", "1,748", "2,263", "2,263", "not_found"),
    ],
)
def test_a_column_in_japanese(head: str, north: str, south: str, figure: str, found: str) -> None:
    assert verdict(JAPANESE.format(head=head, north=north, south=south), figure, REGIONS) == found


@each(
    ("said", "wrong"),
    [
        ("Growth was 6.8 % in 2023, 8.6 % in 2024 and 7.9 % in 2025.", []),
        ("Growth was 6.3 % in 2023, 8.9 % in 2024 and 7.9 % in 2025.", ["6.3 %", "8.9 %"]),
        ("All of these are millions of US dollars.", []),
        ("All of these are millions of Swiss francs.", ["Swiss"]),
        ("The US paid all of it in dollars.", ["US"]),
    ],
)
def test_growth_of_each_year_and_the_name_of_the_currency(said: str, wrong: list[str]) -> None:
    assert marked(f"Net sales rose to 5,236.4 in 2025. {said}", ACCOUNTS) == wrong


DAYS = """day,visitors
Mon,1840
Tue,1752
Wed,1905
"""


@each(
    ("text", "wrong"),
    [
        # Four digits that could be a year are none behind the name of a day.
        ("- Mon: 1840 visitors\n- Tue: 1752 visitors (-4.8%)\n- Wed: 1905 visitors (+8.7%)\n", []),
        ("- Mon: 1840 visitors\n- Tue: 1752 visitors (-4.5%)\n- Wed: 1905 visitors (+8.7%)\n", ["-4.5%"]),
        # What only looks like a table.
        (f"| Mon | 1840 |\n| {'-' * 9_000}x |\n| Tue | 1752 |\n", []),
        ("|\n|--|\n|\n||||\n| 1840 |\n", []),
        ("Day | Visitors | Change\n--- | --- | ---\nMon | 1840 | –\nTue | 1752 | -88", []),
        ("Day | Visitors | Change\n--- | --- | ---\nMon | 1840 | –\nTue | 1752 | -89", ["-89"]),
    ],
)
def test_odd_tables_and_lists(text: str, wrong: list[str]) -> None:
    assert marked(text, DAYS) == wrong


def test_a_pipe_behind_a_backslash_ends_no_cell() -> None:
    rows = "| Salt \\| Ash | 412 | 430 |{one}\n| Loom | 398 | 377 |{two}\n"
    table = "| Album | 2023 | 2024 |{head}\n|---|---|---|{rule}\n" + rows
    observed = table.format(head="", rule="", one="", two="")
    [seen] = tables_in(observed)
    assert [cell.text for cell in seen.rows[1]] == ["Salt \\| Ash", "412", "430"]
    changes = {"head": " Change |", "rule": "---|", "one": " +18 |"}
    assert marked(table.format(**changes, two=" -21 |"), observed) == []
    assert marked(table.format(**changes, two=" -24 |"), observed) == ["-24"]


WHOLE = tomllib.loads(Path(__file__).with_name("own_tables.toml").read_text(encoding="utf-8"))


@each(
    ("text", "observed", "wrong"),
    [(one["text"], WHOLE["observed"][one["observed"]], one["wrong"]) for one in WHOLE["answer"]],
)
def test_whole_answers_with_tables_and_lists(text: str, observed: str, wrong: list[str]) -> None:
    assert marked(text, observed) == wrong


@each(
    ("said", "figure", "found"),
    [("+3", "3)", "not_found"), ("+1", "1)", "not_found"), ("+3", "-4", "worked_out")],
)
def test_a_digit_with_a_sign_in_a_list(said: str, figure: str, found: str) -> None:
    observed = "class,pupils,girls,boys\n5a,28,15,13\n5b,26,11,15\n5c,31,18,13\n"
    answer = f"- 5a: 15 girls and 13 boys ({said})\n- 5b: 11 girls and 15 boys (-4)\n"
    assert verdict(answer, figure, observed) == found


@each("row", ["- x{n}: {value} (+{n}.3%)", "| x{n} | {value} | +{n}.3% |"])
def test_of_many_rows_those_around_a_figure_are_read(row: str) -> None:
    """Each has lines of its own around it, more than the first one has."""
    values = [(n, 1000 + 7 * n) for n in range(60)]
    observed = "name,size\n" + "\n".join(f"x{n},{value}" for n, value in values)
    heads = "| name | size | Change |\n|---|---|---|\n" if row[0] == "|" else ""
    wrong = marked(heads + "\n".join(row.format(n=n, value=value) for n, value in values), observed)
    assert len(wrong) > 50 and "59.3%" in wrong


def seconds(answer: str) -> float:
    start = time.process_time()
    marked(answer, REGIONS)
    return time.process_time() - start


@each(
    "answer",
    [
        "| Region | Share |\n--{blanks}x\n| North | 24 |\n",
        "- North: 1,840{blanks}x\n- South: 2,310 (+471)\n",
    ],
)
def test_a_run_of_blanks_takes_time_that_grows_with_it(answer: str) -> None:
    seconds(answer)
    small, large = (min(seconds(answer.format(blanks=" " * n)) for _ in range(3)) for n in (1_000, 16_000))
    assert large <= 64 * max(small, 0.002)
