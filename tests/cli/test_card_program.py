"""``python -m agent eval --card``: the card of a model in a terminal, resumed, capped, on both wires."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from agent.cli.main import main
from agent.evals.model_card.card_file import read_card
from tests.support.servers.model_server import ModelServer, Reply
from tests.support.stories import final, react, this_turn

pytestmark = pytest.mark.system


def knows_a_sum(body: dict[str, Any]) -> Reply:
    """It can do 37*43 - 12, and says of all else that it is 7."""
    turn = this_turn(body)
    if "tools" in body or "37*43" not in turn[0]:
        return Reply("It is 7." if "tools" in body else final("It is 7."))
    if len(turn) == 1:
        return Reply(react("I calculate.", "calculator", "37*43 - 12"))
    return Reply(final("It is 1,579."))


@pytest.fixture(scope="module")
def model() -> Iterator[ModelServer]:
    with ModelServer(knows_a_sum) as server:
        yield server


def test_the_card_is_printed_and_each_row_written_as_it_comes(
    model: ModelServer, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    out = tmp_path / "rows.jsonl"
    asked = ["eval", "--card", "--base-url", model.endpoint, "--model", "m", "--out", str(out)]
    assert main(asked) == 0
    told = capsys.readouterr()
    assert "What m can do here" in told.out and "Native calls" in told.out
    lines = {line[:32].strip(): line[32:].split("  ") for line in told.out.splitlines()}
    counts = {name: [cell.strip() for cell in cells if cell.strip()] for name, cells in lines.items()}
    assert counts["Sums"] == ["1 of 4", "0 of 4"]
    assert counts["All"] == ["1 of 40", "0 of 40"]
    assert counts["95 % interval"] == ["0% to 13%", "0% to 9%"]
    assert "even 4 of 4 right may come of a model that is right in 51% of cases" in told.out
    assert "40 questions, 2 times: about 170 replies" in told.err
    rows = read_card(out.read_bytes()).rows
    assert [row.version for row in rows] == ["m react"] * 40 + ["m native"] * 40
    # Stopped after 70 rows, it asks for ten more; a row is a line of its own.
    kept = out.read_text(encoding="utf-8").splitlines(keepends=True)
    out.write_text("".join([*kept[:71], kept[71][:50]]), encoding="utf-8")  # killed as it wrote a line
    before = len(model.requests)
    assert main([*asked, "--resume", "--json"]) == 0
    again = capsys.readouterr()
    assert len(model.requests) - before == 10
    assert len([json.loads(line) for line in again.out.splitlines()]) == 10
    assert "What m can do here" in again.err
    assert [row.test for row in read_card(out.read_bytes()).rows] == [row.test for row in rows]
    with pytest.raises(SystemExit) as refused:
        main(asked)
    assert refused.value.code == 2
    assert "--resume goes on with it" in capsys.readouterr().err


def test_money_is_capped(
    model: ModelServer, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    asked = ["eval", "--card", "--base-url", model.endpoint, "--model", "m", "--wire", "react", "--max-money", "0.01"]
    monkeypatch.setenv("GLASSBOX_PRICES", "m=1/1/1")
    assert main(asked) == 1
    told = capsys.readouterr()
    assert "tokens, about 0.1" in told.err
    assert "40 of 40" not in told.out and "of 40" not in told.out
    monkeypatch.setenv("GLASSBOX_PRICES", "other=1/1/1")
    with pytest.raises(SystemExit):
        main(asked)
    assert "No price is known for m" in capsys.readouterr().err
