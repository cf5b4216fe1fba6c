"""What visitors may use of the owner's key: messages and money a day, kept in the store, for all its processes.

A day is a UTC date. Money is counted in whole millionths of a US dollar. What a reply may cost is set aside before it
(``hold``) and what it cost is booked after it (``charge``), so that runs at work at once do not spend the same money:
a cap is passed by no more than what a reply costs beyond what was set aside for it. Messages are never more than their
cap.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from decimal import ROUND_CEILING, Decimal
from threading import Lock
from time import time

import sqlalchemy as sql
from sqlalchemy.engine import Connection

from agent.errors import BadRequest, BadSettings, BudgetReached, StoreFailed
from agent.interface_text import Text, joined
from agent.messages import Money, Usage
from agent.models.prices import Prices
from agent.settings import Settings
from agent.store.runs import Store
from agent.store.schema import CONVERSATIONS, RUNS, SPENDING

MICROS = 1_000_000  # of a US dollar
# The row of all visitors together; a visitor's id is a hash, or empty.
EVERYBODY = "*"
_WHAT_TO_DO = Text("Until then use the demo model, or connect a model with your own key.")


@dataclass(frozen=True, slots=True)
class Meter:
    """What was used today, and the most that may be; ``most`` is 0 where there is no cap.

    Figures are those of all visitors together where only they are capped, or where less is left of them. Money is in
    US dollars.
    """

    messages_used: int
    messages_most: int
    money_used: float
    money_most: float


@dataclass(frozen=True, slots=True)
class Used:
    """What was used of the owner's key on a day; ``money`` in US dollars."""

    messages: int = 0
    tokens: int = 0
    money: float = 0.0


@dataclass(frozen=True, slots=True)
class _Cap:
    """The most for one row of a day; 0 is no cap."""

    row: str
    messages: int
    micros: int


class Budget:
    """The owner's caps. All methods may be called from any thread and process, and raise ``StoreFailed``."""

    def __init__(self, store: Store, settings: Settings, prices: Prices, clock: Callable[[], float] = time) -> None:
        """Raises ``BadSettings`` where money is capped and the price of an owner's model is not known."""
        self._database = store.database
        self._settings = settings
        self._prices = prices
        self._clock = clock
        self._lock = Lock()
        self._owed: list[tuple[str, str, int, int, int]] = []  # visitor, run, tokens, micro-dollars, still held
        unknown = [name for name in (settings.allowed_models or (settings.model,)) if not self._has_price(name)]
        if any(unknown) and self._in_money and settings.openai_key:
            raise BadSettings.because(
                "Money is capped, but no price is known for {unknown}. Set GLASSBOX_PRICES.", unknown=", ".join(unknown)
            )

    @property
    def prices(self) -> Prices:
        return self._prices

    def check_model(self, model: str) -> None:
        """Raises ``BadRequest`` for a model that is not to be used on the owner's key."""
        allowed = self._settings.allowed_models
        if allowed and model not in allowed:
            raise BadRequest.because(
                "On this site's key only {allowed} can be used. Choose one of them, or enter your own key.",
                allowed=", ".join(allowed),
            )
        if self._in_money and not self._has_price(model):
            raise BadRequest.because(
                "This model cannot be used on this site's key, because its price is not known. Choose "
                "another one, or enter your own key."
            )

    def take(self, visitor: str) -> None:
        """Count a message of the visitor. Raises ``BudgetReached`` where a cap was reached; it is then not counted."""
        today = self._today()
        with self._database.begin() as connection:
            # Everyone's row first, in every process: so nobody waits for somebody who waits for them.
            for cap in self._caps(visitor):
                self._add(connection, today, cap.row, messages=0)
                if not self._count(connection, today, cap):
                    raise BudgetReached(self._sentence(connection, today, cap))

    def hold(self, run: str, visitor: str, least: int, most: int) -> float:
        """Set up to ``most`` micro-dollars aside for the next reply of a run, in place of what it held.

        How many are left for it, those included; endless without a cap. They count as used until ``charge``, or until
        the run has ended in whatever way. Raises ``BudgetReached`` where fewer than ``least`` are left.
        """
        today, left = self._today(), float("inf")
        caps = [cap for cap in self._caps(visitor) if cap.micros]
        if not caps:
            return left
        with self._database.begin() as connection:
            for cap in caps:
                self._add(connection, today, cap.row, micros=0)  # nobody else holds or books there now
                unused = cap.micros - self._used(connection, today, cap.row)[1]
                mine = unused - self._held(connection, cap.row, run)
                if mine < least:
                    raise BudgetReached(self._too_little(cap, busy=unused >= least))
                left = min(left, mine)
            held = sql.update(RUNS).where(RUNS.c.id == run).values(held=int(min(left, most)))
            connection.execute(held)
        return left

    def charge(self, visitor: str, usage: Usage, money: Money | None, run: str = "", still: int = 0) -> None:
        """Add what a reply has used; ``money`` in US dollars, ``None`` where it has no known price.

        What the ``run`` held is given back, but for the micro-dollars that its other replies ``still`` hold. Where the
        store fails it is booked with the next charge.
        """
        with self._lock:
            self._owed.append((visitor, run, usage.total, micros(money.amount) if money else 0, still))
            owed, self._owed = self._owed, []
        today = self._today()
        try:
            with self._database.begin() as connection:
                for owing, of_run, tokens, used, kept in owed:
                    for row in (EVERYBODY, owing):
                        self._add(connection, today, row, tokens=tokens, micros=used)
                    held = sql.update(RUNS).where(RUNS.c.id == of_run, RUNS.c.held > 0)
                    connection.execute(held.values(held=kept))
        except StoreFailed:
            with self._lock:
                self._owed += owed
            raise

    def left(self, visitor: str) -> float | None:
        """US dollars a run of the visitor may cost now; ``None`` without a cap, and never 0, which means no limit."""
        with self._database.begin() as connection:
            left = [
                cap.micros - self._used(connection, self._today(), cap.row)[1]
                for cap in self._caps(visitor)
                if cap.micros
            ]
        return max(1, min(left)) / MICROS if left else None

    def meter(self, visitor: str) -> Meter:
        today = self._today()
        with self._database.begin() as connection:
            used = [(cap, *self._used(connection, today, cap.row)) for cap in reversed(self._caps(visitor))]
        messages = min(used, key=lambda row: row[0].messages - row[1] if row[0].messages else float("inf"))
        money = min(used, key=lambda row: row[0].micros - row[2] if row[0].micros else float("inf"))
        return Meter(
            messages_used=messages[1],
            messages_most=messages[0].messages,
            money_used=money[2] / MICROS,
            money_most=money[0].micros / MICROS,
        )

    def used_today(self) -> dict[str, Used]:
        """What each visitor has used of the owner's key today; all of them together under ``EVERYBODY``."""
        chosen = sql.select(SPENDING.c.visitor, SPENDING.c.messages, SPENDING.c.tokens, SPENDING.c.micros)
        rows = self._database.rows(chosen.where(SPENDING.c.day == self._today()))
        return {visitor: Used(messages, tokens, micros / MICROS) for visitor, messages, tokens, micros in rows}

    @property
    def day_began(self) -> float:
        """When the day began of which the caps are, in seconds since the epoch."""
        return (self._midnight() - timedelta(days=1)).timestamp()

    @property
    def _in_money(self) -> bool:
        return bool(self._settings.visitor_money or self._settings.day_money or self._settings.limits.money)

    def _has_price(self, model: str) -> bool:
        return self.prices.price(self._settings.base_url, model) is not None

    def _caps(self, visitor: str) -> tuple[_Cap, _Cap]:
        settings = self._settings
        return (
            _Cap(EVERYBODY, settings.day_messages, _micros(settings.day_money)),
            _Cap(visitor, settings.visitor_messages, _micros(settings.visitor_money)),
        )

    def _add(self, connection: Connection, day: str, visitor: str, **more: int) -> None:
        """Add to a row, which is made where it is missing."""
        row = {"day": day, "visitor": visitor, "messages": 0, "tokens": 0, "micros": 0, **more}
        added = {name: SPENDING.c[name] + amount for name, amount in more.items()}
        insert = self._database.upsert(SPENDING).values(row)
        connection.execute(insert.on_conflict_do_update(index_elements=["day", "visitor"], set_=added))

    def _count(self, connection: Connection, day: str, cap: _Cap) -> bool:
        """Count a message if the row's caps allow it, in one statement."""
        counted = sql.update(SPENDING).where(*_row(day, cap.row)).values(messages=SPENDING.c.messages + 1)
        if cap.messages:
            counted = counted.where(SPENDING.c.messages < cap.messages)
        if cap.micros:
            counted = counted.where(SPENDING.c.micros < cap.micros)
        return connection.execute(counted).rowcount > 0

    def _used(self, connection: Connection, day: str, visitor: str) -> tuple[int, int]:
        """Messages and micro-dollars of a row."""
        row = connection.execute(
            sql.select(SPENDING.c.messages, SPENDING.c.micros).where(*_row(day, visitor))
        ).one_or_none()
        return (0, 0) if row is None else (row[0], row[1])

    def _held(self, connection: Connection, row: str, but: str) -> int:
        """Micro-dollars of a row that runs at work hold, ``but`` one."""
        held = sql.select(sql.func.coalesce(sql.func.sum(RUNS.c.held), 0))
        held = held.where(RUNS.c.ended == "", RUNS.c.waiting == 0, RUNS.c.held > 0, RUNS.c.id != but)
        if row != EVERYBODY:
            held = held.join(CONVERSATIONS, CONVERSATIONS.c.id == RUNS.c.conversation)
            held = held.where(CONVERSATIONS.c.visitor == row)
        return int(connection.execute(held).scalar_one())

    def _too_little(self, cap: _Cap, busy: bool) -> str:
        """Why a run ends before its next reply; ``busy`` is where others hold what is left."""
        dollars = _dollars(cap.micros)
        whose = (
            Text("What is left of this site's {dollars} US dollars for today", dollars=dollars)
            if cap.row == EVERYBODY
            else Text("What is left of your {dollars} US dollars for today", dollars=dollars)
        )
        if busy:
            return Text(
                "{what_is_left} is set aside for questions that are being answered now. Try again in a moment.",
                what_is_left=whose,
            )
        no_more = Text("{what_is_left} does not pay for another reply.", what_is_left=whose)
        return joined(" ", [no_more, self._more_later(), _WHAT_TO_DO])

    def _more_later(self) -> Text:
        until = _hours(self._midnight().timestamp() - self._clock())
        return Text("There is more after midnight UTC, {until}.", until=until)

    def _sentence(self, connection: Connection, day: str, cap: _Cap) -> str:
        messages, _ = self._used(connection, day, cap.row)
        if cap.messages and messages >= cap.messages:
            amount = Text("{n:,} message", "{n:,} messages", n=cap.messages)
        else:
            amount = Text("{dollars} US dollars", dollars=_dollars(cap.micros))
        used = (
            Text("This site's visitors have together used its {amount} for today.", amount=amount)
            if cap.row == EVERYBODY
            else Text("You have used your {amount} for today.", amount=amount)
        )
        return joined(" ", [used, self._more_later(), _WHAT_TO_DO])

    def _today(self) -> str:
        return datetime.fromtimestamp(self._clock(), UTC).date().isoformat()

    def _midnight(self) -> datetime:
        """The next one, UTC."""
        today = datetime.fromtimestamp(self._clock(), UTC).replace(hour=0, minute=0, second=0, microsecond=0)
        return today + timedelta(days=1)


def _row(day: str, visitor: str) -> tuple[sql.ColumnElement[bool], sql.ColumnElement[bool]]:
    return SPENDING.c.day == day, SPENDING.c.visitor == visitor


def _micros(dollars: float) -> int:
    return round(Decimal(repr(dollars)) * MICROS)


def micros(dollars: Decimal) -> int:
    """Whole micro-dollars, rounded up."""
    return int((dollars * MICROS).to_integral_value(ROUND_CEILING))


def _hours(seconds: float) -> str:
    hours = round(seconds / 3600)
    return Text("in about {n} hour", "in about {n} hours", n=hours) if hours >= 1 else Text("in less than an hour")


def _dollars(micros: int) -> str:
    """With cents, and further places only where there is something in them."""
    return f"{micros // 10_000 / 100:.2f}{f'{micros % 10_000:04}'.rstrip('0')}"
