"""Short accounts as plain sums: "12 eggs cost 3.48, how much each", "2 dozen times 6", "I earn 2450, rent is 820: what
percent is that", "paint covers 12 m2 per litre, the wall is 4.2 by 2.5".
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from agent.text.problems.story_parts import stem
from agent.text.quantities.number_words import number_at
from agent.text.regex import regex

_N = r"(?<![\d.,])(?:\d{1,3}(?:,\d{3})+|\d+)(?:\.\d+)?(?![.,]?\d| ?%)"
_MONEY = rf"(?P<m>[$€£]?{_N})(?: (?:euros?|pounds?|dollars?|quid))?"
_END = r"[ ?.!]*"
_OF_ONE = regex(
    rf"(?:(?:i|we) )?(?:(?:bought|got|paid for) )?(?:(?:an? |the |my )?(?:pack|box|bag|set|case|tray|bunch|dozen)"
    rf" of )?"
    rf"(?P<n>\d{{1,4}}) (?P<thing>[a-z]+(?: [a-z]+){{0,2}}?)"
    rf" (?:(?:cost|costs|are|is|was|were|came to|comes to|come to|for|at|me|us|only|just) )+{_MONEY}(?: (?:in"
    rf" total|altogether))?"
    rf"[ ,.;:-]+(?:so )?(?:(?:how much|what|whats|what's|price|cost)(?: (?:is|are|was|were|does|do|did|that|it"
    rf"|the price))*"
    rf"(?: (?:each(?: one)?|apiece|for one|per one|one|(?:each|per|an?|one|of) (?P<of>[a-z]+)))(?: (?:cost|cost"
    rf" me|come to|worth))?){_END}",
    re.I,
)


def _of_one(text: str) -> Iterator[str]:
    said = _OF_ONE.fullmatch(text)
    one = said["of"] if said else None
    if (
        said
        and int(said["n"])
        and (one in (None, "one") or stem(one) in {stem(word) for word in said["thing"].split()})
    ):
        dozens = " * 12" if said["thing"].lower().startswith("dozen") else ""
        yield f"what is {said['m']} / ({said['n']}{dozens})" if dozens else f"what is {said['m']} / {said['n']}"


_SIGN = r"(?:times|plus|minus|divided by|multiplied by|[x*+/×÷])"
_DOZEN = regex(
    r"(?:\b(?P<half>half an?|a half)|(?<![\d.,])(?P<n>\d+(?:\.\d+)?)|\b(?P<word>[a-z]+)) dozen\b(?! and)",
    re.I,
)
_IN_DOZENS = regex(rf"{_SIGN} (?:[a-z]+ ){{0,2}}?(?:\d[\d.]* )?dozen\b|\bdozen {_SIGN} ", re.I)


def _dozens(text: str) -> Iterator[str]:
    """Each dozen of a sum as 12; "3.60 a dozen" is a price of it."""
    if _IN_DOZENS.search(text) and (made := _DOZEN.sub(_pieces, text)) != text:
        yield made


def _pieces(said: re.Match[str]) -> str:
    if said["half"]:
        return "6"
    if said["n"]:
        return f"{float(said['n']) * 12:g}"
    word = said["word"].lower()
    found = ("1", len(word)) if word in ("a", "an", "one") else number_at(word, 0, "en")
    return f"{float(found[0]) * 12:g}" if found and found[1] == len(word) else said[0]


_PERIOD = r"(?: (?:a|per|each|every) (?P<{}>week|month|year|day)| (?P<{}>week|month|year|dai)ly)?"
_AMOUNT = rf"[$€£]?{_N}"
_INCOME = (
    r"(?:(?:i|we|he|she|they) (?:earn|make|take home|bring in|get paid|get)s?|(?:my |our |the |his |her"
    r" )?(?:income|salary"
    r"|take[ -]home|take[ -]home pay|pay|wages?|budget)(?: is| of)?|(?:an? |the |my |our )?(?:class|group|team"
    r"|total) (?:of|is))"
)
_SPENT = (
    r"(?:(?:my |our |the )?(?:[a-z]+ ){1,3}?(?:is|are|costs?|takes?|at)|(?:i |we |i've |we've |i have |we have "
    r"|he |she )?(?:spend|spent|pay|paid"
    r"|save|saved|used)s?(?: only| about)?|(?:my |our )?(?:rent|mortgage|bills|food|car))"
)
_WHAT_PERCENT = (
    r"(?:so )?(?:what|which) (?:percent|percentage|per cent|%)(?: of (?:my |our |the |his |her )?[a-z]+)? (?:is|are) "
    r"(?:that|it|those|they)(?: of (?:my |our |the |his |her )?(?:income|salary|pay|wages?|budget|class|total"
    r"|group|earnings))?"
)
_SHARE = regex(
    rf"{_INCOME} (?P<whole>{_AMOUNT})(?: (?:people|pupils|kids|students|players))?{_PERIOD.format('a', 'b')}"
    rf"(?: (?:after|before) tax(?:es)?| net| gross)?[ ,.;:–—-]+(?:and |but )?"
    rf"(?:{_SPENT} )?(?P<part>{_AMOUNT})(?: (?:are|is|were) [a-z]+)?{_PERIOD.format('c', 'd')}(?: (?:on|for|of it"
    rf" on|goes on|goes to) [a-z]+)?"
    rf"{_PERIOD.format('e', 'f')}[ ,.;:–—-]+(?:and )?{_WHAT_PERCENT}{_END}",
    re.I,
)


def _share(text: str) -> Iterator[str]:
    """What percentage the second is of the first, where both are of the same time."""
    said = _SHARE.fullmatch(text)
    if said is None or _value(said["part"]) > _value(said["whole"]) or said["whole"][0] in "$€£" > said["part"][0]:
        return
    whole, part = said["a"] or said["b"], said["c"] or said["d"] or said["e"] or said["f"]
    if whole == part or (whole in (None, "month") and part in (None, "month")):
        yield f"{said['part'].lstrip('$€£')} is what percent of {said['whole'].lstrip('$€£')}"


def _value(said: str) -> float:
    return float(said.lstrip("$€£").replace(",", ""))


_M2 = r"(?:m2|m²|m\^2|sq(?:uare)? ?m(?:et(?:re|er)s?)?|sqm)"
_MADE = r"(?P<{}>litres?|liters?|l|kg|kilos?|tins?|tubs?|cans?|rolls?|bags?|packs?|packets?|pots?|boxe?s?|bottles?)"
_COVERS = r"(?:covers?|does|do|is enough for|is good for|treats?)(?: about)?"
_COVERED = (
    regex(
        rf"\b{_COVERS} (?P<n>{_N}) ?{_M2}(?: (?:per|an?|each|every)|/) ?{_MADE.format('of')}\b",
        re.I,
    ),
    regex(
        rf"\b(?:an?|one|1|each|every) {_MADE.format('of')}(?: of [a-z]+(?: [a-z]+)?)? {_COVERS} (?P<n>{_N})"
        rf" ?{_M2}(?![a-z\d])",
        re.I,
    ),
)
_SIDES = regex(
    rf"(?<![\w.,])(?P<a>{_N}) ?(?:m|met(?:re|er)s?)? ?(?:by|x|×) ?(?P<b>{_N}) ?(?:m|met(?:re|er)s?)?(?![\w²^])(?!"
    rf" ?(?:by|x|×) ?\d)",
    re.I,
)
_HOW_MANY = regex(rf"\bhow (?:many|much)(?: {_MADE.format('made')})?\b[^\d]*$", re.I)
_NOT_ONE = regex(
    r"\b(?:coats?|twice|double|both|each|two|sides|walls|window|door|minus|less|without|except|cost|price|left"
    r"|already"
    r"|have|half|again|layers?|high|rooms|fences|cm|feet|ft)\b",
    re.I,
)


def _coverage(text: str) -> Iterator[str]:
    """How much it takes for the one area whose sides are told, in metres where no unit is; pieces are whole ones."""
    covered = [one for pattern in _COVERED for one in pattern.finditer(text)]
    asked = _HOW_MANY.search(text)
    if len(covered) != 1 or asked is None:
        return
    rest = text[: covered[0].start()] + "、" + text[covered[0].end() :]
    sides = list(_SIDES.finditer(rest))
    made = covered[0]["of"].lower()
    if len(sides) != 1 or re.search(r"\d", _SIDES.sub("", rest)) or _NOT_ONE.search(rest):
        return
    if asked["made"] and stem(asked["made"].lower()) != stem(made):
        return
    a, b, of = sides[0]["a"], sides[0]["b"], covered[0]["n"]
    if re.match(r"l(?:it|\b)", made):
        yield f"one litre covers {of} m2. the wall is {a} m by {b} m. how many litres"
    elif made in ("kg", "kilo", "kilos"):
        yield f"what is {a} kg * {b} / {of}"
    elif float(a.replace(",", "")) * float(b.replace(",", "")) % float(of.replace(",", "")):
        yield f"what is {a} * {b} / {of} rounded up"
    else:
        yield f"what is {a} * {b} / {of}"


def of_short(text: str) -> Iterator[str]:
    """The plain sum that the whole of ``text`` comes to."""
    text = " ".join(text.replace("’", "'").split())
    for read in (_of_one, _dozens, _share, _coverage):
        yield from read(text)
