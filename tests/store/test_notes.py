"""Notes are kept by visitor, once each, within bounds; a store of before there were any is brought up to date."""

from __future__ import annotations

from collections.abc import Callable

import pytest
import sqlalchemy as sql

from agent.errors import BadRequest
from agent.store.chats import Chats
from agent.store.notes import MOST_CHARACTERS, MOST_NOTES, Notes
from agent.store.runs import Store
from agent.store.schema import STORE_VERSIONS

ANNA, BERT = "a" * 32, "b" * 32


@pytest.fixture
def notes(store: Store) -> Notes:
    return Notes(store)


def texts(notes: Notes, visitor: str) -> list[str]:
    return [note.text for note in notes.of(visitor)]


def test_each_visitor_has_their_own(notes: Notes) -> None:
    notes.add(ANNA, "  I live\nin Hobart. ")
    notes.add(ANNA, "Metric units, please.")
    notes.add(ANNA, "I live in Hobart.")
    notes.add("", "Nobody's.")
    assert texts(notes, ANNA) == ["I live in Hobart.", "Metric units, please."]
    assert texts(notes, BERT) == texts(notes, "") == []
    first = notes.of(ANNA)[0].id
    notes.change(BERT, first, "Overwritten.")
    notes.remove(BERT, first)
    assert texts(notes, ANNA)[0] == "I live in Hobart."
    notes.change(ANNA, first, "I live in Oslo.")
    assert texts(notes, ANNA)[0] == "I live in Oslo."
    notes.remove(ANNA, first)
    assert texts(notes, ANNA) == ["Metric units, please."]


def test_a_note_says_which_chat_it_is_from_while_that_is_there(store: Store, notes: Notes) -> None:
    chats, mine, others = Chats(store), store.add_conversation(ANNA, "Tides"), store.add_conversation(BERT, "Secret")
    notes.add(ANNA, "High water at 9:15.", mine)
    notes.add(ANNA, "From a chat of somebody else.", others)
    assert [(note.conversation, note.title) for note in notes.of(ANNA)] == [(mine, "Tides"), ("", "")]
    chats.delete(ANNA, mine)
    assert notes.of(ANNA)[0].conversation == ""


@pytest.mark.parametrize("text", ["", " \n ", "x" * (MOST_CHARACTERS + 1)])
def test_what_is_no_note_is_refused(notes: Notes, text: str) -> None:
    with pytest.raises(BadRequest):
        notes.add(ANNA, text)
    notes.add(ANNA, "Good.")
    with pytest.raises(BadRequest):
        notes.change(ANNA, notes.of(ANNA)[0].id, text)
    assert texts(notes, ANNA) == ["Good."]


def test_so_many_and_no_more(notes: Notes) -> None:
    for number in range(MOST_NOTES):
        notes.add(ANNA, f"Note {number}.")
    with pytest.raises(BadRequest, match="no more fit"):
        notes.add(ANNA, "One more.")
    notes.add(ANNA, "Note 3.")
    assert len(notes.of(ANNA)) == MOST_NOTES


def test_a_store_of_version_2_is_brought_up_to_date(open_store: Callable[..., Store]) -> None:
    store = open_store()
    kept = store.add_conversation(ANNA, "Before notes")
    with store.database.begin() as connection:
        connection.execute(sql.text("drop table notes"))
        connection.execute(sql.delete(STORE_VERSIONS).where(STORE_VERSIONS.c.number > 2))
    store.close()
    again = open_store()
    Notes(again).add(ANNA, "After.", kept)
    assert [(note.text, note.title) for note in Notes(again).of(ANNA)] == [("After.", "Before notes")]
