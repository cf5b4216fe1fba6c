"""Whether a follow-up is of the cells of a crosstab that the answer before was of, by its words and by that reading."""

from __future__ import annotations

from collections.abc import Sequence

from agent.data.tables.crosstabs.label_words import declared, pattern
from agent.data.tables.crosstabs.spans_of_time import BEFORE, mentions
from agent.text.regex import regex

_WHEN = regex(r"when .+ was (?:highest|lowest)$|.+が最も(?:大きい|小さい)時期$")
_OTHER = regex(r" where | by |\bin the table\b|「")  # a reading of other tables
_AROUND = regex(r",? ?(?:\b(?:from|between|in|to|and|or|over|for|during|until|of)\b ?)*§")


def leaned_on(asked: str, readings: Sequence[str]) -> str | None:
    """``asked`` behind the reading of the answer before, where it leans on that; behind both of the last two where it
    asks how these differ. ``readings`` are of the last answers, "" where one has none.
    """
    if not _is_of_cells(readings[-1]):
        return None
    kind = follow_kind(_without_periods(asked))
    if kind is None:
        return None
    two = kind in ("change", "percent change") and len(readings) > 1 and _is_of_cells(readings[-2])
    return "; ".join((*readings[-2:], asked) if two else (readings[-1], asked))


def follow_kind(words: str) -> str | None:
    """What a follow-up without its periods asks: "" for the same again, None where it has other words."""
    words = " ".join(pattern("lead").sub("", words).split())
    both = (*declared("en", "follow"), *declared("ja", "follow"))
    return next((kind for kind, said in both if said.fullmatch(words)), None) if words else ""


def _is_of_cells(reading: str) -> bool:
    told = any(True for _ in mentions(reading)) or _WHEN.match(reading) is not None
    return told and not _OTHER.search(reading)


def _without_periods(asked: str) -> str:
    out, done = "", 0
    for one in mentions(asked):
        out = f"{BEFORE.sub(' ', out + asked[done : one.start])}§"
        done = one.end
    return _AROUND.sub(" ", " ".join((out + asked[done:]).split())).strip().rstrip("?？。. ")
