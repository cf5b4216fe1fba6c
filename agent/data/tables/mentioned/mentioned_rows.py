"""Which rows of a table have what a question names together, as a selection of whole rows."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import islice, pairwise, product

from agent.data.tables.mentioned.mention_search import Place
from agent.data.tables.mentioned.mentioned_words import IDLE, Mention, last_word, plainly
from agent.data.tables.questions.observed import seen
from agent.data.tables.questions.table_lexicon import MONTHS, words
from agent.data.tables.questions.table_schema import Column, Filter, Table
from agent.data.tables.selected.selection import Condition, Figure, Selection, Worded
from agent.data.tables.selected.selection_sql import conditions_written
from agent.text.regex import regex

_MOST_SHOWN = 12  # columns of several rows
_MOST_OF_ONE = 24  # columns of one row
_MOST_COLUMNS = 3  # that one mention may be of
_MOST_TERMS = 8
_MOST_WAYS = 24
_MOST_ROWS = 12
_FEW = 4  # rows of a table of which all may be shown

_EMPTY = frozenset(["", "-", "–", "—", "NULL"])
_AUXILIARIES = "(?:did|does|do|is|was|are|were|has|have|had|can)"
_OF_ANY_TABLE = frozenset(["year", "date", "time", "place", "name", "kind", "type"])
_OF_ANY_ROW = frozenset(["result", "outcome", "detail", "record", "performance"])
_TITLED = frozenset(
    ["film", "movie", "show", "series", "song", "single", "album", "book", "game", "program", "programme"]
)
_POSSESSED = regex(r"\w['’]s?(?P<what>(?: [a-z]+){1,2})")
_WHICH = regex(rf"\b(?:what|which)(?P<what>(?: (?!{_AUXILIARIES}\b)[\w'’-]+){{1,4}}) {_AUXILIARIES}\b", re.I)
_WHERE = regex(r"^(?P<what>[a-z]+(?: [a-z]+)?) where\b")  # how a follow-up is told whole
_HOW = regex(r"\bhow (?:much|long|old|far|tall|big|heavy|often)(?P<what> [a-z]+)?", re.I)
_HOW_MANY = regex(r"\bhow many (?P<what>[a-z]+(?: [a-z]+)?)", re.I)
_WHAT_IS = regex(
    r"\bwhat(?:['’]s| is| was| are| were)(?: (?:the|his|her|their|its|an?))?(?P<what>(?: [a-z]+){1,5}?)"
    r"(?: (?:of|for|when|in|on|at|like|to|from|that|which|by|with|during|after)\b|[?. ]*$)",
    re.I,
)
_THE = regex(r"\bthe(?P<what>(?: [a-z]+){1,2})\b")
_SUBJECT = regex(r"(?:ok|and|,| )*(?:which|what|who)\b", re.I)
_AUXILIARY = regex(rf"\b{_AUXILIARIES}\b", re.I)
_ASKED = (_POSSESSED, _WHICH, _WHERE, _HOW, _HOW_MANY)

Term = tuple[Place, ...]
Way = tuple[Place, ...]
Cells = tuple[str, ...]


def terms(places: Sequence[Place], table: Table) -> list[Term]:
    """Each thing that is named, in the order of the question, with where it may be meant, the likeliest first."""
    found: list[Term] = []
    taken: set[int] = set()
    heads = {plainly(column.called) for column in table.columns}
    for mention in dict.fromkeys(place.mention for place in places):
        span = {*range(mention.first, mention.end)}
        if span & taken:
            continue
        taken |= span
        general = _of_all(mention, table) or mention.plain in heads
        own = [place for place in places if place.mention == mention and (place.whole or not general)]
        own.sort(key=lambda place: (not place.whole, -place.rows))
        rare = [place for place in (_rare(one, table) for one in own) if place]
        if rare:
            found.append(tuple(rare[:_MOST_COLUMNS]))
    found = [term for term in found if not _of_all(term[0].mention, table)] or found
    return sorted(found, key=lambda term: term[0].mention.first) if len(found) <= _MOST_TERMS else []


def _rare(place: Place, table: Table) -> Place | None:
    """The place, where it is no more than many rows; those alone that have nothing else in the cell, if need be."""
    most = max(_FEW, table.rows * 0.6)
    if place.rows <= most:
        return place
    return replace(place, rows=place.whole) if 0 < place.whole <= most else None


def _of_all(mention: Mention, table: Table) -> bool:
    """Whether it names what the whole table is of: "Kat" in a file of Kat Dennings."""
    return {*mention.plain.split()} <= {*plainly(f"{table.source} {table.caption}".replace("_", " ")).split()}


def ways(places: Sequence[Place], table: Table) -> list[Way]:
    """The ways to take them together, the likeliest first: each at one place, then without what has no capital."""
    return list(islice(_ways(terms(places, table)), _MOST_WAYS))


def _ways(several: Sequence[Term]) -> Iterator[Way]:
    named = [term for term in several if term[0].mention.named]
    for some in (several, named) if named else ():
        yield from sorted(product(*some), key=lambda way: sum(t.index(p) for t, p in zip(some, way, strict=True)))


def conditions(way: Way) -> list[Condition]:
    """What a row has to have; of several values of one column, one, but all of those that follow one another."""
    columns: dict[Column, list[Place]] = {}
    for place in way:
        columns.setdefault(place.column, []).append(place)
    found: list[Condition] = []
    for column, several in columns.items():
        named = [place for place in several if place.mention.named or " " in place.mention.plain]
        kept = [one for one in named if not _within(one, named)] or several
        of_one_cell = any(_is_next(one, other) for one, other in pairwise(kept))
        found += [_condition(column, some) for some in ([[one] for one in kept] if of_one_cell else [kept])]
    return found


def _is_next(one: Place, other: Place) -> bool:
    """Whether they are two words of one name or date, which a cell has otherwise: "November 633"."""
    return other.mention.first == one.mention.end and other.mention.follows


def _within(place: Place, several: Sequence[Place]) -> bool:
    """Whether its words are some of those of another."""
    return any({*place.mention.plain.split()} < {*one.mention.plain.split()} for one in several)


def _condition(column: Column, several: Sequence[Place]) -> Condition:
    values = [_value(place) for place in several]
    if all(values):
        return Filter(column, "=", tuple(values))
    if column.kind == "date" and all(len(place.mention.plain) == 4 for place in several):
        return Filter(column, "year", tuple(place.mention.plain for place in several))
    return Worded(column, tuple(place.mention.text for place in several))


def _value(place: Place) -> str:
    """What stands in the cells, where it is known and is all that stands in them."""
    if place.whole < place.rows or place.column.kind not in ("text", "number"):
        return ""
    plain = place.mention.plain
    if place.column.kind == "number":
        return plain if plain.isdigit() else ""
    known = {text for text in (*place.column.values, *place.column.examples) if plainly(text) == plain}
    return known.pop() if len(known) == 1 and place.column.complete else ""


def counts_asked(several: Sequence[Way], table: Table) -> str:
    """SQL that counts the rows of each way."""
    counted = (f"count(*) FILTER (WHERE {conditions_written(conditions(way), table)})" for way in several)
    named = ", ".join(f'{count} AS "way_{number}"' for number, count in enumerate(counted, 1))
    return f"SELECT {named} FROM {table.rows_sql}"


def fitting(observation: str, several: Sequence[Way], table: Table) -> tuple[Way, int] | None:
    """The likeliest way that has a few rows, and how many it has."""
    result = seen(observation, len(several))
    counts = [int(cell) if cell.isdigit() else 0 for cell in result.rows[0]] if result and result.rows else []
    for way, count in zip(several, counts, strict=False):
        if 0 < count <= _MOST_ROWS and (count < table.rows or table.rows <= _FEW):
            return way, count
    return None


def wants_another(text: str, table: Table, places: Sequence[Place]) -> bool:
    """Whether no column has what is asked of the rows: "Mabel's phone number", "what shoes did he wear?"."""
    known = _known(table, places)
    asked = [found for pattern in _ASKED for found in pattern.finditer(text)]
    alone = bool(_SUBJECT.match(text)) and not _AUXILIARY.search(text)  # "who carried", "which dogs snore"
    asked += _THE.finditer(text) if alone else ()
    if any(not known & {*words(found["what"] or "")} for found in asked):
        return True
    counted = _HOW_MANY.search(text)
    if counted and any({*words(counted["what"])} & {*words(one.name)} for one in table.of_kind("number")):
        return True  # which is a sum, where several rows have it
    number, last = last_word(text)
    met = known & {*words(last)} or any(place.mention.end > number for place in places)
    return alone and not met and last.islower()


def _known(table: Table, places: Sequence[Place]) -> set[str]:
    """The words of its columns, of what the table is called and of what was found in it."""
    known = {word for column in table.columns for word in (*words(column.name), *words(column.label))}
    known |= {*words(table.source), *words(table.caption), *_OF_ANY_TABLE}
    known |= _TITLED if known & {"title", "name", "work"} else frozenset()
    known |= {word for place in places for word in words(place.mention.text)}
    return known - (IDLE - _OF_ANY_TABLE)


def _lacks(found: Sequence[Cells], text: str, table: Table, places: Sequence[Place]) -> bool:
    """Whether neither a column nor a cell has what is asked: "what was the weather like on Ben Orla?"."""
    asked = [{*words(one["what"])} - IDLE for one in _WHAT_IS.finditer(text)]
    cells = {word for row in found for cell in row for word in words(cell)} if asked else set[str]()
    known = _known(table, places) | cells | _OF_ANY_ROW
    return any(one and not known & one for one in asked)


def rows_of(way: Way, count: int, table: Table, asked: str) -> Selection:
    """The rows as a whole, where a table has not too many columns for so many rows."""
    said = {*words(asked)}
    of_way = [place.column for place in way]
    named = [column for column in table.columns if said & {*words(column.name)}]
    first = dict.fromkeys([*table.columns[:2], *of_way, *named, *table.columns])
    kept = {*[*first][: _MOST_OF_ONE if count == 1 else _MOST_SHOWN]}
    shown = tuple(Figure(table, column) for column in table.columns if column in kept)
    return Selection(table, shown, tuple(conditions(way)))


def left_out(made: Selection) -> list[str]:
    """What the columns are called that are not shown."""
    shown = {figure.column for figure in made.shown}
    return [column.called for column in made.table.columns if column not in shown]


def passed_over(way: Way, possible: Sequence[Way]) -> str:
    """ ", but not “ivo”": what fills a cell by itself, but none in which stands what else is named."""
    met = {place.mention for place in way}
    whole = [place for place in possible[0] if place.whole == place.rows and place.column.kind == "text"]
    return "".join(f", but not “{place.mention.text}”" for place in whole if place.mention not in met)


def is_idle(found: Sequence[Cells], way: Way, made: Selection, text: str, places: Sequence[Place]) -> bool:
    """Whether the rows say nothing of what is asked, or nothing at all beside what they were found by."""
    met = {place.column for place in way}
    kept = [number for number, figure in enumerate(made.shown) if figure.column not in met]
    telling = [row for row in found if {row[number] for number in kept} - _EMPTY and len({*row} - _EMPTY) > 1]
    return len(telling) < max(1, len(found) - 1) or _lacks(found, text, made.table, places)


def nowhere(several: Sequence[Mention], places: Sequence[Place], table: Table) -> list[Mention]:
    """The longest of what is named that does not stand in the table at all, nor in its heads or what it is called."""
    found = {place for one in places for place in range(one.mention.first, one.mention.end)}
    heads = [f" {plainly(column.called)} " for column in table.columns]
    missing: list[Mention] = []
    for one in several:
        span = {*range(one.first, one.end)}
        whole = all(not word[0].islower() for word in one.text.split())
        if not one.plain.isdigit() and any(f" {one.plain} " in head for head in heads):
            found |= span
        if one.named and whole and not span & found and not _of_all(one, table):
            missing.append(one)
            found |= span
    return sorted(missing, key=lambda one: one.first)


def breaks_name(missing: Sequence[Mention], way: Way) -> bool:
    """Whether a name or a date stands there in part only: "Ines Holm" where there is another Ines, "May 720"."""
    pairs = [(one, place.mention) for one in missing for place in way]
    pairs = [(one, other) if one.first < other.first else (other, one) for one, other in pairs]
    return any(other.first == one.end and other.follows and _are_one(one.text, other.text) for one, other in pairs)


def _are_one(one: str, other: str) -> bool:
    names = all(text.replace(" ", "").isalpha() and text[0].isupper() for text in (one, other))
    return names or any(text.lower() in MONTHS for text in (one, other))
