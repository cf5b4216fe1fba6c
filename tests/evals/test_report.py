"""The chart of quality against cost, and the report: one file that runs nothing and fetches nothing."""

from __future__ import annotations

import re
from dataclasses import replace
from xml.etree import ElementTree

import pytest

from agent.evals.attempt import Result
from agent.evals.formats.result_lines import Row
from agent.evals.grades import Grade
from agent.evals.report.html_report import Compared, Report, report_html
from agent.evals.report.quality_chart import chart_svg, dollars, quality_chart
from agent.evals.statistics.summary import summed
from agent.evals.statistics.turned_tests import compared_rows
from agent.interface_text import Text

HOSTILE = '<script>alert(1)</script>"onload=x \u202egpj.exe'
SVG = "{http://www.w3.org/2000/svg}"


def rows(version: str, passed: int, of: int, money: float | None, repeats: int = 2) -> list[Row]:
    wrong = (Grade(False, "contains", Text("It contains “{text}”", text=HOSTILE), Text("It is not in the answer.")),)
    return [
        Row(
            str(test),
            f"Test {test} {HOSTILE}",
            version,
            "frozen",
            repeat,
            Result(test < passed, () if test < passed else wrong, 2, 900, money, 1.5),
        )
        for test in range(of)
        for repeat in range(1, repeats + 1)
    ]


def report() -> Report:
    cheap, dear = rows("cheap & small", 4, 10, 0.0012), rows(HOSTILE, 9, 10, 0.03)
    comparison = compared_rows(cheap, dear)
    compared = [Compared(str(comparison.said), comparison)]
    return Report(
        "My <tests>",
        "frozen",
        1_790_000_000.0,
        ["cheap & small", HOSTILE],
        [*cheap, *dear],
        {"cheap & small": "wire: react"},
        compared,
    )


def test_each_version_is_a_dot_with_its_interval_right_of_the_cheaper_one() -> None:
    chart = quality_chart(
        [summed("cheap & small", rows("cheap & small", 4, 10, 0.001)), summed("dear", rows("dear", 9, 10, 0.004))]
    )
    assert chart.priced and [dot.money for dot in chart.dots] == pytest.approx([0.001, 0.004])
    picture = ElementTree.fromstring(chart_svg(chart, 'a "label"', "US dollars"))
    assert picture.get("role") == "img" and picture.get("aria-label") == 'a "label"'
    cheap, dear = ((float(dot.attrib["cx"]), float(dot.attrib["cy"])) for dot in picture.iter(f"{SVG}circle"))
    assert cheap[0] < dear[0] and cheap[1] > dear[1], "dearer is right, better is above"
    for place, dot in ((cheap, chart.dots[0]), (dear, chart.dots[1])):
        line = next(
            each
            for each in picture.iter(f"{SVG}line")
            if each.get("stroke-width")
            and abs(float(each.attrib["x1"]) - place[0]) < 0.1
            and each.attrib["x1"] == each.attrib["x2"]
        )
        top, base = sorted((float(line.attrib["y1"]), float(line.attrib["y2"])))
        height = (float(line.attrib["y1"]) - float(line.attrib["y2"])) / (dot.high - dot.low)
        assert top < place[1] < base
        assert place[1] == pytest.approx(float(line.attrib["y1"]) - height * (dot.share - dot.low), abs=0.2)
    assert {text.text for text in picture.iter(f"{SVG}text")} >= {"0%", "100%", "1", "2", "US dollars"}


def test_without_a_price_it_is_against_tokens() -> None:
    chart = quality_chart([summed("a", rows("a", 4, 10, 0.001)), summed("b", rows("b", 4, 10, None))])
    assert not chart.priced and chart.said(chart.dots[0]) == "900"
    assert str(chart.axis) == "Tokens a run"


@pytest.mark.parametrize(
    ("amount", "said"), [(None, "–"), (0.0, "$0"), (0.00123, "$0.0012"), (0.5, "$0.50"), (12.0, "$12.00")]
)
def test_dollars_have_two_digits_that_count(amount: float | None, said: str) -> None:
    assert dollars(amount) == said


def test_the_report_is_one_file_that_runs_and_fetches_nothing() -> None:
    page = report_html(report())
    assert "default-src 'none'" in page
    assert not re.search(r"<script|<link|<img|<iframe|@import|url\(|\bsrc=|<a ", page)
    assert not re.search(r"""<[^>]*\son\w+=""", page), "an attribute that runs"
    assert "\u202e" not in page and "&lt;script&gt;alert(1)" in page
    assert "prefers-color-scheme: dark" in page and "<title>My &lt;tests&gt;</title>" in page
    assert "http" not in page.replace("http://www.w3.org/2000/svg", "").replace("http-equiv", "")


def test_the_report_has_matrix_turned_tests_intervals_and_settings() -> None:
    page = report_html(report())
    assert page.count("<svg") == 1 and page.count("<circle") == 2
    assert "mended</span>: Test 4" in page and "40% (17%–69%)" in page and "90% (60%–98%)" in page
    assert "k = 2: 40%" in page and "$0.0012, 900 tokens, 1.5 s" in page
    matrix = page[page.index('id="matrix"') :]
    assert matrix.count("✓ 2 of 2") == 13 and matrix.count("✕ 0 of 2") == 7
    assert matrix.index("Test 9") < matrix.index("Test 0"), "what failed is first"
    assert "It is not in the answer." in matrix and "wire: react" in page
    assert "These are few tests" in page


def test_a_report_of_one_version_and_of_none_can_be_written() -> None:
    one = replace(report(), versions=["cheap & small"], compared=())
    assert "<svg" not in report_html(one) and "What turned" not in report_html(one)
    assert "Settings" in report_html(replace(one, rows=()))
