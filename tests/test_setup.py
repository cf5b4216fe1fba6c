from __future__ import annotations

import pytest

from agent.errors import BadRequest
from agent.models.capabilities import Capabilities
from agent.models.demo import Demo
from agent.models.openai_chat import OpenAIChat
from agent.settings import OPENAI_URL, Secret, read_settings
from agent.setup import DEMO, Choice, connect, default_choice, key_for, setup, toolbox
from agent.tools.search import SearchCache

OWNER = {"OPENAI_API_KEY": "sk-owner", "GLASSBOX_MODEL": "m", "GLASSBOX_TEMPERATURE": "0.3"}


def test_without_an_owner_the_demo_is_on() -> None:
    assert default_choice(read_settings({})) == Choice()
    assert isinstance(connect(read_settings({}), Choice(), Capabilities()), Demo)


def test_with_an_owner_their_model_is_on() -> None:
    settings = read_settings(OWNER | {"GLASSBOX_WIRE": "react"})
    choice = default_choice(settings)
    assert choice == Choice(OPENAI_URL, "m", wire="react", temperature=0.3)
    chosen = setup(settings, choice, Capabilities(), SearchCache())
    assert isinstance(chosen.model, OpenAIChat)
    assert (chosen.wire, chosen.parameters) == ("react", {"temperature": 0.3})
    assert "sk-owner" not in repr(chosen)


@pytest.mark.parametrize(
    ("endpoint", "typed", "used"),
    [
        (OPENAI_URL, "", "sk-owner"),
        ("https://api.openai.com/v1/", "", "sk-owner"),
        (OPENAI_URL, "sk-visitor", "sk-visitor"),
        ("https://evil.example/v1", "", ""),
        ("https://api.openai.com.evil.example/v1", "", ""),
        ("http://api.openai.com/v1", "", ""),
        ("https://api.openai.com:8443/v1", "", ""),
        ("http://localhost:11434", "", ""),
        (DEMO, "", ""),
    ],
)
def test_the_owners_key_goes_to_the_owners_address_alone(endpoint: str, typed: str, used: str) -> None:
    assert key_for(read_settings(OWNER), Choice(endpoint, "m", Secret(typed))).reveal() == used


def test_without_an_owner_no_key_is_used() -> None:
    assert key_for(read_settings({}), Choice(OPENAI_URL, "m")) == Secret()


def test_an_incomplete_choice_says_what_is_missing() -> None:
    with pytest.raises(BadRequest, match="No model is chosen"):
        connect(read_settings({}), Choice(OPENAI_URL), Capabilities())


def test_tools_are_chosen_by_name() -> None:
    settings = read_settings({})
    assert toolbox(settings, Choice(), SearchCache()).names == ("search", "calculator")
    assert toolbox(settings, Choice(tools=("calculator",)), SearchCache()).names == ("calculator",)
    assert toolbox(settings, Choice(tools=()), SearchCache()).names == ()
    with pytest.raises(BadRequest, match="There is no tool dice"):
        toolbox(settings, Choice(tools=("dice",)), SearchCache())
