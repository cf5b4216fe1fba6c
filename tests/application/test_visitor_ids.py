"""Ids of browsers: given out, signed, and known again, over restarts and in all processes of a store."""

from __future__ import annotations

import pytest

from agent.application.visitor_ids import VisitorIds
from agent.store.runs import Store


def test_an_id_is_known_again_by_its_signature_alone(store: Store) -> None:
    ids = VisitorIds(store)
    new = ids.new()
    kept = ids.signed(new)
    assert ids.read(kept) == VisitorIds(store).read(kept) == new
    other = ids.signed(ids.new())
    signature, others = kept.partition(".")[2], other.partition(".")[0]
    for forged in (
        "",
        ".",
        new,
        f"{new}.",
        f"{others}.{signature}",
        kept[:-1],
        kept.upper(),
        "é.x",
        "\ud800",
        kept * 99,
    ):
        assert ids.read(forged) == ""


@pytest.mark.parametrize("visitor_id", ["", "x", "a" * 31, "G" * 32])
def test_what_is_no_id_is_never_one_even_where_it_was_signed(store: Store, visitor_id: str) -> None:
    ids = VisitorIds(store)
    assert ids.read(ids.signed(visitor_id)) == ""
    assert not ids.is_older(visitor_id, "")


def test_ids_of_before_there_were_signatures_are_those_with_a_chat_from_then(store: Store) -> None:
    store.add_conversation("anna", "An old chat")
    ids = VisitorIds(store)
    assert ids.is_older("a" * 32, "anna")
    store.add_conversation("ben", "A new chat")
    assert not ids.is_older("b" * 32, "ben")
