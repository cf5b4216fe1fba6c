"""What the words of a question wish for, wherever they stand: a sum, the most of something, groups, how many rows."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from functools import cache

from agent.data.tables.pieced.cells_said import blank, headed, rated, takings, unsold, won
from agent.data.tables.pieced.clock_said import clock_said
from agent.data.tables.pieced.ends_said import WORDS, length_of, of_how, superlatives
from agent.data.tables.pieced.wish import Wish
from agent.data.tables.questions.table_lexicon import form, words
from agent.data.tables.questions.table_schema import (
    Filter,
    Group,
    Measure,
    id_like,
    tells_apart,
)
from agent.data.tables.worded.persons import people_in
from agent.data.tables.worded.remarks import tells_rows
from agent.data.tables.worded.rows_compared import is_year, timed
from agent.data.tables.worded.rows_said import Mention, Spot, Steps
from agent.data.tables.worded.rows_values import tokens_of
from agent.data.tables.worded.worded_columns import (
    content,
    days_of_rows,
    holds_money,
    in_unit,
    is_of_period,
    stem,
    yes_no_at,
)
from agent.data.tables.worded.worded_figures import PERIODS
from agent.data.tables.worded.worded_rows import row_nouns
from agent.text.regex import regex

_TALK, _VERB, _PART, _NEAR = 2, 3, 2, 1  # costs
_SHORTEST = 4  # letters of a word that stands for a value of several
_MOST_ALIKE = 12  # values of a column whose figures tell kinds of rows, as lengths of races do
_FIGURE_WITH_UNIT = regex(r"(?P<figure>\d+(?:\.\d+)?)(?P<unit>m|km|kg|g|cm|mm|ml|l|cl)")


def wishes(spot: Spot) -> Steps:
    """Every way in which the next words wish for something."""
    if isinstance(spot.rows, Wish) and spot.rows.link != "or" and not spot.rows.negated:
        for way in (_measures, _most, _groups, _how, _answers):
            yield from way(spot, spot.rows)


def talk(spot: Spot) -> Steps:
    """Every other way to account for the next words: values by their stems, nouns of rows, and what is only said."""
    if isinstance(spot.rows, Wish):
        for way in (
            _values,
            _kinds,
            _days,
            clock_said,
            _nouns,
            won,
            headed,
            takings,
            rated,
            unsold,
            blank,
            _idle,
        ):
            yield from way(spot, spot.rows)


def _measures(spot: Spot, wish: Wish) -> Steps:
    for name in WORDS["measures"]:
        length = length_of(spot, "measures", name)
        said: Measure = name
        if not length or (name == "count" and spot.has("count") and spot.columns()):
            continue
        if wish.measure in (None, said) or (wish.measure == "count" and said == "sum"):
            yield length, replace(wish, measure=said, link="", last="wish")
        elif said == "count":
            yield length, replace(wish, link="", last="wish")  # "and how often", "total and number"


def _most(spot: Spot, wish: Wish) -> Steps:
    """ "The three dearest", "most", "top 5", "longest first"."""
    number = spot.number() if spot.token.kind in ("word", "number") else ""
    if number.isdigit() and int(number) > 1 and not wish.most:
        yield from (
            (length + 1, made)
            for length, made in _ordered(replace(spot, place=spot.place + 1), wish, int(number))
            if spot.place + 1 < len(spot.said)
        )
    yield from _ordered(spot, wish, 0)


def _ordered(spot: Spot, wish: Wish, limit: int) -> Steps:
    if spot.place >= len(spot.said):
        return
    for word, length, way, by, often in superlatives(spot):
        if any(length < one for one in _named_lengths(spot)):
            continue  # "first aid" of a column "First aider"
        behind = spot.number(length)
        many = int(behind) if behind.isdigit() and not limit and int(behind) > 1 else limit
        more = length + (many != limit)
        more += spot.has("one", away=more) or spot.has("ones", away=more)
        first = (
            spot.has("first", away=more)
            or spot.has("to", "lowest", away=more)
            or spot.has("at", "the", "top", away=more)
        )
        more += (3 if spot.has("at", "the", "top", away=more) else 1) if first else 0
        if not wish.most:
            yield more, replace(
                wish, most=word, way=way, by=by, often=often, limit=many, first=bool(first), link="", last="wish",
                behind=spot.place + more,
            )  # fmt: skip
        elif way == wish.way and (not wish.by or by == wish.by) and (by or first) and not often:
            yield more, replace(wish, by=by, first=wish.first or bool(first), link="", last="wish")


def _named_lengths(spot: Spot) -> Iterator[int]:
    """How many words name each column here."""
    yield from (one.length for one in spot.columns())
    yield from (length for _, _, length in yes_no_at(spot.place, spot.said, spot.table))


def _groups(spot: Spot, wish: Wish) -> Steps:
    """ "Per boat", "for each month"; "which month" where a month has several rows."""
    asks = spot.word() in ("which", "what") and spot.word(1) in PERIODS and not is_of_period(spot.table, spot.word(1))
    years = [one for one in spot.table.of_kind("number") if is_year(one)]
    if asks and spot.word(1) == "year" and len(years) == 1:
        yield 2, replace(wish, asked=(*wish.asked, Mention(years[0], spot.place + 1)), link="", last="mention")
        return
    of_most = wish.most and spot.place == wish.behind and spot.word() in PERIODS  # "the busiest month"
    length = 1 if asks else 0 if of_most else length_of(spot, "groups", "per")
    if not (length or of_most) or wish.groups:
        return
    length += not (asks or of_most) and spot.word(length) in ("the", "a", "our")
    days = days_of_rows(spot.table.of_kind("date"))
    if wish.measure == "avg" and not asks and _names_rows(spot, length, wish):
        yield length + 1, replace(wish, named=True, link="", last="wish")  # "the average per child"
    period = PERIODS.get(spot.word(length))
    if period and len(days) == 1 and not spot.columns(length):
        yield length + 1, replace(wish, groups=(Group(days[0], period),), link="", last="wish")
    for meant in spot.columns(length) if not asks else ():
        if (
            meant.column.kind in ("text", "boolean")
            and not meant.verb
            and not tells_apart(meant.column, spot.table.rows)
        ):
            yield (
                length + meant.length,
                replace(wish, groups=(Group(meant.column),), cost=wish.cost + meant.cost, link="", last="wish"),
            )


def _how(spot: Spot, wish: Wish) -> Steps:
    """ "How much", "how old"."""
    if spot.has("how", "much") or (spot.has("how") and of_how(spot.table, spot.word(1))):
        yield 2, replace(wish, link="", last="wish")


def _names_rows(spot: Spot, away: int, wish: Wish) -> bool:
    """Whether the word so many places away is what a row is called."""
    there = replace(spot, place=spot.place + away)
    several = (*_nouns(there, wish), *row_nouns(there)) if spot.word(away) else ()
    return any(made.last == "noun" for _, made in several)


_SAID = ("marked", "ticked", "say", "says", "said", "is", "are", "with", "a", "down", "put")


def _answers(spot: Spot, wish: Wish) -> Steps:
    """ "Where it says no for cleaned", "the ones that say yes": what a column of yes and no has."""
    if spot.word() not in ("yes", "no") or spot.word(1) in ("under", "for", "in"):
        return
    several, holds = spot.table.of_kind("boolean"), spot.word() == "yes"
    said = wish.chain if wish.chain and wish.chain.kind == "boolean" and wish.last == "filter" else None
    if said is None and wish.filters and wish.filters[-1].operator == "true" and spot.word(-1) in _SAID:
        said = wish.filters[-1].column
    if said and wish.filters[-1].column == said:
        one = replace(wish.filters[-1], values=("true" if holds else "false",))
        yield 1, replace(wish, filters=(*wish.filters[:-1], one), link="")
    elif len(several) == 1 and spot.word(-1) in _SAID:
        yield from spot.filtered(1, Filter(several[0], "true", ("true" if holds else "false",)))


def _values(spot: Spot, wish: Wish) -> Steps:
    """A value by its stem, "tomato" of Tomatoes, or by a word that only one value has: "services" of full service."""
    word = spot.token.word
    if spot.token.kind != "word" or len(word) < _SHORTEST or spot.columns() or spot.word() in WORDS["words"]["talk"]:
        return
    found = [(column, value) for column in spot.table.of_kind("text") for value in column.known if _is_of(word, value)]
    if len(found) == 1 and (found[0][0].complete or len(tokens_of(found[0][1])) == 1):
        yield from spot.of_value(*found[0], cost=_NEAR)
    elif found and len({column for column, _ in found}) == 1 and not wish.negated:
        yield from spot.filtered(1, Filter(found[0][0], "find", (spot.token.text,)), _PART)  # there may be more of them


def _is_of(word: str, value: str) -> bool:
    """By its stem, or as the first or last word of several: no "view" of "Park View 8"."""
    own = tokens_of(value)
    if len(own) > 1:
        return word in (own[0], own[-1]) and own.count(word) == 1
    return stem(word) in {stem(one) for one in own if len(one) >= _SHORTEST}


def _kinds(spot: Spot, wish: Wish) -> Steps:
    """ "The 50 m freestyle" of a column of lengths that tells kinds of rows."""
    attached = _FIGURE_WITH_UNIT.fullmatch(spot.token.text)
    figure = attached["figure"] if attached else spot.number()
    unit, length = (attached["unit"], 1) if attached else (spot.word(1), 2)
    if not figure or not unit or wish.last == "wish":
        return
    several = [one for one in spot.table.of_kind("number") if not id_like(one) and in_unit(one, unit)]
    if len(several) == 1 and (several[0].distinct or _MOST_ALIKE) < min(_MOST_ALIKE, spot.table.rows // 2 + 1):
        yield from spot.filtered(length, Filter(several[0], "=", (figure,)), _NEAR)


def _days(spot: Spot, wish: Wish) -> Steps:
    """ "The July bill", "for August only"."""
    if not wish.link:
        for length, made in timed(replace(spot, rows=replace(wish, link="prep in"))):
            yield length, replace(made, cost=made.cost + _NEAR)


_DETERMINERS = ("the", "of", "for", "which", "what", "many", "all", "our", "my", "these", "those", "any", "most")


def asks_for_kind(spot: Spot) -> bool:
    """Whether "which kiln" of a "kiln log" is of the column of that name, and not what its rows are called."""
    own = [one.column for one in spot.columns() if not one.cost and one.column.kind == "text"]
    return spot.word(-1) in ("which", "what") and any(not tells_apart(one, spot.table.rows) for one in own)


def _nouns(spot: Spot, wish: Wish) -> Steps:
    """What rows are called, by any word for that or one of the name of the table."""
    word, name = spot.token.word, words(spot.table.name)
    made = replace(wish, named=True, link="", last="noun")
    own = spot.token.kind == "word" and len(word) >= _SHORTEST and stem(word) in {stem(one) for one in name}
    own = own or (spot.word() in WORDS["words"]["people"] and bool(people_in(spot.table)))
    of_event = word in WORDS["words"]["events"] and not spot.columns(1)  # a "sale price" is of no sale
    own = own or (of_event and not tells_rows(spot.place, spot.said, spot.table))
    own = own or (word in PERIODS and is_of_period(spot.table, word))
    done = [one for one in spot.columns() if one.verb and one.column.kind == "text" and one.length == 1]
    own = own or bool(done and spot.token.text.endswith("s") and spot.word(-1) in _DETERMINERS)  # "hires" of "Hirer"
    own = own and not asks_for_kind(spot)
    if own or spot.word() in WORDS["words"]["rows"]:
        yield 1, replace(made, cost=made.cost + _NEAR)
    kept = spot.word() in WORDS["words"]["kept_in"] and spot.word(-2) in ("in", "on", "from")
    said = spot.word() in WORDS["words"]["whole"] or kept
    if said and spot.word(-1) in ("whole", "entire", "the", "this", "full", "my", "our"):
        yield 1, replace(wish, cost=wish.cost + _NEAR, link="")


_COMPARED, _MEASURED = (">", ">=", "<", "<="), ("away", "long", "tall", "high", "wide", "deep", "old", "each")


def _idle(spot: Spot, wish: Wish) -> Steps:
    """Words of talk, and verbs of doing that are of no column."""
    priced = [one for one in spot.columns(1) if holds_money(one.column)]
    sold = spot.word().startswith(("sale", "sell")) and any("sold" in content(one) for one in spot.table.columns)
    if spot.word() in WORDS["words"]["money_words"] and priced and not spot.columns() and not sold:
        yield 1, replace(wish, cost=wish.cost + _NEAR)
    if next(yes_no_at(spot.place, spot.said, spot.table), None):
        return
    if wish.last == "filter" and wish.filters[-1].operator in _COMPARED and spot.word() in _MEASURED:
        yield 1, wish  # "over 30 miles away"
    if spot.token.kind == "mark" and spot.token.text in ",:":
        yield 1, replace(wish, link="" if wish.link in ("and", "") else wish.link)
    if spot.word() in WORDS["words"]["talk"]:
        link = "" if wish.link.startswith("prep") else wish.link
        wants = spot.word() in ("need", "want") and spot.word(-1) in ("i", "we", "you")
        loose = spot.word() in WORDS["words"]["status"] and not wants
        of_state = loose and spot.word(-1) in ("is", "are", "was", "were", "been")
        named = wish.named or wish.filters or wish.most or wish.asked or wish.measure in ("avg", "median")
        points = wish.points or (spot.word() in WORDS["words"]["points"] and not named)
        yield (
            1,
            replace(wish, cost=wish.cost + _TALK, link=link, loose=max(wish.loose, loose + of_state), points=points),
        )
    elif stem(spot.token.word) in _verbs() and not spot.token.word.endswith(("er", "or")) and not spot.columns():
        yield 1, replace(wish, cost=wish.cost + _VERB)


@cache
def _verbs() -> frozenset[str]:
    return frozenset(stem(form(one)) for one in WORDS["words"]["idle_verbs"])
