"""Rows whose figure is above or below that of another row: 「地球より重力が大きい惑星を全部」."""

from __future__ import annotations

import re
from collections.abc import Callable
from datetime import date

from agent.data.tables.identifiers import literal, quoted
from agent.data.tables.questions.table_schema import Asked, Column, Filter, Operator, Table, is_money, tells_apart
from agent.data.tables.wordings.japanese_pieces import WORDS, names_of
from agent.data.tables.wordings.japanese_rows import naming
from agent.text.regex import regex

_CHEAP = regex(r"(?:一番|いちばん|最も|もっとも)安")


def of_other_most(text: str, asked: Asked) -> bool:
    """Whether what is cheapest would be told by a figure that is no price, as by nights."""
    column, hints = asked.column, WORDS["most"]["安"][2]
    if not asked.order or column is None or column.kind != "number" or not _CHEAP.search(text):
        return False
    named = any(one in text for one in names_of(column) if one)
    return not (named or is_money(column) or re.search(hints, column.called, re.I))


_BEYOND = regex(
    r"(?P<row>[^、。?？の]{1,20}?)より(?:も)?(?:(?P<what>[^、。?？よりが]{1,12})が)?"
    r"(?P<how>多|少な|高|低|安|大き|小さ|長|短|重|軽|広|狭|速|遅|古|新し|若|年上の|年下の)(?:い|く|な)?(?P<rows>[^、。?？]{0,15}?)"
    r"(?:は|を|って)?(?:全部|すべて|全て|みんな|全員)?(?:は|を)?(?:どれ|誰|だれ|どこ|何|教えて|挙げて|あげて)?(?:です|ください)?か?[?？。]*"
)


def beyond_row(
    text: str, table: Table, today: date | None, read: Callable[[str, Table, date | None], Asked | None]
) -> Asked | None:
    """「地球より重力が大きい惑星を全部」: those above a row that is named, as ``read`` gives its figure."""
    said, name = _BEYOND.fullmatch(text), naming(table)
    typed = re.sub(r"(?:さん|くん|ちゃん)$", "", said["row"]).casefold() if said else ""
    several = [one for one in name.known if typed and typed in (one.casefold(), one.casefold().split()[0])]
    if said is None or len(several) != 1 or not tells_apart(name, table.rows):
        return None
    (row,) = several
    how = said["how"].rstrip("の")
    best = read(
        f"{said['what'] or ''}{'が' if said['what'] else ''}一番{how}{'' if '年' in how else 'い'}のは？", table, today
    )
    if best is None or best.column is None or best.column.kind != "number" or not best.order or best.filters:
        return None
    rows = read(f"{said['rows']}は？", table, today) if said["rows"] else None
    own = rows.filters if rows else ()
    if said["rows"] and not rows and not _is_noun_of_rows(said["rows"], table):
        return None
    column = Column(f"{best.column.name}_beyond", f"{best.column.called}の{row}との差", "number", best.column.unit)
    figure, of_row = quoted(best.column.name), f"{quoted(name.name)} = {literal(row)}"
    worked_out = f"{figure} - (SELECT max({figure}) FROM {table.rows_sql} WHERE {of_row})"
    widened = table.with_column(column, worked_out)
    operator: Operator = ">" if best.order == "down" else "<"
    return Asked(widened, "rows", filters=(*own, Filter(column, operator, ("0",))), shown=(name, best.column))


def _is_noun_of_rows(noun: str, table: Table) -> bool:
    """Whether it says no more than what each row is: 惑星 of a table "planets" of planets, 人, もの."""
    alike = (table.name, naming(table).called.removesuffix("名"), "の", "もの", "人", "ところ", "ほか", "他")
    return noun.strip("の") in {one.strip("の") for one in alike} or noun in naming(table).called
