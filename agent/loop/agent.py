"""With what a question is answered, as one value, and what a run is prepared with."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import date
from hashlib import sha256
from typing import Any
from uuid import uuid4

from pydantic import JsonValue

from agent.context.room import Room, notes_told
from agent.context.turns import NO_HISTORY, History, carried, next_request
from agent.demo.model import Demo
from agent.events import MadeRoom, Prepared, StyleName, WireName
from agent.loop.approval import NO_POLICY, Policy
from agent.loop.likely import is_one_sum, likely
from agent.messages import EarlierTurn, Facts
from agent.models.prices import Prices
from agent.models.protocol import Model
from agent.models.window import Window, guessed
from agent.prompts import render
from agent.settings import Limits, MergeChoice, PromptChoice, WireChoice
from agent.toolkit.base import Tool, Toolbox
from agent.web.endpoint import is_private
from agent.wire.instructions import PARTS, day_told, for_sums, instructions, lead_to
from agent.wire.observation import fence

NO_PRICES = Prices(())
NO_TOOLS = Toolbox(())
_SMALL_WINDOW = 4_000  # tokens
# Servers that route prompts with one ``prompt_cache_key`` to where their beginning is kept.
_KEYED_CACHES = ("https://api.openai.com/v1", "https://api.x.ai/v1")


@dataclass(frozen=True, slots=True)
class Agent:
    """A model, the demo model if none is given, with its tools and everything that decides how it answers.

    ``wire`` is how tools are called, ``style`` how the text wire is taught. ``language`` is that of the prompts;
    ``prompts`` are own templates, by name. ``parameters`` go to the model as they are (temperature, max_tokens).
    ``prices`` say what a reply has cost, ``policy`` which calls ask the person first. With ``insist``, an answer with
    claims that nothing stands behind is sent back to the model once. ``cards`` are those of the loaded tables, which
    the system prompt ends with; ``databases`` gives those of the connected databases, which takes time. ``documents``:
    the person has documents of their own; ``notes`` are what they had remembered, oldest first. ``merge`` says whether
    follow-ups are made questions that stand alone, which ``auto`` does for the demo model. ``window`` is how many
    tokens the model can be sent at once, a guess by its address where it is ``None``. ``prompt`` says whether it is
    told of its tools briefly, which ``auto`` does for a ``small`` model, and in a small window. With ``wire`` at
    ``auto`` a small model is asked for calls as text at once.
    """

    model: Model = field(default_factory=lambda: Demo(pace=0.0))
    tools: Toolbox = NO_TOOLS
    wire: WireChoice = "auto"
    language: str = "en"
    limits: Limits = Limits()
    parameters: Mapping[str, JsonValue] = field(default_factory=dict[str, JsonValue])
    prices: Prices = NO_PRICES
    insist: bool = False
    cards: tuple[Mapping[str, Any], ...] = ()
    style: StyleName = "react"
    prompts: Mapping[str, str] = field(default_factory=dict[str, str])
    databases: Callable[[], tuple[Mapping[str, Any], ...]] = tuple
    policy: Policy = NO_POLICY
    documents: bool = False
    merge: MergeChoice = "auto"
    window: Window | None = None
    notes: tuple[str, ...] = ()
    prompt: PromptChoice = "auto"
    small: bool = False

    @property
    def window_tokens(self) -> int:
        """Tokens that the model can be sent at once; a guess where that is not known."""
        return (self.window or guessed(self.model.endpoint)).tokens

    @property
    def brief(self) -> bool:
        """Whether tools are told in half a line each, and those that a question most likely needs beside it."""
        return self.prompt == "short" or (self.prompt == "auto" and (self.small or self.window_tokens < _SMALL_WINDOW))

    @property
    def merges(self) -> bool:
        """Whether a follow-up is made a question that stands alone before it is asked."""
        return self.merge == "always" or (self.merge == "auto" and isinstance(self.model, Demo))

    @property
    def wires(self) -> tuple[WireName, ...]:
        """How tools can be called: the first choice, then what to do where the server refuses that one.

        Small models do better as text, and a native reply that only tells of a call costs more than a whole sum there.
        """
        if self.wire == "react" or not self.model.takes_tools or (self.wire == "auto" and self.small):
            return ("react",)
        return ("native", "react") if self.wire == "auto" else ("native",)


@dataclass(frozen=True, slots=True)
class Before:
    """What came before a question: the ``history`` of its conversation, and what the person wants told of it.

    Runs that are ``pinned`` are always told as they are, those that are left ``out`` never. ``refused`` has a line on
    each file that was dropped since and could not be loaded.
    """

    history: History = field(default_factory=lambda: NO_HISTORY)
    pinned: frozenset[str] = frozenset()
    out: frozenset[str] = frozenset()
    refused: tuple[str, ...] = ()

    @property
    def last(self) -> Prepared | None:
        """What the latest run that was prepared at all was prepared with; ``None`` where that was elsewhere.

        Whoever made what was brought in instructs no model here.
        """
        found = (event for events in reversed([*self.history.values()]) for event in reversed(events))
        last = next((event for event in found if isinstance(event, Prepared)), None)
        return None if last and last.imported else last

    def turns(self) -> tuple[EarlierTurn, ...]:
        """The earlier turns as the person wants them told, else as before."""
        return tuple(self._wanted(turn) for turn in carried(self.history))

    def _wanted(self, turn: EarlierTurn) -> EarlierTurn:
        if turn.run in self.out:
            return replace(turn, told="out", masked=0)
        back = turn.told == "out" or (turn.run in self.pinned and turn.told != "full")
        return replace(turn, told="full", masked=0) if back else turn


def prepare(
    agent: Agent, question: str, wire: WireName, limits: Limits, before: Before | None = None
) -> tuple[Prepared, MadeRoom | None]:
    """What all prompts of a run are computed from, and the room that was made for it.

    ``limits`` are those of the whole run. The instructions are those of the turns before, and what has changed since is
    told as news, unless room was made, or the person wants other turns told: then they are told anew.
    """
    before = before or Before()
    today = date.today().isoformat()
    databases = agent.databases()
    notes = notes_told(agent.notes, agent.window_tokens)
    agent = replace(agent, notes=notes)
    turns, last = before.turns(), before.last
    as_before = turns == carried(before.history)
    # A run that goes on while the next one is asked has a place up to which it is told: that is written down.
    named = () if as_before and not (turns and turns[-1].at is not None) else turns
    facts = Facts(today, agent.tools.names, agent.cards, agent.documents, notes)
    near = _near(agent, question, wire, facts)
    refused = _refused(before.refused, agent.language)
    of_sums, were_of_sums = _of_sums(agent, question, near, last)
    told = _instructions(agent, wire, today, databases, of_sums)
    fresh = Prepared(
        question=question,
        system="\n\n".join(told.values()),
        tools=agent.tools.schemas(render(agent.language, "thought"), brief=agent.brief) if wire == "native" else (),
        wire=wire,
        model=agent.model.name,
        endpoint=agent.model.endpoint,
        language=agent.language,
        parameters=_parameters(agent),
        limits=limits,
        prompts=dict(agent.prompts),
        facts=facts,
        turns=named,
        carried=len(turns) if turns and not named else 0,
        parts={"today": today}
        | {name: _hash(text) for name, text in _instructions(agent, wire, "", databases, of_sums).items()},
        sizes={name: len(text) for name, text in told.items()},
        prompt_cache_key=_prompt_cache_key(agent.model.endpoint, last),
        news=refused,
        lead="" if near is None else lead_to([] if of_sums else near[0], agent.language),
        after_results=render(agent.language, "after_results") if wire == "react" and agent.tools.tools else "",
        relabelled=bool(turns),
    )
    prepared = fresh
    alike = last and (last.wire, last.language, bool(last.lead)) == (wire, agent.language, bool(fresh.lead))
    if last and last.parts and alike and as_before and of_sums == were_of_sums:
        news = "\n\n".join(filter(None, [_news(agent, told, last.parts, fresh.parts), refused]))
        prepared = replace(fresh, system=last.system, sizes=last.sizes, news=news, relabelled=last.relabelled)
    asked = next_request([prepared], before.history)
    room = Room(agent.window_tokens, before.pinned).made([prepared], before.history, asked)
    return (fresh, room) if room else (prepared, None)


def _near(agent: Agent, question: str, wire: WireName, facts: Facts) -> tuple[list[Tool], bool] | None:
    """``likely`` for a short prompt as text, which tells these tools beside the question; ``None`` in all others.

    On the native wire the schemas tell of all tools alike.
    """
    led = agent.brief and wire == "react" and agent.tools.tools
    return likely(question, agent.tools.tools, facts) if led else None


def _of_sums(
    agent: Agent, question: str, near: tuple[list[Tool], bool] | None, last: Prepared | None
) -> tuple[bool, bool]:
    """Whether a short prompt needs to tell of the calculator alone, and whether it did in the turn before.

    A chat that began with a sum goes on so until something else is asked. From then on all tools are told of.
    """
    if near is None:
        return False, False  # a short prompt of before had a lead, so nothing of it is taken over
    before = last is not None and last.parts.get("rules") == _hash(for_sums(agent.tools, agent.language))
    if agent.style != "react" or "react" in agent.prompts:
        return False, before
    a_sum = is_one_sum(question, *near)
    return (a_sum if last is None else before and (a_sum or not near[0])), before


def _parameters(agent: Agent) -> dict[str, JsonValue]:
    """The parameters, with a longest reply for a server of one's own, where models go on without end most often.

    A quarter of the window is what the prompt always leaves. Hosted models end by themselves, and some refuse it.
    """
    window = agent.window
    if not (window and window.source == "server" and is_private(agent.model.endpoint)):
        return dict(agent.parameters)
    if {"max_tokens", "max_completion_tokens"} & agent.parameters.keys():
        return dict(agent.parameters)
    return {**agent.parameters, "max_tokens": window.tokens // 4}


def _instructions(
    agent: Agent, wire: WireName, today: str, databases: Sequence[Mapping[str, Any]], of_sums: bool
) -> dict[str, str]:
    known = (agent.cards, databases, agent.style, agent.prompts, agent.notes, agent.brief, of_sums)
    return instructions(agent.tools, wire, agent.language, today, *known)


def _prompt_cache_key(endpoint: str, before: Prepared | None) -> str:
    """By what the server knows that the prompts of a conversation belong together; "" where it takes no such thing."""
    if endpoint not in _KEYED_CACHES:
        return ""
    return (before.prompt_cache_key if before else "") or uuid4().hex


def _news(agent: Agent, told: Mapping[str, str], held: Mapping[str, str], holds: Mapping[str, str]) -> str:
    """What of the instructions is not as it was; "" where nothing is."""
    language = agent.language
    changes: list[str] = []
    if held.get("rules") != holds.get("rules"):
        changes.append(render(language, "news_rules", rules=told["rules"]))
    elif held["today"] != holds["today"]:
        changes.append(render(language, "news_today", today=day_told(language, holds["today"])))
    for name in PARTS[1:]:
        if held.get(name) != holds.get(name):
            changes.append(told.get(name) or render(language, f"news_no_{name}"))
    return render(language, "news", changes="\n\n".join(changes)) if changes else ""


def _refused(lines: Sequence[str], language: str) -> str:
    """Which files the model knows nothing of; "" where all were loaded."""
    return render(language, "refused", files=fence("\n".join(f"- {line}" for line in lines))) if lines else ""


def _hash(text: str) -> str:
    return sha256(text.encode()).hexdigest()[:16]
