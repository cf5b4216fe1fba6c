"""Files of tests and results: read back as they were, opened by those they are for, refused where they are hostile."""

from __future__ import annotations

import json
import random
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from junitparser import JUnitXml

from agent.errors import BadRequest
from agent.evals.expectations import (
    AtMost,
    AvoidsTool,
    CannotBeKnown,
    Contains,
    Expectation,
    FigureStands,
    Gold,
    Matches,
    Mentions,
    NoError,
    OnlyTools,
    Speaks,
    Traced,
    UsesTool,
)
from agent.evals.formats.junit_report import junit
from agent.evals.formats.pydantic_yaml import read_yaml, write_yaml
from agent.evals.formats.question_csv import read_csv
from agent.evals.formats.result_lines import Row, passes, read_rows, write_row
from agent.evals.formats.test_lines import read_lines, write_lines
from agent.evals.gold import Programs
from agent.evals.grades import grade
from agent.evals.kept_test import KeptSet, KeptTest
from agent.evals.statistics.intervals import Passes
from agent.toolkit.base import Toolbox
from tests.support.kept_tests import run, tried
from tests.support.minding_model import Minding
from tests.support.planted_regressions import PERCENT, SUM, says

EVERY: tuple[Expectation, ...] = (
    FigureStands(
        "722.50", "km", "1%", Gold("query", {"sql": "SELECT 1"}, "total", {"region": "North"}, 0, "100"), False
    ),
    FigureStands("5"),
    Traced(1),
    Mentions("Ōsaka: “x” #1"),
    UsesTool("query"),
    AvoidsTool("search"),
    OnlyTools(("a", "b")),
    NoError(True),
    AtMost("money", 0.02),
    Speaks("ja"),
    CannotBeKnown(("no idea",)),
    Contains("yes: no\n- 'it'"),
    Matches(r"^\d+$"),
)
RECORDED = tuple(run(PERCENT, SUM))
SET = KeptSet("Mine", (KeptTest("1", "Sum", PERCENT, EVERY, (RECORDED,), RECORDED), KeptTest("b", "No", "on", ())))


def test_a_set_is_read_back_as_it_was() -> None:
    assert read_lines(write_lines(SET).encode()) == SET


def test_a_person_may_write_little() -> None:
    lines = [
        {"question": "What is 2 + 2?", "answer": "4"},
        {"question": "Capital?", "answer": "Paris is it, as I said."},
    ]
    read = read_lines("\n".join(map(json.dumps, lines)).encode(), "mine")
    assert [test.expectations for test in read.tests] == [
        (NoError(), FigureStands("4")),
        (NoError(), Contains("Paris is it, as I said.")),
    ]
    assert read.name == "mine"


@pytest.mark.parametrize(
    "line",
    [
        "[]",
        "{}",
        '{"question": ""}',
        '{"question": 5}',
        '{"question": "q", "recorded": [{"type": "Answered", "text": "x"}]}',
        '{"question": "q", "recorded": [{"type": "Nothing"}]}',
        '{"question": "q", "recorded": "x"}',
        '{"question": "q", "expectations": [{"type": "shell"}]}',
        '{"question": "q", "expectations": [{"type": "contains", "text": ""}]}',
        '{"question": "q", "expectations": [{"type": "figure", "value": "1e999999999"}]}',
        '{"question": "q", "expectations": [{"type": "at_most", "what": "steps", "most": -1}]}',
        # What could never fail, never pass, or runs something else than a program.
        '{"question": "q", "expectations": [{"type": "at_most", "what": "steps", "most": 0.5}]}',
        '{"question": "q", "expectations": [{"type": "traced", "doubtful": -1}]}',
        '{"question": "q", "expectations": [{"type": "contains", "text": "**"}]}',
        '{"question": "q", "expectations": [{"type": "matches", "pattern": "x*"}]}',
        '{"question": "q", "expectations": [{"type": "matches", "pattern": "(unclosed"}]}',
        '{"question": "q", "expectations": [{"type": "avoids", "tool": " "}]}',
        '{"question": "q", "expectations": [{"type": "unknown", "words": [""]}]}',
        '{"question": "q", "expectations": [{"type": "language", "language": "English"}]}',
        '{"question": "q", "expectations": [{"type": "figure", "value": "12,5"}]}',
        '{"question": "q", "expectations": [{"type": "figure", "value": "5", "gold": {"tool": "shell", '
        '"arguments": {}}}]}',
        '{"question": "q", "expectations": [{"type": "figure", "value": "5", "gold": {"tool": "calculator", '
        '"arguments": {"expression": "5"}, "scale": "1e999999999"}}]}',
        '{"question": "q", "secret": 1}',
        '{"question": "q"}\n{"question": "q", "test": "1"}',
        '{"format": "glassbox-tests", "version": 9}',
        "nonsense",
        "",
    ],
)
def test_what_is_no_set_is_refused_with_a_sentence(line: str) -> None:
    with pytest.raises(BadRequest, match="not imported"):
        read_lines(line.encode())


def test_pydantic_evals_opens_the_export(tmp_path: Path) -> None:
    from pydantic_evals import Dataset  # which takes a second to import

    file = tmp_path / "mine.yaml"
    file.write_text(write_yaml(SET), encoding="utf-8")
    opened = Dataset[str, Any, Any].from_file(file)
    assert [case.inputs for case in opened.cases] == [PERCENT, "on"]
    assert opened.cases[0].expected_output == "17% of 4250 is 722.5."
    names = [type(evaluator).__name__ for evaluator in opened.cases[0].evaluators]
    assert names == ["Contains", "Contains"]
    report = opened.evaluate_sync(lambda _: "yes: no\n- 'it' Ōsaka: “x” #1", progress=False)
    assert [case.assertions["Contains"].value for case in report.cases[:1]] == [True]
    read = read_yaml(file.read_bytes())
    assert [test.expectations for test in read.tests] == [test.expectations for test in SET.tests]


def test_a_dataset_of_pydantic_evals_is_a_set() -> None:
    text = """
name: theirs
cases:
- name: one
  inputs: {question: "What is 2 + 2?"}
  expected_output: 4
- inputs: Capital of France?
  evaluators:
  - Contains: Paris
  - MaxDuration: {seconds: 3}
  - IsInstance: str
"""
    read = read_yaml(text.encode())
    assert read.name == "theirs"
    assert [test.expectations for test in read.tests] == [
        (NoError(), FigureStands("4")),
        (NoError(), Contains("Paris"), AtMost("seconds", 3.0)),
    ]


@pytest.mark.parametrize(
    "text",
    [
        "a: &a [x]\ncases: [*a, *a]",
        "!!python/object/apply:os.system ['true']",
        "cases: " + "[" * 5_000,
        "cases: []",
        "- 1",
        "cases: [{inputs: 1}]",
        'cases: [{inputs: "a\\0b"}]',
        'cases: [{inputs: "\\uD800"}]',
        "cases: [{inputs: q, expected_output: " + "1:" * 200_000 + "1}]",
        "cases: [" + "[]," * 300_000 + "]",
        "\0",
    ],
)
def test_hostile_yaml_is_refused(text: str) -> None:
    with pytest.raises(BadRequest):
        read_yaml(text.encode())


def test_a_spreadsheet_of_questions_is_a_set() -> None:
    semicolons = "Frage;Antwort\n".replace("Frage", "Question").replace("Antwort", "Answer") + "Wie weit?;42,2 km\n;\n"
    (test,) = read_csv(semicolons.encode("utf-16")).tests
    assert (test.question, test.expectations[1]) == ("Wie weit?", FigureStands("42.2", "km"))
    bare = read_csv(b"What is 2+2?,4\nCapital of France?,Paris\n", "b")
    assert [test.name for test in bare.tests] == ["What is 2+2?", "Capital of France?"]
    quoted = read_csv(b'"What is it, then; say?","a, b"\n"And, this?",5\n')
    assert [test.name for test in quoted.tests] == ["What is it, then; say?", "And, this?"]
    with pytest.raises(BadRequest):
        read_csv(b"question,answer\n")
    assert len(read_csv(b"What is 2+2?,4\nCapital of France?,Paris\n" * 3 + b"\x1a").tests) == 7  # as DOS ended files


@pytest.mark.parametrize("data", [random.Random(7).randbytes(3_000), b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR\0\0\1\0"])
def test_a_file_of_bytes_named_as_a_spreadsheet_is_refused(data: bytes) -> None:
    with pytest.raises(BadRequest, match="not a CSV file"):
        read_csv(data)


def test_no_file_of_a_spreadsheet_takes_long() -> None:
    # The standard library's guess of a dialect takes minutes for such quotes.
    quotes = b"question,answer\n" + b'""\'' * 1_200 + b"\n"
    assert len(read_csv(quotes + b"What is it?," + b"9 " * 50_000 + b"\n").tests) <= 2


def rows() -> list[Row]:
    test = replace(SET.tests[0], expectations=(NoError(), FigureStands("722.5"), Contains("\x07 <b>&")))
    good, bad = (tried(replace(test, expectations=test.expectations[:n]), "replay", SUM) for n in (2, 3))
    return [
        Row("1", "A <test> & more", "model\x07 a", "replay", repeat, bad if repeat == 2 else good, "r")
        for repeat in (1, 2)
    ]


def test_results_are_read_back_as_they_were() -> None:
    written = rows()
    assert read_rows("\n".join(map(write_row, written)).encode()) == written
    assert passes(written) == {"1": Passes(1, 2)}
    with pytest.raises(BadRequest):
        read_rows(b'{"test": 1}')


def test_a_reader_of_junit_reads_the_report(tmp_path: Path) -> None:
    file = tmp_path / "report.xml"
    file.write_bytes(junit("My set", rows()))
    report = JUnitXml.fromfile(str(file))
    (suite,) = list(report)
    assert (report.tests, report.failures, suite.tests, suite.failures) == (2, 1, 2, 1)
    passed, failed = list(suite)
    assert (passed.name, passed.is_passed) == ("A <test> & more [1/2]", True)
    (failure,) = failed.result
    assert "It is not in the answer" in failure.message and failed.classname == "My set"


def test_a_pattern_of_a_stranger_takes_no_time() -> None:
    events = run("q", replace(SUM, model=Minding(says("a" * 40 + "!"))))
    for pattern, held in ((r"^(a+)+$", False), (r"(a|a)*!", True), (r"(unclosed", False)):
        (found,) = grade(KeptTest("1", "n", "q", (Matches(pattern),)), events, Programs(Toolbox(())))
        assert found.held is held


@pytest.mark.parametrize(
    "figure", [{"value": "1." + "3" * 20_000}, {"value": "1", "within": "0." + "3" * 20_000 + "%"}]
)
def test_a_figure_of_very_many_digits_is_refused(figure: dict[str, str]) -> None:
    """A million of them held the process, which answers everybody, for minutes."""
    line = json.dumps({"question": "q", "expectations": [{"type": "figure", **figure}]})
    with pytest.raises(BadRequest) as caught:
        read_lines(line.encode())
    assert len(str(caught.value)) < 200
