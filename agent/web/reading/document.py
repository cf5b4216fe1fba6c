"""What was read of a page or file."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Document:
    """``text`` is Markdown for pages and tables. ``notes`` are sentences on what was left out or may be wrong.

    ``walled`` is true where the page shows a form to sign in and little else.
    """

    text: str
    title: str = ""
    date: str = ""
    notes: tuple[str, ...] = ()
    walled: bool = False


class Unreadable(Exception):
    """There is nothing to read. ``str`` is the sentence; ``kind`` is one of those of ``ToolFailed``."""

    def __init__(self, message: str, kind: str = "nothing") -> None:
        super().__init__(message)
        self.kind = kind
