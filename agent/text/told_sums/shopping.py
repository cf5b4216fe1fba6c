"""What is bought, line by line, and the change of what is paid: "2 loaves at 1.85 and a pint of milk for 95p"."""

from __future__ import annotations

import re
from decimal import Decimal

from agent.text.problems.problem_reader import Problem
from agent.text.regex import regex
from agent.text.told_sums.telling import in_digits

_LONGEST = 240  # characters
_FEWEST = 2
_SIGN = r"(?:£|€|\$)?"
_WORD = r"[a-z][a-z'-]*"
_THING = rf"{_WORD}(?: (?!(?:and|plus|at|for|are|is|but|or)\b){_WORD}){{0,4}}"
_PRICE = (
    rf"(?P<sign>{_SIGN})(?P<price>\d+(?:\.\d\d?)?) ?(?P<unit>p|pence|cents|pounds?|quid"
    rf"|euros?|dollars?|bucks)?(?![\w%.]*\d|%)"
)
# "3 notebooks at £3.45 each", "a pint of milk for 95p", "coffee 3.40".
_LINE = regex(
    rf"(?:(?:(?P<n>\d+)x?|(?P<one>an?|one|the|1|my)) )?(?P<thing>{_THING}?)(?P<per>:| at| @"
    rf"| for| is| was| are| cost| costs| costing)?"
    rf" {_PRICE}(?P<each> each| apiece| a piece|(?: an?| per| the) {_WORD})?(?=\s*(?:[,;.&+]|and\b|plus\b|then\b|$))"
)
_JOINS = regex(r"(?:[,;.&+]|\band\b|\bplus\b|\bthen\b|\s)+")
_BUYS = regex(
    r"(?:(?:i|we)(?:'m|'re|'ve| am| are| have| just)* )?(?:just )?(?:buy|bought|buying"
    r"|buys|get|getting|got|had|have|want|order|ordered"
    r"|need|took|picked up)\b:? ?|(?:shopping|bought|buying|order|my order|the bill|items?)(?: was| is)?:? "
    r"|for (?=\d+ |an? )"
)
_NOTES = "(?:twenty|tenner|fiver|fifty|ten|five)"
_MONEY = (
    rf"(?P<sign>{_SIGN})(?P<paid>\d+(?:\.\d\d)?|{_NOTES})(?: (?P<unit>pounds?|quid|euros?"
    rf"|dollars?|bucks))?(?:[ -](?:note|bill))?"
)
_PAID = (
    regex(
        rf"(?:(?:i|we)(?:'ve)? )?(?:paid|paying|pay|pays|gave|handed over|hand over|handed)(?: "
        rf"(?:her|him|them|it))?(?: with)? (?:an? )?{_MONEY}"
    ),
    regex(rf"(?:out of|from) (?:an? )?{_MONEY}"),
    regex(rf"(?:i|we)(?:'ve| have|ve)?(?: only)?(?: got| have) {_MONEY}(?: (?:on|with) me)?(?= and\b|[.,;])"),
)
_WORTH = {"twenty": "20", "tenner": "10", "ten": "10", "fiver": "5", "five": "5", "fifty": "50"}
_CHANGE = regex(
    r"(?:and |so )?(?:how much |what(?:'s| is)? )?(?:my |the )?change\b[a-z' ]*|how much "
    r"(?:do|will|should|would|did) (?:i|we) (?:get|have) (?:back|left)[a-z ]*"
)
_TOTAL = regex(
    r"(?:and |so )?(?:how much|what)(?:'s|s| is| does| do| did| will| would)*(?: (?:that"
    r"|it|this|i|we|they|all|the|my|be|to))*"
    r" ?(?:owe|pay|altogether|come to|total|bill|cost(?: me| us)?|spend|in all"
    r"|all together|add up to|set (?:me|us) back)+[a-z ]*|total"
)
_COUNT = regex(r"\d")
_OF_ONE = frozenset(("each", "per", "more", "less", "than", "share", "split", "person", "half", "free", "off"))
_CURRENCIES = {"£": "£", "€": "€", "$": "$", "p": "£", "q": "£", "e": "€", "d": "$", "b": "$"}
_NOT_THINGS = regex(
    r"\b(?:not|no|half|free|off|voucher|discount|if|or|than|without|except|tip|tax|vat"
    r"|percent|hours?|days?|weeks?|months?|years?|people|friend|per|each|another|more|left"
    r"|owed|saved|earn\w*|sold|ago|paid|pays?|gave|with|note|pack(?:s|ets?)? of \d+)\b"
    r"|n't\b"
)


def shopping(text: str) -> Problem | None:
    """Every line has a price; nothing is left over but the words that buy, pay and ask."""
    low = in_digits(text.lower().replace("’", "'")).strip(" ?!.")
    low = re.sub(r"\ba couple of\b", "2", re.sub(r"(?<=\d),(?=\d{3}\b)", "", low))
    asked = _asked(low) if len(low) <= _LONGEST else None
    if asked is None:
        return None
    rest, change = asked
    signs, paid = set[str](), ""
    if change:
        ways = [found for pattern in _PAID for found in pattern.finditer(rest)]
        if len(ways) != 1:
            return None
        paid = _WORTH.get(ways[0]["paid"], ways[0]["paid"])
        signs |= {ways[0]["sign"] or _CURRENCIES.get((ways[0]["unit"] or " ")[0], "")}
        rest = f"{rest[: ways[0].start()]}; {rest[ways[0].end() :]}"
    bought = _NOT_THINGS.search(re.sub(r"(?<=\d|p) (?:each|per \w+)\b", "", rest)) is None
    lines = _lines(rest, signs) if bought else None
    signs -= {""}
    if lines is None or len(lines) + change < _FEWEST or len(signs) > 1:
        return None
    total = " + ".join(lines)
    if change and sum(_worth(line) for line in lines) > Decimal(paid):
        return None
    sum_ = f"{paid} - ({total})" if change and len(lines) > 1 else f"{paid} - {total}" if change else total
    return Problem("shopping", sum_, sum_.replace(" * ", " × "), signs.pop() if signs else "")


def _worth(line: str) -> Decimal:
    count, _, price = line.rpartition(" * ")
    return Decimal(count or 1) * Decimal(price)


def _asked(text: str) -> tuple[str, bool] | None:
    """``text`` without the clause that asks, at its end or its beginning, and whether it asks for change."""
    for pattern, change in ((_CHANGE, True), (_TOTAL, False)):
        for found in pattern.finditer(text):
            before, behind = text[: found.start()].rstrip(), text[found.end() :]
            if not behind.strip() and (not before or before[-1] in ".,;?!-") and not _OF_ONE & set(found[0].split()):
                return before.rstrip(" -"), change
    return None


def _lines(text: str, signs: set[str]) -> list[str] | None:
    lines: list[str] = []
    place = 0
    while place < len(text):
        if skipped := _JOINS.match(text, place) or (
            _BUYS.match(text, place) if text[place - 1 : place] in " " else None
        ):
            place = skipped.end()
            continue
        found = _LINE.match(text, place)
        if found is None or not found["thing"]:
            return None
        bought = _BUYS.match(found["thing"] + " ")
        count = found["n"] or "1"
        each = (found["each"] or "").split()
        if bought or (count != "1" and found["per"] not in (" at", " @") and not each):
            return None  # "3 pens for 4" may be the price of all three
        if not (found["n"] or found["one"]) and (each or found["per"] in (" at", " @")):
            return None  # how many pens at 3.45 is not told
        if each[:1] in (["a"], ["an"], ["per"], ["the"]) and each[1].rstrip("s") not in found["thing"]:
            return None
        if found["thing"].endswith(" of") or (
            found["per"] == " for" and _COUNT.fullmatch(found["sign"] + found["price"])
        ):
            return None  # "a bag for 2" may be for two of them
        unit = found["unit"] or ""
        signs.add(found["sign"] or _CURRENCIES.get(unit[:1], "") if unit != "cents" else "")
        price = f"{Decimal(found['price']) / 100}" if unit in ("p", "pence", "cents") else found["price"]
        lines.append(price if count == "1" else f"{count} * {price}")
        place = found.end()
    return lines
