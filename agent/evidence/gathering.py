"""Reads a run once: its answer, its question, and all texts that a claim may rest on."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from datetime import date as Date
from functools import partial

from agent import inner_runs
from agent.events import Answered, Asked, Decided, Event, Failed, Observed, Prepared, Replied, ToolCalled
from agent.evidence.pages import Pages
from agent.evidence.sources import Origin, Source, Sources
from agent.evidence.tables.scales import powers_said
from agent.evidence.verdicts import EARLIER, NOTES, QUESTION, TABLES, Claim, Earlier
from agent.messages import Facts, JsonValue
from agent.text.characters import lowered
from agent.text.quantities.claim_words import FAILURE
from agent.text.quantities.said_figures import figures_said
from agent.text.quantities.times_from_today import times_named

_MOST_ASKED = 4_000  # characters of a call that are looked at
_MOST_TABLES, _LONGEST_HEAD = 20, 4_000


@dataclass(frozen=True, slots=True)
class Gathered:
    """What a run gives to the check. ``failed_texts`` are what failed tools said."""

    answer: str = ""
    question: str = ""
    sources: Sources = field(default_factory=lambda: Sources(()))
    looked_up: bool = False
    failed: tuple[str, ...] = ()
    failed_texts: tuple[Source, ...] = ()

    @property
    def tried(self) -> bool:
        return self.looked_up or bool(self.failed_texts)


def step_after(step: int, event: Event) -> int:
    """The number of the step at work after an event. Steps told again on another wire are counted anew."""
    if isinstance(event, Prepared):
        return 0
    return step + 1 if isinstance(event, Replied) else step


def gather(events: Sequence[Event], earlier: Sequence[Earlier], pages: Pages) -> Gathered:
    """Read a run once: its answer, its question, and all texts that a claim may rest on, as ``pages`` keeps them."""
    made = partial(_made, pages)
    seen: list[Source] = []
    failed: list[Source] = []
    tools: dict[str, ToolCalled] = {}
    outcome: dict[str, bool] = {}
    said: list[Source] = []
    decisions: dict[str, str] = {}
    answer, question, today, step = "", "", None, 0
    for event in inner_runs.looked_up(events):
        step = step_after(step, event)
        match event:
            case Asked():
                question, today = "\n".join((event.question, *event.attachments)), _date(event.time)
            case ToolCalled():
                tools[event.call_id] = event
                decisions.pop(event.call_id, None)
            case Decided():
                decisions[event.call_id] = event.decision
            case Observed() if decisions.get(event.call_id) in ("answered", "skipped", "denied"):
                # The person's words, or ours: nothing was looked up.
                said.append(made(event.call_id, max(step, 1), event.text, "given"))
            case Observed() if event.call_id:
                call = tools.get(event.call_id)
                tool = call.tool if call is not None else ""
                outcome[tool] = outcome.get(tool, False) or not event.error
                source = made(event.call_id, max(step, 1), event.text, "seen")
                (failed if event.error else seen).append(_observed(source, event, call))
            case Answered():
                answer = event.text
            case Failed():
                answer = event.partial
            case _:
                pass
    earlier = _told(events, earlier)
    lower = lowered(question)
    powers = powers_said(lower)
    seen = [replace(one, powers_asked=powers) for one in seen] if powers else seen
    looked_up = bool(seen)
    glossed = () if admits(answer) else tuple(tool for tool, worked in outcome.items() if tool and not worked)
    asked = "\n".join((question, *(times_named(lower, today) if today else ()), *figures_said(lower)))
    given = ((QUESTION, asked), (NOTES, notes_of(events)), (TABLES, heads_of(events)))
    told = (made(call_id, 0, text, "given") for call_id, text in given)
    texts = (*seen, *told, *said, *_earlier(earlier, pages))
    return Gathered(answer, question, Sources(texts, today), looked_up, glossed, tuple(failed))


def read_ahead(events: Sequence[Event], pages: Pages) -> None:
    """Read what tools brought into ``pages``, while nobody waits for it: most of what a check does."""
    for event in inner_runs.all_events(events):
        if isinstance(event, Observed) and event.call_id and not event.error:
            pages.page(event.text, True).read()


def notes_of(events: Sequence[Event]) -> str:
    """The person's notes that the model of a run was told, a line each."""
    facts = _facts(events)
    return "\n".join(facts.notes) if facts else ""


def heads_of(events: Sequence[Event]) -> str:
    """The loaded tables that the model of a run was told, a line each: name, size and the names of the columns."""
    facts = _facts(events)
    return "\n".join(map(_head, facts.cards[:_MOST_TABLES])) if facts else ""


def _head(card: Mapping[str, JsonValue]) -> str:
    columns = card.get("columns")
    several = [one for one in columns if isinstance(one, Mapping)] if isinstance(columns, Sequence) else []
    names = (dict.fromkeys(str(one[key]) for key in ("label", "name") if one.get(key)) for one in several)
    size = f"{card.get('rows', '')} rows, {len(several)} columns"
    return f"{card.get('name', '')} ({size}): {', '.join(' / '.join(each) for each in names)}"[:_LONGEST_HEAD]


def _facts(events: Sequence[Event]) -> Facts | None:
    return next((event.facts for event in reversed(events) if isinstance(event, Prepared)), None)


def _told(events: Sequence[Event], earlier: Sequence[Earlier]) -> Sequence[Earlier]:
    """The turns before, without what their tools saw where the model of this run was told of none."""
    told = any(isinstance(event, Prepared) and event.before for event in events)
    return earlier if told else [replace(turn, saw=()) for turn in earlier]


def earlier_turn(events: Sequence[Event], claims: tuple[Claim, ...] = ()) -> Earlier:
    """A run as a turn before others; ``claims`` are what the check said of its answer."""
    question = next((event.question for event in events if isinstance(event, Asked)), "")
    last = events[-1] if events else None
    answer = last.text if isinstance(last, Answered) else last.partial if isinstance(last, Failed) else ""
    seen = (
        event
        for event in inner_runs.looked_up(events)
        if isinstance(event, Observed) and event.call_id and not event.error
    )
    return Earlier(question, answer, claims, tuple(event.text for event in seen))


def _observed(source: Source, event: Observed, call: ToolCalled | None) -> Source:
    """An observation with its addresses, and with what was asked for."""
    urls = tuple(source.url for source in event.sources if source.url)
    asked = lowered(f"{call.input} {call.arguments or ''}"[:_MOST_ASKED]) if call is not None else ""
    return replace(source, urls=urls, asked=asked)


def _made(pages: Pages, call_id: str, step: int, text: str, origin: Origin) -> Source:
    return Source(call_id, step, pages.page(text, origin == "seen"), origin)


def _earlier(turns: Sequence[Earlier], pages: Pages) -> Iterable[Source]:
    for number, turn in enumerate(turns, 1):
        yield _made(pages, QUESTION, number, turn.question, "given")
        yield replace(_made(pages, EARLIER, number, turn.answer, "earlier"), claims=turn.claims)
        yield from (_made(pages, EARLIER, number, saw, "seen") for saw in turn.saw)


def _date(time: float) -> Date | None:
    try:
        return datetime.fromtimestamp(time, UTC).date()
    except (OverflowError, OSError, ValueError):
        return None


def admits(answer: str) -> bool:
    """Whether an answer says that something went wrong."""
    lower = answer.lower()
    return any(word in lower for word in FAILURE)
