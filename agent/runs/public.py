"""Asking from a program, without page or terminal: what ``import agent`` gives."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from itertools import chain
from threading import Event as Flag
from typing import TYPE_CHECKING

from agent.events import Event
from agent.loop.agent import Agent, Before
from agent.models.capabilities import Capabilities
from agent.models.openai_chat import OpenAIChat
from agent.models.protocol import Model
from agent.runs import conversation
from agent.runs.conversation import Question
from agent.settings import ApiChoice
from agent.text.characters import whole

if TYPE_CHECKING:
    # SQLAlchemy takes half a second to import, which only those who store something should wait for.
    from agent.store.runs import Store


def ask(
    agent: Agent,
    question: str,
    history: Iterable[Sequence[Event]] = (),
    *,
    store: Store | None = None,
    cancel: Flag | None = None,
) -> Iterator[Event]:
    """The events of a run that answers ``question``, as they happen; ``fold`` makes of them what a reader sees.

    ``history`` are the events of earlier runs, oldest first: the model is told of them. With a ``store``, the run is
    kept there before each event is given out, in a conversation of its own. Setting ``cancel`` stops the run.
    The last event is an ``Answered`` or a ``Failed``, or a ``Waiting`` where a tool asks the person. Raises
    ``StoreFailed`` where the store fails, and nothing else: what goes wrong in a run is a ``Failed``.
    """
    asked = Question(whole(question), Before({str(number): list(events) for number, events in enumerate(history, 1)}))
    flag = cancel or Flag()
    if store is None:
        return conversation.answer(asked, agent, flag)
    begun = conversation.first_event(asked, agent.cards)
    _, run = store.unanswered.begin(begun, "")
    return chain([begun], conversation.ask(store, run, replace(asked, asked=begun), agent, flag))


def connect(address: str, model: str, key: str = "", api: ApiChoice = "auto") -> Model:
    """The model of that name on a server that speaks OpenAI's chat completions, such as ``http://localhost:11434/v1``.

    Where the server demands it, or where ``api`` is ``responses``, it is asked over the Responses API. Raises
    ``BadRequest`` for an address that cannot be one.
    """
    return OpenAIChat(address, model, Capabilities(), key, api=api)
