"""Prices in two tiers: first amounts that are free, or at a price of their own, and then a rate for each further one.

"The first 5 kilos are free, then £3.30 a kilo", "£95 for the first night and £40 for each further night", "£15 for each
hour or part of an hour after 11:00".
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction

from agent.data.documents.asked_words import in_figures, left
from agent.data.documents.quoted_clauses import Clause, holds, root, roots
from agent.text.quantities.units import measure_of
from agent.text.regex import regex

_N = r"(?<![\d.,:£$€])\d+(?:\.\d+)?"
_MONEY = r"(?P<{0}sign>[$€£])(?P<{0}>\d+(?:\.\d+)?)"
_LATER = r"(?:further|additional|extra|more|subsequent|following)"
_CHARGED = r"(?:is|are|costs?|at|for|comes? to|:)"
_PART = r"(?P<part> (?:or|and) (?:any )?part (?:of (?:an?|1|it|that)(?: [a-z]+)?|thereof)| (?:started|begun))?"
_FREE = r"(?:free|included|not charged|without charge|at no (?:extra )?(?:cost|charge))\b"
_FIRST = (
    regex(rf"\bfirst (?:(?P<n>{_N}) )?(?P<u>[a-z]+)(?: of [a-z]+)?,? (?:is |are |comes? |goes? )?{_FREE}"),
    regex(
        r"\b(?:free|no charge|nothing to pay)(?: of charge)?"
        rf" (?:for|within|up to|for up to|within the first|for the first) (?P<n>{_N}) (?P<u>[a-z]+)"
    ),
    regex(rf"\b(?:up to|within) (?P<n>{_N}) (?P<u>[a-z]+),? (?:it is |is |are )?{_FREE}"),
    regex(rf"{_MONEY.format('a')} (?:for|covers|buys) (?:the |your )?first (?:(?P<n>{_N}) )?(?P<u>[a-z]+)"),
    regex(
        rf"\bfirst (?:(?P<n>{_N}) )?(?P<u>[a-z]+) {_CHARGED} {_MONEY.format('a')}"
        r"(?P<each> each| an? [a-z]+| per [a-z]+)?"
    ),
)
_RATE = (
    regex(
        rf"(?P<then>\b(?:then|after that|beyond that|above that|over that|thereafter|afterwards)\b[^.£$€]{{0,20}})?"
        rf"{_MONEY.format('b')} (?:for (?:each|every|any|an?)|an?|per|each|every) (?P<later>{_LATER} )*"
        rf"(?P<u>[a-z]+){_PART}"
    ),
    regex(
        rf"\b(?:each|every|any) (?P<later>{_LATER} )(?P<u>[a-z]+){_PART}(?: {_CHARGED})? {_MONEY.format('b')}"
        rf"|\b(?:further|additional|extra) (?P<us>[a-z]+s) (?:are|cost|at|for|:) {_MONEY.format('c')} (?:each|apiece)"
    ),
)
_THEN_BEHIND = regex(r"\W*\b(?:after that|beyond that|above that|over that|thereafter|afterwards)\b")
_CLOCK = r"(?P<{0}h>\d{{1,2}})(?:[:.](?P<{0}m>[0-5]\d))? ?(?P<{0}half>[ap]\.?m\b)?"
_FROM_CLOCK = regex(
    rf"{_MONEY.format('b')} (?:for (?:each|every|an?)|an?|per|each|every) (?P<u>[a-z]+){_PART}"
    rf" (?:after|past|beyond|from) {_CLOCK.format('t')}"
)
_CLOCK_ASKED = regex(rf"(?<![\d.:£$€])(?:{_CLOCK.format('t')})(?![\d:]|\.\d| ?(?!instead)[a-z]*s\b)")
_LENGTH = regex(rf"(?P<h>{_N}) (?:hours?|hrs?) (?:and )?(?P<m>\d{{1,2}})(?: (?:minutes?|mins?))?\b")
_ASKED = regex(rf"(?P<n>{_N})[ -]?(?P<u>[a-z]+)\b")
_ASKS_MONEY = regex(
    r"\b(?:how much|what|whats|what's|total|cost\w*|price|pay|charged?|fees?|owe|bill)\b(?!.*\bhow (?:many|long|far)\b)"
)
_TURNED = regex(
    r"\b(?:not|no|never|without|except|half|twice|or|than|each|per|left|remaining|discount|off|difference|further|extra"
    r"|additional|another|only|first|last|second|third|both|between|share[ds]?|split|refund\w*|back(?= if))\b"
    r"|n['’]t\b|%"
)
_ONE = regex(r"\b(?:1|one)(?= [\d a-z-]+)")
_TYPED = regex(
    r"\b(?:ive|im|ill|id|weve|were|well)\b(?! [a-z]+ed\b)|\b(?:i|we|you|they|he|she|it)['’](?:ll|re|ve|m|d|s)\b"
)
_IDLE = frozenset(("instead", "away", "live", "lives", "living", "stay", "staying"))


@dataclass(frozen=True, slots=True)
class Tiers:
    """``base`` for the first ``first`` of ``unit``, then ``rate`` for each further ``step``; ``begun``: or a part.

    ``clock``: the minute of the day from which it counts, -1 where it counts from nothing.
    """

    unit: str
    first: Fraction
    base: str
    rate: str
    sign: str
    step: Fraction = Fraction(1)
    begun: bool = False
    clock: int = -1

    def sum_of(self, amount: Fraction) -> str:
        """The price of so much as a plain sum; "" where a part of a further one is left that nothing is said of."""
        over, in_steps = max(amount - self.first, Fraction(0)), [one / self.step for one in (amount, self.first)]
        parts = over / self.step
        if max(parts.denominator, amount.denominator) != 1 and not self.begun and self.unit in _IN_WHOLE:
            return ""
        plain = self.step in _OF_MINUTES if self.unit == "minute" else True
        plain = plain and all(_HUNDREDTHS % one.denominator == 0 for one in in_steps)
        much, first = in_steps if plain else (amount, self.first)
        often = f"({_said(much)} - {_said(first)})" if self.first and over else _said(much - min(first, much))
        often = often if plain else f"{often} / {_said(self.step)}"
        often = f"ceil({often})" if parts.denominator != 1 and self.begun else often
        further = f"{often} * {self._money(self.rate)}"
        if self.base and not over:
            return f"1 * {self._money(self.base)}"
        return " + ".join(filter(None, (self.base and self._money(self.base), further)))

    def _money(self, amount: str) -> str:
        return f"{amount}円" if self.sign == "円" else f"{self.sign}{amount}"


_HUNDREDTHS = 100
_OF_MINUTES = (1, 60)
_IN_WHOLE = frozenset(("minute", "night", "day", "week", "month", "person", "thing"))


def _said(amount: Fraction) -> str:
    return str(amount.numerator) if amount.denominator == 1 else f"{float(amount):g}"


_PENCE = regex(rf"(?P<n>{_N})(?: ?p| pence)\b")


def _in_pounds(pence: re.Match[str]) -> str:
    return f"£{float(pence['n']) / 100:.2f}"


def tiers_told(clause: Clause) -> Iterator[Tiers]:
    """The tiers of the sentence, together with what goes on with it; none where it tells more than two."""
    end = len(_PENCE.sub(_in_pounds, in_figures(clause.text)))
    text = _PENCE.sub(_in_pounds, in_figures(f"{clause.text} {clause.further}".strip()))
    late = [found for found in _FROM_CLOCK.finditer(text) if found.start() < end]
    if len(late) == 1 and (unit := unit_of(late[0]["u"])) and unit[0] == "minute":
        yield Tiers(
            "minute", Fraction(0), "", late[0]["b"], late[0]["bsign"], unit[1], bool(late[0]["part"]), _minute(late[0])
        )
        return
    firsts = [found for pattern in _FIRST for found in pattern.finditer(text)]
    rates = [found for pattern in _RATE for found in pattern.finditer(text)]
    for first in firsts if len(firsts) == 1 else ():
        fitting = [rate for rate in rates if _goes_on(first, rate, text)]
        if len(fitting) == 1 and min(first.start(), fitting[0].start()) < end:
            yield from _tiers(first, fitting[0])


def _goes_on(first: re.Match[str], rate: re.Match[str], text: str) -> bool:
    """Whether it is the rate of what is beyond the first ones."""
    groups, told = first.groupdict(), rate.groupdict()
    own, further = unit_of(first["u"]), unit_of(told["u"] or told.get("us") or "")
    apart = rate.start() >= first.end() or rate.end() <= first.start()
    marked = told.get("later") or told.get("then") or told.get("us") or _THEN_BEHIND.match(text, rate.end())
    return bool(own and further and own[0] == further[0] and apart and (marked or not groups.get("a")))


def _tiers(first: re.Match[str], rate: re.Match[str]) -> Iterator[Tiers]:
    groups, told = first.groupdict(), rate.groupdict()
    own, further = unit_of(first["u"]), unit_of(told["u"] or told["us"])
    if own is None or further is None:
        return
    many, base = Fraction(groups["n"] or 1), groups.get("a") or ""
    base = _said(Fraction(base) * many) if base and groups.get("each") else base
    sign = told["bsign"] or told["csign"]
    yield Tiers(own[0], many * own[1], base, told["b"] or told["c"], sign, further[1], bool(told["part"]))


def unit_of(word: str) -> tuple[str, Fraction] | None:
    """A measure with its size, minutes of a time; any other word by itself; ``None`` for one that counts nothing."""
    if word in ("night", "nights", "day", "days", "week", "weeks", "month", "months"):
        return word.removesuffix("s"), Fraction(1)
    found = [one for one in measure_of(word) if one.kind in ("length", "mass", "volume", "time")]
    if len(found) == 1:
        return ("minute", found[0].size / 60) if found[0].kind == "time" else (found[0].kind, found[0].size)
    return (root(word), Fraction(1)) if len(word) > 2 and word not in _NO_UNIT else None


_NO_UNIT = frozenset(("the", "for", "and", "each", "every", "any", "other", "free"))


def _minute(said: re.Match[str]) -> int:
    hour, half = int(said["th"]), said["thalf"] or ""
    hour = hour % 12 + 12 * half.startswith("p") if half else hour
    return hour * 60 + int(said["tm"] or 0)


def tiered_prices(text: str, found: Sequence[Clause], common: frozenset[str]) -> list[tuple[Clause, str]]:
    """The sentences whose tiers a question is of, each with its sum; ``text`` has its counts in figures."""
    if not _ASKS_MONEY.search(text) or _TURNED.search(text):
        return []
    made: list[tuple[Clause, str]] = []
    for clause in found:
        named = _with_measures(text, clause)
        for tiers in tiers_told(clause):
            amount = _amount(named, tiers)
            if amount and _is_of(amount[1], clause, common) and (sum_ := tiers.sum_of(amount[0])):
                made.append((clause, sum_))
    return made


def _with_measures(text: str, clause: Clause) -> str:
    """ "A 5 metre tent" as the "five-metre tent" of the sentence."""
    for measure in re.findall(r"\b\d+-[a-z]+", in_figures(clause.text)):
        text = re.sub(rf"\b{measure.replace('-', '[ -]')}s?(?= [a-z])", measure, text)
    return text


def is_tiered(text: str, clause: Clause) -> bool:
    """Whether so much is told of what the sentence has tiers of."""
    return any(_amount(text, tiers) for tiers in tiers_told(clause))


def _amount(text: str, tiers: Tiers) -> tuple[Fraction, str] | None:
    """How much is told, and the words beside it; ``None`` where none, or two, are."""
    if tiers.clock >= 0 and (late := _since_clock(text, tiers)):
        return late
    if tiers.unit == "minute":
        text = _LENGTH.sub(lambda said: f"{Fraction(said['h']) * 60 + int(said['m'])} minutes", text)
    several = [(one, unit_of(one["u"])) for one in _ASKED.finditer(text)]
    fitting = [(one, unit[1]) for one, unit in several if unit and unit[0] == tiers.unit and one["n"] != "0"]
    if len(fitting) != 1:
        return None
    ((one, size),) = fitting
    return Fraction(one["n"]) * size, f"{text[: one.start()]} {text[one.end() :]}"


def _since_clock(text: str, tiers: Tiers) -> tuple[Fraction, str] | None:
    """The minutes since the time from which it counts, which may be told again."""
    clocks = list(_CLOCK_ASKED.finditer(text))
    minutes = {_minute(one) for one in clocks} - {tiers.clock}
    later = [one for one in minutes if one > tiers.clock]
    whole = any(one["tm"] or one["thalf"] for one in clocks if _minute(one) != tiers.clock)
    if len(minutes) != 1 or len(later) != 1 or not whole:
        return None
    return Fraction(later[0] - tiers.clock), _CLOCK_ASKED.sub(" ", text).replace("instead of", " ")


def _is_of(rest: str, clause: Clause, common: frozenset[str]) -> bool:
    """Whether every word of the ``rest`` is of the sentence, or of all the document, and one of the sentence alone."""
    there = roots(in_figures(f"{clause.passage.heading} {clause.topic} {clause.text} {clause.further}"))
    measures = set(re.findall(r"\d+-[a-z]+", in_figures(clause.text)))
    said = re.findall(r"\d+-[a-z]+", rest)
    rest = _ONE.sub(" ", _TYPED.sub(" ", re.sub(r"\d+-[a-z]+", " ", rest)))
    if any(one not in measures for one in said) or re.search(r"\d", rest):
        return False
    words = [word for word in left(rest) if word not in _IDLE]
    own = roots(clause.topic)
    its = [word for word in words if holds(there, word) and (root(word) not in common or root(word) in own)]
    return bool(its or said) and all(holds(there, word) or root(word) in common for word in words)
