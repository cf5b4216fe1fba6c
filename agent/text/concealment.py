"""Takes a secret out of a text that comes in pieces, wherever the cuts between them are."""

from __future__ import annotations

CONCEALED = "[key removed]"
_SHORTEST = 8  # characters of a secret; a shorter one would take ordinary words with it


class Concealment:
    """``take`` the pieces, then what is ``left``; a piece that may be the beginning of the secret waits for the next.

    An empty ``secret``, or a short one, conceals nothing.
    """

    def __init__(self, secret: str) -> None:
        self._secret = secret if len(secret) >= _SHORTEST else ""
        self._held = ""

    def take(self, piece: str) -> str:
        if not self._secret or not piece:
            return piece
        text = (self._held + piece).replace(self._secret, CONCEALED)
        start = self._beginning(text)
        self._held = text[start:]
        return text[:start]

    def left(self) -> str:
        left, self._held = self._held, ""
        return left

    def whole(self, text: str) -> str:
        """The text, which came whole, without the secret."""
        return text.replace(self._secret, CONCEALED) if self._secret else text

    def _beginning(self, text: str) -> int:
        """Where the text ends in a beginning of the secret; its length where it does not."""
        at = max(0, len(text) - len(self._secret) + 1)
        while (at := text.find(self._secret[0], at)) >= 0:
            if self._secret.startswith(text[at:]):
                return at
            at += 1
        return len(text)
