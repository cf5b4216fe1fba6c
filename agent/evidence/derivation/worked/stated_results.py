"""What follows from other figures of the same sentence, as it says them itself: "from 318 to 447, up 40.6%",
"386 of 2,730, or one in 7", "140 seats, so a majority takes 71".

It is right whatever row or column those figures are of: they have marks of their own.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from fractions import Fraction
from itertools import pairwise
from typing import NamedTuple

from agent.evidence.derivation.steps.arithmetic_steps import written
from agent.evidence.derivation.steps.hints import kinds_hinted
from agent.evidence.derivation.worked.rates_of_rows import SPEEDS
from agent.evidence.direction import turned
from agent.evidence.drafts import TO_WORK_WITH, Draft, in_one_unit, places_of
from agent.evidence.lookup.column_ends import FROM, TO
from agent.evidence.lookup.context import Answer
from agent.evidence.lookup.numbers import scale_said
from agent.evidence.sources import Finding, Spotted
from agent.interface_text import Text
from agent.text.quantities.day_mentions import Day
from agent.text.quantities.figures import Figure
from agent.text.quantities.units import PERCENT, Unit
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
_MORE = regex(
    r"[*_]*(?: [^\W\d_]+)? (?:more|higher|above|mehr|de plus|más|"
    r"(?P<down>fewer|less|lower|below|weniger|de moins|menos))\b"
)
_BY_SO_MUCH = regex(r"\b(?:by|um|de)[ ](?:about |around |just |nearly |rund )?[*_]*$")
_BEYOND = regex(
    r"exceed|\btop(?:s|ped)\b|\bbeats?\b|outstrip|surpass|outweigh|\bmiss|short of|übersteig|übertr|dépass|super[aó]"
)
_EXTRA = regex(
    r"\b(?:extra|additional|another|increase|rise|growth|jump|gain|drop|fall|decline|decrease|difference|change)"
    r"(?: of| is)?[ ](?:about |around |just |nearly )?[*_]*[$€£¥+]?$|"
    r"\b(?:mehrkosten|plus|minus|anstieg|rückgang) von [*_]*$"
)
_OF = regex(r"(?:^|[\s(])(?:of|von|sur|de)(?: (?:the|all|its|their|these|those|den))*[ ][*_]*[$€£¥]?$")
_REST = regex(r"\bnot\b|n['’]t\b|\brest\b|\bremain|\bother|\bleft\b|\bübrig|\brestliche|\bautres?\b|残り")
_TOLD = 2  # digits of a part that no chance leads to
_PAIR = 2  # figures
_APART = 60  # characters behind a figure that say what it is
_NEAR = 24  # characters
_FAR = 400  # characters before a figure


class Step(NamedTuple):
    """What a step between figures comes to, without sign; ``rose`` is 1 of a rise, -1 of a fall, else 0."""

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
) -> Iterator[Step]:
    """What follows from the figures ``beside`` one, or from those ``known`` before it."""
    counts = [one for one in beside if one.kind == "number" and one.figure is not None]
    numbers = [one for one in known if one.kind == "number" and one.figure is not None]
    if figure.unit is PERCENT:
        yield from _changes(counts, answer)
        yield from _changes(numbers, answer)
        yield from _steps_to(counts, answer)
        yield from _of_other(figure, counts, answer)
        yield from _of_sum(figure, counts, answer)
        yield from _of_counts(counts, answer)
    elif figure.unit is None and _ONE_IN.search(answer.lower, left, figure.start) is not None:
        yield from _one_in(counts, answer)
    elif _MAJORITY.search(answer.lower, left, figure.end + _APART) is not None:
        yield from _majorities(figure, counts)
    else:
        yield from _steps_between(figure, numbers, answer)
        yield from _parts_of_whole(figure, counts, answer, left)
        yield from _together(figure, counts, answer, left)
    if _BY_SO_MUCH.search(answer.lower, max(left, figure.start - _APART), figure.start) is not None:
        yield from _beyond(figure, counts, answer, left)
    if figure.unit is not None and figure.unit.name in SPEEDS:
        yield from _speeds(figure.unit, beside)
    if (by := _BY_PERCENT.search(answer.lower, max(left, figure.start - 80), figure.start)) is not None:
        yield from _raised(figure, by, known)


def _changes(counts: Sequence[Draft], answer: Answer) -> Iterator[Step]:
    """The changes in per cent between two figures that are said to be one before the other."""
    for one, other in pairwise(counts):
        first, second, (start, end) = one.figure, other.figure, (one.end, other.start)
        if first is None or second is None or first.unit is PERCENT or not in_one_unit(one.figure, other.figure):
            continue
        if _is_change(one, other, answer):
            yield from _change(
                one._replace(thing=replace(first, value=abs(_from_one_scale(one, other, answer)))), other
            )
        elif _BEFORE.fullmatch(answer.lower, start, end):
            yield from _change(other, one)


def _steps_between(figure: Figure, known: Sequence[Draft], answer: Answer) -> Iterator[Step]:
    """How far apart the ends of the last change are, where it is spoken of: "from 1.84 to 2.02 billion. The extra"."""
    if _EXTRA.search(answer.lower, max(0, figure.start - _APART), figure.start) is None:
        return
    for one, other in list(pairwise(known))[::-1]:
        if _is_change(one, other, answer):
            first, last = _from_one_scale(one, other, answer), other.signed
            unit = other.figure.unit if other.figure is not None else None
            if in_one_unit(figure, other.figure) or figure.unit is None:
                steps = f"{written(last, unit)} − {written(first, unit)}"
                yield Step(abs(last - first), steps, unit, places_of(one, other))
            return


def _is_change(one: Draft, other: Draft, answer: Answer) -> bool:
    """Whether two figures are the ends of a change, "from … to …"."""
    begun = FROM.search(answer.lower, max(0, one.start - _NEAR), one.start) is not None
    return begun and TO.fullmatch(answer.lower, one.end, other.start) is not None


def _from_one_scale(one: Draft, other: Draft, answer: Answer) -> Fraction:
    """The first of two figures in the scale that only the second one says: 1.84 of "1.84 to 2.02 billion"."""
    if one.figure is None or other.figure is None or scale_said(one.figure, answer.text):
        return one.signed
    power = scale_said(other.figure, answer.text)
    return one.signed * 10**power if abs(one.signed) * 1000 < abs(other.signed) else one.signed


def _raised(figure: Figure, by: re.Match[str], known: Sequence[Draft]) -> Iterator[Step]:
    """What became of an amount that was said before: "£1,150 a month … goes up by 4% to £1,196"."""
    rate = Fraction(by["rate"].replace(",", "."))
    factor = 1 - rate / 100 if by["down"] else 1 + rate / 100
    for one in reversed(known):
        if one.kind == "number" and one.figure is not None and in_one_unit(one.figure, figure):
            sign = "−" if by["down"] else "+"
            steps = f"{written(one.signed, one.figure.unit)} {sign} {written(rate)}%"
            yield Step(one.signed * factor, steps, figure.unit, places_of(one))


def _steps_to(counts: Sequence[Draft], answer: Answer) -> Iterator[Step]:
    """The changes in per cent of what is said to have gone up or down by so much to so much: "by £4 to £72"."""
    for step, later in pairwise(counts):
        by = _BY.search(answer.lower, max(0, step.start - 60), step.start)
        if (
            by is None
            or not TO.fullmatch(answer.lower, step.end, later.start)
            or not in_one_unit(step.figure, later.figure)
        ):
            continue
        apart, last = step.signed, later.signed
        first = last + apart if by["down"] else last - apart
        if first > 0:
            unit, sign = later.figure.unit if later.figure else None, "+" if by["down"] else "−"
            base = f"({written(last, unit)} {sign} {written(apart, unit)})"
            steps = f"{written(apart, unit)} ÷ {base} × 100"
            yield Step(
                apart / first * 100,
                steps,
                PERCENT,
                places_of(step, later),
                -1 if by["down"] else 1,
            )


def _of_other(figure: Figure, counts: Sequence[Draft], answer: Answer) -> Iterator[Step]:
    """The change in per cent from a value that is told by its difference: "1,846 launches, 125 fewer than (−6%)"."""
    for value, step in pairwise(one for one in counts if one.end <= figure.start):
        more = _MORE.match(answer.lower, step.end)
        first = value.signed + (step.signed if more is not None and more["down"] else -step.signed)
        if more is not None and first > 0 and (step.figure is None or step.figure.unit is not PERCENT):
            sign = "+" if more["down"] else "−"
            steps = f"{written(step.signed)} ÷ ({written(value.signed)} {sign} {written(step.signed)}) × 100"
            rose = -1 if more["down"] else 1
            yield Step(step.signed / first * 100, steps, PERCENT, places_of(step, value), rose)


def _of_sum(figure: Figure, counts: Sequence[Draft], answer: Answer) -> Iterator[Step]:
    """The share of one of two counts in a bracket behind it: "90% are closed (1,034 closed, 118 open)"."""
    opened, closed = answer.text.find("(", figure.end), answer.text.find(")", figure.end)
    inside = [one for one in counts if opened < one.start < closed] if 0 <= opened - figure.end < _APART else []
    if len(inside) == _PAIR and all(one.signed > 0 for one in inside):
        whole = sum(one.signed for one in inside)
        for one in inside:
            steps = f"{written(one.signed)} ÷ ({' + '.join(written(each.signed) for each in inside)}) × 100"
            yield Step(one.signed / whole * 100, steps, PERCENT, places_of(*inside))


def _change(earlier: Draft, later: Draft) -> Iterator[Step]:
    first, last = earlier.signed, later.signed
    if first:
        base = written(first, earlier.figure.unit if earlier.figure else None)
        steps = f"({written(last, later.figure.unit if later.figure else None)} − {base}) ÷ {base} × 100"
        size = (last - first) / abs(first) * 100
        yield Step(abs(size), steps, PERCENT, places_of(earlier, later), 1 if size > 0 else -1)


def _of_counts(counts: Sequence[Draft], answer: Answer) -> Iterator[Step]:
    """The share of "21 of 30 games"."""
    for part, whole in _parts(counts, answer):
        if part.signed <= whole.signed:
            steps = f"{written(part.signed)} ÷ {written(whole.signed)} × 100"
            spots = places_of(part, whole)
            yield Step(part.signed / whole.signed * 100, steps, PERCENT, spots)


def _parts_of_whole(figure: Figure, counts: Sequence[Draft], answer: Answer, left: int) -> Iterator[Step]:
    """The part that "two thirds of the 84" or "of the 11,286, 70 %" is, and the rest where that is spoken of."""
    before = [one for one in counts if one.end <= figure.start]
    for share, whole in (pair for one, other in pairwise(before) for pair in ((one, other), (other, one))):
        rate = _rate(share.figure)
        if rate is None or whole.figure is None or whole.figure.unit is PERCENT or figure.digits < _TOLD:
            continue
        if _OF.search(answer.lower, max(0, whole.start - _NEAR), whole.start) is None:
            continue
        unit = whole.figure.unit
        if figure.unit is None or in_one_unit(figure, whole.figure):
            said = f"{written(whole.signed, unit)} × {written(rate, PERCENT)}"
            yield Step(whole.signed * rate / 100, said, unit, places_of(share, whole))
            if _REST.search(answer.lower, max(left, share.end), figure.end + _NEAR) is not None:
                said = f"{written(whole.signed, unit)} × {written(100 - rate, PERCENT)}"
                yield Step(whole.signed * (100 - rate) / 100, said, unit, places_of(share, whole))


def _rate(figure: Figure | None) -> Fraction | None:
    """A share in per cent: 70 of "70 %", 66.7 of "two thirds"."""
    if figure is None:
        return None
    in_words = figure.unit is None and figure.spelled and figure.value < 1
    return figure.value if figure.unit is PERCENT else figure.value * 100 if in_words else None


def _together(figure: Figure, counts: Sequence[Draft], answer: Answer, left: int) -> Iterator[Step]:
    """What the figures right before one come to, where its sentence says that it is of all: "94 and 76, in all 170"."""
    before = [one for one in counts if one.end <= figure.start and in_one_unit(one.figure, figure)]
    if figure.digits < _TOLD or "sum" not in kinds_hinted(answer.lower[left : figure.end + _NEAR]):
        return
    for first in range(len(before) - _PAIR, -1, -1):
        said = [written(one.signed, figure.unit) for one in before[first:]]
        whole = sum((one.signed for one in before[first:]), Fraction(0))
        yield Step(whole, " + ".join(said), figure.unit, places_of(*before[first:]))


def _beyond(figure: Figure, counts: Sequence[Draft], answer: Answer, left: int) -> Iterator[Step]:
    """How far one amount is from another one of the sentence: "180 million exceeds the reserve of 150 million by"."""
    before = [one for one in counts if one.end <= figure.start and in_one_unit(one.figure, figure)]
    if _BEYOND.search(answer.lower, left, figure.start) is not None:
        for one, other in pairwise(before):
            more, less = sorted((one, other), key=lambda each: each.signed, reverse=True)
            steps = f"{written(more.signed, figure.unit)} − {written(less.signed, figure.unit)}"
            yield Step(more.signed - less.signed, steps, figure.unit, places_of(more, less))


def _one_in(counts: Sequence[Draft], answer: Answer) -> Iterator[Step]:
    """How many there are for each one of "386 of 2,730"."""
    for part, whole in _parts(counts, answer):
        steps = f"{written(whole.signed)} ÷ {written(part.signed)}"
        yield Step(whole.signed / part.signed, steps, None, places_of(whole, part))


def _parts(counts: Sequence[Draft], answer: Answer) -> Iterator[tuple[Draft, Draft]]:
    """The parts that are said to be of a whole, with it."""
    for part, whole in pairwise(counts):
        if _OUT_OF.fullmatch(answer.lower, part.end, whole.start) and part.signed > 0 and whole.signed > 0:
            yield part, whole


def _majorities(figure: Figure, counts: Sequence[Draft]) -> Iterator[Step]:
    for one in counts:
        if one.end <= figure.start and one.signed.denominator == 1:
            steps = f"{written(one.signed)} ÷ 2 + 1"
            yield Step(Fraction(one.signed // 2 + 1), steps, None, places_of(one))


def _speeds(unit: Unit, beside: Sequence[Draft]) -> Iterator[Step]:
    """A way over a time that is told as "4:02:17" or in hours and minutes."""
    way, factor = SPEEDS[unit.name]
    times = [(one, one.thing.length) for one in beside if isinstance(one.thing, Day) and one.thing.length]
    for one in beside:
        if one.figure is not None and one.figure.unit is not None and one.figure.unit.name == way:
            for time, length in times:
                steps = f"{written(one.signed, one.figure.unit)} ÷ {written(Fraction(length), None)} s"
                yield Step(one.signed * factor / length, steps, unit, places_of(one, time))
