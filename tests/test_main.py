from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from agent.__main__ import main
from agent.errors import ModelFailed
from agent.events import load
from agent.terminal import Terminal
from tests.servers.model_server import ModelServer
from tests.stories import events_of, final, react

ROOT = Path(__file__).parent.parent


@pytest.fixture(autouse=True)
def away_from_the_network(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("GLASSBOX_WIKIPEDIA_URL", "http://127.0.0.1:9/w/api.php")


def test_the_demo_answers(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["What is the square root of 25?"]) == 0
    out = capsys.readouterr().out
    for part in ("Thought: ", "Action: calculator", "Action Input: ", "Observation: 5", "Final Answer: "):
        assert part in out
    assert out.count("The square root of 25 is 5.") == 1


def test_json_is_one_stored_event_a_line(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["--json", "What is 15% of 80?"]) == 0
    events = [load(line) for line in capsys.readouterr().out.splitlines()]
    kinds = [type(event).__name__ for event in events]
    assert kinds == ["Asked", "Prepared", "Replied", "ToolCalled", "Observed", "Replied", "Answered"]


def test_history_makes_a_follow_up_possible(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    history = tmp_path / "chat.jsonl"
    assert main(["--history", str(history), "What is the square root of 25?"]) == 0
    assert main(["--history", str(history), "and its cube?"]) == 0
    out = capsys.readouterr().out
    assert "Understood as: " in out
    assert "125" in out
    lines = history.read_text(encoding="utf-8").splitlines()
    assert [json.loads(line)["type"] for line in lines].count("Asked") == 2
    history.write_text("not an event\n")
    with pytest.raises(SystemExit) as caught:
        main(["--history", str(history), "q"])
    assert caught.value.code == 2


def test_a_server_by_address_and_key(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.setenv("MY_KEY", "sk-planted")
    with ModelServer([react("Sum.", "calculator", "2+2"), final("4")], key="sk-planted") as server:
        arguments = [
            "--base-url",
            server.endpoint,
            "--model",
            "m",
            "--wire",
            "react",
            "--api-key-env",
            "MY_KEY",
            "2+2?",
        ]
        assert main(arguments) == 0
    out = capsys.readouterr().out
    assert "Observation: 4" in out
    assert "sk-planted" not in out


def test_a_failed_run(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    with ModelServer([], key="right") as server:
        monkeypatch.setenv("MY_KEY", "wrong")
        assert main(["--base-url", server.endpoint, "--model", "m", "--api-key-env", "MY_KEY", "2+2?"]) == 1
    out = capsys.readouterr().out
    assert "Failed: " in out
    assert "key" in out


@pytest.mark.parametrize(
    "arguments",
    [
        [],
        ["--max-steps", "0", "q"],
        ["--max-steps", "x", "q"],
        ["--wire", "telegraph", "q"],
        ["--tools", "nope", "q"],
        ["--api-key-env", "NOT_SET_ANYWHERE", "q"],
        ["--base-url", "http://127.0.0.1:9", "q"],
        ["--base-url", "ftp://127.0.0.1", "--model", "m", "q"],
        ["--unknown", "q"],
    ],
)
def test_wrong_usage(arguments: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as caught:
        main(arguments)
    assert caught.value.code == 2
    assert capsys.readouterr().err


def test_wrong_settings(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.setenv("GLASSBOX_STEPS", "many")
    with pytest.raises(SystemExit) as caught:
        main(["q"])
    assert caught.value.code == 2
    assert "GLASSBOX_STEPS" in capsys.readouterr().err


def test_tools_and_steps_are_chosen(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["--tools", "calculator", "--max-steps", "1", "--json", "What is 2+2?"]) == 0
    events = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    assert "search" not in events[1]["system"]
    assert events[-1]["reason"] == "limit"
    assert main(["--tools", "", "--json", "What is 2+2?"]) == 0


def test_what_the_terminal_shows_of_each_kind_of_end(capsys: pytest.CaptureFixture[str]) -> None:
    from agent.models.scripted import Scripted

    terminal = Terminal()
    for event in events_of(Scripted(["Thought: hm.", "Just prose.\nNext Actions:\n- More?"])):
        terminal.show(event)
    for event in events_of(Scripted([ModelFailed("Down.", "server")])):
        terminal.show(event)
    out = capsys.readouterr().out
    assert "Observation: Your last reply could not be used" in out
    assert "Final Answer: Just prose." in out
    assert "  - More?" in out
    assert "Failed: Down." in out


def test_ctrl_c_stops_the_run_and_keeps_what_it_had() -> None:
    with ModelServer([final("so " * 400)], delay=0.02) as server:
        command = [
            sys.executable,
            "-m",
            "agent",
            "--base-url",
            server.endpoint,
            "--model",
            "m",
            "--wire",
            "react",
            "--json",
            "q",
        ]
        environment = os.environ | {"PYTHONPATH": str(ROOT)}
        with subprocess.Popen(command, stdout=subprocess.PIPE, text=True, env=environment) as process:
            assert process.stdout is not None
            first = [json.loads(process.stdout.readline()) for _ in range(2)]
            while not server.requests:
                pass
            process.send_signal(signal.SIGINT)
            rest = [json.loads(line) for line in process.stdout]
        assert process.returncode == 1
    assert [event["type"] for event in first + rest] == ["Asked", "Prepared", "Replied", "Failed"]
    assert rest[-1]["reason"] == "cancelled"
