"""A question and its tables: the selection of rows that it asks for, where each of its words is accounted for."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import islice

from agent.data.tables.questions.table_lexicon import Token, tokens
from agent.data.tables.questions.table_schema import Filter, Table, tells_apart
from agent.data.tables.selected.selection import Condition, Figure, Linked, Selection
from agent.data.tables.selected.selection_heads import Sofar, heads
from agent.data.tables.selected.selection_tails import grouped_at, tails
from agent.data.tables.selected.sentence_words import Sentence
from agent.data.tables.selected.shown_items import items
from agent.data.tables.selected.simple_selection import as_asked
from agent.data.tables.worded.other_columns import of_other_column
from agent.data.tables.worded.rates_and_debts import tells_other_money
from agent.text.regex import regex

_LONGEST = 60  # words


_MOST_WAYS = 400  # of reading one question about one table


def selected(text: str, tables: Sequence[Table]) -> Selection | None:
    """The one selection that the words fit best; ``None`` where words are left over, or two fit as well."""
    if _LEANS.search(text):
        return None
    first, told = _two_sentences(text)
    sentence = Sentence(tuple(_tokens(first)), tuple(tables))
    if not sentence.said or len(sentence.said) > _LONGEST:
        return None
    found: list[Selection] = []
    for table in sentence.tables:
        found += islice(_of_table(table, sentence), _MOST_WAYS)
    least = min((one.cost for one in found), default=0)
    best = list(dict.fromkeys(one for one in found if one.cost == least))
    named = _first_named(sentence)
    best = best if len(best) == 1 else [one for one in best if one.table == named]
    made = best[0] if len(best) == 1 else None
    if made and (_says_nothing(made) or _tells_other(text, made)):
        return None
    return _showing(made, told, tables) if made and told else made


def _tells_other(text: str, made: Selection) -> bool:
    """Whether other figures would be told, or figures and days alone for "who"."""
    simple = as_asked(replace(made, different=False))
    figures = all(one.column and one.column.kind in ("number", "date") for one in made.shown)
    of_nobody = figures and re.match(r"who\b", text, re.I) is not None
    return of_nobody or bool(simple and (tells_other_money(text, simple) or of_other_column(text, simple)))


def _says_nothing(made: Selection) -> bool:
    """Whether only "yes" and "no" would be told, of rows that have both, or of each row that it is one."""
    counted = [one for one in made.shown if one.function]
    if made.orders and made.groups and counted and all(one.function == "count" and not one.column for one in counted):
        return any(one.column and tells_apart(one.column, made.table.rows) for one in made.groups)
    return made.different and all(one.column and one.column.kind == "boolean" for one in made.shown)


# What leans on a question before, or asks two things.
_LEANS = regex(
    r"^(?:what|who|where|when|how)\b[^,]*?\b(?:his|her|hers|him|he|she|it|its|they|them)\b"
    r"|\band (?:which|what|who|whose|when|where)\b|\b(?:chart|plot|graph|draw|diagram|percent|percentage|share of)\b",
    re.I,
)


def _first_named(sentence: Sentence) -> Table | None:
    """The table that is named first, whose rows are most likely meant."""
    places = range(len(sentence.said))
    return next((entity.table for place in places for entity in sentence.entities(place)), None)


_TOLD = regex(
    r"(?P<first>.+?[.?!;])\s+(?P<told>(?:also,? )?(?:give|list|show|find|return|tell|include|what (?:is|are))\b.+)",
    re.I | re.S,
)


def _two_sentences(text: str) -> tuple[str, str]:
    """ "Which shop has the most employees? Give me the shop name.": the question, and what is to be told."""
    found = _TOLD.fullmatch(text.strip())
    return (found["first"], found["told"]) if found else (text, "")


def _showing(made: Selection, told: str, tables: Sequence[Table]) -> Selection | None:
    """The same rows, with what the second sentence names."""
    sentence, table = Sentence(tuple(_tokens(told)), tuple(tables)), made.table
    own = [one for one in made.shown if one.function]
    for start in _leads(0, sentence):
        for shown, end, cost, _ in items(start, table, sentence, ()):
            plain = tuple(one for one in shown if not one.function)
            whole = end == len(sentence.said) and len(plain) + len(own) >= len(shown)
            if whole and (not made.groups or {*plain} <= {*made.groups}):
                return replace(made, shown=(*plain, *own), cost=made.cost + cost)
    return None


def _tokens(text: str) -> list[Token]:
    return [token for token in tokens(text) if token.kind != "mark" or token.text in (",", "=")]


def _of_table(table: Table, sentence: Sentence) -> Iterator[Selection]:
    for start in _leads(0, sentence):
        for sofar, place in heads(start, table, sentence):
            yield from _ended(place, sofar, sentence)
    # "For each stadium, how many concerts …"
    for sofar, place in grouped_at(0, Sofar(Selection(table)), sentence):
        for start in _leads(sentence.past(place, ","), sentence):
            for head, behind in heads(start, table, sentence):
                yield from _ended(behind, head.adding(sofar.made.cost, groups=sofar.made.groups), sentence)


def _ended(place: int, sofar: Sofar, sentence: Sentence) -> Iterator[Selection]:
    """With every way to read the words from ``place`` on."""
    yield from filter(None, (_finished(end, sentence) for end in tails(place, sofar, sentence)))


def _leads(place: int, sentence: Sentence) -> list[int]:
    """Where what is shown may begin."""
    places = [place]
    for end in sentence.after("phrases", "lead", place):
        places += [end, *sentence.after("phrases", "lead", end)]
    return list(dict.fromkeys(places))


def _finished(sofar: Sofar, sentence: Sentence) -> Selection | None:
    """The selection, where what is shown, put together and grouped goes together."""
    made = _of_named(sofar.made, sentence)
    if made is None or _contradicts(made.conditions) or _shows_itself(made):
        return None
    plain = [one for one in made.shown if not one.function]
    own = [one for one in made.shown if one.function and one.table == made.table]
    others = [one for one in made.shown if one.function and one.table != made.table]
    if made.groups:
        return _grouped(made, plain, others)
    if own and plain:
        single = len(plain) == 1 and plain[0].table == made.table and all(one.column is None for one in own)
        return replace(made, groups=tuple(plain), cost=made.cost + 1) if single else None
    return None if others and not plain and not own else made


def _of_named(made: Selection, sentence: Sentence) -> Selection | None:
    """``None`` where the question names the rows of another table; values alone are told once each."""
    places = range(len(sentence.said))
    said = [entity.table for place in places for entity in sentence.entities(place)]
    shows = [one.table for one in made.shown if not one.function]
    if said and said[0] != made.table and shows and made.table not in shows:
        return None  # "the names of the stadiums without …" are no concerts
    if made.table in said:
        return made
    if said or any(one.table != made.table for one in made.shown) or any(map(_denies, made.conditions)):
        return None  # "the countries that play no cartoon" are no rows of channels
    if not (made.conditions or made.orders or made.groups or any(one.function for one in made.shown)):
        return None  # "what is the pay?"
    alone = made.conditions and not any(one.function for one in made.shown) and not made.orders
    return replace(made, different=made.different or bool(alone))


def _grouped(made: Selection, plain: Sequence[Figure], others: Sequence[Figure]) -> Selection | None:
    if made.having is None and not any(one.function for one in made.shown):
        return None
    more = [one for one in plain if one not in made.groups]
    if any(one.table != made.groups[0].table for one in more):
        return None
    groups = (*made.groups, *more)
    made = replace(made, groups=groups, shown=(*(one for one in groups if one not in made.shown), *made.shown))
    if any(one.function == "count" for one in others):
        return replace(made, groups=()) if made.groups[0].table == made.table else None
    return made


def _shows_itself(made: Selection) -> bool:
    """Whether it asks for yes and no of the rows that have yes: "what is grown under cover"."""
    shown = {one.column for one in made.shown}
    picking = {one.column for one in made.conditions if isinstance(one, Filter)}
    return len(shown) == 1 and shown <= picking and all(one and one.kind == "boolean" for one in shown)


def _denies(one: Condition) -> bool:
    return (isinstance(one, Linked) and one.negated) or (isinstance(one, Filter) and one.operator in ("<>", "not find"))


def _contradicts(conditions: Sequence[Condition]) -> bool:
    """Whether no row can be both: born before 1945 and after 1955."""
    filters = [one for one in conditions if isinstance(one, Filter)]
    if any(_contradicts(one.conditions) for one in conditions if isinstance(one, Linked)):
        return True
    for one in filters:
        for other in filters:
            if one.column == other.column and one != other and one.operator == other.operator == "=":
                return True
            bounds = one.operator in (">", ">=") and other.operator in ("<", "<=") and one.column == other.column
            if bounds and one.column and one.column.kind == "number" and float(one.values[0]) >= float(other.values[0]):
                return True
    return False
