"""The menu of models under the question box, without a browser."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from streamlit.testing.v1 import AppTest

from agent.application.services import Services
from pages.ui.choices import model_menu
from pages.ui.session import state
from tests.support.app_services import services_with, visitor_of

pytestmark = pytest.mark.filterwarnings("ignore::UserWarning")
APP = Path(__file__).parents[2] / "app.py"
COOKIE = "e" * 32
HERE = "http://127.0.0.1:1/v1"


@pytest.fixture
def services(tmp_path: Path) -> Iterator[Services]:
    with services_with({"GLASSBOX_DATA": str(tmp_path)}) as opened:
        yield opened


def test_the_other_models_of_a_server_are_there_after_a_reload(services: Services) -> None:
    state.put("cookie", COOKIE)
    model_menu.listed()[HERE] = ["alpha", "beta", "gamma"]
    state.choose(endpoint=HERE, model="beta", key="", **model_menu.remembered(HERE))
    state.drop_draft("known")
    state.put("choice", {})
    assert "gamma" in services.chats.preferences(visitor_of(COOKIE))
    assert _offered() == [("neurology", "alpha"), ("check", "beta"), ("neurology", "gamma")]


def _offered() -> list[tuple[str, str]]:
    """The icon and the name of each model of a server that the menu of a page just opened has."""
    opened = AppTest.from_file(APP, default_timeout=60.0)
    opened.session_state["cookie"] = COOKIE
    (menu,) = opened.run().get("menu_button")
    named = [option.removeprefix(":material/").split(": ", 1) for option in menu.proto.options[:-2]]
    return [(icon, name) for icon, name in named]
