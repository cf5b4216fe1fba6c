"""The quantities of a Japanese story, each with what it is counted in, the thing before it and the words behind it."""

from __future__ import annotations

import re
from dataclasses import dataclass
from fractions import Fraction

from agent.text.problems.story_parts import MONEY, PERCENT, Part
from agent.text.quantities.number_words import number_at
from agent.text.quantities.units import CURRENCIES, Measure, measure_of
from agent.text.regex import regex
from agent.text.word_tables import word_table


def patterns_in(file: str) -> dict[str, dict[str, re.Pattern[str]]]:
    """The patterns that a file of words beside this one declares, by group and name."""
    declared = word_table(__file__, file)
    return {group: {name: regex(one) for name, one in several.items()} for group, several in declared.items()}


PATTERNS = patterns_in("told_words.toml")
_KINDS = ("length", "time", "month", "mass", "volume", "area", "data")
_KANJI = "一二三四五六七八九十百千"
_UNIT = regex(r"[^\W\d_ぁ-ん]+(?:\^[23])?|つ")
# What counts things: a word in katakana, or one kanji; in either case the same in "3 of them" and "how many".
_COUNTER = regex(r"[ァ-ヶー]+|か所|[一-龯]")
_AFTER_KANJI = regex(r"[人個本枚冊台箱袋つ回杯匹円割倍%日年時分週]")
_PLAINER = (
    (regex(r"ひとつ|一つ"), "1個"),
    (regex(r"ふたつ|二つ"), "2個"),
    (regex(r"三つ|みっつ"), "3個"),
    (regex(r"(?<=\d)つ(?!か)"), "個"),
    (regex(r"(?:今日|本日|今|今週)だけ(?=\d)"), ""),
    (regex(r"ひとり"), "1人"),
    (regex(r"ふたり"), "2人"),
    (regex(r"(?<=[\d一二三四五六七八九十])名(?!前|所)"), "人"),
    (regex(r"(?<=[\d一二三四五六七八九十何]人)(?:分|前)"), ""),
    (regex(r"(?<![\d.])(\d+)(時間|年|個|か月|キロ|リットル)半"), r"\1.5\2"),
    (regex(r"(?<=[\d何]) ?(?:パーセント|per ?cent)"), "%"),
    # So many hours, and so many days a week: these are the hours of a day.
    (
        regex(r"(?<![日\d.週月年])(?<!日に)(\d[\d.]*時間)(?=(?:働いて|働き|勤務)?[、でをと]*(?:週に?|月に)\d日)"),
        r"1日に\1",
    ),
)
_TENTHS = regex(rf"([\d{_KANJI}](?:\.\d)?)割(?![るれっり勘])(?:([\d{_KANJI}])分(?!の))?")
_DISTANCE, _WEIGHT = regex(r"走|歩|進|距離|速|先|離|道|移動|運転|ドライブ"), regex(r"重|体重|米|荷物|肉")


@dataclass(frozen=True, slots=True)
class Mention:
    """A quantity of a text from ``start`` to ``end``; ``before`` are the words since the one before it."""

    part: Part
    start: int
    end: int
    before: str = ""


_NOTES = {
    "一万円": "10000円",
    "1万円": "10000円",
    "五千円": "5000円",
    "5千円": "5000円",
    "二千円": "2000円",
    "千円": "1000円",
}
_NOTE = regex(rf"(?<![\d一-十])(?:{'|'.join(_NOTES)})(?=札|出し|渡し|で払|を(?:出|渡))")
_SPOKEN = (
    (regex(r"なんぼ"), "いくら"),
    (regex(r"(?:なん|の|ん)?(?:です|だ|でした)?(?:けれど|けど|けども|が)、"), "、"),
    (regex(r"(?:なん)?だって[！!。、]"), "、"),
    (regex(r"(?:に)?なる(?:ん|の)?(?:です|でしょう)"), "になりますか"),
    (regex(r"(?<=\d)(?:ミリ)(?=の|を|入)"), "ml"),
)
_REMARK = regex(r"^(?:[^\d。！？!?一二三四五六七八九十百千万半倍割税引%全毎]{2,60}[。！!])+(?=.*\d)")


def shortened(text: str) -> str:
    """``text`` with what is spoken said plainly, its notes in figures, and without sentences that tell no figure."""
    text = _NOTE.sub(lambda found: _NOTES[found[0]], _REMARK.sub("", text))
    for pattern, form in _SPOKEN:
        text = pattern.sub(form, text)
    return text


def plainer(text: str) -> str:
    """``text`` with one form for each way to count: 二つ, 3割5分, 2時間半."""
    text = _journeys(text)
    for pattern, form in _PLAINER:
        text = pattern.sub(form, text)
    return _TENTHS.sub(lambda found: f"{_percent(*found.groups())}%", text)


_DAYS = regex(r"\d日|毎日|平日")
_ROUND_TRIPS = regex(r"(\d{1,4})往復")
_ASKS_OFTEN = regex(r"(?:月|週|年)(?:間|額)?[にで]?(?:は|の[^、。\d]{1,4}は)?(?:いくら|何円|何km|何キロ)")
_WAY = regex(r"片道(?:の)?(?:料金|運賃|交通費|電車代|バス代)?(?:は|が|で)?")


def _journeys(text: str) -> str:
    """「往復1560円、片道は？」 as of 2 and 1 times; 「片道420円で月に20日往復」 as 2 times a day."""
    if text.count("往復") != 1:
        return text
    if times := _ROUND_TRIPS.search(text):
        return _WAY.sub("1回", text.replace(times[0], f"{2 * int(times[1])}回"))
    if "片道" not in text:
        return text.replace("往復", "1日") if _DAYS.search(text) else text
    if text.index("片道") > text.index("往復"):
        return re.sub(r"片道(?:は|だと|では|なら|で)?(?=いくら|何)", "1回", re.sub(r"往復(?:で|は|が)?", "2回で", text))
    text = text if _ASKS_OFTEN.search(text) else re.sub(r"[月週]に?(?=\d+日)", "", text)
    return re.sub("往復", "1日に2回" if _DAYS.search(text) else "2回", _WAY.sub("1回", text))


def _percent(tenths: str, hundredths: str | None) -> str:
    whole = number_at(tenths, 0, "ja")
    rest = number_at(hundredths, 0, "ja") if hundredths else None
    amount = Fraction(whole[0]) * 10 + Fraction(rest[0] if rest else 0) if whole else Fraction(0)
    return f"{float(amount):g}"


_SO_MANY_FOR = regex(r"\d+(?:個|本|枚|冊|袋|箱|杯|玉|束|パック)で(?=\d[\d,]*円)")
_IN_ALL = regex(r"(?:全部で|合計|合わせて|あわせて)[^、。]{0,8}(?:いくら|何円)|(?:お釣り|おつり)は")
_OF_ONE = regex(r"1個|1つ|ひとつ|一つ|あたり|当たり|につき|ずつ|それぞれ")


def prices_alone(text: str) -> str:
    """「3個で450円、5個で300円、全部でいくら」 without how many there are for each price: only the prices are added."""
    several = len(_SO_MANY_FOR.findall(text)) > 1 and _IN_ALL.search(text) and not _OF_ONE.search(text)
    return _SO_MANY_FOR.sub("", text) if several else text


def mentions(text: str) -> list[Mention] | None:
    """All quantities of ``text``; ``None`` where a figure in it is counted in nothing."""
    found: list[Mention] = []
    position = last = sentence = 0
    while position < len(text):
        sentence += text[position] in "。？?！!"
        read = number_at(text, position, "ja") if position == last or not _within(text, position) else None
        if read is None or (text[position] in _KANJI and not _AFTER_KANJI.match(text, read[1])):
            if text[position].isdigit():
                return None
            position += 1
            continue
        made = _of_what(Part(Fraction(read[0]), frozenset(), sentence=sentence), text, read[1])
        if made is None:
            return None
        found.append(Mention(made[0], position, made[1], text[last:position]))
        position = last = made[1]
    return _joined(found)


def _within(text: str, position: int) -> bool:
    """Whether what stands here is a part of a longer word or figure."""
    before = text[position - 1 : position]
    return bool(before) and (before.isdigit() or before in ".,:-/" or (before.isascii() and before.isalpha()))


def _of_what(bare: Part, text: str, end: int) -> tuple[Part, int] | None:
    if text.startswith("%", end):
        return _with(bare, PERCENT, "%"), end + 1
    unit = _UNIT.match(text, end)
    for length in range(len(unit[0]) if unit else 0, 0, -1):
        name = text[end : end + length]
        if sign := CURRENCIES.get(name):
            return _with(bare, MONEY, sign), end + length
        if measure := measure_named(name, text):
            return _with(bare, frozenset({f"@{measure.kind}"}), measure.name, measure), end + length
    counter = _COUNTER.match(text, end)
    return (_with(bare, frozenset({counter[0]})), counter.end()) if counter else None


def _with(bare: Part, names: frozenset[str], unit: str = "", measure: Measure | None = None) -> Part:
    return Part(bare.amount, names, unit, measure, sentence=bare.sentence)


def measure_named(name: str, text: str) -> Measure | None:
    """The unit that ``name`` is; キロ is one of a distance or a weight by the other words of ``text``."""
    several = [one for one in measure_of(name) if one.kind in _KINDS]
    if len(several) == 2 and name == "キロ":
        kinds = [kind for kind, pattern in (("length", _DISTANCE), ("mass", _WEIGHT)) if pattern.search(text)]
        several = [one for one in several if kinds == [one.kind]]
    return several[0] if len(several) == 1 else None


def _joined(found: list[Mention]) -> list[Mention]:
    """「2時間30分」 is one length."""
    joined: list[Mention] = []
    for mention in found:
        last = joined[-1] if joined else None
        if last and not mention.before and (whole := _whole(last.part, mention.part)):
            joined[-1] = Mention(whole, last.start, mention.end, last.before)
        else:
            joined.append(mention)
    return joined


_SMALLER = {"hours": "minutes", "minutes": "seconds", "kg": "g", "km": "metres", "metres": "cm"}


def _whole(large: Part, small: Part) -> Part | None:
    if not (large.measure and small.measure) or _SMALLER.get(large.unit) != small.unit:
        return None
    ratio = small.measure.size / large.measure.size
    return _with(
        Part(large.amount + small.amount * ratio, large.names, sentence=large.sentence),
        large.names,
        large.unit,
        large.measure,
    )
