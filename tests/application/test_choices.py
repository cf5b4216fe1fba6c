"""With what questions are answered: kept for the next visit without the key, or chosen for one time alone."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agent.application.preferences import LISTED, changed, chosen, key_missing, read_back, write_down
from agent.application.setup import DEMO, Alternative, Choice, alternatives, of_name, on_owners_key, one_off
from agent.settings import Limits, Secret, Settings, read_settings
from agent.store.chats import Chats
from agent.store.runs import Store

ANNA, BERT = "a" * 32, "b" * 32
KEY = "sk-planted-1234567890"
SERVER, OWN = "https://api.example.org/v1", "https://own.example.org/v1"
DEFAULT = Choice()


def owner(**environment: str) -> Settings:
    return read_settings({"GLASSBOX_BASE_URL": OWN, "GLASSBOX_MODEL": "m", "OPENAI_API_KEY": "sk-owner", **environment})


def kept_over(kept: dict[str, object], own: str = "") -> dict[str, object]:
    return read_back(write_down(kept, own))


def test_a_choice_comes_back_without_its_key() -> None:
    kept = changed({}, {"endpoint": SERVER, "model": "m", "key": KEY})
    limits = Limits(3, 10.0, 5_000, 0.5)
    kept = changed(
        kept, {"tools": ("search",), "temperature": 0.5, "wire": "react", "language": "ja", "limits": limits}
    )
    wanted = Choice(SERVER, "m", Secret(KEY), "react", ("search",), "ja", 0.5, limits)
    assert chosen(kept, DEFAULT) == wanted
    assert not key_missing(kept)
    assert KEY not in write_down(kept, "")
    back = kept_over(kept)
    assert chosen(back, DEFAULT) == replace(wanted, key=Secret())
    assert key_missing(back)
    assert kept_over(back) == back
    assert not key_missing(changed(back, {"endpoint": SERVER, "model": "m", "key": KEY}))
    assert not key_missing(changed(back, {"endpoint": DEMO, "model": ""}))
    assert not key_missing(changed(back, {"key": ""}))


def test_what_was_not_chosen_is_the_owners() -> None:
    later = Choice(OWN, "newer", tools=("search",))
    assert chosen(kept_over({"temperature": 0.1}), later) == replace(later, temperature=0.1)
    # The owner's address is not written down: the choice moves with it.
    assert "endpoint" not in json.loads(write_down({"endpoint": OWN, "model": "large"}, OWN))
    assert chosen(kept_over({"endpoint": OWN, "model": "large"}, OWN), later) == replace(later, model="large")
    partial: list[dict[str, object]] = [{"model": "large"}, {"temperature": 0.1}]
    for kept in partial:
        assert kept_over(kept_over(kept, OWN), OWN) == kept
    # But with a key of one's own it is one's own server.
    assert key_missing(kept_over({"endpoint": OWN, "model": "large", "key": KEY}, OWN))


def test_the_models_that_a_server_named_are_kept_with_it_and_with_no_other() -> None:
    kept = changed({}, {"endpoint": SERVER, "model": "m", "key": KEY, LISTED: ("m", "n")})
    back = kept_over(kept)
    assert back[LISTED] == ("m", "n")
    assert LISTED in changed(back, {"model": "n"})
    assert LISTED not in changed(back, {"endpoint": OWN, "model": "m"})
    assert LISTED not in kept_over({**kept, LISTED: (KEY,)}), "a key is kept nowhere"
    assert LISTED not in read_back('{"listed": "m"}')


@pytest.mark.parametrize(
    "kept",
    [
        {"endpoint": f"https://api.example.org/v1?key={KEY}", "model": "m", "key": ""},
        {"endpoint": f"https://user:{KEY}@api.example.org/v1", "model": "m", "key": ""},
        {"endpoint": f"{SERVER}?key={KEY}", "prices": ((f"{SERVER}?key={KEY}", "m", "1", "1", "1"),)},
        {"endpoint": SERVER, "model": KEY, "key": KEY},
        {"endpoint": f"https://{KEY}.example.org/v1", "model": "m", "key": KEY},
    ],
)
def test_a_key_in_another_field_is_not_written_down(kept: dict[str, object]) -> None:
    assert KEY not in write_down(kept, "")


@pytest.mark.parametrize("body", ["", "{", "[]", "1", '{"wire":"telepathy","tools":"all","temperature":"hot"}', "null"])
def test_what_cannot_be_read_is_left_out(body: str) -> None:
    assert chosen(read_back(body), DEFAULT) == DEFAULT


@pytest.mark.slow
@given(st.dictionaries(st.sampled_from(["endpoint", "model", "wire", "tools", "limits", "language", "x"]), st.text()))
def test_any_stored_text_gives_some_choice(body: dict[str, str]) -> None:
    assert isinstance(chosen(read_back(json.dumps(body)), DEFAULT), Choice)


def test_preferences_are_kept_by_visitor(store: Store, tmp_path: Path) -> None:
    library = Chats(store)
    library.prefer(ANNA, write_down({"endpoint": SERVER, "model": "m", "key": KEY}, ""))
    library.prefer(ANNA, write_down({"endpoint": SERVER, "model": "n", "key": KEY}, ""))
    library.prefer(BERT, write_down({"temperature": 1.0}, ""))
    library.prefer("", "{}")
    assert read_back(library.preferences(ANNA))["model"] == "n"
    assert read_back(library.preferences(BERT)) == {"temperature": 1.0}
    assert library.preferences("") == library.preferences("unknown") == ""
    library.prefer(ANNA, "")
    assert library.preferences(ANNA) == ""
    assert library.preferences(BERT)
    for file in filter(Path.is_file, (tmp_path / "data").rglob("*")):
        assert KEY.encode() not in file.read_bytes()


def test_the_other_models_there_are() -> None:
    allowed = owner(GLASSBOX_MODELS="large, small")
    mine = Choice(SERVER, "mine", Secret(KEY))
    assert alternatives(allowed, mine, ("mine", "yours")) == (
        Alternative(SERVER, "mine"),
        Alternative(SERVER, "yours"),
        Alternative(OWN, "m"),
        Alternative(OWN, "large"),
        Alternative(OWN, "small"),
        Alternative(DEMO),
    )
    assert alternatives(read_settings({}), DEFAULT) == (Alternative(DEMO),)
    assert alternatives(owner(), Choice(f"{OWN}/", "m"))[0] == Alternative(f"{OWN}/", "m")
    assert len(alternatives(owner(), Choice(f"{OWN}/", "m"))) == 2
    assert of_name(allowed, mine, "new") == Alternative(SERVER, "new")
    assert of_name(allowed, DEFAULT, "new") == Alternative(OWN, "new")
    assert of_name(read_settings({}), DEFAULT, "new").endpoint == DEMO


def test_a_key_never_moves_to_another_address() -> None:
    mine = Choice(SERVER, "mine", Secret(KEY), temperature=0.5)
    for one in alternatives(owner(), mine, ("yours",)):
        once = one_off(mine, one, wire="react")
        assert bool(once.key) == (once.endpoint == SERVER)
        assert (once.wire, once.temperature) == ("react", 0.5)
        assert on_owners_key(owner(), once) == (once.endpoint == OWN)
    assert one_off(mine, Alternative(SERVER.replace("https", "http"), "m")).key == Secret()
    assert one_off(mine, Alternative(SERVER + "/", "m")).key == Secret(KEY)
