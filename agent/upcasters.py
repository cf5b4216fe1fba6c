"""Brings events that earlier versions wrote up to date: one small function for each step from version to version.

The version of a kind of event counts from 1 and grows by one with each change of its fields. An event says under ``v``
in which it was written; nothing there means 1. What is passed here are events as JSON has them, before they are
validated, values inside them (``sources``, ``usage``, …) included: a change of those is a change of every kind that
has them.

A kind gets a new version so: change its class in ``agent.events``, add the step here, name the fields that are new in
``NEW_FIELDS``, and keep a store of the version before in the tests.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Mapping
from typing import Any, TypeAlias

from pydantic_core import from_json, to_json

from agent.interface_text import Text

Raw: TypeAlias = dict[str, Any]

# What version 1 told a model at a limit, in each language it had: only the words in brackets say which limit it was.
_LIMIT_TOLD = re.compile(
    r"The limit is reached \((.+)\), so no more tools can be used\. Give the best Final Answer now "
    r"from what was observed, and name what is missing or uncertain\."
    r"|上限（(.+)）に達したので、もうツールは使えません。これまでの観察から最善の「最終的な答え」を今書き、"
    r"足りないことや不確かなことを明記してください。"
)
_LIMIT_NAMES = {
    "steps": re.compile(r"[\d,]+ (?:steps?|ステップ)"),
    "seconds": re.compile(r"[\d.e+]+ (?:seconds?|秒)"),
    "tokens": re.compile(r"[\d,]+ (?:tokens?|トークン)"),
    "money": re.compile(r"[\d.e+-]+ (?:US dollars?|米ドル)"),
    "repeats": re.compile(r"repeating the same call|同じ呼び出しの繰り返し"),
    "unreadable": re.compile(r"three unreadable replies in a row|読めない返答が三回続いた"),
    "asked": re.compile(r"the user wants an answer now|ユーザーが今すぐの回答を求めています"),
}


def _observed_of_1(event: Raw) -> Raw:
    """Version 2 has ``limit`` and ``claims``; before, they stood only in the sentence that the model was told."""
    kind, text = event.get("error"), event.get("text")
    if kind == "limit" and isinstance(text, str) and (told := _LIMIT_TOLD.fullmatch(text)):
        named = told[1] or told[2]
        return event | {"limit": next((name for name, words in _LIMIT_NAMES.items() if words.fullmatch(named)), None)}
    return event | {"claims": text.count("\n- ")} if kind == "insist" and isinstance(text, str) else event


def _observed_of_2(event: Raw) -> Raw:
    """Version 3 has ``repairs`` and their ``texts``; before, a tool changed nothing of what it was given."""
    return event


def _prepared_of_1(event: Raw) -> Raw:
    """Version 2 has ``facts``; before, they stood only in the prose of ``system``."""
    return event


def _prepared_of_2(event: Raw) -> Raw:
    """Version 3 has ``turns``, ``news``, ``parts`` and ``sizes``; before, a prompt told nothing of the conversation."""
    return event


# From a version of a kind of event to the next.
UPCASTERS: Mapping[tuple[str, int], Callable[[Raw], Raw]] = {
    ("Observed", 1): _observed_of_1,
    ("Observed", 2): _observed_of_2,
    ("Prepared", 1): _prepared_of_1,
    ("Prepared", 2): _prepared_of_2,
}
# The fields that a version of a kind does not have yet: what was written in it is written so again, to the byte.
NEW_FIELDS: Mapping[tuple[str, int], set[str]] = {
    ("Observed", 1): {"limit", "claims", "repairs", "texts"},
    ("Observed", 2): {"repairs", "texts"},
    ("Prepared", 1): {"facts", "turns", "news", "parts", "sizes"},
    ("Prepared", 2): {"turns", "news", "parts", "sizes"},
}


def unknown(event: Any) -> Raw:
    """The fields that the version of an event does not have, with those of an event within it, for pydantic."""
    if event.type == "Inner":
        return {"event": inner} if (inner := unknown(event.event)) else {}
    return dict.fromkeys(NEW_FIELDS.get((event.type, getattr(event, "v", 1)), ()), True)


# How many newer versions a kind of event has had, for those that had any.
_NEWER = Counter(kind for kind, _ in UPCASTERS)


def latest(kind: str) -> int:
    """The version in which events of that kind are written now."""
    return 1 + _NEWER[kind]


def up_to_date(line: str | bytes) -> str | bytes:
    """An event's line with the fields of the latest version; its ``v`` stays, where its kind has more than one.

    A line whose version cannot be told is given back as it is. Raises ``NotAnEvent`` for a version to come.
    """
    try:
        event: Raw = from_json(line)
        kind, version = event["type"], event.get("v", 1)
    except (ValueError, TypeError, KeyError, AttributeError):
        return line
    if not isinstance(kind, str) or type(version) is not int or version < 1:
        return line
    if kind == "Inner" and isinstance(event.get("event"), dict):
        return to_json(event | {"event": from_json(up_to_date(to_json(event["event"])))})
    newest = latest(kind)
    if version > newest:
        raise NotAnEvent("v", "newer_version")
    if version == newest and (version > 1 or "v" not in event):
        return line
    event.pop("v", None)
    for number in range(version, newest):
        event = UPCASTERS[kind, number](event)
    return to_json(event if newest == 1 else event | {"v": version})


class NotAnEvent(ValueError):
    """A line that ``load`` cannot read. The message holds none of the line's text but names of fields.

    ``fault`` ends a sentence about the line; ``newer`` says that a newer version may have written it.
    """

    def __init__(self, place: str, kind: str) -> None:
        super().__init__(f"not an event: {place}: {kind}")
        self.newer = kind in _FAULTS_OF_NEWER
        self.fault = _FAULTS_OF_NEWER.get(kind) or _FAULTS.get(kind, "has a field with a value of the wrong kind")


_FAULTS = {"missing": "lacks a field", "json_invalid": "is not JSON", "union_tag_not_found": "is not an event"}
_FAULTS_OF_NEWER = {
    "unexpected_keyword_argument": Text("has a field that is not known here"),
    "union_tag_invalid": Text("is an event of a kind that is not known here"),
    "newer_version": Text("is an event of a version that is not known here"),
}
