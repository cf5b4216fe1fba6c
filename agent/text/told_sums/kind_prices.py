"""So many of each kind at the price of its kind: two adults at 14 and four children at 8, 「大人2人と子供3人」."""

from __future__ import annotations

import re
from collections.abc import Mapping

from agent.text.problems.problem_reader import Problem
from agent.text.problems.story_parts import STOP, stem
from agent.text.regex import regex
from agent.text.sums.phrases import Language
from agent.text.told_sums.telling import in_digits

_LONGEST = 200  # characters
_FEWEST = 2
_FIGURE = r"\d[\d,]*(?:\.\d+)?"
_MONEY = r"(?P<{0}>[$€£]?)(?P<{1}>" + _FIGURE + r")(?: ?(?P<{2}>€|£|\$|euros?|dollars?|pounds?))?"
_SIGNS = {"e": "€", "d": "$", "p": "£", "€": "€", "$": "$", "£": "£"}
# "Adults pay 14", "a coffee is 3.20", "children 8"; "12 euros for adults"; "3 adults".
_PRICED = regex(
    rf"(?:\b(?:an?|the|one|and|each) )?\b(?P<thing>[a-z]+)(?: (?:pay|pays|costs?|is|are|at|for|go for|tickets?))*:? "
    rf"{_MONEY.format('sign', 'price', 'unit')}(?: each| apiece)?(?=[,.;?!] |[,.;?!]*$| and\b)"
    rf"|{_MONEY.format('sign2', 'price2', 'unit2')} (?:for|per|an?|each|for each|for an?|for every) (?P<thing2>[a-z]+)"
)
_COUNTED = regex(rf"\b(?P<n>\d+) (?P<thing>[a-z]+)(?! ?{_FIGURE})")
_PAID = regex(
    rf"\b(?:pay|pays|paid|paying)(?: with)? (?:an? )?{_MONEY.format('sign', 'paid', 'unit')}(?:[ -](?:note|bill))?"
    rf"|\bfrom (?:an? )?{_MONEY.format('sign2', 'paid2', 'unit2')}(?:[ -](?:note|bill))?"
)
_ASKED = regex(
    r"(?:\b(?:how much|what)\b[^?.!]*\b(?:pay|cost|price|total|owe|come to|altogether|bill|change|for)\b)"
    r"|\b(?:total|altogether|change)\b"
)
_ASKS = regex(r"\b(?:how much|what)\b")
_REFUSED = regex(
    r"\b(?:more|less|than|half|free|off|discount|each|difference|not|no|without|except|only|share|split|tip|tax|cheaper"
    r"|dearer|first|second|third|extra|save|percent|before|after|per person|average|but|if|or|group|minus|plus"
    r"|twice|times|every|daily|(?:mon|tues|wednes|thurs|fri|satur|sun)days?)\b|%|n't"
)
_ASKED_JA = regex(r"(?:いくら|何円|おつり|お釣り)")
_PRICED_JA = regex(
    r"(?P<thing>[一-龯々]+|[ァ-ヶー]+|[ぁ-ん]{2,6}?)(?:料金|が|は|、|1[個枚本冊人杯つ]|一[つ個枚本冊人杯])*(?P<price>\d[\d,]*)円"
)
_COUNTED_JA = regex(
    r"(?P<thing>[一-龯々]+|[ァ-ヶー]+|[ぁ-ん]{2,6}?)(?:を|が|は)?(?P<n>\d+)(?:人|個|枚|本|冊|つ|杯|匹|袋|箱|名)"
)
_PAID_JA = regex(
    r"(?P<paid>\d[\d,]*)円札?(?:を|で|から)?(?:出|払|支払|渡|使)(?:したら|すと|えば|ったら|うと|して|って|い|した|った)?"
)
_REFUSED_JA = regex(
    r"割|引|半額|差|高い|安い|あたり|当たり|無料|以上|以下|未満|%|税|だけ|往復|毎|ずつ|日間|一人|1人(?:分|いくら)|平均|倍"
)
_AND_KANA = regex(r"(?<=\d[個人枚本冊つ杯匹袋箱名円])[とや](?=[ぁ-ん])")
_TEN_THOUSANDS = regex(r"(?<![\d.])(\d|[一二三五])万円")
_KANJI = {"一": 1, "二": 2, "三": 3, "五": 5}


def kind_prices(text: str, language: Language) -> Problem | None:
    """ "Adults pay 14, children 8. What do 2 adults and 4 children pay?": every kind has one price and one count."""
    if len(text) > _LONGEST:
        return None
    return _in_japanese(text) if language == "ja" else _in_english(text.lower().replace("’", "'"))


def _in_english(text: str) -> Problem | None:
    if not _ASKED.search(text) or _REFUSED.search(text) or len(_ASKS.findall(text)) > 1:
        return None
    text = re.sub(r"\bone (?=[a-z])", "1 ", in_digits(text))
    paid, rest, signs = "", text, set[str]()
    if "change" in text:
        several = list(_PAID.finditer(text))
        if len(several) != 1:
            return None
        paid = several[0]["paid"] or several[0]["paid2"]
        rest = rest.replace(several[0][0], ";", 1)
    prices, counts = dict[str, str](), dict[str, str]()
    for found in _PRICED.finditer(rest):
        thing, price = stem(found["thing"] or found["thing2"]), found["price"] or found["price2"]
        signs |= {sign[0] for sign in (found["sign"], found["unit"], found["sign2"], found["unit2"]) if sign}
        if thing in prices or thing in STOP:
            return None
        prices[thing] = price
    rest = _PRICED.sub(";", rest)
    for found in _COUNTED.finditer(rest):
        if stem(found["thing"]) in counts:
            return None
        counts[stem(found["thing"])] = found["n"]
    rest = _COUNTED.sub(" ", rest)
    names = {stem(word) for word in re.findall(r"[a-z]+", rest)}
    if re.search(r"\d", rest) or names & prices.keys() or len({_SIGNS[sign] for sign in signs}) > 1:
        return None
    return _priced(prices, counts, paid, _SIGNS[signs.pop()] if signs else "")


def _in_japanese(text: str) -> Problem | None:
    if not _ASKED_JA.search(text) or _REFUSED_JA.search(text):
        return None
    text = _AND_KANA.sub("、", re.sub("子ども|こども", "子供", text))
    text = _TEN_THOUSANDS.sub(lambda found: f"{_KANJI.get(found[1]) or int(found[1])}0000円", text)
    change, paid, rest = "つり" in text or "釣り" in text, "", text
    several = list(_PAID_JA.finditer(rest))
    if len(several) != change:
        return None
    if change:
        paid, rest = several[0]["paid"], rest.replace(several[0][0], "、", 1)
    prices, counts = dict[str, str](), dict[str, str]()
    for pattern, told, figure in ((_PRICED_JA, prices, "price"), (_COUNTED_JA, counts, "n")):
        for found in pattern.finditer(rest):
            if found["thing"] in told:
                return None
            told[found["thing"]] = found[figure]
        rest = pattern.sub("、", rest)
    if re.search(r"\d", rest) or any(thing in rest for thing in prices):
        return None
    return _priced(prices, counts, paid, "円")


def _priced(prices: Mapping[str, str], counts: Mapping[str, str], paid: str, unit: str) -> Problem | None:
    """The bill of kinds that all have a price and a count, and what is given back of what was ``paid``."""
    if len(prices) < _FEWEST or prices.keys() != counts.keys():
        return None
    lines = [f"{counts[thing]} * {prices[thing].replace(',', '')}" for thing in prices]
    bill = " + ".join(lines)
    bill = f"{paid.replace(',', '')} - ({bill})" if paid else bill
    return Problem("kind_prices", bill, bill.replace(" * ", " × "), unit)
