"""How exact a figure is asked for: to decimals, to significant figures, to the nearest ten; and the sum that rounds."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from decimal import Decimal

from agent.text.quantities.number_words import SMALL
from agent.text.quantities.units import CURRENCIES, measure_of
from agent.text.regex import regex

_NEAREST = {
    "": 0, "整数": 0, "whole number": 0, "whole": 0, "integer": 0, "one": 0, "tenth": 1, "hundredth": 2,
    "thousandth": 3, "cent": 2, "penny": 2, "ten": -1, "hundred": -2, "thousand": -3, "million": -6, "10": -1,
    "100": -2, "1000": -3, "十の位": -1, "百の位": -2, "千の位": -3,
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class Precision:
    """So many ``digits`` behind the point, before it where they are below 0; or so many ``significant`` ones."""

    digits: int
    significant: bool = False

    @property
    def to(self) -> str:
        """ " to 2 decimals", as an answer says it behind "rounded"; "" for whole numbers."""
        if self.significant:
            return f" to {self.digits} significant figure{'s' if self.digits > 1 else ''}"
        if self.digits > 0:
            return f" to {self.digits} decimal{'s' if self.digits > 1 else ''}"
        return f" to the nearest {10**-self.digits}" if self.digits else ""


def asked_precision(groups: Mapping[str, str]) -> Precision | None:
    """What the groups ``places``, ``figures`` or ``nearest`` of a question say; ``None`` for an unknown place."""
    places, figures = (groups.get(name, "").lower() for name in ("places", "figures"))
    if said := places or figures:
        digits = SMALL.get(said) or int(said)
        return Precision(digits, bool(figures)) if digits or places else None
    nearest = _NEAREST.get(groups.get("nearest", "").lower())
    return None if nearest is None else Precision(nearest)


def round_expression(amount: str, to: Precision, way: str = "") -> str:
    """The calculator's sum; ``way`` is "ceil" or "floor", or "" for the nearest, half away from zero."""
    digits = to.digits - 1 - Decimal(amount).adjusted() if to.significant else to.digits
    if not way:
        return f"round({amount}, {digits})" if digits else f"round({amount})"
    amount = f"({amount})" if amount.startswith("-") else amount
    step, sign = 10 ** abs(digits), (digits > 0) - (digits < 0)
    scaled = {1: f"{amount} * {step}", 0: amount, -1: f"{amount} / {step}"}[sign]
    return f"{way}({scaled})" + {1: f" / {step}", 0: "", -1: f" * {step}"}[sign]


_COINS = {"penny", "cent", "pence", "cents", "pound", "pounds", "quid", "dollar", "dollars", "euro", "euros"}
_WISH = regex(
    r"(?:^|[ ,;(-]+)(?:(?:rounded|correct|accurate)(?: off)? )?(?:(?:to|in|at) )?"
    r"(?:(?:the )?nearest (?P<nearest>(?:whole )?[a-z]+|10{1,3})|the (?P<coin>penny|cent)"
    r"|(?P<places>\d|one|two|three|four) (?:decimals?(?: places?)?|dp))\)?"
    r"(?:,? (?:is fine|please|pls|thanks|will do))*(?P<end>[.,;?!](?=\s|$)|\s*$)",
    re.I,
)
_ROUGHLY = regex(
    r"(?:^| |, ?)(?:roughly|approximately|approx\.?|about(?= how\b))(?:,| (?=what|how|when|is)|(?=[ ?.!]*$))", re.I
)


@dataclass(frozen=True, slots=True)
class Wish:
    """A question without its wish for a rounded figure, ``to`` how many digits, and the ``unit`` of "nearest gram".

    ``to`` is ``None`` where a rough figure will do.
    """

    bare: str
    to: Precision | None = None
    unit: str = ""

    @property
    def ways(self) -> tuple[str, ...]:
        """The question, and the question in the unit of the wish."""
        asked = (f"{re.sub(r'[ ?.!,]+$', '', self.bare)} in {self.unit}",) if self.unit else ()
        return (self.bare, *asked)

    def fits(self, unit: str) -> bool:
        """Whether a figure with that unit can be rounded so: grams to the nearest gram, and not to the nearest kilo."""
        if not self.unit or (self.unit in _COINS and unit in {"", *CURRENCIES}):
            return True
        return unit in {one.name for one in measure_of(self.unit)} or (self.unit.startswith("degree") and "°" in unit)


def rounding_wish(text: str) -> Wish | None:
    """ "12 oz to the nearest gram please", "roughly what is 7% of 90?": ``None`` where nothing, or twice, is wished."""
    found = list(_WISH.finditer(text))
    if len(found) > 1 or not found:
        return Wish(_sharp(text)) if not found and _ROUGHLY.search(text) else None
    (said,) = found
    nearest = (said["nearest"] or said["coin"] or "").lower()
    nearest = nearest if nearest in _NEAREST else nearest.removeprefix("whole ")
    to = asked_precision({"nearest": nearest, "places": said["places"] or ""} if nearest or said["places"] else {})
    unit = nearest if nearest not in _NEAREST or nearest in _COINS else ""
    if to is None and not (unit in _COINS or unit.startswith("degree") or measure_of(unit)):
        return None
    bare = f"{text[: said.start()]}{said['end'].strip()} {text[said.end() :]}".strip(" ,;")
    return Wish(_sharp(bare), to or Precision(0), unit)


def _sharp(text: str) -> str:
    """``text`` without the word that makes it rough."""
    return re.sub(r" +(?=[?.!,])", "", _ROUGHLY.sub(" ", text)).strip()
