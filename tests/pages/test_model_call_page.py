"""The dialog with the exact call of a step, drawn without a browser."""

from __future__ import annotations

import json
from pathlib import Path
from threading import Event as Flag

import pytest
from streamlit.testing.v1 import AppTest

from agent.loop.agent import Agent
from agent.models.capabilities import Capabilities
from agent.models.openai_chat import OpenAIChat
from agent.runs.conversation import Question, answer
from agent.toolkit.base import Toolbox, tool
from tests.support.app_services import services_with, visitor_of
from tests.support.servers.model_server import ModelServer
from tests.support.servers.strict_responses import StrictResponses

pytestmark = [pytest.mark.system, pytest.mark.filterwarnings("ignore::UserWarning")]
COOKIE = "a" * 32


@tool
def tide(place: str) -> str:
    """Tells the height of the tide.

    Args:
        place: The place.
    """
    return f"{place}: {len(place)} m"


def test_a_call_over_the_responses_api_is_shown_as_it_was_sent(tmp_path: Path) -> None:
    provider = StrictResponses()
    with (
        services_with({"GLASSBOX_DATA": str(tmp_path / "data")}) as services,
        ModelServer(provider.chat, native={"/v1/responses": provider}) as server,
    ):
        agent = Agent(OpenAIChat(server.endpoint, "gpt-5.6", Capabilities()), Toolbox([tide]), "native")
        conversation = services.store.add_conversation(visitor_of(COOKIE), "Tides")
        run = services.store.add_run(conversation)
        told = answer(Question("How high are the tides?"), agent, Flag())
        services.store.append(run, [event for event in told if event.type != "TextDelta"])
        app = AppTest.from_file("../../app.py", default_timeout=60.0)
        app.session_state["cookie"] = COOKIE
        app.session_state["dialog"] = ("call", f"{run}:2")
        app.query_params["c"] = conversation
        app.run()
    assert not app.exception
    captions = [caption.value for caption in app.caption]
    assert any(f"{server.port}/v1/responses" in caption for caption in captions)
    assert any(caption.startswith("Returned unread, as the server had sent it: ") for caption in captions)
    assert any(caption.startswith("Kept unread, to be returned to this model: ") for caption in captions)
    body = provider.taken[1]
    rest = json.dumps({name: value for name, value in body.items() if name != "input"}, ensure_ascii=False, indent=2)
    codes = [code.value for code in app.code]
    assert rest in codes
    assert not any("gAAA" in code for code in codes if "curl" not in code)
    assert any("gAAA" in code for code in codes if code.startswith("curl"))
