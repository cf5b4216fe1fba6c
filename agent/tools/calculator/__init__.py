"""Arithmetic as people and models write it: text → tokens → tree → number, every step of it bounded.

``exact``      exact fractions, 60-digit decimals, the operators between them, roots, logarithms and angles
``functions``  the functions and constants that can be named
``tokens``     notation (words, LaTeX, superscripts, full-width forms) into one small alphabet
``grammar``    tokens into a tree: precedence, percent, implicit multiplication
``evaluator``  the nodes of the tree, and its number, through simpleeval
"""

from __future__ import annotations

from agent.interface_text import Text
from agent.toolkit.base import Tool
from agent.tools.spec import Parts, ToolSpec


def _made(parts: Parts) -> Tool:
    from agent.tools.calculator.calculate import calculator

    return calculator


SPEC = ToolSpec(
    "calculator",
    Text("Works out sums exactly."),
    _made,
    title=Text("Calculator"),
    icon="calculate",
    verbs=(Text("Calculating"), Text("Calculated")),
    subject="expression",
    public=True,
    repeats=True,
)
