"""What one column of a row is for each unit of another one, where the line says that it is a rate but calls the
columns otherwise: "per employee: about £132.9k" of the columns "sales" and "staff".
"""

from __future__ import annotations

from dataclasses import replace
from itertools import chain, islice, permutations

from agent.evidence.derivation.groups.said_once import SaidOnce
from agent.evidence.derivation.steps.aggregates import tables_named
from agent.evidence.derivation.steps.arithmetic_steps import written
from agent.evidence.derivation.steps.known_values import Known
from agent.evidence.lookup.context import line_bounds
from agent.evidence.lookup.numbers import scale_said
from agent.evidence.lookup.standing import Standings
from agent.evidence.sources import Finding
from agent.evidence.tables.cell_words import tokens
from agent.interface_text import Text
from agent.text.quantities.figures import Figure
from agent.text.quantities.units import PERCENT
from agent.text.regex import regex

_PER = regex(
    r"\bper (?!cent\b|annum\b)[a-z]|\ban? (?:head|person|employee|piece|unit|tête|personne)\b|pro kopf|"
    r"\b(?:each|apiece|pro|par|por|je|÷)\b|÷|(?:あ|当)たり|単価"
)
_EACH = regex(r"[*_]* (?:per|an?|each|je|pro|par|por) ([^\W\d_]{3,})")
# What a speed is a way over, and how many of the time's unit there are in the smaller one that times are told in.
SPEEDS = {"km/h": ("km", 3600), "mph": ("miles", 3600), "m/s": ("m", 1)}
_FEWEST, _SURE = 3, 4  # digits: two columns come to shorter ones by chance
_MOST_ROWS, _MOST_CELLS, _BEFORE = 2, 8, 400


def speed_of_row(figure: Figure, once: SaidOnce) -> Finding | None:
    """A way over the time that stands in the same row: 46.8 km/h of "28.6" below "km" and "0:36:40"."""
    if figure.unit is None or figure.unit.name not in SPEEDS or figure.digits < 2:
        return None
    way, factor = SPEEDS[figure.unit.name]
    words = once.standings.words(figure.start, figure.end)
    named = tables_named(once.standings.sources, words.near) or tables_named(once.standings.sources, words.around)
    for number, subjects, rows in named[:1]:
        page, row = once.standings.sources.texts[number].page, subjects.table.rows[rows[0]]
        times = [(cell, day.length) for cell in row if (day := page.day_at(cell.start)) is not None and day.length]
        for one in (cell for cell in row if cell.numeric):
            known = once.cell(number, subjects, one)
            units = (known.operand.unit, *subjects.head_units[one.column])
            for cell, length in times if any(unit is not None and unit.name == way for unit in units) else ():
                if figure.holds(known.size * factor / length):
                    steps = f"{written(known.operand.value, None)} {way} ÷ {cell.text}"
                    note = Text("{steps} = {outcome}", steps=steps, outcome=written(figure.value, figure.unit))
                    return Finding("worked_out", (known.operand.spot, (number, cell.start, cell.end)), note)
    return None


def rate_of_row(figure: Figure, once: SaidOnce) -> Finding | None:
    """Such a rate of the row that is named best, in the scale of its columns or of the figure.

    A short figure is one only for each thing that the head of a column says: "€82 a night".
    """
    standings = once.standings
    each = _EACH.match(standings.answer.lower, figure.end)
    counted = tokens(each[1]) if each is not None and figure.digits < _FEWEST else frozenset[str]()
    if figure.digits < _FEWEST - bool(counted) or figure.ordinal or figure.unit is PERCENT or not figure.value:
        return None
    left, _ = line_bounds(standings.whole, figure.start, figure.end)
    if not counted and _PER.search(standings.answer.lower, max(left, figure.start - _BEFORE), figure.end + 20) is None:
        return None
    words = standings.words(figure.start, figure.end)
    meant = (tables_named(standings.sources, one) for one in (words.near, words.around, words.label))
    for number, subjects, rows in chain.from_iterable(islice(filter(None, meant), 1)):
        in_rows = (
            [cell for cell in subjects.table.rows[row] if cell.numeric][:_MOST_CELLS] for row in rows[:_MOST_ROWS]
        )
        for one, other in (pair for cells in in_rows for pair in permutations(cells, 2)):
            if counted and counted.isdisjoint(subjects.heads[other.column]):
                continue
            found = _rate(figure, once.cell(number, subjects, one), once.cell(number, subjects, other), standings)
            if found is not None:
                return found
    return None


def _rate(figure: Figure, top: Known, bottom: Known, standings: Standings) -> Finding | None:
    """The finding where one value over another one comes to a figure, rounded to hundreds where it ends in them."""
    rounded = replace(figure, loose="about") if figure.value % 100 == 0 and not figure.loose else figure
    powers = {0, top.power, top.power - bottom.power, scale_said(figure, standings.answer.text)}
    for power in powers if bottom.size else ():
        size = top.size / bottom.size * 10.0**power
        if rounded.holds(size):
            steps = f"{written(top.operand.value, top.operand.unit)} ÷ {written(bottom.operand.value, None)}"
            note = Text("{steps} = {outcome}", steps=steps, outcome=f"{top.size / bottom.size:.6g}")
            verdict = "worked_out" if figure.digits >= _SURE and figure.holds(size) else "possible"
            return Finding(verdict, (top.operand.spot, bottom.operand.spot), note)
    return None
