"""Files on their way into a conversation, loaded one after the other in a thread, whoever watches."""

from __future__ import annotations

import logging
from collections import deque
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from threading import Condition, Thread
from threading import Event as Flag
from time import time
from typing import Any, BinaryIO, Literal, Protocol
from uuid import uuid4

from agent.data.tables.cells import one_line
from agent.data.tables.loading.load_work import Progress
from agent.errors import GlassboxError
from agent.interface_text import Text, joined

log = logging.getLogger(__name__)
_MOST_TOLD = 5  # refused files that a model is told of
_STAGES = {
    "waiting": Text("waiting"),
    "Reading": Text("reading"),
    "Loading": Text("loading"),
    "Looking at the types": Text("looking at the types"),
    "Writing": Text("writing"),
    "Looking at the values": Text("looking at the values"),
    "Reading the text": Text("reading the text"),
    "Reading the pages": Text("reading the pages"),
    "Done": Text("done"),
}


@dataclass(frozen=True, slots=True)
class FileLoading:
    """A file: where it stands, the ``tables`` it became, and what is to be ``said`` of it (why it was refused)."""

    name: str
    state: Literal["waiting", "loading", "loaded", "refused"] = "waiting"
    progress: Progress = field(default_factory=Progress)
    tables: tuple[str, ...] = ()
    said: tuple[str, ...] = ()

    @property
    def sentence(self) -> str:
        """What is done with it now."""
        stage = _STAGES.get(self.progress.stage, self.progress.stage)
        sentence = Text("Loading {name}: {stage}", name=self.name, stage=stage)
        return joined(" · ", [sentence, f"{self.progress.done:.0%}"]) if 0 <= self.progress.done < 1 else sentence


class Takes(Protocol):
    """Where files go: the tables of a conversation, or its documents, too."""

    def load(
        self, name: str, source: BinaryIO, progress: Callable[[Progress], None] | None = None
    ) -> tuple[tuple[Mapping[str, Any], ...], tuple[str, ...]]: ...


class Loading:
    """Begins at once, or ``after`` another one. A file that is refused does not hold up the rest.

    ``stop`` sets ``stopped``, which work of the ``chat`` heeds.
    """

    def __init__(
        self,
        chat: Takes,
        files: Sequence[tuple[str, BinaryIO]],
        after: Loading | None = None,
        stopped: Flag | None = None,
    ) -> None:
        self._chat = chat
        self._after = after
        self._stopped = stopped or Flag()
        self._changed = Condition()
        self._files = [FileLoading(name) for name, _ in files]
        self._waiting = deque(source for _, source in files)
        self._ended = 0.0
        Thread(target=self._work, name="tables: load", daemon=True).start()

    @property
    def files(self) -> tuple[FileLoading, ...]:
        """Those of the loading before it included."""
        return (*(self._after.files if self._after else ()), *self._files)

    @property
    def done(self) -> bool:
        return all(file.state in ("loaded", "refused") for file in self.files)

    @property
    def ended(self) -> float:
        """When the last file was done, in seconds of Unix; 0 before."""
        return self._ended if self.done else 0.0

    @property
    def current(self) -> FileLoading | None:
        """The file at work, or the next one; none where all are done."""
        return next((file for file in self.files if file.state in ("loading", "waiting")), None)

    @property
    def refused(self) -> tuple[str, ...]:
        """A sentence for each file that could not be loaded."""
        return tuple(_naming(file.name, said) for file in self.files if file.state == "refused" for said in file.said)

    def refused_told(self) -> tuple[str, ...]:
        """A line for a model on each of the first files that could not be loaded: its name, and why."""
        refused = [file for file in self.files if file.state == "refused"]
        more = f"and {len(refused) - _MOST_TOLD:,} more files could not be loaded"
        return (*map(_told, refused[:_MOST_TOLD]), *([more] if len(refused) > _MOST_TOLD else []))

    def stop(self) -> None:
        """Load nothing more: neither the file at work nor those behind it, of the loading before it included."""
        if self._after:
            self._after.stop()
        self._stopped.set()

    def wait(self, seconds: float) -> bool:
        """Wait until something is new, at most so long; whether all is done."""
        with self._changed:
            return self.done or (self._changed.wait(seconds) and self.done)

    def _work(self) -> None:
        while self._after and not self._after.wait(1.0):
            pass
        for place in range(len(self._files)):
            self._set(place, state="loading")
            source = self._waiting.popleft()  # not kept: it may be large
            if self._stopped.is_set():
                self._refuse_stopped(place)
                continue
            try:
                cards, notes = self._chat.load(
                    self._files[place].name, source, lambda progress, place=place: self._set(place, progress=progress)
                )
            except GlassboxError as error:
                if self._stopped.is_set():
                    self._refuse_stopped(place)
                else:
                    self._set(place, state="refused", said=(error.text,))
            except OSError as error:
                reference = uuid4().hex[:8]
                log.error("a file could not be loaded, reference %s", reference, exc_info=error)
                said = Text(
                    "{name} could not be kept on this server. The log has it under {reference}.",
                    name=self._files[place].name,
                    reference=reference,
                )
                self._set(place, state="refused", said=(said,))
            else:
                self._set(place, state="loaded", tables=tuple(str(card["name"]) for card in cards), said=notes)

    def _refuse_stopped(self, place: int) -> None:
        said = Text("{name} was not loaded: you stopped it.", name=self._files[place].name)
        self._set(place, state="refused", said=(said,))

    def _set(self, place: int, **changes: object) -> None:
        with self._changed:
            self._ended = time()
            self._files[place] = replace(self._files[place], **changes)  # type: ignore[arg-type]
            self._changed.notify_all()


def _naming(name: str, sentence: str) -> str:
    """The sentence with the name of the file, one of several that it may be about."""
    return sentence if name in sentence else joined(": ", [name, sentence])


def _told(file: FileLoading) -> str:
    """The line on a file that was refused. Its name is a stranger's text: quoted and cut, wherever it stands."""

    def cut(value: str) -> str:
        return "it" if value == file.name else one_line(value, 80)

    reason = " ".join(said.changed(cut) if isinstance(said, Text) else one_line(said, 300) for said in file.said)
    return f"“{one_line(file.name, 80)}” could not be loaded: {reason}"
