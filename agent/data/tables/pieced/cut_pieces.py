"""A question of one table in its pieces, and which columns each of its asking words wants."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import pairwise

from agent.data.tables.pieced.ends_said import WORDS, asks_of, of_how, received
from agent.data.tables.pieced.wish import Wish
from agent.data.tables.questions.table_lexicon import Token
from agent.data.tables.questions.table_schema import (
    Column,
    Table,
    id_like,
)
from agent.data.tables.worded.persons import people_in
from agent.data.tables.worded.rows_said import Mention
from agent.data.tables.worded.said_otherwise import column_of_months
from agent.data.tables.worded.worded_columns import (
    DAY_WORDS,
    content,
    days_of_rows,
    fields_of,
    names_of_rows,
    nearest_at,
    stem,
    with_mark,
)
from agent.text.regex import regex


@dataclass(frozen=True, slots=True)
class Asking:
    """A word that asks, the columns that are named in its clause, and the words of that clause."""

    word: str
    place: int
    mentions: tuple[Mention, ...]
    said: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Pieces:
    """A question in its pieces: ``wish`` has what its words say together, ``asks`` what it asks one after the other."""

    table: Table
    said: Sequence[Token]
    wish: Wish
    asks: tuple[Asking, ...]

    @property
    def named(self) -> list[Column]:
        """The columns that are named and pick no rows, each once; of "how many pots cracked" those that did."""
        numbers = [one for one in self.wish.columns if one.kind == "number" and not id_like(one)]
        done = [one for one in numbers if any(map(DONE.fullmatch, content(one)))]
        apart = any(token.text.casefold() in ("and", ",") for token in self.said)
        of_done = len(numbers) == 2 and len(done) == 1 and not apart
        return [one for one in self.wish.columns if not of_done or one not in numbers or one in done]

    @property
    def numbers(self) -> list[Column]:
        return [one for one in self.named if one.kind == "number" and not id_like(one)]


def pieces_of(table: Table, said: Sequence[Token], wish: Wish) -> Pieces:
    several = asks_of(said)
    ends = [*(place for _, place in several[1:]), len(said)][: len(several)]
    asks = [
        Asking(
            word, place, tuple(one for one in wish.asked if place <= one.place < end),
            tuple(token.text.casefold() for token in said[place:end]),
        )
        for (word, place), end in zip(several, ends, strict=True)
    ]  # fmt: skip
    wish = _of_what_came_in(wish, said, table)
    typed = {token.text.casefold() for token in said}
    done = any(
        token.text.casefold() in _BACK_DONE and before.text.casefold() in _AUXILIARIES
        for before, token in pairwise(said)
    )
    points = (bool(typed & _BACK) or done) and not (wish.filters or wish.most)
    return Pieces(table, said, replace(wish, points=wish.points or points), tuple(asks))


def _of_what_came_in(wish: Wish, said: Sequence[Token], table: Table) -> Wish:
    """With "money" as the column of what came in, where others tell what was asked for."""
    own, words_ = received(table), WORDS["deeds"]["money_words"]
    asked = tuple(replace(one, column=own[0]) if own and said[one.place].word in words_ else one for one in wish.asked)
    return replace(wish, asked=asked)


DONE = regex(
    r"[a-z]{2,}ed|sold|bought|spent|paid|won|lost|sent|lent|given|taken|drawn|eaten|grown|caught|made|fed|used|run"
)
_BACK_DONE = frozenset(["that", "it", "they", "those", "these", "this"])  # "did that come to"
_AUXILIARIES = frozenset(["did", "do", "does", "is", "are", "was", "were", "has", "have", "had", "would", "will"])
_BACK = frozenset(["them", "him", "he", "she"])  # whom nothing before names


def rest_told(all_: Pieces, by: Column | None) -> list[Column] | None:
    """The columns that are asked for beside the first thing; ``None`` where one cannot be told."""
    told: list[Column] = []
    for place, ask in enumerate(all_.asks):
        columns = _told_by(ask, all_, by, first=not place)
        if columns is None:
            return None
        told += columns
    bound = {one.column for one in all_.wish.filters}
    grouped = {one.column for one in all_.wish.groups}
    verbs = {one.column for one in all_.wish.asked if one.verb}
    others = [one for one in all_.named if one not in told and one is not by and one not in verbs]
    return [one for one in dict.fromkeys((*told, *others)) if one not in bound | grouped]


_POINTS = frozenset(
    [
        "it",
        "that",
        "they",
        "this",
        "was",
        "is",
        "were",
        "are",
        "did",
        "does",
        "and",
        "in",
        "all",
        "total",
        "altogether",
        "times",
    ]
)


# What was done, beside what goes with any figure or day.
OF_DEEDS = frozenset(map(stem, WORDS["words"]["idle_verbs"])) - frozenset(map(stem, WORDS["words"]["light_verbs"]))
_OF_THE_LIVING = ("oldest", "eldest", "youngest", "tallest")


def _told_by(ask: Asking, all_: Pieces, by: Column | None, first: bool) -> list[Column] | None:
    """The columns that one asking word wants of the rows; none where it wants what is told anyway."""
    table, own = all_.table, [one.column for one in ask.mentions]
    dates, numbers = [one for one in own if one.kind == "date"], [one for one in own if one.kind == "number"]
    if ask.word == "when":
        done = {stem(word) for word in ask.said} & OF_DEEDS
        several = len(dates) > 1 and "and" in ask.said  # "when did Bear arrive and leave"
        typed = [one for one in table.columns if one.kind in ("date", "other") and content(one) & {*ask.said}]
        if not dates and len(typed) == 1:
            return typed  # "when do they get back" of a column "Back"
        dates = dates or days_of_rows([one for one in table.of_kind("date") if not done or content(one) <= DAY_WORDS])
        dates = dates or list(filter(None, [column_of_months(table)]))
        return dates if len(dates) == 1 or several else None
    if ask.word == "where":
        places = with_mark(table, "where")
        return places if len(places) == 1 else None
    if ask.word in ("who", "whose"):
        named = [one for one in dict.fromkeys(own) if one in with_mark(table, "who")]
        people = tuple(named) if len(named) == 1 else people_in(table)
        alive = all_.wish.most in _OF_THE_LIVING and names_of_rows(table)
        return [*people] if len(people) == 1 else ([] if first and (own or alive) else None)
    if ask.word in ("how much", "how many", "how often"):
        bare = not {*ask.said[2:]} - _POINTS
        done = {stem(verb) for one in fields_of(by) for verb in one.get("verbs", ())} if by else set[str]()
        counts = all_.wish.often or (by is None and all_.wish.measure == "count")
        told = first or bare or counts or done & {stem(word) for word in ask.said}
        return numbers or ([] if told else None)
    if ask.word.startswith("how "):
        fits = of_how(table, ask.word.removeprefix("how "))
        return fits if len(fits) == 1 else None
    near = nearest_at(ask.place + 1, all_.said, table) if ask.place + 1 < len(all_.said) else []
    if not first and not own and len(near) == 1 and not near[0].verb:
        return [near[0].column]  # "which hive" of a table of hives
    return [] if first or own or not {*ask.said[1:]} - _POINTS else None
