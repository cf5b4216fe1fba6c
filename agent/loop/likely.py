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
from agent.toolkit.base import Tool

log = logging.getLogger(__name__)

_MOST = 2
# Of a tool's score: a word of the question that stands in the descriptions of two tools at most is enough.
_LEAST = 0.5
_READ = 400  # characters of the question
_ADDRESS = re.compile(r"https?://", re.I)


def likely(question: str, tools: Sequence[Tool], facts: Facts) -> list[Tool]:
    """At most two tools, the likeliest first; none where nothing tells.

    A question with an address is for the tools that read one. Otherwise the rules of the demo model say what they would
    call first, in each of its languages; where they know of nothing, the words decide that the question has in common
    with the names and descriptions of the tools, the more the fewer of these have them.
    """
    if _ADDRESS.search(question) and (readers := [tool for tool in tools if tool.address]):
        return readers[:_MOST]
    try:
        called = first_tool(question, replace(facts, tools=tuple(tool.own_name for tool in tools)))
    except (ArithmeticError, LookupError, ValueError):  # a bug in these rules must not fail the run of another model
        log.exception("the rules of the demo model failed at a question")
        called = ""
    return [tool for tool in tools if tool.own_name == called] or _by_words(question[:_READ], tools)


def _by_words(question: str, tools: Sequence[Tool]) -> list[Tool]:
    told = [re.sub(r"[\W_]+", " ", folded(f" {tool.name} {tool.description}")) for tool in tools]
    sought = wanted(question, of_documents=False)
    scores: Counter[int] = Counter()
    for part in (*(f" {stem(word)}" for word in sought.words), *sought.pairs):
        having = [place for place, text in enumerate(told) if part in text]
        scores.update(dict.fromkeys(having, 1 / max(1, len(having))))
    return [tools[place] for place, score in scores.most_common(_MOST) if score >= _LEAST]
