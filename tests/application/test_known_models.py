"""The models that can be switched to by a click: which, in which order, and with whose key."""

from __future__ import annotations

from agent.application.known_models import is_chosen, switching, to_switch, with_used
from agent.application.preferences import changed, chosen
from agent.application.setup import DEMO, Alternative, Choice
from agent.settings import Secret, read_settings

HERE, THERE = "http://127.0.0.1:1/v1", "https://models.test/v1"
OWNER = {"GLASSBOX_BASE_URL": "https://owner.test/v1", "GLASSBOX_MODEL": "m", "GLASSBOX_MODELS": "large"}


def test_before_anything_is_connected_there_is_the_built_in_one() -> None:
    assert to_switch(read_settings({}), Choice(), {}, {}) == (Alternative(DEMO),)
    owners = [Alternative("https://owner.test/v1", name) for name in ("m", "large")]
    assert to_switch(read_settings(OWNER), Choice(), {}, {}) == (*owners, Alternative(DEMO))


def test_servers_keep_their_order_whatever_is_chosen() -> None:
    servers = with_used({}, Choice(HERE, "a", Secret("key-of-here")))
    servers = with_used(servers, Choice(THERE, "x", Secret("key-of-there"), window=9_000))
    listed = {HERE: ["b", "a"], "http://never.connected/v1": ["z"]}
    for choice in (Choice(), Choice(HERE, "a"), Choice(THERE, "x"), Choice(THERE + "/", "x")):
        found = to_switch(read_settings({}), choice, servers, listed)
        assert [one.model for one in found] == ["b", "a", "x", ""]
        assert sum(is_chosen(choice, one) for one in found) == 1


def test_a_key_goes_to_the_address_it_was_typed_for() -> None:
    servers = with_used({}, Choice(HERE, "a", Secret("key-of-here"), window=9_000, thinking="low"))
    kept = {"endpoint": DEMO}
    for one, key, window in (
        (Alternative(HERE, "a"), "key-of-here", 9_000),
        (Alternative(HERE, "b"), "key-of-here", 0),
        (Alternative(THERE, "a"), "", 0),
        (Alternative(DEMO), "", 0),
    ):
        choice = chosen(changed(kept, switching(one, servers)), Choice())
        assert (choice.endpoint, choice.model) == (one.endpoint, one.model)
        assert (choice.key.reveal(), choice.window) == (key, window)


def test_a_long_list_shows_its_first_models_and_those_that_were_used() -> None:
    servers = with_used({}, Choice(HERE, "model 70"))
    found = to_switch(read_settings({}), Choice(), servers, {HERE: [f"model {n}" for n in range(80)]})
    assert [one.model for one in found] == [*(f"model {n}" for n in range(12)), "model 70", ""]
