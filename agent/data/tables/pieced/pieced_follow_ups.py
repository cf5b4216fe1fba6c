"""What a follow-up asks, by its pieces, of the rows that the answer before it was of."""

from __future__ import annotations

from dataclasses import replace

from agent.data.tables.pieced.cut_pieces import Pieces, rest_told
from agent.data.tables.pieced.pieced_meaning import together, turned
from agent.data.tables.questions.sentence import narrowed
from agent.data.tables.questions.table_schema import Asked


def gone_on_with(before: Asked, all_: Pieces) -> Asked | None:
    """What is asked of what ``before`` told: more of its one row, or a figure, the most or others of its rows."""
    wish = all_.wish
    if any(one.sought for one in wish.filters):
        return None
    own = tuple(replace(one, turn=_turns_of(before) + 1) for one in wish.filters)
    filters = tuple(narrowed([*before.filters, *own]))
    wishes = wish.most or wish.groups or wish.measure
    if before.order and before.limit:
        others = rest_told(all_, before.column) if before.limit == 1 and not (wishes or own) else None
        shown = tuple(dict.fromkeys((*before.shown, *others))) if others and before.shown else ()
        return replace(before, shown=shown) if shown else None
    if own and not (wishes or all_.asks or all_.named):
        return replace(before, filters=filters)
    leaning = replace(all_, wish=replace(wish, filters=filters, named=True))
    made = together(leaning)
    return None if made is None or turned(leaning, made) else made


def _turns_of(before: Asked) -> int:
    """How many turns its filters are from."""
    return max((one.turn for one in before.filters), default=0)
