"""With frozen tools: how many calls of a model that words its calls anew were not recorded.

    python -m benchmarks.frozen_misses

The demo model answers the questions of a model's card as it is, and again with its prompts changed. A scripted model
makes one call in one wording when the test is kept, and in another one when it is run: first wordings that mean the
same to the tool, then other calls for the same question. The wordings were written before anything was tuned to them;
the second half of each row was not looked at while it was.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import replace
from threading import Event as Flag
from typing import Any

from agent.demo.model import Demo
from agent.evals.attempt import attempt, judged
from agent.evals.frozen_tools import MISSED
from agent.evals.gold import Programs
from agent.evals.kept_test import KeptTest
from agent.evals.model_card.card_questions import card_questions
from agent.evals.model_card.fixed_tools import fixed_tools
from agent.events import Event, Observed, TextDelta, ToolCalled
from agent.loop.agent import Agent
from agent.models.scripted import Scripted
from agent.prompts import source
from agent.runs.conversation import Question, answer
from agent.settings import read_settings
from agent.toolkit.base import Toolbox, ToolResult
from agent.tools.search.search_tool import search_tool
from tests.support.planted_regressions import SALES
from tests.support.stories import final, react

SQL = "SELECT region, sum(total) AS total FROM sales WHERE region <> 'North  East' GROUP BY region"
# By tool: a call, and the same call in other words. The first half was looked at while frozen tools were written.
SAME: Mapping[str, Sequence[tuple[dict[str, Any], dict[str, Any]]]] = {
    "calculator": [
        ({"expression": "17 * 4250 / 100"}, {"expression": "17*4250/100"}),
        ({"expression": "1,000 * 3"}, {"expression": "1000 * 3"}),
        ({"expression": "17 * 4250 / 100"}, {"expression": "17 × 4250 ÷ 100"}),
        ({"expression": "sqrt(144)"}, {"expression": "SQRT(144)"}),
        ({"expression": "15% of 80"}, {"expression": "80 * 15 / 100"}),
        ({"expression": "(54 - 32) * 5 / 9"}, {"expression": "(54-32)*(5/9)"}),
        ({"expression": "2500000 / 12"}, {"expression": "2.5 million / 12"}),
        ({"expression": "2^10"}, {"expression": "2 ** 10"}),
        ({"expression": "4250 * 0.17"}, {"expression": "0.17 * 4250"}),
        ({"expression": "round(10 / 3, 2)"}, {"expression": "Round(10/3, 2)"}),
        ({"expression": "1200 + 900"}, {"expression": "1,200 + 900 ="}),
        ({"expression": "3.50 * 4"}, {"expression": "3.5 * 4"}),
    ],
    "convert": [
        ({"amount": 26.2, "unit": "miles", "to": "km"}, {"to": "km", "unit": "miles", "amount": 26.2}),
        ({"amount": 1000, "unit": "m", "to": "km"}, {"amount": "1,000", "unit": "m", "to": "km"}),
        ({"amount": 72, "unit": "°F", "to": "°C"}, {"amount": 72.0, "unit": "°F", "to": "°C"}),
        ({"amount": 5, "unit": "kg", "to": "lb"}, {"amount": "5", "unit": " kg ", "to": "lb"}),
        ({"amount": 26.2, "unit": "miles", "to": "km"}, {"amount": 26.2, "unit": "mi", "to": "kilometers"}),
        ({"amount": 3, "unit": "Cups", "to": "ml"}, {"amount": 3, "unit": "cups", "to": "ml"}),
    ],
    "search": [
        ({"query": "population of Japan 2025"}, {"query": "Population of Japan 2025"}),
        ({"query": "population of Japan 2025"}, {"query": "population of  japan 2025"}),
        ({"query": "Brissel cake recipe"}, {"query": "brissel cake recipe"}),
        ({"query": "ｍｕｓｅｕｍ hours"}, {"query": "museum hours"}),
    ],
    "query": [
        ({"sql": SQL}, {"sql": f"{SQL};"}),
        ({"sql": SQL}, {"sql": SQL.replace(" FROM", "\nFROM").replace(" WHERE", "\n  WHERE")}),
        ({"sql": SQL}, {"sql": SQL.replace("SELECT", "select").replace("FROM", "from")}),
        ({"sql": SQL}, {"sql": SQL.replace("GROUP BY region", "GROUP BY 1")}),
    ],
}
# Calls that ask for something else: each of them must be missed.
OTHER: Mapping[str, Sequence[tuple[dict[str, Any], dict[str, Any]]]] = {
    "calculator": [
        ({"expression": "17 * 4250 / 100"}, {"expression": "17 * 4250"}),
        ({"expression": "1,000 * 3"}, {"expression": "1.000 * 3"}),
        ({"expression": "80 + 15%"}, {"expression": "80 + 15"}),
    ],
    "convert": [
        ({"amount": 5, "unit": "MB", "to": "kB"}, {"amount": 5, "unit": "Mb", "to": "kB"}),
        ({"amount": 5, "unit": "miles", "to": "km"}, {"amount": 5.0001, "unit": "miles", "to": "km"}),
    ],
    "search": [
        ({"query": "population of Japan 2025"}, {"query": "Japan population 2025"}),
        ({"query": "population of Japan 2025"}, {"query": "how many people live in Japan"}),
    ],
    "query": [
        ({"sql": SQL}, {"sql": SQL.replace("North  East", "North East")}),
        ({"sql": SQL}, {"sql": SQL.replace("sum(total)", "avg(total)")}),
    ],
}


def observed(question: str, agent: Agent) -> list[Event]:
    return [each for each in answer(Question(question), agent, Flag()) if not isinstance(each, TextDelta)]


def missed(tools: Toolbox, tool: str, kept: dict[str, Any], now: dict[str, Any]) -> bool:
    """Whether a call in other words has no result of what was recorded."""

    def asking(arguments: dict[str, Any]) -> Agent:
        return Agent(Scripted([react("I call.", tool, json.dumps(arguments)), final("Done.")]), tools, "react")

    test = KeptTest("1", "n", "Do it", recorded=observed("Do it", asking(kept)))
    assert not any(each.error for each in test.recorded if isinstance(each, Observed)), (tool, kept)
    return judged(test, list(attempt(test, "frozen", asking(now))), Programs(tools)).missed > 0


def scripted() -> None:
    fixed = {tool.own_name: tool for tool in fixed_tools().tools}
    real = search_tool(read_settings({}))
    real = replace(real, function=lambda query: ToolResult("[1] What was found."))  # nothing is on the web
    tools = Toolbox([fixed["calculator"], fixed["convert"], real, SALES])
    for title, rows in (("in other words", SAME), ("for something else", OTHER)):
        for tool, pairs in rows.items():
            half = len(pairs) // 2
            found = [missed(tools, tool, kept, now) for kept, now in pairs]
            lost = [next(iter(reversed(now.values()))) for (_, now), miss in zip(pairs, found, strict=True) if miss]
            print(
                f"{tool:<11} {title}: {sum(found)} of {len(pairs)} missed "
                f"(looked at {sum(found[:half])} of {half}, unseen {sum(found[half:])} of {len(pairs) - half}) {lost}"
            )


def demo() -> None:
    usual = source("en", "react")
    changes: dict[str, dict[str, Any]] = {
        "a rule more": {"prompts": {"react": f"{usual}\n\nRound every result to two decimals and name its unit."}},
        "half of its prompt": {"prompts": {"react": usual[: len(usual) // 2] + "\n\n{tools}"}},
        "prompts in Japanese": {"language": "ja"},
    }
    agent = Agent(Demo(pace=0.0), fixed_tools(), "react")
    for name, change in {"nothing": dict[str, Any](), **changes}.items():
        calls = misses = 0
        for question in card_questions():
            if question.tables or question.test.history:
                continue
            test = KeptTest("1", "n", question.test.question, recorded=observed(question.test.question, agent))
            try:
                events = list(attempt(test, "frozen", replace(agent, **change)))
            except Exception as error:  # noqa: BLE001
                print(f"demo, {name}: {error}")
                break
            calls += sum(isinstance(each, ToolCalled) for each in events)
            misses += sum(isinstance(each, Observed) and each.error == MISSED for each in events)
        print(f"demo, {name} changed: {misses} of {calls} calls missed")


if __name__ == "__main__":
    scripted()
    demo()
