"""The figure that a sentence of a result ends in, which the next question may go on from."""

from __future__ import annotations

import re

from agent.text.quantities.units import CURRENCIES, measure_of
from agent.text.regex import regex
from agent.text.sums.phrases import Value

_FIGURE = r"(?P<figure>-?[$€£¥]?\d[\d,]*(?:\.\d+)?(?:e[+-]?\d+)?)"
_ENDS = (
    regex(rf"\b(?:is|are|has) (?P<about>about )?{_FIGURE}(?: ?(?P<unit>[^\d“”()]+?))?\.$"),
    regex(rf"(?:は|で|と|すると)(?P<about>約)?{_FIGURE} ?(?P<unit>[^\d“”()]*?)です。$"),
    regex(rf"The search gives {_FIGURE} (?P<unit>[^:“]+): “"),
    regex(rf"検索結果では{_FIGURE} ?(?P<unit>[^:“]+?)です: “"),
)

_PER_PERIOD = regex(r"^per (?:hour|day|week|month|year)$")  # 450 per week goes on as 450
ONE_VALUE = regex(r":\n\s*- (?P<value>\d{4}-\d\d-\d\d|\d[\d,]*(?:\.\d+)?)\s*\Z")
# "- Walk: High Moor, Time (min): 330": the one figure of the one row.
_OF_ROW = regex(r":\n\s*- [^\n]*?, [^\n:,]+ (?P<unit>\([^\W\d_]+\)): (?P<value>\d[\d,]*(?:\.\d+)?)\s*\Z")


def value_of_row(answer: str) -> Value | None:
    """The figure of the one row of a table that an answer tells; its unit in brackets, as its column has it."""
    row = _OF_ROW.search(answer)
    one = row or ONE_VALUE.search(answer)
    return Value(one["value"].replace(",", ""), row["unit"] if row else "") if one and "-" not in one["value"] else None


def value_in(answer: str) -> Value | None:
    """The figure that an answer ends in, as the demo's own answers do; ``None`` where picking one would be guessing."""
    for pattern in _ENDS:
        if found := pattern.search(answer):
            close = bool(found.groupdict().get("about"))
            unit = _PER_PERIOD.sub("", (found["unit"] or "").strip())
            return _value(found["figure"].replace(",", ""), unit, close)
    return None


def _value(figure: str, unit: str, close: bool) -> Value | None:
    if currency := re.search(r"[$€£¥]", figure):
        return None if unit else Value(figure.replace(currency[0], ""), currency[0], close)
    if unit in {"", *CURRENCIES}:
        return Value(figure, CURRENCIES.get(unit, ""), close)
    meanings = measure_of(unit)
    return Value(figure, meanings[0].name, close) if meanings else None


_PART_TOLD = regex(r"(?<=\.) The (?:tip|tax|vat|discount|service) is [^ ]+\.$", re.I)


def whole_told(answer: str) -> str:
    """The answer without the part that it tells beside the whole: "The tip is 5."."""
    return _PART_TOLD.sub("", answer)
