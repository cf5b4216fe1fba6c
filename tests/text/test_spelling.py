"""Words that are nearly known ones."""

from __future__ import annotations

import pytest

from agent.text.real_words import is_real
from agent.text.spelling import nearest, of_small, spellings

WORDS = ("population", "populations", "temperature", "currencies", "celsius", "capital", "square", "root")


@pytest.mark.parametrize(
    ("word", "meant"),
    [
        *(("sqare", ["square"]), ("rot", ["root"]), ("toor", []), ("captial", ["capital"]), ("xx", [])),
        *(("poplation", ["population"]), ("population", ["populations"]), ("opulation", ["population"])),
        # Two slips, of a long word alone: the first of them may put another letter first, which then changes places.
        *(("popplaton", ["population"]), ("tmeperatrue", ["temperature"]), ("ctemperaure", [])),
        *(("tempeature's", []), ("eptmperature", ["temperature"]), ("curencis", ["currencies"])),
        *(("cpaiatl", ["capital"]), ("curr'ncies", ["currencies"]), ("xpopulatio", [])),
        ("pxxpulation", ["population"]),
    ],
)
def test_words_that_slips_lead_to(word: str, meant: list[str]) -> None:
    assert nearest(word, set(WORDS)) == meant


def test_two_slips_are_not_looked_for_where_one_is_the_most() -> None:
    assert nearest("popplaton", WORDS, twice=False) == []
    assert nearest("poplation", WORDS, twice=False) == ["population"]


def test_a_sound_word_is_no_slip_and_nothing_is_taken_for_it() -> None:
    assert [one.text for one in spellings("four flour", {"four"})] == ["four four"]
    assert not list(spellings("four flour", {"four"}, {"flour"}.__contains__))
    assert not list(spellings("flor", {"five"}, {"flour"}.__contains__))


def test_names_are_put_right_only_where_no_other_letter_is_in_them() -> None:
    names = {"puncture", "house", "nadia"}
    assert [one.words for one in spellings("a pucture", {"list"}, names=names)] == [(("pucture", "puncture"),)]
    assert [one.words for one in spellings("of Nadai", {"list"}, names=names)] == [(("Nadai", "nadia"),)]
    assert not list(spellings("a horse", {"list"}, names=names))
    assert not list(spellings("of Nada", {"list"}, names=names))
    assert not list(spellings("the houses of Nadia", {"list", "houses"}, names=names))


@pytest.mark.parametrize(
    ("text", "read"),
    [
        ("teh gaot adn teh ktech", "the goat and the ketch"),  # letters that changed places
        ("whos on it, whats thier pya", "who's on it, what's their pay"),
        ("howmany dinghys", "how many dinghys"),  # a blank left out, and a plural that is none to put right
        ("hwo many", "how many"),  # and not "who many"
        ("totl form al ketchs", "total from all ketch"),  # real words that are slips of small ones
        ("how many goats, hats and bugles", ""),  # real words that are none
    ],
)
def test_the_likeliest_way_of_several_slips(text: str, read: str) -> None:
    known = {"the", "and", "goat", "got", "ketch", "who's", "what's", "their", "pay", "how", "many", "who", "dinghy"}
    several = spellings(text, known | {"total", "from", "all", "boats", "has", "beagle"}, is_real)
    assert next((one.text for one in several), "") == read


def test_a_real_word_is_a_slip_of_a_small_one_alone() -> None:
    assert of_small("wen") == ["when"]
    assert of_small("form") == ["from"]
    assert of_small("al") == ["all"]
    assert not of_small("hat")
    assert not of_small("goat")
    assert not of_small("lass")
