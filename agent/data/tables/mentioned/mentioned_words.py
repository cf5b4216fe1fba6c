"""The names, numbers and words of a question that cells of a table may hold."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from unicodedata import category, normalize

from agent.data.tables.questions.table_lexicon import words
from agent.data.tables.questions.table_schema import Column, Table, column_words
from agent.data.tables.worded.worded_columns import in_unit, stem
from agent.text.quantities.dates import day
from agent.text.regex import regex
from agent.text.word_tables import word_table

WORDS = word_table(__file__, "mentioned_words.toml")
IDLE = frozenset(WORDS["idle"])
_NAMED_AFTER = frozenset(WORDS["named_after"])
_OTHERWISE = regex(rf"\b(?:{'|'.join(WORDS['otherwise'])})\b", re.I)
_MOST_OF_ALL = regex(rf"\b(?:{'|'.join(WORDS['most_of_all'])})\b")
_LEANS = regex(r"(?:(?:ok(?:ay)?|so|then|,|and|what about|how about|or)[ ,]+)+(?:in|for|of|at|on|what|how|the)\b", re.I)
_WORD = regex(r"\d+(?:,\d{3})+|[^\W_]+(?:['’.\-–−][^\W_]+)*")
_BREAK = regex(r"[.;:?!()\[\]]\s")
_POSSESSIVE = regex(r"['’]s?$")
_INITIAL = regex(r"(?<![^\W_])[A-Z]$")
_DAY = regex(r"(?:\d{1,2}(?:st|nd|rd|th)? [A-Z][a-z]+|[A-Z][a-z]+ \d{1,2}(?:st|nd|rd|th)?),? \d{4}")
_SHORT_FOR = WORDS["short_for"]
_LONGEST = 6  # words
_LONGEST_TEXT = 400  # characters
_MOST = 150
_LONGEST_PLAIN = 4  # words, without a capital letter
_EDGES = ("(?:^|[^\\p{L}\\p{N}])", "(?:[^\\p{L}\\p{N}]|$)")


@dataclass(frozen=True, slots=True)
class Mention:
    """``text``: as typed, from word ``first`` to before ``end``; ``plain``: as ``plainly`` has it.

    ``named``: it has a capital letter or a figure or stands in quotation marks, so that a cell may hold more than it.
    ``follows``: nothing but a space stands between it and the word before it.
    """

    text: str
    plain: str
    first: int
    end: int
    named: bool
    follows: bool = False


def plainly(text: str) -> str:
    """In small letters without accents, marks and the "s" of plurals, one space between words."""
    bare = "".join(one for one in normalize("NFKD", text.casefold()) if category(one) != "Mn")
    return " ".join(filter(None, (word.removesuffix("s") for word in re.findall(r"[^\W_]+", bare))))


def wants_more(text: str) -> bool:
    """Whether no row alone gives what is asked, as a sum or an opinion, or the question goes on from another."""
    return (
        len(text) > _LONGEST_TEXT
        or ";" in text
        or bool(_LEANS.match(text) or _OTHERWISE.search(text) or _MOST_OF_ALL.search(text))
    )


def last_word(text: str) -> tuple[int, str]:
    """The number of the last word and the word."""
    found = [*_WORD.finditer(text)]
    return (len(found) - 1, found[-1][0]) if found else (0, "")


def mentions(text: str) -> list[Mention]:
    """What ``text`` may name, the longest first; nothing without a capital letter, a figure or a quotation mark."""
    found = [*_WORD.finditer(text)]
    named = [_is_named(text, one) for one in found]
    if not any(named):
        return []
    between = [text[one.end() : other.start()] for one, other in pairwise(found)]
    initials = [bool(_INITIAL.search(text[: one.end()])) for one in found]
    ends = [
        bool(_BREAK.search(mark)) and not (mark == ". " and of) for mark, of in zip(between, initials, strict=False)
    ]
    several = [
        _mention(text, found, first, end, any(named[first:end]))
        for first in range(len(found))
        for end in _ends(first, ends, len(found))
    ]
    owned = [bool(_POSSESSIVE.search(one[0])) for one in found]
    follows = [False, *(not mark.strip() and not one for mark, one in zip(between, owned, strict=False))]
    several = [replace(one, follows=follows[one.first]) for one in [*several, *_in_full(text, found)]]
    kept = [one for one in several if one.plain and (one.named or _may_fill(one))]
    return sorted(kept, key=lambda one: (one.first - one.end, not one.named, one.first))[:_MOST]


def _in_full(text: str, found: list[re.Match[str]]) -> Iterator[Mention]:
    """The names that are meant by "UK" and "U.S.", and dates as a column of dates has them."""
    for number, word in enumerate(found):
        if full := _SHORT_FOR.get(word[0].replace(".", "")):
            yield Mention(full, plainly(full), number, number + 1, True)
        said = text[word.start() : found[min(number + 2, len(found) - 1)].end()]
        if _DAY.fullmatch(said) and (on := day(said, None)):
            yield Mention(on.isoformat(), plainly(on.isoformat()), number, number + 3, True)


def _may_fill(mention: Mention) -> bool:
    """Whether words without a capital letter may be all that stands in a cell."""
    return len(mention.plain) > 2 and mention.end - mention.first <= _LONGEST_PLAIN


def _ends(first: int, ends: list[bool], count: int) -> Iterator[int]:
    for end in range(first + 1, min(count, first + _LONGEST) + 1):
        yield end
        if end < count and ends[end - 1]:
            return


def _is_named(text: str, word: re.Match[str]) -> bool:
    said = word[0]
    begins = not text[: word.start()].strip(" \"'“‘(")
    if said.isdigit():
        return len(said) > 1  # "2" is too often another 2
    return any(one.isdigit() for one in said) or (not begins and any(one.isupper() for one in said))


def _mention(text: str, found: list[re.Match[str]], first: int, end: int, named: bool) -> Mention:
    edges = {found[first][0].casefold(), found[end - 1][0].casefold()}
    edges -= {"may"} if "May" in (found[first][0], found[end - 1][0]) and first else set()
    said = _POSSESSIVE.sub("", text[found[first].start() : found[end - 1].end()])
    return Mention(said, "" if edges & IDLE else plainly(said), first, end, named)


def words_pattern(texts: Sequence[str]) -> str:
    """The pattern of DuckDB for one of those names as whole words, in any case, with or without the "s" of plurals."""
    several = [plainly(text) for text in texts]
    before, after = ("\\b", "\\b") if all(text.isascii() for text in several) else _EDGES
    return f"(?i){before}(?:{'|'.join(map(_pattern, several))}){after}"


def _pattern(text: str) -> str:
    between = "\\W+(?:s\\W+)?" if text.isascii() else "[^\\p{L}\\p{N}]+"
    return between.join(f"{word}s?" for word in text.split())


def is_deed(text: str, asked: str) -> bool:
    """Whether a text that was looked for is no name but what somebody does: "occur" of "How often does Ann occur?"."""
    if not text.islower() or any(f"{mark}{text}" in asked.lower() for mark in "“\"'"):
        return False
    found = re.search(rf"\b(?:does|did|do)(?:n['’]t| not)? (?P<subject>[^,;?]+?) {re.escape(text)}(?!\w)", asked, re.I)
    return found is not None and found["subject"].split()[-1].lower() not in _NAMED_AFTER


_BEHIND = regex(r"\b(?:than|over|under|above|below|least|most) \d[\d.,]* (?P<noun>[a-z]{3,})\b", re.I)
_OF_ANY = frozenset(("time", "row", "point", "unit", "piece", "item", "people", "person", "people", "percent"))


def of_other_noun(text: str, columns: Sequence[Column], table: Table) -> bool:
    """Whether the noun behind a bound is of none of the columns: "missed more than 3 trains" of trips missed."""
    found = _BEHIND.search(text)
    noun = words(found["noun"])[0] if found else ""
    if not noun or noun in IDLE or (found and found["noun"].lower() in IDLE) or noun in _OF_ANY:
        return False
    heads = {*words(table.name), *(word for column in table.columns for word in column_words(column))}
    known = {stem(word) for word in heads}
    values = {word for column in table.columns for value in column.known for word in words(value)}
    return stem(noun) not in known and noun not in values and not any(in_unit(column, noun) for column in columns)
