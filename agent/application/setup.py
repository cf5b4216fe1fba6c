"""What the owner set up and what a visitor chose become a ``Agent``: model, tools, wire, limits."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any, Literal, Unpack, get_args

from pydantic import JsonValue

from agent.application.prompt_editing import check
from agent.demo.model import Demo
from agent.errors import BadRequest
from agent.events import Prepared, StyleName
from agent.interface_text import Text
from agent.loop.agent import NO_PRICES, Agent
from agent.loop.approval import Policy
from agent.models.capabilities import Capabilities
from agent.models.prices import Price, Prices, typed_price
from agent.models.protocol import Model
from agent.models.refusals.lessons import note
from agent.models.stop_flag import StopFlag
from agent.models.window import Window, guessed
from agent.settings import ApiChoice, Limits, MergeChoice, Secret, Settings, ThinkingChoice, WireChoice
from agent.toolkit.wording import ByTool, Plain, from_plain, over, without_names
from agent.tools.catalogue import known, toolbox
from agent.tools.own_data import query_database
from agent.tools.search.search_tool import SearchCache
from agent.tools.spec import Belongings, Parts
from agent.web.endpoint import check_address, normalise_endpoint

DEMO = "demo"
_MOST_PRICES = 50
_EFFORTS = {"off": "none"}  # where a server calls it otherwise


@dataclass(frozen=True, slots=True)
class Choice:
    """A visitor's choice. ``endpoint`` is an address or ``DEMO``; ``tools`` are names, the usual ones where ``None``.

    ``interface`` is the language of the pages. ``style`` is how the text wire is taught; ``prompts`` are the visitor's
    own templates: language, name, text. ``prices`` are the visitor's own, as plain texts: endpoint, model, and US
    dollars per million tokens of input, cached input and output. ``words`` are those in which tools are told to the
    model. ``approve`` are tools that ask before each call, beside the owner's (see ``agent.loop.approval``). ``window``
    is the visitor's own number of tokens that the model can be sent at once, 0 to find out, ``thinking`` how much it is
    to think. ``notes`` says whether the model is told the visitor's notes, ``marks`` whether support is marked.
    """

    endpoint: str = DEMO
    model: str = ""
    key: Secret = Secret()
    wire: WireChoice = "auto"
    tools: tuple[str, ...] | None = None
    language: str = "en"
    temperature: float | None = None
    limits: Limits = Limits()
    insist: bool = False
    style: StyleName = "react"
    interface: Literal["auto", "en", "ja"] = "auto"
    prompts: tuple[tuple[str, str, str], ...] = ()
    prices: tuple[tuple[str, str, str, str, str], ...] = ()
    approve: tuple[str, ...] = ()
    words: Plain = ()
    merge: MergeChoice = "auto"
    window: int = 0
    thinking: ThinkingChoice = "default"
    notes: bool = True
    marks: bool = False


def default_choice(settings: Settings) -> Choice:
    """What the owner set up; the demo model where no model was set up."""
    return Choice(
        endpoint=settings.base_url if settings.owner_model else DEMO,
        model=settings.model if settings.owner_model else "",
        wire=settings.wire,
        language=settings.language,
        temperature=settings.temperature,
        thinking=settings.thinking if settings.owner_model else "default",
        limits=settings.limits,
        insist=settings.insist,
        merge=settings.merge,
    )


def setup(
    settings: Settings,
    choice: Choice,
    capabilities: Capabilities,
    searches: SearchCache,
    prices: Prices = NO_PRICES,
    left: float | None = None,
    allowed: tuple[str, ...] = (),
    notes: Sequence[str] = (),
    stop: StopFlag | None = None,
    **belongings: Unpack[Belongings],
) -> Agent:
    """Everything a run needs. ``left`` are the US dollars that are left of a budget, ``None`` without one.

    ``allowed`` are tools that need not ask any more in this chat, ``notes`` the visitor's. ``stop`` is as in
    ``OpenAIChat``, ``belongings`` as in ``Parts``; their ``words``, the conversation's, go before those of the choice.
    Raises ``BadRequest`` where the choice is not complete.
    """
    parts = Parts(settings, searches, choice.language, **belongings)
    parts = replace(parts, words=words_for(choice, parts.words))
    tools = toolbox(parts, known(parts, choice.tools))
    asks_databases = any(tool.own_name == query_database.SPEC.name for tool in tools.tools)
    model = connect(settings, choice, capabilities, stop)
    if model.endpoint != DEMO and not _set_window(settings, choice):
        from agent.models.window_lookup import find_window

        find_window(capabilities, model.endpoint, model.name, key_for(settings, choice).reveal())
    return Agent(
        model=model,
        tools=tools,
        wire=choice.wire,
        language=choice.language,
        limits=_limits(settings, choice, left),
        prices=prices_for(settings, choice, prices),
        parameters=_parameters(choice),
        insist=choice.insist,
        merge=choice.merge,
        style=choice.style,
        prompts=own_prompts(choice),
        cards=parts.tables.cards() if parts.tables else (),
        databases=parts.databases.cards if parts.databases and asks_databases else tuple,
        documents=bool(parts.documents and parts.documents.loaded()),
        policy=Policy(asks=(*settings.approve, *choice.approve), always=allowed),
        window=window_for(settings, choice, capabilities, prices),
        notes=tuple(notes) if choice.notes else (),
        prompt=settings.prompt,
        small=capabilities.is_small(model.endpoint, model.name),
    )


def _parameters(choice: Choice) -> dict[str, JsonValue]:
    """What is sent beside the prompt, where a person chose it."""
    temperature: dict[str, JsonValue] = {} if choice.temperature is None else {"temperature": choice.temperature}
    effort = _EFFORTS.get(choice.thinking, choice.thinking)
    return temperature if choice.thinking == "default" else {**temperature, "reasoning_effort": effort}


def window_for(settings: Settings, choice: Choice, capabilities: Capabilities, prices: Prices = NO_PRICES) -> Window:
    """How many tokens the chosen model can be sent at once, by what is known now; no server is asked.

    The visitor's own number goes first, then the owner's, what a refusal or a cut prompt taught, what the server told,
    the table of known models, and a guess. The demo model reads what there is.
    """
    own = _set_window(settings, choice)
    if own or choice.endpoint == DEMO:
        return own or guessed(DEMO)
    endpoint = comparable(choice.endpoint)
    learned = capabilities.window(endpoint, choice.model)
    if learned and learned.source != "guess":
        return learned
    return prices.window(endpoint, choice.model) or learned or guessed(endpoint)


def _set_window(settings: Settings, choice: Choice) -> Window | None:
    """The number that a person set for the chosen model, the visitor before the owner."""
    owners = not settings.base_url or comparable(choice.endpoint) == comparable(settings.base_url)
    tokens = choice.window or (settings.window if owners and choice.endpoint != DEMO else 0)
    return Window(tokens, "setting") if tokens else None


def own_prompts(choice: Choice) -> dict[str, str]:
    """The visitor's own templates in the language of the prompts. Raises ``BadRequest`` where one cannot be used."""
    own = {name: text for language, name, text in choice.prompts if language == choice.language}
    for name, text in own.items():
        check(choice.language, name, text)
    return own


def with_own_prompt(choice: Choice, name: str, text: str) -> tuple[tuple[str, str, str], ...]:
    """``Choice.prompts`` with this template in the language of the prompts; without one where it is ""."""
    others = tuple(own for own in choice.prompts if own[:2] != (choice.language, name))
    return (*others, (choice.language, name, text)) if text else others


def as_prepared(choice: Choice, prepared: Prepared) -> Choice:
    """The choice with which a run goes on as it began: on the same model, which is given no other server's key."""
    moved = prepared.endpoint != _address(choice.endpoint)
    temperature = prepared.parameters.get("temperature")
    return replace(
        choice,
        endpoint=prepared.endpoint if moved else choice.endpoint,
        model=prepared.model,
        key=Secret() if moved else choice.key,
        window=0 if moved or prepared.model != choice.model else choice.window,
        thinking=_thinking(prepared.parameters.get("reasoning_effort")),
        wire=prepared.wire,
        language=prepared.language,
        temperature=float(temperature) if isinstance(temperature, int | float) else None,
        limits=prepared.limits or choice.limits,
        prompts=tuple((prepared.language, name, text) for name, text in prepared.prompts.items()),
    )


def _thinking(effort: JsonValue) -> ThinkingChoice:
    """The choice that such a ``reasoning_effort`` was sent for."""
    found = "off" if effort == _EFFORTS["off"] else effort
    return next((each for each in get_args(ThinkingChoice) if each == found), "default")


def _address(endpoint: str) -> str:
    return endpoint if endpoint == DEMO else normalise_endpoint(endpoint)


def words_for(choice: Choice, own: ByTool) -> ByTool:
    """In which words tools are told, with ``own`` those of the conversation.

    The demo model knows tools by their own names alone.
    """
    words = over(own, from_plain(choice.words))
    return without_names(words) if choice.endpoint == DEMO else words


def on_owners_key(settings: Settings, choice: Choice) -> bool:
    """Whether a run with this choice is paid for by the owner: theirs are the key and the address."""
    return not choice.key and bool(key_for(settings, choice))


def own_price(choice: Choice) -> Price | None:
    """What the visitor says that the chosen model costs, if they said so."""
    mine = (typed[2:] for typed in choice.prices if typed[:2] == (choice.endpoint, choice.model))
    return next((typed_price(*texts) for texts in mine), None)


def with_own_price(choice: Choice, price: Price | None) -> tuple[tuple[str, str, str, str, str], ...]:
    """``Choice.prices`` with this price of the chosen model, or without one; the oldest are dropped."""
    others = tuple(typed for typed in choice.prices if typed[:2] != (choice.endpoint, choice.model))
    if price is None:
        return others
    texts = (str(price.input), str(price.cached), str(price.output))
    return ((choice.endpoint, choice.model, *texts), *others)[:_MOST_PRICES]


def prices_for(settings: Settings, choice: Choice, prices: Prices) -> Prices:
    """With what a run is priced. Where the owner pays, their caps rest on it: the visitor's own price is not used."""
    own = own_price(choice)
    return prices if own is None or on_owners_key(settings, choice) else prices.with_own(choice.model, own)


def _limits(settings: Settings, choice: Choice, left: float | None) -> Limits:
    """The chosen limits; where the owner pays, the owner's are the most that can be chosen."""
    if not on_owners_key(settings, choice):
        return choice.limits
    own, wanted = replace(settings.limits, money=_lower(settings.limits.money, left or 0.0)), choice.limits
    return Limits(
        int(_lower(own.steps, wanted.steps)),
        _lower(own.seconds, wanted.seconds),
        int(_lower(own.tokens, wanted.tokens)),
        _lower(own.money, wanted.money),
    )


def _lower(most: float, wanted: float) -> float:
    return min(most, wanted) if most and wanted else most or wanted


def key_for(settings: Settings, choice: Choice) -> Secret:
    """The visitor's key, else the owner's; the owner's goes to the owner's own address and to no other."""
    if choice.key or not settings.base_url or choice.endpoint == DEMO:
        return choice.key
    own = normalise_endpoint(choice.endpoint) == normalise_endpoint(settings.base_url)
    return settings.openai_key if own else choice.key


def connect(settings: Settings, choice: Choice, capabilities: Capabilities, stop: StopFlag | None = None) -> Model:
    """The chosen model."""
    if choice.endpoint == DEMO:
        return Demo()
    if not choice.model:
        raise BadRequest.because("No model is chosen for this server. Choose one under Connect a model.")
    from agent.models.openai_chat import OpenAIChat  # the demo model does not wait for it

    endpoint = allowed_endpoint(settings, choice.endpoint)
    key = key_for(settings, choice).reveal()
    return OpenAIChat(endpoint, choice.model, capabilities, key, api=api_for(settings, endpoint), stop=stop)


def api_for(settings: Settings, endpoint: str) -> ApiChoice:
    """The owner's choice for their own server, or for any where they set none up."""
    own = not settings.base_url or comparable(endpoint) == comparable(settings.base_url)
    return settings.api if own else "auto"


def allowed_endpoint(settings: Settings, endpoint: str) -> str:
    """The address in its usual form. Raises ``BadRequest`` where the owner does not allow to connect to it."""
    normalised = normalise_endpoint(endpoint)
    if not (settings.base_url and normalised == normalise_endpoint(settings.base_url)):
        check_address(normalised, settings.private_addresses)
    return normalised


@dataclass(frozen=True, slots=True)
class Alternative:
    """Another model to put a question to, for this once; the built-in one at ``DEMO``, without a name."""

    endpoint: str
    model: str = ""


def alternatives(settings: Settings, choice: Choice, known: Sequence[str] = ()) -> tuple[Alternative, ...]:
    """The chosen model first, then the others ``known`` of its server, the owner's, and the built-in one; each once."""
    found = [Alternative(choice.endpoint, choice.model if choice.endpoint != DEMO else "")]
    if choice.endpoint != DEMO:
        found += [Alternative(choice.endpoint, name) for name in known]
    if settings.owner_model:
        found += [Alternative(settings.base_url, name) for name in settings.allowed_models or (settings.model,)]
    found.append(Alternative(DEMO))
    each: dict[tuple[str, str], Alternative] = {}
    for one in found:
        if one.model or one.endpoint == DEMO:
            each.setdefault((comparable(one.endpoint), one.model), one)
    return tuple(each.values())


def of_name(settings: Settings, choice: Choice, name: str) -> Alternative:
    """The model of that name on the chosen server, or on the owner's where the built-in one is chosen."""
    return Alternative(settings.base_url or DEMO if choice.endpoint == DEMO else choice.endpoint, name)


def one_off(choice: Choice, other: Alternative, **changes: Any) -> Choice:
    """The choice with another model and other ``changes``. A key goes to the address it was typed for, and no other.

    Window and thinking are those of the model they were chosen for.
    """
    same = comparable(choice.endpoint) == comparable(other.endpoint)
    key = choice.key if same else Secret()
    its_own = {} if same and choice.model == other.model else {"window": 0, "thinking": "default"}
    return replace(choice, endpoint=other.endpoint, model=other.model, key=key, **its_own, **changes)


def lessons_of(capabilities: Capabilities, endpoint: str, model: str) -> tuple[Text, ...]:
    """What was learned of a model from its server's refusals, a sentence each."""
    return tuple(dict.fromkeys(map(note, sorted(capabilities.learned(comparable(endpoint), model)))))


def forget_lessons(capabilities: Capabilities, endpoint: str, model: str) -> None:
    """Find out anew what the model's server takes."""
    capabilities.forget(comparable(endpoint), model)


def comparable(endpoint: str) -> str:
    """``endpoint`` in its usual form, where it has one."""
    try:
        return _address(endpoint)
    except BadRequest:
        return endpoint
