"""What a model was sent, as lines for a terminal: the messages of each call, and what filled the window."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from agent.cli.terminal import readable
from agent.context.turns import History
from agent.events import Event
from agent.messages import Told
from agent.text.characters import one_line
from agent.views.context_map import ContextMap, context_map
from agent.views.request import model_calls

_TOLD: dict[Told, str] = {
    "full": "in full",
    "shortened": "shortened",
    "answer": "question and answer",
    "question": "question only",
    "recall": "only by recall",
    "out": "left out",
}
_NAMES = {
    "rules": "Instructions",
    "tools": "Tools",
    "databases": "Databases",
    "tables": "Tables",
    "question": "This question",
}
_WIDTH = 56


def prompt_lines(events: Sequence[Event], history: History) -> Iterator[str]:
    """The messages of each call of a run, as they were sent, but for characters that would steer a terminal."""
    for number, call in enumerate(model_calls(events, history), 1):
        yield f"== call {number}: {len(call.messages)} messages to {call.model}"
        for message in call.messages:
            answered = f" {message.call_id}" if message.call_id else ""
            yield f"-- {message.role}{answered}"
            if message.content:
                yield readable(message.content)
            yield from (readable(f"[{asked.id}] {asked.name} {asked.arguments}") for asked in message.requests)


def context_lines(events: Sequence[Event], history: History, window: int) -> Iterator[str]:
    """The parts of the last prompt of a run as a table: what it is, tokens, share of the ``window``."""
    found = context_map(events, history, window)
    if found is None:
        yield "The model was told nothing: the run ended before its first prompt."
        return
    yield f"{'Context':{_WIDTH}} {'tokens':>9}  share"
    for name, tokens in _rows(found):
        yield f"{readable(one_line(name, _WIDTH)):{_WIDTH}} {tokens:>9,} {found.share(tokens):>6.1%}"


def _rows(found: ContextMap) -> Iterator[tuple[str, int]]:
    for part in found.parts:
        if part.name not in ("turn", "question"):
            yield _NAMES[part.name], part.tokens
    for turn in found.turns:
        how = f", {_TOLD[turn.told]}"
        yield f"{one_line(f'{turn.number}. {turn.question}', _WIDTH - len(how))}{how}", turn.tokens
    yield from ((_NAMES[part.name], part.tokens) for part in found.parts if part.name == "question")
    yield "Free", found.free
    yield "Kept free for the reply", found.reply
    yield "Window", found.window
    if found.cached:
        yield "From the provider's cache", found.cached
