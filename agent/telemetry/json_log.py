"""The log as one JSON object a line, for programs that collect logs."""

from __future__ import annotations

import json
import logging
from datetime import UTC, datetime
from pathlib import Path
from traceback import extract_tb

from agent.text.concealment import masked

_LONGEST = 2_000  # characters of a message


class JsonLines(logging.Formatter):
    """Writes time (UTC), level, logger, thread and message; of an error its kinds and places.

    What an error says is left out: it may have a person's words in it. What looks like a key is starred out.
    """

    def format(self, record: logging.LogRecord) -> str:
        line: dict[str, object] = {
            "time": datetime.fromtimestamp(record.created, UTC).isoformat(timespec="milliseconds"),
            "level": record.levelname.lower(),
            "logger": record.name,
            "thread": record.threadName,
            "message": masked(record.getMessage()[:_LONGEST]),
        }
        error = record.exc_info[1] if record.exc_info else None
        if error is not None:
            line["error"] = _kinds(error)
            line["at"] = [f"{Path(at.filename).name}:{at.lineno} {at.name}" for at in extract_tb(error.__traceback__)]
        return json.dumps(line, ensure_ascii=False)


def write_json() -> None:
    """Write what is logged from now on to standard error in that form, Streamlit's own lines, too."""
    root = logging.getLogger()
    if not root.handlers:
        root.addHandler(logging.StreamHandler())
    for logger in (root, *logging.Logger.manager.loggerDict.values()):
        for handler in logger.handlers if isinstance(logger, logging.Logger) else ():
            if type(handler) is logging.StreamHandler:
                handler.setFormatter(JsonLines())


def _kinds(error: BaseException) -> list[str]:
    """The kind of the error, and of those that led to it."""
    found: list[str] = []
    led: BaseException | None = error
    while led is not None and len(found) < 10:
        found.append(type(led).__name__)
        led = led.__cause__ or led.__context__
    return found
