"""``python -m agent eval``: keeps answers as tests, runs them, compares them with a baseline, costs what it may."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from pathlib import Path
from threading import Lock
from typing import Any

import pytest
from junitparser import JUnitXml

from agent.cli.main import main
from agent.evals.formats.result_lines import read_rows
from tests.support.servers.model_server import ModelServer, Reply
from tests.support.stories import final, react, this_turn

pytestmark = pytest.mark.system
CSV = "region,amount\nNorth,1200\nSouth,900\n"


@pytest.fixture(autouse=True)
def away_from_the_network(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("GLASSBOX_WIKIPEDIA_URL", "http://127.0.0.1:9/w/api.php")


@pytest.fixture
def kept(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> Path:
    """Two answers of the demo, kept as tests."""
    runs, tests = tmp_path / "runs.jsonl", tmp_path / "tests.jsonl"
    for question in ("What is 17% of 4250?", "How many km are 26.2 miles?"):
        assert main(["--history", str(runs), question]) == 0
    for turn in ("1", "2"):
        assert main(["eval", "keep", str(runs), "--turn", turn, "--to", str(tests)]) == 0
    assert "[x] The figure 722.5, worked out anew by calculator" in capsys.readouterr().err
    return tests


@pytest.mark.parametrize("mode", ["replay", "frozen", "live"])
def test_kept_answers_pass(kept: Path, tmp_path: Path, mode: str) -> None:
    report, out = tmp_path / "junit.xml", tmp_path / "rows.jsonl"
    asked = ["eval", str(kept), "--mode", mode, "--repeat", "2", "--parallel", "2"]
    page = tmp_path / "report.html"
    assert main([*asked, "--junit", str(report), "--out", str(out), "--html", str(page)]) == 0
    assert "2 of 2" in page.read_text(encoding="utf-8")
    assert (JUnitXml.fromfile(str(report)).tests, JUnitXml.fromfile(str(report)).failures) == (4, 0)
    rows = read_rows(out.read_bytes())
    assert [(row.test, row.repeat, row.mode) for row in rows] == [(t, n, mode) for t in "12" for n in (1, 2)]
    assert main([*asked, "--baseline", str(out)]) == 0


@pytest.mark.parametrize("option", ["--out", "--html", "--junit"])
def test_a_file_that_cannot_be_written_is_told_before_any_question(
    kept: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str], option: str
) -> None:
    with ModelServer(lambda _: final("It is 722.5.")) as model:
        server = ["--base-url", model.endpoint, "--model", "m", "--wire", "react"]
        with pytest.raises(SystemExit) as ended:
            main(["eval", str(kept), *server, option, str(tmp_path / "nowhere" / "x")])
        assert ended.value.code == 2 and "No such file or directory" in capsys.readouterr().err
        assert not model.requests


def test_a_worse_model_breaks_tests(kept: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    out = tmp_path / "rows.jsonl"
    assert main(["eval", str(kept), "--out", str(out)]) == 0
    with ModelServer(lambda body: final("It is 722.5." if "17%" in this_turn(body)[0] else "I guess 40 km.")) as model:
        server = ["--base-url", model.endpoint, "--model", "m", "--wire", "react"]
        assert main(["eval", str(kept), *server]) == 1
        capsys.readouterr()
        page = tmp_path / "report.html"
        assert main(["eval", str(kept), *server, "--baseline", str(out), "--json", "--html", str(page)]) == 1
        assert "broke</span>: How many km are 26.2 miles?" in page.read_text(encoding="utf-8")
    told = capsys.readouterr()
    assert [json.loads(line)["result"]["passed"] for line in told.out.splitlines()] == [False, False]
    assert "2 of 2 tests got worse, 0 better." in told.err
    assert "42.1648 km is not in the answer, which has 40 km." in told.err
    assert "These are few tests" in told.err


def test_a_changed_table_is_followed_by_a_program_and_told_of_a_typed_figure(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    table, runs, tests = tmp_path / "sales.csv", tmp_path / "runs.jsonl", tmp_path / "tests.jsonl"
    table.write_text(CSV, encoding="utf-8")
    ask = ["--file", str(table), "--history", str(runs), "total amount by region"]
    assert main(ask) == 0
    assert "| North | 1,200 |" in capsys.readouterr().out
    assert main(["eval", "keep", str(runs), "--to", str(tests), "--file", str(table)]) == 0
    assert "worked out anew by query" in capsys.readouterr().err
    table.write_text(CSV.replace("1200", "1350") + "West,77\n", encoding="utf-8")
    assert main(["eval", str(tests), "--file", str(table)]) == 0
    capsys.readouterr()
    assert main(["eval", str(tests), "--file", str(table), "--mode", "replay"]) == 1
    assert "The data changed: it was 1200 when this was kept, and is 1350 now." in capsys.readouterr().err
    typed = re.sub(r'"gold": \{.*?\}, "on"', '"gold": null, "on"', tests.read_text(encoding="utf-8"))
    assert typed != tests.read_text(encoding="utf-8")
    tests.write_text(typed, encoding="utf-8")
    assert main(["eval", str(tests), "--file", str(table)]) == 1
    assert "The data changed since this was kept: query gives another result now." in capsys.readouterr().err


def test_no_more_is_spent_than_was_allowed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("GLASSBOX_PRICES", "m=10/10/40")
    tests = tmp_path / "q.csv"
    tests.write_text("question,answer\n" + "".join(f"What is {n} + 0?,{n}\n" for n in range(30)), encoding="utf-8")
    usage = {"prompt_tokens": 500, "completion_tokens": 100, "total_tokens": 600}  # 0.9 cents
    with ModelServer(lambda _: Reply(final("It is 7."), usage=usage)) as model:
        asked = ["eval", str(tests), "--base-url", model.endpoint, "--model", "m", "--wire", "react", "--parallel", "4"]
        assert main([*asked, "--max-money", "0.10", "--json"]) == 1
        told = capsys.readouterr()
        rows = [json.loads(line) for line in told.out.splitlines()]
        spent = sum(row["result"]["money"] or 0 for row in rows)
        asked_of = len(model.requests)
    assert 6 <= asked_of < 30, "a reply that held much kept others from being asked"
    assert len(rows) == asked_of, "what was not asked for lack of money counts as failed"
    assert f"There was no money left for {30 - asked_of} of 30 runs." in told.err
    assert spent == pytest.approx(0.009 * asked_of) and spent <= 0.10
    with ModelServer() as model, pytest.raises(SystemExit) as refused:
        main(["eval", str(tests), "--base-url", model.endpoint, "--model", "unpriced", "--max-money", "1"])
    assert refused.value.code == 2
    assert "No price is known for unpriced" in capsys.readouterr().err


def flaky() -> Iterator[bool]:
    """Three in ten."""
    while True:
        yield from (False, False, True, False, False, True, False, False, True, False)


def test_the_flaky_step_is_named(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    tests = tmp_path / "q.csv"
    tests.write_text("question,answer\nWhat is ((1 + 1) * 3) - 2?,4\n", encoding="utf-8")
    drawn, lock, other = flaky(), Lock(), False

    def reply(body: dict[str, Any]) -> str:
        nonlocal other
        done = sum(text.startswith("Observation:") for text in this_turn(body))
        if done == 0:
            with lock:
                other = next(drawn)
        if done < 3:
            return react("Next.", "calculator", ("1 + 1", "2 * 3", "6 + 2" if other else "6 - 2")[done])
        return final("It is 8." if other else "It is 4.")

    with ModelServer(reply) as model:
        server = ["--base-url", model.endpoint, "--model", "m", "--wire", "react", "--repeat", "10"]
        assert main(["eval", str(tests), *server]) == 1
    told = capsys.readouterr().err
    assert "pass@1 70%" in told and "pass^10 0%" in told
    assert "7 of 10 passed. From step 3 on its runs differ (3 of 10)." in told
    assert "Most: calculator(6 - 2). Others: calculator(6 + 2)." in told


@pytest.mark.parametrize(
    "words", [["none.jsonl"], [__file__, "--repeat", "0"], [__file__, "--mode", "dry"], [__file__]]
)
def test_wrong_usage_is_a_sentence(words: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as ended:
        main(["eval", *words])
    assert ended.value.code == 2
    assert "Traceback" not in capsys.readouterr().err
