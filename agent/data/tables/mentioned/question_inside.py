"""The plain question inside one that could not be read whole: what its words ask that are known, to be suggested.

It is never the answer: what was left out may have turned what is asked, and the person says whether it was meant.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from datetime import date
from functools import lru_cache
from itertools import islice

from agent.data.tables.mentioned.figures_named import turns, unread_words
from agent.data.tables.questions.naming import question
from agent.data.tables.questions.near_questions import near_questions
from agent.data.tables.questions.said_names import said_names
from agent.data.tables.questions.table_schema import Asked, Table
from agent.data.tables.worded.whole_asking import is_read_whole
from agent.data.tables.worded.worded_asking import worded_asked
from agent.data.tables.worded.wrapping import unwrapped
from agent.text.regex import regex
from agent.text.sums.phrases import Language

_CLAUSES = regex(r"(?:, | - |; |: |[?.!] )(?:and )?| and (?=by\b|how\b|what\b|who\b|when\b|where\b|which\b|since\b)")
_LONGEST = 200  # characters
_MOST_NEAR = 3
_MOST_TRIED = 8
_FEWEST = 2  # words of a question


@lru_cache(maxsize=64)  # a question is read again at each step of its answer
def near_ones(text: str, tables: tuple[Table, ...], language: Language, today: date | None) -> tuple[str, ...]:
    """Up to three that are read as they stand: the one that stands inside ``text`` first, then those near it."""
    inside = _asked_inside(text, tables[0], today) if len(tables) == 1 and language == "en" else None
    told = question(inside, tables, language) if inside else ""
    several = dict.fromkeys(filter(None, (told, *near_questions(text, tables, language))))
    return tuple(islice(several, _MOST_NEAR))


def _asked_inside(text: str, table: Table, today: date | None) -> Asked | None:
    """What the first of the plainer ways to say it asks, of which every word is read then."""
    if table.joined or len(text) > _LONGEST:
        return None
    for way in islice(_ways(unwrapped(text, table, today), table), _MOST_TRIED):
        made = worded_asked(way, table, today)
        if is_read_whole(way, made):
            return made
    return None


def _ways(text: str, table: Table) -> Iterator[str]:
    """Its clauses alone, then ``text`` and those without words that are not known.

    None loses a word that turns what is asked.
    """
    clauses = [one.strip() for one in _CLAUSES.split(text) if len(one.split()) >= _FEWEST]
    several = [way for way in dict.fromkeys((text, *clauses)) if turns(way, table) or not turns(text, table)]
    for way in (*several, *(_known_of(one, table) for one in several)):
        if way != text and len(way.split()) >= _FEWEST:
            yield way


def _known_of(text: str, table: Table) -> str:
    """``text`` without words that are not known."""
    unread = [re.escape(word) for word in unread_words(text, said_names(text, table, "en"), table)]
    return re.sub(rf"(?i),? ?\b(?:{'|'.join(unread)})\b", "", text).strip(" ,") if unread else text
