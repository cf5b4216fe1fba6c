"""What is left of money after what was spent and got: "I had 50, spent 12.75 on a book and 8.40 on lunch"."""

from __future__ import annotations

from agent.text.problems.problem_reader import Problem
from agent.text.problems.story_parts import MONEY, Part
from agent.text.problems.story_totals import figure_of
from agent.text.told_sums.telling import said, telling

_FEWEST, _MOST = 3, 8


def left_of_money(text: str) -> Problem | None:
    """ "Grandma gave me $50. I spent 12.75 on a book and 8.40 on lunch. How much do I still have?"."""
    told = telling(text)
    if told is None or not told.asks("asks_money_left") or told.says("not_spending"):
        return None
    parts = told.parts
    units = {part.unit for part in parts if part.unit}
    plain = all(not part.by and (part.names == MONEY or not part.names) for part in parts)
    if not _FEWEST <= len(parts) <= _MOST or len(units) > 1 or not plain:
        return None
    words: list[str] = []
    signs: list[str] = []
    for token in told.tokens:
        if not isinstance(token, Part):
            words = [] if token in (".", ";") else [*words, token]
            continue
        clause = " ".join(words)
        gets, spends = said(clause, "gets_money"), said(clause, "spends_money")
        again = signs[-1] if len(signs) > 1 and words[-1:] in (["and"], [","]) else ""
        if not signs and (not (gets or said(clause, "has_money")) or spends):
            return None
        sign = "+" if gets and not spends else "-" if spends and not gets else "" if gets else again
        if not sign and signs:
            return None
        signs.append(sign or "+")
        words = []
    terms = [f"{sign} {figure_of(part.amount)}" for sign, part in zip(signs, parts, strict=True)]
    sum_ = " ".join(terms).removeprefix("+ ")
    return Problem("left_of_money", sum_, sum_, next(iter(units), ""))
