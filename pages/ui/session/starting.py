"""With what a run is worked on, and its work in this process: for a new run, and for one that goes on."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from threading import Event as Flag

from agent.application.setup import Choice, on_owners_key, setup
from agent.errors import BadRequest
from agent.events import Event, Waiting
from agent.loop.agent import Agent
from agent.loop.limits import most_seconds
from agent.tools.catalogue import own_specs
from agent.views.timeline import seconds_taken
from agent.web.endpoint import origin
from pages.ui.choices import tool_choice, tool_servers
from pages.ui.session import state

_CONNECT_SECONDS = 3.0  # that a question waits for servers that are being connected


def prepared(choice: Choice, conversation: str, cancel: Flag, new: bool = True, allow: str = "") -> Agent:
    """What a run of that conversation needs; ``allow`` is a tool that needs not ask from now on.

    A ``new`` run on the owner's key is counted. Raises ``ForTheUser`` where the choice cannot be used, or a cap was
    reached.
    """
    services, visitor = state.services(), state.visitor()
    _check_key(choice)
    owner_pays = on_owners_key(services.settings, choice)
    if owner_pays:
        services.budget.check_model(choice.model)
    left = services.budget.left(visitor) if owner_pays else None
    made = setup(
        services.settings,
        choice,
        services.capabilities,
        services.search_cache(conversation),
        services.prices,
        left,
        (*services.chats.allowed(conversation), *filter(None, [allow])),
        tables=services.tables.open(visitor, conversation, cancel),
        documents=services.documents.open(visitor, conversation, cancel),
        databases=services.databases.open(visitor, conversation, cancel),
        shell=services.shells.open(visitor, conversation, cancel),
        servers=tool_servers.tools(wait=_CONNECT_SECONDS),
        more=own_specs(services.own_tools.look()),
        words=tool_choice.own_words(conversation),
    )
    if owner_pays and new:
        services.budget.take(visitor)
    return made


def work(
    run: str,
    choice: Choice,
    chosen: Agent,
    story: Callable[[Flag], Iterator[Event]],
    cancel: Flag,
    paid: Sequence[Event] = (),
    so_far: Sequence[Event] = (),
) -> None:
    """Work through ``story`` in this process, whoever looks.

    What it takes over from another run was ``paid`` for. ``so_far`` are the events of a run that goes on.
    """
    services, visitor = state.services(), state.visitor()
    owner_pays = on_owners_key(services.settings, choice)

    def worked(cancel: Flag) -> Iterator[Event]:
        events = story(cancel)
        for event in services.budget.charged(visitor, events, paid) if owner_pays else events:
            if isinstance(event, Waiting):
                services.remember(run, choice)
            yield event

    most = most_seconds(chosen.limits)
    left = max(1.0, most - seconds_taken(so_far)) if most else 0.0
    services.runs.start(run, worked, left, cancel, so_far)


def _check_key(choice: Choice) -> None:
    """Without the key that its server was given before, nothing is asked: least of all on the owner's."""
    if state.key_missing() and choice.endpoint == state.choice().endpoint and not choice.key:
        raise BadRequest(
            f"Your key for {origin(choice.endpoint)} was not kept: keys never are. Enter it again under Connect a "
            "model, then try again."
        )
