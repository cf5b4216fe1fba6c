"""A question of several parts: "What is the square root of 25? And its cube?"."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache, partial

from agent.data.tables.questions.months_away import months_told
from agent.data.tables.worded.other_units import cut_at_unit
from agent.demo.rules.abilities import can_answer, surely, understand
from agent.demo.rules.followup import continues, standalone
from agent.demo.rules.otherwise import first_call, mended
from agent.demo.rules.plan import Plan, Question, Said
from agent.demo.rules.swapping import LEAD, opposite
from agent.demo.rules.talk import decline
from agent.text.problems.asked_clauses import OF_THE_FIRST, sentences, told_and_asked, with_noun
from agent.text.regex import regex
from agent.text.sums.phrases import Value, language_of, plain
from agent.text.told_sums.total_and_share import total_and_share

_LINKS = regex(r",? and (?!(?:then )?(?:by )?another\b)(?:then )?|, then |;\s*|、(?!もう)(?:また|それと)?|。")

# Nothing is asked yet: "Split 100 between 4, each adds 2."
_TELLS = regex(
    r"(?!(?:please )?(?:what|how|who|when|where|which|is|are|do|does|did|can|could|convert|calculate|compute|tell|show"
    r"|find|give|add|round|look|search)\b)[^?？]*(?<!か)[.!。]?",
    re.I,
)
_LONGEST = 400  # characters: no question that the rules understand is longer


@dataclass(frozen=True, slots=True)
class Part:
    """``leans``: the part can only be read once the answer to the part before it is known.

    ``left`` is what was asked beside it and is not answered.
    """

    question: Question
    leans: bool = False
    left: str = ""
    plan: Plan | None = None


@lru_cache(maxsize=64)  # a question is read at each step of its answer, and before, for the tools that are likely
def read(question: Question) -> tuple[Part, ...] | Said:
    """All parts of the question, each understood, or the sentence that declines the whole of it."""
    if len(question.text) > _LONGEST:
        return _by_rows(question, None)
    return _of_bill(question) or _read(question)


def _read(question: Question) -> tuple[Part, ...] | Said:
    if question.tables and question.language == "ja" and question.today:
        question = replace(question, text=months_told(question.text, question.today, question.tables))
    cut = cut_at_unit(question.text, question.tables)
    if cut and isinstance(understand(first := replace(question, text=cut[0])), Plan):
        return (Part(first), Part(replace(question, text=cut[1]), leans=True))
    single = understand(question)
    told, asked = told_and_asked(question.text, question.language, bool(question.tables))
    if isinstance(single, Plan):
        if question.tables and len(asked) < 2:
            from agent.demo.tables.rows_mentioned import else_mentioned

            right = partial(mended, question, surely)  # what is not in the table may be a slip
            return (Part(question, plan=replace(single, steps=lambda: else_mentioned(question, single, right))),)
        several = len(asked) > 1 and not (single.both and question.language == "en")
        return (
            (_each(told, asked, question) or (_alone(told, asked, question, single),)) if several else (Part(question),)
        )
    if single and not single.declined:
        return (Part(question),)
    if single and single.final:
        return single
    pieces = sentences(question.text)
    if parts := _chained(pieces, question) or _each(told, asked, question):
        return parts
    if len(pieces) == 1 and single is None:  # what reads two ways is not cut until it reads one way
        several = [parts for pair in _pairs(pieces[0]) if (parts := _chained(pair, question))]
        if len(several) == 1:
            return several[0]
    return _by_rows(question, single)


def _of_bill(question: Question) -> tuple[Part, ...]:
    """The total of what is split, alone or with the share of each; so much of something, and its price."""
    pieces = total_and_share(question.text) if question.language == "en" else ()
    alone = replace(question, text=pieces[0], tables=()) if len(pieces) == 1 else None
    return (Part(alone),) if alone and isinstance(understand(alone), Plan) else _chained(pieces, question)


def _by_rows(question: Question, single: Said | None) -> tuple[Part, ...] | Said:
    """The rows of a table that have what is named; else what declines the whole, with questions near it."""
    if not question.tables or (single and not single.hint):
        return single or decline(question, can_answer)
    from agent.demo.tables import ability, rows_mentioned

    near = None if single and surely(question) else ability.nearest(question, can_answer)
    declined = near or single or decline(question, can_answer)
    return (Part(question, plan=plan),) if (plan := rows_mentioned.mentioned_asked(question, declined)) else declined


_OPPOSITE = regex(r"(?:which|who)(?: [a-z]+)? (?:is|are|has|have|was|had) (?P<end>the [a-z]+)", re.I)


def _each(told: str, asked: Sequence[str], whole: Question) -> tuple[Part, ...]:
    """Every question as a part of its own; none where one cannot be read."""
    if len(asked) < 2:
        return ()
    parts: list[Part] = []
    for text in (_filled(text, asked[0]) for text in asked):
        alone = replace(whole, text=text)
        ways = [replace(alone, text=f"{told.rstrip('.,;')}. {text}")] if told else []
        ways = [alone, *ways] if re.search(r"\d", text) else [*ways, alone]
        read = next((way for way in ways if isinstance(understand(way), Plan)), None)
        leans = bool(parts and whole.tables and OF_THE_FIRST.match(text))
        if not (read or leans):
            return () if told else _chained(asked, whole)
        parts.append(Part(alone if leans or read is None else read, leans))
    return tuple(parts)


def _filled(text: str, first: str) -> str:
    """What a question leaves out, as the first one says it: "which has the fewest", "how many has Jupiter"."""
    end = _OPPOSITE.fullmatch(re.sub(r"[ ?.!]+$", "", text))
    return (opposite(end["end"], first) if end else None) or with_noun(text, first)


def _alone(told: str, asked: Sequence[str], whole: Question, single: Plan) -> Part:
    """``single`` as it is, with what it leaves out where it is the answer to one of the questions alone."""
    ways = [replace(whole, text=f"{told.rstrip('.,;')}. {text}" if told else text) for text in asked]
    plans = [understand(way) for way in ways]
    made = [isinstance(plan, Plan) and first_call(plan) == first_call(single) for plan in plans]
    if not any(made) and whole.tables and isinstance(plans[0], Plan):
        return Part(ways[0], left=" ".join(asked[1:]))
    left = " ".join(text for text, one in zip(asked, made, strict=True) if not one) if any(made) else ""
    return Part(whole, left=left)


def _pairs(text: str) -> Iterator[list[str]]:
    """Every way to cut one sentence in two at a link."""
    for link in _LINKS.finditer(text):
        left, right = text[: link.start()], text[link.end() :]
        if left and right and (left[-1].isdigit() or not right[:1].isdigit()):
            yield [left, f"and {right}" if text.isascii() else right]


def _chained(pieces: Sequence[str], whole: Question) -> tuple[Part, ...]:
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
        if not isinstance(found, Plan) or (parts and not leans and _TELLS.fullmatch(before) and piece[-1:] in "?？"):
            return ()  # what the first sentence tells, the next one asks of
        parts.append(Part(question if leans else bare, leans))
        sample, before = found.sample, text
    return tuple(parts)
