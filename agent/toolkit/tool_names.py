"""What a tool may be called: anything short that people would write, and what native tool calls take in its place."""

from __future__ import annotations

from hashlib import sha256
from unicodedata import normalize

from agent.text.regex import regex

MOST_NAME = 64  # characters
# OpenAI's and the other providers' servers refuse a request in which a tool is called otherwise.
_NATIVE = regex(r"[A-Za-z][A-Za-z0-9_-]{0,63}")
# In letters of any script, with one blank between words: a name stands on a line of the text wire, behind a colon.
_NAME = regex(r"[^\W\d_][\w-]*+(?: [\w-]++){0,4}+")
_NOT_NATIVE = regex(r"[^A-Za-z0-9]+")


def is_name(name: str) -> bool:
    """Whether a tool can be told to a model under the name."""
    return len(name) <= MOST_NAME and _NAME.fullmatch(name) is not None


def native_name(name: str) -> str:
    """The name on the wire of native calls, by nothing but the name: itself, or its plain letters and a hash."""
    if _NATIVE.fullmatch(name):
        return name
    plain = _NOT_NATIVE.sub("_", normalize("NFKD", name).encode("ascii", "ignore").decode()).strip("_0123456789")
    return f"{plain[:40] or 'tool'}_{sha256(name.encode()).hexdigest()[:6]}"
