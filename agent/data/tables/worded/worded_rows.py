"""Words that say which rows are meant, each of them accounted for: "the unpaid orders that went to Dublin in May"."""

from __future__ import annotations

import heapq
import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from datetime import date
from itertools import count

from agent.data.tables.questions.items import at
from agent.data.tables.questions.table_lexicon import Token, tokens, words
from agent.data.tables.questions.table_schema import Column, Filter, Table, id_like, tells_apart
from agent.data.tables.worded.light_words import lightly_said
from agent.data.tables.worded.persons import people_in
from agent.data.tables.worded.rows_compared import compared, timed
from agent.data.tables.worded.rows_said import Mention, Rows, Spot, Steps
from agent.data.tables.worded.rows_values import month_spans, months, so_many, unknown, values, weekdays
from agent.data.tables.worded.spans_of_days import day_spans
from agent.data.tables.worded.worded_columns import (
    EXACT,
    PART,
    WORDS,
    Meant,
    content,
    fields_of,
    named,
    names_of_rows,
    says_figure,
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

    def fits(done: Rows) -> bool:
        of_kinds = not kinds or all(one.column.kind in kinds for one in done.asked)
        return of_kinds and (not must or any(one.column.kind == must for one in done.asked))

    best = read_words(said, table, today, Rows(), row_steps, fits)
    meanings = {(one.filters, tuple(mention.column for mention in one.asked)) for one in best}
    return best[0] if len(meanings) == 1 else None


def read_words(
    said: Sequence[Token],
    table: Table,
    today: date | None,
    start: Rows,
    steps: Callable[[Spot], Steps],
    fits: Callable[[Rows], bool] = bool,
    most: int = _MOST_STEPS,
) -> list[Rows]:
    """What all the words ``said`` say together, in the ways in which the fewest of them are far from the table.

    ``steps``: every way to account for the next words; ``fits``: which readings of all of them count; ``most``: how
    many beginnings are gone on with before it is left.
    """
    waiting: list[tuple[int, int, int, Rows]] = [(start.cost, 0, 0, start)]
    order, best, taken = count(1), list[Rows](), 0
    gone_on = set[tuple[int, Rows]]()  # several ways may have come to the same
    while waiting and taken < most:
        cost, _, place, rows = heapq.heappop(waiting)
        taken += 1
        if best and cost > best[0].cost:
            break
        if (place, rows) in gone_on:
            continue
        gone_on.add((place, rows))
        if place >= len(said):
            done = _settled(rows, table)
            if done and fits(done) and all(done != other for other in best):
                best.append(done)
            continue
        for length, found in steps(Spot(place, said, rows, table, today)):
            heapq.heappush(waiting, (found.cost, next(order), place + length, found))
    return best


def _settled(rows: Rows, table: Table) -> Rows | None:
    """With each column that was named put to its filter."""
    if rows.negated or rows.link:
        return None
    filters, asked = list(rows.filters), list(rows.asked)
    days = [one.column for one in asked if one.column.kind == "date"]
    dates = table.of_kind("date")
    for place, one in enumerate(filters):
        if one.column is not None:
            continue
        if not one.sought:
            own = days if len(set(days)) == 1 else dates
            if len(own[:2]) != 1 and not (days and len(set(days)) == 1):
                return None
            filters[place] = replace(one, column=own[0])
        else:
            verbs = [mention.column for mention in asked if mention.verb and mention.column.kind == "text"]
            if (
                len(verbs) == 1
                and len([1 for each in filters if each.sought]) == 1
                and (all(each.column != verbs[0] for each in filters))
                and table.columns[0] not in verbs
                and rows.named
            ):
                filters[place] = replace(one, column=verbs[0])
    bound = {one.column for one in filters}
    return replace(rows, filters=tuple(filters), asked=tuple(one for one in asked if one.column not in bound))


def row_steps(spot: Spot) -> Steps:
    """Every way to account for the next words."""
    for way in _WAYS:
        yield from way(spot)


def _little_words(spot: Spot) -> Steps:
    rows, word = spot.rows, spot.word()
    yield from ((length, rows) for length in spot.lengths("idle"))
    if spot.has("kind", "of"):
        yield 2, rows
    if rows.link in ("", "and", "or", "prep of"):
        link = rows.link if rows.link in ("and", "or") else f"prep {word}"
        yield from ((length, replace(rows, link=link)) for length in spot.lengths("prepositions"))
    if not rows.negated and rows.link != "or":
        turned = replace(rows, negated=True, link="", chain=None)
        yield from ((length, turned) for length in spot.lengths("not"))
    links = rows.last == "filter" or (rows.last == "noun" and word != "or")
    if word in ("and", "or", ",", "&") and links and not rows.negated and rows.link in ("", "and"):
        yield 1, replace(rows, link="or" if word == "or" else "and")
    of_all = spot.word(-1) in _EVERY  # "everyone but Poppy" is not Poppy
    if word == "but" and not rows.negated and not rows.link and not of_all:
        yield 1, replace(rows, link="and", chain=None, chained_not=False)


def row_nouns(spot: Spot) -> Steps:
    """What the rows are called, or what each of them is."""
    rows, table, word = spot.rows, spot.table, spot.token.word
    if rows.link == "or" or rows.negated:
        return
    made = replace(rows, named=True, link="", last="noun")
    second = table.columns[1] if len(table.columns) > 1 else None
    if second and tells_apart(second, table.rows) and not second.nulls and words(second.name) == (word,):
        made = replace(made, noun=second)  # "the ships with …" of a table of routes
    if spot.word() in (*WORDS["words"]["rows"], *(WORDS["words"]["people"] if of_people(table) else ())):
        yield 1, made
        return
    for item in at(spot.place, spot.said, table, spot.today):
        if item.role == "table" and item.cost <= 1 and item.text:
            yield item.length, replace(made, cost=made.cost + item.cost)
    if own := _own_noun(spot):
        yield 1, made if own == "rows" else replace(rows, link="")
    for noun in WORDS["noun"]:
        if word in noun["said"] and any(content(column) & {*noun["names"]} for column in table.columns):
            yield 1, made
    yield from ((length, made) for length in _names_of_each(spot))


def _names_of_each(spot: Spot) -> Iterator[int]:
    """How many words are the name of a column that has something else in each row."""
    for column in spot.table.columns[:2]:
        each = column.distinct == spot.table.rows and not column.nulls and (column.kind == "text" or column.numbered)
        name = tuple(part for part in words(column.name) if not part.isdigit())
        ahead = tuple(token.word for token in spot.said[spot.place : spot.place + len(name)])
        if each and name and name == ahead:
            yield len(name)


def _own_noun(spot: Spot) -> str:
    """ "rows" for what each row is (the animals of an "animal shelter"), "table" for its own name, else ""."""
    word, own_name, first = spot.token.word, words(spot.table.name), spot.table.columns[0]
    if word in ("day", "date") and first.kind == "date" and first in names_of_rows(spot.table):
        return "rows"
    dated = first.kind == "date" and first.distinct == spot.table.rows
    if dated and word in ("meeting", "session", "event") and not spot.columns():
        return "rows"
    if spot.word(-1) in ("the", "this", "our", "my") and word == own_name[-1] and len(own_name) > 1:
        if spot.word() != word and all(one.verb for one in spot.columns()):
            return "rows"  # "the repairs" of "bike repairs"
        return "table"  # "the class" of a table "spanish class"
    return "rows" if word in own_name[:-1] and spot.word(-1) != "of" else ""


def of_people(table: Table) -> bool:
    """Whether each row is a person, by its first heading."""
    return table.columns[0] in people_in(table)


def _does(spot: Spot) -> bool:
    return bool({"do", "does"} & {token.text.casefold() for token in spot.said[: spot.place]})


def _tells_paid(table: Table, amount: Column) -> bool:
    """Whether a column says which of the amounts are paid: "Paid", but no "Water fee paid" of the rents."""
    several = [content(one) for one in table.of_kind("boolean")]
    return any("paid" in one and one - {"paid"} <= content(amount) for one in several)


def _names_one(token: Token, table: Table) -> bool:
    """Whether a plural is of a thing that a column of yes and no names in the singular."""
    return any((token.word,) == name[:1] and one.kind == "boolean" for one in table.columns for name in named(one))


def _pays_other(column: Column, table: Table) -> bool:
    """Whether "who pays the most" is of an amount beside what a column like "Water fee paid" is of."""
    amounts = table.of_kind("number")
    verbs = (one for one in amounts if any(_PAY[0] in field.get("verbs", ()) for field in fields_of(one)))
    return any(not content(column) - {"paid"} <= content(one) for one in verbs) and len(content(column)) > 1


def _yes_no(spot: Spot) -> Steps:
    rows, answer = spot.rows, spot.word()
    if answer in ("yes", "no") and spot.word(1) in ("under", "for", "in") and spot.word(2):
        for column, holds, length in yes_no_at(spot.place + 2, spot.said, spot.table):
            if holds and not rows.negated:
                yield from spot.filtered(length + 2, _holding(column, answer == "yes"))
    if not spot.place and answer != spot.token.word and _names_one(spot.token, spot.table):
        return  # "how many pubs did we go to"
    does = _does(spot) and _BASE.fullmatch(spot.token.text)
    for column, holds, length in yes_no_at(spot.place, spot.said, spot.table) if not does or rows.negated else ():
        if answer in _PAY[:2] and holds and _pays_other(column, spot.table):
            continue
        if rows.chain == column and rows.link not in ("and", "or") and holds and not rows.negated:
            yield length, replace(rows, link="")  # "have not paid their dues" of the column "Dues paid"
            continue
        before = rows if holds else replace(rows, chained_not=False)  # "unpaid and unshipped"
        yield from spot.filtered(length, _holding(column, holds != rows.negated), rows=before)


def _holding(column: Column, holds: bool) -> Filter:
    return Filter(column, "true", ("true" if holds else "false",))


def _figure_of(spot: Spot) -> Steps:
    """ "The mark for test 2", "the number of helpers": of a column that is named then."""
    length = 2 + spot.has("the", away=2)
    own = [one.column for one in spot.columns(length)] if spot.word(1) in ("for", "in", "of", "on") else []
    if any(says_figure(spot.token.word, column) for column in own):
        yield length, spot.rows


def _columns(spot: Spot) -> Steps:
    for meant in spot.columns():
        column = meant.column
        if column.kind == "boolean" or (column.numbered and meant.cost > PART):
            continue
        if meant.verb and spot.token.word in _PAY and _tells_paid(spot.table, column) and not _does(spot):
            continue  # what they paid are not all of the amounts, where a column tells which are paid
        yield from _of_column(spot, meant)


def _of_column(spot: Spot, meant: Meant) -> Steps:
    """A column with a number of it, one that has nothing in it, or a mention of it."""
    rows, table, column = spot.rows, spot.table, meant.column
    number = spot.number(meant.length)
    if number and column.kind == "number" and id_like(column) and rows.link != "or":
        for length, made in spot.of_value(column, number, meant.length + 1, meant.cost):
            yield length, replace(made, named=made.named or column.numbered)
    if rows.negated and (column.nulls or (column.kind == "number" and column.least == "0")):
        last = spot.said[spot.place + meant.length - 1].word
        told = last in WORDS["words"]["figure"] or spot.word(-1) in ("missing", "lacking")
        if column.nulls and column.least == "0" and not told:
            return  # "no visits" may be a figure of 0, or none
        none = Filter(column, "null") if column.nulls else Filter(column, "=", ("0",))
        for length, made in spot.filtered(meant.length, none, meant.cost, replace(rows, negated=False)):
            yield length, replace(made, chained_not=True)
    if rows.link == "or" or (rows.negated and not meant.verb):
        return
    own = meant.cost == EXACT and (column.numbered or (column.distinct == table.rows and column.kind == "text"))
    day = table.columns[0].kind == "date" and spot.token.word in ("day", "date")
    own = own or day or (column.kind == "text" and spot.token.word in words(table.name)[:-1])
    link = rows.link if meant.verb and not rows.link.startswith("prep") else ""
    asked = (*rows.asked, Mention(column, spot.place, meant.verb))
    yield meant.length, replace(rows, asked=asked, cost=rows.cost + meant.cost + own, last="mention", link=link)


def _years(spot: Spot) -> Steps:
    """ "Last year" of a table that has a column for each year."""
    rows = spot.rows
    for item in spot.items() if not rows.negated and rows.link != "or" else ():
        for column in spot.table.of_kind("number") if item.role == "year" and item.length > 1 else ():
            if column.called == item.text:
                mention = Mention(column, spot.place)
                yield item.length, replace(rows, asked=(*rows.asked, mention), link="", last="mention")


_WAYS: tuple[Callable[[Spot], Steps], ...] = (
    _little_words, lightly_said, row_nouns, _yes_no, values, so_many, weekdays, _figure_of, months, month_spans,
    _columns, compared, _years, timed, day_spans, unknown,
)  # fmt: skip
