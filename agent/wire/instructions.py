"""What a model is told before all questions: the rules with the tools, the person's notes, databases and tables."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import date
from typing import Any, Literal, TypeAlias

from agent.data.databases import database_cards
from agent.data.tables.card_texts import HEADING, cards_text
from agent.events import Prepared, StyleName
from agent.prompts import NOTHING_OWN, render
from agent.text.quantities.dates import WEEKDAYS
from agent.toolkit.arguments.schema_text import told_shortly
from agent.toolkit.base import Tool, Toolbox
from agent.wire.observation import fence

PartOfInstructions: TypeAlias = Literal["rules", "notes", "databases", "tables"]
# The parts of the instructions, in the order in which they are told.
PARTS: tuple[PartOfInstructions, ...] = ("rules", "notes", "databases", "tables")
CALCULATOR = "calculator"
# The templates of worked examples, by the tool that they show.
_EXAMPLES = {
    CALCULATOR: "example_sum",
    "search": "example_lookup",
    "wikipedia": "example_lookup",
    "documents": "example_handbook",
}
_LINES_OF_A_CALL = 4  # the question, the thought, the action and its input


def instructions(
    tools: Toolbox,
    wire: str,
    language: str,
    today: str,
    cards: Sequence[Mapping[str, Any]] = (),
    databases: Sequence[Mapping[str, Any]] = (),
    style: StyleName = "react",
    own: Mapping[str, str] = NOTHING_OWN,
    notes: Sequence[str] = (),
    brief: bool = False,
    sums: bool = False,
) -> dict[str, str]:
    """The parts of the instructions that there are, by name, in the order of ``PARTS``.

    ``today`` is an ISO date, ``cards`` are of the loaded tables and the ``databases``. ``style`` is that of the text
    wire; ``own`` templates as in ``render``; ``notes`` are the person's. ``brief`` lists the tools in a line each;
    ``sums`` as in ``for_sums`` in place of the rules.
    """
    template = "native" if wire == "native" else style
    told = for_sums(tools, language) if sums else rules(tools, template, language, today, own, brief)
    parts = {"rules": told}
    if notes:
        parts["notes"] = notes_part(language, notes)
    if databases:
        known = f"{database_cards.HEADING}\n\n{database_cards.cards_text(databases)}"
        parts["databases"] = f"{render(language, 'databases', own)}\n\n{known}"
    if cards:
        parts["tables"] = f"{render(language, 'tables', own)}\n\n{HEADING}\n\n{cards_text(cards)}"
    return parts


def rules(
    tools: Toolbox,
    template: str,
    language: str,
    today: str,
    own: Mapping[str, str] = NOTHING_OWN,
    brief: bool = False,
) -> str:
    """The first part of the instructions, by the ``template`` of native calls or of a style of the text wire.

    Where it is ``brief``, reasoning in text is taught by the worked example alone, unless a person has a template of
    their own for it.
    """
    day = day_told(language, today)
    if template == "native":
        return render(language, template, own, today=day)
    listed, names = tools.usage(language, brief=brief), ", ".join(tools.names)
    example = worked_example(tools, language, brief)
    name = "short" if brief and example and template == "react" and template not in own else template
    return render(language, name, own, today=day, tools=listed, names=names, example=example).rstrip()


def for_sums(tools: Toolbox, language: str) -> str:
    """The rules for sums alone: the tools by their names, and a worked example of the calculator; "" without that.

    What another tool takes is told by what comes of a call that does not fit. No sum hangs on the day.
    """
    named = next((tool.name for tool in tools.tools if tool.own_name == CALCULATOR), "")
    return render(language, "short_sum", names=", ".join(tools.names), tool=named) if named else ""


def worked_example(tools: Toolbox, language: str, brief: bool = False) -> str:
    """Whole exchanges, as far as there are tools for them: a sum, a look-up, and what is asked of the app itself.

    "" where there are none. A ``brief`` one has of all but the first the call alone.
    """
    found: dict[str, str] = {}
    for tool in tools.tools:
        kind = _EXAMPLES.get(tool.own_name)
        if kind and kind not in found:
            found[kind] = render(language, kind, tool=tool.name)
    first, *others = [found[kind] for kind in sorted(found, reverse=True)] or [""]
    others = ["\n".join(each.splitlines()[:_LINES_OF_A_CALL]) if brief else each for each in others]
    exchanges = "\n\n".join((first, *others))
    asks = next((tool for tool in tools.tools if tool.own_name == "ask_user"), None)
    asking = render(language, "example_asking", tool=asks.name) if asks else ""
    return render(language, "example", exchanges=exchanges, asking=asking) if found else ""


def lead_to(tools: Sequence[Tool], language: str) -> str:
    """What stands right before a question in a short prompt: the ``tools`` that it most likely needs, and a label."""
    label = render(language, "question")
    lines = "\n".join(told_shortly(tool.name, tool.description, tool.parameters) for tool in tools)
    return f"{render(language, 'likely', tools=lines)}\n\n{label}" if lines else label


def without_echoes(questions: Sequence[str], prepared: Prepared) -> tuple[str, ...]:
    """Suggested questions but for those that the rules have word for word, in their example or as a placeholder."""
    rules_told = prepared.system[: prepared.sizes.get("rules")].casefold()
    return tuple(question for question in questions if question.casefold() not in rules_told)


def day_told(language: str, today: str) -> str:
    """An ISO date with its weekday; "" stays, as does a date in a language that has no prompts."""
    if not today or language not in WEEKDAYS:
        return today
    weekday = WEEKDAYS[language][date.fromisoformat(today).isoweekday() % 7]
    return f"{today}（{weekday}）" if language == "ja" else f"{weekday}, {today}"


def notes_part(language: str, notes: Sequence[str]) -> str:
    """The person's notes under their heading."""
    return render(language, "notes", notes=fence("\n".join(f"- {note}" for note in notes)))
