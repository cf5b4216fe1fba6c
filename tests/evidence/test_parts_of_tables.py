"""Statements in several parts under one line of heads, and lists of lines with decimal commas or grouped digits."""

from __future__ import annotations

from agent.evidence.tables.table_forms import tables_in
from tests.support.cases import each
from tests.support.traced import verdict

FLOWS = """Brenna Dairy - Statement of cash flows
Years ended June 30 (kr 000s)

From operations                          2031         2030
  Profit for the year                $ 41,320     $ 37,905
  Depreciation                         12,480       11,960
Cash from operations                   53,800       49,865

From investing
  New pasteurising line               (21,700)      (6,150)
  Sale of the old depot                      -        3,400
Cash used in investing                (21,700)      (2,750)

Dividends to the farmers              (18,240)

Change in cash                         13,860       31,115
Cash at the end of the year      $     77,450     $ 63,590
"""
HARBOURS = """                   Ferries   Freighters
North coast
Alvik                  412          95
Bo                     388
South coast
Dale                   265         130
Ekne                               177
"""
APART = """Rainfall     2031   2030
Tarn          812    790
Mere          655    701

The stations of the second valley were moved in May, and what they measured since then was compared by the people of the
institute with what the old ones had shown. No difference of more than two per cent was found in any of the weeks, so
that the rows below can be read like those above. Two of the stations had no power for some days.

Beck          540    561
Ford          498    517
"""
VOTES = (
    "Stimmen (in Klammern: Anteil 2030):\nRote Liste 11.840 (31,7 %)\nBlaue Liste 9.455 (25,3 %)\nFreie 8.020 (21,5 %)"
)
PRICES = "Preise\nRoggenbrot 3,80 €\nDinkelbrot 4,25 €\nBrezel 0,95 €"
PLAIN = "Ruma 5,7\nSela 6,2\nTova 4,9"
CSV = "zone,count\nZone 5,12\nZone 6,14\nZone 7,19"
MILLS = "3. 部門別売上高\n製粉 1,204億円(前期1,150億円)\n製菓 688億円(前期702億円)\n飼料 1,015億円(前期986億円)"


def tables(text: str) -> list[list[list[str]]]:
    return [[[cell.text for cell in row] for row in table.rows] for table in tables_in(text)]


def test_parts_without_heads_go_on_with_the_table_above() -> None:
    (rows,) = tables(FLOWS)
    assert rows[0] == ["From operations", "2031", "2030"]
    assert rows[4:6] == [["From investing", "", ""], ["New pasteurising line", "(21,700)", "(6,150)"]]
    assert rows[-3] == ["Dividends to the farmers", "(18,240)", ""]
    assert rows[-1] == ["Cash at the end of the year", "$ 77,450", "$ 63,590"]


def test_what_is_left_empty_is_seen_by_where_the_others_stand() -> None:
    (rows,) = tables(HARBOURS)
    assert ["Bo", "388", ""] in rows
    assert ["Ekne", "", "177"] in rows
    assert ["South coast", "", ""] in rows


def test_text_in_two_columns_of_a_page_is_no_table() -> None:
    page = (
        "The quarry opened      its stone was     and lasts to\n"
        "in 1911 by two         used for the      our own days\n"
        "brothers from the      bridge of 1923\n"
        "lower town and         and the school\n"
    )
    assert tables_in(page) == []


def test_prose_between_parts_keeps_them_apart_but_not_without_heads() -> None:
    first, second = tables_in(APART)
    assert second.column_heads == first.column_heads
    assert [cell.text for cell in second.body[0]] == ["Beck", "540", "561"]
    assert second.start > first.end


@each(
    ("text", "rows"),
    [
        (VOTES, [["Rote Liste", "11.840", "31,7 %"], ["Blaue Liste", "9.455", "25,3 %"], ["Freie", "8.020", "21,5 %"]]),
        (PRICES, [["Roggenbrot", "3,80"], ["Dinkelbrot", "4,25"], ["Brezel", "0,95"]]),
        (PLAIN, [["Ruma", "5,7"], ["Sela", "6,2"], ["Tova", "4,9"]]),
        (CSV, [["Zone 5", "12"], ["Zone 6", "14"], ["Zone 7", "19"]]),
        (MILLS, [["製粉", "1,204億円", "1,150億円"], ["製菓", "688億円", "702億円"], ["飼料", "1,015億円", "986億円"]]),
    ],
)
def test_a_comma_within_numbers_parts_no_cells(text: str, rows: list[list[str]]) -> None:
    (table,) = tables_in(text)
    assert [[cell.text for cell in row] for row in table.body] == rows


@each(
    ("text", "answer", "figure", "expected"),
    [
        (FLOWS, "The new pasteurising line cost $21.7 million in 2031.", "$21.7 million", "seen"),
        (FLOWS, "New pasteurising line: −$21.7 million in 2031", "−$21.7 million", "seen"),
        (FLOWS, "The sale of the old depot brought $3.4 million in 2030.", "$3.4 million", "seen"),
        (FLOWS, "The new pasteurising line cost $6.15 million in 2031.", "$6.15 million", "elsewhere"),
        (FLOWS, "The new pasteurising line cost $21.9 million in 2031.", "$21.9 million", "not_found"),
        (FLOWS, "In 2031, cash at the end of the year was $77.45 million.", "$77.45 million", "seen"),
        (FLOWS, "Dividends of $18.24 million went to the farmers.", "$18.24 million", "seen"),
        (HARBOURS, "Ekne had 177 freighters.", "177", "seen"),
        (HARBOURS, "Dale had 130 ferries.", "130", "elsewhere"),
        (HARBOURS, "Bo had 177 freighters.", "177", "elsewhere"),
        (APART, "Ford had 498 mm in 2031.", "498", "seen"),
        (APART, "Ford had 517 mm in 2031.", "517", "elsewhere"),
        (VOTES, "Die Blaue Liste hatte 2030 25,3 %.", "25,3 %", "seen"),
        (VOTES, "Die Freie Liste hatte 2030 25,3 %.", "25,3 %", "elsewhere"),
        (VOTES, "Die Rote Liste bekam 11.840 Stimmen, 2.385 mehr als die Blaue Liste.", "2.385", "worked_out"),
        (PRICES, "Das Dinkelbrot kostet 4,25 €.", "4,25 €", "seen"),
        (PRICES, "Die Brezel kostet 4,25 €.", "4,25 €", "elsewhere"),
        (CSV, "Zone 6 has 14.", "14", "seen"),
        (MILLS, "製粉は1,204億円でした。", "1,204億円", "seen"),
        (MILLS, "製菓は1,204億円でした。", "1,204億円", "elsewhere"),
    ],
)
def test_figures_of_parts_and_lines(text: str, answer: str, figure: str, expected: str) -> None:
    assert verdict(answer, figure, text) == expected


BLANKS = (
    "Le musée a fermé tard. 13 452 visiteurs sont venus, dont 2 018 enfants. En avril, 9 774 billets ont été vendus."
)


@each(
    ("answer", "figure", "expected"),
    [
        ("Il y a eu 13 452 visiteurs.", "13 452", "seen"),
        ("Il y a eu 9 774 billets vendus en avril.", "9 774", "seen"),
        ("Il y a eu 13 457 visiteurs.", "13 457", "differs"),
    ],
)
def test_thousands_parted_by_blanks_begin_a_sentence(answer: str, figure: str, expected: str) -> None:
    assert verdict(answer, figure, BLANKS) == expected
