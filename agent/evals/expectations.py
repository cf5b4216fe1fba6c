"""What a kept test expects of an answer: one closed union of frozen values, each ``said`` in a sentence for people.

Each is on or off; what is off is kept and not judged. ``grades`` judges them.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cache
from typing import Annotated, Literal, TypeAlias

from pydantic import Field, JsonValue, TypeAdapter, ValidationError

from agent.errors import BadRequest
from agent.evals.figure_bounds import as_number, tolerance
from agent.evals.languages import language_name
from agent.interface_text import Text, joined
from agent.messages import Value, is_empty
from agent.text.linear_patterns import matches
from agent.text.regex import regex
from agent.tools import calculator, convert
from agent.tools.own_data import query, query_database

Amount: TypeAlias = Literal["steps", "tokens", "money", "seconds"]
MOST_TEXT = 500  # characters of what is to be contained or matched
MOST_EXPECTATIONS = 60
# Tools whose calls are whole programs: given the same data, the same call gives the same figure. No other tool is run
# for a figure, since an imported file may name any.
PROGRAMS = tuple(spec.name for spec in (query.SPEC, query_database.SPEC, calculator.SPEC, convert.SPEC))
# By what an answer's figure may differ from what a program gives: percent, thousands, millions.
SCALES = ("1", "100", "0.01", "0.001", "0.000001", "1000")
_LANGUAGE = regex(r"[a-z]{2,3}")
_AMOUNTS: dict[Amount, str] = {
    "steps": Text("model calls"),
    "tokens": Text("tokens"),
    "money": Text("US dollars"),
    "seconds": Text("seconds"),
}


@dataclass(frozen=True, slots=True)
class Gold(Value):
    """The program that gives a figure: a call of a tool, and where in its result the figure stands.

    In a table it is in ``column``, in the first row whose cells are those of ``row``, else in row ``number`` (from 0).
    In a text it is the figure at ``number``. ``scale`` is what it is multiplied by: 100 where the answer has percent.
    """

    tool: str
    arguments: Mapping[str, JsonValue]
    column: str = ""
    row: Annotated[Mapping[str, JsonValue], Field(exclude_if=is_empty)] = field(default_factory=dict[str, JsonValue])
    number: Annotated[int, Field(exclude_if=is_empty)] = 0
    scale: str = "1"


@dataclass(frozen=True, slots=True)
class FigureStands(Value):
    """A figure stands in the answer: ``value`` as it was kept, or what its ``gold`` program gives now.

    ``within`` says how exactly: an amount, or one in percent; "" is half a unit of the last digit of ``value``.
    ``unit`` is the name of a unit of ``agent.text.quantities.units``, or "" for any.
    """

    value: str
    unit: str = ""
    within: str = ""
    gold: Gold | None = None
    on: bool = True
    type: Literal["figure"] = "figure"

    @property
    def said(self) -> Text:
        figure = f"{self.value} {self.unit}".strip()
        within = self.within.strip().lstrip("±").strip()
        said = Text("The figure {figure}", figure=figure)
        if within:
            said = Text("The figure {figure} (±{within})", figure=figure, within=within)
        return joined(", ", [said, Text("worked out anew by {tool}", tool=self.gold.tool)]) if self.gold else said


@dataclass(frozen=True, slots=True)
class Traced(Value):
    """At most ``doubtful`` claims of the answer are such that nothing that was observed says so."""

    doubtful: int = 0
    on: bool = True
    type: Literal["traced"] = "traced"

    @property
    def said(self) -> Text:
        if not self.doubtful:
            return Text("Every figure and name can be traced")
        return Text("At most {n} claim cannot be traced", "At most {n} claims cannot be traced", n=self.doubtful)


@dataclass(frozen=True, slots=True)
class Mentions(Value):
    """A name or a link stands in the answer, whatever its case."""

    text: str
    on: bool = True
    type: Literal["mentions"] = "mentions"

    @property
    def said(self) -> Text:
        return Text("It names {text}", text=self.text)


@dataclass(frozen=True, slots=True)
class UsesTool(Value):
    """The tool of that own name is called, and answers at least once."""

    tool: str
    on: bool = True
    type: Literal["uses"] = "uses"

    @property
    def said(self) -> Text:
        return Text("{tool} is used", tool=self.tool)


@dataclass(frozen=True, slots=True)
class AvoidsTool(Value):
    """The tool of that own name is not called."""

    tool: str
    on: bool = True
    type: Literal["avoids"] = "avoids"

    @property
    def said(self) -> Text:
        return Text("{tool} is not used", tool=self.tool)


@dataclass(frozen=True, slots=True)
class OnlyTools(Value):
    """No other tools are called than these may be."""

    tools: tuple[str, ...]
    on: bool = True
    type: Literal["only"] = "only"

    @property
    def said(self) -> Text:
        if not self.tools:
            return Text("No tool is used")
        return Text("No other tool is used than {tools}", tools=", ".join(self.tools))


@dataclass(frozen=True, slots=True)
class NoError(Value):
    """The run ends in an answer; with ``calls``, no call failed and no reply had to be asked for again either."""

    calls: bool = False
    on: bool = True
    type: Literal["no_error"] = "no_error"

    @property
    def said(self) -> Text:
        return Text("There is an answer, and no call fails") if self.calls else Text("There is an answer")


@dataclass(frozen=True, slots=True)
class AtMost(Value):
    """The run takes at most so many model calls, tokens, US dollars or seconds."""

    what: Amount
    most: float
    on: bool = True
    type: Literal["at_most"] = "at_most"

    @property
    def said(self) -> Text:
        return Text("At most {most} {what}", most=f"{self.most:,g}", what=_AMOUNTS[self.what])


@dataclass(frozen=True, slots=True)
class Speaks(Value):
    """The answer is in the language of that ISO 639-1 code, as far as its length lets one say."""

    language: str
    on: bool = True
    type: Literal["language"] = "language"

    @property
    def said(self) -> Text:
        return Text("The answer is in {language}", language=language_name(self.language))


@dataclass(frozen=True, slots=True)
class CannotBeKnown(Value):
    """The answer says that it cannot be known, by one of ``words`` or, without any, by words usual for that.

    It may then claim no figure that nothing observed says.
    """

    words: tuple[str, ...] = ()
    on: bool = True
    type: Literal["unknown"] = "unknown"

    @property
    def said(self) -> Text:
        return Text("It says that this cannot be known")


@dataclass(frozen=True, slots=True)
class Contains(Value):
    """The text stands in the answer, whatever its case and its spaces."""

    text: str
    on: bool = True
    type: Literal["contains"] = "contains"

    @property
    def said(self) -> Text:
        return Text("It contains “{text}”", text=self.text)


@dataclass(frozen=True, slots=True)
class Matches(Value):
    """A part of the answer matches the regular expression, in the syntax of RE2."""

    pattern: str
    on: bool = True
    type: Literal["matches"] = "matches"

    @property
    def said(self) -> Text:
        return Text("It matches {pattern}", pattern=self.pattern)


@dataclass(frozen=True, slots=True)
class Lacks(Value):
    """The text does not stand in the answer, whatever its case and its spaces."""

    text: str
    on: bool = True
    type: Literal["lacks"] = "lacks"

    @property
    def said(self) -> Text:
        return Text("It does not contain “{text}”", text=self.text)


Expectation: TypeAlias = (
    FigureStands | Traced | Mentions | UsesTool | AvoidsTool | OnlyTools | NoError | AtMost | Speaks | CannotBeKnown
    | Contains | Matches | Lacks
)  # fmt: skip


@cache
def adapter() -> TypeAdapter[tuple[Expectation, ...]]:
    """Reads and writes expectations."""
    return TypeAdapter(tuple[Annotated[Expectation, Field(discriminator="type")], ...])


def read_expectations(value: object) -> tuple[Expectation, ...]:
    """The expectations in parsed JSON. Raises ``BadRequest`` for what is none."""
    try:
        read = adapter().validate_python(value)
    except ValidationError as error:
        first = error.errors(include_input=False, include_url=False, include_context=False)[0]
        place = ".".join(str(part) for part in first["loc"])
        raise BadRequest.because(
            "An expectation cannot be read: {place}: {why}", place=place, why=first["msg"]
        ) from None
    if len(read) > MOST_EXPECTATIONS:
        raise BadRequest.because("A test may have {most} expectations.", most=MOST_EXPECTATIONS)
    for each in read:
        check(each)
    return read


def check(expectation: Expectation) -> None:
    """Raises ``BadRequest`` where it can never be judged."""
    match expectation:
        case FigureStands():
            _check_figure(expectation)
        case Contains(text=text) | Mentions(text=text) | Lacks(text=text):
            _check_text(text.replace("**", ""))
        case Matches(pattern=pattern):
            _check_pattern(pattern)
        case CannotBeKnown(words=words):
            for word in words:
                _check_text(word)
        case AtMost() | Traced():
            _check_bound(expectation)
        case UsesTool(tool=tool) | AvoidsTool(tool=tool):
            _check_text(tool)
        case Speaks(language=language):
            if not _LANGUAGE.fullmatch(language):
                raise BadRequest.because("{text} is no code of a language, as en or ja are.", text=language[:60])
        case _:
            pass


def _check_figure(expectation: FigureStands) -> None:
    as_number(expectation.value)
    tolerance(expectation.value, expectation.within)
    gold = expectation.gold
    if gold and not (gold.tool in PROGRAMS and gold.scale in SCALES):
        raise BadRequest.because("A figure is worked out by {tools} alone.", tools=", ".join(PROGRAMS))


def _check_pattern(pattern: str) -> None:
    _check_text(pattern)
    if matches(pattern, "") and matches(pattern, "\x01"):
        raise BadRequest.because("This pattern matches any text.")


def _check_text(text: str) -> None:
    if not text.strip() or len(text) > MOST_TEXT:
        raise BadRequest.because("A text to look for has 1 to {most} characters.", most=MOST_TEXT)


def _check_bound(expectation: AtMost | Traced) -> None:
    if isinstance(expectation, Traced):
        held = expectation.doubtful >= 0
    else:
        held = 0 < expectation.most < float("inf") and (expectation.most >= 1 or expectation.what != "steps")
    if not held:
        raise BadRequest.because("A bound is a number above 0.")
