"""Japanese questions about a table, read as the same items, and written.

「地域別の売上の合計」 has its words the other way round.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from functools import lru_cache
from typing import cast

from agent.data.tables.questions.items import Item, Role
from agent.data.tables.questions.japanese_readings import period_told
from agent.data.tables.questions.measure_words import CHARTS_JA, MEASURES_JA
from agent.data.tables.questions.table_lexicon import LEXICON, words
from agent.data.tables.questions.table_schema import Asked, Column, Table
from agent.text.regex import regex
from agent.text.sums.phrases import plain

_PHRASES = tuple((regex(said), *head.partition(" ")[::2]) for head, said in LEXICON["japanese"].items())
_IN_BRACKETS = regex(r"(?<=.) ?[（(][^（）()]*[）)]$")
_SKIPPED = regex(
    r"教えて(?:ください|下さい)?|(?:に)?して(?:ください|下さい)?|見せて(?:ください|下さい)?|表示|出して|描いて|作って|"
    r"ください|ありますか|あります|ですか|でしょうか|です|ますか|いくら|どのくらい|なに|何|場合|では|には|のみ|だけ|"
    r"使いました|使った|払いました|払った|知りたい|全部|間|でした|全体|した|すべて|全て|"
    r"値|数値|件|位|つ|[のはをがでにともや、。,?？!！ 　:：・「」『』]|それ|その|また|さらに|ある|か"
)
# What a column with an English name is called in Japanese.
_CALLED = {tuple(name.split()): tuple(called) for name, called in LEXICON["columns_in_japanese"].items()}
_MOST_FIRST = regex(r"(一番|いちばん|最も)([^がのはを]{1,8})が(多|少な|高|低|大き|小さ|長|短|重|軽)")
_VALUES = {other: name for name, several in LEXICON["values_in_japanese"].items() for other in several}
_OTHERWISE_WRITTEN = regex(rf"アポロ(\d+)号?|{'|'.join(_VALUES)}")
_MONTH = regex(r"(?:(\d{4})年)?(\d{1,2})月(?!別|ごと|毎)(?:(\d{1,2})日)?")
_YEAR = regex(r"(\d{4})年(?!別|ごと|毎)")
_PERIOD = regex(r"(年度?|四半期|月|週|日)(?=別|ごと|毎)|(毎)(年|月|週|日)")
_PERIODS = {"年": "year", "年度": "year", "四半期": "quarter", "月": "month", "週": "week", "日": "day"}
_PEOPLE = regex(r"(?:の)?人数|何人|何名")
_PERSON = regex(r"氏名|名前|社員|従業員|生徒|学生|会員|人物|人(?=は)")
_NOUN = regex(r"[一-龯](?![一-龯])")  # that no other one follows
_THING = regex(r"[一-龯ァ-ヶー]{1,8}(?=は(?:誰|だれ|どれ|どこ|何|なに|[？?]|$))")  # what is sought
_PLACE = regex(r"(?:店|場所|会場|会社|行き先|目的地|宛先|先|施設|駅|所)[名舗]?$")
_NUMBER = regex(r"\d[\d,]*(?:\.\d+)?")
_UNIT = regex(r"(?:人|名|件|社|個|回|歳|才|円)?")
_TEXT = regex(r"[A-Za-z][\w-]*|[ァ-ヶー]+|(?:(?!以外)[一-龯々])+|[ぁ-ん]+")
_SAYS = regex(r"[ぁ-んァ-ヶ]|合計|平均|件数|最大|最小|最高|最低|別|上位|下位")


def japanese(text: str) -> bool:
    """Whether a question is in Japanese words, not only of Japanese names."""
    return _SAYS.search(text) is not None and not re.search(r"\b(?:by|in|of|how|what|the|total|average)\b", text, re.I)


def items_of(text: str, table: Table) -> list[Item] | None:
    """``None`` where something is left that is neither a name nor a word of a question."""
    found: list[Item] = []
    if where := place_column(table):
        text = text.replace("どこ", f"どの{where.called}")
    text, place = _MOST_FIRST.sub(r"\2が\1\3", text), 0
    while place < len(text):
        skipped = _SKIPPED.match(text, place)
        people = _PEOPLE.match(text, place) and _of_people(table)
        if skipped and not (people or _named(text, place, table) or _said(text, place)):
            place = skipped.end()
            continue
        item, length = _otherwise_written(text, place) or _at(text, place, table)
        if item is None:
            return None
        found.extend(item)
        place += length
    if "いくら" in text and not any(item.role in ("measure", "extreme", "most", "implied", "column") for item in found):
        found.append(Item("sought", "revenue amount price total cost 金額 売上 価格 値段 料金"))  # 「食費はいくら？」
    return list(_turned(found))


def place_column(table: Table) -> Column | None:
    """The one column that tells where: 「一番高かった支払いはどこ？」 of the column 「店」."""
    places = [one for one in table.of_kind("text") if _PLACE.search(one.called)]
    return places[0] if len(places) == 1 else None


def _otherwise_written(text: str, place: int) -> tuple[list[Item] | None, int] | None:
    """火星 for Mars, アポロ11号 for Apollo 11."""
    other = _OTHERWISE_WRITTEN.match(text, place)
    if other is None:
        return None
    name = f"Apollo {other[1]}" if other[1] else _VALUES[other[0]]
    return [Item("where"), Item("unknown", name, None, 1, 1)], len(other[0])


def _at(text: str, place: int, table: Table) -> tuple[list[Item] | None, int]:
    if named := _named(text, place, table):
        return [named[0]], named[1] + _counter(text, place + named[1], named[0])
    if (people := _PEOPLE.match(text, place)) and _of_people(table):
        return [Item("measure", "count"), Item("rows")], people.end() - place
    if (person := _PERSON.match(text, place)) and _of_people(table):
        return [Item("rows")], person.end() - place
    if period := _PERIOD.match(text, place):
        items = [Item("period", _PERIODS[period[1] or period[3]])]
        return (items, period.end() - place) if period[1] else ([*items, Item("group")], period.end() - place)
    if month := _MONTH.match(text, place):
        return [_of_calendar(*month.groups())], month.end() - place
    if year := _YEAR.match(text, place):
        return [Item("year", year[1])], year.end() - place
    if number := _NUMBER.match(text, place):
        return _counted(text, number, table), _UNIT.match(text, number.end()).end() - place  # type: ignore[union-attr]
    if said := _said(text, place):
        return _with_thing(text, place, table, said)
    if unknown := _TEXT.match(text, place):
        return [Item("where"), Item("unknown", unknown[0], None, 1, 1)], len(unknown[0])
    return None, 0


def _of_calendar(year: str | None, month: str, day: str | None) -> Item:
    if year and day:
        return Item("day", f"{year}-{int(month):02}-{int(day):02}")
    return Item("month", f"{year or 0}-{int(month)}")


def _counted(text: str, number: re.Match[str], table: Table) -> list[Item]:
    """A number; in front of it the column that its unit is of, where that is not named: 30歳以上."""
    found = Item("number", number[0].replace(",", ""))
    unit = text[number.end() : number.end() + 1]
    names = {"歳": ("年齢", "age"), "才": ("年齢", "age")}.get(unit, ())
    column = next((one for one in table.columns if {*words(one.name), one.called} & {*names}), None)
    said = column and text[: number.start()].rstrip("がはの").endswith(column.called)
    return [Item("column", column.name, column), found] if column and not said else [found]


def _with_thing(text: str, place: int, table: Table, said: tuple[Item, int]) -> tuple[list[Item], int]:
    """A phrase with the rows that it is of: those that it counts, or what is sought in 一番重い惑星は？"""
    item, length = said
    if item.role == "measure" and item.text == "count":
        return [item, Item("rows")], length
    thing = _THING.match(text, place + length) if item.role in ("implied", "extreme") else None
    if thing and _named(text, place + length, table) is None:
        return [item, Item("table", table.name)], thing.end() - place
    return [item], length


def _counter(text: str, place: int, named: Item) -> int:
    """How long the noun is that a value has from its column: 営業部 of a column 部署 is the 営業 of it."""
    if named.role != "value" or named.column is None:
        return 0
    noun = _NOUN.match(text, place)
    return 1 if noun and noun[0] in named.column.called else 0


def _of_people(table: Table) -> bool:
    """Whether each row is of one person."""
    return any(column.distinct == table.rows and _PERSON.search(column.called) for column in table.columns)


def _said(text: str, place: int) -> tuple[Item, int] | None:
    """The longest phrase that begins here."""
    best: tuple[Item, int] | None = None
    for pattern, role, meaning in _PHRASES:
        match = pattern.match(text, place)
        if match and (best is None or len(match[0]) > best[1]):
            best = Item(cast("Role", role), meaning), len(match[0])
    return best


def _named(text: str, place: int, table: Table) -> tuple[Item, int] | None:
    """The longest name of the table, of a column or of a value that begins here."""
    rest = text[place:].casefold()
    fits = [(len(spelling), item) for spelling, item in _spelled(table) if rest.startswith(spelling)]
    length, item = max(fits, key=lambda pair: pair[0], default=(0, None))
    return (item, length) if item else None


@lru_cache(maxsize=64)  # asked at each character of a question
def _spelled(table: Table) -> tuple[tuple[str, Item], ...]:
    """Each spelling of the names of a table, of its columns and of their values, with what it names."""
    named = [(table.name, Item("table", table.name))]
    short = Counter(_short(column.label) for column in table.columns)
    for column in table.columns:
        bare = words(re.sub(r" ?\(.*\)$", "", column.label))  # "Mass (Earths)" is a mass
        names = [column.name, column.label, *_CALLED.get(words(column.name), ()), *_CALLED.get(bare, ())]
        names += [_short(column.label)] if short[_short(column.label)] == 1 else []  # 家賃 of 家賃（円）
        if column.kind == "date":  # 入社した of a column 入社日
            names += [f"{column.called[:-1]}した"] if column.called.endswith("日") else []
        named += [(name, Item("column", column.name, column)) for name in names]
        named += [(value, Item("value", value, column)) for value in column.examples if column.kind == "text"]
    return tuple((spelling, item) for name, item in named if name for spelling in _spellings(name))


def _short(label: str) -> str:
    """The heading of a column without the unit that it has behind it in brackets."""
    return _IN_BRACKETS.sub("", label)


def _spellings(name: str) -> frozenset[str]:
    """As it is, and with plain brackets and letters as a question has them: 家賃（円） and 家賃(円)."""
    return frozenset((name.casefold(), plain(name).casefold()))


def _turned(found: Sequence[Item]) -> Iterator[Item]:
    """What stands after its noun in Japanese and before it in English changes places with it."""
    waiting: list[Item] = []
    for item in found:
        if item.role in ("group", "not", "operator") and waiting and waiting[-1].role not in ("measure", "extreme"):
            yield from waiting[:-1]
            yield item
            yield waiting[-1]
            waiting = []
            if item.role == "group":
                yield Item("stop")
                yield Item("close")
        else:
            waiting.append(item)
    yield from waiting


_CHARTS = {"": "", **{one: CHARTS_JA[one] for one in ("any", "bar", "line", "pie")}}


def described(asked: Asked) -> str:
    """A short question in Japanese words; "" for what this has no words for."""
    if asked.filters or asked.limit or asked.measure not in MEASURES_JA or asked.chart not in _CHARTS:
        return ""
    groups = "".join(f"{group.column.called}{period_told(group)}ごとの" for group in asked.groups)
    of = f"{asked.column.called}の" if asked.column else ""
    figure = f"{of}{MEASURES_JA[asked.measure]}" if of or groups else "行数"
    return f"{asked.table.name}の{groups}{figure}{_CHARTS[asked.chart]}"
