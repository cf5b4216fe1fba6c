"""Sharing with people, over Streamlit's own protocol: who is shown what, whatever they claim and whatever they name."""

from __future__ import annotations

import re
from collections.abc import Iterator

import pytest
from streamlit.proto.WidgetStates_pb2 import WidgetState

from agent.data.tables.chat_tables import table_rows
from agent.sharing.team_shares import Circle, Teammate, TeamShare, TeamShares
from agent.store.runs import Store
from agent.store.schema import CONVERSATIONS
from tests.support.page_socket import PageSocket, pressed, set_up_signing_in, signed_in
from tests.support.servers.app_server import AppServer
from tests.support.team_chats import chat

pytestmark = pytest.mark.system
ANNA = {"sub": "1", "email": "anna@example.com", "email_verified": True}
BERT = {"sub": "2", "email": "Bert@Example.com", "email_verified": True}
NOT_BERT: dict[str, dict[str, object] | None] = {
    "a visitor": None,
    "somebody else": {"sub": "3", "email": "cleo@example.com", "email_verified": True},
    "who wrote Bert's address": {"sub": "4", "email": "bert@example.com"},
    "who is called like it": {"sub": "5", "name": "bert@example.com", "email_verified": True},
    "who writes it with another letter": {"sub": "6", "email": "bеrt@example.com", "email_verified": True},
}
TITLE, WORDS = "Rivers of <script>alert(1)</script> Elm Street", "the Danube"
NOT_SHARED, SIGN_IN = "This chat is not shared with you", "Sign in to read what is shared with you"


class Site:
    def __init__(self, app: AppServer, store: Store) -> None:
        self.app, self.store, self.shares = app, store, TeamShares(store)

    def page(self, claims: dict[str, object] | None, page: str = "", query: str = "") -> PageSocket:
        return PageSocket(self.app.port, signed_in(self.app.port, **claims) if claims else {}, query, page)

    def sees(self, claims: dict[str, object] | None, page: str = "", query: str = "") -> PageSocket:
        with self.page(claims, page, query) as drawn:
            drawn.draw()
        return drawn

    def visitor(self, claims: dict[str, object]) -> str:
        """The visitor that somebody is who has signed in so: by a chat that they begin."""
        with self.page(claims) as page:
            page.draw()
            page.draw(page.question("What is 2+2?"))
        row = self.store.conversation(page.query.removeprefix("c="))
        assert row
        return row.visitor


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Site]:
    folder = tmp_path_factory.mktemp("team")
    app = AppServer(folder)
    set_up_signing_in(folder, app.port)
    with app:
        store = Store(app.database)
        yield Site(app, store)
        store.close()


@pytest.fixture(scope="module")
def anna(site: Site) -> str:
    return site.visitor(ANNA)


@pytest.fixture
def share(site: Site, anna: str) -> Iterator[TeamShare]:
    """A chat of Anna's that she shares with Bert."""
    conversation = chat(site.store, f"Is {WORDS} long?", visitor=anna, title=TITLE)
    site.shares.make(Teammate(anna, "anna@example.com"), conversation, Circle("people", ("bert@example.com",)), {})
    (share,) = site.shares.of(anna)
    yield share
    site.shares.take_back(anna, conversation)


def plain(page: PageSocket) -> str:
    """What a reader sees: without the signs that keep Markdown from reading it."""
    return page.drawn.replace("\\", "").replace("\u2060", "")


def typed(id: str, text: str) -> WidgetState:
    return WidgetState(id=id, string_value=text)


def test_who_is_named_finds_it_in_the_sidebar_and_reads_it(site: Site, share: TeamShare) -> None:
    found = site.sees(BERT)
    assert "New · Rivers of" in found.drawn and "anna@example.com" in plain(found)
    read = site.sees(BERT, "shared", f"w={share.id}")
    for words in (WORDS, "Shared by anna@example.com", "Elm Street"):
        assert words in plain(read), words
    assert not re.search(r"(?<!\\)<script", read.drawn), "a title is shown as it was written"
    assert "New · Rivers" not in site.sees(BERT).drawn, "it was read"
    run = site.sees(BERT, "run", f"w={share.id}&r={share.turns[0]}")
    assert WORDS in run.drawn


@pytest.mark.parametrize("who", NOT_BERT)
def test_nobody_else_is_told_that_there_is_such_a_chat(site: Site, share: TeamShare, who: str) -> None:
    claims = NOT_BERT[who]
    home = site.sees(claims)
    assert "Rivers" not in home.drawn
    assert ("Nothing yet." in home.drawn) == (claims is not None)
    there = site.sees(claims, "shared", f"w={share.id}")
    nowhere = site.sees(claims, "shared", f"w={'0' * 32}")
    assert there.drawn == nowhere.drawn, "that there is none, and that it is for others, look alike"
    assert (NOT_SHARED if claims else SIGN_IN) in there.drawn
    for page in ("run", "context"):
        drawn = site.sees(claims, page, f"w={share.id}&r={share.turns[0]}").drawn
        assert WORDS not in drawn and "Elm Street" not in drawn


def test_the_address_of_the_chat_itself_opens_it_for_nobody_else(site: Site, share: TeamShare) -> None:
    for query in (f"c={share.conversation}", f"s={share.id}", f"w={share.conversation}", f"s=&w={share.turns[0]}"):
        for page in ("", "shared"):
            assert WORDS not in site.sees(BERT, page, query).drawn, (page, query)


def test_taken_back_the_open_page_says_so(site: Site, share: TeamShare, anna: str) -> None:
    with site.page(BERT, "shared", f"w={share.id}") as page:
        page.draw()
        assert WORDS in page.drawn
        assert site.shares.take_back(anna, share.conversation)
        page.draw()
        assert NOT_SHARED in page.drawn and WORDS not in page.drawn
    assert "Nothing yet." in site.sees(BERT).drawn


def test_the_dialog_shares_changes_and_takes_back(site: Site, anna: str) -> None:
    conversation = chat(site.store, f"Is {WORDS} long?", visitor=anna, title=TITLE)
    with site.page(ANNA, query=f"c={conversation}") as page:
        page.draw()
        page.draw(pressed(page.widgets["share"]))
        assert "Make a link" in page.drawn
        people = typed(page.widgets["share-way"], "Named people")
        page.draw(people)
        form = page.widgets["share-addresses"]
        page.draw(people, typed(form, "bert@example.com\nnobody"), pressed(page.widgets["share-people"]))
        assert "Line 2 is no address" in page.drawn and not site.shares.of(anna)
        page.draw(people, typed(form, "Bert@Example.com"), pressed(page.widgets["share-people"]))
        (share,) = site.shares.of(anna)
        assert share.circle == Circle("people", ("bert@example.com",))
        page.draw(people)
        assert "They see the chat as it was" in page.drawn
        everyone = typed(page.widgets["share-way"], "Everyone who signs in here")
        page.draw(everyone)
        may = typed(page.widgets["share-may-site"], "read it, and go on in a chat of their own")
        page.draw(everyone, may, pressed(page.widgets["share-site"]))
        (share,) = site.shares.of(anna)
        assert share.circle == Circle("site", (), branching=True)
        page.draw(everyone, pressed(page.widgets[f"take-back-{conversation}"]))
    assert site.shares.of(anna) == []


def test_a_visitor_who_has_not_signed_in_shares_by_a_link_alone(site: Site) -> None:
    with site.page(None) as page:
        page.draw()
        page.draw(page.question("What is 2+2?"))
        page.draw(pressed(page.widgets["share"]))
        assert "Make a link" in page.drawn and "Everyone who signs in" not in page.drawn
        assert "share-way" not in page.widgets
        assert "Shared with me" not in page.drawn


def test_a_click_on_anothers_chat_shares_nothing(site: Site, anna: str) -> None:
    """Bert's dialog is about what his session says; Anna's chat is not his, whatever its id."""
    conversation = chat(site.store, f"Is {WORDS} long?", visitor=anna)
    with site.page(BERT, query=f"c={conversation}") as page:
        page.draw()
        assert "share" not in page.widgets
    row = site.store.database.rows(CONVERSATIONS.select().where(CONVERSATIONS.c.id == conversation))
    assert len(row) == 1 and site.shares.of(anna) == []


def test_the_log_names_nobody(site: Site, share: TeamShare) -> None:
    site.sees(BERT, "shared", f"w={share.id}")
    for words in ("anna@", "bert@", "Bert@", share.id, "Elm Street"):
        assert words not in site.app.log


def test_who_may_goes_on_in_a_chat_of_their_own(site: Site, share: TeamShare, anna: str) -> None:
    named = share.circle.addresses
    with site.page(BERT, "shared", f"w={share.id}") as page:
        page.draw()
        assert "branch" not in page.widgets
        assert site.shares.change(anna, share.conversation, Circle("people", named, branching=True))
        page.draw()
        click = pressed(page.widgets["branch"])
        page.send(click)
        page.shows("Began with what")  # on the page of the chat, which is gone to
        mine = page.query.removeprefix("c=")
    assert "Began with what anna@example.com shared." in plain(page)
    row = site.store.conversation(mine)
    assert row and row.visitor == site.visitor(BERT) and row.title == TITLE
    site.shares.change(anna, share.conversation, share.circle)
    with site.page(BERT, "shared", f"w={share.id}") as page:
        page.draw(click)
        assert "branch" not in page.widgets
    assert site.shares.take_back(anna, share.conversation)
    with site.page(BERT, "shared", f"w={share.id}") as page:
        page.draw(click)
        assert NOT_SHARED in page.drawn
    begun = CONVERSATIONS.select().where(CONVERSATIONS.c.title == TITLE, CONVERSATIONS.c.visitor == row.visitor)
    assert len(site.store.database.rows(begun)) == 1
    assert WORDS in site.sees(BERT, query=f"c={mine}").drawn, "what was begun stays"


def test_both_sides_are_told_which_files_go_along_and_which_could_not(site: Site, anna: str) -> None:
    conversation = chat(site.store, "Who is paid?", visitor=anna)
    card = {"name": "pay_of_<b>all", "file": "none.parquet", "source": "pay.csv", "rows": 1, "columns": []}
    table_rows(site.store.database).add(conversation, {"1" * 32: card})
    with site.page(ANNA, query=f"c={conversation}") as page:
        page.draw()
        page.draw(pressed(page.widgets["share"]))
        page.draw(typed(page.widgets["share-way"], "Named people"))
        assert "Who goes on gets a copy of these: pay_of_" in plain(page)
    site.shares.make(Teammate(anna, "anna@example.com"), conversation, Circle("people", ("bert@example.com",)), {})
    (share,) = site.shares.of(anna)
    read = site.sees(BERT, "shared", f"w={share.id}")
    assert "pay_of" not in read.drawn, "who may only read is not told"
    site.shares.change(anna, conversation, Circle("people", ("bert@example.com",), branching=True))
    with site.page(BERT, "shared", f"w={share.id}") as page:
        page.draw()
        assert "These come along: pay_of_" in plain(page) and "<b>all" not in page.drawn.replace("\\<b", "")
        page.send(pressed(page.widgets["branch"]))
        page.shows("Began with what")
    assert "These could not come along, as they are gone, too large or out of reach: pay_of_" in plain(page)
    site.shares.take_back(anna, conversation)
