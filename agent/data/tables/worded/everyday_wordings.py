"""A sentence of one table in the words that its readers know, where people say the same by others of every day.

"The males" of a column with m and f, "sold on Saturday" of a column "Sold Sat", "the cheapest thing on the menu".
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from functools import cache, lru_cache
from typing import Any

from agent.data.tables.questions.table_lexicon import Token, form, tokens, words
from agent.data.tables.questions.table_schema import Column, Table, id_like
from agent.data.tables.worded.worded_columns import content, holds_money, named, stem
from agent.text.regex import regex
from agent.text.word_tables import word_table

_DAYS = ("monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday")
_SHORT = 3  # letters of a day in a heading
_FEWEST = 2  # words of a column, or days in headings
_LONGEST = 7  # words among which a column is named
_MOST_VALUES = 4  # of a column that tells people apart


@cache
def _words() -> Mapping[str, Any]:
    return word_table(__file__, "everyday_wordings.toml")


@cache
def _patterns(kind: str) -> tuple[tuple[re.Pattern[str], str], ...]:
    return tuple((regex(pattern, re.I), put) for pattern, put in _words()["otherwise"][kind])


def in_table_words(text: str, table: Table) -> str:
    """With the days as headings have them, and what people are called as the table calls them."""
    for said, put in _named_otherwise(table):
        text = said.sub(put, text)
    return text


@lru_cache(maxsize=256)
def _named_otherwise(table: Table) -> tuple[tuple[re.Pattern[str], str], ...]:
    several: list[tuple[re.Pattern[str], str]] = []
    heads = {word for column in table.columns for name in named(column) for word in name}
    days = [day for day in _DAYS if day[:_SHORT] in heads and day not in heads]
    if len(days) >= _FEWEST:
        several += [(regex(rf"\b{day}s?\b", re.I), day[:_SHORT]) for day in days]
    alike = [(column, kinds) for column in table.columns if (kinds := _alike(column))]
    for value, said in alike[0][1].items() if len(alike) == 1 else ():
        own = [word for word in said if word not in heads and form(word) != value.casefold()]
        several += [(regex(rf"\b(?:{'|'.join(own)})\b(?![”’'])", re.I), f"“{value}”")] if own else []
    return tuple(several)


def _alike(column: Column) -> Mapping[str, list[str]]:
    """What each value of a column is called, where it tells such things apart and nothing else."""
    if column.kind != "text" or not 1 < (column.distinct or 0) <= _MOST_VALUES:
        return {}
    kinds = {value: one for value in column.known for one in _words()["alike"] if value.casefold() in one["values"]}
    sure = len(kinds) == len(column.known) == column.distinct
    return {value: one["said"] for value, one in kinds.items()} if sure else {}


def otherwise_said(bare: str, table: Table) -> Iterator[str]:
    """``bare``, a sentence without what is idle around it, in other words of the same sense, where there are any."""
    ends = _AGAIN.split(bare)
    for said in (one for one in ends if one is ends[0] or not _POINTS.search(one)):
        text = _in_other_words(said, table)
        if text != bare:
            yield text


_AGAIN = regex(r"(?:,| -| –|:|;)? (?:ie|i\.e\.?|that is to say|in other words),? ", re.I)  # once more, in other words
_POINTS = regex(r"\b(?:it|them|they|those|these|that|this)\b", re.I)


def _in_other_words(bare: str, table: Table) -> str:
    text = _plainly(bare)
    text = _plainly(_named_apart(_without_places(text, table), table))
    for pattern, put in _patterns("whole"):
        if (found := pattern.fullmatch(text)) and (filled := _filled(put, text, table)):
            text = _without_places(re.sub(r"\s+", " ", found.expand(filled)).strip(), table)
    return _of_money(text, table)


def _plainly(text: str) -> str:
    for pattern, put in _patterns("part"):
        text = pattern.sub(put, text)
    return text


def _filled(put: str, text: str, table: Table) -> str:
    """With the one column that {MONEY} or {DAY} stands for; "" where none or several may be meant."""
    days = table.of_kind("date")
    for part, columns in (("{MONEY}", money_in(text, table)), ("{DAY}", days)):
        if part in put and (len(columns) != 1 or any(_names(text, one) for one in table.columns if one not in columns)):
            return ""
        put = put.replace(part, f"“{columns[0].called}”") if part in put else put
    return put


def money_in(text: str, table: Table) -> list[Column]:
    """What is paid, by the unit of its figures or its name; of several the one that the words are of."""
    several = [one for one in table.of_kind("number") if not id_like(one)]
    paid = [one for one in several if holds_money(one)]
    prices = [one for one in several if {"price", "fee", "rent", "fare", "charge"} & content(one)]
    found = paid or prices or [one for one in several if "cost" in content(one)]
    said = {stem(word) for word in words(text)}
    return [one for one in found if said & {stem(word) for word in content(one)}] if len(found) > 1 else found


def _without_places(text: str, table: Table) -> str:
    """Without "on the menu", where all rows are; "the menu" itself are the rows."""
    known = {word for column in table.columns for name in named(column) for word in name}
    known |= {word for column in table.columns for value in column.known for word in words(value)}
    places = [place for place in _words()["words"]["places"] if form(place) not in known]
    places += [word for word in words(table.name) if word not in known and len(words(table.name)) > 1][-1:]
    said = "|".join(places)
    ours = rf"(?:the|our|my|this|your) (?:whole )?(?:{said})\b(?! of\b)"
    text = re.sub(rf",? \b(?:on|in|from|off|at|of) {ours}", "", text, flags=re.I)
    return re.sub(rf"\b{ours}", "rows", text, flags=re.I)


def _named_apart(text: str, table: Table) -> str:
    """ "Sold on Sunday" of a column "Sold Sun" by its whole name, and so "the number for “Sold Sun”"."""
    said = tokens(text)
    spans = [(place, end, column) for column in table.columns for place, end in _spans(said, column)]
    for place, end, column in sorted(spans, key=lambda one: one[0], reverse=True):
        others = [one for one in spans if one[2] is not column and one[0] < end and place < one[1]]
        if not others:
            text = f"{text[: said[place].start]}“{column.called}”{text[said[end - 1].end :]}"
    text = _DATED.sub(lambda found: _of_day(found, table), text)
    for day in _DAYS:
        own = [one for one in table.columns if (day[:_SHORT],) in ((word,) for name in named(one) for word in name)]
        if len(own) == 1 and day[:_SHORT] in text:
            text = re.sub(rf"\b{day[:_SHORT]}\b(?![^“”]*”)", f"“{own[0].called}”", text, flags=re.I)
    figures = "|".join(_words()["words"]["figures"])
    return re.sub(rf"\b(?:{figures})s? (?:for|on|in|of) (?=“)", "", text, flags=re.I)


def day_called(text: str) -> str:
    """ "Monday" for the "mon" that headings have; other words as they are."""
    day = next((day for day in _DAYS if text.lower() == day[:_SHORT]), "")
    return day.capitalize() or text


def columns_named(text: str, table: Table) -> Column | None:
    """The one column that all words of ``text`` name, though others stand between them: "sell on Saturday"."""
    whole = re.fullmatch(r"“([^“”]+)”", _named_apart(in_table_words(text, table), table))
    found = [one for one in table.columns if whole and one.called == whole[1]]
    return found[0] if len(found) == 1 else None


_DATED = regex(r"\b(?P<said>[a-z]{3,}) (?:date|day)\b", re.I)


def _of_day(found: re.Match[str], table: Table) -> str:
    """The "joining date" of a column "Joined"; "order date" stays, where a column is called so."""
    days = table.of_kind("date")
    own = [one for one in days if stem(found["said"].lower()) in {stem(word) for word in content(one)}]
    return f"“{own[0].called}”" if len(own) == 1 and words(found[0]) != words(own[0].called) else found[0]


def _spans(said: list[Token], column: Column) -> Iterator[tuple[int, int]]:
    """Where the words of its name stand, with what means nothing between them."""
    own = {stem(word) for word in content(column)}
    between = _words()["words"]["between"]
    if len(own) < _FEWEST or column.kind not in ("number", "date"):
        return
    for place, token in enumerate(said):
        if token.kind != "word" or stem(token.word) not in own:
            continue
        seen: set[str] = set()
        for end in range(place, min(place + _LONGEST, len(said))):
            word = stem(said[end].word) if said[end].kind == "word" else ""
            if word not in own and said[end].text.casefold() not in between:
                break
            seen |= {word} & own
            if seen == own:
                yield place, end + 1
                break


def _of_money(text: str, table: Table) -> str:
    """ "Under £3" of the one price of the table, where its cost to the shop is another column."""
    prices = [one for one in table.of_kind("number") if {"price", "fee", "rent"} & content(one)]
    bound = r"(?:under|over|below|above|at least|at most|less than|more than|up to|for less than|for under)"
    found = re.search(rf"\b(?:are|is|with|for|that are)? ?(?P<bound>{bound} [$€£¥]\d[\d.,]*)$", text, re.I)
    if found is None or len(prices) != 1 or "“" in text:
        return text
    if any(_names(text[: found.start()], one) for one in table.columns):
        return text
    bound = re.sub(r"^for ", "", found["bound"], flags=re.I)
    return f"{text[: found.start()].rstrip()} with “{prices[0].called}” {bound}"


def _names(text: str, column: Column) -> bool:
    own = {*words(re.sub(r" ?\(.*\)$", "", column.called))} & content(column)
    return column.kind == "number" and bool(own & {*words(text)})
