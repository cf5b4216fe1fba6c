"""The mean of a row of like quantities told in a sentence: "over six months our bills were 31, 28, … and 36"."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import pairwise

from agent.text.free_sums.free_items import Item, Told, without
from agent.text.quantities.dates import MONTH
from agent.text.regex import regex

_FEWEST = 3
_KINDS = frozenset(("money", "bare", "count", "length", "mass", "volume", "time", "area"))
_MEAN = regex(r"\b(?:average|mean)\b(?! (?:speed|pace))")
_OTHER = regex(
    r"\b(?:need|to average|weighted|median|mode|highest|lowest|total|sum|altogether|range|percent|below|above)\b"
)
_DAY = r"(?:mon|tue|wed|thu|fri|sat|sun)[a-z]*"
_MONTHS = rf"(?:{MONTH}|january|june|july|march|april)"
_GAP = regex(rf"(?:[ ,&;:-]|\b(?:and|then|finally|(?:(?:on|in) )?(?:{_DAY}|{_MONTHS}))\b)*")
_SAID = regex(
    r"\b(?:(?:over|in|for|across|during) )?(?:the |my |our )?(?:last|past|first)\b|\b(?:average|mean|on average|over)\b"
    r"|\bper [a-z]+$|\b(?:an?|each|every) (?:month|week|day|year|time|go)\b"
)


def mean_asked(told: Told) -> Iterator[tuple[str, Told]]:
    """The mean of all quantities but one that counts them, and the same told without the words it was read by."""
    if not _MEAN.search(told.asked) or _OTHER.search(told.text) or len(told.items) < _FEWEST:
        return
    for row in (told.items, told.items[1:]):
        counts = told.items[: len(told.items) - len(row)]
        if len(row) >= _FEWEST and _is_row(told, row) and all(_counts(one, row) for one in counts):
            figures = _in_one_unit(row)
            listed = f"{', '.join(figures[:-1])} and {figures[-1]}"
            yield f"what is the average of {listed}", without(told, *(one[0] for one in _SAID.finditer(told.text)))
            return


def _is_row(told: Told, row: Sequence[Item]) -> bool:
    """Whether only commas and days stand between quantities of one kind and unit."""
    kinds = {item.kind for item in row} - {"bare"}
    units = {item.unit or "+".join(sorted(item.names)) for item in row if item.kind != "bare"}
    plain = all(_GAP.fullmatch(told.source[one.end : two.start]) for one, two in pairwise(row))
    return plain and len(kinds) <= 1 and len(units) <= 1 and kinds <= _KINDS and not any(item.per for item in row)


def _counts(item: Item, row: Sequence[Item]) -> bool:
    return item.kind in ("count", "month", "time") and item.amount == len(row) and not item.per


def _in_one_unit(row: Sequence[Item]) -> list[str]:
    unit = next((item.unit for item in row if item.unit), "")
    return [f"{unit}{item.said}" if unit in ("$", "€", "£") else f"{item.said} {unit}".strip() for item in row]
