"""Questions of tables in the plain words that their reader knows: "the ones that sold", 「～のはどこ？」."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence

from agent.data.tables.questions.table_schema import Table
from agent.text.regex import regex

_LONGEST = 400  # characters
_PRICES = regex(r"price|revenue|sales|amount|total|cost|金額|売上|料金", re.I)
_STOCK = regex(r"\bstock|on hand|^(?:quantity|qty)$", re.I)


def plainer(
    text: str, tables: Sequence[Table], forms: Iterable[tuple[re.Pattern[str], str]], whole: bool
) -> Iterator[str]:
    """What ``text`` may be by ``forms``, all at once or each of the ``whole``; nothing for several tables or none."""
    if len(tables) != 1 or len(text) > _LONGEST:
        return
    columns = tables[0].columns
    priced = [column.label for column in columns if _PRICES.search(column.label)]
    names = {"{name}": columns[0].label, "{price}": priced[0] if len(priced) == 1 else ""}
    stocked = [column.label for column in columns if column.kind == "number" and _STOCK.search(column.label)]
    names["{stock}"] = stocked[0] if len(stocked) == 1 else ""
    if whole:
        for pattern, form in forms:
            if found := pattern.fullmatch(text):
                yield _named(found, form, names)
        return
    bare = text
    for pattern, form in forms:
        if all(label or place not in form for place, label in names.items()):
            bare = pattern.sub(lambda found, form=form: _named(found, form, names), bare)
    if bare != text:
        yield bare


def _named(found: re.Match[str], form: str, names: dict[str, str]) -> str:
    text = found.expand(form)
    for place, name in names.items():
        text = text.replace(place, name)
    return text
