"""Two runs beside each other: which step stands for which, and what is marked in them."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agent.messages import Usage
from agent.views.compare import align, figures, word_differences
from agent.views.fold import CallView, RunView, StepView, fold
from tests.support.whole_runs import native_run, text_run


def step(
    number: int, tool: str = "search", argument: str = "", observation: str = "seen", thought: str = ""
) -> StepView:
    calls = (CallView(str(number), tool, argument, argument, observation=observation, seconds=number),) if tool else ()
    return StepView(number, "done", thought, calls, seconds=float(number))


tools = st.sampled_from(["search", "calculator", ""])
words = st.sampled_from(["", "rivers", "longest rivers of Asia", "longest river", "2+2", "2+3", "population"])
runs = st.lists(st.builds(step, st.integers(1, 9), tools, words, words, words), max_size=12)


@given(runs, runs)
def test_every_step_of_both_stands_there_once_in_order(left: list[StepView], right: list[StepView]) -> None:
    pairs = align(left, right)
    assert [pair.left for pair in pairs if pair.left] == left
    assert [pair.right for pair in pairs if pair.right] == right
    assert all(pair.left or pair.right for pair in pairs)


@given(runs)
def test_a_run_does_not_differ_from_itself(run: list[StepView]) -> None:
    slower = [replace(one, seconds=one.seconds + 1, number=one.number + 1) for one in run]
    assert all(pair.same for pair in align(run, slower))


@given(runs, runs)
def test_what_is_called_the_same_is_the_same(left: list[StepView], right: list[StepView]) -> None:
    for pair in align(left, right):
        if pair.left and pair.right:
            one, other = pair.left, pair.right
            same = [(call.tool, call.input, call.observation) for call in one.calls]
            assert pair.same == (
                same == [(call.tool, call.input, call.observation) for call in other.calls]
                and one.thought == other.thought
            )


def test_steps_stand_beside_what_they_stand_for() -> None:
    left = [
        step(1, "search", "capital of France", "Paris"),
        step(2, "search", "population of Paris 2020", "2.1 million"),
        step(3, "calculator", "2.1*2"),
    ]
    right = [
        step(1, "search", "capital of France", "Paris"),
        step(2, "calculator", "1+1"),
        step(3, "search", "population of Paris 2024", "2.0 million"),
        step(4, "calculator", "2.0*2"),
    ]
    pairs = [
        (pair.left and pair.left.number, pair.right and pair.right.number, pair.differs) for pair in align(left, right)
    ]
    assert pairs == [
        (1, 1, ()),
        (None, 2, ()),
        (2, 3, ("input", "observation")),
        (3, 4, ("input",)),
    ]


def test_each_difference_has_its_name() -> None:
    one = step(1, "search", "x", "y", "I look.")
    for other, name in (
        (replace(one, thought="I search."), "thought"),
        (step(1, "search", "x", "z", "I look."), "observation"),
        (step(1, "search", "xx", "y", "I look."), "input"),
        (replace(one, told=(("limit", "No more steps."),)), "told"),
    ):
        (pair,) = align([one], [other])
        assert pair.differs == (name,)
        assert not pair.same
    calculated = step(1, "calculator", "x", "y", "I look.")
    assert [(pair.left, pair.right) for pair in align([one], [calculated])] in (
        [(one, None), (None, calculated)],
        [(None, calculated), (one, None)],
    )


def test_long_runs_are_aligned_soon() -> None:
    left = [step(n, "search", f"river number {n}") for n in range(400)]
    right = [step(n, "search", f"river no. {n}") for n in range(300)]
    pairs = align(left, right)
    assert [pair.left for pair in pairs if pair.left] == left
    assert [pair.right for pair in pairs if pair.right] == right


@given(st.text(max_size=80), st.text(max_size=80))
def test_the_pieces_are_the_whole_text(left: str, right: str) -> None:
    one, other = word_differences(left, right)
    assert "".join(piece.text for piece in one) == left
    assert "".join(piece.text for piece in other) == right
    alike = ["".join(piece.text for piece in pieces if piece.mark == "same") for pieces in (one, other)]
    assert alike[0] == alike[1]
    if left == right:
        assert all(piece.mark == "same" for piece in one)


@pytest.mark.parametrize(
    ("left", "right", "one", "other"),
    [
        ("the high was 54 °F today", "the high was 56 °F today", ["54 "], ["56 "]),
        ("a b", "a b c", ["b"], ["b c"]),
        ("最高気温は12度", "最高気温は13度", ["12"], ["13"]),
        ("f(x)", "f(y)", ["x"], ["y"]),
        ("", "new", [], ["new"]),
    ],
)
def test_words_that_differ_are_marked(left: str, right: str, one: list[str], other: list[str]) -> None:
    marked = [[piece.text for piece in pieces if piece.mark == "differs"] for pieces in word_differences(left, right)]
    assert marked == [one, other]


def test_long_texts_are_compared_by_lines_or_as_a_whole() -> None:
    left = "".join(f"line {n} has some words\n" for n in range(900))
    right = left.replace("line 0 ", "Line 0 ").replace("line 5 ", "Line 5 ").replace("line 899", "Line 899")
    marked = [piece.text for piece in word_differences(left, right)[0] if piece.mark == "differs"]
    assert marked == ["line 0 has some words\n", "line 5 has some words\n", "line 899 has some words\n"]
    one, other = word_differences("a\n" * 5_000, "b\n" * 5_000)
    assert [len(one), len(other)] == [1, 1]


def test_what_both_took() -> None:
    left, right = fold(text_run()), fold(native_run())
    found = {figure.name: figure for figure in figures(left, right)}
    assert found["Replies"].difference == len(right.steps) - len(left.steps) < 0
    assert found["Money"].left == pytest.approx(float(left.price.amount if left.price else 0))
    assert (found["Money"].right, found["Money"].difference) == (None, None)
    assert found["Seconds"].difference == pytest.approx(right.seconds - left.seconds)
    assert figures(RunView(usage=Usage(5)), RunView())[2].difference == -5
