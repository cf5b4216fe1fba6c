"""The total of a story: what there is at so much each, added to, cut by a percentage, paid and shared."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction

from agent.text.problems.story import Story
from agent.text.problems.story_parts import ANY, COUNTED, MONEY, PERCENT, Part
from agent.text.regex import regex

_TIME = frozenset({"@time"})


@dataclass(frozen=True, slots=True)
class StorySum:
    """``expression`` is for the calculator; ``unit`` is that of the result, "" for a bare number.

    ``rest`` is the sum for what is left over, in which ``{it}`` stands for the result.
    """

    expression: str
    unit: str
    rest: str = ""


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


def size_of(part: Part) -> Fraction:
    return part.measure.size if part.measure else Fraction(1)


def figure_of(number: Fraction) -> str:
    below = number.denominator
    while below % 2 == 0:
        below //= 2
    while below % 5 == 0:
        below //= 5
    if below != 1:
        return f"({number.numerator} / {number.denominator})"
    text = f"{float(number):.9f}".rstrip("0").rstrip(".")
    return text or "0"


def rate_figure(part: Part) -> str:
    if part.by and part.by.amount != 1:
        return f"({figure_of(part.amount)} / {figure_of(part.by.amount)})"
    return figure_of(part.amount)


def asks_each(story: Story) -> bool:
    """Whether the share of one is asked for."""
    return re.search(r"\b(?:each|per person|everyone|everybody|per head|apiece|every one)\b", story.asked) is not None


def as_total(story: Story) -> Iterator[tuple[Fraction, StorySum]]:
    terms = _terms(story)
    if terms is None or not terms:
        return
    percents = [(place, part) for place, part in enumerate(story.parts) if part.names == PERCENT and not part.by]
    divisors = [term for term in terms if term.role == "among"]
    kinds = {term.names for term in terms if term.role != "among"}
    if len(kinds) == 2 and not divisors and asks_each(story):
        single = [
            term
            for term in terms
            if sum(term.names == other.names for other in terms) == 1 and not term.role and not term.line
        ]
        people = [term for term in single if term.names != MONEY and not term.unit]
        divisors = people if len(people) == 1 else []
    if _shares_unsurely(story, terms, divisors):
        return
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


def _shares_unsurely(story: Story, terms: Sequence[_Term], divisors: Sequence[_Term]) -> bool:
    """Whether nobody is told who shares, or what is added behind them may be of one share or of all."""
    if not divisors:
        return asks_each(story)
    return not story.asked and any(term.role and term.place > divisors[0].place for term in terms)


def _priced(terms: Sequence[_Term], divisors: Sequence[_Term], percents: Sequence[object]) -> bool:
    """Whether it is a bill, which nothing needs to ask for: "20 euros minus 3.40"."""
    changed = divisors or percents or any(term.role for term in terms)
    return bool(changed) and all(term.names == MONEY for term in terms)


def _terms(story: Story) -> list[_Term] | None:
    """Each rate times what there is of what it is by; and what no rate is of."""
    counts = [
        _counted(place, part, story) for place, part in enumerate(story.parts) if not part.by and part.names != PERCENT
    ]
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
            counts.append(replace(_counted(place, part, story), line=True))
            continue
        count = near[0]
        if count.role == "among" and len(counts) > 1:
            return None  # "600 split between 5, minus 20 each": of each share, or of all
        if part.by.measure and any(_each_time(one, part, place, count.place) for one in counts):
            return None
        ratio = size_of(_in_unit_of(part.by, story)) / size_of(part.by)
        text = f"{count.text} * {rate_figure(part)}" + (f" * {figure_of(ratio)}" if ratio != 1 else "")
        value = count.value * part.amount / part.by.amount * ratio
        alike = _in_unit_of(part, story)
        unit = alike.unit or next((one.unit for one in counts if one.names == part.names and one.unit), "")
        more = size_of(part) / size_of(alike)
        text += f" * {figure_of(more)}" if more != 1 else ""
        counts.append(_Term(value * more, text, part.names, unit, part.role or count.role, True, place))
        used.add(id(count))
    return [count for count in counts if id(count) not in used]


def _each_time(term: _Term, rate: Part, rated: int, counted: int) -> bool:
    """ "I save 200 a week but spend 75 of it. After 8 weeks": the 75 may go each week."""
    return rated < term.place < counted and term.names == rate.names and term.role in ("less", "more")


def _in_unit_of(part: Part, story: Story) -> Part:
    """What is in the unit of ``part``: what is asked for, else the first of its kind, before what is by something."""
    told = sorted(story.parts, key=lambda one: one.by is not None)
    alike = (one for one in (story.wanted, *told) if one and one.names == part.names and one.measure)
    return next(alike, part)


def _counted(place: int, part: Part, story: Story) -> _Term:
    unit = _in_unit_of(part, story)
    ratio = size_of(part) / size_of(unit)
    text = figure_of(part.amount) + (f" * {figure_of(ratio)}" if ratio != 1 else "")
    return _Term(part.amount * ratio, text, part.names, unit.unit, part.role, place=place)


_ASKS_COST = regex(r"\b(?:costs?|price|spend|spent|pay|paid)\b")  # not what is given back


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
        if (
            len(first) != 1
            or percents
            or (paid and (_ASKS_COST.search(asked) if not story.way else loose and story.way != "change"))
        ):
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


_OF_PART = regex(
    r"\b(?:tip|tax|vat|discount|save|saved|off|service|surcharge|gratuity|commission|(?:booking|card|handling) fee)\b"
)


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
        or (any(term.names != MONEY for term in base) and len(base) > 1)
    ):
        return None
    text = f"({text})" if len(base) > 1 else text
    asked = story.asked
    if len(percents) == 1 and _OF_PART.search(asked):
        if story.way or rest or re.search(r"\b(?:with|after|cost|pay|price)\b", asked):
            return None
        return value * percents[0][1].amount / 100, f"{text} * {figure_of(percents[0][1].amount)} / 100"
    for _, part in percents:
        sign = "-" if part.role == "off" else "+"
        value *= 1 - part.amount / 100 if sign == "-" else 1 + part.amount / 100
        text += f" * (1 {sign} {figure_of(part.amount)} / 100)"
    return value, text
