"""Rows that a question names by what some column tells: who won, what was taken, is unsold, or has nothing in it."""

from __future__ import annotations

from dataclasses import replace

from agent.data.tables.pieced.ends_said import WORDS, length_of, received
from agent.data.tables.pieced.wish import Wish
from agent.data.tables.questions.table_schema import Filter
from agent.data.tables.worded.rows_said import Mention, Spot, Steps
from agent.data.tables.worded.worded_columns import content, is_per

_PART, _NEAR = 2, 1  # costs
_SHORTEST = 4  # letters of a heading that is cut short


_ORDINALS = {"second": "2", "third": "3", "fourth": "4", "fifth": "5", "sixth": "6", "tenth": "10"}


def won(spot: Spot, wish: Wish) -> Steps:
    """ "Who won the butterfly", where a column tells the places."""
    places = [
        one for one in spot.table.of_kind("number") if content(one) & {*WORDS["places"]["names"]} and one.least == "1"
    ]
    length = length_of(spot, "places", "won")
    if len(places) == 1 and length and not spot.columns():
        yield from spot.filtered(length, Filter(places[0], "=", ("1",)))
    place = _ORDINALS.get(spot.word(), "")
    if len(places) == 1 and place and spot.word(-1) in ("was", "came", "finished", "is", "in"):
        yield from spot.filtered(1 + spot.has("place", away=1), Filter(places[0], "=", (place,)))


def headed(spot: Spot, wish: Wish) -> Steps:
    """ "Electricity" of a column "Elec (kWh)": a heading that is cut short."""
    word = spot.token.word
    if spot.token.kind != "word" or spot.columns():
        return
    several = [
        one
        for one in spot.table.columns
        if any(len(name) >= _SHORTEST and word.startswith(name) for name in content(one))
    ]
    if len(several) == 1 and len(word) > _SHORTEST + 1:
        if several[0].kind == "boolean":  # "the soloists" of a column "Solo"
            yield from spot.filtered(1, Filter(several[0], "true", ("true",)), _PART)
            return
        mention = Mention(several[0], spot.place)
        yield 1, replace(wish, asked=(*wish.asked, mention), cost=wish.cost + _PART, last="mention", link="")


def takings(spot: Spot, wish: Wish) -> Steps:
    """ "The takings" of a column "Sold for"."""
    if spot.token.word in WORDS["deeds"]["money_words"] and not spot.columns():
        for column in received(spot.table):
            mention = Mention(column, spot.place)
            yield 1, replace(wish, asked=(*wish.asked, mention), cost=wish.cost + _NEAR, last="mention", link="")


def rated(spot: Spot, wish: Wish) -> Steps:
    """ "Less than 13 an hour" of a column of pay per hour."""
    if wish.last != "filter" or spot.word() not in ("a", "an", "per", "each", "every"):
        return
    said, own = wish.filters[-1], [one for one in spot.table.of_kind("number") if is_per(one, spot.word(1))]
    if said.column in own or (len(own) == 1 and said.column is None and not said.sought):
        yield 2, replace(wish, filters=(*wish.filters[:-1], replace(said, column=said.column or own[0])))


def unsold(spot: Spot, wish: Wish) -> Steps:
    """ "Still for sale", where a column tells what is sold."""
    sold = [one for one in spot.table.of_kind("boolean") if content(one) == frozenset(["sold"])]
    for phrase in map(str.split, WORDS["words"]["for_sale"]) if len(sold) == 1 else ():
        if spot.has(*phrase):
            yield from spot.filtered(len(phrase), Filter(sold[0], "true", ("false",)))


def blank(spot: Spot, wish: Wish) -> Steps:
    """ "Nothing written under diet"; and words that say nothing."""
    for phrase in map(str.split, WORDS["words"]["blank"]):
        for meant in spot.columns(len(phrase)) if spot.has(*phrase) else ():
            if meant.column.nulls:
                yield from spot.filtered(len(phrase) + meant.length, Filter(meant.column, "null"), meant.cost)
    yield from ((len(phrase), wish) for phrase in map(str.split, WORDS["words"]["noise"]) if spot.has(*phrase))
