"""One quantity told in another unit, in any words: what is converted, and the one other unit of its kind that is named.

"The sofa is 84 inches long and I only know cm. What is it?" Figures of anything else, and words that make another
quantity of the one that is told, end the reading.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import pairwise

from agent.text.quantities.units import Measure, measure_of, quantity
from agent.text.regex import regex

_LONGEST, _MOST_WORDS = 200, 3  # characters of a question, words of a unit
_N = r"-?(?:\d{1,3}(?:,\d{3})+|\d+)(?:\.\d+)?"
_FIGURE = regex(rf"(?<![\w.,$€£:/-]){_N}(?![\d:/]|[.,]\d| ?[ap]\.?m\b)")
_WORD = regex(r"[°a-zA-Z][a-zA-Z]*(?:/[a-z]+)?(?:[²³]|\^?[23](?!\d))?")
# Units that are words of their own far more often.
_NO_UNIT_LISTED = (
    "in a at is to as an of so or us am pm d b c f k m g l s h t day days week weeks month months year years second "
    "point points bar hand hands rod chain are mole may min pt degrees degree"
)
_NO_UNIT = frozenset(_NO_UNIT_LISTED.split())
_LETTERS = frozenset("cfkmgl")  # units where a figure stands before them, or "in" or "to"
_LEADS = regex(
    r"\b(?:in|into|to|as|how many|many|only knows?|understands?|uses?|talks?(?: in)?|thinks? in|works? in) $", re.I
)
_ASKS = regex(r"\?|\b(?:how|what|whats|which|convert|tell|need to know|show)\b|\bin [a-z²° ]+\W*$|\bso\W*$", re.I)
_TURNS = regex(
    r"\b(?:per|each|every|half|twice|double|triple|times|plus|minus|less|more|than|left|another|other|not|no|never|gained|lost|spare"
    r"|total|together|average|long (?:will|does|would|did)|cost\w*|price|pay|paid|ate|drank|used|split|share"
    r"|between|third|thirds|quarters?|fifths?|ago|until|till|since|both|all (?:that|of)|fit|fits|without|except)\b"
    r"|n['’]t\b|[%$€£+*=×÷]"
    r"|\b(?:an|a) (?:hour|day|week|month|year|minute|second|mile|km|litre|gallon|kg|pound|person|head)\b",
    re.I,
)
_FAST = regex(r"\b(?:speed|fast)\b", re.I)
_JOINED = regex(r" (?:and|or|&) (?:in |to )?", re.I)
_SHORT_LAST = (  # "10 stone 7"
    (regex(r"(\d ?(?:stone|st) \d{1,2})$", re.I), r"\1 pounds"),
    (regex(r"(\d ?(?:feet|foot|ft) \d{1,2})$", re.I), r"\1 inches"),
)
_COUNTRY = regex(r"\b(?:(?P<uk>uk|imperial|british|english)|(?P<us>us|american))\b(?! dollars?)", re.I)
_OF_COUNTRY = regex(r"\b(?=(?:fluid|gallons?|pints?|quarts?|fl|tons?|mpg)\b)", re.I)


@dataclass(frozen=True, slots=True)
class _Named:
    """A unit that stands in the text from ``start`` to ``end``."""

    start: int
    end: int
    text: str
    kinds: frozenset[str]
    names: frozenset[str]


def free_conversion(text: str) -> Iterator[str]:
    """ "How heavy is 25 lbs in kilograms, need it for the flight" as "25 lbs in kilograms"."""
    if len(text) > _LONGEST or not _ASKS.search(text):
        return
    given = _given(text)
    if given is None:
        return
    whole, start, end, kinds, names = given
    rest = f"{text[:start]} § {text[end:]}"
    if re.search(r"\d", rest) or _TURNS.search(rest) or ("speed" not in kinds and _FAST.search(rest)):
        return
    units = _units(rest)
    if any(_JOINED.fullmatch(rest[one.end : two.start]) for one, two in pairwise(units)):
        return  # two units are asked for
    others = [one for one in units if one.kinds & kinds and not one.names & names]
    led = [one for one in others if _LEADS.search(rest[: one.start])]
    asked = {min(one.names) for one in led} or {min(one.names) for one in others}
    if len(asked) == 1:
        unit = (led or others)[-1].text
        yield f"{_of_country(whole, rest)} in {_of_country(unit, rest)}"


def _given(text: str) -> tuple[str, int, int, frozenset[str], frozenset[str]] | None:
    """The one quantity and where it stands, its kinds of measure and names of units; ``None`` for none or several."""
    figures = list(_FIGURE.finditer(text))
    if not 0 < len(figures) <= 2:
        return None
    start = figures[0].start()
    for end in _ends(text, figures[-1].end()):
        whole = text[start:end].strip()
        for pattern, form in _SHORT_LAST:
            whole = pattern.sub(form, whole)
        if found := quantity(whole, "en"):
            measures = [one for _, meanings in found for one in meanings]
            names = frozenset(one.name for one in measures)
            return whole, start, end, frozenset(one.kind for one in measures), names
    return None


def _ends(text: str, position: int) -> Iterator[int]:
    """Where a quantity whose last figure ends at ``position`` may end, the longest first."""
    words = [word.end() for _, word in zip(range(_MOST_WORDS), _WORD.finditer(text, position), strict=False)]
    gaps = [text[a:b] for a, b in zip([position, *words], words, strict=False)]
    near = next((place for place, gap in enumerate(gaps) if re.search(r"[,.;?!(]", gap)), len(words))
    yield from reversed(words[:near])
    yield position


def _units(text: str) -> list[_Named]:
    """The units that are named without a figure, the longest names first where they overlap."""
    words, found, place = list(_WORD.finditer(text)), list[_Named](), 0
    while place < len(words):
        for count in range(min(_MOST_WORDS, len(words) - place), 0, -1):
            start, end = words[place].start(), words[place + count - 1].end()
            if meanings := _meanings(text, start, end):
                kinds, names = (frozenset(one.kind for one in meanings), frozenset(one.name for one in meanings))
                found.append(_Named(start, end, text[start:end], kinds, names))
                place += count - 1
                break
        place += 1
    return found


def _meanings(text: str, start: int, end: int) -> tuple[Measure, ...]:
    name = text[start:end]
    lone = name.lower() in _LETTERS and _LEADS.search(text[:start]) and not re.match(r" [a-z]", text[end:])
    return () if name.lower() in _NO_UNIT and not lone else measure_of(name)


def _of_country(named: str, text: str) -> str:
    """The unit with the country whose it is: "50000 litres in gallons (imperial)"."""
    said = _COUNTRY.search(text)
    if said is None or _COUNTRY.search(named):
        return named
    return _OF_COUNTRY.sub("UK " if said["uk"] else "US ", named, count=1)
