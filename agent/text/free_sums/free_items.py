"""The quantities of a told sum in their order, each with its unit, what it counts, and the words beside it."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cache
from typing import Any

from agent.text.problems.story_parts import STOP, noun, stem
from agent.text.quantities.units import measure_of
from agent.text.regex import regex
from agent.text.word_tables import word_table

WORDS: dict[str, Any] = word_table(__file__, "free_words.toml")
_DOES = frozenset(WORDS["told"]["does"])
MARK = "§"
_CLOCK = (
    r"\d{1,2}(?::[0-5]\d)? ?(?:am|pm|a\.m\.?|p\.m\.?)(?![a-z])|\d{1,2}:[0-5]\d(?! ?(?:hours?|hrs?|h)\b)"
    r"|\b\d{1,2} o'clock|\bnoon\b|\bmidnight\b"
)
_ITEM = regex(
    rf"(?P<clock>{_CLOCK})|(?:(?P<sign>[$€£]) ?)?(?<![\w.,:/-])(?P<n>\d+(?:\.\d+)?)(?![\d:/]|\.\d|[-–]\d)"
    r"(?:(?P<percent> ?(?:%|percent\b|per cent\b))"
    r"|(?P<cents> ?p\b| ?(?:pence|cents)\b)"
    r"|(?P<money> ?(?:€|£|\$)| (?:euros?|dollars?|pounds?|bucks|quid)\b)"
    r"|(?P<note>(?: pounds?| euros?| dollars?)? notes?\b)"
    r"|(?P<speed> ?(?:mph|km/h|kmh|kph|miles an hour|miles per hour|km an hour|km per hour)\b))?"
)
_UNIT = regex(r"[ -]?((?:(?:square|cubic|sq\.?|fluid|uk|us) )?[a-z]+(?:²|³|2(?!\d)|3(?!\d))?)(?![a-z\d])")
_RATE = regex(
    r" ?(?:(?P<each>each\b)(?! (?:[a-z]+ )?§)|(?:(?:per|an?|every|each|for (?:an?|each|every))\b ?|/ ?)"
    r"(?P<per>(?:square |cubic )?[a-z]+[23²³]?)(?![a-z'])|(?P<head>a head\b))"
)
_NO_UNIT = frozenset(
    (
        "in",
        "a",
        "at",
        "is",
        "to",
        "as",
        "an",
        "of",
        "so",
        "or",
        "us",
        "am",
        "pm",
        "d",
        "b",
        "c",
        "f",
        "days",
        "day",
        "weeks",
        "week",
    )
)
# What a figure before it is paid for, or how it is reckoned, and no things that are counted.
_NO_THING = frozenset(WORDS["told"]["no_thing"])
_TURNS = frozenset(("without", "except", "excluding", "not", "unless", "but", "minus", "including", "instead"))
_KINDS = ("length", "time", "mass", "volume", "area", "data", "month")
_SIGNS = {"euro": "€", "dollar": "$", "buck": "$", "pound": "£", "quid": "£"}
_CLAUSE = regex(r"[.?!;]+(?!\d)|,(?!\d)| - |\band\b|\bthen\b|\bplus\b|\bminus\b|\(|\)|:(?!\d)|\bbut\b")
_PERIODS = frozenset(("day", "week", "month", "year", "night", "evening", "morning", "quarter"))
_WEEKDAY = regex(
    r"(?:mon|tues|wednes|thurs|fri|satur|sun)day|january|february|march|april|june|july|august|september|october"
    r"|november|december"
)


@dataclass(frozen=True, slots=True)
class Item:
    """So much of a ``kind``: "money", "percent", "clock", "speed", "count" with ``names``, "bare", or a measure.

    ``said`` is the figure as typed; ``size`` that of the ``unit`` in the base unit; ``per`` the thing of which one has
    so much, "each" where it is not named; ``before`` and ``after`` are the words of its clause.
    """

    kind: str
    amount: Fraction
    said: str
    unit: str = ""
    size: Fraction = Fraction(1)
    names: frozenset[str] = frozenset()
    per: str = ""
    before: str = ""
    after: str = ""
    start: int = 0
    end: int = 0

    @property
    def value(self) -> Fraction:
        """In the base unit."""
        return self.amount * self.size


@dataclass(frozen=True, slots=True)
class Told:
    """All that is told: ``text`` with a mark for each of the ``items``, and the clause that ``asked``, "" for none."""

    text: str
    items: tuple[Item, ...]
    asked: str
    source: str


@cache
def cue(table: str, name: str) -> re.Pattern[str]:
    words = WORDS[table][name] if table else WORDS[name]
    return regex(rf"(?<![\w'])(?:{'|'.join(sorted(words, key=len, reverse=True))})(?![\w'])")


def says(text: str, name: str) -> bool:
    """Whether ``text`` has a word of that list of what may be told."""
    return cue("told", name).search(text) is not None


def has(said: str, name: str, table: str = "cues") -> bool:
    return cue(table, name).search(said) is not None


_ASKS = regex(r"\b(?:how|what|whats|what's|what'll|what're|when|whens|when's|which|wats|wat)\b[^.?!]*")
_ASKED_SHORTLY = regex(r"(?:^|[,.;?!] ?| - |\.\. ?)(?P<asked>(?:so |and )?[^§,.;?!]{1,60})[?.! ]*$")
_CHANGE_ASKED = regex(
    r"(?:^|[,.;?!] ?)(?P<asked>(?:and |so )?(?:the |my )?change (?:from|out of) (?:an? )?§(?: note)?)[?.! ]*$"
)
_SHORT_FIRST = regex(r"^(?P<asked>[^§,.;?!]{1,40})(?=§)")


def read_told(text: str) -> Told | None:
    """``text``, in plain form, as items and words; ``None`` where a figure in it is of no item."""
    items: list[Item] = []
    for found in _ITEM.finditer(text):
        if items and found.start() < items[-1].end:
            return None
        items.append(_with_rate(_item(found, text), text))
    marked, ends = "", 0
    for item in items:
        marked += text[ends : item.start] + MARK
        ends = item.end
    marked += text[ends:]
    if re.search(r"\d", marked):
        return None
    return Told(marked, _with_words(items, text), _asked(marked), text)


def _asked(marked: str) -> str:
    asks = list(_ASKS.finditer(marked))
    if asks and (asked := asks[-1][0].strip(" ?.!")) in ("what", "how much", "when", "how long"):
        return re.split(r"[,.;?!]", marked[: asks[-1].start()])[-1] + asked
    if asks:
        return asks[-1][0].strip(" ?.!")
    for pattern in (_CHANGE_ASKED, _ASKED_SHORTLY, _SHORT_FIRST):
        if short := pattern.search(marked):
            return short["asked"].strip()
    return ""


_ARTICLE = regex(r"\b(?:a|an) $")
_SETS = frozenset(WORDS["told"]["sets"])
_AMONG = regex(r" (?:of (?:us|them)|in (?:the car|our group)|at the table)\b")


def _item(found: re.Match[str], text: str) -> Item:
    if found["clock"]:
        return Item("clock", Fraction(0), found["clock"], start=found.start(), end=found.end())
    amount, said, end = Fraction(found["n"]), found["n"], found.end()
    start = found.start() + (len(found[0]) - len(found[0].lstrip()))
    bare = Item("bare", amount, said, start=start, end=end)
    if found["percent"]:
        return replace(bare, kind="percent")
    if found["speed"]:
        return replace(bare, kind="speed", unit="mph" if found["speed"].strip()[0] == "m" else "km/h")
    if found["cents"]:
        return replace(bare, kind="money", amount=amount / 100, said=f"{float(amount / 100):g}")
    if found["sign"] or found["money"] or found["note"]:
        name = found["sign"] or (found["money"] or found["note"] or "").strip()
        return replace(bare, kind="money", unit=_SIGNS.get(name.split()[0].rstrip("s"), name if name in "$€£" else ""))
    return _measured(bare, text) or _counted(bare, text)


def _measured(bare: Item, text: str) -> Item | None:
    unit = _UNIT.match(text, bare.end)
    word = re.sub(r"^sq\.? ", "square ", unit[1]) if unit else ""
    meanings = [one for one in measure_of(word) if one.kind in _KINDS] if word and word not in _NO_UNIT else []
    if unit is None or len(meanings) != 1:
        return None
    (measure,) = meanings
    return replace(bare, kind=measure.kind, unit=measure.name, size=measure.size, end=unit.end())


def _counted(bare: Item, text: str) -> Item:
    names, end = noun(text, bare.end)
    words = text[bare.end : end].replace("-", " ").split()
    done = next((place for place, word in enumerate(words) if word in _DOES | _NO_THING | _TURNS), len(words))
    if done < len(words):
        end = text.index(words[done], bare.end) - 1
        names = frozenset(map(stem, words[:done]))
    if not words[:done] or _WEEKDAY.search(" ".join(names)):
        names, end = frozenset[str](), bare.end
    if among := _AMONG.match(text, bare.end):
        names, end = frozenset({"person"}), among.end()
    if "." in bare.said or set(names) == {"x"} or (set(names) == {"time"} and text[end : end + 2].strip().isdigit()):
        return bare  # "a 12.99 book" is a price
    if words and words[0] not in _SETS and stem(words[0]) == words[0] and _ARTICLE.search(text[: bare.start]):
        return bare  # "a 5 voucher", too
    return replace(bare, kind="count", names=names, end=end) if names else bare


def _with_rate(item: Item, text: str) -> Item:
    """ "11 an hour", "4 minutes each"; an article that begins another thing makes no rate."""
    rate = _RATE.match(text, item.end)
    if rate is None or item.kind in ("clock", "percent"):
        return item
    if rate["each"] and not rate["per"]:
        return replace(item, per="each", end=rate.end())
    if rate["head"] or (rate["per"] and re.match(r" ?(?:per|a) (?:person|head)\b", rate[0])):
        return replace(item, per="person", end=rate.end())
    word = rate["per"] or ""
    article = re.match(r" ?(?:for )?an?\b", rate[0]) is not None
    if not word or word in STOP or (article and not _may_be_rated(word, text[: item.start] + text[rate.end() :])):
        return item
    return replace(item, per=word, end=rate.end())


def _may_be_rated(word: str, rest: str) -> bool:
    """Whether "a" makes a rate: behind it a unit, a period, or a thing that the ``rest`` of the text tells of, too."""
    if word in _PERIODS or (measure_of(word) and word not in _NO_UNIT) or word in ("go", "piece", "time", "pop"):
        return True
    return re.search(rf"\b{re.escape(stem(word))}(?:e?s)?\b", rest) is not None


def _with_words(items: Sequence[Item], text: str) -> tuple[Item, ...]:
    found: list[Item] = []
    for place, item in enumerate(items):
        begin = items[place - 1].end if place else 0
        end = items[place + 1].start if place + 1 < len(items) else len(text)
        before = _CLAUSE.split(text[begin : item.start])[-1].strip()
        after = _CLAUSE.split(text[item.end : end])[0].strip()
        found.append(replace(item, before=before, after=after))
    return tuple(found)


def without(told: Told, *said: str) -> Told:
    """The same but for those words, whose marks stay."""
    text, asked = told.text, told.asked
    for words in said:
        bare = re.sub(rf"(?!{MARK})\S", "", words)
        text, asked = text.replace(words, bare), asked.replace(words, bare)
    return replace(told, text=text, asked=asked)
