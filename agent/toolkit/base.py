"""Tools, typed once: a Python function's signature gives name, description, schema, validation and repair."""

from __future__ import annotations

from collections.abc import Callable, Generator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from difflib import get_close_matches
from hashlib import sha256
from typing import Any, Literal, TypeAlias, TypedDict, Unpack, cast, overload

from pydantic import BaseModel, JsonValue, ValidationError
from pydantic_core import ErrorDetails

from agent.errors import BadArguments, UnknownTool
from agent.events import Artifact, Event, Source, ToolSchema
from agent.interface_text import Text
from agent.toolkit.arguments.mending import mend, tidied
from agent.toolkit.arguments.repair import (
    Arguments,
    changes,
    folded,
    read_arguments,
    shortened,
    tells_more,
    written,
)
from agent.toolkit.arguments.schema_text import (
    example_call,
    expected,
    first_clause,
    told_brief,
    told_plainly,
    usage,
    with_thought,
)
from agent.toolkit.arguments.signature import Schema, properties, signature, without_null
from agent.toolkit.tool_names import MOST_NAME, is_name, native_name

_MOST_ROUNDS = 4  # of mending; each changes something, or is the last
_MOST_PROBLEMS = 100  # more are not near misses

# What a call does beside giving something back: nothing, send its input to somebody else's server, write, spend or send
# something (what cannot be taken back), or put a question to the person.
Effect: TypeAlias = Literal["reads", "reaches", "acts", "asks"]


@dataclass(frozen=True, slots=True)
class ToolResult:
    """What a tool gives back. ``text`` is for the model (the loop caps it), the rest is for the person.

    ``repairs`` says what of the arguments had to be changed for it, in sentences.
    """

    text: str
    artifacts: tuple[Artifact, ...] = ()
    sources: tuple[Source, ...] = ()
    cached: bool = False
    repairs: tuple[str, ...] = ()


def artifact(kind: str, name: str, content: bytes) -> Artifact:
    return Artifact(kind, name, sha256(content).hexdigest(), len(content), content)


Function = Callable[..., str | ToolResult]
Mend = Callable[[Arguments], Arguments | None]
# The events of an agent that is a tool, then its result; given arguments, tools, ``agent.loop.within.surroundings``.
Works = Callable[[Mapping[str, JsonValue], "Sequence[Tool]", Any], Generator[Event, None, ToolResult]]
Concern = Callable[[Mapping[str, JsonValue], Sequence[Event]], str]


def no_concern(arguments: Mapping[str, JsonValue], before: Sequence[Event]) -> str:
    return ""


@dataclass(frozen=True, slots=True)
class Hints:
    """What a tool of somebody else's says of itself: never verified. ``server`` is whose it is, "" for our own."""

    server: str = ""
    read_only: bool | None = None
    destructive: bool | None = None
    open_world: bool | None = None


@dataclass(frozen=True, slots=True)
class Tool:
    """A function that a model can call. ``timeout`` in seconds; ``icon`` is the name of a Material icon.

    ``parameters`` is the JSON Schema of its arguments, the one that validates them. One that is ``stateful`` may answer
    the same call otherwise after another one. ``concern`` says in a sentence for the person why they must first allow a
    call with such arguments after such events of its run, or "". What an ``untrusted`` tool gives is somebody else's
    text, which may be meant to mislead; that of a ``public`` one is never the person's own data, and one that
    ``repeats`` gives back what the model wrote into the call. ``address`` names the argument that is an address to
    read. The result of a ``direct`` tool is the answer. ``most`` calls are allowed in a run, any number where it is 0.
    A ``pure`` one is done at once: it gets no thread, so its time-out does not hold. A tool told by other words keeps
    its ``own`` name, and is found under ``former`` ones, too. ``reads`` gives the arguments that an input in plain
    words means, ``None`` for others. ``main`` names the field that an input without names is, where no field is
    required. ``mends`` gives the arguments that others mean which do not fit even once near misses were repaired,
    ``None`` where it cannot either; a text without fields is under ``input``. ``alike`` gives the arguments as it
    compares two calls. An agent ``works`` in place of its function, with the tools ``within`` it.
    """

    name: str
    description: str
    parameters: Schema
    timeout: float
    icon: str
    function: Function = field(repr=False)
    model: type[BaseModel] = field(repr=False)
    stateful: bool = False
    hints: Hints = Hints()
    concern: Concern = field(default=no_concern, repr=False, compare=False)
    effect: Effect = "reads"
    untrusted: bool = False
    public: bool = False
    repeats: bool = False
    address: str = ""
    direct: bool = False
    pure: bool = False
    most: int = 0
    own: str = ""
    former: tuple[str, ...] = ()
    reads: Callable[[str], Arguments | None] | None = field(default=None, repr=False, compare=False)
    main: str = ""
    mends: Mend | None = field(default=None, repr=False, compare=False)
    alike: Callable[[Arguments], Arguments] | None = field(default=None, repr=False, compare=False)
    works: Works | None = field(default=None, repr=False, compare=False)
    within: tuple[Tool, ...] = field(default=(), repr=False, compare=False)
    _usage: dict[str, str] = field(default_factory=dict[str, str], init=False, repr=False, compare=False)

    @property
    def own_name(self) -> str:
        """What its code calls it, whatever the model is told."""
        return self.own or self.name

    def told_as(self, name: str, description: str, former: Sequence[str] = ()) -> Tool:
        """The tool under other words; "" leaves what there is."""
        told = description or self.description
        return replace(self, name=name or self.name, description=told, own=self.own_name, former=tuple(former))

    @property
    def schema(self) -> ToolSchema:
        return ToolSchema(self.name, self.description, self.parameters)

    @property
    def native_schema(self) -> ToolSchema:
        return replace(self.schema, name=native_name(self.name))

    def call(self, arguments: Mapping[str, JsonValue]) -> ToolResult:
        """Call the function with valid arguments, those of ``Ready``; raises what the function raises.

        ``BadArguments`` where they are not valid.
        """
        try:
            validated = self.model.model_validate(dict(arguments))
        except ValidationError as error:
            raise self._refused(error.errors(include_url=False)[0]) from None
        fields = self.model.model_fields.items()
        result = self.function(**{cast("str", info.alias): getattr(validated, name) for name, info in fields})
        return result if isinstance(result, ToolResult) else ToolResult(str(result))

    def usage(self, language: str = "en", *, brief: bool = False) -> str:
        """The line of the text wire on what the tool does and takes; a ``brief`` one has the first clause alone."""
        if brief:
            return f"- {self.name}: {first_clause(self.description)}"
        if language not in self._usage:  # each request to a model has it
            self._usage[language] = usage(self.name, self.description, self.parameters, language)
        return self._usage[language]

    def prepare(self, text: str) -> Ready:
        """Read, repair and validate the model's input; raises ``BadArguments`` with what to do."""
        text = text.encode("utf-8", "replace").decode()
        said = self.reads(text) if self.reads else None
        main: Schema = {"required": [self.main]} if self.main else {}
        given, notes = (said, list[str]()) if said is not None else read_arguments(text, {**self.parameters, **main})
        if given is None:
            message = f"The input of {self.name} could not be read: {shortened(text)}."
            return self._mended({"input": text}, (), BadArguments(f"{message} {self._example()}"))
        try:
            validated = self._validated(tidied(given, self.parameters))
        except BadArguments as problem:
            return self._mended(given, notes, problem)
        notes.extend(changes(given, validated))
        return Ready(self, validated, tuple(notes))

    def _mended(self, given: Arguments, notes: Sequence[str], problem: BadArguments) -> Ready:
        """The call as the tool itself mends it; raises the ``problem`` where it does not, or not well enough."""
        made = self.mends(dict(given)) if self.mends else None
        if made is None:
            raise problem
        validated = self._validated(made)
        said = Text("The tool itself mended {given} to {made}.", given=written(dict(given)), made=written(dict(made)))
        return Ready(self, validated, (*notes, said, *changes(made, validated)))

    def _validated(self, given: Arguments) -> Arguments:
        """The arguments as JSON, after as many rounds of mending as change something."""
        rounds = 0
        while True:
            try:
                validated = self.model.model_validate(given)
            except ValidationError as error:
                problems = error.errors(include_url=False)
            else:
                return validated.model_dump(mode="json", by_alias=True, warnings=False)
            near = len(problems) <= _MOST_PROBLEMS and rounds < _MOST_ROUNDS
            mended = mend(given, problems, self.parameters) if near else given
            if mended == given:
                raise self._refused(problems[0])
            given, rounds = mended, rounds + 1

    def _refused(self, problem: ErrorDetails) -> BadArguments:
        place = [str(part) for part in problem["loc"]]
        name = place[0] if place else ""
        known = cast("Schema", properties(self.parameters).get(name, {}))
        if problem["type"] == "missing" and len(place) == 1:
            said = f"‘{name}’ ({expected(known)}) is missing."
        elif problem["type"] == "extra_forbidden":
            said = f"There is no field {shortened('.'.join(place))}."
        else:
            # Below a union pydantic names its members in the place: nothing that a model could write.
            field = shortened(".".join(place[:1] if "anyOf" in without_null(known) else place))
            said = f"{field} is wrong: {written(problem['input'])} came, {expected(known)} was expected"
            said += f" ({problem['msg']})." if tells_more(problem) else "."
        return BadArguments(f"The input of {self.name} does not fit. {said} {self._example()}")

    def _example(self) -> str:
        return f"Write, for example: {example_call(self.parameters)}"


@dataclass(frozen=True, slots=True)
class Ready:
    """A call that can be made: validated ``arguments`` as JSON, and what was ``repaired`` on the way, in sentences."""

    tool: Tool
    arguments: dict[str, JsonValue]
    repairs: tuple[str, ...]


class Told(TypedDict, total=False):
    """What can be said of a tool beside its function; as in ``Tool``."""

    name: str
    description: str
    timeout: float
    icon: str
    stateful: bool
    direct: bool
    pure: bool
    reads: Callable[[str], Arguments | None] | None
    main: str
    mend: Mend | None
    alike: Callable[[Arguments], Arguments] | None


@overload
def tool(function: Function, /) -> Tool: ...
@overload
def tool(**told: Unpack[Told]) -> Callable[[Function], Tool]: ...
def tool(function: Function | None = None, /, **told: Unpack[Told]) -> Tool | Callable[[Function], Tool]:
    """Make a tool of a typed function with a docstring; raises ``TypeError`` for one that cannot be told to a model.

    Without more said of it, it has 20 seconds and the icon ``build``.
    """

    def decorate(function: Function) -> Tool:
        read = signature(function, told.get("description", ""))
        called = told.get("name") or cast("Any", function).__name__
        if not is_name(called):
            allowed = f"a letter, then letters, digits, _, - and single blanks, at most {MOST_NAME}"
            raise TypeError(f"A tool cannot be called {called!r}: {allowed}.")
        made = Tool(called, read.description, read.parameters, 20.0, "build", function, read.model)
        more = {"mends" if name == "mend" else name: value for name, value in told.items()}
        return replace(made, **{**more, "name": called, "description": read.description})

    return decorate(function) if function else decorate


@dataclass(frozen=True, slots=True)
class Toolbox:
    """The tools of a run, in the order in which the model is told of them.

    ``absent`` are others by name, with the sentence why they cannot be used: for a model that calls one all the same.
    """

    tools: Sequence[Tool]
    absent: Mapping[str, str] = field(default_factory=dict[str, str], compare=False, repr=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "tools", tuple(self.tools))
        if len(set(self.names)) < len(self.names):
            raise ValueError(f"two tools of one name: {', '.join(self.names)}")

    @property
    def names(self) -> tuple[str, ...]:
        return tuple(tool.name for tool in self.tools)

    def schemas(self, thought: str = "", *, brief: bool = False) -> tuple[ToolSchema, ...]:
        """For the native wire, under names that it takes.

        ``thought`` describes an optional first field in which the model says why it calls.

        ``brief`` ones have no such field, the first sentence of each tool, and no description of a field.
        """
        if brief:
            return tuple(told_brief(tool.native_schema) for tool in self.tools)
        return tuple(with_thought(told_plainly(tool.native_schema), thought) for tool in self.tools)

    def usage(self, language: str = "en", *, brief: bool = False) -> str:
        return "\n".join(tool.usage(language, brief=brief) for tool in self.tools)

    def find(self, name: str) -> Tool:
        """The tool of that name, or the only one whose name differs in case, quotes and underscores alone.

        Then the only one that had the name before: steps of earlier runs speak of it.
        """
        if exact := next((tool for tool in self.tools if name == tool.name or name == native_name(tool.name)), None):
            return exact
        sought = folded(name)
        for known in (sought, folded(name.strip().rsplit(".", 1)[-1])):
            alike = [tool for tool in self.tools if known in (tool.name, folded(tool.name))]
            if len(alike) == 1:
                return alike[0]
        before = [tool for tool in self.tools if sought in map(folded, (tool.own_name, *tool.former))]
        if len(before) == 1:
            return before[0]
        raise UnknownTool(self._unknown(name))

    def _unknown(self, name: str) -> str:
        said = Text("There is no tool {name}.", name=shortened(name))
        why = [reason for absent, reason in self.absent.items() if folded(absent) == folded(name)]
        if why:
            said = f"The tool {shortened(name)} cannot be used now. {why[0]}"
        if not self.tools:
            return f"{said} No tools can be used here: answer without."
        known = {folded(tool.name): tool.name for tool in self.tools}
        near = [] if why else get_close_matches(folded(name)[:60], list(known), 1)
        said += f" Did you mean ‘{known[near[0]]}’?" if near else ""
        return f"{said} Tools: {', '.join(self.names)}."

    def prepare(self, name: str, text: str) -> Ready:
        """The call that a model's words ask for; raises ``UnknownTool`` or ``BadArguments``, nothing else."""
        name = name.encode("utf-8", "replace").decode()
        tool = self.find(name)
        ready = tool.prepare(text)
        if name == tool.name or name == native_name(tool.name):
            return ready
        renamed = Text("Read the tool {given} as ‘{name}’.", given=shortened(name), name=tool.name)
        return Ready(tool, ready.arguments, (renamed, *ready.repairs))
