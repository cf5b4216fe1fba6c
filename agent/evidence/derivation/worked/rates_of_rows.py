"""What one column of a row is for each unit of another one, where the line says that it is a rate but calls the
columns otherwise: "per employee: about £132.9k" of the columns "sales" and "staff".
"""

from __future__ import annotations

from itertools import permutations

from agent.evidence.derivation.groups.said_once import SaidOnce
from agent.evidence.derivation.steps.aggregates import tables_named
from agent.evidence.derivation.steps.arithmetic_steps import written
from agent.evidence.lookup.context import line_bounds
from agent.evidence.lookup.numbers import scale_said
from agent.evidence.sources import Finding
from agent.interface_text import Text
from agent.text.quantities.figures import Figure
from agent.text.quantities.units import PERCENT
from agent.text.regex import regex

_PER = regex(r"\bper (?!cent\b|annum\b)[a-z]|\b(?:each|apiece|pro|par|por|je|÷)\b|÷|(?:あ|当)たり")
_FEWEST, _SURE = 3, 4  # digits: two columns come to shorter ones by chance
_MOST_CELLS, _BEFORE = 8, 400


def rate_of_row(figure: Figure, once: SaidOnce) -> Finding | None:
    """Such a rate of the row that is named best, in the scale of its columns or of the figure."""
    if figure.digits < _FEWEST or figure.ordinal or figure.unit is PERCENT or not figure.value:
        return None
    standings = once.standings
    left, _ = line_bounds(standings.whole, figure.start, figure.end)
    if _PER.search(standings.answer.lower, max(left, figure.start - _BEFORE), figure.end + 20) is None:
        return None
    words = standings.words(figure.start, figure.end)
    named = tables_named(standings.sources, words.near) or tables_named(standings.sources, words.around)
    for number, subjects, rows in named[:1]:
        cells = [cell for cell in subjects.table.rows[rows[0]] if cell.numeric][:_MOST_CELLS]
        for top, bottom in permutations([once.cell(number, subjects, cell) for cell in cells], 2):
            for power in (
                {0, top.power - bottom.power, scale_said(figure, standings.answer.text)} if bottom.size else ()
            ):
                if figure.holds(top.size / bottom.size * 10.0**power):
                    steps = f"{written(top.operand.value, top.operand.unit)} ÷ {written(bottom.operand.value, None)}"
                    note = Text("{steps} = {outcome}", steps=steps, outcome=f"{top.size / bottom.size:.6g}")
                    verdict = "worked_out" if figure.digits >= _SURE else "possible"
                    return Finding(verdict, (top.operand.spot, bottom.operand.spot), note)
    return None
