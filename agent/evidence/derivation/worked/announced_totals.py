"""What the items of a list, or the rows of a table, of the answer itself come to: "$4,500 in total:" above three of
them, "48 units in total" below.

The sum is told by a word of its sentence, or long enough, and the list stands right behind its paragraph, or right
before.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterator, Sequence
from dataclasses import replace
from fractions import Fraction
from itertools import combinations, product
from typing import NamedTuple

from agent.evidence.derivation.steps.arithmetic_steps import written
from agent.evidence.drafts import Draft, as_span
from agent.evidence.lookup.context import ITEM, Answer
from agent.evidence.sources import Finding
from agent.interface_text import Text
from agent.text.quantities.day_mentions import Day
from agent.text.quantities.figures import Figure
from agent.text.quantities.number_words import exact
from agent.text.quantities.units import PERCENT, comparable
from agent.text.regex import regex

_OF_ALL = regex(
    r"\b(?:totals?|totall?ed|total(?:l?ing|s)|altogether|in all|all told|sum|together|combined|between them"
    r"|adds? up|adding|insgesamt|zusammen|au total|ensemble|en total|in totale)\b|合計|合わせて|全部で"
)
_LEFT = regex(r"\b(?:remaining|rest|others?|left|übrige?n?|restliche?n?|restante?s?|restants?)\b|残り|その他")
_OPENS_LIST = regex(r"[*_]{0,2}(?: [^\W\d_]+){0,4} ?[:(–—][*_]{0,2} ?")
_LONG_OF_SOME, _OF_SOME, _MOST_OF_SOME = 5, (2, 3), 12  # digits of what some items of so many come to
_NEAR, _FAR = 30, 600  # characters
_RULE = regex(r"[ \t]*\|[-: |]+\|?[ \t]*")
_DIGITS = regex(r"[0-9](?:[0-9.,]*[0-9])?")
_FEWEST, _MOST = 2, 30  # items
_LONG, _FEWEST_UNTOLD = 3, 3  # digits of a figure that so many items come to by chance no more


class _Block(NamedTuple):
    """A list or a table of the answer, with the figures of each item that were traced; ``head`` is that of a table.

    ``starts`` are where its items do.
    """

    start: int
    end: int
    items: list[list[Figure]]
    head: str
    starts: list[int]


def sums_of_lists(drafts: Sequence[Draft], numbers: Sequence[int], answer: Answer, text: str) -> dict[int, Finding]:
    """``worked_out`` for those of some figures (``numbers``: their places in ``drafts``) that such a list comes to.

    ``text`` is the whole answer, with the heads of its tables.
    """
    found = dict(_listed_behind(drafts, numbers, answer))
    blocks: list[_Block] | None = None
    for number in numbers:
        figure = drafts[number].figure
        left, right = answer.sentence(drafts[number].start)
        if figure is None or drafts[number].kind != "number":
            continue
        told = _OF_ALL.search(answer.lower, left, right) is not None
        if not told and figure.digits < _LONG:
            continue
        if blocks is None:
            blocks = list(_blocks(text, drafts))
        for block in blocks:
            meant = _as_in_head(figure, block.head, text)
            if not told and len(block.items) < _FEWEST_UNTOLD:
                continue
            above = _above(figure, block)
            if len(above) >= _FEWEST and (told or len(above) >= _FEWEST_UNTOLD) and _come_to(figure, above):
                note = Text("sum of the {count} items listed here", count=len(above))
                found[number] = Finding("worked_out", (), note)
            elif _stand_together(text, drafts[number], block) and any(_come_to(one, block.items) for one in meant):
                note = Text("sum of the {count} items listed here", count=len(block.items))
                found[number] = Finding("worked_out", (), note)
    return found


def sums_of_items(drafts: Sequence[Draft], numbers: Sequence[int], text: str) -> Iterator[tuple[int, Finding]]:
    """``possible`` for long figures that two or three items of a list above come to."""
    long_ones = [number for number in numbers if (one := drafts[number].figure) and one.digits >= _LONG_OF_SOME]
    blocks = [one for one in _blocks(text, drafts) if len(one.items) <= _MOST_OF_SOME] if long_ones else []
    for number, block in product(long_ones, blocks):
        figure = drafts[number].figure
        if figure is None or not 0 <= figure.start - block.end < _FAR:
            continue
        rows = [[one for one in item if _is_alike(one, figure)] for item in block.items]
        parts = [row[-1] for row in rows if row]
        for count in _OF_SOME:
            chosen = next(
                (one for one in combinations(parts, count) if _come_to(figure, [[each] for each in one])), None
            )
            if chosen is not None:
                added = " + ".join(written(one.value, one.unit) for one in chosen)
                note = Text("{steps} = {outcome}", steps=added, outcome=written(figure.value, figure.unit))
                yield number, Finding("possible", (), note)
                break


def _listed_behind(drafts: Sequence[Draft], numbers: Sequence[int], answer: Answer) -> Iterator[tuple[int, Finding]]:
    """ "€65 a day: €12 for breakfast, €20 for lunch and €33 for dinner": of all that its sentence lists behind it."""
    for number in numbers:
        draft, figure = drafts[number], drafts[number].figure
        opened = _OPENS_LIST.match(answer.text, draft.end) if figure is not None else None
        if figure is None or opened is None or draft.kind != "number":
            continue
        _, right = answer.sentence(draft.start)
        if "(" in opened[0]:
            right = answer.text.find(")", opened.end(), right)
        listed = [one for one in drafts if opened.end() <= one.start < right and one.kind == "number" and one.figure]
        parts = [one.figure for one in listed if one.figure and _is_alike(one.figure, figure)]
        all_alike = len(parts) == len(listed)
        for count in (len(parts),) if figure.digits < _LONG else range(len(parts), _FEWEST - 1, -1):
            first = [[one] for one in parts[:count]]
            if count >= _FEWEST and (all_alike or figure.digits >= _LONG) and _come_to(figure, first):
                yield number, Finding("worked_out", (), Text("sum of the {count} items listed here", count=count))
                break


def rests_of_all(drafts: Sequence[Draft], numbers: Sequence[int], answer: Answer) -> dict[int, Finding]:
    """``worked_out`` for what is left of 100% beside the shares of its sentence: "the remaining 20%"."""
    found: dict[int, Finding] = {}
    for number in numbers:
        figure = drafts[number].figure
        if figure is None or figure.unit is not PERCENT:
            continue
        left, right = answer.sentence(figure.start)
        around = answer.lower[max(left, figure.start - _NEAR) : min(right, figure.end + _NEAR)]
        others = [one for one in drafts if left <= one.start < right and one.start != figure.start and one.is_known]
        shares = [one.figure.value for one in others if one.figure and one.figure.unit is PERCENT]
        if shares and _LEFT.search(around) and figure.value + sum(shares) == 100:
            steps = " + ".join(f"{float(share):g}" for share in shares)
            note = Text("{steps} = {outcome}", steps=f"100 − ({steps})", outcome=f"{float(figure.value):g}%")
            found[number] = Finding("worked_out", (), note)
    return found


def _stand_together(text: str, draft: Draft, block: _Block) -> bool:
    """Whether nothing but the rest of its paragraph stands between a claim and a list."""
    behind = text[draft.end : block.start] if draft.end <= block.start else text[block.end : draft.start]
    return "\n\n" not in behind.strip() and (draft.end <= block.start or draft.start >= block.end)


def _above(figure: Figure, block: _Block) -> list[list[Figure]]:
    """The figures of the items above the one that a figure is in."""
    inside = block.start <= figure.start < block.end
    return block.items[: bisect_right(block.starts, figure.start) - 1] if inside else []


def _as_in_head(figure: Figure, head: str, text: str) -> Iterator[Figure]:
    """A figure, and it without the unit and the scale that the head of a table has: £120k below "Change (£k)"."""
    yield figure
    digits = _DIGITS.match(text, figure.number[0])
    around = f"{text[figure.start : figure.number[0]]}{text[digits.end() : figure.end]}".strip(" -−*") if digits else ""
    if digits and figure.unit is not None and around and around in head:
        value, step = exact(digits[0])
        yield replace(figure, value=value, step=step, unit=None, others=())


def _blocks(text: str, drafts: Sequence[Draft]) -> Iterator[_Block]:
    """Where the lists and the tables of the answer stand, with the figures of each item that were traced."""
    lines: list[tuple[int, int]] = []
    kind = ""
    for line in [*re.finditer(r"[^\n]+", text), None]:
        said = "" if line is None else "item" if ITEM.match(line[0]) else "row" if line[0].lstrip()[:1] == "|" else ""
        if said != kind and lines:
            rows = lines[2:] if kind == "row" and len(lines) > 1 and _RULE.fullmatch(text[slice(*lines[1])]) else lines
            if _FEWEST <= len(rows) <= _MOST:
                head = text[slice(*lines[0])] if rows is not lines else ""
                yield _Block(
                    lines[0][0],
                    lines[-1][1],
                    [_figures(drafts, *row, text) for row in rows],
                    head,
                    [start for start, _ in rows],
                )
            lines = []
        kind = said
        if line is not None and said:
            lines.append(line.span())


def _figures(drafts: Sequence[Draft], start: int, end: int, text: str) -> list[Figure]:
    """The figures of an item that were found, and the times that were found to be spans: "8 h 20"."""
    found: list[Figure] = []
    for one in drafts:
        if start <= one.start < end and one.finding.verdict not in ("not_found", "differs"):
            if one.kind == "number" and one.figure is not None:
                found.append(one.figure)
            elif isinstance(one.thing, Day) and one.finding.verdict == "worked_out":
                found += filter(None, (as_span(one.thing, text),))
    return found


def _come_to(figure: Figure, items: Sequence[Sequence[Figure]]) -> bool:
    """Whether one figure of each item, the first, the last or that of one place, adds up to a figure."""
    alike = [[one for one in item if _is_alike(one, figure)] for item in items]
    if any(not item for item in alike):
        return False
    places = range(len(alike[0])) if len({len(item) for item in alike}) == 1 else (0, -1)
    sums = (
        sum((-one.value if one.negative else one.value for one in column), Fraction(0))
        for column in ([item[place] for item in alike] for place in places)
    )
    return any(2 * abs(abs(total) - figure.value) <= figure.step for total in sums)


def _is_alike(one: Figure, figure: Figure) -> bool:
    """Whether it can be a part of a figure: both without a unit, or with one of a kind."""
    if one.unit is None or figure.unit is None:
        return one.unit is figure.unit
    return comparable(one.unit, figure.unit) and one.unit.dimension == figure.unit.dimension
