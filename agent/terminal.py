"""Events → lines in a terminal, as they come."""

from __future__ import annotations

from agent.events import Answered, Event, Failed, Merged, Observed, Replied, TextDelta, ToolCalled

_TITLES = {"thought": "Thought: ", "answer": "\nFinal Answer: "}


class Terminal:
    """Prints a run; remembers only which line is open and what was streamed since the last reply."""

    def __init__(self) -> None:
        self._channel = ""
        self._streamed = {"thought": "", "answer": ""}

    def show(self, event: Event) -> None:
        """Print what is new in ``event``."""
        if isinstance(event, TextDelta):
            self._stream(event)
            return
        for line in _step(event, self._streamed["thought"]) or _end(event, self._streamed["answer"]):
            self._line(line)
        if isinstance(event, Observed | Answered | Failed):
            self._close()
            self._streamed = {"thought": "", "answer": ""}

    def _stream(self, delta: TextDelta) -> None:
        if delta.channel != self._channel:
            self._close()
            print(_TITLES[delta.channel], end="")
            self._channel = delta.channel
        self._streamed[delta.channel] += delta.text
        print(delta.text, end="", flush=True)

    def _line(self, text: str) -> None:
        self._close()
        print(text, flush=True)

    def _close(self) -> None:
        if self._channel:
            print()
        self._channel = ""


def _step(event: Event, streamed: str) -> list[str]:
    match event:
        case Merged() if event.error:
            return [f"Taken as typed: the history could not be merged. {event.error}"]
        case Merged():
            return [f"Understood as: {event.question}"]
        case Replied():
            thought = [f"Thought: {event.thought}"] if event.thought and event.thought != streamed.strip() else []
            return thought + [f"  ({note})" for note in (*event.notes, *event.repairs)]
        case ToolCalled():
            return [f"Action: {event.tool}", f"Action Input: {event.input}"]
        case Observed():
            return [f"Observation: {event.text}"]
        case _:
            return []


def _end(event: Event, streamed: str) -> list[str]:
    match event:
        case Answered():
            answer = [] if event.text == streamed.strip() else [f"\nFinal Answer: {event.text}"]
            return answer + [f"  - {question}" for question in event.next_questions]
        case Failed():
            partial = [f"So far: {event.partial}"] if event.partial and event.partial != streamed.strip() else []
            return [*partial, f"\nFailed: {event.message}"]
        case _:
            return []
