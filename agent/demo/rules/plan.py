"""What an ability is made of: a question goes in, a plan comes out, its steps are calls, it ends in something said."""

from __future__ import annotations

import json
from collections.abc import Callable, Generator
from dataclasses import dataclass
from datetime import date
from typing import TYPE_CHECKING, TypeAlias

from agent.demo.phrasebook import tell
from agent.text.sums.phrases import Language, Value

if TYPE_CHECKING:
    from agent.data.tables.questions.table_schema import Table

CALCULATOR = "calculator"
SEARCH = "search"
WEATHER = "weather"
NOW = "now"
CONVERT = "convert"
DOCUMENTS = "documents"
QUERY = "query"
CHART = "chart"


@dataclass(frozen=True, slots=True)
class Question:
    """One question, or one part of a longer one: ``text`` as typed, ``today`` and ``tables`` where the prompt tells.

    ``tools`` are those there are; ``has_documents``: beside the handbook.
    """

    text: str
    language: Language
    today: date | None = None
    tables: tuple[Table, ...] = ()
    tools: tuple[str, ...] = ()
    has_documents: bool = False

    def tell(self, name: str, /, **values: str | int) -> str:
        """One of the demo's sentences, in the language of the question."""
        return tell(self.language, name, **values)


@dataclass(frozen=True, slots=True)
class Call:
    """A tool call and the sentence that says why it is made."""

    tool: str
    input: str
    thought: str


@dataclass(frozen=True, slots=True)
class Said:
    """The end of a plan: a sentence, the value it ends in if there is one, and what could be asked next.

    ``declined``: the rules will not answer, and ``text`` says why; ``final``: nor parts of it; ``hint``: of a table;
    ``near``: what could be asked next is near the question; ``asks``: what the person has left open.
    """

    text: str
    value: Value | None = None
    next_questions: tuple[str, ...] = ()
    declined: bool = False
    final: bool = False
    hint: bool = False
    near: bool = False
    asks: bool = False


Steps: TypeAlias = Generator[Call, str, Said]


@dataclass(frozen=True, slots=True)
class Plan:
    """``steps()`` yields calls and is sent what each one gave: a number's text, or the lines that a search found.

    It is started anew for every reply and never sent a failure: a failed call ends the plan before. ``sample`` has
    the unit of the value that the plan ends in, so that a following part can be read before this one is worked out.
    ``both``: it answers two questions.
    """

    steps: Callable[[], Steps]
    sample: Value | None = None
    both: bool = False


def asked_clock(question: Question, why: str, **arguments: str) -> Call:
    """The call of the tool ``now`` with those of the arguments that say something; ``why`` names the sentence."""
    given = {name: value for name, value in arguments.items() if value}
    return Call(NOW, json.dumps(given, ensure_ascii=False), question.tell(why))
