"""One call at one place of a text, in any of the forms in which models write a tool and its arguments."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from typing import NamedTuple, TypeAlias

from pydantic import JsonValue

from agent.text.lenient_json import read
from agent.toolkit.arguments.signature import Schema, properties
from agent.wire.dialects.literals import balanced, braces, keywords, past_blanks, typed
from agent.wire.dialects.openers import CLOSING, FIELD_TAG, HEAD_TAG, JOINTS, PREFIX

Declared: TypeAlias = Mapping[str, Schema]  # the parameters of each tool that may be called


class Call(NamedTuple):
    """A call of a declared tool. ``arguments`` is the JSON text of an object, or what the model wrote in its place."""

    name: str
    arguments: str


class Form(NamedTuple):
    """Calls that were read up to ``end``; ``whole`` says that nothing was missing at their end."""

    calls: tuple[Call, ...]
    end: int
    whole: bool


NAME_KEYS = ("name", "tool_name", "tool", "function_name", "action", "function", "recipient_name")
ARGUMENT_KEYS = ("arguments", "parameters", "args", "input", "action_input", "tool_input", "tool_args")
LIST_KEYS = ("tool_calls", "tool_call", "tool_uses", "function_call", "function")
BESIDE_KEYS = ("id", "type", "tool_call_id", "call_id", "index", "thought")
_MADE_UP_KEYS = ("result", "output", "response", "observation")  # that small models add, for what a call will give
_OF_A_CALL = frozenset({*NAME_KEYS, *ARGUMENT_KEYS, *BESIDE_KEYS, *_MADE_UP_KEYS})
NAMESPACES = ("functions.", "default_api.", "tools.")
_MOST_NAME = 100

_WORD = re.compile(rf"(call:)?+([\w.-]{{1,{_MOST_NAME}}}+)(?::\d{{1,9}}+)?+{JOINTS}(```json\s*+)?+")
_PYTHON = re.compile(rf"(print\()?+([A-Za-z_][\w.-]{{0,{_MOST_NAME}}}+)\(")
BELOW = re.compile(r"[^\S\n]*+(?:\n\s*+(?=\{|\Z)|\Z)")  # behind the name of a tool whose arguments stand under it
_LIST = re.compile(rf"\[\s*+{_PYTHON.pattern}")
HEAD = re.compile(
    rf"<(?P<tag>{HEAD_TAG})(?:=\s*+(?P<bare>[^<>\s\"']{{1,{_MOST_NAME}}}+)"
    rf"| ?name=[\"']?(?P<named>[^\"'<>\s]{{1,{_MOST_NAME}}}+)[\"']?[^<>]{{0,99}}+)\s*+>"
    rf"|<\|open\|>call tool=\"(?P<kimi>[^\"]{{1,{_MOST_NAME}}}+)\"[^<>]{{0,99}}+<\|sep\|>"
)
# The tool and its arguments in tags of their own, as Claude 2 and Cherry Studio have them.
NAMED = re.compile(rf"<(?P<tag>tool_name|name)>\s*+(?P<name>[\w.-]{{1,{_MOST_NAME}}}+)\s*+</(?P=tag)>")
_GIVEN = re.compile(r"\s*+<(parameters|arguments)>\s*+")
_FIELD = re.compile(
    rf"\s*+(?:<(?P<tag>{FIELD_TAG})(?:=\s*+(?P<bare>[^<>\"'\n]{{1,{_MOST_NAME}}}+)"
    rf"|\s*+name\s*+=\s*+[\"']?(?P<named>[^\"'<>\n]{{1,{_MOST_NAME}}}+)[\"']?[^<>]{{0,99}}+)\s*+>"
    rf"|<\|open\|>argument\s++key=\"(?P<kimi>[^\"]{{1,{_MOST_NAME}}}+)\"[^<>]{{0,99}}+<\|sep\|>"
    rf"|<(?P<pair>{PREFIX})arg_key>(?P<key>[^<>]{{1,{_MOST_NAME}}}+)</(?P=pair)arg_key>\s*+<(?P=pair)arg_value>"
    rf"|<(?P<own>[\w.-]{{1,{_MOST_NAME}}}+)>)"
)
_FOLLOWS = re.compile(r"\s*+(?:<|\Z|```)")
_CDATA = re.compile(r"\s*+<!\[CDATA\[(.*)\]\]>\s*+", re.DOTALL)
_AS_JSON = re.compile(r"\s*+(?:<\|open\|>json[^<>]{0,99}+<\|sep\|>)?+")
_TO = re.compile(
    r"(?:<\|start\|>)?+(?:assistant)?+\s*+(?:<\|channel\|>)?+(?:commentary|analysis)?+\s*+to=([\w.-]{1,100}+)\s*+"
    r"(?:<\|channel\|>\w{1,20}+\s*+)?+(?:<\|constrain\|>\s*+)?+(?:json)?+\s*+(?:<\|message\|>)?+\s*+(?=\{)"
)
_CALLED = re.compile(r"\s*+<\|call\|>")


def declared(written: str, tools: Declared) -> str:
    """The declared tool of a name, which may have a namespace before it, or ``.call`` behind it; empty for none."""
    name = written.strip()
    if name in tools:
        return name
    space = next((space for space in NAMESPACES if name.startswith(space)), "")
    last = name.removeprefix(space).removesuffix(".call")
    return last if last in tools else ""


def read_call(text: str, at: int, tools: Declared, *, marked: bool) -> Form | None:
    """The call, or the list of calls, that begins at ``at``; ``None`` where none of a declared tool does.

    Behind a mark of its dialect (``marked``) a call is recognised by its tool. One without has to be nothing but that.
    """
    if at >= len(text):
        return None
    if text[at] in "{[":
        found = _json(text, at, tools, marked)
        return found or (_listed(text, at, tools) if text[at] == "[" else None)
    if text[at] == "<" and marked and (form := _tagged(text, at, tools)):
        return form
    if (text.startswith("<|", at) or not marked) and (form := _channel(text, at, tools)):
        return form
    return _python(text, at, tools) or _worded(text, at, tools, marked)


def _json(text: str, at: int, tools: Declared, marked: bool) -> Form | None:
    """Calls as JSON: an object, or a list of them. One that is not closed ends at the next mark."""
    end = balanced(text, at)
    stop = CLOSING.search(text, at) if not end else None
    last = end or (stop.start() if stop else len(text))
    written = text[at:last]
    if marked and written.startswith("{{"):  # as templates escape braces, which models copy
        written = written.replace("{{", "{").replace("}}", "}")
    found = read(written)
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
        return Call(tool, _written(_beside(value, tools[tool])))
    if tool and (marked or (key and value.keys() <= _OF_A_CALL)):
        return Call(tool, _written(value.get(key)))
    if marked and len(value) == 1:
        ((name, given),) = value.items()
        if name in tools and isinstance(given, dict):
            return Call(name, _written(given))
    return None


def _beside(value: dict[str, JsonValue], parameters: Schema) -> dict[str, JsonValue]:
    """The arguments that stand beside the name of the tool."""
    return {key: given for key, given in value.items() if key in properties(parameters) and key not in NAME_KEYS}


def _written(value: JsonValue) -> str:
    """Arguments as text: those that are a text already stay as they are, as ``{}`` where there are none."""
    if isinstance(value, str) and value.strip():
        return value
    return json.dumps(value or {}, ensure_ascii=False)


def _tagged(text: str, at: int, tools: Declared) -> Form | None:
    """``<invoke name="f">``, ``<function=f>`` and their like, with fields or an object inside."""
    if named := NAMED.match(text, at):
        return _in_named_tags(text, named, tools)
    head = HEAD.match(text, at)
    tool = declared(head["bare"] or head["named"] or head["kimi"], tools) if head else ""
    if not head or not tool:
        return None
    closer = f"</{head['tag']}>" if head["tag"] else "<|close|>call<|sep|>"
    start = _AS_JSON.match(text, head.end())
    start = start.end() if start else head.end()
    if text[start : start + 1] == "{":
        return _with_object(text, start, Call(tool, ""), closer)
    return _with_fields(text, head.end(), tool, tools[tool], closer)


def _in_named_tags(text: str, named: re.Match[str], tools: Declared) -> Form | None:
    """``<name>f</name><arguments>…</arguments>``, with fields or an object inside."""
    tool, given = declared(named["name"], tools), _GIVEN.match(text, named.end())
    if not tool or not given:
        return None
    closer = f"</{given[1]}>"
    if text.startswith("{", given.end()):
        return _with_object(text, given.end(), Call(tool, ""), closer)
    return _with_fields(text, given.end(), tool, tools[tool], closer)


def _with_object(text: str, at: int, call: Call, closer: str) -> Form | None:
    """A call whose arguments are a JSON object; with a closer, that is the end of it where it comes."""
    end = balanced(text, at)
    stop = CLOSING.search(text, at) if not end else None
    last = end or (stop.start() if stop else len(text))
    found = read(text[at:last])
    if not found or found.rest or not isinstance(found.value, dict):
        return None
    calls = (call._replace(arguments=_written(found.value)),)
    close = past_blanks(text, last)
    if text.startswith("<|close|>json<|sep|>", close):
        close = past_blanks(text, close + len("<|close|>json<|sep|>"))
    if closer and text.startswith(closer, close):
        return Form(calls, close + len(closer), bool(end))
    return Form(calls, last, bool(end) and not closer)


def _with_fields(text: str, at: int, tool: str, parameters: Schema, closer: str) -> Form | None:
    """A call whose arguments are tags, up to ``closer`` or the last of them."""
    values: dict[str, JsonValue] = {}
    closed = True
    while closed and (field := _field(text, at, parameters)):
        name, end_tag, start = field
        end = _value_end(text, start, end_tag)
        closed = end >= 0
        if not closed:
            end = _broken_end(text, start, closer)
        values[name] = typed(_plain(text[start:end], end_tag), name, parameters)
        at = end + len(end_tag) if closed else end
    close = past_blanks(text, at)
    ends = bool(closer) and text.startswith(closer, close)
    if not values and not ends and (closer or not CLOSING.match(text, close)):
        return None
    call = Call(tool, json.dumps(values, ensure_ascii=False))
    return Form((call,), close + len(closer) if ends else at, ends or (closed and not closer))


def _field(text: str, at: int, parameters: Schema) -> tuple[str, str, int] | None:
    """The name of the field that begins at ``at``, what ends its value, and where that starts."""
    found = _FIELD.match(text, at)
    if not found:
        return None
    if found["tag"]:
        return (found["bare"] or found["named"]).strip(), f"</{found['tag']}>", found.end()
    if found["kimi"]:
        return found["kimi"], "<|close|>argument<|sep|>", found.end()
    if found["key"]:
        return found["key"].strip(), f"</{found['pair']}arg_value>", found.end()
    return (found["own"], f"</{found['own']}>", found.end()) if found["own"] in properties(parameters) else None


def _value_end(text: str, at: int, closer: str) -> int:
    """Where a value ends: at the first closer that a mark or nothing follows. A value may have its closer inside."""
    end = text.find(closer, at)
    while end >= 0 and not _FOLLOWS.match(text, end + len(closer)):
        end = text.find(closer, end + len(closer))
    return end


def _broken_end(text: str, at: int, closer: str) -> int:
    """Where the last value ends whose own closer is missing."""
    end = text.find(closer, at) if closer else -1
    stop = CLOSING.search(text, at) if end < 0 else None
    return end if end >= 0 else stop.start() if stop else len(text)


def _plain(value: str, end_tag: str) -> str:
    """A value without the line breaks that belong to its tags, or out of its CDATA."""
    if end_tag.endswith("arg_value>") or "｜DSML｜" in end_tag:
        return value
    if whole := _CDATA.fullmatch(value):
        return whole[1]
    return value[1:].removesuffix("\n") if value.startswith("\n") else value


def _channel(text: str, at: int, tools: Declared) -> Form | None:
    """OpenAI's harmony format: the tool stands in a header, the arguments behind it."""
    head = _TO.match(text, at)
    tool = declared(head[1], tools) if head else ""
    form = _with_object(text, head.end(), Call(tool, ""), "") if head and tool else None
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
    return Form((Call(tool, json.dumps(values, ensure_ascii=False)),), end, whole)


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
    if not (marked or head[1]):
        form = _with_object(text, start, Call(tool, ""), "") if BELOW.match(text, head.end(2)) else None
        given = read(form.calls[0].arguments) if form else None
        fits = given and isinstance(given.value, dict) and given.value.keys() <= properties(tools[tool]).keys()
        return form if fits else None
    if head[1]:
        found = braces(text, start, tools[tool]) if text.startswith("{", start) else None
        call = Call(tool, json.dumps(found[0], ensure_ascii=False)) if found else None
        return Form((call,), found[1], found[2]) if found and call else None
    if text.startswith("{", start):
        form = _with_object(text, start, Call(tool, ""), "")
        if form and head[3]:
            end = past_blanks(text, form.end)
            return form._replace(end=end + 3, whole=form.whole) if text.startswith("```", end) else form
        return form
    return _with_fields(text, start, tool, tools[tool], "")
