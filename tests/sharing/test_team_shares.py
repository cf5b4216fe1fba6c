"""Chats that are shared with people: who finds and opens them, and who does not, whatever they claim or name."""

from __future__ import annotations

from collections.abc import Callable
from time import time

import pytest
import sqlalchemy as sql

from agent.application.site.person import Person, is_owner, read_person
from agent.errors import BadRequest
from agent.events import Answered, Asked
from agent.sharing.shares import Sharer, Shares
from agent.sharing.team_shares import MOST_PEOPLE, Circle, Teammate, TeamShare, TeamShares, read_circle
from agent.store.chats import Chats
from agent.store.runs import Store
from agent.store.team_tables import TEAM_MEMBERS, TEAM_READ, TEAM_SHARES
from agent.text.mail_addresses import folded, read_addresses
from tests.support.team_chats import ANNA, chat

OpenStore = Callable[..., Store]
BERT = Teammate("b" * 32, "bert@example.com", "Bert")
CLEO = Teammate("c" * 32, "cleo@example.com", "Cleo")
UNCONFIRMED = Teammate("d" * 32, "", "bert@example.com")
WITH_BERT = Circle("people", ("bert@example.com",))
EVERYONE = Circle("site")
SEAL = "what only Anna's browser has"


@pytest.fixture
def kept(open_store: OpenStore, database_url: str) -> Store:
    """A store of either kind."""
    return open_store(database_url)


def shared(shares: TeamShares, conversation: str, circle: Circle = WITH_BERT, owner: Teammate = ANNA) -> TeamShare:
    shares.make(owner, conversation, circle, {})
    return next(share for share in shares.of(owner.visitor) if share.conversation == conversation)


def test_who_is_named_finds_and_opens_it_and_nobody_else(kept: Store) -> None:
    shares = TeamShares(kept)
    conversation = chat(kept, "one", "two")
    share = shared(shares, conversation)
    (found,) = shares.received(BERT)
    assert (found.id, found.title, found.sharer) == (share.id, "Rivers", Sharer("anna@example.com", True))
    opened = shares.open(share.id, BERT)
    assert opened is not None
    assert (opened.title, tuple(row.id for row in opened.turns)) == ("Rivers", share.turns)
    assert (opened.sharer, opened.branching) == (found.sharer, False)
    for other in (CLEO, UNCONFIRMED, Teammate("", "bert@example.com")):
        assert shares.received(other) == []
        assert shares.open(share.id, other) is None
    assert shares.open(share.id, None) is None
    assert shares.open(share.id, ANNA), "its owner sees what others do"
    assert shares.received(ANNA) == [], "but is not told of it as of another's"


def test_everyone_who_signs_in_finds_what_is_shared_with_all(kept: Store) -> None:
    shares = TeamShares(kept)
    share = shared(shares, chat(kept, "q"), EVERYONE)
    for reader in (BERT, CLEO, UNCONFIRMED):
        assert [found.id for found in shares.received(reader)] == [share.id]
        assert shares.open(share.id, reader)
    for nobody in (None, Teammate("")):
        assert shares.open(share.id, nobody) is None
    assert shares.received(Teammate("")) == []


@pytest.mark.parametrize(
    ("claims", "opens"),
    [
        ({"email": "bert@example.com", "email_verified": True}, True),
        ({"email": " BERT@Example.COM", "email_verified": "true"}, True),
        ({"email": "bert@example.com"}, False),
        ({"email": "bert@example.com", "email_verified": False}, False),
        ({"email": "bert@example.com", "email_verified": "yes"}, False),
        ({"email": "bеrt@example.com", "email_verified": True}, False),  # a Cyrillic letter
        ({"email": "ｂert@example.com", "email_verified": True}, False),
        ({"email": "bert@example.com\u200b", "email_verified": True}, False),
        ({"email": "bert@example.com.evil.test", "email_verified": True}, False),
        ({"name": "bert@example.com", "email_verified": True}, False),
        ({"sub": "bert@example.com", "email_verified": True}, False),
        ({"email": ["bert@example.com"], "email_verified": True}, False),
        ({"email": "", "email_verified": True}, False),
    ],
)
def test_an_address_counts_where_the_provider_vouches_for_it(
    open_store: OpenStore, claims: dict[str, object], opens: bool
) -> None:
    store = open_store()
    shares = TeamShares(store)
    share = shared(shares, chat(store, "q"))
    person = read_person(claims)
    reader = Teammate("e" * 32, person.address, person.called)
    assert bool(shares.open(share.id, reader)) is opens
    assert bool(shares.received(reader)) is opens


def test_a_letter_that_looks_like_another_makes_another_address() -> None:
    assert "mi\u212ae@example.com".casefold() == "mike@example.com"
    assert folded("mi\u212ae@example.com") != "mike@example.com"
    kelvin = Person("https://id.example.com", "1", email="mi\u212ae@example.com", verified=True)
    assert not is_owner(kelvin, ["mike@example.com"])
    assert is_owner(Person("", "1", email="Mike@Example.com", verified=True), ["MIKE@example.com"])


def test_addresses_are_read_one_a_line() -> None:
    typed = "  Anna@Example.com \r\n\n bert+tag@b.example.co\nANNA@example.com\n"
    assert read_addresses(typed, 5) == ("anna@example.com", "bert+tag@b.example.co")
    assert read_addresses("", 5) == ()


@pytest.mark.parametrize(
    "typed",
    [
        "anna",
        "anna@localhost",
        "Anna <anna@example.com>",
        "anna@example.com, bert@example.com",
        "a b@example.com",
        '"quoted"@example.com',
        "<script>alert(1)</script>@example.com",
        "a\0b@example.com",
        "@example.com",
        "a@b@example.com",
        "a" * 65 + "@example.com",
        "a@" + "b" * 250 + ".com",
        "аnna@example.com",
        "anna@exämple.com",
        "\ud800@example.com",
        "%@example.com\n*",
    ],
)
def test_what_is_no_address_is_refused_by_its_line(typed: str) -> None:
    with pytest.raises(BadRequest, match=r"Line [23] "):
        read_addresses(f"fine@example.com\n{typed}", 100)


def test_ten_thousand_addresses_are_refused_at_once() -> None:
    many = "\n".join(f"person{number}@example.com" for number in range(10_000))
    began = time()
    with pytest.raises(BadRequest, match="100 people"):
        read_circle("people", many, False)
    with pytest.raises(BadRequest, match="100 people"):
        read_circle("people", "x" * 50_000_000, False)
    assert time() - began < 5
    most = "\n".join(f"person{number}@example.com" for number in range(MOST_PEOPLE))
    assert len(read_circle("people", most, True).addresses) == MOST_PEOPLE
    assert read_circle("site", many, False) == EVERYONE


def test_nobody_shares_changes_or_takes_back_what_is_anothers(kept: Store) -> None:
    shares = TeamShares(kept)
    conversation = chat(kept, "q")
    for other in (BERT, Teammate("", "anna@example.com"), Teammate("x", "anna@example.com")):
        with pytest.raises(BadRequest, match="cannot be shared"):
            shares.make(other, conversation, EVERYONE, {})
    share = shared(shares, conversation)
    for visitor in (BERT.visitor, ""):
        assert not shares.change(visitor, conversation, EVERYONE)
        assert not shares.take_back(visitor, conversation)
        with pytest.raises(BadRequest):
            shares.update(visitor, conversation, {})
        assert shares.of(visitor) == []
    assert shares.open(share.id, CLEO) is None
    assert shares.open(share.id, BERT)


def test_who_is_named_no_more_opens_nothing(kept: Store) -> None:
    shares = TeamShares(kept)
    conversation = chat(kept, "q")
    share = shared(shares, conversation)
    assert shares.change(ANNA.visitor, conversation, Circle("people", ("cleo@example.com",), branching=True))
    assert shares.open(share.id, BERT) is None and shares.received(BERT) == []
    opened = shares.open(share.id, CLEO)
    assert opened and opened.branching
    assert shares.change(ANNA.visitor, conversation, EVERYONE)
    assert shares.open(share.id, BERT)
    assert kept.database.rows(sql.select(TEAM_MEMBERS)) == [], "no address is kept without need"
    with pytest.raises(BadRequest, match="Nobody is named"):
        shares.change(ANNA.visitor, conversation, Circle("people"))
    assert shares.open(share.id, BERT), "what was refused changed nothing"


def test_taken_back_it_opens_for_nobody_and_nothing_of_it_is_left(kept: Store) -> None:
    shares = TeamShares(kept)
    conversation = chat(kept, "q")
    share = shared(shares, conversation)
    opened = shares.open(share.id, BERT)
    assert opened
    shares.note_read(BERT, opened)
    assert shares.take_back(ANNA.visitor, conversation)
    assert not shares.take_back(ANNA.visitor, conversation)
    assert shares.open(share.id, BERT) is None and shares.open(share.id, ANNA) is None
    assert shares.received(BERT) == shares.of(ANNA.visitor) == []
    for table in (TEAM_SHARES, TEAM_MEMBERS, TEAM_READ):
        assert kept.database.rows(sql.select(table)) == []
    assert shared(shares, conversation).id != share.id


def test_it_goes_with_its_chat(kept: Store) -> None:
    shares, chats = TeamShares(kept), Chats(kept)
    conversation = chat(kept, "q")
    share = shared(shares, conversation)
    opened = shares.open(share.id, BERT)
    assert opened
    shares.note_read(BERT, opened)
    assert chats.delete(ANNA.visitor, conversation)
    assert shares.open(share.id, BERT) is None
    assert shares.received(BERT) == shares.of(ANNA.visitor) == []
    assert not shares.change(ANNA.visitor, conversation, EVERYONE)
    assert chats.restore(ANNA.visitor, conversation)
    assert shares.open(share.id, BERT), "Undo brings it back as it was"
    assert chats.delete(ANNA.visitor, conversation)
    assert chats.purge(time() + 1) == 1
    for table in (TEAM_SHARES, TEAM_MEMBERS, TEAM_READ):
        assert kept.database.rows(sql.select(table)) == []


def test_a_chat_is_shared_by_a_link_or_with_people(kept: Store) -> None:
    links, shares = Shares(kept), TeamShares(kept)
    conversation = chat(kept, "q")
    links.make(ANNA.visitor, conversation, {}, SEAL)
    (link,) = links.of(ANNA.visitor, SEAL)
    share = shared(shares, conversation)
    assert links.open(link.token) is None and links.of(ANNA.visitor, SEAL) == []
    links.make(ANNA.visitor, conversation, {}, SEAL)
    assert links.open(link.token) is None, "an address that was given up opens no more"
    assert shares.open(share.id, BERT) is None and shares.of(ANNA.visitor) == []
    assert kept.database.rows(sql.select(TEAM_MEMBERS)) == []


def test_what_is_asked_later_is_shown_once_it_is_updated_and_is_unread_then(kept: Store) -> None:
    shares = TeamShares(kept)
    conversation = chat(kept, "one")
    share = shared(shares, conversation)
    assert [found.unread for found in shares.received(BERT)] == [True]
    opened = shares.open(share.id, BERT)
    assert opened
    shares.note_read(BERT, opened)
    shares.note_read(BERT, opened)
    assert [found.unread for found in shares.received(BERT)] == [False]
    run = kept.add_run(conversation, share.turns[-1])
    kept.append(run, [Asked("two", 1.0), Answered("a")])
    assert shares.change(ANNA.visitor, conversation, WITH_BERT)
    opened = shares.open(share.id, BERT)
    assert opened and len(opened.turns) == 1, "whom it is shared with says nothing of what is shown"
    shares.update(ANNA.visitor, conversation, {})
    opened = shares.open(share.id, BERT)
    assert opened and [row.id for row in opened.turns] == [share.turns[0], run]
    assert [found.unread for found in shares.received(BERT)] == [True]


def test_an_address_that_is_not_vouched_for_is_not_told_as_one(kept: Store) -> None:
    shares = TeamShares(kept)
    conversation = chat(kept, "q", visitor=UNCONFIRMED.visitor)
    shared(shares, conversation, EVERYONE, UNCONFIRMED)
    (found,) = shares.received(CLEO)
    assert found.sharer == Sharer("bert@example.com", confirmed=False)


def test_what_a_provider_says_of_a_person_may_be_anything(kept: Store) -> None:
    shares = TeamShares(kept)
    odd = Teammate("f" * 32, "bert\0@example.com", "\0\ud800\u202e<b>" + "x" * 10_000)
    share = shared(shares, chat(kept, "q"))
    assert shares.open(share.id, odd) is None and shares.received(odd) == []
    shared(shares, chat(kept, "q", visitor=odd.visitor), EVERYONE, Teammate(odd.visitor, "", odd.called))
    (found,) = shares.received(CLEO)
    assert len(found.sharer.name) == 200 and not found.sharer.confirmed


def test_where_the_owner_has_it_off_nothing_opens(kept: Store) -> None:
    conversation = chat(kept, "q")
    share = shared(TeamShares(kept), conversation, EVERYONE)
    off = TeamShares(kept, off=True)
    assert off.open(share.id, BERT) is None
    assert off.received(BERT) == off.of(ANNA.visitor) == []
    with pytest.raises(BadRequest):
        off.make(ANNA, conversation, EVERYONE, {})
    assert TeamShares(kept).open(share.id, BERT)


@pytest.mark.parametrize("forged", ["", "0" * 32, "x" * 32, "' or 1=1 --", "é" * 32, "0" * 100_000, "\0", "０" * 32])
def test_what_is_no_address_of_a_share_opens_nothing(kept: Store, forged: str) -> None:
    shares = TeamShares(kept)
    conversation = chat(kept, "q")
    share = shared(shares, conversation)
    assert shares.open(forged, BERT) is None
    for near in (conversation, share.turns[0], share.id.upper(), f"{share.id} ", share.id[:-1]):
        assert shares.open(near, BERT) is None or near == share.id
