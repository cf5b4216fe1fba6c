"""The ends of a column that no word gives a row: "churn rose from 118 to 181" of its first and its last month."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise, product

from agent.evidence.drafts import Draft
from agent.evidence.lookup.context import Answer
from agent.evidence.sources import Finding, Sources, Spotted
from agent.evidence.tables.subjects import Subjects
from agent.text.regex import regex

TO = regex(r"[*_]*,? ?(?:to|→|->|auf|à|al?)[ ](?:about |around |just |only |nearly )?[*_]*[$€£¥]?")
FROM = regex(r"\b(?:from|von|vom|del?|desde)[ ](?:about |around |just )?[*_]*[$€£¥]?$")
_NEAR = 24  # characters before the first of them
_FEWEST = 3  # rows


def column_ends(drafts: Sequence[Draft], answer: Answer, sources: Sources) -> list[Draft]:
    """The drafts, those ``seen`` that stand ``elsewhere`` and are the first and the last value of one column."""
    settled = list(drafts)
    numbers = [number for number, one in enumerate(drafts) if one.kind == "number"]
    for one, other in pairwise(numbers):
        first, last = drafts[one], drafts[other]
        if {first.finding.verdict, last.finding.verdict} - {"elsewhere", "seen"} or first.finding == last.finding:
            continue
        said = FROM.search(answer.lower, max(0, first.start - _NEAR), first.start)
        if said is None or TO.fullmatch(answer.lower, first.end, last.start) is None:
            continue
        for start, end in product(first.finding.spots, last.finding.spots):
            if _are_ends(start, end, sources):
                settled[one] = first.having(Finding("seen", (start,)))
                settled[other] = last.having(Finding("seen", (end,)))
                break
    return settled


def _are_ends(start: Spotted, end: Spotted, sources: Sources) -> bool:
    """Whether two places are in the first and in the last row of a table, in one column."""
    if start[0] != end[0]:
        return False
    one, other = (sources.texts[spot[0]].page.cell_at(spot[1]) for spot in (start, end))
    if one is None or other is None or one[0] is not other[0] or one[1].column != other[1].column:
        return False
    return [one[1].row, other[1].row] == _ends(one[0])


def _ends(subjects: Subjects) -> list[int]:
    rows = sorted(subjects.table.parts.difference(subjects.table.last_totals))
    return [rows[0], rows[-1]] if len(rows) >= _FEWEST else []
