"""How often a run at work is drawn."""

from __future__ import annotations

from agent.views.fold import RunView
from pages.ui.run.pace import Pace

SHORT = RunView(answer="word " * 20)


def test_a_quick_drawing_is_repeated_fifteen_times_a_second() -> None:
    pace = Pace()
    for _ in range(50):
        pause = pace.pause(0.001, SHORT)
    assert pause == 1 / 15


def test_drawings_that_take_long_come_less_often_until_they_are_quick_again() -> None:
    pace = Pace()
    busy = [pace.pause(0.004, SHORT) for _ in range(50)]
    assert 1 / 15 == busy[0] < busy[-1] < 1 / 5
    assert pace.pause(1.0, SHORT) == 1 / 5  # however long they take, the page is drawn
    for _ in range(50):
        pause = pace.pause(0.001, SHORT)
    assert pause == 1 / 15


def test_one_slow_drawing_among_quick_ones_changes_little() -> None:
    pace = Pace()
    for _ in range(50):
        pace.pause(0.001, SHORT)
    assert pace.pause(0.010, SHORT) < 1 / 10


def test_a_long_text_which_is_sent_whole_is_drawn_less_often() -> None:
    assert Pace().pause(0.001, RunView(answer="word " * 1_600)) == 2 / 15
