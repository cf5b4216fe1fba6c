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
    tool = resolve(blocks[acted[-1]].text.strip(), tools) if acted else ""
    talk = bool(blocks[0].text.strip()) and not spoken(blocks)
    if talk and acted and tool not in tools and not is_name(tool):
        return Outcome("plain", text=text.strip())
    if tool and blocks[-1].kind == "input":
        return Outcome("act", thoughts(blocks[: acted[-1]]), cut, tool, unindented(blocks[-1].text))
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
    if talk and not acted and cut is not None:
        return Outcome("plain", text=text.strip())
    return Outcome("bad", thoughts(blocks), cut)


def split(text: str) -> list[Block]:
    """The text as blocks, each from its label's line to the next label that counts where it stands."""
    blocks = [Block("prose", 0, "")]
    at = 0
    for line in text.split("\n"):
        found = label(line)
        if found and counts(found[0], blocks):
            blocks.append(Block(found[0], at, found[1]))
        else:
            blocks[-1] = blocks[-1]._replace(text=f"{blocks[-1].text}\n{line}" if at else line)
        at += len(line) + 1
    return blocks


def counts(kind: str, blocks: list[Block]) -> bool:
    """Whether a label is one behind these blocks: a final answer that has begun is followed by questions alone."""
    last = blocks[-1]
    if kind == "next":
        return last.kind in ("answer", "prose")
    if last.kind == "answer":
        return kind == "answer" and not last.text.strip()
    if kind == "observation" and last.kind == "prose":
        return not last.text.strip()
    return kind != "observation" or last.kind != "next"


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
        ended = bool(kept) and kept[-1].kind == "next"
        if called or ended or block.kind == "observation":
            return kept, block.at
        kept.append(block)
    return kept, None


def is_name(tool: str) -> bool:
    """Whether this may be a tool's name, and not words that explain what stands there."""
    return tool.isascii() and len(tool) <= 60 and len(tool.split()) <= 3


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
