"""What a row is called in a Japanese question: the column of its name, and nouns that say no more than it."""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import pairwise

from agent.data.tables.questions.table_schema import Column, Table, tells_apart
from agent.data.tables.wordings.japanese_pieces import Piece, main_day

PARTICLES = ("の", "が", "を", "に")
_ANY_ROW = ("人", "子", "者", "方", "一覧", "リスト")
_OF_ONE = ("who", "amount", "when")
_ENDS_CLAUSE = ("verb", "did", "empty", "yes", "no", "which", "honorific", "group", "except")


def naming(table: Table) -> Column:
    """The column that tells the rows apart by a text: the first one, or another where the first does not."""
    first = table.columns[0]
    if tells_apart(first, table.rows):
        return first
    return next((one for one in table.columns if tells_apart(one, table.rows)), first)


def rows_named(found: Sequence[Piece], table: Table) -> list[Piece]:
    """The pieces with each unknown noun that says what a row is as one: 銭湯 in 「サウナありの銭湯」."""
    made: list[Piece] = []
    for place, piece in enumerate(found):
        last = next((one for one in reversed(found[:place]) if one.text not in PARTICLES), None)
        if piece.meaning == "count" and piece.text.endswith("数") and _is_number(last):
            continue  # 衛星の数
        if piece.text == "日" and last is not None and last.kind == "most" and (day := main_day(table)):
            made.append(Piece("column", piece.text, day.name, day))  # 「作業時間が一番長かった日」
            continue
        rows = (
            _is_of_first(found, place, table)
            or _is_stem(found, place, last)
            or _is_of_days(found, place)
            or _is_deed(found, place, last)
            or (piece.kind == "unknown" and _ends_clause(found, place, last, table))
        )
        made.append(Piece("word", piece.text, "things") if rows else piece)
    return made


def _is_of_days(found: Sequence[Piece], place: int) -> bool:
    """Whether it is what a column has the days of, and is counted or sought: 予約 of 予約日 in 「予約は何件？」."""
    piece, then = found[place], next((one for one in found[place + 1 :] if one.text not in PARTICLES), None)
    named = piece.column is not None and piece.column.kind == "date" and piece.column.called == f"{piece.text}日"
    return named and then is not None and then.meaning in ("count", "which", "who")


def _is_stem(found: Sequence[Piece], place: int, last: Piece | None) -> bool:
    """Whether it says what each row is, though a column has who does it: 「6月に出発した出張の宿泊費」."""
    piece = found[place]
    short = piece.column is not None and piece.column.called in (f"{piece.text}者", f"{piece.text}先")
    if not short or last is None:
        return False
    then = next((one for one in found[place + 1 :] if one.text not in PARTICLES), None)
    counted = last.kind == "value" and then is not None and then.meaning in ("sum", "avg", "count", "amount")
    return counted or last.kind == "most" or _is_verb(last) or last.meaning in _ENDS_CLAUSE


_DEEDS = ("支払い", "支払", "買い物", "購入", "利用", "注文", "出費", "支出", "取引", "決済")


def _is_deed(found: Sequence[Piece], place: int, last: Piece | None) -> bool:
    """Whether it is what each row is, and not how it was done: 「一番高かった支払いはどこ？」 of a column 支払い."""
    most = last is not None and last.kind == "most"
    asks = any(piece.meaning in ("when", "amount") or piece.text == "どこ" for piece in found[place + 1 :])
    return most and asks and found[place].text in _DEEDS


def asks_for_group(found: Sequence[Piece]) -> Column | None:
    """What has most of many rows: 「客数が一番多い町は？」 asks for no single bath."""
    several = (
        then.column
        for piece, then in pairwise(found)
        if then.column and then.column.kind == "text" and (piece.kind == "most" or piece.meaning == "which")
    )
    return next(several, None)


def _is_number(piece: Piece | None) -> bool:
    return piece is not None and piece.column is not None and piece.column.kind == "number"


def _is_of_first(found: Sequence[Piece], place: int, table: Table) -> bool:
    """Whether it is the name of the first column, or a part of it: 店 of 店名."""
    piece, first = found[place], naming(table)
    if piece.kind not in ("unknown", "column") or (place + 1 < len(found) and found[place + 1].meaning == "group"):
        return False
    if place and found[place - 1].kind == "value" and piece.kind == "unknown":
        return False  # 「電話番号」 is no 予約番号
    if first.kind == "date" and piece.column is first and piece.text == first.called:
        return False
    named = piece.column is first or piece.text in first.called or piece.text.casefold() == first.called.casefold()
    return named or any(piece.text in said and re.search(names, first.called, re.I) for names, said in _NOUNS)


# What each row is, by what its names are called.
_NOUNS = (("書名|題名|title|book|isbn", ("本", "書籍", "図書")), ("品名|商品|product|item", ("商品", "品物", "もの")))


def _ends_clause(found: Sequence[Piece], place: int, last: Piece | None, table: Table) -> bool:
    """Whether what stands before a noun says which rows it is of: 開業した銭湯, 森田さんの店, 一番古い店."""
    if last is None:
        return False
    of_that = found[place - 1].text == "の" and last.kind in ("number", "value")
    if of_that and any(one.kind == "most" or one.meaning == "first" for one in found[place + 1 : place + 3]):
        return False  # 「トマトの糖度が一番高い日」
    if last.kind == "value" and last.column and last.column is naming(table):
        return False  # 「鈴木の妻は？」, where each row is one person
    then = next((one for one in found[place + 1 :] if one.text not in PARTICLES), None)
    if of_that and (then is None or then.meaning in _OF_ONE):  # 「浜松FCの監督は誰？」 may ask for what no column has
        called = " ".join([table.name, table.caption, *(one.called for one in table.columns)])
        of_that = found[place].text in called or found[place].text.endswith(_ANY_ROW)
    if last.meaning == "honorific" and found[place - 1].text == "の":  # 「大西さんのボーナスはいくら？」
        return then is not None and (then.kind == "column" or then.meaning in ("count", "sum", "avg", "max", "min"))
    return of_that or last.kind in ("operator", "most") or last.meaning in _ENDS_CLAUSE or _is_verb(last)


def _is_verb(piece: Piece) -> bool:
    """Whether a column is named by what was done on its day: 改装した."""
    return piece.column is not None and piece.column.kind == "date" and piece.text.endswith("た")
