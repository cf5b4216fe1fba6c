"""Times of day of a Japanese text in any order: what comes so much later or earlier, how long it is, and elsewhere.

Each is told again as a plain question: 「8:20の55分前は何時」, 「8時間45分 - 45分」, 「ロンドンの12:00は東京では何時」.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from fractions import Fraction

from agent.text.in_japanese.japanese_parts import mentions, plainer
from agent.text.regex import regex

_LONGEST = 120  # characters
_CLOCK = regex(
    r"(?:(?P<day>午前|午後|早朝|朝|お?昼|夕方|深夜|夜中|夜|晩)(?:の)?)?(?P<h>\d{1,2})"
    r"(?:時(?!間|差|給|速)(?:(?P<m>\d{1,2})分(?!間)|(?P<half>半))?|:(?P<m2>[0-5]\d))(?:ちょうど|ぴったり|ごろ|頃|きっかり)?|正午"
)
_LATE = frozenset(("午後", "夕方", "夜", "晩"))
_ASKS_CLOCK = regex(
    r"何時(?!間)(?:何分)?|(?<=[はに])いつ(?=[^一-龯]{0,8}[?？。]*$)|(?:(?:終了|終わり|到着|開始|出発)(?:時刻|時間)?|(?:終わる|着く|帰る|始まる)の)は(?=[^一-龯\d]{0,4}$)"
)
_ASKS_LENGTH = regex(
    r"何時間(?:何分)?|何分|どれ(?:くらい|ぐらい)|どの(?:くらい|ぐらい)|(?:実働|勤務|労働|作業|所要)時間は"
)
_BEGINS = regex(
    r"^発|出発|出[るれたてま発か]|始[まめ]|開演|開始|開[けいく]|スタート|起き|寝[るたてれ]|入れ[るたれて]|乗[るっれり]|焼き始|から|飲[んむ]|離陸|作り始|行き始"
)
_ENDS = regex(
    r"^着|着[くいけきかた]|到着|終[わえ]|終演|終了|でき|焼き上|間に合|帰|まで|届|仕上|炊き上|上が[るり]|閉|集合|待ち合わせ|約束|起き|食べ|着陸"
)
_TURNED = regex(
    r"毎|おき|ごと|遅|時差|週|早[くめ]|ない|なかっ|ません|以外|倍|半分|回|往復|それぞれ|または|前後|曜|割|巻き|速い|延|より|目|月|年(?!末)|昨|翌々"
)
_PART_END = regex(r"[、。]")
_SENTENCE_END = regex(r"[。？?]")
_CLAUSE_END = regex(r"[、。？?]|には|と(?=何)|[ただ]ら|れば|なら|ので|だと")
_REST = regex(r"休憩|休み|昼休|引[くいけ]|除[くいけ]|抜[くいけ]|中断|ランチ|昼食")
_EARLIER = regex(r"^前(?:に|まで)?")
_PLACE = regex(r"日本|東京|大阪|北京|上海|香港|台北|ソウル|(?<![ァ-ヶー])[ァ-ヶー・]{2,14}(?![ァ-ヶー])")
_TWO_PLACES = regex(rf"(?:{_PLACE.pattern})(?:と|や|・|&)(?:{_PLACE.pattern})")
_AT_PLACE = regex(
    r"[)）]?(?:現地)?(?:時間|時刻)?(?:に(?:いる|住|留学|出張|赴任|単身|滞在|旅行)|で|の|在住|支社|支店|オフィス|本社|は|が|から|だと|なら|、|だ|を|時間|$)"
)
_OURS = regex(rf"(?:こちら|こっち|ここ|当地|うち)(?![(（]?(?:{_PLACE.pattern}))")
_THEIRS = regex(r"現地|向こう|むこう|あちら|あっち|そちら|そっち")
_NO_PLACE = frozenset(
    (
        "オンライン",
        "ミーティング",
        "ズーム",
        "ライブ",
        "イベント",
        "フライト",
        "メール",
        "チャット",
        "セミナー",
        "コンサート",
        "ゲーム",
        "テレビ",
        "ウェビナー",
    )
)
_OTHER_TIME = regex(
    r"時間後|時間前|分後|分前|かか|飛行|到着|着[くいき]|発の|乗|翌|前日|夏時間|サマータイム|何時間|まで|毎|時差"
)


def times_asked(text: str) -> str | None:
    """The plain question; ``None`` where a figure would be left over, or it is unsure what begins and what ends."""
    if len(text) > _LONGEST:
        return None
    clocks = list(_CLOCK.finditer(text))
    rest = _CLOCK.sub("、", text)
    if not 1 <= len(clocks) <= 2:
        return None
    if len(clocks) == 1 and not re.search(r"\d", rest):
        return _elsewhere(text, clocks[0])
    found = mentions(plainer(rest)) if re.search(r"\d", rest) else []
    if found is None or _TURNED.search(rest) or any(one.part.unit not in ("hours", "minutes") for one in found):
        return None
    minutes = [one.part.amount * (60 if one.part.unit == "hours" else 1) for one in found]
    if any(one.denominator != 1 for one in minutes):
        return None
    if len(clocks) == 2:
        return _length(text, clocks, rest, minutes)
    early = [_EARLIER.match(plainer(rest)[one.end :]) is not None for one in found]
    return _later(text, clocks[0], sum(minutes, Fraction(0)), any(early)) if found else None


def _later(text: str, clock: re.Match[str], minutes: Fraction, early: bool) -> str | None:
    """Back from what ends to what is to begin, else on from what begins to what ends."""
    asks = _ASKS_CLOCK.search(text)
    if asks is None:
        return None
    clause = _CLAUSE_END.split(text[: asks.start()])[-1]
    wished, told = clause + asks[0] + text[asks.end() :], text[: asks.start() - len(clause)]
    if clock.start() > asks.start():
        wished, *others = _SENTENCE_END.split(text[asks.end() :])
        wished, told = clause + wished, "。".join(others)
    behind = _PART_END.split(text[clock.end() : max(clock.end(), asks.start())])[0]
    begins, ends = ([bool(cue.search(said)) for said in (told, wished, behind)] for cue in (_BEGINS, _ENDS))
    back = begins[1] and (not ends[1] or "起き" in wished) and (ends[2] or ends[0])
    on = ends[1] and not (begins[1] and "起き" not in wished) and (begins[2] or (begins[0] and not ends[0]))
    if back == on or (early and not back):
        return None
    return f"{in_figures(clock)}の{minutes}分{'前' if back else '後'}は何時"


def _length(text: str, clocks: list[re.Match[str]], rest: str, minutes: list[Fraction]) -> str | None:
    """From the one to the other, without the breaks between."""
    asks = _ASKS_LENGTH.search(rest)
    first, last = (60 * int(hour) + int(minute) for hour, minute in (in_figures(one).split(":") for one in clocks))
    between = text[clocks[0].end() : clocks[1].start()]
    behind = _PART_END.split(text[clocks[1].end() :])[0]
    ways = _BEGINS.search(between) and (_ENDS.search(behind) or _BEGINS.search(behind) or between == "から")
    if asks is None or not ways or (minutes and not _REST.search(rest)) or _THEIRS.search(rest):
        return None
    spent = (last - first) % (24 * 60)
    if last < first < 15 * 60:
        return None  # morning or evening is unsure
    if not minutes:
        unit = "何分" if asks[0] == "何分" else "何時間何分"
        return f"{in_figures(clocks[0])}から{in_figures(clocks[1])}まで{unit}"
    return f"{spent // 60}時間{spent % 60}分 - {' - '.join(f'{one}分' for one in minutes)}"


def in_figures(clock: re.Match[str]) -> str:
    """午後3時半 as 15:30."""
    if clock["h"] is None:
        return "12:00"  # 正午
    hour, minute = int(clock["h"]), 30 if clock["half"] else int(clock["m"] or clock["m2"] or 0)
    noon = (clock["day"] or "").endswith("昼") and hour < 5
    late = (clock["day"] in _LATE and 4 <= hour < 12) or (clock["day"] == "午後" and hour < 12) or noon
    return f"{(hour + 12 * late) % 24}:{minute:02}"


def _elsewhere(text: str, clock: re.Match[str]) -> str | None:
    """The one place is told with the time of day, the other one with what is asked for."""
    asks = _ASKS_CLOCK.search(text)
    if asks is None or _OTHER_TIME.search(text) or _TWO_PLACES.search(text):
        return None
    several = [one for one in _PLACE.finditer(text) if one[0] not in _NO_PLACE and _AT_PLACE.match(text, one.end())]
    names = {one.start(): one[0] for one in several}
    names |= {one.start(): "日本" for one in _OURS.finditer(text)}
    if clock.start() > asks.start():
        asked, told = _within(names, 0, asks.start()), _within(names, asks.end(), clock.start())
    else:
        clause = max(clock.end(), *(text.rfind(mark, 0, asks.start()) for mark in "、。"))
        asked, told = _within(names, clause, asks.start()), _within(names, 0, clock.start())
        if not asked and len(told) == 2 and _THEIRS.search(text, clause, asks.start()):
            asked = told - {names[max(place for place in names if place < clock.start())]}
    told -= asked
    return f"{told.pop()}の{in_figures(clock)}は{asked.pop()}では何時" if len(asked) == 1 == len(told) else None


def _within(names: Mapping[int, str], start: int, end: int) -> set[str]:
    return {name for place, name in names.items() if start <= place < end}
