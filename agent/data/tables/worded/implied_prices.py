"""What pieces of a table of prices come to: three of them, one of each, one with a discount."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator

from agent.data.tables.identifiers import literal, quoted
from agent.data.tables.questions.table_lexicon import NUMBERS, form, words
from agent.data.tables.questions.table_schema import Column, Table, id_like, own_texts
from agent.data.tables.worded.implied import Implied
from agent.data.tables.worded.worded_figures import is_price
from agent.text.regex import regex


def _prices(table: Table) -> list[Column]:
    return [one for one in table.of_kind("number") if is_price(one) and not id_like(one)]


_SEVERAL = regex(
    r"(?:how much|what) (?:for|are|would|is|do|does|will|did)(?: the price of)? (?P<number>\d{1,3}|[a-z]+)"
    r" (?P<what>[a-z][a-z' ]*?)"
    r"(?: (?:cost|costs|come to|be|set me back|cost me|altogether|in total))*",
    re.I,
)


def _of_several(text: str, table: Table) -> Implied | None:
    """ "How much for 3 hostas", where a hosta has a price."""
    said = _SEVERAL.fullmatch(text.strip(" ?.!"))
    number = said and (said["number"] if said["number"].isdigit() else str(NUMBERS.get(said["number"].lower(), "")))
    prices = _prices(table)
    if not said or not number or number == "1" or len(prices) != 1:
        return None
    typed = tuple(map(form, words(said["what"])))
    values = [
        value
        for one in own_texts(table)
        for value in one.known
        if tuple(map(form, words(value)))[-len(typed) :] == typed
    ]
    if len(values) != 1:
        return None
    column = Column(f"price_of_{number}", f"{number} × {prices[0].called}", "number", prices[0].unit)
    widened = table.with_implied(column, f"{number} * {quoted(prices[0].name)}", "")
    return Implied(f"“{column.label}” of {values[0]}", widened, column)


def _named(text: str, table: Table) -> Iterator[tuple[Column, str, int]]:
    """The names of rows that are typed in full, and the place of each."""
    typed = [(form(found[0].lower()), found.start()) for found in re.finditer(r"[^\W\d_]+", text)]
    for column in own_texts(table):
        for value in column.known:
            own = [form(word) for word in words(value)]
            for place in range(len(typed) - len(own) + 1) if own else ():
                if [word for word, _ in typed[place : place + len(own)]] == own:
                    yield column, value, typed[place][1]


_OFF = regex(r"\b(?P<percent>\d{1,2}(?:\.\d+)?) ?(?:%|percent|per cent) (?:off|discount|less)\b", re.I)


_UP = regex(r"\bup (?:by )?(?P<percent>\d{1,2}(?:\.\d+)?) ?(?:%|percent|per cent)", re.I)


def _with_discount(text: str, table: Table) -> Implied | None:
    """ "20% off the lavender"."""
    said, prices, several = _OFF.search(text) or _UP.search(text), _prices(table), list(_named(text, table))
    if said is None or len(prices) != 1 or len(several) != 1 or len(re.findall(r"\d+", text)) != 1 + ("." in said[0]):
        return None
    way, sign = ("plus", "+") if said.re is _UP else ("less", "-")
    label = f"{prices[0].called} {way} {said['percent']}%"
    column = Column(f"{prices[0].name}_{way}_{said['percent']}", label, "number", prices[0].unit)
    worked_out = f"round({quoted(prices[0].name)} * (100 {sign} {said['percent']}) / 100, 2)"
    return Implied(f"“{column.label}” of {several[0][1]}", table.with_implied(column, worked_out, ""), column)


_BEFORE = regex(r"(?P<number>\d{1,3}|[a-z]+) (?:x |lots of |of |the )?$", re.I)
_ONE = ("a", "an", "the", "one")


def _basket(text: str, table: Table) -> Implied | None:
    """ "6 thyme and 4 rosemary, how much is that"."""
    prices, several = _prices(table), list(_named(text, table))
    columns = {column for column, _, _ in several}
    if len(prices) != 1 or len(several) < 2 or len(columns) != 1 or not re.search(r"\bhow much\b", text, re.I):
        return None
    counts: dict[str, int] = {}
    for _, value, start in several:
        before = _BEFORE.search(text[:start])
        said = before["number"].lower() if before else ""
        number = int(said) if said.isdigit() else 1 if said in _ONE else NUMBERS.get(said, 0)
        if not number or value in counts:
            return None
        counts[value] = number
    if all(number == 1 for number in counts.values()) or len(re.findall(r"\d+", text)) > len(counts):
        return None
    (named,) = columns
    cases = " ".join(f"WHEN {literal(value)} THEN {number}" for value, number in counts.items())
    column = Column(
        "basket", " + ".join(f"{number} {value}" for value, number in counts.items()), "number", prices[0].unit
    )
    worked_out = f"CASE {quoted(named.name)} {cases} END * {quoted(prices[0].name)}"
    return Implied(f"total “{column.label}”", table.with_implied(column, worked_out, ""), column)


of_prices: tuple[Callable[[str, Table], Implied | None], ...] = (_of_several, _with_discount, _basket)
