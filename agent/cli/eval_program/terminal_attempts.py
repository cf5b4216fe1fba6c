"""Attempts of tests in a terminal: with what each is answered, what they may cost together, and what options say."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from threading import Event as Flag

from agent.application.setup import DEMO, Choice
from agent.application.spending.paid_model import PaidModel
from agent.application.spending.purse import Purse
from agent.cli.agent_options import Opened, in_a_hurry
from agent.errors import BadRequest
from agent.evals.attempt import attempt, judged
from agent.evals.formats.result_lines import Row
from agent.evals.gold import Programs
from agent.evals.kept_test import KeptTest, Mode
from agent.events import Failed
from agent.loop.agent import Agent
from agent.models.prices import Prices, read_prices
from agent.text.characters import readable


@dataclass(frozen=True)
class Version:
    """A column of the matrix: with what every test is answered."""

    name: str
    choice: Choice


@dataclass(frozen=True)
class Attempts:
    """What all attempts share. ``spent`` is set once there is no money left for an attempt."""

    mode: Mode
    there: Opened
    prices: Prices
    purse: Purse | None
    spent: Flag = field(default_factory=Flag)

    def agent(self, version: Version, run: str) -> Agent:
        """With what one attempt is answered."""
        made = in_a_hurry(self.there.agent(version.choice, self.prices))
        if self.purse is None or made.model.endpoint == DEMO or self.mode == "replay":
            return made
        return replace(made, model=PaidModel(made.model, self.purse, run, ""))

    def row(
        self,
        test: KeptTest,
        version: Version,
        repeat: int,
        answered_with: Callable[[Agent], Agent] = lambda agent: agent,
    ) -> Row | None:
        """One attempt, ``None`` where there is no money left for it. Raises ``BadRequest`` where it cannot be made.

        ``answered_with`` gives what answers in place of the agent of the version.
        """
        if self.spent.is_set():
            return None
        agent = answered_with(self.agent(version, f"{test.id} {version.name} {repeat}"))
        events = list(attempt(test, self.mode, agent))
        if isinstance(last := events[-1], Failed) and last.reason == "budget":
            self.spent.set()
            return None
        result = judged(test, events, Programs(agent.tools, agent.policy))
        return Row(test.id, test.name, version.name, self.mode, repeat, result)


def attempts(mode: Mode, there: Opened, versions: Sequence[Version], most: float = 0.0) -> Attempts:
    """Those of an evaluation that costs ``most`` US dollars, or whatever it does where that is 0.

    Raises ``BadRequest`` where money is to be capped and a model has no price.
    """
    prices = read_prices(there.settings.prices)
    if not most:
        return Attempts(mode, there, prices, None)
    for version in versions:
        endpoint, model = version.choice.endpoint, version.choice.model
        if endpoint != DEMO and prices.price(endpoint, model) is None:
            raise BadRequest(f"No price is known for {model}, so --max-money cannot hold. Set GLASSBOX_PRICES.")
    return Attempts(mode, there, prices, Purse(prices, most))


def tell(line: str) -> None:
    """Print a line on the standard error, where progress and figures go."""
    print(readable(line), file=sys.stderr, flush=True)


def whole_number(text: str) -> int:
    """The value of an option. Raises ``ArgumentTypeError``."""
    if not (text.isdecimal() and 0 < int(text) <= 1000):
        raise argparse.ArgumentTypeError("must be a whole number from 1 to 1000")
    return int(text)


def amount(text: str) -> float:
    """The value of an option in US dollars. Raises ``ArgumentTypeError``."""
    try:
        dollars = float(text)
    except ValueError:
        dollars = 0.0
    if not 0 < dollars < 1e9:
        raise argparse.ArgumentTypeError("must be an amount of US dollars above 0")
    return dollars
