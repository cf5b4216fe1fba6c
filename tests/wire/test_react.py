"""The reader of text ReAct: its table of ugly replies, its stream of deltas, and the loop's adaptor."""

from __future__ import annotations

from agent.events import ToolSchema
from agent.models.protocol import Delta
from agent.wire.outcomes import Action, Answer, Malformed, Reader
from agent.wire.react.reader import ReactReader, read
from agent.wire.react_stream import ReactStream
from tests.support.cases import each
from tests.support.ugly_replies import ROWS, TOOLS, Row

SCHEMAS = [ToolSchema(name, "", {"type": "object"}) for name in TOOLS]
IDS = [row.name for row in ROWS]


def test_the_table_is_long_and_its_names_are_unique() -> None:
    assert len(ROWS) >= 170
    assert len(set(IDS)) == len(ROWS)


@each("row", ROWS, ids=IDS)
def test_whole(row: Row) -> None:
    assert read(row.text, row.tools) == row.reading


@each("row", ROWS, ids=IDS)
def test_character_by_character(row: Row) -> None:
    reader = ReactReader(row.tools)
    for character in row.text:
        reader.feed(character)
    assert reader.close() == row.reading


def deltas(text: str, size: int = 1) -> tuple[str, str]:
    """What is told as thought, and as answer, when a text arrives in chunks of a size."""
    reader = ReactReader(TOOLS)
    told = {"thought": "", "answer": ""}
    for start in range(0, len(text), size):
        for delta in reader.feed(text[start : start + size]):
            told[delta.channel] += delta.text
    return told["thought"], told["answer"]


@each(
    ("line", "question"),
    [
        ('- "In Kelvin?"', "In Kelvin?"),
        ("- **“In Kelvin?”**", "In Kelvin?"),
        ("1. 「気温は？」", "気温は？"),
        ("- In Kelvin?”", "In Kelvin?"),
        ("- 「本棚」で「種類」が「小説」の行の数は？", "「本棚」で「種類」が「小説」の行の数は？"),
        ("- “Rent” by “Area”", "“Rent” by “Area”"),
        ('* "Hamlet": who wrote it?', '"Hamlet": who wrote it?'),
    ],
)
def test_a_question_to_ask_next_keeps_the_quotes_of_its_names(line: str, question: str) -> None:
    answer = read(f"Thought: I know.\nFinal Answer: 42\nNext Actions:\n{line}")
    assert isinstance(answer, Answer) and answer.next_questions == (question,)


@each("size", [1, 4, 1000])
def test_thought_and_answer_are_told_without_labels(size: int) -> None:
    text = "Thought: I know\nit now.\n\nFinal Answer: 72 °F,\nor 22 °C\nNext Actions:\n- In Kelvin?"
    assert deltas(text, size) == ("I know\nit now.", "72 °F,\nor 22 °C")


def test_actions_and_inputs_are_not_told() -> None:
    assert deltas("Thought: a\nAction: search\nAction Input: x\ny") == ("a", "")


def test_parts_of_one_channel_stand_on_lines_of_their_own() -> None:
    assert deltas("<think>a</think>b\nThought: c\nFinal Answer: d") == ("a\nb\nc", "d")


def test_tags_and_tokens_are_not_told() -> None:
    text = "<|channel|>analysis<|message|>a<|end|><|start|>assistant<|channel|>final<|message|>4<|x|>2<|return|>"
    assert deltas(text) == ("a", "42")


def test_an_answers_first_character_is_told_at_once() -> None:
    reader = ReactReader()
    assert not reader.feed("Final Answer:")
    assert not reader.feed(" ")
    assert [delta.text for delta in reader.feed("7")] == ["7"]
    assert [delta.text for delta in reader.feed("2 ")] == ["2 "]


def test_a_line_start_is_held_back_while_it_may_become_a_label() -> None:
    reader = ReactReader()
    assert [delta.text for delta in reader.feed("Final Answer: a\nThou")] == ["a"]
    assert [delta.text for delta in reader.feed("sands")] == ["\nThousands"]
    assert [delta.text for delta in reader.feed(" of <thi")] == [" of "]
    assert [delta.text for delta in reader.feed("ngs>")] == ["<things>"]


def test_an_invented_observation_ends_the_reading() -> None:
    reader = ReactReader(TOOLS)
    reader.feed("Action: search\nAction Input: x\nObservation")
    assert not reader.done
    reader.feed(": y")
    assert reader.done
    assert list(reader.feed("\nFinal Answer: z")) == []
    assert reader.close() == Action(tool="search", input="x", cut=31)


def test_empty_chunks_change_nothing() -> None:
    reader = ReactReader(TOOLS)
    for chunk in ["", "Final", "", " Answer: 4", "", "2", ""]:
        assert all(delta.text for delta in reader.feed(chunk))
    assert reader.close() == Answer(text="42")


def test_the_stream_tells_reasoning_as_thought() -> None:
    stream: Reader = ReactStream(SCHEMAS)
    told = [delta for part in ("I ", "see.") for delta in stream.feed(Delta(reasoning=part))]
    told += stream.feed(Delta(text="Final Answer: 42<|im_start|>user<|message|>"))
    assert [(delta.channel, delta.text) for delta in told] == [("thought", "I "), ("thought", "see."), ("answer", "42")]
    assert stream.done
    assert stream.close() == Answer(text="42", thought="I see.", cut=16)


def test_the_texts_own_thought_comes_before_reasoning() -> None:
    stream = ReactStream(SCHEMAS)
    stream.feed(Delta(reasoning="long", text="Thought: short"))
    assert not stream.done
    stream.feed(Delta(text="\nFinal Answer: 42"))
    assert stream.close() == Answer(text="42", thought="short")


def test_reasoning_alone_is_no_answer() -> None:
    stream = ReactStream()
    stream.feed(Delta(reasoning="hm"))
    assert stream.close() == Malformed(problem="It was empty.", thought="hm")
