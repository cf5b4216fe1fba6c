"""What a question names and no heading does: the water bill, all bills together, what an order is worth.

Where a table has how much of something was used and what it cost, a word of money tells the one from the other.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from agent.data.tables.identifiers import quoted
from agent.data.tables.questions.table_lexicon import form
from agent.data.tables.questions.table_schema import Column, Table, id_like
from agent.data.tables.worded.implied import Implied
from agent.data.tables.worded.implied_prices import of_prices
from agent.data.tables.worded.implied_times import of_times
from agent.data.tables.worded.worded_columns import content, currency, has_pieces, holds_money, named
from agent.data.tables.worded.worded_figures import is_price, pieces_and_price
from agent.text.regex import regex

_SHORTEST = 4  # letters of a word that is cut short: "the electric"
_MONEY = regex(
    r"\b(?:bills?|costs?|pay|paid|paying|spen[dt]|spending|charged?|cheap(?:er|est)?|dear(?:er|est)?|expensive|money"
    r"|priciest|dollars?|pounds?|euros?|quid)\b|[$£€]",
    re.I,
)
_USED = regex(r"\b(?:us(?:e|ed|es|age|ing)|consum(?:e|ed|es|ing|ption)|burn(?:ed|t)?)\b", re.I)
_FIGURE = r"(?: (?:bills?|costs?|spending|charges?|usage|use|consumption))?"
_ALL = r"(?:in total|in all|altogether|all together|all told|combined|together|overall)"
_CALLED = {"cost": "costs?|bills?|spending|expenses?", "bill": "bills?|costs?"}
_WORTH = regex(
    r"(?:what(?:['’]s| is| was)|how much (?:is|are|was|were|does|do|did|will|would)|what (?:does|do|did|will|would))"
    r" (?P<what>.+?) (?:owe|owed|worth|come to|came to)(?: (?:us|me|you))?(?P<tail>.*)",
    re.I,
)
_EVERYTHING = regex(
    r"how much (?:did|does|do|has|have) (?:everything|it all|they all|all of (?:it|them)|the lot) cost"
    rf"(?: (?:us|me))?(?: {_ALL})?",
    re.I,
)
_STOCK = regex(r"\bstock\b", re.I)


_STOCK_WORTH = regex(
    r"(?:\b(?:total|whole|entire) )?\bstock (?:values?|worth)\b"
    r"|(?:\b(?:total|whole|entire) )?\b(?:values?|worth) of (?:the |our |my |all )*"
    r"(?:(?:everything|stuff|plants|things|what we have)(?: (?:that is|we have))? in )?stock\b",
    re.I,
)


_HELD = frozenset(["bottle", "box", "pack", "jar", "tin", "bag", "crate", "case", "copy", "pieces", "unit"])
_WHOLE = regex(r"(?:(?:my|our|the|all) )*(?:whole|entire|complete) [a-z]+", re.I)


def _held_and_price(table: Table) -> tuple[Column, Column] | None:
    """ "Bottles" and the price of one."""
    held = [one for one in _figures(table) if content(one) & _HELD]
    prices = [one for one in _figures(table) if is_price(one) and "price" in content(one)]
    return (held[0], prices[0]) if len(held) == len(prices) == 1 and held != prices else None


def _stock_and_price(table: Table) -> tuple[Column, Column] | None:
    stock, prices = [one for one in _figures(table) if "stock" in content(one)], list(filter(is_price, _figures(table)))
    asked = [one for one in prices if "price" in content(one)]
    prices = asked if len(asked) == 1 else prices
    return (stock[0], prices[0]) if len(stock) == len(prices) == 1 else None


_FORMULA = regex(r",? ?\((?:[a-z ]+) (?:x|times|×|\*) (?:[a-z ]+)\)", re.I)
_TIMES = regex(r"\b(?:times|multipl\w+)\b|[×*]", re.I)
_VALUE = regex(
    r"\b(?:(?:order|stock|sale|sales) )?values?\b|\bstock worth\b|\bworth of (?:the |our |my )?stock\b", re.I
)


def implied(text: str, table: Table) -> Implied | None:
    """The question with what it implies named; ``None`` where it names all that it is about."""
    if table.joined or "“" in text:
        return None
    ways = (*of_prices, *of_times, _of_family, _of_all, _of_value, _of_spending)
    return next((made for way in ways if (made := way(text, table))), None)


def _figures(table: Table) -> list[Column]:
    return [one for one in table.of_kind("number") if not id_like(one)]


def _of_family(text: str, table: Table) -> Implied | None:
    """ "The water bill" where water has a figure in m³, too."""
    for word, cost, other in _families(table):
        said = _typed(word, text)
        if not said or any(" ".join(name) in text.lower() for name in named(cost) if len(name) > 1):
            continue
        in_unit = re.search(rf"\b{re.escape(other.unit)}\b", text, re.I) if other.unit else None
        money, used = bool(_MONEY.search(text)), bool(_USED.search(text) or in_unit)
        if money == used:
            continue
        column = cost if money else other
        whole = re.compile(rf"\b{re.escape(said)}\b{_FIGURE}", re.I)
        return Implied(whole.sub(f"“{column.called}”", text, count=1), table, column)
    return None


def _families(table: Table) -> Iterator[tuple[str, Column, Column]]:
    """The words that a column of money and one of another figure share, and no third one has."""
    numbers = _figures(table)
    for word in dict.fromkeys(word for one in numbers for word in sorted(content(one))):
        several = [one for one in numbers if word in content(one)]
        costs = [one for one in several if holds_money(one)]
        if len(several) == 2 and len(costs) == 1:
            yield word, costs[0], next(one for one in several if one is not costs[0])


def _typed(word: str, text: str) -> str:
    """The word as it was typed, in full or cut short."""
    for said in re.findall(r"[a-z]+", text, re.I):
        if form(said.lower()) == word or (len(said) >= _SHORTEST and word.startswith(said.lower())):
            return said
    return ""


def _of_all(text: str, table: Table) -> Implied | None:
    """ "The total bill" of a table with what gas and what water cost."""
    for word, several in _alike(table):
        called = _CALLED.get(word, f"{re.escape(word)}s?")
        if any(_typed(own, text) for one in several for own in content(one) if own != word):
            continue
        names = re.compile(
            rf"\b(?:total|combined|overall) (?:{called})\b|\b(?:{called}) {_ALL}\b"
            rf"|\ball (?:the |our |my )?(?:{called})\b",
            re.I,
        )
        money = holds_money(several[0])
        spent = re.compile(
            r"how much (?:did|do|have|has)(?: (?:we|i|they|you))?(?: (?:spend|spent|pay|paid))?(?: (?:on|for))?"
            rf" everything(?: cost)?(?: {_ALL})?",
            re.I,
        )
        way = spent if money and spent.search(text) else names
        if not way.search(text):
            continue
        column = Column(f"total_{word}", f"Total {word}", "number", several[0].unit)
        worked_out = " + ".join(f"coalesce({quoted(one.name)}, 0)" for one in several)
        said = f"total “{column.label}”" if way is spent else f"“{column.label}”"
        told = f"{column.label}: {' + '.join(one.called for one in several)}"
        return Implied(way.sub(said, text, count=1), table.with_implied(column, worked_out, told), column)
    return None


def _alike(table: Table) -> Iterator[tuple[str, Sequence[Column]]]:
    """Columns of one kind of figure with a name of two words, of which the last is the same."""
    numbers = _figures(table)
    for word in dict.fromkeys(name[-1] for one in numbers for name in named(one) if len(name) > 1):
        several = [one for one in numbers if any(len(name) > 1 and name[-1] == word for name in named(one))]
        units = {(one.unit, currency(one)) for one in several}
        taken = any("total" in content(one) or content(one) == frozenset([word]) for one in numbers)
        if len(several) > 1 and len(units) == 1 and not taken:
            yield word, several


_SPENT = regex(
    r"(?:what|how much)(?: money)? (?:did|do|have|has|does) (?P<who>.+?) (?:spend|spent|pay|paid|spending)"
    r" (?:on|for) (?:the |our |my )?(?P<what>[a-z]+)(?P<tail>.*)",
    re.I,
)
_ANYBODY = ("we", "i", "you", "they", "it", "people", "everyone")


def _of_spending(text: str, table: Table) -> Implied | None:
    """ "What did we spend on fuel", where fuel has litres and what was paid has a heading of its own."""
    said = _SPENT.fullmatch(text.strip(" ?.!"))
    money = [one for one in _figures(table) if holds_money(one) or "cost" in content(one)]
    others = [
        one for one in _figures(table) if said and one not in money and form(said["what"].lower()) in content(one)
    ]
    if said is None or len(money) != 1 or len(others) != 1 or has_pieces(table):
        return None
    who = "" if said["who"].lower() in _ANYBODY else f" of {said['who']}"
    tail = re.sub(rf",? {_ALL}\b", "", said["tail"])
    return Implied(f"total “{money[0].called}”{who}{tail}", table, money[0])


_POINTING = ("they", "it", "he", "she", "that", "those", "these", "this")


def _of_value(text: str, table: Table) -> Implied | None:
    """What an order is worth, where a table has pieces and the price of one."""
    both = (
        pieces_and_price(table) or _held_and_price(table) or (_stock_and_price(table) if _STOCK.search(text) else None)
    )
    text = _FORMULA.sub("", text)
    if both is None or _TIMES.search(text) or any({"value", "worth"} & content(one) for one in table.columns):
        return None
    column = Column("value", "Value", "number", both[1].unit)
    said = _WORTH.fullmatch(text.strip(" ?.!"))
    if _EVERYTHING.search(text):
        asked = _EVERYTHING.sub("total “Value” of everything", text, count=1)
    elif _STOCK.search(text) and (said or _VALUE.search(text)):
        asked = _STOCK_WORTH.sub("total “Value”", text, count=1)
    elif said and said["what"].lower() in _POINTING:
        return None
    elif said:
        what = "everything" if _WHOLE.fullmatch(said["what"]) else said["what"]
        asked = f"total “Value” of {what}{re.sub(rf',? {_ALL}', '', said['tail'])}"
    elif _VALUE.search(text):
        asked = _VALUE.sub("“Value”", text, count=1)
        asked = f"total {asked}" if re.search(r"\btotal\b", text, re.I) and "total" not in asked.lower() else asked
    else:
        return None
    worked_out = " * ".join(quoted(one.name) for one in both)
    told = f"{column.label}: {' × '.join(one.called for one in both)}"
    return Implied(asked, table.with_implied(column, worked_out, told), column)
