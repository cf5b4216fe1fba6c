"""What the owner set up and what a visitor chose become a ``Setup``: model, tools, wire, limits."""

from __future__ import annotations

from dataclasses import dataclass

from agent.conversation import Setup
from agent.errors import BadRequest
from agent.models.base import Model
from agent.models.capabilities import Capabilities
from agent.models.demo import Demo
from agent.models.endpoint import normalise_endpoint
from agent.models.openai_chat import OpenAIChat
from agent.settings import Secret, Settings, WireChoice
from agent.tools.base import Toolbox
from agent.tools.calculator import calculator
from agent.tools.search import SearchCache, search_tool

DEMO = "demo"


@dataclass(frozen=True, slots=True)
class Choice:
    """A visitor's choice. ``endpoint`` is an address or ``DEMO``; ``tools`` are names, all of them where ``None``."""

    endpoint: str = DEMO
    model: str = ""
    key: Secret = Secret()
    wire: WireChoice = "auto"
    tools: tuple[str, ...] | None = None


def default_choice(settings: Settings) -> Choice:
    """The owner's model where there is one, else the demo model."""
    if not settings.owner_model:
        return Choice(wire=settings.wire)
    return Choice(settings.base_url, settings.model, wire=settings.wire)


def setup(settings: Settings, choice: Choice, capabilities: Capabilities, searches: SearchCache) -> Setup:
    """Everything a run needs. Raises ``BadRequest`` where the choice is not complete."""
    return Setup(
        model=connect(settings, choice, capabilities),
        tools=toolbox(settings, choice, searches),
        wire=choice.wire,
        language=settings.language,
        limits=settings.limits,
        parameters={} if settings.temperature is None else {"temperature": settings.temperature},
    )


def key_for(settings: Settings, choice: Choice) -> Secret:
    """The visitor's key, else the owner's; the owner's goes to the owner's own address and to no other."""
    if choice.key or not settings.base_url or choice.endpoint == DEMO:
        return choice.key
    own = normalise_endpoint(choice.endpoint) == normalise_endpoint(settings.base_url)
    return settings.openai_key if own else choice.key


def connect(settings: Settings, choice: Choice, capabilities: Capabilities) -> Model:
    """The chosen model."""
    if choice.endpoint == DEMO:
        return Demo()
    if not choice.model:
        raise BadRequest("No model is chosen. Pick one in the sidebar, or type its name.")
    endpoint = normalise_endpoint(choice.endpoint)
    return OpenAIChat(endpoint, choice.model, capabilities, key_for(settings, choice).reveal())


def toolbox(settings: Settings, choice: Choice, searches: SearchCache) -> Toolbox:
    tools = (
        search_tool(
            serpapi_key=settings.serpapi_key.reveal(),
            serpapi_url=settings.serpapi_url,
            wikipedia_url=settings.wikipedia_url,
            cache=searches,
        ),
        calculator,
    )
    unknown = set(choice.tools or ()) - {tool.name for tool in tools}
    if unknown:
        raise BadRequest(f"There is no tool {', '.join(sorted(unknown))}.")
    return Toolbox([tool for tool in tools if choice.tools is None or tool.name in choice.tools])
