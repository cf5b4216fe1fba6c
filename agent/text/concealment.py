"""Takes secrets out of texts: one that is known from a text that comes in pieces, and what looks like a key."""

from __future__ import annotations

import re
from collections.abc import Iterable

from agent.text.regex import regex

CONCEALED = "[key removed]"
# What keys of model servers begin with, as a regular expression.
_BEGINNINGS = "sk|gsk|pk|rk|xai|hf|nvapi|fw|csk|pplx|r8"
_SHORTEST = 8  # characters of a secret; a shorter one would take ordinary words with it
# A column may be called pk_something: a key has a digit, and is long. Then keys of GitHub, AWS, Slack and
# Google, signed tokens, and what stands between the lines of a private key.
_KEYS = regex(
    rf"\b(?:{_BEGINNINGS})[-_](?=[\w-]*\d)[\w-]{{16,}}|"
    r"\b(?:gh[pousr]|github_pat)_\w{30,}|\bAKIA[0-9A-Z]{16}\b|\bxox[a-z]-[\w-]{10,}|\bAIza[\w-]{30,}|"
    r"\beyJ[\w-]{10,}\.eyJ[\w-]{10,}\.[\w-]{10,}|"
    r"(?<=PRIVATE KEY-----)(?:\s|\\n|[\w+/=])+"
)
# Name and password in an address.
_CREDENTIALS = regex(r"(?<=://)[^\s/@:\"]+:[^\s/@\"]+(?=@)")
# Whatever begins as a key does, "Bearer …" and credentials in an address: as an error of a model server repeats them.
SECRETS = regex(
    rf"\b(?:{_BEGINNINGS})[-_][\w*.…-]{{6,}}|\bAIza[\w-]{{10,}}|(?<=Bearer )\S+|"
    r"(?<=://)[^\s/@]+(?=@)|(?<=[?&]key=)[^\s&]+",
    re.I,
)
_LETTER = regex(r"[^\n]")


def masked(text: str, known: Iterable[str] = ()) -> str:
    """The text with a star for each letter of what is ``known``, and of what looks like a key or a password.

    It stays as long as it was: places in it are the same.
    """
    for secret in sorted(known, key=len, reverse=True):
        if secret:
            text = text.replace(secret, stars(secret))
    for pattern in (_KEYS, _CREDENTIALS):
        text = pattern.sub(lambda found: stars(found[0]), text)
    return text


def looks_like_a_key(text: str) -> bool:
    """Whether there is something in the text that begins as the keys of known providers do."""
    return bool(SECRETS.search(text))


def stars(text: str) -> str:
    """A star for each character of a line."""
    return _LETTER.sub("*", text)


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
