"""What so many of each kind pay, 「一般2人と小学生3人」, by a sentence that says what each of them pays."""

from __future__ import annotations

import re
from collections.abc import Sequence

from agent.data.documents.quoted_clauses import Clause
from agent.text.regex import regex

_COUNTED = regex(
    r"(?P<who>[^\d、。？?!とやはがをで]{1,10})を?(?P<n>\d{1,3})(?P<of>人|名|枚|個|台|匹|冊|本|回|泊|つ)(?:分)?(?:、|と|や)?"
)
_IDLE = regex(
    r"(?:(?:で|だと|なら|では|の場合は?|が|は|の|と|に|を|、|。|？|\?|全部|合計|合わせて|あわせて|全員|みんな|家族"
    r"|(?:行く|入る|利用する|使う|泊まる|参加する|買う|借りる|頼む|行った|使った|利用した|買った|借りた|頼んだ)(?:と|とき|ときは|時|場合|場合は|ら)?"
    r"|(?:利用|入場|入館|入園|参加|使用|宿泊|乗車)?(?:料金|料|費|代|代金|費用|値段)|いくら|何円|に?なり(?:ますか|ます)"
    r"|かかり(?:ますか|ます)|です|でしょう|か|になる|なる|かかる)(?:\s)*)*"
)
_PRICE = regex(
    r"(?:^|[、。，：:\s・は])(?P<who>[^\d、。，：:\s・は（）()]{1,12})(?:[（(][^（）()]*[）)])?(?:は|が|：|:|…|\s)*"
    r"(?:(?:お?1|一)(?P<per>人|名|回|枚|日|個|台|匹|冊|本|泊|つ)(?:様)?(?:につき|当たり|あたり)?[ 、]?)?"
    r"(?P<amount>\d[\d,]*)円(?!引|以上|以下|増|から)"
)
_ASKS = regex(r"いくら|何円|[料費]|代|合計|値段")
_TURNED = regex(r"ただし|割引|団体|まとめ")
_KATAKANA = regex(r"[ァ-ヶー]+")


def priced_in_japanese(question: str, found: Sequence[Clause]) -> tuple[Clause, str] | None:
    """The one sentence that says all the prices, and the sum over them; ``None`` where a word is left over."""
    counted = list(_COUNTED.finditer(question))
    if not counted or not _ASKS.search(question) or not _IDLE.fullmatch(_COUNTED.sub("", question)):
        return None
    sums = [(clause, made) for clause in found if (made := _over(clause.text, counted))]
    return sums[0] if len({made for _, made in sums}) == 1 else None


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
    """Whether it is the same thing: 「交換用フィルター」 is a filter, but 「小学生」 is no 「学生」."""
    return asked == priced or (
        _KATAKANA.fullmatch(asked) is not None
        and priced.endswith(asked)
        and _KATAKANA.match(priced[-len(asked) - 1]) is None
    )
