"""Areas, volumes and ways round of a rectangle whose sides are told in any words, and what so much of it costs."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from fractions import Fraction

from agent.text.free_sums.free_items import Item, Told, has, says, without
from agent.text.problems.story_totals import figure_of
from agent.text.quantities.units import measure_of
from agent.text.regex import regex

_SIDES, _EDGES = 2, 3
_ASKED_UNIT = (
    ("metres", regex(r"\b(?:square|sq|cubic) ?\.? ?(?:m|met(?:er|re)s?)\b|\bm[23²³]|\bmetres?\b")),
    ("cm", regex(r"\b(?:square|sq|cubic) ?\.? ?(?:cm|cent\w+)\b|\bcm[23²³]|\bcentimet\w+")),
    ("feet", regex(r"\b(?:square|sq|cubic) ?\.? ?(?:ft|feet|foot)\b|\bft[23²³]|\bfeet\b")),
)
_SQUARES, _CUBES = (
    {"metres": "square metres", "cm": "", "feet": "square feet"},
    {"metres": "cubic metres"},
)


_LITRES = regex(r"\b(?:litres?|liters?|ml|gallons)\b")


def area_asked(told: Told) -> Iterator[str]:
    """The area, the volume, the way round or the price of the one rectangle."""
    sides = [item for item in told.items if item.kind == "length" and not item.per]
    rates = [item for item in told.items if item.per and item.kind in ("money", "bare")]
    sides = _with_bare(told, sides, rates)
    if sides is None or len(sides) + len(rates) != len(told.items) or says(told.text, "turns_side"):
        return
    litres = _LITRES.search(told.asked)
    if litres and len(sides) == _EDGES and not rates and says(told.text, "side"):
        yield f"what is {' * '.join(figure_of(side.value) for side in sides)} cubic metres in {litres[0]}"
        return
    if not says(told.text, "side") or len({side.unit for side in sides}) != 1:
        return
    unit = sides[0].unit
    asked = next((name for name, pattern in _ASKED_UNIT if pattern.search(told.asked)), unit)
    if asked != unit and not rates:
        yield from _converted(told, sides, asked)
        return
    yield from _figured(told, sides, rates, unit)


def _converted(told: Told, sides: list[Item], asked: str) -> Iterator[str]:
    """The area in the unit that is asked for."""
    unit = sides[0].unit
    if len(sides) == _SIDES and has(told.asked, "area", "asked") and _SQUARES.get(unit) and _SQUARES.get(asked):
        yield f"{figure_of(sides[0].amount * sides[1].amount)} {_SQUARES[unit]} in {_SQUARES[asked]}"


def _figured(told: Told, sides: list[Item], rates: list[Item], unit: str) -> Iterator[str]:
    product = " * ".join(figure_of(side.amount) for side in sides)
    if has(told.text, "round", "asked") and len(sides) == _SIDES and not rates:
        yield f"what is 2 * ({' + '.join(f'{figure_of(side.amount)} {unit}' for side in sides)})"
    elif rates:
        (kind,) = {one.kind for one in measure_of(rates[0].per)} or {""}
        per = next((one.size for one in measure_of(rates[0].per)), Fraction(0))
        if (
            len(rates) == 1
            and kind == "area"
            and len(sides) == _SIDES
            and per == sides[0].size ** 2
            and says(told.asked, "costs")
        ):
            yield f"what is {product} * {rates[0].unit}{rates[0].said}"
    elif len(sides) == _SIDES and has(told.text, "area", "asked") and unit in _SQUARES:
        yield f"what is {product} {_SQUARES[unit]}".strip()
    elif len(sides) == _EDGES and has(told.text, "room", "asked") and unit in _CUBES:
        yield f"what is {product} {_CUBES[unit]}"


def _with_bare(told: Told, sides: list[Item], rates: list[Item]) -> list[Item] | None:
    """The sides, one without a unit among them, "5.5 by 4 metres"; ``None`` for another number than two or three."""
    bare = [item for item in told.items if item.kind == "bare" and item not in rates]
    if sides and bare:
        sides = [*sides, *(replace(item, kind="length", unit=sides[0].unit, size=sides[0].size) for item in bare)]
    return sorted(sides, key=lambda side: side.start) if len(sides) in (_SIDES, _EDGES) else None


_WALLS = regex(r"\bwalls?\b")
_HIGH = regex(r"\b(?:high|height|tall|ceilings?)\b")
_NO_WALLS = regex(
    r"\b(?:doors?|windows?|coats?|tins?|rolls?|floor|ceiling area|except|tiles?|litres?|one wall|§ walls)\b"
)
_SAID = regex(r"\b(?:(?:total|all|both|the|of|four) )*walls?\b|\btotal\b|\bif\b(?= i)")


def walls_asked(told: Told) -> Iterator[tuple[str, Told]]:
    """The area of the four walls of a room, which is told by its two sides and its height."""
    sides = _with_bare(told, [item for item in told.items if item.kind == "length" and not item.per], [])
    if sides is None or len(sides) != _EDGES or len(told.items) != _EDGES:
        return
    if not _WALLS.search(told.asked) or not has(told.asked, "area", "asked") or _NO_WALLS.search(told.text):
        return
    high = [side for side in sides if _HIGH.search(f"{side.before[-12:]} {side.after[:12]}")] or sides[2:]
    if len(high) != 1 or len({side.unit for side in sides}) != 1 or sides[0].unit not in _SQUARES:
        return
    first, second = (figure_of(side.amount) for side in sides if side is not high[0])
    words = (one[0] for one in _SAID.finditer(told.text))
    made = f"what is 2 * ({first} + {second}) * {figure_of(high[0].amount)} {_SQUARES[sides[0].unit]}".strip()
    yield made, without(told, *words)
