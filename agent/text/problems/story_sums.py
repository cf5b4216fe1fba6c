"""The sum that answers a story: by the dimensions of its parts, or as a total that is added to, cut and shared.

All parts must be used, each in the one way that gives what is asked for; where two ways give different figures, or
none does, there is no sum.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import replace
from fractions import Fraction
from itertools import product
from math import ceil, floor

from agent.text.problems.listed_counts import without_listed_count
from agent.text.problems.story import Story, read_story
from agent.text.problems.story_parts import COUNTED, MONEY, PERCENT, WORDS, Part
from agent.text.problems.story_percent import asks_of_else, asks_of_rest
from agent.text.problems.story_totals import StorySum, as_total, asks_each, figure_of, rate_figure, size_of
from agent.text.regex import regex

_LONGEST = 400  # characters
_MOST_FACTORS = 5
_MOST_BARE = 2
_TIME = frozenset({"@time"})


def _share(story: Story) -> Iterator[tuple[Fraction, StorySum]]:
    """60% of the 45 guests."""
    percents = [part for part in story.parts if part.names == PERCENT]
    if len(story.parts) == 2 and len(percents) == 1 and story.share and not story.way:
        percent, whole = sorted(story.parts, key=lambda part: part.names != PERCENT)
        asked = story.wanted
        if not whole.by and asked and (asked.names <= COUNTED or asked.names == whole.names) and not asked.by:
            yield (
                whole.amount * percent.amount / 100,
                StorySum(f"{_in_parts(percent)} * {figure_of(whole.amount)}", whole.unit),
            )


def _in_parts(share: Part) -> str:
    part = share.amount / 100
    return f"{figure_of(share.amount)} / 100" if share.unit else f"{part.numerator} / {part.denominator}"


def story_sum(text: str) -> StorySum | None:
    """The one sum that answers the story which ``text``, the whole of it, tells."""
    text = without_listed_count(text)
    of_rest = len(text) <= _LONGEST and asks_of_rest(text)
    affirmed = _FREE.sub("empty", _NEGATED.sub(r"\1", text)) if of_rest else text
    story = read_story(affirmed)
    if story and of_rest and (rest := _rest(story, text)):
        return rest
    found = sums_of_story(story) if story else {}
    if len(found) != 1 or story is None or _IN_A_LINE.search(text):
        return None
    (result,) = found.values()
    if story.share and not of_rest and asks_of_else(text):
        return None
    if not (story.share and of_rest):
        return result if affirmed == text else None
    whole = next((part for part in story.parts if part.names != PERCENT), None)
    alone = whole and len(story.parts) == 2
    return replace(result, expression=f"{figure_of(whole.amount)} - {result.expression}") if whole and alone else None


# One more than the gaps, or one fewer.
_IN_A_LINE = regex(r"\bevery\b.*\bhow many (?:[a-z]+ )?(?:posts|trees|poles|lamps|stakes)\b", re.I | re.S)
_NEGATED = regex(r"\b(do|does|did|is|are|was|were|have|has|can|could|will|would)(?:n['’]t| not)\b", re.I)
_FREE = regex(r"(?<=are )free\b|(?<=seats )free\b", re.I)
_SOME_OF_ALL = regex(r"\b\d+ (?:out )?of (?:the |my |our )?\d+\b")
# "Of them 13 are boys", "a class of 30 has 18 girls": the second is a part of the first.
_PART_OF = regex(
    r"^of (?:the |my |our )?\d+\b|\bof (?:them|those|these|which|whom|"
    r"\d+(?: [a-z]+)? (?:has|have|had|contains?|includes?))\b"
)
_SORTS = {word for pair in WORDS["opposites"] for side in pair for word in side}
_CLASSES = "|".join(sorted(_SORTS, key=len, reverse=True))
_IN_CLASSES = regex(rf"\b\d+ (?:of them )?(?:are|were|is|was) (?:{_CLASSES})\b(?! (?:who|with|that|in)\b)", re.I)


def _rest(story: Story, text: str) -> StorySum | None:
    """ "There are 28 kids and 13 are boys. How many are girls?": all without those that were told."""
    if len(story.parts) < 2 or any(part.names & (PERCENT | MONEY) for part in story.parts) or story.way:
        return None
    whole, *rest = story.parts[::-1] if _SOME_OF_ALL.search(text) else story.parts
    asked = story.wanted
    if not asked or asked.by or asked.measure or whole.role or whole.amount < sum(part.amount for part in rest):
        return None
    if any(part.by or part.measure or part.role not in ("", "less") for part in rest):
        return None
    if any(part.names for part in rest) and not (_PART_OF.search(text.lower()) or _SOME_OF_ALL.search(text)):
        return None
    if len(rest) > 1 and len(_IN_CLASSES.findall(text)) != len(rest):
        return None
    return StorySum(" - ".join(figure_of(part.amount) for part in (whole, *rest)), "")


def sums_of_story(story: Story) -> dict[Fraction, StorySum]:
    """Every figure that uses all parts of ``story`` and is of what it asks for, with its sum."""
    if any(part.by and not part.by.amount for part in story.parts):
        return {}  # a price for none
    found: dict[Fraction, StorySum] = {}
    if any(part.role == "?" for part in story.parts):
        return found
    for each in _named(story):
        by_kind = _is_by_its_kind(each)
        told = _without_owners(each) if by_kind else each
        for value, result in (*_by_dimensions(told), *(() if by_kind else as_total(told)), *_share(told)):
            found.setdefault(value, result)
    return found


def _is_by_its_kind(story: Story) -> bool:
    return any(part.by and part.by.names == part.names for part in story.parts)


def _without_owners(story: Story) -> Story:
    """ "A patient weighs 72 kg" beside "15 mg per kg": 72 kg of the one patient, who is told of once.

    "How many mg per patient?" tells of the patient a second time.
    """
    often = Counter(one.names for part in (*story.parts, story.wanted) if part for one in (part, part.by) if one)
    parts = (
        replace(part, by=None) if part.by and not part.by.measure and often[part.by.names] == 1 else part
        for part in story.parts
    )
    return replace(story, parts=tuple(parts))


def _named(story: Story) -> Iterator[Story]:
    """The story with each bare number taken for something that the story has."""
    story = _merged(story)
    bare = [place for place, part in enumerate(story.parts) if not part.names and part.role != "among"]
    measured = {part.names for part in story.parts if part.measure}
    if len(bare) > _MOST_BARE:
        return
    classes = {part.names for part in story.parts if part.names and part.names != PERCENT} - measured
    if not any(story.parts[place].by for place in bare):
        classes |= {part.by.names for part in story.parts if part.by and not part.by.measure}
    classes |= {MONEY} if story.wanted and story.wanted.names == MONEY else set()
    for chosen in product(sorted(classes or {frozenset({"@any"})}, key=sorted), repeat=len(bare)):
        parts = list(story.parts)
        for place, names in zip(bare, chosen, strict=True):
            unit = next((part.unit for part in parts if part.names == names and names == MONEY), "")
            parts[place] = replace(parts[place], names=names, unit=unit)
        if not any((by := parts[place].by) and by.names == parts[place].names for place in bare):
            yield replace(story, parts=tuple(parts))


def _merged(story: Story) -> Story:
    """The story with one set of names for each thing: "page book" and "pages" are the same."""
    groups: list[set[str]] = []
    every = [
        part
        for one in (*story.parts, story.wanted)
        if one
        for part in (one, one.by, one.by.by if one.by else None)
        if part
    ]
    for part in every:
        near = [group for group in groups if group & part.names]
        groups = [group for group in groups if group not in near]
        if part.names:
            groups.append(set(part.names).union(*near))

    def named(part: Part) -> Part:
        names = next((frozenset(group) for group in groups if group & part.names), part.names)
        return replace(part, names=names, by=named(part.by) if part.by else None)

    return replace(story, parts=tuple(map(named, story.parts)), wanted=named(story.wanted) if story.wanted else None)


def _wanted(story: Story) -> Iterator[Part]:
    """What is asked for; "how many" alone is of each thing that the others are by, "how much is one" by each."""
    if story.wanted and story.wanted.by and story.wanted.by.names == COUNTED:
        for part in story.parts:
            if part.by and (story.wanted.names or part.names) == part.names:
                yield replace(story.wanted, names=part.names, by=replace(part.by, amount=Fraction(1)))
    elif story.wanted and story.wanted.names == COUNTED and story.wanted.by:
        yield from (replace(story.wanted, names=part.names) for part in story.parts if part.by and not part.measure)
    elif story.wanted and story.wanted.names == COUNTED:
        by = {part.by.names for part in story.parts if part.by and not part.by.measure}
        yield from (
            replace(story.wanted, names=names) for names in by if all(part.names != names for part in story.parts)
        )
    elif story.wanted and story.wanted.names:
        yield story.wanted
    elif story.wanted and not story.wanted.by and re.search(r"\bhow much\b", story.asked):
        by = {part.by.names for part in story.parts if part.by}
        yield from (replace(story.wanted, names=part.names) for part in story.parts if part.by and part.names not in by)
    elif story.wanted and story.wanted.by:
        names = {part.names for part in story.parts if part.by or story.wanted.by.measure} - {story.wanted.by.names}
        yield from (replace(story.wanted, names=each) for each in names)


def _factor(part: Part) -> Fraction:
    value, by = part.amount * size_of(part), part.by
    while by:
        value /= by.amount * size_of(by)
        by = by.by
    return value


def _dimensions(part: Part, exactly: bool) -> Counter[tuple[str, ...]]:
    """Each thing or kind of measure with its power; ``exactly``: each unit is one of its own."""

    def key(one: Part) -> tuple[str, ...]:
        return (*sorted(one.names), one.unit if exactly and one.measure else "")

    found, by = Counter({key(part): 1}), part.by
    while by:
        found[key(by)] -= 1
        by = by.by
    return found


def _by_dimensions(story: Story) -> Iterator[tuple[Fraction, StorySum]]:
    """The one product of all parts, or their inverses, that is of what is wanted."""
    parts = story.parts
    shared = bool(story.wanted and story.wanted.by)  # "36 pens in 3 boxes, how many pens in each box?"
    if not (shared or any(part.by for part in parts)) or len(parts) > _MOST_FACTORS or asks_each(story) > shared:
        return
    charged = any(part.by and part.names == PERCENT for part in parts)  # a battery, by the hour
    plain = all(
        part.amount and (part.by or charged or (part.role in ("", "less", "more") and part.names != PERCENT))
        for part in parts
    )
    if not plain or any(part.names == _TIME and part.by and not (part.by.measure or part.by.role) for part in parts):
        return
    if sum(1 for part in parts if part.role in ("less", "more") and not part.by):
        return
    exactly = _is_by_its_kind(story)  # hours a week
    for wanted in _wanted(story):
        own = [part for part in parts if part.names == wanted.names and not part.by and not part.measure]
        if own and not wanted.by and not any(wanted.names in (part.names, part.by.names) for part in parts if part.by):
            continue  # "how many cats", of so many cats
        target = {name: count for name, count in _dimensions(wanted, exactly).items() if count}
        for signs in product((1, -1), repeat=len(parts)):
            total: Counter[tuple[str, ...]] = Counter()
            for part, sign in zip(parts, signs, strict=True):
                for name, count in _dimensions(part, exactly).items():
                    total[name] += sign * count
            if {name: count for name, count in total.items() if count} == target and not _cancels(parts, signs, wanted):
                yield from _product(story, wanted, signs)


def _cancels(parts: Sequence[Part], signs: Sequence[int], wanted: Part) -> bool:
    """Whether so many of a thing are divided by so many of the same: 163 children, 40 children.

    Where money is asked for, no price divides any money either.
    """
    money = {sign for part, sign in zip(parts, signs, strict=True) if part.names == MONEY}
    if wanted.names == MONEY and len(money) > 1:
        return True
    bare = [(part.names, sign) for part, sign in zip(parts, signs, strict=True) if not (part.by or part.measure)]
    return any((names, -sign) in bare for names, sign in bare)


def _product(story: Story, wanted: Part, signs: Sequence[int]) -> Iterator[tuple[Fraction, StorySum]]:
    parts = story.parts
    unit = _unit_of(wanted, parts)
    if unit is None:
        return
    size = unit.measure.size if unit.measure else Fraction(1)
    if wanted.by:
        size /= size_of(wanted.by)
    value = Fraction(1)
    for part, sign in zip(parts, signs, strict=True):
        value *= _factor(part) ** sign
    value /= size
    above = [rate_figure(part) for part, sign in zip(parts, signs, strict=True) if sign > 0]
    below = [rate_figure(part) for part, sign in zip(parts, signs, strict=True) if sign < 0]
    converted = value
    for part, sign in zip(parts, signs, strict=True):
        converted /= (part.amount / (part.by.amount if part.by else 1)) ** sign
    above += [figure_of(converted)] if converted != 1 else []
    text = " * ".join(above or ["1"]) + "".join(f" / {each}" for each in below)
    yield from _whole(story, wanted, value, text, unit.unit)


def _whole(story: Story, wanted: Part, value: Fraction, text: str, unit: str) -> Iterator[tuple[Fraction, StorySum]]:
    """Things are counted whole, where what is asked for says whether up or down."""
    counted = not unit and wanted.names.isdisjoint(MONEY) and not any(name.startswith("@") for name in wanted.names)
    if story.whole and value.denominator != 1:
        yield Fraction(ceil(value)), StorySum(f"ceil({text})", unit)
    elif not counted or value.denominator == 1 or wanted.by:
        yield value, StorySum(text, unit)
    elif story.round:
        whole = Fraction((ceil if story.round == "up" else floor)(value))
        yield whole, StorySum(f"{'ceil' if story.round == 'up' else 'floor'}({text})", unit)


def _unit_of(wanted: Part, parts: Sequence[Part]) -> Part | None:
    """The unit of the result: the one that is asked for, or that of the parts of the same kind."""
    if wanted.measure:
        return wanted
    return next((part for one in parts for part in (one, one.by) if part and part.names == wanted.names), wanted)
