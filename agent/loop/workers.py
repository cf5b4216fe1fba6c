"""Threads that do a run's blocking work, one piece each at a time, kept for the next piece."""

from __future__ import annotations

from collections.abc import Callable
from queue import SimpleQueue
from threading import Lock, Thread
from typing import Any, Generic, TypeVar, cast

T = TypeVar("T")


class Outcome(Generic[T]):
    """What comes of a piece of work: as much of ``concurrent.futures.Future`` as is needed, for two thirds of its time.

    The work lets a lock go in the end; a ``Future`` has a condition.
    """

    __slots__ = ("_done", "_error", "_pending", "_result")

    def __init__(self) -> None:
        self._pending = Lock()
        self._pending.acquire()
        self._done = False
        self._result: T | None = None
        self._error: BaseException | None = None

    def do(self, work: Callable[[], T]) -> None:
        """Do the work here and now; whatever it raises, a bug included, is for those who wait for ``tell``."""
        try:
            self._result = work()
        except BaseException as error:  # noqa: BLE001 - raised again where somebody waits for it
            self._error = error

    def tell(self) -> None:
        """Say that the work is done to whoever waits for it."""
        self._done = True
        self._pending.release()

    def fail(self, error: BaseException) -> None:
        """In place of ``do``, for work that is not to be done."""
        self._error = error
        self.tell()

    def done(self) -> bool:
        return self._done

    def exception(self, seconds: float | None = None) -> BaseException | None:
        """What the work raised, if it did. Raises ``TimeoutError`` where it is not done within so many ``seconds``."""
        if not self._done:
            if not self._pending.acquire(timeout=-1 if seconds is None else seconds):
                raise TimeoutError
            self._pending.release()
        return self._error

    def result(self, seconds: float | None = None) -> T:
        """What the work gives back. Raises what it raised, or ``TimeoutError`` as ``exception`` does."""
        if error := self.exception(seconds):
            raise error
        return cast("T", self._result)


class Workers:
    """As many threads as there is work at once; a context manager that sends them home at its end.

    They are daemons: one that is stuck in its work is left behind and holds nothing up, not even the interpreter's
    exit (which is why this is no ``ThreadPoolExecutor``).
    """

    def __init__(self) -> None:
        self._idle: list[SimpleQueue[Any]] = []
        self._lock = Lock()
        self._closed = False

    def submit(self, work: Callable[[], T]) -> Outcome[T]:
        """Do ``work`` in a thread; whatever it raises, a bug included, is raised again by ``Outcome.result``."""
        outcome: Outcome[T] = Outcome()
        with self._lock:
            jobs = self._idle.pop() if self._idle else None
        if jobs is None:
            jobs = SimpleQueue[Any]()
            Thread(target=self._serve, args=(jobs,), name="tool call", daemon=True).start()
        jobs.put((outcome, work))
        return outcome

    def do(self, work: Callable[[], T]) -> Outcome[T]:
        """As ``submit``, at once and in the thread that asks for it."""
        outcome: Outcome[T] = Outcome()
        outcome.do(work)
        outcome.tell()
        return outcome

    def __enter__(self) -> Workers:
        return self

    def __exit__(self, *_: object) -> None:
        with self._lock:
            self._closed = True
            idle, self._idle = self._idle, []
        for jobs in idle:
            jobs.put(None)

    def _serve(self, jobs: SimpleQueue[Any]) -> None:
        while (job := jobs.get()) is not None:
            outcome, work = job
            outcome.do(work)
            with self._lock:
                if not (closed := self._closed):
                    self._idle.append(jobs)
            # Last of all: who is woken while this thread still works has to wait for it, and to be woken once more.
            outcome.tell()
            if closed:
                return
