"""How often a run at work is drawn."""

from __future__ import annotations

from agent.views.fold import RunView
from pages.ui.run.pace import pause

SHORT = RunView(answer="word " * 20)


def test_as_long_as_few_pages_follow_runs_each_is_drawn_fifteen_times_a_second() -> None:
    assert {pause(SHORT, followers) for followers in (1, 10, 40)} == {1 / 15}


def test_many_pages_are_drawn_less_often_but_always_five_times_a_second() -> None:
    assert 1 / 15 < pause(SHORT, 60) < pause(SHORT, 100) < 1 / 5 == pause(SHORT, 1_000)


def test_a_long_text_which_is_sent_whole_is_drawn_less_often() -> None:
    assert pause(RunView(answer="word " * 1_600), 1) == 2 / 15
