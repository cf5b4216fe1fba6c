"""Japanese sums whose quantities cancel to what is wished: 「時給1150円で1日6時間、週4日働くと1週間でいくら？」.

Each quantity is multiplied or divided by, once; read where only one way comes to what is asked for. Several amounts of
money are put together first, as their words say: added up, taken off, or compared.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from itertools import pairwise, product

from agent.text.in_japanese.japanese_quantities import Item, Read, choices, factor, read
from agent.text.problems.story_totals import StorySum, figure_of
from agent.text.quantities.units import Measure
from agent.text.regex import regex

_TOPIC = regex(r"(?:[一-龯々]+|[ァ-ヶー]{2,})(?=[はがもをの]|$)")
_MONEY_NAMED = regex(r"(?:費|代|料|額)$")
_CLAUSE_END = regex(
    r"[、。?？]|(?<=[うくぐすつぬぶむる])と|[ただ]ら|れば|なら|には|ので|のに|とき|だと|場合|^の(?:[一-龯ァ-ヶー]+)(?:を|に|から)"
)
_FREE = regex(
    r"税込み?|税抜き?|分速|秒速|全.|費|稼|貯|儲|節約|浮|教|計算|求|知|月々|毎月|必要|収入|収益|月収|月給|給与|給料|年収|年間|年額|代|分|買|購入|売|値段|価格|金額|料金|費用|代金|総額|合計|全部|全額|最終的"
    r"|平均|時速|燃費|支払|払|負担|会計|手取|残|余|差|額|増|減|高|安|得|利益|残金|残高|貯金|手元|進|走|歩|読|終|炊|作|使|用意|要|取|切|入|働|勤|出|経|掛|円|人|個|本|枚|日|週|月|年|時間|間|何|数"
    r"|場合|結局|大体|程度|一|割引|割|後|引|戻|距離|時|量|皆|税"
)
_ALLOWED = regex(r"さらに(?=\d)|定価|元値|の平日|不足|だけ(?=ど)|少ない")
_TAX = regex(r"税抜き?(?=.*税込)|税込み?(?=(?:だと|で|は|の|価格|金額|、)*(?:いくら|何円))")
_TURNED = regex(
    r"少な[くめ]|多[くめ]に?払|引かれ|天引|別途|手取りは(?!\d)|[安高]い(?:方|ほう)|割安|割高|どちら|どっち|以外|除[いくき]|半分|半額|ない(?!か)|なかっ|ません(?!か)|以上|以下|未満|超え|次[のに]|最後|または|もしくは|おき|足りな|無料|戻[りっる]|往復|片道"
    r"|税込|税抜|込み|抜き|もと[はの]|元[のは]|利息|利子|金利|年利|倍|妹|弟|兄|姉|友達|友人|彼|同僚|それぞれ|別々|だけ|しか|もう1|おまけ|濃度|追いつ|出会|途中|通り|偶数|奇数"
    r"|最初|知らな|忘れ|わから|分から|残りの|何時(?!間)|歳|度"
)
_WORKS = frozenset("人台匹頭機")
_TIMES = frozenset(("時間", "日", "週", "月", "年"))
_PERIODS = frozenset(("週", "月", "年"))
_CLOCKED = {"hours": Fraction(1), "minutes": Fraction(1, 60), "seconds": Fraction(1, 3600)}
_CONVERTED = {("日", "週"): 7, ("月", "年"): 12}
_UP = regex(r"必要|いる|要る|用意|買えば|終わ|終え|貯ま|たまる|払い終|読み切")
_DOWN = regex(r"作れ|買え(?!ば)|でき|取れ|とれ|入る|入れ|配れ|切れ|足り")
_TAKEN_BEFORE = regex(r"(?:クーポン|割引券|値引き?|頭金|ポイント)(?:が|で|を|は|の|として)?$")
_TAKEN = regex(r"^(?:引|割引|オフ|off|値引|安く|の?(?:クーポン|割引|値引))")
_SPENT = regex(
    r"買|使|払|経費|費用|かか|購入|仕入|支出|出費|食べ|飲[んみ]|読[んみ]|走[っり]|歩[いき]|進[んみ]|配[っり]|捨|終[わえ]|済|消費|売れ"
)
_HAD = regex(r"持っ|持ち|もら|予算|集め|収入|売|小遣い|手取り|入っ|財布|所持金|残高が|あります|あって")
_PAID = regex(r"^(?:札|玉|を?(?:出し|渡し)|で(?:払|支払))")
_LEFT = regex(r"残(?!業)|余|おつり|お釣|手元|利益|儲|もうけ|黒字")
_USED = regex(r"使|食べ|飲[んみ]|捨|配[っり]|売れ|減|帰|降り|引[いか]")
_ADDED = regex(r"合計|合わせ|あわせ|全部|足す|トータル|総")
_DIFFERS = regex(r"差|違|減|増|伸|縮|[高低多少長短重軽]")
_APART = regex(r"差|違い|違う|浮|得|節約|(?:いくら|何円)(?:高|安)|(?:高|安)くな")
_OF_SEVERAL = regex(
    r"ずつ|円(?:の[^、。\d]{1,8})?[とや][\d.]+円の[^、。\d]{1,8}を[\d.]+"
)  # 「150円と200円のパンを5個」
_AFTER_IT = regex(r"(?:引き?|オフ|off|割引|増し?|アップ)?[^、。]{0,5}(?:で|の|、|後)?、?")
_HOW_MUCH_OFF = regex(r"引かれ|割引額|値引|得|浮|差|違|定価|元値|いくら引|税(?:金|額)?[はがっ]")
_OF_ALL = regex(r"[、。]|で$")


@dataclass(frozen=True, slots=True)
class _Way:
    value: Fraction
    text: str
    unit: str
    of: str


def japanese_product(text: str) -> StorySum | None:
    """The sum; ``None`` where a figure would be left over, or two ways come to different figures."""
    bare = _TAX.sub("", text) if "%" in text else text
    told = read(text) if not _TURNED.search(_ALLOWED.sub("", bare)) else None
    if told is None or not _is_asked(told):
        return None
    asked = _CLAUSE_END.split(told.wish.before)[-1] + told.wish.word
    if _tells_reduced(told) or (any(item.of == "%" for item in told.items) and _HOW_MUCH_OFF.search(asked)):
        return None
    counted = Counter(item.of for item in told.items)
    several = next((of for of, _ in told.wish.ways if counted[of] > 1), "")
    whole = _put_together(told, several) if several else None if _LEFT.search(told.wish.said) else told
    found = _solved(whole) if whole else None
    return found or (_solved(told) if several and several != "円" else None)


def _tells_reduced(told: Read) -> bool:
    """Whether what is told is left after something was taken off: 「15%引きで1700円になった」."""
    return any(one.of == "%" and two.of == "円" and _AFTER_IT.fullmatch(one.tail) for one, two in pairwise(told.items))


def _is_asked(told: Read) -> bool:
    """Whether all that is asked for by name was told of."""
    clause = _CLAUSE_END.split(told.wish.before)[-1]
    before = told.text[: told.wish.start + len(told.wish.before) - len(clause)]
    return all(word in before or _MONEY_NAMED.search(word) for word in _named(told))


def _named(told: Read) -> list[str]:
    """What the clause that asks names, but sums of money and the like."""
    said = (_CLAUSE_END.split(told.wish.before)[-1], _CLAUSE_END.split(told.wish.behind)[0])
    return [word for clause in said for word in _TOPIC.findall(clause) if _FREE.sub("", word)]


def _solved(told: Read) -> StorySum | None:
    if _shares_work(told):
        return None
    found = {(way.value, way.unit): way for of, measure in _wished(told) for way in _ways(told, of, measure)}
    if len(found) != 1:
        return None
    (way,) = found.values()
    measured = way.of in ("円", "時間") or way.of[0] == "@"
    among_people = told.wish.per is not None and told.wish.per[0] == "人"
    if measured or way.value.denominator == 1 or (told.wish.per and not among_people):
        return StorySum(way.text, way.unit)
    up, down = _UP.search(told.wish.said), _DOWN.search(told.wish.said)
    return None if bool(up) == bool(down) else StorySum(f"{'ceil' if up else 'floor'}({way.text})", way.unit)


def _shares_work(told: Read) -> bool:
    """Whether more of them may need less time: 「3人で6日かかる」."""
    return any({told.items[i].of, told.items[i + 1].of} & _WORKS and told.items[i + 1].of in _TIMES for i in told.bound)


def _wished(told: Read) -> Iterator[tuple[str, Measure | None]]:
    """The meanings of what is asked for, 「どのくらい」 of the one thing that is measured."""
    for of, measure in told.wish.ways:
        measured = {item.of for item in told.items if item.of[0] == "@"}
        if of != "?":
            yield of, measure
        elif len(measured) == 1:
            yield measured.pop(), None
        elif not measured and _SPENT.search(told.wish.said):
            yield "円", None


def _ways(told: Read, wanted: str, measure: Measure | None) -> Iterator[_Way]:
    often = {of for item in told.items if item.of != "円" for of, _ in item.per} & _PERIODS
    targets = [Counter({wanted: 1}), *(Counter({wanted: 1, of: -1}) for of in often if len(often) == 1)]
    if per := told.wish.per:
        targets = [Counter({wanted: 1, per[0]: -1}), *([] if told.wish.surely else targets[:1])]
    for target in targets:
        if found := list(_ways_to(told, wanted, measure, target)):
            yield from found
            return


def _ways_to(told: Read, wanted: str, measure: Measure | None, target: Counter[str]) -> Iterator[_Way]:
    factors = [factor(item) for item in told.items if item.of == "%"]
    known = [one for one in factors if one is not None]
    places = [place for place, item in enumerate(told.items) if item.of != "%"]
    for pers in choices(told.items, told.wish) if len(known) == len(factors) else ():
        for signs in product((1, -1), repeat=len(places)):
            way = dict(zip(places, signs, strict=True))
            if any(way[place] == way[place + 1] for place in told.bound) or _divides_money(told, way, wanted):
                continue
            if (often := _left_over(told, way, pers, target)) is not None:
                yield _worked_out(told, way, pers, often, known, wanted, measure)


def _divides_money(told: Read, way: Mapping[int, int], wanted: str) -> bool:
    priced = [sign for place, sign in way.items() if told.items[place].of == "円"]
    return wanted == "円" and (not priced or min(priced) < 0)


def _left_over(
    told: Read, way: Mapping[int, int], pers: Sequence[tuple[str, Fraction] | None], target: Counter[str]
) -> Fraction | None:
    """The number that is left to multiply by, ``None`` where it comes to something else than the target."""
    sums = Counter[str]()
    for place, sign in way.items():
        sums[told.items[place].of] += sign
        if per := pers[place]:
            sums[per[0]] -= sign
    over = {of: times for of in {*sums, *target} if (times := sums[of] - target[of])}
    if not over:
        return Fraction(1)
    for (small, large), often in _CONVERTED.items():
        if over == {small: 1, large: -1}:
            return Fraction(1, often)
        if over == {small: -1, large: 1}:
            return Fraction(often)
    return None


def _worked_out(
    told: Read,
    way: Mapping[int, int],
    pers: Sequence[tuple[str, Fraction] | None],
    often: Fraction,
    factors: Sequence[Fraction],
    wanted: str,
    measure: Measure | None,
) -> _Way:
    """The product, in the unit that is asked for."""
    unit, size = _unit(told, wanted, measure)
    value, often = Fraction(1), often / size * (told.wish.per[1] if told.wish.per else 1)
    above, below = list[str](), list[str]()
    for place, sign in sorted(way.items()):
        item, per = told.items[place], pers[place]
        often *= (item.size / (per[1] if per else 1)) ** sign
        value *= item.amount**sign
        (above if sign > 0 else below).append(item.said or figure_of(item.amount))
    for each in factors:
        value *= each
        above.append(figure_of(each))
    above += [str(often.numerator)] if often.numerator != 1 else []
    below += [str(often.denominator)] if often.denominator != 1 else []
    above = [one for one in above if one != "1"] or ["1"]
    text = " / ".join([" * ".join(above), *(one for one in below if one != "1")])
    return _Way(value * often, text, unit, wanted)


def _unit(told: Read, wanted: str, measure: Measure | None) -> tuple[str, Fraction]:
    if wanted == "時間" and measure:
        return measure.name, _CLOCKED[measure.name]
    if measure:
        return measure.name, measure.size if wanted[0] == "@" else Fraction(1)
    first = next((item for item in told.items if item.of == wanted), None)
    return (first.unit, first.size) if first and (wanted == "円" or wanted[0] == "@") else (wanted, Fraction(1))


@dataclass(frozen=True, slots=True)
class _Term:
    item: Item  # of money, behind it what it is multiplied by
    value: Fraction
    text: str
    end: int
    per: tuple[tuple[str, Fraction], ...] = ()


def _put_together(told: Read, of: str) -> Read | None:
    """With one amount of it in the place of several; ``None`` where it is not sure what becomes of them."""
    terms, used = _terms(told.items, of)
    pers = {term.per for term in terms}
    if len(pers) != 1 or len({term.item.size for term in terms}) != 1 or _OF_SEVERAL.search(told.text) or _named(told):
        return None
    last = max(term.end for term in terms)
    percents = [item for item in told.items if item.of == "%"]
    if any(item.start < last or not _OF_ALL.search(item.before) for item in percents):
        return None  # of one of them, it may be
    signs = _signs(told, terms) if of == "円" else _signs_of_things(told, terms)
    if not signs or all(sign < 0 for sign in signs):
        return None
    pairs = sorted(zip(signs, terms, strict=True), key=lambda pair: -pair[0])
    text = "".join(f" {'+' if sign > 0 else '-'} {term.text}" for sign, term in pairs).removeprefix(" + ")
    value = sum((sign * term.value for sign, term in pairs), Fraction(0))
    item = replace(terms[0].item, amount=value, per=terms[0].per, said=f"({text})")
    rest = [one for place, one in enumerate(told.items) if place not in used]
    return replace(told, items=(item, *rest), bound=()) if value > 0 else None


def _terms(items: Sequence[Item], wanted: str) -> tuple[list[_Term], set[int]]:
    """Each amount of what is wanted, times what stands beside it where it is by one of that; and the places of both."""
    found, used = list[_Term](), set[int]()
    for place, item in enumerate(items):
        if item.of != wanted:
            continue
        of = item.per[0][0] if item.per else ""
        beside = [
            one for one in (place + 1, place - 1) if 0 <= one < len(items) and items[one].of == of and one not in used
        ]
        if of and of not in _TIMES and not beside:
            return [], set()
        used |= {place, *beside[:1]}
        if beside and of not in _TIMES - {"時間"}:
            many = items[beside[0]]
            size = many.size / item.per[0][1]
            text = f"{figure_of(item.amount)} * {figure_of(many.amount * size)}"
            found.append(_Term(item, item.amount * many.amount * size, text, max(item.end, many.end)))
            continue
        used -= {*beside[:1]}
        found.append(_Term(item, item.amount, figure_of(item.amount), item.end, item.per))
    return found, used


def _signs(told: Read, terms: Sequence[_Term]) -> list[int]:
    """Whether each is added or taken off; nothing where that is unsure."""
    asked = told.wish.said
    if _APART.search(asked):
        larger = [1 if term.value == max(one.value for one in terms) else -1 for term in terms]
        return larger if len(terms) == 2 and sum(larger) == 0 else []
    taken = [bool(_TAKEN_BEFORE.search(term.item.before) or _TAKEN.search(term.item.tail)) for term in terms]
    if not _LEFT.search(asked):
        before = told.text[: told.wish.start]
        mixed = (_HAD.search(before) and _SPENT.search(before)) or _LEFT.search(before)
        return [] if mixed and not any(taken) else [-1 if one else 1 for one in taken]
    paid = [_PAID.search(term.item.tail) is not None for term in terms]
    if any(paid):
        return [1 if one else -1 for one in paid]
    return _of_left(told, terms) if not any(taken) else []


def _signs_of_things(told: Read, terms: Sequence[_Term]) -> list[int]:
    """As ``_signs``, of what is measured or counted: added up only where the wish says so."""
    asked = told.wish.said
    added, left, apart = (bool(cue.search(asked)) for cue in (_ADDED, _LEFT, _DIFFERS))
    if added + left + apart != 1 or any(term.text != figure_of(term.item.amount) for term in terms if not added):
        return []
    if apart:
        larger = [1 if term.value == max(one.value for one in terms) else -1 for term in terms]
        return larger if len(terms) == 2 and sum(larger) == 0 else []
    before = told.text[: told.wish.start]
    if added:
        return (
            []
            if _USED.search(before) or _LEFT.search(before) or _TAKEN.search(terms[-1].item.tail)
            else [1] * len(terms)
        )
    return _of_left(told, terms)


def _of_left(told: Read, terms: Sequence[_Term]) -> list[int]:
    """What there was is told first; what went, with a word for that behind it or before it."""
    ends = [*(term.item.start for term in terms[1:]), told.wish.start + len(told.wish.before)]
    behind = [told.text[term.end : max(end, term.end)] for term, end in zip(terms, ends, strict=True)]
    spent = [bool(_SPENT.search(said)) for said in behind]
    named = [bool(_SPENT.search(term.item.before.rpartition("。")[2].rpartition("、")[2])) for term in terms]
    first_had = _HAD.search(behind[0]) or _HAD.search(terms[0].item.before) or not (spent[0] or named[0])
    gone = all(named[place] or any(spent[place:]) for place in range(1, len(terms)))
    more = any(_HAD.search(said) for said in behind[1:])
    return [1, *[-1] * (len(terms) - 1)] if first_had and gone and not more else []
