"""Whether a run does what a test expects of it: one grade for each expectation, with the reason in a sentence."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from typing import Annotated

from pydantic import Field

from agent.errors import BadRequest
from agent.evals.expectations import (
    AtMost,
    AvoidsTool,
    CannotBeKnown,
    Contains,
    Expectation,
    FigureStands,
    Lacks,
    Matches,
    Mentions,
    NoError,
    OnlyTools,
    Speaks,
    Traced,
    UsesTool,
)
from agent.evals.figure_bounds import as_number, tolerance
from agent.evals.gold import Programs, calls_of, figures_of, signed
from agent.evals.kept_test import KeptTest
from agent.evals.languages import is_in, language_of
from agent.evals.unknowns import says_unknown
from agent.events import Event, Observed, ToolCalled
from agent.evidence import Evidence, check, earlier_turns
from agent.inner_runs import all_events
from agent.interface_text import Text, joined
from agent.messages import Value, is_empty
from agent.text.linear_patterns import matches
from agent.text.quantities.figures import Figure
from agent.text.quantities.units import Unit
from agent.views.fold import RunView, fold

_MOST_SHOWN = 5


@dataclass(frozen=True, slots=True)
class Grade(Value):
    """Whether an expectation ``held``, as a sentence. ``type`` is the expectation's, ``why`` is "" where it held.

    ``changed`` says that the data are not those of when the test was kept.
    """

    held: bool
    type: str
    said: Text
    why: Text | None = None
    changed: Annotated[bool, Field(exclude_if=is_empty)] = False


def grade(test: KeptTest, events: Sequence[Event], programs: Programs) -> tuple[Grade, ...]:
    """A grade for each expectation of the test that is on, in their order."""
    run = _Run(test, events, programs)
    return tuple(_grade(each, run) for each in test.judged)


class _Run:
    """What a run is judged by, each worked out once where an expectation asks for it."""

    def __init__(self, test: KeptTest, events: Sequence[Event], programs: Programs) -> None:
        self.test, self.events, self.programs = test, events, programs

    @cached_property
    def view(self) -> RunView:
        return fold(self.events)

    @property
    def answer(self) -> str:
        return self.view.answer

    @cached_property
    def evidence(self) -> Evidence:
        return check(self.events, earlier_turns(self.test.history))

    @cached_property
    def figures(self) -> list[Figure]:
        return [reading for figure in figures_of(self.answer) for reading in figure.readings]

    @cached_property
    def asked(self) -> set[tuple[Fraction, str]]:
        """The figures of the question, with the names of their units."""
        return {(signed(one), one.unit.name if one.unit else "") for one in figures_of(self.test.question)}

    @cached_property
    def called(self) -> list[str]:
        """The own names of all tools that were called."""
        return [event.own_name for event in all_events(self.events) if isinstance(event, ToolCalled)]

    @cached_property
    def errors(self) -> list[str]:
        """The kinds of what went wrong on the way."""
        seen = (event.error for event in all_events(self.events) if isinstance(event, Observed))
        return [error for error in seen if error and error != "insist"]

    @cached_property
    def changed(self) -> str:
        """The tool that gives something else now than when the test was kept, or ""."""
        return self.programs.changed(self.test.recorded)


def _grade(expectation: Expectation, run: _Run) -> Grade:
    changed = False
    match expectation:
        case FigureStands():
            why, changed = _figure(expectation, run)
        case Traced():
            why = _traced(expectation, run)
        case NoError():
            why = _no_error(expectation, run)
        case AtMost():
            why = _at_most(expectation, run)
        case UsesTool() | AvoidsTool() | OnlyTools():
            why = _tools(expectation, run)
        case _:
            why = _words(expectation, run)
    return Grade(why is None, expectation.type, expectation.said, why, changed)


def _figure(expectation: FigureStands, run: _Run) -> tuple[Text | None, bool]:
    """Why the figure does not stand in the answer, and whether the data changed."""
    kept = as_number(expectation.value)
    target, changed = kept, False
    if expectation.gold:
        now = run.programs.value(expectation.gold)
        if now.value is None:
            tool = expectation.gold.tool
            return Text(
                "The figure cannot be worked out any more: {tool} says: {why}", tool=tool, why=now.problem
            ), True
        target, near = now.value, tolerance(expectation.value, expectation.within)
        changed = abs(target - kept) > near
    near = tolerance(expectation.value, expectation.within, target)
    if any(_stands(figure, target, near, expectation.unit, run.asked) for figure in run.figures):
        return None, changed
    there = _shown(run.figures, run.answer)
    digits = _digits(target, expectation.value)
    unit = f" {expectation.unit}" if expectation.unit else ""
    said: list[Text] = []
    if changed:
        said.append(
            Text(
                "The data changed: it was {before} when this was kept, and is {now} now.",
                before=expectation.value,
                now=digits,
            )
        )
    said.append(
        Text("{figure} is not in the answer, which has {there}.", figure=f"{digits}{unit}", there=there)
        if there
        else Text("{figure} is not in the answer, which has no figures.", figure=f"{digits}{unit}")
    )
    if not expectation.gold and run.changed:
        changed = True
        said.append(
            Text(
                "The data changed since this was kept: {tool} gives another result now. This figure was typed, so it "
                "does not follow them.",
                tool=run.changed,
            )
        )
    return joined(" ", said), changed


def _unit(name: str) -> Unit | None:
    """The unit of that name, as an answer would write it; ``None`` where it is not known."""
    return next((figure.unit for figure in figures_of(f"1 {name}") if figure.unit), None)


def _stands(figure: Figure, target: Fraction, near: Fraction, unit: str, asked: set[tuple[Fraction, str]]) -> bool:
    """Whether a figure of the answer is the wanted one. In another unit it may be, unless the question has it so."""
    value, wanted = signed(figure), _unit(unit) if unit else None
    if not unit or (figure.unit and figure.unit.name in (unit, wanted.name if wanted else "")):
        return abs(value - target) <= near
    if figure.unit is None or wanted is None:
        return False
    if figure.unit.dimension != wanted.dimension or (value, figure.unit.name) in asked:
        return False
    value = (value * figure.unit.factor + figure.unit.offset - wanted.offset) / wanted.factor
    return abs(value - target) <= near


def _shown(figures: Sequence[Figure], answer: str) -> str:
    texts = dict.fromkeys(answer[figure.start : figure.end].strip() for figure in figures)
    return ", ".join([*texts][:_MOST_SHOWN])


def _digits(target: Fraction, kept: str) -> str:
    """The figure with as many decimals as were kept."""
    return f"{float(target):.{len(kept.partition('.')[2])}f}"


def _traced(expectation: Traced, run: _Run) -> Text | None:
    doubtful = [claim.text for claim in run.evidence.claims if claim.doubtful]
    if len(doubtful) <= expectation.doubtful:
        return None
    return Text("Nothing that was observed says {claims}.", claims=", ".join(doubtful[:_MOST_SHOWN]))


def _no_error(expectation: NoError, run: _Run) -> Text | None:
    if run.view.state != "answered":
        failure = run.view.failure or Text("There is no answer.")
        return failure if isinstance(failure, Text) else Text("{said}", said=failure)
    if not (expectation.calls and run.errors):
        return None
    failed = dict.fromkeys(called.own_name for called, seen in calls_of(run.events) if seen.error)
    if not failed:
        return Text("A reply could not be read, and was asked for again.")
    return Text("Calls that failed: {tools}.", tools=", ".join(failed))


def _at_most(expectation: AtMost, run: _Run) -> Text | None:
    view = run.view
    match expectation.what:
        case "steps":
            taken = float(view.replies)
        case "tokens":
            taken = float(view.usage.total)
        case "seconds":
            taken = view.seconds
        case "money":
            if view.price is None:
                return Text("What it cost is not known: this model has no price here.")
            taken = float(view.price.amount)
    return None if taken <= expectation.most else Text("It took {taken}.", taken=f"{taken:,.6g}")


def _tools(expectation: UsesTool | AvoidsTool | OnlyTools, run: _Run) -> Text | None:
    called = ", ".join(dict.fromkeys(run.called))
    match expectation:
        case UsesTool(tool=tool):
            if tool not in run.called:
                return (
                    Text("It was not called. Called were: {called}.", called=called)
                    if called
                    else Text("No tool was called.")
                )
            answered = any(made.own_name == tool and not seen.error for made, seen in calls_of(run.events))
            return None if answered else Text("It was called, and failed each time.")
        case AvoidsTool(tool=tool):
            return Text("It was called.") if tool in run.called else None
        case OnlyTools(tools=tools):
            others = [name for name in dict.fromkeys(run.called) if name not in tools]
            return Text("Called were: {called}.", called=", ".join(others)) if others else None


def _words(expectation: Expectation, run: _Run) -> Text | None:
    answer = run.answer
    match expectation:
        case Mentions(text=text) | Contains(text=text):
            return None if _plain(text) in _plain(answer) else Text("It is not in the answer.")
        case Lacks(text=text):
            return Text("It is in the answer.") if _plain(text) in _plain(answer) else None
        case Matches(pattern=pattern):
            return _matches(pattern, answer)
        case Speaks(language=language):
            return None if is_in(answer, language) else Text("It reads as {language}.", language=language_of(answer))
        case CannotBeKnown(words=words):
            if not says_unknown(answer, words):
                return Text("The answer does not say so.")
            claimed = [claim.text for claim in run.evidence.claims if claim.doubtful and claim.kind == "number"]
            return (
                Text("It claims {claims} all the same.", claims=", ".join(claimed[:_MOST_SHOWN])) if claimed else None
            )
        case _:
            return None


def _plain(text: str) -> str:
    return " ".join(text.replace("**", "").split()).casefold()


def _matches(pattern: str, answer: str) -> Text | None:
    try:
        found = matches(pattern, answer)
    except BadRequest:
        return Text("The pattern cannot be read.")
    return None if found else Text("Nothing in the answer matches.")
