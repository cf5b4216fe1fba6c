"""Presets that the owner keeps for all: who keeps them, what they hold, what is brought in, what chats begin with."""

from __future__ import annotations

import json
from base64 import b64encode
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any

import pytest

from agent.application.backup.restoration import restore_backup
from agent.application.backup.snapshot import make_backup
from agent.application.chat_box import ChatBox
from agent.application.chat_runs import ChatRuns
from agent.application.preferences import PRESET, changed, chosen, key_missing, read_back, write_down
from agent.application.services import Services, open_services
from agent.application.setup import DEMO, default_choice, on_owners_key
from agent.application.site.person import read_person
from agent.application.teams.beginning import BEGINNING, read_beginning
from agent.application.teams.preset_office import MOST_FILE_BYTES, MOST_PRESETS, PresetOffice, preset_office
from agent.application.teams.preset_picking import going_back, picked, picking
from agent.errors import BadRequest
from agent.events import Answered, Asked
from agent.prompts import source
from agent.settings import read_settings
from agent.sharing.team_shares import Circle, Teammate, TeamShares
from agent.store.runs import Store
from agent.store.site_presets import SampleFile, SitePresets
from agent.views.fold import fold
from tests.support.cases import each

OWNER = read_person({"iss": "i", "sub": "1", "email": "olga@example.com", "email_verified": True})
BASE, KEY, TYPED = "http://127.0.0.1:9/v1", "sk-owner-0123456789abcdefgh", "typed-0123456789"
SALES = SampleFile("sales.csv", b"city,total\nOslo,5\nRome,7\n")
PUBLIC = "https://93.184.216.34/v1"  # an address that needs no look-up


def opened(folder: Path, **more: str) -> Services:
    environment = {
        "GLASSBOX_DATA": str(folder),
        "GLASSBOX_BASE_URL": BASE,
        "GLASSBOX_MODEL": "m",
        "GLASSBOX_MODELS": "m, other",
        "OPENAI_API_KEY": KEY,
        "GLASSBOX_OWNERS": "olga@example.com",
        "GLASSBOX_PRIVATE_ADDRESSES": "no",
    }
    return open_services(environment | more, {})


def closed(services: Services) -> None:
    services.tables.sandbox.close()
    services.runs.close()
    services.store.close()


@pytest.fixture
def services(data_folder: Path) -> Iterator[Services]:
    services = opened(data_folder)
    yield services
    closed(services)


@pytest.fixture
def office(services: Services) -> PresetOffice:
    office = preset_office(services, OWNER)
    assert office
    return office


def test_presets_are_kept_in_order_changed_and_removed(open_store: Callable[..., Store], database_url: str) -> None:
    presets = SitePresets(open_store(database_url))
    presets.keep([("A", '{"model":"m"}', [SALES, SALES])])
    presets.keep([("B", "{}", [])])
    (first, second) = presets.all()
    assert (first.name, first.files, second.name, second.files) == ("A", ("sales.csv", "sales.csv"), "B", ())
    assert presets.named() == [(first.id, "A"), (second.id, "B")] and presets.of(first.id) == first
    presets.keep([("A", '{"model":"n"}', [SALES])])
    assert [preset.name for preset in presets.all()] == ["A", "B"]
    assert presets.of(first.id) is None, "what was changed is another"
    assert presets.files("A") == (SALES,)
    presets.remove("A")
    assert presets.files("A") == () and [name for _, name in presets.named()] == ["B"]
    assert presets.of("") is None


@pytest.mark.parametrize(
    "claims",
    [
        {"email": "olga@example.com"},
        {"email": "ann@example.com", "email_verified": True},
        {"name": "olga@example.com", "email_verified": True},
    ],
)
def test_nobody_but_an_owner_has_an_office(services: Services, claims: dict[str, object]) -> None:
    assert preset_office(services, read_person(claims)) is None
    assert preset_office(services, None) is None


def test_who_is_an_owner_no_more_has_none_and_what_they_kept_stays(tmp_path: Path) -> None:
    services = opened(tmp_path)
    office = preset_office(services, OWNER)
    assert office
    office.keep("Kept", {}, [])
    closed(services)
    later = opened(tmp_path, GLASSBOX_OWNERS="nobody@example.com")
    assert preset_office(later, OWNER) is None
    assert [name for _, name in later.presets.named()] == ["Kept"]
    closed(later)


def test_the_owners_own_server_is_kept_without_its_address_and_paid_by_them(
    services: Services, office: PresetOffice
) -> None:
    own = source("en", "native") + "\nBe brief."
    kept = {"model": "other", "wire": "native", "tools": ("calculator",), "prompts": (("en", "native", own),)}
    office.keep("Brief", kept, [])
    (preset,) = office.all()
    assert BASE not in preset.body and KEY not in preset.body
    now = changed({"endpoint": DEMO, "tools": None}, picking(services.settings, preset, {}))
    choice = chosen(now, default_choice(services.settings))
    assert (choice.endpoint, choice.model, choice.wire, choice.tools) == (BASE, "other", "native", ("calculator",))
    assert choice.prompts == (("en", "native", own),)
    assert on_owners_key(services.settings, choice), "so the caps hold for it"
    assert now[PRESET] == preset.id
    again = read_back(write_down(now, BASE))
    assert again[PRESET] == preset.id, "it is kept for the next visit"
    assert PRESET not in changed(now, {"tools": ("search",)}), "who changes a part of it is on it no more"
    assert PRESET in changed(now, {"insist": True})


def test_there_is_a_way_back_to_what_was_chosen_before(services: Services, office: PresetOffice) -> None:
    office.keep("One", {"endpoint": DEMO, "tools": ("calculator",)}, [])
    office.keep("Two", {"endpoint": DEMO, "tools": ("search",)}, [])
    one, two = office.all()
    own = (("en", "native", source("en", "native") + "\nMy own words."),)
    before: dict[str, Any] = {
        "endpoint": PUBLIC,
        "model": "x",
        "key": TYPED,
        "keyed": True,
        "prompts": own,
        "insist": True,
    }
    settings, servers = services.settings, {PUBLIC: {"key": TYPED, "used": {}}}
    kept = before
    for preset in (one, two):
        kept = changed(kept, picked(settings, kept, preset, servers))
        assert (kept[PRESET], kept["prompts"], kept["endpoint"]) == (preset.id, (), DEMO)
    written = write_down(kept, BASE)
    assert TYPED not in written
    again = read_back(written)
    back = changed(kept, going_back(settings, kept, servers))
    assert {name: back[name] for name in before} == before
    assert not back[PRESET] and not back["own"] and not read_back(write_down(back, BASE)).keys() & {PRESET, "own"}
    later = changed(again, going_back(settings, again, {}))
    assert (later["prompts"], later["endpoint"], key_missing(later)) == (own, PUBLIC, True), "a key is typed anew"
    assert read_back(json.dumps({"own": 7, "preset": "x"})) == {}


def test_a_model_that_is_not_for_the_owners_key_is_refused(office: PresetOffice) -> None:
    with pytest.raises(BadRequest, match="only"):
        office.keep("Dear", {"endpoint": BASE, "model": "dear"}, [])


def test_a_typed_key_is_never_kept_but_asked_for(services: Services, office: PresetOffice) -> None:
    office.keep("Elsewhere", {"endpoint": PUBLIC, "model": "x", "key": TYPED}, [])
    (preset,) = office.all()
    assert TYPED not in preset.body and TYPED.encode() not in office.exported()
    now = changed({}, picking(services.settings, preset, {}))
    assert (now["endpoint"], key_missing(now)) == (PUBLIC, True)
    known = {PUBLIC: {"key": "mine", "used": {}}}
    assert not key_missing(changed({}, picking(services.settings, preset, known))), "one's own key of that server"
    elsewhere = {"https://93.184.216.35/v1": {"key": "mine", "used": {}}}
    assert key_missing(changed({}, picking(services.settings, preset, elsewhere))), "goes to no other server"


@pytest.mark.parametrize(
    ("kept", "reason"),
    [
        ({"endpoint": "http://10.0.0.7:8080/v1", "model": "x"}, "public internet only"),
        ({"endpoint": "http://169.254.169.254/v1", "model": "x"}, "not used"),
        ({"endpoint": "http://127.0.0.1:11434/v1", "model": "x"}, "public internet only"),
        ({"endpoint": "https://joe:secret@93.184.216.34/v1", "model": "x"}, "password"),
        ({"endpoint": PUBLIC, "model": ""}, "No model"),
        ({"endpoint": DEMO, "prompts": (("en", "native", "Hi ${nothing}"),)}, "cannot be used"),
        ({"endpoint": DEMO, "prompts": (("en", "native", source("en", "native") + KEY),)}, "looks like a key"),
        ({"endpoint": DEMO, "prompts": (("xx", "native", "Hi"),)}, "language"),
        ({"endpoint": PUBLIC, "model": "x", "tools": ("sk-proj-abcdefghijkl0123456789",)}, "looks like a key"),
        ({"endpoint": DEMO, "tools": tuple(f"tool{number}" for number in range(50_000))}, "too long"),
    ],
)
def test_what_cannot_be_a_preset_is_refused(office: PresetOffice, kept: Mapping[str, Any], reason: str) -> None:
    with pytest.raises(BadRequest, match=reason):
        office.keep("Bad", kept, [])
    assert office.all() == []


def test_names_and_files_are_bounded(office: PresetOffice) -> None:
    for name in ("", "  \n", "\u200b", "!!!"):
        with pytest.raises(BadRequest, match="needs a name"):
            office.keep(name, {}, [])
    office.keep("<script>alert(1)</script>\n" + "x" * 100, {}, [])
    assert len(office.all()[0].name) == 60 and "\n" not in office.all()[0].name
    office.keep("Twice", {}, [])
    with pytest.raises(BadRequest, match="of this name"):
        office.keep("Twice", {}, [])
    for files in ([SALES] * 4, [SampleFile("a", b"")], [SampleFile("a", b"x" * (MOST_FILE_BYTES + 1))],
                  [SampleFile("../..", b"x")]):  # fmt: skip
        with pytest.raises(BadRequest):
            office.keep("Files", {}, files)
    office.keep("Files", {}, [SampleFile("../../etc/passwd", b"x"), SampleFile("C:\\a\\b.csv", b"x")])
    assert office.all()[-1].files == ("passwd", "b.csv")
    for number in range(MOST_PRESETS - 3):
        office.keep(f"More {number}", {}, [])
    with pytest.raises(BadRequest, match="no more fit"):
        office.keep("One too many", {}, [])
    office.change("Files", {"tools": ("calculator",)})
    assert office.all()[2].files == ("passwd", "b.csv"), "its files stay"
    with pytest.raises(BadRequest, match="gone"):
        office.change("None of them", {})


def test_what_is_taken_out_comes_in_elsewhere(services: Services, office: PresetOffice, tmp_path: Path) -> None:
    office.keep("Own", {"tools": ("calculator",)}, [SALES])
    office.keep("Elsewhere", {"endpoint": PUBLIC, "model": "x", "key": TYPED}, [])
    office.keep("デモ", {"endpoint": DEMO}, [])
    data = office.exported()
    for secret in (BASE, KEY, TYPED):
        assert secret.encode() not in data
    other = opened(tmp_path / "other", GLASSBOX_BASE_URL="http://127.0.0.1:10/v1")
    theirs = preset_office(other, OWNER)
    assert theirs
    assert theirs.imported(data) == 3
    assert [(one.name, one.id, one.files) for one in theirs.all()] == [
        (one.name, one.id, one.files) for one in office.all()
    ]
    assert other.presets.files("Own") == (SALES,)
    assert theirs.imported(data) == 3 and len(theirs.all()) == 3, "in place of those of the same names"
    closed(other)
    lone = opened(tmp_path / "lone", GLASSBOX_BASE_URL="", GLASSBOX_MODEL="", OPENAI_API_KEY="", GLASSBOX_MODELS="")
    alone = preset_office(lone, OWNER)
    assert alone
    with pytest.raises(BadRequest, match="Preset 1 wants a model of the site's own"):
        alone.imported(data)
    assert alone.all() == []
    closed(lone)


def file_of(*presets: object, **head: object) -> bytes:
    return json.dumps({"format": "glassbox-presets", "version": 1, "presets": presets, **head}).encode()


GOOD = {"name": "Good", "choice": {"endpoint": DEMO}, "files": []}
HOSTILE = {
    "nothing": b"",
    "no UTF-8": b"\xff\xfe",
    "no JSON": b"{",
    "a list": b"[]",
    "nested": b'{"format":' + b"[" * 100_000,
    "another format": file_of(GOOD, format="glassbox"),
    "no version": file_of(GOOD, version=True),
    "a later version": file_of(GOOD, version=2),
    "none": file_of(),
    "an object of presets": file_of(presets={"a": 1}),
    "too many": file_of(*[{**GOOD, "name": f"n{number}"} for number in range(MOST_PRESETS + 1)]),
    "no object": file_of(GOOD, "preset"),
    "no name": file_of(GOOD, {"choice": {}}),
    "a name that is none": file_of(GOOD, {**GOOD, "name": "\u202e"}),
    "a number for a name": file_of(GOOD, {**GOOD, "name": 7}),
    "two of a name": file_of(GOOD, GOOD),
    "a key": file_of(GOOD, {"name": "x", "choice": {"endpoint": DEMO, "key": "sk-1"}}),
    "more than a preset has": file_of(GOOD, {"name": "x", "choice": {"endpoint": DEMO, "limits": {"steps": 1}}}),
    "another's preset": file_of(GOOD, {"name": "x", "choice": {"endpoint": DEMO, "preset": "0" * 32}}),
    "of the wrong kind": file_of(GOOD, {"name": "x", "choice": {"endpoint": DEMO, "tools": "all"}}),
    "a wire that is none": file_of(GOOD, {"name": "x", "choice": {"endpoint": DEMO, "wire": "telepathy"}}),
    "keyed by a text": file_of(GOOD, {"name": "x", "choice": {"endpoint": DEMO, "keyed": "yes"}}),
    "a private address": file_of(GOOD, {"name": "x", "choice": {"endpoint": "http://10.0.0.1/v1", "model": "m"}}),
    "a file for an address": file_of(GOOD, {"name": "x", "choice": {"endpoint": "file:///etc/passwd", "model": "m"}}),
    "a model not allowed": file_of(GOOD, {"name": "x", "choice": {"model": "dear"}}),
    "an unusable prompt": file_of(GOOD, {"name": "x", "choice": {"endpoint": DEMO, "prompts": [["en", "native", ""]]}}),
    "a prompt that is none": file_of(GOOD, {"name": "x", "choice": {"endpoint": DEMO, "prompts": [["en", "x", "y"]]}}),
    "no base64": file_of(GOOD, {**GOOD, "name": "x", "files": [{"name": "a", "content": "%%%"}]}),
    "a file without content": file_of(GOOD, {**GOOD, "name": "x", "files": [{"name": "a"}]}),
    "a file too large": file_of(
        GOOD,
        {**GOOD, "name": "x", "files": [{"name": "a", "content": b64encode(b"x" * (MOST_FILE_BYTES + 1)).decode()}]},
    ),
    "many files": file_of(GOOD, {**GOOD, "name": "x", "files": [{"name": "a", "content": "eA=="}] * 10_000}),
    "a NUL": file_of(GOOD, {**GOOD, "name": "a\0b"}),
    "half a character": b'{"format":"glassbox-presets","version":1,"presets":[{"name":"\\ud800","choice":{}}]}',
}


@each("case", HOSTILE)
def test_a_hostile_file_is_refused_whole(office: PresetOffice, case: str) -> None:
    with pytest.raises(BadRequest, match="not imported"):
        office.imported(HOSTILE[case])
    assert office.all() == [], "not even the good one before it"


@pytest.mark.system
@pytest.mark.slow
def test_a_chat_begins_with_its_preset_and_the_sample_files(services: Services, office: PresetOffice) -> None:
    office.keep("Sales", {"endpoint": DEMO, "tools": ("query",)}, [SALES])
    (preset,) = office.all()
    choice = chosen(changed({}, picking(services.settings, preset, {})), default_choice(services.settings))
    runs = ChatRuns(services, "v" * 32, "session", choice)
    conversation, run = ChatBox(runs, preset=preset.id).take("What is the sum of total?")
    assert run == "", "it waits for the files"
    loading = services.loading(conversation)
    assert loading and [file.name for file in loading.files] == ["sales.csv"]
    while not loading.wait(30.0):
        pass
    box = ChatBox(runs, conversation, preset=preset.id)
    run = box.ask_next()
    while not services.runs.follow(run, 1 << 30, 30.0).done:
        pass
    assert "12" in (fold(services.store.events(run)).answer or "")
    assert read_beginning(services.chats.chosen(conversation, BEGINNING)).preset == "Sales"
    _, second = box.take("And the average?")
    assert second and services.loading(conversation) is loading, "nothing is loaded once more"
    office.change("Sales", {"endpoint": DEMO})
    assert read_beginning(services.chats.chosen(conversation, BEGINNING)).preset == "Sales"
    plain, run = ChatBox(runs, preset=preset.id).ask("What is 2+2?")
    assert run and read_beginning(services.chats.chosen(plain, BEGINNING)).preset == "", "it was another's preset"
    services.runs.follow(run, 1 << 30, 30.0)
    services.runs.follow(second, 1 << 30, 30.0)


def test_presets_and_shares_are_in_a_backup(services: Services, office: PresetOffice, tmp_path: Path) -> None:
    office.keep("Sales", {"endpoint": DEMO}, [SALES])
    chat, anna = services.store.add_conversation("v" * 32, "A sum"), Teammate("v" * 32, "anna@example.com")
    services.store.append(services.store.add_run(chat), [Asked("What is 2+2?", 1.0), Answered("4")])
    services.team_shares.make(anna, chat, Circle("people", ("bert@example.com",)), {})
    make_backup(services.settings, tmp_path / "backup")
    elsewhere = read_settings({"GLASSBOX_DATA": str(tmp_path / "elsewhere")})
    restore_backup(elsewhere, tmp_path / "backup")
    store = Store(elsewhere.database)
    presets = SitePresets(store)
    assert presets.all() == office.all() and presets.files("Sales") == (SALES,)
    assert TeamShares(store).of("v" * 32) == services.team_shares.of("v" * 32) != []
    (found,) = TeamShares(store).received(Teammate("b" * 32, "bert@example.com"))
    assert found.sharer.name == "anna@example.com"
    store.close()
    with pytest.raises(BadRequest, match="already"):
        restore_backup(elsewhere, tmp_path / "backup")
