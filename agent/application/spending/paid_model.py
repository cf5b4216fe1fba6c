"""A model whose replies are paid for: what one may cost is set aside before it, and what it cost is booked after it."""

from __future__ import annotations

import logging
from collections.abc import Generator
from dataclasses import dataclass, replace
from decimal import Decimal
from threading import Lock
from time import monotonic, sleep
from typing import Protocol

from agent.application.spending.budget import MICROS, micros
from agent.errors import BudgetReached, ModelFailed, StoreFailed
from agent.interface_text import Text
from agent.loop.limits import MONEY_USED_UP
from agent.messages import Money, Usage
from agent.models.prices import Price, Prices
from agent.models.protocol import Delta, Model, Request, Taught, estimated_usage

# Tokens of a reply that are set aside at a time, and the fewest that are worth asking for.
_HELD = 4_096
_FEWEST = 256
# A server is told the most tokens of a reply where fewer than these can be paid: nearly every model takes as many.
_TOLD_BELOW = 16_384
# Tokens of a reply that a run's own limit leaves it in any case, for the best answer from what there is.
_LAST = 1_024
_PATIENCE_SECONDS, _PAUSE_SECONDS = 60.0, 0.5
log = logging.getLogger(__name__)


class Payer(Protocol):
    """Who pays: the owner's ``Budget``, or the ``Purse`` of an evaluation. Methods are as they are there."""

    @property
    def prices(self) -> Prices: ...

    def hold(self, run: str, visitor: str, least: int, most: int) -> float: ...

    def charge(self, visitor: str, usage: Usage, money: Money | None, run: str = "", still: int = 0) -> None: ...


@dataclass(slots=True)
class _Allowance:
    """What one call may take: ``sent`` tokens of a prompt, ``most`` of a reply, of which ``held`` are set aside."""

    price: Price
    sent: int
    most: float = float("inf")
    held: int = 0

    def cost(self, tokens: int) -> int:
        """Micro-dollars of the prompt and so many tokens of a reply."""
        return micros((self.sent * self.price.input + tokens * self.price.output) / MICROS)

    def affordable(self, left: float) -> float:
        """Tokens of a reply that so many micro-dollars pay, beside the prompt."""
        output = float(self.price.output)
        return max(0.0, left - self.cost(0)) // output if output else float("inf")


class PaidModel:
    """``model`` for one run, whose replies ``budget`` pays for; ``most`` US dollars are the run's own limit, or 0.

    It has ``spent`` some of them before. Agents that the run calls as tools may ask it at the same time.

    ``stream`` raises ``BudgetReached`` where too little is left for a reply, and ``StoreFailed``. A reply that grows
    beyond what can be paid is cut.
    """

    def __init__(
        self, model: Model, budget: Payer, run: str, visitor: str, most: float = 0.0, spent: float = 0.0
    ) -> None:
        self._model = model
        self._budget = budget
        self._run = run
        self._visitor = visitor
        self._most = most
        self._spent = Decimal(repr(spent))
        self._holding: dict[int, int] = {}  # micro-dollars of each reply at work
        self._lock = Lock()

    @property
    def name(self) -> str:
        return self._model.name

    @property
    def endpoint(self) -> str:
        return self._model.endpoint

    @property
    def takes_tools(self) -> bool:
        return self._model.takes_tools

    def prefer_text(self) -> None:
        if isinstance(self._model, Taught):
            self._model.prefer_text()

    def close(self) -> None:
        self._model.close()

    def stream(self, request: Request) -> Generator[Delta]:
        allowance = self._allowance(request)
        said, tokens, usage, failed = list[str](), 0.0, None, False
        short = int(allowance.most) if allowance and allowance.most < _TOLD_BELOW else 0
        stream = self._model.stream(_at_most(request, short) if short else request)
        try:
            if short:
                yield Delta(note=Text("There was money for {n:,} tokens of this reply.", n=short))
            for delta in stream:
                usage = delta.usage or usage
                pieces = (delta.text, delta.reasoning, *(call.arguments for call in delta.calls))
                said += pieces
                tokens += sum(map(_tokens, pieces))
                # Cut by the server where it was told to; one with a lower limit of its own has cut it long before.
                told = short and delta.finish == "length" and tokens > short / 2
                yield replace(delta, note=MONEY_USED_UP) if told else delta
                if allowance and tokens > allowance.held and not self._grows(allowance, int(tokens)):
                    yield Delta(finish="length", note=MONEY_USED_UP)
                    return
        except ModelFailed:
            failed = True
            raise
        finally:
            stream.close()
            nothing = failed and not usage and not any(said)
            self._book(Usage() if nothing else usage or estimated_usage(request, "".join(said)), allowance)

    def _allowance(self, request: Request) -> _Allowance | None:
        """What the call may take, set aside; ``None`` where no price is known, and so no money is capped."""
        price = self._budget.prices.price(self.endpoint, self.name)
        if price is None:
            return None
        sent = request.tokens
        allowance = _Allowance(price.long if price.long and sent > price.above else price, sent)
        if self._most:
            with self._lock:
                left = float(Decimal(repr(self._most)) - self._spent) * MICROS - sum(self._holding.values())
            allowance.most = max(_LAST, allowance.affordable(left))
        self._hold(allowance, 0)
        return allowance

    def _hold(self, allowance: _Allowance, came: int) -> None:
        """Set the next tokens of a reply aside, of which so many ``came``. Raises ``BudgetReached``."""
        most = min(came + _HELD, allowance.most)
        least = min(came + _FEWEST, most)
        with self._lock:
            others = sum(held for reply, held in self._holding.items() if reply != id(allowance))
            left = self._held(others + allowance.cost(int(least)), others + allowance.cost(int(most))) - others
            self._holding[id(allowance)] = int(min(left, allowance.cost(int(most))))
        allowance.most = min(allowance.most, allowance.affordable(left))
        allowance.held = int(min(most, allowance.most))

    def _held(self, least: int, most: int) -> float:
        """As ``Budget.hold``; a store that fails is tried again for a while."""
        end = monotonic() + _PATIENCE_SECONDS
        while True:
            try:
                return self._budget.hold(self._run, self._visitor, least, most)
            except StoreFailed:
                if monotonic() > end:
                    raise
                sleep(_PAUSE_SECONDS)

    def _grows(self, allowance: _Allowance, came: int) -> bool:
        """Whether more of a reply can be paid, of which so many tokens ``came``."""
        if came >= allowance.most:
            return False
        try:
            self._hold(allowance, came)
        except BudgetReached:
            return False
        return True

    def _book(self, usage: Usage, allowance: _Allowance | None) -> None:
        money = self._budget.prices.of(self.endpoint, self.name, usage)
        with self._lock:
            self._spent += money.amount if money else 0
            self._holding.pop(id(allowance), None)
            try:
                self._budget.charge(self._visitor, usage, money, self._run, sum(self._holding.values()))
            except StoreFailed:  # it is booked later, and the reply is not lost for it
                log.exception("what a reply has used could not be booked yet")


def _tokens(text: str) -> float:
    """About as many as ``estimate_tokens`` counts, for a piece of any length."""
    plain = len(text) if text.isascii() else len(text.encode("ascii", "ignore"))
    return plain / 4 + len(text) - plain


def _at_most(request: Request, tokens: int) -> Request:
    """The request for a reply of at most so many tokens."""
    names = {"max_tokens", "max_completion_tokens"} & request.parameters.keys() or {"max_tokens"}
    return replace(request, parameters={**request.parameters, **dict.fromkeys(names, tokens)})
