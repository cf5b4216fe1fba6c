"""The parts of a reply, as its markers come: which of them count, what each begins, and where the step ends."""

from __future__ import annotations

import re
from dataclasses import dataclass, field

from agent.text.regex import regex
from agent.wire.react.call_text import has_input
from agent.wire.react.label_marks import Mark
from agent.wire.react.patterns import Part
from agent.wire.react.quotations import Known

# A reply that goes round in circles is cut: after so many markers that count, or that were met at all.
MOST_HEEDED = 32
MOST_MET = 400

_HEADER_STARTS = frozenset({"start", "im_start", "start_header_id", "channel"})
_HEADER_ENDS = frozenset({"message", "end_header_id"})
_TURN_ENDS = frozenset({"end", "return", "call", "im_end", "eot_id"})
_OTHERS = ("user", "human", "system", "tool", "functions.")
_ENDS = (Part.OBSERVATION, Part.TURN)
_VALUES = frozenset({Part.ACTION, Part.INPUT, Part.REPLY, Part.ANSWER})
_TOOL = regex(r"to=(?:functions\.)?([\w.-]+)")

_NOTHING = Known()
_OWN_FENCE = regex(r"\s*+```")
# The quote that a value opens with, or the first inside its brackets. A lone ' may be an apostrophe, as in 'tis.
_QUOTED = regex(r"""\s*+(?:[\w.-]*+[^\S\n]*+[({\[][^"']{0,200}+(["'])|("|'(?='')))""")
_FENCE_END = regex(r"[^`]*+(?:`(?!``|`?\Z)[^`]*+)*+(```)?+")
_QUOTE_END = {quote: regex(rf"[^{quote}\\]*+(?:\\.[^{quote}\\]*+)*+({quote})?+", re.DOTALL) for quote in "\"'"}


class Tape:
    """The reply so far. Appending is cheap, and so is reading now and then."""

    __slots__ = ("_chunks", "append")

    def __init__(self) -> None:
        self._chunks: list[str] = []
        self.append = self._chunks.append  # the list's own: it is called for every chunk

    def text(self) -> str:
        self._chunks[:] = ["".join(self._chunks)]
        return self._chunks[0]

    def cut(self, end: int | None) -> None:
        """Forget what is behind ``end``, which came along before a stream could be left; None keeps it."""
        self._chunks[:] = [self.text()[:end]]


@dataclass(slots=True)
class Section:
    """A part of the reply: the line it starts at and the spans of its text, as offsets in the reply.

    ``name`` is a tool named in a header, which is no text of the section.
    """

    part: Part
    line: int
    spans: list[tuple[int, int]] = field(default_factory=list[tuple[int, int]])
    name: str = ""

    def text(self, reply: str) -> str:
        return self.name or "".join([reply[start:end] for start, end in self.spans])


class Outline:
    """A state machine over markers. ``cut`` is set once the first step has ended: nothing from there on is believed.

    ``shield`` is set while labels do not count because a code fence or a quoted string is open: a pattern that
    matches up to the end of it. ``thinks`` and ``shields`` can be turned off, for a second look at a whole reply;
    where it is ``known`` to quote or show something, markers are text.
    """

    def __init__(
        self,
        tape: Tape,
        tools: tuple[str, ...],
        *,
        thinks: bool = True,
        shields: bool = True,
        known: Known = _NOTHING,
    ) -> None:
        self.sections = [Section(Part.PROSE, 0)]
        self.shield: re.Pattern[str] | None = None
        self.cut: int | None = None
        self.crowded = False
        self.labelled = False  # a label began a call or the final answer
        self._tape = tape
        self._tools = tools
        self.thinks = thinks
        self.shields = shields
        self.known = known
        self.removed: list[int] = []  # where special tokens and thinking tags were taken out of the text
        self._heeded = self._met = 0
        self.section = self.sections[0]
        self._resumed = self.section  # what goes on after a thinking block or a header
        self._in_channel = False  # thinking that ends with its channel, not with a tag
        self._from = 0  # where the section's open span starts
        self._balanced = 0  # up to here no fence and no quote of the section is open
        self._fences = (0, 0)  # how many ``` there are, up to which offset
        self._ticks = (0, 0)  # how many ` there are in the line of that offset, and how many ```
        self._acted = self._called = False  # an action; with its input
        self._said = False  # the section has words
        self._talked = False  # there was prose under no label
        self._answered = False  # the final answer is over

    @property
    def part(self) -> Part:
        return self.section.part

    @property
    def goes_on(self) -> int:
        """Where the text of the part goes on behind the last marker."""
        return self._from

    @property
    def settled(self) -> bool:
        """Whether no label counts any more but that of the next questions."""
        return self._answered or (self.part is Part.ANSWER and self._said)

    def heeds(self, mark: Mark) -> bool:
        """Whether a marker counts where it stands. A label that does not is text."""
        if (self._answered or self.part is Part.ANSWER) and not self._ends_answer(mark):
            return False
        self._met += 1
        self.crowded = self._heeded == MOST_HEEDED or self._met > MOST_MET
        counts = self.crowded or self._counts(mark)
        self._heeded += counts
        return counts

    def _ends_answer(self, mark: Mark) -> bool:
        """Whether a marker may stand for itself in the final answer, which is the rest of the reply."""
        if mark.part is None or mark.part is Part.NEXT or (mark.closing and mark.part in (Part.ANSWER, Part.THINK)):
            return True
        if self._answered or self._says(mark):
            return False
        return mark.part in (Part.ANSWER, Part.THINK) and not mark.closing

    def _says(self, mark: Mark) -> bool:
        """Whether there are words in the section before a marker."""
        if not self._said:
            section = Section(self.part, 0, [*self.section.spans, (self._from, mark.start)])
            self._said = bool(section.text(self._tape.text()).strip())
        return self._said

    def _counts(self, mark: Mark) -> bool:
        if self.known is not _NOTHING and self.known.has(mark.line):
            return False
        if mark.tag and self.part not in (Part.INPUT, Part.THINK, Part.HEADER) and self._in_code(mark.start):
            return False
        if mark.part is None:
            return not (self.part is Part.ANSWER and self._shielded(mark.line))
        if self.part is Part.THINK:
            return mark.closing and mark.part is Part.THINK and not self._in_channel
        if mark.part is Part.THINK and not self.thinks:
            return True
        if self.part not in mark.within or (mark.closing and mark.part not in (self.part, Part.THINK)):
            return False
        # Whoever has begun to talk goes on: a quiz has lines with "Answer:", notes of an experiment "Observation:".
        if self.part is Part.PROSE and not self._acted and mark.part in (Part.REPLY, Part.OBSERVATION) and not mark.tag:
            return not (self._talked or self._says(mark))
        return not self._shielded(mark.line)

    def _in_code(self, at: int) -> bool:
        """Whether a span of code is open in the line of an offset."""
        (before, counted), reply = self._ticks, self._tape.text()
        line = reply.rfind("\n", counted, at) + 1
        start = line or counted
        before = (0 if line else before) + reply.count("`", start, at) - 3 * reply.count("```", start, at)
        self._ticks = (before, at)
        return before % 2 == 1

    def take(self, mark: Mark) -> None:
        """Follow a marker that counts."""
        self._pause(mark.start)
        if mark.part in (None, Part.THINK):
            self.removed.append(mark.start)
        if self.crowded:
            self.cut = mark.line
        elif mark.part is None:
            self._take_token(mark)
        elif mark.part is Part.THINK:
            self._take_think(mark)
        elif mark.closing:
            self._leave()
            self._answered = self.part is Part.ANSWER and self._says(mark)
            self._open(Section(Part.PROSE, mark.line), mark.end)
        else:
            self.labelled = self.labelled or (not mark.tag and mark.part in _VALUES)
            self._take_label(mark.part, mark)

    def unshield(self, at: int) -> None:
        """What shielded was closed at ``at``."""
        self.shield = None
        self._balanced = at

    def end(self, at: int) -> None:
        """The reply ended at ``at``."""
        self._pause(at)

    def _pause(self, at: int) -> None:
        if at > self._from:
            self.section.spans.append((self._from, at))

    def _open(self, section: Section, at: int) -> None:
        self.sections.append(section)
        self._enter(section, at)

    def _enter(self, section: Section, at: int) -> None:
        self.section = section
        self._from = self._balanced = at
        self._said = False

    def _leave(self) -> None:
        """Note what the section that ends here has brought."""
        text = self.section.text(self._tape.text())
        self._talked = self._talked or (self.part is Part.PROSE and bool(text.strip()))
        if self.part is Part.ACTION:
            self._acted = self._acted or bool(text.strip())
            self._called = has_input(text, self._tools)
        elif self.part is Part.INPUT:
            self._called = self._acted

    def _take_label(self, part: Part, mark: Mark) -> None:
        again = part is Part.INPUT and self.part is Part.INPUT and not self.section.text(self._tape.text()).strip()
        answered = self._answered or (self.part is Part.ANSWER and self._says(mark))
        self._leave()
        called = self._called and not again and not (part is Part.INPUT and self.part is Part.ACTION)
        if called or part in _ENDS or self.part is Part.NEXT or (answered and part is not Part.NEXT):
            self.cut = mark.line
        else:
            self._open(Section(part, mark.line), mark.end)

    def _take_think(self, mark: Mark) -> None:
        if not self.thinks:
            self._from = mark.end
        elif not mark.closing:
            self._resumed = self.section
            self._open(Section(Part.THINK, mark.line), mark.end)
        elif self.part is Part.THINK:
            self._enter(self._resumed, mark.end)
        else:  # the opening tag stood in the prompt: all so far was thinking
            for section in self.sections:
                section.part = Part.THINK
            self._acted = self._called = self._talked = self._answered = False
            self._open(Section(Part.PROSE, mark.line), mark.end)

    def _take_token(self, mark: Mark) -> None:
        starts = mark.token in _HEADER_STARTS and (self.part is not Part.THINK or self._in_channel)
        if self.part is Part.HEADER and mark.token in _HEADER_ENDS:
            self._end_header(mark)
        elif starts and self.part is not Part.HEADER:
            self._resumed = self.section
            self._enter(Section(Part.HEADER, mark.line), mark.end)
        elif self._in_channel and self.part is Part.THINK and mark.token in _TURN_ENDS:
            self._open(Section(Part.PROSE, mark.line), mark.end)
        else:
            self._from = mark.end

    def _end_header(self, mark: Mark) -> None:
        """Go on where a header such as ``<|start|>assistant<|channel|>final<|message|>`` points to."""
        header, self.section = self.section, self._resumed
        reply = self._tape.text()
        words = " ".join(reply[start:end] for start, end in header.spans)
        here = mark._replace(start=header.line, line=header.line)
        self._in_channel = self.thinks and "analysis" in words
        if words.startswith(_OTHERS):
            self.cut = header.line
        elif self._in_channel:
            self._open(Section(Part.THINK, header.line), mark.end)
        elif "final" in words:
            self._take_label(Part.REPLY, here)
        elif tool := _TOOL.search(words):
            self._take_call(tool[1], here)
        elif self.part is Part.THINK or "commentary" in words:
            self._open(Section(Part.PROSE, header.line), mark.end)
        else:  # a line break behind a token alone is one of the text
            bare = not words.strip() and reply.startswith("\n", mark.start)
            self._enter(self.section, mark.start if bare else mark.end)

    def _take_call(self, tool: str, mark: Mark) -> None:
        self._take_label(Part.ACTION, mark)
        if self.cut is None:
            self.section.name = tool
            self._acted = True
            self._open(Section(Part.INPUT, mark.line), mark.end)

    def _shielded(self, at: int) -> bool:
        """Whether a fence or a string is open at ``at``, in a part that is a value."""
        if self.shields and self.part in _VALUES:
            spans = self.section.spans
            start = spans[0][0] if spans else self._from
            reply = self._tape.text()
            self.shield = self._open_fence(reply, start, at) or self._open_quote(reply, start, at)
        return self.shield is not None

    def _open_fence(self, reply: str, start: int, at: int) -> re.Pattern[str] | None:
        before, counted = self._fences
        before += reply.count("```", counted, start)
        self._fences = (before, max(start, counted))
        if reply.count("```", self._balanced, at) % 2 == 0:
            return None
        wrapped = before % 2 == 1  # the whole reply stands in a fence, and this may be the end of it
        own = self._balanced == start and bool(_OWN_FENCE.match(reply, start))
        return _FENCE_END if own or not wrapped else None

    def _open_quote(self, reply: str, start: int, at: int) -> re.Pattern[str] | None:
        quoted = None if self.part in (Part.ANSWER, Part.REPLY) else _QUOTED.match(reply, start, at)
        if not quoted:
            return None
        quote = quoted[1] or quoted[2]
        text = reply[self._balanced : at].replace("\\\\", "")
        return _QUOTE_END[quote] if (text.count(quote) - text.count("\\" + quote)) % 2 else None
