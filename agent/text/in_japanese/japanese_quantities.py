"""The quantities of a Japanese text with what each is of and by, and what the text wishes to know: free of order.

What a quantity is of is one word: 円, %, 時間, 日, 週, 月, 年, @mass, or a counter (個, 人). It is by one of what
stands before it (1個120円, 週に4日), or of what holds it (24本入り, 45cmずつ); several may be possible.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from itertools import product

from agent.text.in_japanese.japanese_parts import PATTERNS, Mention, mentions, plainer, shortened
from agent.text.problems.story_parts import MONEY, PERCENT
from agent.text.quantities.units import Measure, measure_of
from agent.text.regex import regex

_LONGEST, _MOST = 140, 6  # characters, quantities
SPANS = {
    "hours": ("時間", 1),
    "minutes": ("時間", 60),
    "seconds": ("時間", 3600),
    "days": ("日", 1),
    "weeks": ("週", 1),
    "months": ("月", 1),
    "years": ("年", 1),
}
_SPANS_AND_PARTS = frozenset(("円", "%", "人", "時間", "日", "週", "月", "年"))
_KINDS = ("length", "time", "month", "mass", "volume", "area", "data")
_PLAINER = (
    (regex(r"[（）()「」]"), "、"),
    (regex(r"半年"), "6ヶ月"),
    (regex(r"(\d{1,3})回(?=の?(?:払い|分割|ローン))"), r"\1ヶ月"),
    (regex(r"(?<=[\d何])[かカヵ]月"), "ヶ月"),
    (regex(r"リッター"), "1リットル"),
    (regex(r"毎[朝晩夜夕]"), "毎日"),
    (regex(r"(?<![A-Za-z])[AB][3-5](?=[をのがはでに])"), "紙"),
    (regex(r" ?(?:kWh|キロワット時) ?"), "ワット"),
    (regex(r"ひと月"), "1ヶ月"),
    (regex(r"(?<=[\d何][人食回杯個枚])(?:前|分)"), ""),
    (regex(r"(?<=\d)(?:ページ|頁)"), "頁"),
    (regex(r"何(?:ページ|頁)"), "何頁"),
    (regex(r"×(?=\d)"), "で"),
)
_DATED = regex(r"\d月\d|\d年\d|\d{4}年|\d{1,2}[/:]\d|令和|平成|昭和|\d時(?!間)|\d{1,2}月(?!額|給|収)の?(?:上|中|下|末)")
_ASKS = regex(
    r"(?:何|なん)(?!か|も|ら)(?P<unit>[a-zA-Z]+|ヶ月|[ァ-ヶー]+|[一-龯々]+)|いくら|いくつ|ど(?:れ|の)(?:くらい|ぐらい|だけ|ほど)"
)
_SUM_NAMED = regex(
    r"(?:月収|日給|年収|給料|給与|バイト代|残業代|値段|金額|料金|代金|費用|総額|合計(?:金額|額)?|利益|残金|残高|差額|おつり|お釣り|交通費|運賃|売上|家賃"
    r"|支払額)(?=(?:は|を|って|が)?[、 ]?(?:教え|計算|出し|求め|知り|お願い|どう)?"
    r"[^\d、。何]{0,14}[?？。 ]*$)"
)
_HOURS_MINUTES = regex(r"何時間何分")
_BY_ONE = regex(
    r"(?:間|分)?(?:に|あたり|当たり|につき|で|は|が|の)?(?:は|の)?、?(?:約|の?[^、。\d]{1,8}(?:に|は|が|で))?"
)
_BOUND = regex(r"(?:(?:入り|分)?の?(?:レシピ|材料)?(?:で|につき|あたり|当たり|に対して|に|には|は)、?[^、。\d]{0,8})?")
_PER_ASKED = regex(r"(?:間|分)?(?:あたり|当たり|につき|に|で|は|の|、|だと|では|なら|分|[^、。\d何]{1,6}(?:は|が))*")
_PER_MANY = regex(r"(?:間)?(?:あたり|当たり|につき)(?:の|で|は|だと|、|[^、。\d何]{1,6}(?:は|が))*")
_HELD = regex(
    r"^(?:[^、。\d]{0,2})?(?:入り|いり|ずつ|入った|詰め|乗り)|^の(?:コップ|グラス|ボトル|瓶|袋|箱|容器|カップ|缶|水筒)(?:に|へ|で)"
)
_FOR_SO_MANY = regex(r"(?:入り|いり)?(?:で|につき|あたり|当たり)、?")
_REDUCED = regex(r"^(?:引き?|オフ|off|割引)(?=の)")
_CLAUSE = regex(r"[、。？?！!]")
_OFTEN = (
    ("月", regex(r"月収|月給|月々|毎月|月額|(?<![\d今先来か])月(?:に|あたり|いくら|何)")),
    ("年", regex(r"年収|年間|年額|毎年|(?<![\d今去昨来])年に")),
    ("日", regex(r"日給|日当|毎日|(?<![\d休祝平])日に")),
    ("週", regex(r"毎週|(?<![\d今先来])週(?:に|いくら|何)")),
    ("時間", regex(r"時給|時速")),
)
_SPEED = regex(r"(時|分|秒)速(?:は|で)?(?:約)?$")
_EARNED = regex(r"月収|日給|年収|月給")
_OFF = regex(r"^(?:引|オフ|off|割引|安|値引|減|ダウン|カット|の(?:割引|値引|クーポン))")
_OFF_BEFORE = regex(r"(?:割引率?|値引き?|セール)(?:が|は|の|で)?$")
_ON = regex(r"^(?:割?増|アップ|上乗|値上|上が|の?(?:消費税|税金?|サービス料|チップ|手数料)|の割増)")
_ON_BEFORE = regex(r"(?:消費税|税金?|税率|サービス料|チップ|手数料|割増)(?:が|は|の|で|として)?$")


@dataclass(frozen=True, slots=True)
class Item:
    """So much of what ``of`` names; ``size`` leads to the base unit; ``per``: what it may be by, each with its size."""

    amount: Fraction
    of: str
    unit: str
    size: Fraction
    per: tuple[tuple[str, Fraction], ...]
    before: str
    tail: str
    start: int
    end: int
    said: str = ""  # the sum that it came of


@dataclass(frozen=True, slots=True)
class Wish:
    """What is asked for, each of its meanings; by how much of what, ``surely`` or as 月収 may; and the words that ask.

    ``before`` and ``behind`` stand around the one word that asks, in its clause.
    """

    ways: tuple[tuple[str, Measure | None], ...]
    per: tuple[str, Fraction] | None
    surely: bool
    before: str
    word: str
    behind: str
    start: int

    @property
    def said(self) -> str:
        return f"{self.before}{self.word} {self.behind}"


@dataclass(frozen=True, slots=True)
class Read:
    text: str
    items: tuple[Item, ...]
    wish: Wish
    bound: tuple[int, ...]


def read(text: str) -> Read | None:
    """``None`` where a figure is of nothing, a date or a time of day is told, or it asks nothing or twice."""
    if len(text) > _LONGEST:
        return None
    text = _plain(text)
    found = mentions(text) if not _DATED.search(text) else None
    asked = list(_ASKS.finditer(_HOURS_MINUTES.sub("何時間--", text)))
    asks = _HOURS_MINUTES.search(text) or next(iter(asked), None) or _SUM_NAMED.search(text)
    if len(asked) > 1 or not found or asks is None or len(found) > _MOST + 2:
        return None
    begin = max([0, *(one.end for one in found if one.end <= asks.start())])
    end = min([len(text), *(one.start for one in found if one.start >= asks.end())])
    per, found = _per_asked(text, list(found), begin, asks.start())
    wish = _wish(asks, per, text[begin : asks.start()], text[asks.end() : end], begin)
    items = _items(text, found, wish) if wish else []
    if wish is None or not (1 if wish.per else 2) <= len(items) <= _MOST:
        return None
    bound = list[int]()
    for place in range(len(items) - 1):
        if place - 1 not in bound and _is_bound(text, items[place], items[place + 1]):
            bound.append(place)
    return Read(text, tuple(items), wish, tuple(bound))


def _plain(text: str) -> str:
    text = plainer(shortened(text))
    for pattern, form in _PLAINER:
        text = pattern.sub(form, text)
    return text


def dimension(mention: Mention) -> tuple[str, str, Fraction]:
    """What it is of, its unit, and its size in the base unit of that."""
    part = mention.part
    if part.names == MONEY:
        return part.unit, part.unit, Fraction(1)
    if part.names == PERCENT:
        return "%", "%", Fraction(1)
    return _of_measure(part.measure) if part.measure else (next(iter(part.names)), "", Fraction(1))


def _of_measure(measure: Measure) -> tuple[str, str, Fraction]:
    if measure.name in SPANS:
        name, often = SPANS[measure.name]
        return name, measure.name, Fraction(1, often)
    return f"@{measure.kind}", measure.name, measure.size


def _per_asked(
    text: str, found: list[Mention], begin: int, asked: int
) -> tuple[tuple[str, Fraction] | None, list[Mention]]:
    """What the wish is by, where a quantity right before the words that ask names it: 1人あたりいくら."""
    last = next((one for one in found if one.end == begin), None)
    if last is None or asked < last.end:
        return None, found
    link, one = text[last.end : asked], last.part.amount == 1
    by_money = last.part.names in (MONEY, PERCENT)
    if by_money or not (_PER_MANY.fullmatch(link) or (one and _PER_ASKED.fullmatch(link))):
        return None, found
    of, _, size = dimension(last)
    return (of, last.part.amount * size), [each for each in found if each is not last]


def _wish(asks: re.Match[str], per: tuple[str, Fraction] | None, before: str, behind: str, start: int) -> Wish | None:
    word = asks[0]
    often = next((of for of, cue in _OFTEN if cue.search(_CLAUSE.split(before)[-1] + word)), "") if per is None else ""
    by = per or ((often, Fraction(1)) if often else None)
    if speed := _SPEED.search(before):
        by = "時間", {"時": Fraction(1), "分": Fraction(1, 60), "秒": Fraction(1, 3600)}[speed[1]]
    wish = Wish((), by, _EARNED.search(f"{before}{word}") is None, before, word, behind, start)
    if word == "何時間何分":
        return replace(wish, ways=(("時間", measure_of("時間")[0]),))
    unit = asks.groupdict().get("unit") or ""
    if unit:
        ways = _ways_of_unit(unit)
        return replace(wish, ways=ways) if ways else None
    named = {"いくつ": "個", "ど": "?"}
    of = named.get(word, named.get(word[0], "円"))
    return replace(wish, ways=((of, None),))


def _ways_of_unit(unit: str) -> tuple[tuple[str, Measure | None], ...]:
    if unit[0] == "円":
        return (("円", None),)
    for length in range(len(unit), 0, -1):
        if several := [one for one in measure_of(unit[:length]) if one.kind in _KINDS]:
            return tuple((_of_measure(one)[0], one) for one in several)
    counter = unit if "ァ" <= unit[0] <= "ヶ" else unit[0]
    return () if counter in "時曜歳番月割倍度位号" else ((counter, None),)


def _items(text: str, found: Sequence[Mention], wish: Wish) -> list[Item]:
    sources = [place for place in range(len(found) - 1) if _is_source(found, place)]
    items: list[Item] = []
    for place, mention in enumerate(found):
        tail = _tail(text, found, place)
        if place in sources and mention.part.amount == 1:
            continue
        of, unit, size = dimension(mention)
        per = _pers(text, found, place, sources, wish)
        items.append(Item(mention.part.amount, of, unit, size, per, mention.before, tail, mention.start, mention.end))
    return items


def _tail(text: str, found: Sequence[Mention], place: int) -> str:
    return text[found[place].end : found[place + 1].start if place + 1 < len(found) else len(text)]


def _is_source(found: Sequence[Mention], place: int) -> bool:
    """Whether it is the one of something that the next one is by: 1個120円, 1日に6時間."""
    this, following = found[place], found[place + 1]
    if this.part.amount != 1 or dimension(this)[0] in ("円", "%") or following.part.names == PERCENT:
        return False
    return dimension(this)[0] != dimension(following)[0] and _BY_ONE.fullmatch(following.before) is not None


def _pers(
    text: str, found: Sequence[Mention], place: int, sources: Sequence[int], wish: Wish
) -> tuple[tuple[str, Fraction], ...]:
    mention = found[place]
    if place - 1 in sources:
        of, _, size = dimension(found[place - 1])
        return ((of, size),)
    for unit, pattern in PATTERNS["rates"].items():
        if mention.part.names != PERCENT and pattern.search(mention.before):
            name, often = SPANS[unit]
            return ((name, Fraction(1, often)),)
    mine = dimension(mention)[0]
    if _HELD.search(_tail(text, found, place)):
        others = {dimension(one)[0] for one in found} | {way for way, _ in wish.ways}
        others |= {wish.per[0]} if wish.per else set()
        return tuple((of, Fraction(1)) for of in sorted(others - {mine, "円", "%", "?"}) if of[0] != "@")
    if place and mine == "円" and mention.before == "から":
        return _pers(text, found, place - 1, sources, wish)
    following = next((i for i in range(place + 1, len(found)) if found[i].part.names != PERCENT), None)
    priced = mine == "円" or mention.part.measure
    if following is None or not priced or (place and _FOR_SO_MANY.fullmatch(mention.before)):
        return ()
    if following in sources:
        return ()
    of, between = dimension(found[following])[0], _REDUCED.sub("", found[following].before)
    counted = of not in _SPANS_AND_PARTS and of[0] != "@" and PATTERNS["between"]["each"].fullmatch(between)
    cut = mine != "円" and _tail(text, found, following)[:1] in ("に", "で")  # 「2mのリボンを4本に切る」
    return ((of, Fraction(1)),) if counted and not cut else ()


def _is_bound(text: str, one: Item, two: Item) -> bool:
    """Whether the one goes with so much of the other: 4人前で600ml, 100gあたり120円."""
    apart = one.of != two.of and "%" not in (one.of, two.of) and not one.per and not two.per
    return apart and _BOUND.fullmatch(text[one.end : two.start]) is not None


def factor(item: Item) -> Fraction | None:
    """What a percentage makes of what it is of; ``None`` where it is not told."""
    off = _OFF.search(item.tail) or _OFF_BEFORE.search(item.before)
    on = _ON.search(item.tail) or _ON_BEFORE.search(item.before)
    if bool(off) == bool(on):
        return None
    return 1 - item.amount / 100 if off else 1 + item.amount / 100


def choices(items: Sequence[Item], wish: Wish) -> Iterator[tuple[tuple[str, Fraction] | None, ...]]:
    """For each item one of what it may be by; nothing where what it is by is told of nowhere else."""
    several: list[list[tuple[str, Fraction] | None]] = []
    for item in items:
        others = {one.of for one in items if one is not item} | {way for way, _ in wish.ways}
        others |= {of for one in items if one is not item for of, _ in one.per} | ({wish.per[0]} if wish.per else set())
        known = [per for per in item.per if per[0] in others or per[0] in "時間日週月年"]
        several.append([*known] or [None])
    yield from product(*several)
