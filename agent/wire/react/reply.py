"""What the parts of a reply mean together: a call, an answer, or neither."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from agent.interface_text import Text
from agent.text.regex import regex
from agent.wire.outcomes import Action, Answer, Malformed
from agent.wire.react.call_text import Call, read_blob, read_call, read_style, unwrap
from agent.wire.react.json_call import Blob, find_blob
from agent.wire.react.patterns import Part
from agent.wire.react.quotations import Quoting, is_between_paragraphs

_MOST_QUESTIONS = 3
_LONGEST_INTENTION = 600
ONLY_THOUGHT = "It has a thought, but neither an action nor an answer."
_ONLY_INTENDED = (
    "It says that ‘{tool}’ is needed, and calls nothing. Call it, or, if no tool is needed, give the final answer."
)
_NO_PROSE = regex(r"\n\s*\n|```|~~~|[{<]|^\s*[>-]", re.M)
_TOOL_WORD = r"(?:tool|function|outil|werkzeug|funktion|herramienta|ferramenta|ツール|工具|도구|инструмент)"
_BULLET = regex(r"(?:[-*•·・–—>#\s]|\(?[0-9]{1,2}[.):）．、])*+")
_NO_QUESTION = regex(r"(?:(?:none|n/?a|なし|无)\b.*)?", re.I | re.S)
_NO_TOOL_NEEDED = regex(r"(?:[Uu]se a tool|使う必要[^\n?？]{0,20}+)[?？]\s*+(?:[Nn][Oo]\b|いいえ)[.。]?")
_FENCES = ("```", "~~~")
_LAST_FENCE = regex(r"(?:```|~~~)[\w-]*\Z")
_FIRST_FENCE = regex(r"(?:```|~~~)[\w-]*+[^\S\n]*+(?:\n|\Z)")
_BLANK_LINES = regex(r"(?:[^\S\n]*+\n)++")
_TALK = (Part.PROSE, Part.THOUGHT)
_STEP = (Part.THOUGHT, Part.ACTION, Part.INPUT)


@dataclass(frozen=True, slots=True)
class Said:
    """A part of the reply with its text, and the offset of its line."""

    part: Part
    text: str
    line: int


@dataclass(frozen=True, slots=True)
class Reply:
    """All that was said up to ``cut``, in order. With ``intentions``, the mere wish to call a tool is no answer."""

    said: tuple[Said, ...]
    cut: int | None
    tools: Sequence[str]
    repairs: tuple[str, ...] = ()
    intentions: bool = False

    def first(self, part: Part, start: int = 0) -> int | None:
        """Where the first part of a kind stands that has a text, or else the first that has none."""
        places = [place for place in range(start, len(self.said)) if self.said[place].part is part]
        return next((place for place in places if self.text(place)), places[0] if places else None)

    def text(self, place: int | None) -> str:
        """The text of an answer or an action, without what does not belong to it; empty for no place."""
        text = "" if place is None else self.said[place].text.strip()
        for fence in _FENCES:
            if text.count(fence) % 2 and text.endswith(fence):  # the end of a fence around the whole reply
                text = text[:-3].rstrip()
        return _without_bold(text)

    def thought(self, end: int, more: str = "") -> str:
        """What was thought before a place: what stands in the open, or else in thinking tags."""
        before = self.said[:end]
        talk = [_thought(said.text) for said in before if said.part in _TALK] + [more]
        think = [said.text.strip() for said in before if said.part is Part.THINK]
        return "\n".join(filter(None, talk)) or "\n".join(filter(None, think))


def interpret(reply: Reply) -> Action | Answer | Malformed:
    """The reading of a reply whose parts are known, the likeliest kind first."""
    given = reply.first(Part.INPUT, reply.first(Part.ACTION) or 0)
    places = [place for place, said in enumerate(reply.said[:given]) if said.part is Part.ACTION]
    action = next((place for place in reversed(places) if reply.text(place)), None)
    call = read_call(reply.text(action), reply.tools)
    if action is not None:
        named = call if given is None else _with_input(call, reply.said[given].text)
        if (read := _call(reply, action, named)) is not None:
            return read
    return (
        _answer(reply, call, Part.ANSWER)
        or _unlabelled_call(reply)
        or _answer(reply, call, Part.REPLY)
        or _plain(reply)
        or _malformed(reply, call, given)
    )


def _with_input(call: Call, text: str) -> Call:
    """An input under its own label wins over one on the line of the action."""
    blank = _BLANK_LINES.match(text)
    inner = text[blank.end() :] if blank else text.lstrip()
    inner = inner.rstrip()
    for fence in _FENCES:
        if inner.count(fence) % 2 and inner.endswith("\n" + fence):
            inner = inner[:-4].rstrip()
    inner, repairs = unwrap(_without_bold(inner))
    answer = inner.strip() if call.answer == "" else call.answer
    return call._replace(input=inner, answer=answer, repairs=call.repairs + repairs)


def _call(reply: Reply, place: int, call: Call) -> Action | Answer | None:
    """The call of an action, unless it has no input, or lost against an answer because nobody knows its tool."""
    answer = reply.first(Part.REPLY)
    dropped = reply.text(answer) if answer is not None and answer < place else ""
    thought = reply.thought(place, call.thought)
    repairs = reply.repairs + call.repairs
    if call.answer:
        return Answer(
            text=call.answer, thought=thought, cut=reply.cut, repairs=(*repairs, Text("read the action as the answer"))
        )
    if not call.tool or call.input is None or (dropped and call.tool not in reply.tools):
        return None
    return Action(tool=call.tool, input=call.input, thought=thought, cut=reply.cut, dropped=dropped, repairs=repairs)


def _answer(reply: Reply, call: Call, part: Part) -> Answer | None:
    """The labelled answer. What follows it, other than the next questions, is not believed."""
    place = reply.first(part)
    if place is None or not reply.text(place):
        return None
    after = [said.line for said in reply.said[place + 1 :] if said.part in _STEP]
    ignored = (Text("ignored the action ‘{tool}’ beside the answer", tool=call.tool),) if call.tool else ()
    return Answer(
        text=reply.text(place),
        next_questions=_questions(reply, place),
        thought=reply.thought(place),
        cut=after[0] if after else reply.cut,
        repairs=reply.repairs + ignored,
    )


def _unlabelled_call(reply: Reply) -> Action | Answer | Malformed | None:
    """A call in prose, in a thought or in a reply without any label of its own."""
    for place, said in enumerate(reply.said):
        if said.part in (*_TALK, Part.REPLY) and (call := _unlabelled(said, reply.tools)):
            return _call(reply, place, call) or _malformed(reply, call, None)
    return None


def _plain(reply: Reply) -> Answer | Malformed | None:
    """An answer in prose without any label of its own."""
    if any(said.part in (Part.ACTION, Part.INPUT) for said in reply.said):
        return None
    text = "\n".join(filter(None, (_thought(said.text) for said in reply.said if said.part is Part.PROSE)))
    thoughts = reply.thought(len(reply.said))
    refusal = _NO_TOOL_NEEDED.search(thoughts)
    if refusal:
        text, thoughts = thoughts[refusal.end() :].strip(), thoughts[: refusal.end()]
    elif any(said.part is Part.THOUGHT for said in reply.said):
        return None
    else:
        thoughts = "\n".join(said.text.strip() for said in reply.said if said.part is Part.THINK)
    questions = _questions(reply, 0)
    if not text:
        return None
    if reply.intentions and (tool := _intended(text, reply.tools)):
        return Malformed(problem=_ONLY_INTENDED.format(tool=tool), thought=reply.thought(len(reply.said)))
    return Answer(
        text=text, thought=thoughts, next_questions=questions, cut=reply.cut, repairs=reply.repairs, reason="plain"
    )


def _intended(text: str, tools: Sequence[str]) -> str:
    """The tool that a short text says it needs, calling none; empty where it names none or several."""
    if len(text) > _LONGEST_INTENTION or _NO_PROSE.search(text):
        return ""
    named = [tool for tool in tools if re.search(rf"(?<!\w){re.escape(tool)}(?!\w)", text)]
    if len(named) != 1:
        return ""
    return named[0] if is_called_a_tool(named[0], text) else ""


def is_called_a_tool(name: str, text: str) -> bool:
    """Whether the text has the name beside a word for a tool: "the calculator tool"."""
    written = rf"(?<!\w){re.escape(name)}(?!\w)"
    near = rf"{written}[^.!?\n]{{0,20}}?{_TOOL_WORD}|{_TOOL_WORD}[^.!?\n]{{0,20}}?{written}"
    return bool(re.search(near, text, re.IGNORECASE))


def _unlabelled(said: Said, tools: Sequence[str]) -> Call | None:
    """The call of an object on lines of its own, or of a last line such as ``search[weather]``."""
    text = said.text.strip()
    if (blob := find_blob(text)) and _stands_alone(text, blob, said.part):
        call = read_blob(text, blob, tools)
        if call.tool in tools or not tools or call.answer or _is_whole(text, blob):
            return call
    before, _, last = text.rpartition("\n")
    if said.part is Part.REPLY or (before and said.part is Part.PROSE):
        return None
    call = read_style(last, tools)
    return call._replace(thought=before.strip()) if call else None


def _stands_alone(text: str, blob: Blob, part: Part) -> bool:
    """Whether an object begins a line and is not quoted, as it is between paragraphs of prose.

    In a reply, whether there is nothing but it.
    """
    if part is Part.REPLY:
        return _is_whole(text, blob)
    begins = not text[text.rfind("\n", 0, blob.start) + 1 : blob.start].strip(" `")
    if part is Part.PROSE and is_between_paragraphs(text, blob.start, blob.end):
        return False
    return begins and not Quoting(text).quotes(blob.start)


def _is_whole(text: str, blob: Blob) -> bool:
    """Whether there is nothing but an object in a text, and a fence around it."""
    return not _LAST_FENCE.sub("", text[: blob.start].strip()) and not text[blob.end :].strip("` \n")


def _malformed(reply: Reply, call: Call, given: int | None) -> Malformed:
    return Malformed(
        problem=_problem(reply, call, given),
        thought=reply.thought(len(reply.said)),
        cut=reply.cut,
        repairs=reply.repairs,
    )


def _problem(reply: Reply, call: Call, given: int | None) -> str:
    kinds = {said.part for said in reply.said if said.text.strip()}
    if call.tool:
        return f'It names the action ‘{call.tool}’ but has no "Action Input:" line. Add one.'
    if Part.ACTION in kinds:
        return "It calls no tool and gives no answer. If no tool is needed, give the final answer."
    if given is not None:
        return 'It has an "Action Input:" but no "Action:" line that names a tool. Add one.'
    if any(said.part in (Part.ANSWER, Part.REPLY) for said in reply.said):
        return "The final answer was empty."
    if kinds & {Part.PROSE, Part.THOUGHT, Part.THINK}:
        return ONLY_THOUGHT
    return "It was empty." if reply.cut is None else "It starts with an observation; only tools give observations."


def _questions(reply: Reply, start: int) -> tuple[str, ...]:
    place = reply.first(Part.NEXT, start)
    lines = [] if place is None else reply.said[place].text.split("\n")
    found = (_unquoted(line[_end(_BULLET, line) :].strip(" *_`\t\r")) for line in lines)
    return tuple([question for question in found if not _NO_QUESTION.fullmatch(question)][:_MOST_QUESTIONS])


def _unquoted(question: str) -> str:
    """Without quotation marks around it, where those are not of a name in it: 「本棚」の行数は？"""
    bare = question.strip(' *_`"“”「」')
    return question if any(mark in bare for mark in '"“”「」') else bare


def _end(pattern: re.Pattern[str], text: str) -> int:
    found = pattern.match(text)
    return found.end() if found else 0


def _thought(text: str) -> str:
    """A thought without the fence that opens, or closes, around what comes after it."""
    inner = text.strip()
    if any(inner.count(fence) % 2 for fence in _FENCES):
        fence = _LAST_FENCE.search(inner)
        inner = inner[: fence.start()] if fence else inner[_end(_FIRST_FENCE, inner) :]
    return _without_bold(inner.strip())


def _without_bold(text: str) -> str:
    """Without the end of bold type that began before the label, as in ``**Final Answer: 42**``."""
    return text[:-2].rstrip() if text.endswith("**") and text.count("**") % 2 else text
