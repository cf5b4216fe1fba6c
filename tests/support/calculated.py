"""What the demo model answers with the calculator alone."""

from __future__ import annotations

from datetime import date

from agent.demo.model import _question
from agent.demo.rules.abilities import understand
from agent.demo.rules.plan import CALCULATOR, Plan
from agent.messages import Facts
from agent.tools.calculator.calculate import calculate

TODAY = date(2026, 11, 21)


def answered(asked: str) -> str:
    """What is answered with the calculator alone, "" where it is declined or asks another tool."""
    found = understand(_question(asked, Facts(TODAY.isoformat(), ("calculator", "convert", "now"))))
    if not isinstance(found, Plan):
        return ""
    steps = found.steps()
    call = next(steps)
    try:
        while call.tool == CALCULATOR:
            call = steps.send(calculate(call.input))
    except StopIteration as ended:
        return ended.value.text
    return ""
