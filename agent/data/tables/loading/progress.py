"""How far a loading is, in a small file that a page can read meanwhile."""

from __future__ import annotations

import json
from collections.abc import Callable, Generator
from contextlib import contextmanager
from dataclasses import asdict, dataclass
from pathlib import Path
from threading import Event, Thread
from typing import TYPE_CHECKING

if TYPE_CHECKING:  # a page reads the file, and needs no engine for it
    import duckdb

_SECONDS_BETWEEN = 0.25


@dataclass(frozen=True, slots=True)
class Progress:
    """``done`` is the share from 0 to 1, ``-1`` where it is not known; ``written`` the bytes of the new file."""

    stage: str = "waiting"
    done: float = -1.0
    written: int = 0


class Reporter:
    """Writes the progress of one loading to a file; nowhere where ``path`` is None."""

    def __init__(self, path: Path | None) -> None:
        self._path = path

    def report(self, stage: str, done: float = -1.0, written: int = 0) -> None:
        if self._path is not None:
            self._path.write_text(json.dumps(asdict(Progress(stage, round(done, 3), written))), encoding="utf-8")

    @contextmanager
    def watching(self, stage: str, connection: duckdb.DuckDBPyConnection, output: Path) -> Generator[None]:
        """Reports what the statement in the block has done so far, four times a second."""
        ended = Event()
        watcher = Thread(target=self._watch, args=(stage, connection, output, ended), daemon=True)
        if self._path is not None:
            self.report(stage)
            watcher.start()
        try:
            yield
        finally:
            ended.set()
            if watcher.ident is not None:
                watcher.join()

    def _watch(self, stage: str, connection: duckdb.DuckDBPyConnection, output: Path, ended: Event) -> None:
        while not ended.wait(_SECONDS_BETWEEN):
            written = output.stat().st_size if output.exists() else 0
            share = connection.query_progress()
            self.report(stage, share / 100 if share >= 0 else -1.0, written)


def read_progress(path: Path) -> Progress:
    """What was reported last; waiting where nothing was, or where it is being written just now."""
    try:
        given = json.loads(path.read_bytes())
        return Progress(str(given["stage"]), float(given["done"]), int(given["written"]))
    except (OSError, ValueError, TypeError, KeyError):
        return Progress()


@contextmanager
def watching(path: Path, progress: Callable[[Progress], None] | None) -> Generator[None]:
    """Tell ``progress`` what is reported to ``path``, from a thread, while the block is at work."""
    ended = Event()

    def watch() -> None:
        while progress and not ended.wait(_SECONDS_BETWEEN):
            progress(read_progress(path))

    thread = Thread(target=watch, name="table progress", daemon=True)
    thread.start()
    try:
        yield
    finally:
        ended.set()
        thread.join()
