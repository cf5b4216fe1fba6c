"""The reader of the text wire for the loop: one reply's deltas in, its reading out."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from agent.events import TextDelta, ToolSchema
from agent.interface_text import Text
from agent.models.protocol import Delta
from agent.text.lenient_json import read as read_json
from agent.toolkit.base import Tool
from agent.wire.opening_thought import without_thought
from agent.wire.outcomes import Action, Answer, Calls, Malformed
from agent.wire.react.doubts import COPIED, CUT_OFF, is_copied
from agent.wire.react.reader import ReactReader

_OWN_FORM = Text("took a call in the model's own form")


class ReactStream:
    """Reads labels; where there are none, calls that the model wrote in a form of its own, all of them.

    ``tools`` are those that are declared, ``seen`` and ``intentions`` are as in ``ReactReader``. Reasoning that the
    server sends beside the text is told as thought, and is the reading's thought only where the text has none.
    """

    def __init__(
        self, tools: Sequence[ToolSchema | Tool] = (), seen: Sequence[str] = (), *, intentions: bool = False
    ) -> None:
        self._tools = {tool.name: tool.parameters for tool in tools}
        self._seen = seen
        self._reader = ReactReader(tuple(self._tools), seen, intentions=intentions)
        self._text: list[str] = []
        self._reasoning: list[str] = []
        self._ended = True

    @property
    def done(self) -> bool:
        return self._reader.done

    def feed(self, delta: Delta) -> Sequence[TextDelta]:
        text = delta.text
        self._text.append(text)
        if delta.finish == "length":
            self._ended = False
        if not delta.reasoning:
            return self._reader.feed(text)
        self._reasoning.append(delta.reasoning)
        return (TextDelta("thought", delta.reasoning), *self._reader.feed(text))

    def close(self) -> Action | Calls | Answer | Malformed:
        reading = self._reader.close()
        if not self._reader.labelled and (calls := self._own_form(reading)):
            reading = calls
        elif isinstance(reading, Action) and self._is_cut(reading):
            reading = Malformed(problem=CUT_OFF, thought=reading.thought)
        return reading if reading.thought else replace(reading, thought="".join(self._reasoning).strip())

    def _is_cut(self, action: Action) -> bool:
        """Whether the server ended the reply where the input of its call may go on: 37*4 may be the half of 37*43."""
        if self._ended or action.cut is not None:
            return False
        found = read_json(action.input)
        return not (found and found.strict and isinstance(found.value, dict))

    def _own_form(self, reading: Action | Answer | Malformed) -> Calls | Malformed | None:
        """The calls of a text without labels, unless it was read right already, as one call with clean arguments."""
        # Who writes labels, as the demo model does, waits for no other forms.
        from agent.wire.dialects.finder import find

        text = said = "".join(self._text)
        size = len(text)
        found = find(said, self._tools, ended=self._ended)
        # A message that is nothing but a call may have a thought before it.
        if not found and (bare := without_thought(text)) != text:
            size, said = len(text.rstrip()), bare
            found = find(said, self._tools, ended=self._ended)
        if not found or not found.calls:
            return None
        if len(found.calls) == 1 and isinstance(reading, Action) and reading.input.lstrip().startswith("{"):
            return None
        written = said[len(found.before) :].removesuffix(found.invented)
        if is_copied(written, self._seen):
            return Malformed(problem=COPIED)
        return Calls(
            actions=tuple([Action(call.name, call.arguments) for call in found.calls]),
            thought=(isinstance(reading, Answer) and found.before.strip()) or reading.thought,
            cut=size - len(found.invented) if found.invented else None,
            repairs=(_OWN_FORM,),
        )
