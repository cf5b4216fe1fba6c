"""Rows of cells as lines of text, and the cells of those lines."""

from __future__ import annotations

from hypothesis import example, given
from hypothesis import strategies as st

from agent.text.piped import cells_piped, piped
from tests.support.cases import each

_CELL = st.text(st.sampled_from(r"a|\ b"), max_size=8).map(lambda text: " ".join(text.split()))


@given(st.lists(_CELL, min_size=1, max_size=5))
@example(["a | b", "\\", "|", "\\|", "a\\\\| b", ""])
@example(["", "", ""])
def test_a_row_is_read_as_it_was_written(row: list[str]) -> None:
    assert cells_piped(piped(row)) == row
    assert cells_piped(piped(row).rstrip()) == row


@each(
    ("cells", "line"),
    [
        (["R&D | A", "41"], r"R&D \| A | 41"),
        ([r"C:\temp", "x"], r"C:\temp | x"),
        ([r"a\|b", "x"], r"a\\\|b | x"),
    ],
)
def test_only_a_pipe_is_written_otherwise_than_it_is(cells: list[str], line: str) -> None:
    assert piped(cells) == line
