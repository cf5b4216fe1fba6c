"""The words that a question of tables may have, by which slips of the keyboard are put right."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from functools import cache
from typing import Any

from agent.data.tables.questions.table_lexicon import PHRASES
from agent.data.tables.questions.table_schema import Table
from agent.data.tables.worded.worded_columns import WORDS
from agent.text.real_words import is_real
from agent.text.regex import regex
from agent.text.spelling import Spelling, of_small, spellings

_WORD = regex(r"[A-Za-z']{2,}")
_SHORTEST = 3


def spellings_of_tables(text: str, tables: Sequence[Table], usual: frozenset[str]) -> Iterator[Spelling]:
    """``text`` without slips, by the ``usual`` words of questions and those of the tables; real words are none.

    The unlikeliest are those where a name of a table is a slip itself, as "Wen" is of "when".
    """
    usual |= words_of_readers()
    known, names = usual | words_of_heads(tables), words_of_values(tables)
    yield from spellings(text, known, is_real, names)
    typed = (word for word in _words((text,)) if word in known | names and word not in usual)
    if slips := {word for word in typed if of_small(word)}:
        for one in spellings(text, known - slips, is_real, names - slips):
            yield replace(one, unlike=len(text))


def words_of_heads(tables: Sequence[Table]) -> frozenset[str]:
    """Those of the names of tables and columns, and of a few values of each."""
    names = (table.name.replace("_", " ") for table in tables)
    columns = [column for table in tables for column in table.columns]
    heads = (text for one in columns for text in (one.label, one.name.replace("_", " "), *one.examples))
    not_done = (f"un{word}" for one in columns if one.kind == "boolean" for word in _words((one.label,)))
    return frozenset((*_words((*names, *heads)), *not_done))


def words_of_values(tables: Sequence[Table]) -> frozenset[str]:
    """Those of all values that are known of columns with text."""
    return frozenset(_words(text for table in tables for one in table.of_kind("text") for text in one.known))


@cache
def words_of_readers() -> frozenset[str]:
    """The words that the readers of such questions know themselves."""
    known = {word for phrase in PHRASES for word in phrase}
    known |= {*_words(_texts([*WORDS["field"], *WORDS["words"].values()]))}
    return frozenset(word for word in known if len(word) >= _SHORTEST)


def _words(texts: Iterable[str]) -> Iterator[str]:
    return (word.lower() for text in texts for word in _WORD.findall(text))


def _texts(told: Any) -> Iterator[str]:
    """The texts of lists and tables of words, however deep."""
    if isinstance(told, str):
        yield told
    elif not isinstance(told, bool):
        several: Iterable[Any] = told.values() if hasattr(told, "values") else told
        for one in several:
            yield from _texts(one)
