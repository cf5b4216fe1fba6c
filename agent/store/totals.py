"""What runs took, in model calls, tokens, US dollars and seconds: worked out once for each, then summed in the store.

A branch that goes on from a step has the steps before it among its own events; what they took was taken by the run
they are from, and is not counted again.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace

from agent.events import Event, Merged, Observed, Prepared, Replied, Resumed
from agent.inner_runs import innermost
from agent.interface_text import Text, joined

# The endpoint of the model that is built in: it has no price because it costs nothing.
_FREE = "demo"
# Tokens of a run that are counted at most: sums of thousands of runs stay within 64 bits, whatever an event claims.
_MOST_TOKENS = 2**48


@dataclass(frozen=True, slots=True)
class Totals:
    """``unpriced`` are those of the model ``calls`` whose price is not known; ``money`` is what the others cost, in
    US dollars. ``estimated`` says that some of the tokens are our own estimate, ``seconds`` are those of models and
    tools. ``runs`` are questions, every try and branch of them.
    """

    runs: int = 0
    calls: int = 0
    unpriced: int = 0
    input: int = 0
    output: int = 0
    estimated: bool = False
    money: float = 0.0
    seconds: float = 0.0


def spent(events: Sequence[Event], before: Collection[Event] = ()) -> Totals:
    """What one run took; ``before`` are the events of the run that it branches from."""
    totals = Totals(runs=1)
    free = any(isinstance(event, Prepared) and event.endpoint == _FREE for event in events)
    for event in events:
        if isinstance(event, Observed) and event not in before:
            totals = replace(totals, seconds=totals.seconds + event.seconds)
        elif event not in before and isinstance(call := innermost(event), Merged | Replied | Resumed):
            # The seconds of an agent that was called are those of the call.
            taken = replace(call, seconds=0.0) if call is not event else call
            totals = _with_call(totals, taken, free)
    return totals


def _with_call(totals: Totals, event: Merged | Replied | Resumed, free: bool) -> Totals:
    if isinstance(event, Replied) and event.edited:
        return totals  # a person wrote it
    if isinstance(event, Resumed) and not event.usage.total:
        return replace(totals, seconds=totals.seconds + event.seconds)
    usage, price = event.usage, event.price
    priced = price is not None and price.currency == "USD"
    return replace(
        totals,
        calls=totals.calls + 1,
        unpriced=totals.unpriced + (not (priced or free)),
        input=_bounded(totals.input + usage.input),
        output=_bounded(totals.output + usage.output),
        estimated=totals.estimated or usage.estimated,
        money=totals.money + (float(price.amount) if price and priced else 0.0),
        seconds=totals.seconds + event.seconds,
    )


def _bounded(tokens: int) -> int:
    return max(0, min(_MOST_TOKENS, tokens))


def sentence(totals: Totals) -> str:
    """All of it on one line; money that is not known is said to be so, never to be 0."""
    tokens = (
        Text("about {input:,} tokens in, {output:,} out", input=totals.input, output=totals.output)
        if totals.estimated
        else Text("{input:,} tokens in, {output:,} out", input=totals.input, output=totals.output)
    )
    parts = [
        Text("{n:,} model call", "{n:,} model calls", n=totals.calls),
        tokens,
        _money(totals),
        f"{totals.seconds:,.1f} s",
    ]
    return joined(" · ", filter(None, parts))


def _money(totals: Totals) -> str:
    if totals.unpriced and not totals.money:
        return Text("no price known")
    money = f"${totals.money:.4f}"
    if totals.unpriced:
        return Text(
            "{money} and {n:,} call without a known price",
            "{money} and {n:,} calls without a known price",
            money=money,
            n=totals.unpriced,
        )
    return money if totals.money else ""
