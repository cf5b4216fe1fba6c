"""A secret in a text that comes in pieces."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agent.text.concealment import CONCEALED, Concealment

KEY = "sk-abcabcabd"


def told(pieces: list[str], secret: str = KEY) -> str:
    concealment = Concealment(secret)
    return "".join(map(concealment.take, pieces)) + concealment.left()


@given(
    st.lists(st.sampled_from([KEY, KEY[:4], KEY[4:], "s", "k", "-", "abc", " is ", "sks", "é"]), max_size=12), st.data()
)
def test_no_cut_shows_a_secret_or_loses_anything_else(parts: list[str], data: st.DataObject) -> None:
    text = "".join(parts)
    cuts = sorted(data.draw(st.lists(st.integers(0, len(text)), max_size=6)))
    pieces = [text[start:end] for start, end in zip([0, *cuts], [*cuts, len(text)], strict=True)]
    assert told(pieces) == text.replace(KEY, CONCEALED)
    assert KEY not in told(pieces)


@pytest.mark.parametrize("secret", ["", "x", "short"])
def test_no_secret_or_a_short_one_conceals_nothing(secret: str) -> None:
    assert told(["a short x ", "y"], secret) == "a short x y"


def test_only_what_may_be_a_secret_waits() -> None:
    concealment = Concealment(KEY)
    assert [concealment.take(piece) for piece in ("It is", " sk-", "abc", "abe, s", "aid")] == [
        "It i",
        "s ",
        "",
        "sk-abcabe, ",
        "said",
    ]
