"""Calls that a text only tells of, in the middle of its words: such a one is never run."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Sequence

from agent.interface_text import Text
from agent.text.lenient_json import read
from agent.text.regex import regex
from agent.wire.dialects.call_forms import read_call
from agent.wire.dialects.call_values import Declared, fits
from agent.wire.dialects.literals import balanced
from agent.wire.outcomes import Action, Calls
from agent.wire.react.doubts import is_copied
from agent.wire.react.json_call import find_blob
from agent.wire.react.patterns import Part
from agent.wire.react.quotations import Quoting
from agent.wire.react.quoted_blocks import lines_of
from agent.wire.react.reply import is_called_a_tool

TEXT_CALL = Text("took a call that was written as text")
ONLY_TOLD = (
    "It only tells of a call, which was not made. Make the call itself, with no words before or behind it, and wait "
    "for its result; or write the answer without it."
)
_MOST = 100  # objects that are looked at
_BEHIND = regex(r"[\s`]*+")
_FENCE_BEFORE = regex(r"`{3,}+\w*+\s*+\Z")


def describes_call(text: str, tools: Declared) -> bool:
    """Whether a text tells of a call of one of these tools, as small models do in place of making it.

    It has a call as JSON or in a tag of the tool's name, names a tool beside arguments that fit it, or speaks of "the
    calculator tool".
    """
    named = [parameters for name, parameters in tools.items() if name in text and parameters.get("required")]
    if any(re.search(rf"<{re.escape(name)}[\s/>]", text) or is_called_a_tool(name, text) for name in tools):
        return True
    for at in _objects(text):
        if read_call(text, at, tools, marked=False):
            return True
        found = read(text[at : balanced(text, at)])
        if found and any(fits(found.value, needs) for needs in named):
            return True
    return False


def ends_in_call(text: str, tools: Declared, seen: Sequence[str]) -> Calls | None:
    """The call, as JSON, that a text ends in, with or without a result that the model made up for it.

    For a model that was told ``ONLY_TOLD``, and then announces the call again. ``None`` where it is copied from one of
    the texts that the model has ``seen``.
    """
    at = max(_objects(text), default=-1)
    if at < 0:
        return None
    form = read_call(text, at, tools, marked=True)
    if not form or not form.whole or len(form.calls) != 1 or _BEHIND.fullmatch(text, form.end) is None:
        return None
    if is_copied(text[at : form.end], seen):
        return None
    (call,) = form.calls
    before = _FENCE_BEFORE.sub("", text[:at]).strip()
    return Calls((Action(call.name, call.arguments),), thought=before, repairs=(TEXT_CALL,), written=True)


def shows_call(text: str, tools: Collection[str]) -> bool:
    """Whether a call of one of these tools stands between the words of a text, in no fence or quote.

    An explanation has one there, and so has a small model that announces its call and says that it waits.
    """
    for line in lines_of(text, whole=True):
        if line.kind == "steps" and line.part is Part.ACTION and any(name in line.text for name in tools):
            return True
    blob = find_blob(text)
    if not blob or blob.name not in tools or text[text.rfind("\n", 0, blob.start) + 1 : blob.start].strip():
        return False
    return not Quoting(text).quotes(blob.start)


def _objects(text: str) -> Iterator[int]:
    """Where the outermost objects of the text begin."""
    at, left = text.find("{"), _MOST
    while at >= 0 and left:
        yield at
        at, left = text.find("{", balanced(text, at) or at + 1), left - 1
