"""Tables of observations: read alike from every form, and figures compared with their row, column, scale and steps."""

from __future__ import annotations

from agent.evidence import Claim, check
from agent.evidence.marks import behind, headline
from agent.evidence.tables.scales import powers_said
from agent.evidence.tables.table_forms import tables_in
from agent.evidence.tables.table_model import Table
from tests.support.cases import each
from tests.support.observed_answers import run

MARKDOWN = """# Ferries

| Line | 2023 | 2024 |
| --- | --- | --- |
| Northern | 1,204 | 1,377 |
| Coastal | 862 | 790 |
| Total | 2,066 | 2,167 |
"""
TABS = "Line\t2023\t2024\nNorthern\t1,204\t1,377\nCoastal\t862\t790\nTotal\t2,066\t2,167"
BARS = (
    "3 rows:\nLine VARCHAR | 2023 BIGINT | 2024 BIGINT\nNorthern | 1204 | 1377\nCoastal | 862 | 790\n"
    "Total | 2066 | 2167"
)
CSV = "Line,2023,2024\nNorthern,1204,1377\nCoastal,862,790\nTotal,2066,2167"
JSON = (
    '[{"line": "Northern", "2023": 1204, "2024": 1377}, {"line": "Coastal", "2023": 862, "2024": 790},\n'
    ' {"line": "Total", "2023": 2066, "2024": 2167}]'
)
PRINTED = "    Line  2023  2024\nNorthern  1204  1377\n Coastal   862   790\n   Total  2066  2167"
REPR = JSON.replace('"', "'")
HTML = (
    "<table><tr><th>Line<th>2023<th>2024</tr><tr><td>Northern</td><td>1,204</td><td>1,377</td></tr>"
    "<tr><td>Coastal</td><td>862</td><td>790</td></tr><tr><td><b>Total</b></td><td>2,066</td><td>2,167</td></tr></table>"
)
FORMS = [MARKDOWN, TABS, BARS, CSV, JSON, PRINTED, REPR, HTML]


def figures(answer: str, *observed: str, question: str = "?") -> list[Claim]:
    return [claim for claim in check(run(answer, *observed, question=question)).claims if claim.kind != "name"]


def verdict_of(text: str, answer: str, *observed: str, question: str = "?") -> tuple[str, str]:
    claim = next(claim for claim in figures(answer, *observed, question=question) if text in claim.text)
    return claim.verdict, str(claim.note)


def only_table(text: str) -> Table:
    (table,) = tables_in(text)
    return table


@each("text", FORMS)
def test_each_form_is_the_same_table(text: str) -> None:
    table = only_table(text)
    assert table.heads == 1 and [len(row) for row in table.body] == [3, 3, 3]
    assert [row[0].text for row in table.body] == ["Northern", "Coastal", "Total"]
    assert [head.split()[0] for head in table.column_heads] == ["line", "2023", "2024"]
    for row in table.body:
        for cell in row:
            assert text[cell.start : cell.end] == cell.text and table.cell_at(cell.start) == cell


@each("text", FORMS)
def test_a_figure_is_traced_in_its_row_and_column_alone(text: str) -> None:
    assert verdict_of("1,377", "The Northern line had 1,377 sailings in 2024.", text)[0] == "seen"
    assert verdict_of("790", "The Northern line had 790 sailings in 2024.", text) == (
        "elsewhere",
        "It stands in the row Coastal, column 2024",
    )
    assert verdict_of("1,204", "The Northern line had 1,204 sailings in 2024.", text)[0] == "elsewhere"
    assert verdict_of("1,378", "The Northern line had 1,378 sailings in 2024.", text)[0] in ("differs", "not_found")


def test_what_stands_elsewhere_leads_to_its_place() -> None:
    events = run("The Coastal line had 1,377 sailings in 2024.", MARKDOWN)
    claim = next(claim for claim in check(events).claims if claim.text == "1,377")
    place = claim.places[0]
    assert MARKDOWN[place.start : place.end] == "1,377" and not claim.traced and not claim.doubtful
    assert headline(claim, behind(events)) == "Stands elsewhere in step 1 (query)"
    assert "1 stands elsewhere" in check(events).summary


@each("first", ["1850,1920", "1998,2004"])
def test_values_below_years_that_read_as_years_are_no_heads(first: str) -> None:
    (table,) = tables_in(f"Region,2022,2023\nNorth,{first}\nSouth,2310,2415\nEast,975,990\n")
    assert table.heads == 1 and [row[0].text for row in table.body] == ["North", "South", "East"]


def test_a_head_that_is_said_again_below_a_line_of_the_unit_is_none_of_the_body() -> None:
    (table,) = tables_in(
        "|  | 2022 | 2023 |\n| in tons | 2022 | 2023 |\n| North | 412 | 455 |\n| South | 388 | 371 |\n"
    )
    assert table.heads == 2


def test_heads_in_two_rows_and_sections_name_columns_and_rows() -> None:
    text = (
        "|  | 2023 |  | 2024 |  |\n|---|---|---|---|---|\n|  | Adults | Children | Adults | Children |\n"
        "| Summer |  |  |  |  |\n| Day tickets | 410 | 230 | 455 | 261 |\n| Winter |  |  |  |  |\n"
        "| Day tickets | 120 | 64 | 99 | 71 |"
    )
    table = only_table(text)
    assert table.heads == 2 and table.column_heads[4].split() == ["2024", "children"]
    assert table.sections[-1] == "winter"
    said = "In summer 2024, {} day tickets were sold to children."
    assert verdict_of("261", said.format(261), text)[0] == "seen"
    assert verdict_of("71", said.format(71), text)[0] == "elsewhere"
    assert verdict_of("230", said.format(230), text)[0] == "elsewhere"


SCALED = (
    "| (in millions) | 2024 | 2023 |\n|---|---|---|\n| Net sales | 5,563.7 | 5,875.0 |\n| Profit | 542.1 | (31.5) |"
)


@each(
    ("text", "answer", "figure", "verdict"),
    [
        (SCALED, "Net sales were $5,563.7 million in 2024.", "5,563.7", "seen"),
        (SCALED, "Net sales were $5.56 billion in 2024.", "5.56", "seen"),
        (SCALED, "Net sales were 5,563.7 in 2024.", "5,563.7", "seen"),
        (SCALED, "Net sales were $5,563.7 billion in 2024.", "5,563.7", "not_found"),
        (
            "Amounts in thousands.\n\n| | 2024 |\n|---|---|\n| Rent | 1,204 |\n| Fuel | 88 |",
            "Rent was 1.204 million.",
            "1.2",
            "seen",
        ),
        (
            "| $'000 | 2024 |\n|---|---|\n| Rent | 1,204 |\n| Fuel | 88 |",
            "Rent came to 1,204 thousand dollars.",
            "1,204",
            "seen",
        ),
        (
            "| 項目 | 金額(百万円) |\n|---|---|\n| 売上高 | 5,202 |\n| 営業利益 | 440 |",
            "売上高は52億200万円です。",
            "52億",
            "seen",
        ),
        ("| | 2024 |\n|---|---|\n| Rent | 1,204 |\n| Fuel | 188 |", "Rent was 1,204 thousand.", "1,204", "elsewhere"),
    ],
)
def test_a_scale_that_is_said_once(text: str, answer: str, figure: str, verdict: str) -> None:
    assert verdict_of(figure, answer, text)[0] == verdict


def test_the_scale_of_a_text() -> None:
    assert powers_said("all amounts in thousands, except per share") == (3,)
    assert powers_said("the tables are (in millions of dollars)") == (6,)
    assert powers_said("nothing of the kind") == ()


@each(
    ("answer", "figure", "verdict", "note"),
    [
        ("Northern sailings rose from 1,204 to 1,377, by 14.4%.", "14.4", "worked_out", "(1,377 − 1,204) ÷ 1,204"),
        ("Northern sailings fell from 1,204 to 1,377, by 14.4%.", "14.4", "differs", "It goes the other way"),
        ("Northern sailings rose from 1,204 to 1,377, by 12.6%.", "12.6", "differs", "It starts from the later value"),
        ("Coastal sailings changed by 72 between 2023 and 2024.", "72", "worked_out", "862 − 790"),
        ("The Northern line made up 63.5% of the total in 2024.", "63.5", "worked_out", "1,377 ÷ 2,167"),
        ("Together that is (1,204 + 862) = 2,066 in 2023.", "2,066", "worked_out", "(1,204 + 862) = 2,066"),
        (
            "The mean of both lines in 2024 is (1,377 + 790) / 2 = 1,083.5.",
            "1,083.5",
            "worked_out",
            "(1,377 + 790) / 2",
        ),
        ("The mean of both lines in 2024 is (1,377 + 790) / 2 = 1,183.5.", "1,183.5", "differs", "= 1,083.5"),
        ("A tenth of Northern in 2024: 10% * 1,377 = 137.7.", "137.7", "worked_out", "= 137.7"),
        ("Both gains less the loss: 862 + (1,204) + 790 = 448.", "448", "worked_out", "(1,204)"),
        ("Both gains and the sum: 862 + (1,204) + 790 = 2,856.", "2,856", "worked_out", "(1,204)"),
        ("Both gains less the loss: 862 + (1,204) + 790 = 458.", "458", "differs", "= 2,856"),
        ("Coastal had 862 and Northern 1,204 sailings in 2023, together 2,067.", "2,067", "not_found", ""),
        ("The Northern line grew by 173 sailings.", "173", "worked_out", "1,377 − 1,204"),
        ("The Northern line grew by 183 sailings.", "183", "not_found", ""),
        ("The percentage change in Northern from 2023 to 2024: 14.37%.", "14.37", "worked_out", "÷ 1,204"),
    ],
)
def test_steps_of_the_sentence_and_of_its_row(answer: str, figure: str, verdict: str, note: str) -> None:
    found, said = verdict_of(figure, answer, MARKDOWN)
    assert found == verdict and note in said


def test_the_tenth_sentence_is_worked_out_as_the_first() -> None:
    rows = "\n".join(f"| Line {chr(65 + n)}{chr(97 + n)} | {300 + 37 * n} | {420 + 53 * n} |" for n in range(12))
    text = f"| Line | 2023 | 2024 |\n|---|---|---|\n{rows}"
    sentences = [
        f"Line {chr(65 + n)}{chr(97 + n)} went from {300 + 37 * n} to {420 + 53 * n}, a difference of {120 + 16 * n}."
        for n in range(12)
    ]
    assert {claim.verdict for claim in figures("\n".join(sentences), text)} <= {"seen", "worked_out"}


ACCOUNTS = """| 項目 | 2030年3月期 | 2031年3月期 |
| --- | --- | --- |
| 売上高 | 48,210 | 51,930 |
| 売上総利益 | 15,116 | 17,240 |
| 営業利益 | 2,083 | 3,011 |
| 経常利益 | 1,290 | △1,142 |
| 販売費及び一般管理費 | 13,033 | 14,229 |
| 当期純利益 | 1,402 | 1,977 |
| 資産合計 | 61,400 | 63,250 |
| 純資産合計 | 20,760 | 22,418 |
"""


@each(
    ("answer", "figure", "steps"),
    [
        ("2031年3月期の営業利益率は5.8%です。", "5.8", "3,011 ÷ 51,930"),
        ("2030年3月期の営業利益率は4.3%です。", "4.3", "2,083 ÷ 48,210"),
        ("2031年3月期の売上総利益率は33.2%です。", "33.2", "17,240 ÷ 51,930"),
        ("2031年3月期の当期純利益で見たROEは8.82%です。", "8.82", "1,977 ÷ 22,418"),
        ("2031年3月期の自己資本比率は35.4%です。", "35.4", "22,418 ÷ 63,250"),
        ("2031年3月期の売上高販管費率は27.4%です。", "27.4", "14,229 ÷ 51,930"),
        ("2031年3月期の経常利益率は-2.2%です。", "2.2", "÷ 51,930"),
        ("営業利益率は2030年3月期から2031年3月期にかけて1.5ポイント上昇した。", "1.5", "= 1.47"),
        ("営業利益率は2030年3月期から2031年3月期にかけて1.8ポイント上昇した。", "1.8", ""),
        ("2031年3月期の営業利益率は5.9%です。", "5.9", ""),
        ("2031年3月期の営業利益率は4.3%です。", "4.3", ""),
        ("2031年3月期の営業利益は5.8%です。", "5.8", ""),
    ],
)
def test_a_ratio_is_of_what_its_name_says(answer: str, figure: str, steps: str) -> None:
    found, said = verdict_of(figure, answer, ACCOUNTS)
    assert (found == "worked_out") is bool(steps) and steps in said


def test_rows_are_counted() -> None:
    text = "| Year | Film | Role |\n|---|---|---|\n| 2019 | Harbor | Ann |\n| 2020 | Gulls | Bo |\n| 2020 | Tide | Cy |"
    assert verdict_of("two", "In 2020 she played in two films, Gulls and Tide.", text)[0] == "worked_out"
    assert verdict_of("five", "In 2020 she played in five films.", text)[0] == "not_found"


def test_hostile_tables_are_read_in_bounded_steps() -> None:
    for text in ("|" * 9_000, "a|b\n" * 4_000, ",".join("1" * 3_000), '{"a":' * 2_000, "\t\n" * 5_000, "|-" * 5_000):
        assert all(len(table.rows) <= 2_000 and table.width <= 60 for table in tables_in(text))
