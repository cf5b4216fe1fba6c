"""How many packs or vans are needed for so much, and which percentage some of the things are."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace
from fractions import Fraction

from agent.text.free_sums.free_items import MARK, Item, Told, says, without
from agent.text.problems.story_parts import stem
from agent.text.problems.story_totals import figure_of
from agent.text.regex import regex

_TWO = 2
_NEEDED = regex(
    r"\bhow many (?P<thing>[a-z]+) (?:(?:of (?:them|those|these)|do|will|would|should|must|shall|have|has|does|i|we|he"
    r"|she|they|to|gonna|going|be|are|is|it) )*(?:need(?:ed|s)?|order|buy|required|book|hire)"
    r"(?: to (?:buy|order|get|book|hire|fill (?:it|them|that|the [a-z]+))"
    r"| for (?:it|that|this|them|us|everyone|everybody|all of (?:us|them)))?$"
)
_HOW_MANY = regex(r"(?:so |and )?how many (?P<thing>[a-z]+)(?: is that| for (?:it|that))?")
_FULL = regex(
    r"(?:so |and )?how many (?P<thing>[a-z]{3,}?)(?:full?s?|s(?= to fill))"
    r"(?: (?:(?:is|are) (?:that|it)|to fill (?:it|them|that)|does it take|(?:do|will|would) i need|will it take"
    r"|for (?:it|that)))*"
)


def needs_asked(told: Told) -> Iterator[str]:
    """ "Tiles come in packs that cover 1.5 m2, my wall is 9.8 m2, how many packs do I need"."""
    asked = _NEEDED.search(told.asked) or (_HOW_MANY.fullmatch(told.asked) if says(told.text, "covers") else None)
    asked = _FULL.fullmatch(told.asked) or asked
    if asked is None or MARK in told.asked or says(told.text, "turns_fit"):
        return
    thing = stem(asked["thing"])
    holding = [item for item in told.items if _is_of(item, thing)]
    others = [item for item in told.items if item not in holding]
    if len(holding) != 1 or thing in {name for item in told.items for name in item.names}:
        return
    whole = _whole(others)
    (each,) = holding
    if each.kind == "bare" and len(others) == 1 and others[0].kind != "count":  # "takes 126 litres, and holds 9"
        each = replace(each, kind=others[0].kind, unit=others[0].unit, size=others[0].size)
    if whole is None or (each.kind != whole[1] and "bare" not in (each.kind, whole[1])) or each.kind == "money":
        return
    unit = each.unit or " ".join(each.names)
    amount = whole[0] / each.size if whole[1] == each.kind else whole[0]
    if each.kind != "bare" and whole[1] == "bare" and each.kind != "count":
        return
    if amount > each.amount:
        so_much = f"{figure_of(amount)} {unit}".strip()
        held = f"{each.said} {unit}".strip()
        several = f"{thing}s" if stem(f"{thing}s") == thing else asked["thing"]
        yield f"A {thing} holds {held}. I need {so_much}. How many {several} do I need?"


def _is_of(item: Item, thing: str) -> bool:
    """Whether the quantity is that of one of the things."""
    if item.per:
        return stem(item.per) == thing
    words = {stem(word) for word in re.findall(r"[a-z]+", item.before)}
    holds = says(item.before, "holds")
    return (thing in words and holds) or says(item.before, "each_holds")


def _whole(items: list[Item]) -> tuple[Fraction, str] | None:
    """The amount in its base unit and its kind; two sides make an area."""
    if any(item.per for item in items):
        return None
    if len(items) == 1:
        return items[0].value, items[0].kind
    if (
        len(items) == _TWO
        and all(item.kind == "length" for item in items)
        and not any(item.after for item in items[1:])
    ):
        return items[0].value * items[1].value, "area"
    return None


_WAS_NOW = regex(
    rf"(?:\b(?:were|was|from|used to be|cost)\b[^{MARK}]{{0,12}}{MARK}|{MARK} (?:last|before)\b)[^{MARK}.?!]{{0,25}}"
    rf"\b(?:now|to|down|up)\b[^{MARK}]{{0,12}}{MARK}"
)
_SAVED = regex(rf"\b(?:saved?|saving|knocked off|got) {MARK} (?:off |on )(?:an? |the |my )?(?:[a-z]+ ){{0,2}}{MARK}")


def share_asked(told: Told) -> Iterator[str]:
    """ "25 kids in class, 9 had school dinner, what percent is that", and by how many percent something changed."""
    if len(told.items) != _TWO or MARK in told.asked or not _PERCENT.search(told.asked):
        return
    first, last = told.items
    before = told.text[: told.text.find(told.asked)]
    if first.kind == last.kind != "count" and not (first.per or last.per) and first.unit == last.unit:
        if _WAS_NOW.search(before) and not _OF_PART.search(told.asked):
            yield f"what is the percentage change from {first.said} to {last.said}"
        elif _NOW_PAID.search(before) and _SAVING.search(told.asked) and first.amount < last.amount:
            yield f"{figure_of(last.amount - first.amount)} is what percent of {last.said}"
        elif _SAVED.search(before) and first.amount < last.amount:
            yield f"{first.said} is what percent of {last.said}"
    if _OUT_OF.search(before) and last.amount > first.amount:
        yield f"{first.said} is what percent of {last.said}"
    if not says(told.asked, "in_percent") or first.kind != "count" or last.kind != "bare" or first.per or last.per:
        return
    if "." not in last.said and last.amount < first.amount and not says(before, "changes"):
        yield f"{last.said} is what percent of {first.said}"


_PERCENT = regex(r"\b(?:percent(?:age)?|per cent)\b|%")
_OUT_OF = regex(rf"{MARK} (?:[a-z]+ )?out of (?:the |my |our |all |a total of )*{MARK}")
_OF_PART = regex(r"\b(?:of|left|remain\w*|per (?:day|week|month|year)|average)\b")


_PIECES = regex(
    rf"(?:so |and )?how many (?P<said>{MARK}(?: long)? (?P<thing>[a-z]+s)) (?:can|could|do|does|would|will|are|is) "
    r"[^.?!]*\b(?:cut|cuts|get|gets|make|makes|saw|there|fill|fills|pour|from|out of)\b[^.?!]*"
)


def pieces_asked(told: Told) -> Iterator[tuple[str, Told]]:
    """ "I have 2.4 metres of ribbon, how many 15 cm bits can I cut out of it"; whole ones."""
    asked = _PIECES.fullmatch(told.asked)
    if asked is None or len(told.items) != _TWO or any(item.per for item in told.items):
        return
    place = told.text[: told.text.find(told.asked) + asked.start("said")].count(MARK)
    piece, whole = told.items[place], told.items[1 - place]
    if piece.kind != whole.kind or piece.kind not in ("length", "mass", "volume") or whole.value < piece.value:
        return
    many = figure_of(whole.value / piece.size)
    rounded = "" if (whole.value / piece.value).denominator == 1 else " rounded down"
    yield f"what is {many} / {piece.said}{rounded}", without(told, asked["thing"])


_RECTANGLES = 4
_TILED = regex(r"\bhow many (?P<thing>tiles|slabs|squares|pavers|flags|panels|paving slabs)\b")
_BY = regex(r" ?(?:by|x|×) ?")


def tiles_asked(told: Told) -> Iterator[str]:
    """How many tiles of so much by so much go into a floor, where they do without a cut."""
    items = told.items
    if len(items) != _RECTANGLES or not _TILED.search(told.asked) or any(item.per for item in items):
        return
    pairs = [(items[place], items[place + 1]) for place in (0, 2)]
    if any(item.kind not in ("length", "bare") for item in items):
        return
    if not all(_BY.fullmatch(told.source[one.end : two.start]) and two.kind == "length" for one, two in pairs):
        return
    sides = ([one.amount * (two.size if one.kind == "bare" else one.size), two.value] for one, two in pairs)
    tile, floor = sorted(sides)
    if all((side / edge).denominator == 1 for side, edge in zip(floor, tile, strict=True)):
        (long, wide), (across, down) = map(figure_of, floor), map(figure_of, tile)
        yield f"what is ({long} / {across}) * ({wide} / {down})"


_NOW_PAID = regex(
    rf"\b(?:paid|got|bought)\b[^{MARK}.?!]{{0,16}}{MARK}[^{MARK}.?!]{{0,30}}"
    rf"\b(?:was|were|originally|normally|usually|instead of|down from|reduced from|marked(?: at)?|rrp)"
    rf"(?: an?)? {MARK}"
)
_SAVING = regex(
    r"\b(?:percent(?:age)?|per cent|%)(?: [a-z]+){0,3} (?:save|saved|saving|off|discount|reduction)\b"
    r"|\b(?:discount|saving)\b.*percent"
)
