"""The sum that answers a story: by the dimensions of its parts, or as a total that is added to, cut and shared.

All parts must be used, each in the one way that gives what is asked for; where two ways give different figures, or
none does, there is no sum.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from itertools import product
from math import ceil, floor

from agent.text.problems.story import Story, read_story, split_question
from agent.text.problems.story_parts import ANY, COUNTED, MONEY, PERCENT, Part

_MOST_FACTORS = 5
_MOST_BARE = 2
_TIME = frozenset({"@time"})


@dataclass(frozen=True, slots=True)
class StorySum:
    """``expression`` is for the calculator; ``unit`` is that of the result, "" for a bare number."""

    expression: str
    unit: str


@dataclass(frozen=True, slots=True)
class _Term:
    """So much of ``names``; ``line``: it came of so many at so much."""

    value: Fraction
    text: str
    names: frozenset[str]
    unit: str
    role: str
    line: bool = False  # so many at so much
    place: int = 0


def _share(story: Story) -> Iterator[tuple[Fraction, StorySum]]:
    """60% of the 45 guests."""
    percents = [part for part in story.parts if part.names == PERCENT]
    if len(story.parts) == 2 and len(percents) == 1 and story.share and not story.way:
        percent, whole = sorted(story.parts, key=lambda part: part.names != PERCENT)
        asked = story.wanted
        if not whole.by and asked and (asked.names <= COUNTED or asked.names == whole.names) and not asked.by:
            yield (
                whole.amount * percent.amount / 100,
                StorySum(f"{_shown(percent.amount)} / 100 * {_shown(whole.amount)}", whole.unit),
            )


_CHANGES = re.compile(
    r"\b(?P<fall>drop|fall|decrease|decline|go down|gone down|went down|shrink|less|lower|cheaper|fewer|fell|dropped|fallen|reduced|off)|\b(?P<rise>rise|increase|grow|go up|gone up|went up|gain|more|higher|rose|grown|increased|dearer|risen)"
)
_ASKS_PERCENT = re.compile(r"\b(?:percent|percentage|per cent|%)")


def percent_sum(text: str) -> StorySum | None:
    """ "We had 450 visitors and 387 this year. By what percentage did it drop?", "38 out of 50, as a percentage"."""
    bare, asked = split_question(text)
    story = read_story(bare) if _ASKS_PERCENT.search(asked) else None
    if (
        story is None
        or len(story.parts) != 2
        or any(part.by or part.role or part.names == PERCENT for part in story.parts)
    ):
        return None
    first, second = story.parts
    units = {part.unit for part in story.parts if part.unit}
    if (
        not first.amount
        or not second.amount
        or len(units) > 1
        or (first.names and second.names and not first.names & second.names)
    ):
        return None
    one, other = _shown(first.amount), _shown(second.amount)
    found = _CHANGES.search(asked)
    if found and (second.amount < first.amount) == bool(found["fall"]):
        less = second.amount < first.amount
        return StorySum(f"({one} - {other}) / {one} * 100" if less else f"({other} - {one}) / {one} * 100", "%")
    of = re.search(rf"{re.escape(one)}(?: [a-z]+)? (?:out )?of (?:the |my |our )?{re.escape(other)}\b", bare)
    if not of or found or first.amount > second.amount or _asks_else(asked, bare):
        return None
    rest = re.search(r"\bnot\b|n't\b|\brest\b|\bothers?\b", asked)  # those who do not
    return StorySum(f"({other} - {one}) / {other} * 100" if rest else f"{one} / {other} * 100", "%")


_ASKING = frozenset(
    ["what", "whats", "what's", "how", "percent", "percentage", "per", "cent", "is", "that", "as", "a", "an", "in", "by", "of", "the", "did", "do", "not", "don't", "didn't", "does", "are", "was", "it", "this"]
)


def _asks_else(asked: str, told: str) -> bool:
    """Whether it asks for another thing than was told of: "30 of 120 failed, what percent passed?"."""
    words = {word for word in re.findall(r"[a-z']+", asked)} - _ASKING
    return any(word not in told for word in words)


def story_sum(text: str) -> StorySum | None:
    story = read_story(text)
    if story is None or any(part.role == "?" for part in story.parts):
        return None
    found: dict[Fraction, StorySum] = {}
    for told in _named(story):
        for value, result in (*_by_dimensions(told), *_as_total(told), *_share(told)):
            found.setdefault(value, result)
    return next(iter(found.values())) if len(found) == 1 else None


def _named(story: Story) -> Iterator[Story]:
    """The story with each bare number taken for something that the story has."""
    story = _merged(story)
    bare = [place for place, part in enumerate(story.parts) if not part.names and part.role != "among"]
    measured = {part.names for part in story.parts if part.measure}
    if len(bare) > _MOST_BARE:
        return
    classes = {part.names for part in story.parts if part.names and part.names != PERCENT} - measured
    classes |= {MONEY} if story.wanted and story.wanted.names == MONEY else set()
    for chosen in product(sorted(classes or {frozenset({"@any"})}, key=sorted), repeat=len(bare)):
        parts = list(story.parts)
        for place, names in zip(bare, chosen, strict=True):
            unit = next((part.unit for part in parts if part.names == names and names == MONEY), "")
            parts[place] = replace(parts[place], names=names, unit=unit)
        if not any(parts[place].by and parts[place].by.names == parts[place].names for place in bare):
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


def _size(part: Part) -> Fraction:
    return part.measure.size if part.measure else Fraction(1)


def _factor(part: Part) -> Fraction:
    value, by = part.amount * _size(part), part.by
    while by:
        value /= by.amount * _size(by)
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
    if not any(part.by for part in parts) or len(parts) > _MOST_FACTORS:
        return
    charged = any(part.by and part.names == PERCENT for part in parts)  # a battery, by the hour
    plain = all((part.role in ("", "less", "more") and part.names != PERCENT) or part.by or charged for part in parts)
    if not plain or any(part.names == _TIME and part.by and not part.by.measure for part in parts):
        return
    if sum(1 for part in parts if part.role in ("less", "more") and not part.by):
        return
    exactly = any(part.by and part.by.names == part.names for part in parts)  # hours a week
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
            if {name: count for name, count in total.items() if count} == target:
                yield from _product(story, wanted, signs)


def _product(story: Story, wanted: Part, signs: Sequence[int]) -> Iterator[tuple[Fraction, StorySum]]:
    parts = story.parts
    unit = _unit_of(wanted, parts)
    if unit is None:
        return
    size = unit.measure.size if unit.measure else Fraction(1)
    if wanted.by:
        size /= _size(wanted.by)
    value = Fraction(1)
    for part, sign in zip(parts, signs, strict=True):
        value *= _factor(part) ** sign
    value /= size
    above = [_figure(part) for part, sign in zip(parts, signs, strict=True) if sign > 0]
    below = [_figure(part) for part, sign in zip(parts, signs, strict=True) if sign < 0]
    converted = value
    for part, sign in zip(parts, signs, strict=True):
        converted /= (part.amount / (part.by.amount if part.by else 1)) ** sign
    above += [_shown(converted)] if converted != 1 else []
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


def _figure(part: Part) -> str:
    if part.by and part.by.amount != 1:
        return f"({_shown(part.amount)} / {_shown(part.by.amount)})"
    return _shown(part.amount)


def _shown(number: Fraction) -> str:
    below = number.denominator
    while below % 2 == 0:
        below //= 2
    while below % 5 == 0:
        below //= 5
    if below != 1:
        return f"({number.numerator} / {number.denominator})"
    text = f"{float(number):.9f}".rstrip("0").rstrip(".")
    return text or "0"


def _as_total(story: Story) -> Iterator[tuple[Fraction, StorySum]]:
    terms = _terms(story)
    if terms is None or not terms:
        return
    percents = [(place, part) for place, part in enumerate(story.parts) if part.names == PERCENT and not part.by]
    divisors = [term for term in terms if term.role == "among"]
    kinds = {term.names for term in terms if term.role != "among"}
    asks_each = re.search(r"\b(?:each|per person|everyone|everybody|per head|apiece|every one)\b", story.asked)
    if len(kinds) == 2 and not divisors and asks_each:
        single = [
            term
            for term in terms
            if sum(term.names == other.names for other in terms) == 1 and not term.role and not term.line
        ]
        people = [term for term in single if term.names != MONEY]
        divisors = people if len(people) == 1 else []
    rest = [term for term in terms if term not in divisors]
    names = {term.names for term in rest}
    wanted = story.wanted
    alike = (
        len({term.line for term in rest}) == 1 and any(part.by for part in story.parts) == rest[0].line
        if rest
        else False
    )
    of_all = (
        alike
        and wanted is not None
        and wanted.names == ANY
        and MONEY not in names
        and not any(term.unit for term in rest)
    )
    asked = not wanted or wanted.names <= COUNTED or wanted.names in names
    if not (of_all or (len(names) == 1 and asked)) or len(divisors) > 1:
        return
    if wanted and wanted.by and not divisors and not (wanted.by.measure and any(term.line for term in rest)):
        return
    summed = _summed(story, rest, percents)
    if summed is None:
        return
    value, text = summed
    if divisors:
        if not divisors[0].value:
            return
        value, text = value / divisors[0].value, f"({text}) / {divisors[0].text}"
    if value >= 0 and len(story.parts) > 1 and (story.asked or _priced(rest, divisors, percents)):
        unit = next((term.unit for term in rest if term.unit), "")
        yield value, StorySum(text, unit)


def _priced(terms: Sequence[_Term], divisors: Sequence[_Term], percents: Sequence[object]) -> bool:
    """Whether it is a bill, which nothing needs to ask for: "20 euros minus 3.40"."""
    changed = divisors or percents or any(term.role for term in terms)
    return bool(changed) and all(term.names == MONEY for term in terms)


def _terms(story: Story) -> list[_Term] | None:
    """Each rate times what there is of what it is by; and what no rate is of."""
    counts = [
        _counted(place, part, story) for place, part in enumerate(story.parts) if not part.by and part.names != PERCENT
    ]
    sizes: dict[frozenset[str], Fraction] = {}
    for part in story.parts:
        if not part.by:
            sizes.setdefault(part.names, _size(part))
    if story.wanted and story.wanted.measure:
        sizes[story.wanted.names] = _size(story.wanted)
    used: set[int] = set()
    for place, part in enumerate(story.parts):
        if not part.by:
            continue
        if part.by.by or part.names == PERCENT or (part.names == _TIME and not part.by.measure):
            return None
        near = sorted(
            (one for one in counts if one.names == part.by.names and one.role in ("", "more", "less", "among")),
            key=lambda one: (one.place > place, abs(one.place - place)),
        )
        if not near:
            of_that_time = part.by.measure and story.wanted and re.search(rf"\b{part.by.measure.one}\b", story.asked)
            if part.by.amount != 1 or (part.by.measure and not of_that_time):
                return None
            counts.append(_Term(part.amount, _shown(part.amount), part.names, part.unit, part.role, True, place))
            continue
        count = near[0]
        ratio = sizes.get(part.by.names, Fraction(1)) / _size(part.by)
        text = f"{count.text} * {_figure(part)}" + (f" * {_shown(ratio)}" if ratio != 1 else "")
        value = count.value * part.amount / part.by.amount * ratio
        unit = next((one.unit for one in counts if one.names == part.names and one.unit), part.unit)
        more = _size(part) / sizes.get(part.names, _size(part))
        text += f" * {_shown(more)}" if more != 1 else ""
        counts.append(_Term(value * more, text, part.names, unit, part.role or count.role, True, place))
        used.add(id(count))
    return [count for count in counts if id(count) not in used]


def _counted(place: int, part: Part, story: Story) -> _Term:
    """In the unit that is asked for, or in that of the first of its kind."""
    alike = [one for one in story.parts if one.names == part.names and one.measure and not one.by]
    wanted = story.wanted if story.wanted and story.wanted.names == part.names and story.wanted.measure else None
    unit = wanted or (alike[0] if alike else part)
    ratio = _size(part) / _size(unit)
    text = _shown(part.amount) + (f" * {_shown(ratio)}" if ratio != 1 else "")
    return _Term(part.amount * ratio, text, part.names, unit.unit, part.role, place=place)


def _summed(story: Story, terms: Sequence[_Term], percents: Sequence[tuple[int, Part]]) -> tuple[Fraction, str] | None:
    base = [term for term in terms if not term.role]
    paid = [term for term in terms if term.role == "paid"]
    rest = [term for term in terms if term.role in ("more", "less")]
    asked = story.asked
    if story.way == "more":
        return _apart(terms) if not percents else None
    if not base and not paid and len({term.role for term in rest}) == 1 and story.way != "left":
        base, rest = rest, []
    loose = [term for term in base if not term.line]
    if story.way in ("left", "change") or paid:
        first = paid or loose or (base if len(base) == 1 else [])
        if len(first) != 1 and not any(term.role == "more" for term in rest):
            first = [term for term in first[:1] if all(term.value >= other.value for other in first)]
        if len(first) != 1 or percents or (paid and loose and story.way != "change"):
            return None
        base, rest = first, [*(replace(term, role="less") for term in base if term not in first), *rest]
    elif len(base) != 1 and not (base and story.way == "total") and (loose or not base):
        return None
    if (
        rest
        and base
        and any(f" {word} " in f" {asked} " for word in ("spend", "spent", "give", "lose", "sell", "eat", "use"))
    ):
        return None
    value = sum((term.value for term in base), Fraction(0))
    text = " + ".join(term.text for term in base)
    applied = _with_percents(story, value, text, base, rest, percents)
    if applied is None or not base:
        return None
    value, text = applied
    for term in rest:
        minus = term.role == "less"
        value += -term.value if minus else term.value
        text += f" - {term.text}" if minus else f" + {term.text}"
    return value, text


def _apart(terms: Sequence[_Term]) -> tuple[Fraction, str] | None:
    """By how much the larger of two is more."""
    if len(terms) != 2 or any(term.role for term in terms):
        return None
    less, more = sorted(terms, key=lambda term: term.value)
    return more.value - less.value, f"{more.text} - {less.text}"


def _with_percents(
    story: Story,
    value: Fraction,
    text: str,
    base: Sequence[_Term],
    rest: Sequence[_Term],
    percents: Sequence[tuple[int, Part]],
) -> tuple[Fraction, str] | None:
    if not percents:
        return value, text
    roles = [part.role for _, part in percents]
    early = any(term.place < place for term in rest for place, _ in percents)
    if (
        early
        or (not story.asked and "on" in roles)
        or set(roles) - {"off", "on"}
        or roles.count("on") > 1
        or (any(term.names != MONEY for term in base)
        and len(base) > 1)
    ):
        return None
    text = f"({text})" if len(base) > 1 else text
    asked = story.asked
    if len(percents) == 1 and re.search(r"\b(?:tip|tax|vat|discount|save|saved|off)\b", asked):
        if story.way or rest or re.search(r"\b(?:with|after|cost|pay|price)\b", asked):
            return None
        return value * percents[0][1].amount / 100, f"{text} * {_shown(percents[0][1].amount)} / 100"
    for _, part in percents:
        sign = "-" if part.role == "off" else "+"
        value *= 1 - part.amount / 100 if sign == "-" else 1 + part.amount / 100
        text += f" * (1 {sign} {_shown(part.amount)} / 100)"
    return value, text
