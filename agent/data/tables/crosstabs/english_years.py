"""English questions that ask for periods: "In which year was X the highest?", "In which years was X under 5?"."""

from __future__ import annotations

import re
from collections.abc import Sequence

from agent.data.tables.crosstabs.crosstab_table import SCALES
from agent.data.tables.crosstabs.crosstab_wanted import Cell, Wanted, tests_of_most, when
from agent.data.tables.crosstabs.english_marks import MARK, Marked, several_heads, spans_in, timed_heads
from agent.data.tables.crosstabs.label_words import declared, pattern
from agent.data.tables.crosstabs.line_finding import found_line
from agent.text.regex import regex

_ABOVE = regex(r"more|greater|higher|larger|bigger|above|over|exceed|at least", re.I)


def of_years(asked: Marked) -> Wanted | None:
    """ "In which year was X the highest", "in which years was X less than 100 million"."""
    many = pattern("how_many").search(asked.text)
    which = many or pattern("which").search(asked.text)
    if which is None:
        return None
    rest = f"{asked.text[: which.start()]} {asked.text[which.end() :]}"
    limit = pattern("limit").search(rest)
    ways = [(way, found) for way, pattern in declared("en", "most", "way") if (found := pattern.search(rest))]
    cut = limit or (ways[0][1] if len(ways) == 1 and not many else None)
    if cut is None:
        return None if many or not pattern("told").search(rest) else _told_years(asked, pattern("told").sub(" ", rest))
    spans, ends, words = spans_in(asked, f"{rest[: cut.start()]} {rest[cut.end() :]}")
    found = found_line(words, asked.crosstab)
    heads = several_heads(found, spans, ends or len(spans) == 2) if found else []
    if found is None or len(heads) < 2 or any(head.span is None for head in heads):
        return None
    cells = tuple(Cell(found.line, head) for head in heads)
    if limit:
        return _limited(asked, cells, limit, bool(many))
    return most_of(asked, cells, ways[0][0])


def most_of(asked: Marked, cells: tuple[Cell, ...], way: str) -> Wanted:
    """When the figures of a row were highest, or lowest where the ``way`` is "min"."""
    said = "highest" if way == "max" else "lowest"
    read, expression = f"when {cells[0].line.label} was {said}", when(tests_of_most(cells, way), _heads(cells))
    return Wanted("en", asked.crosstab, cells, read, expression, f"{said.capitalize()} in", "word")


def _heads(cells: Sequence[Cell]) -> list[str]:
    return [cell.head.text for cell in cells]


def _limited(asked: Marked, cells: tuple[Cell, ...], limit: re.Match[str], counted: bool) -> Wanted | None:
    scale = asked.crosstab.scale(cells[0].line, cells[0].head)
    told, figure = (limit["scale"] or "").lower(), limit["figure"].replace(",", "")
    if told and scale and told != scale:
        figure = f"{float(figure) * SCALES[told] / SCALES[scale]:.10g}"
    sign = (">=" if "least" in limit["way"].lower() else ">") if _ABOVE.match(limit["way"]) else "<"
    sign = "<=" if "most" in limit["way"].lower() and "least" not in limit["way"].lower() else sign
    tests = [f"{{{place}}} {sign} {figure}" for place in range(len(cells))]
    said = f"{cells[0].line.label} {sign} {figure}" + (
        f" (in {told}s, as the figures are taken to be)" if told and not scale else ""
    )
    if counted:
        counts = " + ".join(f"CASE WHEN {test} THEN 1 ELSE 0 END" for test in tests)
        return Wanted("en", asked.crosstab, cells, f"in how many periods {said}", counts, "Periods", "plain")
    listed = f"coalesce(nullif({when(tests, _heads(cells))}, ''), 'none')"
    return Wanted("en", asked.crosstab, cells, f"in which periods {said}", listed, "Periods", "word")


def _told_years(asked: Marked, rest: str) -> Wanted | None:
    """ "For which years does the table show X?": those with a figure."""
    found = None if MARK.search(rest) else found_line(rest, asked.crosstab)
    heads = timed_heads(found) if found else []
    if found is None or len(heads) < 2:
        return None
    cells = tuple(Cell(found.line, head) for head in heads)
    some = when((f"{{{place}}} IS NOT NULL" for place in range(len(cells))), _heads(cells))
    reading = f"the periods with a figure of {found.line.label}"
    return Wanted("en", asked.crosstab, cells, reading, some, "Periods", "word")
