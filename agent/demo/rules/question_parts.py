"""A question of several parts: "What is the square root of 25? And its cube?"."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

from agent.demo.rules.abilities import can_answer, understand
from agent.demo.rules.followup import continues, standalone
from agent.demo.rules.plan import Plan, Question, Said
from agent.demo.rules.swapping import LEAD
from agent.demo.rules.talk import decline
from agent.text.regex import regex
from agent.text.sums.phrases import Value, language_of, plain

_SENTENCES = regex(r"(?<=[?。;])\s*(?=\S)|(?<=[\w)!])\. (?=[A-Za-z])|(?<=[a-z0-9)])[!;] (?=[A-Z])|。")
_LINKS = regex(r",? and (?:then )?|, then |;\s*|、(?:また|それと)?|。")

_LONGEST = 400  # characters: no question that the rules understand is longer


@dataclass(frozen=True, slots=True)
class Part:
    """``leans``: the part can only be read once the value of the part before it is known."""

    question: Question
    leans: bool = False


def read(question: Question) -> tuple[Part, ...] | Said:
    """All parts of the question, each understood, or the sentence that declines the whole of it."""
    if len(question.text) > _LONGEST:
        return decline(question, can_answer)
    single = understand(question)
    if isinstance(single, Plan) or (single and not single.declined):
        return (Part(question),)
    pieces = [piece.strip() for piece in _SENTENCES.split(question.text) if piece and piece.strip()]
    if parts := _chained(pieces, question):
        return parts
    if len(pieces) == 1 and single is None:  # what reads two ways is not cut until it reads one way
        several = [parts for pair in _pairs(pieces[0]) if (parts := _chained(pair, question))]
        if len(several) == 1:
            return several[0]
    return single or decline(question, can_answer)


def _pairs(text: str) -> Iterator[list[str]]:
    """Every way to cut one sentence in two at a link."""
    for link in _LINKS.finditer(text):
        left, right = text[: link.start()], text[link.end() :]
        if left and right and (left[-1].isdigit() or not right[:1].isdigit()):
            yield [left, f"and {right}" if text.isascii() else right]


def _chained(pieces: list[str], whole: Question) -> tuple[Part, ...]:
    """The pieces as parts, if each is understood by itself or from the one before; else nothing."""
    parts: list[Part] = []
    sample: Value | None = None
    before = ""
    for piece in pieces if len(pieces) > 1 else ():
        language = language_of(piece) if whole.language == "ja" else "en"
        question = Question(plain(piece), language, whole.today, tools=whole.tools)
        bare = replace(question, text=LEAD.sub("", question.text, count=1))
        found, text = understand(bare), piece
        leans = bool(parts) and (continues(question) or not isinstance(found, Plan))
        if leans:
            text = standalone(question, before, sample) or ""
            found = understand(replace(question, text=plain(text))) if text else None
        if not isinstance(found, Plan):
            return ()
        parts.append(Part(question if leans else bare, leans))
        sample, before = found.sample, text
    return tuple(parts)
