"""Prices over spans of time, with a share put on, and so often: told in any words."""

from __future__ import annotations

import re
from collections.abc import Iterator
from decimal import Decimal

from agent.text.plainly.told_words import FIGURE, PRICE_TURNS, figures_in, sign_of
from agent.text.problems.story_parts import stem
from agent.text.quantities.units import measure_of
from agent.text.regex import regex
from agent.text.told_sums.telling import in_digits

_MONEY = rf"[$€£]?(?P<m>{FIGURE})(?: ?(?:euros?|dollars?|pounds?|bucks|quid|€|£|\$))?"


_PERCENT = regex(r"(?<![\d.])(?P<p>\d+(?:\.\d+)?) ?(?:%|percent\b|per cent\b)", re.I)


_SPANS = {
    ("day", "week"): "7", ("day", "fortnight"): "14", ("day", "year"): "365", ("week", "year"): "52",
    ("month", "year"): "12", ("week", "fortnight"): "2", ("quarter", "year"): "4", ("hour", "day"): "24",
}  # fmt: skip


_OFTEN = {
    "daily": "day",
    "weekly": "week",
    "monthly": "month",
    "yearly": "year",
    "annual": "year",
    "annually": "year",
    "hourly": "hour",
    "quarterly": "quarter",
}


_SPAN = regex(
    r"\b(?:(?:an?|per|each|every|one|over an?|in an?|for an?|over the|in the|over one|in one"
    r"|a whole|over a whole|in a whole|a full|over a full) )(?P<u>hour|day|week|fortnight"
    r"|month|quarter|year)\b"
    r"|/(?P<v>hour|day|week|month|year)\b|\b(?P<often>daily|weekly|monthly|yearly|annual|annually|quarterly)\b",
    re.I,
)


_ASKED = regex(r"\b(?:how much|how many|what|whats|what's)\b(?:[^?.!]|\.(?=\d))*[?.! ]*$", re.I)


_AT_PRICE = regex(
    r"(?:(?:i (?:buy|bought|need|got)|buying|buy|for) )?(?P<n>\d+) (?:[a-z]+ )?[a-z]+s (?:at|@"
    r"|for) [$€£]?(?P<p>\d+\.\d\d)(?: (?:euros?|dollars?|pounds?))?(?: each| apiece"
    r"| per [a-z]+)?"
)


def _over_spans(text: str) -> Iterator[str]:
    """ "34.99 a month, what do I pay over a whole year?": one amount, and another span is asked for."""
    figures, asked = figures_in(text), _ASKED.search(text)
    rest = re.sub(r"\b(?:whole|full|entire)\b", " ", text)
    if len(figures) != 1 or asked is None or _PERCENT.search(text) or PRICE_TURNS.search(rest):
        return
    told, wanted = (_spans_of(part) for part in (text[: asked.start()], asked[0]))
    if len(told) != 1 or len(wanted) != 1 or measure_of(_word_behind(text, figures[0])):
        return
    sign = sign_of(text)
    if factor := _SPANS.get((told[0], wanted[0])):
        yield f"what is {sign}{figures[0]} * {factor}"
    elif factor := _SPANS.get((wanted[0], told[0])):
        yield f"what is {sign}{figures[0]} / {factor}" if factor != "365" else ""


def _word_behind(text: str, figure: str) -> str:
    found = re.search(rf"{re.escape(figure)} ?([a-z]+)", text)
    return found[1] if found and found[1] not in ("a", "an", "at", "per", "in", "pounds", "pound") else ""


def _spans_of(text: str) -> list[str]:
    found = [(one["u"] or one["v"] or _OFTEN[one["often"].lower()]).lower() for one in _SPAN.finditer(text)]
    return list(dict.fromkeys(found))


_EACH = regex(
    rf"{_MONEY} (?:each|apiece|a piece|per (?:ticket|person|head|item|piece|unit)|per [a-z]+"
    r"|an? (?!day|week|month|year|hour)[a-z]+)\b|\b(?:each|per [a-z]+) (?:costs?|is"
    rf"|at) [$€£]?(?P<k>{FIGURE})",
    re.I,
)


_ON = regex(
    r"\b(?:on top|plus|added|add|adds?|extra|with|charge\w*|tax|vat|gst|tip|service|fee"
    r"|surcharge|commission|then goes on|increase\w*)\b",
    re.I,
)


_OFF = regex(r"\b(?:off|discount\w*|reduc\w+|cheaper|sale|knocks?|deduct\w*|rebate)\b", re.I)


_PAYS = regex(
    r"\b(?:pay|cost|costs|total|come to|comes to|bill|price|altogether|in all|owe|set me back"
    r"|spend|charge|shell out|due)\b",
    re.I,
)


_INCLUDED = regex(
    r"\b(?:includ\w+|incl|before|excluding|save[ds]?|saving|was the (?:discount|tip|fee|tax)"
    r"|how much (?:is|was) the (?:tip|tax|discount|fee|vat))\b",
    re.I,
)


def _with_share(text: str) -> Iterator[str]:
    """ "Tickets are 42 each and a 5% fee on top. What do 2 tickets cost?": with a share on or off."""
    shares = list(_PERCENT.finditer(text))
    rest = _PERCENT.sub(" ", text)
    each = list(_EACH.finditer(rest))
    figures = figures_in(rest)
    turned = PRICE_TURNS.search(_OFF.sub(" ", rest).replace("service", " "))
    if (
        len(shares) != 1
        or len(each) != 1
        or len(figures) != 2
        or turned
        or not _PAYS.search(text)
        or _INCLUDED.search(text)
    ):
        return
    price = each[0]["m"] or each[0]["k"]
    count = next((one for one in figures if one != price), price)
    on, off = _ON.search(rest) is not None, _OFF.search(rest) is not None
    if not count.isdigit() or on == off or _measured(rest, count):
        return
    yield f"what is {sign_of(text)}{Decimal(price) * int(count)} {'plus' if on else 'minus'} {shares[0]['p']}%"


def _measured(text: str, figure: str) -> bool:
    return any(measure_of(word) for word in re.findall(rf"(?<![\d.]){re.escape(figure)} ?([a-z]+)", text))


_OFTEN_EACH = regex(
    r"\b(?P<t>\d+) times (?:a|per|each|every) (?P<u>day|week|month)\b|\b(?P<twice>twice"
    r"|once) (?:a|per|each|every) (?P<w>day|week|month)\b"
)


_SO_MUCH = regex(
    rf"(?<![\d.])[$€£]?(?P<n>{FIGURE}) ?(?P<u>km|kilomet(?:re|er)s|miles|minutes|hours|m|metres"
    r"|litres|ml|g|kg|euros?|dollars?|pounds?|pages|laps)?\b(?: (?:each(?: time)?|a time"
    r"|every time|at a time|per (?:run|swim|session|lesson|visit|class|go|walk|ride)"
    r"|for [a-z]+))?"
)


def _several_times(text: str) -> Iterator[str]:
    """ "I run 3 times a week, 7.5 km each. How many km in a year?"."""
    often, asked = list(_OFTEN_EACH.finditer(text)), _ASKED.search(text)
    rest = _OFTEN_EACH.sub(" ", text)
    much = list(_SO_MUCH.finditer(rest))
    if (
        len(often) != 1
        or len(much) != 1
        or len(figures_in(rest)) != 1
        or asked is None
        or PRICE_TURNS.search(rest.replace("every time", " "))
    ):
        return
    one, wanted = often[0]["u"] or often[0]["w"], _spans_of(asked[0])
    number = {"twice": 2, "once": 1}.get(often[0]["twice"] or "", 0) or int(often[0]["t"] or 0)
    factor = "1" if wanted == [one] else _SPANS.get((one, wanted[0]), "") if len(wanted) == 1 else ""
    if factor:
        yield f"what is {sign_of(text)}{much[0]['n']} * {number} * {factor}"


def of_prices(text: str) -> Iterator[str]:
    """The plain questions that a telling of prices may come to."""
    plain = in_digits(re.sub(r"(?<=\d),(?=\d{3}\b)", "", text.lower()))
    if bare := _AT_PRICE.fullmatch(plain.strip(" ?.!")):
        yield f"what is {bare['n']} * {sign_of(plain)}{bare['p']}"
    for read in (_over_spans, _with_share, _several_times, _base_and_rate, _for_so_many, _packs, _each_and_count):
        yield from read(plain)


_RATE = regex(
    rf"[$€£]?(?P<r>{FIGURE})(?: ?(?:euros?|dollars?|pounds?|quid|€|£))? (?:an?|per|each|every"
    r"|for each) (?P<u>km|mile|hour|minute|day|night|kilomet(?:re|er))\b"
)
_OF_UNIT = regex(rf"(?<![\d.])(?P<n>{FIGURE})[ -]?(?P<u>km|mile|hour|minute|day|night|kilomet(?:re|er))s?\b")
_BASE = regex(
    rf"[$€£]?(?P<f>{FIGURE})(?: ?(?:euros?|dollars?|pounds?|quid|€|£))? (?:base|basic|fixed"
    r"|flat|standing|call-?out|up front|booking|starting|to start|cleaning|one-off)\b"
    r"|\b(?:base (?:fare|fee|price|rate)|flat fee|fixed fee|call-?out(?: fee| charge)?"
    r"|standing charge|starting fee|cleaning fee|booking fee|deposit)(?: of| is"
    rf"|:)? [$€£]?(?P<g>{FIGURE})"
)
_HOW_MUCH = regex(r"\b(?:how much|what|cost|costs|total|price|bill|fare|pay)\b")


def _base_and_rate(text: str) -> Iterator[str]:
    """ "4.20 base plus 1.90 per km, 12 km. Cost?"."""
    rates, bases = list(_RATE.finditer(text)), list(_BASE.finditer(text))
    rest = _RATE.sub(" ", _BASE.sub(" ", text))
    counts = list(_OF_UNIT.finditer(rest))
    if not len(rates) == len(bases) == len(counts) == 1 or len(figures_in(rest)) != 1 or PRICE_TURNS.search(rest):
        return
    if rates[0]["u"][:3] == counts[0]["u"][:3] and _HOW_MUCH.search(rest):
        base = bases[0]["f"] or bases[0]["g"]
        yield f"what is {counts[0]['n']} * {sign_of(text)}{rates[0]['r']} + {sign_of(text)}{base}"


_FOR_SO_MANY = regex(
    r"\bhow (?:much|many) [^?.!\d]*?\b(?:for|in|do|does|will"
    r"|would)(?: i need for)? (?P<n>\d+) (?P<k>[a-z]+)[^?.!\d]*\b(?:if|when"
    r"|since) (?P<m>\d+)(?: [a-z]+)? (?:need|take|use|cost|require|call for|weigh"
    rf"|come to)s? [$€£]?(?P<a>{FIGURE}) ?(?P<u>[a-z]+)?\W*$"
)


def _for_so_many(text: str) -> Iterator[str]:
    """ "How much flour for 18 pancakes if 12 need 270 g?"."""
    said = _FOR_SO_MANY.search(text)
    if said and len(figures_in(text)) == 3 and int(said["m"]) and not PRICE_TURNS.search(_IF.sub(" ", text)):
        unit = f" {said['u']}" if said["u"] and measure_of(said["u"]) else ""
        yield f"what is {said['a']}{unit} / {said['m']} * {said['n']}"


_IF = regex(r"\bif\b")
_IN_PACKS = regex(
    r"\b(?P<k>packs?|packets?|boxes|box|bags?|trays?|crates?|rolls?|bundles|sets|cartons"
    r"|coaches|tables|buses|boats|cars|vans|rows|teams|groups) (?:of|for|with|holding"
    r"|seating) (?P<n>\d+)\b"
)
_PACKS_ASKED = regex(
    r"\bhow many (?P<k>[a-z]+)(?: (?:do|will|must|should|would) (?:i|we|they) (?:need|buy"
    r"|order|get|take|have to buy|have to get)| are needed| is that| do you need)?\W*$"
)


def _packs(text: str) -> Iterator[str]:
    """ "46 houses, flyers come in packs of 20. How many packs?": as many as it takes."""
    packs, asked = list(_IN_PACKS.finditer(text)), _PACKS_ASKED.search(text)
    counts = [one for one in figures_in(_IN_PACKS.sub(" ", text))]
    if len(packs) != 1 or asked is None or len(counts) != 1 or not counts[0].isdigit() or PRICE_TURNS.search(text):
        return
    if stem(packs[0]["k"]) == stem(asked["k"]) and int(packs[0]["n"]) and not re.search(r"\bfull\b|\bcan\b", text):
        exact = int(counts[0]) % int(packs[0]["n"]) == 0
        yield f"what is {counts[0]} / {packs[0]['n']}" if exact else f"what is ceil({counts[0]} / {packs[0]['n']})"


_EACH_OF = regex(
    rf"[$€£]?(?P<m>{FIGURE})(?: ?(?:euros?|dollars?|pounds?|quid|€|£))? (?:each|apiece|a piece"
    r"|a pop|per (?:ticket|person|head|item|piece|child|adult|seat|class|lesson|session"
    r"|night))\b"
)
_SO_MANY = regex(
    r"(?<![\d.,$€£])(?P<n>\d+) (?:of (?:them|us|those|these)|(?:[a-z]+ )?[a-z]+s|people"
    r"|children)\b|\b(?:need|want|buy|order|take|get|bought|for) (?P<k>\d+)\b(?![\d.,]*\d| ?%)"
)


def _each_and_count(text: str) -> Iterator[str]:
    """ "Cinema tickets are 11.50 each, 4 of them, total?"."""
    each, asked = list(_EACH_OF.finditer(text)), _HOW_MUCH.search(text)
    rest = _EACH_OF.sub(" ", text)
    counts = list(_SO_MANY.finditer(rest))
    if (
        len(each) != 1
        or len(counts) != 1
        or len(figures_in(rest)) != 1
        or asked is None
        or PRICE_TURNS.search(text)
        or "%" in text
    ):
        return
    word = rest[counts[0].end("n") :].split(" ")[1:2] if counts[0]["n"] else []
    if not (word and measure_of(word[0])) and not re.search(
        r"\bhow much (?:is|does|for) (?:each|one)\b|\bhow many\b|\bchange\b", text
    ):
        yield f"what is {counts[0]['n'] or counts[0]['k']} * {sign_of(text)}{each[0]['m']}"
