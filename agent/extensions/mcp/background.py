"""One thread with an event loop, for what can only be done with ``asyncio``."""

from __future__ import annotations

import atexit
from collections.abc import Coroutine
from concurrent.futures import Future
from threading import Lock, Thread
from typing import TYPE_CHECKING, Any, TypeVar

if TYPE_CHECKING:
    import asyncio  # it takes a while, and few have a tool server

T = TypeVar("T")
_CLOSING_SECONDS = 12.0  # a program that does not end when told to is killed after six


class Background:
    """Begins with the first work it is given; ends with ``close``, or before the interpreter does."""

    def __init__(self) -> None:
        self._loop: asyncio.AbstractEventLoop | None = None
        self._thread: Thread | None = None
        self._lock = Lock()
        self._closed = False

    def submit(self, work: Coroutine[Any, Any, T]) -> Future[T]:
        """Do the work in the loop. Raises ``RuntimeError`` where that is closed."""
        import asyncio

        with self._lock:
            if self._closed:
                work.close()
                raise RuntimeError("the background loop is closed")
            if self._loop is None:
                self._loop = asyncio.new_event_loop()
                self._thread = Thread(target=self._run, args=(self._loop,), name="tool servers", daemon=True)
                self._thread.start()
                atexit.register(self.close)
            return asyncio.run_coroutine_threadsafe(work, self._loop)

    def close(self) -> None:
        """Cancel what is at work, wait until it has put its things away, and end the thread."""
        with self._lock:
            loop, thread, self._closed = self._loop, self._thread, True
            self._loop = None
        if loop is None or thread is None:
            return
        loop.call_soon_threadsafe(loop.stop)
        thread.join(_CLOSING_SECONDS + 2)
        atexit.unregister(self.close)

    def _run(self, loop: asyncio.AbstractEventLoop) -> None:
        import asyncio

        asyncio.set_event_loop(loop)
        try:
            loop.run_forever()
            tasks = asyncio.all_tasks(loop)
            for task in tasks:
                task.cancel()
            if tasks:
                loop.run_until_complete(asyncio.wait(tasks, timeout=_CLOSING_SECONDS))
            loop.run_until_complete(loop.shutdown_asyncgens())
        finally:
            asyncio.set_event_loop(None)
            loop.close()
