"""What a server sends beside the fields that we read: put together from its pieces, kept as JSON, sent back unread.

Thought signatures, reasoning and its details: some servers refuse a conversation without what they had sent.
"""

from __future__ import annotations

import json
from collections.abc import Collection, Mapping
from typing import Any, cast

from pydantic_core import from_json, to_json

# What a message and a call have by the protocol, and what only replies have. All else goes back as it came.
OF_A_MESSAGE = frozenset(
    ("role", "content", "refusal", "tool_calls", "function_call", "tool_call_id", "name", "annotations", "audio")
)
_OF_A_CALL = frozenset(("id", "type", "index", "function", "custom"))
# What the Responses API sent, and takes back, as a whole: none of it is for chat completions.
OUTPUT_ITEMS = "output_items"
MOST_OPAQUE = 2_000_000  # characters of a message's other fields that are kept; more are not


class Others:
    """The fields of a message that we do not read, put together from their pieces.

    Texts are joined, lists of objects by the ``index`` of these (OpenRouter's ``reasoning_details``); of all else the
    last one counts.
    """

    def __init__(self) -> None:
        self._fields: dict[str, Any] = {}
        self._texts: dict[str, list[str]] = {}
        self._size = 0

    def add(self, part: dict[str, Any]) -> None:
        for key, value in part.items():
            if key in OF_A_MESSAGE or value is None or value in ("", [], {}):
                continue
            self._size += len(value) if isinstance(value, str) else len(json.dumps(value))
            if isinstance(value, str):
                self._texts.setdefault(key, []).append(value)
                self._fields.setdefault(key, "")
            elif isinstance(value, list):
                known = self._fields.setdefault(key, [])
                for item in cast("list[object]", value) if isinstance(known, list) else ():
                    _join(cast("list[Any]", known), item)
            else:
                self._fields[key] = value

    def taken(self) -> str:
        """All of it as a JSON object, and none of it from now on; "" where there is none, or too much."""
        told = self._fields | {key: "".join(pieces) for key, pieces in self._texts.items()}
        small = self._size <= MOST_OPAQUE
        self._fields, self._texts = {}, {}
        return json.dumps(told, ensure_ascii=False) if told and small else ""


def _join(known: list[Any], item: object) -> None:
    """Add a piece to the item of its index and type, or as a new one."""
    piece = _fields_of(item)
    last = _fields_of(known[-1]) if known else {}
    if not piece or "index" not in piece or any(last.get(key) != piece.get(key) for key in ("index", "type")):
        known.append(item)
        return
    for key, value in piece.items():
        before = last.get(key)
        joins = key in ("text", "summary", "data") and isinstance(before, str) and isinstance(value, str)
        if value is not None:
            last[key] = f"{before}{value}" if joins else value


def others_of_a_call(call: Mapping[str, Any]) -> str:
    """What a call has beside what we read, as a JSON object; "" for nothing."""
    others = {key: value for key, value in call.items() if key not in _OF_A_CALL and value not in (None, "")}
    return json.dumps(others, ensure_ascii=False) if others else ""


def read_others(opaque: str, left_out: Collection[str]) -> dict[str, Any]:
    """What a server sent unread; but what it then refuses to be sent, and what is no JSON object (of a file, say)."""
    try:
        found: object = from_json(opaque) if opaque else {}
    except ValueError:
        found = {}
    told = cast("dict[str, Any]", found) if isinstance(found, dict) else {}
    known = {*left_out, *OF_A_MESSAGE, *_OF_A_CALL}
    return {name: value for name, value in told.items() if name not in known}


def object_text(text: str) -> str:
    """The arguments of a call as a JSON object, whatever the model wrote: many servers refuse anything else."""
    try:
        if isinstance(from_json(text), dict):
            return text
    except ValueError:
        pass
    return to_json({"input": text} if text.strip() else {}).decode()


def _fields_of(value: object) -> dict[str, Any]:
    return cast("dict[str, Any]", value) if isinstance(value, dict) else {}
