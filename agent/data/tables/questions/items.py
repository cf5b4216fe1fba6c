"""What each word of a question can be for one table: a column, a value, a measure, a limit, or nothing to it."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import date
from functools import lru_cache
from itertools import pairwise
from typing import Literal, TypeAlias, cast

from agent.data.tables.questions.table_lexicon import (
    LONGEST_PHRASE,
    MONTHS,
    NUMBERS,
    PHRASES,
    Token,
    form,
    same,
    typed,
    words,
)
from agent.data.tables.questions.table_schema import Column, Table, row_words, tells_apart
from agent.data.tables.questions.values_said import says_all
from agent.text.quantities.units import CURRENCIES, measure_of

Role: TypeAlias = Literal[
    "measure", "extreme", "most", "implied", "top", "group", "order", "period", "time", "where", "also", "not", "null",
    "is", "operator", "between", "and", "which", "list", "rows", "chart", "against", "stop", "who", "periodic", "close",
    "sought", "does", "verb", "dated", "thing", "paid",
    "first", "column", "table", "value", "unknown", "number", "year", "month", "day", "next",
]  # fmt: skip
_COMMON = frozenset({"the", "a", "an", "of", "in", "is", "and", "by", "no", "id"})
_INITIAL = 2  # letters
_MOST_UNKNOWN = 4  # words of one value that no card shows


@dataclass(frozen=True, slots=True)
class Item:
    """``length`` tokens read as one thing; ``cost`` grows with the doubt."""

    role: Role
    text: str = ""
    column: Column | None = None
    length: int = 1
    cost: int = 0


def at(place: int, tokens: Sequence[Token], table: Table, today: date | None) -> tuple[Item, ...]:
    """All that begins at ``place``, the likeliest first: longer before shorter, names of the table before words."""
    return _at(place, tuple(tokens), table, today)


@lru_cache(maxsize=1024)  # many readers come by one word
def _at(place: int, tokens: tuple[Token, ...], table: Table, today: date | None) -> tuple[Item, ...]:
    months = [*_months(tokens[place], table)]
    found = [
        *months,
        *_columns(place, tokens, table),
        *_table(place, tokens, table),
        *_values(place, tokens, table),
        *_numbered(place, tokens, table),
        *_of_unit(place, tokens, table),
        *_phrases(place, tokens),
        *_from_to(place, tokens),
        *(one for one in _times(place, tokens, today) if not months or one.length > 1),
        *_number(tokens[place]),
    ]
    if tokens[place].kind == "quoted" and place and tokens[place - 1].word == "table":
        found = [item for item in found if item.role == "table"]
    found = list(_numbered(place, tokens, table)) or found  # "Apollo 8" is no 8
    found.sort(key=lambda item: (-item.length, item.cost))
    return tuple(found or [*_thing(place, tokens, table), *_unknown(place, tokens)])


def _columns(place: int, tokens: Sequence[Token], table: Table) -> Iterator[Item]:
    names = [(column, {words(column.name), words(column.label)}) for column in table.columns]
    if tokens[place].kind == "quoted":
        text = tokens[place].text.casefold()
        yield from (
            Item("column", one.name, one)
            for one in table.columns
            if text in (one.name.casefold(), one.label.casefold())
        )
        return
    longest = max((len(key) for _, keys in names for key in keys), default=0)
    for length in range(1, min(longest, len(tokens) - place) + 1):
        given = _words(tokens[place : place + length])
        if not given:
            return
        if length > 1:  # "the distance from the sun"
            given = (given[0], *(word for word in given[1:] if word != "the"))
        for column, keys in names:
            several = keys if not _is_done(place, tokens) else {key for key in keys if not _does(given[0], key[-1])}
            costs = [cost for key in several if (cost := _like(given, key)) is not None]
            if costs:
                yield Item("column", column.name, column, length, min(costs))


def _is_done(place: int, tokens: Sequence[Token]) -> bool:
    """Whether a word is of what was done several times: "the hires" are no hirers, "who hires" are."""
    return tokens[place].text.endswith("s") and place > 0 and tokens[place - 1].word not in ("who", "that", "which")


def _like(given: tuple[str, ...], key: tuple[str, ...]) -> int | None:
    """0 for the whole name, 1 for a part of it that says something, 2 and more for a misspelt one."""
    if not key:
        return None
    whole = same(given, key)
    if whole is not None:
        return 2 * whole
    if len(given) == len(key) == 1 and _does(given[0], key[0]):
        return 0
    if len(given) >= len(key) or all(word in _COMMON or word.isdigit() for word in given):
        return None
    for start in range(len(key) - len(given) + 1):
        wrong = same(given, key[start : start + len(given)])
        if wrong is not None and key[max(0, start - 1) : start] != ("per",):  # a rate per hour is no hours
            return 1 + 2 * wrong
    return None


_NO_DEEDS = frozenset({"cent", "corn", "low", "show", "met"})  # "corner" is nobody who corns


def _does(verb: str, name: str) -> bool:
    """Whether who does it has that name: "set" and "setter"."""
    return (
        len(verb) > 2
        and verb not in _NO_DEEDS
        and name in (f"{verb}er", f"{verb}{verb[-1:]}er", f"{verb}r", f"{verb}or")
    )


def _table(place: int, tokens: Sequence[Token], table: Table) -> Iterator[Item]:
    if tokens[place].kind == "quoted" and tokens[place].text == table.name:
        yield Item("table", table.name)
    for key in (words(table.name), *(row_words(column, table.rows) for column in table.columns)):
        yield from _called(key, place, tokens, table)
    people = tokens[place].word in _PEOPLE and any(_is_of_people(column, table) for column in table.columns)
    if people or any(_is_row_noun(tokens[place], column, table) for column in table.columns):
        yield Item("table", table.name)


_PEOPLE = frozenset({"people", "person", "staff", "employee", "member", "colleague"})
_OF_PEOPLE = _PEOPLE | {"name", "surname", "worker", "patient", "student", "guest", "pupil"}


def _is_of_people(column: Column, table: Table) -> bool:
    """Whether it names the one person that each row is of."""
    whose = _OF_PEOPLE & {*words(column.name), *words(column.label)}
    return bool(whose) and column.kind == "text" and tells_apart(column, table.rows) and column is table.columns[0]


def _is_row_noun(token: Token, column: Column, table: Table) -> bool:
    """Whether a plural names the rows by the text that each has its own of: the "pieces" of a list of pottery."""
    plural = token.kind == "word" and token.text[-1:] in "sS"
    return plural and tells_apart(column, table.rows) and (token.word,) in (words(column.name), words(column.label))


def _called(key: tuple[str, ...], place: int, tokens: Sequence[Token], table: Table) -> Iterator[Item]:
    for length in range(1, min(len(key), len(tokens) - place) + 1):
        cost = _like(_words(tokens[place : place + length]) or ("",), key)
        if cost is not None and cost <= 2:
            yield Item("table", table.name, None, length, cost)


def _values(place: int, tokens: Sequence[Token], table: Table) -> Iterator[Item]:
    for column in table.columns:
        for example in column.examples if column.kind == "text" else ():
            key = words(example)
            given = _words(tokens[place : place + len(key)]) if key else ()
            quoted = tokens[place].kind == "quoted" and tokens[place].text.casefold() == example.casefold()
            if quoted:
                yield Item("value", example, column)
            elif says_all(example, place, tokens, column):
                continue
            elif given and len(given) == len(key) and (wrong := same(given, key)) is not None:
                yield Item("value", example, column, len(key), 2 * wrong)
            elif len(key) > 1 and (length := _in_other_order(key, tokens[place : place + len(key) + 2])):
                yield Item("value", example, column, length, 2)


def _months(token: Token, table: Table) -> Iterator[Item]:
    """The month in the columns whose texts are all months: "February" is their "Feb"."""
    number = MONTHS.get(token.text.casefold().rstrip(".")) if token.kind == "word" else None
    for column in table.of_kind("text") if number else ():
        numbers = {MONTHS.get(text.casefold().rstrip("."), 0): text for text in column.known}
        if numbers and 0 not in numbers:
            longest = max(column.known, key=len)
            name = next(name for name, other in MONTHS.items() if other == number)
            name = name if len(longest) > 4 else name[:3]
            like = name.upper() if longest.isupper() else name if longest.islower() else name.capitalize()
            yield Item("value", numbers.get(number or 0, like), column)


_STEM = 4  # letters


def _in_other_order(key: tuple[str, ...], tokens: Sequence[Token]) -> int:
    """ "Landed on the moon" for "Moon landing": how many words have all of them, the first and last among them."""
    stems = {word[:_STEM] for word in key}
    said = [token.word[:_STEM] for token in tokens]
    for length in range(len(key), len(said) + 1):
        among = set(said[:length])
        if stems <= among and {said[0], said[length - 1]} <= stems and min(map(len, stems)) == _STEM:
            return length
    return 0


def _words(tokens: Sequence[Token]) -> tuple[str, ...]:
    return tuple(token.word for token in tokens) if all(token.kind in ("word", "number") for token in tokens) else ()


def _phrases(place: int, tokens: Sequence[Token]) -> Iterator[Item]:
    if tokens[place].text == ";":
        yield Item("next")
    for length in range(1, min(LONGEST_PHRASE, len(tokens) - place) + 1):
        several = tokens[place : place + length]
        if any(token.kind not in ("word", "mark") for token in several):
            return
        said = tuple(token.text.casefold() for token in several)
        meanings = PHRASES.get(said) or PHRASES.get((*said[:-1], form(said[-1]))) or ()
        for rank, (role, text) in enumerate(meanings):
            yield Item(cast("Role", role), text, None, length, rank)


def _from_to(place: int, tokens: Sequence[Token]) -> Iterator[Item]:
    """ "From longest to shortest": an order by the column that the first of the two is of."""
    said = [token.text.casefold() for token in tokens[place : place + 4]]
    if len(said) == 4 and (said[0], said[2]) == ("from", "to"):
        ends = [dict(PHRASES.get((word,), ())).get("implied", "") for word in (said[1], said[3])]
        if ends[0] and ends[1] and ends[0].split()[0] != ends[1].split()[0]:
            way, names = ends[0].split(" ", 1)
            yield Item("order", f"{'down' if way == 'max' else 'up'} {names}", None, 4)


def _times(place: int, tokens: Sequence[Token], today: date | None) -> Iterator[Item]:
    token = tokens[place]
    following = tokens[place + 1].text if place + 1 < len(tokens) else ""
    if day := _day_in_words([one.text for one in tokens[place : place + 4]]):
        yield day
    if token.kind == "day":
        yield Item("day", token.text.replace("/", "-"))
    elif token.kind == "month":
        year, month = token.text.split("-")
        if 1 <= int(month) <= 12:
            yield Item("month", f"{int(year)}-{int(month)}")
    elif token.kind == "number" and re.fullmatch(r"(?:1[89]|20|21)\d\d", token.text):
        yield Item("year", token.text)
    elif token.kind == "word" and (month := MONTHS.get(token.text.casefold().rstrip("."))):
        dated = re.fullmatch(r"(?:1[89]|20|21)\d\d", following)
        if dated:
            yield Item("month", f"{following}-{month}", None, 2)
        yield Item("month", f"0-{month}")
    elif today and token.word in ("this", "last", "previous") and following.casefold() in ("year", "month"):
        yield _relative(token.word == "this", following.casefold(), today)


def _day_in_words(said: Sequence[str]) -> Item | None:
    """ "1 June 1971", "June 1, 1971"; of the year 0 where none is said."""
    parts = [text.rstrip(".") for text in said if text != ","][:3]
    dated = len(parts) == 3 and re.fullmatch(r"(?:1[89]|20|21)\d\d", parts[2])
    first, second, year = (*parts[:2], parts[2] if dated else "0") if len(parts) > 1 else ("", "", "0")
    length = 2 if not dated else 3 + ("," in said[:3])
    month, number = (
        (MONTHS.get(second.casefold()), first) if first.isdigit() else (MONTHS.get(first.casefold()), second)
    )
    if not month or not re.fullmatch(r"[0-3]?\d", number):
        return None
    return Item("day", f"{year}-{month:02}-{int(number):02}", None, length)


def _relative(current: bool, unit: str, today: date) -> Item:
    if unit == "year":
        return Item("year", str(today.year - (not current)), None, 2)
    month = today.year * 12 + today.month - 1 - (not current)
    return Item("month", f"{month // 12}-{month % 12 + 1}", None, 2)


def _number(token: Token) -> Iterator[Item]:
    if token.kind == "number":
        text = token.text.lstrip("$€£¥").replace(",", "").rstrip("% ")
        factor = {"k": 1_000, "m": 1_000_000}.get(text[-1:].lower(), 1)
        yield Item("number", text if factor == 1 else f"{float(text[:-1]) * factor:.15g}")
    elif token.kind == "word" and token.text.casefold() in NUMBERS:
        yield Item("number", str(NUMBERS[token.text.casefold()]))


def _numbered(place: int, tokens: Sequence[Token], table: Table) -> Iterator[Item]:
    """ "Apollo 13", where a column has "Apollo 7" and the like."""
    examples = (words(example) for column in table.of_kind("text") for example in column.examples)
    given = _words(tokens[place : place + 2])
    if (
        len(given) == 2
        and given[1].isdigit()
        and any(len(said) == 2 and said[0] == given[0] and said[1].isdigit() for said in examples)
    ):
        apart = " " * (tokens[place + 1].start - tokens[place].end)  # none in "B2"
        yield Item("unknown", f"{tokens[place].text}{apart}{given[1]}", None, 2, 1)


def _of_unit(place: int, tokens: Sequence[Token], table: Table) -> Iterator[Item]:
    """ "Euros" behind a number or "how many": the one column whose figures are in them."""
    if (
        not place
        or not (tokens[place - 1].kind == "number" or tokens[place - 1].word in ("many", "much"))
        or tokens[place].kind != "word"
    ):
        return
    word = tokens[place].text.casefold()
    names = {one.name for one in measure_of(word)} | {CURRENCIES.get(word, ""), word} - {""}
    columns = [column for column in table.of_kind("number") if names & {column.unit, *words(column.label)}]
    if len(columns) == 1:
        yield Item("column", columns[0].name, columns[0])


def _thing(place: int, tokens: Sequence[Token], table: Table) -> Iterator[Item]:
    """ "Which missions …": what the rows are, where nothing is called so."""
    before = tokens[place - 1].text.casefold() if place else ""
    word = tokens[place].text.casefold() if tokens[place].kind == "word" else ""
    if (before == "which" and word.endswith("s")) or word == "sales":
        yield Item("thing", table.name, None, 1, 3)
    stem = re.sub(r"(?:ed|ing)$", "", word)
    if len(stem) < len(word) and len(stem) > 3 and any(name.startswith(stem) for name in words(table.name)):
        yield Item("stop", "", None, 1, 1)  # "ordered" of a table of orders


def _unknown(place: int, tokens: Sequence[Token]) -> Iterator[Item]:
    """A text that could be a value: in quotation marks, or up to four words."""
    token = tokens[place]
    if token.kind == "quoted":
        yield Item("unknown", token.text, cost=0)
        return
    if token.kind != "word":
        return
    run = 1
    for one, other in pairwise(tokens[place : place + _MOST_UNKNOWN]):
        initial = other.gap == ". " and len(one.text) <= _INITIAL and one.text[0].isupper()  # "St. John"
        if other.kind != "word" or (other.start > one.end + 1 and not initial) or (other.text.casefold(),) in PHRASES:
            break
        run += 1
    for length in range(run, 0, -1):
        yield Item("unknown", typed(tokens[place : place + length]), None, length, 1)
