"""How far a run at work is towards its limits, and what a limit did."""

from __future__ import annotations

from dataclasses import dataclass
from functools import reduce

from agent.interface_text import Text
from agent.loop.limits import cut_for_money, for_the_reader
from agent.loop.runaway import ran_away
from agent.messages import Limits
from agent.views.fold import RunView


@dataclass(frozen=True, slots=True)
class Gauge:
    """``text`` says what was used of each limit, ``part`` how much of the nearest one, from 0 to 1."""

    text: str
    part: float


def gauge(view: RunView, seconds: float) -> Gauge | None:
    """What the run has used after ``seconds``; ``None`` where it has no limits, or none are known.

    Counted is what ``agent.loop.limits.reached`` counts; money only where the price is known.
    """
    limits = view.limits
    if limits is None or limits == Limits(0, 0, 0, 0):
        return None
    # After a step that is done the next call is under way, though nothing of it has come.
    step = view.replies + (not view.steps or view.steps[-1].state in ("done", "failed"))
    money = float(view.price.amount) if view.price else 0.0
    parts: list[tuple[str, float]] = []
    if limits.steps:
        parts.append(
            (
                Text("step {step:,} of {steps:,}", step=min(step, limits.steps), steps=limits.steps),
                (step - 1) / limits.steps,
            )
        )
    if limits.seconds:
        taken = Text("{seconds:,} s of {most} s", seconds=int(seconds), most=f"{limits.seconds:,.0f}")
        parts.append((taken, seconds / limits.seconds))
    if limits.tokens:
        parts.append(
            (
                Text("{total:,} of {tokens:,} tokens", total=view.usage.new, tokens=limits.tokens),
                view.usage.new / limits.tokens,
            )
        )
    if limits.money and view.price:
        spent = Text("{spent} of {most}", spent=_dollars(money), most=_dollars(limits.money))
        parts.append((spent, money / limits.money))
    return Gauge(
        reduce(_beside, (text for text, _ in parts), ""), min(1.0, max((part for _, part in parts), default=0.0))
    )


def _beside(left: str, right: str) -> str:
    """Both in one line, in the language of whom it is told."""
    return Text("{left} · {right}", left=left, right=right) if left else right


def cut_short(view: RunView) -> str:
    """One sentence where a limit, or the server, made an answer less than it could have been; else ""."""
    if view.state != "answered" or view.reason not in ("limit", "length"):
        return ""
    if view.reason == "length":
        if view.steps and cut_for_money(view.steps[-1].notes):
            return Text("The answer was cut here: the money for it was used up.")
        if view.steps and ran_away(view.steps[-1].notes):
            return Text("The answer was cut here: the model repeated itself, or came to no end.")
        return Text("The model's server cut the answer here, at its length limit.")
    return for_the_reader(next((step.limit for step in reversed(view.steps) if step.limit), None), view.limits)


def room_made(view: RunView) -> str:
    """One sentence where less of the conversation was told for the sake of the model's window; else ""."""
    if not view.rooms:
        return ""
    _, room = view.rooms[-1]
    values = {"before": room.before, "after": room.after, "window": room.window}
    if room.refused:
        return Text(
            "The model's server takes no more than {window:,} tokens, so older parts of this chat are told shortened. "
            "The model can recall them.",
            **values,
        )
    return Text(
        "This chat had filled {before:,} of the model's {window:,} tokens. Older parts are told shortened now "
        "({after:,} tokens), and the model can recall them.",
        **values,
    )


def _dollars(amount: float) -> str:
    """With cents, and as many further places as a small amount needs to be told from nothing."""
    return f"${amount:.2f}" if amount >= 0.1 or not amount else f"${amount:.4f}"
