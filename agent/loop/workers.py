"""Threads that do a run's blocking work, one piece each at a time, kept for the next piece."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import Future
from queue import SimpleQueue
from threading import Lock, Thread
from typing import Any, TypeVar

T = TypeVar("T")


class Workers:
    """As many threads as there is work at once; a context manager that sends them home at its end.

    They are daemons: one that is stuck in its work is left behind and holds nothing up, not even the interpreter's
    exit (which is why this is no ``ThreadPoolExecutor``).
    """

    def __init__(self) -> None:
        self._idle: list[SimpleQueue[Any]] = []
        self._lock = Lock()
        self._closed = False

    def submit(self, work: Callable[[], T]) -> Future[T]:
        """Do ``work`` in a thread; whatever it raises, a bug included, is raised again by ``Future.result``."""
        future: Future[T] = Future()
        with self._lock:
            jobs = self._idle.pop() if self._idle else None
        if jobs is None:
            jobs = SimpleQueue[Any]()
            Thread(target=self._serve, args=(jobs,), name="tool call", daemon=True).start()
        jobs.put((work, future))
        return future

    def do(self, work: Callable[[], T]) -> Future[T]:
        """As ``submit``, at once and in the thread that asks for it."""
        future: Future[T] = Future()
        _work(work, future)
        return future

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
            work, future = job
            _work(work, future)
            with self._lock:
                if self._closed:
                    return
                self._idle.append(jobs)


def _work(work: Callable[[], T], future: Future[T]) -> None:
    try:
        result = work()
    except BaseException as error:  # noqa: BLE001 - raised again where somebody waits for it
        future.set_exception(error)
    else:
        future.set_result(result)
