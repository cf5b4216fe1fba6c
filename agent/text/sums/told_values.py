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


def value_in(answer: str) -> Value | None:
    """The figure that an answer ends in, as the demo's own answers do; ``None`` where picking one would be guessing."""
    for pattern in _ENDS:
        if found := pattern.search(answer):
            close = bool(found.groupdict().get("about"))
            return _value(found["figure"].replace(",", ""), (found["unit"] or "").strip(), close)
    return None


def _value(figure: str, unit: str, close: bool) -> Value | None:
    if currency := re.search(r"[$€£¥]", figure):
        return None if unit else Value(figure.replace(currency[0], ""), currency[0], close)
    if unit in {"", *CURRENCIES}:
        return Value(figure, CURRENCIES.get(unit, ""), close)
    meanings = measure_of(unit)
    return Value(figure, meanings[0].name, close) if meanings else None
