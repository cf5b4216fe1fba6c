"""Words that people add without saying which rows are meant, and light ways to say that: "seen", "the whole year"."""

from __future__ import annotations

from dataclasses import replace

from agent.data.tables.questions.table_lexicon import words
from agent.data.tables.questions.table_schema import Filter, Table
from agent.data.tables.worded.rows_said import Spot, Steps
from agent.data.tables.worded.worded_columns import WORDS, content, names_of_rows, with_mark, yes_no_at

_HAD, _NEAR = ("has", "have", "had"), 4  # words before
_IS = ("is", "are", "was", "were", "be", "been")


def lightly_said(spot: Spot) -> Steps:
    """Every such way to account for the next words."""
    rows = spot.rows
    yield from _light_verbs(spot)
    nouns = ("lot", "list", "table", words(spot.table.name)[-1])
    if spot.has("whole", "year") and _of_one_year(spot.table):
        yield 2, replace(rows, link="")
    if any(spot.has("whole", noun) for noun in nouns):
        yield 2, replace(rows, link="")
    if rows.asked and rows.asked[-1].column.kind == "number" and not rows.negated:
        yield from ((length, rows) for length in spot.lengths("told_figures"))  # "how many meals are written down"
    yield from _nobody(spot)
    done = bool(rows.asked) and rows.asked[-1].verb and rows.last == "mention"
    if spot.ends and done and spot.word() in WORDS["words"]["particles"]:
        yield 1, rows  # "when did Luna come in"
    yield from _needs(spot)
    yield from _used_up(spot)
    if spot.has("together") and spot.ends:
        yield 1, rows
    yield from _blank(spot)


def _light_verbs(spot: Spot) -> Steps:
    """ "Seen", "brought in": they say nothing of the rows, unless a column is what is done."""
    rows, word, listed = spot.rows, spot.word(), WORDS["words"]
    particle, by = spot.word(1) in listed["particles"], spot.word(1) == "by"  # "taken by Nina"
    had = any(spot.word(-away) in _HAD for away in range(1, _NEAR + 1))
    if spot.word(-1) in _IS and not by and word in listed["light_not_after_is"]:
        return  # "how many seats are taken"
    figures = any(one.column.kind == "number" for one in rows.asked)
    light = (
        (spot.word(-1) in ("we", "i") and word in listed["light_of_we"])
        or (figures and word in listed["light_of_figures"])
        or word in listed["light"]
        or ((had or by) and word in listed["light_after_have"])
        or (particle and word in listed["light_with_particle"])
    )
    if not light or rows.negated or any(one.verb or one.column.kind == "number" for one in spot.columns()):
        return  # "the score" of a column of scores
    if next(yes_no_at(spot.place, spot.said, spot.table), None):
        return
    if particle:
        yield 2, rows
    if not particle or spot.word(1) in ("in", "over"):
        yield 1, rows


def _nobody(spot: Spot) -> Steps:
    """ "Which task has nobody assigned", of the one column that tells who does it."""
    people = [one for one in with_mark(spot.table, "who") if one.nulls]
    length = spot.first_of(("no one", "nobody"))
    if len(people) != 1 or spot.rows.negated or not length:
        return
    length += spot.word(length) in ("assigned", "responsible")
    if spot.place + length == len(spot.said):
        yield from spot.filtered(length, Filter(people[0], "null"))


def _needs(spot: Spot) -> Steps:
    """ "Needs a hotel", "went to the pub after" of a column of yes and no."""
    if spot.word() not in WORDS["words"]["light_of_yes_no"]:
        return
    away = 1
    while spot.word(away) in ("a", "an", "the", "to", "any", "on", "in", "out"):
        away += 1
    if spot.word(away) and next(yes_no_at(spot.place + away, spot.said, spot.table), None):
        yield away, spot.rows


def _used_up(spot: Spot) -> Steps:
    """ "Which have we run out of", "sold out": nothing is left of it, where a column says how much is."""
    left = [one for one in spot.table.of_kind("number") if content(one) & {"stock", "left", "remaining", "hand"}]
    if len(left) == 1 and left[0].least == "0" and not spot.rows.negated:
        for length in spot.lengths("used_up"):
            yield from spot.filtered(length, Filter(left[0], "=", ("0",)), rows=replace(spot.rows, named=True))


def _of_one_year(table: Table) -> bool:
    """Whether no column tells several years apart."""
    years = [one for one in table.of_kind("number") if "year" in content(one)]
    return not years and all(one.least[:4] == one.most[:4] for one in table.of_kind("date"))


def _blank(spot: Spot) -> Steps:
    """ "Is the weight missing?"."""
    columns = spot.rows.columns
    named = len(columns) == 1 and columns[0] not in (spot.table.columns[0], *names_of_rows(spot.table))
    for length in spot.lengths("blank") if named and not spot.rows.negated else ():
        yield from spot.filtered(length, Filter(columns[0], "null"))
