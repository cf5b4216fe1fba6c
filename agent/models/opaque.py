"""What a server sends beside the fields that we read: put together from its pieces, kept as JSON, sent back unread.

Thought signatures, reasoning and its details: some servers refuse a conversation without what they had sent.
"""

from __future__ import annotations

import json
from collections.abc import Collection, Mapping, Sequence
from itertools import groupby
from typing import Any, cast

from pydantic_core import from_json, to_json

from agent.text.regex import regex

# What a message and a call have by the protocol, and what only replies have. All else goes back as it came.
OF_A_MESSAGE = frozenset(
    ("role", "content", "refusal", "tool_calls", "function_call", "tool_call_id", "name", "annotations", "audio")
)
OF_A_CALL = frozenset(("id", "type", "index", "function", "custom"))
# What the Responses API sent, and takes back, as a whole: none of it is for chat completions.
OUTPUT_ITEMS = "output_items"
# Whose server it was that OpenRouter had the reply from: only that one can read what it sent. Others name a provider,
# too; the native reason of the end beside it is OpenRouter's (https://openrouter.ai/docs/api-reference/overview).
UPSTREAM = "upstream"
_NAME = regex(r"\w[\w ./:-]{0,63}")
MOST_OPAQUE = 2_000_000  # characters of a message's other fields that are kept; more are not


class Others:
    """The fields of a message that we do not read, put together from their pieces.

    Texts are joined, lists of objects by the ``index`` of these (OpenRouter's ``reasoning_details``); of all else the
    last one counts. Content is one of them where it is a list of ``parts`` that are not all text (Mistral's thinking);
    it is then added whole, the plain texts behind that, too.
    """

    def __init__(self) -> None:
        self.upstream = ""
        self.parts: list[dict[str, Any]] = []
        self._fields: dict[str, Any] = {}
        self._texts: dict[str, list[str]] = {}
        self._size = 0

    def add(self, part: dict[str, Any]) -> None:
        if self._size > MOST_OPAQUE:
            return
        content: object = part.get("content")
        if self.parts or isinstance(content, list):
            self._add_content(cast("object", content))
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

    def _add_content(self, content: object) -> None:
        pieces = [{"type": "text", "text": content}] if isinstance(content, str) and content else content
        for piece in map(as_object, cast("list[object]", pieces) if isinstance(pieces, list) else ()):
            self._size += len(json.dumps(piece))
            self.parts.append(piece)

    def taken(self) -> str:
        """All of it as a JSON object, and none of it from now on; "" where there is none, or too much."""
        told = self._fields | {key: "".join(pieces) for key, pieces in self._texts.items()}
        if any(part.get("type") not in ("text", None) for part in self.parts):
            told["content"] = _whole_parts(self.parts)
        if told and self.upstream:
            told = {UPSTREAM: self.upstream, **told}
        small = self._size <= MOST_OPAQUE
        self._fields, self._texts, self.parts = {}, {}, []
        return json.dumps(told, ensure_ascii=False) if told and small else ""


def _whole_parts(pieces: Sequence[Mapping[str, Any]]) -> list[dict[str, Any]]:
    """The parts of which these are pieces: neighbouring texts, and neighbouring thoughts, are one."""
    told: list[dict[str, Any]] = []
    for kind, group in groupby(pieces, key=lambda piece: piece.get("type")):
        found = list(group)
        if kind == "text":
            told.append({**found[-1], "text": "".join(text_in(piece.get("text")) for piece in found)})
        elif kind == "thinking":
            thought = "".join(text_in(piece.get("thinking")) for piece in found)
            told.append({**found[-1], "thinking": [{"type": "text", "text": thought}]})
        else:
            told += map(dict, found)
    return told


def _join(known: list[Any], item: object) -> None:
    """Add a piece to the item of its index and type, or as a new one."""
    piece = as_object(item)
    last = as_object(known[-1]) if known else {}
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
    others = {key: value for key, value in call.items() if key not in OF_A_CALL and value not in (None, "")}
    return json.dumps(others, ensure_ascii=False) if others else ""


def read_others(opaque: str, left_out: Collection[str]) -> dict[str, Any]:
    """What a server sent unread; but what it then refuses to be sent, and what is no JSON object (of a file, say)."""
    if not opaque:
        return {}
    try:
        found: object = from_json(opaque)
    except ValueError:
        found = {}
    told = cast("dict[str, Any]", found) if isinstance(found, dict) else {}
    known = {*left_out, *OF_A_MESSAGE, *OF_A_CALL, UPSTREAM}
    return {name: value for name, value in told.items() if name not in known}


def upstream_in(opaque: str) -> str:
    """The name of the server behind a router that sent this; "" where none is told."""
    if f'"{UPSTREAM}"' not in opaque:
        return ""
    try:
        name = as_object(from_json(opaque)).get(UPSTREAM)
    except ValueError:
        return ""
    return name if isinstance(name, str) and _NAME.fullmatch(name) else ""


def object_text(text: str) -> str:
    """The arguments of a call as a JSON object, whatever the model wrote: many servers refuse anything else."""
    try:
        if isinstance(from_json(text), dict):
            return text
    except ValueError:
        pass
    return to_json({"input": text} if text.strip() else {}).decode()


def content_parts(opaque: str, content: str, left_out: Collection[str]) -> list[Any] | None:
    """The content as the list of parts in which it came, where there is one, its server takes it, and its text is the
    same still.
    """
    if '"content"' not in opaque or "content" in left_out:
        return None
    try:
        found = as_object(from_json(opaque)).get("content")
    except ValueError:
        return None
    same = isinstance(found, list) and text_in(cast("object", found)) == content
    return cast("list[Any]", found) if same else None


def text_in(value: object, kind: str = "text") -> str:
    """Text that is a string or a list of parts; ``kind`` ``thinking`` takes Mistral's thinking parts instead."""
    if isinstance(value, str):
        return value if kind == "text" else ""
    if not isinstance(value, list):
        return ""
    parts = [as_object(part) for part in cast("list[object]", value)]
    if kind == "thinking":
        return "".join(text_in(part.get("thinking")) for part in parts)
    return "".join(text_in(part.get("text")) or text_in(part.get("summary")) for part in parts)


def as_object(value: object) -> dict[str, Any]:
    """The value where it is a JSON object, else an empty one."""
    return cast("dict[str, Any]", value) if isinstance(value, dict) else {}
