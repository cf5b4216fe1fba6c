"""The title of a step says what was done and what came of it."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest

from agent.events import Answered, Asked, Failed, Observed, Prepared, Replied, TextDelta, ToolCalled
from agent.interface_text import Text
from agent.messages import Usage
from agent.tools.now.now_tool import tell
from agent.tools.now.result_line import result_line
from agent.tools.spec import first_line
from agent.views.fold import fold
from pages.ui.run.steps import doing, title
from pages.ui.text.words import in_language


@pytest.mark.parametrize(
    ("tool", "argument", "error", "said"),
    [
        ("documents", "question", "nothing", "Documents: ‘fog’ · nothing found "),
        ("documents", "question", "input", "Documents: ‘fog’ · failed "),
        # A page that is not there was not searched.
        ("read_url", "url", "nothing", "Read fog · failed "),
    ],
)
def test_a_search_that_found_nothing_has_not_failed(tool: str, argument: str, error: str, said: str) -> None:
    asked = Asked("q", 1.0), Prepared("q", "s", (), "react", "m", "demo"), Replied("x", "", Usage(), 0.5, 0.1)
    events = *asked, ToolCalled("1", tool, "fog", {argument: "fog"}), Observed("1", "Nothing.", 0.1, error)
    (step,) = fold(events).steps
    assert title(step).startswith(said)


def test_what_a_step_at_work_does_is_said_as_it_is() -> None:
    asked = Asked("q", 1.0), Prepared("q", "s", (), "react", "m", "demo"), Replied("x", "", Usage(), 0.5, 0.1)
    (step,) = fold((*asked, ToolCalled("1", "my_own_tool", "", {}))).steps
    assert doing(step) == "Using my_own_tool…", "a screen reader reads what Markdown escapes"


def test_a_reply_that_was_stopped_before_it_said_anything_did_not_break_off() -> None:
    asked = Asked("q", 1.0), Prepared("q", "s", (), "react", "m", "demo"), TextDelta("thought", "")
    stopped, broken = (fold((*asked, Failed(reason, "Over."))).steps for reason in ("cancelled", "model"))
    assert [title(step) for step in (*stopped, *broken)] == [
        "Not finished: you stopped it",
        "Not finished: the reply broke off",
    ]


def test_a_reply_that_its_server_cut_was_read_all_the_same() -> None:
    asked = Asked("q", 1.0), Prepared("q", "s", (), "native", "m", "http://127.0.0.1:9/v1")
    (cut,) = fold(
        (*asked, Replied("It is", "", Usage(), 0.5, 0.1, notes=("Cut.",)), Answered("It is", reason="length"))
    ).steps
    unusable = Observed("", "It was empty.", 0.0, "format")
    (empty,) = fold((*asked, Replied("", "", Usage(), 0.5, 0.1), unusable)).steps
    assert [title(step) for step in (cut, empty)] == ["Model replied", "Could not be read"]


NOON = datetime(2026, 11, 29, 12, 0, tzinfo=UTC)


@pytest.mark.parametrize(
    ("asked", "japanese"),
    [
        ({}, "2026年11月29日（日曜日） 12:00 UTC"),
        ({"zone": "Tokyo"}, "2026年11月29日（日曜日） 21:00（Asia/Tokyo）"),
        ({"date": "2026-02-03"}, "2026年2月3日（火曜日）"),
        ({"until": "2026-12-25"}, "2026-11-29 から 2026-12-25 まで: 26 日"),
        ({"until": "2026-11-30"}, "2026-11-29 から 2026-11-30 まで: 1 日"),
        (
            {"date": "2026-11-29 10:00", "until": "13:05"},
            "2026-11-29T10:00:00+00:00 から 2026-11-29T13:05:00+00:00 まで: 3 時間5 分",
        ),
        ({"add": "90 days"}, "2026年11月29日（日曜日）の 90 日後は 2027年2月27日（土曜日）"),
        ({"add": "-3 weeks"}, "2026年11月29日（日曜日）の 3 週間前は 2026年11月8日（日曜日）"),
        (
            {"add": "1 year, 2 months and 3 days"},
            "2026年11月29日（日曜日）の 1 年2 か月3 日後は 2028年2月1日（火曜日）",
        ),
    ],
)
def test_what_came_of_the_calendar_is_said_in_the_language_of_the_person(asked: dict[str, str], japanese: str) -> None:
    told = tell(NOON, **asked)
    line = result_line(told)
    assert isinstance(line, Text)
    assert in_language(line, "ja") == japanese
    # In English it is what the tool wrote itself.
    assert line == first_line(told).removesuffix(".") or "Tokyo" in japanese


def test_a_line_that_is_not_the_calendars_own_is_left_as_it_is() -> None:
    for line in ("Noday, 3 May 2026", "3 May", "From here to there: 5 days", ""):
        assert not isinstance(result_line(line), Text)
        assert result_line(line) == line


def test_what_came_of_the_calendar_is_told_to_its_end() -> None:
    said = tell(NOON, zone="America/New_York", add="5 hours")
    asked = Asked("q", 1.0), Prepared("q", "s", (), "react", "m", "demo"), Replied("x", "", Usage(), 0.5, 0.1)
    called = ToolCalled("1", "now", "", {"add": "5 hours"}), Observed("1", said, 0.1)
    (step,) = fold((*asked, *called)).steps
    shown = title(step).replace("\\", "").replace("⁠", "")
    assert "plus 5 hours is Sunday, 29 November 2026, 12:00 in America/New_York" in shown
