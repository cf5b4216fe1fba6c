"""Runs in flight: each in a worker thread of this process, followed by any number of readers, stopped by a word."""

from __future__ import annotations

import atexit
import logging
from collections.abc import Callable, Generator, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from functools import partial
from threading import Event as Flag
from threading import Lock, Thread, Timer
from time import monotonic

from agent.endings import INTERRUPTED, as_failed, closing
from agent.errors import GlassboxError, RunUnreadable, StoreFailed, StoreRefused
from agent.events import Answered, Event, Failed
from agent.interface_text import Text
from agent.runs.elsewhere.exchange import Exchange
from agent.runs.elsewhere.followed import STORE_LOOK_SECONDS, Followed, follow_stored
from agent.runs.journal import FIRST_PAUSE, Journal
from agent.runs.live_run import LiveRun
from agent.runs.places import Places
from agent.store.runs import STOPPED, NotWaiting, RunEnded, Store
from agent.store.schema import ANYBODY

log = logging.getLogger(__name__)
STOP_SECONDS = 0.5
INTERRUPT_SECONDS = 5.0
LOOK_SECONDS = 1.0
_LONGEST_WAIT = 4.0  # seconds, between two tries to begin
_KEPT = 64
_TOO_LATE = Failed("limit", Text("The time for this question ran out, and the model's server said nothing more."))


class Runs:
    """The runs of this process. All methods may be called from any thread."""

    def __init__(
        self,
        store: Store,
        most: int = 32,
        patience: float = 120.0,
        resumes: bool = False,
        exchange: Exchange | None = None,
    ) -> None:
        """``most`` runs work at once, a fourth of them for one visitor; further ones wait.

        Runs whose process is gone are closed, unless somebody ``resumes`` them. While the store fails, runs go on in
        memory for ``patience`` seconds. Through an ``exchange``, runs are followed live in other processes.
        """
        self._exchange = exchange
        self._store = store
        self._patience = patience
        self._resumes = resumes
        self._well = True
        self._places = Places[LiveRun](most)
        self._live: dict[str, LiveRun] = {}
        self._lock = Lock()
        self.followers = 0  # pages that follow runs just now
        self._closed = Flag()
        self._look({})
        if not resumes:  # who resumes them must know first which processes have ended
            store.leases.sweep()
        atexit.register(self.interrupt)
        self._looking = Thread(target=self._look_after, name="runs: look after", daemon=True)
        self._looking.start()

    def close(self) -> None:
        """Stop looking after the leases, and wait for a look at them to end; runs at work go on to their end."""
        atexit.unregister(self.interrupt)
        self._closed.set()
        self._looking.join()
        if self._exchange:
            self._exchange.close()

    def open_after(self, seconds: float) -> bool:
        """Whether the runs are still looked after in so many seconds; comes back at once when they are not any more."""
        return not self._closed.wait(seconds)

    def start(
        self,
        run: str,
        story: Callable[[Flag], Iterator[Event]],
        most_seconds: float = 0.0,
        cancel: Flag | None = None,
        so_far: Sequence[Event] = (),
        visitor: str = "",
        taken: int = ANYBODY,
    ) -> None:
        """Work through ``story`` in a thread of its own; it is given the flag that ``cancel`` sets, yours if given.

        A run that is still at work after ``most_seconds`` is ended without its worker; 0 means never. A story that ends
        in a ``Waiting`` leaves its run to the person; ``so_far`` are the events of the run that are stored already.
        It waits for a place of the ``visitor``'s share, where one is named; ``taken`` is as in ``Store.append``.
        """
        journal = Journal(self._store, run, self._patience, taken=taken)
        live = LiveRun(run, cancel or Flag(), journal, most_seconds)
        live.add(so_far)
        if self._exchange:
            self._exchange.speaker.begin(run, len(so_far))
        with self._lock:
            self._live[run] = live
            self._forget()
            self._places.ask(live, visitor)
        Thread(target=self._work, args=(live, story), name=f"run {run[:8]}", daemon=True).start()

    def keep(self, run: str, events: Sequence[Event]) -> None:
        """Store events of a run that works here; where the store fails, they wait in memory. See ``Journal.keep``."""
        self._live[run].journal.keep(events)

    def cancel(self, run: str) -> None:
        """Ask the run to stop, in whichever process it works; where it is stuck in a call, end it without it."""
        live = self._live.get(run)
        if live is None or live.waiting:
            self._stop_elsewhere(run)
        elif not (live.done or live.cancel.is_set()):
            live.cancel.set()
            timer = Timer(STOP_SECONDS, self._end, (live, STOPPED))
            timer.daemon = True
            timer.start()

    def working(self, run: str) -> bool:
        """Whether this process works on the run."""
        live = self._live.get(run)
        return live is not None and not live.over

    def interrupt(self, seconds: float = INTERRUPT_SECONDS) -> None:
        """End the runs that are at work here, each with all that it had; Python calls this when the process ends.

        After so many ``seconds`` what is left is closed by whichever process looks next. Where runs are resumed, all
        are left to that process, with what has come of their replies.
        """
        ends = monotonic() + seconds
        if self._resumes:
            with suppress(GlassboxError):
                self._keep_streamed(live for live in list(self._live.values()) if not live.done)
            return
        for live in list(self._live.values()):
            if not live.over and monotonic() < ends:
                self._end(live, INTERRUPTED)
                live.cancel.set()
                live.journal.retry(at_once=True)

    def _stop_elsewhere(self, run: str) -> None:
        """End a run that waits for the person; have another process stop one that is at work there."""
        try:
            self._store.take_up(run, closing(self._store.readable(run), STOPPED))
        except NotWaiting:
            taken = self._exchange.handed.take_back(run) if self._exchange else None
            if taken is None:
                self._store.leases.ask_to_stop(run)
            else:  # nobody has begun with it
                self._store.append(run, closing(self._store.readable(run), STOPPED), taken)

    def follow(self, run: str, after: int = 0, wait: float = 0.5) -> Followed:
        """The events from index ``after`` on, as soon as there are any, at the latest after ``wait`` seconds.

        A run of this process is followed live, with its ``TextDelta`` events; any other from the store.
        """
        live = self._live.get(run)
        if live is None or (live.waiting and not self._store.is_waiting(run)):
            following = self._exchange.mirrors.follow if self._exchange else partial(follow_stored, self._store)
            return following(run, after, wait)
        with live.changed:
            live.changed.wait_for(lambda: live.over or len(live.events) > after, wait)
            return Followed(tuple(live.events[after:]), live.over, self._place(live), live.journal.late)

    @contextmanager
    def one_follower(self) -> Generator[None]:
        """In the block, the caller is counted among the ``followers``."""
        with self._lock:
            self.followers += 1
        try:
            yield
        finally:
            with self._lock:
                self.followers -= 1

    def _place(self, live: LiveRun) -> int:
        if live.started or live.done:
            return 0
        return 1 + sum(not (other.started or other.done) for other in self._places.before(live))

    def _work(self, live: LiveRun, story: Callable[[Flag], Iterator[Event]]) -> None:
        elsewhere = False
        with self._places.taken(live):
            live.started = monotonic()
            try:
                for event in self._told(live, story):
                    if not self._publish(live, [event]):
                        break
            except RunEnded:
                elsewhere = True
            except GlassboxError as error:
                log.exception("run %s could not be stored", live.run)
                self._end(live, Failed("error", error.text))
            except Exception as error:  # noqa: BLE001 - the edge: a bug ends its run alone
                self._end(live, as_failed(error))
            finally:
                if not elsewhere:
                    self._leave(live)
        if elsewhere:
            self._publish_stored(live)
            self._leave(live)

    def _leave(self, live: LiveRun) -> None:
        with live.changed:
            live.done = True
            live.changed.notify_all()
        if self._exchange:
            self._exchange.speaker.end(live.run)

    def _told(self, live: LiveRun, story: Callable[[Flag], Iterator[Event]]) -> Iterator[Event]:
        """The events of the story; where the store fails before the first, it begins again after a pause that grows."""
        pause, ends, begun = FIRST_PAUSE, monotonic() + self._patience, False
        while True:
            try:
                for event in story(live.cancel):
                    begun = True
                    yield event
                return
            except StoreFailed as error:
                lasting = isinstance(error, RunEnded | RunUnreadable | StoreRefused | NotWaiting)
                if begun or lasting or monotonic() > ends or live.cancel.wait(pause):
                    raise
                pause = min(2 * pause, _LONGEST_WAIT)

    def _publish_stored(self, live: LiveRun) -> None:
        """Show how a run ends, or goes on, that somebody else has ended in the store, or taken up."""
        seen, done = live.stored, False
        while not (done or self._closed.is_set()):
            try:
                followed = follow_stored(self._store, live.run, seen, STORE_LOOK_SECONDS)
                events, done = followed.events, followed.done
            except GlassboxError as error:
                events, done = (Failed("error", error.text),), True
            seen += len(events)
            self._publish(live, events)

    def _publish(self, live: LiveRun, events: Sequence[Event]) -> bool:
        """Show events to the followers; false where the run has ended without its worker."""
        with live.changed:
            if live.done:
                return False
            live.add(events)
            live.told = monotonic()
            live.done = any(isinstance(event, Answered | Failed) for event in events)
            live.changed.notify_all()
        if self._exchange:
            self._exchange.speaker.tell(live.run, events)
        return True

    def _end(self, live: LiveRun, failed: Failed) -> None:
        with live.changed:
            if live.done:
                return
            events = closing(live.events, failed)
        try:
            live.journal.keep(events)
        except RunEnded:
            return
        except GlassboxError:
            log.exception("run %s could not be stored", live.run)
        self._publish(live, events)

    def _forget(self) -> None:
        finished = [run for run, live in self._live.items() if live.over]
        for run in finished[: max(0, len(finished) - _KEPT)]:
            del self._live[run]

    def _look_after(self) -> None:
        """Keep this process's runs from being taken for interrupted ones, end the late ones, close lost ones."""
        while not self._closed.wait(LOOK_SECONDS):
            self._look({run: live for run, live in list(self._live.items()) if not live.over})

    def _look(self, working: Mapping[str, LiveRun]) -> None:
        """Once; what fails is logged when it begins to, and tried again with the next look."""
        try:
            for live in working.values():
                if live.late:
                    self._end(live, _TOO_LATE)
                    live.cancel.set()
            if working:
                begun = [run for run, live in working.items() if live.started]
                renewed = self._store.leases.renew(list(working), begun)
                for run in renewed.stopping:
                    self.cancel(run)
                for run in renewed.taken:
                    working[run].cancel.set()
            self._keep_streamed(live for live in working.values() if not (live.done or live.cancel.is_set()))
            self._store_late(working.values(), back=not self._well)
            if not self._resumes:
                self._store.close_interrupted(handed=self._exchange is None)
        except Exception:  # the edge: whatever one run leads to, the others' leases are looked after
            if self._well:
                log.exception("leases could not be renewed")
            self._well = False
        else:
            self._well = True

    def _store_late(self, working: Iterable[LiveRun], back: bool) -> None:
        """Try again to store what is late: what is due, up to the first failure; all of it once the store is back."""
        for live in sorted((live for live in working if live.journal.late), key=lambda live: live.journal.due):
            stored = live.journal.retry(back)
            if stored is False:
                return
            back = back or bool(stored)
            with live.changed:
                live.changed.notify_all()

    def _keep_streamed(self, working: Iterable[LiveRun]) -> None:
        """Keep what came since the last time of replies that are not whole: it is there when the process is killed."""
        pieces = {live: piece for live in working if (piece := live.piece())}
        if pieces:
            self._store.unanswered.keep_streamed(pieces.values())
        for live, piece in pieces.items():
            live.kept = piece.number
