"""Native tool calls: the deltas of a reply become calls, an answer, or something to be repaired.

The shape is that of OpenAI's chat completions (https://platform.openai.com/docs/api-reference/chat-streaming), read
with patience: servers differ in how they number, name and cut the fragments of a call, and some models write their
calls, labels and thoughts into the content although they were given tools.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace
from typing import Literal

from agent.events import TextDelta, ToolSchema
from agent.interface_text import Text
from agent.models.protocol import CallDelta, Delta
from agent.text.lenient_json import read as read_json
from agent.text.regex import regex
from agent.wire import labelled_call
from agent.wire.call_pieces import calls_of
from agent.wire.dialects.finder import Found, find
from agent.wire.dialects.held_text import HeldText
from agent.wire.dialects.openers import LEFTOVERS, starts_of
from agent.wire.dialects.told_calls import TEXT_CALL
from agent.wire.opening_thought import apart
from agent.wire.outcomes import Action, Answer, Calls, Malformed
from agent.wire.react import reader as react
from agent.wire.react.doubts import COPIED, CUT_OFF, is_copied

_OPENINGS = ("<think>", "<thinking>", "<thought>")
# The end of each, or what it begins with at the end of a text that goes on.
_CLOSINGS = {
    tag: regex("|".join([end, *(rf"{start}\Z" for start in starts_of([end]))]), re.IGNORECASE)
    for tag, end in ((tag, f"</{tag[1:]}") for tag in _OPENINGS)
}
_LONGEST_OPENING = max(map(len, _OPENINGS))
_TAGS = regex(r"</?(?:think|thinking|thought|reasoning)>|<\|\w+\|>", re.IGNORECASE)
_MARKS_ONLY = regex(rf"(?:{LEFTOVERS.pattern}|\s)*+")
_CHANNELS = ("<|channel|>", "<|start|>")
_MESSAGE = regex(r"<\|message\|>(.*?)(?:<\|(?:end|start)\|>|\Z)", re.S)
_CUT_CALL = Text("left out a call that was cut off")
_BROKEN = "It has a call that cannot be read. Make the call again, in the form in which tools are called here."
_NOTHING = "It was empty. Call a tool, or write the answer."
_ONLY_THOUGHT = "It had a thought only. Call a tool, or write the answer."


class NativeReader:
    """Reads one reply: ``feed`` its deltas, ``close`` once. How text and arguments are cut changes nothing.

    Content is told as the answer as soon as it comes, but for what may be a call that was written as text; a
    ``<think>`` block at its start, and reasoning, as thought. ``tools`` are those that the model was told of.
    """

    done = False  # a further call may always follow

    def __init__(self, tools: Sequence[ToolSchema] = (), seen: Sequence[str] = ()) -> None:
        self._seen = seen
        self._tools = {tool.name: tool.parameters for tool in tools}
        self._answer = HeldText(self._tools, labelled_call.Beginning(tuple(self._tools)))
        self._thinking = HeldText(self._tools)
        self._answers = False  # all that follows is the answer
        self._ended = True  # not by the limit of its length
        self._reasoning: list[str] = []
        self._content: list[str] = []
        self._opening = _Opening()
        self._fragments: list[CallDelta] = []  # of calls: nothing is told of those before the end

    def feed(self, delta: Delta) -> Sequence[TextDelta]:
        if delta.finish:
            self._ended = delta.finish != "length"
        text = delta.text
        if text and not (delta.reasoning or delta.calls):  # as most
            self._content.append(text)
            if self._answers:
                told = self._answer.feed(text)
                return (TextDelta("answer", told),) if told else ()
            return self._told(text)
        said: list[TextDelta] = []
        if delta.reasoning:
            self._reasoning.append(delta.reasoning)
            said.append(TextDelta("thought", delta.reasoning))
        if text:
            self._content.append(text)
            said += self._told(text)
        self._fragments += delta.calls
        if delta.finish and not text and (rest := (self._answer if self._answers else self._thinking).finish()):
            said.append(TextDelta("answer" if self._answers else "thought", rest))
        return said

    def _told(self, text: str) -> list[TextDelta]:
        """What is told of content, without what may be a call; a thought holds none where an answer follows."""
        if (thought := self._opening.more_thought(text)) is not None:
            thought = self._thinking.feed(thought)
            return [TextDelta("thought", thought)] if thought else []
        told: list[TextDelta] = []
        for channel, said in self._opening.feed(text):
            answers = channel == "answer"
            if answers and not self._answers:
                self._answers = True
                if kept := self._thinking.release():
                    told.append(TextDelta("thought", kept))
            if said := (self._answer if answers else self._thinking).feed(said):
                told.append(TextDelta(channel, said))
        return told

    def close(self) -> Calls | Answer | Malformed:
        content = "".join(self._content)
        calls = calls_of(self._fragments, self._tools)
        # Arguments stay as they were written, but for none at all, which are an empty object.
        actions = tuple(
            [
                Action(name, call.arguments if call.arguments.strip() else "{}", call.id, call.opaque)
                for call in calls
                if (name := call.name.strip()) or call.arguments.strip()
            ]
        )
        if actions:
            return Calls(actions=actions, thought=self._thought(content, actions))
        return self._read_text(content, "".join(self._reasoning).strip())

    def _thought(self, content: str, actions: tuple[Action, ...]) -> str:
        """What was said about the calls: reasoning, else the content before them, else their ``thought`` fields."""
        said = "".join(self._reasoning).strip() or _TAGS.sub("", content).strip()
        return said or "\n".join(
            filter(None, [_thought_field(action.input) for action in actions if "thought" in action.input])
        )

    def _read_text(self, content: str, reasoning: str) -> Calls | Answer | Malformed:
        said, answer = apart(content.strip())
        said, answer = (said, answer) if not _MARKS_ONLY.fullmatch(answer) else (said or answer, "")
        text = answer or said or reasoning
        thought = (reasoning or said) if answer else reasoning if said else ""
        if found := find(text, self._tools, ended=self._ended):
            if not is_copied(text[len(found.before) :].removesuffix(found.invented), self._seen):
                return _written(found, thought, len(content), self._ended)
            if not found.before.strip():
                return Malformed(problem=COPIED, thought=thought)
        if not answer:
            problem = _ONLY_THOUGHT if text else _NOTHING
            return Malformed(problem=problem, thought=reasoning or said)
        if labelled := labelled_call.read(answer, tuple(self._tools), self._seen):
            cut = None if labelled.cut is None else labelled.cut + len(content.rstrip()) - len(answer)
            action = replace(labelled, thought="", cut=None, repairs=())
            repairs = (TEXT_CALL, *labelled.repairs)
            said = thought or labelled.thought
            return Calls(actions=(action,), thought=said, cut=cut, repairs=repairs, written=True)
        reading = react.read(content, tuple(self._tools)) if content.lstrip().startswith(_CHANNELS) else None
        if isinstance(reading, Answer):
            return replace(reading, thought=thought or reading.thought, reason="stop")
        return Answer(text=answer, thought=thought, reason="stop")


def _written(found: Found, thought: str, size: int, ended: bool) -> Calls | Malformed:
    """Calls that were found in a text of ``size`` characters, with what was thought before it."""
    before = "\n".join(filter(None, (thought, _said(found.before))))
    if not found.calls:
        return Malformed(problem=_BROKEN if ended else CUT_OFF, thought=before)
    return Calls(
        actions=tuple([Action(call.name, call.arguments) for call in found.calls]),
        thought=before,
        cut=size - len(found.invented) if found.invented else None,
        dropped=found.after,
        repairs=(TEXT_CALL, _CUT_CALL) if found.unfinished else (TEXT_CALL,),
        written=True,
    )


def _said(text: str) -> str:
    """Text before a call, without marks; of a reply in channels what the messages say."""
    messages = _MESSAGE.findall(text)
    return LEFTOVERS.sub("", "\n".join(messages) if messages else text).strip()


class _Opening:
    """Tells content: a thinking block at its very start as thought, all else as answer, without blanks before either.

    What may still become a tag is held back.
    """

    def __init__(self) -> None:
        self._channel: Literal["", "thought", "answer"] = ""  # empty while it is undecided
        self._closing = _CLOSINGS[_OPENINGS[0]]
        self._held: str = ""
        self._fresh = True  # nothing of the channel was told yet

    def feed(self, text: str) -> list[tuple[Literal["thought", "answer"], str]]:
        self._held += text
        said: list[tuple[Literal["thought", "answer"], str]] = []
        if not self._channel:
            self._open()
        if self._channel == "thought":
            end = self._closing.search(self._held)
            if thought := self._take(end.start() if end else len(self._held)):
                said.append(("thought", thought))
            if end and end[0].endswith(">"):
                self._channel, self._held, self._fresh = "answer", self._held[len(end[0]) :], True
        if self._channel == "answer" and (answer := self._take(len(self._held))):
            said.append(("answer", answer))
        return said

    def more_thought(self, text: str) -> str | None:
        """What ``feed`` tells where thinking goes on, as it mostly does; ``None``, and nothing taken, for all else."""
        if self._fresh or self._channel != "thought":
            return None
        text = self._held + text if self._held else text
        end = self._closing.search(text) if "<" in text else None
        if not end:
            self._held = ""
            return text
        if end[0].endswith(">"):
            return None
        self._held = end[0]
        return text[: end.start()]

    def _open(self) -> None:
        self._held = self._held.lstrip()
        start = self._held[:_LONGEST_OPENING].lower()
        tag = next((tag for tag in _OPENINGS if start.startswith(tag)), "")
        if tag:
            self._channel, self._closing, self._held = "thought", _CLOSINGS[tag], self._held[len(tag) :]
        elif start and not any(tag.startswith(start) for tag in _OPENINGS):
            self._channel = "answer"

    def _take(self, size: int) -> str:
        """What is told of the first characters that are held."""
        text, self._held = self._held[:size], self._held[size:]
        if self._fresh:
            text = text.lstrip()
            self._fresh = not text
        return text


def _thought_field(arguments: str) -> str:
    found = read_json(arguments)
    thought = found.value.get("thought") if found and isinstance(found.value, dict) else None
    return thought.strip() if isinstance(thought, str) else ""
