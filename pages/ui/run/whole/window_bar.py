"""The model's window as one bar, and its parts as a table that says which is which."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import TypeAlias

import streamlit as st

from agent.interface_text import Text
from agent.messages import Money, Told
from agent.views.context_map import ContextMap, MappedTurn, Part
from pages.ui.text.escape import highlighted, one_line
from pages.ui.text.words import say, told
from pages.ui.widgets.figures import money

# What so many tokens of a prompt cost, some of them cached; ``None`` where no price is known.
PriceOf: TypeAlias = Callable[[int, int], Money | None]

# How much of an earlier turn is told.
TOLD: dict[Told, Text] = {
    "full": Text("in full"),
    "shortened": Text("shortened"),
    "answer": Text("question and answer"),
    "question": Text("question only"),
    "recall": Text("only by recall"),
    "out": Text("left out"),
}
_NAMES = {
    "rules": Text("Instructions"),
    "tools": Text("Tools"),
    "databases": Text("Databases"),
    "tables": Text("Tables"),
    "notes": Text("Notes"),
    "question": Text("This question"),
}


@dataclass(frozen=True, slots=True)
class _Row:
    """A row of the table: the ``look`` of its segments in the bar, what it is, its tokens, and what they cost."""

    look: str
    name: str
    tokens: int
    cost: Money | None = None


def draw(found: ContextMap, price: PriceOf) -> None:
    """The bar, and the table of what is in it and what that costs."""
    whole = max(found.window, found.tokens)
    segments = "".join(_segment(found, part, whole) for part in found.parts)
    segments += "".join(
        f'<i class="{look}" style="width: {tokens / whole:.3%}" title="{_hint(name, tokens)}"></i>'
        for look, name, tokens in (("free", _free(), found.free), ("reply", _reply(), found.reply))
    )
    cached = f'<b style="width: {found.cached / whole:.3%}"></b>' if found.cached else ""
    alt = say(
        "The model's window of {window:,} tokens, of which the prompt takes {tokens:,}. The table below has its parts.",
        window=found.window,
        tokens=found.tokens,
    )
    bar = f'<div class="glassbox-window" role="img" aria-label="{highlighted(alt, ())}">{segments}{cached}</div>'
    st.html(bar + table(found, price))


def percent(share: float) -> str:
    """A share of the window, in whole percents; what is there is never nothing."""
    return f"{share:.0%}" if share >= 0.01 or not share else "< 1%"


def _segment(found: ContextMap, part: Part, whole: int) -> str:
    turn = next((turn for turn in found.turns if part.name == "turn" and turn.number == part.number), None)
    name = told(_NAMES[part.name]) if turn is None else f"{turn.number}. {one_line(turn.question, 60)}"
    look = _look(turn.told) if turn else part.name
    return f'<i class="{look}" style="width: {part.tokens / whole:.3%}" title="{_hint(name, part.tokens)}"></i>'


def _hint(name: str, tokens: int) -> str:
    return highlighted(say("{name}: {tokens:,} tokens", name=name, tokens=tokens), ())


def _look(how: Told) -> str:
    return "turn" if how == "full" else "turn less"


def _free() -> str:
    return say("Free")


def _reply() -> str:
    return say("Kept free for the reply")


def _rows(found: ContextMap, price: PriceOf) -> Iterator[_Row]:
    def row(look: str, name: str, parts: Sequence[Part | MappedTurn]) -> _Row:
        tokens = sum(part.tokens for part in parts)
        return _Row(look, name, tokens, price(tokens, sum(part.cached for part in parts)) if tokens else None)

    question = [part for part in found.parts if part.name == "question"]
    names = [part.name for part in found.parts if part.name not in ("turn", "question")]
    for name in dict.fromkeys(names):
        yield row(name, told(_NAMES[name]), [part for part in found.parts if part.name == name])
    for how, words in TOLD.items():
        turns = [turn for turn in found.turns if turn.told == how]
        if turns:
            yield row(_look(how), _told_turns(len(turns), told(words)), turns)
    yield row("question", told(_NAMES["question"]), question)
    yield _Row("free", _free(), found.free)
    yield _Row("reply", _reply(), found.reply)
    if found.cached:
        name = say("From the provider's cache, at the beginning")
        yield _Row("cached", name, found.cached, price(found.cached, found.cached))


def _told_turns(count: int, how: str) -> str:
    return say("{n} earlier question, {how}", "{n} earlier questions, {how}", n=count, how=how)


def table(found: ContextMap, price: PriceOf) -> str:
    """The parts in tokens and share of the window, as HTML; with their cost where a price is known."""
    rows = [*_rows(found, price)]
    priced = any(row.cost for row in rows)
    heads = say("Part"), say("Tokens"), say("Share"), *([say("Cost")] if priced else [])
    head = "".join(f'<th scope="col">{highlighted(name, ())}</th>' for name in heads)
    body = "".join(_line(row, found, priced) for row in rows)
    return f'<table class="glassbox-parts"><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table>'


def _line(row: _Row, found: ContextMap, priced: bool) -> str:
    cells = [f"{row.tokens:,}", percent(found.share(row.tokens))]
    if priced:
        cells.append(money(row.cost) if row.cost else "")
    told = "".join(f"<td>{highlighted(cell, ())}</td>" for cell in cells)
    return f'<tr><th scope="row"><i class="{row.look}"></i>{highlighted(row.name, ())}</th>{told}</tr>'
