"""What was said and seen before in the conversation, found again: by its handle, or by words."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

from agent.errors import ToolFailed
from agent.events import Answered, Asked, Event, Failed, Observed, Prepared, ToolCalled
from agent.interface_text import Text
from agent.text.characters import one_line
from agent.text.regex import regex
from agent.toolkit.base import Tool, tool
from agent.tools.spec import Parts, ToolSpec

_PART = 5_000  # characters of an observation that are given at a time
_AROUND = 160  # characters that an excerpt has on both sides of what was found
_MOST_FOUND = 6
_HANDLE = regex(r"\D*?(\d{1,5})(?:\.(\d{1,4}))?\D*")
_WORDS = regex(r"\w+")
_WIDE = regex(r"[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af]{2,}")  # scripts that are written without spaces


def _made(parts: Parts) -> Tool:
    return recall_tool(tuple)


SPEC = ToolSpec(
    "recall",
    Text("Gives back what was said and found earlier in the chat."),
    _made,
    icon="history",
    verbs=(Text("Recalling:"), Text("Recalled:")),
    subject="what",
    told="quoted",
    untrusted=True,
    repeats=True,
)


def recall_tool(turns: Callable[[], Sequence[Sequence[Event]]]) -> Tool:
    """``turns`` gives the events of each turn of the conversation, this one's last; none of one that is left out."""

    @tool(name="recall", pure=True)
    def recall(what: str, start: int = 0) -> str:
        """Gives back earlier parts of this conversation that are shortened or left out above, exactly as they were.

        Args:
            what: The handle of a shortened result, such as 3.2; the number of a question, such as 3; or words to find.
            start: The character to go on from, where a result is given in parts.
        """
        said = [_Turn(number, events) for number, events in enumerate(turns(), 1)]
        handle = _HANDLE.fullmatch(what.strip())
        if handle is None:
            return _found(what, said)
        number, call = int(handle[1]), int(handle[2] or 0)
        turn = next((turn for turn in said if turn.number == number and turn.events), None)
        if turn is None:
            raise ToolFailed(
                f"There is no question {number} to recall. Give another number, or words to find.", "input"
            )
        return turn.observation(call, max(0, start)) if call else turn.overview()

    return SPEC.with_effect(recall)


@dataclass(frozen=True, slots=True)
class _Turn:
    """A turn of the conversation; ``number`` is its place, from 1."""

    number: int
    events: Sequence[Event]

    @property
    def question(self) -> str:
        return next((event.question for event in self.events if isinstance(event, Asked)), "")

    @property
    def answer(self) -> str:
        last = self.events[-1] if self.events else None
        return last.text if isinstance(last, Answered) else last.partial if isinstance(last, Failed) else ""

    def results(self) -> Iterator[tuple[str, str, str]]:
        """Of each call its handle, what was called, and what came of it."""
        begun = max((place for place, event in enumerate(self.events) if isinstance(event, Prepared)), default=0)
        calls: dict[str, str] = {}
        number = 0
        for event in self.events[begun:]:
            if isinstance(event, ToolCalled):
                calls[event.call_id] = f"{event.tool}({event.input})"
            elif isinstance(event, Observed) and event.call_id:
                number += 1
                yield f"{self.number}.{number}", calls.get(event.call_id, ""), event.text

    def overview(self) -> str:
        """The question, the answer, and the calls with their handles."""
        calls = [f"{handle}: {one_line(call, 200)}, {len(text):,} characters" for handle, call, text in self.results()]
        return "\n".join([f"Question {self.number}: {self.question}", f"Answer: {self.answer or '(none)'}", *calls])

    def observation(self, call: int, start: int) -> str:
        """What came of a call, from a character on."""
        found = next((each for each in self.results() if each[0] == f"{self.number}.{call}"), None)
        if found is None:
            raise ToolFailed(
                f"Question {self.number} has no call {call}. Recall “{self.number}” lists its calls.", "input"
            )
        handle, made, text = found
        part = text[start : start + _PART]
        more = len(text) - start - len(part)
        told = f"{handle}, {one_line(made, 200)}:\n{part}"
        return f"{told}\n({more:,} characters more, from start={start + len(part)} on.)" if more > 0 else told

    def texts(self) -> Iterator[tuple[str, str]]:
        """Each text of the turn with what it is."""
        yield f"Question {self.number}", self.question
        yield f"Answer to question {self.number}", self.answer
        for handle, made, text in self.results():
            yield f"Result {handle}, {one_line(made, 120)}", f"{made}\n{text}"


def _found(what: str, turns: Sequence[_Turn]) -> str:
    """The texts that have most of the words, the latest first among equals, each as an excerpt."""
    words = _terms(what)
    hits: list[tuple[int, int, str]] = []
    for turn in turns:
        for name, text in turn.texts():
            folded = text.casefold()
            places = [folded.find(word) for word in words]
            if count := sum(place >= 0 for place in places):
                first = min(place for place in places if place >= 0)
                hits.append((count, turn.number, f"{name}: {_excerpt(text, first)}"))
    if not hits:
        raise ToolFailed(
            "Nothing said or found before has these words. Try others, or the number of a question.", "input"
        )
    hits.sort(key=lambda hit: hit[:2], reverse=True)
    return "\n".join(hit[2] for hit in hits[:_MOST_FOUND])


def _terms(what: str) -> set[str]:
    """The words to look for; of scripts without spaces each two characters that follow each other."""
    folded = what.casefold()
    pairs = {run[place : place + 2] for run in _WIDE.findall(folded) for place in range(len(run) - 1)}
    return pairs | {word for word in _WORDS.findall(_WIDE.sub(" ", folded)) if len(word) > 1 or word.isdigit()}


def _excerpt(text: str, place: int) -> str:
    start, end = max(0, place - _AROUND), place + _AROUND
    return f"{'…' if start else ''}{one_line(text[start:end], 2 * _AROUND)}{'…' if end < len(text) else ''}"
