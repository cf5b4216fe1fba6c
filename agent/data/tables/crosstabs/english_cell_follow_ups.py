"""English follow-ups to a question of a crosstab: "and in 2029?", "what about freight?", "in percent?"."""

from __future__ import annotations

import re
from collections.abc import Sequence

from agent.data.tables.crosstabs.crosstab_table import Crosstab, Head
from agent.data.tables.crosstabs.crosstab_wanted import Cell, Wanted
from agent.data.tables.crosstabs.english_crosstab import english_crosstab, made_of, set_against, summed
from agent.data.tables.crosstabs.english_marks import MARK, Marked, heads_of, marked, several_heads, spans_in
from agent.data.tables.crosstabs.english_years import most_of
from agent.data.tables.crosstabs.label_words import pattern
from agent.data.tables.crosstabs.leaning_on_cells import follow_kind
from agent.data.tables.crosstabs.line_finding import Found, found_line
from agent.data.tables.crosstabs.spans_of_time import Span
from agent.text.regex import regex

_KINDS = {
    "": "value",
    "Change": "change",
    "Percentage change": "percent change",
    "Average": "average",
    "Sum": "sum",
    "Highest in": "max",
    "Lowest in": "min",
    "Ratio": "ratio",
    "Share": "share",
    "Difference": "difference",
}
_WHEN = regex(r"when (?P<label>.+) was (?P<way>highest|lowest)$")
_OF_TWO = ("sum", "ratio", "share", "difference")


def english_follow_up(parts: Sequence[str], crosstab: Crosstab) -> Wanted | None:
    """What the last of the ``parts`` asks after the readings before it; None where a word of it has no place."""
    told = [_figures(part, crosstab) or english_crosstab(_WHEN.sub(_in_which, part), crosstab) for part in parts[:-1]]
    before = told[-1]
    if before is None or before.name not in _KINDS:
        return None
    text = " ".join(pattern("lead").sub("", parts[-1]).split()).rstrip("?. ")
    asked = marked(text, crosstab)
    if asked.spans and (alone := english_crosstab(text, crosstab)):
        return alone
    spans, ends, words = spans_in(asked, asked.text)
    words = " ".join(MARK.sub(" ", words).split())
    kind = follow_kind(words)
    found = found_line(words, crosstab) if kind is None else None
    if kind is None and found is None:
        return None
    first = told[0] if kind in ("change", "percent change") and len(told) > 1 else None
    return _put_together(asked, before, kind or "", found, (spans, ends), _heads_of_both(first, before))


def _in_which(reading: re.Match[str]) -> str:
    return f"in which year was {reading['label']} the {reading['way']}"


def _figures(reading: str, crosstab: Crosstab) -> Wanted | None:
    """ "Freight, 2031, 2030" is told as the label and the heads are written, whatever words are in them."""
    heads = sorted(crosstab.heads, key=lambda head: -len(head.text))
    for line in crosstab.lines:
        rest, cells = reading.removeprefix(line.label), list[Cell]()
        while (head := next((head for head in heads if rest.startswith(f", {head.text}")), None)) and rest != reading:
            cells.append(Cell(line, head))
            rest = rest.removeprefix(f", {head.text}")
        if cells and not rest and line.alone:
            return Wanted("en", crosstab, tuple(cells), reading)
    return None


def _heads_of_both(first: Wanted | None, before: Wanted) -> list[Span]:
    """The periods of the question before; of the last two, where these differ by their period alone."""
    both = [first, before] if first and _alike(first, before) else [before]
    spans = (cell.head.span for one in both for cell in one.cells)
    return list(dict.fromkeys(span for span in spans if span))


def _alike(first: Wanted, second: Wanted) -> bool:
    one = [*first.cells, *second.cells]
    return len(one) == 2 and one[0].line == one[1].line and not (first.expression or second.expression)


def _put_together(
    asked: Marked, before: Wanted, kind: str, found: Found | None, said: tuple[list[Span], bool], held: list[Span]
) -> Wanted | None:
    lines = {cell.line.place: cell.line for cell in before.cells}
    was = _KINDS[before.name]
    spans, ends = said if said[0] else (held, False)
    if was in _OF_TWO and len(lines) == 2:
        return None if kind else _of_two(asked, was, before, found, spans)
    if len(lines) != 1 or (not kind and not found and not said[0]):
        return None
    if kind == "percent" and was == "change":
        kind = "percent change"
    elif kind == "percent":
        return None
    found = found or Found(before.cells[0].line, _group(before))
    kind = kind or was
    if kind in ("value", "change", "percent change", "average"):
        if "change" in kind and len(spans) > 1:
            spans = [spans[0], spans[-1]]
        every = kind == "average" and len(spans) == 1
        return made_of(asked, kind, found, [] if every else spans, ends)
    heads = several_heads(found, [] if kind in ("max", "min") and len(spans) < 2 else spans, ends)
    if len(heads) < 2:
        return None
    if kind == "sum":
        return summed(asked, found, heads, "sum")
    return most_of(asked, tuple(Cell(found.line, head) for head in heads), kind)


def _of_two(asked: Marked, kind: str, before: Wanted, found: Found | None, spans: list[Span]) -> Wanted | None:
    """Another period of both, or another row in the place of the first one."""
    if len(spans) != 1 or (found and kind != "share"):
        return None
    one, other = before.cells
    first, second = found or Found(one.line, _group(before)), Found(other.line, _group(before))
    heads, others = heads_of(first.heads, spans), heads_of(second.heads, spans)
    if not heads or not others or first.line == second.line:
        return None
    return set_against(asked, kind, (Cell(first.line, heads[0]), Cell(second.line, others[0])))


def _group(before: Wanted) -> tuple[Head, ...]:
    """The columns among which that of the question before is one of several periods."""
    head = before.cells[0].head
    return next(heads for _, heads in before.crosstab.groups() if head in heads)
