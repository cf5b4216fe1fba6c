"""Pages whose store is away say so and look again by themselves. Without a browser."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
import sqlalchemy as sql
import streamlit as st
from streamlit.testing.v1 import AppTest

from agent.application.services import Services
from agent.events import Answered, Asked
from tests.support.app_services import services_with, visitor_of

# Drawn without a server, Streamlit warns of what is only there with one.
pytestmark = [pytest.mark.system, pytest.mark.filterwarnings("ignore::UserWarning")]
COOKIE = "a" * 32


@pytest.fixture
def services(tmp_path: Path) -> Iterator[Services]:
    with services_with({"GLASSBOX_DATA": str(tmp_path / "data")}) as opened:
        yield opened


def test_a_page_looks_again_until_the_store_is_back(services: Services, monkeypatch: pytest.MonkeyPatch) -> None:
    conversation = services.store.add_conversation(visitor_of(COOKIE), "t")
    services.store.append(services.store.add_run(conversation), [Asked("q", 1.0), Answered("It is five.")])

    def rename(old: str, new: str) -> None:
        with services.store.database.begin() as connection:
            connection.execute(sql.text(f"ALTER TABLE {old} RENAME TO {new}"))

    pauses: list[float] = []

    def pause(seconds: float) -> None:
        pauses.append(seconds)
        if len(pauses) == 1:
            st.stop()  # so that the test sees what the person reads
        if len(pauses) == 4:
            rename("away", "conversations")

    monkeypatch.setattr("pages.ui.frame.frame.sleep", pause)
    rename("conversations", "away")
    app = AppTest.from_file("../../app.py", default_timeout=60.0)
    app.session_state["cookie"] = COOKIE
    app.query_params["c"] = conversation
    app.run()
    assert [line.value for line in app.info] == [
        "Your chats cannot be reached just now. Nothing is lost, and this page looks again by itself."
    ]
    assert not app.error
    assert not app.exception
    app.run()
    assert pauses == [2.0] * 4
    assert not app.info
    assert any("It is five." in line.value for line in app.markdown)


def unstored() -> None:
    import streamlit as st

    from agent.interface_text import Text
    from agent.views.fold import RunView
    from pages.ui.run.render import not_kept_yet

    failed = RunView(state="failed", failure=Text("Stopped."), reason="cancelled")
    not_kept_yet(st.empty(), failed, True)
    kept = st.empty()
    not_kept_yet(kept, RunView(), True)
    not_kept_yet(kept, RunView(), False)


def test_what_is_not_stored_yet_is_said(services: Services) -> None:
    app = AppTest.from_function(unstored).run()
    assert not app.exception
    (line,) = app.warning
    assert line.value.startswith("This could not be kept yet: the place for chats is full or cannot be reached.")
    assert "Stopped" in app.markdown[0].value
