"""Text ReAct: a push parser that reads any reply as a call, an answer, or something to be repaired.

How a reply is read, one file a layer, in the order in which the text passes them:

* ``reader`` (here) takes the chunks, looks at each character once, and tells thought and answer as early as is safe.
* ``label_marks`` knows what a marker looks like: labels at line starts, XML tags, special tokens.
* ``outline`` follows the markers: which of them count, what part of the reply each begins, where the step ends.
* ``reply`` says what the parts mean together, ``call_text`` which tool an action names and with what input,
  ``json_call`` what was meant by JSON that is not quite JSON.
* ``doubts``, ``quotations`` and ``quoted_blocks`` find what is only quoted, and is read a second time as text.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace
from typing import Literal

from agent.events import TextDelta
from agent.interface_text import Text
from agent.wire.gathered import MOST_LOOKS, PIECE
from agent.wire.outcomes import Action, Answer, Malformed
from agent.wire.react.doubts import COPIED, copied, is_described, is_one_line, is_quoted, shown, unglued
from agent.wire.react.label_marks import Finder, Mark, blank_from, hold_from, hold_tag
from agent.wire.react.outline import Outline, Tape
from agent.wire.react.patterns import CLUE, HEADER_END, LABEL, LABEL_SO_FAR, LABELLESS, TAG, Part
from agent.wire.react.quotations import Known, Quoting
from agent.wire.react.reply import Reply, Said, interpret

Channel = Literal["thought", "answer"]
_QUOTED_CALL = Text("took a quoted call for text")
_CHANNELS: dict[Part, Channel] = {
    Part.PROSE: "thought",
    Part.THINK: "thought",
    Part.THOUGHT: "thought",
    Part.REPLY: "answer",
    Part.ANSWER: "answer",
}


def read(text: str, tools: Sequence[str] = (), seen: Sequence[str] = ()) -> Action | Answer | Malformed:
    """Read a whole reply; ``tools`` and ``seen`` as in ``ReactReader``."""
    reader = ReactReader(tools, seen)
    reader.feed(text)
    return reader.close()


class ReactReader:
    """Reads one reply: ``feed`` its text in chunks of any size, ``close`` once. How it is cut changes nothing.

    The deltas of ``feed`` are thought (prose before any label included) and answer. What still may become a marker is
    held back until it is decided; a text full of markers is told in larger pieces than it comes in, the last of them at
    an empty chunk. Once ``done``, no later text can change the reading, and what follows is ignored.

    ``tools`` are the names a call is resolved among; without any, names stay as written. ``seen`` are the observations
    so far: a call that one of them has word for word is a quote. With ``intentions``, a short text that says it needs
    a tool and calls none is no answer.
    """

    def __init__(self, tools: Sequence[str] = (), seen: Sequence[str] = (), *, intentions: bool = False) -> None:
        self._tools = tuple(tools)
        self._seen = seen
        self._intentions = intentions
        self._tape = Tape()
        self._outline = Outline(self._tape, self._tools)
        self._quoting = Quoting("")  # of the reply, as far as it was looked for
        self._doubted = False  # the step has ended, but what follows may show that it was a quote
        self._window = ""  # what came and is not decided
        self._blanks: list[str] = []  # more of the window, while there is nothing but blanks in it
        self._base: int = 0  # where in the reply the window starts
        self._opening: bool = True  # a line starts where the window does
        self._flowing = False  # nothing is undecided: no marker can start but at a line break or ``<``
        self._in_line = False  # what is undecided, if anything, may only be a tag: no line starts in it
        self._in_lines = False  # where a line starts there is a line break before it, and it may be a label
        self._labels = True  # there are labels in this part
        self._header = False  # we are between special tokens, where a line break is a marker
        self._channel: Channel | None = "thought"
        self._fresh = True  # nothing of this part was told yet
        self._used: set[Channel] = set()
        self._looks = 0  # that took more than two glances
        self._gathered = ""  # chunks that nobody has looked at yet

    @property
    def done(self) -> bool:
        return self._outline.cut is not None and not self._doubted

    @property
    def labelled(self) -> bool:
        """Whether a label begins a call or the final answer; a tag or a special token is none."""
        return self._outline.labelled

    def feed(self, chunk: str) -> Sequence[TextDelta]:
        if self._looks > MOST_LOOKS:
            self._gathered = gathered = self._gathered + chunk
            if chunk and len(gathered) < PIECE:
                return ()
            chunk, self._gathered = gathered, ""
        if self._outline.cut is not None:
            if self._doubted:
                self._tape.append(chunk)
            return ()
        self._tape.append(chunk)
        if self._flowing:
            if "\n" not in chunk and "<" not in chunk:  # two glances cost less than one pattern
                self._base += len(chunk)
                return self._tell(chunk)
        elif chunk.isspace() and (self._blanks or self._window.isspace()):
            self._blanks.append(chunk)
            return ()
        return self._look(chunk)

    def _look(self, chunk: str) -> Sequence[TextDelta]:
        """Take a chunk that takes more than two glances."""
        self._looks += 1
        if self._in_line and "\n" not in chunk:
            return self._go_on(self._window + chunk)
        if self._blanks:
            self._window += "".join(self._blanks)
            self._blanks.clear()
        text = self._window + chunk
        if self._in_lines:
            return self._go_on_below(text)
        # Most windows have no marker: that is found out before anything is built for one.
        return self._scan(text) if self._marked(text) else self._keep(text, 0, 0, self._opening)

    def _go_on(self, text: str) -> Sequence[TextDelta]:
        """Take more of a line, in which nothing but a tag can be a marker: as ``_scan`` and ``_keep`` would, sooner."""
        if ">" in text and TAG.search(text):
            return self._scan(text)
        keep = hold_tag(text) if "<" in text else len(text)
        self._window = text[keep:]
        self._base += keep
        self._flowing = not self._window
        return self._tell(text[:keep]) if keep else ()

    def _go_on_below(self, text: str) -> Sequence[TextDelta]:
        """Take text with a line break, or more of the line that may be a label: as ``_go_on``."""
        line = text.rfind("\n") + 1
        # A label ends with a colon, or is decorated and ends with its line.
        ends = ":" in text or "：" in text or "#" in text or "*" in text or "_" in text
        label = LABEL.search(text) if ends else None
        if label or (">" in text and TAG.search(text)):
            return self._scan(text, label)
        size = len(text)
        self._in_line = line != size and not LABEL_SO_FAR.match(text, line)
        if self._in_line:
            keep = hold_tag(text) if "<" in text else size
        else:
            # The glance of blank_from, made here: mostly one line ends where another starts.
            keep = line - 1 if line > 1 and not text[line - 2].isspace() else blank_from(text, 0, line)
        self._window = text[keep:]
        self._base += keep
        self._flowing = keep == size
        if self._fresh or not keep or self._channel is None:
            return self._tell(text[:keep])
        return (TextDelta(self._channel, text[:keep]),)  # as ``_tell`` would

    def _marked(self, text: str) -> bool:
        """Whether a marker may be complete in the window. All tags and tokens end with ``>``."""
        if self._outline.shield:
            return True
        if self._header:
            return HEADER_END.search(text) is not None
        if self._labels and CLUE.search(text) and (self._opening or LABEL.search(text)):
            return True
        return ">" in text and TAG.search(text) is not None

    def close(self) -> Action | Answer | Malformed:
        """The reading of all that was fed."""
        if self._gathered:
            self.feed("")
        reply = self._tape.text()
        self._looks = 0
        if self._outline.part is not Part.HEADER:
            self.feed("\n")  # completes a label at the very end
        if self._outline.cut is None:
            self._outline.end(len(reply))
        return self._read(reply)

    def _read(self, reply: str) -> Action | Answer | Malformed:
        """The reading of a reply, with the special tokens that an answer shows."""
        first, outline = self._read_first(reply), self._outline
        if isinstance(first, Action) or not outline.removed:
            return first
        since, last = outline.sections[-1].line if outline.labelled else 0, outline.removed[-1]
        is_shown, known = self._quoting.shown_tokens(since, last), outline.known
        if not any(is_shown(at) and not known.shows(at) for at in outline.removed):
            return first
        second = self._look_again(reply, known=Known(shown=(is_shown,)))
        return second if isinstance(second, Answer) and second.text != getattr(first, "text", None) else first

    def _read_first(self, reply: str) -> Action | Answer | Malformed:
        """The reading of a reply whose markers were followed, with a second look where there is doubt."""
        outline = self._outline
        if reply != self._quoting.text:  # as it may be where this is no first look
            self._quoting = Quoting(reply)
        if self._doubted and is_quoted(outline, self._quoting):
            return self._look_again(reply, _QUOTED_CALL, Known(quoting=(self._quoting,)))
        first = self._interpret(reply)
        if outline.cut is None and is_quoted(outline, self._quoting):
            second = self._look_again(reply, _QUOTED_CALL, Known(quoting=(self._quoting,)))
            return first if isinstance(first, Answer) and isinstance(second, Malformed) else second
        believed = reply if self._doubted else reply[: outline.cut]
        if is_described(outline, first, believed, self._tools):
            return Answer(text=believed.strip(), reason="plain")
        if span := copied(outline, first, reply, self._seen):
            if not reply[: span.start].strip():
                return Malformed(problem=COPIED, cut=outline.cut)
            if isinstance(first, Action) and span in outline.known.copied:
                return shown(outline, first, believed, span.start)
            return self._look_again(reply[: outline.cut], _QUOTED_CALL, Known(copied=(span,)))
        return first if isinstance(first, Action) else self._unglued(first, reply)

    def _unglued(self, first: Answer | Malformed, reply: str) -> Action | Answer | Malformed:
        """The reading with labels behind a sentence on its line, where none is without them, but for an input's."""
        sections = self._outline.sections
        parts = {section.part for section in sections if section.part is not Part.PROSE or section.text(reply).strip()}
        replied = isinstance(first, Answer) and Part.REPLY in parts and Part.ANSWER not in parts
        spoken = isinstance(first, Answer) and is_one_line(reply)
        unread = (
            replied or spoken or (isinstance(first, Malformed) and Part.THOUGHT in parts and Part.PROSE not in parts)
        )
        believed = reply[: self._outline.cut]
        if not unread or parts & {Part.ACTION, Part.ANSWER} or (apart := unglued(believed)) == believed:
            return first
        second = self._look_again(apart, Text("read the labels behind a sentence"))
        called = isinstance(second, Action) and second.tool in self._tools
        return second if called or isinstance(second, Answer) else first

    def _interpret(self, reply: str) -> Action | Answer | Malformed:
        outline = self._outline
        said = tuple([Said(section.part, section.text(reply), section.line) for section in outline.sections])
        repairs = (Text("cut a reply that went round in circles"),) if outline.crowded else ()
        reading = interpret(Reply(said, outline.cut, self._tools, repairs, self._intentions))
        if outline.shield and outline.part is not Part.ANSWER:
            return self._look_again(
                reply[: outline.cut],
                Text("read the labels behind a quote or fence that was never closed"),
                shields=False,
            )
        if isinstance(reading, Malformed) and outline.thinks and any(part.part is Part.THINK for part in said):
            second = self._look_again(reply[: outline.cut], Text("read the labels among the thinking"), thinks=False)
            labelled = isinstance(second, Action) or (isinstance(second, Answer) and second.reason != "plain")
            return second if labelled else reading
        return reading

    def _look_again(
        self, reply: str, repair: str = "", known: Known | None = None, *, thinks: bool = True, shields: bool = True
    ) -> Action | Answer | Malformed:
        """Read a reply a second time, with less faith in what it left open, or in what it quotes."""
        first, reader = self._outline, ReactReader(self._tools, self._seen, intentions=self._intentions)
        reader._quoting = self._quoting
        reader._outline = Outline(
            reader._tape,
            self._tools,
            thinks=thinks and first.thinks,
            shields=shields and first.shields,
            known=first.known.and_also(known) if known else first.known,
        )
        reader.feed(reply)
        reading = reader.close()
        cut = first.cut if reading.cut is None and not known else reading.cut
        return replace(reading, cut=cut, repairs=(*filter(None, [repair]), *reading.repairs))

    def _scan(self, text: str, label: re.Match[str] | None = None) -> Sequence[TextDelta]:
        """Follow the markers of the window, as far as it goes; ``label`` is the first of them, where it is known."""
        outline = self._outline
        finder: Finder | None = None
        said: list[TextDelta] = []
        told, at, opening = 0, 0, self._opening
        while True:
            if outline.shield:
                at, opening = self._pass_shield(outline.shield, text, at), False
            if outline.shield:
                break
            finder = finder or Finder(text, self._base, label)
            mark = finder.next(at, opening, outline.part, outline.settled)
            if not mark:
                at, opening = max(at, finder.passed), opening and finder.passed <= at
                break
            at, opening = mark.end - self._base, False
            if outline.heeds(mark):
                said += self._tell(text[told : mark.start - self._base])
                opening = self._follow(mark)
                told = outline.goes_on - self._base
                if outline.cut is not None:
                    self._doubted = self._doubts()
                    self._tape.cut(None if self._doubted else outline.cut)
                    return said
        said += self._keep(text, told, at, opening)
        return said

    def _doubts(self) -> bool:
        """Whether the step that has ended may be a quote; what decides is all that stands before its end."""
        if not self._outline.labelled:
            return True  # calls in a model's own form come in rows
        reply = self._tape.text()[: self._outline.cut]
        return is_quoted(self._outline, Quoting(reply, whole=False)) or is_described(
            self._outline, self._interpret(reply), reply, self._tools
        )

    def _keep(self, text: str, told: int, at: int, opening: bool) -> Sequence[TextDelta]:
        """Tell what is decided of a window that was looked at up to ``at``, and keep the rest."""
        keep = at if self._outline.shield else hold_from(text, at, opening, self._labels)
        self._window = text[keep:]
        self._base += keep
        self._opening = opening and keep == at
        guarded = self._opening or self._outline.shield
        self._flowing = not (self._window or guarded)
        guarded = guarded or self._header
        self._in_line = not guarded and text[keep : keep + 1] != "\n"
        self._in_lines = not guarded and self._labels
        return self._tell(text[told:keep]) if keep > told else ()

    def _follow(self, mark: Mark) -> bool:
        """Take a marker; whether a line can start behind it, as behind all but labels."""
        section = self._outline.section
        self._outline.take(mark)
        if self._outline.section is not section:
            part = self._outline.part
            self._labels = part not in LABELLESS
            self._header = part is Part.HEADER
            self._channel = _CHANNELS.get(part)
            self._fresh = True
        return mark.tag

    def _pass_shield(self, shield: re.Pattern[str], text: str, at: int) -> int:
        """How far an open fence or string reaches; it is over where its end is in the text."""
        passed = shield.match(text, at)
        if passed and passed[1]:
            self._outline.unshield(self._base + passed.end())
        return passed.end() if passed else at

    def _tell(self, text: str) -> Sequence[TextDelta]:
        """Text of the part we are in, as a delta where it is for someone to see."""
        if self._channel is None:
            return ()
        if self._fresh:
            text = self._begin(text.lstrip(), self._channel)
        return (TextDelta(self._channel, text),) if text else ()

    def _begin(self, text: str, channel: Channel) -> str:
        """The first text of a part, on a line of its own where its channel was used before."""
        if not text:
            return ""
        self._fresh = False
        again = channel in self._used
        self._used.add(channel)
        return "\n" + text if again else text
