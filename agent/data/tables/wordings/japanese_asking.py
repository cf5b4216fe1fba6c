"""What a Japanese question asks of one table, worked out of its pieces whatever their order.

Everything must fall into its place: filters, a group, what is put together or is most, and what is told of it.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from itertools import pairwise

from agent.data.tables.questions.table_schema import (
    Asked,
    Column,
    Filter,
    Group,
    Measure,
    Operator,
    Table,
    dated,
    tells_apart,
)
from agent.data.tables.wordings.japanese_pieces import WORDS, YES_NO, Piece, pieces
from agent.text.in_japanese.japanese_wordings import without_chat
from agent.text.regex import regex

_LONGEST = 80  # characters
_TURNED = regex(
    r";|\b(?:in|where|is|by|of|the)\b|以外|除[いくき]|では?ない|じゃない|もし|または|それぞれ何|グラフ|図|チャート|割合|何%|パーセント|差|違い|倍"
)
_DATED = regex(r"\d{4}(?:年|-)")
_MEASURES = ("sum", "avg", "median", "max", "min")
_WORD = regex(r"[一-龯ァ-ヶA-Za-z]|[ぁ-ん]{3}")
_FIGURE = regex(r"[\d０-９万億]")
_ASKING = ("who", "which", "honorific", "things", "noise", "verb", "first")
_ENDS_CLAUSE = ("verb", "yes", "no", "which", "honorific", "group")
_PARTICLES = ("の", "が", "を", "に")


@dataclass
class _Reading:
    """What was made of the pieces so far."""

    table: Table
    filters: list[Filter] = field(default_factory=list[Filter])
    columns: list[Column] = field(default_factory=list[Column])
    group: Column | None = None
    measure: Measure | None = None
    most: str = ""
    near: tuple[Column | None, ...] = ()  # told before ``most``, or right behind it
    ordered: bool = False
    limit: int = 1
    first: int = 0  # so many of the ordered rows, 0 for all


def japanese_asked(text: str, table: Table) -> Asked | None:
    """``None`` where a piece of ``text`` has no place in what is asked."""
    if len(text) > _LONGEST or _TURNED.search(text):
        return None
    found = [piece for piece in _rows_named(pieces(without_chat(text), table), table) if piece.meaning != "honorific"]
    reading = _Reading(table)
    if _asks_for_group(found) and not any(piece.meaning == "group" for piece in found):
        return None
    place = 0
    while place < len(found):
        step = _take(found, place, reading)
        if not step:
            return None
        place += step
    return _asked(reading, [piece.meaning for piece in found])


def _rows_named(found: Sequence[Piece], table: Table) -> list[Piece]:
    """The pieces with each unknown noun that says what a row is as one: 銭湯 in 「サウナありの銭湯」."""
    made: list[Piece] = []
    for place, piece in enumerate(found):
        last = next((one for one in reversed(found[:place]) if one.text not in _PARTICLES), None)
        if piece.meaning == "count" and piece.text.endswith("数") and _is_number(last):
            continue  # 衛星の数
        rows = _is_of_first(found, place, table) or (
            piece.kind == "unknown" and _ends_clause(found, place, last, table.columns[0])
        )
        made.append(Piece("word", piece.text, "things") if rows else piece)
    return made


def _asks_for_group(found: Sequence[Piece]) -> bool:
    """Whether what is most is of many rows: 「客数が一番多い町は？」 asks for no single bath."""
    return any(
        then.column is not None and then.column.kind == "text" and (piece.kind == "most" or piece.meaning == "which")
        for piece, then in pairwise(found)
    )


def _is_number(piece: Piece | None) -> bool:
    return piece is not None and piece.column is not None and piece.column.kind == "number"


def _is_of_first(found: Sequence[Piece], place: int, table: Table) -> bool:
    """Whether it is the name of the first column, or a part of it: 店 of 店名."""
    piece, first = found[place], table.columns[0]
    if piece.kind not in ("unknown", "column") or (place + 1 < len(found) and found[place + 1].meaning == "group"):
        return False
    return piece.column is first or piece.text in first.called or piece.text.casefold() == first.called.casefold()


def _ends_clause(found: Sequence[Piece], place: int, last: Piece | None, first: Column) -> bool:
    """Whether what stands before a noun says which rows it is of: 開業した銭湯, 森田さんの店, 一番古い店."""
    if last is None:
        return False
    of_that = found[place - 1].text == "の" and last.kind in ("number", "value", "unknown")
    if last.kind == "value" and last.column and last.column is first and place + 1 == len(found):
        return False  # 「鈴木の妻は？」, where each row is one person
    return of_that or last.kind in ("operator", "most") or last.meaning in _ENDS_CLAUSE or _is_verb(last)


def _is_verb(piece: Piece) -> bool:
    """Whether a column is named by what was done on its day: 改装した."""
    return piece.column is not None and piece.column.kind == "date" and piece.text.endswith("た")


def _take(found: Sequence[Piece], place: int, reading: _Reading) -> int:
    """Puts the piece at ``place`` into its place, and says how many pieces that took; 0 where it has none."""
    piece = found[place]
    following = [one for one in found[place + 1 : place + 4] if one.text not in _PARTICLES]
    link = found[place + 1].text if place + 1 < len(found) else ""
    match piece.kind:
        case "column":
            return _take_column(found, place, following, reading)
        case "value" | "unknown":
            return _take_value(found, place, following, link, reading)
        case "most":
            if reading.most:
                return 0
            reading.most = piece.meaning
            reading.near = (*reading.columns, *(one.column for one in found[place + 1 : place + 2]))
        case "number":
            return _take_number(found, place, reading)
        case "word":
            return _take_word(piece, reading)
        case _:
            return 0
    return 1


def _skipped(found: Sequence[Piece], place: int, piece: Piece) -> int:
    """How many pieces lie from ``place`` to ``piece``, both counted."""
    return next(index for index in range(place, len(found)) if found[index] is piece) - place + 1


def _take_column(found: Sequence[Piece], place: int, following: Sequence[Piece], reading: _Reading) -> int:
    column, then = found[place].column, following[0] if following else None
    if column is None:
        return 0
    link = found[place + 1].text if place + 1 < len(found) else ""
    if then and then.meaning == "group":
        reading.group = column
        return _skipped(found, place, then) if not then.column else 0
    if then and then.kind == "word" and then.meaning in ("yes", "no"):
        one = _yes_no(column, then.meaning == "yes")
        reading.filters += [one] if one else []
        return _skipped(found, place, then) if one else 0
    if then and then.text.lower() in YES_NO and link == "が" and (one := _yes_no(column, YES_NO[then.text.lower()])):
        reading.filters.append(one)
        return _skipped(found, place, then)
    if then and then.kind in ("value", "unknown") and link == "が" and column.kind == "text":
        operator: Operator = "=" if then.column is column else "find"
        reading.filters.append(Filter(column, operator, (then.meaning,)))
        return _skipped(found, place, then)
    if then and then.kind == "number" and column.kind in ("number", "date"):
        rest = _take_number(found, _skipped(found, place, then) - 1 + place, reading, column)
        return rest + _skipped(found, place, then) - 1 if rest else 0
    reading.columns.append(column)
    return 1


def _yes_no(column: Column, wanted: bool) -> Filter | None:
    """「サウナあり」, where the column says yes and no."""
    if column.kind == "boolean":
        return Filter(column, "true", ("true" if wanted else "false",))
    for yes, no in WORDS["yes_no"]["pairs"]:
        if {text.lower() for text in column.examples} & {yes, no} and column.distinct == len((yes, no)):
            said = yes if wanted else no
            return Filter(column, "=", (next((one for one in column.examples if one.lower() == said), said),))
    return None


def _take_value(found: Sequence[Piece], place: int, following: Sequence[Piece], link: str, reading: _Reading) -> int:
    """A text that rows have; 「森田さんが店長の店」 says of which column."""
    piece, then = found[place], following[0] if following else None
    beside = then is not None and link == then.text
    owned = then is not None and then.kind == "column" and (link in ("が", "を", "に") or beside) and then.column
    if owned and then and owned.kind == "text" and (piece.column is None or piece.column is owned):
        reading.filters.append(Filter(owned, "=" if piece.column else "find", (piece.meaning,)))
        return _skipped(found, place, then)
    if piece.kind == "unknown" and (not _WORD.search(piece.text) or _FIGURE.search(piece.text)):
        return 0
    reading.filters.append(Filter(piece.column, "=" if piece.column else "find", (piece.meaning,)))
    return 1


def _take_number(found: Sequence[Piece], place: int, reading: _Reading, column: Column | None = None) -> int:
    """A figure or a day, with how far it goes; of which column it is by its unit where none is named."""
    piece = found[place]
    then = next((one for one in found[place + 1 : place + 3] if one.text not in _PARTICLES), None)
    operator = then.meaning if then and then.kind == "operator" else "="
    last = place + (_skipped(found, place, then) if then and then.kind == "operator" else 1)
    behind = next((one for one in found[last : last + 2] if one.text not in _PARTICLES), None)
    if column is None and behind and behind.column and behind.column.kind == "date" and _DATED.match(piece.text):
        column, last = behind.column, _skipped(found, place, behind) + place
    column = column or _of_unit(piece.text, reading.table)
    if column is None:
        return 0
    if column.kind == "date":
        if not re.fullmatch(r"\d{4}(?:-\d\d){0,2}", piece.meaning):
            return 0
        made = _on_days(column, operator, piece.meaning)
    else:
        made = [Filter(column, operator, (piece.meaning,))] if re.fullmatch(r"[\d.]+", piece.meaning) else []  # type: ignore[arg-type]
    reading.filters += made
    return last - place if made else 0


_WHEN = {">": "after", ">=": "since", "<": "before", "<=": "until"}


def _on_days(column: Column, operator: str, day: str) -> list[Filter]:
    """A day, month or year, or the time since or until then, told in the words that are read again."""
    if operator == "=" and len(day) < len("2026-01-01"):
        return [Filter(column, "month" if "-" in day else "year", (day,))]
    told = f"{_WHEN.get(operator, 'on')} {day}"
    return [
        Filter(column, one, (end,), said="-" if place else told)
        for place, (one, end) in enumerate(dated(operator, day))
    ]


def _of_unit(text: str, table: Table) -> Column | None:
    unit = re.sub(r"[\d,.万]", "", text)
    if unit == "年" or (not unit and re.search(r"\d{4}", text)):
        several = [one for one in table.columns if one.kind == "date" or _is_year(one, "年")]
    else:
        hints = WORDS["units"].get(unit, "")
        several = [one for one in table.columns if hints and one.kind == "number" and re.search(hints, one.called)]
    return several[0] if len(several) == 1 else None


def _take_word(piece: Piece, reading: _Reading) -> int:
    if piece.meaning in _MEASURES or piece.meaning == "count":
        if reading.measure and reading.measure != piece.meaning:
            return 0
        reading.measure = piece.meaning  # type: ignore[assignment]
    elif piece.meaning in ("top", "bottom"):
        number = re.search(r"\d+", piece.text)
        reading.limit = int(number[0]) if number else 1
        reading.most = reading.most or ("多" if piece.meaning == "top" else "少な")
    elif piece.meaning == "ordered":
        number = re.search(r"\d+", piece.text)
        reading.ordered, reading.first = True, int(number[0]) if number else 0
    elif piece.meaning not in _ASKING:
        return 0
    return 1


def _asked(reading: _Reading, said: Sequence[str]) -> Asked | None:
    """What the parts come to together."""
    columns = list(dict.fromkeys(reading.columns))
    if reading.group:
        columns = [column for column in columns if column is not reading.group]
        return _of_groups(reading, columns)
    if reading.most:
        return _of_most(reading, columns)
    if "first" in said:
        return None
    made = Asked(reading.table, "rows", filters=tuple(reading.filters))
    if reading.measure == "count" and columns and all(one.kind == "number" for one in columns):
        reading.measure = None  # 「客数は何人？」
        said = ["who"]
    if reading.measure == "count" and len(columns) == 1 and _of_people(columns[0], reading.table):
        if any(one.column is columns[0] for one in reading.filters):
            return None
        return replace(made, measure="distinct", column=columns[0])
    if reading.measure == "count":
        return replace(made, measure="count") if reading.filters and not columns else None
    if reading.measure:
        fits = len(columns) == 1 and columns[0].kind == "number"
        return replace(made, measure=reading.measure, column=columns[0]) if fits else None
    if not reading.filters or (columns and not _is_row(reading)):
        return None
    named = columns or reading.table.columns[0].kind == "text"
    shown = [reading.table.columns[0], *columns] if named else []  # a date names no row
    return replace(made, shown=tuple(dict.fromkeys(shown))) if columns or "things" in said or "who" in said else None


def _of_people(column: Column, table: Table) -> bool:
    """Whether the column names people beside its rows, one of them perhaps in several."""
    named = re.search(WORDS["people"]["called"], column.called, re.I)
    return named is not None and column.kind == "text" and column is not table.columns[0]


def _is_row(reading: _Reading) -> bool:
    """Whether the filters are of single rows, so that a column of theirs is a figure of each."""
    first = reading.table.columns[0]
    return all(one.column in (None, first) or one.column.distinct == reading.table.rows for one in reading.filters)


def _of_groups(reading: _Reading, columns: Sequence[Column]) -> Asked | None:
    """「町ごとの客数の合計」, and the group that has most of it."""
    table, group = reading.table, reading.group
    counted = reading.measure == "count" and not columns
    summed = reading.measure in _MEASURES and len(columns) == 1 and columns[0].kind == "number"
    if group is None or not (counted or summed) or reading.measure is None:
        return None
    made = Asked(table, reading.measure, columns[0] if summed else None, (Group(group),), tuple(reading.filters))
    if not reading.most:
        return made
    way = WORDS["most"][reading.most][0]
    return replace(made, order=way, limit=reading.first if reading.ordered else reading.limit) if way else None


def _of_most(reading: _Reading, columns: Sequence[Column]) -> Asked | None:
    """「席数が一番多い店」: by the column that is named, or the one that the word goes with; others are told of it."""
    of_figures, of_days, hints = WORDS["most"][reading.most]
    kinds = (["number"] if of_figures else []) + (["date"] if of_days else [])
    fits = [one for one in columns if one.kind in kinds or _is_year(one, of_days)]
    told_of_it = bool(hints and fits) and fits[0] not in reading.near  # 「一番背が高い人の給料は？」
    if told_of_it or (not fits and hints):
        fits = [one for one in reading.table.columns if one.kind in kinds or _is_year(one, of_days)]
        fits = [one for one in fits if re.search(hints, one.called, re.I)]
    if len(fits) > 1 and fits[0] not in columns:
        fits = [one for one in fits if re.search(WORDS["age"]["origin"], one.called, re.I)] or fits
    if not fits or (len(fits) > 1 and fits[0] not in columns) or reading.measure:
        return None
    by, first = fits[0], reading.table.columns[0]
    others = [one for one in columns if one is not by]
    if not tells_apart(first, reading.table.rows) or any(
        one.distinct and one.kind == "text" and one is first for one in others
    ):
        return None
    way = of_days if by.kind == "date" or _is_year(by, of_days) else of_figures
    limit = (reading.first or reading.table.rows) if reading.ordered else reading.limit
    return Asked(
        reading.table, "rows", by, (), tuple(reading.filters), way, limit, tuple(dict.fromkeys([first, *others, by]))
    )


def _is_year(column: Column, of_days: str) -> bool:
    return bool(of_days) and column.kind == "number" and re.search(r"年$|year", column.called, re.I) is not None
