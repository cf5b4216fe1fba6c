"""Change, what is left, a share and a total: amounts of one kind added up, taken away, raised and shared."""

from __future__ import annotations

from collections.abc import Iterator

from agent.text.free_sums.free_balances import taken_away
from agent.text.free_sums.free_items import Told
from agent.text.free_sums.free_takings import asks_takings, takings
from agent.text.free_sums.free_totals import added_up
from agent.text.free_sums.free_wishes import asks_apart, wish_of


def amount_asked(told: Told) -> Iterator[str]:
    """The plain sum of an account of money, things or measures whose every figure has its part in it."""
    if asks_takings(told):
        found = takings(told)
        yield from [f"what is {found}"] if found else []
        return
    wish = "" if any(item.kind in ("clock", "speed") for item in told.items) else wish_of(told)
    if not wish or (wish != "change" and not asks_apart(told)):
        return
    found = taken_away(told, wish) if wish in ("change", "left") else added_up(told, shared=wish == "each")
    if found:
        yield f"what is {found}"
