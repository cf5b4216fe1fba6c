"""Reads what is asked to be converted: "5 km in miles", "how many feet are in a mile", 「華氏100度は摂氏何度？」."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from decimal import Decimal
from typing import Literal

from agent.text.quantities.measures import ABSOLUTE_ZERO, Measure, Quantity, measure_of, quantity
from agent.text.sums.phrases import core
from agent.text.sums.value_words import Language, Value, shown

_VERB = r"(?:convert |change |turn |express |(?:far|long|tall|heavy|hot|cold|fast|big|large) is )?"
_PATTERNS = {
    "en": (
        rf"(?:how )?{_VERB}(?P<given>.+?) (?:in|to|into|as) (?:an? )?(?P<to>[^\d]+)",
        r"how many (?P<to>[^\d]+?)(?: (?:are|is|make|do you have|fit))?(?: there)? (?:in|is|are|equals?|make(?: up)?) "
        r"(?P<given>.+)",
        r"(?P<given>.+?) (?:is|are|equals?|=) how many (?P<to>[^\d]+)",
    ),
    "ja": (
        r"(?P<given>.+?)(?:は|、)*何(?P<to>[^何\d]+?何[^何\d]+)",
        r"(?P<given>.+?)(?:を|は|って)、?(?P<to>[^\d]+?)(?:に換算|に変換|に直|にする|に|へ|で(?:は|言うと|表すと)?)?"
        r"(?:すと|すると|して|度|何度)?",
        r"(?P<given>.+?)(?:は|って)何(?P<to>[^\d]+)",
        r"(?P<given>.+?)(?:は|を)、?(?P<to>摂氏|華氏)で?(?:は)?何?度?",
        r"(?P<to>[^\d]+?)で(?P<given>.+)",
    ),
}
_COMPILED = {language: [re.compile(one, re.I) for one in several] for language, several in _PATTERNS.items()}
_LINKS = {"en": " and ", "ja": "何"}
# Pairs of units that a value is split into: 90 minutes are 1 hour and 30 minutes.
TOGETHER = {
    "weeks and days", "days and hours", "hours and minutes", "minutes and seconds", "years and months",
    "feet and inches", "yards and feet", "stone and pounds", "pounds and ounces",
}  # fmt: skip
_POWERS = (
    (re.compile(r"\b(k?m)(?:\^?2)(?!\w)"), r"\1²"),
    (re.compile(r"\bft\^?2(?!\w)"), "square feet"),
    (re.compile(r"\bm\^?3(?!\w)"), "cubic metres"),
    (re.compile(r"(?<=\d) ?in(?= (?:in|to|into)\b)", re.I), " inches"),
)
_JAPANESE_END = re.compile(
    r"(?:ですか|でしょうか|になりますか|になる|なりますか|してください|して|して下さい|を教えて(?:ください)?)$"
)
_JAPANESE_TAIL = re.compile(r"(?:何度|いくつ|いくら|どれくらい|度)(?:ですか|になりますか|になる|でしょうか)?$")


@dataclass(frozen=True, slots=True)
class Conversion:
    """``typed`` is what is given, as it was typed; ``targets`` are one unit or a pair of ``TOGETHER``.

    ``problem``: why there is no result: units of several ``kinds``, ``lengths`` of months that differ, or ``cold``
    below absolute zero.
    """

    typed: str
    given: tuple[tuple[str, Measure], ...]
    targets: tuple[Measure, ...]
    problem: Literal["", "kinds", "lengths", "cold"] = ""

    @property
    def target(self) -> Measure:
        """The unit wanted, or the larger of two."""
        return self.targets[0]

    def named(self, language: Language) -> str:
        """What is given, as an answer calls it: "5 feet 11 inches"."""
        return " ".join(shown(Value(amount, unit.name), language) for amount, unit in self.given)


def read_conversion(text: str, language: Language) -> Conversion | None:
    """What ``text``, the whole of it, asks to be converted; ``None`` where it asks for something else."""
    request = _request(text, language)
    for pattern in _COMPILED[language]:
        match = pattern.fullmatch(request)
        given = quantity(match["given"], language) if match else None
        if match is None or given is None:
            continue
        if both := _in_two(match["given"], given, match["to"].split(_LINKS[language])):
            return both
        if targets := measure_of(match["to"]):
            return _in_one(match["given"], given, targets)
    return None


def _request(text: str, language: Language) -> str:
    if language == "ja":
        text = _JAPANESE_END.sub("", re.sub(r"[?。]+$", "", text))
        return re.sub(r"(?<=.)(?:は|だと|では)$", "", _JAPANESE_TAIL.sub("", text))
    text = core(text, "en")
    for pattern, form in _POWERS:
        text = pattern.sub(form, text)
    return text


def _in_two(typed: str, given: Quantity, names: list[str]) -> Conversion | None:
    targets = tuple(meanings[0] for name in names if (meanings := measure_of(name)))
    if len(names) != 2 or " and ".join(unit.name for unit in targets) not in TOGETHER:
        return None
    amount, meanings = given.measures[0]
    fits = [unit for unit in meanings if unit.kind == targets[0].kind]
    if len(given.measures) > 1 or amount.startswith("-") or not fits:
        return None
    return Conversion(typed, ((amount, fits[0]),), targets)


def _in_one(typed: str, given: Quantity, targets: tuple[Measure, ...]) -> Conversion:
    """The one reading in which all units measure the same thing."""
    readings = list(_readings(given, targets))
    if len(readings) != 1:
        kinds = {unit.kind for meanings in (*(units for _, units in given.measures), targets) for unit in meanings}
        return Conversion(typed, (), targets, "lengths" if kinds == {"month", "time"} else "kinds")
    measures, target = readings[0]
    if target.kind != "temperature":
        return Conversion(typed, measures, (target,))
    (amount, unit), *more = measures
    cold = Decimal(amount) < Decimal(ABSOLUTE_ZERO[unit.name])
    return Conversion(typed, measures, (target,), "kinds" if more else "cold" if cold else "")


def _readings(
    given: Quantity, targets: tuple[Measure, ...]
) -> Iterator[tuple[tuple[tuple[str, Measure], ...], Measure]]:
    for target in targets:
        fits = [
            (amount, unit)
            for amount, meanings in given.measures
            for unit in [one for one in meanings if one.kind == target.kind][:1]
        ]
        if len(fits) == len(given.measures):
            yield tuple(fits), target
