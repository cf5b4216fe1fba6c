"""When a run is brought to an end, which limit did it, and in what words it is told."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from time import monotonic

from agent.events import Event, LimitName, MadeRoom, Merged, Observed, Prepared, Replied, Resumed, ToolCalled
from agent.inner_runs import all_events, innermost, model_calls
from agent.interface_text import Templates, Text, keyed
from agent.models.protocol import LONGEST_SILENCE
from agent.prompts import NOTHING_OWN, render
from agent.settings import Limits
from agent.so_far import of_kind, since_prepared
from agent.wire.observation import LONG, cap, fence

# Told with a reply by who pays for it; the answer that it gave is then told to be cut by that.
MONEY_USED_UP = Text("This reply was cut where the money for it was used up, so it may be incomplete.")
_UNREADABLE = 3
_REPEATS = 2
_MOST_OF_ALL_RESULTS, _MOST_OF_A_RESULT = 6_000, 2_000  # characters
_REACHED: dict[LimitName, Templates] = {
    "steps": keyed("The limit on model calls ({steps:,}) was reached"),
    "seconds": keyed("The limit on time ({seconds} s) was reached"),
    "tokens": keyed("The limit on tokens ({tokens:,}) was reached"),
    "money": keyed("The limit on money ({money} USD) was reached"),
    "unreadable": keyed("Several replies in a row could not be read"),
    "repeats": keyed("The model kept repeating the same call"),
    "asked": keyed("You asked for an answer at once"),
}
# As runs that were kept have it.
_FORMER = keyed("Three replies in a row could not be read"), keyed("Replies in a row could not be read")
_WITHOUT_ANSWER: dict[LimitName, Templates] = {
    "steps": keyed("{reached} before there was an answer. Allow more steps, or ask for less at once."),
    "seconds": keyed("{reached} before there was an answer. Allow more time, or ask for less at once."),
    "tokens": keyed("{reached} before there was an answer. Allow more tokens, or ask for less at once."),
    "money": keyed("{reached} before there was an answer. Allow more, or ask a cheaper model."),
    "unreadable": keyed("{reached}. Try again, or try another model."),
    "repeats": keyed("{reached}. Try again in other words, or try another model."),
    "asked": keyed("{reached}, and the model gave none. Continue, or try another model."),
}


def reached(events: Sequence[Event], limits: Limits, late: bool) -> LimitName | None:
    """The limit that ends the calling of tools, if one is reached; ``late`` says that the seconds have passed."""
    calls = model_calls(events)
    errors = [seen.error for seen in of_kind(events, Observed)]
    if limits.steps and sum(isinstance(call, Replied) for call in calls) >= limits.steps:
        return "steps"
    if late:
        return "seconds"
    if limits.tokens and sum(call.usage.new for call in calls) >= limits.tokens:
        return "tokens"
    if limits.money and sum(call.price.amount for call in calls if call.price) >= limits.money:
        return "money"
    if errors[-_UNREADABLE:] == ["format"] * _UNREADABLE or _is_stuck(events):
        return "unreadable"
    if errors.count("repeat") >= _REPEATS:
        return "repeats"
    return None


def cut_for_money(notes: Iterable[str]) -> bool:
    """Whether a reply with these notes was cut where the money for it was used up."""
    return any(getattr(note, "key", "") == MONEY_USED_UP.key for note in notes)


def said_twice(events: Sequence[Event]) -> bool:
    """Whether the last two replies have the same words: what the model was told between them changed nothing."""
    said = [(replied.text.strip(), replied.reasoning) for replied in of_kind(events, Replied)[-2:]]
    return len(said) == 2 and said[0] == said[1] and bool(said[0][0])


def _is_stuck(events: Sequence[Event]) -> bool:
    """Whether the last two replies could not be read, and are the same."""
    told = [seen.error for seen in of_kind(events, Observed)[-2:]]
    return isinstance(events[-1], Observed) and told == ["format"] * 2 and said_twice(events)


def corrected(observed: Iterable[Observed]) -> bool:
    """Whether the model was told before that a reply could not be used, or that only the answer is left."""
    return any(seen.error in ("format", "limit") for seen in observed)


def for_the_model(limit: LimitName, limits: Limits, language: str, own: Mapping[str, str] = NOTHING_OWN) -> str:
    """The prompt that asks for the best answer from what there is; ``own`` templates as in ``render``."""
    match limit:
        case "steps" | "tokens":
            named = _counted(limit, f"{getattr(limits, limit):,}", language)
        case "seconds" | "money":
            named = _counted(limit, f"{getattr(limits, limit):g}", language)
        case _:
            named = render(language, f"limit_{limit}")
    return render(language, "limit", own, limit=named)


def _counted(limit: LimitName, count: str, language: str) -> str:
    return render(language, f"limit_{limit}_one") if count == "1" else render(language, f"limit_{limit}", count=count)


def results_again(events: Sequence[Event]) -> str:
    """The prompt for a model that repeats its calls: the results of tools, then its question, without the calls' form.

    "" where nothing was found, and where the person has an own template for limits. Small models copy their last call
    behind any other word.
    """
    prepared, since = since_prepared(events)
    if "limit" in prepared.prompts:
        return ""
    calls = {event.call_id: event for event in since if isinstance(event, ToolCalled)}
    found = [event for event in since if isinstance(event, Observed) and event.call_id in calls and not event.error]
    told: list[str] = []
    for seen in reversed(found):
        call = calls[seen.call_id]
        told.insert(0, f"- {call.tool} ({fence(cap(call.input, LONG))}): {fence(cap(seen.text, _MOST_OF_A_RESULT))}")
        if sum(map(len, told)) > _MOST_OF_ALL_RESULTS:
            break
    results = "\n".join(told)
    return render(prepared.language, "limit_results", question=prepared.question, results=results) if told else ""


def for_the_user(limit: LimitName, limits: Limits) -> str:
    """What to show where not even the last call brought an answer."""
    return Text(*_WITHOUT_ANSWER[limit], reached=_reached(limit, limits))


def for_the_reader(limit: LimitName | None, limits: Limits | None) -> str:
    """What to say beside an answer that a limit brought about; ``None`` is one that was not kept."""
    return Text(
        "{reached}: this is the best answer from what was observed up to then.",
        reached=_reached(limit, limits or Limits()) if limit else Text("A limit was reached"),
    )


def _reached(limit: LimitName, limits: Limits) -> Text:
    return Text(
        *_REACHED[limit],
        steps=limits.steps,
        seconds=f"{limits.seconds:g}",
        tokens=limits.tokens,
        money=f"{limits.money:g}",
    )


def with_more(limits: Limits, so_far: Sequence[Event]) -> Limits:
    """The limits of a run that goes on from another: what went before does not count against them."""
    calls = model_calls(so_far)
    tokens = sum(call.usage.new for call in calls)
    return replace(
        limits,
        steps=limits.steps and limits.steps + sum(isinstance(call, Replied) for call in calls),
        tokens=limits.tokens and limits.tokens + tokens,
        money=limits.money and limits.money + money_of(calls),
    )


def limits_left(so_far: Sequence[Event], now: Limits) -> Limits:
    """The limits of a run that is taken up: those it was prepared with, and no more money than ``now`` can be had."""
    prepared = next((event.limits for event in reversed(so_far) if isinstance(event, Prepared)), None) or now
    spent = money_of(model_calls(so_far))
    most = [amount for amount in (prepared.money, now.money and now.money + spent) if amount]
    return replace(prepared, money=min(most, default=0.0))


def money_of(calls: Iterable[Merged | Replied | Resumed]) -> float:
    """US dollars, of those calls whose price is known."""
    return float(sum(call.price.amount for call in calls if call.price))


def limits_within(limits: Limits, so_far: Sequence[Event], seconds: float, share: int) -> Limits | None:
    """What is left of the limits for each of so many agents that are called as tools, at the same time.

    ``seconds`` are left of the time; ``None`` where nothing is left. 0 stays what it means, no limit.
    """
    calls = model_calls(so_far)
    steps = limits.steps - sum(isinstance(call, Replied) for call in calls)
    tokens = limits.tokens - sum(call.usage.new for call in calls)
    money = limits.money - money_of(calls)
    left = (limits.steps and steps, limits.tokens and tokens, limits.money and money, limits.seconds and seconds)
    if any(each < 0 or (each == 0 and had) for each, had in zip(left, _all(limits), strict=True)):
        return None
    return replace(
        limits,
        steps=limits.steps and max(1, steps // share),
        tokens=limits.tokens and max(1, tokens // share),
        money=limits.money and money / share,
        seconds=limits.seconds and seconds,
    )


def _all(limits: Limits) -> tuple[float, ...]:
    return limits.steps, limits.tokens, limits.money, limits.seconds


def grace(limits: Limits) -> float:
    """Seconds beyond the limit that the last reply may take: a fifth of the limit, from 1 to 60 seconds."""
    return min(60.0, max(1.0, limits.seconds / 5))


def waited(events: Sequence[Event]) -> float:
    """Seconds that the run's models took to read their prompts, which do not count towards its limit."""
    return sum([replied.first_token for replied in of_kind(all_events(events), Replied)])


def most_seconds(limits: Limits) -> float:
    """Seconds after which a run ends in any case, also where its server says nothing at all; 0 for never."""
    return limits.seconds + grace(limits) if limits.seconds else 0.0


def overdue(events: Sequence[Event], started: float, told: float, most: float) -> bool:
    """Whether a run has taken its ``most`` seconds, 0 for never; times are of ``time.monotonic``.

    ``told`` is when the last of its ``events`` came. While the model reads a prompt the time stands still: that is
    bounded by the silence that a model's server is allowed.
    """
    now = monotonic()
    if not most or now <= started + most:
        return False
    reads = bool(events) and isinstance(innermost(events[-1]), Prepared | MadeRoom | Observed | Resumed)
    reading = min(now - told, LONGEST_SILENCE) if reads else 0.0
    return now > started + most + waited(events) + reading
