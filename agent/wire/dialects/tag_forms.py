"""Calls in tags, and what stands within tags: fields or a JSON object."""

from __future__ import annotations

import re
from xml.sax.saxutils import unescape

from pydantic import JsonValue

from agent.text.lenient_json import read
from agent.text.regex import regex
from agent.toolkit.arguments.signature import Schema, properties
from agent.wire.dialects.call_values import MOST_NAME, Call, Declared, Form, declared, fits
from agent.wire.dialects.literals import balanced, past_blanks, typed
from agent.wire.dialects.openers import CLOSING, FIELD_TAG, HEAD_TAG, PREFIX

HEAD = regex(
    rf"<(?P<tag>{HEAD_TAG})(?:=\s*+(?P<bare>[^<>\s\"']{{1,{MOST_NAME}}}+)"
    rf"| ?name=[\"']?(?P<named>[^\"'<>\s]{{1,{MOST_NAME}}}+)[\"']?[^<>]{{0,99}}+)\s*+>"
    rf"|<\|open\|>call tool=\"(?P<kimi>[^\"]{{1,{MOST_NAME}}}+)\"[^<>]{{0,99}}+<\|sep\|>"
)
# The name of the tool in a tag whose attributes may hold anything.
HEAD_NAME = regex(rf"<{HEAD_TAG} name=([\"'])(?P<named>[^\"'<>\s]{{1,{MOST_NAME}}}+)\1(?=[\s/>])")
_ELEMENT = regex(
    rf"<(?P<tag>(?P<head>{HEAD_TAG})(?=\s)|[A-Za-z_][\w.-]{{0,{MOST_NAME}}}+)"
    rf"(?P<given>(?:\s++[\w.-]{{1,{MOST_NAME}}}+=(?:\"[^\"]*+\"|'[^']*+'))*+)\s*+(?P<alone>/)?+>"
)
_ATTRIBUTE = regex(r"(?<![\w.-])([\w.-]++)=(?:\"([^\"]*+)\"|'([^']*+)')")
_ENTITIES = {"&quot;": '"', "&apos;": "'", "&#34;": '"', "&#39;": "'", "&#10;": "\n"}
# The tool and its arguments in tags of their own, as Claude 2 and Cherry Studio have them.
NAMED_TAGS = ("<tool_name>", "<name>")
NAMED = regex(rf"<(?P<tag>tool_name|name)>\s*+(?P<name>[\w.-]{{1,{MOST_NAME}}}+)\s*+</(?P=tag)>")
_GIVEN = regex(r"\s*+<(parameters|arguments)>\s*+")
_FIELD = regex(
    rf"\s*+(?:<(?P<tag>{FIELD_TAG})(?:=\s*+(?P<bare>[^<>\"'\n]{{1,{MOST_NAME}}}+)"
    rf"|\s*+name\s*+=\s*+[\"']?(?P<named>[^\"'<>\n]{{1,{MOST_NAME}}}+)[\"']?[^<>]{{0,99}}+)\s*+>"
    rf"|<\|open\|>argument\s++key=\"(?P<kimi>[^\"]{{1,{MOST_NAME}}}+)\"[^<>]{{0,99}}+<\|sep\|>"
    rf"|<(?P<pair>{PREFIX})arg_key>(?P<key>[^<>]{{1,{MOST_NAME}}}+)</(?P=pair)arg_key>\s*+<(?P=pair)arg_value>"
    rf"|<(?P<own>[\w.-]{{1,{MOST_NAME}}}+)>)"
)
_FOLLOWS = regex(r"\s*+(?:<|\Z|```)")
_CDATA = regex(r"\s*+<!\[CDATA\[(.*)\]\]>\s*+", re.DOTALL)
_AS_JSON = regex(r"\s*+(?:<\|open\|>json[^<>]{0,99}+<\|sep\|>)?+")


def tagged(text: str, at: int, tools: Declared) -> Form | None:
    """``<invoke name="f">``, ``<function=f>`` and their like, with fields or an object inside."""
    if named := NAMED.match(text, at):
        return _in_named_tags(text, named, tools)
    if element := _element(text, at, tools):
        return element
    head = HEAD.match(text, at)
    tool = declared(head["bare"] or head["named"] or head["kimi"], tools) if head else ""
    if not head or not tool:
        return None
    closer = f"</{head['tag']}>" if head["tag"] else "<|close|>call<|sep|>"
    start = _AS_JSON.match(text, head.end())
    start = start.end() if start else head.end()
    if text[start : start + 1] == "{":
        return with_object(text, start, tool, closer)
    return with_fields(text, head.end(), tool, tools[tool], closer)


def own_tag(text: str, at: int, tools: Declared, *, fenced: bool) -> Form | None:
    """A call in an element of the tool's name that has its parameters, all that are required and nothing else.

    Documents have such elements, too: in a fence one is a call only where it holds an object.
    """
    form = _element(text, at, tools)
    if not form or not fits(form.calls[0].given, tools[form.calls[0].name]):
        return None
    holds_object = text.startswith("{", past_blanks(text, text.find(">", at) + 1))
    return None if fenced and not holds_object else form


def _element(text: str, at: int, tools: Declared) -> Form | None:
    """``<f city="Paris"/>`` or ``<f>…</f>`` with an object or fields inside; ``<tool name="f" city="Paris"/>``."""
    found = _ELEMENT.match(text, at)
    if not found:
        return None
    tag, head, attributes, alone = found.group("tag", "head", "given", "alone")
    found_given = _ATTRIBUTE.findall(attributes) if attributes else ()
    given = {name: double or single for name, double, single in found_given}
    if "&" in attributes:
        given = {name: unescape(value, _ENTITIES) for name, value in given.items()}
    tool = declared(given.pop("name") if head and "name" in given else tag, tools)
    if not tool:
        return None
    closer, at = f"</{tag}>", found.end()
    if given:
        return _with_attributes(text, at, tool, given, tools[tool], "" if alone else closer)
    if head or alone:
        return None
    start = past_blanks(text, at)
    if text.startswith("{", start):
        return with_object(text, start, tool, closer)
    form = with_fields(text, at, tool, tools[tool], closer)
    return form if form and form.calls[0].given else None


def _with_attributes(
    text: str, at: int, tool: str, given: dict[str, str], parameters: Schema, closer: str
) -> Form | None:
    """A call whose arguments are attributes, behind which nothing stands but ``closer``."""
    close = past_blanks(text, at) if closer else at
    if not (given.keys() <= properties(parameters).keys() and text.startswith(closer, close)):
        return None
    values = {name: typed(value, name, parameters) for name, value in given.items()}
    return Form((Call(tool, values),), close + len(closer), True)


def _in_named_tags(text: str, named: re.Match[str], tools: Declared) -> Form | None:
    """``<name>f</name><arguments>…</arguments>``, with fields or an object inside."""
    tool, given = declared(named["name"], tools), _GIVEN.match(text, named.end())
    if not tool or not given:
        return None
    closer = f"</{given[1]}>"
    if text.startswith("{", given.end()):
        return with_object(text, given.end(), tool, closer)
    return with_fields(text, given.end(), tool, tools[tool], closer)


def with_object(text: str, at: int, tool: str, closer: str) -> Form | None:
    """A call whose arguments are a JSON object; with a closer, that is the end of it where it comes."""
    end = balanced(text, at)
    last = end or _broken_end(text, at, closer)
    found = read(text[at:last])
    if not found or found.rest or not isinstance(found.value, dict):
        return None
    calls = (Call(tool, found.value),)
    close = past_blanks(text, last)
    if text.startswith("<|close|>json<|sep|>", close):
        close = past_blanks(text, close + len("<|close|>json<|sep|>"))
    if closer and text.startswith(closer, close):
        return Form(calls, close + len(closer), bool(end))
    return Form(calls, last, bool(end) and not closer)


def with_fields(text: str, at: int, tool: str, parameters: Schema, closer: str) -> Form | None:
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
    end = close + len(closer) if ends else at
    return Form((Call(tool, values),), end, ends or (closed and not closer))


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
