"""Words that people add without saying which rows are meant, and light ways to say that: "seen", "the whole year"."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import cache

from agent.data.tables.questions.table_lexicon import Token, words
from agent.data.tables.questions.table_schema import Filter, Table
from agent.data.tables.worded.rows_said import Rows, filtered
from agent.data.tables.worded.worded_columns import (
    WORDS,
    columns_at,
    content,
    names_of_rows,
    typed_at,
    with_mark,
    yes_no_at,
)

_HAD, _NEAR = ("has", "have", "had"), 4  # words before
_IS = ("is", "are", "was", "were", "be", "been")


@cache
def phrases_of(name: str) -> tuple[tuple[str, ...], ...]:
    """The words of the list, each as it is typed."""
    return tuple(tuple(phrase.split()) for phrase in WORDS["words"][name])


def lightly_said(place: int, said: Sequence[Token], rows: Rows, table: Table) -> Iterator[tuple[int, Rows]]:
    """Every such way to account for the next words."""
    yield from _light_verbs(place, said, rows, table)
    if typed_at(place, said, ("whole", "year")) and _of_one_year(table):
        yield 2, replace(rows, link="")
    if any(typed_at(place, said, ("whole", noun)) for noun in ("lot", "list", "table", words(table.name)[-1])):
        yield 2, replace(rows, link="")
    for phrase in phrases_of("told_figures") if rows.asked and rows.asked[-1].column.kind == "number" else ():
        if typed_at(place, said, phrase) and not rows.negated:
            yield len(phrase), rows  # "how many meals are written down"
    yield from _nobody(place, said, rows, table)
    done = bool(rows.asked) and rows.asked[-1].verb and rows.last == "mention"
    if place == len(said) - 1 and done and said[place].text.casefold() in WORDS["words"]["particles"]:
        yield 1, rows  # "when did Luna come in"
    yield from _needs(place, said, rows, table)
    yield from _used_up(place, said, rows, table)
    if typed_at(place, said, ("together",)) and place == len(said) - 1:
        yield 1, rows
    yield from _blank(place, said, rows, table)


def _light_verbs(place: int, said: Sequence[Token], rows: Rows, table: Table) -> Iterator[tuple[int, Rows]]:
    """ "Seen", "brought in": they say nothing of the rows, unless a column is what is done."""
    word, typed = said[place].text.casefold(), [token.text.casefold() for token in said]
    particle = place + 1 < len(said) and typed[place + 1] in WORDS["words"]["particles"]
    had = bool({*_HAD} & {*typed[max(place - _NEAR, 0) : place]})
    by = place + 1 < len(said) and typed[place + 1] == "by"  # "taken by Nina"
    if place and typed[place - 1] in _IS and not by and word in WORDS["words"]["light_not_after_is"]:
        return  # "how many seats are taken"
    figures = any(one.column.kind == "number" for one in rows.asked)
    we = bool(place) and typed[place - 1] in ("we", "i") and word in WORDS["words"]["light_of_we"]
    light = (
        we
        or (figures and word in WORDS["words"]["light_of_figures"])
        or word in WORDS["words"]["light"]
        or ((had or by) and word in WORDS["words"]["light_after_have"])
    )
    if not light and not (particle and word in WORDS["words"]["light_with_particle"]):
        return
    if (
        rows.negated
        or next(yes_no_at(place, said, table), None)
        or any(one.verb for one in columns_at(place, said, table))
    ):
        return
    if particle:
        yield 2, rows
    if not particle or typed[place + 1] in ("in", "over"):
        yield 1, rows


def _nobody(place: int, said: Sequence[Token], rows: Rows, table: Table) -> Iterator[tuple[int, Rows]]:
    """ "Which task has nobody assigned", of the one column that tells who does it."""
    people = [one for one in with_mark(table, "who") if one.nulls]
    length = 1 + typed_at(place, said, ("no", "one"))
    if len(people) != 1 or rows.negated or not (length == 2 or typed_at(place, said, ("nobody",))):
        return
    length += any(typed_at(place + length, said, (word,)) for word in ("assigned", "responsible"))
    if place + length == len(said):
        for made in filtered(rows, Filter(people[0], "null")):
            yield length, made


def _needs(place: int, said: Sequence[Token], rows: Rows, table: Table) -> Iterator[tuple[int, Rows]]:
    """ "Needs a hotel", "went to the pub after" of a column of yes and no."""
    if said[place].text.casefold() not in WORDS["words"]["light_of_yes_no"]:
        return
    behind = place + 1
    while behind < len(said) and said[behind].text.casefold() in ("a", "an", "the", "to", "any", "on", "in", "out"):
        behind += 1
    if behind < len(said) and next(yes_no_at(behind, said, table), None):
        yield behind - place, rows


def _used_up(place: int, said: Sequence[Token], rows: Rows, table: Table) -> Iterator[tuple[int, Rows]]:
    """ "Which have we run out of", "sold out": nothing is left of it, where a column says how much is."""
    left = [
        one for one in table.columns if one.kind == "number" and content(one) & {"stock", "left", "remaining", "hand"}
    ]
    for phrase in phrases_of("used_up") if len(left) == 1 and left[0].least == "0" and not rows.negated else ():
        if typed_at(place, said, phrase):
            for made in filtered(rows, Filter(left[0], "=", ("0",))):
                yield len(phrase), replace(made, named=True)


def _of_one_year(table: Table) -> bool:
    """Whether no column tells several years apart."""
    days = [one for one in table.columns if one.kind == "date"]
    years = [one for one in table.columns if one.kind == "number" and "year" in content(one)]
    return not years and all(one.least[:4] == one.most[:4] for one in days)


def _blank(place: int, said: Sequence[Token], rows: Rows, table: Table) -> Iterator[tuple[int, Rows]]:
    """ "Is the weight missing?"."""
    named = bool(rows.asked) and rows.asked[0].column not in (table.columns[0], *names_of_rows(table))
    for phrase in phrases_of("blank"):
        if (
            typed_at(place, said, phrase)
            and len({one.column for one in rows.asked}) == 1
            and not rows.negated
            and named
        ):
            for made in filtered(rows, Filter(rows.asked[0].column, "null")):
                yield len(phrase), made
