"""What models' tokens cost, and how many they take: noted in ``prices.toml``, the owner's, a visitor's own."""

from __future__ import annotations

import tomllib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from datetime import date
from decimal import Decimal
from functools import lru_cache
from pathlib import Path
from typing import Any

from agent.errors import BadSettings
from agent.messages import Money, Usage
from agent.models.window import Window
from agent.text.regex import regex
from agent.web.endpoint import host_of

OWNER, VISITOR = "this site's owner", "you"
_NOTED = Path(__file__).with_suffix(".toml")
_MILLION = 1_000_000
_DATED = regex(r"-(?:\d{4}-\d{2}-\d{2}|20\d{6}|00\d)$")
_LOOKS_LIKE = (
    "It looks like gpt-x=1.25/0.125/10, other=0.1/0.1/0.4 (US dollars per million tokens: input/cached/output)"
)


@dataclass(frozen=True, slots=True)
class Price:
    """US dollars per million tokens. A call whose input has more than ``above`` tokens costs as ``long`` says."""

    input: Decimal
    cached: Decimal
    output: Decimal
    above: int = 0
    long: Price | None = None


@dataclass(frozen=True, slots=True)
class PriceList:
    """Prices by the model's name in lower case, at these hosts; at any address where ``hosts`` is empty.

    ``noted`` is the day they were noted, where that is known; ``source`` an address, or who gives them. ``windows`` are
    the most tokens of a prompt, by the model's name, where they are noted.
    """

    models: Mapping[str, Price]
    hosts: tuple[str, ...] = ()
    noted: date | None = None
    source: str = OWNER
    windows: Mapping[str, int] = field(default_factory=dict[str, int])


@dataclass(frozen=True, slots=True)
class Listed:
    """A model's price, and the list that has it."""

    price: Price
    noted: date | None
    source: str


@dataclass(frozen=True, slots=True)
class Prices:
    """Price lists; the first that has the model at that address counts."""

    lists: tuple[PriceList, ...]

    def listed(self, endpoint: str, model: str) -> Listed | None:
        """A model's price; where a dated version (``gpt-4o-2024-08-06``) has none itself, that of its base."""
        found = ((known, name) for known, name in self._places(endpoint, model) if name in known.models)
        return next((Listed(known.models[name], known.noted, known.source) for known, name in found), None)

    def window(self, endpoint: str, model: str) -> Window | None:
        """The most tokens of a prompt to the model, noted as its price is."""
        found = (known.windows.get(name) for known, name in self._places(endpoint, model))
        return next((Window(tokens, "table") for tokens in found if tokens), None)

    def _places(self, endpoint: str, model: str) -> Iterator[tuple[PriceList, str]]:
        """Where to look for a model, best first: the lists for that address, and its name, dated and not."""
        host = host_of(endpoint)
        name = _plain_name(model)
        for wanted in (name, _DATED.sub("", name)):
            yield from ((known, wanted) for known in self.lists if not known.hosts or host in known.hosts)

    def price(self, endpoint: str, model: str) -> Price | None:
        found = self.listed(endpoint, model)
        return found.price if found else None

    def with_own(self, model: str, price: Price) -> Prices:
        """These, with a visitor's own price of a model before all others, at any address."""
        return Prices((PriceList({_plain_name(model): price}, source=VISITOR), *self.lists))

    def of(self, endpoint: str, model: str, usage: Usage, prompt: int = 0) -> Money | None:
        """What one call costs, exactly; ``None`` where no price is known (local servers have none).

        Where ``usage`` is that of a part of a call, ``prompt`` has the tokens of its whole prompt.
        """
        price = self.price(endpoint, model)
        if price is None:
            return None
        if price.long and max(usage.input, prompt) > price.above:
            price = price.long
        cached = min(usage.cached, usage.input)
        tokens = (usage.input - cached) * price.input + cached * price.cached + usage.output * price.output
        return Money(tokens / _MILLION)


def typed_price(input: str, cached: str, output: str) -> Price | None:
    """A price as it was typed, US dollars per million tokens; ``None`` where it is none."""
    try:
        return Price(_amount(input), _amount(cached), _amount(output))
    except (ValueError, ArithmeticError):
        return None


def read_prices(override: str = "", today: date | None = None) -> Prices:
    """The noted prices of ``today``; before them the owner's: the path of a file like ours (``….toml``), or entries.

    Entries hold at any address, as do the tables of a file that name no ``hosts``. Raises ``BadSettings`` for what
    cannot be read.
    """
    today = today or date.today()
    noted = _noted(today)
    text = override.strip()
    if not text:
        return Prices(noted)
    if not text.endswith(".toml"):
        return Prices((_entries(text), *noted))
    try:
        own = _lists(Path(text).read_text(encoding="utf-8"), today)
    except OSError:
        raise BadSettings("GLASSBOX_PRICES names a file that cannot be read.") from None
    except (ValueError, ArithmeticError, LookupError, TypeError, AttributeError):
        raise BadSettings("GLASSBOX_PRICES names a file that is not written like agent/models/prices.toml.") from None
    return Prices((*own, *noted))


@lru_cache(maxsize=1)
def _noted(today: date) -> tuple[PriceList, ...]:
    return _lists(_NOTED.read_text(encoding="utf-8"), today)


def _lists(text: str, today: date) -> tuple[PriceList, ...]:
    """The tables of a price file, one a provider."""
    tables: dict[str, Any] = tomllib.loads(text, parse_float=Decimal)
    return tuple(
        PriceList(
            {name.lower(): _price(figures, today) for name, figures in table["models"].items()},
            tuple(host.lower() for host in table.get("hosts", ())),
            noted if isinstance(noted := table.get("noted"), date) else None,
            str(table.get("source", OWNER)),
            {name.lower(): int(figures["window"]) for name, figures in table["models"].items() if "window" in figures},
        )
        for table in tables.values()
    )


def _price(figures: Mapping[str, Any], today: date) -> Price:
    if "until" in figures and today > figures["until"]:
        figures = figures["then"]
    full = figures["input"]
    long = figures.get("long")
    return Price(
        _amount(full),
        _amount(figures.get("cached", full)),
        _amount(figures["output"]),
        int(figures["above"]) if long else 0,
        _price(long, today) if long else None,
    )


def _entries(text: str) -> PriceList:
    """Prices as ``_LOOKS_LIKE`` says."""
    models: dict[str, Price] = {}
    for entry in filter(None, (part.strip() for part in text.split(","))):
        name, _, figures = entry.partition("=")
        try:
            input, cached, output = map(_amount, figures.split("/"))
            models[_name(name)] = Price(input, cached, output)
        except (ValueError, ArithmeticError):
            raise BadSettings(f"GLASSBOX_PRICES has an entry that cannot be read. {_LOOKS_LIKE}.") from None
    return PriceList(models)


def _plain_name(model: str) -> str:
    return model.strip().lower().removeprefix("models/")


def _name(text: str) -> str:
    name = text.strip().lower()
    if not name:
        raise ValueError("no name")
    return name


def _amount(value: object) -> Decimal:
    amount = Decimal(str(value).strip())
    if not 0 <= amount < _MILLION:
        raise ValueError("not a price")
    return amount
