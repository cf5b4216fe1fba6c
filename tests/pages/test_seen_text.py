"""What a claim rests on, as it is drawn: tables as tables, everything else as it stands, nothing of it a tag."""

from __future__ import annotations

import re
from html import unescape

from hypothesis import given
from hypothesis import strategies as st

from agent.evidence.shown_tables import shown_tables
from pages.ui.run.seen_text import seen_text
from tests.support.cases import each
from tests.support.hostile_texts import TEXTS

MARKDOWN = """Brandt plc (£'000)

| Division | Sales | Staff |
|---|---:|---:|
| Bakery | 48,210 | 412 |
| <b>Dairy | 61,875 | 388 |

No notes.
"""
PSQL = " name  | n \n-------+---\n Ann   | 1\n Bo    | 22\n(2 rows)\n"
CSV = 'name,"town, land",n\nAnn,"Oslo, NO",14\nBo,"Rome, IT",22\n'
FRAME = "      name   n\n0      Ann   14\n1  Old Bob   22\n"
JSON = '[{"name": "Ann", "n": 14}, {"name": "Bo", "n": 22}]'
PROSE = "Ann has 14 and Bo has 22."
LONG = "name,n\n" + "".join(f"P{number},{1000 + number}\n" for number in range(90))
_PIECES = (MARKDOWN, PSQL, CSV, FRAME, JSON, *TEXTS.values(), "<td>", "</table>", "<mark>", "|", "\n", "1", ",", "  ")
_TAG = re.compile(r"</?(?:pre|div|table|tbody|tr|th|td|mark)(?: [^<>]*)?>")


def drawn(text: str, *values: str) -> str:
    places = [(text.index(value), text.index(value) + len(value)) for value in values]
    return seen_text(text, places, 'role="region"')


@each(
    ("text", "value", "row"),
    [
        (MARKDOWN, "61,875", "<td>&lt;b&gt;Dairy</td><td data-number><mark>61,875</mark></td><td data-number>388</td>"),
        (PSQL, "22", "<td>Bo</td><td data-number><mark>22</mark></td>"),
        (CSV, "22", "<td>Bo</td><td>Rome, IT</td><td data-number><mark>22</mark></td>"),
        (FRAME, "22", "<td data-number>1</td><td>Old Bob</td><td data-number><mark>22</mark></td>"),
    ],
)
def test_a_table_is_drawn_as_one(text: str, value: str, row: str) -> None:
    assert f"<tr data-meant>{row}</tr>" in drawn(text, value)


def test_what_stands_around_a_table_stays() -> None:
    html = drawn(MARKDOWN, "48,210")
    assert html.startswith('<div class="glassbox-observation" role="region">Brandt plc (£&#x27;000)<table>')
    assert html.endswith("</table>No notes.</div>")
    assert "|" not in html


@each("text", [JSON, PROSE, "22\n", "| 22 |\n"])
def test_what_is_no_table_stands_as_it_is(text: str) -> None:
    html = drawn(text, "22")
    assert html.startswith("<pre ")
    assert unescape(_TAG.sub("", html)) == text


def test_a_place_beside_the_cells_leaves_the_text_as_it_is() -> None:
    html = drawn(MARKDOWN, "48,210 | 412")
    assert html.startswith("<pre ")


def test_of_a_long_table_the_rows_nearby_are_drawn() -> None:
    html = drawn(LONG, "1050")
    assert html.count("<tr") == 1 + 25 + 2
    assert "<td>P38</td>" in html
    assert "<td>P37</td>" not in html
    assert html.count("…") == 2


@given(st.lists(st.sampled_from(_PIECES)).map("".join))
def test_no_text_is_a_tag_and_each_place_is_marked(text: str) -> None:
    places = [match.span() for match in re.finditer(r"\d+", text)][:4]
    html = seen_text(text, places, 'role="region"')
    assert html.count("<mark>") == len(places)
    assert "<" not in _TAG.sub("", html)
    ends = [(one.start, one.end) for one in shown_tables(text, places)]
    assert ends == sorted(ends)
