"""What follows from other figures of the same sentence, as it says them itself: "from 318 to 447, up 40.6%",
"386 of 2,730, or one in 7", "140 seats, so a majority takes 71".

It is right whatever row or column those figures are of: they have marks of their own.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from fractions import Fraction
from itertools import combinations, pairwise, permutations, product
from typing import NamedTuple

from agent.evidence.derivation.steps.arithmetic_steps import written
from agent.evidence.derivation.steps.known_values import operand_at
from agent.evidence.derivation.steps.wholes import says_share
from agent.evidence.derivation.worked.rates_of_rows import SPEEDS
from agent.evidence.direction import turned
from agent.evidence.drafts import TO_WORK_WITH, Draft
from agent.evidence.lookup.column_ends import FROM, TO
from agent.evidence.lookup.context import Answer, line_bounds
from agent.evidence.sources import Finding, Sources, Spotted
from agent.interface_text import Text
from agent.text.quantities.day_mentions import Day
from agent.text.quantities.figures import Figure
from agent.text.quantities.units import PERCENT, Unit, alike
from agent.text.regex import regex

_BEFORE = regex(  # behind what became of it: "71, up from 60", "1,205 against 980"
    r"[*_]*,? ?\(?(?:up from|down from|against|versus|vs\.?|compared (?:with|to)|after|from|statt|nach|gegenüber|"
    r"contre|frente a)[ ](?:about |around |just )?[*_]*"
)
_BY = regex(
    r"\b(?:(?P<down>fell|dropped|declined|decreased|down|sank|slipped|shrank|fiel|baissé)|"
    r"rose|grew|increased|climbed|up|gained|stieg|wuchs|augmenté)(?: by| um| de)? (?:about |around |just )?[*_]*$"
)
_BY_PERCENT = regex(
    r"\b(?:(?P<down>falls?|drops?|goes down|decreases?|reduced)|rises?|goes up|increases?|raised|grows?|climbs?|steigt)"
    r"(?: by| um)? (?P<rate>[0-9]{1,2}(?:[.,][0-9]{1,2})?) ?%,? (?:to|auf|so) [$€£¥]?$"
)
_OUT_OF = regex(r"[*_]*(?: [^\W\d_]+){0,3}(?: out)? (?:of|von|sur|de)(?: (?:the|all|its|their|den))*[ ][*_]*")
_ONE_IN = regex(r"\b(?:one|1) (?:in|out of) (?:every )?[*_]*$")
_MAJORITY = regex(r"majorit|mehrheit|mayoría|過半数")
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
_SURE = 3  # digits of what may be of any of them


class _Result(NamedTuple):
    """What a step comes to, without sign, as it is written; ``rose``: whether it is of a rise, a fall or neither."""

    size: Fraction
    steps: str
    unit: Unit | None
    spots: tuple[Spotted, ...]
    rose: int = 0


def stated_results(drafts: Sequence[Draft], numbers: Sequence[int], answer: Answer) -> Iterator[tuple[int, Finding]]:
    """``worked_out`` for those of some figures (``numbers``: their places in ``drafts``) that such a step comes to."""
    usable = [one for one in drafts if one.finding.verdict in TO_WORK_WITH]
    for number in numbers:
        draft, figure = drafts[number], drafts[number].figure
        if figure is None or draft.kind != "number" or figure.ordinal or not figure.value:
            continue
        left, right = answer.sentence(draft.start)
        beside = [one for one in usable if left <= one.start < right]
        known = [one for one in usable if figure.start - _FAR <= one.start < figure.start]
        for one in _results(figure, beside, known, answer, left):
            said = answer.lower[left:right]
            if figure.holds(float(one.size)) and not (
                one.rose and turned(said, figure.start - left, figure.negative, one.rose)
            ):
                note = Text("{steps} = {outcome}", steps=one.steps, outcome=written(one.size, one.unit))
                yield number, Finding("worked_out", one.spots, note)
                break


def _results(
    figure: Figure, beside: Sequence[Draft], known: Sequence[Draft], answer: Answer, left: int
) -> Iterator[_Result]:
    """What follows from the figures ``beside`` one, or from those ``known`` before it."""
    counts = [one for one in beside if one.kind == "number" and one.figure is not None]
    if figure.unit is PERCENT:
        yield from _changes(counts, answer)
        yield from _steps_to(counts, answer)
        yield from _of_counts(counts, answer)
    elif figure.unit is None and _ONE_IN.search(answer.lower, left, figure.start) is not None:
        yield from _one_in(counts, answer)
    elif _MAJORITY.search(answer.lower, left, figure.end + _APART) is not None:
        yield from _majorities(figure, counts)
    if figure.unit is not None and figure.unit.name in SPEEDS:
        yield from _speeds(figure.unit, beside)
    if (by := _BY_PERCENT.search(answer.lower, max(left, figure.start - 80), figure.start)) is not None:
        yield from _raised(figure, by, known)


def _changes(counts: Sequence[Draft], answer: Answer) -> Iterator[_Result]:
    """The changes in per cent between two figures that are said to be one before the other."""
    for one, other in pairwise(counts):
        first, second, (start, end) = one.figure, other.figure, (one.end, other.start)
        if first is None or second is None or first.unit is PERCENT or not _of_one_unit(first, second):
            continue
        if TO.fullmatch(answer.lower, start, end) and FROM.search(answer.lower, max(0, one.start - 24), one.start):
            yield from _change(one, other)
        elif _BEFORE.fullmatch(answer.lower, start, end):
            yield from _change(other, one)


def _raised(figure: Figure, by: re.Match[str], known: Sequence[Draft]) -> Iterator[_Result]:
    """What became of an amount that was said before: "£1,150 a month … goes up by 4% to £1,196"."""
    rate = Fraction(by["rate"].replace(",", "."))
    factor = 1 - rate / 100 if by["down"] else 1 + rate / 100
    for one in reversed(known):
        if one.kind == "number" and one.figure is not None and _of_one_unit(one.figure, figure):
            sign = "−" if by["down"] else "+"
            steps = f"{written(_value(one), one.figure.unit)} {sign} {written(rate)}%"
            yield _Result(_value(one) * factor, steps, figure.unit, _spot(one))


def _steps_to(counts: Sequence[Draft], answer: Answer) -> Iterator[_Result]:
    """The changes in per cent of what is said to have gone up or down by so much to so much: "by £4 to £72"."""
    for step, later in pairwise(counts):
        by = _BY.search(answer.lower, max(0, step.start - 60), step.start)
        if by is None or not TO.fullmatch(answer.lower, step.end, later.start) or not _in_one_unit(step, later):
            continue
        apart, last = _value(step), _value(later)
        first = last + apart if by["down"] else last - apart
        if first > 0:
            unit, sign = later.figure.unit if later.figure else None, "+" if by["down"] else "−"
            base = f"({written(last, unit)} {sign} {written(apart, unit)})"
            steps = f"{written(apart, unit)} ÷ {base} × 100"
            yield _Result(apart / first * 100, steps, PERCENT, (*_spot(step), *_spot(later)), -1 if by["down"] else 1)


def _in_one_unit(one: Draft, other: Draft) -> bool:
    return one.figure is not None and other.figure is not None and _of_one_unit(one.figure, other.figure)


def _change(earlier: Draft, later: Draft) -> Iterator[_Result]:
    first, last = _value(earlier), _value(later)
    if first:
        base = written(first, earlier.figure.unit if earlier.figure else None)
        steps = f"({written(last, later.figure.unit if later.figure else None)} − {base}) ÷ {base} × 100"
        size = (last - first) / abs(first) * 100
        yield _Result(abs(size), steps, PERCENT, (*_spot(earlier), *_spot(later)), 1 if size > 0 else -1)


def _of_counts(counts: Sequence[Draft], answer: Answer) -> Iterator[_Result]:
    """The share of "21 of 30 games"."""
    for part, whole in pairwise(counts):
        if _OUT_OF.fullmatch(answer.lower, part.end, whole.start) and 0 < _value(part) <= _value(whole):
            steps = f"{written(_value(part), None)} ÷ {written(_value(whole), None)} × 100"
            yield _Result(_value(part) / _value(whole) * 100, steps, PERCENT, (*_spot(part), *_spot(whole)))


def _one_in(counts: Sequence[Draft], answer: Answer) -> Iterator[_Result]:
    """How many there are for each one of "386 of 2,730"."""
    for part, whole in pairwise(counts):
        if _OUT_OF.fullmatch(answer.lower, part.end, whole.start) and _value(part) > 0:
            steps = f"{written(_value(whole), None)} ÷ {written(_value(part), None)}"
            yield _Result(_value(whole) / _value(part), steps, None, (*_spot(whole), *_spot(part)))


def _majorities(figure: Figure, counts: Sequence[Draft]) -> Iterator[_Result]:
    for one in counts:
        if one.end <= figure.start and _value(one).denominator == 1:
            steps = f"{written(_value(one), None)} ÷ 2 + 1"
            yield _Result(Fraction(_value(one) // 2 + 1), steps, None, _spot(one))


def _speeds(unit: Unit, beside: Sequence[Draft]) -> Iterator[_Result]:
    """A way over a time that is told as "4:02:17" or in hours and minutes."""
    way, factor = SPEEDS[unit.name]
    times = [(one, one.thing.length) for one in beside if isinstance(one.thing, Day) and one.thing.length]
    for one in beside:
        if one.figure is not None and one.figure.unit is not None and one.figure.unit.name == way:
            for time, length in times:
                steps = f"{written(_value(one), one.figure.unit)} ÷ {written(Fraction(length), None)} s"
                yield _Result(_value(one) * factor / length, steps, unit, (*_spot(one), *_spot(time)))


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


def _possible(figure: Figure, usable: Sequence[Draft], answer: Answer, sources: Sources) -> Iterator[_Result]:
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
            if _is_alike(one, figure) and _is_alike(other, figure) and abs(_value(one) - _value(other)) == figure.value:
                more, less = sorted((one, other), key=_value, reverse=True)
                steps = f"{written(_value(more), None)} − {written(_value(less), None)}"
                yield _Result(figure.value, steps, figure.unit, (*_spot(more), *_spot(less)))


def _of_difference(figure: Figure, usable: Sequence[Draft], answer: Answer, sources: Sources) -> Iterator[_Result]:
    """What a difference that was worked out right before is of one of its values: "by 45 seconds, around 30%"."""
    before = next((one for one in reversed(usable) if one.end <= figure.start), None)
    if before is None or before.figure is None or len(before.finding.spots) != 2:
        return
    reckoned = before.finding.verdict in ("worked_out", "possible")
    if not (reckoned and _AGAIN.fullmatch(answer.lower, before.end, figure.start)):
        return
    places = before.finding.spots
    ends = [Fraction(operand_at(sources.texts[number], number, start, end).value) for number, start, end in places]
    for end in ends if before.figure.holds(abs(float(ends[0] - ends[1]))) else ():
        if end and figure.holds(float(before.figure.value / abs(end) * 100)):
            steps = f"{written(before.figure.value, before.figure.unit)} ÷ {written(abs(end))} × 100"
            yield _Result(figure.value, steps, PERCENT, before.finding.spots)


def _for_each(figure: Figure, before: Sequence[Draft], beside: Sequence[Draft]) -> Iterator[_Result]:
    """An amount of a year for each of as many hours or days as are said: "at 37.5 hours a week it is £24 an hour"."""
    amounts = [one for one in (*before, *beside) if one.figure and one.figure.unit is figure.unit is not None]
    hours = [one for one in beside if one.figure and one.figure.unit is not figure.unit and _value(one) > 0]
    for one, other, periods in product(amounts, hours, _PERIODS):
        size = _value(one) / (_value(other) * periods)
        if one.start != figure.start and figure.holds(float(size)):
            by = f"({written(_value(other), None)} × {periods})" if periods > 1 else written(_value(other), None)
            steps = f"{written(_value(one), figure.unit)} ÷ {by}"
            yield _Result(size, steps, figure.unit, (*_spot(one), *_spot(other)))


def _shares(figure: Figure, before: Sequence[Draft]) -> Iterator[_Result]:
    """What one of two and more amounts in one unit is of all of them."""
    for unit in dict.fromkeys(one.figure.unit for one in before if one.figure and one.figure.unit is not PERCENT):
        parts = [one for one in before if one.figure and one.figure.unit is unit]
        whole = sum(map(_value, parts))
        for one in parts if len(parts) > 1 and whole else ():
            if figure.holds(float(_value(one) / whole * 100)):
                added = " + ".join(written(_value(each), None) for each in parts)
                yield _Result(figure.value, f"{written(_value(one), None)} ÷ ({added}) × 100", PERCENT, _spot(one))


def _rounded_share(figure: Figure, part: Draft, whole: Draft) -> Iterator[_Result]:
    """What one figure is of another one, as far as both are rounded."""
    top, bottom = part.figure, whole.figure
    if top is None or bottom is None or PERCENT in (top.unit, bottom.unit) or not _of_one_unit(top, bottom):
        return
    (low, high), (least, most) = top.edges, bottom.edges
    if least > 0 and low / most * 100 <= figure.edges[1] and high / least * 100 >= figure.edges[0]:
        steps = f"{written(top.value, top.unit)} ÷ {written(bottom.value, bottom.unit)} × 100"
        yield _Result(figure.value, steps, PERCENT, (*_spot(part), *_spot(whole)))


def _is_alike(draft: Draft, figure: Figure) -> bool:
    return draft.figure is not None and (draft.figure.unit is None or _of_one_unit(draft.figure, figure))


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
        spots = next((_spot(one) for one in reversed(stated) if _value(one) == whole), None)
        if spots is None and int(whole) in rows:
            spots = before.finding.spots[:1]
        if spots is not None:
            steps = f"{written(whole, None)} − {written(count.value, None)}"
            note = Text("{steps} = {outcome}", steps=steps, outcome=written(figure.value, None))
            yield number, Finding("possible", spots, note)


def _of_one_unit(one: Figure, other: Figure) -> bool:
    if one.unit is None or other.unit is None:
        return one.unit is other.unit
    return alike(one.unit, other.unit)


def _value(draft: Draft) -> Fraction:
    figure = draft.figure
    return Fraction(0) if figure is None else -figure.value if figure.negative else figure.value


def _spot(draft: Draft) -> tuple[Spotted, ...]:
    return draft.finding.spots[:1]
