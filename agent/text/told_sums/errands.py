"""Sums whose quantities each have a name, told in any order: an area, a price before tax, hours of a week, a take-home.

The kinds are declared in ``errands_en.toml``, ``errands_ja.toml`` and, as stories, in ``stories_en.toml``
and ``stories_ja.toml``; in ``tellings_en.toml`` those that are tried last, of which any other words may be told, too.
Nothing may be left over: no figure, no word that turns the meaning.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from fractions import Fraction
from functools import cache, lru_cache
from typing import Any

from agent.text.problems.clock_figures import clock_in_figures
from agent.text.problems.story_parts import STOP
from agent.text.problems.story_totals import StorySum, figure_of
from agent.text.quantities.units import measure_of
from agent.text.regex import regex
from agent.text.sums.phrases import Language
from agent.text.told_sums.offers import names_offer, offer_sum
from agent.text.told_sums.telling import in_digits
from agent.text.word_tables import word_table

_FILES: dict[Language, tuple[str, ...]] = {
    "en": ("errands_en", "stories_en", "daily_en"),
    "ja": ("errands_ja", "stories_ja", "daily_ja"),
}
_AT_LAST = ("tellings_en",)
_LONGEST, _LONGEST_AT_LAST = 200, 300  # characters
_FIGURES_OF_CLOCK = 3  # (17 + 30 / 60)
_MOST_UNKNOWN = 3  # words of content that an errand does not know: what is bought, who buys it
_CONTENT = {"ja": regex(r"[一-龯々]+|[ァ-ヶー]{2,}|[A-Za-z]+"), "en": regex(r"[a-z]+(?:['’-][a-z]+)*")}
_TEN_THOUSANDS = regex(r"(?<![\d.,])(\d{1,3}(?:\.\d)?)万(?:(\d)千)?円")
_PLAIN_UNITS = (
    (regex(r"センチ(?:メートル)?|cm"), "cm"),
    (regex(r"キロ(?:メートル)?|km"), "km"),
    (regex(r"メートル|m"), "m"),
)
_AREA_ASKED = regex(r"何 ?(?:平方)?(?P<unit>センチ(?:メートル)?|キロ(?:メートル)?|メートル|cm|km|m|㎡|平米)")
_CURRENCIES = (("$", ("$", "dollar", "buck")), ("€", ("€", "euro")), ("£", ("£", "pound", "quid")))
_WEEK = ("mon", "tue", "wed", "thu", "fri", "sat", "sun")
_WEEKDAYS = regex(
    rf"(?:from )?\b({'|'.join(_WEEK)})(?:[a-z]*day|s|rs?|urs)? ?(?:to|till|until|through|-|–) ?"
    rf"({'|'.join(_WEEK)})(?:[a-z]*day|s|rs?|urs)?\b"
)
_WEEK_JA = "月火水木金土日"
_WEEKDAYS_JA = regex(rf"([{_WEEK_JA}])(?:曜日?)?(?:から|〜|～)([{_WEEK_JA}])曜日?(?:まで)?の?")
_DAY_JA = rf"[{_WEEK_JA}](?:曜日?)?"
_CLOSED_JA = regex(
    rf"(?<![祝前翌半])(?:毎週)?({_DAY_JA}(?:[とや・、]?{_DAY_JA})?)(?:は|が)?(?:定休日?|お?休み|休業日?)"
)
_SPANS_JA = {"日": "days", "週": "weeks", "月": "months"}
_PLAINER = (
    (regex(r"’"), "'"),
    (regex(r"(?<=\d),(?=\d{3}(?!\d))"), ""),
    (regex(r"\bhalf(?: an)?[ -]hours?\b"), "30 minutes"),
    (regex(r"\bhalf a (?=kg|kilo|pound|mile|lit(?:re|er))"), "0.5 "),
    (regex(r"\b(\d+) and a half hours?\b"), r"\1.5 hours"),
    (regex(r"\ban? hour(?:'s)?(?= (?:for |of |unpaid )?(?:lunch|break))"), "1 hour"),
)


@dataclass(frozen=True, slots=True)
class _Errand:
    name: str
    asked: re.Pattern[str]
    needs: re.Pattern[str]
    slots: dict[str, re.Pattern[str]]
    defaults: dict[str, str]
    refused: re.Pattern[str]
    allowed: re.Pattern[str]
    known: re.Pattern[str]
    expression: str
    unit: str
    rest: str
    ascending: list[list[str]]
    exact: list[list[str]]
    most: int

    @property
    def wants(self) -> list[str]:
        """The conversions that it is worked out with."""
        return _CONVERSION.findall(f"{self.expression} {self.exact} {self.ascending}")


_CONVERSION = regex(r"\w+~\w+")
_shared = cache(regex)  # many have the same words that turn them


@cache
def _declared(files: tuple[str, ...]) -> tuple[_Errand, ...]:
    parts = dict[str, str]()
    found: list[_Errand] = []
    for name in files:
        read = word_table(__file__, f"{name}.toml")
        parts |= read["figure"]
        found += (
            _errand(one, read["every"], {**parts, "each": word, "times": times})
            for one in read["errand"]
            for word, times in one.get("each", {"": ""}).items()
        )
    return tuple(found)


def _errand(one: dict[str, Any], every: dict[str, str], parts: Mapping[str, str]) -> _Errand:
    def pattern(text: str) -> re.Pattern[str]:
        for _ in range(3):  # a part may hold another one, and that one a figure
            for name, form in parts.items():
                text = text.replace(f"{{{name}}}", form)
        return _shared(text)

    unit: str = one.get("unit", "").replace("{each}", parts["each"]).replace("{times}", parts["times"])
    return _Errand(
        one["name"],
        pattern(one["asked"]),
        pattern(one.get("needs", "")),
        {name: pattern(slot) for name, slot in one["slots"].items()},
        one.get("defaults", {}),
        pattern(f"{every['refused']}|{one['refused']}" if one.get("refused") else every["refused"]),
        pattern(one.get("allowed", r"(?!)")),
        pattern(f"(?:{every['known']}|{one.get('known', every['known'])})+"),
        one["expression"].replace("{times}", parts["times"]),
        _SPANS_JA.get(unit, unit),
        one.get("rest", ""),
        one.get("ascending", []),
        one.get("exact", []),
        one.get("most", every.get("most", _MOST_UNKNOWN)),
    )


@lru_cache(maxsize=64)  # several abilities ask it of one question
def errand(text: str, language: Language) -> StorySum | None:
    """The sum that ``text``, the whole of it, asks for; ``None`` where it is not surely one of the declared kinds."""
    if len(text) > _LONGEST:
        return None
    if language == "en" and (offer := offer_sum(text)):
        return offer
    text = _plainer(text, language)
    found = [made for one in _declared(_FILES[language]) if (made := _read(one, text, language))]
    return found[0] if len({_PRODUCT.sub(_in_order, one.expression) for one in found}) == 1 else None


def tellings(text: str) -> Iterator[str]:
    """The plain questions that an English ``text`` may come to, by the kinds that are tried last."""
    if len(text) > _LONGEST_AT_LAST:
        return
    text = _in_english(text)
    for pattern, form in _SPANS_AND_TIMES:
        text = pattern.sub(form, text)
    found = (made for one in _declared(_AT_LAST) if (made := _read(one, text, "en")))
    yield from (f"what is {one.expression}" for one in found)


_SPANS_AND_TIMES = (
    (regex(r"(?<=\d) ?(?:mph|miles (?:per|an) hour)\b"), " miles/h"),
    (regex(r"(?<=\d) ?(?:kph|kmh)\b"), " km/h"),
    (
        regex(r"\b(?:after|before) tax\b|\bon (?:black friday|[a-z]+day)\b|\bnow(?= \d)|\bthis (?:week|month|year)\b"),
        " ",
    ),
    (regex(r"\bdaily\b"), "a day"),
    (regex(r"\b(hour|week|month|quarter|year|night)ly\b"), r"a \1"),
    (regex(r"\bannual(?:ly)?\b"), "a year"),
    (regex(r"\bonce (?=(?:an?|per|each|every) [a-z]+)"), "1 times "),
    (regex(r"\btwice (?=(?:an?|per|each|every) [a-z]+)"), "2 times "),
    (regex(r"\btwice\b(?=[^.?!]*\bcoats?\b)|\btwice(?= (?:over|with paint))"), "2 times"),
)


_PRODUCT = regex(r"\b(\d[\d.]*) \* (\d[\d.]*)\b")


def _in_order(product: re.Match[str]) -> str:
    """3 * 2 as 2 * 3, so that two readings of one sum are the same."""
    return " * ".join(sorted(product.groups()))


@lru_cache(maxsize=64)
def is_turned_errand(text: str) -> bool:
    """Whether an English ``text`` has all that an errand is made for, and a word that turns it: nothing looser fits."""
    if len(text) > _LONGEST:
        return False
    if names_offer(text) and not offer_sum(text):
        return True
    text = _plainer(text, "en")
    return any(_is_turned(one, told[0]) for one in _declared(_FILES["en"]) if (told := _told(one, text)))


def _plainer(text: str, language: Language) -> str:
    return _in_japanese(text) if language == "ja" else _in_english(text)


def _in_japanese(text: str) -> str:
    from agent.text.in_japanese.japanese_parts import plainer, shortened  # no English question waits for it

    text = shortened(text)
    text = _TEN_THOUSANDS.sub(
        lambda found: f"{float(found[1]) * 10_000 + 1000 * int(found[2] or 0):.0f}円", plainer(text)
    )
    text = _CLOSED_JA.sub(lambda days: f"週{7 - len({*days[1]} & {*_WEEK_JA})}日", text)
    return _WEEKDAYS_JA.sub(lambda days: f"週{(_WEEK_JA.index(days[2]) - _WEEK_JA.index(days[1])) % 7 + 1}日", text)


def _in_english(text: str) -> str:
    text = text.lower()
    for pattern, form in _PLAINER:
        text = pattern.sub(form, text)
    text = in_digits(text)
    return _WEEKDAYS.sub(lambda days: f"{(_WEEK.index(days[2]) - _WEEK.index(days[1])) % 7 + 1} days a week", text)


def _told(one: _Errand, text: str) -> tuple[str, dict[str, str], set[str]] | None:
    """What is left of ``text`` beside the quantities, these, and their units; ``None`` where one is not told once."""
    if not one.asked.search(text) or not one.needs.search(text):
        return None
    rest, figures, units, measured = text, dict(one.defaults), set[str](), dict[str, str]()
    for name, slot in one.slots.items():
        said = list(slot.finditer(rest))
        if len(said) != 1 and (said or name not in one.defaults):
            return None
        for found in said:
            groups = found.groupdict()
            figures |= _figure(name, groups["v"] or groups.get("w") or groups.get("x") or "1")
            measured |= {name: unit} if (unit := groups.get("m") or groups.get("n")) else {}
            units |= {groups["u"]} if groups.get("u") else set()
            rest = f"{rest[: found.start()]}、{rest[found.end() :]}"
    figures |= {f"{name}_m": measured.get(name, "") for name in one.slots} | _converted(figures, measured)
    return rest, figures, units


def _converted(figures: Mapping[str, str], units: Mapping[str, str]) -> dict[str, str]:
    """Each figure with a unit in the unit of each other one that measures the same, as ``b~a``."""
    pairs = [(one, other, _times(units[one], units[other])) for one in units for other in units]
    return {f"{one}~{other}": figure_of(Fraction(figures[one]) * times) for one, other, times in pairs if times}


def _times(unit: str, other: str) -> Fraction | None:
    """How often ``other`` goes into ``unit``: 7 for a day of a week, and 52 for a week of a year."""
    if (other, unit) in _USUALLY:
        return Fraction(_USUALLY[other, unit])
    one, of = (measure_of(name) or measure_of(f"{name}s") for name in (unit, other))
    return one[0].size / of[0].size if len(one) == len(of) == 1 and one[0].kind == of[0].kind else None


_USUALLY = {("week", "year"): 52, ("month", "year"): 12, ("quarter", "year"): 4, ("day", "year"): 365}


def _figure(name: str, said: str) -> dict[str, str]:
    """A figure as the calculator reads it; a row of them is their sum, and ``name_n`` how many they are."""
    several = _ONE_OF_ROW.findall(said) if _ROW.search(said) else []
    if len(several) > 1:
        return {name: f"({' + '.join(several)})", f"{name}_n": str(len(several))}
    return {name: "1" if said == "one" else _in_hours(said.replace(",", ""))}


_ROW = regex(r"\d[a-z ]*(?:, | and |,? and )[$€£]?\d|\d点(?:、|と|で、|,)|\d円[^\d]{0,10}\d")
_ONE_OF_ROW = regex(r"\d+(?:\.\d+)?")


def _is_turned(one: _Errand, rest: str) -> bool:
    return one.refused.search(one.allowed.sub(" ", rest)) is not None


def _read(one: _Errand, text: str, language: Language) -> StorySum | None:
    told = _told(one, text)
    if told is None or _is_turned(one, told[0]) or re.search(r"\d", one.asked.sub("", told[0])):
        return None
    rest, figures, units = told
    if any(name not in figures for name in one.wants):
        return None
    unknown = {word for word in _CONTENT[language].findall(rest) if word not in STOP and not one.known.fullmatch(word)}
    if len(unknown) > one.most or not all(_values(figures, pair) for pair in one.ascending):
        return None
    if any(not (part := _value(figures, of)) or _value(figures, whole) % part for whole, of in one.exact):
        return None
    unit = _unit(one, units, rest, text)
    expression = one.expression.format(**figures, sign=_signs(text)[:1])
    expression = re.sub(r" \* 1(?=[ )]|$)", "", expression)
    expression = re.sub(r" - 0(?=\)|$)| \+ 0(?=\)|$)|(?<=\()0 \+ | (?= )", "", expression)
    expression = re.sub(r"\((\d[\d.]*)\)(?= /)", r"\1", expression)
    rest_of_it = one.rest.format(**figures, it="{it}")
    return StorySum(expression, unit, rest_of_it) if unit is not None else None


def _values(figures: Mapping[str, str], pair: list[str]) -> bool:
    """Whether the first of two figures is the smaller one, each a slot or a product of slots."""
    first, second = (_value(figures, name) for name in pair)
    return first < second


def _value(figures: Mapping[str, str], name: str) -> Fraction:
    value = Fraction(1)
    for slot in name.split("*"):
        told = [Fraction(part) for part in re.findall(r"\d+(?:\.\d+)?", figures[slot])]
        if f"{slot}_n" in figures:
            told = [sum(told, Fraction(0))]
        value *= told[0] + told[1] / told[2] if len(told) == _FIGURES_OF_CLOCK else told[0]
    return value


_CLOCK = regex(r"(?P<h>\d{1,2})(?::(?P<m>\d\d))? ?(?P<half>[ap])\.?m\.?|(?P<hour>\d{1,2}):(?P<minute>\d\d)")


def _in_hours(figure: str) -> str:
    """A time of day or a length of time in hours, 「17時半」 and 5:30 pm as 17.5; any other figure as it is."""
    if clock := _CLOCK.fullmatch(figure):
        hours, minutes = int(clock["h"] or clock["hour"]), int(clock["m"] or clock["minute"] or 0)
        hours = hours % 12 + 12 * (clock["half"] == "p") if clock["half"] else hours
        return f"({hours} + {minutes} / 60)" if minutes else str(hours)
    if re.search(r"時(?!間)", figure):
        return _in_hours(clock_in_figures(figure))
    if minutes := re.fullmatch(r"(\d+)(?:分| ?min(?:ute)?s?)", figure):
        return f"{minutes[1]} / 60"
    return re.sub(r"時間| ?h(?:ou)?rs?", "", figure)


def _unit(one: _Errand, units: set[str], rest: str, text: str) -> str | None:
    """The unit of the result: of money the sign that is told, of an area the square of its sides; ``None`` for none."""
    if one.unit == "@money":
        said = _signs(text)
        return said if len(said) < 2 else None
    return (_area_unit(units, rest) or None) if units else one.unit


def _signs(text: str) -> str:
    """The signs of the currencies that are told."""
    return "".join(sign for sign, names in _CURRENCIES if any(name in text for name in names))


def _area_unit(units: set[str], rest: str) -> str:
    """The square of the unit that both sides have, where none or that one is asked for; "" for another."""
    plain = {_plain_unit(unit) for unit in units}
    wanted = _AREA_ASKED.search(rest)
    if len(plain) != 1 or (wanted and _plain_unit(wanted["unit"]) not in plain):
        return ""
    return {"m": "平方メートル", "cm": "平方センチメートル", "km": "平方キロメートル"}[plain.pop()]


def _plain_unit(unit: str) -> str:
    if unit in ("㎡", "平米"):
        return "m"
    return next(plain for pattern, plain in _PLAIN_UNITS if pattern.fullmatch(unit))
