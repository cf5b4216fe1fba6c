"""The model's window as one bar, and its parts as a table that says which is which."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import streamlit as st

from agent.interface_text import Text
from agent.messages import Told
from agent.views.context_map import ContextMap, Part
from pages.ui.text.escape import highlighted, one_line
from pages.ui.text.words import say, told

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
    """A row of the table: the ``look`` of its segments in the bar, what it is, and its tokens."""

    look: str
    name: str
    tokens: int


def draw(found: ContextMap) -> None:
    """The bar, and the table of what is in it."""
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
    st.html(bar + _table(found))


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


def _rows(found: ContextMap) -> Iterator[_Row]:
    names = [part.name for part in found.parts if part.name not in ("turn", "question")]
    for name in dict.fromkeys(names):
        tokens = sum(part.tokens for part in found.parts if part.name == name)
        yield _Row(name, told(_NAMES[name]), tokens)
    for how, words in TOLD.items():
        turns = [turn for turn in found.turns if turn.told == how]
        if turns:
            count = say("{n} earlier question", "{n} earlier questions", n=len(turns))
            yield _Row(_look(how), f"{count}, {told(words)}", sum(turn.tokens for turn in turns))
    yield from (
        _Row(part.name, told(_NAMES[part.name]), part.tokens) for part in found.parts if part.name == "question"
    )
    yield _Row("free", _free(), found.free)
    yield _Row("reply", _reply(), found.reply)


def _table(found: ContextMap) -> str:
    heads = say("Part"), say("Tokens"), say("Share")
    rows = "".join(_line(row.look, row.name, row.tokens, found) for row in _rows(found))
    if found.cached:
        rows += _line("cached", say("From the provider's cache, at the beginning"), found.cached, found)
    head = "".join(f'<th scope="col">{highlighted(name, ())}</th>' for name in heads)
    return f'<table class="glassbox-parts"><thead><tr>{head}</tr></thead><tbody>{rows}</tbody></table>'


def _line(look: str, name: str, tokens: int, found: ContextMap) -> str:
    share = percent(found.share(tokens))
    cells = f"<td>{tokens:,}</td><td>{highlighted(share, ())}</td>"
    return f'<tr><th scope="row"><i class="{look}"></i>{highlighted(name, ())}</th>{cells}</tr>'
