"""The title of a step says what was done and what came of it."""

from __future__ import annotations

import pytest

from agent.events import Answered, Asked, Failed, Observed, Prepared, Replied, TextDelta, ToolCalled
from agent.messages import Usage
from agent.views.fold import fold
from pages.ui.run.steps import doing, title


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
