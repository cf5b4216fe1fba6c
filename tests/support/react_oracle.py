"""An independent reader of text ReAct, for whole texts made of lines and labels.

It goes line by line with string methods: no regular expressions, no stream, nothing shared with the reader. It knows
labels in all their decorations, and what a sequence of them means; it knows no tags, fences, quotes, objects or calls
in brackets, so it is asked only about texts without these.
"""

from __future__ import annotations

from typing import NamedTuple

from agent.wire.outcomes import Action, Answer, Malformed

SPELLINGS = {
    "thought": ("thought", "思考"),
    "action": ("action", "行動", "行动"),
    "input": ("action input", "action_input", "actioninput", "行動の入力", "行动输入"),
    "observation": ("observation", "観察", "观察"),
    "answer": ("final answer", "final_answer", "最終的な答え", "最终答案"),
    "next": ("next actions", "次の質問"),
}
NOTHING = {"none", "n/a", "なし"}
DECORATION = " \t\u3000>#*_-•0123456789.)"


class Outcome(NamedTuple):
    """What a reading comes to, without the words for people."""

    kind: str
    thought: str = ""
    cut: int | None = None
    tool: str = ""
    text: str = ""
    dropped: str = ""
    questions: tuple[str, ...] = ()


class Block(NamedTuple):
    kind: str
    at: int
    text: str


def outcome(reading: Action | Answer | Malformed) -> Outcome:
    match reading:
        case Action():
            return Outcome("act", reading.thought, reading.cut, reading.tool, reading.input, reading.dropped)
        case Answer():
            kind = "plain" if reading.reason == "plain" else "say"
            return Outcome(kind, reading.thought, reading.cut, text=reading.text, questions=reading.next_questions)
        case Malformed():
            return Outcome("bad", reading.thought, reading.cut)


def oracle(text: str, tools: tuple[str, ...]) -> Outcome:
    blocks, cut = believed(split(text))
    acted = [index for index, block in enumerate(blocks) if block.kind == "action" and block.text.strip()]
    if acted and blocks[-1].kind == "input":
        before = blocks[: acted[-1]]
        tool = resolve(blocks[acted[-1]].text.strip(), tools)
        said = spoken(before)
        if tool and (not said or tool in tools):
            given = unindented(blocks[-1].text)
            return Outcome("act", thoughts(before), cut, tool, given, said[0].text.strip() if said else "")
    said = spoken(blocks)
    if said:
        place = blocks.index(said[0])
        later = [block.at for block in blocks[place + 1 :] if block.kind in ("thought", "action", "input")]
        asked = questions(blocks[place:])
        return Outcome(
            "say", thoughts(blocks[:place]), later[0] if later else cut, text=said[0].text.strip(), questions=asked
        )
    prose = blocks[0].text.strip()
    if prose and all(block.kind in ("prose", "next", "answer") for block in blocks):
        return Outcome("plain", "", cut, text=prose, questions=questions(blocks))
    return Outcome("bad", thoughts(blocks), cut)


def split(text: str) -> list[Block]:
    """The text as blocks, each from its label's line to the next label; ``next`` is one only behind an answer."""
    blocks = [Block("prose", 0, "")]
    at = 0
    for line in text.split("\n"):
        found = label(line)
        if found and found[0] == "next" and blocks[-1].kind not in ("answer", "prose"):
            found = None
        if found:
            blocks.append(Block(found[0], at, found[1]))
        else:
            blocks[-1] = blocks[-1]._replace(text=f"{blocks[-1].text}\n{line}" if at else line)
        at += len(line) + 1
    return blocks


def label(line: str) -> tuple[str, str] | None:
    """The label a line starts with, and the rest of the line."""
    bare = line.lstrip(DECORATION)
    decorated = any(mark in line[: len(line) - len(bare)] for mark in "*_#")
    candidates = [
        (kind, len(spelling))
        for kind, spellings in SPELLINGS.items()
        for spelling in spellings
        if bare.lower().startswith(spelling)
    ]
    for kind, size in sorted(candidates, key=lambda pair: -pair[1]):
        rest = bare[size:].lstrip(" 0123456789*_#").lstrip(" ")
        if rest[:1] in (":", "：") and rest:
            value = rest[1:]
            if decorated:
                shorter = value.lstrip("*_")
                value = shorter if len(value) - len(shorter) <= 3 else value[3:]
            return kind, value
        if decorated and not rest:
            return kind, ""
    return None


def believed(blocks: list[Block]) -> tuple[list[Block], int | None]:
    """The blocks of the first step, and where it was cut if more followed."""
    kept: list[Block] = []
    for block in blocks:
        acted = any(other.kind == "action" and other.text.strip() for other in kept)
        called = acted and kept[-1].kind == "input"
        if called and block.kind == "input" and not kept[-1].text.strip():
            kept[-1] = block._replace(at=kept[-1].at)
            continue
        again = block.kind == "answer" and bool(spoken(kept))
        if called or again or block.kind == "observation":
            return kept, block.at
        kept.append(block)
    return kept, None


def spoken(blocks: list[Block]) -> list[Block]:
    return [block for block in blocks if block.kind == "answer" and block.text.strip()]


def thoughts(blocks: list[Block]) -> str:
    texts = [block.text.strip() for block in blocks if block.kind in ("prose", "thought")]
    return "\n".join(text for text in texts if text)


def questions(blocks: list[Block]) -> tuple[str, ...]:
    texts = [block.text for block in blocks if block.kind == "next" and block.text.strip()]
    lines = [line.lstrip(DECORATION).rstrip(" _*\t\r") for line in texts[0].split("\n")] if texts else []
    return tuple([line for line in lines if line][:3])


def unindented(text: str) -> str:
    """Without the blank lines around it, and without the blanks behind the label."""
    lines = text.rstrip().split("\n")
    if lines[0].strip():
        return "\n".join(lines).lstrip()
    while lines and not lines[0].strip():
        lines.pop(0)
    return "\n".join(lines)


def resolve(name: str, tools: tuple[str, ...]) -> str:
    if name.lower() in NOTHING:
        return ""
    plain = {"".join(letter for letter in tool.lower() if letter.isalnum()): tool for tool in tools}
    bare = "".join(letter for letter in name.lower() if letter.isalnum())
    return plain.get(bare, name.strip("*` "))
