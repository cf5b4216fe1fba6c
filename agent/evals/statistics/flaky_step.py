"""Where runs of one test part: the first step that is not the same in all of them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from hashlib import sha256

from pydantic_core import to_json

from agent.events import Event
from agent.messages import Value
from agent.views.fold import RunView, StepView, fold


@dataclass(frozen=True, slots=True)
class StepSign(Value):
    """What a step did: ``did`` and ``saw`` are hashes of its calls and of what came of them, ``told`` is for people."""

    did: str
    saw: str
    told: str


@dataclass(frozen=True, slots=True)
class Branch:
    """What some of the runs did at the step, and which of them, by their places."""

    told: str
    runs: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Parting:
    """``step`` (from 1) is the first that differs; ``same_calls`` says that only what tools gave did.

    The branch of most runs is first.
    """

    step: int
    branches: tuple[Branch, ...]
    same_calls: bool = False


def signs(events: Sequence[Event]) -> tuple[StepSign, ...]:
    """The steps of a run, and how it ended, as they are compared: without thoughts and the words of the answer."""
    view = fold(events)
    return (*map(_sign, (step for step in view.steps if step.calls)), _end(view))


def _sign(step: StepView) -> StepSign:
    calls = [(call.own_name, call.arguments if call.arguments is not None else call.input) for call in step.calls]
    saw = [(call.observation or "", call.error) for call in step.calls]
    told = ", ".join(f"{call.own_name}({call.about[:80]})" for call in step.calls)
    return StepSign(_hash(calls), _hash(saw), told)


def _end(view: RunView) -> StepSign:
    return StepSign(view.state, "", "")


def _hash(value: object) -> str:
    return sha256(to_json(value)).hexdigest()[:12]


def parting(runs: Sequence[Sequence[StepSign]]) -> Parting | None:
    """Where the runs part, or ``None`` where they do not; what each did by :func:`signs`."""
    for place in range(max(map(len, runs), default=0)):
        here = [run[place] if place < len(run) else None for run in runs]
        for same_calls in (False, True):
            kinds = [_kind(sign, same_calls) for sign in here]
            if len(set(kinds)) > 1:
                return Parting(place + 1, _branches(here, kinds), same_calls)
    return None


def _kind(sign: StepSign | None, saw: bool) -> str:
    if sign is None:
        return ""
    return sign.saw if saw else sign.did


def _branches(here: Sequence[StepSign | None], kinds: Sequence[str]) -> tuple[Branch, ...]:
    most: Mapping[str, int] = Counter(kinds)
    ordered = sorted(dict.fromkeys(kinds), key=lambda kind: -most[kind])
    runs = {kind: tuple(place for place, other in enumerate(kinds) if other == kind) for kind in ordered}
    first = {kind: here[runs[kind][0]] for kind in ordered}
    return tuple(Branch(sign.told if (sign := first[kind]) else "", runs[kind]) for kind in ordered)
