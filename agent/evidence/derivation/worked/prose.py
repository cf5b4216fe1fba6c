"""The observed sentence of prose that says most of what a sentence of the answer says, and its numbers."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass

from agent.evidence.kept import kept
from agent.evidence.lookup.context import Answer
from agent.evidence.sources import Sources, places

_LONG = 4  # letters of a word that tells something
_MOST_PLACES = 20  # of a word in one text
_ENOUGH = 3  # words that both must share


@dataclass(frozen=True)
class Prose:
    """The sentences of all observations by their words, each looked for once."""

    sources: Sources

    @kept
    def _with(self, stem: str) -> list[tuple[int, int, int]]:
        """The sentences that have a word, as numbers of the text with start and end."""
        found: dict[tuple[int, int, int], None] = {}
        for number, source in enumerate(self.sources.texts):
            if source.origin == "seen":
                for position in places(source.lower, stem, _MOST_PLACES):
                    found[number, *source.page.sentence(position)] = None
        return list(found)

    def values(self, answer: Answer, start: int, end: int) -> tuple[int, list[tuple[int, int]]]:
        """The text of the sentence nearest to that of a figure, and where its numbers stand; none in a table."""
        stems = [stem for stem in answer.words(start, end) if len(stem) >= _LONG]
        shared = Counter(sentence for stem in stems for sentence in self._with(stem))
        for (number, left, right), count in shared.most_common(1):
            source = self.sources.texts[number]
            near = count >= _ENOUGH and 2 * count >= len(stems) and number not in answer.strangers(start, self.sources)
            if near and source.page.cell_at(left) is None:
                return number, [(token.start, token.end) for token in source.page.numbers_between(left, right)]
        return 0, []
