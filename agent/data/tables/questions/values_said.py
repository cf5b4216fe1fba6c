"""Words that are a value of a column, and say something else in most questions."""

from __future__ import annotations

from collections.abc import Sequence

from agent.data.tables.questions.table_lexicon import Token, words
from agent.data.tables.questions.table_schema import Column

_OF_ANY = frozenset(["all", "any", "both", "some", "most", "more", "other", "each", "every"])


def says_all(value: str, place: int, tokens: Sequence[Token], column: Column) -> bool:
    """Whether the word says "all" of the rows, though it is a value: "across all classes", not "level all"."""
    near = {token.word for token in tokens[max(place - 2, 0) : place + 2]}
    return value.casefold() in _OF_ANY and not near & {*words(column.name)}
