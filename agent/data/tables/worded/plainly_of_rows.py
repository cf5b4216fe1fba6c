"""A question of one table in plainer words that all its readers know: "each pair of shoes", "how many of our choir"."""

from __future__ import annotations

import re
from collections.abc import Sequence

from agent.data.tables.questions.table_lexicon import words
from agent.data.tables.questions.table_schema import Table
from agent.data.tables.worded.other_periods import without_own_period
from agent.data.tables.worded.persons import people_in
from agent.data.tables.worded.worded_columns import stem
from agent.text.regex import regex

_PAIR = regex(r"\b(?P<which>each|every|which|what|per|a|the|any|one) (?:pair|set) of (?P<thing>[a-z]+)", re.I)
_PERSONS = "[a-z]{2,}(?:ers|ors|ists|ians|ants|mates|friends|folk)"  # who does something
_TOGETHER = "choir|crew|team|group|band|club|class|squad|cast|lot|gang|congregation|party|staff"
_OF_OURS = regex(
    rf"\b(?P<asks>how many|which) of (?P<whose>our|my|the|their) (?P<noun>{_PERSONS}|{_TOGETHER})"
    r"(?= (?:lives?|are|is|were|was|have|has|had|haven['’]t|aren['’]t|joined|paid|sings?|speaks?|works?|wears?|owns?"
    r"|come from|in|from|with|aged)\b)",
    re.I,
)
_SOME = ("juniors", "seniors", "beginners", "pensioners", "newcomers", "teenagers", "toddlers", "youngsters")
_OWED = regex(r"\bow(?:ed?|ing)\b|\boutstanding\b", re.I)
_NOT_PAID = regex(
    r"(?P<owed>\b(?:owed|owing|outstanding|due))(?: to (?:me|us))? (?:on|for|from) (?:the |my |our |those |any |all )*"
    r"[a-z]+ (?:that|which) (?:(?:have|has|are|were)(?:n['’]t| not)(?: yet| still)?|(?:are|have) still not)"
    r"(?: been)?(?: yet)? (?:paid|settled)(?: yet)?",
    re.I,
)
_MONEY = regex(r"\bhow much money\b", re.I)
_OWED_BY = regex(r"how much (?:am i|are we)(?: still)? owed by (?P<who>.+?)[ ?.!]*", re.I)


def plainly_of_rows(text: str, tables: Sequence[Table]) -> str:
    """``text`` as it is where there are several tables."""
    if len(tables) != 1:
        return text
    known = _vocabulary(tables[0])
    text = _PAIR.sub(lambda said: _without_pair(said) if stem(said["thing"].lower()) in known else said[0], text)
    if people_in(tables[0]):
        text = _OF_OURS.sub(lambda said: said[0] if stem(said["noun"].lower()) in known else _of_rows(said), text)
    if _OWED.search(text):
        text = _MONEY.sub("how much", _NOT_PAID.sub(r"\g<owed>", text))
        by = _OWED_BY.fullmatch(text)
        text = f"How much does {by['who']} owe me?" if by else text
    return without_own_period(text, tables)


def _without_pair(said: re.Match[str]) -> str:
    return f"{said['which']} {said['thing']}"


def _of_rows(said: re.Match[str]) -> str:
    return f"{said['asks']} of {said['whose']} rows"


def _vocabulary(table: Table) -> set[str]:
    """The words of its headings, its values and its name, and those that mean some of its rows."""
    heads = (word for column in table.columns for word in words(column.called))
    values = (word for column in table.columns for value in column.known for word in words(value))
    return {stem(word) for word in (*heads, *values, *words(table.name), *_SOME)}
