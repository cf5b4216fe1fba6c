"""Which tools a question most likely needs: a prompt that has half a line on each tells a small model more of these."""

from __future__ import annotations

import logging
import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import replace

from agent.data.documents.index import folded, stem, wanted
from agent.demo.model import first_tool
from agent.messages import Facts
from agent.text.regex import regex
from agent.toolkit.base import Tool
from agent.wire.instructions import CALCULATOR

log = logging.getLogger(__name__)

_MOST = 2
# Of a tool's score: a word of the question that stands in the descriptions of two tools at most is enough.
_LEAST = 0.5
_READ = 400  # characters of the question
_ADDRESS = regex(r"https?://", re.I)
# Of questions that the rules of the demo model know nothing of: a sign or word of a sum between two figures, and what
# says that the person wants to be asked.
_SUM = regex(
    r"\d ?(?:[+*×÷^]|plus|minus|times|multiplied by|divided by|mal|geteilt durch|"
    r"足す|たす|引く|ひく|掛ける|かける|割る|わる) ?\d",
    re.I,
)
_ASK = regex(
    r"(?:^|[.,;:!?] ?|\b(?:and|but|then|please|first) )(?:ask|find out from) me\b|\bfrage? mich\b|"
    r"[私僕]に.{0,12}?(?:聞い|きい|尋ね|たずね|質問し)て",
    re.I,
)

# Words that ask for more than one figure, or for one by the other.
_PARTS = regex(r"\b(?:and|und)\b|;|そ[れの]", re.I)


def likely(question: str, tools: Sequence[Tool], facts: Facts) -> tuple[list[Tool], bool]:
    """At most two tools, the likeliest first, none where nothing tells; and whether a rule says so, not words alone.

    A question with an address is for the tools that read one. Otherwise the rules of the demo model say what they would
    call first, in each of its languages; where they know of nothing, that it has a sum between two figures, or wants
    something asked. Else the words decide that it has in common with the names and descriptions of the tools, the more
    the fewer of these have them.
    """
    if _ADDRESS.search(question) and (readers := [tool for tool in tools if tool.address]):
        return readers[:_MOST], True
    try:
        called = first_tool(question, replace(facts, tools=tuple(tool.own_name for tool in tools)))
    except (ArithmeticError, LookupError, ValueError):  # a bug in these rules must not fail the run of another model
        log.exception("the rules of the demo model failed at a question")
        called = ""
    question = question[:_READ]
    if not called:
        called = "ask_user" if _ASK.search(question) else CALCULATOR if _SUM.search(question) else ""
    found = [tool for tool in tools if tool.own_name == called]
    return found or _by_words(question, tools), bool(found)


def is_one_sum(question: str, tools: Sequence[Tool], by_rule: bool) -> bool:
    """Whether a rule says that a question is a sum, with one figure to tell; the others are as ``likely`` gives."""
    return by_rule and tools[0].own_name == CALCULATOR and not _PARTS.search(question)


def _by_words(question: str, tools: Sequence[Tool]) -> list[Tool]:
    told = [re.sub(r"[\W_]+", " ", folded(f" {tool.name} {tool.description}")) for tool in tools]
    sought = wanted(question, of_documents=False)
    scores: Counter[int] = Counter()
    for part in (*(f" {stem(word)}" for word in sought.words), *sought.pairs):
        having = [place for place, text in enumerate(told) if part in text]
        scores.update(dict.fromkeys(having, 1 / max(1, len(having))))
    return [tools[place] for place, score in scores.most_common(_MOST) if score >= _LEAST]
