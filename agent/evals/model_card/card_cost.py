"""What a model's card will take, about: said before it is measured."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache

from agent.evals.model_card.card_questions import card_questions
from agent.evals.model_card.fixed_tools import LIMITS, fixed_tools
from agent.loop.agent import Agent, prepare
from agent.messages import estimate_tokens
from agent.models.prices import Price
from agent.models.scripted import Scripted
from agent.settings import WireChoice

_MILLION = 1_000_000
_OF_TABLES = 800  # tokens that tables add to a prompt
_OF_A_STEP = 140  # tokens of a reply, and of what its call gave: they come again in every later prompt
_OF_A_REPLY = 70  # tokens
_SECONDS = 3.0  # of a reply of a server of today


@dataclass(frozen=True, slots=True)
class Expected:
    """So many ``questions`` on so many ``wires``: ``replies``, and tokens ``sent`` and ``received``."""

    questions: int
    wires: int
    replies: int
    sent: int
    received: int

    @property
    def tokens(self) -> int:
        return self.sent + self.received

    def money(self, price: Price | None) -> float | None:
        """US dollars, without what a cache saves; ``None`` where no price is known."""
        if price is None:
            return None
        return float((self.sent * price.input + self.received * price.output) / _MILLION)

    def minutes(self, at_once: int = 1) -> int:
        """On a server that takes three seconds a reply, so many questions ``at_once``."""
        return max(1, round(self.replies * _SECONDS / max(1, at_once) / 60))


def expected(wires: Sequence[WireChoice]) -> Expected:
    """What all questions take on those wires."""
    replies = sent = 0
    for wire in wires:
        for each in card_questions():
            count = each.calls + 1
            first = _prompt(wire) + estimate_tokens(each.test.question) + (_OF_TABLES if each.tables else 0)
            sent += count * first + _OF_A_STEP * count * (count - 1) // 2
            replies += count
    return Expected(len(card_questions()), len(wires), replies, sent, replies * _OF_A_REPLY)


@cache
def _prompt(wire: WireChoice) -> int:
    """Tokens of the instructions and the tools."""
    agent = Agent(model=Scripted([], takes_tools=True), tools=fixed_tools(), wire=wire)
    prepared, _ = prepare(agent, "", agent.wires[0], LIMITS)
    tools = [[tool.name, tool.description, dict(tool.parameters)] for tool in prepared.tools]
    return estimate_tokens(prepared.system) + (estimate_tokens(json.dumps(tools)) if tools else 0)
