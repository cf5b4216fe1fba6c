"""Expectations as a person types them: new ones, and other words or numbers in those that there are."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

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
    Speaks,
    UsesTool,
    check,
)
from agent.evals.figure_bounds import as_number
from agent.interface_text import Text

# What a person may add to a test by typing a word or a number.
TYPED: Mapping[str, str] = {
    "figure": Text("A figure"),
    "contains": Text("A text in the answer"),
    "lacks": Text("A text that is not in the answer"),
    "avoids": Text("A tool that is not used"),
    "uses": Text("A tool that is used"),
    "steps": Text("At most so many model calls"),
    "seconds": Text("At most so many seconds"),
    "money": Text("At most so many US dollars"),
    "language": Text("A language, by its code"),
    "matches": Text("A pattern (RE2)"),
    "unknown": Text("It says that this cannot be known"),
}


def typed(kind: str, text: str) -> Expectation:
    """The expectation of a kind of ``TYPED`` that a person typed. Raises ``BadRequest``."""
    said = text.strip()
    made: Expectation
    match kind:
        case "figure":
            made = FigureStands(said)
        case "contains":
            made = Contains(said)
        case "lacks":
            made = Lacks(said)
        case "matches":
            made = Matches(said)
        case "uses":
            made = UsesTool(said)
        case "avoids":
            made = AvoidsTool(said)
        case "language":
            made = Speaks(said.lower())
        case "steps" | "seconds" | "money":
            made = AtMost(kind, float(as_number(said)))
        case _:
            made = CannotBeKnown((said,) if said else ())
    check(made)
    return made


def edited(expectation: Expectation, on: bool, text: str | None = None) -> Expectation:
    """The expectation switched on or off, with the word or number that a person typed in place of its own.

    A figure that is typed has no program any more. Raises ``BadRequest``.
    """
    changed = replace(expectation, on=on)
    if text is None or text.strip() == editable(expectation):
        return changed
    said = text.strip()
    match changed:
        case FigureStands():
            changed = replace(changed, value=said, gold=None, within="")
        case AtMost():
            changed = replace(changed, most=float(as_number(said)))
        case Contains() | Mentions() | Lacks():
            changed = replace(changed, text=said)
        case Matches():
            changed = replace(changed, pattern=said)
        case Speaks():
            changed = replace(changed, language=said.lower())
        case _:
            pass
    check(changed)
    return changed


def editable(expectation: Expectation) -> str | None:
    """What of it a person can type anew; ``None`` where there is nothing."""
    match expectation:
        case FigureStands():
            return expectation.value
        case AtMost():
            return f"{expectation.most:g}"
        case Contains() | Mentions() | Lacks():
            return expectation.text
        case Matches():
            return expectation.pattern
        case Speaks():
            return expectation.language
        case _:
            return None
