"""What the outside is told of the runs of this process, while they are at work; nothing where it is off."""

from __future__ import annotations

import atexit
import logging
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial
from threading import Event as Flag
from time import time_ns
from typing import TYPE_CHECKING, TypeAlias, TypeVar

from agent.events import Event, Prepared, Resumed, TextDelta
from agent.store.evaluations import Evaluations
from agent.store.runs import RunEnded, Store
from agent.telemetry.otlp import Otlp, wanted
from agent.telemetry.run_spans import RunSpans
from agent.telemetry.span_values import SECOND, RunSpan, Subject, trace_id
from agent.text.concealment import masked

if TYPE_CHECKING:
    from collections.abc import Iterable

T = TypeVar("T")
Story: TypeAlias = Callable[[Flag], Iterator[Event]]
log = logging.getLogger(__name__)
CONTENT = "OTEL_INSTRUMENTATION_GENAI_CAPTURE_MESSAGE_CONTENT"
_LONGEST_TEXT = 20_000  # characters of a text of a person, a model or a tool
_SHORTEST_SECRET = 6


class Telemetry:
    """Tells a collector of runs. Nothing that happens on the way there reaches a run."""

    def __init__(self, store: Store, environ: Mapping[str, str], secrets: Iterable[str] = ()) -> None:
        """``secrets`` are the owner's keys: they are taken out of texts, where the owner wants texts to be told."""
        self._store = store
        self._otlp: Otlp | None = None
        self._working: set[RunSpans] = set()
        self._shown: Callable[[str], str] | None = None
        signals = wanted(environ)
        if not signals:
            return
        hidden = frozenset(secret for secret in secrets if len(secret) >= _SHORTEST_SECRET)
        if environ.get(CONTENT, "").strip().lower() in ("true", "span_only", "span_and_event"):
            self._shown = partial(_told, hidden)
        try:
            self._otlp = Otlp(environ, signals)
        except Exception:  # the edge: a site without telemetry answers as well as one with it
            log.exception("telemetry is off: it could not be set up")
            return
        atexit.register(self.close)

    @property
    def on(self) -> bool:
        return self._otlp is not None

    def trace(self, run: str) -> str:
        """The id of the run's trace, "" where runs are not traced."""
        return trace_id(run) if self._otlp and self._otlp.traced else ""

    def watched(
        self,
        run: str,
        model: str,
        endpoint: str,
        story: Story,
        so_far: Sequence[Event] = (),
        replayed: bool = False,
    ) -> Story:
        """The story, whose events are told as they come; ``so_far`` are those that the run has already.

        From now on the run waits for its turn, until the story is begun. ``replayed`` is as in ``Subject``.
        """
        if self._otlp is None:
            return story
        otlp, asked = self._otlp, time_ns()
        queued = [True]
        otlp.queued(1)

        def seen(cancel: Flag) -> Iterator[Event]:
            if queued:
                queued.clear()
                self._safely(otlp.queued, -1)
                self._safely(otlp.waited, (time_ns() - asked) / SECOND)
            begin = partial(self._spans, run, model, endpoint, so_far, replayed)
            return self._seen(otlp, begin, story(cancel), so_far)

        return seen

    def ended(self, run: str, replayed: bool = False) -> None:
        """Tell of a run that has ended although no process was at work on it."""
        if self._otlp is not None:
            self._safely(self._tell_end, self._otlp, run, replayed)

    def close(self) -> None:
        """Tell what is left, of runs, too, that have ended with this process; takes two seconds at most."""
        if self._otlp is None:
            return
        atexit.unregister(self.close)
        for spans in list(self._working):
            self._safely(self._look_up, self._otlp, spans)
        self._otlp.close()

    def _seen(
        self, otlp: Otlp, begin: Callable[[], RunSpans], events: Iterator[Event], so_far: Sequence[Event]
    ) -> Iterator[Event]:
        spans, elsewhere = self._safely(begin), False
        if spans is None:
            yield from events
            return
        self._working.add(spans)
        self._safely(otlp.working, 1)
        if so_far and isinstance(so_far[-1], Resumed):
            self._safely(self._send, otlp, spans.lost, so_far[-1])
        try:
            for event in events:
                if not isinstance(event, TextDelta):
                    self._safely(self._send, otlp, spans.spans, event, time_ns())
                yield event
        except RunEnded:
            elsewhere = True
            raise
        except Exception as error:  # the edge: it goes on to whoever ends the run
            self._safely(self._send, otlp, spans.broken, type(error).__name__, time_ns())
            raise
        finally:
            self._working.discard(spans)
            self._safely(otlp.working, -1)
            if not (spans.over or elsewhere):
                self._safely(self._look_up, otlp, spans)

    def _spans(self, run: str, model: str, endpoint: str, so_far: Sequence[Event], replayed: bool) -> RunSpans:
        row = self._store.run(run)
        conversation = row.conversation if row else ""
        tested = Evaluations(self._store).is_of_a_test(conversation)
        subject = Subject(run, conversation, model, endpoint, self._shown, tested, replayed)
        return RunSpans(subject, so_far, time_ns())

    def _look_up(self, otlp: Otlp, spans: RunSpans) -> None:
        """Tell how a run has ended that was ended without its worker."""
        for event in self._store.events(spans.subject.run, spans.seen):
            self._send(otlp, spans.spans, event, time_ns())

    def _tell_end(self, otlp: Otlp, run: str, replayed: bool) -> None:
        events = self._store.events(run)
        begun = next((event for event in reversed(events) if isinstance(event, Prepared)), None)
        model, endpoint = (begun.model, begun.endpoint) if begun else ("", "")
        spans = self._spans(run, model, endpoint, events[:-1], replayed)
        self._send(otlp, spans.spans, events[-1], time_ns())

    @staticmethod
    def _send(otlp: Otlp, told: Callable[..., Sequence[RunSpan]], *arguments: object) -> None:
        for span in told(*arguments):
            otlp.span(span)

    @staticmethod
    def _safely(do: Callable[..., T], *arguments: object) -> T | None:
        """What ``do`` gives; ``None`` where it fails, which is logged: no run fails for what is told of it."""
        try:
            return do(*arguments)
        except Exception:  # the edge
            log.exception("telemetry failed")
            return None


def _told(secrets: frozenset[str], text: str) -> str:
    return masked(text[:_LONGEST_TEXT], secrets)
