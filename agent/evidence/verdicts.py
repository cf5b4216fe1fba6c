"""The result of the evidence check, as frozen values that a page can draw and an export can keep."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, TypeAlias

from agent.messages import Value

Kind: TypeAlias = Literal["number", "date", "name", "quote", "link"]
Verdict: TypeAlias = Literal["seen", "given", "worked_out", "differs", "not_found"]

QUESTION = "question"
EARLIER = "earlier"
NOTHING = "From the model's memory: nothing was looked up."
IN_VAIN = "From the model's memory: no tool brought anything."


@dataclass(frozen=True, slots=True)
class Place(Value):
    """Where a claim was found: characters ``start`` to ``end`` of a text.

    ``call_id`` is that of the observation, in step ``step`` (from 1). ``"question"`` stands for the question as typed
    (``step`` 0) or the question of earlier turn ``step`` (from 1), ``"earlier"`` for the answer of that turn. A place
    with ``start == end`` is not in the text itself: a link that only the list of sources holds, the date of asking.
    """

    call_id: str
    step: int
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class Claim(Value):
    """Characters ``start`` to ``end`` of the answer, what they claim, and what stands behind it.

    ``places`` are where it was seen or given, where the operands of a derivation stand, or the near value of
    ``differs``. ``note`` is the derivation ("54 °F in °C = 12.2"), or what was seen instead.
    """

    start: int
    end: int
    text: str
    kind: Kind
    verdict: Verdict
    places: tuple[Place, ...] = ()
    note: str = ""

    @property
    def traced(self) -> bool:
        return self.verdict in ("seen", "given", "worked_out")


@dataclass(frozen=True, slots=True)
class Earlier(Value):
    """A previous turn: its question, its answer, and what the check said of that answer."""

    question: str
    answer: str
    claims: tuple[Claim, ...] = ()


@dataclass(frozen=True, slots=True)
class Evidence(Value):
    """What the check found, claims in the order of the answer.

    ``looked_up`` says whether a tool succeeded, ``tried`` whether one was called. ``failed_tools`` failed, were not
    called again with success, and the answer does not speak of a failure.
    """

    claims: tuple[Claim, ...] = ()
    looked_up: bool = False
    failed_tools: tuple[str, ...] = ()
    tried: bool = False

    @property
    def summary(self) -> str:
        """One line for under the answer."""
        parts = [self._counted() if self.looked_up else IN_VAIN if self.tried else NOTHING]
        if self.failed_tools:
            parts.append(f"Failed, and the answer does not say so: {', '.join(self.failed_tools)}.")
        return " ".join(part for part in parts if part)

    def _counted(self) -> str:
        figures = [claim for claim in self.claims if claim.kind in ("number", "date")]
        others = [claim for claim in self.claims if claim.kind not in ("number", "date")]
        parts = (
            [f"{sum(claim.traced for claim in figures)} of {_many(len(figures), 'figure')} traced"] if figures else []
        )
        parts += _missing(figures, "")
        for kind in ("name", "quote", "link"):
            parts += _missing([claim for claim in others if claim.kind == kind], kind)
        if not figures:
            traced = sum(claim.traced for claim in others)
            parts.insert(0, f"no figures; {traced} of {_many(len(others), 'name')} traced" if others else "no figures")
        text = "; ".join(parts)
        return f"{text[:1].upper()}{text[1:]}."


def _many(count: int, noun: str) -> str:
    return f"{count:,} {noun}" if count == 1 else f"{count:,} {noun}s"


def _missing(claims: list[Claim], noun: str) -> list[str]:
    parts: list[str] = []
    for verdict, words in (("differs", ("differs", "differ")), ("not_found", ("not found", "not found"))):
        count = sum(claim.verdict == verdict for claim in claims)
        if count:
            parts.append(f"{_many(count, noun) if noun else count} {words[count != 1]}")
    return parts
