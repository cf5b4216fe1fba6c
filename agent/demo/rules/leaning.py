"""Whether a follow-up seems to need what was said before, by the words of the languages that the demo model reads."""

from __future__ import annotations

from agent.demo.phrasebook import phrase
from agent.text.greetings import SMALL_TALK
from agent.text.regex import regex

_LEANS = phrase("leans_on_history")
_SENTENCE_END = regex(r"(?<=[?!。？！])\s*(?=\S)|(?<=\.)\s+(?=\S)")
_ORDER, _QUANTITY, _NAMED = phrase("orders"), phrase("bare_quantity"), phrase("names_its_thing")
_FEW_WORDS = 2
_MOST_ORDER_WORDS = 4
_FEW_CHARACTERS = 8


def leans(question: str) -> bool:
    """Whether a question seems to need its history: a pronoun, an ellipsis, a comparison, a fragment.

    Only the first sentence counts: what later ones lean on, it says.
    """
    if SMALL_TALK.match(question):
        return False
    first = _SENTENCE_END.split(question.strip(), maxsplit=1)[0]
    if _LEANS.search(first):
        return True
    words = question.split()
    if _QUANTITY.match(question) or (len(words) <= _MOST_ORDER_WORDS and _ORDER.match(question)):
        return True
    if question.isascii() or len(words) > 1:
        return (
            len(words) <= _FEW_WORDS
            and not _NAMED.match(question)
            and not any(character.isdigit() for character in question)
        )
    return len(question) <= _FEW_CHARACTERS
