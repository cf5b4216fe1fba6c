"""Which claims of an answer carry a mark, and what a mark says: for the page and for an export alike."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from agent.events import Asked, Event, Observed, ToolCalled
from agent.evidence.gathering import heads_of, notes_of, step_after
from agent.evidence.verdicts import EARLIER, NOTES, QUESTION, TABLES, Claim, Earlier, Evidence, Place, Verdict
from agent.inner_runs import looked_up
from agent.interface_text import Templates, Text, keyed
from agent.messages import Value
from agent.text.characters import digits_of
from agent.text.regex import regex

MOST_MARKS = 300
_AROUND = 60
_PLACED = ("seen", "given", "elsewhere", "differs")
_TOLD = (QUESTION, EARLIER, NOTES, TABLES)  # not by a step
_QUIET = ("name", "link")
_OPENING = ("](", "(<")
_CLOSING = regex(r">?(?:[ \t]+\"[^\"\n]{0,300}\")?\)")
# By the verdict and where the first place is.
_WORDS: dict[tuple[Verdict, str], Templates] = {
    ("seen", ""): keyed("Seen"),
    ("seen", "earlier"): keyed("Seen earlier in this chat"),
    ("seen", "question"): keyed("Seen in the question"),
    ("seen", "notes"): keyed("Seen in your notes"),
    ("seen", "step"): keyed("Seen in step {step}"),
    ("seen", "tool"): keyed("Seen in step {step} ({tool})"),
    ("given", ""): keyed("Given"),
    ("given", "earlier"): keyed("Given earlier in this chat"),
    ("given", "question"): keyed("Given in the question"),
    ("given", "notes"): keyed("Given in your notes"),
    ("given", "tables"): keyed("Given in the head of a table"),
    ("given", "step"): keyed("Given in step {step}"),
    ("given", "tool"): keyed("Given in step {step} ({tool})"),
    ("worked_out", ""): keyed("Worked out"),
    ("possible", ""): keyed("May be worked out"),
    ("elsewhere", ""): keyed("Stands elsewhere"),
    ("elsewhere", "earlier"): keyed("Stands elsewhere, seen earlier in this chat"),
    ("elsewhere", "step"): keyed("Stands elsewhere in step {step}"),
    ("elsewhere", "tool"): keyed("Stands elsewhere in step {step} ({tool})"),
    ("differs", ""): keyed("Differs from what was seen"),
    ("differs", "earlier"): keyed("Differs from what was seen earlier in this chat"),
    ("differs", "notes"): keyed("Differs from what is in your notes"),
    ("differs", "question"): keyed("Differs from what was seen in the question"),
    ("differs", "step"): keyed("Differs from what was seen in step {step}"),
    ("differs", "tool"): keyed("Differs from what was seen in step {step} ({tool})"),
    ("not_found", ""): keyed("Not found in what was observed"),
}


@dataclass(frozen=True, slots=True)
class Mark(Value):
    """A mark around characters ``start`` to ``end`` of the answer; ``number`` is the claim's among ``Evidence.claims``.

    ``step`` is the one whose observation the claim rests on, 0 where it rests on none.
    """

    number: int
    start: int
    end: int
    step: int


@dataclass(frozen=True, slots=True)
class Excerpt(Value):
    """A place on one line: what stands before the value, the value, and what stands after it."""

    before: str
    value: str
    after: str


@dataclass(frozen=True, slots=True)
class Behind:
    """The texts that places are in. Observations, each with its tool and who wrote it, go by their call and step."""

    question: str = ""
    notes: str = ""
    heads: str = ""
    observations: Mapping[tuple[str, int], tuple[str, str]] = field(
        default_factory=dict[tuple[str, int], tuple[str, str]]
    )
    earlier: tuple[str, ...] = ()

    def text(self, place: Place) -> str:
        """The text that ``place`` is in; "" where it is not at hand."""
        if place.call_id == QUESTION and place.step == 0:
            return self.question
        if place.call_id == NOTES:
            return self.notes
        if place.call_id == TABLES:
            return self.heads
        return self.observations.get((place.call_id, place.step), ("", ""))[1]

    def tool(self, place: Place) -> str:
        return self.observations.get((place.call_id, place.step), ("", ""))[0]

    def spot(self, claim: Claim, place: Place) -> tuple[str, int, int]:
        """The text of a place, and where in it the value stands: ``start == end`` where the text does not hold it.

        Turns before are searched for the claim's own words, then for its digits where the place is ("25%" of "25"):
        which ones were at hand when it was checked is not known.
        """
        text = self.text(place)
        if text:
            return (text, place.start, place.end) if place.start < place.end <= len(text) else (text, 0, 0)
        if is_earlier(place):
            for before in self.earlier:
                start = before.find(claim.text)
                if start >= 0 and claim.text:
                    return before, start, start + len(claim.text)
            digits = digits_of(claim.text)
            for before in self.earlier:
                if digits and digits_of(before[place.start : place.end]) == digits:
                    return before, place.start, place.end
        return "", 0, 0


def behind(events: Sequence[Event], earlier: Sequence[Earlier] = ()) -> Behind:
    """The texts of a run that places of its claims are in."""
    question, step = "", 0
    tools: dict[str, str] = {}
    observations: dict[tuple[str, int], tuple[str, str]] = {}
    for event in looked_up(events):
        step = step_after(step, event)
        match event:
            case Asked():
                question = "\n".join((event.question, *event.attachments))
            case ToolCalled():
                tools[event.call_id] = event.tool
            case Observed() if event.call_id:
                tool = tools.get(event.call_id, "")
                tool = Text("{tool}, edited by hand", tool=tool) if event.edited else tool
                observations[event.call_id, max(step, 1)] = (tool, event.text)
            case _:
                pass
    texts = tuple(text for turn in reversed(earlier) for text in (turn.answer, turn.question, *turn.saw))
    return Behind(question, notes_of(events), heads_of(events), observations, texts)


def is_earlier(place: Place) -> bool:
    """Whether a place is in a turn before."""
    return place.call_id == EARLIER or (place.call_id == QUESTION and place.step > 0)


def marks(evidence: Evidence, most: int = MOST_MARKS) -> tuple[Mark, ...]:
    """Marks in the order of the answer, none over another; none at all where nothing was looked up.

    What is doubtful goes first, then what is short. Names and links that were found have none: they would be in the
    way of the figures.
    """
    if not evidence.looked_up:
        return ()
    wanted = [
        (claim.traced, claim.end - claim.start, number)
        for number, claim in enumerate(evidence.claims)
        if claim.start < claim.end and not (claim.traced and claim.kind in _QUIET)
    ]
    chosen = [number for _, _, number in sorted(wanted)]
    free = _apart(chosen, evidence.claims)
    made: list[Mark] = []
    for number in sorted(free[:most], key=lambda number: evidence.claims[number].start):
        claim = evidence.claims[number]
        first = claim.places[0] if claim.places and claim.places[0].call_id not in _TOLD else None
        made.append(Mark(number, claim.start, claim.end, first.step if first else 0))
    return tuple(made)


def _apart(chosen: Iterable[int], claims: Sequence[Claim]) -> list[int]:
    """Those of ``chosen`` that overlap none before them."""
    taken = bytearray(max((claim.end for claim in claims), default=0))
    free: list[int] = []
    for number in chosen:
        claim = claims[number]
        if not any(taken[claim.start : claim.end]):
            taken[claim.start : claim.end] = b"\1" * (claim.end - claim.start)
            free.append(number)
    return free


def headline(claim: Claim, texts: Behind) -> str:
    """What the check found, in a few words: "Seen in step 2 (search)"."""
    place = next(iter(claim.places), None)
    if place is None or claim.verdict not in _PLACED:
        return Text(*_WORDS[claim.verdict, ""])
    if is_earlier(place):
        return Text(*_WORDS[claim.verdict, "earlier"])
    if place.call_id in (NOTES, TABLES):
        return Text(*(_WORDS.get((claim.verdict, place.call_id)) or _WORDS[claim.verdict, ""]))
    if place.call_id == QUESTION:
        return Text(*_WORDS[claim.verdict, "question" if place.start < place.end else ""])
    tool = texts.tool(place)
    return Text(*_WORDS[claim.verdict, "tool" if tool else "step"], step=place.step, tool=tool)


def excerpt(claim: Claim, place: Place, texts: Behind, around: int = _AROUND) -> Excerpt | None:
    """A place with ``around`` characters before and behind it; ``None`` where there is no text to show."""
    text, start, end = texts.spot(claim, place)
    if start == end:
        return None
    left, right = max(0, start - around), min(len(text), end + around)
    # Each on one line, white space as one blank, also at the ends.
    parts = (f"|{text[i:j]}|".split() for i, j in ((left, start), (start, end), (end, right)))
    before, value, after = (" ".join(part)[1:-1] for part in parts)
    return Excerpt(f"…{before}" if left else before, value, f"{after}…" if right < len(text) else after)


def end_of_link(answer: str, claim: Claim) -> int:
    """Where the link ends whose address the claim is: behind the bracket of ``[words](address)``."""
    found = _CLOSING.match(answer, claim.end) if answer[max(0, claim.start - 2) : claim.start] in _OPENING else None
    return found.end() if found else claim.end
