"""The chat page with pictures: dropped, waiting above the box, asked about, drawn under the question."""

from __future__ import annotations

import io
import time
from pathlib import Path
from typing import Any

import pytest
from PIL import Image
from streamlit.testing.v1 import AppTest

from agent.application.services import Services
from agent.sandbox import client
from agent.views.fold import fold
from tests.support.app_services import services_with, visitor_of
from tests.support.servers.model_server import ModelServer, Reply

pytestmark = [
    pytest.mark.system,
    pytest.mark.skipif(bool(client.missing()), reason=client.missing()),
    # Drawn without a server, Streamlit warns of what is only there with one.
    pytest.mark.filterwarnings("ignore::UserWarning"),
]
COOKIE = "b" * 32
SECONDS = 60.0
SEES_NONE = Reply(status=400, body={"error": {"message": "No endpoints found that support image input", "code": 400}})


def picture(color: str) -> bytes:
    file = io.BytesIO()
    Image.new("RGB", (40, 30), color).save(file, "PNG")
    return file.getvalue()


def settled(app: AppTest, services: Services) -> str:
    """The conversation, once its runs have ended and the page is drawn anew."""
    end = time.monotonic() + SECONDS
    values = app.query_params["c"]
    conversation = values if isinstance(values, str) else values[0]
    while any(not run.ended for run in services.store.runs(conversation)):
        assert time.monotonic() < end
        time.sleep(0.1)
    app.run()
    assert not app.exception
    return conversation


def captions(app: AppTest) -> str:
    return "\n".join(element.value for element in app.caption)


def test_pictures_wait_for_the_question_and_go_with_it(tmp_path: Path) -> None:
    blind: list[bool] = []

    def replying(body: dict[str, Any]) -> Reply:
        shown = [message for message in body["messages"] if isinstance(message["content"], list)]
        return SEES_NONE if blind and shown else Reply(f"I was shown {sum(len(m['content']) - 1 for m in shown)}.")

    with ModelServer(replying) as server:
        chosen = {"GLASSBOX_BASE_URL": server.endpoint, "GLASSBOX_MODEL": "m", "GLASSBOX_DATA": str(tmp_path / "data")}
        with services_with(chosen) as services:
            app = AppTest.from_file("../../app.py", default_timeout=SECONDS)
            app.session_state["cookie"] = COOKIE
            app.run()
            app.chat_input[0].upload("red.png", picture("red")).upload("not.png", b"hello").run()
            assert not app.exception
            assert "Sent with your next question" in captions(app) and len(app.get("image")) == 1
            assert [element.value.split()[0] for element in app.warning] == ["not\\.png"]
            app.chat_input[0].upload("blue.png", picture("blue")).set_value("What are they?").run()
            conversation = settled(app, services)
            assert "Sent with your next question" not in captions(app) and len(app.get("image")) == 2
            (first,) = services.store.runs(conversation)
            assert fold(services.store.events(first.id)).answer == "I was shown 2."
            # Edited, the question has them still.
            app.button(key=f"edit-{first.id}").click().run()
            app.text_area(key=f"edited-{first.id}").set_value("Which colours?")
            next(button for button in app.button if button.label == "Ask this instead").click().run()
            settled(app, services)
            assert len(app.get("image")) == 2
            second = services.store.runs(conversation)[-1]
            assert fold(services.store.events(second.id)).answer == "I was shown 2."
            # A model that takes none is told so, and the person, too.
            blind.append(True)
            app.chat_input[0].upload("green.png", picture("green")).set_value("And this?").run()
            settled(app, services)
            assert fold(services.store.events(services.store.runs(conversation)[-1].id)).answer == "I was shown 0."
            assert captions(app).count("This model takes no pictures") == 1
            assert services.store.conversation(conversation).visitor == visitor_of(COOKIE)  # type: ignore[union-attr]
