"""Japanese sums whose quantities each have a name, in any order: an area, a price before tax, the fuel of a drive.

The kinds are declared in ``errand_words.toml``. Nothing may be left over: no figure, no word that turns the meaning.
"""

from __future__ import annotations

import re
import tomllib
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

from agent.text.in_japanese.japanese_parts import plainer
from agent.text.problems.clock_questions import clock_in_figures
from agent.text.problems.story_totals import StorySum

_LONGEST = 160  # characters
_MOST_UNKNOWN = 3  # words of content that an errand does not know: what is bought, who buys it
_CONTENT = re.compile(r"[一-龯々]+|[ァ-ヶー]{2,}|[A-Za-z]+")
_TEN_THOUSANDS = re.compile(r"(?<![\d.,])(\d{1,3}(?:\.\d)?)万円")
_PLAIN_UNITS = (
    (re.compile(r"センチ(?:メートル)?|cm"), "cm"),
    (re.compile(r"キロ(?:メートル)?|km"), "km"),
    (re.compile(r"メートル|m"), "m"),
)
_AREA_ASKED = re.compile(r"何 ?(?:平方)?(?P<unit>センチ(?:メートル)?|キロ(?:メートル)?|メートル|cm|km|m|㎡|平米)")


@dataclass(frozen=True, slots=True)
class _Errand:
    name: str
    asked: re.Pattern[str]
    needs: re.Pattern[str]
    slots: dict[str, re.Pattern[str]]
    refused: re.Pattern[str]
    known: re.Pattern[str]
    expression: str
    unit: str
    most: int


@cache
def _errands() -> tuple[_Errand, ...]:
    read = tomllib.loads(Path(__file__).with_name("errand_words.toml").read_text(encoding="utf-8"))
    every = read["every"]
    return tuple(_errand(one, every, read["figure"]["N"]) for one in read["errand"])


def _errand(one: dict[str, Any], every: dict[str, str], figure: str) -> _Errand:
    return _Errand(
        one["name"],
        re.compile(one["asked"]),
        re.compile(one.get("needs", "")),
        {name: re.compile(slot.replace("{N}", figure)) for name, slot in one["slots"].items()},
        re.compile(f"{every['refused']}|{one['refused']}"),
        re.compile(f"(?:{every['known']}|{one.get('known', every['known'])})+"),
        one["expression"],
        one.get("unit", ""),
        one.get("most", _MOST_UNKNOWN),
    )


def japanese_errand(text: str) -> StorySum | None:
    """The sum that ``text``, the whole of it, asks for; ``None`` where it is not surely one of the declared kinds."""
    text = _TEN_THOUSANDS.sub(lambda found: f"{float(found[1]) * 10_000:.0f}円", plainer(text))
    if len(text) > _LONGEST:
        return None
    found = [made for errand in _errands() if (made := _read(errand, text))]
    return found[0] if len(found) == 1 else None


def _read(errand: _Errand, text: str) -> StorySum | None:
    asked = list(errand.asked.finditer(text))
    if not asked or not errand.needs.search(text):
        return None
    rest, figures, units = text, dict[str, str](), set[str]()
    for name, slot in errand.slots.items():
        said = list(slot.finditer(rest))
        if len(said) != 1:
            return None
        groups = said[0].groupdict()
        figures[name] = _in_hours((groups["v"] or groups.get("w") or "").replace(",", ""))
        units |= {groups["u"]} if groups.get("u") else set()
        rest = f"{rest[: said[0].start()]}、{rest[said[0].end() :]}"
    if errand.refused.search(rest) or re.search(r"\d", errand.asked.sub("", rest)):
        return None
    if sum(not errand.known.fullmatch(word) for word in _CONTENT.findall(rest)) > errand.most:
        return None
    if not _holds(errand.name, figures):
        return None
    unit = _area_unit(units, rest) if units else errand.unit
    return StorySum(errand.expression.format(**figures), unit) if unit else None


def _in_hours(figure: str) -> str:
    """A time of day or a length of time in hours, 「17時半」 as 17.5; any other figure as it is."""
    if re.search(r"時(?!間)", figure):
        hours, minutes = clock_in_figures(figure).split(":")
        return f"({hours} + {minutes} / 60)" if int(minutes) else hours
    if figure.endswith("分"):
        return f"{figure.removesuffix('分')} / 60"
    return figure.removesuffix("時間")


def _holds(name: str, figures: dict[str, str]) -> bool:
    """Whether instalments cost more than one payment, and a shift ends after it began."""
    if name == "instalments":
        return float(figures["m"]) * float(figures["c"]) > float(figures["o"])
    if name == "shift":
        first, last = (int(re.findall(r"\d+", figures[end])[0]) for end in "ab")
        return first < last
    return True


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
