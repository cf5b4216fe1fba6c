"""The one figure of a question with a new one in its place: "and for 36?", "and at 20%?"."""

from __future__ import annotations

import re
from collections.abc import Iterator

from agent.text.quantities.units import measure_of
from agent.text.regex import regex
from agent.text.sums.sum_grammar import term

_SLOT = regex(
    r"(?<![\w.,/-])(?P<sign>[$€£¥]?)(?P<n>\d[\d,]*(?:\.\d+)?)(?![\d/-])"
    r"(?P<percent> ?(?:%|percent\b))?(?P<unit> ?[a-zA-Z°]+(?:/[a-z]+)?)?"
)
_TURNED = regex(r"\b(?:on top|more|extra|less|increase|rise|added)\b", re.I)


def figure_swapped(new: str, before: str, things: bool, word: str) -> Iterator[str]:
    """``things``: "6 people" takes the place of the one figure of people; "to 100" of the one behind that ``word``."""
    slots = list(_SLOT.finditer(before))
    percents = [slot for slot in slots if slot["percent"]]
    figures = [slot for slot in slots if not slot["percent"]]
    behind = [slot for slot in figures if word and re.search(rf"\b{word} $", before[: slot.start()], re.I)]
    figures = behind if len(behind) == 1 else figures
    if re.search(r"%|percent", new):
        if len(percents) == 1 and not _TURNED.search(new):
            slot = percents[0]
            yield before[: slot.start("n")] + new + before[slot.end("percent") :]
        return
    thing = re.sub(r"^[\d,.]+", "", new).strip().lower()
    alike = [slot for slot in figures if things and thing and (slot["unit"] or "").strip().lower() == thing]
    if len(figures) != 1 and len(alike) != 1:
        return
    slot = figures[0] if len(figures) == 1 else alike[0]
    if (
        re.fullmatch(r"\d{1,3}", new)
        and re.fullmatch(r"\d+\.\d\d", slot["n"])
        and "," in before[slot.end() :]
        and not word
    ):
        return  # a count, and no price
    if slot in alike:
        yield before[: slot.start("n")] + new + before[slot.end("unit") :]
        return
    if re.fullmatch(r"[\d,.]+", new):
        yield before[: slot.start("n")] + new + before[slot.end("n") :]
    elif measure_of(new.lstrip("0123456789,. -")) or new[0] in "$€£¥":
        yield (
            before[: slot.start()]
            + new
            + before[slot.end("unit") if measure_of(slot["unit"] or "") else slot.end("n") :]
        )
    elif (found := term(new.lower(), "en")) and found.form == "number" and not found.unit:
        yield before[: slot.start("n")] + found.text + before[slot.end("n") :]
