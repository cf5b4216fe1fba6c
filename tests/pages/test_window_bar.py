"""The table of the context map: its parts, and what they cost where a price is known."""

from __future__ import annotations

import re
from decimal import Decimal

from agent.messages import Money
from agent.views.context_map import ContextMap, MappedTurn, Part
from pages.ui.run.whole.window_bar import table

FOUND = ContextMap(
    10_000,
    (Part("rules", 400, cached=400), Part("turn", 500, 1, cached=100), Part("question", 100)),
    (MappedTurn(1, "a", "First?", "full", 500, 100), MappedTurn(2, "b", "Second?", "recall", 0)),
    500,
    sent=True,
)


def rows(html: str) -> list[list[str]]:
    found = re.findall("<tr>(.*?)</tr>", html)
    return [[re.sub("<.*?>", "", cell) for cell in re.findall("<t[hd].*?</t[hd]>", row)] for row in found]


def test_parts_cost_what_their_tokens_do_and_cached_ones_less() -> None:
    told = rows(table(FOUND, lambda tokens, cached: Money(Decimal(10 * (tokens - cached) + cached) / 1_000)))
    assert told[0] == ["Part", "Tokens", "Share", "Cost"]
    assert [(row[0], row[3]) for row in told[1:]] == [
        ("Instructions", "$0.40000"),
        ("1 earlier question, in full", "$4.10"),
        ("1 earlier question, only by recall", ""),
        ("This question", "$1.00"),
        ("Free", ""),
        ("Kept free for the reply", ""),
        ("From the provider&#x27;s cache, at the beginning", "$0.50000"),
    ]


def test_nothing_is_said_of_money_where_no_price_is_known() -> None:
    assert {len(row) for row in rows(table(FOUND, lambda _tokens, _cached: None))} == {3}
