"""A question of one table, read by its pieces whatever their order, where each of its words has a place."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace
from datetime import date

from agent.data.tables.pieced.cut_pieces import Pieces, pieces_of
from agent.data.tables.pieced.ends_said import WORDS
from agent.data.tables.pieced.pieced_follow_ups import gone_on_with
from agent.data.tables.pieced.pieced_meaning import meant
from agent.data.tables.pieced.wish import Wish
from agent.data.tables.pieced.wished_words import asks_for_kind, talk, wishes
from agent.data.tables.questions.sentence import readings
from agent.data.tables.questions.spans_worked_out import with_span
from agent.data.tables.questions.table_lexicon import tokens, words
from agent.data.tables.questions.table_schema import Asked, Table
from agent.data.tables.worded.known_only import KNOWN, OF_KNOWN
from agent.data.tables.worded.misreadings import misread
from agent.data.tables.worded.remarks import tells_rows
from agent.data.tables.worded.rows_said import Rows, Spot, Steps
from agent.data.tables.worded.said_plainly import asking_sentence
from agent.data.tables.worded.whole_asking import is_of_other_most
from agent.data.tables.worded.worded_rows import read_words, row_steps
from agent.text.regex import regex

_LONGEST = 200  # characters
_MOST_STEPS = 600


def pieced_asked(text: str, table: Table, today: date | None) -> Asked | None:
    """``None`` where a word has no place, or two readings are as good."""
    if ";" in text and not table.joined:
        return _followed(text, table, today)
    bare = _asking(text, table, today) if not table.joined else ""
    if not bare or len(bare) > _LONGEST or is_of_other_most(text, table):
        return None
    spanned = with_span(table) if _TOOK.search(bare) else None
    several = _pieces(bare, spanned[0] if spanned else table, today)
    made = _sure(bare, [one for pieces in several if (one := meant(pieces))])
    of_known = made is None or made.order or made.measure in OF_KNOWN or not KNOWN.search(bare)
    return made if of_known else None  # "how many, ignoring the blank ones" are no rows


_TOOK = regex(r"\b(?:took|takes?|taking|how long)\b", re.I)


def _pieces(bare: str, table: Table, today: date | None) -> list[Pieces]:
    """The ways to cut it into pieces that are as good."""
    said = [token for token in tokens(KNOWN.sub("", bare)) if token.text.casefold() not in ("only", "just")]
    several = read_words(said, table, today, Wish(), _steps, most=_MOST_STEPS) if said else []
    return [pieces_of(table, said, wish) for wish in several if isinstance(wish, Wish)]


def _sure(text: str, made: Sequence[Asked]) -> Asked | None:
    """The one thing that all ways come to; of several, the one that tells of fewer columns."""
    fewest = min((len(one.shown) for one in made), default=0)
    made = [one for one in made if len(one.shown) == fewest]
    if not made or any(one != made[0] for one in made) or any(one.sought and not one.column for one in made[0].filters):
        return None
    return None if misread(text, made[0]) else made[0]


_LEANS = regex(r"\s*(?:and|but|so|just|only|or|ok|then|of (?:those|them|these)|what about|how about)\b", re.I)


def _followed(text: str, table: Table, today: date | None) -> Asked | None:
    """What a follow-up behind a ";" asks of the rows, or of the one row, that the reading before it told."""
    first, _, last = text.rpartition(";")
    before = next(iter(readings(first, (table,), today)), None)
    if before is None or before.cost > 1 or before.asked.groups or before.asked.chart:
        return None
    several = _pieces(_asking(last.strip(), table, today), table, today)
    pointing = any(token.text.casefold() in WORDS["words"]["points"] for token in tokens(last))
    leaning = several if pointing or _LEANS.match(last) else []
    days = [one.column.called for one in before.asked.filters if one.column and one.column.kind == "date"]
    said = " ".join((last, *days))  # which the first question named
    return _sure(said, [one for pieces in leaning if (one := gone_on_with(before.asked, pieces))])


_EITHER = regex(r",? \b(?:whether )?(?:(?:they are|it is|they're|it's) )?[a-z]{4,} or not\b", re.I)  # "paid or not"
_WHOS = regex(r"\b(who|what|where|when|how)s\b", re.I)
_BRACKETS = regex(r"\s*\((?P<inside>[^()]*)\)")
_ENDS = regex(rf"\s*[?!.]+\s+(?=(?:{'|'.join(WORDS['words']['goes_on'])})\b)", re.I)
_PURPOSE = regex(
    rf"\bfor (?:the |our |my |a |an |his |her )?(?P<what>{'|'.join(WORDS['words']['purposes'])})\b,? ?", re.I
)


def _asking(text: str, table: Table, today: date | None) -> str:
    """What asks, without whom it is for: its sentences as clauses of one, where none of them can be left out."""
    text = _WHOS.sub(r"\1 is", re.sub(r"\bzero\b", "0", _EITHER.sub("", text), flags=re.I))
    bare = asking_sentence(text, table, today)
    bare = bare or asking_sentence(_ENDS.sub(", ", _BRACKETS.sub(r", \g<inside>", text)), table, today)
    for said in _PURPOSE.finditer(bare):
        if tells_rows(0, tokens(said["what"]), table):
            return bare
    return _without_wisher(_PURPOSE.sub("", bare), table).strip(" ,")


_WISHER = regex(
    r"(?:my |our |the |her |his )?(?P<who>[a-z]+) (?:wants|needs|would like|asked for|asks for|is asking for|is after) "
    r"(?:to know |to see |me to (?:find|get|tell (?:him|her|them)|work out) )?(?=[a-z])",
    re.I,
)


def _without_wisher(bare: str, table: Table) -> str:
    """Without who wants to know it, where that is nobody of the table: "the boss wants the total of …"."""
    found = _WISHER.match(bare)
    return bare[found.end() :] if found and not tells_rows(0, tokens(found["who"]), table) else bare


def _steps(spot: Spot) -> Steps:
    """What the words wish for first; where they do, they are not idle."""
    strong = list(wishes(spot))
    yield from strong
    yield from talk(spot)
    for length, rows in row_steps(spot):
        if _is_unlikely(spot, length, rows) or (rows.last == "noun" and asks_for_kind(spot)):
            yield length, replace(rows, cost=rows.cost + _UNLIKELY)
        elif not (strong and rows == spot.rows):
            yield length, rows


def _is_unlikely(spot: Spot, length: int, rows: Rows) -> bool:
    """Whether a preposition is taken for a column, "come to" for one called "To", or a column for a value."""
    named = rows.asked[-1].column if len(rows.asked) > len(spot.rows.asked) else None
    if named and ({*words(named.name)} <= _PREPOSITIONS or (length == 1 and spot.word() in _PREPOSITIONS)):
        return True
    sought = len(rows.filters) > len(spot.rows.filters) and rows.filters[-1].sought
    return sought and spot.token.kind == "quoted" and bool(spot.columns())


_PREPOSITIONS, _UNLIKELY = frozenset(["to", "from", "by", "for", "in", "on", "at", "out", "back", "of"]), 5
