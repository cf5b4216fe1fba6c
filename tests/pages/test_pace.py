"""How often a run at work is drawn."""

from __future__ import annotations

from math import inf
from time import time

from agent.store.runs import RunRow
from agent.views.fold import RunView
from pages.ui.run.pace import pause
from pages.ui.session import asking, state

SHORT = RunView(answer="word " * 20)


def test_as_long_as_few_pages_follow_runs_each_is_drawn_fifteen_times_a_second() -> None:
    assert {pause(SHORT, followers) for followers in (1, 10, 40)} == {1 / 15}


def test_many_pages_are_drawn_less_often_but_always_five_times_a_second() -> None:
    assert 1 / 15 < pause(SHORT, 60) < pause(SHORT, 100) < 1 / 5 == pause(SHORT, 1_000)


def test_a_long_text_which_is_sent_whole_is_drawn_less_often() -> None:
    assert pause(RunView(answer="word " * 1_600), 1) == 2 / 15


def test_a_page_that_was_just_opened_onto_a_run_has_time_to_put_its_parts_into_place() -> None:
    assert {pause(SHORT, 1, opened) for opened in (0.0, 2.0, 5.0)} == {1.0}
    assert pause(SHORT, 1, 10.0) == 1 / 15


def test_a_page_was_opened_onto_what_began_before_it() -> None:
    state.put("opened", time() - 3)
    earlier, later = (RunRow("r", "c", "", time() - ago, "") for ago in (9, 1))
    assert asking.opened_onto(earlier) >= 3 and asking.opened_onto(later) == inf
