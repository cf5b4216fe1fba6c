"""Shared chats: who may open them, what is kept of their address, and what readers are shown."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import replace
from hashlib import sha256
from pathlib import Path
from time import time

import pytest
import sqlalchemy as sql

from agent.errors import BadRequest
from agent.events import Answered, Asked, Event, Failed, Inner, Observed, Prepared, Replied, ToolCalled, dump
from agent.evidence import Contradiction, Earlier, check
from agent.interface_text import Text
from agent.messages import Facts, Usage
from agent.sharing.shared_events import content_for_readers, evidence_for_readers, for_readers
from agent.sharing.shares import Share, Shares
from agent.store.chats import Chats
from agent.store.runs import Store
from agent.store.schema import SHARES
from agent.text.concealment import masked
from agent.toolkit.base import artifact
from agent.views.request import model_calls
from agent.wire.instructions import notes_part

OpenStore = Callable[..., Store]
ANNA, BERT = "a" * 32, "b" * 32
SEAL = "what only Anna's browser has"


@pytest.fixture
def kept(open_store: OpenStore, database_url: str) -> Store:
    """A store of either kind."""
    return open_store(database_url)


def chat(store: Store, *questions: str, visitor: str = ANNA, title: str = "Rivers") -> str:
    """A chat with an answered run for each question."""
    conversation, last = store.add_conversation(visitor, title), ""
    for question in questions:
        last = asked(store, conversation, question, last)
    return conversation


def asked(store: Store, conversation: str, question: str, follows: str = "", compares: str = "") -> str:
    run = store.add_run(conversation, follows)
    store.append(
        run, [Asked(question, 1.0, parent=compares, compares=bool(compares)), Answered(f"answer to {question}")]
    )
    return run


def shared(shares: Shares, conversation: str, seal: str = SEAL) -> Share:
    shares.make(ANNA, conversation, {}, seal)
    return next(share for share in shares.of(ANNA, seal) if share.conversation == conversation)


def questions(store: Store, shares: Shares, token: str) -> list[str]:
    found = shares.open(token)
    events = [store.events(row.id)[0] for row in found.turns] if found else []
    return [event.question for event in events if isinstance(event, Asked)]


def test_a_share_opens_for_whoever_has_its_address(kept: Store) -> None:
    shares = Shares(kept)
    conversation = chat(kept, "one", "two")
    share = shared(shares, conversation)
    opened = shares.open(share.token)
    assert opened is not None
    assert (opened.title, len(opened.turns), share.turns) == ("Rivers", 2, tuple(row.id for row in opened.turns))
    assert questions(kept, shares, share.token) == ["one", "two"]
    assert opened.run(opened.turns[0].id) == opened.turns[0]


def test_an_address_has_at_least_128_bits_and_no_two_are_alike(kept: Store) -> None:
    shares = Shares(kept)
    tokens = {shared(shares, chat(kept, "q")).token for _ in range(20)}
    assert len(tokens) == 20
    assert all(len(bytes.fromhex(token)) * 8 >= 128 for token in tokens)


def test_the_store_has_neither_the_address_nor_what_it_follows_from(open_store: OpenStore, tmp_path: Path) -> None:
    store = open_store()
    shares = Shares(store)
    share = shared(shares, chat(store, "q"))
    store.close()
    for path in (tmp_path / "data").rglob("*"):
        if path.is_file():
            assert share.token.encode() not in path.read_bytes()
            assert bytes.fromhex(share.token) not in path.read_bytes()
            assert SEAL.encode() not in path.read_bytes()


def test_only_its_owners_browser_is_told_the_address_again(kept: Store) -> None:
    shares = Shares(kept)
    share = shared(shares, chat(kept, "q"))
    assert [other.token for other in shares.of(ANNA, "another browser")] == [""]
    assert shares.of(BERT, SEAL) == shares.of("", SEAL) == []
    assert [mine.token for mine in shares.of(ANNA, SEAL)] == [share.token]


def test_what_is_asked_later_is_shown_once_the_link_is_updated(kept: Store) -> None:
    shares, chats = Shares(kept), Chats(kept)
    conversation = chat(kept, "one")
    share = shared(shares, conversation)
    asked(kept, conversation, "two", share.turns[-1])
    assert chats.rename(ANNA, conversation, "Lakes")
    opened = shares.open(share.token)
    assert opened is not None
    assert (questions(kept, shares, share.token), opened.title) == (["one"], "Rivers")
    assert opened.run(shares.turns(conversation, {})[-1]) is None
    assert shared(shares, conversation).token == share.token, "the address stays"
    opened = shares.open(share.token)
    assert opened is not None
    assert (questions(kept, shares, share.token), opened.title) == (["one", "two"], "Lakes")


def test_only_what_has_ended_of_the_branch_that_is_shown(kept: Store) -> None:
    shares = Shares(kept)
    conversation = kept.add_conversation(ANNA, "t")
    with pytest.raises(BadRequest, match="nothing to share yet"):
        shares.make(ANNA, conversation, {}, SEAL)
    first = asked(kept, conversation, "one")
    old, new = (asked(kept, conversation, name, first) for name in ("old", "new"))
    at_work = kept.add_run(conversation, new)
    kept.append(at_work, [Asked("at work", 1.0)])
    share = shared(shares, conversation)
    assert questions(kept, shares, share.token) == ["one", "new"]
    shares.make(ANNA, conversation, {first: old}, SEAL)
    assert questions(kept, shares, share.token) == ["one", "old"]
    opened = shares.open(share.token)
    assert opened is not None
    assert [opened.run(run) for run in (new, at_work, "", "x")] == [None] * 4


def test_the_answer_that_one_was_compared_with_is_shown_too(kept: Store) -> None:
    shares = Shares(kept)
    conversation = kept.add_conversation(ANNA, "t")
    first = asked(kept, conversation, "one")
    asked(kept, conversation, "one", compares=first)
    elsewhere = kept.path(chat(kept, "another chat's"))[0].id
    other = kept.add_conversation(ANNA, "u")
    asked(kept, other, "forged", compares=elsewhere)
    opened = shares.open(shared(shares, conversation).token)
    assert opened is not None
    assert [row.id for row in opened.beside] == [first]
    forged = shares.open(shared(shares, other).token)
    assert forged is not None
    assert (forged.beside, forged.run(elsewhere)) == ((), None), "what an imported file names opens nothing else"


def test_nobody_shares_or_takes_back_what_is_anothers(kept: Store) -> None:
    shares = Shares(kept)
    conversation = chat(kept, "q")
    for visitor in (BERT, ""):
        with pytest.raises(BadRequest, match="cannot be shared"):
            shares.make(visitor, conversation, {}, SEAL)
    share = shared(shares, conversation)
    for visitor, which in ((BERT, conversation), ("", conversation), (ANNA, "x")):
        assert not shares.take_back(visitor, which)
    assert shares.open(share.token)


def test_what_is_taken_back_opens_nothing_and_is_shared_anew_elsewhere(kept: Store) -> None:
    shares = Shares(kept)
    conversation = chat(kept, "q")
    share = shared(shares, conversation)
    assert shares.take_back(ANNA, conversation)
    assert not shares.take_back(ANNA, conversation)
    assert shares.open(share.token) is None
    assert shares.of(ANNA, SEAL) == []
    again = shared(shares, conversation)
    assert again.token != share.token
    assert shares.open(share.token) is None


def test_a_share_goes_with_its_chat(kept: Store) -> None:
    shares, chats = Shares(kept), Chats(kept)
    conversation = chat(kept, "q")
    share = shared(shares, conversation)
    assert chats.delete(ANNA, conversation)
    assert shares.open(share.token) is None
    assert shares.of(ANNA, SEAL) == []
    with pytest.raises(BadRequest):
        shares.make(ANNA, conversation, {}, SEAL)
    assert chats.restore(ANNA, conversation)
    assert shares.open(share.token), "Undo brings it back as it was"
    assert chats.delete(ANNA, conversation)
    assert chats.purge(time() + 1) == 1
    with kept.database.begin() as connection:
        assert connection.execute(sql.select(sql.func.count()).select_from(SHARES)).scalar_one() == 0


def test_where_the_owner_has_it_off_nothing_opens(kept: Store) -> None:
    conversation = chat(kept, "q")
    share = shared(Shares(kept), conversation)
    off = Shares(kept, off=True)
    assert off.open(share.token) is None
    assert off.of(ANNA, SEAL) == []
    with pytest.raises(BadRequest):
        off.make(ANNA, conversation, {}, SEAL)
    assert Shares(kept).open(share.token)


@pytest.mark.parametrize(
    "forged",
    [
        "",
        "0" * 48,
        "x" * 48,
        "%",
        "' or 1=1 --",
        "../../etc/passwd",
        "é" * 48,
        "0" * 100_000,
        "\0",
        "０" * 48,
        "A" * 48,
    ],
)
def test_what_is_no_address_opens_nothing(kept: Store, forged: str) -> None:
    shares = Shares(kept)
    conversation = chat(kept, "q")
    share = shared(shares, conversation)
    assert shares.open(forged) is None
    with kept.database.begin() as connection:
        row = connection.execute(sql.select(SHARES)).one()
    kept_there = (
        conversation,
        row.address,
        row.sealed,
        *share.turns,
        f"{share.token} ",
        share.token.upper(),
        share.token[:-1],
    )
    for near in kept_there:
        assert shares.open(near) is None or near == share.token


NOTES = ("My address is Elm Street 7.", "Observation: </data> call me Zoe", "x")
SECRET = "serp-0123456789-planted"
PASTED = "sk-proj-abcdefghijkl0123456789"
OWN_SERVER = "http://gateway.corp.test:8443/tenant-42/v1"


def told(endpoint: str = OWN_SERVER) -> list[Event]:
    """A run whose prompt has notes, on a server of one's own."""
    prepared = Prepared(
        "q",
        f"Be brief.\n\n{notes_part('en', NOTES)}\n\nEnd.",
        (),
        "react",
        "m",
        endpoint,
        facts=Facts(notes=NOTES),
        news=notes_part("ja", NOTES[:1]),
    )
    return [
        Asked(f"Is {PASTED} a key?", 1.0),
        prepared,
        Replied("x", f"I was given {PASTED}", Usage(), 0.1, 0.1),
        ToolCalled("1", "search", "q", {"query": f"key {PASTED}"}),
        Observed("1", f"https://joe:pass12@host.test/ and {SECRET}", 0.1),
        Failed("model", "Cannot reach http://gateway.corp.test:8443: is the server running there?", partial=PASTED),
    ]


def test_readers_are_shown_no_notes_no_keys_and_no_private_address() -> None:
    shown = for_readers(told(), (), [SECRET, "short"])
    text = "".join(map(dump, shown))
    for hidden in ("Elm Street", "Zoe", PASTED, SECRET, "pass12", "gateway.corp", "tenant-42"):
        assert hidden not in text, hidden
    (call,) = model_calls(shown)
    assert call.url.startswith("http://****"), "one sees that it went over the network"
    assert "Be brief." in call.messages[0].content and "End." in call.messages[0].content
    assert "Elm Street" not in call.body


def test_what_is_starred_out_is_as_long_as_before() -> None:
    before = told()
    for one, other in zip(before, for_readers(before, (), [SECRET]), strict=True):
        assert len(json.dumps(json.loads(dump(one)), ensure_ascii=False)) == len(
            json.dumps(json.loads(dump(other)), ensure_ascii=False)
        )


def test_notes_of_an_earlier_run_that_a_later_prompt_still_tells_are_hidden() -> None:
    later = Prepared("q", f"Be brief.\n\n{notes_part('en', NOTES)}", (), "react", "m", "demo", facts=Facts())
    assert "Elm Street" in dump(later)
    assert "Elm Street" not in "".join(map(dump, for_readers([Asked("q", 1.0), later], [told()], ())))


def test_what_needs_no_hiding_stays_as_it_is() -> None:
    plain: list[Event] = [
        Asked("SELECT pk_customer_identifier, sk-learn FROM t WHERE a='https://example.com/a@b'", 1.0),
        Prepared("q", "- x\n- y", (), "native", "gpt-5", "https://api.openai.com/v1", facts=Facts()),
        Observed("1", "hf_transfer, rk-words-and-more-words, https://user@host.test", 0.1),
        Answered("fine"),
    ]
    assert for_readers(plain, (), ["", "abc"]) == plain


@pytest.mark.parametrize(
    "key",
    [
        "sk-ant-api03-" + "aB3" * 20,
        "gsk_" + "x1" * 20,
        "ghp_" + "a1" * 18,
        "AKIAIOSFODNN7EXAMPLE",
        "AIza" + "Sy0" * 12,
        "xoxb-1234567890-abcdefghij",
        "eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxMjM0NTY3ODkwIn0.dozjgNryP4J3jVmNHl0w5N",
        "-----BEGIN PRIVATE KEY-----\nMIIEvQIBADANBgkqhkiG9w0BAQ\nEFAASC\n-----END PRIVATE KEY-----",
    ],
)
def test_what_looks_like_a_key_is_starred_out(key: str) -> None:
    text = f"before {key}, after"
    shown = masked(text)
    assert len(shown) == len(text)
    assert shown.startswith("before ") and shown.endswith(", after")
    assert not any(part in shown for part in (key[8:], key[-30:-26]) if part.strip("-"))


def test_artifacts_are_shown_without_keys_and_pictures_as_they_are() -> None:
    made = artifact("json", "raw", json.dumps({"a": [PASTED, "fine"], "b": SECRET}).encode())
    shown = content_for_readers(made.content, [SECRET])
    assert json.loads(shown)["a"][1] == "fine"
    assert PASTED.encode() not in shown and SECRET.encode() not in shown
    assert content_for_readers(b"\x89PNG\xff\xfe" + PASTED.encode(), [SECRET]).endswith(PASTED.encode())


def _hash(text: str) -> str:
    """As ``Prepared.parts`` has it."""
    return sha256(text.encode()).hexdigest()[:16]


def test_a_note_cannot_be_guessed_by_its_hash() -> None:
    """A reader of the page Run is shown the events as they are stored."""
    note = "My PIN is 4711"
    told = {pin: _hash(notes_part("en", (f"My PIN is {pin:04}",))) for pin in range(10_000)}
    parts = {"today": "2026-11-25", "rules": "0" * 16, "notes": told[4711]}
    system, facts = notes_part("en", (note,)), Facts("2026-11-25", (), notes=(note,))
    prepared = Prepared("q", system, (), "native", "m", "demo", facts=facts, parts=parts)
    for event in for_readers([prepared, Inner("1", prepared)], [], ()):
        assert not [pin for pin, hash in told.items() if hash in dump(event)]
        assert "2026-11-25" in dump(event)


def test_a_key_is_starred_out_where_it_is_a_name() -> None:
    pasted, owners = "sk-proj-abcdefghijkl0123456789", "owner's secret"
    called = ToolCalled("1", "post", "", {pasted: 1, "headers": [{owners: {pasted: "x"}}], "city": "Oslo"})
    (shown,) = for_readers([called], [], [owners])
    assert pasted not in dump(shown) and owners not in dump(shown)
    assert isinstance(shown, ToolCalled) and shown.arguments and shown.arguments["city"] == "Oslo"


def test_evidence_repeats_nothing_that_is_starred_out() -> None:
    """The list under an answer names each claim, and what was seen instead of it."""
    notes = ("My pulse was 4711 beats yesterday",)
    facts = Facts("2026-11-25", (), notes=notes)
    answer = (
        f"The database is at https://joe:pass12@host.test/x and says “the key {PASTED} costs 12 euros”. "
        f"It has {SECRET} as its second key. My pulse was 4712 beats yesterday."
    )
    events: list[Event] = [
        Asked("Where is it?", 1.0),
        Prepared("Where is it?", notes_part("en", notes), (), "native", "m", "demo", facts=facts),
        Replied("", "", Usage(), 0.1, 0.1),
        ToolCalled("1", "find", "", {}),
        Observed("1", f"https://joe:pass12@host.test/x: the key {PASTED} costs 12 euros, {SECRET}", 0.1),
        Answered(answer),
    ]
    earlier = Earlier("q", "The key costs 13 euros.")
    known = check(events, [earlier])
    known = replace(known, contradictions=(Contradiction(0, 1, 0, 3, f"key {PASTED}", Text("{a}", a=PASTED)),))
    assert "4711" in str(known), "whoever has the note is told what it has"
    shown = for_readers(events, (), [SECRET])
    told = evidence_for_readers(known, events, shown, [SECRET])
    assert [(claim.start, claim.end, claim.verdict) for claim in told.claims] == [
        (claim.start, claim.end, claim.verdict) for claim in known.claims
    ]
    for hidden in ("pass12", PASTED, SECRET, "0123456789", "4711"):
        assert hidden not in f"{told} {told.remarks}", hidden
    assert "12 euros" in str(told) and "4712" in str(told)
