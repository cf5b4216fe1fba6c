"""Which columns, values and words of questions a text has, wherever they stand and whatever stands between them."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from agent.data.tables.questions.items import Item, at
from agent.data.tables.questions.table_lexicon import (
    LEXICON,
    LONGEST_PHRASE,
    MONTHS,
    PHRASES,
    Token,
    form,
    tokens,
    typed,
    words,
)
from agent.data.tables.questions.table_schema import Column, Table, column_words
from agent.text.regex import regex

_MOST_TOKENS = 60
_LEAST_RARE = 4  # letters of a word that alone may stand for a value
_STEM = 5  # letters
_LEAST_NAME = 3  # letters
_ROLES = frozenset(["measure", "extreme", "implied", "most", "operator", "group", "not", "sought", "verb"])
_JAPANESE_PHRASES = tuple(
    (regex(said), role, meaning)
    for head, said in LEXICON["japanese"].items()
    for role, _, meaning in [head.partition(" ")]
    if role in _ROLES
)
_JAPANESE_MOST = regex(
    r"(?:一番|いちばん|最も|最)(?P<way>高|多|長|重|大|遠|速|強|古|安|少|短|軽|小|近|遅|弱|低|若|新|早)"
)
_LEAST = frozenset("安少短軽小近遅弱低若早")
_NEGATED = regex(r"\b(?:no|not|nobody|none|nothing|never|without|\w+n['’]t)\b|ない|なか|いいえ|未", re.I)
_JAPANESE_MONTH = regex(r"(?:(\d{4})年)?(\d{1,2})月")


@dataclass(slots=True)
class SaidNames:
    """What is said of a table, in the order of the text; ``phrases`` are pairs of a role and a meaning of the lexicon.

    ``values``: each with whether "not" stands right before it; without a column it is a name that is not known yet.
    ``numbers`` are those that stand for nothing else, each with the operator in front of it. ``times``: a year,
    ``2026``, or a month, ``2026-5``, of the year 0 where none is said. ``negated``: "no" or the like is anywhere.
    """

    columns: list[Column] = field(default_factory=list[Column])
    values: list[tuple[Column | None, str, bool]] = field(default_factory=list[tuple[Column | None, str, bool]])
    phrases: list[tuple[str, str]] = field(default_factory=list[tuple[str, str]])
    numbers: list[tuple[str, str]] = field(default_factory=list[tuple[str, str]])
    times: list[str] = field(default_factory=list[str])
    negated: bool = False

    def of(self, *roles: str) -> str | None:
        """The first meaning in one of those roles."""
        return next((meaning for role, meaning in self.phrases if role in roles), None)

    @property
    def fit(self) -> int:
        """How much of the text is of the table: a value says more than a column."""
        return 2 * len(self.values) + len(self.columns)


def said_names(text: str, table: Table, language: str) -> SaidNames:
    """What ``text``, of which the first sixty words are looked at, has of the table."""
    said = _japanese(text, table) if language == "ja" else _english(text, table)
    said.negated = _NEGATED.search(text) is not None
    return said


def _english(text: str, table: Table) -> SaidNames:
    said = tokens(text)[:_MOST_TOKENS]
    names = SaidNames()
    place, operator, negated = 0, "", False
    while place < len(said):
        if met := _value_at(place, said, table) or _name_at(place, said, table):
            column, value, length = met
            names.values.append((column, value, negated))
            place, negated = place + length, False
            continue
        found = dict(_phrase(place, said))
        names.phrases += [(role, meaning) for role, meaning in found.items() if role in _ROLES]
        operator, negated = found.get("operator", operator), "not" in found
        item = _item(place, said, table)
        if item and item.role == "number":
            names.numbers.append((operator, item.text))
            operator = ""
        elif item and item.column and item.column not in names.columns:
            names.columns.append(item.column)
        elif item and item.role in ("year", "month"):
            names.times.append(item.text)
        place += item.length if item else 1
    return names


def _name_at(place: int, said: Sequence[Token], table: Table) -> tuple[None, str, int] | None:
    """Words with capitals within a sentence that mean nothing else; "Ray" of "X-Ray" is none."""
    if said[place].gap and not any(map(str.isspace, said[place].gap)):
        return None
    end = place
    while (
        0 < end < len(said)
        and _is_name(said[end], table)
        and (end == place or said[end].start == said[end - 1].end + 1)
    ):
        end += 1
    return (None, typed(said[place:end]), end - place) if end > place else None


def _is_name(token: Token, table: Table) -> bool:
    if token.kind != "word" or len(token.text) < _LEAST_NAME or not token.text[0].isupper():
        return False
    own = {word for column in table.columns for word in column_words(column)} | {*words(table.name)}
    return (token.text.casefold(),) not in PHRASES and token.text.casefold() not in MONTHS and token.word not in own


def _item(place: int, said: Sequence[Token], table: Table) -> Item | None:
    if said[place].text in ("may", "march"):
        return None  # mostly no months
    several = (item for item in at(place, said, table, None) if item.cost <= 1)
    return next((item for item in several if item.role in ("column", "number", "year", "month")), None)


def _phrase(place: int, said: Sequence[Token]) -> Iterator[tuple[str, str]]:
    """The longest phrase that begins there, in all of its roles, the likeliest first."""
    for length in range(min(LONGEST_PHRASE, len(said) - place), 0, -1):
        several = tuple(token.text.casefold() for token in said[place : place + length])
        if found := PHRASES.get(several) or PHRASES.get((*several[:-1], form(several[-1]))):
            yield from found
            return


def _value_at(place: int, said: Sequence[Token], table: Table) -> tuple[Column, str, int] | None:
    """The value that begins there: whole, or by a word that no other value of its column has."""
    texts = table.of_kind("text")
    quoted = said[place].kind == "quoted"
    ahead = words(said[place].text) if quoted else tuple(token.word for token in said[place:])
    whole = [
        (1 if quoted else len(key), column, value)
        for column in texts
        for value in column.known
        if (key := words(value)) and (ahead if quoted else ahead[: len(key)]) == key
    ]
    length, column, value = max(whole, key=lambda one: one[0], default=(0, None, ""))
    if column and (quoted or length > 1 or (said[place].text.casefold(),) not in PHRASES):
        return column, value, length
    return None if quoted else _by_rare_word(said[place], texts, table)


def _by_rare_word(token: Token, texts: Sequence[Column], table: Table) -> tuple[Column, str, int] | None:
    word = token.word[:_STEM]
    if token.kind != "word" or len(token.word) < _LEAST_RARE or (token.text.casefold(),) in PHRASES:
        return None
    if any(word == other[:_STEM] for column in table.columns for other in column_words(column)):
        return None
    for column in texts:
        fits = [value for value in column.known if any(one[:_STEM] == word for one in words(value))]
        if len(fits) == 1:
            return column, fits[0], 1
    return None


def _japanese(text: str, table: Table) -> SaidNames:
    values = [
        (text.find(value), column, value)
        for column in table.of_kind("text")
        for value in column.known
        if len(value) > 1 and value in text
    ]
    values = [one for one in values if not any(one[2] != other[2] and one[2] in other[2] for other in values)]
    named = [(text.find(_bare(column)), column) for column in table.columns if len(_bare(column)) > 1]
    phrases = [(role, meaning) for pattern, role, meaning in _JAPANESE_PHRASES if pattern.search(text)]
    if (most := _JAPANESE_MOST.search(text)) and not any(role in ("extreme", "implied", "most") for role, _ in phrases):
        phrases.append(("extreme", "min" if most["way"] in _LEAST else "max"))
    return SaidNames(
        [column for place, column in sorted(named, key=lambda one: one[0]) if place >= 0],
        [(column, value, False) for _, column, value in sorted(values, key=lambda one: one[0])],
        phrases,
        times=[f"{year or 0}-{int(month)}" for year, month in _JAPANESE_MONTH.findall(text)],
    )


def _bare(column: Column) -> str:
    """What it is called, without a unit."""
    return re.sub(r"\s*[(（].*", "", column.called)
