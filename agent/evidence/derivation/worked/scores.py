"""Two numbers of a row that an answer writes as a score: "38:20" of the columns for goals scored and let in."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import pairwise

from agent.evidence.derivation.steps.aggregates import tables_named
from agent.evidence.drafts import Draft
from agent.evidence.lookup.standing import Standings
from agent.evidence.sources import Finding
from agent.text.regex import regex

_SCORE = regex(r"([0-9]{1,3})[:–-]([0-9]{1,3})")


def scores(drafts: Sequence[Draft], numbers: Sequence[int], standings: Standings) -> Iterator[tuple[int, Finding]]:
    """``seen`` for those of some claims (``numbers``: their places in ``drafts``) whose row has both, side by side."""
    for number in numbers:
        draft, sources = drafts[number], standings.sources
        score = _SCORE.fullmatch(standings.answer.text, draft.start, draft.end)
        if score is None:
            continue
        words = standings.words(draft.start, draft.end)
        named = (one for said in (words.near, words.around) for one in tables_named(sources, said)[:1])
        for index, subjects, rows in named:
            cells = [cell for cell in subjects.table.rows[rows[0]] if cell.numeric]
            pair = next((two for two in pairwise(cells) if (two[0].text, two[1].text) == score.groups()), None)
            if pair is not None:
                yield number, Finding("seen", tuple((index, cell.start, cell.end) for cell in pair))
                break
