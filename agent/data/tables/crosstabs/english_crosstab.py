"""English questions of a crosstab: "What was the change in net sales between 2018 and 2019?"."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace

from agent.data.tables.crosstabs.crosstab_table import Crosstab, Head, in_order
from agent.data.tables.crosstabs.crosstab_wanted import Cell, Wanted, added, mean, two_periods
from agent.data.tables.crosstabs.english_marks import (
    MARK,
    Marked,
    heads_of,
    marked,
    several_heads,
    spans_in,
    timed_heads,
)
from agent.data.tables.crosstabs.english_years import of_years
from agent.data.tables.crosstabs.label_words import declared, label_words, light, needed_words, pattern
from agent.data.tables.crosstabs.line_finding import Found, found_line
from agent.data.tables.crosstabs.spans_of_time import Span, mentions
from agent.text.regex import regex

_LONGEST = 300  # characters
_FIRST = regex(r"^(?:in |for |during |as at )?(?P<mark>§\d+),? (?P<rest>.+)", re.I)
_EACH = regex(r"\brespectively\b|\beach\b|\brespective\b", re.I)
_TOTAL = regex(r"\b(?:total|sum|altogether|combined|together)\b", re.I)
_TOTAL_OF_ALL = regex(r"\b(?:sum|altogether|combined|together|both)\b", re.I)
_IS_RATE = regex(r"%|\b(?:percent|percentage|rate|margin|yield|volatility)\b", re.I)


def english_crosstab(question: str, crosstab: Crosstab) -> Wanted | None:
    """What is asked; None where a word of the question has no place in it."""
    text = " ".join(question.replace("’", "'").split()).rstrip("?. ")
    if len(text) > _LONGEST or pattern("not").search(text):
        return None
    if pattern("table_years").fullmatch(text) and len(crosstab.periods) > 1:
        return Wanted("en", crosstab, (), "the periods that the table has figures for", counted=crosstab.periods)
    every = pattern("over_years")
    asked = replace(marked(every.sub("", text), crosstab), every=every.search(text) is not None)
    return next(filter(None, (way(asked) for way in (of_years, _of_two, _of_one))), None)


def is_of_cells(question: str, crosstab: Crosstab) -> bool:
    """Whether a question names a period of the heads beside words of a label."""
    said = label_words(question) - light()
    if pattern("of_table").search(question):
        return True
    named = (*(line.label for line in crosstab.lines), *(head.words for head in crosstab.heads))
    return any(True for _ in mentions(question)) and any(said & needed_words(one) for one in named)


def _of_one(asked: Marked) -> Wanted | None:
    for kind, rest in _kinds(asked.text):
        spans, ends, words = spans_in(asked, rest)
        if kind in ("change", "percent change", "rise", "fall"):
            words = pattern("ending").sub(" ", pattern("prior").sub(" ", words))
            if "percent" in kind:
                words = re.sub(r"%|\bpercent(?:age)?\b", " ", words)
        found = found_line(words, asked.crosstab)
        made = made_of(asked, kind, found, spans, ends) if found else None
        if made or kind == "percent change":
            return made
    return None


def _kinds(text: str) -> Iterator[tuple[str, str]]:
    """What may be asked, and the rest of the words; at last the figures themselves, whose label may say "change"."""
    kinds = [(kind, told) for kind, told in declared("en", "ask") if told.search(text)]
    if any(kind == "percent change" for kind, _ in kinds):
        kinds = [one for one in kinds if one[0] == "percent change"]
    elif any(kind == "average" for kind, _ in kinds):
        kinds = [one for one in kinds if one[0] == "average"]
    for kind, told in kinds:
        yield kind, told.sub(" ", text, count=1)
    if not kinds or len(MARK.findall(text)) < 2 or _EACH.search(text):
        yield "value", text


def made_of(asked: Marked, kind: str, found: Found, spans: Sequence[Span], ends: bool) -> Wanted | None:
    """What is asked of a row: the figures themselves, their average, their change, in amounts or in percent."""
    if kind == "value":
        return _value(asked, found, spans, ends)
    if kind == "average":
        heads = several_heads(found, spans, ends)
        return summed(asked, found, heads, "average") if len(heads) > 1 else None
    named = heads_of(found.heads, spans)
    pair = two_periods(named, timed_heads(found)) if named is not None and len(spans) <= 2 else None
    if pair is None:
        return None
    label, (first, last) = found.line.label, pair
    cells = (Cell(found.line, first), Cell(found.line, last))
    told = f"{label} from {first.text} to {last.text}"
    if kind == "percent change" and (_IS_RATE.search(label) or first.column.unit == "%"):
        return None  # of a percentage it may be one of points
    if kind == "percent change":
        read, name = f"the percentage change in {told}", "Percentage change"
        return Wanted("en", asked.crosstab, cells, read, "({1} - {0}) * 100.0 / {0}", name, "percent", (0, 1))
    return Wanted("en", asked.crosstab, cells, f"the change in {told}", "{1} - {0}", "Change")


def summed(asked: Marked, found: Found, heads: Sequence[Head], name: str) -> Wanted | None:
    cells = tuple(Cell(found.line, head) for head in in_order(heads))
    over = ", ".join(cell.head.text for cell in cells)
    told = f"the {name} of {found.line.label} over {over}"
    expression = mean(cells) if name == "average" else added(cells)
    return Wanted("en", asked.crosstab, cells, told, expression, name.capitalize())


def _value(asked: Marked, found: Found, spans: Sequence[Span], ends: bool) -> Wanted | None:
    heads = several_heads(found, spans, ends) if spans else list(found.heads)
    if not heads:
        return None
    total = _TOTAL_OF_ALL if _TOTAL.search(found.line.label) else _TOTAL
    if len(heads) > 1 and (spans or asked.every) and total.search(asked.text) and not _EACH.search(asked.text):
        timed = [head for head in heads if head.span]
        return summed(asked, found, timed, "sum") if timed == heads else None
    if ends and total is _TOTAL_OF_ALL and re.search(r"\btotal\b", asked.text, re.I):
        return None  # the sum over the time, or the row that is called so
    return _listed(asked, found, heads)


def _listed(asked: Marked, found: Found, heads: Sequence[Head]) -> Wanted:
    over = ", ".join(head.text for head in heads if head.text)
    cells = tuple(Cell(found.line, head) for head in heads)
    return Wanted("en", asked.crosstab, cells, f"{found.line.label}, {over}" if over else found.line.label)


_SHARES = ("percentage", "percent", "proportion", "share", "fraction", "%")


def _of_two(asked: Marked) -> Wanted | None:
    """ "The ratio of A to B in 2019", "A as a percentage of B", "the difference between A and B"."""
    text = _FIRST.sub(lambda said: f"{said['rest']} {said['mark']}", asked.text)
    found = pattern("sides").fullmatch(text)
    if found is None:
        return None
    told = {re.sub(r"\d", "", name): value for name, value in found.groupdict().items() if value}
    kind = told.get("kind", "sum").lower()
    sides = next(filter(None, (_sides(asked, a, b) for a, b in _splits(told["a"], told["b"], found[0]))), None)
    if sides is None:
        return None
    return set_against(asked, kind, sides) if sides[0] != sides[1] else None


def set_against(asked: Marked, kind: str, sides: tuple[Cell, Cell]) -> Wanted:
    """Two figures as their ratio, as the share of the first in the second, as their sum or as their difference."""
    one, other = (f"{cell.line.label}, {cell.head.text}" for cell in sides)
    if kind == "ratio":
        made = (f"the ratio of {one} to {other}", "{0} * 1.0 / nullif({1}, 0)", "Ratio", "plain")
    elif kind in _SHARES:
        made = (f"{one} as a percentage of {other}", "{0} * 100.0 / nullif({1}, 0)", "Share", "percent")
    elif kind in ("sum", "of"):
        made = (f"the sum of {one} and {other}", "{0} + {1}", "Sum", "amount")
    else:
        made = (f"{one} less {other}", "{0} - {1}", "Difference", "amount")
    return Wanted("en", asked.crosstab, sides, *made)


def _splits(a: str, b: str, whole: str) -> Iterator[tuple[str, str]]:
    """The sides as they were cut, and cut at each other word that may stand between them."""
    yield a, b
    middle = whole[whole.index(a) :]
    for joint in re.finditer(r" (?:and|to|over|in) ", middle):
        yield middle[: joint.start()], middle[joint.end() :]


def _sides(asked: Marked, a: str, b: str) -> tuple[Cell, Cell] | None:
    spans_a, _, words_a = spans_in(asked, a)
    spans_b, _, words_b = spans_in(asked, b)
    if len(spans_a) > 1 or len(spans_b) > 1:
        return None
    first, second = found_line(words_a, asked.crosstab), found_line(words_b, asked.crosstab)
    if first is None or second is None:
        return None
    one = _cell(first, spans_a or spans_b)
    other = _cell(second, spans_b or spans_a)
    return (one, other) if one and other else None


def _cell(found: Found, spans: Sequence[Span]) -> Cell | None:
    heads = heads_of(found.heads, spans) if spans else list(found.heads)
    return Cell(found.line, heads[0]) if heads and len(heads) == 1 else None
