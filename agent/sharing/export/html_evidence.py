"""Evidence in an exported page: marks that lead to places, places that can be led to, and the list of all claims.

The ids of one page: ``t1`` is its first turn, ``t1-c3`` its claim number 3 in the list, ``t1-o2-54`` the place from
character 54 of the second observation that the answer rests on.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from agent.evidence import Claim
from agent.evidence.marks import Excerpt, excerpt, headline, marks
from agent.sharing.export.answer_html import Mark
from agent.sharing.export.checked_answer import Checked
from agent.text.characters import one_line

_SIGNS = {
    "seen": "•",
    "given": "given",
    "worked_out": "=",
    "possible": "≈",
    "elsewhere": "↪",
    "differs": "≠",
    "not_found": "?",
}


@dataclass(frozen=True, slots=True)
class Row:
    """A claim in the list of all. ``place`` is the id of what it leads to, or ""."""

    id: str
    verdict: str
    name: str
    said: str
    place: str
    excerpt: Excerpt | None


class Traces:
    """The evidence of one answer, with ids in the page. ``turn`` is the number of its turn, from 1."""

    def __init__(self, turn: int, known: Checked) -> None:
        self._turn = f"t{turn}"
        self._evidence, self._texts = known.evidence, known.texts
        self._calls: dict[tuple[str, int], list[tuple[int, int]]] = {}
        for claim in self._evidence.claims:
            for place in claim.places:
                if (place.call_id, place.step) in self._texts.observations and place.start < place.end:
                    self._calls.setdefault((place.call_id, place.step), []).append((place.start, place.end))
        self._calls = {call: _merged(places) for call, places in self._calls.items()}
        self._numbers = {call: number for number, call in enumerate(self._calls, 1)}

    def marks(self) -> list[Mark]:
        """The marks of the answer."""
        shown: list[Mark] = []
        for mark in marks(self._evidence):
            claim = self._evidence.claims[mark.number]
            title = " · ".join(filter(None, (headline(claim, self._texts), one_line(claim.note, 200))))
            target = self._place(claim) if claim.verdict in ("seen", "elsewhere") else f"{self._turn}-c{mark.number}"
            sign = str(mark.step) if claim.verdict == "seen" and mark.step else _SIGNS[claim.verdict]
            shown.append(Mark(mark.start, mark.end, f"mark {claim.verdict}", title, target, sign))
        return shown

    def observation(self, text: str, call_id: str, step: int) -> list[tuple[str, str]]:
        """An observation in pieces, each with the id that it can be led to by, or ""."""
        call, done, pieces = (call_id, step), 0, list[tuple[str, str]]()
        for start, end in self._calls.get(call, ()):
            pieces += [(text[done:start], ""), (text[start:end], self._id(call, start))]
            done = end
        return [*pieces, (text[done:], "")]

    @property
    def summary(self) -> str:
        """The line that sums up."""
        return one_line(self._evidence.summary, 400)

    @property
    def remarks(self) -> list[str]:
        """What the answer says otherwise than an earlier one, a line each."""
        return [one_line(remark, 400) for remark in self._evidence.remarks]

    def rows(self) -> list[Row]:
        """Every claim, those that nothing stands behind first."""
        claims = sorted(enumerate(self._evidence.claims), key=lambda row: (not row[1].doubtful, row[1].traced))
        return [self._row(number, claim) for number, claim in claims]

    def _row(self, number: int, claim: Claim) -> Row:
        note = f" · {one_line(claim.note, 300)}" if claim.note else ""
        return Row(
            id=f"{self._turn}-c{number}",
            verdict=claim.verdict,
            name=one_line(claim.text, 120),
            said=headline(claim, self._texts) + note,
            place=self._place(claim),
            excerpt=excerpt(claim, claim.places[0], self._texts) if claim.places else None,
        )

    def _place(self, claim: Claim) -> str:
        """The id of the first place in an observation that a claim rests on, or ""."""
        for place in claim.places:
            call = (place.call_id, place.step)
            for start, end in self._calls.get(call, ()):
                if start <= place.start < end:
                    return self._id(call, start)
        return ""

    def _id(self, call: tuple[str, int], start: int) -> str:
        # A call's own id is a text of the model's server.
        return f"{self._turn}-o{self._numbers[call]}-{start}"


def _merged(places: Iterable[tuple[int, int]]) -> list[tuple[int, int]]:
    """The same characters as places in order, none over another."""
    merged: list[tuple[int, int]] = []
    for start, end in sorted(places):
        if merged and start < merged[-1][1]:
            merged[-1] = (merged[-1][0], max(end, merged[-1][1]))
        else:
            merged.append((start, end))
    return merged
