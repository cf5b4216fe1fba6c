"""One call at one place of a text, in any of the forms in which models write a tool and its arguments."""

from __future__ import annotations

from collections.abc import Iterator

from pydantic import JsonValue

from agent.text.lenient_json import read
from agent.text.regex import regex
from agent.toolkit.arguments.signature import Schema, properties
from agent.wire.dialects.call_values import MOST_NAME, Call, Declared, Form, declared, fits
from agent.wire.dialects.literals import balanced, braces, keywords, past_blanks
from agent.wire.dialects.openers import CLOSING, JOINTS
from agent.wire.dialects.tag_forms import own_tag, tagged, with_fields, with_object

NAME_KEYS = ("name", "tool_name", "tool", "function_name", "action", "function", "recipient_name")
ARGUMENT_KEYS = ("arguments", "parameters", "args", "input", "action_input", "tool_input", "tool_args")
LIST_KEYS = ("tool_calls", "tool_call", "tool_uses", "function_call", "function")
BESIDE_KEYS = ("id", "type", "tool_call_id", "call_id", "index", "thought")
_MADE_UP_KEYS = ("result", "output", "response", "observation")  # that small models add, for what a call will give
_LISTS = frozenset(LIST_KEYS)
_OF_A_CALL = frozenset({*NAME_KEYS, *ARGUMENT_KEYS, *BESIDE_KEYS, *_MADE_UP_KEYS})

_WORD = regex(rf"(call:)?+([\w.-]{{1,{MOST_NAME}}}+)(?::\d{{1,9}}+)?+{JOINTS}(```json\s*+)?+")
_PYTHON = regex(rf"(print\()?+([A-Za-z_][\w.-]{{0,{MOST_NAME}}}+)\(")
BELOW = regex(r"[^\S\n]*+(?:\n\s*+(?=[{`]|\Z)|\Z)")  # behind the name of a tool whose arguments stand under it
_IN_PYTHON = regex(r"[^\S\n]{0,9}+\n\s{0,9}+```python[^\S\n]{0,9}+\n\s{0,9}+tool_call\(")  # as ChatGLM3 has them
_TO = regex(
    r"(?:<\|start\|>)?+(?:assistant)?+\s*+(?:<\|channel\|>)?+(?:commentary|analysis)?+\s*+to=([\w.-]{1,100}+)\s*+"
    r"(?:<\|channel\|>\w{1,20}+\s*+)?+(?:<\|constrain\|>\s*+)?+(?:json)?+\s*+(?:<\|message\|>)?+\s*+(?=\{)"
)
_CALLED = regex(r"\s*+<\|call\|>")


def read_call(text: str, at: int, tools: Declared, *, marked: bool, fenced: bool = False) -> Form | None:
    """The call, or the list of calls, that begins at ``at``; ``None`` where none of a declared tool does.

    Behind a mark of its dialect (``marked``) a call is recognised by its tool. One without has to be nothing but that;
    ``fenced`` says that it stands in a fence, where markup is code as a rule.
    """
    if at >= len(text):
        return None
    if text[at] == "[" and (form := _listed(text, at, tools)):  # which is no JSON, as that is found out late
        return form
    if text[at] in "{[":
        return _json(text, at, tools, marked)
    if text[at] == "<" and (form := tagged(text, at, tools) if marked else own_tag(text, at, tools, fenced=fenced)):
        return form
    if form := _python(text, at, tools):
        return form
    if (text.startswith("<|", at) or not marked) and (form := _channel(text, at, tools)):
        return form
    return _worded(text, at, tools, marked)


def _json(text: str, at: int, tools: Declared, marked: bool) -> Form | None:
    """Calls as JSON: an object, or a list of them. One that is not closed ends at the next mark."""
    end = balanced(text, at)
    stop = CLOSING.search(text, at) if not end else None
    last = end or (stop.start() if stop else len(text))
    given = text[at:last]
    if marked and given.startswith("{{"):  # as templates escape braces, which models copy
        given = given.replace("{{", "{").replace("}}", "}")
    found = read(given)
    if not found or found.rest:
        return None
    calls: list[Call] = []
    for call in _calls(found.value, tools, marked):
        if call:
            calls.append(call)
        elif not marked:
            return None
    return Form(tuple(calls), last, bool(end)) if calls else None


def _calls(value: JsonValue, tools: Declared, marked: bool) -> Iterator[Call | None]:
    """The calls of a JSON value; ``None`` for what is none."""
    if isinstance(value, list):
        for item in value:
            yield from _calls(item, tools, marked)
        return
    if not isinstance(value, dict):
        yield None
        return
    inner = None
    if not _LISTS.isdisjoint(value):
        inner = next((value[key] for key in LIST_KEYS if key in value and isinstance(value[key], list | dict)), None)
    if inner is not None and (marked or value.keys() <= {*LIST_KEYS, *BESIDE_KEYS}):
        yield from _calls(inner, tools, marked)
    else:
        yield _object(value, tools, marked)


def _object(value: dict[str, JsonValue], tools: Declared, marked: bool) -> Call | None:
    name = next((name for key in NAME_KEYS if key in value and isinstance(name := value[key], str)), "")
    tool = declared(name, tools)
    key = next((key for key in ARGUMENT_KEYS if key in value), "")
    if tool and marked and not key:
        return Call(tool, _beside(value, tools[tool]))
    if tool and (marked or (key and value.keys() <= _OF_A_CALL)):
        return Call(tool, value.get(key))
    if marked and len(value) == 1:
        ((name, given),) = value.items()
        if name in tools and isinstance(given, dict):
            return Call(name, given)
    return None


def _beside(value: dict[str, JsonValue], parameters: Schema) -> dict[str, JsonValue]:
    """The arguments that stand beside the name of the tool."""
    return {key: given for key, given in value.items() if key in properties(parameters) and key not in NAME_KEYS}


def _channel(text: str, at: int, tools: Declared) -> Form | None:
    """OpenAI's harmony format: the tool stands in a header, the arguments behind it."""
    head = _TO.match(text, at)
    tool = declared(head[1], tools) if head else ""
    form = with_object(text, head.end(), tool, "") if head and tool else None
    if not form:
        return None
    called = _CALLED.match(text, form.end)
    return Form(form.calls, called.end() if called else form.end, form.whole and bool(called))


def _python(text: str, at: int, tools: Declared) -> Form | None:
    """``f(city="Paris")``, also printed."""
    head = _PYTHON.match(text, at)
    tool = declared(head[2], tools) if head else ""
    found = keywords(text, head.end(), tools[tool]) if head and tool else None
    if not head or not found:
        return None
    values, end, whole = found
    if head[1]:
        end = past_blanks(text, end)
        whole = whole and text.startswith(")", end)
        end = end + 1 if whole else end
    return Form((Call(tool, values),), end, whole)


def _listed(text: str, at: int, tools: Declared) -> Form | None:
    """``[f(city="Paris"), g(n=3)]``"""
    calls: list[Call] = []
    at = past_blanks(text, at + 1)
    while form := _python(text, at, tools):
        calls += form.calls
        at = past_blanks(text, form.end)
        if text.startswith("]", at):
            return Form(tuple(calls), at + 1, form.whole)
        if not text.startswith(",", at):
            return Form(tuple(calls), at, whole=False)
        at = past_blanks(text, at + 1)
    return Form(tuple(calls), at + 1, whole=True) if calls and text.startswith("]", at) else None


def _worded(text: str, at: int, tools: Declared, marked: bool) -> Form | None:
    """The tool's name, and behind it an object, Gemma's braces, or pairs of key and value.

    Without a mark the object stands on a line of its own, and has nothing but the tool's parameters.
    """
    head = _WORD.match(text, at)
    tool = declared(head[2], tools) if head else ""
    if not head or not tool:
        return None
    start = head.end()
    if not text.startswith("{", start) and (fence := _IN_PYTHON.match(text, head.end(2))):
        return _in_python(text, fence.end(), tool, tools[tool])
    if not (marked or head[1]):
        form = with_object(text, start, tool, "") if BELOW.match(text, head.end(2)) else None
        given = form.calls[0].given if form else None
        return form if isinstance(given, dict) and given.keys() <= properties(tools[tool]).keys() else None
    if head[1]:
        found = braces(text, start, tools[tool]) if text.startswith("{", start) else None
        return Form((Call(tool, found[0]),), found[1], found[2]) if found else None
    if text.startswith("{", start):
        form = with_object(text, start, tool, "")
        if form and head[3]:
            end = past_blanks(text, form.end)
            return form._replace(end=end + 3, whole=form.whole) if text.startswith("```", end) else form
        return form
    return with_fields(text, start, tool, tools[tool], "")


def _in_python(text: str, at: int, tool: str, parameters: Schema) -> Form | None:
    """``tool_call(city='Paris')`` from its bracket on: it is all that its fence holds, up to the end of the fence."""
    found = keywords(text, at, parameters)
    if not found or not fits(found[0], parameters):
        return None
    end = past_blanks(text, found[1])
    closed = text.startswith("```", end)
    call = Call(tool, found[0])
    return Form((call,), end + 3 if closed else end, found[2] and closed) if closed or end == len(text) else None
