"""A kept test: a question with its conversation, what is expected of its answer, and the run that was recorded."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Literal, TypeAlias

from agent.evals.expectations import Expectation, NoError
from agent.events import Answered, Event, Failed
from agent.interface_text import Text
from agent.text.characters import one_line, shows

# replay: the recorded replies, with today's reader, tools and evidence. frozen: a model, with recorded observations.
Mode: TypeAlias = Literal["replay", "frozen", "live"]
MOST_TESTS = 500  # of one set
_MOST_NAME = 80
MODES: tuple[Mode, ...] = ("replay", "frozen", "live")
MODE_NAMES: Mapping[Mode, str] = {
    "replay": Text("Replay: no model is asked"),
    "frozen": Text("Frozen tools: the model anew"),
    "live": Text("Live: model and tools anew"),
}


@dataclass(frozen=True, slots=True)
class KeptTest:
    """``history`` has the turns before the question, oldest first; ``recorded`` is the run that was kept, if any.

    ``id`` is unique in its set.
    """

    id: str
    name: str
    question: str
    expectations: tuple[Expectation, ...] = ()
    history: tuple[Sequence[Event], ...] = ()
    recorded: Sequence[Event] = ()

    @property
    def judged(self) -> tuple[Expectation, ...]:
        """The expectations that are on; that there is an answer, where none is: else a test could not fail."""
        return tuple(each for each in self.expectations if each.on) or (NoError(),)

    @property
    def answer(self) -> str:
        """The answer that was recorded, or ""."""
        last = self.recorded[-1] if self.recorded else None
        return last.text if isinstance(last, Answered) else last.partial if isinstance(last, Failed) else ""


@dataclass(frozen=True, slots=True)
class KeptSet:
    """A named set of tests."""

    name: str
    tests: tuple[KeptTest, ...] = ()
    notes: tuple[str, ...] = field(default=(), compare=False)


def name_of(text: str) -> str:
    """A name of one line of at most 80 characters."""
    return one_line(text, _MOST_NAME)


def named(*texts: str) -> str:
    """A name of the first of the texts that shows anything, or ""."""
    return next((name_of(text) for text in texts if shows(text)), "")
