"""The questions on the first screen work as set up."""

from __future__ import annotations

from threading import Event as Flag

import pytest

from agent.demo.model import Demo, first_tool
from agent.events import Answered
from agent.interface_text import Text
from agent.loop.agent import Agent
from agent.messages import Facts
from agent.runs.conversation import Question, answer
from agent.toolkit.base import Toolbox, ToolResult, tool
from agent.tools.calculator.calculate import calculator
from agent.tools.catalogue import NAMES
from agent.tools.convert.convert_tool import convert
from agent.tools.now.now_tool import now_tool
from pages.ui.text.words import in_language
from pages.ui.widgets.welcome import FOR_A_MODEL, FOR_THE_DEMO


@tool
def search(query: str) -> ToolResult:
    """Looks things up.

    Args:
        query: What to look up.
    """
    return ToolResult(f"{query} is what this page is about.")


EXAMPLES = [question for _, _, question, _ in FOR_THE_DEMO]
JAPANESE = [in_language(question, "ja") for question in EXAMPLES if isinstance(question, Text)]


@pytest.mark.parametrize(
    "question",
    [
        str(said)
        for said in dict.fromkeys(
            [*EXAMPLES, *(in_language(each, "ja") for each in EXAMPLES if isinstance(each, Text))]
        )
    ],
)
def test_the_demo_answers_its_examples(question: str) -> None:
    model = Demo(pace=0)
    events = list(answer(Question(question), Agent(model, Toolbox([calculator, convert, now_tool(), search])), Flag()))
    ended = events[-1]
    assert isinstance(ended, Answered)
    assert "beyond my rules" not in ended.text and "答えられません" not in ended.text
    assert any(event.type == "Observed" for event in events)


def test_there_are_four_to_six_of_them() -> None:
    assert 4 <= len(FOR_THE_DEMO) <= 6
    assert 4 <= len(FOR_A_MODEL) <= 6


@pytest.mark.parametrize("language", ["en", "ja"])
def test_they_name_the_tools_that_answer_them(language: str) -> None:
    for _, _, question, tools in FOR_THE_DEMO:
        asked = in_language(question, language) if isinstance(question, Text) else question
        assert first_tool(asked, Facts("2026-11-26", NAMES)) in tools
        assert not first_tool(asked, Facts("2026-11-26", tuple(name for name in NAMES if name not in tools)))
    assert {name for *_, tools in (*FOR_THE_DEMO, *FOR_A_MODEL) for name in tools} <= set(NAMES)
