"""Which of two sizes of the same thing costs less for as much of it: "500 g for 1.45 or 750 g for 2.10?"."""

from __future__ import annotations

import re
from collections.abc import Sequence
from fractions import Fraction

from agent.text.free_sums.free_items import Item, read_told
from agent.text.free_sums.free_plainer import plainly_told
from agent.text.problems.problem_reader import Problem
from agent.text.problems.story_parts import stem, unit_named
from agent.text.problems.story_totals import figure_of
from agent.text.quantities.units import Measure, measure_of
from agent.text.regex import regex
from agent.text.sums.phrases import Language

_LONGEST = 160  # characters
_COMPARED = 2  # offers
_ASKED = regex(
    r"\b(?:cheaper|cheapest|(?:better|best) (?:deal|value|buy|price|offer|bargain))\b"
    r"|(?:どちら|どっち|どれ)(?:の方|のほう|の?方)?(?:が|は)?(?:お?得|お買い得|安い|割安)"
    r"|(?:お?得|お買い得|安い|割安)な?(?:の|方|ほう)?(?:は|が)、?(?:どちら|どっち|どれ|いくら|何円)"
)
_OFFER = regex(
    r"(?P<n>\d+(?:\.\d+)?)(?: ?(?P<of>(?!(?:for|at)\b)[a-z]+)(?: of [a-z]+(?: [a-z]+)?)?)? "
    r"(?:(?:is|are|costs?|for|at) )+[$€£]?(?P<price>\d+(?:\.\d+)?)"
    r"(?: ?(?:€|£|\$|euros?|dollars?|pounds?)|(?P<cents> ?(?:cents?|pence|ct|p)\b|¢))?"
    r"(?! (?!(?:or|and|which|what|is|vs|versus)\b)[a-z])"
)
_OFFER_JA = regex(
    r"(?P<n>\d+(?:\.\d+)?) ?(?P<of>ml|mL|cc|g|kg|l|L|リットル|ミリリットル|グラム|キロ|個|本|枚|袋|杯)"
    r"(?:入り)?(?:の|で|が|は|、)?(?P<price>\d[\d,]*)円"
)
_PER_JA = regex(
    r"(?P<n>\d+(?:\.\d+)?) ?(?P<of>ml|mL|cc|g|kg|l|L|リットル|ミリリットル|グラム|キロ|個|本|枚)"
    r"(?:あたり|当たり|につき)"
)
_REFUSED = regex(
    r"\b(?:off|free|more|less|each|per (?!lit|l\b|kg|kilo|egg|gram|piece|item|ml)|second|half|not|without"
    r"|except|discount|delivery|shipping|coupon|if|only|how many)\b"
    r"|%|\d ?[€£$]? ?(?:(?:per|an?) |/ ?)[a-z]|割|引|送料|\bwhich is (?:bigger|larger)"
)
_UNITS = {"リットル": "l", "ミリリットル": "ml", "グラム": "g", "キロ": "kg", "L": "l", "mL": "ml", "cc": "ml"}


# "30% off a 50 dollar sweater", "40 euros with 25% off".
_OFF, _MONEY = r"(?: ?%| percent) off", r"(?: (?:dollars?|euros?|pounds?))?"
_REDUCED = regex(
    rf"(?P<p>\d+(?:\.\d+)?){_OFF} (?:an? |the )?[$€£]?(?P<v>\d+(?:\.\d+)?){_MONEY}"
    rf"|[$€£]?(?P<w>\d+(?:\.\d+)?){_MONEY} (?:with|at|less|minus) (?P<q>\d+(?:\.\d+)?){_OFF}"
)
_TWICE = regex(r"\b(?:then|extra|another|plus|tax|delivery|shipping|each|if|only|by how)\b")


def _reduced(text: str) -> Problem | None:
    """Two prices with a share off each: which of them is less then."""
    offers = list(_REDUCED.finditer(text))
    if len(offers) != _COMPARED or re.search(r"\d", _REDUCED.sub(" ", text)) or _TWICE.search(text):
        return None
    sums = [f"{one['v'] or one['w']} * (1 - {one['p'] or one['q']} / 100)" for one in offers]
    called = [one[0] for one in offers]
    return Problem("better_buy", sums[0], called[0], other=sums[1], other_called=called[1])


_PER_SO_MUCH = regex(
    r"(?<!\d )(?<!\dp )\bper(?: (?P<n>\d+))? ?(?P<unit>[a-z]+)|\bfor (?:every|each) (?P<m>\d+) ?(?P<of>[a-z]+)"
)
_ASKS_UNIT = regex(r"\b(?:costs? less|less|lower price|lowest price)(?= per\b)|\bworks? out (?:as )?(?:the )?")
_PRICED = regex(r"\b(?:for|at|is|costs?|@)$")
_NO_NAME = regex(
    r"\b(?:which|what|is|are|the|an?(?= )|or|and|better|best|buy|deal|value|cheaper|cheapest|one|of|for|at|get|costs?"
    r"|price|packs?|box|boxes|it|this|that|per)\b"
)
_PRICE_FIRST = regex(r"(?:\b(?:costs?|is|are|at)|[$€£]) ?$")


def _of_quantities(text: str, typed: str) -> Problem | None:
    """Two amounts and their prices in one order, compared by the unit that is asked for, or by that of the first."""
    plain = plainly_told(_ASKS_UNIT.sub("cheaper ", text))
    asked = _PER_SO_MUCH.search(plain)
    plain = f"{plain[: asked.start()]} {plain[asked.end() :]}" if asked else plain
    told = read_told(re.sub(r"\s+", " ", plain)) if not _REFUSED.search(plain) else None
    if told is None or len(told.items) != 2 * _COMPARED or any(item.per for item in told.items):
        return None
    prices = [item for item in told.items if _is_price(item)]
    if len(prices) > _COMPARED:
        prices = [item for item in prices if _PRICE_FIRST.search(item.before)]  # "costs 3.50 for 10"
    amounts = [item for item in told.items if item not in prices]
    if all(_in_cents(item.said) and item.kind == "bare" for item in amounts):
        amounts, prices = prices, amounts  # "3.50 for 10"
    order = [item in prices for item in told.items]
    if len(prices) != _COMPARED or order not in ([False, True] * _COMPARED, [True, False] * _COMPARED):
        return None
    kinds = {item.kind for item in amounts}
    names = [item.names for item in amounts]
    if (all(names) and not names[0] & names[1]) or (
        kinds not in ({"bare"}, {"count"}, {"bare", "count"}) and len(kinds) > 1
    ):
        return None
    if kinds & {"percent", "clock", "speed", "money"} or len({one.unit for one in prices} - {""}) > 1:
        return None
    size = _size_asked(asked, amounts) if asked else amounts[0].size
    if not size:
        return None
    pairs = list(zip(amounts, prices, strict=True))
    sums = [f"{price.said} / {figure_of(amount.value / size)}" for amount, price in pairs]
    offers = [" for ".join(told.source[one.start : one.end].strip() for one in pair) for pair in pairs]
    called = _called(offers, [min(pair, key=lambda one: one.start).before for pair in pairs], typed)
    per = " ".join(filter(None, (asked["n"] or asked["m"], asked["unit"] or asked["of"]))) if asked else ""
    return Problem("better_buy", sums[0], called[0], per=per, other=sums[1], other_called=called[1])


def _called(offers: Sequence[str], before: Sequence[str], typed: str) -> Sequence[str]:
    """The offers behind their names, where both have one: a name before the first may be of both."""
    named = [_named(offer, said, typed) for offer, said in zip(offers, before, strict=True)]
    return offers if any(one == offer for one, offer in zip(named, offers, strict=True)) else named


def _named(offer: str, before: str, typed: str) -> str:
    """An offer behind the name that is told before it, as ``typed``: "Softly (6 for $4.50)"."""
    said = re.sub(
        r"^\W*(?:(?:or|and|the|is) )*|(?: (?:is|are|at|costs?|for))*\W*$", "", re.split(r"[,:;?!.]\s", before)[-1]
    )
    found = re.search(rf"\b{re.escape(said)}\b", typed, re.I) if said and said.replace(" ", "").isalpha() else None
    return offer if found is None or _NO_NAME.search(said) else f"{found[0]} ({offer})"


def _in_cents(said: str) -> bool:
    return re.fullmatch(r"\d+\.\d\d", said) is not None


def _is_price(item: Item) -> bool:
    return item.kind == "money" or (item.kind == "bare" and _PRICED.search(item.before) is not None)


def _size_asked(asked: re.Match[str], amounts: Sequence[Item]) -> Fraction | None:
    """So much as the price is asked for, in base units; ``None`` where the amounts are of another kind."""
    unit, number = asked["unit"] or asked["of"], Fraction(asked["n"] or asked["m"] or 1)
    units = [one for one in measure_of(unit) if one.kind == amounts[0].kind]
    if amounts[0].kind in ("count", "bare"):
        return number if not measure_of(unit) else None
    return number * units[0].size if len(units) == 1 else None


def better_buy(text: str, language: Language) -> Problem | None:
    """The two prices for one of the unit, to be compared; ``None`` where they are of different things."""
    typed, text = text, text.lower() if language == "en" else text
    if len(text) <= _LONGEST and language == "en" and _ASKED.search(text) and (found := _reduced(text)):
        return found
    if len(text) <= _LONGEST and language == "en" and (_ASKED.search(text) or _ASKS_UNIT.search(text)):
        return _of_offers(text, language, typed) or _of_quantities(text, typed)
    return _of_offers(text, language, typed)


def _of_offers(text: str, language: Language, typed: str) -> Problem | None:
    if len(text) > _LONGEST or not _ASKED.search(text) or _REFUSED.search(text):
        return None
    pattern = _OFFER_JA if language == "ja" else _OFFER
    per = list(_PER_JA.finditer(text)) if language == "ja" else []
    text = _PER_JA.sub("", text) if per else text
    offers = list(pattern.finditer(text))
    if len(offers) != _COMPARED or re.search(r"\d", pattern.sub(" ", text)):
        return None
    if any(not one["of"] and (_PRICE_FIRST.search(text[: one.start()]) or _in_cents(one["n"])) for one in offers):
        return None  # "Brand A costs 3.50 for 10"
    named = [_UNITS.get(of := one["of"] or "", of) for one in offers]
    units = [unit_named(of) or next(iter(measure_of(of)), None) for of in named]
    first, second = units
    if (first is None) != (second is None) or (first and second and first.kind != second.kind):
        return None
    if first is None and all(named) and stem(named[0]) != stem(named[1]):
        return None
    often = _often(per, first) if per else ""
    if often is None:
        return None
    whole = _whole_unit(first) if language == "en" else None
    told_in = whole or first
    sums = [
        f"{_price(one)} / {one['n']}{often}"
        + (f" / {figure_of(unit.size / told_in.size)}" if unit and told_in and unit.size != told_in.size else "")
        for one, unit in zip(offers, units, strict=True)
    ]
    begins = [0, offers[0].end()]
    before = [text[begin : one.start()] for begin, one in zip(begins, offers, strict=True)]
    called = _called([re.sub(r"\s+", " ", one[0]) for one in offers], before, typed)
    per_unit = (whole.one or whole.name) if whole else ""
    return Problem("better_buy", sums[0], called[0], per=per_unit, other=sums[1], other_called=called[1])


def _whole_unit(small: Measure | None) -> Measure | None:
    """A litre for millilitres and a kilo for grams: the price of one gram says little."""
    large = {"volume": "litres", "mass": "kg"}.get(small.kind) if small else None
    found = unit_named(large) if large else None
    return found if small and found and small.size < found.size and small.name in ("ml", "cl", "g") else None


def _often(per: Sequence[re.Match[str]], unit: Measure | None) -> str | None:
    """For how much both prices are asked, times the unit of the first one."""
    measure = unit_named(_UNITS.get(per[0]["of"], per[0]["of"]))
    if len(per) > 1 or (measure is None) != (unit is None) or (measure and unit and measure.kind != unit.kind):
        return None
    return f" * {figure_of(Fraction(per[0]['n']) * (measure.size / unit.size if measure and unit else 1))}"


def _price(offer: re.Match[str]) -> str:
    """In whole units of the currency: 0.99 of 99 cents."""
    price = offer["price"].replace(",", "")
    return figure_of(Fraction(price) / 100) if offer.groupdict().get("cents") else price
