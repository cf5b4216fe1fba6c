"""What went wrong is said once, also where a follow-up met it twice: while it was rewritten, and while it was asked."""

from __future__ import annotations

import pytest
from streamlit.testing.v1 import AppTest

WHY = "The model's server answered 500."


def drawn() -> None:
    import streamlit as st

    from agent.events import Asked, Failed, Merged
    from agent.messages import Usage
    from agent.views.fold import fold
    from pages.ui.run.render import Turn, failure

    why = "The model's server answered 500."
    merged = Merged("and its cube?", (), "", Usage(), 0.1, error=why)
    events = [Asked("and its cube?", 1.0), merged, Failed("model", st.session_state["failed"])]
    view = fold(events)
    Turn("run", lambda _: None).draw(view)
    failure(view)


@pytest.mark.parametrize("failed", [WHY, "The model's server answered 503."])
def test_an_error_of_the_server_is_said_once(failed: str) -> None:
    app = AppTest.from_function(drawn, default_timeout=60)
    app.session_state["failed"] = failed
    app.run()
    assert not app.exception
    said = " ".join(one.value for one in (*app.caption, *app.markdown))
    assert said.count("500") == 1
    assert said.count("503") == failed.count("503")
