"""What the parts of a Japanese question of a table come to together: a count, a figure, groups, or rows."""

from __future__ import annotations

import re
from collections.abc import Sequence, Set
from dataclasses import dataclass, field, replace

from agent.data.tables.questions.japanese import place_column
from agent.data.tables.questions.table_schema import (
    Asked,
    Column,
    Filter,
    Group,
    Measure,
    Table,
    default_numbers,
    is_money,
    tells_apart,
    usual,
)
from agent.data.tables.wordings.japanese_pieces import WORDS, Piece, is_money_head, main_day
from agent.data.tables.wordings.japanese_rows import naming
from agent.data.tables.wordings.japanese_together import together
from agent.text.regex import regex

MEASURES = ("sum", "avg", "median", "max", "min")
_OF_MONEY = r"いくら|.*(?:額|払|使).*"
_PEOPLE = ("人", "名")
_PAID = regex(r"(?:賃|費|代|額|(?<!給)料|料金)(?:[(（].*)?$")


@dataclass
class Reading:
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


def asked_of(reading: Reading, found: Sequence[Piece]) -> Asked | None:
    """What the parts come to together."""
    said = {piece.meaning for piece in found}
    if "when" in said and not _tells_days(reading):
        return None
    columns = list(dict.fromkeys(reading.columns))
    if reading.group or reading.most:
        return _grouped_or_most(reading, columns, found)
    return None if "first" in said else _figure_or_rows(reading, columns, found, said)


def _figure_or_rows(reading: Reading, columns: list[Column], found: Sequence[Piece], said: Set[str]) -> Asked | None:
    """A count, a figure of all rows that are meant, or these rows."""
    if of_others := (not columns and _of_several(found, reading)) or _of_person(found, reading, columns):
        return of_others
    if reading.measure == "count" and not (columns and all(one.kind == "number" for one in columns)):
        return _counted(reading, columns, found)
    if reading.measure == "count":
        reading.measure, said = None, {"who"}  # 「客数は何人？」
    if not columns and _is_of_all(reading, found):
        reading.measure = "sum"
    if "amount" in said and not columns and ("whole" in said or reading.measure):
        columns = _of_amount(found, reading.table)  # 「全部で何キロ？」
    if _is_summed(reading, columns, found):
        reading.measure = "sum"  # 「食費はいくら？」
    if reading.measure:
        return _of_figure(reading, columns, found)
    amount = "amount" in said and not columns
    columns = _of_amount(found, reading.table) if amount else columns
    return _of_rows(reading, columns, said) if columns or not amount else None


def _of_figure(reading: Reading, columns: list[Column], found: Sequence[Piece]) -> Asked | None:
    """What is put together of one column that is named, or meant, or of two."""
    if len(columns) == 2 and reading.measure == "sum":
        return together(reading.table, columns, reading.filters, "".join(piece.text for piece in found))
    columns = columns or _meant(reading.table, any(re.fullmatch(_OF_MONEY, one.text) for one in found))
    if reading.measure is None or len(columns) != 1 or columns[0].kind != "number":
        return None
    return Asked(reading.table, reading.measure, columns[0], (), tuple(reading.filters))


def _grouped_or_most(reading: Reading, columns: list[Column], found: Sequence[Piece]) -> Asked | None:
    """A figure of each group, the group or the row that has most."""
    if reading.most and (pieces := _of_pieces(found, reading.table)):
        reading.measure, columns = "sum" if reading.group else None, [*columns, pieces]  # 「何個売れた？」
    if reading.most and reading.measure and not reading.group:
        reading.group = _group_of_most(columns, found, reading.table)
    amount = any(piece.meaning == "amount" for piece in found)
    if reading.group:
        columns = [column for column in columns if column is not reading.group]
        columns = columns or (_of_amount(found, reading.table) if amount else [])
        if reading.measure is None and len(columns) == 1 and columns[0].kind == "number":
            reading.measure = usual(columns[0])  # 「担当者ごとの売上」
        money = _meant(reading.table, True) if reading.measure == "sum" else []
        return _of_groups(reading, columns or [one for one in money if is_money(one)])
    columns = columns or (_of_amount(found, reading.table) if amount else [])
    asked = _people(reading.table) if _asks_person(found) else []
    if any(piece.meaning == "who" and piece.text == "どこ" for piece in found):
        asked += [one for one in [place_column(reading.table)] if one]
    return _of_most(reading, list(dict.fromkeys([*columns, *asked])))


def _is_of_all(reading: Reading, found: Sequence[Piece]) -> bool:
    """「母は何時間？」 of several rows: how many they come to, where it is an amount of each and no size."""
    asks = any(one.meaning == "amount" and re.match("何(?!円)", one.text) for one in found)
    of_unit = _of_amount(found, reading.table) if asks and not (reading.measure or _is_row(reading)) else []
    return len(of_unit) == 1 and re.search(r"(?:量|数|作業時間)(?:[(（]|$)", of_unit[0].called) is not None


def _is_summed(reading: Reading, columns: Sequence[Column], found: Sequence[Piece]) -> bool:
    """Whether the figures of several rows are put together, though it is not said: 「食費はいくら？」."""
    if reading.measure:
        return False
    if any(piece.meaning == "whole" for piece in found) and len(columns) == 1 and columns[0].kind == "number":
        return True
    paid = len(columns) == 1 and columns[0].kind == "number" and _PAID.search(columns[0].called) is not None
    of_money = paid or not columns or columns == _meant(reading.table, True)
    asks = any(piece.text == "いくら" for piece in found) and of_money
    return asks and bool(reading.filters) and not _is_row(reading)


_PERSON = ("誰", "だれ", "どなた")


def _asks_person(found: Sequence[Piece]) -> bool:
    return any(piece.meaning == "who" and piece.text in _PERSON for piece in found)


def _of_person(found: Sequence[Piece], reading: Reading, columns: Sequence[Column]) -> Asked | None:
    """「K108は誰の申請で、いくら？」, where another column than that of the names of rows has people."""
    people = _people(reading.table) if _asks_person(found) else []
    if not people or reading.measure or not reading.filters:
        return None
    amount = _of_amount(found, reading.table) if any(piece.meaning == "amount" for piece in found) else []
    shown = tuple(dict.fromkeys([naming(reading.table), *people, *columns, *amount]))
    return Asked(reading.table, "rows", filters=tuple(reading.filters), shown=shown)


def _people(table: Table) -> list[Column]:
    """The columns that name people, where none of them is what the rows are called by."""
    patterns = "|".join(WORDS["people"][name] for name in ("counted", "called", "customers"))
    named = [one for one in table.of_kind("text") if re.search(patterns, one.called)]
    return [] if naming(table) in named else named


def _person(table: Table) -> Column | None:
    people = _people(table)
    return people[0] if len(people) == 1 else None


def _group_of_most(columns: Sequence[Column], found: Sequence[Piece], table: Table) -> Column | None:
    """Of whom or what most is put together: 「金額の合計が一番多い人は誰？」, 「…の合計が一番多い得意先は？」."""
    texts = [one for one in columns if one.kind == "text"]
    if texts:
        return texts[0] if len(texts) == 1 else None
    person = any(piece.text in ("人", "方") for piece in found) or _asks_person(found)
    return _person(table) if person else None


_QUANTITY = r"^(?:数量|個数|本数|枚数|冊数|販売数|売上数|注文数|購入数|出荷数)(?:量)?(?:[(（].*[)）])?$"
_PIECES = regex(r"何(?:個|本|枚|冊|匹|点|杯|袋|箱|つ)|いくつ")


def _of_several(found: Sequence[Piece], reading: Reading) -> Asked | None:
    """「花柄マグカップは何個売れた？」, where each row is of several: their sum."""
    pieces = _of_pieces(found, reading.table)
    if pieces is None or not reading.filters or reading.measure not in ("count", "sum"):
        return None
    return Asked(reading.table, "sum", pieces, (), tuple(reading.filters))


def _of_pieces(found: Sequence[Piece], table: Table) -> Column | None:
    """The one column of how many each row is of, where 「何個」 asks for that."""
    counted = any(piece.meaning == "count" and _PIECES.fullmatch(piece.text) for piece in found)
    pieces = [one for one in table.of_kind("number") if re.search(_QUANTITY, one.called)]
    return pieces[0] if counted and len(pieces) == 1 else None


def _tells_days(reading: Reading) -> bool:
    """Whether 「いつ」 has a column that it asks for; where none is named, it is the only one with days."""
    days = reading.table.of_kind("date")
    if any(one in reading.columns for one in days):
        return True
    reading.columns += days if len(days) == 1 else []
    return len(days) == 1 and not (reading.measure or reading.group)


def _counted(reading: Reading, columns: Sequence[Column], found: Sequence[Piece]) -> Asked | None:
    """「サウナありの銭湯は何軒？」, 「店長は何人？」."""
    made = Asked(reading.table, "count", filters=tuple(reading.filters))
    pieces = any(one.kind == "number" and re.search("数|個", one.called) for one in reading.table.columns)
    if pieces and any(piece.meaning == "did" and re.search("売|買|飲|食", piece.text) for piece in found):
        return None  # 「何個売れた？」, where each row is of several
    if len(columns) == 1 and _of_people(columns[0], reading.table):
        filtered = any(one.column is columns[0] for one in reading.filters)
        return None if filtered else replace(made, measure="distinct", column=columns[0])
    if len(columns) == 1 and _is_of_kinds(columns[0], reading, found):
        return replace(made, measure="distinct", column=columns[0])
    if any(piece.meaning == "count" and piece.text[1:2] in _PEOPLE for piece in found) and not _has_people(
        reading.table
    ):
        return None  # 「函館の観客は何人？」
    return made if not columns and (reading.filters or _counts_rows(found, reading.table)) else None


_OF_ROWS = regex(r"何(?:件|回|人|名)|.*数")


def _is_of_kinds(column: Column, reading: Reading, found: Sequence[Piece]) -> bool:
    """「得意先は全部で何社？」: how many different ones a column has."""
    topic = next((piece for piece in found if piece.text not in ("の", "が", "を", "に")), None)
    counted = any(piece.meaning == "count" and not _OF_ROWS.fullmatch(piece.text) for piece in found)
    named = column.kind == "text" and column is not naming(reading.table) and not reading.filters
    return named and counted and topic is not None and topic.column is column


def _has_people(table: Table) -> bool:
    """Whether a column names people, so that its rows can be counted as such."""
    return any(one.kind == "text" and re.search(WORDS["people"]["counted"], one.called, re.I) for one in table.columns)


def _of_rows(reading: Reading, columns: Sequence[Column], said: Set[str]) -> Asked | None:
    """The names of the rows, and what is asked of each where it is of single ones."""
    name = naming(reading.table)
    listed = all(one.kind == "text" for one in columns) and "amount" not in said  # 「個数が空欄の商品はどれ？」
    if not reading.filters or (columns and not (listed or _is_row(reading)) and "when" not in said):
        return None
    named = [] if listed and columns and not tells_apart(name, reading.table.rows) else [name]
    shown = [*named, *columns] if columns or name.kind == "text" else []  # a date names no row
    made = Asked(reading.table, "rows", filters=tuple(reading.filters), shown=tuple(dict.fromkeys(shown)))
    return made if columns or said & {"things", "who"} else None


def _meant(table: Table, money: bool) -> list[Column]:
    """The column of a figure that is not named: the only one with money, where that is asked for."""
    of_money = [one for one in default_numbers(table) if is_money(one)]
    if not of_money and not any(re.search(_QUANTITY, one.called) for one in table.of_kind("number")):
        priced = [one for one in table.of_kind("number") if is_money_head(one)]
        of_money = [one for one in priced if len(priced) == 1 and _PAID.search(one.called)]
    return of_money if money and len(of_money) == 1 else []


def _of_amount(found: Sequence[Piece], table: Table) -> list[Column]:
    """The only column of what is asked for by its unit: 年齢（歳） for 何歳, a price for いくら."""
    unit = next(piece.text.removeprefix("何") for piece in found if piece.meaning == "amount")
    kilos = [one for one in ("km", "kg") if any(one in column.called for column in table.columns)]
    unit = kilos[0] if unit == "キロ" and len(kilos) == 1 else unit
    of_unit = [one for one in table.of_kind("number") if unit in one.called]
    head = rf"[(（]{re.escape(unit)}[)）]|^{re.escape(unit)}数"
    in_head = [one for one in of_unit if re.search(head, one.called)]
    fits = in_head or of_unit or (_meant(table, money=True) if unit in ("いくら", "円") else [])
    return fits if len(fits) == 1 else []


def _counts_rows(found: Sequence[Piece], table: Table) -> bool:
    """「全部で何冊？」, where no column has a number of them, and where people are counted each row is one."""
    counter = next((piece.text[1:2] for piece in found if piece.meaning == "count" and piece.text[:1] == "何"), "")
    numbers = table.of_kind("number")
    if any(piece.text == "いくつ" for piece in found) and any(piece.meaning == "things" for piece in found):
        return True  # 「行事は全部でいくつ？」
    if counter in _PEOPLE:
        return re.search(WORDS["people"]["names"], naming(table).called, re.I) is not None
    return bool(counter) and not any(counter in one.called for one in numbers)


def _of_people(column: Column, table: Table) -> bool:
    """Whether the column names people beside its rows, one of them perhaps in several."""
    named = re.search(f"{WORDS['people']['called']}|{WORDS['people']['customers']}", column.called, re.I)
    return named is not None and column.kind == "text" and column is not naming(table)


def _is_row(reading: Reading) -> bool:
    """Whether the filters are of single rows, so that a column of theirs is a figure of each."""
    name = naming(reading.table) if naming(reading.table).kind == "text" else None
    return all(
        (one.operator in ("=", "find") and (one.column is None or one.column is name))
        or (one.column and one.column.distinct == reading.table.rows and _is_one(one))
        for one in reading.filters
    )


def _is_one(one: Filter) -> bool:
    """Whether it is of a single value or day."""
    return one.operator == "=" or one.said == "-" or one.said.startswith("on ")


def _of_groups(reading: Reading, columns: Sequence[Column]) -> Asked | None:
    """「町ごとの客数の合計」, and the group that has most of it."""
    table, group = reading.table, reading.group
    counted = reading.measure == "count" and not columns
    summed = reading.measure in MEASURES and len(columns) == 1 and columns[0].kind == "number"
    if group is None or not (counted or summed) or reading.measure is None:
        return None
    made = Asked(table, reading.measure, columns[0] if summed else None, (Group(group),), tuple(reading.filters))
    if not reading.most:
        return made
    way = WORDS["most"][reading.most][0]
    return replace(made, order=way, limit=reading.first if reading.ordered else reading.limit) if way else None


def _of_most(reading: Reading, columns: Sequence[Column]) -> Asked | None:
    """「席数が一番多い店」: by the column that is named, or the one that the word goes with; others are told of it."""
    of_figures, of_days, hints = WORDS["most"][reading.most]
    kinds = (["number"] if of_figures or reading.most == "早" else []) + (["date"] if of_days else [])
    fits = [one for one in columns if one.kind in kinds or is_year(one, of_days)]
    told_of_it = bool(hints and fits) and fits[0] not in reading.near  # 「一番背が高い人の給料は？」
    if told_of_it or (not fits and hints):
        fits = [one for one in reading.table.columns if one.kind in kinds or is_year(one, of_days)]
        fits = [one for one in fits if re.search(hints, one.called, re.I)]
    fits = [one for one in fits if one in columns] or fits  # 「最長は何キロ？」
    if len(fits) > 1 and fits[0] not in columns and reading.most not in ("最後", "最近", "最初", "早"):
        fits = [one for one in fits if re.search(WORDS["age"]["origin"], one.called, re.I)] or fits
    if len(fits) > 1 and fits[0] not in columns and (day := main_day(reading.table)) in fits:
        fits = [day] if day else fits
    if not fits or (len(fits) > 1 and fits[0] not in columns) or reading.measure:
        return None
    by, first = fits[0], naming(reading.table)
    if reading.most in ("速", "早", "遅") and by.kind == "number" and is_time(by):
        of_figures = "up" if of_figures == "down" or reading.most == "早" else "down"  # the fastest has the least time
    others = [one for one in columns if one is not by]
    if by.kind == "number" and any(one.kind == "date" and one.distinct != reading.table.rows for one in others):
        return None  # 「売上が一番多かった日」, of which there are several rows
    if any(one.kind == "text" and one is first for one in others):
        return None
    apart = [first] if tells_apart(first, reading.table.rows) else []
    if not apart and reading.ordered and not (reading.first or any(one.kind == "text" for one in others)):
        return None
    way = of_days if by.kind == "date" or is_year(by, of_days) else of_figures
    shown = [*apart, *others, by] if apart or others else []  # the whole row, where nothing names it
    limit = (reading.first or reading.table.rows) if reading.ordered else reading.limit
    return Asked(reading.table, "rows", by, (), tuple(reading.filters), way, limit, tuple(dict.fromkeys(shown)))


def is_time(column: Column) -> bool:
    """Whether its figures are lengths of time, by the unit in its head."""
    return re.search(r"[(（](?:秒|分|時間|s|sec|min|h)[)）]|タイム|時間$", column.called) is not None


def is_year(column: Column, of_days: str) -> bool:
    named = re.search(r"年(?:式|度)?(?:[(（]年[)）])?$|year", column.called, re.I)
    return bool(of_days) and column.kind == "number" and named is not None
