"""Which tool an action names, and with what input: one text in, one ``Call`` out."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import NamedTuple

from agent.interface_text import Text
from agent.text.regex import regex
from agent.wire.react.json_call import Blob, find_blob, read_keywords, write_json


class Call(NamedTuple):
    """What stands under an action. ``input`` is ``None`` where it must be given by an input label.

    ``tool`` is empty where no tool is called. ``answer`` is the final answer where the action is to give it.
    """

    tool: str
    input: str | None = None
    repairs: tuple[str, ...] = ()
    answer: str | None = None
    thought: str = ""


_NO_TOOL = frozenset(
    {"none", "na", "null", "no", "noaction", "noactionneeded", "notneeded", "notool", "nothing"}
    | {"なし", "無し", "ない", "无", "没有", "不需要"}
)
_FINAL = frozenset({"finalanswer", "finish", "answer", "respond", "最終的な答え", "最終回答", "最终答案"})
_DECORATION = " \t\r\n`*_\"'“”‘’「」『』<>()[]{}.,;:：。、!！|-"
_LONGEST_NAME = 100

_BARE_NAME = regex(r"[\s`*\"']*+[\w-]*+[\s`*\"'.]*+")
_LAST_FENCE = regex(r"```\w*+\Z")
_LANGUAGE = regex(r"[\w+-]*+[^\S\n]*+\n")
_CALL = regex(r"[`*\"' ]{0,4}+([\w.:/-]++(?: [\w.:/-]++){0,4}+)( ?)([(\[])(.*)", re.DOTALL)
_INPUT_LABEL = regex(r"(?:[Aa]ction[ _-]?)?[Ii]nput\s{0,4}+[:：=]|行動の入力\s{0,4}+[:：]")
_JOINT = regex(r"\s*+(?:[:：=,–—→-]++>?|(?:with(?: the)? input|for)\b)?[:：]?\s*+", re.IGNORECASE)
_FIRST_WORD = regex(r"[`*\"']{0,3}+([\w.-]++)[`*\"']{0,3}+[^\S\n]*+[:：\n]")
_WRAPS = "\"'“「`"
_WRAPPED = tuple(
    regex(pattern, re.DOTALL)
    for pattern in (
        r'"""(.*)"""',
        r"'''(.*)'''",
        r'"((?:[^"\\]++|\\.)*+)"',
        r"'((?:[^'\\]++|\\.)*+)'",
        r"“([^“”]*+)”",
        r"「([^「」]*+)」",
        r"`([^`]++)`",
    )
)


def read_call(text: str, tools: Sequence[str]) -> Call:
    """Read the text of an action: a name, a name with its input, a call, or an object."""
    written = text.strip()
    if not written:
        return Call("")
    if written[0] in "`{[<" and (blob := find_blob(written)):
        return read_blob(written, blob, tools)
    if (word := _key(written[:_LONGEST_NAME])) in _NO_TOOL or not word:
        return Call("")
    if written in tools:
        return Call(written)
    if word in _FINAL and not _known(written, tools):
        return Call("", answer="")
    return _read_style(written, tools) or _read_inline(written, tools) or _named(written, None, tools)


def has_input(text: str, tools: Sequence[str]) -> bool:
    """Whether an action says all that its call needs: an input of its own, or the final answer."""
    if _BARE_NAME.fullmatch(text):
        return False
    call = read_call(text, tools)
    return call.input is not None or bool(call.answer)


def read_blob(text: str, blob: Blob, tools: Sequence[str]) -> Call:
    """The call of an object in a text."""
    before = _LAST_FENCE.sub("", text[: blob.start].rstrip()).strip()
    thought = "\n".join(part for part in (before, blob.thought.strip()) if part)
    repairs = (Text("read the call from a JSON object"),)
    if blob.others:
        repairs += (Text("took the first of {others} calls", others=blob.others + 1),)
    if _key(blob.name) in _FINAL and not _known(blob.name, tools):
        return Call("", None, repairs, (blob.input or "").strip(), thought)
    named = _named(blob.name, blob.input or "", tools)
    return named._replace(repairs=repairs + named.repairs, thought=thought)


def read_style(text: str, tools: Sequence[str]) -> Call | None:
    """``Tool[input]`` or ``tool(arg="x")`` as a whole text, of a tool that is known."""
    call = _read_style(text.strip(), tools)
    return call if call and call.tool in tools and text.rstrip("`* \n")[-1:] in ")]" else None


def unwrap(text: str) -> tuple[str, tuple[str, ...]]:
    """An input without the quotes, the backticks or the code fence that stand around the whole of it."""
    inner = _unfenced(text)
    if inner is not None:
        return inner, (Text("took the input out of its code fence"),)
    for pattern in _WRAPPED if text[:1] in _WRAPS else ():
        if (found := pattern.fullmatch(text)) and not (quote := text[:3] in ('"""', "'''") and text[:3] in found[1]):
            quote = text[0]
            return found[1].replace("\\" + quote, quote).strip("\n"), (Text("took the input out of its quotes"),)
    return text, ()


def _unfenced(text: str) -> str | None:
    if not text.startswith("```"):
        return None
    inner = text[3:]
    end = inner.find("```")
    if end >= 0 and inner[end + 3 :].strip():
        return None
    text = inner[:end] if end >= 0 else inner
    language = _LANGUAGE.match(text)
    return text[language.end() if language else 0 :].strip("\n").rstrip()


def _read_style(text: str, tools: Sequence[str]) -> Call | None:
    found = _CALL.match(text)
    if not found:
        return None
    name, space, bracket, rest = found.groups()
    end = rest.rfind(")" if bracket == "(" else "]")
    known = _known(name, tools)
    sentence = space or " " in name or (end >= 0 and rest[end + 1 :].strip(_DECORATION))
    if sentence and not known:
        return None
    given = _argument((rest[:end] if end >= 0 else rest).strip())
    if _key(name) in _FINAL and not known:
        return Call("", answer=given)
    call = _named(name, given, tools)
    return call._replace(repairs=(*call.repairs, Text("took the input from the brackets behind the tool's name")))


def _argument(inner: str) -> str:
    """The input that stands between the brackets of a call."""
    arguments = read_keywords(inner)
    return write_json(dict(arguments)) if arguments else unwrap(inner)[0]


def _read_inline(text: str, tools: Sequence[str]) -> Call | None:
    """An input on the line of the action, or on the lines below it."""
    label = _INPUT_LABEL.search(text, 0, 3 * _LONGEST_NAME)
    if label and label.start():
        return _inline(text[: label.start()], text[label.end() :], tools)
    tool = _leading_tool(text, tools)
    if tool:
        rest = text[len(tool) :].lstrip("`*\"'")
        joint = _JOINT.match(rest)
        given = rest[joint.end() if joint else 0 :].strip(" \n")
        word = _key(given[:_LONGEST_NAME])
        if word in ("", "tool"):
            return None
        broken_off = "actioninput".startswith(word)
        return _named(tool, None, tools) if broken_off else _inline(tool, given, tools)
    first = _FIRST_WORD.match(text)
    if first and _key(first[1]) in _NO_TOOL and "\n" in text:
        return Call("", answer=text[first.end() :].strip())
    if first and not _known(text, tools):
        return _inline(first[1], text[first.end() :], tools)
    return None


def _inline(name: str, given: str, tools: Sequence[str]) -> Call:
    call = _named(name, unwrap(given.strip())[0], tools)
    return call._replace(repairs=(*call.repairs, Text("took the input from the action's line")))


def _leading_tool(text: str, tools: Sequence[str]) -> str:
    """The longest known tool that a text starts with, as written there."""
    head = text[:_LONGEST_NAME].lower()
    fitting = [
        tool for tool in tools if head.startswith(tool.lower()) and not head[len(tool) : len(tool) + 1].isalnum()
    ]
    return text[: len(max(fitting, key=len))] if fitting else ""


def _named(written: str, given: str | None, tools: Sequence[str]) -> Call:
    name = written.strip()
    if name in tools:
        return Call(name, given)
    known = _known(name, tools)
    if known:
        return Call(
            known, given, (Text("read the tool name ‘{name}’ as ‘{known}’", name=name[:_LONGEST_NAME], known=known),)
        )
    return Call(name.strip(_DECORATION) or name, given)


def _known(name: str, tools: Sequence[str]) -> str:
    """The one known tool a name stands for, or nothing."""
    if len(name) > _LONGEST_NAME:
        return ""
    keys = {_key(tool): tool for tool in tools}
    bare = re.sub(r"(?i)^(?:use|call|the)(?: the)? | tool$", "", name.strip(_DECORATION))
    for candidate in (name, re.split(r"[.:/]", name.strip(_DECORATION))[-1], bare):
        if (key := _key(candidate)) in keys:
            return keys[key]
    return ""


def _key(name: str) -> str:
    return re.sub(r"[\W_]+", "", name).casefold()
