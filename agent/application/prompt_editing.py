"""The templates that a person may write anew: what each is for, what it must have, and how it reads filled in."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from agent.data.tables.card_texts import HEADING, cards_text
from agent.errors import BadRequest
from agent.interface_text import Text, joined
from agent.loop.limits import for_the_model
from agent.prompts import LANGUAGES, NOTHING_OWN, OPTIONAL, render, source, variables_of
from agent.prompts.labels import LABELS
from agent.settings import Limits
from agent.toolkit.base import Toolbox
from agent.wire.instructions import rules

MOST_CHARACTERS = 8_000


@dataclass(frozen=True, slots=True)
class Template:
    """``title`` and ``purpose`` are for people; ``labels`` are those that the reader of replies must see taught."""

    name: str
    title: str
    purpose: str
    labels: tuple[str, ...] = ()


_STEP = ("thought", "action", "action_input", "observation", "final_answer")
TEMPLATES = (
    Template("react", Text("Reasoning in text"), Text("The instructions where tools are called in text."), _STEP),
    Template("conversational", Text("Conversation in text"), Text("The same, for a model that mostly talks."), _STEP),
    Template(
        "native",
        Text("Tools in the model’s own way"),
        Text("The instructions of a run whose server takes tools itself."),
    ),
    Template("tables", "Tables", Text("What stands before the loaded tables, at the end of the instructions.")),
    Template("merge", Text("Follow-up"), Text("Makes a follow-up and its history one question.")),
    Template("limit", Text("Answer now"), Text("Asks for the best answer at a limit, or when you press Answer now.")),
    Template(
        "insist", Text("Insist on evidence"), Text("Sends back an answer that what was observed does not support.")
    ),
    Template("insist_unseen", Text("Insist, nothing looked up"), Text("Sends back an answer from memory alone.")),
    Template("format", Text("Unreadable reply"), Text("Tells the model what its reply lacks.")),
    Template("repeat", Text("Repeated call"), Text("Tells the model that it made this very call before.")),
)
_NAMED = {template.name: template for template in TEMPLATES}


def template(name: str) -> Template:
    """Raises ``BadRequest`` for a name that is none of ``TEMPLATES``."""
    if name not in _NAMED:
        raise BadRequest.because("There is no such prompt.")
    return _NAMED[name]


def check(language: str, name: str, text: str) -> None:
    """Raises ``BadRequest``, with all that is to be mended, for a text that cannot stand in a template's place."""
    problems = _problems(language, template(name), text)
    if problems:
        raise BadRequest.because(
            "The prompt “{title}” cannot be used: {problems}",
            title=template(name).title,
            problems=joined(" ", problems),
        )


def _problems(language: str, wanted: Template, text: str) -> list[str]:
    if language not in LANGUAGES:
        return [Text("There are no prompts in this language.")]
    if not text.strip():
        return [Text("There is nothing in it.")]
    if len(text) > MOST_CHARACTERS:
        return [Text("It has {count:,} characters; at most {most:,} fit.", count=len(text), most=MOST_CHARACTERS)]
    known, used = variables_of(source(language, wanted.name)), variables_of(text)
    optional = OPTIONAL if known & OPTIONAL else frozenset[str]()
    missing, unknown = _named(known - used - optional), _named(used - known - optional)
    lines = [line.strip() for line in text.splitlines()]
    labels = [getattr(LABELS[language], label) for label in wanted.labels]
    untaught = ", ".join(f"“{label}:”" for label in labels if not any(line.startswith(f"{label}:") for line in lines))
    found = (
        missing and Text("Put in {missing}, which is filled in when it is sent.", missing=missing),
        unknown and Text("Take out {unknown}: nothing is known by that name.", unknown=unknown),
        untaught and Text("Teach {untaught} at the start of a line: the replies are read by it.", untaught=untaught),
    )
    return [problem for problem in found if problem]


def _named(variables: set[str]) -> str:
    return ", ".join(f"${{{name}}}" for name in sorted(variables))


def filled_in(
    language: str,
    name: str,
    tools: Toolbox,
    today: str,
    cards: Sequence[Mapping[str, Any]] = (),
    own: Mapping[str, str] = NOTHING_OWN,
) -> str:
    """A template as a model would read it now; where it speaks of what a run brings, of an example of that.

    Raises ``BadRequest`` as ``check`` does.
    """
    if name in own:
        check(language, name, own[name])
    match template(name).name:
        case "react" | "conversational" | "native":
            return rules(tools, name, language, today, own)
        case "tables":
            return "\n\n".join([render(language, name, own), HEADING, cards_text(cards)])
        case "limit":
            return for_the_model("asked", Limits(), language, own)
        case "insist" | "insist_unseen":
            claim = render(language, "insist_not_found", claim="4,711")
            return render(language, name, own, claims=claim)
        case "format":
            return render(language, name, own, problem="…")
        case "repeat":
            return render(language, name, own, result="…")
        case _:
            return render(language, name, own)
