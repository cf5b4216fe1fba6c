"""Chunks that are gathered and looked at together, so that a text full of marks costs few looks."""

from __future__ import annotations

MOST_LOOKS = 500  # a text that had to be looked at closely so often is gathered from there on
_PIECE = 48  # characters


class Gathered:
    """Chunks of a text that nobody has looked at yet."""

    __slots__ = ("text",)

    def __init__(self) -> None:
        self.text = ""

    def add(self, chunk: str) -> str:
        """All that was gathered, where it is enough to look at, or where an empty chunk asks for it; else nothing."""
        text = self.text + chunk
        complete = not chunk or len(text) >= _PIECE
        self.text = "" if complete else text
        return text if complete else ""

    def take(self) -> str:
        text, self.text = self.text, ""
        return text
