"""What may follow from figures of the line or of the sentence before, though no word tells how: shares of what was
listed, an amount for each hour, what is left without some, the count of the others.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from fractions import Fraction
from itertools import combinations, permutations, product

from agent.evidence.derivation.steps.arithmetic_steps import written
from agent.evidence.derivation.steps.known_values import operand_at
from agent.evidence.derivation.steps.wholes import says_share
from agent.evidence.derivation.worked.stated_results import Step
from agent.evidence.drafts import TO_WORK_WITH, Draft, in_one_unit, places_of
from agent.evidence.lookup.context import Answer, line_bounds
from agent.evidence.sources import Finding, Sources
from agent.interface_text import Text
from agent.text.quantities.figures import Figure
from agent.text.quantities.units import PERCENT
from agent.text.regex import regex

_OTHERS = regex(r"\b(?:other|others|still|rest|remaining|left)\b|残り|\b(?:übrige|restliche|autres?)")
_APART = 60  # characters between a count and that of the others
_FEWEST_COUNTED = 2
_LABELLED = regex(r"(?:^|\n)[ \t]*(?:[-*+•][ \t]+)?[^.\n0-9]{3,60}[:–—] ?[*_]*$")  # a figure that its line explains
_AGAIN = regex(
    r"[^.;:\n]{0,30}?[*_]*,? ?(?:[(（]|or |i\.e\. |that is |about |around |roughly |nearly |das sind |soit |ou |"
    r"an? (?:drop|fall|rise|gain|increase|decrease|decline|jump) of (?:about |around |roughly )?){1,2}[*_+−-]*"
)
_LEAVES = regex(r"[\s*_]*(?:that|this|which|it|so|das|damit|cela)\b", re.I)
_WITHOUT = regex(r"[\s*_]*(?:without|excluding|apart from|the (?:rest|remaining|others?)|ohne|sans)\b", re.I)
_MORE = regex(r"\b(?:short|more|fewer|less|ahead|behind|above|below|over|under|left|gap|difference|mehr|weniger)\b")
_FOR_EACH = regex(r"[*_]* (?:an?|per|pro|par|por|each) (?:hour|day|week|month|stunde|tag|heure|jour|hora|día)\b|/h\b")
_PERIODS = (1, 52, 12, 365, 260)  # of a year; days of work
_FAR = 400  # characters before a sentence
_MOST_BEFORE = 12
_MOST_BESIDE = 6
_SCALES = (0, 3, 6, 9)
_SURE = 3  # digits of what may be of any of them


def possible_results(
    drafts: Sequence[Draft], numbers: Sequence[int], answer: Answer, sources: Sources
) -> Iterator[tuple[int, Finding]]:
    """``possible`` for what follows from figures of the line or of the sentence before, though no word tells how."""
    usable = [one for one in drafts if one.finding.verdict in TO_WORK_WITH and one.kind == "number" and one.figure]
    for number in numbers:
        draft, figure = drafts[number], drafts[number].figure
        if figure is None or draft.kind != "number" or figure.ordinal or not figure.value:
            continue
        found = next(_possible(figure, usable, answer, sources), None)
        if found is not None:
            note = Text("{steps} = {outcome}", steps=found.steps, outcome=written(figure.value, found.unit))
            yield number, Finding("possible", found.spots, note)


def _possible(figure: Figure, usable: Sequence[Draft], answer: Answer, sources: Sources) -> Iterator[Step]:
    left, right = answer.sentence(figure.start)
    before = [one for one in usable if left - _FAR <= one.start < left][-_MOST_BEFORE:]
    if figure.unit is PERCENT:
        yield from _of_difference(figure, usable, answer, sources)
    if figure.unit is PERCENT and figure.digits >= _SURE:
        if says_share(answer.lower[left:right]):
            yield from _shares(figure, before)
        if _LABELLED.search(answer.text, max(0, figure.start - 2 * _APART), figure.start):
            _, end = line_bounds(answer.text, figure.start, figure.end)
            behind = [one for one in usable if figure.end <= one.start < end][:_MOST_BESIDE]
            yield from (one for pair in permutations(behind, 2) for one in _rounded_share(figure, *pair))
    elif figure.digits >= _SURE and _FOR_EACH.match(answer.lower, figure.end):
        yield from _for_each(figure, before, [one for one in usable if left <= one.start < right])
    elif _WITHOUT.match(answer.text, left) or (
        _LEAVES.match(answer.text, left) and _MORE.search(answer.lower, figure.end, min(right, figure.end + _APART))
    ):
        for one, other in combinations(before, 2):
            if _is_alike(one, figure) and _is_alike(other, figure) and abs(one.signed - other.signed) == figure.value:
                more, less = sorted((one, other), key=lambda each: each.signed, reverse=True)
                steps = f"{written(more.signed)} − {written(less.signed)}"
                yield Step(figure.value, steps, figure.unit, places_of(more, less))


def _of_difference(figure: Figure, usable: Sequence[Draft], answer: Answer, sources: Sources) -> Iterator[Step]:
    """What a difference that was worked out right before is of one of its values: "by 45 seconds, around 30%"."""
    before = next((one for one in reversed(usable) if one.end <= figure.start), None)
    if before is None or before.figure is None or len(before.finding.spots) != 2:
        return
    reckoned = before.finding.verdict in ("worked_out", "possible")
    if not (reckoned and _AGAIN.fullmatch(answer.lower, before.end, figure.start)):
        return
    places = before.finding.spots
    ends = [Fraction(operand_at(sources.texts[number], number, start, end).value) for number, start, end in places]
    apart = abs(float(ends[0] - ends[1]))
    power = next((one for one in _SCALES if before.figure.holds(apart * 10**one)), None)  # of "1.84 to 2.02 billion"
    if answer.text[figure.start - 1 : figure.start] == "+":
        ends = [min(ends)]  # a rise is one of what there was before
    elif figure.negative:
        ends = [max(ends)]
    for end in (one * 10**power for one in ends) if power is not None else ():
        if end and figure.holds(float(before.figure.value / abs(end) * 100)):
            steps = f"{written(before.figure.value, before.figure.unit)} ÷ {written(abs(end))} × 100"
            yield Step(figure.value, steps, PERCENT, before.finding.spots)


def _for_each(figure: Figure, before: Sequence[Draft], beside: Sequence[Draft]) -> Iterator[Step]:
    """An amount of a year for each of as many hours or days as are said: "at 37.5 hours a week it is £24 an hour"."""
    amounts = [one for one in (*before, *beside) if one.figure and one.figure.unit is figure.unit is not None]
    hours = [one for one in beside if one.figure and one.figure.unit is not figure.unit and one.signed > 0]
    for one, other, periods in product(amounts, hours, _PERIODS):
        size = one.signed / (other.signed * periods)
        if one.start != figure.start and figure.holds(float(size)):
            by = f"({written(other.signed)} × {periods})" if periods > 1 else written(other.signed)
            steps = f"{written(one.signed, figure.unit)} ÷ {by}"
            yield Step(size, steps, figure.unit, places_of(one, other))


def _shares(figure: Figure, before: Sequence[Draft]) -> Iterator[Step]:
    """What one of two and more amounts in one unit is of all of them."""
    for unit in dict.fromkeys(one.figure.unit for one in before if one.figure and one.figure.unit is not PERCENT):
        parts = [one for one in before if one.figure and one.figure.unit is unit]
        whole = sum(one.signed for one in parts)
        for one in parts if len(parts) > 1 and whole else ():
            if figure.holds(float(one.signed / whole * 100)):
                added = " + ".join(written(each.signed) for each in parts)
                yield Step(figure.value, f"{written(one.signed)} ÷ ({added}) × 100", PERCENT, places_of(one))


def _rounded_share(figure: Figure, part: Draft, whole: Draft) -> Iterator[Step]:
    """What one figure is of another one, as far as both are rounded."""
    top, bottom = part.figure, whole.figure
    if top is None or bottom is None or PERCENT in (top.unit, bottom.unit) or not in_one_unit(top, bottom):
        return
    (low, high), (least, most) = top.edges, bottom.edges
    if least > 0 and low / most * 100 <= figure.edges[1] and high / least * 100 >= figure.edges[0]:
        steps = f"{written(top.value, top.unit)} ÷ {written(bottom.value, bottom.unit)} × 100"
        yield Step(figure.value, steps, PERCENT, places_of(part, whole))


def _is_alike(draft: Draft, figure: Figure) -> bool:
    return draft.figure is not None and (draft.figure.unit is None or in_one_unit(draft.figure, figure))


def others_counted(
    drafts: Sequence[Draft], numbers: Sequence[int], answer: Answer, rows: frozenset[int]
) -> Iterator[tuple[int, Finding]]:
    """``possible`` for a count of the others behind another one, of as many as are told before: "two rose, two fell".

    ``rows`` are how many the observed tables have.
    """
    for number in numbers:
        draft, figure = drafts[number], drafts[number].figure
        if figure is None or figure.unit is not None or figure.step != 1 or figure.value < 1:
            continue
        left, right = answer.sentence(draft.start)
        stated = [one for one in drafts[:number] if one.figure and one.finding.verdict in TO_WORK_WITH]
        before = next((one for one in reversed(stated) if one.kind == "number" and one.start >= left), None)
        count = before.figure if before is not None else None
        if before is None or count is None or count.unit is not None or count.value < _FEWEST_COUNTED:
            continue
        if not _OTHERS.search(answer.lower, before.end, min(right, draft.end + _APART)):
            continue
        whole = figure.value + count.value
        spots = next((places_of(one) for one in reversed(stated) if one.signed == whole), None)
        if spots is None and int(whole) in rows:
            spots = places_of(before)
        if spots is not None:
            steps = f"{written(whole, None)} − {written(count.value, None)}"
            note = Text("{steps} = {outcome}", steps=steps, outcome=written(figure.value, None))
            yield number, Finding("possible", spots, note)
