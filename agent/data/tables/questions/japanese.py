"""Japanese questions about a table as the same items: 「地域別の売上の合計」 has its words the other way round."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from agent.data.tables.questions.items import Item, Role
from agent.data.tables.questions.table_schema import Table

_PHRASES: tuple[tuple[str, Role, str], ...] = (
    (r"合計|総計|総額|総和|トータル", "measure", "sum"),
    (r"平均値?", "measure", "avg"),
    (r"中央値", "measure", "median"),
    (r"(?:の)?(?:件数|行数|レコード数)|何件|何行|いくつ", "measure", "count"),
    (r"種類の数|何種類|種類数|ユニークな?数", "measure", "distinct"),
    (r"最大値?|最高値?|(?:一|いち)番(?:高い|大きい)|最も(?:高い|大きい)", "extreme", "max"),
    (r"最小値?|最低値?|(?:一|いち)番(?:低い|小さい|安い)|最も(?:低い|小さい|安い)", "extreme", "min"),
    (r"(?:一|いち)番多い|最も多い", "most", "max"),
    (r"(?:一|いち)番少ない|最も少ない", "most", "min"),
    (r"上位|トップ|ベスト", "top", "down"),
    (r"下位|ワースト", "top", "up"),
    (r"ごと|毎|別", "group", ""),
    (r"棒グラフ", "chart", "bar"),
    (r"折れ線グラフ|折れ線", "chart", "line"),
    (r"円グラフ", "chart", "pie"),
    (r"散布図", "chart", "scatter"),
    (r"ヒストグラム|分布", "chart", "histogram"),
    (r"グラフ|チャート|図", "chart", "any"),
    (r"以外|を除く|を除いた|ではない|でない", "not", ""),
    (r"以上", "operator", ">="),
    (r"以下", "operator", "<="),
    (r"未満|より小さい|より少ない", "operator", "<"),
    (r"より大きい|より多い|を超える|超", "operator", ">"),
    (r"以降|以後|から", "operator", "since"),
    (r"まで|以前", "operator", "until"),
    (r"より前", "operator", "before"),
    (r"行|データ|レコード|表|テーブル", "rows", ""),
    (r"一覧|リスト", "list", ""),
    (r"どの|どこ|どれ|誰|何の", "stop", ""),
)  # fmt: skip
_SKIPPED = re.compile(
    r"教えて(?:ください|下さい)?|(?:に)?して(?:ください|下さい)?|見せて(?:ください|下さい)?|表示|出して|描いて|作って|"
    r"ください|ありますか|あります|ですか|でしょうか|です|ますか|いくら|どのくらい|なに|何|場合|では|には|のみ|だけ|"
    r"全体|すべて|全て|値|数値|件|位|つ|[のはをがでにともや、。,?？!！ 　:：・「」『』]|それ|その|また|さらに|ある|か"
)
_MONTH = re.compile(r"(?:(\d{4})年)?(\d{1,2})月(?!別|ごと|毎)(?:(\d{1,2})日)?")
_YEAR = re.compile(r"(\d{4})年(?!別|ごと|毎)")
_PERIOD = re.compile(r"(年度?|四半期|月|週|日)(?=別|ごと|毎)|(毎)(年|月|週|日)")
_PERIODS = {"年": "year", "年度": "year", "四半期": "quarter", "月": "month", "週": "week", "日": "day"}
_NUMBER = re.compile(r"\d[\d,]*(?:\.\d+)?")
_TEXT = re.compile(r"[A-Za-z][\w-]*|[ァ-ヶー]+|[一-龯々]+|[ぁ-ん]+")
_SAYS = re.compile(r"[ぁ-んァ-ヶ]|合計|平均|件数|最大|最小|最高|最低|別|上位|下位")


def japanese(text: str) -> bool:
    """Whether a question is in Japanese words, not only of Japanese names."""
    return _SAYS.search(text) is not None and not re.search(r"\b(?:by|in|of|how|what|the|total|average)\b", text, re.I)


def items_of(text: str, table: Table) -> list[Item] | None:
    """``None`` where something is left that is neither a name nor a word of a question."""
    found: list[Item] = []
    place = 0
    while place < len(text):
        skipped = _SKIPPED.match(text, place)
        if skipped and not (_named(text, place, table) or _said(text, place)):
            place = skipped.end()
            continue
        item, length = _at(text, place, table)
        if item is None:
            return None
        found.extend(item)
        place += length
    return list(_turned(found))


def _at(text: str, place: int, table: Table) -> tuple[list[Item] | None, int]:
    if named := _named(text, place, table):
        return [named[0]], named[1]
    if period := _PERIOD.match(text, place):
        items = [Item("period", _PERIODS[period[1] or period[3]])]
        return (items, period.end() - place) if period[1] else ([*items, Item("group")], period.end() - place)
    if month := _MONTH.match(text, place):
        year, number, day = month.groups()
        if year and day:
            return [Item("day", f"{year}-{int(number):02}-{int(day):02}")], month.end() - place
        return [Item("month", f"{year or 0}-{int(number)}")], month.end() - place
    if year := _YEAR.match(text, place):
        return [Item("year", year[1])], year.end() - place
    if number := _NUMBER.match(text, place):
        return [Item("number", number[0].replace(",", ""))], number.end() - place
    if said := _said(text, place):
        counts = said[0].role == "measure" and said[0].text == "count"
        return [said[0], *([Item("rows")] if counts else [])], said[1]
    if unknown := _TEXT.match(text, place):
        return [Item("where"), Item("unknown", unknown[0], None, 1, 1)], len(unknown[0])
    return None, 0


def _said(text: str, place: int) -> tuple[Item, int] | None:
    """The longest phrase that begins here."""
    best: tuple[Item, int] | None = None
    for pattern, role, meaning in _PHRASES:
        match = re.compile(pattern).match(text, place)
        if match and (best is None or len(match[0]) > best[1]):
            best = Item(role, meaning), len(match[0])
    return best


def _named(text: str, place: int, table: Table) -> tuple[Item, int] | None:
    """The longest name of the table, of a column or of a value that begins here."""
    rest = text[place:].casefold()
    named = [(table.name, Item("table", table.name))]
    for column in table.columns:
        named += [(name, Item("column", column.name, column)) for name in (column.name, column.label)]
        named += [(value, Item("value", value, column)) for value in column.examples if column.kind == "text"]
    fits = [(len(name), item) for name, item in named if name and rest.startswith(name.casefold())]
    length, item = max(fits, key=lambda pair: pair[0], default=(0, None))
    return (item, length) if item else None


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
