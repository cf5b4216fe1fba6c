"""Averages, shares and conversions told in any words."""

from __future__ import annotations

import re
from collections.abc import Iterator

from agent.text.problems.story_parts import stem
from agent.text.quantities.units import measure_of, quantity
from agent.text.regex import regex

_N = r"(?:\d{1,3}(?:,\d{3})+|\d+)(?:\.\d+)?"
_LIST = regex(
    rf"(?<![\d.,:/-])(?P<list>[$€£]?{_N}(?: ?(?!and\b)[a-z%°]{{1,12}})?(?:(?:,? and "
    rf"|, ?(?:and )?| \+ )[$€£]?{_N}(?: ?(?!and\b)[a-z%°]{{1,12}})?){{1,14}})(?!\.?\d|[/:-]\d)",
    re.I,
)
_COUNT_WORDS = {"two": 2, "three": 3, "four": 4, "five": 5, "six": 6, "seven": 7, "eight": 8, "nine": 9, "ten": 10}
_STATISTIC = regex(r"\b(?P<s>average|mean|median|range)\b", re.I)
_NO_LIST = regex(
    r"\b(?:weighted|without|except|drop\w*|best|worst|lowest|highest|need\w*|next|speed|pace"
    r"|per|another|more|left|then|if|must|should|percent|percentage"
    r"|change|rise|rose|fell|each|every|at|price|rate|twice|double|half|not|first|last|or|some|others?)\b|n['’]t\b|%",
    re.I,
)
_OUT_OF = regex(r",? (?:points? |marks? )?(?:out )?of (?:a (?:possible|total of) )?\d+\b", re.I)


def of_list(text: str) -> Iterator[str]:
    """ "She got 14, 17 and 11 out of 20 in her three tests. What's her average mark?" as "average of 14, 17 and 11"."""
    asked = _STATISTIC.findall(text)
    lists = list(_LIST.finditer(text))
    if len({one.lower() for one in asked}) != 1 or len(lists) != 1:
        return
    figures = re.findall(_N, lists[0]["list"])
    units = {word.lower() for word in re.findall(r"[a-z°]+", lists[0]["list"], re.I)} - {"and"}
    rest = _OUT_OF.sub(" ", f"{text[: lists[0].start()]} § {text[lists[0].end() :]}", count=1)
    counts = [_COUNT_WORDS[word.lower()] for word in re.findall(rf"\b(?:{'|'.join(_COUNT_WORDS)})\b", rest, re.I)] + [
        int(one) for one in re.findall(r"\b\d+\b", rest)
    ]
    if (
        len(units) > 1
        or any(count != len(figures) for count in counts)
        or re.search(r"\d[.,]\d", rest)
        or _NO_LIST.search(f"{rest} {' '.join(units)}")
    ):
        return
    told = [one.replace(",", "") for one in figures]
    yield f"{asked[0].lower()} of {', '.join(told[:-1])} and {told[-1]}"


_CHANGED = regex(rf"\bfrom [$€£]?(?P<a>{_N})(?: ?[a-z€£$]+){{0,3}}? to [$€£]?(?P<b>{_N})(?![\d.,]*\d)", re.I)
_IN_PERCENT = regex(r"\b(?:percent|percentage|per cent)\b|%", re.I)
_MOVED = regex(
    r"\b(?:rise|rises|rose|risen|raised|fall|falls|fell|fallen|drop\w*|increas\w+|decreas\w+"
    r"|went|go(?:es|ne)?|grew|grown?|shrank|shrunk|jump\w*|climb\w*"
    r"|cut|reduc\w+|chang\w+|put (?:up|down)|moved|slipped|up|down|higher|lower|cheaper|dearer|bigger|smaller)\b",
    re.I,
)
_NO_CHANGE = regex(
    r"\b(?:not|average|of what|each|every|per (?:year|month)|another|then|again|twice|tax|vat"
    r"|points?|if|or|original\w*)\b|n['’]t\b",
    re.I,
)
_SHARE = regex(
    r"(?<![\d.,])(?P<p>\d+(?:\.\d+)?) ?(?:%|percent|per cent) (?:of|(?:commission|tip|tax"
    r"|deposit|fee|vat|gst|duty|service|discount|tithe) (?:of|on|for)) (?:(?:my|our|his|her"
    rf"|their|the|a|an|its|this|that|all|those) )*(?:[a-z]+ )??(?P<n>[$€£]?{_N})(?![\d.,]*\d"
    r"| ?%)",
    re.I,
)
_WHOLE = regex(
    rf"(?P<a>[$€£]?{_N}) (?:out )?of (?:(?:my|our|his|her|their|the|its|all|a total of|those"
    rf"|these) )*(?P<b>[$€£]?{_N})(?![\d.,]*\d| ?%)",
    re.I,
)
_OF_OTHERS = regex(
    r"\b(?:left|remain\w*|rest|others?|other|not|after|less|more|but|minus|plus|total|together"
    r"|altogether|new|now|then|each|every|per|except|without|before"
    r"|another|again|half|twice|double|off|discount|both|if|or|year|years|many (?:are|do"
    r"|did)(?! (?:that|this))|net|take home|keep|kept|gross)\b|n['’]t\b",
    re.I,
)
_HOW_MUCH = regex(r"\b(?:how much|what(?:'s| is|s) that|how many)\b", re.I)


def of_share(text: str) -> Iterator[str]:
    """ "12 of our 48 members have not paid, what percent?", "12.5% of my 1,840 wage each month, how much?"."""
    figures = re.findall(_N, text)
    if len(figures) != 2:
        return
    change = _CHANGED.search(text)
    if change and _IN_PERCENT.search(text) and _MOVED.search(_CHANGED.sub(" ", text)) and not _NO_CHANGE.search(text):
        yield f"what is the percentage change from {change['a']} to {change['b']}"
    share, rest = _SHARE.search(text), re.sub(r"\b(?:each|every|a|per) (?:month|week|year|day)\b", " ", text)
    if share and _HOW_MUCH.search(text) and not _OF_OTHERS.search(rest) and _asks_of_told(_SHARE.sub(" ", text)):
        yield f"what is {share['p']}% of {share['n'].replace(',', '')}"
    paid = _PAID.search(text)
    if (
        paid
        and re.search(r"\b(?:discount|reduction|off|saving|saved?|cheaper)\b", text, re.I)
        and _IN_PERCENT.search(text)
        and not _NO_CHANGE.search(text)
        and not _FOR_SEVERAL.search(text)
    ):
        yield f"what is the percentage change from {paid['a']} to {paid['b']}"
    of_that, asked = _OF_THAT.search(text), _ASKED_AMOUNT.search(text)
    if of_that and asked and not _OF_OTHERS.search(_OF_THAT.sub(" ", rest)) and _asks_of_told(text):
        yield f"what is {of_that['p']}% of {of_that['n'].replace(',', '')}"
    whole = _WHOLE.search(text)
    if whole and _asks_percent(text) and float(_plain(whole["a"])) <= float(_plain(whole["b"])):
        yield f"{whole['a']} is what percent of {whole['b']}"


_FOR_SEVERAL = regex(r"\bfor (?:two|three|four|five|both|all|the pair|the lot)\b|\b(?:each|per|apiece)\b", re.I)
_PAID = regex(
    r"\b(?:was|were|originally|normally|usually|full price|list price|rrp"
    rf"|instead of)\b[^\d?%]{{0,25}}?[$€£]?(?P<a>{_N})\b[^?%\d]*?\b(?:paid|pay|got it for|now"
    rf"|bought it for|reduced to|is now)\b[^\d?%]{{0,12}}?[$€£]?(?P<b>{_N})(?![\d.,]*\d| ?%)",
    re.I,
)
_OF_THAT = regex(
    rf"[$€£]?(?P<n>{_N})(?! ?%)[^?%\d]*?(?<![\d.])(?P<p>\d+(?:\.\d+)?) ?(?:%|percent"
    r"|per cent) of (?:that|it|them|those|these|which|whom)\b",
    re.I,
)
_ASKED_AMOUNT = regex(r"\b(?:how much|what(?:'s| is|s) that|how many)\b(?P<rest>[^?.!]*)[?.! ]*$", re.I)
_ANY_WORDS = (
    "is that it this do does did i we he she they you would will be come comes to in a an "
    "each every per month year week "
    "day much the my our his her their make makes mean save saving saved put putting aside "
    "set away tip owe people pounds "
    "euros dollars money of from on for kcal calories flat house car"
)
_ANY_AMOUNT = frozenset(_ANY_WORDS.split())


def _asks_of_told(text: str) -> bool:
    """Whether what asks is of what was told: "how much do I spend" is not, where 12% are saved."""
    asked = _ASKED_AMOUNT.search(text)
    if asked is None:
        return False
    told = {stem(word)[:4] for word in re.findall(r"[a-z]+", text[: asked.start()].lower())}
    words = re.findall(r"[a-z]+", asked["rest"].lower())
    return all(word in _ANY_AMOUNT or stem(word)[:4] in told for word in words)


def _plain(figure: str) -> str:
    return figure.replace(",", "").lstrip("$€£")


_ASKED_PERCENT = regex(
    r"\b(?:what|which|how many|as an?|in|the)\b (?:the )?(?:percent(?:age)?|per cent|%)(?P<rest>[^?.!]*)[?.! ]*$", re.I
)
_PLAIN_REST = regex(
    r"(?: ?(?:is|was|did|does|do|that|it|this|i|we|he|she|they|get|got|make|my|our|his|her|the"
    r"|score|mark|grade|result|would|be|correct|right|to))*[ ,]*",
    re.I,
)


def _asks_percent(text: str) -> bool:
    """Whether the percentage of just what was told is asked for."""
    asked = _ASKED_PERCENT.search(text)
    return asked is not None and _PLAIN_REST.fullmatch(asked["rest"]) is not None


_QUANTITY = regex(
    rf"(?<![\w.,$€£])(?P<q>-?{_N} ?(?:(?:uk|us|imperial|square|cubic|fluid"
    r"|sq) )?[a-z°]+(?:\^[23]|²|³)?(?:/h)?(?: (?:and )?\d+(?:\.\d+)? ?[a-z]+)?"
    r"|half an? (?:(?:uk|us|imperial|square) )?[a-z]+)(?![\w/])",
    re.I,
)
_ALONE = regex(
    r"[,.;:] (?:so |and )?(?:what(?:'s|s| is)|how much is"
    rf"|convert) (?P<q>-?{_N} ?(?:degrees )?[a-z°]+) (?:in|to|into) (?P<to>[a-z°]+)[ ?.!]*$",
    re.I,
)
_INTO = regex(
    r"(?:\b(?:in|to|into|as) (?P<to>[a-z°²/]+(?: [a-z]+)?)(?: (?:is that|is it|please"
    r"|would that be|that's|that is|then|roughly|about))?"
    r"|\bhow many (?P<many>[a-z°]+[²³]?(?: [a-z]+)?)(?: (?:is|are|was|were|would|does|do|will|that"
    r"|it|this|be|in|there|make|weigh|have|i|he|she|they|tall|long|far|heavy))*)[ ?.!]*$",
    re.I,
)
_NO_CONVERSION = regex(
    r"\b(?:per|each|every|an hour|twice|half|double|times|plus|minus|and|or|not|cost\w*|price"
    r"|pay|left|more|less|than|how long|left over|total|if|another"
    r"|lost|gained|put on|ate|drank|used|first|then|between|average)\b|n['’]t\b|[%$€£]",
    re.I,
)


_SQUARED = regex(r"\b([ck]?m|ft)([23])\b", re.I)
_COUNTRY = regex(r"\b(?:(?P<uk>uk|imperial|british)|(?P<us>us|american))\b(?! dollars?)", re.I)
_COUNTRY_LAST = regex(
    r"[ ,(]+(?:in the )?(?:uk|imperial|british|us|american)(?: (?:measures?|units?|ones?|gallons?))?\)?(?=[ ?.!]*$)",
    re.I,
)
_OF_COUNTRY = regex(r"(?<=\d) ?(?=(?:fluid|gallons?|pints?|cups?|quarts?|fl|tons?|oz)\b)", re.I)


def _of_country(given: str, text: str) -> str:
    """ "20 fluid ounces in ml, UK" with the country beside its unit."""
    said = _COUNTRY.search(text)
    if said is None or _COUNTRY.search(given):
        return given
    return _OF_COUNTRY.sub(" UK " if said["uk"] else " US ", given, count=1)


def of_conversion(text: str) -> Iterator[str]:
    """ "Baby arrived at 7 lb 11 oz, in grams?": one quantity, and a unit of its kind asked for at the end."""
    if (alone := _ALONE.search(text)) and quantity(alone["q"], "en") and measure_of(alone["to"].lower()):
        yield f"{alone['q']} in {alone['to']}"
    text = _SQUARED.sub(lambda unit: f"{unit[1]}{'²' if unit[2] == '2' else '³'}", text)
    told, text = text, _COUNTRY_LAST.sub("", text)
    said = [one for one in _QUANTITY.finditer(text) if quantity(one["q"], "en")]
    into = _INTO.search(text)
    if len(said) != 1 or into is None or into.start() < said[0].end() - 1:
        return
    rest = f"{text[: said[0].start()]} {text[said[0].end() : into.start()]}"
    if into["to"] and re.search(r"\bhow (?:many|much|long)\b", rest, re.I):
        return
    unit = (into["to"] or into["many"] or "").strip()
    kinds = {one.kind for one in measure_of(unit.lower())} or {one.kind for one in measure_of(unit.lower().split()[0])}
    unit = unit if measure_of(unit.lower()) else unit.split()[0]
    if re.search(r"\b(?:thirds?|quarters?|fifths?|half|of an?)\b", rest, re.I):
        return
    if kinds and not re.search(r"\d", rest) and not _NO_CONVERSION.search(rest):
        yield f"{_of_country(said[0]['q'], told)} in {unit}"
