"""Earlier runs in a file of JSON lines, one event a line: what ``--history`` names."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path

from agent.errors import BadRequest
from agent.events import Asked, Event, load
from agent.upcasters import NotAnEvent


def read_history(path: Path) -> list[Event]:
    """The events of earlier runs; the file can be written to afterwards, from the start of a line on."""
    events, text = read_events(path), path.read_bytes() if path.exists() else b""
    add_to_history(path, "" if not text or text.endswith(b"\n") else "\n")
    return events


def read_events(path: Path) -> list[Event]:
    """The events in a file of JSON lines, none where there is no such file. Raises ``BadRequest``, ``OSError``."""
    if path.exists() and not path.is_file():
        raise BadRequest(f"{path} is not a file.")
    text = path.read_bytes() if path.exists() else b""
    events: list[Event] = []
    for number, line in enumerate(text.split(b"\n"), 1):
        if line.strip():
            try:
                events.append(load(line))
            except NotAnEvent as error:
                mend = "Update Glassbox, or" if error.newer else "Remove the line, or"
                problem = f"{path}, line {number}: it {error.fault}. {mend} name another file."
                raise BadRequest(problem) from None
    return events


def add_to_history(path: Path, text: str) -> None:
    """Write to the end of a file. Raises ``OSError`` with its name."""
    try:
        with path.open("ab") as file:
            file.write(text.encode())
    except OSError as error:
        raise OSError(error.errno, error.strerror, str(path)) from None


def runs_of(events: Sequence[Event]) -> Iterator[list[Event]]:
    """The events of each run."""
    run: list[Event] = []
    for event in events:
        if isinstance(event, Asked) and run:
            yield run
            run = []
        run.append(event)
    if run:
        yield run
