"""What can be searched of a conversation, and the form in which texts and queries are compared."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any
from unicodedata import normalize

from pydantic_core import from_json

# Of each event, the field in which somebody speaks: not the prompts, nor how the reply was worded on its way.
_FIELDS = {"Asked": "question", "Merged": "question", "Observed": "text", "Answered": "text", "Failed": "partial"}
_ENDS = tuple(f'"type":"{name}"}}' for name in _FIELDS)


def fold(text: str) -> str:
    """``text`` without differences of case and width: NFKC, case-folded; what no database takes becomes a space."""
    if not text.isascii():
        clean = text.encode("utf-8", "replace").decode()
        text = normalize("NFKC", normalize("NFKC", clean).casefold())
    return text.casefold().replace("\0", " ")


def said(bodies: Iterable[str]) -> str:
    """The folded text of stored events: questions, observations, answers. What the loop told the model is left out."""
    return fold("\n".join(_said(from_json(body)) for body in bodies if body.endswith(_ENDS)))


def words(query: str) -> list[str]:
    """The words of a query, folded, each once."""
    return list(dict.fromkeys(fold(query).split()))


def _said(event: dict[str, Any]) -> str:
    return "" if event.get("call_id") == "" else event[_FIELDS[event["type"]]]
