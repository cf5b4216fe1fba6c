"""Proper names and quoted strings: whether they stand in a source."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from itertools import islice

from agent.evidence.kept import kept
from agent.evidence.lookup import abbreviations
from agent.evidence.lookup.name_forms import (
    CLUBS,
    UMLAUTS,
    WORKED_OUT,
    aliases,
    begun,
    code_of,
    distance_one,
    followers,
    in_full,
    in_short,
    pieces,
    spaced_otherwise,
    spelled_otherwise,
    with_kind,
    without_dots,
    without_kind,
)
from agent.evidence.lookup.numbered_names import numbered
from agent.evidence.mentions import Mention
from agent.evidence.pages import MOST_NAMES
from agent.evidence.sources import Finding, Sources, Spotted, places
from agent.evidence.tables.stems import HAN
from agent.evidence.verdicts import TABLES
from agent.interface_text import Text
from agent.text.characters import folded
from agent.text.quantities.claim_words import TITLES
from agent.text.regex import regex

_SPACE = regex(r"[\s*_`]+")
_POSSESSIVE = regex(r"['’]s?(?= |$)")
_SMALL = frozenset(("of", "the", "and", "for", "de", "la", "du", "van", "von", "&"))
_LEFT_OUT = regex(r"…|\.\.\.|\[\.\.\.\]| \+ ")  # between the pieces of a quote; of two tables that are joined
_SEVERAL = regex(r"[A-Z]{2,6}s")  # of a name in short: "GPUs"
_LONG = 5  # letters of a name that others are made of
_FULL, _MOST_PARTS = 3, 6  # words of a name in full, and at most
_BEFORE = 24  # characters
_MOST_PLACES = 50  # where a name may begin
_OF_ANOTHER = regex(r"(?:^|\W)(?:North|South|East|West|New) .$|[^\W\dA-Z]$")
_BEHIND_NAME = regex(r"[^\W\d_a-z][^\W\d_]*\.? $")
_MADE = regex(r"(?:n|ns|an|ans|ian|ians|ese|ish|ic)(?![^\W_])")  # how a word of a country or a people ends
_ENDS = regex(r"(?:'?s)?(?![^\W0-9_])")  # of a word, or after the ending of a plural or a genitive


@dataclass(frozen=True)
class NameIndex:
    """Names and quotes looked up in all sources.

    Each look-up reads the sources; for ``many`` of them only words that stand there at all are looked up, and only
    literally, so that the time does not grow with answer times sources.
    """

    sources: Sources
    many: bool = False

    @cached_property
    def folded(self) -> tuple[str, ...]:
        return tuple(source.page.folded for source in self.sources.texts)

    @cached_property
    def _all(self) -> str:
        return "\n".join(dict.fromkeys(self.folded))

    @cached_property
    def known(self) -> frozenset[str]:
        return frozenset[str]().union(*(source.page.words for source in self.sources.texts))

    def capitalised(self, start: str) -> Iterator[tuple[str, int, int, int]]:
        """The first capitalised words of the observations, at most 2,000, of which those that begin so."""
        before = 0
        for index, source in enumerate(self.sources.texts):
            words = source.page.capitalised
            for word, number, first, end in words.get(start, ()):
                if before + number < MOST_NAMES:
                    yield word, index, first, end
            before += sum(map(len, words.values())) if before < MOST_NAMES else 0

    def look_up(self, mention: Mention) -> Finding:
        if mention.kind == "quote":
            return self._quote(mention.text)
        name = _POSSESSIVE.sub("", folded(mention.text))
        if self.many and name.isascii() and not self._all_known(name):
            return Finding("not_found")
        if found := self._whole(name) or self._of_a_country(name):
            return self.sources.found(found)
        if (parts := self._parts(name)) is not None:
            return parts
        if spots := self._in_another_form(mention.text):
            return self.sources.found(spots)
        if mention.number and (spot := numbered(mention.text, mention.number, self.sources)) is not None:
            return self.sources.found([spot])
        for index, start, end in self._in_part(name.split(" "))[:1]:
            note = Text("Seen: {text}", text=self.sources.texts[index].text[start:end])
            return Finding("elsewhere", ((index, start, end),), note)
        return self._nearest(mention.text)

    def _all_known(self, name: str) -> bool:
        """Whether all words of a name stand somewhere, small ones and the ending of a plural apart."""
        words = (word.rstrip(".") for word in name.split())
        return all(word in self.known or word.rstrip("s") in self.known or word in _SMALL for word in words)

    @kept
    def _whole(self, name: str, capital: bool = False) -> list[Spotted]:
        """Where the whole name stands, not as part of a longer word (an ending of two letters may follow).

        Only with a ``capital`` where that is asked for, and as no part of another country: not "polish" for "Polish",
        nor "North Korea" for "Korea".
        """
        found: list[Spotted] = []
        for index, text in enumerate(self.folded if name in self._all else ()):
            for position in places(text, name, 8):
                end = position + len(name)
                if capital and _OF_ANOTHER.search(
                    self.sources.texts[index].text, max(0, position - _BEFORE), position + 1
                ):
                    continue
                begins = begun(text, position) or (" " in name and self._is_parted(index, position))
                if not name.isascii() or (begins and self._ends(index, end, " " in name)):
                    found.append((index, position, end))
                    break
        return found

    def _ends(self, index: int, end: int, several: bool) -> bool:
        """Whether a word ends at a place, an ending of its own apart.

        Behind ``several`` words a line break that is lost parts two, too; one alone is no part of "JavaScript".
        """
        return (several and self._is_parted(index, end)) or _ENDS.match(self.folded[index], end) is not None

    def _is_parted(self, index: int, position: int) -> bool:
        """Whether a line break is lost between two words: "StadiumMilwaukee"."""
        text = self.sources.texts[index].text
        return text[position - 1 : position].islower() and text[position : position + 1].isupper()

    @kept
    def _parts(self, name: str) -> Finding | None:
        """A name whose words all stand in one source: "Smith" for "John Smith", titles left out."""
        words = [
            word for word in re.split(r"[\s・]+", name) if word.strip(".") not in TITLES and len(word.strip(".")) > 1
        ]
        words = words or name.split()
        if len(words) > 12 or words == [name]:
            found = self._stems(name)
            return self.sources.found(found) if found else None
        sides = zip(words, ["", *words], [*words[1:], ""], strict=False)
        spots = [self._word(word, *to) for word, *to in sides]
        here = self._together(spots)
        if not here and all(spots):  # some stand in the question, and in another form in what was observed
            both = zip(spots, words, strict=True)
            here = self._together([[*found, *self._whole(word.rstrip("s"))] for found, word in both])
        return self.sources.found(here) if here else None

    def _word(self, word: str, before: str, after: str) -> list[Spotted]:
        """Where a word of a longer name stands, its country ("Belgium" of "Belgian") or it in another spelling."""
        if found := self._whole(word) or self._whole(word.rstrip("s")) or self._stems(word, before, after):
            return found
        beside = [f"{before} {word}", f"{word} {after}"]  # "Anna Moe" of "AnnaAnna Moe"
        parted = next((found for one in beside if one == one.strip() and (found := self._whole(one))), None)
        return parted or self._of_a_country(word) or self._written_otherwise(word)

    @kept
    def _of_a_country(self, name: str) -> list[Spotted]:
        """Where a country stands, or the people or the code of it, for another of them: "BEL" for "Belgian"."""
        for alias in aliases(name):
            if found := self._whole(alias, capital=True):
                return found
        return self._first(code_of(name))

    def _first(self, *patterns: re.Pattern[str] | None) -> list[Spotted]:
        """The first place of the first of some patterns that stands anywhere."""
        for pattern in filter(None, patterns):
            for index, source in enumerate(self.sources.texts):
                if (match := pattern.search(source.text)) is not None:
                    return [(index, *match.span())]
        return []

    def _together(self, each: list[list[Spotted]]) -> list[Spotted]:
        """One place of each in the first source that has them all."""
        for index in range(len(self.sources.texts)) if each and all(each) else ():
            here = [next((spot for spot in found if spot[0] == index), None) for found in each]
            if all(here):
                return [spot for spot in here if spot is not None]
        return []

    def _stems(self, name: str, before: str = "", after: str = "") -> list[Spotted]:
        """Where the word stands that a name is made of: "Japan" of "Japanese", "German" of "Germans".

        ``before`` and ``after`` are the words next to it in a longer name.
        """
        stem = re.sub(r"(?:ese|ians?|ans?|ish|land|s|n)$", "", name) if name.isascii() and len(name) >= 6 else name
        for one in followers(name):
            if found := self._whole(one, capital=True):
                return found
        for ending in ("", "a", "y", "ia") if stem != name and len(stem) > 3 else ():
            if found := self._whole(f"{stem}{ending}"):
                return found
        return self._begun(name, before, after)

    @kept
    def _begun(self, name: str, before: str, after: str) -> list[Spotted]:
        """Where a word with a capital is made of a name: "Venezuelan" of "Venezuela".

        Between the same words it is another name: "Julian Moss" for "Julia Moss".
        """
        if len(name) < _LONG or not name.isalpha():
            return []
        for index, text in enumerate(self.folded):
            for position in places(text, name, len(text)):
                made = _MADE.match(text, position + len(name))
                if made is None or text[position - 1 : position].isalnum():
                    continue
                alike = (before and text.endswith(f"{before} ", 0, position)) or (
                    after and text.startswith(f" {after}", made.end())
                )
                if not alike and self.sources.texts[index].text[position].isupper():
                    return [(index, position, made.end())]
        return []

    @kept
    def _in_another_form(self, name: str) -> list[Spotted]:
        """Where a name stands in short, in full or without its kind, or all of its pieces stand."""
        if _SEVERAL.fullmatch(name) and (one := self._whole(folded(name[:-1]))):
            return one
        if plural := self._plural(folded(name)):
            return plural
        if other := self._first(in_short(name), in_full(name)):
            return other
        if (label := next(abbreviations.in_full(name, self.sources), None)) is not None:
            return [label[0]]
        found = self._whole(folded(rest)) if (rest := without_kind(name)) else []
        if found and not any(self._is_of_another_kind(spot, name.removeprefix(rest)) for spot in found):
            return found
        if found := self._written_otherwise(folded(name)) or self._whole(without_dots(name)):
            return found
        whole = self._together([self._piece(piece) for piece in pieces(name)])
        words = folded(name).split(" ")
        return whole or (self._whole(f"{words[0]} {words[2]}") if len(words) == _FULL else [])

    def _written_otherwise(self, name: str) -> list[Spotted]:
        """Where a name stands in another spelling, or with other signs between its words."""
        for other in (*spelled_otherwise(name), *with_kind(name)):
            if found := self._whole(other):
                return found
        for letters, folded_one in UMLAUTS:
            for index, start, end in self._whole(name.replace(letters, folded_one)) if letters in name else ():
                if not self.sources.texts[index].text[start:end].isascii():
                    return [(index, start, end)]
        if (spaced := spaced_otherwise(name)) is None:
            return []
        first, pattern = spaced
        for index, text in enumerate(self.folded):
            for position in places(text, first, _MOST_PLACES):
                if (match := pattern.match(text, position)) is not None:
                    return [(index, *match.span())]
        return []

    def _is_of_another_kind(self, spot: Spotted, kind: str) -> bool:
        """Whether a club's word is before a place, or Han behind it: "AC Milan" is no "FC Milan", 青葉市 no 青葉駅.

        A ``kind`` in Han must stand somewhere in the text: 青葉 below 駅 is no 青葉大学.
        """
        index, start, end = spot
        text = self.sources.texts[index].text
        if HAN.match(text, start) is not None and (HAN.match(text, end) is not None or kind not in text):
            return True
        return text[max(0, start - _BEFORE) : start].rstrip().rpartition(" ")[2] in CLUBS

    def _plural(self, name: str) -> list[Spotted]:
        """Where one of several stands, or what is made of it: "Democratic" of "Democrats"."""
        for one in (name.removesuffix("s"), name.removesuffix("es")):
            if one != name and len(one) >= _LONG - 1 and (found := self._whole(one) or self._begun(one, "", "")):
                return found
        return []

    def _in_part(self, words: list[str]) -> list[Spotted]:
        """Where a name stands with an initial for its first word, or without what is before its last two or more words.

        "Old York City" is no "New York City": there another word with a capital stands before the rest.
        """
        linked = next((number for number, word in enumerate(words) if word in _SMALL), len(words))
        rests = [words[first:] for first in range(1, min(linked + 1, len(words), _MOST_PARTS))]
        if rests and (shorter := self._whole(" ".join([f"{words[0][0]}.", *rests[0]]))):
            return shorter
        for rest in rests:
            for spot in self._whole(" ".join(rest)) if len(rest) > 1 else ():
                if not _BEHIND_NAME.search(self.sources.texts[spot[0]].text[max(0, spot[1] - _BEFORE) : spot[1]]):
                    return [spot]
        return []

    def _piece(self, name: str) -> list[Spotted]:
        lower = folded(name)
        if found := self._whole(lower) or self._stems(lower) or self._of_a_country(lower):
            return found
        parts = self._parts(lower)
        return list(parts.spots) if parts is not None else self._in_another_form(name)

    @kept
    def _nearest(self, name: str) -> Finding:
        """A name with the same beginning and nearly the same letters: "Tokyo Dome" and "Tokyo Tower" are no such."""
        for word in re.split(r"[\s・]+", name.lower())[:6]:
            if len(word) <= 3 or self._whole(folded(word)):
                continue
            for seen, index, start, end in islice(self.capitalised(word[:2]), 60):
                if abs(len(seen) - len(word)) <= 2 and distance_one(seen, word):
                    return self.sources.differs((index, start, end))
        return Finding("not_found")

    def _quote(self, quote: str) -> Finding:
        wanted = _SPACE.sub(" ", folded(quote)).strip(" .,!?…。、")
        pieces = [one for piece in _LEFT_OUT.split(wanted) if len(one := piece.strip(" .,")) > 1 + one.isascii()]
        for index, text in enumerate(self.folded):
            heads = self.sources.texts[index].call_id == TABLES  # of which a column may be worked out
            several = [part for piece in pieces for part in WORKED_OUT.split(piece)] if heads else pieces
            places = [self._loosely(text, piece) for piece in several[: 1 if self.many else 6]]
            if places and all(place is not None for place in places):
                return self.sources.found([(index, *place) for place in places if place is not None])
        return self.sources.picked_by(wanted) or self._changed_quote(wanted)

    def _loosely(self, text: str, piece: str) -> tuple[int, int] | None:
        position = text.find(piece)
        if position >= 0:
            return position, position + len(piece)
        if not 2 <= len(words := piece.split(" ")) <= 60 or self.many:
            return None
        apart = r"[\s*_`,;\"“”]{1,3}" if piece.isascii() else r"[\s*_`,;\"“”]{0,3}"  # none behind 「です。」
        match = re.search(apart.join(re.escape(word.strip(',;"“”')) for word in words), text)
        return match.span() if match is not None else None

    def _changed_quote(self, wanted: str) -> Finding:
        """A quote whose first or last three words stand in a source, but not the whole."""
        words = wanted.split(" ")
        first, last = " ".join(words[:3]), " ".join(words[-3:])
        for piece in (first, last) if len(words) >= 5 else ():
            for index, text in enumerate(self.folded):
                if (position := text.find(piece)) >= 0:
                    start = position if piece == first else max(0, position + len(piece) - len(wanted))
                    return self.sources.differs((index, start, min(len(text), start + len(wanted))))
        return Finding("not_found")
