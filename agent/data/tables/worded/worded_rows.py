"""Words that say which rows are meant, each of them accounted for: "the unpaid orders that went to Dublin in May"."""

from __future__ import annotations

import heapq
import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from datetime import date
from itertools import count

from agent.data.tables.questions.items import at
from agent.data.tables.questions.table_lexicon import MONTHS, NUMBERS, PHRASES, Token, tokens, words
from agent.data.tables.questions.table_schema import (
    Column,
    Filter,
    Operator,
    Table,
    id_like,
    span,
)
from agent.data.tables.worded.light_words import lightly_said, phrases_of
from agent.data.tables.worded.rows_compared import compared, timed
from agent.data.tables.worded.rows_said import Mention, Rows, filtered, items_in, number_in
from agent.data.tables.worded.worded_columns import (
    EXACT,
    PART,
    WORDS,
    columns_at,
    content,
    month,
    named,
    names_of_rows,
    says_figure,
    typed_at,
    yes_no_at,
)
from agent.text.quantities.units import measure_of
from agent.text.regex import regex

_ONLY = ("only", "just", "exclusively")
_BASE = regex(r"(?!\w*(?:ed|en|id)\b)[a-z]+", re.I)  # what they "do pay" is not what they have paid
_NOT_ONLY = regex(r"\b(?:not|no|neither) (?:\w+ )?(?:only|just|exclusively)\b", re.I)
_MOST_STEPS = 1500
_MOST_WORDS = 3  # of a value that no card shows
_UNKNOWN, _PART = 3, 1  # costs
_PAY = ("pay", "pays", "paid")
_NO_VALUE = frozenset(WORDS["words"]["no_value"])


def rows_of(text: str, table: Table, today: date | None, kinds: Sequence[str] = (), must: str = "") -> Rows | None:
    """What all words of ``text`` say together; ``None`` where one is not accounted for, or two readings are alike.

    ``kinds``: those of the columns that may be asked for, where not all are. ``must``: the kind of one that has to be.
    """
    every = tokens(text)
    said = [token for token in every if token.text.casefold() not in _ONLY]  # single rows are of nothing else
    if len(said) < len(every) and _NOT_ONLY.search(text):
        return None
    waiting: list[tuple[int, int, int, Rows]] = [(0, 0, 0, Rows())]
    order, best, steps = count(1), list[Rows](), 0
    while waiting and steps < _MOST_STEPS:
        cost, _, place, rows = heapq.heappop(waiting)
        steps += 1
        if best and cost > best[0].cost:
            break
        if place >= len(said):
            done = _settled(rows, table)
            if done and must and all(one.column.kind != must for one in done.asked):
                continue
            if done and kinds and any(one.column.kind not in kinds for one in done.asked):
                continue
            if done and all(done != other for other in best):
                best.append(done)
            continue
        for length, found in _steps(place, said, rows, table, today):
            heapq.heappush(waiting, (found.cost, next(order), place + length, found))
    meanings = {(one.filters, tuple(mention.column for mention in one.asked)) for one in best}
    return best[0] if len(meanings) == 1 else None


def _settled(rows: Rows, table: Table) -> Rows | None:
    """With each column that was named put to its filter."""
    if rows.negated or rows.link:
        return None
    filters, asked = list(rows.filters), list(rows.asked)
    days = [one.column for one in asked if one.column.kind == "date"]
    dates = [column for column in table.columns if column.kind == "date"]
    for place, one in enumerate(filters):
        if one.column is not None:
            continue
        if one.operator not in ("find", "not find"):
            own = days if len(set(days)) == 1 else dates
            if len(own[:2]) != 1 and not (days and len(set(days)) == 1):
                return None
            filters[place] = replace(one, column=own[0])
        else:
            verbs = [mention.column for mention in asked if mention.verb and mention.column.kind == "text"]
            if (
                len(verbs) == 1
                and len([1 for each in filters if each.operator in ("find", "not find")]) == 1
                and (all(each.column != verbs[0] for each in filters))
                and table.columns[0] not in verbs
                and rows.named
            ):
                filters[place] = replace(one, column=verbs[0])
    bound = {one.column for one in filters}
    return replace(rows, filters=tuple(filters), asked=tuple(one for one in asked if one.column not in bound))


def _steps(
    place: int, said: Sequence[Token], rows: Rows, table: Table, today: date | None
) -> Iterator[tuple[int, Rows]]:
    """Every way to account for the next words."""
    yield from _little_words(place, said, rows)
    yield from lightly_said(place, said, rows, table)
    yield from _nouns(place, said, rows, table, today)
    yield from _yes_no(place, said, rows, table)
    yield from _values(place, said, rows, table)
    yield from _so_many(place, said, rows, table)
    yield from _weekdays(place, said, rows, table, today)
    yield from _figure_of(place, said, rows, table)
    yield from _months(place, said, rows, table)
    yield from _columns(place, said, rows, table)
    yield from compared(place, said, rows, table)
    yield from _years(place, said, rows, table, today)
    yield from timed(place, said, rows, table, today)
    yield from _unknown(place, said, rows, table)


def _little_words(place: int, said: Sequence[Token], rows: Rows) -> Iterator[tuple[int, Rows]]:
    for phrase in phrases_of("idle"):
        if typed_at(place, said, phrase):
            yield len(phrase), rows
    if typed_at(place + 1, said, ("of",)) and typed_at(place, said, ("kind",)):
        yield 2, rows
    for phrase in phrases_of("prepositions"):
        if typed_at(place, said, phrase) and (rows.link in ("", "and", "or") or rows.link == "prep of"):
            link = rows.link if rows.link in ("and", "or") else f"prep {phrase[0]}"
            yield len(phrase), replace(rows, link=link)
    for phrase in phrases_of("not"):
        if typed_at(place, said, phrase) and not rows.negated and rows.link != "or":
            yield len(phrase), replace(rows, negated=True, link="", chain=None)
    word = said[place].text.casefold()
    links = rows.last == "filter" or (rows.last == "noun" and word != "or")
    if word in ("and", "or", ",", "&") and links and not rows.negated and rows.link in ("", "and"):
        yield 1, replace(rows, link="or" if word == "or" else "and")
    if word == "but" and not rows.negated and not rows.link:
        yield 1, replace(rows, link="and", chain=None, chained_not=False)


def _nouns(
    place: int, said: Sequence[Token], rows: Rows, table: Table, today: date | None
) -> Iterator[tuple[int, Rows]]:
    made = replace(rows, named=True, link="", last="noun") if rows.link != "or" and not rows.negated else None
    word = said[place].text.casefold()
    generic = [*WORDS["words"]["rows"], *(WORDS["words"]["people"] if of_people(table) else ())]
    if made and word in generic:
        yield 1, made
        return
    for item in at(place, said, table, today) if made else ():
        if made and item.role == "table" and item.cost <= 1 and item.text:
            yield item.length, replace(made, cost=made.cost + item.cost)
    day = table.columns[0].kind == "date" and table.columns[0] in names_of_rows(table)
    if made and day and said[place].word in ("day", "date"):
        yield 1, made
    before = said[place - 1].text.casefold() if place else ""
    own_name = words(table.name)
    if made and before in ("the", "this", "our", "my") and said[place].word == own_name[-1] and len(own_name) > 1:
        yield 1, replace(rows, link="")  # "the class" of a table "spanish class"
    if made and said[place].word in own_name[:-1] and before != "of":
        yield 1, made  # the animals of an "animal shelter"
    for noun in WORDS["noun"] if made else ():
        own = any(content(column) & {*noun["names"]} for column in table.columns)
        if made and own and said[place].word in noun["said"]:
            yield 1, made
    for column in table.columns[:2] if made else ():
        own = column.distinct == table.rows and not column.nulls and (column.kind == "text" or column.numbered)
        name = tuple(word for word in words(column.name) if not word.isdigit())
        if made and own and name and name == tuple(token.word for token in said[place : place + len(name)]):
            yield len(name), made


def of_people(table: Table) -> bool:
    """Whether each row is a person, by its first heading."""
    names = {
        "name",
        "member",
        "employee",
        "person",
        "patient",
        "student",
        "player",
        "sailor",
        "guest",
        "customer",
        "tenant",
        "pupil",
        "singer",
        "driver",
    }
    return bool(names & {*words(table.columns[0].name)})


def _does(place: int, said: Sequence[Token]) -> bool:
    return bool({"do", "does"} & {token.text.casefold() for token in said[:place]})


def _tells_paid(table: Table) -> bool:
    return any(one.kind == "boolean" and "paid" in content(one) for one in table.columns)


def _names_one(token: Token, table: Table) -> bool:
    """Whether a plural is of a thing that a column of yes and no names in the singular."""
    return any((token.word,) == name[:1] and one.kind == "boolean" for one in table.columns for name in named(one))


def _yes_no(place: int, said: Sequence[Token], rows: Rows, table: Table) -> Iterator[tuple[int, Rows]]:
    answer = said[place].text.casefold()
    if answer in ("yes", "no") and place + 2 < len(said) and said[place + 1].text.casefold() in ("under", "for", "in"):
        for column, holds, length in yes_no_at(place + 2, said, table):
            for made in filtered(rows, Filter(column, "true", ("true" if answer == "yes" else "false",))):
                if holds and not rows.negated:
                    yield length + 2, made
    if not place and said[0].text.casefold() != said[0].word and _names_one(said[0], table):
        return  # "how many pubs did we go to"
    does = _does(place, said) and _BASE.fullmatch(said[place].text)
    for column, holds, length in yes_no_at(place, said, table) if not does or rows.negated else ():
        if rows.chain == column and rows.link not in ("and", "or") and holds and not rows.negated:
            yield length, replace(rows, link="")  # "have not paid their dues" of the column "Dues paid"
            continue
        true = holds != rows.negated
        before = rows if holds else replace(rows, chained_not=False)  # "unpaid and unshipped"
        for made in filtered(before, Filter(column, "true", ("true" if true else "false",))):
            yield length, made


def _values(place: int, said: Sequence[Token], rows: Rows, table: Table) -> Iterator[tuple[int, Rows]]:
    operator: Operator = "<>" if rows.negated else "="
    for column in table.columns:
        if column.kind != "text" or not _may_follow(rows, column, table) or _weekday(said[place]):
            continue
        for value in (*column.examples, *(one for one in column.values if one not in column.examples)):
            if length := _says(place, said, value):
                own = columns_at(place + length, said, table) if place + length < len(said) else []
                length += any(one.column is column and one.length == 1 for one in own)  # "on the bride's side"
                for made in filtered(rows, Filter(column, operator, (value,))):
                    yield length, made
        parts = [
            value for value in column.values if said[place].kind == "word" and said[place].word in words(value)[:1]
        ]
        if column.complete and len(parts) == 1 and len(said[place].word) > _MOST_WORDS - 1 and len(words(parts[0])) > 1:
            for made in filtered(rows, Filter(column, operator, (parts[0],)), _PART):
                yield 1, made


def _so_many(place: int, said: Sequence[Token], rows: Rows, table: Table) -> Iterator[tuple[int, Rows]]:
    """ "The two Saturdays" of a table that has two."""
    number = number_in(place, said)
    if not number.isdigit() or place + 1 >= len(said) or rows.negated:
        return
    for column in table.columns:
        for value, rows_of_it in zip(column.values, column.counts, strict=False) if column.kind == "text" else ():
            if rows_of_it == int(number) and (_says(place + 1, said, value) or _is_weekday(said[place + 1], value)):
                yield 1, rows


_DAYS = ("monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday")


def _weekday(token: Token) -> str:
    """The day that "Saturdays" names; "" for other words."""
    named = token.text.casefold().removesuffix("'s").removesuffix("s")
    return named if named in _DAYS else ""


def _is_weekday(token: Token, value: str) -> bool:
    """Whether "Saturdays" are those of a value "Sat"."""
    known = value.casefold().rstrip(".")
    return len(known) > 2 and _weekday(token).startswith(known)


def _weekdays(
    place: int, said: Sequence[Token], rows: Rows, table: Table, today: date | None
) -> Iterator[tuple[int, Rows]]:
    """ "On Mondays" of a column that has "Mon" and the like; "on Saturday 14 November" is told by its date."""
    if not _weekday(said[place]):
        return
    told = [one.text for one in items_in(place + 1, said, today) if one.role == "day"] if place + 1 < len(said) else []
    if told:  # "on Saturday 14 November"
        dates = [one for one in table.columns if one.kind == "date" and one.least[:4] == one.most[:4]]
        known = [span(re.sub("^0-", f"{one.least[:4]}-", told[0])) for one in dates]
        if known and known[0] and _DAYS[date.fromisoformat(known[0][0]).weekday()] == _weekday(said[place]):
            yield 1, rows
        return
    for column in table.columns:
        days = all(any(day.startswith(value.casefold().rstrip(".")) for day in _DAYS) for value in column.values)
        for value in column.values if column.kind == "text" and column.complete and days else ():
            if _is_weekday(said[place], value):
                for made in filtered(rows, Filter(column, "<>" if rows.negated else "=", (value,))):
                    yield 1, made


def _figure_of(place: int, said: Sequence[Token], rows: Rows, table: Table) -> Iterator[tuple[int, Rows]]:
    """ "The mark for test 2", "the number of helpers": of a column that is named then."""
    behind = place + 2 + typed_at(place + 2, said, ("the",))
    if behind < len(said) and said[place + 1].text.casefold() in ("for", "in", "of", "on"):
        own = [one.column for one in columns_at(behind, said, table)]
        if any(says_figure(said[place].word, column) for column in own):
            yield behind - place, rows


def _months(place: int, said: Sequence[Token], rows: Rows, table: Table) -> Iterator[tuple[int, Rows]]:
    """ "In December" of a column that has "Dec" and the like."""
    word = said[place].word
    if word not in MONTHS:
        return
    for column in table.columns:
        known = [one.casefold() for one in (*column.examples, *column.values)]
        if column.kind == "text" and len(known) > _MOST_WORDS and all(one in MONTHS for one in known):
            full = (
                next(name for name in MONTHS if len(name) > 3 and month(name) == month(word))
                if "may" not in word
                else "may"
            )
            style = max(known, key=len)
            value = (full if len(style) > 4 else month(full)).capitalize()
            for made in filtered(rows, Filter(column, "<>" if rows.negated else "=", (value,))):
                yield 1, made


def _may_follow(rows: Rows, column: Column, table: Table) -> bool:
    """ "From Rome" is none of the column "To", where another one is called "From"."""
    said = rows.link.removeprefix("prep ")
    own = [one for one in table.columns if one.kind == "text" and one.label.casefold() == said]
    return not own or column in own


def _says(place: int, said: Sequence[Token], value: str) -> int:
    if said[place].kind == "quoted":
        return int(said[place].text.casefold() == value.casefold())
    key = words(value)
    if len(key) == 1 and said[place].text.casefold() in {
        f"{key[0]}{end}" for end in ("y", f"{key[0][-1]}y", "ed", "ing")
    }:
        return 1  # "sunny", "rainy", "rained"
    return len(key) if key and key == tuple(token.word for token in said[place : place + len(key)]) else 0


def _columns(place: int, said: Sequence[Token], rows: Rows, table: Table) -> Iterator[tuple[int, Rows]]:
    for meant in columns_at(place, said, table):
        column = meant.column
        if column.kind == "boolean" or (column.numbered and meant.cost > PART):
            continue
        if meant.verb and said[place].word in _PAY and _tells_paid(table) and not _does(place, said):
            continue  # what they paid are not all of the amounts, where a column tells which are paid
        number = number_in(place + meant.length, said)
        if number and column.kind == "number" and id_like(column) and rows.link != "or":
            for made in filtered(rows, Filter(column, "<>" if rows.negated else "=", (number,)), meant.cost):
                yield meant.length + 1, replace(made, named=made.named or column.numbered)
        if rows.negated and (column.nulls or (column.kind == "number" and column.least == "0")):
            told = said[place + meant.length - 1].word in WORDS["words"]["figure"] or said[place - 1].word in (
                "missing",
                "lacking",
            )
            if column.nulls and column.least == "0" and not told:
                continue  # "no visits" may be a figure of 0, or none
            none = Filter(column, "null") if column.nulls else Filter(column, "=", ("0",))
            for made in filtered(replace(rows, negated=False), none, meant.cost):
                yield meant.length, replace(made, chained_not=True)
        if rows.link == "or" or (rows.negated and not meant.verb):
            continue
        mention = Mention(column, place, meant.verb)
        own = meant.cost == EXACT and (column.numbered or (column.distinct == table.rows and column.kind == "text"))
        day = table.columns[0].kind == "date" and said[place].word in ("day", "date")
        own = own or day or (column.kind == "text" and said[place].word in words(table.name)[:-1])
        yield (
            meant.length,
            replace(
                rows, asked=(*rows.asked, mention), cost=rows.cost + meant.cost + own, last="mention",
                link=rows.link if meant.verb and not rows.link.startswith("prep") else "",
            ),
        )  # fmt: skip


def _years(
    place: int, said: Sequence[Token], rows: Rows, table: Table, today: date | None
) -> Iterator[tuple[int, Rows]]:
    """ "Last year" of a table that has a column for each year."""
    for item in items_in(place, said, today):
        for column in table.columns if item.role == "year" and item.length > 1 and not rows.negated else ():
            if column.kind == "number" and column.called == item.text and rows.link != "or":
                yield item.length, replace(rows, asked=(*rows.asked, Mention(column, place)), link="", last="mention")


def _unknown(place: int, said: Sequence[Token], rows: Rows, table: Table) -> Iterator[tuple[int, Rows]]:
    """A text that no card shows, where a value may stand: it is looked for in the table before anything is said."""
    operator: Operator = "not find" if rows.negated else "find"
    if said[place].kind == "quoted":
        for made in filtered(rows, Filter(None, operator, (said[place].text,)), 1):
            yield 1, made
    before = said[place - 1].text.casefold() if place else ""
    fits = rows.link.startswith("prep") or before in ("does", "did", "has", "is", "was", "the") or rows.chain is None
    for length in range(1, _MOST_WORDS + 2):
        several = said[place : place + length]
        last = several[-1]
        numbered = length > 1 and (last.kind == "number" or bool(_OF_NUMBER.fullmatch(last.text)))
        if len(several) < length or not (numbered or _may_be_name(last, table)):
            return
        if length > _MOST_WORDS and not numbered:
            return
        if place + length < len(said) and said[place + length].start == last.end:
            continue  # "2a" is one
        capital = all(token.text[:1].isupper() or token.text[:1].isdigit() for token in several) and place > 0
        if not (
            capital or (fits and rows.last != "filter" and (rows.link.startswith("prep") or before in ("does", "did")))
        ):
            continue
        text = _joined(several)
        for made in filtered(rows, Filter(None, operator, (text,)), _UNKNOWN + length - capital - numbered):
            yield length, made


_OF_NUMBER = regex(r"[a-z]", re.I)  # 17b
_SHORT = {"rd": "Road", "ave": "Avenue", "ln": "Lane"}


def _joined(several: Sequence[Token]) -> str:
    """As it was typed, "17b" in one."""
    text, end = "", several[0].start
    for token in several:
        text += (" " if token.start > end else "") + _SHORT.get(token.text.casefold(), token.text)
        end = token.end
    return text


def _may_be_name(token: Token, table: Table) -> bool:
    word = token.text.casefold()
    little = any((word,) in phrases_of(name) for name in ("idle", "prepositions", "not", "rows", "people"))
    unit = token.text.islower() and len(token.text) > 1 and bool(measure_of(token.text))
    if _weekday(token) or unit:
        return False
    known = token.text[:1].islower() and ((word,) in PHRASES or bool(columns_at(0, [token], table)))
    return token.kind == "word" and not (little or known or word in _NO_VALUE or word in NUMBERS)
