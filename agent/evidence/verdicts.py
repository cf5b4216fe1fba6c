"""The result of the evidence check, as frozen values that a page can draw and an export can keep."""

from __future__ import annotations

from dataclasses import dataclass
from functools import reduce
from typing import Literal, TypeAlias

from agent.interface_text import Templates, Text, joined, keyed
from agent.messages import Value

Kind: TypeAlias = Literal["number", "date", "name", "quote", "link"]
Verdict: TypeAlias = Literal["seen", "given", "worked_out", "possible", "elsewhere", "differs", "not_found"]

QUESTION = "question"
EARLIER = "earlier"
NOTES = "notes"
TABLES = "tables"
NOTHING = Text("From the model's memory: nothing was looked up.")
IN_VAIN = Text("From the model's memory: no tool brought anything.")


@dataclass(frozen=True, slots=True)
class Place(Value):
    """Where a claim was found: characters ``start`` to ``end`` of a text.

    ``call_id`` is that of the observation, in step ``step`` (from 1). ``"question"`` stands for the question as typed
    (``step`` 0) or the question of earlier turn ``step`` (from 1), ``"earlier"`` for its answer and results,
    ``"notes"`` for the person's notes and ``"tables"`` for the heads of the tables that the model was told. A place
    with ``start == end`` is not in the text itself: a link that only the list of sources holds, the date of asking.
    """

    call_id: str
    step: int
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class Claim(Value):
    """Characters ``start`` to ``end`` of the answer, what they claim, and what stands behind it.

    ``seen`` figures stand with their subject (row and column of a table, or a sentence of the same thing);
    ``elsewhere`` ones stand in what was observed, and with another subject or none that could be told; of a name, a
    part of it or the initial for its first word does. ``possible`` ones are what a step between values that stand
    beside the same things comes to, and no word says that step. ``places`` are where it was seen or given, where the
    operands of a derivation stand, or the near value of ``differs``. ``note`` is the derivation ("54 °F in °C =
    12.2"), where it stands, or what was seen instead.
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

    @property
    def doubtful(self) -> bool:
        """Whether nothing that was observed says so: the claim is marked loudly."""
        return self.verdict in ("differs", "not_found")


@dataclass(frozen=True, slots=True)
class Earlier(Value):
    """A previous turn: its question, its answer, what the check said of that answer, and what its tools ``saw``."""

    question: str
    answer: str
    claims: tuple[Claim, ...] = ()
    saw: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Contradiction(Value):
    """Claim number ``claim`` (from 0) has another value than characters ``start`` to ``end`` of an earlier answer.

    That is the answer of the turn that is ``back`` turns before, from 1. ``said`` and ``now`` are what the two answers
    say, on one line.
    """

    claim: int
    back: int
    start: int
    end: int
    said: str
    now: str

    @property
    def text(self) -> Text:
        """What a reader is told of it."""
        return Text("Earlier in this chat: {said}. Now: {now}.", said=self.said, now=self.now)


@dataclass(frozen=True, slots=True)
class Evidence(Value):
    """What the check found, claims in the order of the answer.

    ``looked_up`` says whether a tool succeeded, ``tried`` whether one was called. ``failed_tools`` failed, were not
    called again with success, and the answer does not speak of a failure. ``contradictions`` are remarks beside the
    verdicts.
    """

    claims: tuple[Claim, ...] = ()
    looked_up: bool = False
    failed_tools: tuple[str, ...] = ()
    tried: bool = False
    contradictions: tuple[Contradiction, ...] = ()

    @property
    def remarks(self) -> tuple[str, ...]:
        """What the answer says otherwise than an earlier one, each said once."""
        return tuple(dict.fromkeys(one.text for one in self.contradictions))

    @property
    def rests_on_results(self) -> bool:
        """Whether the answer has anything but what the person gave, and a tool was called with success."""
        return self.looked_up and any(claim.verdict != "given" for claim in self.claims)

    @property
    def summary(self) -> str:
        """One line for under the answer."""
        parts = [self._counted() if self.looked_up else IN_VAIN if self.tried else NOTHING]
        if self.failed_tools:
            tools = ", ".join(self.failed_tools)
            parts.append(Text("Failed, and the answer does not say so: {tools}.", tools=tools))
        return joined(" ", parts)

    def _counted(self) -> str:
        figures = [claim for claim in self.claims if claim.kind in ("number", "date")]
        others = [claim for claim in self.claims if claim.kind not in ("number", "date")]
        parts: list[Text] = []
        if figures:
            parts.append(_traced(figures, keyed("{traced} of {n:,} figure traced", "{traced} of {n:,} figures traced")))
        else:
            parts.append(Text("No figures"))
            if others:
                parts.append(_traced(others, keyed("{traced} of {n:,} name traced", "{traced} of {n:,} names traced")))
        parts += _missing(figures, "")
        for kind in ("name", "quote", "link"):
            parts += _missing([claim for claim in others if claim.kind == kind], kind)
        return Text(
            "{parts}.", parts=reduce(lambda first, rest: Text("{first}; {rest}", first=first, rest=rest), parts)
        )


_MISSING: dict[tuple[str, Verdict], Templates] = {
    ("", "possible"): keyed("{n} may be worked out"),
    ("", "elsewhere"): keyed("{n} stands elsewhere", "{n} stand elsewhere"),
    ("", "differs"): keyed("{n} differs", "{n} differ"),
    ("", "not_found"): keyed("{n} not found"),
    ("name", "differs"): keyed("{n:,} name differs", "{n:,} names differ"),
    ("name", "not_found"): keyed("{n:,} name not found", "{n:,} names not found"),
    ("quote", "differs"): keyed("{n:,} quote differs", "{n:,} quotes differ"),
    ("quote", "not_found"): keyed("{n:,} quote not found", "{n:,} quotes not found"),
    ("link", "differs"): keyed("{n:,} link differs", "{n:,} links differ"),
    ("link", "not_found"): keyed("{n:,} link not found", "{n:,} links not found"),
}


def _traced(claims: list[Claim], words: Templates) -> Text:
    return Text(*words, traced=sum(claim.traced for claim in claims), n=len(claims))


def _missing(claims: list[Claim], kind: str) -> list[Text]:
    doubts: tuple[Verdict, ...] = ("differs", "not_found")
    verdicts: tuple[Verdict, ...] = doubts if kind else ("possible", "elsewhere", *doubts)
    counts = {verdict: sum(claim.verdict == verdict for claim in claims) for verdict in verdicts}
    return [Text(*_MISSING[kind, verdict], n=counts[verdict]) for verdict in verdicts if counts[verdict]]
