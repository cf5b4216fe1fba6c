"""What a visitor chose to be answered with: plain values by the fields of ``Choice``, written down without the key."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from dataclasses import asdict, dataclass, fields, replace
from functools import cache
from typing import Any, Literal, TypeAlias, cast, get_type_hints

from pydantic import TypeAdapter, ValidationError
from pydantic_core import to_jsonable_python

from agent.application.setup import DEMO, Choice, with_own_prompt
from agent.errors import BadRequest
from agent.events import StyleName
from agent.prompts import source
from agent.settings import Limits, Secret
from agent.text.regex import regex
from agent.web.endpoint import normalise_endpoint, origin

# What a conversation's own prompts are kept under (see ``agent.store.chats.Chats.choose``).
PROMPTS = "prompts"
# What a conversation's turns that are always or never told are kept under.
CONTEXT = "context"
# What a person wants of a turn in the prompts to come.
Wish: TypeAlias = Literal["pin", "leave_out", "put_back"]
# Says that a key was typed, without which the address is of no use.
KEYED = "keyed"
_KEY = "key"
# The preset that was picked (see ``agent.store.site_presets``), by its id, and what it says: whoever changes any of
# that is on it no more.
PRESET = "preset"
OF_A_PRESET = ("endpoint", "model", "wire", "tools", "language", "style", "prompts")
# What of that was chosen before, as ``write_down`` wrote it, so that there is a way back to it.
OWN = "own"
# The first models that the chosen server named, so that one can switch to them on the next visit, too.
LISTED = "listed"
_PRESET_ID = regex(r"[0-9a-f]{32}")
_OF_A_MODEL = ("endpoint", "model", "prices", "window", "thinking")
# A key may have been pasted into another field; what is shorter may well be part of a name.
_SHORTEST_KEY = 9


def chosen(kept: Mapping[str, Any], default: Choice) -> Choice:
    """The choice; what was not chosen is the ``default``'s."""
    values = {name: kept[name] for name in _kinds() if name in kept}
    if "limits" in values:
        values["limits"] = Limits(**values["limits"])
    return replace(default, key=Secret(str(kept.get(_KEY, ""))), **values)


def changed(kept: Mapping[str, Any], changes: Mapping[str, Any]) -> dict[str, Any]:
    """What is kept after these ``changes``.

    Key and model are kept only for the address that they were given for, window and thinking only for the model.
    """
    rest = dict(kept)
    if any(changes.get(name, kept.get(name)) != kept.get(name) for name in ("endpoint", "model")):
        for name in ("window", "thinking"):
            rest.pop(name, None)
    if changes.get("endpoint", kept.get("endpoint")) != kept.get("endpoint"):
        for name in (_KEY, KEYED, "model", LISTED):
            rest.pop(name, None)
    if any(changes.get(name, kept.get(name)) != kept.get(name) for name in OF_A_PRESET):
        rest.pop(PRESET, None)
    limits = changes.get("limits")
    plain = {**changes, "limits": asdict(limits)} if isinstance(limits, Limits) else dict(changes)
    return rest | plain | ({KEYED: bool(changes[_KEY])} if _KEY in changes else {})


def key_missing(kept: Mapping[str, Any]) -> bool:
    """Whether the chosen server was given a key that is not there any more."""
    return bool(kept.get(KEYED)) and not kept.get(_KEY)


def key_gone(endpoint: str) -> BadRequest:
    """What is said where the server would be asked without the key that it was given before."""
    return BadRequest.because(
        "Your key for {where} was not kept: keys never are. Enter it again under Connect a model, then try again.",
        where=origin(endpoint),
    )


def write_choice(choice: Choice, own_address: str) -> str:
    """As ``write_down`` does: never with the key, but whether there was one."""
    return write_down({name: getattr(choice, name) for name in _kinds()} | {_KEY: choice.key.reveal()}, own_address)


def write_down(kept: Mapping[str, Any], own_address: str) -> str:
    """What was chosen of the fields of ``Choice``, as JSON; ``own_address`` is that of the owner's server.

    The owner's address is not written down, so that the choice moves with it. Neither is what has the key in it, nor
    an address that cannot be used (a key may be part of it).
    """
    key = str(kept.get(_KEY) or "")
    keyed = bool(key or kept.get(KEYED))
    body: dict[str, Any] = {name: to_jsonable_python(kept[name]) for name in _kinds() if name in kept}
    if kept.get("endpoint") == own_address and not keyed:
        body.pop("endpoint", None)
    elif "endpoint" in kept and not _usable(kept["endpoint"]):
        body = {name: value for name, value in body.items() if name not in _OF_A_MODEL}
    if "endpoint" in body:
        body |= {KEYED: keyed} | ({LISTED: list(kept[LISTED])} if kept.get(LISTED) else {})
    body |= {name: kept[name] for name in (PRESET, OWN) if kept.get(name)}
    if len(key) >= _SHORTEST_KEY:
        body = {name: value for name, value in body.items() if key not in json.dumps(value, ensure_ascii=False)}
    return json.dumps(body, ensure_ascii=False)


def read_back(body: str) -> dict[str, Any]:
    """What ``write_down`` wrote, as plain values; what is not of the right kind any more is left out."""
    try:
        read = json.loads(body or "{}")
    except ValueError:
        return {}
    return dict(_valid(cast("dict[str, Any]", read))) if isinstance(read, dict) else {}


def _valid(read: Mapping[str, Any]) -> Iterator[tuple[str, Any]]:
    if read.get(KEYED) is True:
        yield KEYED, True
    if _PRESET_ID.fullmatch(str(read.get(PRESET, ""))):
        yield PRESET, str(read[PRESET])
    if isinstance(read.get(OWN), str):
        yield OWN, read[OWN]
    for name, kind in {**_kinds(), LISTED: TypeAdapter(tuple[str, ...])}.items():
        if name in read:
            try:
                yield name, kind.dump_python(kind.validate_json(json.dumps(read[name]), strict=True))
            except ValidationError:
                continue


def _usable(endpoint: Any) -> bool:
    if not isinstance(endpoint, str) or endpoint == DEMO:
        return endpoint == DEMO
    try:
        normalise_endpoint(endpoint)
    except BadRequest:
        return False
    return True


@cache
def _kinds() -> dict[str, TypeAdapter[Any]]:
    types = get_type_hints(Choice)
    return {field.name: TypeAdapter(types[field.name]) for field in fields(Choice) if field.name != _KEY}


@dataclass(frozen=True, slots=True)
class ChatPrompts:
    """The prompts of one conversation, which go before those chosen for all.

    ``templates`` are as in ``Choice.prompts``; ``style`` is ``None`` where it is that of all conversations.
    """

    templates: tuple[tuple[str, str, str], ...] = ()
    style: StyleName | None = None

    @property
    def empty(self) -> bool:
        return not self.templates and self.style is None

    def text(self, language: str, name: str) -> str:
        """The conversation's own template, or ""."""
        return _found(self.templates, language, name)

    def over(self, choice: Choice) -> Choice:
        """With what the conversation's questions are answered, where ``choice`` is what holds for all."""
        mine = {own[:2] for own in self.templates}
        others = tuple(own for own in choice.prompts if own[:2] not in mine)
        return replace(choice, prompts=(*others, *self.templates), style=self.style or choice.style)

    def with_template(self, language: str, name: str, text: str) -> ChatPrompts:
        """With a template of its own; without one where it is ""."""
        kept = Choice(language=language, prompts=self.templates)
        return replace(self, templates=with_own_prompt(kept, name, text))

    def written(self) -> str:
        """As ``read_prompts`` reads it; "" where there is nothing of its own."""
        style = {} if self.style is None else {"style": self.style}
        return "" if self.empty else write_down({"prompts": self.templates, **style}, "")


def read_prompts(body: str) -> ChatPrompts:
    """What ``ChatPrompts.written`` wrote; what is not of the right kind any more is left out."""
    kept = read_back(body)
    return ChatPrompts(kept.get("prompts", ()), kept.get("style"))


@dataclass(frozen=True, slots=True)
class ChatContext:
    """The turns of one conversation, by their runs, that are ``pinned`` (told whole) and those left ``out``."""

    pinned: frozenset[str] = frozenset()
    out: frozenset[str] = frozenset()

    def with_turn(self, run: str, wish: Wish) -> ChatContext:
        """With that turn pinned or left out, or back as it is told without a wish."""
        pinned, out = self.pinned - {run}, self.out - {run}
        return ChatContext(pinned | {run} if wish == "pin" else pinned, out | {run} if wish == "leave_out" else out)

    def written(self) -> str:
        """As ``read_context`` reads it."""
        return json.dumps({"pinned": sorted(self.pinned), "out": sorted(self.out)})


def read_context(body: str) -> ChatContext:
    """What ``ChatContext.written`` wrote; what is no such thing is no wish."""
    try:
        return _context().validate_json(body, strict=True) if body else ChatContext()
    except ValidationError:
        return ChatContext()


@cache
def _context() -> TypeAdapter[ChatContext]:
    return TypeAdapter(ChatContext)


def text_for_all(choice: Choice, name: str) -> str:
    """The template in the language of the prompts as it holds in all conversations: the visitor's own, or the usual."""
    return _found(choice.prompts, choice.language, name) or source(choice.language, name)


def _found(templates: tuple[tuple[str, str, str], ...], language: str, name: str) -> str:
    return next((text for *place, text in templates if place == [language, name]), "")
