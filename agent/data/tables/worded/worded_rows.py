"""Words that say which rows are meant, each of them accounted for: "the unpaid orders that went to Dublin in May"."""

from __future__ import annotations

import heapq
import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from datetime import date
from itertools import count

from agent.data.tables.questions.items import at
from agent.data.tables.questions.table_lexicon import Token, tokens, words
from agent.data.tables.questions.table_schema import (
    Column,
    Filter,
    Table,
    id_like,
    tells_apart,
)
from agent.data.tables.worded.light_words import lightly_said, phrases_of
from agent.data.tables.worded.rows_compared import compared, timed
from agent.data.tables.worded.rows_said import Mention, Rows, filtered, items_in, number_in
from agent.data.tables.worded.rows_values import month_spans, months, so_many, unknown, values, weekdays
from agent.data.tables.worded.worded_columns import (
    EXACT,
    PART,
    WORDS,
    columns_at,
    content,
    fields_of,
    named,
    names_of_rows,
    people_in,
    says_figure,
    typed_at,
    yes_no_at,
)
from agent.text.regex import regex

_ONLY = ("only", "just", "exclusively")
_BASE = regex(r"(?!\w*(?:ed|en|id)\b)[a-z]+", re.I)  # what they "do pay" is not what they have paid
_NOT_ONLY = regex(r"\b(?:not|no|neither) (?:\w+ )?(?:only|just|exclusively)\b", re.I)
_MOST_STEPS = 1500
_EVERY = ("all", "everyone", "everybody", "everything", "anyone", "anything", "any", "nothing", "nobody", "none")
_PAY = ("pay", "pays", "paid")


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
    yield from values(place, said, rows, table)
    yield from so_many(place, said, rows, table)
    yield from weekdays(place, said, rows, table, today)
    yield from _figure_of(place, said, rows, table)
    yield from months(place, said, rows, table)
    yield from month_spans(place, said, rows, table)
    yield from _columns(place, said, rows, table)
    yield from compared(place, said, rows, table)
    yield from _years(place, said, rows, table, today)
    yield from timed(place, said, rows, table, today)
    yield from unknown(place, said, rows, table)


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
    of_all = place > 0 and said[place - 1].text.casefold() in _EVERY  # "everyone but Poppy" is not Poppy
    if word == "but" and not rows.negated and not rows.link and not of_all:
        yield 1, replace(rows, link="and", chain=None, chained_not=False)


def _nouns(
    place: int, said: Sequence[Token], rows: Rows, table: Table, today: date | None
) -> Iterator[tuple[int, Rows]]:
    made = replace(rows, named=True, link="", last="noun") if rows.link != "or" and not rows.negated else None
    word, second = said[place].text.casefold(), table.columns[1] if len(table.columns) > 1 else None
    if (
        made
        and second
        and tells_apart(second, table.rows)
        and not second.nulls
        and words(second.name) == (said[place].word,)
    ):
        made = replace(made, noun=second)  # "the ships with …" of a table of routes
    generic = [*WORDS["words"]["rows"], *(WORDS["words"]["people"] if of_people(table) else ())]
    if made and word in generic:
        yield 1, made
        return
    for item in at(place, said, table, today) if made else ():
        if made and item.role == "table" and item.cost <= 1 and item.text:
            yield item.length, replace(made, cost=made.cost + item.cost)
    if made and (own := _own_noun(place, said, table)):
        yield 1, made if own == "rows" else replace(rows, link="")
    for noun in WORDS["noun"] if made else ():
        own = any(content(column) & {*noun["names"]} for column in table.columns)
        if made and own and said[place].word in noun["said"]:
            yield 1, made
    for column in table.columns[:2] if made else ():
        own = column.distinct == table.rows and not column.nulls and (column.kind == "text" or column.numbered)
        name = tuple(word for word in words(column.name) if not word.isdigit())
        if made and own and name and name == tuple(token.word for token in said[place : place + len(name)]):
            yield len(name), made


def _own_noun(place: int, said: Sequence[Token], table: Table) -> str:
    """ "rows" for what each row is (the animals of an "animal shelter"), "table" for its own name, else ""."""
    word, before, own_name = said[place].word, said[place - 1].text.casefold() if place else "", words(table.name)
    if word in ("day", "date") and table.columns[0].kind == "date" and table.columns[0] in names_of_rows(table):
        return "rows"
    dated = table.columns[0].kind == "date" and table.columns[0].distinct == table.rows
    if dated and word in ("meeting", "session", "event") and not columns_at(place, said, table):
        return "rows"
    if before in ("the", "this", "our", "my") and word == own_name[-1] and len(own_name) > 1:
        if said[place].text.casefold() != word and all(one.verb for one in columns_at(place, said, table)):
            return "rows"  # "the repairs" of "bike repairs"
        return "table"  # "the class" of a table "spanish class"
    return "rows" if word in own_name[:-1] and before != "of" else ""


def of_people(table: Table) -> bool:
    """Whether each row is a person, by its first heading."""
    return table.columns[0] in people_in(table)


def _does(place: int, said: Sequence[Token]) -> bool:
    return bool({"do", "does"} & {token.text.casefold() for token in said[:place]})


def _tells_paid(table: Table, amount: Column) -> bool:
    """Whether a column says which of the amounts are paid: "Paid", but no "Water fee paid" of the rents."""
    several = [content(one) for one in table.columns if one.kind == "boolean"]
    return any("paid" in one and one - {"paid"} <= content(amount) for one in several)


def _names_one(token: Token, table: Table) -> bool:
    """Whether a plural is of a thing that a column of yes and no names in the singular."""
    return any((token.word,) == name[:1] and one.kind == "boolean" for one in table.columns for name in named(one))


def _pays_other(column: Column, table: Table) -> bool:
    """Whether "who pays the most" is of an amount beside what a column like "Water fee paid" is of."""
    amounts = (one for one in table.columns if one.kind == "number")
    verbs = (one for one in amounts if any(_PAY[0] in field.get("verbs", ()) for field in fields_of(one)))
    return any(not content(column) - {"paid"} <= content(one) for one in verbs) and len(content(column)) > 1


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
        if answer in _PAY[:2] and holds and _pays_other(column, table):
            continue
        if rows.chain == column and rows.link not in ("and", "or") and holds and not rows.negated:
            yield length, replace(rows, link="")  # "have not paid their dues" of the column "Dues paid"
            continue
        true = holds != rows.negated
        before = rows if holds else replace(rows, chained_not=False)  # "unpaid and unshipped"
        for made in filtered(before, Filter(column, "true", ("true" if true else "false",))):
            yield length, made


def _figure_of(place: int, said: Sequence[Token], rows: Rows, table: Table) -> Iterator[tuple[int, Rows]]:
    """ "The mark for test 2", "the number of helpers": of a column that is named then."""
    behind = place + 2 + typed_at(place + 2, said, ("the",))
    if behind < len(said) and said[place + 1].text.casefold() in ("for", "in", "of", "on"):
        own = [one.column for one in columns_at(behind, said, table)]
        if any(says_figure(said[place].word, column) for column in own):
            yield behind - place, rows


def _columns(place: int, said: Sequence[Token], rows: Rows, table: Table) -> Iterator[tuple[int, Rows]]:
    for meant in columns_at(place, said, table):
        column = meant.column
        if column.kind == "boolean" or (column.numbered and meant.cost > PART):
            continue
        if meant.verb and said[place].word in _PAY and _tells_paid(table, column) and not _does(place, said):
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
