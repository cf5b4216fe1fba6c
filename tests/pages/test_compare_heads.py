"""What the columns of two runs side by side are called."""

from __future__ import annotations

from agent.views.fold import RunView
from pages.ui.run.whole.side_by_side import heads


def view(question: str, model: str) -> RunView:
    return RunView(question=question, model=model, endpoint="http://127.0.0.1:9/v1")


def test_the_columns_of_two_runs_are_called_by_what_tells_these_apart() -> None:
    first, second = view("What is 2+2?", "small"), view("What is 3+3?", "small")
    assert heads(first, second, (1, 2)) == ("A · What is 2+2?", "B · What is 3+3?")
    assert heads(first, view("What is 2+2?", "large"), (1, 2)) == ("A · small", "B · large")
    assert heads(first, view("What is 3+3?", "large"), (1, 2)) == (
        "A · What is 2+2? · small",
        "B · What is 3+3? · large",
    )
    assert heads(first, first, (2, 2)) == ("A · Run 2", "B · Run 2")
    assert heads(first, view("What is 2+2?", ""), (1, 2)) == ("A · small", "B"), "a run that has not begun"
    long, _ = heads(view("why " * 40, "small"), second, (1, 2))
    assert len(long) <= 45 and long.endswith("…")
