"""What is expected of an answer where a person wrote down what it should be."""

from __future__ import annotations

from agent.evals.expectations import MOST_TEXT, Contains, Expectation, FigureStands, NoError
from agent.evals.gold import figures_of
from agent.evals.proposals import written

_MOST_WORDS = 4  # beside a figure, where the figure is what matters


def expected_of(answer: str) -> tuple[Expectation, ...]:
    """The figure where the answer is one with few words, else the text; always that there is an answer."""
    text = answer.strip()
    if not text:
        return (NoError(),)
    figures = figures_of(text) if len(text) <= MOST_TEXT else []
    beside = "".join(text[: figures[0].start] + text[figures[0].end :]).split() if figures else []
    if len(figures) == 1 and len(beside) <= _MOST_WORDS:
        value, within = written(figures[0])
        unit = figures[0].unit.name if figures[0].unit else ""
        return NoError(), FigureStands(value, unit, within)
    return NoError(), Contains(text[:MOST_TEXT])
