"""What so many of each kind pay, 「一般2人と小学生3人」, by the sentences that say what each of them pays.

And prices in two tiers, 「最初の2時間が無料、そのあとは1時間ごとに200円」.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from fractions import Fraction

from agent.data.documents.quoted_clauses import Clause
from agent.data.documents.tiered_prices import Tiers
from agent.text.regex import regex

_COUNTED = regex(
    r"(?P<who>[^\d、。？?!とやはがをで]{1,10})を?(?P<n>\d{1,3})(?P<of>人|名|枚|個|台|匹|冊|本|回|泊|つ|足|杯|着|缶|袋|箱|皿)(?:分)?(?:、|と|や)?"
)
_IDLE = regex(
    r"(?:(?:で|だと|なら|では|の場合は?|が|は|の|と|に|を|、|。|？|\?|全部|合計|合わせて|あわせて|全員|みんな|家族"
    r"|(?:行く|入る|利用する|使う|泊まる|参加する|買う|借りる|頼む|運ぶ|行った|使った|利用した|買った|借りた|頼んだ)(?:と|とき|ときは|時|場合|場合は|ら)?"
    r"|(?:利用|入場|入館|入園|参加|使用|宿泊|乗車)?(?:料金|料|費|代|代金|費用|値段)|いくら|何円|に?なり(?:ますか|ます)"
    r"|かかり(?:ますか|ます)|です|でしょう|か|になる|なる|かかる|(?:し|乗り|行き|借り|買い|頼み)?たい(?:の|ん)ですが"
    r"|する|した|します)(?:\s)*)*"
)
_WAY = regex(r"(?:、)?(?P<way>往復|片道|平日|土日|休日|祝日|昼|夜|前売り?|当日)(?:券|料金)?")
_OF_WHOM = regex(
    r"[（(](?P<who>[^（）()]{1,12})[）)]|(?:^|[\s・])(?P<head>[^\d、。，：:\s・（）()]{1,12})(?=は|：|:|…)"
)
_PRICE = regex(
    r"(?:^|[、。，：:\s・は])(?P<who>[^\d、。，：:\s・はを（）()]{1,12})(?:[（(][^（）()]*[）)])?(?:は|が|を|：|:|…|\s)*"
    r"(?:(?:お?1|一)(?P<per>人|名|回|枚|日|個|台|匹|冊|本|泊|つ|足|杯|着|缶|袋|箱|皿)(?:様)?"
    r"(?:につき|当たり|あたり)?[ 、]?)?"
    r"(?P<amount>\d[\d,]*)円(?!引|以上|以下|増|から)"
)
_ASKS = regex(r"いくら|何円|[料費]|代|合計|値段")
_TURNED = regex(r"ただし|割引|団体|まとめ")
_KATAKANA = regex(r"[ァ-ヶー]+")


def priced_in_japanese(question: str, found: Sequence[Clause]) -> tuple[tuple[Clause, ...], str] | None:
    """The sentences that say all the prices, and the sum over them; ``None`` where a word is left over."""
    if not _ASKS.search(question):
        return None
    if tiered := _tiered(question, found):
        return tiered
    counted = list(_COUNTED.finditer(question))
    if _are_a_group(counted, found):
        return None
    rest = _COUNTED.sub("", question)
    if counted and _IDLE.fullmatch(rest):
        sums = [(clause, made) for clause in found if (made := _over(clause.text, counted))]
        return ((sums[0][0],), sums[0][1]) if len({made for _, made in sums}) == 1 else None
    ways = [one["way"] for one in _WAY.finditer(rest)]
    if counted and len(ways) == 1 and _IDLE.fullmatch(_WAY.sub("", rest)):
        return _by_the_way(found, counted, ways[0])
    return None


_FOR_GROUPS = regex(r"(?P<n>\d+)(?:人|名)以上[^。]{0,12}(?:割|引|%|円)")


def _are_a_group(counted: Sequence[re.Match[str]], found: Sequence[Clause]) -> bool:
    """Whether another price is told for so many persons."""
    persons = sum(int(one["n"]) for one in counted if one["of"] in ("人", "名"))
    return any(persons >= int(one["n"]) for clause in found for one in _FOR_GROUPS.finditer(clause.text))


def _by_the_way(
    found: Sequence[Clause], counted: Sequence[re.Match[str]], way: str
) -> tuple[tuple[Clause, ...], str] | None:
    """ "2 × 1500円 + 1 × 760円" by 「料金（大人）：片道850円、往復1500円」 and the sentence of the children."""
    clauses, parts = list[Clause](), list[str]()
    for one in counted:
        those = {price["amount"]: clause for clause, price in _prices_of(found, one["who"], way)}
        if len(those) != 1:
            return None
        ((amount, clause),) = those.items()
        clauses.append(clause)
        parts.append(f"{one['n']} × {amount.replace(',', '')}円")
    return tuple(dict.fromkeys(clauses)), " + ".join(parts)


def _prices_of(found: Sequence[Clause], who: str, way: str) -> Iterator[tuple[Clause, re.Match[str]]]:
    for clause in found:
        heads = [one["who"] or one["head"] for one in _OF_WHOM.finditer(clause.text)]
        if who in heads and not _TURNED.search(clause.text):
            yield from ((clause, price) for price in _PRICE.finditer(clause.text) if price["who"] == way)


_UNIT = "時間|分|日|泊|晩|kg|キロ|km|枚|個|人|名|回|冊|本|点|着"
_TO = r"(?:間)?(?:まで|以内|分)?(?:は|が|の|なら|については|、|：|:)*"
_FIRST = (
    regex(rf"(?:最初|初め|はじめ)の(?P<n>\d+)(?P<u>{_UNIT}){_TO}(?:無料|(?P<base>\d[\d,]*)円)"),
    regex(
        rf"(?<![めの\d])(?P<n>\d+)(?P<u>{_UNIT})(?:間)?(?:まで|以内)(?:は|が|の|なら|、|：|:)*(?:無料|(?P<base>\d[\d,]*)円)"
    ),
    regex(rf"(?P<n>1)(?P<u>{_UNIT})目(?:は|が|、)*(?:無料|(?P<base>\d[\d,]*)円)"),
)
_THEN = (
    r"(?:そのあと|その後|それ以降|それ以後|以降|以後|それからは"
    r"|(?:を|は)?超え(?:ると|た分|たら|る分)|超過分?|追加)(?:は|、|の)*"
)
_RATE = regex(
    rf"(?:{_THEN}(?:(?P<n>\d+)?(?P<u>{_UNIT}))?|(?P<k>2|\d+)(?P<v>{_UNIT})目(?:から|以降)(?:は|、)*(?:1(?:{_UNIT}))?)"
    r"(?:ごと|毎|につき|あたり|増えるごと|延長ごと)?(?:に|で|、|は|の)*(?P<rate>\d[\d,]*)円"
)
_AMOUNT = regex(rf"(?P<n>\d+(?:\.\d+)?)(?P<u>{_UNIT})(?:間)?(?:(?P<half>半)|(?P<m>\d{{1,2}})分)?")
_DOES = {
    "とめ": "駐停",
    "停め": "駐停",
    "泊ま": "泊",
    "借り": "借貸",
    "かり": "借貸",
    "使": "使利",
    "つか": "使利",
    "預け": "預",
    "あずけ": "預",
    "送": "送",
    "頼": "頼",
}
_DEED = regex(
    rf"(?P<deed>{'|'.join(_DOES)})(?:ったら|って|った|うと|うなら|るなら|ると|たら|て|た|る|う)?(?:場合|とき|時)?"
)
_NAMED = regex(r"[一-龯々]{1,8}|[ァ-ヶー]{2,}")


def _tiered(question: str, found: Sequence[Clause]) -> tuple[tuple[Clause, ...], str] | None:
    """「5時間とめるといくら」: the one sentence with tiers of what is counted, every word of the question of it."""
    amounts = list(_AMOUNT.finditer(question))
    if len(amounts) != 1 or re.search(r"\d", _AMOUNT.sub("", question)):
        return None
    rest = _AMOUNT.sub("、", question)
    made = [
        (clause, sum_)
        for clause in found
        for tiers in _tiers_told(clause.text)
        if (much := _in_unit(amounts[0], tiers)) and _is_of_sentence(rest, clause.text) and (sum_ := tiers.sum_of(much))
    ]
    return ((made[0][0],), made[0][1]) if len({sum_ for _, sum_ in made}) == 1 else None


def _tiers_told(text: str) -> Iterator[Tiers]:
    firsts = [one for pattern in _FIRST for one in pattern.finditer(text)]
    rates = list(_RATE.finditer(text))
    if len(firsts) != 1 or len(rates) != 1 or rates[0].start() < firsts[0].end():
        return
    (first,), (rate,) = firsts, rates
    unit, step_unit = _size(first["u"]), _size(rate["u"] or rate["v"] or first["u"])
    if unit[0] != step_unit[0] or (rate["k"] and int(rate["k"]) != int(first["n"]) + 1):
        return
    base, step = (first["base"] or "").replace(",", ""), step_unit[1] * int(rate["n"] or 1)
    yield Tiers(unit[0], int(first["n"]) * unit[1], base, rate["rate"].replace(",", ""), "円", step)


def _size(word: str) -> tuple[str, Fraction]:
    """The unit as ``Tiers`` has it; what is counted one by one has no parts."""
    if word in ("時間", "分"):
        return "minute", Fraction(60 if word == "時間" else 1)
    return {"キロ": "kg", "名": "人", "晩": "泊"}.get(word, word), Fraction(1)


def _in_unit(said: re.Match[str], tiers: Tiers) -> Fraction | None:
    unit, size = _size(said["u"])
    more = Fraction(int(said["m"])) if said["m"] else size / 2 if said["half"] else Fraction(0)
    return Fraction(said["n"]) * size + more if unit == tiers.unit else None


def _is_of_sentence(rest: str, text: str) -> bool:
    """Whether what is done is what the sentence is of, and each word that is named stands in it."""
    deeds, bare = list(_DEED.finditer(rest)), _DEED.sub("", rest)
    names = [name for run in _NAMED.findall(bare) if (name := _PAID_FOR.sub("", run)) not in _IDLE_NAMES]
    if any(name not in text for name in names) or not _IDLE.fullmatch(_NAMED.sub("", bare)):
        return False
    done = [one for one in deeds if re.search(f"[{_DOES[one['deed']]}]", text)]
    return bool(names) or (bool(deeds) and len(done) == len(deeds))


_PAID_FOR = regex(r"(?:料金|代金|費用|料|代|費)$")
_IDLE_NAMES = frozenset(("", "車", "合計", "全部", "値段", "円", "何円", "場合"))


def _over(text: str, counted: Sequence[re.Match[str]]) -> str:
    """ "2 × 500円 + 3 × 200円"; "" where the sentence does not say the one price of each."""
    if _TURNED.search(text):
        return ""
    parts: list[str] = []
    for one in counted:
        fitting = [price for price in _PRICE.finditer(text) if _is_of(one["who"], price["who"])]
        if len(fitting) != 1 or not _counts_alike(one["of"], fitting[0]["per"] or ""):
            return ""
        parts.append(f"{one['n']} × {fitting[0]['amount'].replace(',', '')}円")
    return " + ".join(parts)


_SAME = {"名": "人", "つ": "個"}


def _counts_alike(asked: str, priced: str) -> bool:
    """Whether so many are counted as they are priced: two persons who pay 500 yen a visit, 1回, are at one visit."""
    asked, priced = _SAME.get(asked, asked), _SAME.get(priced, priced)
    return priced in ("", asked) or (asked, priced) == ("人", "回")


def _is_of(asked: str, priced: str) -> bool:
    """Whether it is the same thing: 「店のフィルター」 is a filter, 「小学生」 is no 「学生」."""
    return (
        asked == priced
        or priced.endswith((f"の{asked}", f"で{asked}"))
        or (
            _KATAKANA.fullmatch(asked) is not None
            and priced.endswith(asked)
            and _KATAKANA.match(priced[-len(asked) - 1]) is None
        )
    )
