"""A run that waits for the person, in a terminal: asked there, or gone on without where nobody is."""

from __future__ import annotations

import io
import json
from typing import Any

import pytest

from agent.cli.main import main
from tests.support.servers.model_server import ModelServer
from tests.support.stories import final, react
from tests.support.waiting_stories import ASKING


class Terminal(io.StringIO):
    """A standard input with somebody at it."""

    def isatty(self) -> bool:
        return True


def run(steps: list[str], typed: str | None, patch: pytest.MonkeyPatch, *options: str, asks: str = "calculator") -> int:
    patch.setenv("GLASSBOX_APPROVE", asks)
    patch.setattr("sys.stdin", io.StringIO("y\n" * 9) if typed is None else Terminal(typed))
    with ModelServer([*steps, final("It is done.")]) as server:
        connect = ["--base-url", server.endpoint, "--model", "m", "--wire", "react"]
        return main([*connect, *options, "q"])


QUESTION = react("So.", "ask_user", ASKING)
SUM = react("So.", "calculator", "6*7")
OTHER = react("So.", "calculator", "8*8")


@pytest.mark.parametrize(
    ("steps", "typed", "told"),
    [
        ([SUM], "y\n", ["Allowed this once by you", "Observation: 42"]),
        ([SUM], "what?\n\nn\ntoo dear\n", ["Denied by you after 0 s: too dear", "did not allow this call: “too dear”"]),
        ([SUM], "n\n\n", ["Denied by you after 0 s\n"]),
        ([SUM, OTHER], "a\n", ["Allowed for this chat by you", "Observation: 64"]),
        ([SUM, OTHER], "y\ny\n", ["Observation: 42", "Observation: 64"]),
        ([SUM], "e\n{}\ne\n2*3\n", ["Made with arguments by you", '{"expression": "2*3"}', "The result:\n6"]),
        ([SUM], "", ["Denied by you", "There is nobody at the terminal"]),
        (
            [QUESTION],
            "2\n",
            ["Question to you: Which one?", "Answered by you", "Observation: that"],
        ),
        ([QUESTION], "neither\n", ["Observation: neither"]),
        ([QUESTION], "7\n", ["Observation: 7"]),
        ([QUESTION], "\n", ["Left to the agent by you", "The user did not answer."]),
        ([QUESTION], "", ["Left to the agent by you", "The user did not answer."]),
    ],
)
def test_the_person_is_asked(
    steps: list[str],
    typed: str,
    told: list[str],
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    assert run(steps, typed, monkeypatch) == 0
    shown = capsys.readouterr()
    for said in told:
        assert said in shown.out
    assert "It is done." in shown.out
    assert "\x1b" not in shown.err


def test_where_nobody_is_it_goes_on_without(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run([SUM, QUESTION], None, monkeypatch, "--json") == 0
    events: list[dict[str, Any]] = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    decided = [event for event in events if event["type"] == "Decided"]
    assert [event["decision"] for event in decided] == ["denied", "skipped"]
    observed = next(event["text"] for event in events if event["type"] == "Observed")
    assert observed.startswith("The user did not allow this call: “There is nobody at the terminal to allow it.”")


def test_what_is_asked_cannot_steer_the_terminal(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    text = "\x1b]0;owned\x07Which?"
    asking = react("So.", "ask_user", json.dumps({"question": text, "choices": [text]}))
    assert run([asking], "1\n", monkeypatch) == 0
    shown = capsys.readouterr()
    assert "\x1b" not in shown.out + shown.err
    assert "Which?" in shown.err


@pytest.mark.parametrize(
    ("question", "typed", "told"),
    [
        ("2+2", "y\n", "2 + 2 is 4."),
        ("2+2", "n\n\n", "You did not let me use “Calculator”, so I have no answer to that."),
        ("2+2", "n\nToo dear.\n", "You did not let me use “Calculator”, so I have no answer to that."),
        ("2+2", "e\n3*7\n", 'With your input {"expression": "3*7"} “Calculator” gave: 21'),
        ("2たす2は？", "n\n\n", "「計算機」の使用が許可されなかったので、答えられません。"),
    ],
)
def test_the_demo_model_says_what_was_decided(
    question: str, typed: str, told: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("GLASSBOX_APPROVE", "calculator")
    monkeypatch.setattr("sys.stdin", Terminal(typed))
    assert main([question]) == 0
    assert told in capsys.readouterr().out
