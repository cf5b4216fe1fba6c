"""What holds for every reply: cutting changes nothing, nothing raises, and an independent reader agrees."""

from __future__ import annotations

import random

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from agent.wire.outcomes import Action, Answer, Malformed
from agent.wire.react.reader import ReactReader, read
from tests.support.react_oracle import oracle, outcome
from tests.support.ugly_replies import ROWS, TOOLS

pytestmark = pytest.mark.slow

# About 20 s of work for one core.
FUZZ_ROUNDS = 45_000

# fmt: off
FRAGMENTS = [
    "Thought:", "Action:", "Action Input:", "Observation:", "Final Answer:", "Next Actions:", "AI:", "Answer:",
    "思考：", "行動:", "行動の入力：", "観察:", "最終的な答え：", "次の質問:", "行动：", "最终答案：",
    "**Action:**", "## Thought\n",
    "**Final Answer**\n", "Action 2:", "- Thought:", "1. ", "Human:", "Input:", "<think>", "</think>", "<thought>",
    "</thought>", "<action>", "</action>", "<action_input>", "<answer>", "<tool_call>", "</tool_call>",
    "</final_answer>", "<|channel|>", "<|message|>", "<|end|>", "<|start|>", "analysis", "final",
    "commentary to=functions.search", "assistant", "user", "<|im_end|>", "</s>", "[/INST]", "\n", "\n", "\n\n",
    " ", "  ", "\t", "\r\n", "\u3000", "```", "```json\n", '"', "'", "`", "**", "\\", '\\"', "{", "}", "[", "]",
    "(", ")", ":", "：", "#", "_", "<", "</", "<|", "- ", "•", "\u2028", "\x85", "\x1c", "search", "Search",
    "calculator", "None", "search[x]", 'search("x")', "lookup", "x", "two words", "42",
    '{"action": "search", "action_input": "x"}', "Act", "Tho", "Fin", "action", "Though\n", "Use a tool? No",
]
# fmt: on
UGLY = st.lists(st.one_of(st.sampled_from(FRAGMENTS), st.text(max_size=3)), max_size=25).map("".join)
ANY = st.one_of(UGLY, st.text(), st.sampled_from([row.text for row in ROWS]))

STYLES = [
    "{}:",
    "{}: ",
    "**{}:** ",
    "**{}**: ",
    "- {}: ",
    "## {}: ",
    "  {} : ",
    "{} 2: ",
    "1. {}: ",
    "{}：",
    "__{}__: ",
    "## {}\n",
]
WORDS = [
    "Thought",
    "Action",
    "Action Input",
    "Observation",
    "Final Answer",
    "Next Actions",
    "action_input",
    "ACTION",
    "final answer",
]
WORDS += ["思考", "行動", "行動の入力", "観察", "最終的な答え", "次の質問", "行动", "行动输入", "最终答案"]
ACTIONS = ("action", "行動", "行动")
NEXT = ("Next Actions", "次の質問")
LINES = [
    "",
    "",
    "one",
    "two words",
    "x = 1",
    "    indented",
    "see Final Answer: y",
    "東京の天気",
    "thought = 1",
    "Actions speak",
]
NAMES = ["search", "Search", "calculator", "SQL query", "None", "lookup", ""]


@st.composite
def labelled(draw: st.DrawFn) -> str:
    """A reply of labels in all decorations but those of quotes, in any order, with values of one line or more."""
    pieces = draw(st.lists(st.sampled_from(LINES), max_size=2))
    last = ""
    for word in draw(st.lists(st.sampled_from(WORDS), max_size=7)):
        if last.lower() in ACTIONS and word in NEXT:
            continue  # no label there, but an input without one: not for the oracle
        last = word
        head = draw(st.sampled_from(STYLES)).format(word)
        if word.lower() in ACTIONS:
            pieces.append(head + draw(st.sampled_from(NAMES)) + draw(st.sampled_from(["", "\n"])))
        else:
            pieces.append(head + "\n".join(draw(st.lists(st.sampled_from(LINES), min_size=1, max_size=3))))
    return "\n".join(pieces)


def streamed(text: str, sizes: list[int]) -> tuple[Action | Answer | Malformed, str, str, bool]:
    """The reading, the thought told, the answer told, and whether the reader was done."""
    reader = ReactReader(TOOLS)
    told = {"thought": "", "answer": ""}
    at = turn = 0
    while at < len(text):
        size = sizes[turn % len(sizes)]
        for delta in reader.feed(text[at : at + size]):
            told[delta.channel] += delta.text
        at += size
        turn += 1
    done = reader.done
    return reader.close(), told["thought"], told["answer"], done


@settings(max_examples=1000, deadline=None)
@given(ANY, st.lists(st.integers(1, 9), min_size=1, max_size=5))
# An answer in which a token stands that an observation follows: what came with that in one piece was shown, too.
@example("> 42<|return|>Action: search\nObservation:```", [1, 5, 3])
@example("><|end|>Answer:42<|return|観察:<|end|>Action: search\r\nObservation:\rfinal", [2, 2, 3])
@example("> 最終的な答え：<|channel|>final<|message|>42<|return|42\r\nAction: search \r\nObservation:|>", [1, 4, 4])
def test_cutting_changes_nothing(text: str, sizes: list[int]) -> None:
    whole = streamed(text, [max(1, len(text))])
    assert streamed(text, sizes) == whole
    assert streamed(text, [1]) == whole
    assert read(text, TOOLS) == whole[0]


@settings(max_examples=1000, deadline=None)
@given(labelled())
@example("Action:None\nFinal Answer:one\nAction Input:\n行动输入:")
def test_the_oracle_agrees(text: str) -> None:
    assert outcome(read(text, TOOLS)) == oracle(text, TOOLS)


@settings(max_examples=1000, deadline=None)
@given(ANY, st.sampled_from([(), TOOLS]))
def test_every_text_is_read(text: str, tools: tuple[str, ...]) -> None:
    reading = read(text, tools)
    assert isinstance(reading, Action | Answer | Malformed)
    assert reading.cut is None or 0 <= reading.cut <= len(text)


@settings(max_examples=1000, deadline=None)
@given(ANY)
def test_nothing_is_believed_from_the_cut_on(text: str) -> None:
    reader = ReactReader(TOOLS)
    reader.feed(text)
    done = reader.done
    reading = reader.close()
    if done and not any("among" in repair or "never closed" in repair for repair in reading.repairs):
        assert read(text + "\nFinal Answer: more", TOOLS) == reading


@settings(max_examples=1000, deadline=None)
@given(labelled())
def test_what_is_told_is_what_is_read(text: str) -> None:
    reading, thought, answer, _ = streamed(text, [3])
    if isinstance(reading, Answer) and reading.reason == "final_answer":
        assert reading.text.startswith(answer.strip()) or answer.strip().startswith(reading.text)
    if isinstance(reading, Action) and not reading.dropped and not answer:
        assert "".join(thought.split()).startswith("".join(reading.thought.split()))


def test_mutations_of_the_table(seed: int) -> None:
    """Splices, cuts, doublings and swapped characters of the table's replies, whole and in chunks."""
    chance = random.Random(seed)
    texts = [row.text for row in ROWS]
    for _ in range(FUZZ_ROUNDS):
        text = mutated(chance, texts)
        whole = streamed(text, [max(1, len(text))])
        assert streamed(text, [chance.randint(1, 6) for _ in range(3)]) == whole, repr(text)


def mutated(chance: random.Random, texts: list[str]) -> str:
    text = chance.choice(texts)
    for _ in range(chance.randint(1, 4)):
        other = chance.choice(texts)
        start = chance.randint(0, len(text))
        end = min(len(text), start + chance.randint(0, 12))
        piece = other[chance.randint(0, len(other)) :][: chance.randint(0, 60)]
        text = chance.choice(
            [
                text[:start] + piece + text[start:],
                text[:start] + text[end:],
                text[:end] + text[start:],
                text[:start] + chance.choice(FRAGMENTS) + text[end:],
                text[:start]
                + chr(chance.choice([0, 9, 10, 13, 32, 34, 60, 96, 0x3000, 0xFF1A, 0x1F642, 0xD800]))
                + text[end:],
                text[:start],
            ]
        )
    return text
